/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * deleted.c - list the deleted files that the ring of the journal still has
 *
 *	cc deleted.c -o deleted $(pkg-config --cflags --libs e2lazy)
 *	./deleted DEVICE
 *
 * Prints size, blocks without evidence against them, all blocks, and the path.
 * Nothing is written to DEVICE.
 */
#include <stdio.h>
#include <stdlib.h>

#include <e2lazy/e2lazy_undelete.h>

static errcode_t print_one(struct e2lazy_undelete *found, size_t index)
{
	struct e2lazy_contents contents;
	struct e2lazy_deleted file;
	unsigned long long all = 0;
	size_t length;
	char *path;
	errcode_t err;

	err = e2lazy_undelete_get(found, index, &file);
	if (!err)
		err = e2lazy_undelete_read(found, index, E2LAZY_READ_OWN, NULL,
					   NULL, &contents);
	if (!err)
		err = e2lazy_undelete_path(found, index, 0, &path, &length);
	if (err)
		return err;
	for (unsigned i = 0; i < E2LAZY_NR_GRADES; i++)
		all += contents.blocks[i];
	printf("%llu %llu/%llu ", (unsigned long long)file.size,
	       (unsigned long long)contents.blocks[E2LAZY_GRADE_INTACT], all);
	fwrite(path, 1, length, stdout);
	putchar('\n');
	free(path);
	return 0;
}

static errcode_t print_all(struct e2lazy_journal *journal,
			   const struct e2lazy_jmap *map)
{
	const struct e2lazy_undelete_opts opts = { .evidence = true };
	struct e2lazy_undelete *found;
	struct e2lazy_view *view;
	errcode_t err;

	err = e2lazy_view_build(journal, map, &view, NULL);
	if (err)
		return err;
	err = e2lazy_undelete_scan(journal, view, &opts, &found, NULL);
	if (!err) {
		for (size_t i = 0; !err && i < e2lazy_undelete_count(found);
		     i++)
			err = print_one(found, i);
		e2lazy_undelete_free(found);
	}
	e2lazy_view_free(view);
	return err;
}

int main(int argc, char **argv)
{
	const struct e2lazy_jmap_opts opts = { .flags = E2LAZY_JMAP_CSUMS };
	struct e2lazy_journal *journal;
	struct e2lazy_jmap *map;
	errcode_t err;

	if (argc != 2) {
		fprintf(stderr, "usage: deleted DEVICE\n");
		return 16;
	}
	initialize_ext2_error_table();
	initialize_e2lz_error_table();
	err = e2lazy_open(argv[1], NULL, &journal, NULL);
	if (!err) {
		err = e2lazy_jmap_build(journal, &opts, &map);
		if (!err) {
			err = print_all(journal, map);
			e2lazy_jmap_free(map);
		}
		e2lazy_close(journal);
	}
	if (!err && (fflush(stdout) || ferror(stdout)))
		err = EXT2_ET_SHORT_WRITE;
	if (err)
		com_err("deleted", err, "with %s", argv[1]);
	return err ? 8 : 0;
}
