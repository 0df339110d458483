/* SPDX-License-Identifier: GPL-2.0-only */
/* target_view.c - the file system through its log, its owners and directories */
#include <stdlib.h>
#include <string.h>

#include "target.h"

const bool fuzz_wants_words = false;
const bool fuzz_wants_paths = false;

struct looking {
	struct e2lazy_journal *j;
	struct e2lazy_jmap *map;
	struct e2lazy_view *view;
	ext2_filsys	fs;
	blk64_t		blocks;		/* of all pieces of an inode */
	unsigned	entries;
	unsigned	letters;	/* read, for what may lie outside */
};

/* ------------------------------------------------------------- contents */

/* Each block as the map alone has it, and the same in one read of many. */
static void check_blocks(struct looking *l)
{
	unsigned bs = e2lazy_geometry(l->j)->blocksize;
	uint64_t size = e2lazy_view_size(l->view, E2LAZY_FILE_SYSTEM);
	uint8_t *one = malloc(2 * bs), *other = one + bs;
	struct e2lazy_where where;
	struct e2lazy_copy copy;
	size_t bad;

	for (size_t i = 0; i < e2lazy_jmap_count(l->map); i++) {
		struct e2lazy_piece piece;

		e2lazy_jmap_get(l->map, i, &copy);
		if ((copy.fsblk + 1) * bs > size)
			continue;
		e2lazy_view_piece(l->view, copy.fsblk, 1, &piece);
		must(piece.fsblk == copy.fsblk && piece.count == 1);
		if (e2lazy_view_read(l->view, E2LAZY_FILE_SYSTEM,
				     copy.fsblk * bs, bs, one, &where) ||
		    e2lazy_read_block(l->j, l->map, copy.fsblk, other))
			continue;
		must(piece.source != E2LAZY_LOST);
		if (piece.source == E2LAZY_IN_LOG) {
			must(piece.logblk == copy.logblk);
			/* else the copy is bad, and the block in place is
			   proven to be what it was */
			must(!memcmp(one, other, bs) ||
			     e2lazy_jmap_read(l->map, i, 1, other, &bad));
		}
	}
	free(one);
}

/* Pieces cover the file system without a gap. */
static void check_pieces(struct looking *l)
{
	blk64_t end = e2lazy_view_size(l->view, E2LAZY_FILE_SYSTEM) /
		      e2lazy_geometry(l->j)->blocksize;
	struct e2lazy_piece piece;

	for (blk64_t at = 0; at < end; at += piece.count) {
		e2lazy_view_piece(l->view, at, end - at, &piece);
		must(piece.fsblk == at);
		must(piece.count > 0 && piece.count <= end - at);
	}
}

/* ---------------------------------------------------------------- names */

static errcode_t count_entry(void *priv, const struct e2lazy_entry *entry)
{
	struct looking *l = priv;

	must(entry->ino != 0);
	must(entry->length <= 255);
	for (unsigned i = 0; i < entry->length; i++)
		l->letters += (unsigned char)entry->name[i];
	l->entries++;
	return 0;
}

static errcode_t count_blocks(void *priv, const struct e2lazy_owner *owner,
			      blk64_t count)
{
	struct looking *l = priv;

	must(owner->role < E2LAZY_NR_ROLES);
	must(count > 0);
	l->blocks += count;
	return 0;
}

/*
 * A search for a path has a bound of its own: it may read a root as large as
 * the disk, some rounds of it.
 */
static uint64_t begin_search(void)
{
	uint64_t read_before = device_bytes_read;

	device_bytes_read = 0;
	return read_before;
}

static void end_search(const struct looking *l, uint64_t read_before)
{
	must(device_bytes_read / l->fs->blocksize <=
	     20 * ext2fs_blocks_count(l->fs->super));
	device_bytes_read = read_before;
}

static void check_path(const struct looking *l, ext2_ino_t ino)
{
	uint64_t read_before = begin_search();
	struct e2lazy_where where;
	char *text;

	if (!e2lazy_directory_path(l->fs, ino, &text, &where)) {
		must(*text == '/' || *text == '<');
		free(text);
	}
	end_search(l, read_before);
}

