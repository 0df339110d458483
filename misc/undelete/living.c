/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * living.c - files that still exist, copied beside the restored ones
 *
 * With --tree a directory comes back whole: its deleted children from the ring,
 * and those that still exist through the view.  They are walked twice: for their
 * names, before deleted files are restored, and to be copied, after that.  Names,
 * maps and directories may be an enemy's: a walk enters each directory once, and
 * contents have a budget.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/contents.h"
#include "fs/directory.h"
#include "support/status.h"
#include "undelete.h"

#define MAX_DEPTH	512
#define MAX_PATH	4096

struct living {
	struct undelete	*u;
	bool		copy;		/* else only the names */
	errcode_t	err;		/* of the names */
	ext2_filsys	fs;
	ext2fs_inode_bitmap seen;	/* directories */
	blk64_t		budget;		/* blocks of directories to read */
	uint64_t	bytes;		/* of contents to copy */
	unsigned	depth;
	uint64_t	done;		/* inodes, for the bar */
	char		path[MAX_PATH];	/* of the directory at hand */
	size_t		length;
};

struct copy_of {
	struct living	*l;
	const struct file *f;
};

static void fail(struct living *l, const char *path, errcode_t err)
{
	/* Whoever copies meets it again. */
	if (l->copy)
		session_complain(l->u->s, FSCK_ERROR, "%s: %s",
				 *path ? path : "/", error_message(err));
}

/* ------------------------------------------------------------- one file */

/* Bytes of blocks for the restoration, which wants whole blocks' numbers. */
static errcode_t put_bytes(void *priv, uint64_t offset, const void *bytes,
			   size_t count)
{
	const struct copy_of *c = priv;
	unsigned size = c->l->fs->blocksize;
	errcode_t err = 0;

	for (size_t done = 0, n; !err && done < count; done += n) {
		struct e2lazy_graded g = {
			.lblk = (offset + done) / size,
			.count = (count - done + size - 1) / size,
			.bytes = (const char *)bytes + done,
		};

		g.grade = aged_at(c->f, g.lblk, &g.count);
		n = g.count * size < count - done ? g.count * size :
						    count - done;
		g.length = n;
		err = restore_bytes(c->l->u->restore, &g);
	}
	return err;
}

static errcode_t read_contents(struct living *l, struct file *f,
			       struct ext2_inode_large *inode)
{
	struct copy_of copy = { l, f };
	const struct sink sink = { put_bytes, &copy, &l->bytes };

	if (LINUX_S_ISLNK(f->d.mode))
		return e2lazy_symlink_read(l->fs, f->d.ino, &f->target);
	if (LINUX_S_ISREG(f->d.mode))
		return contents_read(l->fs, f->d.ino, inode, &sink);
	return 0;
}

/* Codes of libraries lie beyond those of the system. */
static bool is_errno(errcode_t err)
{
	return err > 0 && err < 4096;
}

static void copy_file(struct living *l, struct file *f,
		      struct ext2_inode_large *inode)
{
	struct restore *r = l->u->restore;
	errcode_t err;

	if (restore_link(r, f) || !restore_open(r, f))
		return;
	err = aged_grade(l->u, f);
	if (!err)
		err = read_contents(l, f, inode);
	/* restore_finish() complains about a write that failed. */
	if (err && !is_errno(err)) {
		if (l->u->listed)
			l->u->s->status |= FSCK_ERROR;
		else if (err != E2LAZY_ET_CANCELLED)
			fail(l, f->paths[0], err);
		f->error = err;
		f->outcome = OUTCOME_FAILED;
	}
	restore_finish(r, f);
}

static bool is_wanted(const struct living *l, const struct file *f)
{
	const struct kept *beside = l->u->beside;

	return filter_takes_inode(&l->u->filter, &f->d) &&
	       filter_takes_path(&l->u->filter, f->paths[0]) &&
	       !(beside && kept_knows(beside, f->paths[0] + 1));
}

/* Without its key an encrypted file has neither names nor contents. */
static void list_copy(struct living *l, struct file *f,
		      struct ext2_inode_large *inode)
{
	if (inode->i_flags & EXT4_ENCRYPT_FL)
		leave_out(l->u, f, LEFT_ENCRYPTED);
	else
		copy_file(l, f, inode);
	list_file(l->u, f);
}

static void keep_name(struct living *l, const struct file *f)
{
	if (!kept_add(&l->u->kept, f->paths[0] + 1, LINUX_S_ISDIR(f->d.mode)))
		l->err = EXT2_ET_NO_MEMORY;
}

static void take_file(struct living *l, ext2_ino_t ino, const char *path,
		      struct ext2_inode_large *inode)
{
	char *paths[] = { strdup(path) };
	size_t lengths[] = { strlen(path) };
	struct file f = { .living = true, .grade = FILE_LIVING, .d.ino = ino,
			  .d.generation = inode->i_generation,
			  .paths = paths, .lengths = lengths, .nr_paths = 1 };

