/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * encode.c - write transactions: the one maker of descriptor, revoke and commit
 * blocks
 *
 * The rules are those by which walk.c and a kernel read them:
 *
 *  - Revoke blocks come first, then descriptors, each followed by its copies,
 *    then the commit block.  All of them follow each other in the ring, without
 *    a gap, and go on at its first block behind its last one.
 *  - The first tag of a descriptor is followed by 16 bytes of UUID, zeros as
 *    the kernel leaves them; all others have SAME_UUID, the last LAST_TAG.
 *  - A copy that begins with jbd2's magic has zeros there, and ESCAPED.
 *  - Checksums v2 and v3: each control block and each copy as stored, that is,
 *    after it was escaped; the transaction's number is mixed in.  Version 1:
 *    one sum in the commit block over all descriptors and copies in the order
 *    of the log, but not over revoke blocks.
 *  - Without 64BIT there is no place for the high half of a block number.
 */

#include <errno.h>
#include <string.h>

#include "encode.h"

/* Copies that wait for their descriptor take at most so many bytes. */
#define MOST_BYTES	(8 << 20)
#define UUID_BYTES	16		/* behind a first tag */

static void put_be16(uint8_t *p, uint32_t value)
{
	p[0] = (uint8_t)(value >> 8);
	p[1] = (uint8_t)value;
}

static void put_be64(uint8_t *p, uint64_t value)
{
	put_be32(p, (uint32_t)(value >> 32));
	put_be32(p + 4, (uint32_t)value);
}

/* ---------------------------------------------------------------- sizes */

/* The kernel ends a descriptor that has no room for a tag with a UUID. */
static uint32_t tags_of_a_descriptor(const struct jbd2_format *f)
{
	uint32_t most = MOST_BYTES / f->blocksize;
	uint32_t fit = (f->blocksize - JBD2_HEADER_BYTES - 2 * UUID_BYTES -
			f->tail_bytes) / f->tag_bytes;

	return fit < most ? fit : most;
}

static uint32_t records_of_a_block(const struct jbd2_format *f)
{
	return (f->blocksize - JBD2_HEADER_BYTES - 4 - f->tail_bytes) /
	       f->record_bytes;
}

static uint64_t divide_up(uint64_t n, uint32_t by)
{
	return (n + by - 1) / by;
}

uint64_t encode_blocks(const struct jbd2_format *f, uint64_t copies,
		       uint64_t revokes)
{
	return copies + divide_up(copies, tags_of_a_descriptor(f)) +
	       divide_up(revokes, records_of_a_block(f)) + 1;
}

/* ------------------------------------------------------- control blocks */

static const struct jbd2_format *format(const struct encoder *e)
{
	return &e->journal->format;
}

static void start_block(struct encoder *e, uint8_t *block, uint32_t type)
{
	memset(block, 0, format(e)->blocksize);
	put_be32(block, JBD2_MAGIC);
	put_be32(block + 4, type);
	put_be32(block + 8, e->tid);
}

/* v2, v3: the checksum at byte @at, which is 0 now, over the whole block. */
static void sum_up(const struct encoder *e, uint8_t *block, unsigned at)
{
	const struct csum *cs = &e->journal->csum;

	if (cs->kind >= E2LAZY_CSUM_V2)
		put_be32(block + at, cs->crc(cs->seed, block, cs->blocksize));
}

/* Hand out blocks in a row, in two parts where the ring ends between them. */
static errcode_t hand_out(struct encoder *e, uint32_t count)
{
	const struct e2lazy_geometry *g = &e->journal->geo;
	const uint8_t *from = e->blocks;
	errcode_t err = 0;

	if (count + 1 > e->room)	/* one for the commit block */
		return ENOSPC;
	while (!err && count) {
		uint32_t run = g->end - e->next < count ? g->end - e->next :
							  count;

		err = e->put(e->priv, e->next, run, from);
		e->next = ring_add(g, e->next, run);
		e->room -= run;
		from += (size_t)run * format(e)->blocksize;
		count -= run;
	}
	return err;
}

static void finish_descriptor(struct encoder *e)
{
	const struct jbd2_format *f = format(e);
	uint8_t *flags = e->blocks + e->last_tag + 6;

	put_be16(flags, get_be16(flags) | TAG_LAST);
	sum_up(e, e->blocks, f->blocksize - 4);
	if (f->csum != E2LAZY_CSUM_V1)
		return;
	for (uint32_t i = 0; i <= e->count; i++)
		e->crc_v1 = csum_v1(e->crc_v1, e->blocks +
				    (size_t)i * f->blocksize, f->blocksize);
}

static void finish_revokes(struct encoder *e)
{
	put_be32(e->blocks + JBD2_HEADER_BYTES, e->pos);
	sum_up(e, e->blocks, format(e)->blocksize - 4);
}

errcode_t encode_rest(struct encoder *e)
{
	uint32_t type = e->type, copies = 0;

	if (type == JBD2_DESCRIPTOR) {
		copies = e->count;
		finish_descriptor(e);
	} else if (type == JBD2_REVOKE) {
		finish_revokes(e);
	}
	e->type = 0;
	return type ? hand_out(e, 1 + copies) : 0;
}

