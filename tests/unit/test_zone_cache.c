/* SPDX-License-Identifier: GPL-2.0-only */
/* The cache of whole zones that was shown at SDC 2015: cases done by hand. */

#include "modelled.h"

#define ZONE		(256 * MIB)

/* 100 MiB/s, 1 + 5 ms a move, 10 ms a reset, two zones in memory. */
static struct e2lazy_params two_zones(void)
{
	struct e2lazy_params p = simple();

	p.value[E2LAZY_PARAM_KIND] = E2LAZY_MODEL_ZONE_CACHE;
	p.value[E2LAZY_PARAM_DISK] = 100 * ZONE;
	p.value[E2LAZY_PARAM_RESET] = 10 * MS;
	p.value[E2LAZY_PARAM_ZONES] = 2;
	p.value[E2LAZY_PARAM_EXPIRY] = 30 * SECOND;
	return p;
}

/* A request, the time when it comes, and all that is known afterwards. */
struct step {
	uint64_t	t;
	enum e2lazy_op	op;
	uint64_t	offset, length;
	uint64_t	takes;
	uint64_t	read, written;	/* bytes of the surface so far */
	uint64_t	zones_read, zones_written, dirty;
};

static void follow(const struct e2lazy_params *p, const struct step *steps,
		   size_t count, struct e2lazy_counters *out, uint64_t *after)
{
	const struct e2lazy_counters *c;
	struct e2lazy_model *model;
	uint64_t done, written;

	ck_assert_int_eq(e2lazy_model_new(p, &model), 0);
	c = e2lazy_model_counters(model);
	for (size_t i = 0; i < count; i++) {
		const struct step *s = &steps[i];

		ck_assert_int_eq(e2lazy_model_io(model, s->t, s->op, s->offset,
						 s->length, &done), 0);
		ck_assert_msg(done - s->t == s->takes &&
			      c->read == s->read &&
			      c->written == s->written &&
			      c->zones_read == s->zones_read &&
			      c->zones_written == s->zones_written &&
			      c->dirty == s->dirty,
			      "step %zu: takes %llu, read %llu, written %llu, "
			      "zones %llu %llu, dirty %llu", i,
			      (unsigned long long)(done - s->t),
			      (unsigned long long)c->read,
			      (unsigned long long)c->written,
			      (unsigned long long)c->zones_read,
			      (unsigned long long)c->zones_written,
			      (unsigned long long)c->dirty);
	}
	ck_assert_int_eq(e2lazy_model_settle(model, &written, after), 0);
	*after -= written;
	*out = *c;
	e2lazy_model_free(model);
}

#define FOLLOW(p, steps) \
	follow(p, steps, sizeof(steps) / sizeof(*(steps)), &c, &after)

START_TEST(a_write_at_the_pointer_passes_through)
{
	static const struct step steps[] = {
		{ 0, E2LAZY_OP_WRITE, 0, 10 * MIB, 100 * MS,
		  0, 10 * MIB, 0, 0, 0 },
		/* right behind it: the head is there */
		{ SECOND, E2LAZY_OP_WRITE, 10 * MIB, 10 * MIB, 100 * MS,
		  0, 20 * MIB, 0, 0, 0 },
		/* at the start of another zone */
		{ 2 * SECOND, E2LAZY_OP_WRITE, 7 * ZONE, 4 * MIB, 46 * MS,
		  0, 24 * MIB, 0, 0, 0 },
	};
	struct e2lazy_params p = two_zones();
	struct e2lazy_counters c;
	uint64_t after;

	FOLLOW(&p, steps);
	ck_assert_uint_eq(c.passed_through, 24 * MIB);
	ck_assert_uint_eq(after, 0);
}
END_TEST

START_TEST(an_overwrite_reads_the_zone_and_writes_all_of_it)
{
	static const struct step steps[] = {
		{ 0, E2LAZY_OP_WRITE, 0, 50 * MIB, 500 * MS,
		  0, 50 * MIB, 0, 0, 0 },
		/* back to its start, and all that is written of it */
		{ SECOND, E2LAZY_OP_WRITE, 4 * MIB, 4 * KIB, 506 * MS,
		  50 * MIB, 50 * MIB, 1, 0, 1 },
		/* in memory */
		{ 2 * SECOND, E2LAZY_OP_WRITE, 8 * MIB, 4 * KIB, 0,
		  50 * MIB, 50 * MIB, 1, 0, 1 },
		{ 3 * SECOND, E2LAZY_OP_READ, 0, MIB, 0,
		  50 * MIB, 50 * MIB, 1, 0, 1 },
	};
	struct e2lazy_params p = two_zones();
	struct e2lazy_counters c;
	uint64_t after;

	FOLLOW(&p, steps);
	/* a move, a reset, 50 MiB */
	ck_assert_uint_eq(after, 516 * MS);
	ck_assert_uint_eq(c.written, 100 * MIB);
	ck_assert_uint_eq(c.cleaned_after, 1);
}
END_TEST

START_TEST(a_gap_is_filled_with_zeroes_and_read_as_such)
{
	static const struct step steps[] = {
		/* nothing was written: nothing is read for it */
		{ 0, E2LAZY_OP_WRITE, 3 * ZONE + 20 * MIB, 4 * KIB, 0,
		  0, 0, 0, 0, 1 },
		/* a read of an empty zone that is not in memory */
		{ 0, E2LAZY_OP_READ, 5 * ZONE, MIB, 0, 0, 0, 0, 0, 1 },
	};
	struct e2lazy_params p = two_zones();
	struct e2lazy_counters c;
	uint64_t after;

	FOLLOW(&p, steps);
	ck_assert_uint_eq(c.zero_filled, 20 * MIB);
	ck_assert_uint_eq(c.written, 20 * MIB + 4 * KIB);
	ck_assert_uint_eq(after, 6 * MS + 10 * MS + 200 * MS + 39062);
}
END_TEST

