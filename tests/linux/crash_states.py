#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""crash_states.py - what a power cut can leave of a recorded disk

    crash_states.py list RECORD IMAGE SEED COUNT
    crash_states.py make RECORD BASE OUT

A disk may keep or lose each write that no flush follows.  So the writes between
two flushes are an epoch, and a state is all epochs before one, and a subset of
its writes: all subsets of up to 8 writes, else each single loss and 64 subsets
by chance.  Writes inside an epoch may come in any order; of two to one sector
the later one stays, for a queue does not swap these.

`list` prints a line a state: begin and end of the epoch (numbers of requests),
which of its writes are lost (a number with one bit a write), between which
operations the tree must be (see lazywork), and what the epoch is about: commit,
tail, home or data.  COUNT states are chosen by SEED, as many of each kind as
there are, if COUNT is not 0.  `make` reads such lines; for each it writes the
state's image to OUT, and then prints `made`.  BASE is the disk before the record.
Lines in the order of `list` cost little, for OUT begins as a copy of all epochs
before.
"""
import random
import subprocess
import sys

import record

ALL_SUBSETS = 8
SAMPLES = 64
JBD2_COMMIT = bytes.fromhex("c03b399800000002")
KINDS = "commit", "tail", "home", "data"


class Epoch:
    def __init__(self, begin):
        self.begin = self.end = begin
        self.writes = 0
        self.kinds = set()

    @property
    def kind(self):
        return next((k for k in KINDS if k in self.kinds), "data")

    def losses(self, chance):
        """Numbers with a bit for each lost write."""
        if self.writes <= ALL_SUBSETS:
            return range(2 ** self.writes)
        some = {1 << n for n in range(self.writes)}
        some.update(chance.getrandbits(self.writes) for _ in range(SAMPLES))
        some.discard(0)
        return sorted(some)


def kind_of(f, layout, entry):
    where = layout.where(entry)
    if where in ("in-place", "superblock"):
        return "home"
    if entry.sector // layout.per_block == layout.journal[0]:
        return "tail"
    size = layout.per_block * record.SECTOR
    blocks = record.data(f, entry)
    if any(blocks[at:at + 8] == JBD2_COMMIT
           for at in range(0, len(blocks), size)):
        return "commit"
    return "data"


def mark_of(f, entry):
    """The operation that a mark of lazywork names."""
    return int(record.data(f, entry).split(b"\n")[0].split()[1])


def epochs_of(f, layout):
    """The epochs, and (request, operation) for each mark."""
    epochs, marks, epoch = [], [(-1, 0)], Epoch(0)
    n = -1
    for n, entry in enumerate(record.entries(f)):
        if entry.is_write and layout.where(entry) == "beyond":
            marks.append((n, mark_of(f, entry)))
        elif entry.is_write:
            epoch.writes += 1
            epoch.kinds.add(kind_of(f, layout, entry))
        if entry.is_flush:
            epoch.end = n + 1
            epochs.append(epoch)
            epoch = Epoch(n + 1)
    epoch.end = n + 1
    epochs.append(epoch)
    return [e for e in epochs if e.writes], marks


def bounds(marks, epoch):
    """What was synced before the epoch's end, and the next that will be."""
    done = [op for at, op in marks if at < epoch.end]
    later = [op for at, op in marks if at >= epoch.end]
    return done[-1], later[0] if later else done[-1]


def states(epochs, marks, chance):
    for epoch in epochs:
        low, high = bounds(marks, epoch)
        for lost in epoch.losses(chance):
            yield epoch.begin, epoch.end, lost, low, high, epoch.kind


def choose(found, count, chance):
    """As many of each kind, as far as there are."""
    if not count:
        return found
    by_kind = {}
    for state in found:
        by_kind.setdefault(state[-1], []).append(state)
    some = []
    for left, kind in enumerate(sorted(by_kind, key=lambda k: len(by_kind[k]))):
        share = (count - len(some)) // (len(by_kind) - left)
        of_kind = by_kind[kind]
        some += chance.sample(of_kind, min(share, len(of_kind)))
    return sorted(some)


def list_states(path, image, seed, count):
    chance = random.Random(int(seed))
    with open(path, "rb") as f:
        found = epochs_of(f, record.Layout(image))
        for state in choose(list(states(*found, chance)), int(count), chance):
            print(*state)


class Disk:
    """The disk as it was between two requests, which can go on."""

    def __init__(self, f, base, path):
        self.f, self.base, self.path = f, base, path
        layout = record.Layout(base)
        self.requests = list(record.entries(f))
        self.on_disk = [e.is_write and layout.where(e) != "beyond"
                        for e in self.requests]
        self.restart()

    def restart(self):
        subprocess.run(["cp", "--sparse=always", self.base, self.path],
                       check=True)
        self.at = 0

    def write(self, path, begin, end, lost):
        number = 0
        with open(path, "r+b") as disk:
            for n in range(begin, end):
                if not self.on_disk[n]:
                    continue
                number += 1
                if lost >> (number - 1) & 1:
                    continue
                disk.seek(self.requests[n].sector * record.SECTOR)
                disk.write(record.data(self.f, self.requests[n]))

    def state(self, out, begin, end, lost):
        if begin < self.at:
            self.restart()
        self.write(self.path, self.at, begin, 0)
        self.at = begin
        subprocess.run(["cp", "--sparse=always", self.path, out], check=True)
        self.write(out, begin, end, lost)


def make_states(path, base, out):
    with open(path, "rb") as f:
        disk = Disk(f, base, out + ".before")
        for line in sys.stdin:
            begin, end, lost = (int(n) for n in line.split()[:3])
            disk.state(out, begin, end, lost)
            print("made", flush=True)


def main():
    verbs = {"list": (list_states, 4), "make": (make_states, 3)}
    verb, count = verbs.get(sys.argv[1] if len(sys.argv) > 1 else "",
                            (None, 0))
    if not verb or len(sys.argv) != count + 2:
        sys.exit(__doc__)
    verb(*sys.argv[2:])


if __name__ == "__main__":
    main()
