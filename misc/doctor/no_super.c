/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * no_super.c - a log without its journal superblock
 *
 * The ext4 superblock tells which features a kernel gives its journal, and the
 * inode how long the journal is.  With these the ring is scanned: the newest
 * history's last copy of each block is compared with the static block.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "support/nls.h"

#define FAST_COMMIT_BLOCKS	256	/* of a journal that does not say */

/* ------------------------------------------------------------- geometry */

/* The facts that the file system knows about its journal. */
struct basis {
	unsigned	blocksize;
	uint32_t	maxlen;
	bool		csum, is_64bit, fast_commit;
	uint8_t		uuid[16];
};

static bool read_basis(ext2_filsys fs, struct basis *b)
{
	struct ext2_super_block *sb = fs->super;
	struct ext2_inode inode;
	uint64_t blocks;

	if (!ext2fs_has_feature_journal(sb) || !sb->s_journal_inum ||
	    ext2fs_read_inode(fs, sb->s_journal_inum, &inode))
		return false;
	blocks = EXT2_I_SIZE(&inode) / fs->blocksize;
	b->blocksize = fs->blocksize;
	b->maxlen = blocks > UINT32_MAX ? UINT32_MAX : blocks;
	b->csum = ext2fs_has_feature_metadata_csum(sb);
	b->is_64bit = ext2fs_has_feature_64bit(sb);
	b->fast_commit = ext2fs_has_feature_fast_commit(sb);
	memcpy(b->uuid, sb->s_uuid, sizeof(b->uuid));
	return true;
}

static bool open_basis(const struct session *s, struct basis *b)
{
	const struct e2lazy_open_opts *opts = &s->source.open;
	char offset[64];
	ext2_filsys fs;
	bool good;

	snprintf(offset, sizeof(offset), "offset=%llu",
		 (unsigned long long)opts->offset);
	if (ext2fs_open2(s->device, opts->offset ? offset : NULL,
			 EXT2_FLAG_64BITS, opts->superblock, opts->blocksize,
			 unix_io_manager, &fs))
		return false;
	good = read_basis(fs, b);
	ext2fs_free(fs);
	return good;
}

/* An empty log: the scan of the ring needs neither tail nor sequence. */
static struct e2lazy_geometry guess(const struct basis *b, bool csum,
				    bool fast_commit)
{
	struct e2lazy_geometry g = {
		.blocksize = b->blocksize, .version = 2,
		.maxlen = b->maxlen, .first = 1, .end = b->maxlen,
		.sequence = 1,
		.incompat = E2LAZY_INCOMPAT_REVOKE |
			    (b->is_64bit ? E2LAZY_INCOMPAT_64BIT : 0) |
			    (csum ? E2LAZY_INCOMPAT_CSUM_V3 : 0),
	};

	if (fast_commit && g.maxlen > FAST_COMMIT_BLOCKS) {
		g.incompat |= E2LAZY_INCOMPAT_FAST_COMMIT;
		g.end -= FAST_COMMIT_BLOCKS;
	}
	memcpy(g.uuid, b->uuid, sizeof(g.uuid));
	memcpy(g.fs_uuid, b->uuid, sizeof(g.fs_uuid));
	return g;
}

/* ----------------------------------------------------------- comparison */

static bool differs(struct e2lazy_journal *j, const struct e2lazy_jmap *map,
		    size_t index, uint8_t *logged, uint8_t *home)
{
	unsigned size = e2lazy_geometry(j)->blocksize;
	struct e2lazy_copy copy;
	size_t bad;

	e2lazy_jmap_get(map, index, &copy);
	/* A replay merges the superblock, so it is never equal to its copy. */
	if (copy.fsblk == 1024 / size)
		return true;
	return !e2lazy_jmap_read(map, index, 1, logged, &bad) &&
	       !io_channel_read_blk64(e2lazy_static_fs(j)->io, copy.fsblk, 1,
				      home) &&
	       memcmp(logged, home, size);
}

static bool compare(struct doctor *d, struct e2lazy_journal *j,
		    const struct e2lazy_jmap *map)
{
	const struct e2lazy_map_stats *stats = e2lazy_jmap_stats(map);
	unsigned size = e2lazy_geometry(j)->blocksize;
	uint8_t *blocks = malloc(2 * (size_t)size);

	if (!blocks)
		return false;
	d->txns = stats->txns;
	d->first_tid = stats->first_tid;
	d->last_tid = stats->last_tid;
	d->live = e2lazy_jmap_count(map);
	for (size_t i = 0; i < d->live; i++)
		d->newer += differs(j, map, i, blocks, blocks + size);
	d->all = d->newer;
	free(blocks);
	return true;
}

static bool map_history(struct doctor *d, struct e2lazy_journal *j,
			const struct e2lazy_ring *ring)
{
	uint32_t nr = e2lazy_ring_counts(ring)->histories;
	struct e2lazy_jmap_opts opts = { .flags = E2LAZY_JMAP_CSUMS };
	struct e2lazy_jmap *map = NULL;
	struct e2lazy_history h;
	struct e2lazy_range *ranges;
	bool good = false;

	e2lazy_ring_history(ring, nr - 1, &h);
	ranges = e2lazy_ring_ranges(ring, h.first, h.count, &opts.nr_ranges);
	opts.range = ranges;
	if (ranges && !e2lazy_jmap_build(j, &opts, &map))
		good = compare(d, j, map);
	e2lazy_jmap_free(map);
	free(ranges);
	return good;
}

static bool try_guess(struct doctor *d, const struct e2lazy_geometry *g)
{
	struct e2lazy_open_opts opts = d->s->source.open;
	const struct e2lazy_watch watch = { .stop = session_stop };
	const struct e2lazy_ring_opts scan = { .watch = &watch };
	struct e2lazy_journal *j;
	struct e2lazy_ring *ring;
	struct e2lazy_where where;
	bool good = false;

	opts.geometry = g;
	opts.journal_name = NULL;
	if (e2lazy_open(d->s->device, &opts, &j, &where))
		return false;
	if (!e2lazy_ring_scan(j, &scan, &ring, &where)) {
		good = e2lazy_ring_counts(ring)->histories &&
		       map_history(d, j, ring);
		e2lazy_ring_free(ring);
	}
	e2lazy_close(j);
	return good;
}

bool doctor_look_at_ring(struct doctor *d)
{
	struct e2lazy_geometry g;
	struct basis b;

	if (!open_basis(d->s, &b))
		return false;
	for (unsigned i = 0; i < 4; i++) {
		g = guess(&b, (i & 1) != b.csum, i < 2 && b.fast_commit);
		if (try_guess(d, &g))
			return true;
	}
	return false;
}
