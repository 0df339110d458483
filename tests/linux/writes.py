#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only
"""writes.py RECORD IMAGE - where a guest wrote: in the log, or in place

RECORD is what blklogwrites has of the disk; IMAGE tells where the journal lies.
Prints one line each for the log, the primary superblock and all other places:
requests and KiB.
"""
import sys

import record


def main():
    path, image = sys.argv[1:]
    layout = record.Layout(image)
    found = {"log": [0, 0], "superblock": [0, 0], "in-place": [0, 0]}
    with open(path, "rb") as f:
        for entry in record.entries(f):
            where = layout.where(entry)
            if not entry.is_write or where == "beyond":
                continue
            found[where][0] += 1
            found[where][1] += entry.sectors
    for where, (requests, sectors) in found.items():
        print(where, requests, sectors * record.SECTOR // 1024)


if __name__ == "__main__":
    main()
