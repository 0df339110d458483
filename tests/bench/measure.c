/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * measure - run a command, and print its time, memory and I/O
 *
 *	measure [-o FILE] COMMAND [ARGUMENT]...
 *
 * The command's standard output goes to FILE, or to /dev/null, its standard
 * error to /dev/null.  Prints one line: wall-clock seconds, peak resident
 * memory in KiB, bytes that it read and bytes that it wrote through system
 * calls ("-" where /proc does not tell), exit status.  A command killed by a
 * signal has 128 + signal.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "clock.h"

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "measure: %s: %s\n", what, strerror(errno));
	exit(127);
}

static _Noreturn void run(const char *output, char **argv)
{
	int out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0644);
	int err = open("/dev/null", O_WRONLY);

	if (out < 0 || err < 0)
		die(output);
	dup2(out, STDOUT_FILENO);
	dup2(err, STDERR_FILENO);
	execvp(argv[0], argv);
	_exit(127);
}

/* What a child that has ended, but is not reaped, moved; -1: unknown. */
static void bytes_moved(pid_t pid, int64_t *in, int64_t *out)
{
	char path[64];
	FILE *f;

	*in = *out = -1;
	snprintf(path, sizeof(path), "/proc/%ld/io", (long)pid);
	f = fopen(path, "r");
	if (!f)
		return;
	if (fscanf(f, "rchar: %" SCNd64 " wchar: %" SCNd64, in, out) != 2)
		*in = *out = -1;
	fclose(f);
}

int main(int argc, char **argv)
{
	const char *output = "/dev/null";
	struct rusage usage;
	siginfo_t info;
	double start, took;
	int64_t in, out;
	int status;
	pid_t pid;

	if (argc > 2 && !strcmp(argv[1], "-o")) {
		output = argv[2];
		argv += 2;
		argc -= 2;
	}
	if (argc < 2) {
		fputs("usage: measure [-o FILE] COMMAND [ARGUMENT]...\n",
		      stderr);
		return 2;
	}
	start = now();
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid)
		run(output, argv + 1);
	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT))
		die("waitid");
	took = now() - start;
	bytes_moved(pid, &in, &out);
	if (wait4(pid, &status, 0, &usage) != pid)
		die("wait4");

	printf("%.6f %ld ", took, usage.ru_maxrss);
	if (in < 0)
		fputs("- -", stdout);
	else
		printf("%" PRId64 " %" PRId64, in, out);
	printf(" %d\n", WIFSIGNALED(status) ? 128 + WTERMSIG(status) :
					      WEXITSTATUS(status));
	return 0;
}
