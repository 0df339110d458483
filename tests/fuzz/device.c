/* SPDX-License-Identifier: GPL-2.0-only */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device.h"
#include "io/io_stub.h"

uint64_t device_bytes_read;
unsigned device_writes_left;

static void die(const char *what)
{
	perror(what);
	exit(EXIT_FAILURE);
}

static void read_file(struct device *d, const char *file)
{
	int fd = open(file, O_RDONLY | O_CLOEXEC);
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		die(file);
	d->loaded = d->size = st.st_size / d->blocksize * d->blocksize;
	d->pristine = malloc(d->loaded);
	if (!d->pristine)
		die(file);
	for (size_t got = 0; got < d->loaded; ) {
		ssize_t n = read(fd, d->pristine + got, d->loaded - got);

		if (n <= 0)
			die(file);
		got += n;
	}
	close(fd);
}

void device_load(struct device *d, const char *file, unsigned blocksize)
{
	struct stat st;

	d->blocksize = blocksize;
	read_file(d, file);
	d->fd = memfd_create("e2lazy-fuzz", 0);
	if (d->fd < 0 || ftruncate(d->fd, (off_t)d->loaded) ||
	    fstat(d->fd, &st))
		die("memfd");
	d->ino = st.st_ino;
	d->dev = st.st_dev;
	d->bytes = mmap(NULL, d->loaded, PROT_READ | PROT_WRITE, MAP_SHARED,
			d->fd, 0);
	d->dirty = calloc(d->loaded / blocksize, 1);
	d->changed = calloc(d->loaded / blocksize, sizeof(*d->changed));
	d->before = malloc(d->loaded);
	d->is_written = calloc(d->loaded / blocksize, 1);
	d->written = calloc(d->loaded / blocksize, sizeof(*d->written));
	if (d->bytes == MAP_FAILED || !d->dirty || !d->changed || !d->before ||
	    !d->is_written || !d->written)
		die("memfd");
	memcpy(d->bytes, d->pristine, d->loaded);
	snprintf(d->name, sizeof(d->name), "memory %d", d->fd);
	snprintf(d->path, sizeof(d->path), "/proc/self/fd/%d", d->fd);
}

uint8_t *device_block(struct device *d, uint32_t block)
{
	if (!d->dirty[block]) {
		d->dirty[block] = 1;
		d->changed[d->nr_changed++] = block;
	}
	return d->bytes + (size_t)block * d->blocksize;
}

/* Blocks beyond the memfd's end stay mapped, and are not there until reset. */
void device_cut(struct device *d, uint32_t blocks)
{
	size_t size = (size_t)blocks * d->blocksize;

	if (size >= d->size)
		return;
	d->size = size;
	if (fuzz_wants_paths && ftruncate(d->fd, (off_t)size))
		die("memfd");
}

void device_keep(struct device *d)
{
	memcpy(d->pristine, d->bytes, d->loaded);
	device_reset(d);
}

static void uncut(struct device *d)
{
	if (d->size != d->loaded && fuzz_wants_paths) {
		if (ftruncate(d->fd, (off_t)d->loaded))
			die("memfd");
		memcpy(d->bytes + d->size, d->pristine + d->size,
		       d->loaded - d->size);
	}
	d->size = d->loaded;
}

/* A change that stays makes the next input depend on this one. */
static void must_be_pristine(const struct device *d)
{
	if (memcmp(d->bytes, d->pristine, d->loaded)) {
		fprintf(stderr, "an input has changed a clean block\n");
		abort();
	}
}

void device_reset(struct device *d)
{
	static unsigned resets;

	uncut(d);
	while (d->nr_changed) {
		uint32_t block = d->changed[--d->nr_changed];
		size_t at = (size_t)block * d->blocksize;

		d->dirty[block] = 0;
		memcpy(d->bytes + at, d->pristine + at, d->blocksize);
	}
	if (++resets % 1024 == 0)
		must_be_pristine(d);
}

void device_watch(struct device *d)
{
	while (d->nr_written)
		d->is_written[d->written[--d->nr_written]] = 0;
}

/* Before a channel writes it. */
static void note_write(struct device *d, uint32_t block)
{
	size_t at = (size_t)block * d->blocksize;

	device_block(d, block);
	if (d->is_written[block])
		return;
	d->is_written[block] = 1;
	memcpy(d->before + (size_t)d->nr_written * d->blocksize, d->bytes + at,
	       d->blocksize);
	d->written[d->nr_written++] = block;
}

/* ------------------------------------------------------- the io_manager */

static struct device *const *known;
static size_t nr_known;

void device_known(struct device *const *devices, size_t count)
{
	known = devices;
	nr_known = count;
}

/* By its name, or by whatever descriptor a path goes by. */
static struct device *find(const char *name)
{
	struct stat st = { .st_ino = 0 };

	if (fuzz_wants_paths && stat(name, &st))
		return NULL;
	for (size_t i = 0; i < nr_known; i++)
		if (fuzz_wants_paths ? known[i]->dev == st.st_dev &&
				       known[i]->ino == st.st_ino :
				       !strcmp(name, known[i]->name))
			return known[i];
	return NULL;
}

static errcode_t memory_open(const char *name, int flags, io_channel *out)
{
	struct device *device = find(name);
	errcode_t err;

	if (flags & IO_FLAG_RW && !device_writes_left)
		return EXT2_ET_RO_FILSYS;
	if (!device)
		return ENOENT;
	err = io_stub_open(device_io_manager, name, 0, out);
	if (!err)
		(*out)->private_data = device;
	return err;
}

static errcode_t memory_read64(io_channel channel, unsigned long long block,
			       int count, void *buf)
{
	const struct device *d = channel->private_data;
	size_t bytes = io_stub_bytes(channel, count);

	if (block > d->size / channel->block_size ||
	    bytes > d->size - block * channel->block_size)
		return EXT2_ET_SHORT_READ;
	memcpy(buf, d->bytes + block * channel->block_size, bytes);
	device_bytes_read += bytes;
	return 0;
}

static errcode_t memory_write64(io_channel channel, unsigned long long block,
				int count, const void *buf)
{
	struct device *d = channel->private_data;
	size_t bytes = io_stub_bytes(channel, count);
	size_t at = block * channel->block_size;

	if (!device_writes_left)	/* looking never writes */
		abort();
	if (device_writes_left == 1 || block > d->size / channel->block_size ||
	    bytes > d->size - at)
		return EIO;
	device_writes_left--;
	for (size_t b = at / d->blocksize; b * d->blocksize < at + bytes; b++)
		note_write(d, (uint32_t)b);
	memcpy(d->bytes + at, buf, bytes);
	return 0;
}

static struct struct_io_manager memory_table = {
	.magic		= EXT2_ET_MAGIC_IO_MANAGER,
	.name		= "memory I/O manager",
	.open		= memory_open,
	.close		= io_stub_close,
	.set_blksize	= io_stub_set_blksize,
	.read_blk	= io_stub_read,
	.read_blk64	= memory_read64,
	.write_blk	= io_stub_write,
	.write_blk64	= memory_write64,
	.flush		= io_stub_flush,
};
io_manager const device_io_manager = &memory_table;
