/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pread_io.c - an io_manager that can do nothing but read */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "device.h"
#include "io_stub.h"
#include "pread_io.h"

struct pread_data {
	struct struct_io_stats stats;	/* first: see io_stub_stats() */
	int		fd;
	int		direct;		/* O_DIRECT descriptor, or -1 */
	uint64_t	offset;		/* bytes before the file system */
	int		unasked;	/* small reads left after a miss; after
					   a hit in a file, below 0 */
	bool		is_file;
	bool		distrusts;	/* the cache: see pread_io_forget() */
};

/*
 * The question for the cache takes a tenth of the time of a small read from a
 * disk, and thrice that of one from the cache.
 */
#define SMALL_READ	16384
#define UNASKED_PAST	63
#define UNASKED_CACHED	7

#define DIRECT_ALIGN	4096

static struct struct_io_manager pread_table;
io_manager const pread_io_manager = &pread_table;

static errcode_t pread_open(const char *name, int flags, io_channel *out)
{
	struct pread_data *data;
	io_channel channel;
	struct stat st;
	errcode_t err;

	if (flags & IO_FLAG_RW)
		return EXT2_ET_RO_FILSYS;
	err = io_stub_open(pread_io_manager, name, sizeof(*data), &channel);
	if (err)
		return err;
	data = channel->private_data;
	data->fd = open(name, O_RDONLY | O_CLOEXEC);
	if (data->fd < 0) {
		err = errno;
		data->fd = device_dup(name);
	}
	if (data->fd >= 0)
		err = fstat(data->fd, &st) ? errno : 0;
	if (err) {
		if (data->fd >= 0)
			close(data->fd);
		io_stub_close(channel);
		return err;
	}

	data->direct = -1;
	data->stats.num_fields = 2;
	data->is_file = S_ISREG(st.st_mode);
	if (S_ISBLK(st.st_mode))
		channel->flags |= CHANNEL_FLAGS_BLOCK_DEVICE;
	*out = channel;
	return 0;
}

static errcode_t pread_close(io_channel channel)
{
	struct pread_data *data = channel->private_data;

	if (io_stub_is_last(channel)) {
		close(data->fd);
		if (data->direct >= 0)
			close(data->direct);
	}
	return io_stub_close(channel);
}

static int open_direct(const char *name)
{
	return open(name, O_RDONLY | O_CLOEXEC | O_DIRECT);
}

errcode_t pread_io_direct(io_channel like, io_channel *out)
{
	struct pread_data *data;
	errcode_t err;

	if (like->manager != pread_io_manager)
		return EXT2_ET_INVALID_ARGUMENT;
	err = pread_open(like->name, 0, out);
	if (err)
		return err;
	data = (*out)->private_data;
	data->offset = ((struct pread_data *)like->private_data)->offset;
	data->direct = open_direct(like->name);
	if (data->direct < 0) {
		err = errno;
		pread_close(*out);
		return err;
	}
	data->distrusts =
		((struct pread_data *)like->private_data)->distrusts;
	(*out)->align = DIRECT_ALIGN;
	return io_channel_set_blksize(*out, like->block_size);
}

#define PAGES_ASKED	1024

/* How many of these pages are in the page cache?  -1 if nobody can tell. */
static int count_cached(int fd, uint64_t pos, int pages)
{
	size_t bytes = (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
	unsigned char there[PAGES_ASKED];
	int cached = 0;
	void *at = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, (off_t)pos);

	if (at == MAP_FAILED)
		return -1;
	if (mincore(at, bytes, there))
		cached = -1;
	for (int i = 0; cached >= 0 && i < pages; i++)
		cached += there[i] & 1;
	munmap(at, bytes);
	return cached;
}

/* Are all of these bytes in the page cache? */
static bool is_cached(int fd, uint64_t pos, size_t count)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), in = pos % page;
	size_t pages = (in + count + page - 1) / page;

	return pages <= PAGES_ASKED &&
	       count_cached(fd, pos - in, (int)pages) == (int)pages;
}

