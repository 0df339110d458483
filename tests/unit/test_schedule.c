/* SPDX-License-Identifier: GPL-2.0-only */
/* In what order copies are read and blocks written. */

#include <stdlib.h>
#include <string.h>

#include "fixture.h"
#include "map/jmap.h"
#include "mend/schedule.h"

#define NO_SUPER UINT64_MAX

struct followed {
	struct schedule	s;
	size_t		reads, writes;
	size_t		requests;
	size_t		most_held;
	size_t		late;		/* blocks written after the first pass */
	unsigned	passes;		/* over the device */
	unsigned	readings;
};

/* Within a reading the log is read forward, and not past what is wanted. */
static void follow_read(struct followed *f, const struct step *step,
			int64_t *last)
{
	ck_assert(step->from < step->to);
	if (f->s.readings != f->readings) {
		ck_assert_uint_eq(f->s.readings, f->readings + 1);
		f->readings++;
		*last = -1;
	}
	ck_assert_uint_le(step->to[-1].logblk - step->from->logblk,
			  f->s.wants.most - 1);
	for (const struct want *w = step->from; w < step->to; w++) {
		ck_assert_int_gt(w->logblk, *last);
		ck_assert_uint_eq(w->logblk, jmap_logblk(f->s.map, w->slot));
		*last = w->logblk;
		ck_assert_uint_eq(f->s.states[w->slot], SLOT_WANTED);
		f->s.states[w->slot] = SLOT_HELD;
	}
	f->reads++;
}

/* Neighbours, and within a pass forward. */
static void follow_write(struct followed *f, const struct step *step,
			 uint8_t *written, int64_t *last)
{
	blk64_t fsblk = jmap_fsblk(f->s.map, step->slot);

	if (f->s.pass != f->passes) {
		ck_assert_uint_eq(f->s.pass, f->passes + 1);
		f->passes++;
		*last = -1;
	}
	ck_assert_uint_le(step->count, f->s.most_written);
	for (uint32_t i = 0; i < step->count; i++) {
		ck_assert_uint_eq(jmap_fsblk(f->s.map, step->slot + i),
				  fsblk + i);
		ck_assert(!written[step->slot + i]);
		written[step->slot + i] = true;
	}
	ck_assert_int_gt(fsblk, *last);
	*last = (int64_t)(fsblk + step->count - 1);
	f->late += f->s.pass > 1 ? step->count : 0;
	f->writes++;
}

static bool leave_out(void *priv, uint32_t slot, const struct e2lazy_copy *copy)
{
	(void)slot;
	return priv && copy->fsblk == *(blk64_t *)priv;
}

static void follow(struct followed *f, struct fixture *fixture,
		   uint64_t memory, blk64_t *left_out)
{
	const struct schedule_opts opts = {
		.map = fixture->map,
		.blocksize = e2lazy_geometry(fixture->journal)->blocksize,
		.memory = memory, .super = NO_SUPER,
		.skip = leave_out, .priv = left_out,
	};
	int64_t read = -1, wrote = -1;
	size_t held = 0, slots;
	uint8_t *written;
	struct step step;

	memset(f, 0, sizeof(*f));
	ck_assert_int_eq(schedule_init(&f->s, &opts), 0);
	slots = f->s.slots;
	written = calloc(slots + 1, 1);
	for (schedule_next(&f->s, &step); step.kind != SCHEDULE_END;
	     schedule_next(&f->s, &step)) {
		if (step.kind == SCHEDULE_READ) {
			held += step.to - step.from;
			follow_read(f, &step, &read);
		} else {
			held -= step.count;
			follow_write(f, &step, written, &wrote);
		}
		f->most_held = held > f->most_held ? held : f->most_held;
	}
	for (size_t slot = 0; slot < slots; slot++)
		ck_assert(written[slot] || (left_out && *left_out ==
					    jmap_fsblk(fixture->map, slot)));
	ck_assert_uint_le(f->most_held, f->s.room);
	ck_assert_uint_eq(schedule_passes(&f->s), f->passes > f->readings ?
						  f->passes : f->readings);
	f->requests = f->s.nr_requests;
	free(written);
	schedule_free(&f->s);
}

/* 4000 blocks, a third of them logged again, in an order of its own. */
static struct fixture *disordered(void)
{
	return map_of_fs("-b 1024 -J size=16",
			 "bulk 20 tags 200 from 60000 step 7 mod 4000\n"
			 "bulk 7 tags 200 from 60000 step 3 mod 4000\n");
}

START_TEST(what_fits_is_read_once_and_written_in_one_pass)
{
	struct followed f;

	follow(&f, disordered(), 64 << 20, NULL);
	ck_assert_uint_eq(f.passes, 1);
}
END_TEST

START_TEST(with_less_memory_no_more_is_held_and_all_is_written_once)
{
	struct fixture *fixture = disordered();
	struct followed f;

	follow(&f, fixture, 0, NULL);
	ck_assert_uint_gt(f.readings, 1);
	ck_assert_uint_le(f.most_held, 1024);	/* a MiB */
	follow(&f, fixture, 2 << 20, NULL);
	ck_assert_uint_gt(f.readings, 1);
	ck_assert_uint_le(f.most_held, 2048);
}
END_TEST

/*
 * A seventh of each request comes in each lap: it would be in single blocks.
 * 1024 are held, 768 of them for others: 4000 take 6 readings.
 */
START_TEST(what_would_fall_to_pieces_is_read_several_times_and_written_whole)
{
	struct followed f;

	follow(&f, disordered(), 0, NULL);
	ck_assert_uint_eq(f.readings, 6);
	ck_assert_uint_eq(f.passes, 1);
	ck_assert_uint_eq(f.writes, f.requests);
	ck_assert_uint_eq(f.requests, 63);	/* 64 KiB each */
}
END_TEST

