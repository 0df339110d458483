#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""writes.py RECORD IMAGE - where a guest wrote: in the log, or in place

RECORD is what QEMU's block driver blklogwrites has of the disk, in the format
of dm-log-writes; IMAGE tells where the journal lies.  Prints one line each for
the log, the primary superblock and all other places: requests and KiB.
"""
import struct
import subprocess
import sys

DISCARD, MARK = 4, 8
SECTOR = 512


def entries(record):
    """Each write of a record: first sector, number of sectors."""
    with open(record, "rb") as f:
        _, _, count, size = struct.unpack("<QQQI", f.read(28))
        at = size
        for _ in range(count):
            f.seek(at)
            sector, sectors, flags, length = struct.unpack("<QQQQ", f.read(32))
            at += size
            if flags & DISCARD:
                continue
            # Sectors are in units of the record's own sector size.
            stored = length if flags & MARK else sectors * size
            at += -(-stored // size) * size
            if sectors and not flags & MARK:
                yield sector * size // SECTOR, sectors * size // SECTOR


def debugfs(image, request):
    return subprocess.run(["debugfs", "-c", "-R", request, image], check=True,
                          capture_output=True, text=True).stdout


def main():
    record, image = sys.argv[1:]
    journal = {int(b) for b in debugfs(image, "blocks <8>").split()}
    block = next(int(line.split(":")[1]) for line in
                 debugfs(image, "stats -h").splitlines()
                 if line.startswith("Block size"))
    per = block // SECTOR
    found = {"log": [0, 0], "superblock": [0, 0], "in-place": [0, 0]}
    for sector, sectors in entries(record):
        where = "in-place"
        if sector // per in journal:
            where = "log"
        elif sector * SECTOR < 2048 and sectors <= max(per, 2):
            where = "superblock"
        found[where][0] += 1
        found[where][1] += sectors
    for where, (requests, sectors) in found.items():
        print(where, requests, sectors * SECTOR // 1024)


if __name__ == "__main__":
    main()