/* Is one of the pages from @from to @to in the page cache, or may it be? */
static bool has_cached(int fd, uint64_t from, uint64_t to)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), pages;

	for (; from < to; from += pages * page) {
		pages = (to - from) / page;
		if (pages > PAGES_ASKED)
			pages = PAGES_ASKED;
		if (count_cached(fd, from, (int)pages))
			return true;
	}
	return false;
}

/*
 * Some small reads go where the last one went.  From a device only what is
 * cached already comes from the cache, for a kernel that has it mounted writes
 * its log past that: what is read there now is stale at the next lap.
 */
static bool passes_cache(struct pread_data *data, size_t count, uint64_t pos)
{
	int left = __atomic_load_n(&data->unasked, __ATOMIC_RELAXED);
	bool passes = left > 0;

	if (data->distrusts)
		return true;
	if (left && count <= SMALL_READ) {
		left -= passes ? 1 : -1;
	} else {
		passes = !is_cached(data->fd, pos, count);
		left = passes ? UNASKED_PAST :
		       data->is_file ? -UNASKED_CACHED : 0;
	}
	__atomic_store_n(&data->unasked, left, __ATOMIC_RELAXED);
	return passes;
}

/* O_DIRECT may refuse memory that is not aligned. */
static ssize_t read_bounced(const struct pread_data *data, void *to,
			    size_t count, uint64_t pos)
{
	void *aligned;
	ssize_t got;

	errno = posix_memalign(&aligned, DIRECT_ALIGN, count);
	if (errno)
		return -1;
	got = pread(data->direct, aligned, count, (off_t)pos);
	if (got > 0)
		memcpy(to, aligned, (size_t)got);
	free(aligned);			/* keeps errno */
	return got;
}

/* Serve cached pages from the cache, and leave the rest out of it. */
static ssize_t read_some(struct pread_data *data, void *to, size_t count,
			 uint64_t pos)
{
	bool past = data->direct >= 0 && passes_cache(data, count, pos);
	ssize_t got = past ? pread(data->direct, to, count, (off_t)pos) : -1;

	if (past && data->distrusts) {
		if (got < 0 && errno == EINVAL)
			got = read_bounced(data, to, count, pos);
		if (got >= 0 || errno != EINVAL)
			return got;
	}
	/* Its place or size may not be aligned, either. */
	return got > 0 ? got : pread(data->fd, to, count, (off_t)pos);
}

static errcode_t pread_blk64(io_channel channel, unsigned long long block,
			     int count, void *buf)
{
	struct pread_data *data = channel->private_data;
	size_t left = io_stub_bytes(channel, count);
	uint64_t pos;
	char *to = buf;

	if (data->offset + left > INT64_MAX ||
	    block > (INT64_MAX - data->offset - left) / channel->block_size)
		return EXT2_ET_SHORT_READ;	/* past any file's end */
	pos = block * channel->block_size + data->offset;
	while (left) {
		ssize_t got = read_some(data, to, left, pos);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return errno;
		if (got == 0)
			return EXT2_ET_SHORT_READ;
		/* Threads may share a channel. */
		__atomic_fetch_add(&data->stats.bytes_read, got,
				   __ATOMIC_RELAXED);
		to += got;
		pos += got;
		left -= got;
	}
	return 0;
}

errcode_t pread_io_at_once(io_channel channel, blk64_t block, void *buf)
{
#ifdef RWF_NOWAIT
	struct pread_data *data = channel->private_data;
	struct iovec part = { buf, channel->block_size };
	ssize_t got;

	if (channel->manager != pread_io_manager || data->distrusts ||
	    block > (INT64_MAX - data->offset) / part.iov_len - 1)
		return EXT2_ET_UNIMPLEMENTED;
	got = preadv2(data->fd, &part, 1, (off_t)(block * part.iov_len +
						  data->offset), RWF_NOWAIT);
	if (got < 0)
		return errno;
	if ((size_t)got != part.iov_len)
		return EAGAIN;
	__atomic_fetch_add(&data->stats.bytes_read, got, __ATOMIC_RELAXED);
	return 0;
#else
	(void)channel, (void)block, (void)buf;
	return EXT2_ET_UNIMPLEMENTED;
#endif
}

