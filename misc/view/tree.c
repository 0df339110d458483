/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tree.c - all files of one side, by path
 *
 * A disk may be too large to be read twice.  So the sum of a file has a block's
 * number in place of its bytes, where both sides have the same bytes there.  Two
 * files with one sum have the same contents; for others all bytes count.
 */
#include <stdlib.h>
#include <string.h>

#include "fs/directory.h"
#include "fs/inline_data.h"
#include "fs/inode_blocks.h"
#include "io/grow.h"
#include "support/status.h"
#include "tree.h"

/* ------------------------------------------------------------ the contents */

struct piece {
	uint64_t	lblk;
	blk64_t		fsblk, count;
};

struct contents {
	struct tree	*t;
	struct inode_search search;
	struct piece	*pieces;
	size_t		count, room;
	struct sha256	sum;
	uint64_t	size;
	bool		whole;
};

static errcode_t note_piece(void *priv, const struct e2lazy_owner *owner,
			    blk64_t count)
{
	struct contents *c = priv;
	struct piece *at;

	if (c->search.unwritten || (owner->role != E2LAZY_ROLE_DATA &&
				    owner->role != E2LAZY_ROLE_SYSTEM))
		return 0;
	at = grow(c->pieces, c->count, &c->room, sizeof(*at));
	if (!at)
		return EXT2_ET_NO_MEMORY;
	c->pieces = at;
	at[c->count++] = (struct piece){ owner->lblk, owner->fsblk, count };
	return 0;
}

static int by_lblk(const void *a, const void *b)
{
	const struct piece *x = a, *y = b;

	return (x->lblk > y->lblk) - (x->lblk < y->lblk);
}

static bool is_blank(const char *bytes, size_t count)
{
	return !count || (!*bytes && !memcmp(bytes, bytes + 1, count - 1));
}

/* A block of zeros is the same as a hole. */
static bool put_block(struct contents *c, uint64_t lblk, blk64_t fsblk)
{
	struct tree *t = c->t;
	uint64_t at = lblk * t->fs->blocksize, left;
	size_t count = t->fs->blocksize;

	if (at >= c->size)
		return true;
	left = c->size - at;
	if (left < count)
		count = (size_t)left;
	if (!c->whole && !t->differs(t->priv, fsblk)) {
		sha256_put(&c->sum, &lblk, sizeof(lblk));
		sha256_put(&c->sum, &fsblk, sizeof(fsblk));
		return true;
	}
	if (io_channel_read_blk64(t->fs->io, fsblk, 1, t->block))
		return false;
	if (!is_blank(t->block, count)) {
		sha256_put(&c->sum, &lblk, sizeof(lblk));
		sha256_put(&c->sum, t->block, count);
	}
	return true;
}

static bool put_pieces(struct contents *c)
{
	if (c->count)
		qsort(c->pieces, c->count, sizeof(*c->pieces), by_lblk);
	for (size_t i = 0; i < c->count; i++)
		for (blk64_t n = 0; n < c->pieces[i].count; n++)
			if (cancelled() ||
			    !put_block(c, c->pieces[i].lblk + n,
				       c->pieces[i].fsblk + n))
				return false;
	return true;
}

static bool put_mapped(struct contents *c, ext2_ino_t ino,
		       const struct ext2_inode *inode)
{
	struct e2lazy_damage damage = { .count = 0 };
	bool good;

	good = !inode_search_init(&c->search, c->t->fs, note_piece, c,
				  &damage) &&
	       !inode_search_one(&c->search, ino, inode) && !damage.count &&
	       put_pieces(c);
	inode_search_free(&c->search);
	free(c->pieces);
	return good;
}

static bool put_inline(struct contents *c, ext2_ino_t ino)
{
	int size = EXT2_INODE_SIZE(c->t->fs->super);
	uint8_t *raw = calloc(1, (size_t)size);
	const uint8_t *first, *second;
	size_t nr_first, nr_second;
	bool good = raw && !ext2fs_read_inode_full(c->t->fs, ino,
					(struct ext2_inode *)raw, size);

	if (good) {
		inline_data(c->t->fs, raw, &first, &nr_first, &second,
			    &nr_second);
		sha256_put(&c->sum, first, nr_first);
		if (second)
			sha256_put(&c->sum, second, nr_second);
	}
	free(raw);
	return good;
}

static bool put_target(struct contents *c, ext2_ino_t ino)
{
	char *target;

	if (e2lazy_symlink_read(c->t->fs, ino, &target))
		return false;
	sha256_put(&c->sum, target, strlen(target));
	free(target);
	return true;
}

