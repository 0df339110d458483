/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * work - the paper's workloads, and what a guest's script needs
 *
 *	work dirs ROOT NUMBER DEPTH PROCESSES	directories, as Filebench makes
 *						them: the number of entries in
 *						each is gamma-distributed
 *	work files ROOT NUMBER DIRS DEPTH PROCESSES SIZE
 *						the same, and then files in them
 *	work time NAME COMMAND...		prints `NAME SECONDS' of the clock
 *	work off				ends the machine
 *
 * The tree depends on the numbers alone.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SHAPE		1.5		/* Filebench's gamma distribution */
#define MAX_PATH	4096

struct node {
	unsigned	parent, name;
};

static struct node *nodes;
static unsigned nr_nodes, wanted;
static uint64_t random_state = 20170227;
static char *contents;

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "work: %s: %s\n", what, strerror(errno));
	exit(1);
}

/* ------------------------------------------------------------------ numbers */

static double draw(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return ((double)(random_state >> 11) + 0.5) / 9007199254740992.0;
}

/* Gamma with shape 1.5 is the sum of an exponential and half a square of a
   normal variable. */
static double gamma_of(double mean)
{
	double normal = sqrt(-2 * log(draw())) * cos(2 * M_PI * draw());

	return (-log(draw()) + normal * normal / 2) * mean / SHAPE;
}

static unsigned number_of(const char *text)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (!*text || *end || value > 100000000) {
		fprintf(stderr, "work: %s: no number\n", text);
		exit(16);
	}
	return (unsigned)value;
}

/* --------------------------------------------------------------------- tree */

/* Depth first, so that a directory has a higher number than its parent. */
static void plan_below(unsigned parent, double width, unsigned depth)
{
	unsigned entries = (unsigned)(gamma_of(width) + 0.5);

	if (!entries)
		entries = 1;
	for (unsigned i = 0; i < entries && nr_nodes < wanted; i++) {
		unsigned own = nr_nodes++;

		nodes[own] = (struct node){ .parent = parent, .name = i };
		if (depth > 1)
			plan_below(own, width, depth - 1);
	}
}

static void plan_tree(unsigned number, unsigned depth)
{
	double width = pow(number, 1.0 / depth);

	wanted = number + 1;
	nodes = calloc(wanted, sizeof(*nodes));
	if (!nodes)
		die("memory");
	nr_nodes = 1;
	/* The names of the next round follow those of the last one. */
	for (unsigned round = 0; nr_nodes < wanted; round++) {
		unsigned first = nr_nodes;

		plan_below(0, width, depth);
		for (unsigned i = first; i < nr_nodes; i++)
			if (!nodes[i].parent)
				nodes[i].name += round * 1000;
	}
}

static void path_of(unsigned node, const char *root, char *path)
{
	unsigned up[256], n = 0;
	int at = snprintf(path, MAX_PATH, "%s", root);

	for (; node; node = nodes[node].parent)
		up[n++] = nodes[node].name;
	while (n)
		at += snprintf(path + at, (size_t)(MAX_PATH - at), "/%08u",
			       up[--n]);
}

/* ---------------------------------------------------------------- processes */

struct job {
	const char	*root;
	unsigned	number, size;
	void		(*make)(const struct job *job, unsigned i);
};

/* The parent may be another process's, and not be there yet. */
static void make_dir(const struct job *job, unsigned i)
{
	char path[MAX_PATH];

	path_of(i + 1, job->root, path);
	while (mkdir(path, 0755)) {
		if (errno != ENOENT)
			die(path);
		usleep(100);
	}
}

static void make_file(const struct job *job, unsigned i)
{
	char path[MAX_PATH];
	unsigned dir = 1 + (unsigned)((uint64_t)i * 2654435761U %
				      (nr_nodes - 1));
	int fd;

	path_of(dir, job->root, path);
	snprintf(path + strlen(path), 16, "/f%08u", i);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
	if (fd < 0 || write(fd, contents, job->size) != (ssize_t)job->size ||
	    close(fd))
		die(path);
}

static void work_off(const struct job *job, unsigned *next)
{
	for (;;) {
		unsigned i = __atomic_fetch_add(next, 1, __ATOMIC_SEQ_CST);

		if (i >= job->number)
			return;
		job->make(job, i);
	}
}

static void run(const struct job *job, unsigned processes)
{
	unsigned *next = mmap(NULL, sizeof(*next), PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status, bad = 0;

	if (next == MAP_FAILED)
		die("memory");
	for (unsigned p = 0; p < processes; p++) {
		pid_t child = fork();

		if (child < 0)
			die("fork");
		if (!child) {
			work_off(job, next);
			_exit(0);
		}
	}
	while (wait(&status) >= 0)
		bad |= status;
	if (bad)
		exit(1);
}

/* --------------------------------------------------------------------- time */

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static int time_of(const char *name, char **command)
{
	double begin = now();
	int status = 1;
	pid_t child = fork();

	if (child < 0)
		die("fork");
	if (!child) {
		execvp(command[0], command);
		die(command[0]);
	}
	waitpid(child, &status, 0);
	printf("%s %.6f\n", name, now() - begin);
	return status != 0;
}

int main(int argc, char **argv)
{
	struct job job = { 0 };

	if (argc == 2 && !strcmp(argv[1], "off")) {
		reboot(RB_POWER_OFF);
		die("reboot");
	}
	if (argc >= 4 && !strcmp(argv[1], "time"))
		return time_of(argv[2], argv + 3);
	if (argc == 6 && !strcmp(argv[1], "dirs")) {
		job = (struct job){ argv[2], number_of(argv[3]), 0, make_dir };
		plan_tree(job.number, number_of(argv[4]));
		run(&job, number_of(argv[5]));
		return 0;
	}
	if (argc == 8 && !strcmp(argv[1], "files")) {
		job = (struct job){ argv[2], number_of(argv[4]), 0, make_dir };
		plan_tree(job.number, number_of(argv[5]));
		run(&job, number_of(argv[6]));
		job.number = number_of(argv[3]);
		job.size = number_of(argv[7]);
		job.make = make_file;
		contents = calloc(1, job.size + 1);
		if (!contents)
			die("memory");
		memset(contents, 'x', job.size);
		run(&job, number_of(argv[6]));
		return 0;
	}
	fprintf(stderr, "usage: work dirs|files|time|off ...\n");
	return 16;
}
