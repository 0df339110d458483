# SPDX-License-Identifier: GPL-2.0-only
"""Judges the behaviour of the programs on a damaged disk.

The undamaged log is known (truth.py).  R is its result: the damaged disk, with
each newest copy of the undamaged log in its place.  The oracle tests five rules.

Readers never write.

-p.  If it writes, every block must equal that of R.  The only excuse is a disk
from which no program can know better.  Three questions decide that:

    1. is a committed control block of this journal left in the ring, as it
       was, that is newer than the end which a kernel's scan accepts?
    2. do the newest copies of the last transactions that are whole, where
       the log is in use and the scan accepts none of them, differ from what
       stands in place?
    3. has a copy that the scan accepts a bad checksum?

After one yes there is no excuse.  After three times no, the damaged log is one
of four things, and every written block must equal that of this log:

    like-a-crash    the damage reaches to the head, or the last commit is lost:
                    some crash leaves the same disk
    unseen          all transactions are accepted, and no checksum covers the
                    wrong bytes
    emptied         the journal superblock has a later transaction's id and says
                    that the log is empty.  The blocks in place differ from the
                    log's after any repair in place, too.
    other-seed      the journal superblock is another journal's, with a right
                    checksum or with none: by its seed, or by its format and
                    how far off their transactions are, the blocks in the ring
                    are some older file system's.

A log with an older life of the file system behind it, or with a tag on a file's
contents, has no such excuse: the generator knows what belongs to the log.

-y.  A user who agrees to all questions agrees to losses, but must not lose more
than with e2fsck.  The oracle compares two numbers: the blocks that differ from
R, after our write-back and after `e2fsck -E journal_only -y`, which only
replays; and the questions that `e2fsck -fn` asks afterwards.  `e2fsck -fy` also
repairs, and may come nearer to R by that, or lose files that R has: so the
oracle compares it with the write-back itself, and if that has more, with the
write-back after a repair of its own.  It leaves out the superblock, where each
tool keeps its accounts, and the journal's own blocks.  It skips three
comparisons:

    A write-back that was refused lost nothing: the log is still there.

    After a bad checksum in a descriptor or a revoke block, e2fsck replays
    nothing and drops the log.  It also stops at a commit block with only its
    first sector right, which kernels accept (`cut short`).  Our write-back is
    then a later state than e2fsck's, with the sound transactions behind the
    damage, and blocks that were freed meanwhile differ more; so only the newest
    copies count, and no questions.

    A damaged superblock in place, without a checksum, looks like a newer one;
    and if the journal's inode is unusable, e2fsck deletes the journal and we do
    not.  In both cases the questions do not count.

Older laps.  On a disk whose older lap is known, `log --histories` has all of its
transactions that are still whole, in one history where they follow each other,
and `dump --history` their copies.

Manners.  Exit status, message and document agree, with each other and with the
disk.
"""

import struct

from disk import Contents, changed_blocks
from journal import COMMIT
from tools import judge_manners, problems_of
from truth import Reading

SUPER = 1024                    # bytes from the start, and as many long
# A writer of a superblock changes these fields.
SUPER_ACCOUNTS = [(0xc, 8), (0x2c, 12), (0x3a, 2), (0x40, 4), (0x60, 4), (0x158, 4), (0x178, 8),
                  (0x194, 0x6c), (0x274, 8), (0x3fc, 4)]
# The byte of feature_ro_compat that has the flag, as its lowest bit.
ORPHAN_PRESENT = 0x66

WORDS = ('clean', 'sound-in-use', 'damaged', 'unusable')


