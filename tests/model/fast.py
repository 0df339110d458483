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
    """`valid`: records up to the last good tail of transaction @tid."""

    def __init__(self, journal, tid):
        self.tid = tid
        self.inode_size = journal.fs.super.inode_size
        self.valid = self.records = self.crc = 0
        if not journal.fc_blocks or not journal.start:
            return
        # The first block behind the ring is never used.
        for logblk in range(journal.end + 1, journal.maxlen):
            block = journal.read(logblk)
            if not self.records and block[:2] != struct.pack('<H', HEAD):
                return
            if not self._block(block):
                return

    def _block(self, block):
        at = 0
        while at + 4 <= len(block):
            kind, length = struct.unpack_from('<HH', block, at)
            if (at + 4 + length > len(block) or not ADD_RANGE <= kind <= HEAD
                    or not _length_is_valid(kind, length, self.inode_size)
                    or not self._record(kind, block[at:at + 4 + length])):
                return False
            at += 4 + length
        return True

    def _record(self, kind, record):
        if kind == HEAD and struct.unpack_from('<I', record, 8)[0] != self.tid:
            return False
        self.records += 1
        if kind != TAIL:
            self.crc = crc32c(self.crc, record)
            return True
        tid, stored = struct.unpack_from('<2I', record, 4)
        crc, self.crc = crc32c(self.crc, record[:8]), 0
        if tid != self.tid or stored != crc:
            return False
        self.valid = self.records
        return True
