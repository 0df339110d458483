/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * repair.c - redo the checksums of damaged blocks
 *
 * A reader refuses the first block with a wrong checksum, so an input would not
 * get far.  Each damaged block gets the right checksums for its new content,
 * bottom up: a bitmap's are in a group descriptor, a copy's in a descriptor of
 * the log.  No code here comes from libe2lazy.
 */
#include <stdlib.h>
#include <string.h>

#include "template.h"

/* ------------------------------------------------------ the file system */

static uint8_t *bytes_of(const struct part *p)
{
	return p->device->bytes + (size_t)p->block * p->device->blocksize;
}

static bool is_dirty(const struct part *p)
{
	return p->device->dirty[p->block] &&
	       (size_t)(p->block + 1) * p->device->blocksize <=
	       p->device->size;
}

/* Where the descriptor of a group stands in a part with descriptors. */
static uint8_t *find_desc(const struct template *t, const struct part *p,
			  dgrp_t group)
{
	unsigned size = EXT2_DESC_SIZE(t->mkj.img.fs->super);
	unsigned per_block = t->bs / size;

	if (group < p->group || group - p->group >= per_block)
		return NULL;
	return bytes_of(p) + (group - p->group) * size;
}

/* A bitmap's sum is crc32c(seed, bytes in use), stored in two halves. */
static void repair_bitmap(struct template *t, const struct part *bitmap)
{
	ext2_filsys fs = t->mkj.img.fs;
	bool inodes = bitmap->kind == PART_INODE_BITMAP;
	unsigned bits = inodes ? fs->super->s_inodes_per_group :
				 fs->super->s_clusters_per_group;
	uint32_t crc = ext2fs_crc32c_le(fs->csum_seed, bytes_of(bitmap),
					bits / 8);

	for (size_t i = t->first[PART_DESC]; i < t->first[PART_DESC + 1]; i++) {
		struct part *p = &t->parts[i];
		uint8_t *desc = find_desc(t, p, bitmap->group);

		if (!desc || p->logged != bitmap->logged)
			continue;
		device_block(p->device, p->block);
		put_le16(desc + (inodes ? 0x1a : 0x18), crc);
		if (EXT2_DESC_SIZE(fs->super) >= 64)
			put_le16(desc + (inodes ? 0x3a : 0x38), crc >> 16);
	}
}

/* libext2fs sums up the descriptor that it holds itself. */
static void repair_descs(struct template *t, const struct part *p)
{
	ext2_filsys fs = t->mkj.img.fs;
	unsigned size = EXT2_DESC_SIZE(fs->super);
	uint8_t before[1024];

	for (dgrp_t g = p->group; g < fs->group_desc_count; g++) {
		uint8_t *desc = find_desc(t, p, g);
		void *own = ext2fs_group_desc(fs, fs->group_desc, g);

		if (!desc)
			break;
		memcpy(before, own, size);
		memcpy(own, desc, size);
		ext2fs_group_desc_csum_set(fs, g);
		memcpy(desc, own, size);
		memcpy(own, before, size);
	}
}

static void repair_inodes(struct template *t, const struct part *p)
{
	ext2_filsys fs = t->mkj.img.fs;
	unsigned size = EXT2_INODE_SIZE(fs->super);

	for (unsigned i = 0; i < t->bs / size; i++)
		ext2fs_inode_csum_set(fs, p->ino + i,
				      (void *)(bytes_of(p) + i * size));
}

/* libext2fs puts the sum wherever the block says that its entries end. */
static bool holds_its_tail(const struct template *t, const uint8_t *node)
{
	return 12 + 12 * (node[4] | node[5] << 8) + 4 <= (int)t->bs;
}

static void repair_part(struct template *t, const struct part *p)
{
	ext2_filsys fs = t->mkj.img.fs;
	uint8_t *bytes = bytes_of(p);

	switch (p->kind) {
	case PART_SUPER:
		ext2fs_superblock_csum_set(fs, (void *)(bytes +
				(t->bs > SUPERBLOCK_OFFSET ?
				 SUPERBLOCK_OFFSET : 0)));
		break;
	case PART_DESC:
		repair_descs(t, p);
		break;
	case PART_INODES:
		repair_inodes(t, p);
		break;
	case PART_DIRECTORY:
		ext2fs_dir_block_csum_set(fs, p->ino, (void *)bytes);
		break;
	case PART_EXTENT:
		if (holds_its_tail(t, bytes))
			ext2fs_extent_block_csum_set(fs, p->ino,
						     (void *)bytes);
		break;
	case PART_XATTR:
		ext2fs_ext_attr_block_csum_set(fs, p->ino, p->fsblk,
					       (void *)bytes);
		break;
	default:
		break;
	}
}

