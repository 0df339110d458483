# SPDX-License-Identifier: GPL-2.0-only
"""The log from its tail to its end, by the scan of the kernel's recovery.

Linux fs/jbd2/recovery.c, do_one_pass(), as of 6.12: checksums and commit times
decide which block ends the log.  This walk has a budget besides, because a
kernel would go round a damaged ring for ever.
"""

import struct
from dataclasses import dataclass, field

from crc import ALL_ONES, crc32_be, crc32c
from journal import COMMIT, DESCRIPTOR, MAGIC, REVOKE

ESCAPED, SAME_UUID, DELETED, LAST_TAG = 1, 2, 4, 8
HEADER = 12
COMMIT_HEADER = 64              # struct commit_header, to a multiple of 8
REVOKE_HEADER = 16

# Reasons that are damage; the other ways to end are not.
DAMAGE = ('block-type', 'block-csum', 'commit-csum', 'revoke-count')


@dataclass
class Copy:
    fsblk: int
    logblk: int
    tid: int
    flags: int
    csum: int                   # as the tag has it

    @property
    def escaped(self):
        return bool(self.flags & ESCAPED)


@dataclass
class Transaction:
    tid: int
    start: int
    end: int = 0
    copies: list = field(default_factory=list)
    revokes: list = field(default_factory=list)     # (fsblk, logblk)
    descriptors: int = 0
    revoke_blocks: int = 0
    committed: bool = False
    torn: bool = False
    sec: int = 0
    nsec: int = 0


@dataclass
class End:
    reason: str
    tid: int                    # first one that was not accepted
    head: int                   # behind the last accepted commit block
    stop: int                   # block that ended the walk
    open: Transaction
    left: int                   # ring blocks from stop round to the tail
    walked: int                 # ring blocks up to the head


class Control:
    """A control block's header, or None without the magic."""

    @staticmethod
    def of(block):
        magic, kind, tid = struct.unpack_from('>3I', block)
        return (kind, tid) if magic == MAGIC else None


def tail_is_good(journal, block):
    """Of a descriptor or a revoke block."""
    if not journal.has_tails:
        return True
    stored, = struct.unpack_from('>I', block, len(block) - 4)
    return crc32c(journal.seed, block[:-4] + bytes(4)) == stored


def _commit_csum(journal, block):
    return crc32c(journal.seed, block[:16] + bytes(4) + block[20:])


def commit_state(journal, block):
    """`good`, `torn` or `bad`, for checksums v2 and v3."""
    if not journal.has_tails:
        return 'good'
    stored, = struct.unpack_from('>I', block, 16)
    if _commit_csum(journal, block) == stored:
        return 'good'
    header = block[:COMMIT_HEADER] + bytes(len(block) - COMMIT_HEADER)
    return 'torn' if _commit_csum(journal, header) == stored else 'bad'


def data_is_good(journal, copy, block):
    """By the copy's tag; True where a tag has no checksum."""
    if journal.csum < 2:
        return True
    csum = crc32c(crc32c(journal.seed, struct.pack('>I', copy.tid)), block)
    return copy.csum == (csum if journal.csum == 3 else csum & 0xffff)


def tags_of(journal, block):
    """(fsblk, flags, checksum) of each tag of a descriptor, in order."""
    size, at = journal.tag_bytes(), HEADER
    while at + size <= len(block) - journal.tail_bytes():
        low, csum16, flags = struct.unpack_from('>IHH', block, at)
        fsblk, csum = low, csum16
        if journal.wide:
            fsblk |= struct.unpack_from('>I', block, at + 8)[0] << 32
        if journal.csum == 3:
            csum, = struct.unpack_from('>I', block, at + 12)
        yield fsblk, flags, csum
        at += size
        if not flags & SAME_UUID:
            at += 16
        if flags & LAST_TAG:
            return


def most_tags(journal):
    """Of one descriptor as jbd2 writes it: behind the first tag is a UUID."""
    size = journal.tag_bytes()
    room = journal.block_size - journal.tail_bytes() - HEADER - size - 16
    return 1 + room // size


class RevokeCount(Exception):
    """A revoke block counts more bytes than it has."""


def revokes_of(journal, block):
    count, = struct.unpack_from('>I', block, HEADER)
    if count > journal.block_size - journal.tail_bytes():
        raise RevokeCount
    form = '>Q' if journal.wide else '>I'
    size = struct.calcsize(form)
    return [struct.unpack_from(form, block, at)[0]
            for at in range(REVOKE_HEADER, count - size + 1, size)]


