/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * at_time.c - a block of metadata as it was in a life
 *
 * The newest copy up to the transaction of the inode's copy counts.  If the
 * ring has none, the block was last written before the oldest transaction, and
 * may still be in place: to free a block, the kernel does not write it.  A large
 * file is deleted in several transactions, and a node may lose its entries one
 * after the other.  So if the ring has a later copy of the block, neither that
 * nor the block in place proves that it is whole.
 *
 * If the ring may have lost a transaction between the copy and the inode's, that
 * may have had a newer copy.  Then the block in place counts, if it must be as new
 * as any that the log had.  Otherwise none of the two is proven.
 */

#include <string.h>

#include "io/halve.h"
#include "undelete.h"

struct candidate {
	struct e2lazy_undelete *u;
	const struct life *life;
	const struct block_wanted *wanted;
	uint8_t		*block;
};

static enum proof prove(const struct candidate *c)
{
	return c->wanted->prove(c->u, c->life, c->wanted->level, c->block);
}

static errcode_t try_copy(const struct candidate *c, const struct record *r,
			  struct block_found *found)
{
	enum proof *proof = &found->proof;

	*found = (struct block_found){ PROOF_NONE, r };
	/* An older one belongs to another file. */
	if (!life_began_by(c->u, c->life, r->tid))
		return 0;
	if (copy_read(c->u, r, c->block)) {
		c->u->unreadable++;
		return 0;
	}
	*proof = prove(c);
	/* Without a checksum the transaction bears witness. */
	if (*proof == PROOF_LIKELY)
		*proof = PROOF_SURE;
	return 0;
}

static errcode_t try_now(const struct candidate *c, blk64_t fsblk,
			 struct block_found *found)
{
	errcode_t err = io_channel_read_blk64(c->u->fs->io, fsblk, 1,
					      c->block);

	*found = (struct block_found){ PROOF_NONE, NULL };
	if (err == E2LAZY_ET_CANCELLED)
		return err;
	if (!err)
		found->proof = prove(c);
	return 0;
}

/* The first copy from record @i on that was made in the life. */
static const struct record *later_copy(const struct e2lazy_undelete *u,
				       const struct life *life, blk64_t fsblk,
				       size_t i)
{
	const struct versions *v = &u->versions;

	for (; version_is_of(v, i, fsblk); i++) {
		const struct record *r = version_get(v, i);

		if (r->tid > life->gone)
			break;
		if (!version_is_revoke(r))
			return r;
	}
	return NULL;
}

/*
 * Try the copies that were made after the inode's, one by one.  An enemy's are
 * many, and each node may have them: they count as nodes.
 */
static errcode_t try_later(const struct candidate *c, blk64_t fsblk, size_t i,
			   struct block_found *found)
{
	enum proof *proof = &found->proof;
	struct e2lazy_undelete *u = c->u;
	const struct record *r;
	errcode_t err = 0;

	while (!err && *proof == PROOF_NONE && u->steps &&
	       (r = later_copy(u, c->life, fsblk, i)) != NULL) {
		i = (size_t)(r - u->versions.list.at) + 1;
		u->steps--;
		err = watch_stop(u->opts->watch);
		if (!err)
			err = try_copy(c, r, found);
	}
	if (*proof == PROOF_SURE)
		*proof = PROOF_LIKELY;
	return err;
}

/* Is the block in place that of the life's time, as no lost copy was newer? */
static bool place_is_sure(const struct candidate *c, blk64_t fsblk,
			  size_t later)
{
	return !life_has_gap(c->u, c->life) &&
	       home_is_sure(c->u, c->life, c->wanted->changed) &&
	       !later_copy(c->u, c->life, fsblk, later);
}

/* Instead of the copy found take the block in place, which is at @place? */
static void choose(const struct candidate *c, const struct block_found *now,
		   const uint8_t *place, bool sure, struct block_found *found)
{
	unsigned size = c->u->fs->blocksize;
	bool differs = now->proof == PROOF_NONE ||
		       memcmp(c->block, place, size);

	if (differs && (now->proof == PROOF_SURE ||
			(sure && now->proof != PROOF_NONE))) {
		memcpy(c->block, place, size);
		*found = *now;
	}
	if ((!sure || now->proof == PROOF_NONE) && found->proof == PROOF_SURE)
		found->proof = PROOF_LIKELY;
}

/* The copy found is from before a lost transaction. */
static errcode_t weigh(const struct candidate *c, blk64_t fsblk, size_t later,
		       struct block_found *found)
{
	struct candidate in_place = *c;
	struct block_found now;
	errcode_t err = io_channel_alloc_buf(c->u->fs->io, 1, &in_place.block);

	if (!err)
		err = try_now(&in_place, fsblk, &now);
	if (!err)
		choose(c, &now, in_place.block,
		       place_is_sure(c, fsblk, later), found);
	ext2fs_free_mem(&in_place.block);
	return err;
}

errcode_t block_at_time(struct e2lazy_undelete *u, const struct life *life,
			blk64_t fsblk, const struct block_wanted *wanted,
			uint8_t *block, struct block_found *found)
{
	enum proof *proof = &found->proof;
	const struct candidate c = { u, life, wanted, block };
	const struct versions *v = &u->versions;
	const struct record *r = versions_at(v, fsblk, life->chosen);
	size_t later = versions_from(v, fsblk, (uint64_t)life->chosen + 1);
	errcode_t err = watch_stop(u->opts->watch);

	*proof = PROOF_NONE;
	if (!err && r)
		err = try_copy(&c, r, found);
	if (!err && *proof != PROOF_NONE &&
	    gap_between(u, r->tid, life->chosen))
		err = weigh(&c, fsblk, later, found);
	if (err || *proof != PROOF_NONE)
		return err;
	err = try_now(&c, fsblk, found);
	if (err || *proof != PROOF_NONE) {
		if (*proof == PROOF_SURE && !place_is_sure(&c, fsblk, later))
			*proof = PROOF_LIKELY;
		return err;
	}
	return try_later(&c, fsblk, later, found);
}

/*
 * The log has data with data=journal, and without it once: when data in an inode
 * moves to a block, ext4 logs that block (ext4_convert_inline_data_nolock()), and
 * to free it later needs no revoke.  A copy from the block's earlier use as
 * metadata is void: when such a block becomes data, the kernel revokes it.
 */
const struct record *data_at_time(const struct e2lazy_undelete *u,
				  const struct life *life, blk64_t fsblk)
{
	const struct versions *v = &u->versions;
	struct halving h = { .low = versions_lower_bound(v, fsblk),
			     .high = v->list.nr };
	const struct record *r;

	/* The first that is not up to the end. */
	while (halve(&h)) {
		r = version_get(v, h.mid);
		halved(&h, record_fsblk(r) == fsblk && r->tid < life->gone);
	}
	if (!h.low || !version_is_of(v, h.low - 1, fsblk))
		return NULL;
	r = version_get(v, h.low - 1);
	return r->tid < life->gone && !version_is_revoke(r) ? r : NULL;
}
