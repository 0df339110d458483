/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload.c - workloads that show a layout: MakeDirs, a tree of empty
 * directories, and Postmark, many small files, as in FAST'17; and trees of files,
 * as an archive has them
 *
 *	workload makedirs DIR COUNT DEPTH WORKERS
 *	workload postmark DIR DIRS FILES TRANSACTIONS
 *	workload untar DIR TREES DIRS FILES
 *
 * Filebench draws the number of subdirectories from a gamma distribution of
 * shape 1.5, whose mean makes a tree of COUNT have the depth DEPTH.  File data
 * is zeros, so that an image that keeps none of them stays small.  The same
 * arguments give the same tree.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH		4096
#define FILE_LEAST	512
#define FILE_MOST	(1 << 20)

static uint64_t state = 88172645463325252ULL;

static uint64_t draw(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static double uniform(void)
{
	return ((draw() >> 11) + 1) / 9007199254740993.0;
}

/* Shape 1.5: half a squared normal, and an exponential. */
static double gamma15(double mean)
{
	double angle = cos(6.283185307179586 * uniform());

	return mean / 1.5 * (-log(uniform()) -
			     log(uniform()) * angle * angle);
}

static void fail(const char *path)
{
	fprintf(stderr, "workload: %s: %s\n", path, strerror(errno));
	exit(1);
}

/* ------------------------------------------------------------ MakeDirs */

/* The directories of one worker, as a queue of parents to be filled. */
static void make_tree(const char *top, unsigned count, double width)
{
	char path[PATH], **queue = malloc((count + 1) * sizeof(*queue));
	unsigned made = 0, at = 0, waiting = 1;

	if (!queue || !(queue[0] = strdup(top)) || (mkdir(top, 0755)))
		fail(top);
	while (made < count) {
		unsigned children = gamma15(width) + 0.5;

		/* A tree that ends early goes on at its last directory. */
		if (!children && at + 1 == waiting)
			children = 1;
		for (; children && made < count; children--) {
			snprintf(path, sizeof(path), "%s/%05u", queue[at],
				 made++);
			if (mkdir(path, 0755))
				fail(path);
			queue[waiting] = strdup(path);
			if (!queue[waiting++])
				fail(path);
		}
		at++;
	}
}

static int makedirs(const char *dir, unsigned count, unsigned depth,
		    unsigned workers)
{
	double width = pow(count, 1.0 / depth);
	int status, worst = 0;
	char path[PATH];

	if (width < 2)
		width = 2;
	for (unsigned i = 0; i < workers; i++) {
		if (fork())
			continue;
		state += i * 0x9e3779b97f4a7c15ULL;
		snprintf(path, sizeof(path), "%s/w%u", dir, i);
		make_tree(path, count / workers, width);
		_exit(0);
	}
	while (wait(&status) > 0)
		worst |= status;
	return worst != 0;
}

/* ------------------------------------------------------------ Postmark */

static char zeros[FILE_MOST];
static unsigned nr_dirs, next_file;

static unsigned *files;
static unsigned nr_files;

static void name_file(char path[PATH], const char *dir, unsigned file)
{
	snprintf(path, PATH, "%s/%u/%u", dir, file % nr_dirs, file);
}

static void create(const char *dir)
{
	unsigned size = FILE_LEAST + draw() % (FILE_MOST / 32);
	char path[PATH];
	int fd;

	files[nr_files] = next_file++;
	name_file(path, dir, files[nr_files++]);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
	if (fd < 0 || write(fd, zeros, size) != (ssize_t)size)
		fail(path);
	close(fd);
}

static void append(const char *dir, unsigned file)
{
	char path[PATH];
	int fd;

	name_file(path, dir, file);
	fd = open(path, O_WRONLY | O_APPEND);
	if (fd < 0 || write(fd, zeros, 4096) != 4096)
		fail(path);
	close(fd);
}

static void remove_one(const char *dir)
{
	unsigned at = draw() % nr_files;
	char path[PATH];

	name_file(path, dir, files[at]);
	if (unlink(path))
		fail(path);
	files[at] = files[--nr_files];
}

static int postmark(const char *dir, unsigned dirs, unsigned count,
		    unsigned transactions)
{
	char path[PATH];

	nr_dirs = dirs;
	files = malloc((count + transactions + 1) * sizeof(*files));
	if (!files || !dirs)
		return 1;
	mkdir(dir, 0755);
	for (unsigned i = 0; i < dirs; i++) {
		snprintf(path, sizeof(path), "%s/%u", dir, i);
		if (mkdir(path, 0755))
			fail(path);
	}
	while (nr_files < count)
		create(dir);
	for (unsigned i = 0; i < transactions && nr_files > 1; i++) {
		if (draw() & 1)
			append(dir, files[draw() % nr_files]);
		if (draw() & 1)
			create(dir);
		else
			remove_one(dir);
	}
	while (nr_files)
		remove_one(dir);
	return 0;
}

/* ------------------------------------------------------------- archive */

/* A directory in each one before the last few, and files in each. */
static void unpack(const char *top, unsigned dirs, unsigned count)
{
	char path[PATH], parent[PATH], (*names)[PATH] = calloc(dirs + 1, PATH);
	unsigned size, in;
	int fd;

	if (!names || mkdir(top, 0755))
		fail(top);
	strcpy(names[0], top);
	for (unsigned i = 0; i < count; i++) {
		in = (uint64_t)i * dirs / count;
		if (!names[in][0]) {
			strcpy(parent, names[draw() % in / 4]);
			snprintf(names[in], PATH, "%.3000s/d%u", parent, in);
			if (mkdir(names[in], 0755))
				fail(names[in]);
		}
		snprintf(path, sizeof(path), "%.3000s/f%u", names[in], i);
		size = FILE_LEAST + draw() % (16 << 10);
		fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);
		if (fd < 0 || write(fd, zeros, size) != (ssize_t)size)
			fail(path);
		close(fd);
	}
	free(names);
}

static int untar(const char *dir, unsigned trees, unsigned dirs,
		 unsigned count)
{
	char path[PATH];

	if (!dirs || count < dirs)
		return 1;
	for (unsigned i = 0; i < trees; i++) {
		snprintf(path, sizeof(path), "%s/t%u", dir, i);
		unpack(path, dirs, count);
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 6 && !strcmp(argv[1], "makedirs"))
		return makedirs(argv[2], atoi(argv[3]), atoi(argv[4]),
				atoi(argv[5]));
	if (argc == 6 && !strcmp(argv[1], "postmark"))
		return postmark(argv[2], atoi(argv[3]), atoi(argv[4]),
				atoi(argv[5]));
	if (argc == 6 && !strcmp(argv[1], "untar"))
		return untar(argv[2], atoi(argv[3]), atoi(argv[4]),
			     atoi(argv[5]));
	fprintf(stderr, "usage: workload makedirs DIR COUNT DEPTH WORKERS\n"
		"       workload postmark DIR DIRS FILES TRANSACTIONS\n"
		"       workload untar DIR TREES DIRS FILES\n");
	return 1;
}
