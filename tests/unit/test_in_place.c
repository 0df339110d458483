/* SPDX-License-Identifier: GPL-2.0-only */
/* A static block is compared with its own copy, for any number of blocks. */

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "judged.h"
#include "stacked_io.h"

/* 3000 neighbours that are logged in another order: three stretches, nearly. */
#define SIZE 4096
#define STRETCH 1024
#define LOG "needs_recovery off\n" \
	    "bulk 15 tags 200 from 60000 step 7 mod 3000 whole\n"

struct lost {
	blk64_t		fsblks[8];
	unsigned	count;
};

static errcode_t note_lost(void *priv, const struct e2lazy_problem *problem,
		      errcode_t error, const struct e2lazy_where *where)
{
	struct lost *l = priv;

	(void)error;
	if (strcmp(problem->id, "wiped-on-mount"))
		return 0;
	ck_assert_uint_lt(l->count, 8);
	l->fsblks[l->count++] = where->fsblk;
	return 0;
}

static void write_all_home(struct fixture *f, size_t live)
{
	int fd = open(f->image, O_WRONLY);
	struct e2lazy_copy copy;
	char block[SIZE];

	ck_assert_int_ge(fd, 0);
	ck_assert_uint_eq(e2lazy_jmap_count(f->map), live);
	for (size_t i = 0; i < live; i++) {
		e2lazy_jmap_get(f->map, i, &copy);
		ck_assert_int_eq(e2lazy_read_copy(f->journal, copy.logblk,
						  copy.flags, block), 0);
		ck_assert_int_eq(pwrite(fd, block, SIZE,
					(off_t)copy.fsblk * SIZE), SIZE);
	}
	close(fd);
}

static struct lost look(struct fixture *f, bool keep)
{
	struct judged j = { .f = NULL };
	struct lost lost = { .count = 0 };
	const struct e2lazy_verify_opts opts = {
		.place = note_lost, .priv = &lost,
	};

	open_subject(&j, f);
	if (keep)
		ck_assert_int_eq(e2lazy_view_keep(j.subject.view, 1 << 30, NULL), 0);
	ck_assert_int_eq(e2lazy_verify(&j.subject, &opts, &j.verdict), 0);
	close_subject(&j);
	return lost;
}

/* One of them has no good copy, and is not kept in memory either. */
START_TEST(what_differs_is_found_wherever_a_stretch_ends)
{
	static const blk64_t spoilt[] = {
		60000, 60000 + STRETCH - 1, 60000 + STRETCH, 61500, 62999,
	};
	struct fixture *f = map_of_fs("-b 4096 -J size=32", LOG);
	struct lost lost;

	write_all_home(f, 3000);
	lost = look(f, _i);
	ck_assert_uint_eq(lost.count, 0);
	for (unsigned i = 0; i < 5; i++)
		flip_static(f, spoilt[i], SIZE - 1);
	flip_copy(f, 61500, 9);
	lost = look(f, _i);
	ck_assert_uint_eq(lost.count, 4);
	ck_assert_uint_eq(lost.fsblks[0], 60000);
	ck_assert_uint_eq(lost.fsblks[1], 60000 + STRETCH - 1);
	ck_assert_uint_eq(lost.fsblks[2], 60000 + STRETCH);
	ck_assert_uint_eq(lost.fsblks[3], 62999);
}
END_TEST

/*
 * The first and the last stretch lie side by side in the log: if memory holds
 * those between, one request reads these two alone.
 */
START_TEST(copies_read_at_once_may_be_stretches_apart)
{
	struct fixture *f = map_of_fs("-b 4096 -J size=32",
		"needs_recovery off\n"
		"bulk 25 tags 200 from 60000 step 7 mod 5000 whole\n"
		"txn 26 write 60000 64999\n");
	struct lost lost;

	write_all_home(f, 5000);
	flip_copy(f, 60000, 9);
	flip_copy(f, 64999, 9);
	lost = look(f, _i);
	ck_assert_uint_eq(lost.count, 0);
	for (unsigned i = 0; i < 5; i++)
		flip_static(f, 60500 + i * STRETCH, SIZE - 1);
	lost = look(f, _i);
	ck_assert_uint_eq(lost.count, 5);
	for (unsigned i = 0; i < 5; i++)
		ck_assert_uint_eq(lost.fsblks[i], 60500 + i * STRETCH);
}
END_TEST

/* How often the device was asked to begin with each of the static blocks. */
static unsigned asked[3000];

static errcode_t note_asked(io_channel channel, unsigned long long block,
			    unsigned long long count)
{
	(void)channel;
	for (; count; count--, block++)
		if (block >= 60000 && block < 63000)
			asked[block - 60000]++;
	return 0;
}

static errcode_t noting_open(const char *name, int flags, io_channel *out);

static struct stacked_io noting = {
	.manager = STACKED_IO_MANAGER("noting I/O manager", noting_open),
};

static errcode_t noting_open(const char *name, int flags, io_channel *out)
{
	return stacked_open(&noting, name, flags, out);
}

START_TEST(the_device_begins_once_with_each_block)
{
	struct fixture *f = map_of_fs("-b 4096 -J size=32", LOG);
	struct judged j = { .open.manager = &noting.manager };
	struct e2lazy_home home;

	write_all_home(f, 3000);
	noting.manager.cache_readahead = note_asked;
	memset(asked, 0, sizeof(asked));
	open_subject(&j, f);
	ck_assert_int_eq(e2lazy_home(&j.subject, NULL, &home), 0);
	ck_assert_uint_eq(home.blocks, 3000);
	for (unsigned i = 0; i < 3000; i++)
		ck_assert_uint_eq(asked[i], 1);
	e2lazy_home_free(&home);
	close_subject(&j);
}
END_TEST

TCase *in_place_tests(void)
{
	TCase *tc = tcase_create("in_place");

	tcase_add_loop_test(tc, what_differs_is_found_wherever_a_stretch_ends,
			    0, 2);
	tcase_add_loop_test(tc, copies_read_at_once_may_be_stretches_apart,
			    0, 2);
	tcase_add_test(tc, the_device_begins_once_with_each_block);
	return tc;
}
