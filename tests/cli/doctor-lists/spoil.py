# SPDX-License-Identifier: GPL-2.0-only
"""spoil.py - damage the log in an image with blocks of 1 KiB

	spoil.py IMAGE super OFFSET VALUE [raw]
	spoil.py IMAGE block|zero|flags descriptor|commit middle|last
	spoil.py IMAGE copies TYPE middle|last
	spoil.py IMAGE journal OTHER

super sets a field of the journal superblock, and its checksum anew.  block
inverts a byte of a control block, zero makes it zeros, flags ends a descriptor
behind its second tag; copies inverts a byte of a transaction's copies of that
type; journal takes the journal's blocks of OTHER.
"""
import struct, subprocess, sys

SIZE = 1024


def crc32c(data):
    crc = 0xffffffff
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82f63b78 if crc & 1 else 0)
    return crc


def said(*command):
    return subprocess.run(command, capture_output=True, text=True).stdout


def main():
    image, what, *rest = sys.argv[1:]
    journal = [int(n) for n in
               said("debugfs", "-R", "blocks <8>", image).split()]
    # Blocks of the map are listed, too: the device's block by bmap.
    at = lambda n: int(said("debugfs", "-R", "bmap <8> %d" % n, image))
    with open(image, "r+b") as f:
        def block(n):
            f.seek(n * SIZE)
            return bytearray(f.read(SIZE))

        def put(n, data):
            f.seek(n * SIZE)
            f.write(data)

        def flip(n, at=52, bits=0xff):
            data = block(n)
            data[at] ^= bits
            put(n, data)

        if what == "super":
            n, data = at(0), block(at(0))
            struct.pack_into(">i" if int(rest[1]) < 0 else ">I", data,
                             int(rest[0]), int(rest[1]))
            if rest[2:] != ["raw"]:
                struct.pack_into(">I", data, 252, 0)
                struct.pack_into(">I", data, 252, crc32c(data))
            put(n, data)
        elif what == "journal":
            with open(rest[0], "rb") as other:
                for n in journal:
                    other.seek(n * SIZE)
                    put(n, other.read(SIZE))
        elif what == "copies":
            tids = said("e2lazy", "log", "--raw", "--no-headings",
                        "--columns", "TID", image).split()
            tid = tids[-1 if rest[1] == "last" else len(tids) // 2]
            rows = said("e2lazy", "log", "--tags", "--raw", "--no-headings",
                        "--tid", tid, "--columns", "LOGBLK,TYPE", image)
            for row in rows.splitlines():
                logblk, kind = row.split()
                if kind == rest[0]:
                    flip(at(int(logblk)))
        else:
            rows = said("e2lazy", "log", "--raw", "--no-headings",
                        "--columns", "START,END", image).splitlines()
            row = rows[-1 if rest[1] == "last" else len(rows) // 2].split()
            n = int(row[0]) if rest[0] == "descriptor" else int(row[1])
            if what == "zero":
                put(at(n), bytes(SIZE))
            elif what == "flags":
                flip(at(n), 12 + 16 + 16 + 7, 8)
            else:
                flip(at(n))


main()
