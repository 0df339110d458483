# SPDX-License-Identifier: GPL-2.0-only
"""tags.py - damage the tags of a descriptor in a log with checksums v3

	tags.py IMAGE BLOCKSIZE PHYSBLK number INDEX
	tags.py IMAGE BLOCKSIZE PHYSBLK flags INDEX BITS
	tags.py IMAGE BLOCKSIZE PHYSBLK exchange INDEX INDEX

The checksum of the descriptor is bad then.
"""
import sys


def at(index):
    return 12 + 16 * index + (16 if index else 0)


def main():
    image, size, physblk, what, *rest = sys.argv[1:]
    index, *more = [int(word) for word in rest]
    with open(image, "r+b") as f:
        f.seek(int(physblk) * int(size))
        block = bytearray(f.read(int(size)))
        if what == "number":		# four bytes
            block[at(index):at(index) + 4] = b"\xde\xad\xbe\xef"
        elif what == "flags":
            block[at(index) + 7] ^= more[0]
        else:
            a, b = at(index), at(more[0])
            block[a:a + 4], block[b:b + 4] = block[b:b + 4], block[a:a + 4]
        block[-1] ^= 1
        f.seek(int(physblk) * int(size))
        f.write(block)


main()
