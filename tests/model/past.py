# SPDX-License-Identifier: GPL-2.0-only
"""The control blocks that stand past the end of a log, each by itself."""

import struct
from dataclasses import dataclass

from journal import COMMIT, DESCRIPTOR, REVOKE
from walk import Control, commit_state, tags_of, tail_is_good

NEAR_BYTES = 4 << 20            # e2lazyck looks at so much in any case


@dataclass
class Block:
    kind: int
    tid: int
    at: int                     # log block
    place: int                  # blocks from where the look began
    raw: bytes
    behind: int                 # copies that it says stand behind it
    foreign: bool = False


def seconds(block):
    sec, = struct.unpack_from('>Q', block, 0x30)
    return sec if sec & 0xffffffff else sec >> 32


def made(journal, transactions):
    """When the file system was, or 0 where its clock is not to be trusted."""
    when, mounted = journal.fs.super.made, journal.fs.super.mounted
    early = any(seconds(journal.read(txn.end)) < when
                for txn in transactions)
    return 0 if early or mounted and mounted < when else when


def sound(journal, at, place):
    """The control block there, or None."""
    raw = journal.read(at)
    control = Control.of(raw)
    if not control or control[0] not in (DESCRIPTOR, COMMIT, REVOKE):
        return None
    kind, tid = control
    good = (commit_state(journal, raw) != 'bad' if kind == COMMIT
            else tail_is_good(journal, raw))
    behind = len(list(tags_of(journal, raw))) if kind == DESCRIPTOR else 0
    return Block(kind, tid, at, place, raw, behind) if good else None


class Past:
    """Blocks @first up to @limit of those from log block @start on, of which
    the ring has @rest before the tail."""

    def __init__(self, journal, walk, start, rest):
        self.journal, self.start, self.rest = journal, start, rest
        self.made = made(journal, walk.transactions)
        self.end = walk.end
        self.looked = 0
        self.found = []

    def look(self, limit):
        while self.looked < min(limit, self.rest):
            at = self.journal.next(self.start, self.looked)
            judged = self.end.reason == 'commit-csum' and at == self.end.stop
            block = None if judged else sound(self.journal, at, self.looked)
            if block:
                self.found.append(block)
            self.looked += 1

    def look_near(self, reach):
        """As far again from each block of the one that broke off."""
        limit = reach
        while self.looked < min(limit, self.rest):
            self.look(self.looked + 1)
            last = self.found[-1] if self.found else None
            if last and last.place == self.looked - 1 and \
                    self.shows(last) == 'uncommitted':
                limit = self.looked + reach

    def _commit_of(self, block):
        """Through its transaction's blocks to its commit block, or None."""
        while block and block.kind != COMMIT:
            place = block.place + 1 + block.behind
            if place >= self.rest:
                return None
            to = sound(self.journal, self.journal.next(self.start, place),
                       place)
            block = to if to and to.tid == block.tid else None
        return block

    def _may_be_early(self, block):
        """Its checksum has the UUID, and its id is below the log's: perhaps the
        clock was wrong then."""
        below = (self.journal.sequence - block.tid) & 0xffffffff
        return self.journal.has_tails and 0 < below < 1 << 31

    def settle(self):
        """Which of them an earlier file system has left."""
        heirs = set()
        for block in self.found:
            commit = self._commit_of(block)
            if commit:
                block.foreign = (seconds(commit.raw) < self.made and
                                 not self._may_be_early(block))
            else:
                block.foreign = (block.place, block.tid) in heirs
            if block.foreign:
                heirs.add((block.place + 1 + block.behind,
                           block.tid + (block.kind == COMMIT) & 0xffffffff))

    def shows(self, block):
        end = self.end
        if end.reason == 'empty' or block.foreign:
            return 'older'
        if block.tid == end.tid:
            if block.kind != COMMIT or self.journal.asynchronous:
                return 'uncommitted'
            return 'damage'
        later = (block.tid - end.tid) & 0xffffffff
        return 'damage' if 0 < later <= self.journal.ring else 'older'

    def is_stray(self, block):
        """Of one of the log's own transactions."""
        first = self.journal.sequence
        return not block.foreign and self.end.reason != 'empty' and (
            (block.tid - first) & 0xffffffff <
            (self.end.tid - first) & 0xffffffff)

    def of(self, *kinds):
        return [b for b in self.found if self.shows(b) in kinds]

    def verdict(self):
        txn = self.end.open
        begun = txn.descriptors or txn.revoke_blocks
        stale = self.end.reason == 'stale'
        if self.of('damage'):
            return 'damage'
        if self.of('uncommitted') or begun and not stale:
            return 'uncommitted'
        return 'older' if self.of('older') or begun else 'nothing'
