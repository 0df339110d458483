# SPDX-License-Identifier: GPL-2.0-only
"""Fast commits: how many records a kernel would replay on top of the log.

Linux fs/ext4/fast_commit.c, ext4_fc_replay_scan(), as of 6.12.
"""

import struct

from crc import crc32c

ADD_RANGE, DEL_RANGE, CREAT, LINK, UNLINK, INODE, PAD, TAIL, HEAD = range(1, 10)
OLD_INODE = 128
NAME_MAX = 255


def _length_is_valid(kind, length, inode_size):
    if kind in (CREAT, LINK, UNLINK):
        return 9 <= length <= 8 + NAME_MAX
    if kind == INODE:
        return 4 + OLD_INODE <= length <= 4 + inode_size
    if kind == TAIL:
        return length >= 8
    exact = {ADD_RANGE: 16, DEL_RANGE: 12, HEAD: 8}.get(kind)
    return exact is None or length == exact


class FastCommits:
    """`valid`: records up to the last good tail of transaction @tid.

    `lost`: blocks behind them that end in a tail of @tid: damage hides them.
    `stale`, `later`, `unfinished`, `unknown`: records, if none is valid: a head
    of an earlier transaction begins the area, of a later one, of @tid or of a
    wrong length, or one with features.
    """

    def __init__(self, journal, tid):
        self.tid = tid
        self.inode_size = journal.fs.super.inode_size
        self.valid = self.records = self.crc = self.lost = 0
        self.end = 0            # blocks of the valid records
        self.head = None        # transaction of the first head
        self.malformed = False  # that head has a wrong length
        self.unknown = 0        # records behind features that nobody knows
        self.counts = True      # a tail may still make records valid
        if not journal.fc_blocks or not journal.start:
            return
        # The first block behind the ring is never used.
        area = [journal.read(logblk)
                for logblk in range(journal.end + 1, journal.maxlen)]
        kind, length = struct.unpack_from('<HH', area[0]) if area else (0, 0)
        self.malformed = kind == HEAD and length != 8
        self._count(area)
        if self.records and any(area[0][4:8]):
            self.unknown = self.records
            return
        self.lost = sum(self._has_tail(block) for block in area[self.end:])

    @property
    def stale(self):
        return 0 if self.later or self._is_else() else self.records

    @property
    def later(self):
        if self._is_else() or self.head is None:
            return 0
        ahead = (self.head - self.tid) & 0xffffffff
        return self.records if 0 < ahead < 1 << 31 else 0

    def _is_else(self):
        """The head's number does not make the records stale, or later."""
        return (self.valid or self.malformed or self.unknown or
                self.head == self.tid)

    @property
    def unfinished(self):
        if self.malformed:
            return 1
        if self.valid or self.unknown or self.head != self.tid:
            return 0
        return self.records

    def _count(self, area):
        for number, block in enumerate(area):
            if not self.records and block[:2] != struct.pack('<H', HEAD):
                return
            valid = self.valid
            more = self._block(block)
            if self.valid > valid:
                self.end = number + 1
            if not more:
                return

    def _has_tail(self, block):
        """A tail fills its block; before Linux 6.2 all but the last byte."""
        tid = struct.pack('<I', self.tid)
        at = block.find(tid, 4)
        while at >= 0:
            kind, length = struct.unpack_from('<HH', block, at - 4)
            if kind == TAIL and length >= 8 and len(block) - at - length in (0, 1):
                return True
            at = block.find(tid, at + 1)
        return False

    def _block(self, block):
        at = 0
        while at + 4 <= len(block):
            kind, length = struct.unpack_from('<HH', block, at)
            if (at + 4 + length > len(block) or not ADD_RANGE <= kind <= HEAD
                    or not _length_is_valid(kind, length, self.inode_size)):
                return False
            self._record(kind, block[at:at + 4 + length])
            at += 4 + length
        return True

    def _record(self, kind, record):
        self.records += 1
        if kind == HEAD:
            tid = struct.unpack_from('<I', record, 8)[0]
            self.head = tid if self.head is None else self.head
            self.counts &= tid == self.tid and not any(record[4:8])
        if kind != TAIL:
            self.crc = crc32c(self.crc, record)
            return
        tid, stored = struct.unpack_from('<2I', record, 4)
        crc, self.crc = crc32c(self.crc, record[:8]), 0
        self.counts &= tid == self.tid and stored == crc
        if self.counts:
            self.valid = self.records
