/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* follow_below.c - what is below a directory */

#include <stdlib.h>
#include <string.h>

#include "follow_parts.h"
#include "io/grow.h"

struct branch {
	ext2_ino_t	dir;
	char		*path;		/* "" or "/..." */
};

struct below {
	struct follow	*follow;
	errcode_t	(*found)(void *priv, const char *path);
	void		*priv;
	ext2fs_inode_bitmap seen;
	struct branch	*at;
	size_t		nr, room;
	const char	*path;		/* of the directory at hand */
};

static errcode_t add_branch(struct below *b, ext2_ino_t dir, char *path)
{
	struct branch *at = grow(b->at, b->nr, &b->room, sizeof(*at));

	if (!at)
		return EXT2_ET_NO_MEMORY;
	b->at = at;
	at[b->nr++] = (struct branch){ dir, path };
	ext2fs_mark_inode_bitmap2(b->seen, dir);
	return 0;
}

bool follow_is_directory(struct follow *f, ext2_ino_t ino)
{
	struct ext2_inode inode;

	return ino && ino <= f->after.fs->super->s_inodes_count &&
	       !ext2fs_read_inode(f->after.fs, ino, &inode) &&
	       LINUX_S_ISDIR(inode.i_mode);
}

static bool is_directory(struct below *b, const struct e2lazy_entry *e)
{
	if (e->ino == 0 || e->ino > b->follow->after.fs->super->s_inodes_count ||
	    ext2fs_test_inode_bitmap2(b->seen, e->ino))
		return false;
	return e->type == EXT2_FT_DIR || (e->type == EXT2_FT_UNKNOWN &&
					  follow_is_directory(b->follow,
							      e->ino));
}

static char *join(const char *path, const struct e2lazy_entry *e)
{
	size_t n = strlen(path);
	char *text = malloc(n + e->length + 2);

	if (!text)
		return NULL;
	memcpy(text, path, n);
	text[n] = '/';
	memcpy(text + n + 1, e->name, e->length);
	text[n + 1 + e->length] = '\0';
	return text;
}

static errcode_t take(void *priv, const struct e2lazy_entry *e)
{
	struct below *b = priv;
	char *path;
	errcode_t err;

	if (is_dots(e) || !e->length)
		return 0;
	path = join(b->path, e);
	if (!path)
		return EXT2_ET_NO_MEMORY;
	err = b->found(b->priv, path);
	if (!err && is_directory(b, e))
		return add_branch(b, e->ino, path);
	free(path);
	return err;
}

static errcode_t read_branches(struct below *b)
{
	struct e2lazy_damage damage;
	errcode_t err = 0;

	while (!err && b->nr) {
		struct branch at = b->at[--b->nr];

		b->path = at.path;
		err = e2lazy_directory_read(b->follow->after.fs, at.dir, NULL,
					    take, b, &damage);
		free(at.path);
		if (!err && damage.count && b->follow->opts.damaged)
			err = b->follow->opts.damaged(b->follow->opts.priv,
						      damage.first.fsblk,
						      damage.error);
	}
	while (b->nr)
		free(b->at[--b->nr].path);
	return err;
}

errcode_t follow_below(struct follow *f, ext2_ino_t dir,
		       errcode_t (*found)(void *priv, const char *path),
		       void *priv)
{
	struct below b = { .follow = f, .found = found, .priv = priv };
	char *path = strdup("");
	errcode_t err = path ? ext2fs_allocate_inode_bitmap(f->after.fs,
							   "below", &b.seen) :
			       EXT2_ET_NO_MEMORY;

	if (!err)
		err = add_branch(&b, dir, path);
	if (err)
		free(path);
	else
		err = read_branches(&b);
	if (b.seen)
		ext2fs_free_inode_bitmap(b.seen);
	free(b.at);
	return err;
}
