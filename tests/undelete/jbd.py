# SPDX-License-Identifier: GPL-2.0-only
"""A ring as fs/jbd leaves it, the driver of ext3 until Linux 4.2.

Its commit blocks have a header of 12 bytes, and behind it zeros, or what lay in
the memory before.  Whatever it is, the ring holds the same transactions, files
and changes as with the times.
"""

import json
import os
import random
import re
import subprocess

from disk import run

E2LAZY = os.environ.get("E2LAZY", "e2lazy")
HEADER = 12
COMMIT = bytes.fromhex("c03b399800000002")


def commit_blocks(image):
    """Places of the ring's commit blocks, and the size of a block."""
    text = run("dumpe2fs", "-h", image)
    size = int(text.split("Block size:")[1].split()[0])
    with open(image, "rb") as f:
        words = run("debugfs", "-c", "-R", "blocks <8>", image).split()
        for block in filter(str.isdigit, words):
            f.seek(int(block) * size)
            if f.read(len(COMMIT)) == COMMIT:
                yield int(block) * size, size


def answer(*words):
    done = subprocess.run([E2LAZY, *words], capture_output=True, check=False)
    if done.returncode & ~4:
        raise AssertionError(f"{words}: {done.returncode} {done.stderr.decode()}")
    return json.loads(done.stdout)


def told(image):
    """All that is said of the ring, but for its times."""
    deleted = answer("undelete", "-q", "--json", image)
    changes = answer("timeline", "-q", "--ring", "--json", image)
    ring = answer("log", "-q", "--histories", "--json", image)
    return {
        "files": sorted((f["inode"], f["path"], f["grade"], f["tid"])
                        for f in deleted["files"]),
        "changes": [(e["tid"], e["what"], e["inode"], e["path"])
                    for e in changes["events"]],
        "histories": [(h["first"], h["last"], h["transactions"], h["begins"],
                       h["ends"]) for h in ring["histories"]],
        "whole": ring["ring"]["transactions"],
    }, ring["ring"]["undated"], deleted


def dated(image):
    """Events that have a time, by their inode; and those said to have none."""
    done = subprocess.run([E2LAZY, "timeline", "-q", "--ring", "--json", "--since",
                           "@1", image], capture_output=True, check=False)
    undated = re.search(rb"(\d+) events? ha", done.stderr)
    return (len(json.loads(done.stdout)["events"]),
            int(undated.group(1)) if undated else 0)


def take_times(disk):
    chance = random.Random(1)
    text = b"of another time:"
    places = list(commit_blocks(disk.image))
    expected, undated, _ = told(disk.image)
    assert undated == 0 and len(expected["files"]) and len(expected["changes"])
    for make, known in (
            (lambda n, size: text * (size // len(text)), 0),
            (lambda n, size: chance.randbytes(size), 0),
            (lambda n, size: None if n % 3 else bytes(size), None),
            (lambda n, size: bytes(size), 0)):
        with open(disk.image, "r+b") as f:
            for number, (at, size) in enumerate(places):
                rest = make(number, size - HEADER)
                if rest is not None:
                    f.seek(at + HEADER)
                    f.write(rest)
        now, undated, deleted = told(disk.image)
        for key in expected:
            assert now[key] == expected[key], \
                f"{key}: {now[key]}\n# with times {expected[key]}"
        assert known is None or undated == expected["whole"], undated
        listed, rest = dated(disk.image)
        assert listed + rest == len(expected["changes"]) and listed > rest, \
            f"{listed} events since 1970, {rest} without a time"
        ended = [f for f in deleted["files"] if f.get("after") is None]
        assert ended and all(f["deleted"] for f in ended), "no i_dtime"
