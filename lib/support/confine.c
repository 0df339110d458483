/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * confine.c - a process gives up what it will not need: see confine.h
 *
 * Rights and calls are those of Documentation/userspace-api/landlock.rst.
 * They are written out here, for the headers of the system that builds may be
 * older than the kernel that runs.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "confine.h"
#include "filter.h"

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset	444
#define SYS_landlock_add_rule		445
#define SYS_landlock_restrict_self	446
#endif

#define CREATE_RULESET_VERSION	1
#define RULE_PATH_BENEATH	1

/* Bit 0: execute; 1: write to a file; 4 to 12: remove and make files. */
#define RIGHTS_FIRST	(1ULL << 0 | 1ULL << 1 | 0x1ff0ULL)
#define RIGHT_REFER	(1ULL << 13)	/* link and rename between directories */
#define RIGHT_TRUNCATE	(1ULL << 14)
#define RIGHT_EXECUTE	(1ULL << 0)
#define RIGHT_WRITE	(1ULL << 1)

struct ruleset {
	uint64_t	fs;		/* rights on files that are given up */
	uint64_t	net;		/* bind and connect by TCP */
	uint64_t	scoped;		/* abstract sockets and signals */
};

struct path_beneath {
	uint64_t	rights;
	int32_t		fd;
} __attribute__((packed));

/* What each version of the interface adds, and how long the struct then is. */
static const struct {
	struct ruleset	adds;
	size_t		size;
} versions[] = {
	{ { .fs = RIGHTS_FIRST }, 8 },
	{ { .fs = RIGHT_REFER }, 8 },
	{ { .fs = RIGHT_TRUNCATE }, 8 },
	{ { .net = 3 }, 16 },
	{ { 0 }, 16 },		/* ioctl() on devices: calls.list chooses among them */
	{ { .scoped = 3 }, 24 },
};

#ifdef E2LAZY_UNCONFINED	/* --coverage writes files when it exits */
static bool off = true;
/* tests/cli/confined looks for these words in the program. */
__attribute__((used))
static const char unconfined[] = "built without confinement";
#else
static bool off;
#endif
static bool asked;

/* All that the kernel's @version knows.  Returns the length of the struct. */
static size_t rules_of(long version, struct ruleset *rules)
{
	long known = sizeof(versions) / sizeof(*versions);
	size_t size = 0;

	*rules = (struct ruleset){ 0 };
	for (long i = 0; i < version && i < known; i++) {
		rules->fs |= versions[i].adds.fs;
		rules->net |= versions[i].adds.net;
		rules->scoped |= versions[i].adds.scoped;
		size = versions[i].size;
	}
	return size;
}

static void allow(int ruleset, const char *path, int flags, uint64_t rights)
{
	struct path_beneath rule = {
		.rights = rights,
		.fd = open(path, flags | O_PATH | O_CLOEXEC),
	};

	if (rule.fd < 0)
		return;
	syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0);
	close(rule.fd);
}

/* All that Landlock can refuse, or all but the rights on @files. */
static int make_ruleset(struct ruleset *rules, bool files)
{
	size_t size = rules_of(syscall(SYS_landlock_create_ruleset, NULL, 0,
				       CREATE_RULESET_VERSION), rules);

	if (!files)
		rules->fs = 0;
	return size ? (int)syscall(SYS_landlock_create_ruleset, rules, size, 0)
		    : -1;
}

static void restrict_self(int ruleset)
{
	syscall(SYS_landlock_restrict_self, ruleset, 0);
	close(ruleset);
}

/* All but those below the directories @below, up to a NULL, and to write to
   @written, or NULL. */
static void give_up_files(const char *const *below, const char *written)
{
	struct ruleset rules;
	int ruleset = make_ruleset(&rules, true);

	if (ruleset < 0)
		return;
	for (; *below; below++)
		allow(ruleset, *below, O_DIRECTORY, rules.fs & ~RIGHT_EXECUTE);
	if (written)
		allow(ruleset, written, 0, RIGHT_WRITE);
	restrict_self(ruleset);
}

static void give_up_signals(void)
{
	struct ruleset rules;
	int ruleset = make_ruleset(&rules, false);

	if (ruleset >= 0)
		restrict_self(ruleset);
}

void confine_off(void)
{
	off = true;
}

bool confine_is_off(void)
{
	return off;
}

/* Neither Landlock nor a filter of calls may be had without this. */
static bool begin(void)
{
	asked = true;
	return !off && !prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

void confine(const char *below)
{
	if (!begin())
		return;
	give_up_files((const char *const []){ below, NULL }, NULL);
	allow_calls(below ? CALLS_BELOW : CALLS_LOOK, 0);
}

void confine_start(const char *const *below)
{
	if (!begin())
		return;
	give_up_files(below, "/dev/null");
	allow_calls(CALLS_START, 0);
}

void confine_serve(void)
{
	if (!begin())
		return;
	give_up_files((const char *const []){ NULL }, NULL);
	allow_calls(CALLS_SERVE, 0);
}

void confine_wait(pid_t child)
{
	if (begin())
		allow_calls(CALLS_WAIT, child);
}

/* The programs that a user has fusermount3 start gain privileges. */
void confine_keep(void)
{
	asked = true;
	if (!off && !geteuid())
		allow_calls(CALLS_KEEP, 0);
}

void confine_calls(void)
{
	if (!begin())
		return;
	give_up_signals();
	allow_calls(CALLS_SHELL, 0);
}

bool confine_asked(void)
{
	return asked;
}
