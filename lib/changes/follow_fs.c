/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * follow_fs.c - the file system before and after a transaction, as a source of
 * blocks
 *
 * A block is the transaction's copy, or else the one that is known from before.
 * What is not known is read from its static place, through the page cache: that
 * is what the kernel has, which may be ahead of the log.
 */

#include <string.h>

#include "follow_parts.h"
#include "fs/block_source.h"
#include "io/watch.h"

bool follow_wants(const struct follow *f, blk64_t fsblk)
{
	struct e2lazy_place place;

	e2lazy_layout_find(f->step.layout, fsblk, &place);
	switch (place.type) {
	case E2LAZY_TYPE_BLOCK_BITMAP:
	case E2LAZY_TYPE_SUPER_BACKUP:
	case E2LAZY_TYPE_DESC_BACKUP:
	case E2LAZY_TYPE_RESERVED_DESC:
	case E2LAZY_TYPE_JOURNAL:
	case E2LAZY_TYPE_MMP:
		return false;
	default:
		return true;
	}
}

static errcode_t read_static(struct follow *f, blk64_t fsblk, uint8_t *out)
{
	errcode_t err = io_channel_read_blk64(e2lazy_static_fs(f->journal)->io,
					      fsblk, 1, out);

	return err || !f->step.layout || !follow_wants(f, fsblk) ? err :
	       known_put_static(&f->known, fsblk, out);
}

static errcode_t read_block(struct follow_fs *of, blk64_t fsblk, uint8_t *out)
{
	struct follow *f = of->follow;
	const struct feed_copy *copy = of->after && f->txn ?
				       feed_txn_find(f->txn, fsblk) : NULL;
	const struct known_block *known = copy ? NULL :
					  known_get(&f->known, fsblk);
	const uint8_t *bytes = copy ? copy->bytes :
			       known ? known->bytes : NULL;

	if (!bytes)
		return read_static(f, fsblk, out);
	memcpy(out, bytes, f->journal->geo.blocksize);
	return 0;
}

/* The superblock is a part of a block. */
static errcode_t read_part(struct follow_fs *of, uint64_t offset, size_t count,
			   uint8_t *out)
{
	unsigned size = of->follow->journal->geo.blocksize;
	uint8_t *block = NULL;
	errcode_t err = io_channel_alloc_buf(of->follow->journal->io, 1,
					     &block);
	size_t in, n;

	for (; !err && count; offset += n, count -= n, out += n) {
		in = offset % size;
		n = size - in < count ? size - in : count;
		err = read_block(of, offset / size, block);
		if (!err)
			memcpy(out, block + in, n);
	}
	ext2fs_free_mem(&block);
	return err;
}

static errcode_t read_source(void *priv, uint64_t offset, size_t count,
			     void *buf, struct e2lazy_where *where)
{
	struct follow_fs *of = priv;
	unsigned size = of->follow->journal->geo.blocksize;
	uint8_t *out = buf;
	errcode_t err = 0;

	if (offset % size || count % size)
		err = read_part(of, offset, count, out);
	else
		for (; !err && count; count -= size, offset += size,
		     out += size)
			err = read_block(of, offset / size, out);
	*where = (struct e2lazy_where){ .has = E2LAZY_AT_FSBLK,
					.fsblk = offset / size };
	return err;
}

static blk64_t no_hole(void *priv, blk64_t fsblk, blk64_t count)
{
	(void)priv, (void)fsblk, (void)count;
	return 0;
}

static bool is_stopped(void *priv)
{
	const struct follow_fs *of = priv;

	return watch_stop(of->follow->opts.watch);
}

errcode_t follow_fs_open(struct follow *f, struct follow_fs *of, bool after,
			 struct e2lazy_where *where)
{
	const struct block_source source = {
		.read = read_source, .hole = no_hole, .stopped = is_stopped,
		.priv = of, .like = e2lazy_static_fs(f->journal)->io,
	};

	*of = (struct follow_fs){ .follow = f, .after = after };
	return block_source_open(&source, &f->journal->device, &of->fs, where);
}
