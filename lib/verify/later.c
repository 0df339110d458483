/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * later.c - compare static blocks with the blocks logged behind a damage
 *
 * A kernel writes blocks home long before it drops their copies.  So if a log
 * breaks off in its middle, a static block may be newer than the newest copy
 * before the damage, and a checkpoint with that copy would undo the kernel's
 * write.  The block itself does not show its age, but the ring may: a newer
 * static block equals a block that was logged behind the damage.
 *
 *  - A copy that a sound descriptor names is compared with its own static
 *    block.
 *  - A block behind a descriptor with a bad checksum may be a copy of any
 *    block.  It counts for each static block with the same content.  A block
 *    of one value, such as the bitmap of a full group, stands in too many
 *    places to prove anything.
 *  - Other blocks there prove nothing: after a lost write, the ring still holds
 *    copies of the lap before, which are older than the whole log.
 *
 * Every byte counts: a whole inode bitmap may differ in its first four alone.
 * The log stores these as zeros if they are the journal's magic.  A copy with a
 * sound tag is compared as it was before that, any other block as it is stored.
 * The comparison is one of hashes of 64 bits.
 */

#include <stdlib.h>
#include <string.h>

#include "map/jmap.h"
#include "map/super.h"
#include "later.h"

/* No block of a file system: see RECORD_FSBLK_END. */
#define ANY_BLOCK	UINT64_MAX
#define NO_BLOCK	(UINT64_MAX - 1)

struct later_block {
	uint64_t	hash;		/* until it is read: E2LAZY_COPY_* */
	blk64_t		fsblk;		/* it is a copy of this one */
};

#define BLOCKS_PER_TICK	1024

/* ------------------------------------------------------------- contents */

#define HASH_FACTOR	0x9e3779b97f4a7c15ULL	/* 2^64 / the golden ratio */

static uint64_t hash_of(const uint8_t *block, unsigned size)
{
	uint64_t hash = 0, word;

	for (unsigned at = 0; at < size; at += sizeof(word)) {
		memcpy(&word, block + at, sizeof(word));
		hash = (hash ^ word) * HASH_FACTOR;
		hash ^= hash >> 32;
	}
	return hash;
}

/* As the log stores a static block. */
static void escape(uint8_t *block)
{
	struct jbd2_header unused;

	if (jbd2_get_header(block, &unused))
		memset(block, 0, JBD2_ESCAPED_BYTES);
}

/* Has the block one value?  Then each byte equals the one before it. */
static bool is_plain(const uint8_t *block, unsigned size)
{
	return !memcmp(block + JBD2_ESCAPED_BYTES, block + JBD2_ESCAPED_BYTES + 1,
		       size - JBD2_ESCAPED_BYTES - 1);
}

/* ---------------------------------------------------- whose a block is */

/* Blocks from the head to the end of the last transaction. */
static uint32_t extent(const struct behind *behind)
{
	const struct look *look = behind->look;
	uint32_t end = 0;

	for (size_t i = 0; i < look->nr; i++) {
		const struct sighting *s = &look->at[i];
		uint32_t past = look_distance(look, s->logblk) + s->blocks;

		if (behind_counts(behind, s) && past > end)
			end = past;
	}
	return end;
}

static void own(struct later *l, const struct look *look, uint32_t logblk,
		blk64_t fsblk, unsigned flags)
{
	uint32_t at = look_distance(look, logblk);

	if (at < l->nr)
		l->at[at] = (struct later_block){ .hash = flags,
						  .fsblk = fsblk };
}

/* A control block is no copy, even if a descriptor's count covers it. */
static void own_all(struct later *l, struct behind *behind)
{
	const struct look *look = behind->look;
	struct e2lazy_event ev;

	for (uint32_t i = 0; i < l->nr; i++)
		l->at[i].fsblk = ANY_BLOCK;
	behind_rewind(behind);
	while (behind_next(behind, &ev))
		if (ev.kind == E2LAZY_EV_TAG)
			own(l, look, ev.logblk, ev.fsblk, ev.flags);
	for (size_t i = 0; i < look->nr; i++)
		if (behind_counts(behind, &look->at[i]))
			own(l, look, look->at[i].logblk, NO_BLOCK, 0);
}

/* -------------------------------------------------------------- reading */

struct reading {
	struct later	*later;
	const struct behind *behind;
	uint32_t	kept;
	bool		behind_bad;	/* between a bad descriptor and the
					   next control block */
};

/* Is it a damaged control block of these transactions? */
static bool is_bad_descriptor(const struct reading *r,
			      const struct jbd2_header *h)
{
	return h->type == JBD2_DESCRIPTOR &&
	       h->tid - r->behind->end->tid < r->behind->committed;
}

static void keep(struct reading *r, blk64_t fsblk, uint64_t hash)
{
	r->later->at[r->kept++] = (struct later_block){ .hash = hash,
							.fsblk = fsblk };
}

