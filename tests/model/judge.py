# SPDX-License-Identifier: GPL-2.0-only
"""The result of a walk: fates of the copies, damage, findings."""

import struct
from copy import copy as copied

from fast import FastCommits
from journal import COMMIT, DESCRIPTOR, MAGIC, REVOKE, tid_after
from past import NEAR_BYTES, Past
from walk import (DAMAGE, DELETED, Copy, RevokeCount, Walk, data_is_good,
                  most_tags, revokes_of, tags_of)


# Findings that leave the log as sound as it is, ...
NOTES = {'torn-commit', 'uncommitted-tail', 'recovery-of-nothing',
         'tag-on-backup', 'end-not-proven', 'times-go-back',
         'journal-users'}
# ... that only say that it is in use, ...
WAITING = {'fast-commits-valid', 'fast-commits-unfinished',
           'fast-commits-stale', 'fast-commit-wrapped', 'full'}
# ... and with which nothing is ever written back.
REFUSED = {'super-foreign', 'external-not-user'}


# jbd2 has written commit times since 2008; the last one that an inode can have.
FIRST_TIME, LAST_TIME = 1199145600, 0x37fffffff


def unescaped(copy, block):
    return struct.pack('>I', MAGIC) + block[4:] if copy.escaped else block


def _escaped(block):
    """The block as the log stores it."""
    magic = struct.pack('>I', MAGIC)
    return bytes(4) + block[4:] if block[:4] == magic else block


