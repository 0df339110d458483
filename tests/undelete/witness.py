# SPDX-License-Identifier: GPL-2.0-only
"""A second reader of the ring: which inodes have a copy in use, and a map.

It knows nothing of the library.  Transactions are found by the magic of their
blocks, without the superblock; a copy counts if its transaction is whole, from
right behind the commit block of the one before to its own, and if its checksum is
that of its tag (version 3).
"""

import struct
import subprocess
import tempfile

MAGIC = 0xC03B3998
DESCRIPTOR, COMMIT, REVOKE = 1, 2, 5
MOST_LEFT_OUT = 2       # ids, by a mount
FIRST_OF_ALL = 1, 2


def _table():
    table = []
    for i in range(256):
        for _ in range(8):
            i = i >> 1 ^ (0x82F63B78 if i & 1 else 0)
        table.append(i)
    return table


_TABLE = _table()


def crc32c(crc, data):
    for byte in data:
        crc = _TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc


class Witness:
    def __init__(self, image, journal=None):
        self.f = open(image, "rb")
        self.f.seek(1024)
        sb = self.f.read(1024)
        self.bs = 1024 << struct.unpack_from("<I", sb, 24)[0]
        self.per_group = struct.unpack_from("<I", sb, 40)[0]
        self.inode_size = struct.unpack_from("<H", sb, 88)[0]
        self.tables = self._tables(image)
        if journal:
            self.log = open(journal, "rb")
        else:
            self.log = tempfile.TemporaryFile()
            subprocess.run(["debugfs", "-c", "-R", f"dump <8> /dev/fd/{self.log.fileno()}",
                            image], pass_fds=[self.log.fileno()],
                           capture_output=True, check=True)
        self.super_at = 0 if not journal else 1 if self.bs > 1024 else 2
        self.read_super()

    def _tables(self, image):
        out = subprocess.run(["dumpe2fs", image], capture_output=True,
                             check=False).stdout.decode(errors="replace")
        tables = []
        for line in out.splitlines():
            if "Inode table at" in line:
                first, last = line.split()[3].split("-")
                tables.append((int(first), int(last)))
        return tables

    def read(self, index):
        self.log.seek(index * self.bs)
        return self.log.read(self.bs)

    def read_super(self):
        block = self.read(self.super_at)
        self.maxlen, self.first = struct.unpack_from(">II", block, 16)
        self.incompat = struct.unpack_from(">I", block, 40)[0]
        self.uuid = block[48:64]
        self.v3 = bool(self.incompat & 16)
        self.seed = crc32c(0xFFFFFFFF, self.uuid)
        self.tag = 16 if self.v3 else 12 if self.incompat & 2 else 8

    def tags(self, block):
        at = 12
        while at + self.tag <= self.bs - (4 if self.v3 else 0):
            number = struct.unpack_from(">I", block, at)[0]
            flags = struct.unpack_from(">H", block, at + 6)[0]
            high = struct.unpack_from(">I", block, at + 8)[0] \
                if self.incompat & 2 else 0
            csum = struct.unpack_from(">I", block, at + 12)[0] if self.v3 else None
            yield high << 32 | number, flags, csum
            at += self.tag + (0 if flags & 2 else 16)
            if flags & 8:
                return

    def inode_of(self, fsblk):
        for group, (first, last) in enumerate(self.tables):
            if first <= fsblk <= last:
                return group * self.per_group + 1 + \
                    (fsblk - first) * (self.bs // self.inode_size)
        return None

    def step(self, at):
        return at + 1 if at + 1 < self.maxlen else self.first

    def header(self, at):
        """(kind, tid) of a control block, else (None, None)."""
        magic, kind, tid = struct.unpack_from(">III", self.read(at))
        return (kind, tid) if magic == MAGIC else (None, None)

    def begins(self):
        """Where a transaction stands behind the commit block of the one before:
        of another, a later lap may have overwritten the begin."""
        kind, tid = self.header(self.first)
        if kind in (DESCRIPTOR, REVOKE) and tid in FIRST_OF_ALL:
            yield self.first, tid
        for at in range(self.first, self.maxlen):
            kind, tid = self.header(at)
            if kind != COMMIT:
                continue
            at = self.step(at)
            kind, later = self.header(at)
            if kind in (DESCRIPTOR, REVOKE) and \
               0 < later - tid <= 1 + MOST_LEFT_OUT:
                yield at, later

    def descriptors(self, at, tid):
        """Those of the transaction that begins there; none without a commit."""
        found = []
        for _ in range(self.maxlen):
            kind, own = self.header(at)
            if own != tid:
                return []
            if kind == COMMIT:
                return found
            copies = 0
            if kind == DESCRIPTOR:
                found.append(at)
                copies = sum(1 for _ in self.tags(self.read(at)))
            for _ in range(1 + copies):
                at = self.step(at)
        return []

    def lives(self):
        """(inode, generation) of each copy with links."""
        found = set()
        for begin, tid in self.begins():
            for at in self.descriptors(begin, tid):
                found |= self.lives_of(at, tid)
        return found

    def lives_of(self, at, tid):
        found = set()
        for fsblk, _, csum in self.tags(self.read(at)):
            at = self.step(at)
            first = self.inode_of(fsblk)
            if first is None:
                continue
            data = self.read(at)
            if csum is not None and csum != crc32c(
                    crc32c(self.seed, struct.pack(">I", tid)), data):
                continue
            for i in range(self.bs // self.inode_size):
                inode = data[i * self.inode_size:(i + 1) * self.inode_size]
                mode, = struct.unpack_from("<H", inode)
                links, = struct.unpack_from("<H", inode, 26)
                if mode and links:
                    found.add((first + i,
                               struct.unpack_from("<I", inode, 100)[0]))
        return found
