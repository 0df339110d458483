/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stress - many processes change one directory at random, as fsstress does
 *
 *	stress DIRECTORY PROCESSES OPERATIONS SEED
 *
 * All of them use the same few names in a few directories, so that each one finds
 * what others made, and loses what it made.  So an operation may fail as names come
 * and go, and where no space is left; any other error ends the program.  Prints how
 * many operations were done.  Exit status 0: all processes came to their end.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#define NAMES	60
#define DIRS	5
#define MOST	(256 * 1024)

#ifndef FALLOC_FL_KEEP_SIZE
#define FALLOC_FL_KEEP_SIZE	1
#define FALLOC_FL_PUNCH_HOLE	2
#endif

int fallocate(int fd, int mode, off_t from, off_t len);

static unsigned int state;

static unsigned int chance(unsigned int below)
{
	state = state * 1103515245 + 12345;
	return (state >> 8) % below;
}

static const char *some_name(char *name)
{
	sprintf(name, "d%u/n%u", chance(DIRS), chance(NAMES));
	return name;
}

static int write_some(int fd)
{
	static char data[16384];

	memset(data, (int)chance(256), sizeof(data));
	return pwrite(fd, data, 1 + chance(sizeof(data)), chance(MOST)) < 0;
}

static int with_file(const char *name, unsigned int what)
{
	int fd = open(name, O_RDWR | O_CREAT, 0644), ret = 0;

	if (fd < 0)
		return 1;
	switch (what) {
	case 0:
	case 1:
		ret = write_some(fd);
		break;
	case 2:
		ret = ftruncate(fd, chance(MOST));
		break;
	case 3:
		ret = fallocate(fd, 0, chance(MOST), 1 + chance(65536));
		break;
	case 4:
		ret = fallocate(fd, FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE,
				chance(MOST), 1 + chance(65536));
		break;
	case 5:
		ret = write_some(fd) || fsync(fd);
		break;
	}
	if (ret) {
		int err = errno;

		close(fd);
		errno = err;
		return 1;
	}
	return close(fd);
}

static int attribute(const char *name)
{
	char value[200], key[16];

	sprintf(key, "user.a%u", chance(8));
	memset(value, 'v', sizeof(value));
	return chance(3) ? setxattr(name, key, value, chance(sizeof(value)), 0) :
			   removexattr(name, key);
}

static int one_operation(void)
{
	unsigned int what = chance(15);
	char name[32], other[32];

	some_name(name);
	some_name(other);
	switch (what) {
	case 6:
	case 7:
		return unlink(name);
	case 8:
		return mkdir(name, 0755);
	case 9:
		return rmdir(name);
	case 10:
		return rename(name, other);
	case 11:
		return link(name, other);
	case 12:
		return symlink(other, name);
	case 13:
		return attribute(name);
	case 14:
		return chmod(name, 0600 | chance(0200));
	default:
		return with_file(name, what);
	}
}

/* What comes of names that others change, and of a volume that is full. */
static int is_expected(int err)
{
	static const int expected[] = {
		ENOENT, EEXIST, EISDIR, ENOTDIR, ENOTEMPTY, ENOSPC, EINVAL, ELOOP,
		EPERM, ENODATA, EMLINK, EXDEV, EDQUOT, EOPNOTSUPP, EBUSY,
	};
	size_t i;

	for (i = 0; i < sizeof(expected) / sizeof(*expected); i++)
		if (err == expected[i])
			return 1;
	return 0;
}

static int worker(unsigned int operations, unsigned int *done)
{
	while (operations--) {
		if (!one_operation()) {
			__atomic_add_fetch(done, 1, __ATOMIC_RELAXED);
		} else if (!is_expected(errno)) {
			fprintf(stderr, "stress: %s\n", strerror(errno));
			return 1;
		}
	}
	return 0;
}

static int make_room(const char *where)
{
	char name[16];
	int i;

	if ((mkdir(where, 0755) && errno != EEXIST) || chdir(where))
		return 1;
	for (i = 0; i < DIRS; i++) {
		sprintf(name, "d%d", i);
		if (mkdir(name, 0755) && errno != EEXIST)
			return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	unsigned int *done = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int i, processes, status, failed = 0;

	if (argc != 5 || done == MAP_FAILED) {
		fprintf(stderr, "usage: stress DIRECTORY PROCESSES OPERATIONS SEED\n");
		return 2;
	}
	if (make_room(argv[1])) {
		perror(argv[1]);
		return 1;
	}
	processes = atoi(argv[2]);
	for (i = 0; i < processes; i++) {
		if (fork())
			continue;
		state = (unsigned int)(atoi(argv[4]) * 1000 + i);
		_exit(worker((unsigned int)atoi(argv[3]), done));
	}
	while (wait(&status) > 0)
		failed |= status;
	printf("stressed %u\n", *done);
	return failed ? 1 : 0;
}
