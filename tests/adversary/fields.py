# SPDX-License-Identifier: GPL-2.0-only
"""Every number in the superblocks that describes the log.

(name, offset, bytes), big-endian in the journal's blocks, little-endian in
the ext4 superblock.
"""

JOURNAL_SUPER = [
    ('magic', 0x0, 4), ('type', 0x4, 4), ('blocksize', 0xc, 4),
    ('maxlen', 0x10, 4), ('first', 0x14, 4), ('sequence', 0x18, 4),
    ('start', 0x1c, 4), ('errno', 0x20, 4), ('compat', 0x24, 4),
    ('incompat', 0x28, 4), ('ro_compat', 0x2c, 4), ('uuid', 0x30, 4),
    ('nr_users', 0x40, 4), ('csum_type', 0x50, 1), ('num_fc', 0x54, 4),
    ('head', 0x58, 4), ('csum', 0xfc, 4), ('users', 0x100, 4),
]
# How a log is entered is asked more often.
ENTRY = ('sequence', 'start')

# The fields of ext4's superblock that concern the journal.
FS_SUPER = [
    ('feature_compat', 0x5c, 4), ('feature_incompat', 0x60, 4),
    ('uuid', 0x68, 4), ('journal_uuid', 0xd0, 4), ('journal_inum', 0xe0, 4),
    ('journal_dev', 0xe4, 4), ('last_orphan', 0xe8, 4),
    ('jnl_backup_type', 0xfd, 1), ('mkfs_time', 0x108, 4),
    ('jnl_blocks', 0x10c, 4), ('jnl_blocks_15', 0x148, 4),
    ('jnl_blocks_16', 0x14c, 4), ('csum_seed', 0x270, 4),
    ('state', 0x3a, 2), ('checksum', 0x3fc, 4),
]

HEADER = [('magic', 0x0, 4), ('type', 0x4, 4), ('tid', 0x8, 4)]
REVOKE = HEADER + [('r_count', 0xc, 4), ('first record', 0x10, 4),
                   ('a record', 0x18, 4)]
COMMIT = HEADER + [('chksum_type', 0xc, 1), ('chksum_size', 0xd, 1),
                   ('chksum', 0x10, 4), ('sec', 0x30, 8), ('sec low', 0x34, 4),
                   ('nsec', 0x38, 4)]


def tag(journal, index):
    """Fields of a descriptor's tag; index 0 has a UUID behind it."""
    size = journal.tag_bytes()
    at = 12 + index * size + (16 if index else 0)
    fields = [('blocknr', at, 4), ('flags', at + 6, 2)]
    if journal.wide or journal.csum == 3:
        fields.append(('high', at + 8, 4))
    if journal.csum == 2:
        fields.append(('csum', at + 4, 2))
    elif journal.csum == 3:
        fields.append(('csum', at + 12, 4))
    return fields


def tail(block_size):
    return [('tail', block_size - 4, 4)]


def wrong(rng, value, size):
    """Another value of @size bytes: a bit flipped, or one on some edge."""
    top = (1 << 8 * size) - 1
    while True:
        new = rng.choice([
            value ^ 1 << rng.randrange(8 * size),
            value ^ 1 << rng.randrange(8 * size),
            value + rng.choice([-2, -1, 1, 2, 100, -100]),
            rng.choice([0, 1, 2, 255, 1023, 1024, top, top - 1, top >> 1,
                        (top >> 1) + 1]),
            rng.randrange(top + 1), value << 1, value >> 1]) & top
        if new != value:
            return new
