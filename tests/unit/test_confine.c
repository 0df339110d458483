/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * test_confine.c - what a confined process may still do
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <iconv.h>
#include <signal.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fixture.h"
#include "support/confine.h"
#include "support/nls.h"

static char *place, *inside, *outside;
static int tcp_before;		/* a socket from before the confinement */

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
	ck_assert_int_gt(asprintf(&made, "%s/new", place), 0);
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

/* filter.c: on other architectures there is none. */
static bool filters_calls(void)
{
#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__) || \
	defined(__arm__) || defined(__riscv) || defined(__powerpc64__) || \
	defined(__s390x__)
	return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0;
#else
	return false;
#endif
}

enum how { HOW_READS, HOW_BELOW, HOW_CALLS };

static void confine_as(enum how how)
{
	if (how == HOW_CALLS)
		confine_calls();
	else
		confine(how == HOW_BELOW ? inside : NULL);
}

/* What an attempt says in a process of its own: an errno, or 0. */
static int attempt(enum how how, int (*deed)(void))
{
	pid_t child = fork();
	int status;

	if (!child) {
		tcp_before = socket(AF_INET, SOCK_STREAM, 0);
		confine_as(how);
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

/* Landlock says EACCES, the filter of calls EPERM, if it is there. */
static int refused(void)
{
	return errno == EPERM ? EACCES : errno;
}

static int removes(void)
{
	return unlink(outside) ? refused() : 0;
}

static int truncates(void)
{
	return truncate(outside, 0) ? refused() : 0;
}

static int runs(void)
{
	execl("/bin/true", "true", (char *)NULL);
	return refused();
}

static int connects(void)
{
	struct sockaddr_in to = {
		.sin_family = AF_INET,
		.sin_port = htons(9),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = tcp_before;

	return connect(fd, (struct sockaddr *)&to, sizeof(to)) ? refused() : 0;
}

static int signals(void)
{
	return kill(getppid(), 0) ? errno : 0;
}

static int gains(void)
{
	return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
}

static int runs_a_process(void)
{
	pid_t child = fork();

	if (!child)
		_exit(0);
	return child < 0 ? errno : 0;
}

/* An unknown call answers as an older kernel does. */
static int makes_a_process_by_clone3(void)
{
	return syscall(435, NULL, 0) < 0 ? errno : 0;
}

static int limits_its_parent(void)
{
	struct rlimit limit;

	return prlimit(getppid(), RLIMIT_NOFILE, NULL, &limit) ? errno : 0;
}

static int loads_a_module(void)
{
	return syscall(SYS_init_module, NULL, 0, "") ? errno : 0;
}

static int opens_a_socket(void)
{
	return socket(AF_INET, SOCK_DGRAM, 0) < 0 ? errno : 0;
}

static int reaches_a_daemon(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0) < 0 ? errno : 0;
}

static int mounts(void)
{
	return mount("none", "/nonexistent", "tmpfs", 0, NULL) ? errno : 0;
}

static int sets_the_mode(void)
{
	return chmod(outside, 0700) ? errno : 0;
}

static int asks(int request)
{
	int fd = open(outside, O_RDONLY | O_CLOEXEC), value = 0;

	return ioctl(fd, request, &value) ? errno : 0;
}

/* A file is no terminal: the kernel says so if the call reaches it. */
static int types(void)
{
	return asks(TIOCSTI);
}

static int asks_for_the_window(void)
{
	return asks(TIOCGWINSZ);
}

/* What the filter of calls says to each kind of process. */
static const struct {
	const char	*name;
	int		(*deed)(void);
	int		reads, below, calls;
} denials[] = {
	{ "load a module", loads_a_module, EPERM, EPERM, EPERM },
	{ "open a socket", opens_a_socket, EPERM, EPERM, EPERM },
	{ "reach a daemon", reaches_a_daemon, EPERM, EPERM, EPERM },
	{ "mount", mounts, EPERM, EPERM, EPERM },
	{ "set a file's mode", sets_the_mode, EPERM, 0, 0 },
	{ "type for the user", types, EPERM, EPERM, EPERM },
	{ "run a process", runs_a_process, EPERM, EPERM, 0 },
	{ "clone3", makes_a_process_by_clone3, ENOSYS, ENOSYS, ENOSYS },
	{ "limit its parent", limits_its_parent, EPERM, EPERM, EPERM },
	{ "ask for the window", asks_for_the_window, ENOTTY, ENOTTY, ENOTTY },
};

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
	for (enum how i = HOW_READS; i <= HOW_BELOW; i++)
		for (size_t d = 0; d < sizeof(deeds) / sizeof(*deeds); d++) {
			int said = attempt(i, deeds[d].deed);

			if (landlock_version() < deeds[d].version)
				continue;
			ck_assert_msg(said == (i ? deeds[d].below :
						   deeds[d].confined),
				      "%s, %s: %d", deeds[d].name,
				      i ? "below" : "nothing", said);
		}
}
END_TEST

START_TEST(a_confined_process_changes_nothing_of_the_machine)
{
	if (!filters_calls())
		skip_test("this machine filters no calls");
	for (size_t d = 0; d < sizeof(denials) / sizeof(*denials); d++) {
		const int said[] = {
			attempt(HOW_READS, denials[d].deed),
			attempt(HOW_BELOW, denials[d].deed),
			attempt(HOW_CALLS, denials[d].deed),
		};

		ck_assert_msg(said[0] == denials[d].reads &&
			      said[1] == denials[d].below &&
			      said[2] == denials[d].calls, "%s: %d, %d, %d",
			      denials[d].name, said[0], said[1], said[2]);
	}
}
END_TEST

START_TEST(a_shell_keeps_its_files_and_its_pager)
{
	ck_assert_int_eq(attempt(HOW_CALLS, makes_outside), 0);
	ck_assert_int_eq(attempt(HOW_CALLS, removes), 0);
	ck_assert_int_eq(attempt(HOW_CALLS, runs), 0);
	ck_assert_int_eq(attempt(HOW_CALLS, gains), 1);
	if (landlock_version() >= 6)
		ck_assert_int_eq(attempt(HOW_CALLS, signals), EPERM);
}
END_TEST

static int converts(void)
{
	return iconv_open("ISO-8859-1", "UTF-8") == (iconv_t)-1 ? errno : 0;
}

START_TEST(a_confined_process_keeps_the_character_set_of_its_messages)
{
	if (!filters_calls())
		skip_test("this machine filters no calls");
	ck_assert_int_ne(attempt(HOW_READS, converts), 0);
	nls_load_charset("ISO-8859-1");
	ck_assert_int_eq(attempt(HOW_READS, converts), 0);
}
END_TEST

START_TEST(off_is_off)
{
	confine_off();
	ck_assert_int_eq(attempt(HOW_READS, writes), 0);
	ck_assert_int_eq(attempt(HOW_READS, opens_a_socket), 0);
	ck_assert_int_eq(attempt(HOW_CALLS, opens_a_socket), 0);
}
END_TEST

START_TEST(who_asked_is_known_even_if_it_is_off)
{
	ck_assert(!confine_asked());
	confine_off();
	ck_assert(!confine_asked());
	confine(NULL);
	ck_assert(confine_asked());
}
END_TEST

TCase *confine_tests(void)
{
	TCase *tc = tcase_create("confine");

	tcase_add_checked_fixture(tc, setup, teardown);
	/* Memcheck makes code as it runs, and so it cannot run a confined
	   process. */
	tcase_set_tags(tc, "confined");
#ifndef E2LAZY_UNCONFINED	/* as a build that measures coverage is */
	tcase_add_test(tc, a_confined_process_gives_up_its_rights);
	tcase_add_test(tc, a_confined_process_changes_nothing_of_the_machine);
	tcase_add_test(tc, a_shell_keeps_its_files_and_its_pager);
	tcase_add_test(tc, a_confined_process_keeps_the_character_set_of_its_messages);
#endif
	tcase_add_test(tc, off_is_off);
	tcase_add_test(tc, who_asked_is_known_even_if_it_is_off);
	return tc;
}
