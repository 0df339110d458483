/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * calls.h - the system calls that each kind of confined process keeps, as data
 *
 * calls.list has a row for each call and a column for each kind of process; make
 * turns it into C.  filter.c turns it into a filter for the kernel.
 */
#ifndef SUPPORT_CALLS_H
#define SUPPORT_CALLS_H

#include <stddef.h>
#include <stdint.h>

/* gcc has a macro for it, and clang a question. */
#if defined(__SANITIZE_ADDRESS__)
#define HAS_LEAK_CHECKER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_LEAK_CHECKER
#endif
#endif

/* The columns of calls.list, in its order. */
enum call_list {
	CALLS_LOOK,		/* a command that writes nothing */
	CALLS_BELOW,		/* a command that writes below one directory */
	CALLS_SHELL,		/* debuglazy, and the pager that it runs */
	CALLS_START,		/* nbdkit for a view, until it has its socket */
	CALLS_SERVE,		/* nbdkit for a view, afterwards */
	CALLS_KEEP,		/* what starts nbdkit and nbdfuse, and mounts */
	CALLS_WAIT,		/* view itself, while a command uses it */
	NR_CALL_LISTS
};

enum call_test {
	TEST_NONE,		/* the end of a rule */
	TEST_ONE_OF,		/* the argument is one of @values */
	TEST_WITHOUT,		/* the argument has no bit of @values[0] */
	TEST_NULL,		/* the argument is a null pointer */
	TEST_OWN,		/* the argument is a process id: our own, or that
				   of the child that allow_calls() names */
};

/* All tests but TEST_NULL look at the lower half of an argument. */
struct call_condition {
	enum call_test	test;
	uint8_t		argument;
	const uint32_t	*values;
	size_t		nr_values;
};

/* A call is allowed if all conditions hold; otherwise it answers @error. */
struct call_rule {
	int		error;
	struct call_condition must[2];
};

/* NULL: the process does not have this call. */
struct call {
	int		number;
	const struct call_rule *rules[NR_CALL_LISTS];
};

extern const struct call known_calls[];
extern const size_t nr_known_calls;

#endif
