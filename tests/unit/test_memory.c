/* SPDX-License-Identifier: GPL-2.0-only */
/* The memory that control groups allow a process. */

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "drive_tree.h"
#include "support/memory.h"

#define V2 "[proc/self]\n" \
	   "mountinfo = 30 23 0:26 / /sys/fs/cgroup rw,relatime shared:4 - " \
	   "cgroup2 cgroup2 rw,nsdelegate\n"
#define V1 "[proc/self]\n" \
	   "mountinfo = 30 23 0:26 / /cg/cpu rw - cgroup cgroup rw,cpu\n" \
	   "mountinfo + 31 23 0:27 / /cg/memory rw shared:4 - " \
	   "cgroup none rw,memory\n"
/* "0::/", which would be a directory's name at the end of a line. */
#define AT_TOP "cgroup : 30 3a 3a 2f 0a\n"
#define IN(dir) "[" dir "]\n"
#define TOP "sys/fs/cgroup"

static uint64_t limit_in(const char *tree)
{
	char *root = new_tree("linux-6.1", tree);
	uint64_t limit = memory_of_cgroups(root);

	free(root);
	return limit;
}

START_TEST(the_limit_of_its_own_group_counts)
{
	ck_assert_uint_eq(limit_in(V2 "cgroup = 0::/user/one\n"
				   IN(TOP "/user/one") "memory.max = 1048576\n"
				   IN(TOP "/user/two") "memory.max = 4096\n"),
			  1048576);
}
END_TEST

START_TEST(so_do_those_of_the_groups_around_it)
{
	ck_assert_uint_eq(limit_in(V2 "cgroup = 0::/user/one\n"
				   IN(TOP "/user/one") "memory.max = max\n"
				   IN(TOP "/user") "memory.max = 524288\n"),
			  524288);
	ck_assert_uint_eq(limit_in(V2 "cgroup = 0::/user/one\n"
				   IN(TOP "/user/one") "memory.max = 8192\n"
				   IN(TOP "/user") "memory.max = 524288\n"),
			  8192);
}
END_TEST

START_TEST(in_a_namespace_of_its_own_the_top_is_its_group)
{
	ck_assert_uint_eq(limit_in(V2 AT_TOP
				   IN(TOP) "memory.max = 65536\n"), 65536);
}
END_TEST

START_TEST(what_is_above_of_the_mount_is_left_out_of_the_name)
{
	ck_assert_uint_eq(limit_in("[proc/self]\n"
				   "mountinfo = 30 23 0:26 /docker/abc "
				   "/sys/fs/cgroup ro - cgroup2 cgroup rw\n"
				   "cgroup = 0::/docker/abc/job\n"
				   IN(TOP "/job") "memory.max = 12288\n"),
			  12288);
}
END_TEST

START_TEST(a_group_outside_of_the_mount_has_the_limits_of_its_top)
{
	ck_assert_uint_eq(limit_in(V2 "cgroup = 0::/../other\n"
				   IN(TOP) "memory.max = 65536\n"), 65536);
}
END_TEST

START_TEST(the_older_version_has_a_hierarchy_of_its_own_for_memory)
{
	ck_assert_uint_eq(limit_in(V1 "cgroup = 5:cpu,cpuacct:/x\n"
				   "cgroup + 4:hugetlb,memory:/job\n"
				   "cgroup + 0::/x\n"
				   IN("cg/cpu/job")
				   "memory.limit_in_bytes = 1\n"
				   IN("cg/memory/job")
				   "memory.limit_in_bytes = 20480\n"
				   IN("cg/memory") "memory.limit_in_bytes = "
				   "9223372036854771712\n"), 20480);
}
END_TEST

static const char *const none[] = {
	"",
	V2 "cgroup = 0::/one\n" IN(TOP "/one") "memory.max = max\n",
	V2 "cgroup = 0::/one\n" IN(TOP "/one") "memory.max = -1\n",
	V2 "cgroup = 0::/one\n" IN(TOP "/one") "memory.max = 5x\n",
	V2 "cgroup = 0::/one\n",
	V2 "cgroup = nonsense\n" IN(TOP) "memory.max = 4096\n",
	V2 IN(TOP) "memory.max = 4096\n",
	"[proc/self]\n" AT_TOP IN(TOP) "memory.max = 4096\n",
	"[proc/self]\n" AT_TOP "mountinfo = - cgroup2\n",
	V1 "cgroup = 5:memoryless:/job\n"
	IN("cg/memory") "memory.limit_in_bytes = 4096\n",
};

START_TEST(what_says_no_limit_or_nothing_is_none)
{
	ck_assert_uint_eq(limit_in(none[_i]), MEMORY_UNLIMITED);
}
END_TEST

/* Checkers of memory reserve more addresses than there is memory. */
static bool reserves_more_than(uint64_t memory)
{
	unsigned long long pages = 0;
	FILE *file = fopen("/proc/self/statm", "r");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(fscanf(file, "%llu", &pages), 1);
	fclose(file);
	return pages >= memory / (uint64_t)sysconf(_SC_PAGESIZE);
}

START_TEST(an_address_space_that_may_not_grow_is_a_limit)
{
	struct rlimit limited, before;
	uint64_t memory = memory_there_is();

	ck_assert_uint_gt(memory, 0);
	if (reserves_more_than(memory / 2))
		skip_test("the program reserves half of the memory");
	ck_assert_int_eq(getrlimit(RLIMIT_AS, &before), 0);
	limited = before;
	limited.rlim_cur = memory / 2;
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &limited), 0);
	ck_assert_int_eq(getrlimit(RLIMIT_AS, &limited), 0);
	if (limited.rlim_cur != memory / 2)
		skip_test("an emulator keeps no limit of an address space");
	ck_assert_uint_eq(memory_there_is(), memory / 2);
	ck_assert_int_eq(setrlimit(RLIMIT_AS, &before), 0);
}
END_TEST

TCase *memory_tests(void)
{
	TCase *tc = tcase_create("memory");

	tcase_add_test(tc, the_limit_of_its_own_group_counts);
	tcase_add_test(tc, so_do_those_of_the_groups_around_it);
	tcase_add_test(tc, in_a_namespace_of_its_own_the_top_is_its_group);
	tcase_add_test(tc, what_is_above_of_the_mount_is_left_out_of_the_name);
	tcase_add_test(tc,
		       a_group_outside_of_the_mount_has_the_limits_of_its_top);
	tcase_add_test(tc,
		       the_older_version_has_a_hierarchy_of_its_own_for_memory);
	tcase_add_loop_test(tc, what_says_no_limit_or_nothing_is_none, 0,
			    sizeof(none) / sizeof(*none));
	tcase_add_test(tc, an_address_space_that_may_not_grow_is_a_limit);
	return tc;
}
