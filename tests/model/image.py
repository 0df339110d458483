# SPDX-License-Identifier: GPL-2.0-only
"""Where the journal of an ext4 image lies: superblock, inode, block map."""

import struct

JOURNAL_DEV = 0x8               # s_feature_incompat
RECOVER = 0x4
FS_64BIT = 0x80
EXTENTS_FL = 0x80000
EXTENT_MAGIC = 0xf30a
SB_MAGIC = 0xef53
LEAST_BLOCKS = 1024             # of any journal


class Unusable(Exception):
    """No journal can be read; the text says why.

    finding: what e2lazyck finds, where it is damage of the disk
    """

    def __init__(self, why, finding=None):
        super().__init__(why)
        self.finding = finding


class Super:
    """An ext4 superblock's fields, as far as the journal needs them."""

    def __init__(self, raw):
        def le16(at):
            return struct.unpack_from('<H', raw, at)[0]

        def le32(at):
            return struct.unpack_from('<I', raw, at)[0]

        if len(raw) < 1024 or le16(0x38) != SB_MAGIC:
            raise Unusable('no ext4 superblock')
        self.block_size = 1024 << le32(0x18)
        self.first_block = le32(0x14)
        self.blocks_per_group = le32(0x20)
        self.inodes_per_group = le32(0x28)
        self.inode_size = le16(0x58)
        self.has_journal = bool(le32(0x5c) & 4)
        incompat = le32(0x60)
        self.is_journal_device = bool(incompat & JOURNAL_DEV)
        self.needs_recovery = bool(incompat & RECOVER)
        wide = bool(incompat & FS_64BIT)
        self.blocks = le32(0x4) | (le32(0x150) << 32 if wide else 0)
        self.desc_size = le16(0xfe) if wide else 32
        self.sparse = bool(le32(0x64) & 1)
        self.uuid = raw[0x68:0x78]
        self.journal_uuid = raw[0xd0:0xe0]
        self.journal_inode = le32(0xe0)
        self.journal_device = le32(0xe4)
        self.made = le32(0x108) | raw[0x276] << 32
        self.mounted = le32(0x2c) | raw[0x275] << 32
        self.backup = raw[0x10c:0x10c + 68] if raw[0xfd] == 1 else None


    def _has_backup(self, group):
        if not self.sparse or group == 1:
            return True
        for base in (3, 5, 7):
            power = base
            while power < group:
                power *= base
            if power == group:
                return True
        return False

    def is_backup(self, fsblk):
        """Does it hold a backup of the superblock or of group descriptors?"""
        group, offset = divmod(fsblk - self.first_block,
                               self.blocks_per_group)
        groups = -(-(self.blocks - self.first_block) // self.blocks_per_group)
        descs = -(-groups * self.desc_size // self.block_size)
        return group > 0 and self._has_backup(group) and offset <= descs


class Image:
    """A file that is read by blocks; a block beyond its end is an error."""

    def __init__(self, path):
        self.file = open(path, 'rb')
        self.super = Super(self.bytes_at(1024, 1024))
        self.block_size = self.super.block_size

    def close(self):
        self.file.close()

    def bytes_at(self, offset, size):
        self.file.seek(offset)
        data = self.file.read(size)
        if len(data) != size:
            raise Unusable(f'byte {offset} is beyond the end')
        return data

    def block(self, number):
        return self.bytes_at(number * self.block_size, self.block_size)

    def inode(self, number):
        s = self.super
        group, index = divmod(number - 1, s.inodes_per_group)
        table = (s.first_block + 1) * s.block_size + group * s.desc_size
        desc = self.bytes_at(table, s.desc_size)
        at = struct.unpack_from('<I', desc, 0x8)[0]
        if s.desc_size >= 64:
            at |= struct.unpack_from('<I', desc, 0x28)[0] << 32
        return self.bytes_at(at * s.block_size + index * s.inode_size,
                             s.inode_size)


class BlockMap:
    """The blocks of one file in order: `data`, and `nodes` of the map."""

    def __init__(self, image, i_block, count):
        self.image = image
        self.data = []
        self.nodes = []
        self.count = count
        if struct.unpack_from('<H', i_block)[0] == EXTENT_MAGIC:
            self._extents(i_block)
        else:
            pointers = struct.unpack('<15I', i_block)
            self.data += pointers[:12]
            for level, pointer in enumerate(pointers[12:]):
                self._indirect(pointer, level)
        self.data = self.data[:count]
        if len(self.data) < count or 0 in self.data:
            raise Unusable('the journal has holes', 'journal-map')

    def _extents(self, node):
        magic, entries, _, depth = struct.unpack_from('<4H', node)
        if magic != EXTENT_MAGIC or 12 + 12 * entries > len(node):
            raise Unusable('bad node of the extent tree', 'journal-map')
        for i in range(entries):
            entry = node[12 + 12 * i:24 + 12 * i]
            if depth:
                _, low, high = struct.unpack_from('<IIH', entry)
                block = low | high << 32
                self.nodes.append(block)
                self._extents(self.image.block(block))
                continue
            logical, length, high, low = struct.unpack('<IHHI', entry)
            if logical != len(self.data):
                raise Unusable('the journal has holes', 'journal-map')
            start = low | high << 32
            self.data += range(start, start + length)

    def _indirect(self, block, level):
        if len(self.data) >= self.count or not block:
            return
        self.nodes.append(block)
        raw = self.image.block(block)
        pointers = struct.unpack(f'<{len(raw) // 4}I', raw)
        if level == 0:
            self.data += pointers
            return
        for pointer in pointers:
            self._indirect(pointer, level - 1)


def _inode_map(image, inode):
    mode, = struct.unpack_from('<H', inode, 0)
    links, = struct.unpack_from('<H', inode, 0x1a)
    low, = struct.unpack_from('<I', inode, 4)
    high, = struct.unpack_from('<I', inode, 0x6c)
    if mode >> 12 != 8 or not links:
        raise Unusable('the journal inode is no file', 'journal-inode')
    blocks = (low | high << 32) // image.block_size
    if blocks < LEAST_BLOCKS:
        raise Unusable('the journal is too short', 'journal-inode')
    return BlockMap(image, inode[0x28:0x64], blocks)


def _backup_map(image):
    """s_jnl_blocks: i_block, i_size_high, i_size; without the inode's flags"""
    backup = image.super.backup
    if not backup:
        raise Unusable('no backup of the journal inode')
    high, low = struct.unpack_from('<2I', backup, 60)
    return BlockMap(image, backup[:60],
                    (low | high << 32) // image.block_size)


class Place:
    """Where the log blocks are: `image` holds them, `physical[logblk]`."""

    def __init__(self, fs, journal_path):
        self.external = any(fs.super.journal_uuid) and \
            not fs.super.journal_inode
        self.from_backup = False
        self.own_blocks = set()
        if not fs.super.has_journal:
            raise Unusable('the file system has no journal')
        if fs.super.journal_inode and fs.super.journal_device:
            raise Unusable('both an inode and a device are named',
                           'journal-ambiguous')
        if self.external:
            self._device(fs, journal_path)
            return
        if not fs.super.journal_inode:
            raise Unusable('no journal is named', 'journal-inode')
        self.image = fs
        try:
            where = _inode_map(fs, fs.inode(fs.super.journal_inode))
        except Unusable as why:
            try:
                where = _backup_map(fs)
            except Unusable:
                raise why from None
            self.from_backup = True
        self.physical = where.data
        self.super_block = 0
        self.own_blocks = set(where.data + where.nodes)

    def _device(self, fs, path):
        if not path:
            raise Unusable('the journal device is not given')
        self.image = device = Image(path)
        s = device.super
        if not s.is_journal_device:
            raise Unusable('not a journal', 'external-magic')
        if s.uuid != fs.super.journal_uuid:
            raise Unusable('not the journal of this file system',
                           'external-foreign')
        if s.block_size != fs.block_size:
            raise Unusable('the journal has another block size',
                           'journal-block-size')
        self.physical = range(s.blocks)
        self.super_block = 2 if s.block_size == 1024 else 1
