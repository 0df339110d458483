# SPDX-License-Identifier: GPL-2.0-only
"""The kinds of damage, as a table of functions of a patient and a generator.

A kind's `expects` names the state of a log after this damage:

    sound    nothing is wrong: -p must write the whole log back
    mended   e2lazyck must name the damage, and -p must mend it without loss
    legal    some crash leaves the same disk, and the missing part left no
             trace: -p must write back the part that is there
    truth    the log looks sound, and a replay overwrites newer blocks: -p must
             write the truth or nothing
    judged   the oracle decides from the disk
"""

import struct
from collections import namedtuple

import fields
from journal import COMMIT, DESCRIPTOR, INCOMPAT_FAST, REVOKE
from patient import Unfit

Kind = namedtuple('Kind', 'name weight expects damage')
KINDS = []


def kind(name, weight, expects='judged'):
    def add(function):
        KINDS.append(Kind(name, weight, expects, function))
        return function
    return add


def by_name(name):
    return next(row for row in KINDS if row.name == name)


# --------------------------------------------------------------- sound ---

@kind('sound', 2, 'sound')
def sound(patient, rng):
    """Not damaged at all."""


@kind('half-home', 3, 'sound')
def half_home(patient, rng):
    """A write-back was cut short: some blocks are home already."""
    share = rng.random()
    for fsblk, data in patient.truth.result.items():
        if fsblk != 1024 // patient.block_size and rng.random() < share:
            patient.set_home(fsblk, data)


def _set_flag(patient, recover):
    """needs_recovery in the ext4 superblock"""
    raw = bytearray(patient.super())
    incompat, = struct.unpack_from('<I', raw, 0x60)
    struct.pack_into('<I', raw, 0x60, incompat & ~4 | 4 * recover)
    patient.set_super(raw, redo=patient.base.has_csums)


@kind('frozen', 2, 'mended')
def frozen(patient, rng):
    """The log is in use and needs_recovery is clear, as in a snapshot of a
    lazily journaled file system."""
    _set_flag(patient, False)


@kind('restarted', 3, 'sound')
def restarted(patient, rng):
    """The log was written back and a mount wrote the journal superblock for
    its first commit, of which nothing reached the disk.

    Kernels before 6.4 begin at the first block again, where the blocks of
    transactions stand that are home; later ones behind the head.
    """
    truth = patient.truth
    for fsblk, data in truth.result.items():
        patient.set_home(fsblk, data)
    _set_flag(patient, True)
    raw = bytearray(patient.journal_super())
    start = rng.choice([truth.journal.first, truth.end.head])
    struct.pack_into('>2I', raw, 0x18, truth.end.tid + 2, start)
    patient.set_journal_super(raw, redo=truth.journal.has_tails)


@kind('unmounted', 3, 'sound')
def unmounted(patient, rng):
    """A kernel unmounted the file system: the log is empty, and the journal
    superblock has no fast commits any more, but still their number of blocks.
    """
    truth = patient.truth
    for fsblk, data in truth.result.items():
        patient.set_home(fsblk, data)
    _set_flag(patient, False)
    raw = bytearray(patient.journal_super())
    incompat, = struct.unpack_from('>I', raw, 0x28)
    struct.pack_into('>I', raw, 0x28, incompat & ~INCOMPAT_FAST)
    struct.pack_into('>2I', raw, 0x18, truth.end.tid + 1, 0)
    patient.set_journal_super(raw, redo=truth.journal.has_tails)


@kind('dead-copy', 4, 'mended')
def dead_copy(patient, rng):
    """Copies are damaged that a newer one or a revoke made void."""
    if patient.truth.journal.csum == 1:
        raise Unfit('a v1 checksum covers the whole transaction')
    _spoil_copies(patient, rng, ('superseded', 'revoked'))


# --------------------------------------------------------------- legal ---

@kind('lost-commit', 5, 'legal')
def lost_commit(patient, rng):
    """The last commit block never reached the disk."""
    last = patient.truth.control[-1]
    patient.set_log(last.logblk, _filling(patient, rng, ('zeros', 'text')))


@kind('lost-tail', 5, 'legal')
def lost_tail(patient, rng):
    """From somewhere in the last transactions nothing reached the disk."""
    truth = patient.truth
    tid = rng.choice(truth.tids[-4:])
    begin = truth.by_tid[tid][0].logblk
    size = (truth.end.head - begin) % truth.journal.ring
    first = rng.randrange(size)
    for step in range(first, size):
        patient.set_log(patient.at(begin, step), bytes(patient.block_size))


