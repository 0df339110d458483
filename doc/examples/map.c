/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * map.c - list the blocks whose newest copy is in the log
 *
 *	cc map.c -o map $(pkg-config --cflags --libs e2lazy)
 *	./map DEVICE
 *
 * One line a block: its static place, the log block of its newest copy, and
 * the transaction that wrote the copy.  Nothing is written to DEVICE.
 */
#include <stdio.h>

#include <e2lazy/e2lazy.h>

static int print_map(const struct e2lazy_jmap *map)
{
	const struct e2lazy_map_stats *stats = e2lazy_jmap_stats(map);
	struct e2lazy_copy copy;
	size_t i;

	for (i = 0; i < e2lazy_jmap_count(map); i++) {
		e2lazy_jmap_get(map, i, &copy);
		printf("%llu %u %u\n", (unsigned long long)copy.fsblk,
		       copy.logblk, copy.tid);
	}
	/* The map ends at the first damage: it may lack newer copies. */
	for (i = 0; i < stats->nr_damage; i++)
		com_err("map", stats->damage[i].error, "in the log");
	return stats->nr_damage ? 4 : 0;
}

int main(int argc, char **argv)
{
	struct e2lazy_journal *journal = NULL;
	struct e2lazy_jmap *map = NULL;
	errcode_t err;
	int status = 8;

	if (argc != 2) {
		fprintf(stderr, "usage: map DEVICE\n");
		return 16;
	}
	initialize_ext2_error_table();
	initialize_e2lz_error_table();
	err = e2lazy_open(argv[1], NULL, &journal, NULL);
	if (!err)
		err = e2lazy_jmap_build(journal, NULL, &map);
	if (err)
		com_err("map", err, "with %s", argv[1]);
	else
		status = print_map(map);
	if (map)
		e2lazy_jmap_free(map);
	if (journal)
		e2lazy_close(journal);
	return status;
}
