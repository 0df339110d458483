# SPDX-License-Identifier: GPL-2.0-only
"""Journals of a kind that chance makes too seldom, or never.

Each entry of KINDS has a form (see generate.py), the expected finding, and the
text.  In the text {t} is a transaction id, {t1} and so on are the next ones,
{a}, {b} and {c} are blocks, {a8} is the eighth block behind {a}, {n} is a small
number and {foreign} is another journal's UUID.
"""

FOREIGN = '01234567-89ab-cdef-0123-456789abcdef'

KINDS = [
    ('1k', 'end overlong', '''
journal csum {csum} 64bit
start 1
sequence {t}
bulk 20 tags 49 from {a} mod 60
damage copy {t}.desc @1021
damage tid @1021 {t20}'''),
    ('4k', 'end stale', '''
journal csum {tail}
txn {t} write {a}
leftoveruuid {foreign}
leftover {t1} write {b} revoke {a} time 1600000000
leftover {t2} write {c} time 1600000001'''),
    ('2k', 'state stale', '''
journal csum v1
txn {t} write {a}
leftover {t1} write {b} {c} time 1600000000
damage flip {t1}.data[0] {n}'''),
    ('1k', 'finding later-transactions', '''
journal csum {tail} 64bit
txn {t} write {a} {b} time 1700009999
txn {t1} write {b} time 1700000000
txn {t2} write {c} time 1700000001
damage csum {t1}.commit'''),
    ('1k', 'finding given-up', '''
journal csum {csum} 64bit
start end-{n}
txn {t} write {a} {b}
txn {t1} write {b} {c}
txn {t2} revoke {c} write {a}-{a8}
txn {t20} revoke {a} {b} nocommit
damage zero {t1}.desc'''),
    ('4k', 'finding revoke-given-up', '''
journal csum {csum} 64bit
start end-{n}
txn {t} write {a}-{a8} {b} {c}
txn {t1} write {a}
txn {t2} revoke {b} {a} write {c}
txn {t20} write {a} revoke {c} nocommit
damage zero {t1}.commit'''),
    ('4k', 'finding given-up', '''
journal csum {csum}
txn {t} write {a}
txn {t1} perdesc 2 write {a}-{a8} {b} revoke {c}
txn {t2} write {c} revoke {b}
damage garbage {t1}.desc[2]'''),
    ('1k', 'finding newer-in-place', '''
journal csum {tail} 64bit
start end-{n}
txn {t} write {a} {b}
txn {t1} write {a}-{a8} {c}
txn {t2} write {c}
damage csum {t1}.desc
damage home {t1}.data[0] {a}
damage home {t2}.data[0] {c}'''),
    ('4k', 'finding behind-damage', '''
journal csum {tail} 64bit
txn {t} write {a} {b}
txn {t1} perdesc 2 write {a}-{a8} revoke {b}
txn {t2} write {c} escape {b}
txn {t20} write {a} nocommit
damage csum {t1}.desc[1]
damage flip {t2}.data[0] {n}'''),
    ('1k', 'finding bad-copy-at-home', '''
journal csum v3
txn {t} write {a} {b}
txn {t1} write {b} escape {c}
damage home {t1}.data[0] {b}
damage home {t}.data[0] {a}
damage flip {t1}.data[0] {n}'''),
    ('1k-dev', 'finding external-not-user', '''
journal csum {csum} 64bit
txn {t} write {a} {b}
damage super users 0'''),
    ('4k-dev', 'finding external-not-user', '''
journal csum {tail}
txn {t} write {a} {b}
damage super user 0x12345678'''),
    ('4k', 'end revoke-count', '''
journal csum {csum}
txn {t} write {a} {b}
txn {t1} revoke {a} write {c}
txn {t2} write {b}
damage count {t1}.revoke 4097'''),
    ('4k', 'end revoke-count', '''
journal csum {tail}
txn {t} write {a} {b}
txn {t1} revoke {a} write {c}
damage count {t1}.revoke 4093'''),
    ('1k', 'finding torn-commit', '''
journal csum {tail}
txn {t} write {a} {b}
txn {t1} write {b} {c}
damage torn {t}.commit'''),
    ('1k-bare', 'finding lost-escape', '''
journal csum {untagged}
txn {t} escape {a} {b} {c}
txn {t1} write {b} {a}
txn {t2} write {a}
damage copy {t}.data[1] {t1}.data[0]'''),
    ('1k-dev', 'finding recovery-of-nothing', '''
sequence {t}
needs_recovery on'''),
    ('4k-dev', 'end block-type', '''
journal csum {csum} 64bit
txn {t} write {a}
txn {t1} write {b}
damage type {t1}.commit 7'''),
    ('1k', 'finding full', '''
journal csum none 32bit
start {n}
sequence {t}
bulk 31 tags 31 from {a} mod 200'''),
    ('1k', 'finding wiped-on-mount', '''
txn {t} write {a} {b} {c}
needs_recovery off'''),
    ('1k-ext3', 'finding journal-inode-lost', '''
start {n}00
txn {t} write {a} {b}
damage inode8 clear'''),
    ('1k', 'finding journal-inode-lost', '''
start end-2
txn {t} write {a}-{a8}
damage inode8 clear'''),
    ('1k', 'damage tag-outside', '''
txn {t} write {a} {b} {c}
txn {t1} write {a}
damage tag {t}.desc 1 16384
damage tag {t1}.desc 0 0'''),
    ('4k', 'damage tag-in-journal', '''
journal csum {csum}
txn {t} write {a} {b} {c}
txn {t1} escape {a}
damage tag {t1}.desc 0 journal'''),
    ('2k', 'unusable', '''
txn {t} write {a}
damage super {super}'''),
    ('1k-fast', 'finding fast-commits-valid', '''
journal csum {csum} fast_commit 256
txn {t} write {a}
fc {t1} creat 2 12 name inode 2 tail
fc {t1} del 12 0 {n} tail'''),
    ('1k-fast', 'finding fast-commits-stale', '''
journal csum {csum} fast_commit 256
txn {t} write {a}
fc {t} creat 2 12 name inode 2 tail'''),
    ('1k-fast', 'finding fast-commits-later', '''
journal csum {csum} fast_commit 256
txn {t} write {a}
fc {t2} creat 2 12 name inode 2 tail'''),
    ('1k-fast', 'finding fast-commits-unknown', '''
journal csum {csum} fast_commit 256
txn {t} write {a}
fc {t1} features 1 creat 2 12 name inode 2 tail'''),
    ('1k-fast', 'finding fast-commits-unfinished', '''
journal csum {csum} fast_commit 256
txn {t} write {a}
fc {t1} creat 2 12 name inode 2'''),
    ('1k-fast', 'finding fast-commits-cut', '''
journal csum {csum} fast_commit 256
txn {t} write {a}
fc {t1} creat 2 12 name tail del 12 0 {n} tail badcrc inode 2 tail'''),
    ('1k-fast', 'finding fast-commit-wrapped', '''
journal csum {csum} fast_commit {n}
start end-{n}
txn {t} write {a}-{a8} {b}'''),
    ('1k', 'finding tag-on-backup', '''
txn {t} write 8193 {a}'''),
    ('4k', 'end commit-csum', '''
journal csum {tail} async_commit
txn {t} write {a}
txn {t1} write {b}
txn {t2} write {c}
damage csum {t1}.commit'''),
    ('64k', 'damage data-csum', '''
journal csum {tail}
txn {t} write {a}-{a8}
txn {t1} write {a}
damage flip {t}.data[3] {n}
damage flip {t}.data[0] {n}'''),
    ('1k', 'state revoked', '''
journal csum {csum} 64bit
txn {t} write {a} revoke {a} {b}
txn {t1} write {b} revoke {c}
txn {t2} write {c}'''),
    ('1k', 'end empty', '''
super head {n}
leftover {t} write {a}'''),
    ('4k', 'finding deleted-tag', '''
journal csum {csum}
txn {t} deleted {a} write {b}'''),
    ('2k', 'finding duplicate-tag', '''
txn {t} write {a} {b} {a}'''),
    ('1k', 'finding uncommitted-tail', '''
journal csum {csum}
txn {t} write {a}
txn {t1} write {a} {b} revoke {c} nocommit'''),
    ('2k', 'finding older-copy', '''
journal csum {tail}
txn {t} write {a} {b} {c}
txn {t1} write {a} {b} revoke {c}
txn {t2} write {a} {b} {c}
damage flip {t2}.data[0] {n}
damage flip {t2}.data[1] {n}
damage flip {t1}.data[1] {n}
damage flip {t2}.data[2] {n}'''),
    ('1k', 'finding commit-before-mkfs', '''
journal csum {csum} 64bit
txn {t} write {a} {b}
txn {t1} write {b} {c} time 1600000000
txn {t2} write {c} time 1600000001'''),
]

# Each keeps a kernel from using the journal.
SUPERS = ['magic 0', 'type 1', 'blocksize 512', 'maxlen 1023', 'maxlen 5000',
          'first 0', 'first 1024', 'start 1024', 'start 5000',
          'incompat 0x40', 'incompat 0x18', 'ro_compat 1', 'csumtype 1',
          'csum 0', 'maxlen 1 raw']


def text_of(kind, rng, low, tid):
    """The text of @kind; its blocks lie apart, and before the journal."""
    words = {'t': tid, 'n': rng.randrange(2, 10), 'foreign': FOREIGN,
             'csum': rng.choice(['none', 'v1', 'v2', 'v3']),
             'tail': rng.choice(['v2', 'v3']),
             'untagged': rng.choice(['none', 'v1']),
             'super': rng.choice(SUPERS)}
    if kind[1].startswith('finding lost'):
        words['untagged'] = 'none'
    for i in (1, 2, 20):
        words[f't{i}'] = tid + i & 0xffffffff
    for name, block in zip('abc', rng.sample(range(low, 3000, 10), 3)):
        words[name] = block
        words[name + '8'] = words[name] + 8
    return kind[2].strip().format(**words) + '\n'