void repair_fs(struct template *t)
{
	size_t i;

	if (ext2fs_has_feature_metadata_csum(t->mkj.img.fs->super))
		for (i = t->first[PART_BLOCK_BITMAP];
		     i < t->first[PART_INODE_BITMAP + 1]; i++)
			if (is_dirty(&t->parts[i]))
				repair_bitmap(t, &t->parts[i]);
	for (i = t->first[PART_SUPER]; i < t->nr_parts; i++)
		if (is_dirty(&t->parts[i]))
			repair_part(t, &t->parts[i]);
}

/* --------------------------------------------------------------- the log */

static uint8_t *log_bytes(const struct template *t, uint32_t logblk)
{
	return t->log->bytes + (size_t)t->log_at[logblk] * t->bs;
}

static bool log_dirty(const struct template *t, uint32_t logblk)
{
	return t->log->dirty[t->log_at[logblk]];
}

/* Take the form of the log from its superblock, within the ring. */
void repair_format(struct template *t)
{
	struct format *f = &t->mkj.fmt;
	const uint8_t *jsb = log_bytes(t, t->mkj.img.jsb_log);
	uint32_t incompat = get_be32(jsb + JSB_INCOMPAT);
	uint32_t fc = get_be32(jsb + JSB_FC_BLOCKS);

	f->version = get_be32(jsb + 4) == JB_SUPER_V1 ? 1 : 2;
	if (f->version == 1)
		incompat = 0;
	f->is64 = incompat & JSB_INCOMPAT_64BIT;
	f->csum = incompat & JSB_INCOMPAT_CSUM_V3 ? CSUM_V3 :
		  incompat & JSB_INCOMPAT_CSUM_V2 ? CSUM_V2 :
		  f->version == 2 && (get_be32(jsb + JSB_COMPAT) &
				      JSB_COMPAT_CHECKSUM) ? CSUM_V1 :
		  CSUM_NONE;
	f->tag_bytes = f->csum == CSUM_V3 ? 16 :
		       8 + (f->is64 ? 4 : 0) + (f->csum == CSUM_V2 ? 2 : 0);
	f->tail = f->csum >= CSUM_V2 ? 4 : 0;
	memcpy(f->uuid, jsb + JSB_UUID, sizeof(f->uuid));
	f->seed = ext2fs_crc32c_le(~0U, f->uuid, sizeof(f->uuid));
	f->maxlen = get_be32(jsb + JSB_MAXLEN);
	f->first = get_be32(jsb + JSB_FIRST);
	if (f->maxlen > t->log_blocks || f->maxlen <= t->mkj.img.jsb_log + 1)
		f->maxlen = t->log_blocks;
	if (f->first >= f->maxlen)
		f->first = t->mkj.img.jsb_log + 1;
	f->end = f->maxlen;
	if (incompat & JSB_INCOMPAT_FC) {
		fc = fc ? fc : JSB_DEFAULT_FC_BLOCKS;
		if (fc < f->maxlen - f->first)
			f->end -= fc;
	}
}

uint32_t repair_next(const struct template *t, uint32_t logblk)
{
	return logblk + 1 >= t->mkj.fmt.end ? t->mkj.fmt.first : logblk + 1;
}

void repair_tags(const struct template *t, uint8_t *block, struct tags *tags)
{
	const struct format *f = &t->mkj.fmt;
	unsigned at = JB_HEADER;

	tags->count = 0;
	while (at + f->tag_bytes <= t->bs - f->tail && tags->count < 512) {
		unsigned flags = get_be16(block + at + TAG_FLAGS);

		tags->tag[tags->count] = block + at;
		tags->fsblk[tags->count++] = get_be32(block + at);
		at += f->tag_bytes;
		if (!(flags & TAG_SAME_UUID))
			at += TAG_UUID_BYTES;
		if (flags & TAG_LAST)
			break;
	}
}

/* v1: one sum for all descriptors and copies of a transaction. */
struct open_txn {
	uint32_t	at[4096];	/* its descriptors */
	unsigned	count;
	bool		dirty;
};

static void begin_txn(struct open_txn *txn)
{
	txn->count = 0;
	txn->dirty = false;
}

static void note_descriptor(const struct template *t, uint32_t logblk,
			    unsigned copies, struct open_txn *txn)
{
	uint32_t at = logblk;

	if (txn->count < sizeof(txn->at) / sizeof(*txn->at))
		txn->at[txn->count++] = logblk;
	txn->dirty |= log_dirty(t, logblk) ||
		      log_dirty(t, t->mkj.img.jsb_log);
	while (copies--) {
		at = repair_next(t, at);
		txn->dirty |= log_dirty(t, at);
	}
}

