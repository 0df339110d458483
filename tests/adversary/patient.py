# SPDX-License-Identifier: GPL-2.0-only
"""A base that is being damaged, in memory; laid onto a copy at the end."""

import os
import struct

from crc import ALL_ONES, crc32c
from journal import COMMIT
from made import journal_super_sum
from truth import CONTROL

MAGIC = 0xc03b3998


class Unfit(Exception):
    """This base has nothing that such damage could be done to."""


class Patient:
    def __init__(self, base):
        self.base = base
        self.truth = base.truth
        self.block_size = base.truth.block_size
        self.blocks = {}        # (file, block number): bytes
        self.cut = {}           # file: bytes that are left
        self.notes = []         # the damage, in words
        self.files = [open(path, 'rb') for path in base.disk.paths()]

    def close(self):
        for file in self.files:
            file.close()

    def note(self, text):
        self.notes.append(text)

    # ------------------------------------------------------- its blocks ---

    def _read(self, key):
        if key not in self.blocks:
            number, block = key
            file = self.files[number]
            file.seek(block * self.block_size)
            return file.read(self.block_size)
        return self.blocks[key]

    def _log_key(self, logblk):
        return int(self.truth.external), self.truth.physical[logblk]

    def log(self, logblk):
        return self._read(self._log_key(logblk))

    def set_log(self, logblk, data):
        assert len(data) == self.block_size
        self.blocks[self._log_key(logblk)] = bytes(data)

    def home(self, fsblk):
        return self._read((0, fsblk))

    def set_home(self, fsblk, data):
        assert len(data) == self.block_size
        self.blocks[0, fsblk] = bytes(data)

    # Superblocks are 1024 bytes somewhere in a block.
    def super(self):
        block, at = divmod(1024, self.block_size)
        return self.home(block)[at:at + 1024]

    def set_super(self, raw, redo=False):
        raw = bytearray(raw)
        if redo:
            struct.pack_into('<I', raw, 0x3fc, crc32c(ALL_ONES,
                                                      bytes(raw[:0x3fc])))
        block, at = divmod(1024, self.block_size)
        whole = bytearray(self.home(block))
        whole[at:at + 1024] = raw
        self.set_home(block, whole)

    def journal_super(self):
        return self.log(self.truth.super_block)[:1024]

    def set_journal_super(self, raw, redo=False):
        raw = bytearray(raw)
        if redo:
            struct.pack_into('>I', raw, 0xfc, journal_super_sum(bytes(raw)))
        whole = bytearray(self.log(self.truth.super_block))
        whole[:1024] = raw
        self.set_log(self.truth.super_block, whole)

    # ------------------------------------------------------ the ring ---

    def at(self, logblk, steps=0):
        return self.truth.journal.next(logblk, steps)

    def log_blocks(self):
        """How many the log has, from its tail to its head."""
        return self.truth.end.walked

    def within(self, rng):
        """Some block of the log, more often a control block."""
        if rng.random() < .5:
            return rng.choice(self.truth.control).logblk
        return self.at(self.truth.journal.start,
                       rng.randrange(self.log_blocks()))

    def anywhere(self, rng):
        return rng.choice(self.truth.ring)

    def old_blocks(self):
        """Control blocks in the ring that are none of the log's."""
        ours = {block.logblk for block in self.truth.control}
        found = []
        for logblk in self.truth.ring:
            magic, kind, _ = struct.unpack_from('>3I', self.log(logblk))
            if magic == MAGIC and kind in CONTROL and logblk not in ours:
                found.append(logblk)
        return found

    def redo_control(self, logblk, data):
        """@data with its own checksum right, where blocks have one."""
        journal, data = self.truth.journal, bytearray(data)
        if journal.has_tails:
            kind, = struct.unpack_from('>I', data, 4)
            at = 16 if kind == COMMIT else self.block_size - 4
            struct.pack_into('>I', data, at, 0)
            struct.pack_into('>I', data, at,
                             crc32c(journal.seed, bytes(data)))
        self.set_log(logblk, data)

    # --------------------------------------------------------- at the end ---

    def lay(self, disk):
        """Onto @disk, a copy of the base's."""
        for number, path in enumerate(disk.paths()):
            with open(path, 'r+b') as file:
                for (where, block), data in self.blocks.items():
                    if where == number:
                        file.seek(block * self.block_size)
                        file.write(data)
                if number in self.cut:
                    os.ftruncate(file.fileno(), self.cut[number])

    def is_whole(self, logblk):
        """A log block is what it was."""
        key = self._log_key(logblk)
        if key[0] in self.cut and (key[1] + 1) * self.block_size > \
                self.cut[key[0]]:
            return False
        if key not in self.blocks:
            return True
        file = self.files[key[0]]
        file.seek(key[1] * self.block_size)
        return file.read(self.block_size) == self.blocks[key]