/* A block of @type with room for one more item. */
static errcode_t need(struct encoder *e, uint32_t type, uint32_t most)
{
	errcode_t err = 0;

	if (e->type && (e->type != type || e->count == most))
		err = encode_rest(e);
	if (err || e->type)
		return err;
	start_block(e, e->blocks, type);
	e->type = type;
	e->count = 0;
	e->pos = JBD2_HEADER_BYTES + (type == JBD2_REVOKE ? 4 : 0);
	return 0;
}

/* ---------------------------------------------------------------- items */

static bool may_name(const struct encoder *e, blk64_t fsblk)
{
	return (format(e)->is_64bit || fsblk >> 32 == 0) &&
	       !e2lazy_is_journal_block(e->journal, fsblk);
}

errcode_t encode_revoke(struct encoder *e, blk64_t fsblk)
{
	const struct jbd2_format *f = format(e);
	errcode_t err;

	if (!may_name(e, fsblk) || e->type == JBD2_DESCRIPTOR)
		return EXT2_ET_INVALID_ARGUMENT;
	err = need(e, JBD2_REVOKE, records_of_a_block(f));
	if (err)
		return err;
	if (f->is_64bit)
		put_be64(e->blocks + e->pos, fsblk);
	else
		put_be32(e->blocks + e->pos, (uint32_t)fsblk);
	e->pos += f->record_bytes;
	e->count++;
	return 0;
}

static void put_tag(struct encoder *e, blk64_t fsblk, uint32_t flags,
		    uint32_t csum)
{
	const struct jbd2_format *f = format(e);
	uint8_t *tag = e->blocks + e->pos;

	put_be32(tag, (uint32_t)fsblk);
	if (f->csum == E2LAZY_CSUM_V2)
		put_be16(tag + 4, csum);
	else if (f->csum == E2LAZY_CSUM_V3)
		put_be32(tag + 12, csum);
	put_be16(tag + 6, flags);
	if (f->is_64bit)
		put_be32(tag + 8, (uint32_t)(fsblk >> 32));
	e->last_tag = e->pos;
	e->pos += f->tag_bytes + (flags & TAG_SAME_UUID ? 0 : UUID_BYTES);
	e->count++;
}

errcode_t encode_copy(struct encoder *e, blk64_t fsblk, const uint8_t *block)
{
	const struct jbd2_format *f = format(e);
	uint32_t flags;
	uint8_t *copy;
	errcode_t err;

	if (!may_name(e, fsblk))
		return EXT2_ET_INVALID_ARGUMENT;
	err = need(e, JBD2_DESCRIPTOR, e->most_tags);
	if (err)
		return err;
	copy = e->blocks + (size_t)(1 + e->count) * f->blocksize;
	memcpy(copy, block, f->blocksize);
	flags = e->count ? TAG_SAME_UUID : 0;
	if (get_be32(copy) == JBD2_MAGIC) {
		memset(copy, 0, JBD2_ESCAPED_BYTES);
		flags |= TAG_ESCAPED;
	}
	put_tag(e, fsblk, flags, f->csum >= E2LAZY_CSUM_V2 ?
		csum_data(&e->journal->csum, e->tid, copy) : 0);
	return 0;
}

errcode_t encode_commit(struct encoder *e, uint64_t sec, uint32_t nsec,
			uint8_t *block)
{
	if (e->type)
		return EXT2_ET_INVALID_ARGUMENT;
	if (!e->room)
		return ENOSPC;
	start_block(e, block, JBD2_COMMIT);
	put_be64(block + COMMIT_SEC, sec);
	put_be32(block + COMMIT_NSEC, nsec);
	if (format(e)->csum == E2LAZY_CSUM_V1) {
		block[COMMIT_CSUM_TYPE] = 1;	/* crc32 */
		block[COMMIT_CSUM_SIZE] = 4;
		put_be32(block + COMMIT_CSUM, e->crc_v1);
	}
	sum_up(e, block, COMMIT_CSUM);
	e->next = ring_next(&e->journal->geo, e->next);
	e->room--;
	return 0;
}

/* ------------------------------------------------------------ beginning */

errcode_t encode_begin(struct encoder *e, const struct e2lazy_journal *journal,
		       uint32_t tid, uint32_t at, uint32_t room)
{
	const struct e2lazy_geometry *g = &journal->geo;

	memset(e, 0, sizeof(*e));
	e->journal = journal;
	e->tid = tid;
	e->next = at;
	e->room = room;
	e->crc_v1 = ~0U;
	e->most_tags = tags_of_a_descriptor(&journal->format);
	if (at < g->first || at >= g->end || room > ring_size(g))
		return EXT2_ET_INVALID_ARGUMENT;
	return ext2fs_get_memalign(((size_t)e->most_tags + 1) *
				   journal->format.blocksize, 4096,
				   &e->blocks);
}

void encode_end(struct encoder *e)
{
	ext2fs_free_mem(&e->blocks);
}
