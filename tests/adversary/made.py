# SPDX-License-Identifier: GPL-2.0-only
"""Bases made by mke2fs and mkjournal: every format, also without a kernel.

The home blocks are as a journaling file system leaves them: content of an
older lap or an earlier log is in place, the log's own content is not.
"""

import os
import random
import struct
import subprocess

from crc import ALL_ONES, crc32c
from disk import Disk
from laps import Laps
from truth import Truth

HERE = os.path.dirname(os.path.abspath(__file__))
UUID = '5a3b1c00-e21a-4000-8000-00000000e2fa'
OLD_UUID = '01234567-89ab-cdef-0123-456789abcdef'
DEVICE_UUID = '5a3b1c00-e21a-4000-8000-00000000e2fb'

MADE_AT = 1690000000            # mkjournal's commits begin at 1700000000
OLDER = 1600000000

NO_CSUMS = ('-O', '^64bit,^metadata_csum')
EXT3 = ('-O', '^extent,^64bit,^metadata_csum')

# The ring before the log is written: `new` was never written, `lap` holds an
# older lap whose chain ends where the log begins, `beneath` the log of another
# file system, which mke2fs left there, and `cleared` an older lap of the time
# when the journal had fast commits.
BASES = [
    # name             block  blocks ring   csum    ring is    mke2fs
    ('1k-none-new',     1024, 16384, 1024, 'none', 'new',     NO_CSUMS),
    ('1k-none-lap',     1024, 16384, 1024, 'none', 'lap',     NO_CSUMS),
    ('1k-none-beneath', 1024, 16384, 1024, 'none', 'beneath', NO_CSUMS),
    ('1k-v1-lap',       1024, 16384, 1024, 'v1',   'lap',     EXT3),
    ('1k-v2-lap',       1024, 16384, 1024, 'v2',   'lap',     ()),
    ('1k-v3-new',       1024, 16384, 1024, 'v3',   'new',     ()),
    ('1k-v3-lap',       1024, 16384, 1024, 'v3',   'lap',     ()),
    ('1k-v3-beneath',   1024, 16384, 1024, 'v3',   'beneath', ()),
    ('4k-none-lap',     4096,  4096, 1024, 'none', 'lap',     NO_CSUMS),
    ('4k-v1-new',       4096,  4096, 1024, 'v1',   'new',     NO_CSUMS),
    ('4k-v2-beneath',   4096,  4096, 1024, 'v2',   'beneath', ()),
    ('4k-v3-lap',       4096,  4096, 1024, 'v3',   'lap',     ()),
    ('1k-none-long',    1024, 32768, 14336, 'none', 'new',    NO_CSUMS),
    ('1k-v3-long',      1024, 32768, 14336, 'v3',   'new',    ()),
    ('1k-v3-fast',      1024, 16384, 2048, 'v3',   'new',     ()),
    ('1k-v3-dev',       1024, 16384, 1100, 'v3',   'lap',     ()),
    ('1k-v2-new',       1024, 16384, 1024, 'v2',   'new',     ()),
    ('1k-v3-cleared',   1024, 16384, 2048, 'v3',   'cleared', ()),
    ('1k-none-cleared', 1024, 16384, 2048, 'none', 'cleared', NO_CSUMS),
]


def make(name, directory, tools):
    row = next(row for row in BASES if row[0] == name)
    return _Maker(row, directory, tools).disk