START_TEST(an_odd_length_at_the_pointer_does_not_pass)
{
	static const struct step steps[] = {
		{ 0, E2LAZY_OP_WRITE, 0, 512, 0, 0, 0, 0, 0, 1 },
	};
	struct e2lazy_params p = two_zones();
	struct e2lazy_counters c;
	uint64_t after;

	FOLLOW(&p, steps);
	ck_assert_uint_eq(c.passed_through, 0);
}
END_TEST

START_TEST(a_zone_is_written_out_when_it_was_dirty_for_so_long)
{
	static const struct step steps[] = {
		{ 0, E2LAZY_OP_WRITE, MIB - 4 * KIB, 4 * KIB, 0,
		  0, 0, 0, 0, 1 },
		/* it became dirty at 0 */
		{ 29 * SECOND, E2LAZY_OP_WRITE, 0, 4 * KIB, 0, 0, 0, 0, 0, 1 },
		{ 31 * SECOND, E2LAZY_OP_READ, 9 * ZONE, 4 * KIB, 0,
		  0, MIB, 0, 1, 0 },
		/* its pointer is at 1 MiB now */
		{ 32 * SECOND, E2LAZY_OP_WRITE, MIB, MIB, 10 * MS,
		  0, 2 * MIB, 0, 1, 0 },
	};
	struct e2lazy_params p = two_zones();
	struct e2lazy_counters c;
	uint64_t after;

	FOLLOW(&p, steps);
	ck_assert_uint_eq(c.zones_expired, 1);
	ck_assert_uint_eq(c.passed_through, MIB);
}
END_TEST

START_TEST(the_zone_used_longest_ago_makes_room)
{
	static const struct step steps[] = {
		{ 0, E2LAZY_OP_WRITE, 1 * ZONE + 4 * KIB, 4 * KIB, 0,
		  0, 0, 0, 0, 1 },
		{ SECOND, E2LAZY_OP_WRITE, 2 * ZONE + 4 * KIB, 4 * KIB, 0,
		  0, 0, 0, 0, 2 },
		{ 2 * SECOND, E2LAZY_OP_READ, 1 * ZONE, 4 * KIB, 0,
		  0, 0, 0, 0, 2 },
		/* zone 2 goes: a move, a reset, 8 KiB */
		{ 3 * SECOND, E2LAZY_OP_WRITE, 3 * ZONE + 4 * KIB, 4 * KIB,
		  16 * MS + 78125, 0, 8 * KIB, 0, 1, 2 },
		{ 4 * SECOND, E2LAZY_OP_READ, 1 * ZONE, 4 * KIB, 0,
		  0, 8 * KIB, 0, 1, 2 },
	};
	struct e2lazy_params p = two_zones();
	struct e2lazy_counters c;
	uint64_t after;

	FOLLOW(&p, steps);
	ck_assert_uint_eq(c.zones_pushed_out, 1);
	ck_assert_uint_eq(c.cleaned_after, 2);
}
END_TEST

START_TEST(a_flush_writes_zones_out_if_it_is_to)
{
	struct step steps[] = {
		{ 0, E2LAZY_OP_WRITE, ZONE + 4 * KIB, 4 * KIB, 0,
		  0, 0, 0, 0, 1 },
		{ SECOND, E2LAZY_OP_FLUSH, 0, 0, 0, 0, 0, 0, 0, 1 },
	};
	struct e2lazy_params p = two_zones();
	struct e2lazy_counters c;
	uint64_t after;

	FOLLOW(&p, steps);
	ck_assert_uint_eq(c.cleaned_after, 1);
	p.value[E2LAZY_PARAM_FLUSH_ZONES] = 1;
	steps[1] = (struct step) { SECOND, E2LAZY_OP_FLUSH, 0, 0,
				   16 * MS + 78125, 0, 8 * KIB, 0, 1, 0 };
	FOLLOW(&p, steps);
	ck_assert_uint_eq(c.zones_flushed, 1);
	ck_assert_uint_eq(after, 0);
}
END_TEST

START_TEST(conventional_zones_are_written_anywhere)
{
	static const struct step steps[] = {
		{ 0, E2LAZY_OP_WRITE, 100 * MIB, 4 * KIB, 6 * MS + 39062,
		  0, 4 * KIB, 0, 0, 0 },
	};
	struct e2lazy_params p = two_zones();
	struct e2lazy_counters c;
	uint64_t after;

	p.value[E2LAZY_PARAM_CONVENTIONAL] = 1;
	FOLLOW(&p, steps);
	ck_assert_uint_eq(after, 0);
}
END_TEST

TCase *zone_cache_tests(void)
{
	TCase *tc = tcase_create("zone_cache");

	tcase_add_test(tc, a_write_at_the_pointer_passes_through);
	tcase_add_test(tc, an_overwrite_reads_the_zone_and_writes_all_of_it);
	tcase_add_test(tc, a_gap_is_filled_with_zeroes_and_read_as_such);
	tcase_add_test(tc, an_odd_length_at_the_pointer_does_not_pass);
	tcase_add_test(tc,
		       a_zone_is_written_out_when_it_was_dirty_for_so_long);
	tcase_add_test(tc, the_zone_used_longest_ago_makes_room);
	tcase_add_test(tc, a_flush_writes_zones_out_if_it_is_to);
	tcase_add_test(tc, conventional_zones_are_written_anywhere);
	return tc;
}
