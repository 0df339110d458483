# SPDX-License-Identifier: GPL-2.0-only
"""What a walk means: fates of the copies, damage, findings."""

import struct

from fast import FastCommits
from journal import COMMIT, DESCRIPTOR, MAGIC, REVOKE, tid_after
from past import NEAR_BYTES, Past
from walk import (DAMAGE, DELETED, Copy, RevokeCount, Walk, data_is_good,
                  most_tags, revokes_of, tags_of)


# Findings that leave the log as sound as it is, ...
NOTES = {'torn-commit', 'uncommitted-tail', 'recovery-of-nothing',
         'tag-on-backup', 'end-not-proven'}
# ... that only say that it is in use, ...
WAITING = {'fast-commits-valid', 'fast-commit-wrapped', 'full'}
# ... and with which nothing is ever written back.
REFUSED = {'super-foreign', 'external-not-user'}


def unescaped(copy, block):
    return struct.pack('>I', MAGIC) + block[4:] if copy.escaped else block


class Verdict:
    """All that is known of one image's log."""

    def __init__(self, journal):
        self.journal = journal
        self.walk = Walk(journal).run()
        self.end = self.walk.end
        self.blocks = {}
        self._newest_revokes()
        self._fates()
        self._beyond()

    # ------------------------------------------------------- the copies ---

    def _newest_revokes(self):
        self.revoked = {}
        for txn in self.walk.transactions:
            for fsblk, _ in txn.revokes:
                self.revoked[fsblk] = txn.tid

    def _is_revoked(self, copy):
        by = self.revoked.get(copy.fsblk)
        return by is not None and not tid_after(copy.tid, by)

    def _refusal(self, copy):
        if copy.fsblk >= self.journal.fs.super.blocks:
            return 'tag-outside'
        if copy.fsblk in self.journal.place.own_blocks:
            return 'tag-in-journal'
        return None

    def _fates(self):
        committed = [c for t in self.walk.transactions for c in t.copies]
        self.committed = committed
        self.live = {}
        for copy in committed:
            if not self._refusal(copy) and not self._is_revoked(copy):
                self.live[copy.fsblk] = copy
        self.states = [(copy, self._state(copy)) for copy in committed]
        fate = 'stale' if self.end.reason == 'stale' else 'uncommitted'
        self.states += [(copy, fate) for copy in self.end.open.copies]

    def _state(self, copy):
        if self._refusal(copy):
            return 'refused'
        if self._is_revoked(copy):
            return 'revoked'
        return 'live' if self.live[copy.fsblk] is copy else 'superseded'

    def read(self, copy):
        if copy.logblk not in self.blocks:
            self.blocks[copy.logblk] = self.journal.read(copy.logblk)
        return self.blocks[copy.logblk]

    def is_bad(self, copy):
        return not data_is_good(self.journal, copy, self.read(copy))

    # --------------------------------------------------- beyond the end ---

    def _beyond(self):
        """As e2lazy looks on, from the stop as far as one descriptor reaches,
        and as e2lazyck does without its contents, from the head and further."""
        end, journal = self.end, self.journal
        reach = most_tags(journal) + 2
        self.beyond = Past(journal, self.walk, end.stop, end.left)
        rest = journal.ring - end.walked
        self.past = Past(journal, self.walk, end.head, rest)
        if end.reason == 'empty':
            return
        self.beyond.look_near(reach)
        self.beyond.settle()
        near = max(reach, NEAR_BYTES // journal.block_size)
        self.past.look_near(near + (end.stop - end.head) % journal.ring)
        self.past.settle()
        if self.past.of('damage') or self._strays() or self._is_damaged():
            self.past.look(rest)
            self.past.settle()

    def _strays(self):
        return [b for b in self.past.found if self.past.is_stray(b)]

    # ------------------------------------------------- behind the damage ---

    def _stretches(self):
        """(kind, tid, logblk, block, room) of each sound control block that
        stands between the head and the tail and is of this log; room is how
        many blocks of the ring are left behind it."""
        for b in self.past.of('uncommitted', 'damage'):
            yield b.kind, b.tid, b.at, b.raw, self.past.rest - b.place - 1

    def _copies_behind(self, found):
        for kind, tid, at, block, room in found:
            tags = list(tags_of(self.journal, block)) \
                if kind == DESCRIPTOR else []
            if len(tags) <= room:
                for i, (fsblk, flags, csum) in enumerate(tags, 1):
                    yield Copy(fsblk, self.journal.next(at, i), tid, flags,
                               csum)

    def _revokes_behind(self, found):
        for kind, tid, _, block, _ in found:
            if kind == REVOKE:
                try:
                    yield from ((fsblk, tid) for fsblk in
                                revokes_of(self.journal, block))
                except RevokeCount:
                    pass

    def _age(self, tid):
        return (tid - self.end.tid) & 0xffffffff

    def _safe(self, found):
        """The age of the last transaction that is known to be committed."""
        ages = [0 if self._is_damaged() else -1]
        for kind, tid, *_ in found:
            if kind == COMMIT and not (self.journal.asynchronous and
                                       tid == self.end.tid):
                ages.append(self._age(tid))
            ages.append(self._age(tid) - 1)
        return max(ages)

    def given_up(self):
        """Two sets of blocks: whose newest copy is behind the damage, and
        whose live one is made void there."""
        if not self._is_damaged() and not self.past.of('damage'):
            return set(), set()
        found = list(self._stretches())
        safe = self._safe(found)
        newest, revoked = {}, {}
        for copy in self._copies_behind(found):
            age = self._age(copy.tid)
            if age <= safe and not self._refusal(copy):
                newest[copy.fsblk] = max(age, newest.get(copy.fsblk, 0))
        for fsblk, tid in self._revokes_behind(found):
            if self._age(tid) <= safe:
                revoked[fsblk] = max(self._age(tid), revoked.get(fsblk, 0))
        lost = {fsblk for fsblk, age in newest.items()
                if revoked.get(fsblk, -1) < age}
        return lost, {fsblk for fsblk in revoked
                      if fsblk in self.live and fsblk not in lost}

    # --------------------------------------------------------- findings ---

    def _is_damaged(self):
        """A crash tears an asynchronous commit, and no harm is done."""
        reason = self.end.reason
        return reason in DAMAGE and not (reason == 'commit-csum' and
                                         self.journal.asynchronous)

    def damage(self, check_data):
        """{id: (count, logblk, tid, fsblk)}, of the first place"""
        found = {}

        def note(name, copy):
            count, *first = found.get(
                name, (0, copy.logblk, copy.tid, copy.fsblk))
            found[name] = (count + 1, *first)

        for copy in self.committed:
            refusal = self._refusal(copy)
            if refusal:
                note(refusal, copy)
            if check_data and self.is_bad(copy):
                note('data-csum', copy)
        if self._is_damaged():
            found[self.end.reason] = (1, self.end.stop, self.end.tid, None)
        later = self.beyond.of('damage')
        if later:
            found['later-transactions'] = (1, later[0].at, later[0].tid, None)
        if self._is_not_user():
            found['external-not-user'] = (1, None, None, None)
        return found

    def findings(self):
        """{id: count}: of the log and its copies, without their contents"""
        found = {name: first[0] for name, first in self.damage(False).items()}
        found['later-transactions'] = int(bool(self.past.of('damage')))
        found['tail-contradicted'] = int(bool(self._strays()))
        found['end-not-proven'] = int(self.past.looked < self.past.rest and
                                      self.end.reason != 'empty')
        bad = [copy for copy in self.live.values() if self.is_bad(copy)]
        found['older-copy'] = sum(map(self._has_stand_in, bad))
        found['data-csum'] = len(bad) - found['older-copy']
        found['duplicate-tag'] = self._duplicates()
        found['deleted-tag'] = sum(bool(c.flags & DELETED)
                                   for c in self.committed)
        found['lost-escape'] = self._lost_escapes()
        found['torn-commit'] = sum(t.torn for t in self.walk.transactions)
        found['commit-before-mkfs'] = self._earlier()
        lost, void = self.given_up()
        found['given-up'] = len(lost)
        found['revoke-given-up'] = len(void)
        found['uncommitted-tail'] = int(self._has_tail())
        found['full'] = int(self.end.reason == 'full')
        found.update(self._of_the_whole())
        return {name: count for name, count in found.items() if count}

    def status(self):
        """Whether the log is sound, in a word."""
        found = set(self.findings()) - NOTES
        if found & REFUSED:
            return 'unusable'
        if found - WAITING:
            return 'damaged'
        return 'sound-in-use' if found or self.live else 'clean'

    def _of_the_whole(self):
        journal, log = self.journal, self.journal.start
        flag = journal.fs.super.needs_recovery
        wrapped = log and self.end.walked > journal.end - log
        elsewhere = (journal.maxlen != len(journal.place.physical) or
                     journal.first != journal.place.super_block + 1)
        return {
            'ring-contradicted': int(bool((log or flag) and elsewhere and
                                          not journal.has_tails)),
            'errno': int(journal.errno != 0),
            'journal-inode-lost': int(journal.place.from_backup),
            'super-foreign': int(self._super_is_foreign()),
            'recovery-of-nothing': int(flag and not log),
            'wiped-on-mount': self._would_lose() if log and not flag else 0,
            'tag-on-backup': self._on_backups(),
            'fast-commits-valid': FastCommits(journal, self.end.tid).valid,
            'fast-commit-wrapped': int(bool(journal.fc_blocks and wrapped)),
        }

    def _earlier(self):
        """Transactions from before mkfs, behind one that is not."""
        old = [txn.sec < self.journal.fs.super.made
               for txn in self.walk.transactions]
        if self.journal.has_tails or False not in old:
            return 0
        return sum(old[old.index(False):])

    def _has_stand_in(self, live):
        """An older copy is good, and may be written in its place."""
        if live.fsblk == 1024 // self.journal.block_size:
            return False        # the superblock is merged
        return any(copy.fsblk == live.fsblk and state == 'superseded' and
                   copy.tid != live.tid and not self.is_bad(copy)
                   for copy, state in self.states)

    def _duplicates(self):
        count = 0
        for txn in self.walk.transactions:
            blocks = [copy.fsblk for copy in txn.copies
                      if not self._refusal(copy)]
            count += len(blocks) - len(set(blocks))
        return count

    def _lost_escapes(self):
        """Whoever copies a block forward takes the newest copy before it.

        One that was revoked is no file's: copied on, it is what the program
        calls relogged-after-revoke, by its owner, which is not known here.
        """
        escaped = {}
        count = 0
        for copy, state in self.states:
            if copy.escaped:
                if state == 'superseded':
                    escaped[copy.fsblk] = copy
            elif state == 'live' and copy.fsblk in escaped:
                old, new = self.read(escaped[copy.fsblk]), self.read(copy)
                count += new[:4] == bytes(4) and old[4:] == new[4:]
        return count

    def _has_tail(self):
        return (self.past.verdict() == 'uncommitted' and
                not self._is_damaged())

    def _super_is_foreign(self):
        """The newest copy of the superblock is something else."""
        fsblk, offset = divmod(1024, self.journal.block_size)
        copy = self.live.get(fsblk)
        if not copy or self.is_bad(copy):
            return False
        magic = self.read(copy)[offset + 0x38:offset + 0x3a]
        return magic != b'\x53\xef'

    def _is_not_user(self):
        """The journal's device does not know of the file system."""
        journal = self.journal
        return (journal.place.external and
                journal.fs.super.uuid not in journal.user_list)

    def _would_lose(self):
        fs = self.journal.fs
        return sum(not self.is_bad(c) and
                   fs.block(c.fsblk) != unescaped(c, self.read(c))
                   for c in self.live.values())

    def _on_backups(self):
        return sum(self.journal.fs.super.is_backup(fsblk)
                   for fsblk in self.live)