class _Maker:
    def __init__(self, row, directory, tools):
        (self.name, self.block_size, self.blocks, self.ring, self.csum,
         self.before, self.options) = row
        self.tools = tools
        self.rng = random.Random(self.name)
        path = os.path.join(directory, self.name)
        self.disk = Disk(path, path + '.j' if self.name.endswith('-dev')
                         else None)
        self.tid = 1000
        self.start = None       # of the next log; None: where mkjournal likes
        self._make()

    def _make(self):
        if self.before == 'beneath':
            self._mke2fs(OLD_UUID, OLDER - 10)
            self._log(40, OLDER)
            self.start = None
        self._mke2fs(UUID, MADE_AT)
        if self.csum == 'none':
            self._write_file()
        if self.before in ('lap', 'cleared'):
            self._log(80, None, fast=256 if self.before == 'cleared' else 0)
            self._bring_home()
        lines = self._log(400 if self.ring > 10000 else 24, None,
                          fast=256 if self.name.endswith('-fast') else 0)
        if self.before == 'new' and self.ring == 1024:
            self._live_before(lines)

    def _mke2fs(self, uuid, time):
        environment = dict(
            os.environ, E2FSPROGS_FAKE_TIME=str(time),
            MKE2FS_CONFIG=os.path.join(HERE, '..', 'fixtures',
                                       'mke2fs-older.conf'))

        def run(*words):
            subprocess.run(['mke2fs', '-q', '-F', '-b', str(self.block_size),
                            *map(str, words)], env=environment, check=True,
                           stdin=subprocess.DEVNULL, capture_output=True)
        journal = ['-J', f'size={self.ring * self.block_size >> 20}']
        if self.disk.device:
            run('-O', 'journal_dev', '-U', DEVICE_UUID, self.disk.device,
                self.ring)
            journal = ['-O', '^has_journal']
        run('-t', 'ext4', '-U', uuid, '-N', 64,
            '-E', 'lazy_itable_init=1,lazy_journal_init=1,hash_seed=' + UUID,
            *journal, *self.options, self.disk.image, self.blocks)
        if self.disk.device:
            self._name_each_other()

    def _name_each_other(self):
        """mke2fs takes a journal's device only if it is one."""
        for request in ('feature has_journal',
                        f'ssv journal_uuid {DEVICE_UUID}'):
            self._debugfs(request)
        with open(self.disk.device, 'r+b') as file:
            file.seek((2 if self.block_size == 1024 else 1) * self.block_size)
            raw = bytearray(file.read(1024))
            struct.pack_into('>I', raw, 0x40, 1)
            raw[0x100:0x110] = bytes.fromhex(UUID.replace('-', ''))
            file.seek(-1024, 1)
            file.write(raw)

    def _debugfs(self, request):
        return subprocess.run(['debugfs', '-w', '-R', request,
                               self.disk.image], check=True,
                              capture_output=True, text=True).stdout

    def _write_file(self):
        """A file; no log holds copies of its blocks."""
        path = self.disk.image + '.file'
        with open(path, 'wb') as file:
            file.write(b'contents of a file\n' * (self.block_size * 2))
        self._debugfs(f'write {path} file')
        os.unlink(path)
        self.disk.contents = set(map(
            int, self._debugfs('blocks file').split()))

    def _live_before(self, lines):
        """The disk before this mke2fs, which it gave the same UUID.

        The same work had made the same transactions, of other contents, and
        then went on: so where the log ends now, an older transaction with the
        next id begins.
        """
        now, next_tid = self.disk, self.tid
        self.disk = Disk(now.image + '.life')
        self._mke2fs(UUID, OLDER - 10)
        lines = [line.split(' ', 2) for line in
                 lines + self._transactions(16, None)]
        self._write_log([f'{txn} {tid} data older time {OLDER + i} {items}'
                         for i, (txn, tid, items) in enumerate(lines)])
        now.life, self.disk, self.tid = self.disk, now, next_tid

    # ----------------------------------------------------------- the log ---

    def _pool(self):
        """Static blocks that are free, and so may hold anything."""
        low = 10000 if self.block_size == 1024 else 2000
        own = set() if self.disk.device else self._own()
        own |= self.disk.contents
        return [block for block in range(low, self.blocks - 8)
                if block not in own and not self._may_be_backup(block)]

    def _may_be_backup(self, block):
        """Superblock, descriptors and their reserve at a group's head."""
        return self.block_size == 1024 and (block - 1) % 8192 < 600

    def _own(self):
        from image import Image         # pylint: disable=C0415
        from journal import Journal     # pylint: disable=C0415
        image = Image(self.disk.image)
        own = Journal(image).place.own_blocks
        image.close()
        return own

    def _transactions(self, count, time):
        rng, long = self.rng, count >= 400
        pool = rng.sample(self._pool(), 120)
        self._fill(pool)
        lines = []
        for i in range(count):
            words = [f'txn {self.tid + i}']
            if i % 3 == 2:      # in front of the copies, like the kernel
                words.append('revoke ' + ' '.join(
                    map(str, rng.sample(pool, 2))))
            many = rng.randrange(8, 55) if long else rng.choice([3, 6, 9, 12])
            blocks = sorted(rng.sample(pool, many))
            if i % 7 == 3 and not long:
                words.append(f'escape {blocks.pop()}')
            words.append('write ' + ' '.join(map(str, blocks)))
            if i % 5 == 4 and not long:
                words.append('perdesc 4')
            if time:
                words.append(f'time {time + i}')
            lines.append(' '.join(words))
        self.tid += count
        return lines

    def _log(self, count, time, fast=0):
        """Returns its transactions as lines for mkjournal."""
        lines = self._transactions(count, time)
        self._write_log(lines, fast)
        return lines

    def _write_log(self, lines, fast=0):
        head = [f'journal csum {self.csum}' +
                (f' fast_commit {fast}' if fast else '')]
        if self.before == 'lap':
            begin = self.rng.choice(['1', 'end-300', 'end-700', 'end-900'])
            head.append(f'start {self.start or begin}')
        elif self.before == 'cleared':      # the older lap wraps
            head.append(f'start {self.start or "end-300"}')
        words = ['-j', self.disk.device] if self.disk.device else []
        subprocess.run([self.tools.mkjournal, *words, self.disk.image],
                       input='\n'.join(head + lines) + '\n', text=True,
                       check=True, capture_output=True)

    def _fill(self, pool):
        """Fill the static blocks, so that no copy equals the block in place.

        Blocks that an earlier log brought home stay as they are.
        """
        with open(self.disk.image, 'r+b') as file:
            for fsblk in pool:
                file.seek(fsblk * self.block_size)
                if not any(file.read(64)):
                    file.seek(fsblk * self.block_size)
                    file.write(f'fsblk {fsblk} before\n'.encode() * 9)

    def _bring_home(self):
        """Write the log back, so that the next one begins behind it."""
        truth = Truth(self.disk)
        self.disk.laps = Laps(truth, self.disk)
        with open(self.disk.image, 'r+b') as file:
            for fsblk, data in truth.result.items():
                file.seek(fsblk * truth.block_size)
                file.write(data)
        self.start = truth.end.head
        assert self.tid == truth.end.tid


def journal_super_sum(raw):
    """The checksum of a journal superblock's 1024 bytes."""
    return crc32c(ALL_ONES, raw[:0xfc] + bytes(4) + raw[0x100:1024])
