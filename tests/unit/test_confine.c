/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_confine.c - what a confined process may still do
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture.h"
#include "support/confine.h"

static char *place, *inside, *outside;

static void setup(void)
{
	const char *tmp = getenv("TMPDIR");
	int fd;

	ck_assert_int_gt(asprintf(&place, "%s/confine-XXXXXX",
				  tmp ? tmp : "/tmp"), 0);
	ck_assert_ptr_nonnull(mkdtemp(place));
	ck_assert_int_gt(asprintf(&inside, "%s/in", place), 0);
	ck_assert_int_gt(asprintf(&outside, "%s/out", place), 0);
	ck_assert_int_eq(mkdir(inside, 0700), 0);
	fd = open(outside, O_WRONLY | O_CREAT, 0600);
	ck_assert_int_ge(fd, 0);
	close(fd);
}

static void teardown(void)
{
	char *made;

	ck_assert_int_gt(asprintf(&made, "%s/new", inside), 0);
	unlink(made);
	free(made);
	unlink(outside);
	rmdir(inside);
	rmdir(place);
	free(outside);
	free(inside);
	free(place);
}

/* The version of the kernel's interface, 0 if it has none. */
static long landlock_version(void)
{
	long version = syscall(444, NULL, 0, 1);

	return version > 0 ? version : 0;
}

/* What an attempt says in a process of its own: an errno, or 0. */
static int attempt(const char *below, int (*deed)(void))
{
	pid_t child = fork();
	int status;

	if (!child) {
		confine(below);
		_exit(deed());
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int open_for(int flags, const char *path)
{
	int fd = open(path, flags | O_CLOEXEC, 0600);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static int reads(void)
{
	return open_for(O_RDONLY, outside);
}

static int writes(void)
{
	return open_for(O_WRONLY, outside);
}

static int makes_outside(void)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/new", place);
	return open_for(O_WRONLY | O_CREAT, path);
}

static int makes_inside(void)
{
	char path[4096];

	snprintf(path, sizeof(path), "%s/new", inside);
	return open_for(O_WRONLY | O_CREAT, path);
}

static int removes(void)
{
	return unlink(outside) ? errno : 0;
}

static int truncates(void)
{
	return truncate(outside, 0) ? errno : 0;
}

static int runs(void)
{
	execl("/bin/true", "true", (char *)NULL);
	return errno;
}

static int connects(void)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_port = htons(9),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0)
		return 0;
	return connect(fd, (struct sockaddr *)&to, sizeof(to)) ? errno : 0;
}

static int signals(void)
{
	return kill(getppid(), 0) ? errno : 0;
}

static int gains(void)
{
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
}

static const struct {
	const char	*name;
	long		version;	/* of Landlock that it takes */
	int		(*deed)(void);
	int		confined;	/* what it says with no directory */
	int		below;		/* ... and with one */
} deeds[] = {
	{ "read a file", 1, reads, 0, 0 },
	{ "write one", 1, writes, EACCES, EACCES },
	{ "make one", 1, makes_outside, EACCES, EACCES },
	{ "make one below", 1, makes_inside, EACCES, 0 },
	{ "remove one", 1, removes, EACCES, EACCES },
	{ "truncate one", 3, truncates, EACCES, EACCES },
	{ "run a program", 1, runs, EACCES, EACCES },
	{ "connect", 4, connects, EACCES, EACCES },
	{ "signal another", 6, signals, EPERM, EPERM },
	{ "gain no privileges", 1, gains, 1, 1 },
};

START_TEST(a_confined_process_gives_up_its_rights)
{
	const char *below[] = { NULL, inside };

	for (int i = 0; i < 2; i++)
		for (size_t d = 0; d < sizeof(deeds) / sizeof(*deeds); d++) {
			int said = attempt(below[i], deeds[d].deed);

			if (landlock_version() < deeds[d].version)
				continue;
			ck_assert_msg(said == (i ? deeds[d].below :
						   deeds[d].confined),
				      "%s, %s: %d", deeds[d].name,
				      i ? "below" : "nothing", said);
		}
}
END_TEST


START_TEST(off_is_off)
{
	confine_off();
	ck_assert_int_eq(attempt(NULL, writes), 0);
}
END_TEST

TCase *confine_tests(void)
{
	TCase *tc = tcase_create("confine");

	tcase_add_checked_fixture(tc, setup, teardown);
#ifndef E2LAZY_UNCONFINED	/* as a build that measures coverage is */
	tcase_add_test(tc, a_confined_process_gives_up_its_rights);
#endif
	tcase_add_test(tc, off_is_off);
	return tc;
}
