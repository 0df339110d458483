# SPDX-License-Identifier: GPL-2.0-only
"""record.py - read what QEMU's block driver blklogwrites has of a disk

The format is that of dm-log-writes: a superblock, then for each request an
entry of one sector and the data.
"""
import struct
import subprocess

FLUSH, FUA, DISCARD, MARK = 1, 2, 4, 8
SECTOR = 512


class Entry:
    """A request: sectors of 512 bytes; data in the record from `at`."""

    def __init__(self, sector, sectors, flags, at):
        self.sector, self.sectors, self.flags, self.at = \
            sector, sectors, flags, at

    @property
    def is_flush(self):
        return bool(self.flags & (FLUSH | FUA))

    @property
    def is_write(self):
        return self.sectors > 0 and not self.flags & (DISCARD | MARK)


def entries(f):
    """Each request of an open record, in the order of the disk."""
    f.seek(0)
    _, _, count, size = struct.unpack("<QQQI", f.read(28))
    at = size
    for _ in range(count):
        f.seek(at)
        sector, sectors, flags, length = struct.unpack("<QQQQ", f.read(32))
        at += size
        yield Entry(sector * size // SECTOR, sectors * size // SECTOR, flags,
                    at)
        if flags & DISCARD:
            continue
        # Sectors are in units of the record's own sector size.
        stored = length if flags & MARK else sectors * size
        at += -(-stored // size) * size


def data(f, entry):
    f.seek(entry.at)
    return f.read(entry.sectors * SECTOR)


def debugfs(image, request):
    return subprocess.run(["debugfs", "-c", "-R", request, image], check=True,
                          capture_output=True, text=True).stdout


class Layout:
    """Where the journal of an image lies."""

    def __init__(self, image):
        self.journal = [int(b) for b in debugfs(image, "blocks <8>").split()]
        stats = debugfs(image, "stats -h").splitlines()
        self.per_block, self.blocks = (
            int(next(line for line in stats if line.startswith(name))
                .split(":")[1]) for name in ("Block size", "Block count"))
        self.per_block //= SECTOR
        self.in_journal = set(self.journal)

    def where(self, entry):
        """log, superblock, in-place, or beyond the file system"""
        block = entry.sector // self.per_block
        if block >= self.blocks:
            return "beyond"
        if block in self.in_journal:
            return "log"
        if entry.sector * SECTOR < 2048 and \
                entry.sectors <= max(self.per_block, 2):
            return "superblock"
        return "in-place"
