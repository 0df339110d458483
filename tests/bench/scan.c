/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scan - read every inode and every directory entry, and print the time
 *
 *	scan view IMAGE		through the log, with libe2lazy
 *	scan static IMAGE	from the static blocks, with libext2fs
 *
 *	scan ring IMAGE		every transaction of the ring; prints seconds
 *	scan deleted IMAGE	each deleted file with its grade and path, as
 *				undelete --quick; prints seconds
 *
 * The first two print one line: inodes in use, directory entries, a checksum of both,
 * seconds to build the map (0 without one), to open besides, and to scan.
 * Exit status 0, or 1 with a message.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "e2lazy_ring.h"
#include "e2lazy_undelete.h"

struct scan {
	uint64_t	inodes, entries;
	uint64_t	sum;		/* FNV-1a over what was seen */
};

struct source {
	struct e2lazy_journal *journal;
	struct e2lazy_jmap *map;
	struct e2lazy_view *view;
	ext2_filsys	fs;
	double		build, open;	/* seconds */
};

static void add(struct scan *scan, const void *bytes, size_t count)
{
	const unsigned char *p = bytes;

	for (; count; count--)
		scan->sum = (scan->sum ^ *p++) * 1099511628211u;
}

static int see_entry(ext2_ino_t dir, int entry, struct ext2_dir_entry *dirent,
		     int offset, int blocksize, char *buf, void *priv)
{
	struct scan *scan = priv;

	(void)dir, (void)entry, (void)offset, (void)blocksize, (void)buf;
	scan->entries++;
	add(scan, dirent->name, ext2fs_dirent_name_len(dirent));
	add(scan, &dirent->inode, sizeof(dirent->inode));
	return 0;
}

static errcode_t scan_all(ext2_filsys fs, struct scan *scan)
{
	struct ext2_inode inode;
	ext2_inode_scan inodes;
	ext2_ino_t ino;
	errcode_t err;

	err = ext2fs_open_inode_scan(fs, 0, &inodes);
	if (err)
		return err;
	while (!(err = ext2fs_get_next_inode(inodes, &ino, &inode)) && ino) {
		if (!inode.i_links_count)
			continue;
		scan->inodes++;
		add(scan, &ino, sizeof(ino));
		add(scan, &inode.i_size, sizeof(inode.i_size));
		if (LINUX_S_ISDIR(inode.i_mode))
			err = ext2fs_dir_iterate2(fs, ino, 0, NULL, see_entry,
						  scan);
		if (err)
			break;
	}
	ext2fs_close_inode_scan(inodes);
	return err;
}

static errcode_t open_view(struct source *s, const char *image)
{
	struct e2lazy_jmap_opts opts = { .flags = E2LAZY_JMAP_CSUMS };
	double began = now(), mapped;
	errcode_t err;

	err = e2lazy_open(image, NULL, &s->journal, NULL);
	s->open = now() - began;
	began = now();
	if (!err)
		err = e2lazy_jmap_build(s->journal, &opts, &s->map);
	mapped = now();
	s->build = mapped - began;
	if (!err)
		err = e2lazy_view_build(s->journal, s->map, &s->view, NULL);
	if (!err)
		err = e2lazy_view_open(s->view, &s->fs, NULL);
	s->open += now() - mapped;
	return err;
}

static errcode_t open_static(struct source *s, const char *image)
{
	double began = now();
	errcode_t err = ext2fs_open(image, EXT2_FLAG_64BITS, 0, 0,
				    unix_io_manager, &s->fs);

	s->open = now() - began;
	return err;
}

/* ------------------------------------------------------ the whole ring */

static errcode_t scan_ring(const char *image)
{
	struct e2lazy_journal *journal;
	struct e2lazy_ring *ring;
	errcode_t err = e2lazy_open(image, NULL, &journal, NULL);

	if (err)
		return err;
	err = e2lazy_ring_scan(journal, NULL, &ring, NULL);
	if (!err)
		e2lazy_ring_free(ring);
	e2lazy_close(journal);
	return err;
}

static errcode_t list_one(struct e2lazy_undelete *u, size_t index)
{
	struct e2lazy_contents contents;
	struct e2lazy_deleted d;
	size_t length;
	char *path;
	errcode_t err = e2lazy_undelete_get(u, index, &d);

	if (!err)
		err = e2lazy_undelete_path(u, index, 0, &path, &length);
	if (err)
		return err;
	free(path);
	return e2lazy_undelete_read(u, index, E2LAZY_READ_NONE, NULL, NULL,
				    &contents);
}

static errcode_t scan_deleted(const char *image)
{
	const struct e2lazy_undelete_opts opts = { .evidence = true };
	struct source s = { .build = 0 };
	struct e2lazy_undelete *u;
	errcode_t err = open_view(&s, image);

	if (!err)
		err = e2lazy_undelete_scan(s.journal, s.view, &opts, &u, NULL);
	if (err)
		return err;
	for (size_t i = 0; !err && i < e2lazy_undelete_count(u); i++)
		err = list_one(u, i);
	e2lazy_undelete_free(u);
	ext2fs_free(s.fs);
	e2lazy_view_free(s.view);
	e2lazy_jmap_free(s.map);
	e2lazy_close(s.journal);
	return err;
}

/* False: @mode is one of the others. */
static bool scan_timed(const char *mode, const char *image, errcode_t *err)
{
	double began = now();

	if (!strcmp(mode, "ring"))
		*err = scan_ring(image);
	else if (!strcmp(mode, "deleted"))
		*err = scan_deleted(image);
	else
		return false;
	printf("%.6f\n", now() - began);
	return true;
}

int main(int argc, char **argv)
{
	struct scan scan = { .sum = 14695981039346656037u };
	struct source s = { .build = 0 };
	errcode_t err;
	double began;

	initialize_ext2_error_table();
	initialize_e2lz_error_table();
	if (argc != 3) {
		fputs("usage: scan view|static|ring|deleted IMAGE\n", stderr);
		return 1;
	}
	if (scan_timed(argv[1], argv[2], &err)) {
		if (err)
			fprintf(stderr, "scan: %s\n", error_message(err));
		return err != 0;
	}
	err = strcmp(argv[1], "view") ? open_static(&s, argv[2]) :
					open_view(&s, argv[2]);
	began = now();
	if (!err)
		err = scan_all(s.fs, &scan);
	if (err) {
		fprintf(stderr, "scan: %s: %s\n", argv[2], error_message(err));
		return 1;
	}
	printf("%llu %llu %016llx %.4f %.4f %.4f\n",
	       (unsigned long long)scan.inodes,
	       (unsigned long long)scan.entries,
	       (unsigned long long)scan.sum, s.build, s.open, now() - began);
	ext2fs_free(s.fs);
	e2lazy_view_free(s.view);
	e2lazy_jmap_free(s.map);
	e2lazy_close(s.journal);
	return 0;
}
