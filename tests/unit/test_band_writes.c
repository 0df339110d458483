/* SPDX-License-Identifier: GPL-2.0-only */
/* How often writes go to another band. */

#include "e2lazy_drive.h"
#include "fixture.h"

static struct e2lazy_band_writes writes_in(uint64_t band_bytes)
{
	return (struct e2lazy_band_writes) {
		.model.band_bytes = band_bytes, .blocksize = 4096,
	};
}

START_TEST(a_write_counts_where_it_changes_the_band)
{
	struct e2lazy_band_writes w = writes_in(16 * 4096);

	e2lazy_band_write(&w, 3, 1);
	ck_assert_uint_eq(w.changes, 1);	/* the first one, to any band */
	e2lazy_band_write(&w, 0, 16);
	ck_assert_uint_eq(w.changes, 1);
	e2lazy_band_write(&w, 16, 1);
	ck_assert_uint_eq(w.changes, 2);
	e2lazy_band_write(&w, 15, 1);		/* back again */
	ck_assert_uint_eq(w.changes, 3);
	e2lazy_band_write(&w, 15, 18);		/* bands 0, 1 and 2 */
	ck_assert_uint_eq(w.changes, 5);
	e2lazy_band_write(&w, 99, 0);
	e2lazy_band_write(&w, 47, 1);
	ck_assert_uint_eq(w.changes, 5);
}
END_TEST

START_TEST(a_long_write_counts_as_its_blocks_do)
{
	struct e2lazy_band_writes whole = writes_in(5 * 1000 + 1);
	struct e2lazy_band_writes single = whole;

	whole.blocksize = single.blocksize = 1024;
	for (unsigned i = 0; i < 3000; i++)
		e2lazy_band_write(&single, 77 + i, 1);
	e2lazy_band_write(&whole, 77, 3000);
	ck_assert_uint_eq(whole.changes, single.changes);
	ck_assert_uint_eq(whole.last, single.last);
}
END_TEST

START_TEST(a_partition_shifts_its_writes_against_the_bands)
{
	struct e2lazy_band_writes w = writes_in(16 * 4096);

	w.model.start = 4096;
	e2lazy_band_write(&w, 14, 1);
	e2lazy_band_write(&w, 15, 1);
	ck_assert_uint_eq(w.changes, 2);
}
END_TEST

START_TEST(without_bands_no_write_counts)
{
	struct e2lazy_band_writes w = writes_in(0);

	e2lazy_band_write(&w, 3, 100);
	ck_assert_uint_eq(w.changes, 0);
}
END_TEST

TCase *band_writes_tests(void)
{
	TCase *tc = tcase_create("band_writes");

	tcase_add_test(tc, a_write_counts_where_it_changes_the_band);
	tcase_add_test(tc, a_long_write_counts_as_its_blocks_do);
	tcase_add_test(tc, a_partition_shifts_its_writes_against_the_bands);
	tcase_add_test(tc, without_bands_no_write_counts);
	return tc;
}
