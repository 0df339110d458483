/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lazyctl - one request to a mounted file system, or one awkward state of it
 *
 *	lazyctl shutdown DIRECTORY 0|1|2	stop it: after a freeze, after
 *						a commit, or at once
 *	lazyctl checkpoint DIRECTORY FLAGS	write the log home
 *	lazyctl resize DIRECTORY BLOCKS		which the kernel may refuse
 *	lazyctl fill DIRECTORY			files and directories until no
 *						space is left; prints how many
 *	lazyctl attribute FILE VALUE		an extended attribute
 *	lazyctl verity FILE			seal it
 *	lazyctl flag-j FILE			its data goes through the log
 *	lazyctl latency DIRECTORY FROM TO	removes directories of these
 *						names, with an fsync after each
 *						tenth; prints how long it took
 *	lazyctl orphans DIRECTORY N		N deleted files that stay open,
 *						until somebody kills it
 *
 * Exit status 0: done; 1: the kernel refused, and why is on stderr.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#define IOC_SHUTDOWN	_IOR('X', 125, uint32_t)
#define IOC_CHECKPOINT	_IOW('f', 43, uint32_t)
#define IOC_GETFLAGS	_IOR('f', 1, long)
#define IOC_SETFLAGS	_IOW('f', 2, long)
#define FLAG_J		0x4000
#define IOC_RESIZE	_IOW('f', 16, uint64_t)

static int failed(const char *what)
{
	fprintf(stderr, "lazyctl: %s: %s\n", what, strerror(errno));
	return 1;
}

static int ask(const char *where, unsigned long request, void *argument)
{
	int fd = open(where, O_RDONLY | O_DIRECTORY), ret;

	if (fd < 0)
		return failed(where);
	ret = ioctl(fd, request, argument) ? failed("ioctl") : 0;
	close(fd);
	return ret;
}

/* As chattr +j, which busybox has not. */
static int flag_j(const char *path)
{
	int fd = open(path, O_RDONLY), flags = 0, ret = 0;

	if (fd < 0)
		return failed(path);
	if (ioctl(fd, IOC_GETFLAGS, &flags))
		ret = failed("flags");
	flags |= FLAG_J;
	if (!ret && ioctl(fd, IOC_SETFLAGS, &flags))
		ret = failed("flag j");
	close(fd);
	return ret;
}

struct verity_enable {
	uint32_t	version, hash, block_size, salt_size;
	uint64_t	salt;
	uint32_t	sig_size, pad;
	uint64_t	sig, more[11];
};
#define IOC_VERITY	_IOW('f', 133, struct verity_enable)

static int verity(const char *path)
{
	struct verity_enable how = { .version = 1, .hash = 1, .block_size = 4096 };
	int fd = open(path, O_RDONLY), ret;

	if (fd < 0)
		return failed(path);
	ret = ioctl(fd, IOC_VERITY, &how) ? failed("verity") : 0;
	close(fd);
	return ret;
}

/* Three of four are files of a block, the fourth is a directory. */
static int make_one(unsigned long n)
{
	static char block[4096];
	char name[32];
	int fd, err = 0;

	snprintf(name, sizeof(name), "n%lu", n);
	if (n % 4 == 0)
		return mkdir(name, 0755) ? errno : 0;
	fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0644);
	if (fd < 0)
		return errno;
	memset(block, 'x', sizeof(block));
	if (write(fd, block, sizeof(block)) < 0)
		err = errno;
	close(fd);
	return err;
}

static int fill(const char *where)
{
	unsigned long n = 0;
	int err;

	if (mkdir(where, 0755) || chdir(where))
		return failed(where);
	while (!(err = make_one(n)))
		n++;
	errno = err;
	if (err != ENOSPC)
		return failed("fill");
	printf("filled %lu\n", n);
	return 0;
}

static int orphans(const char *where, int count)
{
	static char block[40000];
	char name[32];
	int fd, i, dir;

	if (chdir(where))
		return failed(where);
	for (i = 0; i < count; i++) {
		snprintf(name, sizeof(name), "orphan%d", i);
		fd = open(name, O_CREAT | O_EXCL | O_RDWR, 0644);
		if (fd < 0 || write(fd, block, sizeof(block)) < 0 ||
		    fsync(fd) || unlink(name))
			return failed(name);
	}
	dir = open(".", O_RDONLY | O_DIRECTORY);
	if (dir < 0 || fsync(dir))
		return failed(where);
	printf("orphans %d\n", count);
	fflush(stdout);
	pause();
	return 0;
}

/* ---- how long a caller waits ---- */

struct times {
	const char	*name;
	unsigned int	n;
	uint64_t	sum, most;	/* microseconds */
};

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static void took(struct times *times, uint64_t since)
{
	uint64_t us = now() - since;

	times->n++;
	times->sum += us;
	if (us > times->most)
		times->most = us;
}

static void print_times(const struct times *times)
{
	printf("%s %u mean %lu most %lu\n", times->name, times->n,
	       (unsigned long)(times->sum / (times->n ? times->n : 1)),
	       (unsigned long)times->most);
}

static int latency(const char *where, unsigned long from, unsigned long to)
{
	struct times removals = { "rmdir", 0, 0, 0 };
	struct times syncs = { "fsync", 0, 0, 0 };
	int dir = open(where, O_RDONLY | O_DIRECTORY);
	char name[32];
	uint64_t start;

	if (dir < 0)
		return failed(where);
	for (; from < to; from++) {
		snprintf(name, sizeof(name), "%lu", from);
		start = now();
		if (unlinkat(dir, name, AT_REMOVEDIR))
			return failed(name);
		took(&removals, start);
		usleep(4000);
		if (from % 10)
			continue;
		start = now();
		if (fsync(dir))
			return failed("fsync");
		took(&syncs, start);
	}
	print_times(&removals);
	print_times(&syncs);
	return 0;
}

int main(int argc, char **argv)
{
	const char *verb = argc > 2 ? argv[1] : "";
	uint64_t number = argc > 3 ? strtoull(argv[3], NULL, 0) : 0;
	uint32_t flags = (uint32_t)number;

	if (!strcmp(verb, "shutdown") && argc == 4)
		return ask(argv[2], IOC_SHUTDOWN, &flags);
	if (!strcmp(verb, "checkpoint") && argc == 4)
		return ask(argv[2], IOC_CHECKPOINT, &flags);
	if (!strcmp(verb, "resize") && argc == 4)
		return ask(argv[2], IOC_RESIZE, &number);
	if (!strcmp(verb, "fill") && argc == 3)
		return fill(argv[2]);
	if (!strcmp(verb, "attribute") && argc == 4)
		return setxattr(argv[2], "user.lazy", argv[3], strlen(argv[3]),
				0) ? failed(argv[2]) : 0;
	if (!strcmp(verb, "verity") && argc == 3)
		return verity(argv[2]);
	if (!strcmp(verb, "flag-j") && argc == 3)
		return flag_j(argv[2]);
	if (!strcmp(verb, "latency") && argc == 5)
		return latency(argv[2], number, strtoul(argv[4], NULL, 0));
	if (!strcmp(verb, "orphans") && argc == 4)
		return orphans(argv[2], (int)number);
	fprintf(stderr, "usage: lazyctl shutdown|checkpoint|resize DIRECTORY NUMBER\n"
		"       lazyctl fill DIRECTORY\n"
		"       lazyctl verity|flag-j FILE\n"
		"       lazyctl attribute FILE VALUE\n"
		"       lazyctl latency DIRECTORY FROM TO\n"
		"       lazyctl orphans DIRECTORY N\n");
	return 2;
}