/* Take a block of the ring, or skip it. */
static void take(struct reading *r, const struct later_block *owned,
		 const uint8_t *stored)
{
	struct later *l = r->later;
	unsigned size = l->verify->journal->geo.blocksize;
	blk64_t fsblk = owned->fsblk;
	struct jbd2_header header;

	if (fsblk == NO_BLOCK) {
		r->behind_bad = false;
	} else if (fsblk != ANY_BLOCK) {
		memcpy(l->block, stored, size);
		unescape(l->block, (unsigned)owned->hash);
		keep(r, fsblk, hash_of(l->block, size));
	} else if (jbd2_get_header(stored, &header)) {
		r->behind_bad = is_bad_descriptor(r, &header);
	} else if (r->behind_bad && !is_plain(stored, size)) {
		keep(r, ANY_BLOCK, hash_of(stored, size));
	}
}

static errcode_t read_all(struct later *l, const struct behind *behind)
{
	struct e2lazy_journal *j = l->verify->journal;
	const struct look *look = behind->look;
	struct reading r = { .later = l, .behind = behind };
	struct lookahead ahead;
	errcode_t err = lookahead_init(&ahead, j), bad;

	for (uint32_t i = 0; !err && i < l->nr; i++) {
		const uint8_t *block;

		block = lookahead_read(&ahead, lap_add(look->lap, look->from, i),
				       l->nr - i, &bad);
		if (block)
			take(&r, &l->at[i], block);
		if (i % BLOCKS_PER_TICK == 0)
			err = verify_tick(l->verify, E2LAZY_PHASE_RING,
					  look->rest, look->rest);
	}
	lookahead_free(&ahead);
	l->nr = r.kept;
	return err;
}

/* By content and static block; of several equal copies any one is found. */
static int by_contents(const void *a, const void *b)
{
	const struct later_block *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->fsblk < y->fsblk ? -1 : x->fsblk > y->fsblk;
}

/*
 * Before any other damage other tools replay the log, so a checkpoint does, too,
 * unless the map goes on behind it.
 */
static bool is_compared(const struct verify *v)
{
	return (v->end->reason == E2LAZY_END_BLOCK_CSUM ||
		jmap_is_joined(v->map)) &&
	       !(v->opts->flags & E2LAZY_VERIFY_GLANCE);
}

errcode_t later_read(struct later *l, struct behind *behind)
{
	struct verify *v = l->verify;
	errcode_t err;

	if (!is_compared(v))
		return 0;
	err = io_channel_alloc_buf(v->journal->io, 1, &l->block);
	if (err)
		return err;
	l->nr = extent(behind);
	l->at = calloc(l->nr + (size_t)1, sizeof(*l->at));
	if (!l->at)
		return EXT2_ET_NO_MEMORY;
	own_all(l, behind);
	err = read_all(l, behind);
	qsort(l->at, l->nr, sizeof(*l->at), by_contents);
	return err;
}

void later_free(struct later *l)
{
	free(l->at);
	ext2fs_free_mem(&l->block);
}

/* ------------------------------------------------------------ comparing */

static bool has(const struct later *l, uint64_t hash, blk64_t fsblk)
{
	const struct later_block key = { .hash = hash, .fsblk = fsblk };

	return bsearch(&key, l->at, l->nr, sizeof(key), by_contents);
}

/* An unreadable block has no known content. */
static bool read_home(const struct later *l, blk64_t fsblk)
{
	return l->nr && !io_channel_read_blk64(l->verify->journal->fs->io,
					       fsblk, 1, l->block);
}

/* Read the copy only if the static block equals a copy behind the damage. */
bool later_is_home(const struct later *l, blk64_t fsblk, uint32_t logblk)
{
	unsigned size = l->verify->journal->geo.blocksize;
	uint64_t stored;

	if (!read_home(l, fsblk) || !has(l, hash_of(l->block, size), fsblk))
		return false;
	escape(l->block);
	stored = hash_of(l->block, size);
	return !e2lazy_read_log(l->verify->journal, logblk, 1, l->block) &&
	       hash_of(l->block, size) == stored;
}

static bool is_newer_at_home(const struct later *l, blk64_t fsblk)
{
	unsigned size = l->verify->journal->geo.blocksize;

	if (!read_home(l, fsblk))
		return false;
	if (has(l, hash_of(l->block, size), fsblk))
		return true;
	escape(l->block);
	return has(l, hash_of(l->block, size), ANY_BLOCK);
}

/* A copy from behind the damage is the newest one. */
errcode_t later_compare(const struct later *l)
{
	struct verify *v = l->verify;
	const struct look *look = &v->proof.look;
	blk64_t super = super_fsblk(v->journal);
	struct e2lazy_copy copy;
	errcode_t err = 0;

	for (size_t i = 0; !err && l->nr && i < e2lazy_jmap_count(v->map); i++) {
		e2lazy_jmap_get(v->map, i, &copy);
		if (copy.fsblk != super &&
		    e2lazy_tid_after(v->end->tid, copy.tid) &&
		    is_newer_at_home(l, copy.fsblk))
			verify_found_copy(v, PROBLEM_NEWER_IN_PLACE, &copy, 0);
		if (i % BLOCKS_PER_TICK == 0)
			err = verify_tick(v, E2LAZY_PHASE_RING, look->rest,
					  look->rest);
	}
	return err;
}
