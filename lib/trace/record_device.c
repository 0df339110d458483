/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * record_device.c - the device of the kernel's events for a block device
 *
 * Requests go to whole disks: a partition is a stretch of one.  A device without
 * a queue of requests (device mapper, md) has only events of what is asked of
 * it.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "record.h"

#define SECTOR		512

/* /sys/dev/block/MAJOR:MINOR/NAME */
static void sys_path(char path[96], dev_t dev, const char *name)
{
	snprintf(path, 96, "/sys/dev/block/%u:%u/%s", major(dev), minor(dev),
		 name);
}

static bool has(dev_t dev, const char *name)
{
	char path[96];

	sys_path(path, dev, name);
	return !access(path, F_OK);
}

/* The words of a file; 0: it is not there. */
static bool read_words(dev_t dev, const char *name, char text[64])
{
	char path[96];
	ssize_t n;
	int fd;

	sys_path(path, dev, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, text, 63);
	close(fd);
	text[n > 0 ? n : 0] = 0;
	return n > 0;
}

static uint64_t read_number(dev_t dev, const char *name)
{
	char text[64];
	unsigned long long value;

	if (!read_words(dev, name, text) || sscanf(text, "%llu", &value) != 1)
		return 0;
	return value;
}

bool record_device_there(dev_t dev, uint64_t *sequence)
{
	*sequence = read_number(dev, "diskseq");
	return read_number(dev, "size") != 0;
}

bool record_device_disk(dev_t dev, dev_t *disk)
{
	unsigned first, second;
	char text[64];

	*disk = dev;
	if (!has(dev, "partition"))
		return true;
	if (!read_words(dev, "../dev", text) ||
	    sscanf(text, "%u:%u", &first, &second) != 2)
		return false;
	*disk = makedev(first, second);
	return true;
}

errcode_t record_device_find(const char *device, dev_t *dev,
			     struct e2lazy_record_device *out)
{
	struct stat st;

	memset(out, 0, sizeof(*out));
	if (stat(device, &st))
		return errno;
	if (!S_ISBLK(st.st_mode))
		return ENOTBLK;
	*dev = st.st_rdev;
	out->bytes = read_number(*dev, "size") * SECTOR;
	if (!out->bytes)
		return ENXIO;
	if (!record_device_disk(*dev, &out->disk))
		return ENXIO;
	out->partition = out->disk != *dev;
	if (out->partition)
		out->start = read_number(*dev, "start") * SECTOR;
	out->queued = !has(out->disk, "mq");
	out->loop = has(out->disk, "loop");
	out->loop_start = read_number(out->disk, "loop/offset");
	return 0;
}