/* 2500, no two of them neighbours: nothing to wait for, nothing to break. */
START_TEST(single_blocks_are_read_once_and_take_half_the_passes_that_would_fill)
{
	struct followed f;

	follow(&f, map_of_fs("-b 1024 -J size=16", "bulk 13 tags 200 "
			     "from 60000 step 14 mod 5000\n"), 0, NULL);
	ck_assert_uint_eq(f.readings, 1);
	ck_assert_uint_le(f.passes, 3);
	ck_assert_uint_gt(f.passes, 1);
	ck_assert_uint_eq(f.writes, 2500);
}
END_TEST

/*
 * 124 halves of requests, in the log 11 after each other are those that lie 37
 * apart in place.
 */
static struct fixture *in_halves(void)
{
	char spec[4096], *to = spec;

	for (unsigned n = 0; n < 124; n++) {
		unsigned first = 60000 + n * 37 % 124 * 32;

		if (n % 11 == 0)
			to += sprintf(to, "%stxn %u write", n ? "\n" : "",
				      5 + n / 11);
		to += sprintf(to, " %u-%u", first, first + 31);
	}
	strcpy(to, "\n");
	return map_of_fs("-b 1024 -J size=16", spec);
}

START_TEST(where_reading_again_costs_more_requests_are_taken_apart)
{
	struct followed f;

	follow(&f, in_halves(), 0, NULL);
	ck_assert_uint_eq(f.readings, 1);
	ck_assert_uint_gt(f.passes, 1);
	ck_assert_uint_le(f.passes, 3);		/* of 5 times the window */
	ck_assert_uint_gt(f.writes, f.requests);
	ck_assert_uint_le(f.writes, 2 * f.requests);
}
END_TEST

START_TEST(what_is_left_out_is_not_even_read)
{
	blk64_t left_out = 60700;
	struct followed f;

	follow(&f, map_of("txn 5 write 60000 60700 60701\n"), 1, &left_out);
	ck_assert_uint_eq(f.writes, 2);
	ck_assert_uint_eq(f.most_held, 2);
}
END_TEST

START_TEST(an_empty_log_has_no_steps)
{
	struct followed f;

	follow(&f, map_of(""), 1 << 20, NULL);
	ck_assert_uint_eq(f.reads + f.writes + f.passes, 0);
}
END_TEST

/* The first block once more at the end: a second pass, of its request. */
START_TEST(a_log_in_the_order_of_its_blocks_needs_little_memory)
{
	struct fixture *fixture = new_fixture();
	struct followed f;

	make_image(fixture, "600M", "-b 4096 -J size=128",
		   "bulk 120 tags 200 from 110000\n"
		   "bulk 1 tags 1 from 110000\n");
	read_map(fixture, 0, 0);
	follow(&f, fixture, 1 << 30, NULL);
	ck_assert_uint_eq(f.passes, 2);
	ck_assert_uint_le(f.late, 256);
	ck_assert_uint_le(f.most_held, 24000 / 2);
}
END_TEST

/* 46 MiB, of which 32 would be no end: all is held. */
START_TEST(a_log_without_an_order_is_held_whole_if_it_fits)
{
	struct fixture *fixture = new_fixture();
	struct followed f;

	make_image(fixture, "600M", "-b 4096 -J size=128",
		   "bulk 60 tags 200 from 110000 step 7 mod 12000\n");
	read_map(fixture, 0, 0);
	follow(&f, fixture, 1 << 30, NULL);
	ck_assert_uint_eq(f.passes, 1);
	ck_assert_uint_eq(f.readings, 1);
	ck_assert_uint_eq(f.most_held, 12000);
}
END_TEST

START_TEST(many_wants_are_sorted_by_all_of_their_log_block)
{
	static struct want wants[3000];
	uint32_t n = sizeof(wants) / sizeof(wants[0]);

	/* 2654435761 is odd: each number comes once, in all of 32 bits. */
	for (uint32_t i = 0; i < n; i++)
		wants[i] = (struct want){ i * 2654435761u, i, ~i };
	read_list_sort(wants, n);
	for (uint32_t i = 0; i < n; i++) {
		ck_assert(!i || wants[i].logblk > wants[i - 1].logblk);
		ck_assert_uint_eq(wants[i].logblk, wants[i].slot * 2654435761u);
		ck_assert_uint_eq(wants[i].request, ~wants[i].slot);
	}
}
END_TEST

TCase *schedule_tests(void)
{
	TCase *tc = tcase_create("schedule");

	tcase_add_test(tc, what_fits_is_read_once_and_written_in_one_pass);
	tcase_add_test(tc,
		       with_less_memory_no_more_is_held_and_all_is_written_once);
	tcase_add_test(tc,
	   what_would_fall_to_pieces_is_read_several_times_and_written_whole);
	tcase_add_test(tc,
	single_blocks_are_read_once_and_take_half_the_passes_that_would_fill);
	tcase_add_test(tc,
		    where_reading_again_costs_more_requests_are_taken_apart);
	tcase_add_test(tc, what_is_left_out_is_not_even_read);
	tcase_add_test(tc, an_empty_log_has_no_steps);
	tcase_add_test(tc,
		       a_log_in_the_order_of_its_blocks_needs_little_memory);
	tcase_add_test(tc, a_log_without_an_order_is_held_whole_if_it_fits);
	tcase_add_test(tc, many_wants_are_sorted_by_all_of_their_log_block);
	return tc;
}