static void check_lookup(const struct looking *l, const char *path)
{
	uint64_t read_before = begin_search();
	struct e2lazy_where where;
	ext2_ino_t ino;

	e2lazy_view_path(l->view, path, &ino, &where);
	e2lazy_lookup(l->fs, EXT2_ROOT_INO, path, true, &ino, &where);
	end_search(l, read_before);
}

static void check_inode(struct looking *l, ext2_ino_t ino, blk64_t *budget)
{
	struct e2lazy_directory_opts opts = { .removed = true,
					      .budget = budget };
	struct e2lazy_damage damage;
	char *text;

	l->entries = 0;
	l->blocks = 0;
	e2lazy_directory_read(l->fs, ino, &opts, count_entry, l, &damage);
	check_path(l, ino);
	if (!e2lazy_symlink_read(l->fs, ino, &text)) {
		must(strlen(text) <= l->fs->blocksize);
		free(text);
	}
	e2lazy_inode_blocks(l->fs, ino, count_blocks, l, &damage);
}

static void check_names(struct looking *l)
{
	static const char *const paths[] = {
		"/", "/d", "/d/../d/.//f", "/l", "/loop/x", "/big", "/none",
		"/h/name_with_some_length_17", "/lost+found/../l/f",
	};
	blk64_t budget = ext2fs_blocks_count(l->fs->super);
	dgrp_t most = l->fs->group_desc_count;

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		check_lookup(l, paths[i]);
	for (dgrp_t g = 0; g < most && g < 4; g++) {
		uint32_t count = e2lazy_group_inodes(l->fs, g);

		must(count <= l->fs->super->s_inodes_per_group);
		for (uint32_t i = 0; i < count && i < 64; i++)
			check_inode(l, g * l->fs->super->s_inodes_per_group +
				    i + 1, &budget);
	}
}

/* --------------------------------------------------------------- owners */

static void check_owners(struct looking *l, bool paths)
{
	struct e2lazy_owners_opts opts = { .paths = paths };
	struct e2lazy_layout *layout;
	struct e2lazy_owners *owners;
	struct e2lazy_owner owner;
	struct e2lazy_damage damage;
	struct e2lazy_where where;
	struct e2lazy_copy copy;
	char *path;

	if (e2lazy_layout_build(l->j, l->map, &layout, &where))
		return;
	if (e2lazy_owners_build(l->view, layout, &opts, &owners, &damage))
		goto out;
	for (size_t i = 0; i < e2lazy_jmap_count(l->map); i++) {
		e2lazy_jmap_get(l->map, i, &copy);
		must(!e2lazy_owners_find(owners, copy.fsblk, &owner));
		must(owner.fsblk == copy.fsblk);
		must(owner.role < E2LAZY_NR_ROLES);
		if (owner.ino && !e2lazy_owners_path(owners, owner.ino, &path))
			free(path);
	}
	e2lazy_owners_free(owners);
out:
	e2lazy_layout_free(layout);
}

static void look(struct looking *l, const struct input *in)
{
	struct e2lazy_where where;
	const blk64_t *lost;
	size_t count = e2lazy_view_lost(l->view, &lost);

	for (size_t i = 1; i < count; i++)
		must(lost[i - 1] < lost[i]);
	check_blocks(l);
	check_pieces(l);
	check_owners(l, in->flags & INPUT_MORE);
	if (e2lazy_view_open(l->view, &l->fs, &where))
		return;
	check_names(l);
	ext2fs_free(l->fs);
}

void fuzz_one(struct template *t, const struct input *in)
{
	struct looking l = { .j = fuzz_open(t) };
	struct e2lazy_where where;

	if (!l.j)
		return;
	l.map = fuzz_map(l.j, in, E2LAZY_JMAP_CSUMS);
	if (l.map && !e2lazy_view_build(l.j, l.map, &l.view, &where)) {
		look(&l, in);
		e2lazy_view_free(l.view);
	}
	e2lazy_jmap_free(l.map);
	e2lazy_close(l.j);
	fuzz_bound(t, 8);
}