class Walk:
    """`transactions`, the committed ones, and `end`, once run() is done."""

    def __init__(self, journal):
        self.journal = journal
        self.transactions = []
        self.pos = journal.start
        self.left = journal.ring
        self.tid = journal.sequence
        self.head = self.pos
        self.walked = 0
        self.last_sec = 0
        self.end = None
        self._begin()

    def run(self):
        if not self.journal.start:
            self._finish('empty')
        while not self.end:
            self._step()
        return self

    def _begin(self):
        self.txn = Transaction(self.tid, self.pos)
        self.suspect = None     # first block with a bad checksum
        self.miscounted = None  # first revoke block with a bad count
        self.crc = ALL_ONES     # of checksum v1

    def _finish(self, reason):
        self.end = End(reason, self.tid, self.head, self.pos, self.txn,
                       self.left, self.walked)

    def _step(self):
        if not self.left:
            return self._finish('full')
        block = self.journal.read(self.pos)
        control = Control.of(block)
        if not control:
            return self._finish('not-journal')
        kind, tid = control
        if tid != self.tid:
            return self._finish('other-tid')
        step = {DESCRIPTOR: self._descriptor, REVOKE: self._revoke,
                COMMIT: self._commit}.get(kind)
        if not step:
            return self._finish('block-type')
        return step(block)

    def _advance(self, blocks):
        self.pos = self.journal.next(self.pos, blocks)
        self.left -= blocks

    def _descriptor(self, block):
        good = self._suspect_tail(block)
        tags = list(tags_of(self.journal, block))
        self.txn.descriptors += 1
        if len(tags) + 1 > self.left:
            return self._finish('overlong')
        self.crc = crc32_be(self.crc, block) if self.journal.csum == 1 else 0
        for i, (fsblk, flags, csum) in enumerate(tags, 1):
            at = self.journal.next(self.pos, i)
            if good:
                self.txn.copies.append(Copy(fsblk, at, self.tid, flags, csum))
            if self.journal.csum == 1:
                self.crc = crc32_be(self.crc, self.journal.read(at))
        self._advance(1 + len(tags))

    def _revoke(self, block):
        good = self._suspect_tail(block)
        try:
            records = revokes_of(self.journal, block) if good else []
        except RevokeCount:
            records = []
            if self.miscounted is None:
                self.miscounted = self.pos
        self.txn.revokes += [(fsblk, self.pos) for fsblk in records]
        self.txn.revoke_blocks += 1
        self._advance(1)

    def _suspect_tail(self, block):
        """Such a block is not trusted, and does not end the log."""
        good = tail_is_good(self.journal, block)
        if not good and self.suspect is None:
            self.suspect = self.pos
        return good

    def _finish_at(self, logblk, reason):
        """An earlier block of the transaction is what ends the walk."""
        self.left += (self.pos - logblk) % self.journal.ring
        self.pos = logblk
        self._finish(reason)

    def _v1_is_good(self, block):
        kind, size = block[12], block[13]
        found, = struct.unpack_from('>I', block, 16)
        return ((kind, size, found) == (0, 0, 0) or
                (kind, size, found) == (1, 4, self.crc))

    def _commit(self, block):
        sec, nsec = struct.unpack_from('>QI', block, 0x30)
        if self.suspect is not None:
            # Leftovers of an earlier journal have another seed, and are older.
            stale = sec < self.last_sec
            return self._finish_at(self.suspect,
                                   'stale' if stale else 'block-csum')
        if self.journal.csum == 1:
            state = 'good' if self._v1_is_good(block) else 'bad'
        else:
            state = commit_state(self.journal, block)
        if state == 'bad':
            if sec < self.last_sec:
                return self._finish('stale')
            return self._finish('commit-csum')
        if self.miscounted is not None:
            return self._finish_at(self.miscounted, 'revoke-count')
        txn = self.txn
        txn.end, txn.sec, txn.nsec = self.pos, sec, nsec
        txn.committed, txn.torn = True, state == 'torn'
        self.transactions.append(txn)
        self.last_sec = sec
        self._advance(1)
        self.tid = self.tid + 1 & 0xffffffff
        self.head = self.pos
        self.walked = self.journal.ring - self.left
        self._begin()
        return None