class Case:
    """One damaged disk, with what is known of it."""

    def __init__(self, base, patient, disk, number=0):
        self.base, self.patient, self.disk = base, patient, disk
        self.number = number
        self.truth = base.truth
        self.block_size = base.truth.block_size
        self.reading = Reading(disk)
        self.ours = set() if base.truth.external else set(
            base.truth.physical)
        self.super_block = SUPER // self.block_size

    # ------------------------------------------- what is left to be known ---

    def newer_is_left(self):
        if not self.names_its_seed():
            return False
        end, journal = self.reading.end.tid, self.truth.journal
        # An id more than a ring away is another journal's, and older.
        reach = 1 << 31 if self.names_its_format() else journal.ring + 1
        return any(0 < (block.tid - end) & 0xffffffff < reach or
                   block.tid == end and block.kind == COMMIT and
                   not journal.asynchronous
                   for block in self.truth.control
                   if self.patient.is_whole(block.logblk))

    def names_its_seed(self):
        """Does the journal superblock tell this journal's blocks from those of
        another?  Its own checksum is right if it has one."""
        ours, theirs = self.truth.journal, self.reading.journal
        return theirs.csum < 2 or (ours.csum >= 2 and ours.seed == theirs.seed)

    def names_its_format(self):
        """By the journal superblock its descriptors can be read."""
        ours, theirs = self.truth.journal, self.reading.journal
        return (ours.tag_bytes(), ours.has_tails) == (
            theirs.tag_bytes(), theirs.has_tails)

    def _last_chain(self):
        """Ids of the last transactions that are whole, one after another."""
        chain = set()
        for tid in reversed(self.truth.tids):
            if all(map(self._is_whole, self.truth.by_tid[tid])):
                chain.add(tid)
            elif chain:
                break
        return chain

    def _is_whole(self, block):
        return all(self.patient.is_whole(self.patient.at(block.logblk, i))
                   for i in range(block.tags + 1))

    def chain_contradicts_home(self):
        chain = self._last_chain()
        if not (self.names_its_seed() and self.names_its_format()):
            return False
        if not self.reading.journal.start or chain & set(self.reading.tids):
            return False
        newest = {copy.fsblk for copy, state in self.truth.copies.values()
                  if state == 'live' and copy.tid in chain}
        with Contents(self.disk.image) as home:
            return any(home.bytes_at(fsblk * self.block_size, self.block_size)
                       != self.truth.result[fsblk] for fsblk in newest)

    def bad_copy_is_live(self):
        return any(state == 'live' and not self.reading.is_good(copy)
                   for copy, state in self.reading.copies.values())

    def excuse(self):
        """A sort of case, or None where one can know better."""
        reading = self.reading
        if (reading.unusable or self.newer_is_left() or
                self.chain_contradicts_home() or
                self.bad_copy_is_live()):
            return None
        if not (self.names_its_seed() and self.names_its_format()):
            return 'other-seed'
        if not reading.journal.start:
            return 'emptied'
        return 'unseen' if reading.tids == self.truth.tids else 'like-a-crash'

    def is_known_to_be_lost(self):
        """The part that the scan accepts does not lead to R, and one can know it."""
        if self.reading.unusable or self.excuse():
            return False
        size, accepted = self.block_size, self.reading.result
        with Contents(self.disk.image) as home:
            return any((accepted.get(fsblk) or
                        home.bytes_at(fsblk * size, size)) != data
                       for fsblk, data in self.truth.result.items()
                       if fsblk != self.super_block)

    # ---------------------------------------------------------- the disks ---

    def differing(self, after, result):
        """Blocks of @after that are not as @result over the damaged disk."""
        size = self.block_size
        with Contents(self.disk.image) as before:
            changed = {block for block in changed_blocks(before, after, size)
                       if block not in result and
                       block not in self.ours}
            for block, data in result.items():
                if (block * size < before.size and
                        after.bytes_at(block * size, size) != data):
                    changed.add(block)
        changed.discard(self.super_block)
        return changed

    def lost_on(self, disk, newest=False):
        """The number of blocks that differ from the log, or only from its
        newest copies."""
        with Contents(disk.image) as after:
            lost = self.differing(after, self.truth.result)
        return len(lost & set(self.truth.result) if newest else lost)

    def is_cut_short(self, stock):
        """e2fsck left @stock, and replays less than a kernel accepts, or
        nothing where a bad checksum ends what a kernel accepts."""
        if self.reading.unusable or not (
                self.reading.tids or self.reading.end.reason == 'block-csum'):
            return False
        if any(txn.torn for txn in self.reading.verdict.walk.transactions):
            return True
        with Contents(stock.image) as after:
            return not self.differing(after, {})

    def super_is_unsure(self):
        """It was damaged in place, and has no checksum."""
        return not self.base.has_csums and (
            0, self.super_block) in self.patient.blocks

    def is_from_backup(self):
        """The journal's inode cannot be used."""
        return (not self.reading.unusable and
                self.reading.journal.place.from_backup)

    def super_is_merged(self, after):
        """Each byte is the log's or the one in place, but for accounts."""
        with Contents(self.disk.image) as before:
            home = bytearray(before.bytes_at(SUPER, 1024))
        new = bytearray(after.bytes_at(SUPER, 1024))
        at = SUPER % self.block_size
        logged = [one[at:at + 1024] for one in (
            self.truth.result.get(self.super_block),
            self.reading.result.get(self.super_block)) if one]
        for start, length in SUPER_ACCOUNTS:
            new[start:start + length] = home[start:start + length]
        # orphan_present goes if the orphan file is empty, as it is here.
        new[ORPHAN_PRESENT] |= home[ORPHAN_PRESENT] & 1
        return all(byte in pair for byte, *pair in zip(new, home, *logged))

    def is_finished(self, disk):
        """The log is marked as empty, and needs_recovery is clear."""
        truth = self.truth
        with Contents(disk.image) as image, \
                Contents(truth.log_file(disk)) as log:
            at = truth.physical[truth.super_block] * self.block_size
            start, = struct.unpack('>I', log.bytes_at(at + 0x1c, 4))
            flags, = struct.unpack('<I', image.bytes_at(SUPER + 0x60, 4))
        return start == 0 and not flags & 4


