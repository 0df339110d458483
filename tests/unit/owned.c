/* SPDX-License-Identifier: GPL-2.0-only */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "owned.h"

#define BLOCK 1024

static char *in_dir(struct owned *o, const char *name)
{
	char *path;

	ck_assert_int_gt(asprintf(&path, "%s/%s", o->f->dir, name), 0);
	return path;
}

static void put_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

struct owned *new_owned(const char *mke2fs, const char *tree)
{
	struct owned *o = calloc(1, sizeof(*o));
	char *dir, *line;

	ck_assert_ptr_nonnull(o);
	o->f = new_fixture();
	dir = in_dir(o, "tree");
	ck_assert_int_gt(asprintf(&line, "mkdir %s && cd %s && { %s; }", dir,
				  dir, tree), 0);
	shell(o->f, line);
	free(line);
	ck_assert_int_gt(asprintf(&line, "-b 1024 -J size=1 %s -d %s", mke2fs,
				  dir), 0);
	make_image(o->f, "64M", line, NULL);
	free(line);
	free(dir);
	return o;
}

void free_owned(struct owned *o)
{
	char *line;

	e2lazy_owners_free(o->owners);
	e2lazy_view_free(o->view);
	e2lazy_layout_free(o->layout);
	ck_assert_int_gt(asprintf(&line, "cd %s && rm -rf tree commands kept*",
				  o->f->dir), 0);
	shell(o->f, line);
	free(line);
	free(o);
}

void alter(struct owned *o, const char *commands)
{
	char *path = in_dir(o, "commands"), *line;

	put_file(path, commands);
	ck_assert_int_gt(asprintf(&line, "debugfs -w -f %s %s", path,
				  o->f->image), 0);
	shell(o->f, line);
	free(line);
	free(path);
}

/* ---------------------------------------------------- the image as it is */

static ext2_filsys open_image(struct owned *o)
{
	ext2_filsys fs;

	ck_assert_int_eq(ext2fs_open(o->f->image, EXT2_FLAG_64BITS, 0, 0,
				     unix_io_manager, &fs), 0);
	return fs;
}

ext2_ino_t ino_of(struct owned *o, const char *path)
{
	ext2_filsys fs = open_image(o);
	ext2_ino_t ino;

	ck_assert_int_eq(ext2fs_namei(fs, EXT2_ROOT_INO, EXT2_ROOT_INO, path,
				      &ino), 0);
	ext2fs_free(fs);
	return ino;
}

void inode_of(struct owned *o, const char *path, struct ext2_inode *inode)
{
	ext2_ino_t ino = ino_of(o, path);
	ext2_filsys fs = open_image(o);

	ck_assert_int_eq(ext2fs_read_inode(fs, ino, inode), 0);
	ext2fs_free(fs);
}

blk64_t block_of_ino(struct owned *o, ext2_ino_t ino, blk64_t lblk)
{
	ext2_filsys fs = open_image(o);
	blk64_t fsblk = 0;

	ck_assert_int_eq(ext2fs_bmap2(fs, ino, NULL, NULL, 0, lblk, NULL,
				      &fsblk), 0);
	ck_assert_uint_ne(fsblk, 0);
	ext2fs_free(fs);
	return fsblk;
}

blk64_t block_of(struct owned *o, const char *path, blk64_t lblk)
{
	return block_of_ino(o, ino_of(o, path), lblk);
}

blk64_t node_of(struct owned *o, const char *path)
{
	ext2_ino_t ino = ino_of(o, path);
	ext2_filsys fs = open_image(o);
	struct ext2fs_extent extent;
	ext2_extent_handle_t handle;

	ck_assert_int_eq(ext2fs_extent_open(fs, ino, &handle), 0);
	ck_assert_int_eq(ext2fs_extent_get(handle, EXT2_EXTENT_ROOT, &extent),
			 0);
	ck_assert(!(extent.e_flags & EXT2_EXTENT_FLAGS_LEAF));
	ext2fs_extent_free(handle);
	ext2fs_free(fs);
	return extent.e_pblk;
}

blk64_t home_of(struct owned *o, ext2_ino_t ino)
{
	ext2_filsys fs = open_image(o);
	unsigned per_group = fs->super->s_inodes_per_group;
	blk64_t fsblk;

	ck_assert_uint_le(ino, fs->super->s_inodes_count);
	fsblk = ext2fs_inode_table_loc(fs, (ino - 1) / per_group) +
		(ino - 1) % per_group / EXT2_INODES_PER_BLOCK(fs->super);
	ext2fs_free(fs);
	return fsblk;
}

