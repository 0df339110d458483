/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * forked.c - the main() of a program, in a process of its own
 *
 * A fork is cheaper than an exec by the start of a program with sanitizers, and
 * its library, templates and tables are loaded.  libFuzzer sees the branches of
 * its own process only: the child leaves its counters in shared memory, from
 * where they are added to those of the parent.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "forked.h"

#define MOST_SECONDS	20		/* of processor time */
#define MOST_BYTES	(64 << 20)	/* of a file */

/* What -fsanitize=fuzzer-no-link counts in: a byte for each branch. */
extern uint8_t counters_begin[] __asm__("__start___sancov_cntrs");
extern uint8_t counters_end[] __asm__("__stop___sancov_cntrs");

const char *__asan_default_options(void);
const char *__ubsan_default_options(void);
ssize_t __wrap_pread64(int fd, void *buf, size_t count, off_t at);
ssize_t __real_pread64(int fd, void *buf, size_t count, off_t at);

static struct shared {
	uint64_t	bytes_read;
	uint8_t		counters[];
} *shared;
static bool inside;		/* this is the child */

/* Not among the statuses of fsck(8), so that a report is not taken for one. */
#define REPORTED	"exitcode=99"

const char *__asan_default_options(void)
{
	return REPORTED;
}

const char *__ubsan_default_options(void)
{
	return REPORTED;
}

/* Threads of the program read at the same time. */
ssize_t __wrap_pread64(int fd, void *buf, size_t count, off_t at)
{
	ssize_t got = __real_pread64(fd, buf, count, at);

	if (inside && got > 0)
		__atomic_fetch_add(&shared->bytes_read, (uint64_t)got,
				   __ATOMIC_RELAXED);
	return got;
}

/* libext2fs waits for seconds, as multiple mount protection has it. */
unsigned sleep(unsigned seconds)
{
	struct timespec time = { .tv_sec = seconds };

	if (!inside)
		nanosleep(&time, NULL);
	return 0;
}

/* ------------------------------------------------------------- the child */

/* Before libFuzzer's own handler, to which an exit is a crash. */
static void at_exit(int status, void *unused)
{
	(void)unused;
	if (!inside)
		return;
	fflush(NULL);
	memcpy(shared->counters, counters_begin,
	       (size_t)(counters_end - counters_begin));
	_exit(status);
}

/* A limit of the process, and no signal where a write meets it. */
static void limit(void)
{
	const struct rlimit seconds = { MOST_SECONDS, MOST_SECONDS };
	const struct rlimit bytes = { MOST_BYTES, MOST_BYTES };

	setrlimit(RLIMIT_CPU, &seconds);
	setrlimit(RLIMIT_FSIZE, &bytes);
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGXCPU, SIG_DFL);
}

static void redirect(int fd, int to)
{
	if (dup2(fd, to) < 0)
		abort();
}

static _Noreturn void become(const char *dir, const int fds[2],
			     int (*program)(int argc, char **argv), char **argv)
{
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC), argc = 0;

	inside = true;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	on_exit(at_exit, NULL);
	limit();
	redirect(nothing, STDIN_FILENO);
	redirect(fds[0], STDOUT_FILENO);
	redirect(fds[1], STDERR_FILENO);
	if (chdir(dir))
		abort();
	while (argv[argc])
		argc++;
	exit(program(argc, argv));
}

/* ------------------------------------------------------------ the parent */

static void share(void)
{
	size_t size = sizeof(*shared) + (size_t)(counters_end - counters_begin);

	shared = mmap(NULL, size, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		abort();
}

/* The clock of libFuzzer interrupts. */
static void await(pid_t pid, int *status)
{
	while (waitpid(pid, status, 0) < 0)
		if (errno != EINTR)
			abort();
}

static void count_branches(void)
{
	size_t count = (size_t)(counters_end - counters_begin);

	for (size_t i = 0; i < count; i++)
		if (counters_begin[i] < shared->counters[i])
			counters_begin[i] = shared->counters[i];
}

static void read_text(int fd, char **text, size_t *size)
{
	struct stat st;

	free(*text);
	if (fstat(fd, &st))
		abort();
	*size = (size_t)st.st_size;
	*text = malloc(*size + 1);
	if (!*text || pread(fd, *text, *size, 0) != (ssize_t)*size)
		abort();
	(*text)[*size] = 0;
}

void forked_run(struct forked *f, const char *dir,
		int (*program)(int argc, char **argv), char **argv)
{
	int fds[2] = { memfd_create("e2lazy-fuzz-out", MFD_CLOEXEC),
		       memfd_create("e2lazy-fuzz-err", MFD_CLOEXEC) };
	pid_t pid;

	if (!shared)
		share();
	shared->bytes_read = 0;
	fflush(NULL);
	pid = fork();
	if (!pid)
		become(dir, fds, program, argv);
	if (pid < 0)
		abort();
	await(pid, &f->status);
	if (WIFEXITED(f->status))
		count_branches();
	f->bytes_read = shared->bytes_read;
	read_text(fds[0], &f->out, &f->out_size);
	read_text(fds[1], &f->err, &f->err_size);
	close(fds[0]);
	close(fds[1]);
}