# --------------------------------------------------------------- holes ---

def _filling(patient, rng, choice=('zeros', 'zeros', 'random', 'ones',
                                   'text')):
    size, what = patient.block_size, rng.choice(choice)
    if what == 'zeros':
        return bytes(size)
    if what == 'random':
        return rng.randbytes(size)
    if what == 'ones':
        return b'\xff' * size
    return (b'some file\n' * (size // 10 + 1))[:size]


def _length(rng, most):
    """1 to @most, each order of magnitude as often."""
    return min(most, int(10 ** rng.uniform(0, 4)))


def _hole(patient, rng, begin, length):
    what = rng.choice(['zeros', 'random', 'ones', 'text'])
    patient.note(f'{length} blocks from {begin} are {what}')
    for step in range(min(length, len(patient.truth.ring))):
        patient.set_log(patient.at(begin, step),
                        _filling(patient, rng, (what,)))


@kind('hole', 14)
def hole(patient, rng):
    """A stretch of the ring is lost."""
    begin = patient.within(rng) if rng.random() < .8 \
        else patient.anywhere(rng)
    _hole(patient, rng, begin, _length(rng, len(patient.truth.ring)))


@kind('hole-behind', 8)
def hole_behind(patient, rng):
    """A hole begins where a transaction ends, and spares the last ones."""
    truth = patient.truth
    index = rng.randrange(len(truth.tids) - 1)
    begin = patient.at(truth.by_tid[truth.tids[index]][-1].logblk, 1)
    spared = truth.by_tid[rng.choice(truth.tids[index + 1:])]
    end = rng.choice(spared).logblk
    room = (end - begin) % truth.journal.ring
    if not room:
        raise Unfit('nothing lies between')
    _hole(patient, rng, begin, room if rng.random() < .6
          else rng.randrange(1, room + 1))


# --------------------------------------------- blocks at a wrong place ---

@kind('swapped', 8)
def swapped(patient, rng):
    """Two blocks, or two stretches, have changed places."""
    one, other = patient.within(rng), patient.within(rng)
    length = rng.choice([1, 1, 1, _length(rng, 100)])
    pairs = [(patient.at(one, i), patient.at(other, i))
             for i in range(length)]
    before = {at: patient.log(at) for pair in pairs for at in pair}
    patient.note(f'{length} blocks from {one} and {other} are swapped')
    for here, there in pairs:
        patient.set_log(here, before[there])
        patient.set_log(there, before[here])


def _copy(patient, source, target, length):
    patient.note(f'{length} blocks from {source} stand at {target}')
    data = [patient.log(patient.at(source, i)) for i in range(length)]
    for i, block in enumerate(data):
        patient.set_log(patient.at(target, i), block)


@kind('repeated', 8)
def repeated(patient, rng):
    """A stretch of the log stands a second time, over another."""
    _copy(patient, patient.within(rng), patient.within(rng),
          _length(rng, len(patient.truth.ring) // 2))


@kind('transaction-twice', 5)
def transaction_twice(patient, rng):
    """A transaction is copied to where another one begins."""
    truth = patient.truth
    one, other = rng.sample(truth.tids, 2)
    begin = truth.by_tid[one][0].logblk
    length = (truth.by_tid[one][-1].logblk - begin) % truth.journal.ring + 1
    _copy(patient, begin, truth.by_tid[other][0].logblk, length)


@kind('older-over-live', 6)
def older_over_live(patient, rng):
    """A stretch of the older lap stands over the log, or the reverse."""
    old = patient.old_blocks()
    if not old:
        raise Unfit('the ring has no older lap')
    here, there = rng.choice(old), patient.within(rng)
    if rng.random() < .2:
        here, there = there, here
    _copy(patient, here, there, _length(rng, 400))


@kind('foreign', 6)
def foreign(patient, rng):
    """Blocks of another journal stand in the ring."""
    others = [base for base in patient.base.all
              if base.truth.block_size == patient.block_size and
              base is not patient.base]
    if not others:
        raise Unfit('there is no other journal of this block size')
    other = rng.choice(others)
    there = patient.within(rng)
    source = rng.choice(other.truth.control).logblk
    if rng.random() < .3:       # at the place where it stood there
        there = patient.truth.ring[source % len(patient.truth.ring)]
    patient.note(f'from block {there} on stands {other.name}')
    with open(other.truth.log_file(other.disk), 'rb') as file:
        for i in range(_length(rng, 300)):
            at = other.truth.journal.next(source, i)
            file.seek(other.truth.physical[at] * patient.block_size)
            patient.set_log(patient.at(there, i),
                            file.read(patient.block_size))


# --------------------------------------------------------- superblocks ---

def _torn(rng, one, other):
    """The first 512 bytes of one, the rest of the other."""
    pair = (one, other) if rng.random() < .5 else (other, one)
    return pair[0][:512] + pair[1][512:]


@kind('torn-super', 4)
def torn_super(patient, rng):
    """The ext4 superblock is torn between its sectors."""
    block, at = divmod(1024, patient.block_size)
    others = [bytes(1024), rng.randbytes(1024),
              rng.choice(patient.base.all).super]
    if block in patient.truth.result:
        others.append(patient.truth.result[block][at:at + 1024])
    patient.set_super(_torn(rng, patient.super(), rng.choice(others)))


@kind('torn-seal', 4, 'mended')
def torn_seal(patient, rng):
    """A write-back was torn as it wrote the ext4 superblock.

    It does so twice: while the log is still in use, with what the superblock
    is to be, which the copy in the log tells; and at the end without
    needs_recovery.
    """
    after = patient.base.sealed
    if after is None:
        raise Unfit('the base cannot be written back')
    truth, before = patient.truth, patient.super()
    for fsblk, data in truth.result.items():
        if fsblk != 1024 // patient.block_size:
            patient.set_home(fsblk, data)
    patient.set_super(after[0])
    _set_flag(patient, True)
    merged = patient.super()
    if 1024 // patient.block_size in truth.result and rng.random() < .5:
        patient.note('while the log is in use')
        patient.set_super(_torn(rng, before, merged))
    else:
        patient.set_journal_super(after[1])
        patient.set_super(_torn(rng, merged, after[0]))


@kind('torn-journal-super', 4)
def torn_journal_super(patient, rng):
    """The journal superblock is torn between its sectors."""
    others = [bytes(1024), rng.randbytes(1024),
              rng.choice(patient.base.all).journal_super]
    if patient.base.sealed:
        others.append(patient.base.sealed[1])
    patient.set_journal_super(_torn(rng, patient.journal_super(),
                                    rng.choice(others)))


def _set_field(patient, rng, raw, field, order):
    raw, (name, at, size) = bytearray(raw), field
    value = int.from_bytes(raw[at:at + size], order)
    new = fields.wrong(rng, value, size)
    patient.note(f'{name} {value:#x} becomes {new:#x}')
    raw[at:at + size] = new.to_bytes(size, order)
    return raw


@kind('journal-super-field', 10)
def journal_super_field(patient, rng):
    """A number in the journal superblock is wrong."""
    some = fields.JOURNAL_SUPER
    if rng.random() < .5:
        some = [field for field in some if field[0] in fields.ENTRY]
    raw = _set_field(patient, rng, patient.journal_super(), rng.choice(some),
                     'big')
    redo = rng.random() < .3 and patient.truth.journal.has_tails
    patient.set_journal_super(raw, redo)


@kind('entry-bit', 10)
def entry_bit(patient, rng):
    """One bit of s_sequence or s_start has flipped."""
    raw, before = bytearray(patient.journal_super()), patient.journal_super()
    raw[rng.randrange(0x18, 0x20)] ^= 1 << rng.randrange(8)
    patient.note(f'{before[0x18:0x20].hex()} becomes {raw[0x18:0x20].hex()}')
    patient.set_journal_super(raw)


@kind('super-field', 7)
def super_field(patient, rng):
    """A number about the journal in the ext4 superblock is wrong."""
    raw = _set_field(patient, rng, patient.super(),
                     rng.choice(fields.FS_SUPER), 'little')
    patient.set_super(raw, rng.random() < .6 and patient.base.has_csums)


# ------------------------------------------------------- control blocks ---

def _fields_of(patient, rng, block):
    journal, size = patient.truth.journal, patient.block_size
    ends = fields.tail(size) if journal.has_tails else []
    if block.kind == COMMIT:
        return fields.COMMIT
    if block.kind == REVOKE:
        return fields.REVOKE + ends
    index = rng.randrange(block.tags) if block.tags else 0
    return fields.HEADER + fields.tag(journal, index) + ends


@kind('control-field', 14)
def control_field(patient, rng):
    """A number in a descriptor, revoke or commit block is wrong."""
    which = rng.choice([DESCRIPTOR, REVOKE, COMMIT])
    some = [block for block in patient.truth.control if block.kind == which]
    if not some:
        raise Unfit('the log has no such block')
    block = rng.choice(some)
    raw = _set_field(patient, rng, patient.log(block.logblk),
                     rng.choice(_fields_of(patient, rng, block)), 'big')
    if rng.random() < .3:
        patient.redo_control(block.logblk, raw)
    else:
        patient.set_log(block.logblk, raw)


@kind('bits', 8)
def bits(patient, rng):
    """A few bits of the log have flipped."""
    for _ in range(rng.choice([1, 1, 1, 2, 8, 64])):
        at = patient.within(rng)
        patient.note(f'a bit of block {at}')
        raw = bytearray(patient.log(at))
        raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
        patient.set_log(at, raw)


# --------------------------------------------------------------- copies ---

def _spoil_copies(patient, rng, states):
    some = [logblk for logblk, (_, state) in patient.truth.copies.items()
            if state in states]
    if not some:
        raise Unfit('the log has no such copy')
    for at in rng.sample(some, min(len(some), rng.choice([1, 1, 2, 5]))):
        patient.note(f'the copy at {at}')
        raw = bytearray(patient.log(at))
        how = rng.choice(['bit', 'zeros', 'torn', 'random'])
        if how == 'bit':
            raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
        elif how == 'torn':
            raw[512:] = rng.randbytes(len(raw) - 512)
        else:
            raw = _filling(patient, rng, (how,))
        patient.set_log(at, raw)


@kind('live-copy', 10)
def live_copy(patient, rng):
    """Copies are damaged that are the newest of their blocks."""
    _spoil_copies(patient, rng, ('live',))


@kind('any-copy', 5)
def any_copy(patient, rng):
    """Copies of any state are damaged."""
    _spoil_copies(patient, rng, ('live', 'superseded', 'revoked'))


# ----------------------------------------- what a replay takes for newer ---

@kind('older-life', 5, 'truth')
def older_life(patient, rng):
    """mke2fs made the file system anew, with the same UUID, and left the ring
    as it was: where the log ends, an older transaction may go on with it."""
    life = patient.base.disk.life
    if not life:
        raise Unfit('the disk was made once')
    truth, shift = patient.truth, 0
    if rng.random() < .3:
        shift = rng.randrange(1, 40)
    patient.note(f'an older life, {shift} blocks later')
    used = patient.log_blocks()
    with open(life.image, 'rb') as file:
        for step in range(used, truth.journal.ring - shift):
            at = patient.at(truth.journal.start, step)
            file.seek(truth.physical[at] * patient.block_size)
            data = file.read(patient.block_size)
            if any(data):
                patient.set_log(patient.at(at, shift), data)


@kind('tag-on-data', 5, 'truth')
def tag_on_data(patient, rng):
    """Without checksums: a tag names a block of a file's contents."""
    contents = sorted(patient.base.disk.contents)
    if patient.truth.journal.csum or not contents:
        raise Unfit('a checksum covers the tags, or no file is known')
    some = [block for block in patient.truth.control
            if block.kind == DESCRIPTOR and block.tags]
    block = rng.choice(some)
    index, fsblk = rng.randrange(block.tags), rng.choice(contents)
    patient.note(f'tag {index} of block {block.logblk} names {fsblk}')
    name, at, _ = fields.tag(patient.truth.journal, index)[0]
    assert name == 'blocknr'
    raw = bytearray(patient.log(block.logblk))
    struct.pack_into('>I', raw, at, fsblk)
    patient.set_log(block.logblk, raw)


# ---------------------------------------------------------- and all else ---

@kind('truncated', 5)
def truncated(patient, rng):
    """The image, or the journal's device, ends too early."""
    number = rng.randrange(len(patient.files))
    size = patient.files[number].seek(0, 2)
    patient.cut[number] = rng.choice([
        rng.randrange(size), size - rng.randrange(1, 1 << 20),
        size - patient.block_size, rng.randrange(size) & -512])
    patient.note(f'{patient.cut[number]} bytes are left')


@kind('several', 16)
def several(patient, rng):
    """Two to four of the others at once."""
    some = [row for row in KINDS
            if row.expects == 'judged' and row.name != 'several'] + [
        by_name('half-home'), by_name('dead-copy'), by_name('lost-commit')]
    for _ in range(rng.choice([2, 2, 3, 4])):
        one = rng.choice(some)
        patient.note(one.name)
        try:
            one.damage(patient, rng)
        except Unfit:
            pass
