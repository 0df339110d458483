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
 */

#include "io/halve.h"
#include "undelete.h"

struct candidate {
	struct e2lazy_undelete *u;
	const struct life *life;
	unsigned	level;
	prove_block	prove;
	uint8_t		*block;
};

bool copy_is_of_time(const struct e2lazy_undelete *u, const struct life *life,
		     const struct record *r)
{
	return !life->crtime ||
	       u->versions.moments[r->tid].sec + 1 >= life->crtime;
}

static errcode_t try_copy(const struct candidate *c, const struct record *r,
			  struct block_found *found)
{
	enum proof *proof = &found->proof;

	*found = (struct block_found){ PROOF_NONE, r };
	if (!copy_is_of_time(c->u, c->life, r))
		return 0;
	if (copy_read(c->u, r, c->block)) {
		c->u->unreadable++;
		return 0;
	}
	*proof = c->prove(c->u, c->life, c->level, c->block);
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
		found->proof = c->prove(c->u, c->life, c->level, c->block);
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

errcode_t block_at_time(struct e2lazy_undelete *u, const struct life *life,
			blk64_t fsblk, unsigned level, prove_block prove,
			uint8_t *block, struct block_found *found)
{
	enum proof *proof = &found->proof;
	const struct candidate c = { u, life, level, prove, block };
	const struct versions *v = &u->versions;
	const struct record *r = versions_at(v, fsblk, life->chosen);
	size_t later = versions_from(v, fsblk, (uint64_t)life->chosen + 1);
	errcode_t err = watch_stop(u->opts->watch);

	*proof = PROOF_NONE;
	if (!err && r)
		err = try_copy(&c, r, found);
	if (err || *proof != PROOF_NONE)
		return err;
	err = try_now(&c, fsblk, found);
	if (err || *proof != PROOF_NONE) {
		if (*proof == PROOF_SURE && later_copy(u, life, fsblk, later))
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
