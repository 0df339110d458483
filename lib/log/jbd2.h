/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * jbd2.h - the format of a log block, by offset
 *
 * The installed headers of libext2fs have no jbd2 structures, and tags may be
 * unaligned.  So these functions fetch every field, big-endian, from its
 * offset.  Source: Linux include/linux/jbd2.h and
 * fs/jbd2/{recovery,commit,revoke}.c.
 */
#ifndef E2LAZY_JBD2_H
#define E2LAZY_JBD2_H

#include "e2lazy.h"
#include "io/bytes.h"

#define JBD2_MAGIC		0xC03B3998U
#define JBD2_HEADER_BYTES	12	/* magic, type, tid: each be32 */
#define JBD2_ESCAPED_BYTES	4	/* of a copy, stored as zeros */
#define JBD2_SUPER_BYTES	1024
#define JBD2_MIN_BLOCKS		1024	/* the limit of fs/jbd2/journal.c */
#define JBD2_DEFAULT_FC_BLOCKS	256	/* if s_num_fc_blks is 0 */

enum jbd2_type {
	JBD2_DESCRIPTOR	= 1,
	JBD2_COMMIT	= 2,
	JBD2_SUPER_V1	= 3,
	JBD2_SUPER_V2	= 4,
	JBD2_REVOKE	= 5,
};

/* Offsets in the journal superblock. */
enum {
	JSB_BLOCKSIZE	= 0x0c,
	JSB_MAXLEN	= 0x10,
	JSB_FIRST	= 0x14,
	JSB_SEQUENCE	= 0x18,
	JSB_START	= 0x1c,
	JSB_ERRNO	= 0x20,
	JSB_COMPAT	= 0x24,
	JSB_INCOMPAT	= 0x28,
	JSB_RO_COMPAT	= 0x2c,
	JSB_UUID	= 0x30,
	JSB_NR_USERS	= 0x40,
	JSB_CSUM_TYPE	= 0x50,
	JSB_NUM_FC	= 0x54,
	JSB_HEAD	= 0x58,
	JSB_LAZY	= 0xe0,	/* the record of a lazy log, 28 bytes */
	JSB_CHECKSUM	= 0xfc,
	JSB_USERS	= 0x100,	/* UUIDs, as many as JSB_NR_USERS */
};

#define JSB_MAX_USERS		48

/* Offsets in a commit block; its header is 64 bytes long. */
enum {
	COMMIT_CSUM_TYPE	= 0x0c,
	COMMIT_CSUM_SIZE	= 0x0d,
	COMMIT_CSUM		= 0x10,
	COMMIT_LAZY		= 0x14,	/* the mark of a lazy kernel, 16 bytes */
	COMMIT_SEC		= 0x30,
	COMMIT_NSEC		= 0x38,
	COMMIT_HEADER_BYTES	= 0x40,
};

struct jbd2_header {
	uint32_t	type;
	uint32_t	tid;
};

/* False if the block does not begin with the magic. */
static inline bool jbd2_get_header(const uint8_t *block, struct jbd2_header *h)
{
	if (get_be32(block) != JBD2_MAGIC)
		return false;
	h->type = get_be32(block + 4);
	h->tid = get_be32(block + 8);
	return true;
}

/* The same, and of one of the three kinds that a transaction consists of? */
static inline bool jbd2_get_control(const uint8_t *block, struct jbd2_header *h)
{
	return jbd2_get_header(block, h) &&
	       (h->type == JBD2_DESCRIPTOR || h->type == JBD2_COMMIT ||
		h->type == JBD2_REVOKE);
}

/*
 * The magic, inverted.  A checkpoint that drops the last transactions writes it
 * into the first block of theirs: so each replay ends there, and nothing else
 * of the block is lost.
 */
#define JBD2_CUT_OFF		(~JBD2_MAGIC)

/* Does transaction @tid begin with this block, or did it before a cut? */
static inline bool jbd2_begins(const uint8_t *block, uint32_t tid,
			       bool *is_cut_off)
{
	*is_cut_off = get_be32(block) == JBD2_CUT_OFF;
	return (*is_cut_off || get_be32(block) == JBD2_MAGIC) &&
	       get_be32(block + 8) == tid;
}

/* The sizes that the features imply. */
struct jbd2_format {
	unsigned	blocksize;
	unsigned	tag_bytes;
	unsigned	record_bytes;	/* of a revoke record */
	unsigned	tail_bytes;	/* checksum at the end of a block */
	bool		is_64bit;
	enum e2lazy_csum csum;
};

/*
 * jbd2 sizes a v2 tag two bytes too large, a mistake that became the format.
 * A v3 tag always has 16 bytes; its high word counts under 64BIT only.
 */
static inline void jbd2_format_init(struct jbd2_format *f, unsigned blocksize,
				    enum e2lazy_csum csum, bool is_64bit)
{
	f->blocksize = blocksize;
	f->csum = csum;
	f->is_64bit = is_64bit;
	f->record_bytes = is_64bit ? 8 : 4;
	f->tail_bytes = csum >= E2LAZY_CSUM_V2 ? 4 : 0;
	if (csum == E2LAZY_CSUM_V3)
		f->tag_bytes = 16;
	else
		f->tag_bytes = 8 + (is_64bit ? 4 : 0) +
			       (csum == E2LAZY_CSUM_V2 ? 2 : 0);
}

