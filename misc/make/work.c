/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * work.c - workloads that show what a layout is worth
 *
 * Filebench draws the number of subdirectories from a gamma distribution of
 * shape 1.5, whose mean makes a tree of so many entries have the given depth.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "session/child.h"
#include "support/status.h"
#include "work.h"

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
	complain_error(path, errno);
	exit(1);
}

static void sync_on(const char *dir)
{
	int fd = open(dir, O_RDONLY);

	if (fd < 0 || syncfs(fd))
		fail(dir);
	close(fd);
}

/* ------------------------------------------- MakeDirs and CreateFiles */

static char zeros[FILE_MOST];

static void make_file(const char *path, unsigned size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0644);

	if (fd < 0 || write(fd, zeros, size) != (ssize_t)size)
		fail(path);
	close(fd);
}

/*
 * A tree as Filebench lists it: depth first, each directory before what is in
 * it.  The workers take one entry after the other.
 */
struct entry {
	unsigned	parent, name;
	bool		file;
	atomic_bool	made;
};

struct tree {
	atomic_uint	next;
	atomic_bool	failed;		/* a worker: the others end, too */
	unsigned	nr, room;
	unsigned	wanted;		/* more directories, or more files */
	struct entry	entry[];
};

static void list_tree(struct tree *t, unsigned parent, unsigned left,
		      double width, bool files)
{
	unsigned children = gamma15(width) + 0.5;

	for (unsigned i = 0; t->wanted && t->nr < t->room &&
	     (!parent || i < children || !i); i++) {
		struct entry *e = &t->entry[t->nr++];
		bool leaf = left <= 1;

		*e = (struct entry){ parent, i, leaf && files, false };
		t->wanted -= !files || leaf;
		if (!leaf)
			list_tree(t, t->nr, left - 1, width, files);
	}
}

static int name_entry(char *path, const struct tree *t, const char *dir,
		      unsigned number)
{
	const struct entry *e = &t->entry[number - 1];
	int length = e->parent ? name_entry(path, t, dir, e->parent) :
				 sprintf(path, "%s", dir);

	return length + sprintf(path + length, "/%05u", e->name);
}

static void work_on(struct tree *t, const char *dir)
{
	char path[PATH];
	unsigned i;

	while ((i = atomic_fetch_add(&t->next, 1)) < t->nr) {
		struct entry *e = &t->entry[i];

		name_entry(path, t, dir, i + 1);
		while (e->parent && !t->entry[e->parent - 1].made) {
			if (t->failed)
				return;
			sched_yield();
		}
		if (e->file)
			make_file(path, 4096);
		else if (mkdir(path, 0755))
			fail(path);
		e->made = true;
	}
}

/* It ends with its parent: nobody else would wait for it. */
static bool start_worker(struct tree *t, const char *dir)
{
	pid_t pid = child_fork();

	if (pid)
		return pid > 0;
	work_on(t, dir);
	_exit(0);
}

int work_tree(const char *dir, unsigned count, unsigned depth,
	      unsigned workers, int files)
{
	double width = pow(count, 1.0 / depth);
	unsigned room = 4 * count + 64;
	struct tree *t = mmap(NULL, sizeof(*t) + room * sizeof(*t->entry),
			      PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status, worst = 0;

	if (t == MAP_FAILED || (mkdir(dir, 0755) && errno != EEXIST))
		fail(dir);
	t->wanted = count;
	t->room = room;
	list_tree(t, 0, depth, width, files);
	for (unsigned i = 0; i < workers; i++)
		if (!start_worker(t, dir))
			fail(dir);
	while (wait(&status) > 0) {
		worst |= status;
		t->failed = worst;
	}
	sync_on(dir);
	return worst != 0;
}

/* ------------------------------------------------------------ Postmark */

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

static int postmark_small(const char *dir, unsigned dirs, unsigned count,
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

static unsigned pace;		/* transactions a second; 0: as they come */

void work_pace(unsigned a_second)
{
	pace = a_second;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * (uint64_t)1000000000 + t.tv_nsec;
}

/* A late transaction does not make the next ones late. */
static void wait_for_turn(uint64_t began, unsigned number)
{
	uint64_t due;
	struct timespec t;

	if (!pace)
		return;
	due = began + number * (uint64_t)1000000000 / pace;
	t.tv_sec = due / 1000000000;
	t.tv_nsec = due % 1000000000;
	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
}

/* With sizes up to @most. */
struct big_file {
	unsigned	number, dir, size;
};

static void name_big(char path[PATH], const char *dir,
		     const struct big_file *f)
{
	snprintf(path, PATH, "%s/s%u/%u", dir, f->dir, f->number);
}

static void create_big(const char *dir, struct big_file *f, unsigned most)
{
	char path[PATH];

	*f = (struct big_file){ next_file++, draw() % nr_dirs,
				FILE_LEAST + draw() % (most - FILE_LEAST) };
	name_big(path, dir, f);
	make_file(path, f->size);
}

static void read_big(const char *dir, const struct big_file *f)
{
	static char buffer[FILE_MOST];
	char path[PATH];
	int fd;

	name_big(path, dir, f);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		fail(path);
	while (read(fd, buffer, sizeof(buffer)) > 0)
		;
	close(fd);
}

static void append_big(const char *dir, struct big_file *f, unsigned most)
{
	unsigned more = f->size < most ? draw() % (most - f->size) + 1 : 0;
	char path[PATH];
	int fd;

	name_big(path, dir, f);
	fd = open(path, O_WRONLY | O_APPEND);
	if (fd < 0 || write(fd, zeros, more) != (ssize_t)more)
		fail(path);
	close(fd);
	f->size += more;
}

/* Each transaction reads or appends, and creates or deletes. */
static void one_transaction(const char *dir, struct big_file *list,
			    unsigned *nr, unsigned most)
{
	struct big_file *f = &list[draw() % *nr];
	char path[PATH];

	if (draw() & 1)
		append_big(dir, f, most);
	else
		read_big(dir, f);
	if (draw() & 1 || *nr == 1) {
		create_big(dir, &list[(*nr)++], most);
		return;
	}
	f = &list[draw() % *nr];
	name_big(path, dir, f);
	if (unlink(path))
		fail(path);
	*f = list[--*nr];
}

static int postmark_big(const char *dir, unsigned dirs, unsigned count,
			unsigned transactions, unsigned most)
{
	struct big_file *list = calloc(count + transactions + 1, sizeof(*list));
	unsigned nr = 0;
	uint64_t began;
	char path[PATH];

	nr_dirs = dirs;
	if (!list || !dirs || !count || most <= FILE_LEAST || most > FILE_MOST)
		return 1;
	mkdir(dir, 0755);
	for (unsigned i = 0; i < dirs; i++) {
		snprintf(path, sizeof(path), "%s/s%u", dir, i);
		if (mkdir(path, 0755))
			fail(path);
	}
	while (nr < count)
		create_big(dir, &list[nr++], most);
	sync_on(dir);
	began = now_ns();
	for (unsigned i = 0; i < transactions; i++) {
		wait_for_turn(began, i);
		one_transaction(dir, list, &nr, most);
	}
	sync_on(dir);
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

int work_untar(const char *dir, unsigned trees, unsigned dirs,
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

int work_postmark(const char *dir, unsigned dirs, unsigned count,
		  unsigned transactions, unsigned most)
{
	return most ? postmark_big(dir, dirs, count, transactions, most) :
		      postmark_small(dir, dirs, count, transactions);
}