def _is_plain(block):
    """One value all over, but for what a log may leave out."""
    return block[4:] == block[4:5] * (len(block) - 4)


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
        whole = self.journal.fs.super
        if not whole.first_block <= copy.fsblk < whole.blocks:
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

    def _behind(self):
        """(control blocks, age of the last transaction) behind the damage"""
        found = list(self._stretches())
        safe = self._safe(found)
        return [one for one in found if self._age(one[1]) <= safe], safe

    def _is_dropped_by_others(self):
        """A kernel and e2fsck replay nothing."""
        return self.end.reason == 'block-csum'

    def _go_behind(self):
        """Take what is sound behind the damage."""
        found, _ = self._behind()
        last, taken = 0, {}
        for one in found:
            if self._age(one[1]) < last:
                continue        # it was copied there
            last = self._age(one[1])
            for copy in self._copies_behind([one]):
                if not self._refusal(copy) and not self.is_bad(copy):
                    taken[copy.fsblk] = copy
            self.revoked.update(self._revokes_behind([one]))
        self.live = {fsblk: copy for fsblk, copy in
                     (self.live | taken).items()
                     if not self._is_revoked(copy)}
        self.states = [(copy, self._state(copy)) for copy in self.committed
                       if self._refusal(copy) or self._is_revoked(copy) or
                       copy.fsblk in self.live]
        self.states += [(copy, 'live') for copy in taken.values()
                        if self.live.get(copy.fsblk) is copy]

    def given_up(self):
        """Four sets of blocks: the newest copy is behind the damage and not
        in place; the live copy is void there; the newest copy is taken from
        there; the static block is newer than its copy."""
        if not self._is_damaged() and not self.past.of('damage'):
            return set(), set(), set(), set()
        found, safe = self._behind()
        newest, revoked = {}, {}
        for copy in self._copies_behind(found):
            age = self._age(copy.tid)
            if not self._refusal(copy) and (copy.fsblk not in newest or age >=
                                            self._age(newest[copy.fsblk].tid)):
                newest[copy.fsblk] = copy
        for fsblk, tid in self._revokes_behind(found):
            revoked[fsblk] = max(self._age(tid), revoked.get(fsblk, 0))
        lost = {fsblk for fsblk, copy in newest.items()
                if revoked.get(fsblk, -1) < self._age(copy.tid)}
        void = {fsblk for fsblk in revoked
                if fsblk in self.live and fsblk not in lost}
        taken = {fsblk for fsblk in lost if fsblk in self.live and
                 self.live[fsblk].logblk == newest[fsblk].logblk}
        if not self._is_dropped_by_others():
            return lost, void, taken, set()
        home = {fsblk for fsblk in lost if
                self._home(fsblk) == unescaped(newest[fsblk], self.read(
                    newest[fsblk]))}
        return (lost - taken - home, void, taken,
                self._newer_in_place(found, safe))

    def _home(self, fsblk):
        return self.journal.fs.block(fsblk)

    def _newer_in_place(self, found, safe):
        """Live blocks that hold what was logged behind the damage."""
        own, of_any = self._contents_behind(found, safe)
        blocks = {fsblk for fsblk, copy in self.live.items()
                  if tid_after(self.end.tid, copy.tid)}
        blocks -= {1024 // self.journal.block_size}
        return {fsblk for fsblk in blocks
                if (fsblk, self._home(fsblk)) in own or
                _escaped(self._home(fsblk)) in of_any}

    def _contents_behind(self, found, safe):
        """The tags of sound descriptors with their blocks, and the blocks
        behind bad descriptors."""
        control, owner, end = set(), {}, 0
        for kind, tid, at, block, room in found:
            tags = list(tags_of(self.journal, block)) \
                if kind == DESCRIPTOR else []
            if len(tags) > room:
                continue
            control.add(at)
            end = max(end, self.past.rest - room + len(tags))
            owner.update((copy.logblk, copy) for copy in
                         self._copies_behind([(kind, tid, at, block, room)]))
        own, of_any, behind_bad = set(), set(), False
        for place in range(end):
            at = self.journal.next(self.past.start, place)
            block = self.journal.read(at)
            magic, kind, tid = struct.unpack_from('>3I', block)
            if at in control:
                behind_bad = False
            elif at in owner:
                own.add((owner[at].fsblk, unescaped(owner[at], block)))
            elif magic == MAGIC:
                behind_bad = kind == DESCRIPTOR and self._age(tid) <= safe
            elif behind_bad and not _is_plain(block):
                of_any.add(block)
        return own, of_any

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

    def as_written_back(self):
        """The same as e2lazyck takes it: it may go on behind a damage."""
        judged = copied(self)
        if self._is_dropped_by_others():
            judged.revoked = dict(self.revoked)
            judged._go_behind()         # pylint: disable=W0212
        return judged

    def findings(self):
        """{id: count}: of the log and its copies, without their contents"""
        found = {name: first[0] for name, first in self.damage(False).items()}
        found['later-transactions'] = int(bool(self.past.of('damage')))
        found['tail-contradicted'] = int(bool(self._strays()))
        found['end-not-proven'] = int(self.past.looked < self.past.rest and
                                      self.end.reason != 'empty')
        bad = [copy for copy in self.live.values() if self.is_bad(copy)]
        found['bad-copy-at-home'] = sum(map(self._is_at_home, bad))
        bad = [copy for copy in bad if not self._is_at_home(copy)]
        found['older-copy'] = sum(map(self._has_stand_in, bad))
        found['data-csum'] = len(bad) - found['older-copy']
        found['duplicate-tag'] = self._duplicates()
        found['deleted-tag'] = sum(bool(c.flags & DELETED)
                                   for c in self.committed)
        found['lost-escape'] = self._lost_escapes()
        found['torn-commit'] = sum(t.torn for t in self.walk.transactions)
        found['commit-before-mkfs'] = self._earlier()
        found['times-go-back'] = 0 if self._earlier() else self._steps_back()
        lost, void, taken, newer = self.given_up()
        found['given-up'] = len(lost)
        found['behind-damage'] = len(taken)
        found['newer-in-place'] = len(newer)
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
        fast = FastCommits(journal, self.end.tid)
        return {
            'ring-contradicted': int(bool((log or flag) and elsewhere and
                                          not journal.has_tails)),
            'errno': int(journal.errno != 0),
            'journal-users': int(journal.users > 1 and
                                 not journal.place.external),
            'journal-inode-lost': int(journal.place.from_backup),
            'super-foreign': int(self._super_is_foreign()),
            'recovery-of-nothing': int(flag and not log),
            'wiped-on-mount': self._would_lose() if log and not flag else 0,
            'tag-on-backup': self._on_backups(),
            'fast-commits-valid': fast.valid,
            'fast-commits-unfinished': fast.unfinished,
            'fast-commits-unknown': fast.unknown,
            'fast-commits-later': fast.later,
            'fast-commits-stale': fast.stale,
            'fast-commits-cut': fast.lost,
            'fast-commit-wrapped': int(bool(journal.fc_blocks and wrapped)),
        }

    def _earlier(self):
        """Transactions from before mkfs, behind one that is not.  (The journals
        of generate.py have no copy of an inode table that could prove more.)"""
        old = [txn.sec < self.journal.fs.super.made
               for txn in self.walk.transactions]
        if False not in old:
            return 0
        return sum(old[old.index(False):])

    def _steps_back(self):
        """How often the known commit times go back."""
        known = []
        for txn in self.walk.transactions:
            # debugfs stores it in the upper half
            sec = txn.sec if txn.sec & 0xffffffff else txn.sec >> 32
            if FIRST_TIME <= sec <= LAST_TIME and txn.nsec < 10 ** 9:
                known.append(sec)
        return sum(b < a for a, b in zip(known, known[1:]))

    def _is_at_home(self, copy):
        """Its checksum is right for what stands in place."""
        block = self.journal.fs.block(copy.fsblk)
        if copy.escaped and _escaped(block) == block:
            return False        # it does not begin with the magic
        if copy.escaped:
            block = _escaped(block)
        return (self.journal.csum == 3 and
                copy.fsblk != 1024 // self.journal.block_size and
                data_is_good(self.journal, copy, block))

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
        """A log that copies a block forward takes the newest copy before it.

        A revoked copy belongs to no file: copied on, the program calls it
        relogged-after-revoke, by its owner, which is unknown here.
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