blk64_t bitmap_over(struct owned *o, blk64_t fsblk)
{
	ext2_filsys fs = open_image(o);
	blk64_t bitmap = ext2fs_block_bitmap_loc(fs,
				ext2fs_group_of_blk2(fs, fsblk));

	ext2fs_free(fs);
	return bitmap;
}

void read_block(struct owned *o, blk64_t fsblk, void *block)
{
	int fd = open(o->f->image, O_RDONLY);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pread(fd, block, BLOCK, (off_t)fsblk * BLOCK), BLOCK);
	close(fd);
}

void write_block(struct owned *o, blk64_t fsblk, const void *block)
{
	int fd = open(o->f->image, O_WRONLY);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pwrite(fd, block, BLOCK, (off_t)fsblk * BLOCK),
			 BLOCK);
	close(fd);
}

/* ------------------------------------------------------------- the log */

static int by_number(const void *a, const void *b)
{
	const blk64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

void log_block(struct owned *o, blk64_t fsblk)
{
	ck_assert_uint_lt(o->nr_logged, MAX_LOGGED);
	o->logged[o->nr_logged++] = fsblk;
}

/* mkjournal fills blocks with words of its own; debugfs with a file's. */
void keep_txn(struct owned *o, const blk64_t *blocks)
{
	char *commands = in_dir(o, "kept"), *bytes, block[BLOCK];
	FILE *list = fopen(commands, o->nr_kept ? "a" : "w"), *file;

	ck_assert_int_gt(asprintf(&bytes, "%s%u", commands, o->nr_kept++), 0);
	file = fopen(bytes, "w");
	ck_assert(list && file);
	fputs("jw -b ", list);
	for (unsigned i = 0; blocks[i]; i++) {
		read_block(o, blocks[i], block);
		ck_assert_uint_eq(fwrite(block, BLOCK, 1, file), 1);
		fprintf(list, "%s%llu", i ? "," : "",
			(unsigned long long)blocks[i]);
	}
	fprintf(list, " %s\n", bytes);
	ck_assert_int_eq(fclose(list), 0);
	ck_assert_int_eq(fclose(file), 0);
	free(bytes);
	free(commands);
}

void write_txns(struct owned *o)
{
	char *line;

	ck_assert_int_gt(asprintf(&line, "cd %s && { echo jo%s; cat kept; "
				  "echo jc; } >commands && "
				  "debugfs -w -f commands %s", o->f->dir,
				  o->sums ? " -c" : "", o->f->image), 0);
	shell(o->f, line);
	free(line);
	o->nr_kept = 0;
}

static void write_real_log(struct owned *o)
{
	qsort(o->logged, o->nr_logged, sizeof(*o->logged), by_number);
	keep_txn(o, o->logged);
	write_txns(o);
}

void open_owned(struct owned *o, const char *spec)
{
	if (spec)
		write_log(o->f, spec);
	else
		write_real_log(o);
	read_map(o->f, E2LAZY_JMAP_CSUMS, 0);
	if (!spec)
		ck_assert_uint_eq(e2lazy_jmap_count(o->f->map), o->nr_logged);
	ck_assert_int_eq(e2lazy_view_build(o->f->journal, o->f->map, &o->view,
					   NULL), 0);
	ck_assert_int_eq(e2lazy_layout_build(o->f->journal, o->f->map,
					     &o->layout, NULL), 0);
}

ext2_filsys seen_through(struct owned *o)
{
	ext2_filsys fs;

	log_block(o, FREE);
	open_owned(o, NULL);
	ck_assert_int_eq(e2lazy_view_open(o->view, &fs, NULL), 0);
	return fs;
}

void find_owners(struct owned *o, bool paths)
{
	struct e2lazy_owners_opts opts = { .paths = paths };

	open_owned(o, NULL);
	ck_assert_int_eq(e2lazy_owners_build(o->view, o->layout, &opts,
					     &o->owners, &o->damage), 0);
}

void check_owner(struct owned *o, blk64_t fsblk, enum e2lazy_role role,
		 ext2_ino_t ino, uint64_t lblk)
{
	struct e2lazy_owner owner;

	ck_assert_int_eq(e2lazy_owners_find(o->owners, fsblk, &owner), 0);
	ck_assert_str_eq(e2lazy_role_name(owner.role), e2lazy_role_name(role));
	ck_assert_uint_eq(owner.fsblk, fsblk);
	ck_assert_uint_eq(owner.ino, ino);
	ck_assert_uint_eq(owner.lblk, lblk);
}

void check_path(struct owned *o, ext2_ino_t ino, const char *path)
{
	char *found = NULL;
	errcode_t err = e2lazy_owners_path(o->owners, ino, &found);

	ck_assert_int_eq(err, path ? 0 : EXT2_ET_FILE_NOT_FOUND);
	if (path)
		ck_assert_str_eq(found, path);
	free(found);
}
