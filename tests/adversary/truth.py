# SPDX-License-Identifier: GPL-2.0-only
"""The content of a log, by the second reader in tests/model.

It reads the undamaged log once, when a base is made.  Of a damaged log it
gives the part that the kernel's scan would accept.  Nothing here asks e2lazy.
"""

import struct

from image import Image, Unusable
from journal import COMMIT, DESCRIPTOR, MAGIC, REVOKE, Journal
from judge import Verdict, unescaped
from walk import Control, Walk, tags_of

CONTROL = (DESCRIPTOR, COMMIT, REVOKE)


class Block:
    """A control block of the log."""

    def __init__(self, logblk, kind, tid, tags=0):
        self.logblk, self.kind, self.tid = logblk, kind, tid
        self.tags = tags        # copies that follow a descriptor


class _Recorder(Walk):
    """The walk of recovery, which keeps where control blocks stand."""

    def __init__(self, journal):
        super().__init__(journal)
        self.passed = []

    def _step(self):
        at, before = self.pos, self.left
        block = self.journal.read(at) if before else b''
        super()._step()
        if before and self.pos != at:
            kind, tid = Control.of(block)
            tags = len(list(tags_of(self.journal, block))) \
                if kind == DESCRIPTOR else 0
            self.passed.append(Block(at, kind, tid, tags))


def control_blocks(journal):
    """Of committed transactions, in the order of the log."""
    walk = _Recorder(journal).run()
    done = {txn.tid for txn in walk.transactions}
    return [block for block in walk.passed if block.tid in done]


class Reading:
    """A disk's log as the second reader has it; `unusable` says why not."""

    def __init__(self, disk):
        self.unusable = None
        self.result = {}
        self.tids = []
        fs = device = None
        try:
            fs = Image(disk.image)
            self.journal = Journal(fs, disk.device)
            device = self.journal.place.image
            self._read()
        except (Unusable, ValueError, IndexError, ArithmeticError,
                struct.error) as why:
            self.unusable = str(why) or 'it makes no sense'
        finally:
            for opened in {fs, device} - {None}:
                opened.close()

    def _read(self):
        self.verdict = verdict = Verdict(self.journal)
        self.end = verdict.end
        self.tids = [txn.tid for txn in verdict.walk.transactions]
        # The blocks in place after a replay.
        self.result = {fsblk: unescaped(copy, verdict.read(copy))
                       for fsblk, copy in verdict.live.items()}
        self.copies = {copy.logblk: (copy, state)
                       for copy, state in verdict.states
                       if state in ('live', 'superseded', 'revoked')}
        for copy, _ in self.copies.values():
            verdict.read(copy)  # while the disk is there

    def is_good(self, copy):
        return not self.verdict.is_bad(copy)


class Truth(Reading):
    """Of the undamaged log, which must exist."""

    def __init__(self, disk):
        self.control = []
        super().__init__(disk)
        if self.unusable:
            raise ValueError(f'{disk.image}: {self.unusable}')
        journal = self.journal
        self.block_size = journal.block_size
        self.external = journal.place.external
        self.ring = range(journal.first, journal.end)
        self.physical = list(journal.place.physical)
        self.own_blocks = set(journal.place.own_blocks)
        self.super_block = journal.place.super_block
        self.fs_blocks = journal.fs.super.blocks
        self.by_tid = {}
        for block in self.control:
            self.by_tid.setdefault(block.tid, []).append(block)

    def _read(self):
        super()._read()
        self.control = control_blocks(self.journal)

    def log_file(self, disk):
        """The file that the journal's blocks are in."""
        return disk.device if self.external else disk.image