static uint32_t sum_txn(struct template *t, const struct open_txn *txn)
{
	uint32_t sum = ~0U;
	struct tags tags;

	for (unsigned n = 0; n < txn->count; n++) {
		uint32_t at = txn->at[n];

		repair_tags(t, log_bytes(t, at), &tags);
		sum = sums_add(t, SUM_V1, sum, at);
		for (unsigned i = 0; i < tags.count; i++) {
			at = repair_next(t, at);
			sum = sums_add(t, SUM_V1, sum, at);
		}
	}
	return sum;
}

/* The copies that a descriptor at @logblk has, and then its own checksum. */
static void repair_descriptor(struct template *t, uint32_t logblk,
			      struct open_txn *txn)
{
	const struct format *f = &t->mkj.fmt;
	uint8_t *block = log_bytes(t, logblk);
	uint32_t state = ext2fs_crc32c_le(f->seed, block + 8, 4);
	bool dirty = log_dirty(t, logblk);
	uint32_t at = logblk;
	struct tags tags;

	repair_tags(t, block, &tags);
	if (f->csum == CSUM_V1)
		note_descriptor(t, logblk, tags.count, txn);
	for (unsigned i = 0; i < tags.count; i++) {
		at = repair_next(t, at);
		if (f->csum < CSUM_V2 || !(dirty || log_dirty(t, at)))
			continue;
		block = device_block(t->log, t->log_at[logblk]);
		store_tag_csum(f, tags.tag[i],
			       sums_add(t, SUM_CRC32C, state, at));
	}
	if (log_dirty(t, logblk))
		seal_block(&t->mkj, block, f->seed);
}

static void repair_commit(struct template *t, uint32_t logblk,
			  const struct open_txn *txn)
{
	uint8_t *block;

	if (t->mkj.fmt.csum == CSUM_V1) {
		if (!txn->dirty && !log_dirty(t, logblk) &&
		    !log_dirty(t, t->mkj.img.jsb_log))
			return;
		block = device_block(t->log, t->log_at[logblk]);
		block[JB_COMMIT_TYPE] = 1;
		block[JB_COMMIT_SIZE] = 4;
		put_be32(block + JB_COMMIT_CSUM, sum_txn(t, txn));
	} else if (log_dirty(t, logblk)) {
		seal_block(&t->mkj, log_bytes(t, logblk), t->mkj.fmt.seed);
	}
}

static void repair_jsb(struct template *t)
{
	uint8_t *jsb = log_bytes(t, t->mkj.img.jsb_log);

	if (!log_dirty(t, t->mkj.img.jsb_log) || t->mkj.fmt.csum < CSUM_V2)
		return;
	put_be32(jsb + JSB_CSUM, 0);
	put_be32(jsb + JSB_CSUM, ext2fs_crc32c_le(~0U, jsb, JSB_BYTES));
}

static bool has_magic(const struct template *t, uint32_t logblk)
{
	return get_be32(log_bytes(t, logblk)) == JB_MAGIC;
}

void repair_prepare(struct template *t)
{
	t->is_control = calloc(t->log_blocks, sizeof(*t->is_control));
	if (!t->is_control)
		abort();
	for (uint32_t at = 0; at < t->log_blocks; at++)
		t->is_control[at] = has_magic(t, at);
}

/* Every input asks this about every block of the ring. */
static bool is_control(const struct template *t, uint32_t logblk)
{
	return log_dirty(t, logblk) ? has_magic(t, logblk) :
				      t->is_control[logblk];
}

/* A block of the ring is of the type that its header names. */
void repair_log(struct template *t)
{
	const struct format *f = &t->mkj.fmt;
	struct open_txn txn;
	uint32_t at;

	if (t->log->size != t->log->loaded)
		return;
	begin_txn(&txn);
	repair_format(t);
	repair_jsb(t);
	at = get_be32(log_bytes(t, t->mkj.img.jsb_log) + JSB_START);
	if (at < f->first || at >= f->end)
		at = f->first;
	for (uint32_t n = f->end - f->first; n; n--) {
		if (is_control(t, at)) {
			uint32_t type = get_be32(log_bytes(t, at) + 4);

			if (type == JB_DESCRIPTOR)
				repair_descriptor(t, at, &txn);
			else if (type == JB_COMMIT)
				repair_commit(t, at, &txn);
			else if (log_dirty(t, at))
				seal_block(&t->mkj, log_bytes(t, at), f->seed);
			if (type == JB_COMMIT)
				begin_txn(&txn);
		}
		at = repair_next(t, at);
	}
}