class Judgement:
    """`complaints`, and `sort`: what became of the case."""

    def __init__(self, case, tools, scratch, expects):
        self.case, self.tools, self.scratch = case, tools, scratch
        self.expects = expects
        self.complaints = []
        self.sort = None
        self.cut_short = False  # by e2fsck
        self.repaired = False
        self._readers()
        self._preen()
        self._yes()

    def _complain(self, *texts):
        self.complaints += texts

    def _readers(self):
        untouched = self.case.disk.copy_to(self.scratch + '.untouched')
        for said in self.tools.readers(self.case.disk,
                                       self.case.number):
            self._complain(*judge_manners(said))
            if said.name == 'e2lazyck --json' and said.document:
                self._judge_findings(said)
                self._judge_word(said)
        if self.case.base.disk.laps and self.expects == 'sound':
            self._complain(*self.case.base.disk.laps.judge(self.case.disk,
                                                           self.tools))
        if not self.case.disk.same_as(untouched):
            self._complain('a reader has written')

    def _judge_word(self, said):
        """The verdict in a word."""
        word = said.document.get('verdict')
        if word not in WORDS:
            self._complain(f'e2lazyck: the verdict is {word}')
        elif (self.expects in ('sound', 'legal') and
              word not in ('clean', 'sound-in-use') or
              word in ('clean', 'sound-in-use') and
              self.case.is_known_to_be_lost()):
            self._complain(f'e2lazyck: the verdict is {word} ({_ids(said)})')
        elif said.status == 0 and word != 'clean':
            self._complain(f'e2lazyck exits with 0, and the verdict is {word}')

    def _judge_findings(self, said):
        """A log is not called sound that a kernel's replay fails on."""
        reading = self.case.reading
        if reading.unusable or reading.journal.csum < 2 or said.status & 8:
            return
        bad = sum(state in ('live', 'superseded') and
                  not self.case.patient.is_whole(logblk) and
                  not reading.is_good(copy)
                  for logblk, (copy, state) in reading.copies.items())
        if bad and set(said.finding_ids) <= self.case.base.findings:
            self._complain(f'e2lazyck finds nothing, and {bad} copies that a '
                           'replay reads are damaged')

    # ------------------------------------------------------------- writing ---

    def _written(self, answer):
        disk = self.case.disk.copy_to(self.scratch + answer)
        said = self.tools.write_back(answer, disk)
        self._complain(*judge_manners(said))
        wrote = not disk.same_as(self.case.disk)
        if said.status is not None:
            if wrote and not said.status & (1 | 8):
                self._complain(f'{answer} has written, and exits with '
                               f'{said.status}')
            if said.status & 1 and not self.case.is_finished(disk):
                self._complain(f'{answer} exits with {said.status}, and the '
                               'log is not empty')
            if said.status & 1 and not wrote:
                self._complain(f'{answer} exits with {said.status}, and has '
                               'written nothing')
        return disk, said, wrote

    def _preen(self):
        case = self.case
        disk, said, wrote = self._written('-p')
        with Contents(disk.image) as after:
            lost = case.differing(after, case.truth.result)
            if self.expects in ('sound', 'mended'):
                self._judge_sound(said, lost, disk)
            elif self.expects == 'legal':
                self._judge_legal(said, after)
            elif not wrote:
                self.sort = 'kept'
            elif not lost:
                self.sort = 'whole'
            else:
                self._judge_loss(said, after, lost)
            if wrote and not case.super_is_merged(after):
                self._complain('-p: the superblock is neither the one in the '
                               'log nor the one in place')

    def _judge_sound(self, said, lost, disk):
        self.sort = 'whole'
        if said.status not in (0, 1):
            self._complain(f'-p exits with {said.status} and nothing is lost: '
                           f'{said.err.strip()} ({_ids(said)})')
        elif lost:
            self._complain(f'-p: {len(lost)} blocks are not as logged')
        elif not self.case.is_finished(disk):
            self._complain('-p leaves a log behind')

    def _judge_legal(self, said, after):
        case = self.case
        self.sort = 'like-a-crash'
        if said.status != 1:
            self._complain(f'-p exits with {said.status} after a mere crash: '
                           f'{said.err.strip()} ({_ids(said)})')
        elif case.differing(after, case.reading.result):
            self._complain('-p writes something else than what was committed')

    def _judge_loss(self, said, after, lost):
        case = self.case
        if self.expects == 'truth':
            self._complain(f'-p exits with {said.status}, and {len(lost)} '
                           f'blocks are not the truth ({_ids(said)})')
            self.sort = 'lost'
            return
        self.sort = case.excuse()
        if not self.sort:
            self._complain(
                f'-p exits with {said.status}, and {len(lost)} blocks are '
                f'lost ({_ids(said)}): {self._what_could_be_known()}')
            self.sort = 'lost'
        elif case.differing(after, case.reading.result):
            self._complain(f'-p ({self.sort}) writes something else than what '
                           'the log says')

    def _what_could_be_known(self):
        case = self.case
        if case.reading.unusable:
            return f'the log is unusable: {case.reading.unusable}'
        if case.newer_is_left():
            return ('the log ends before transaction '
                    f'{case.reading.end.tid}, and newer ones are left')
        if case.chain_contradicts_home():
            return 'the last chain contradicts what stands in place'
        return 'a live copy has a bad checksum'

    def _yes(self):
        disk, said, wrote = self._written('-y')
        if not wrote or said.status is None:
            return
        ours = self.case.lost_on(disk)
        if ours:
            self._hold_against_e2fsck(disk, said, ours)

    def _hold_against_e2fsck(self, disk, said, ours):
        case = self.case
        stock, replay = self._stock('-E', 'journal_only', '-y')
        if case.is_cut_short(stock):
            self._hold_against_less(disk, stock, said)
            return
        if ours > replay:
            self._complain(f'-y: {ours} blocks are not as logged, after '
                           f'e2fsck -E journal_only {replay} ({_ids(said)})')
        if not (case.super_is_unsure() or case.is_from_backup()):
            self._hold_check_against(disk, stock, said)
        _, repair = self._stock('-fy')
        if ours > repair:
            self.tools.e2fsck(disk, '-fy')
            mended = case.lost_on(disk)
            if mended > repair:
                self._complain(f'-y: {ours} blocks are not as logged, after a '
                               f'repair {mended}; by e2fsck -fy {repair} '
                               f'({_ids(said)})')

    def _hold_check_against(self, disk, stock, said):
        if self.repaired:       # both, then
            disk = disk.copy_to(self.scratch + '.mended')
            self.tools.e2fsck(disk, '-fy')
        found = problems_of(self.tools.e2fsck(disk, '-fn'))
        stock = problems_of(self.tools.e2fsck(stock, '-fn'))
        if found > stock:
            self._complain(f'-y: e2fsck -fn finds {found} problems, after '
                           f'its own replay {stock} ({_ids(said)})')

    def _hold_against_less(self, disk, stock, said):
        """At least as many of the newest copies are in place as by e2fsck."""
        self.cut_short = True
        ours, theirs = (self.case.lost_on(one, newest=True)
                        for one in (disk, stock))
        if ours > theirs:
            self._complain(f'-y: {ours} newest copies are not in place, by '
                           f'a short replay {theirs} ({_ids(said)})')

    def _stock(self, *words):
        disk = self.case.disk.copy_to(self.scratch + '.stock')
        said = self.tools.e2fsck(disk, *words)
        # Without group descriptors that make sense it goes on to repair.
        self.repaired = b' files (' in said.out
        return disk, self.case.lost_on(disk)


def _ids(said):
    return ', '.join(said.finding_ids) or 'no findings'