/* How many tags fit a descriptor, the first one followed by its UUID. */
static inline unsigned jbd2_max_tags(const struct jbd2_format *f)
{
	return (f->blocksize - JBD2_HEADER_BYTES - f->tail_bytes - 16) /
	       f->tag_bytes;
}

enum {
	TAG_ESCAPED	= 1,
	TAG_SAME_UUID	= 2,
	TAG_DELETED	= 4,
	TAG_LAST	= 8,
};

struct jbd2_tag {
	blk64_t		fsblk;
	uint32_t	flags;
	uint32_t	csum;		/* v2: 16 bits, v3: 32 */
};

/* A position among the tags of a descriptor, or the records of a revoke. */
struct jbd2_cursor {
	const uint8_t	*block;
	unsigned	pos;		/* bytes */
	unsigned	end;		/* bytes; no item goes past it */
};

static inline void jbd2_first_tag(struct jbd2_cursor *c, const uint8_t *block,
				  const struct jbd2_format *f)
{
	c->block = block;
	c->pos = JBD2_HEADER_BYTES;
	c->end = f->blocksize - f->tail_bytes;
}

/*
 * Out of line: a compiler that sees both cases makes the place of each tag wait
 * for the flags of the one before, and counting them takes three times as long.
 */
static __attribute__((noinline, cold, unused))
unsigned jbd2_behind_rare_tag(unsigned pos, unsigned end, uint32_t flags)
{
	if (!(flags & TAG_SAME_UUID))
		pos += 16;
	return flags & TAG_LAST ? end : pos;
}

/*
 * False after the last tag.  The kernel marks the last tag of every descriptor.
 * debugfs marks it in the last descriptor only, so a full descriptor ends by
 * its size.  Sixteen bytes of UUID follow a tag without SAME_UUID; both writers
 * leave them zero, and this reader skips them.
 */
static inline bool jbd2_next_tag(struct jbd2_cursor *c, struct jbd2_tag *tag,
				 const struct jbd2_format *f)
{
	const uint8_t *p = c->block + c->pos;

	if (c->pos + f->tag_bytes > c->end)
		return false;
	tag->fsblk = get_be32(p);
	if (f->is_64bit)
		tag->fsblk |= (blk64_t)get_be32(p + 8) << 32;
	tag->flags = get_be16(p + 6);
	tag->csum = f->csum == E2LAZY_CSUM_V3 ? get_be32(p + 12) :
						get_be16(p + 4);
	c->pos += f->tag_bytes;
	if ((tag->flags & (TAG_SAME_UUID | TAG_LAST)) != TAG_SAME_UUID)
		c->pos = jbd2_behind_rare_tag(c->pos, c->end, tag->flags);
	return true;
}

/* Number of copies behind a descriptor. */
static inline uint32_t jbd2_count_tags(const uint8_t *block,
				       const struct jbd2_format *f)
{
	struct jbd2_cursor c;
	struct jbd2_tag tag;
	uint32_t n = 0;

	jbd2_first_tag(&c, block, f);
	while (jbd2_next_tag(&c, &tag, f))
		n++;
	return n;
}

/*
 * debugfs stores a commit block's 32-bit time in the high half of the field; so a
 * time whose low half is 0 comes from debugfs.
 */
static inline bool jbd2_is_debugfs_time(uint64_t stored)
{
	return (uint32_t)stored == 0;
}

/*
 * Commit blocks have had a time since 2008.  fs/jbd, the driver of ext3 until
 * Linux 4.2, leaves that place as the memory was: zeros mostly.
 */
#define JBD2_FIRST_TIME	1199145600u	/* 2008-01-01 */
#define JBD2_LAST_TIME	0x37fffffffu	/* the last one an inode can have */

/*
 * A commit block's time, or 0 and 0 if it has none, or one that cannot be.  What
 * is not known proves nothing: no reader may take 0 for a time.
 */
static inline void jbd2_commit_time(const uint8_t *block, uint64_t *sec,
				    uint32_t *nsec)
{
	uint64_t stored = get_be64(block + COMMIT_SEC);

	*sec = jbd2_is_debugfs_time(stored) ? stored >> 32 : stored;
	*nsec = get_be32(block + COMMIT_NSEC);
	if (*sec < JBD2_FIRST_TIME || *sec > JBD2_LAST_TIME ||
	    *nsec > 999999999)
		*sec = *nsec = 0;
}

/* False if r_count claims more bytes than the block has. */
static inline bool jbd2_first_revoke(struct jbd2_cursor *c,
				     const uint8_t *block,
				     const struct jbd2_format *f)
{
	c->block = block;
	c->pos = JBD2_HEADER_BYTES + 4;
	c->end = get_be32(block + JBD2_HEADER_BYTES);
	return c->end <= f->blocksize - f->tail_bytes;
}

static inline bool jbd2_next_revoke(struct jbd2_cursor *c, blk64_t *fsblk,
				    const struct jbd2_format *f)
{
	const uint8_t *p = c->block + c->pos;

	if (c->pos + f->record_bytes > c->end)
		return false;
	*fsblk = f->is_64bit ? get_be64(p) : get_be32(p);
	c->pos += f->record_bytes;
	return true;
}

#endif
