# SPDX-License-Identifier: GPL-2.0-only
"""The journal superblock, and the sizes that follow from its features."""

import struct

from crc import ALL_ONES, crc32c
from image import LEAST_BLOCKS, Place, Unusable

MAGIC = 0xc03b3998
DESCRIPTOR, COMMIT, SUPER_V1, SUPER_V2, REVOKE = 1, 2, 3, 4, 5

COMPAT_CHECKSUM = 1
INCOMPAT_64BIT = 0x02
INCOMPAT_ASYNC = 0x04
INCOMPAT_V2 = 0x08
INCOMPAT_V3 = 0x10
INCOMPAT_FAST = 0x20
KNOWN_INCOMPAT = 0x3f
CRC32C_TYPE = 4


def tid_after(a, b):
    return 0 < (a - b) & 0xffffffff < 1 << 31


class Journal:
    """An open journal: `ring` is [first, end), the rest are its fields."""

    def __init__(self, fs, journal_path=None):
        self.fs = fs
        self.place = Place(fs, journal_path)
        self.block_size = fs.block_size
        raw = self.place.image.block(
            self.place.physical[self.place.super_block])[:1024]
        self._fields(raw)
        self._features(raw)
        self._geometry()

    def _fields(self, raw):
        def be32(at):
            return struct.unpack_from('>I', raw, at)[0]

        if be32(0) != MAGIC or be32(4) not in (SUPER_V1, SUPER_V2):
            raise Unusable('no journal superblock', 'journal-super-magic')
        self.version = 1 if be32(4) == SUPER_V1 else 2
        self.own_block_size = be32(0xc)
        self.maxlen, self.first = be32(0x10), be32(0x14)
        self.sequence, self.start = be32(0x18), be32(0x1c)
        self.errno, = struct.unpack_from('>i', raw, 0x20)
        later = self.version == 2
        self.compat = be32(0x24) if later else 0
        self.incompat = be32(0x28) if later else 0
        self.ro_compat = be32(0x2c) if later else 0
        self.uuid = raw[0x30:0x40]
        self.users = be32(0x40) if later else 0
        count = min(be32(0x40), 48)
        self.user_list = {raw[at:at + 16]
                          for at in range(0x100, 0x100 + count * 16, 16)}
        self.fc_field = be32(0x54)
        self.checksum_type = raw[0x50]

    def _features(self, raw):
        v1 = self.compat & COMPAT_CHECKSUM
        v2, v3 = self.incompat & INCOMPAT_V2, self.incompat & INCOMPAT_V3
        if self.incompat & ~KNOWN_INCOMPAT or self.ro_compat:
            raise Unusable('unknown features', 'journal-features')
        if sum(map(bool, (v1, v2, v3))) > 1:
            raise Unusable('two kinds of checksums', 'journal-csum-type')
        self.csum = 1 if v1 else 2 if v2 else 3 if v3 else 0
        self.has_tails = self.csum >= 2
        self.wide = bool(self.incompat & INCOMPAT_64BIT)
        self.asynchronous = bool(self.incompat & INCOMPAT_ASYNC)
        self.seed = crc32c(ALL_ONES, self.uuid)
        if self.has_tails:
            if self.checksum_type != CRC32C_TYPE:
                raise Unusable('unknown kind of checksum',
                               'journal-csum-type')
            stored, = struct.unpack_from('>I', raw, 0xfc)
            if crc32c(ALL_ONES, raw[:0xfc] + bytes(4) + raw[0x100:]) != stored:
                raise Unusable('bad checksum of the journal superblock',
                               'journal-super-csum')

    def _geometry(self):
        if self.own_block_size != self.block_size:
            raise Unusable('another block size in the journal superblock',
                           'journal-block-size')
        if self.maxlen > len(self.place.physical):
            raise Unusable('the journal is shorter than it says',
                           'journal-short')
        if self.maxlen < LEAST_BLOCKS:
            raise Unusable('the journal is too short', 'journal-short')
        self.end, self.fc_blocks = self.maxlen, 0
        if self.incompat & INCOMPAT_FAST:
            self.fc_blocks = self.fc_field or 256
            if self.maxlen - self.fc_blocks < LEAST_BLOCKS:
                raise Unusable('the fast-commit area is too large',
                               'journal-fast-commit')
            self.end -= self.fc_blocks
        # The kernel looks at the end only; but a ring over its own superblock
        # is none.
        if not self.place.super_block < self.first < self.end:
            raise Unusable('the first block is outside of the ring',
                           'journal-first')
        if self.start and not self.first <= self.start < self.end:
            raise Unusable('the tail is outside of the ring', 'journal-start')
        # Without any a kernel would not mount it, but e2fsck replays it.
        if self.place.external and self.users > 1 and self.version == 2:
            raise Unusable('a journal of several file systems')
        self.ring = self.end - self.first

    def tag_bytes(self):
        if self.csum == 3:
            return 16
        return (12 if self.wide else 8) + (2 if self.csum == 2 else 0)

    def tail_bytes(self):
        return 4 if self.has_tails else 0

    def next(self, logblk, steps=1):
        return (logblk - self.first + steps) % self.ring + self.first

    def physblk(self, logblk):
        return self.place.physical[logblk]

    def read(self, logblk):
        return self.place.image.block(self.physblk(logblk))
