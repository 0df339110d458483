/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * filter.c - a process keeps only the system calls that it needs: see filter.h
 *
 * The filter is a program for the kernel's packet filter, as in
 * Documentation/userspace-api/seccomp_filter.rst.  It compares the number of a
 * call with each row of calls.list, and then the arguments with the row's rule.
 *
 * A refused call fails with EPERM.  From FIRST_NEW on it fails with ENOSYS, as
 * on an older kernel: libraries then fall back on older calls, whose arguments
 * a filter can see.  Those of clone3() and openat2() are in memory.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "filter.h"

#if defined(__x86_64__) && !defined(__ILP32__)
#define THIS_ARCH	AUDIT_ARCH_X86_64
#define X32_CALLS	0x40000000	/* and above */
#elif defined(__i386__)
#define THIS_ARCH	AUDIT_ARCH_I386
#elif defined(__aarch64__) && defined(__AARCH64EL__)
#define THIS_ARCH	AUDIT_ARCH_AARCH64
#elif defined(__arm__) && defined(__ARMEL__)
#define THIS_ARCH	AUDIT_ARCH_ARM
#elif defined(__riscv) && __riscv_xlen == 64
#define THIS_ARCH	AUDIT_ARCH_RISCV64
#elif defined(__powerpc64__) && defined(__LITTLE_ENDIAN__)
#define THIS_ARCH	AUDIT_ARCH_PPC64LE
#elif defined(__s390x__)
#define THIS_ARCH	AUDIT_ARCH_S390X
#endif

#ifdef THIS_ARCH

/*
 * Since Linux 5.1 a new call has the same number on all architectures, and a
 * library that uses it meets kernels without it.
 */
#define FIRST_NEW	424

#define MOST_STEPS	BPF_MAXINSNS

struct filter {
	struct sock_filter steps[MOST_STEPS];
	unsigned short	count;
	pid_t		own[2];		/* process ids for TEST_OWN */
};

static void step(struct filter *f, unsigned short code, unsigned value)
{
	f->steps[f->count++] = (struct sock_filter)BPF_STMT(code, value);
}

/* Leave out @then steps if @test of @value holds, otherwise @other steps. */
static void jump(struct filter *f, unsigned short test, unsigned value,
		 size_t then, size_t other)
{
	f->steps[f->count++] = (struct sock_filter)
		BPF_JUMP(BPF_JMP | test | BPF_K, value, (uint8_t)then,
			 (uint8_t)other);
}

static void load(struct filter *f, size_t offset)
{
	step(f, BPF_LD | BPF_W | BPF_ABS, offset);
}

static void allow(struct filter *f)
{
	step(f, BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
}

static void refuse(struct filter *f, int error)
{
	step(f, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error);
}

enum half { LOWER, UPPER };

static void load_argument(struct filter *f, unsigned argument, enum half half)
{
	bool second = (half == UPPER) !=
		      (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__);

	load(f, offsetof(struct seccomp_data, args) +
		argument * sizeof(uint64_t) + (second ? 4 : 0));
}

/* ------------------------------------------------------------ conditions */

static void demand_one_of(struct filter *f, const uint32_t *values, size_t nr,
			  int error)
{
	for (size_t i = 0; i < nr; i++)
		jump(f, BPF_JEQ, values[i], nr - i, 0);
	refuse(f, error);
}

static void demand_null(struct filter *f, unsigned argument, int error)
{
	for (enum half half = LOWER; half <= UPPER; half++) {
		load_argument(f, argument, half);
		jump(f, BPF_JEQ, 0, 1, 0);
		refuse(f, error);
	}
}

static void demand_own(struct filter *f, int error)
{
	const uint32_t ids[] = { (uint32_t)f->own[0], (uint32_t)f->own[1] };

	demand_one_of(f, ids, f->own[1] ? 2 : 1, error);
}

static void demand(struct filter *f, const struct call_condition *c, int error)
{
	if (c->test == TEST_NULL) {
		demand_null(f, c->argument, error);
		return;
	}
	load_argument(f, c->argument, LOWER);
	if (c->test == TEST_ONE_OF)
		demand_one_of(f, c->values, c->nr_values, error);
	if (c->test == TEST_OWN)
		demand_own(f, error);
	if (c->test == TEST_WITHOUT) {
		jump(f, BPF_JSET, c->values[0], 0, 1);
		refuse(f, error);
	}
}

/* ------------------------------------------------------------ the filter */

static void put_call(struct filter *f, int number, const struct call_rule *rule)
{
	unsigned short at = f->count;

	jump(f, BPF_JEQ, (unsigned)number, 0, 0);
	for (size_t i = 0; i < sizeof(rule->must) / sizeof(*rule->must); i++)
		if (rule->must[i].test != TEST_NONE)
			demand(f, &rule->must[i], rule->error);
	allow(f);
	f->steps[at].jf = (uint8_t)(f->count - at - 1);
}

/* The other calls of the processor: those of i386, of ARM without EABI. */
static void refuse_foreign(struct filter *f)
{
	load(f, offsetof(struct seccomp_data, arch));
	jump(f, BPF_JEQ, THIS_ARCH, 1, 0);
	refuse(f, EPERM);
	load(f, offsetof(struct seccomp_data, nr));
#ifdef X32_CALLS
	jump(f, BPF_JGE, X32_CALLS, 0, 1);
	refuse(f, EPERM);
#endif
}

/* The leak checker stops the threads from a process that traces them. */
static void allow_leak_checker(struct filter *f)
{
#ifdef HAS_LEAK_CHECKER
	static const int calls[] = {
		SYS_ptrace, SYS_wait4, SYS_prctl,
	};
	static const struct call_rule any;

	for (size_t i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		put_call(f, calls[i], &any);
#else
	(void)f;
#endif
}

static void write_filter(struct filter *f, enum call_list list)
{
	refuse_foreign(f);
	allow_leak_checker(f);
	for (size_t i = 0; i < nr_known_calls; i++)
		if (known_calls[i].rules[list])
			put_call(f, known_calls[i].number,
				 known_calls[i].rules[list]);
	jump(f, BPF_JGE, FIRST_NEW, 0, 1);
	refuse(f, ENOSYS);
	refuse(f, EPERM);
}

void allow_calls(enum call_list list, pid_t child)
{
	struct filter f = { .count = 0, .own = { getpid(), child } };
	struct sock_fprog program = { .filter = f.steps };

	write_filter(&f, list);
	program.len = f.count;
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

#else

void allow_calls(enum call_list list, pid_t child)
{
	(void)list, (void)child;
}

#endif