static bool put_contents(struct contents *c, ext2_ino_t ino,
			 const struct ext2_inode *inode)
{
	if (LINUX_S_ISDIR(inode->i_mode))
		return true;
	sha256_put(&c->sum, &c->size, sizeof(c->size));
	if (LINUX_S_ISLNK(inode->i_mode))
		return put_target(c, ino);
	if (!LINUX_S_ISREG(inode->i_mode))
		sha256_put(&c->sum, inode->i_block, 2 * sizeof(uint32_t));
	else if (inode->i_flags & EXT4_INLINE_DATA_FL)
		return put_inline(c, ino);
	else
		return put_mapped(c, ino, inode);
	return true;
}

bool tree_sum(struct tree *t, ext2_ino_t ino, bool whole,
	      uint8_t sum[SHA256_BYTES])
{
	struct contents c = { .t = t, .whole = whole };
	struct ext2_inode inode;
	uint16_t type;
	bool good;

	if (!ino || ino > t->fs->super->s_inodes_count ||
	    ext2fs_read_inode(t->fs, ino, &inode))
		return false;
	type = inode.i_mode & LINUX_S_IFMT;
	c.size = EXT2_I_SIZE(&inode);
	sha256_begin(&c.sum);
	sha256_put(&c.sum, &type, sizeof(type));
	good = put_contents(&c, ino, &inode);
	sha256_end(&c.sum, sum);
	return good;
}

/* --------------------------------------------------------------- the paths */

struct reading {
	struct tree	*t;
	const char	*above;		/* path of the directory */
};

static errcode_t add(struct tree *t, char *path, ext2_ino_t ino)
{
	struct tree_file *at = path ? grow(t->files, t->count, &t->room,
					   sizeof(*at)) : NULL;

	if (!at) {
		free(path);
		return EXT2_ET_NO_MEMORY;
	}
	t->files = at;
	at[t->count++] = (struct tree_file){ .path = path, .ino = ino };
	return 0;
}

static errcode_t note_entry(void *priv, const struct e2lazy_entry *entry)
{
	struct reading *r = priv;
	char *path;

	if (cancelled())
		return E2LAZY_ET_CANCELLED;
	if (is_dots(entry) || entry->ino > r->t->fs->super->s_inodes_count)
		return 0;
	if (asprintf(&path, "%s/%.*s", r->above, (int)entry->length,
		     entry->name) < 0)
		path = NULL;
	return add(r->t, path, entry->ino);
}

/* A directory that is entered twice would have no end. */
static errcode_t enter(struct tree *t, size_t index)
{
	ext2_ino_t ino = t->files[index].ino;
	struct reading r = { t, t->files[index].path };
	struct e2lazy_damage damage = { .count = 0 };
	errcode_t err;

	if (ext2fs_fast_test_inode_bitmap2(t->seen, ino))
		return 0;
	ext2fs_fast_mark_inode_bitmap2(t->seen, ino);
	err = e2lazy_directory_read(t->fs, ino, NULL, note_entry, &r,
				    &damage);
	t->files[index].unread |= damage.count || err;
	return err == EXT2_ET_NO_MEMORY || err == E2LAZY_ET_CANCELLED ? err : 0;
}

static bool is_directory(struct tree *t, ext2_ino_t ino)
{
	struct ext2_inode inode;

	return !ext2fs_read_inode(t->fs, ino, &inode) &&
	       LINUX_S_ISDIR(inode.i_mode);
}

static int by_path(const void *a, const void *b)
{
	const struct tree_file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

static errcode_t read_one(struct tree *t, size_t index)
{
	struct tree_file *file = &t->files[index];

	if (cancelled())
		return E2LAZY_ET_CANCELLED;
	file->unread = !tree_sum(t, file->ino, false, file->sum);
	return is_directory(t, file->ino) ? enter(t, index) : 0;
}

errcode_t tree_read(struct tree *t)
{
	errcode_t err;

	t->fs->default_bitmap_type = EXT2FS_BMAP64_RBTREE;
	t->block = malloc(t->fs->blocksize);
	if (!t->block)
		return EXT2_ET_NO_MEMORY;
	err = ext2fs_allocate_inode_bitmap(t->fs, "directories", &t->seen);
	if (!err)
		err = add(t, strdup(""), EXT2_ROOT_INO);
	/* The list grows meanwhile: it is the queue, too. */
	for (size_t i = 0; !err && i < t->count; i++)
		err = read_one(t, i);
	if (!err)
		qsort(t->files, t->count, sizeof(*t->files), by_path);
	return err;
}

void tree_free(struct tree *t)
{
	for (size_t i = 0; i < t->count; i++)
		free(t->files[i].path);
	free(t->files);
	free(t->block);
	if (t->seen)
		ext2fs_free_inode_bitmap(t->seen);
}
