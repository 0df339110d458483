/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * group.c - decodes group descriptors and bitmaps
 */
#include "field.h"

/* A descriptor of 32 bytes has only the lower parts. */
static const struct field_line descriptor_table[] = {
	SPLIT("block_bitmap", 0x00, 4, NUMBER, 0x20, 4),
	SPLIT("inode_bitmap", 0x04, 4, NUMBER, 0x24, 4),
	SPLIT("inode_table", 0x08, 4, NUMBER, 0x28, 4),
	SPLIT("free_blocks", 0x0c, 2, NUMBER, 0x2c, 2),
	SPLIT("free_inodes", 0x0e, 2, NUMBER, 0x2e, 2),
	SPLIT("directories", 0x10, 2, NUMBER, 0x30, 2),
	SPLIT("unused_inodes", 0x1c, 2, NUMBER, 0x32, 2),
	WHOLE("flags", 0x12, 2, HEX),
	SPLIT("block_bitmap_checksum", 0x18, 2, HEX, 0x38, 2),
	SPLIT("inode_bitmap_checksum", 0x1a, 2, HEX, 0x3a, 2),
	WHOLE("checksum", 0x1e, 2, HEX),
	{ 0 }
};

/* The first group in a block of descriptors. */
static dgrp_t first_group(const struct decode_block *b)
{
	unsigned per_block = EXT2_DESC_PER_BLOCK(b->fs->super);
	dgrp_t group = b->place.group;
	blk64_t old;

	ext2fs_super_and_bgd_loc2(b->fs, group, NULL, &old, NULL, NULL);
	if (old && b->fsblk >= old)
		return (dgrp_t)(b->fsblk - old) * per_block;
	return group - group % per_block;	/* meta_bg: each its own */
}

void decode_descriptors(struct decoded *d, const struct decode_block *b)
{
	size_t size = EXT2_DESC_SIZE(b->fs->super);
	dgrp_t group = first_group(b);

	for (size_t at = 0; at + size <= b->fs->blocksize &&
			    group < b->fs->group_desc_count;
	     at += size, group++) {
		begin_record(d, "group %u", group);
		put_table(d, descriptor_table, b->bytes + at, size);
	}
}

/* The bits of a bitmap, and the numbers of their blocks or inodes. */
struct bits {
	unsigned	count;
	uint64_t	first;		/* number of bit 0 */
	unsigned	each;		/* numbers per bit */
	uint64_t	last;		/* the last valid number */
};

static bool test(const uint8_t *bitmap, unsigned bit)
{
	return bitmap[bit / 8] >> bit % 8 & 1;
}

static unsigned count_set(const uint8_t *bitmap, unsigned bits)
{
	unsigned set = 0;

	for (unsigned bit = 0; bit < bits; bit++)
		set += test(bitmap, bit);
	return set;
}

static void put_run(struct decoded *d, const struct bits *bits,
		    unsigned begin, unsigned end)
{
	uint64_t first = bits->first + (uint64_t)begin * bits->each;
	uint64_t last = bits->first + (uint64_t)end * bits->each - 1;

	if (last > bits->last)	/* a cluster may reach beyond the end */
		last = bits->last;
	if (first == last)
		begin_brief(d, "used %llu", (unsigned long long)first);
	else
		begin_brief(d, "used %llu-%llu", (unsigned long long)first,
			    (unsigned long long)last);
	put_number(d, "first", first);
	in_label(d);
	put_number(d, "last", last);
	in_label(d);
}

static void put_bitmap(struct decoded *d, const struct decode_block *b,
		       const struct bits *bits)
{
	unsigned used = count_set(b->bytes, bits->count), begin, bit = 0;

	put_number(d, "used", used);
	put_number(d, "free", bits->count - used);
	while (bit < bits->count) {
		begin = bit;
		while (bit < bits->count && test(b->bytes, bit) &&
		       !(b->other && test(b->other, bit)))
			bit++;
		if (bit > begin)
			put_run(d, bits, begin, bit);
		else
			bit++;
	}
}

/* At most the bits of the block, whatever the superblock says. */
static unsigned bounded(const struct decode_block *b, uint64_t bits)
{
	return bits < b->fs->blocksize * 8 ? (unsigned)bits
					   : b->fs->blocksize * 8;
}

void decode_block_bitmap(struct decoded *d, const struct decode_block *b)
{
	dgrp_t group = b->place.group;
	struct bits bits = {
		.first = ext2fs_group_first_block2(b->fs, group),
		.last = ext2fs_group_last_block2(b->fs, group),
		.each = EXT2FS_CLUSTER_RATIO(b->fs),
	};

	if (bits.last < bits.first)
		bits.last = bits.first;
	bits.count = bounded(b, (bits.last - bits.first) / bits.each + 1);
	begin_record(d, "block bitmap of group %u", group);
	put_bitmap(d, b, &bits);
}

void decode_inode_bitmap(struct decoded *d, const struct decode_block *b)
{
	unsigned inodes = EXT2_INODES_PER_GROUP(b->fs->super);
	dgrp_t group = b->place.group;
	struct bits bits = {
		.count = bounded(b, inodes),
		.first = (uint64_t)group * inodes + 1,
		.last = (uint64_t)(group + 1) * inodes,
		.each = 1,
	};

	begin_record(d, "inode bitmap of group %u", group);
	put_bitmap(d, b, &bits);
}
