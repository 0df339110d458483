/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * listing.c - debuglazy: the blocks of a file, as debugfs lists them
 */
#include "decode/contents.h"
#include "listing.h"
#include "support/status.h"

/* Blocks that are consecutive in the file and in the file system. */
struct listing_state {
	struct out	*out;
	bool		begun;		/* the line has text */
	uint64_t	lblk;
	blk64_t		block;
	uint64_t	count;		/* 0: no run */
	uint64_t	total;
};

static void put_range(struct out *out, uint64_t first, uint64_t count)
{
	out_u64(out, first);
	if (count > 1) {
		out_char(out, '-');
		out_u64(out, first + count - 1);
	}
}

static void put_comma(struct listing_state *l)
{
	if (l->begun)
		out_text(l->out, ", ");
	l->begun = true;
}

static void put_run(struct listing_state *l, const char *mark)
{
	if (!l->count)
		return;
	put_comma(l);
	out_char(l->out, '(');
	put_range(l->out, l->lblk, l->count);
	out_text(l->out, mark);
	out_text(l->out, "):");
	put_range(l->out, l->block, l->count);
	l->count = 0;
}

static errcode_t put_extent(void *priv, const struct ext2fs_extent *extent,
			    unsigned level)
{
	struct listing_state *l = priv;

	if (!(extent->e_flags & EXT2_EXTENT_FLAGS_LEAF)) {
		put_comma(l);
		out_format(l->out, "(ETB%u):%llu", level,
			   (unsigned long long)extent->e_pblk);
		return 0;
	}
	l->lblk = extent->e_lblk;
	l->block = extent->e_pblk;
	l->count = extent->e_len;
	put_run(l, extent->e_flags & EXT2_EXTENT_FLAGS_UNINIT ? "[u]" : "");
	return 0;
}

static errcode_t put_block(void *priv, e2_blkcnt_t lblk, blk64_t block)
{
	static const char *const kinds[] = { "IND", "DIND", "TIND" };
	struct listing_state *l = priv;

	l->total++;
	if (lblk < 0) {
		put_run(l, "");
		put_comma(l);
		out_format(l->out, "(%s):%llu", kinds[(-lblk - 1) % 3],
			   (unsigned long long)block);
	} else if (l->count && (uint64_t)lblk == l->lblk + l->count &&
		   block == l->block + l->count) {
		l->count++;
	} else {
		put_run(l, "");
		l->lblk = lblk;
		l->block = block;
		l->count = 1;
	}
	return 0;
}

errcode_t listing_put(struct out *out, ext2_filsys fs, ext2_ino_t ino,
		      struct ext2_inode_large *inode)
{
	struct listing_state l = { .out = out };
	errcode_t err;

	if (inode->i_flags & EXT4_EXTENTS_FL) {
		out_text(out, "EXTENTS:\n");
		err = contents_extents(fs, ino, inode, put_extent, &l);
	} else {
		out_text(out, "BLOCKS:\n");
		err = contents_blocks(fs, ino, put_block, &l);
		put_run(&l, "");
		if (l.total)
			out_format(out, "\nTOTAL: %llu",
				   (unsigned long long)l.total);
	}
	if (l.begun)
		out_char(out, '\n');
	return err;
}