/* Offset of the first data at or after @pos, or the file's end. */
static off_t next_data(int fd, off_t pos)
{
	off_t data = lseek(fd, pos, SEEK_DATA);
	struct stat st;

	if (data >= 0 || errno != ENXIO)
		return data;
	return fstat(fd, &st) ? -1 : st.st_size;
}

uint64_t pread_io_hole(io_channel channel, blk64_t block, uint64_t count)
{
	const struct pread_data *data = channel->private_data;
	unsigned size = channel->block_size;
	uint64_t pos, blocks;
	off_t end;

	if (channel->manager != pread_io_manager ||
	    channel->flags & CHANNEL_FLAGS_BLOCK_DEVICE ||
	    block > (INT64_MAX - data->offset) / size)
		return 0;
	pos = block * size + data->offset;
	end = next_data(data->fd, (off_t)pos);
	if (end <= 0 || (uint64_t)end < pos)
		return 0;
	blocks = ((uint64_t)end - pos) / size;
	return blocks < count ? blocks : count;
}

/*
 * The kernel keeps a page that it uses itself, as that of the journal superblock,
 * and a folio that reaches beyond the range.
 */
void pread_io_forget(io_channel channel, blk64_t block, uint64_t count)
{
	struct pread_data *data = channel->private_data;
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), most, from, to;

	if (channel->manager != pread_io_manager || data->is_file || !count)
		return;
	most = (INT64_MAX - page - data->offset) / channel->block_size;
	if (block > most || count > most - block)
		return;
	from = data->offset + block * channel->block_size;
	to = from + count * channel->block_size + page - 1;
	from -= from % page;
	to -= to % page;
	posix_fadvise(data->fd, (off_t)from, (off_t)(to - from),
		      POSIX_FADV_DONTNEED);
	if (data->distrusts || !has_cached(data->fd, from, to))
		return;
	if (data->direct < 0)
		data->direct = open_direct(channel->name);
	data->distrusts = data->direct >= 0;
}

static errcode_t pread_set_option(io_channel channel, const char *option,
				  const char *arg)
{
	struct pread_data *data = channel->private_data;
	unsigned long long offset;
	char *end;

	if (strcmp(option, "offset") || !arg || !*arg)
		return EXT2_ET_INVALID_ARGUMENT;
	offset = strtoull(arg, &end, 0);
	if (*end || offset > INT64_MAX)
		return EXT2_ET_INVALID_ARGUMENT;
	data->offset = offset;
	return 0;
}

/* Begin to read what will be asked for; nothing depends on it. */
static errcode_t pread_readahead(io_channel channel, unsigned long long block,
				 unsigned long long count)
{
	const struct pread_data *data = channel->private_data;
	off_t unit = channel->block_size;

	if (data->distrusts)
		return 0;
	return posix_fadvise(data->fd, (off_t)data->offset +
			     (off_t)block * unit, (off_t)count * unit,
			     POSIX_FADV_WILLNEED);
}

static struct struct_io_manager pread_table = {
	.magic		= EXT2_ET_MAGIC_IO_MANAGER,
	.name		= "e2lazy read-only I/O manager",
	.open		= pread_open,
	.close		= pread_close,
	.set_blksize	= io_stub_set_blksize,
	.read_blk	= io_stub_read,
	.read_blk64	= pread_blk64,
	.write_blk	= io_stub_refuse,
	.write_blk64	= io_stub_refuse64,
	.flush		= io_stub_flush,
	.set_option	= pread_set_option,
	.get_stats	= io_stub_stats,
	.cache_readahead = pread_readahead,
};