	e2lazy_undelete_living(inode, &f.d);
	if (!paths[0]) {
		fail(l, path, EXT2_ET_NO_MEMORY);
		return;
	}
	if (is_wanted(l, &f)) {
		if (l->copy)
			list_copy(l, &f, inode);
		else
			keep_name(l, &f);
	}
	free(paths[0]);
	free(f.target);
	free(f.restored_as);
	free(f.pieces);
}

/* ---------------------------------------------------------- directories */

static void enter(struct living *l, ext2_ino_t ino);

/* A name must not lead elsewhere: its slashes and NULs become "_". */
static bool add_name(struct living *l, const struct e2lazy_entry *entry)
{
	if (l->length + 1 + entry->length >= MAX_PATH)
		return false;
	l->path[l->length++] = '/';
	for (unsigned i = 0; i < entry->length; i++) {
		char c = entry->name[i];

		l->path[l->length++] = c && c != '/' ? c : '_';
	}
	l->path[l->length] = 0;
	return true;
}

static void take_inode(struct living *l, ext2_ino_t ino)
{
	struct ext2_inode_large inode;
	errcode_t err;

	err = ext2fs_read_inode_full(l->fs, ino, (struct ext2_inode *)&inode,
				     sizeof(inode));
	if (err) {
		fail(l, l->path, err);
		return;
	}
	if (!inode.i_links_count || !inode.i_mode)
		return;
	take_file(l, ino, l->path, &inode);
	if (LINUX_S_ISDIR(inode.i_mode) && !(inode.i_flags & EXT4_ENCRYPT_FL))
		enter(l, ino);
}

static errcode_t take_entry(void *priv, const struct e2lazy_entry *entry)
{
	struct living *l = priv;
	const struct ext2_super_block *sb = l->fs->super;
	size_t length = l->length;

	if (!progress_tick(&l->u->s->print.progress, l->done++,
			   sb->s_inodes_count - sb->s_free_inodes_count))
		return E2LAZY_ET_CANCELLED;
	if (l->err)
		return l->err;
	if (is_dots(entry) || !entry->length ||
	    entry->ino > sb->s_inodes_count ||
	    (entry->ino < EXT2_FIRST_INO(sb)))
		return 0;
	if (add_name(l, entry))
		take_inode(l, entry->ino);
	else
		fail(l, l->path, E2LAZY_ET_LONG_PATH);
	l->length = length;
	l->path[length] = 0;
	return 0;
}

static void enter(struct living *l, ext2_ino_t ino)
{
	const struct e2lazy_directory_opts opts = { .budget = &l->budget };
	struct e2lazy_damage damage = { 0 };
	errcode_t err;

	if (l->depth == MAX_DEPTH ||
	    ext2fs_mark_inode_bitmap2(l->seen, ino)) {
		fail(l, l->path, EXT2_ET_DIR_CORRUPTED);
		return;
	}
	l->depth++;
	err = e2lazy_directory_read(l->fs, ino, &opts, take_entry, l, &damage);
	l->depth--;
	if (err && err != E2LAZY_ET_CANCELLED)
		fail(l, l->path, err);
	if (l->copy)
		session_tell_unread(l->u->s, &damage);
}

static errcode_t walk(struct undelete *u, bool copy)
{
	struct living *l = calloc(1, sizeof(*l));
	struct e2lazy_where where;
	errcode_t err = l ? 0 : EXT2_ET_NO_MEMORY;

	if (!err && !u->living) {
		err = e2lazy_view_open(opened_what_is_shown(u->s->log),
				       &u->living, &where);
		if (!err && !aged_begin(u))
			err = E2LAZY_ET_CANCELLED;
	}
	if (!err)
		err = ext2fs_allocate_inode_bitmap(u->living, "living",
						   &l->seen);
	if (!err) {
		l->u = u;
		l->copy = copy;
		l->fs = u->living;
		l->budget = 2 * ext2fs_blocks_count(l->fs->super);
		l->bytes = l->budget * l->fs->blocksize;
		progress_begin(&u->s->print.progress, PHASE_FILES);
		enter(l, EXT2_ROOT_INO);
		progress_end(&u->s->print.progress);
		ext2fs_free_inode_bitmap(l->seen);
		err = l->err;
	}
	free(l);
	return err;
}

bool keep_living_names(struct undelete *u)
{
	errcode_t err = walk(u, false);

	if (err)
		session_fail(u->s, err, NULL);
	kept_sort(&u->kept);
	return !err;
}

void copy_living(struct undelete *u)
{
	errcode_t err;

	restore_living(u->restore);
	err = walk(u, true);
	if (err)
		session_fail(u->s, err, NULL);
}
