/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * view.c - print a file as the log makes it
 *
 *	cc view.c -o view $(pkg-config --cflags --libs e2lazy)
 *	./view DEVICE /PATH
 *
 * The view gives libext2fs each block from its newest place, the log or the
 * static one.  All of libext2fs that reads works on it.  Nothing is written
 * to DEVICE.
 */
#include <stdio.h>

#include <e2lazy/e2lazy_view.h>

/* Files with inline data need ext2fs_inline_data_get() instead. */
static errcode_t print_file(ext2_filsys fs, const char *path)
{
	char buf[4096];
	unsigned int got;
	ext2_file_t file;
	ext2_ino_t ino;
	errcode_t err;

	err = e2lazy_lookup(fs, EXT2_ROOT_INO, path, true, &ino, NULL);
	if (err)
		return err;
	err = ext2fs_file_open(fs, ino, 0, &file);
	if (err)
		return err;
	while ((err = ext2fs_file_read(file, buf, sizeof(buf), &got)) == 0 &&
	       got > 0)
		fwrite(buf, 1, got, stdout);
	ext2fs_file_close(file);
	return err;
}

static errcode_t print_newest(const struct e2lazy_jmap *map,
			      struct e2lazy_journal *journal, const char *path)
{
	struct e2lazy_view *view;
	ext2_filsys fs;
	errcode_t err;

	err = e2lazy_view_build(journal, map, &view, NULL);
	if (err)
		return err;
	err = e2lazy_view_open(view, &fs, NULL);
	if (!err) {
		err = print_file(fs, path);
		ext2fs_free(fs);
	}
	e2lazy_view_free(view);
	return err;
}

int main(int argc, char **argv)
{
	/* With its checksum, a copy is verified when it is read. */
	const struct e2lazy_jmap_opts opts = { .flags = E2LAZY_JMAP_CSUMS };
	struct e2lazy_journal *journal;
	struct e2lazy_jmap *map;
	errcode_t err;

	if (argc != 3) {
		fprintf(stderr, "usage: view DEVICE /PATH\n");
		return 16;
	}
	initialize_ext2_error_table();
	initialize_e2lz_error_table();
	err = e2lazy_open(argv[1], NULL, &journal, NULL);
	if (!err) {
		err = e2lazy_jmap_build(journal, &opts, &map);
		if (!err) {
			err = print_newest(map, journal, argv[2]);
			e2lazy_jmap_free(map);
		}
		e2lazy_close(journal);
	}
	if (!err && (fflush(stdout) || ferror(stdout)))
		err = EXT2_ET_SHORT_WRITE;
	if (err)
		com_err("view", err, "with %s of %s", argv[2], argv[1]);
	return err ? 8 : 0;
}
