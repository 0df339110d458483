/* SPDX-License-Identifier: GPL-2.0-only */
/* How long the kernel lets a block stay dirty, and which kernel it is. */

#include <stdlib.h>
#include <string.h>

#include "drive_tree.h"

static errcode_t timer_in(const char *more, struct e2lazy_dirty_timer *timer)
{
	char *root = new_tree("linux-6.1", more);
	errcode_t err = e2lazy_dirty_timer(root, timer);

	free(root);
	return err;
}

#define IN_VM "[proc/sys/vm]\n"

START_TEST(centiseconds_become_milliseconds)
{
	struct e2lazy_dirty_timer timer;

	ck_assert_int_eq(timer_in(NULL, &timer), 0);
	ck_assert_uint_eq(timer.expire_ms, 30000);
	ck_assert_uint_eq(timer.wakeup_ms, 5000);
	ck_assert_int_eq(timer_in(IN_VM "dirty_expire_centisecs = 6000\n"
				  "dirty_writeback_centisecs = 1\n", &timer),
			 0);
	ck_assert_uint_eq(timer.expire_ms, 60000);
	ck_assert_uint_eq(timer.wakeup_ms, 10);
}
END_TEST

START_TEST(zero_is_told_as_it_is)
{
	struct e2lazy_dirty_timer timer;

	ck_assert_int_eq(timer_in(IN_VM "dirty_expire_centisecs = 0\n",
				  &timer), 0);
	ck_assert_uint_eq(timer.expire_ms, 0);
	ck_assert_uint_eq(timer.wakeup_ms, 5000);
	ck_assert_int_eq(timer_in(IN_VM "dirty_writeback_centisecs = 0\n",
				  &timer), 0);
	ck_assert_uint_eq(timer.expire_ms, 30000);
	ck_assert_uint_eq(timer.wakeup_ms, 0);
}
END_TEST

static const char *const bad[] = {
	"dirty_expire_centisecs -",
	"dirty_expire_centisecs/",
	"dirty_expire_centisecs = ",
	"dirty_expire_centisecs = -1",
	"dirty_expire_centisecs = +3000",
	"dirty_expire_centisecs = 30s",
	"dirty_expire_centisecs = 0x10",
	"dirty_expire_centisecs = 8640001",
	"dirty_expire_centisecs = 18446744073709551617",
	"dirty_writeback_centisecs -",
	"dirty_writeback_centisecs = never",
};

START_TEST(what_is_no_number_or_more_than_a_day_is_an_error)
{
	struct e2lazy_dirty_timer timer;
	char more[128] = IN_VM;

	strcat(more, bad[_i]);
	ck_assert_int_eq(timer_in(more, &timer), E2LAZY_ET_DIRTY_TIMER);
}
END_TEST

START_TEST(without_proc_it_is_an_error)
{
	struct fixture *f = new_fixture();
	struct e2lazy_dirty_timer timer;

	ck_assert_int_eq(e2lazy_dirty_timer(f->dir, &timer),
			 E2LAZY_ET_DIRTY_TIMER);
}
END_TEST

START_TEST(the_kernels_version_is_read_or_unknown)
{
	static const struct {
		const char *release;
		unsigned major, minor;
	} cases[] = {
		{ "6.12.43+deb13-amd64", 6, 12 },
		{ "6.1.0-18-amd64", 6, 1 },
		{ "5.10", 5, 10 },
		{ "7.0-rc1", 7, 0 },
		{ "linux", 0, 0 },
		{ "6", 0, 0 },
		{ "6.x", 0, 0 },
	};
	struct e2lazy_dirty_timer timer;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		char more[128] = "[proc/sys/kernel]\nosrelease = ";

		strcat(more, cases[i].release);
		ck_assert_int_eq(timer_in(more, &timer), 0);
		ck_assert_uint_eq(timer.kernel_major, cases[i].major);
		ck_assert_uint_eq(timer.kernel_minor, cases[i].minor);
	}
}
END_TEST

TCase *drive_timer_tests(void)
{
	TCase *tc = tcase_create("drive: the dirty timer");

	tcase_add_test(tc, centiseconds_become_milliseconds);
	tcase_add_test(tc, zero_is_told_as_it_is);
	tcase_add_loop_test(tc,
			    what_is_no_number_or_more_than_a_day_is_an_error,
			    0, sizeof(bad) / sizeof(*bad));
	tcase_add_test(tc, without_proc_it_is_an_error);
	tcase_add_test(tc, the_kernels_version_is_read_or_unknown);
	return tc;
}
