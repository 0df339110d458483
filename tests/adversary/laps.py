# SPDX-License-Identifier: GPL-2.0-only
"""An older lap of the ring, as the second reader read it when it was the log.

The journal superblock may describe another ring now: a kernel that unmounts a
file system with fast commits clears the feature, and the next log uses the
blocks of the fast-commit area as well.  What the older lap holds does not
change by that.
"""

from disk import Contents
from tools import judge_manners


class Laps:
    """Transactions with the place and the bytes of each of their blocks."""

    def __init__(self, truth, disk):
        journal = truth.journal
        self.block_size, self.physical = truth.block_size, truth.physical
        self.blocks = {}        # transaction: its log blocks
        for block in truth.control:
            at = self.blocks.setdefault(block.tid, [])
            at += [journal.next(block.logblk, i)
                   for i in range(block.tags + 1)]
        self.copies = {}        # transaction: {(static block, log block)}
        for logblk, (copy, _) in truth.copies.items():
            self.copies.setdefault(copy.tid, set()).add((copy.fsblk, logblk))
        with Contents(truth.log_file(disk)) as log:
            self.bytes = {at: self._read(log, at)
                          for some in self.blocks.values() for at in some}

    def _read(self, log, logblk):
        return log.bytes_at(self.physical[logblk] * self.block_size,
                            self.block_size)

    def runs(self, disk):
        """Lists of ids in a row, of transactions that are there as they were."""
        found = []
        with Contents(disk.device or disk.image) as log:
            for tid in sorted(self.blocks):
                if any(self._read(log, at) != self.bytes[at]
                       for at in self.blocks[tid]):
                    continue
                if found and found[-1][-1] + 1 == tid:
                    found[-1].append(tid)
                else:
                    found.append([tid])
        return found

    def judge(self, disk, tools):
        """Complaints, if e2lazy does not show all of them, each run whole."""
        said = tools.run('e2lazy log --histories --json', tools.e2lazy, 'log',
                         '--histories', '--json', *disk.words())
        complaints = judge_manners(said)
        if complaints or not said.document:
            return complaints
        for run in self.runs(disk):
            # No commit block before the first shows that it begins there.
            run = run[1:] or run
            rows = [row for row in said.document['histories']
                    if row['first'] <= run[0] and run[-1] <= row['last']]
            if not rows:
                complaints.append(
                    f'{said.name}: transactions {run[0]} to {run[-1]} of an '
                    'older lap are whole, but not in one history')
            else:
                complaints += self._judge_copies(disk, tools, run,
                                                 rows[0]['history'])
        return complaints

    def _judge_copies(self, disk, tools, run, number):
        said = tools.run(f'e2lazy dump --history {number} --json',
                         tools.e2lazy,
                         'dump', '--history', str(number), '--all', '--json',
                         '--tid', f'{run[0]}-{run[-1]}', *disk.words())
        complaints = judge_manners(said)
        if complaints or not said.document:
            return complaints
        shown = {(row['tid'], row['fsblk'], row['logblk'])
                 for row in said.document['copies']}
        truth = {(tid, *copy) for tid in run
                 for copy in self.copies.get(tid, ())}
        if shown == truth:
            return []
        return [f'{said.name}: {len(truth - shown)} copies of an older lap are '
                f'missing, {len(shown - truth)} are wrong']
