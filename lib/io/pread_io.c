/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* pread_io.c - an io_manager that can do nothing but read */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <linux/fs.h>

#include "cached.h"
#include "device.h"
#include "grow.h"
#include "io_stub.h"
#include "pread_io.h"

struct pread_data {
	struct struct_io_stats stats;	/* first: see io_stub_stats() */
	int		fd;
	int		direct;		/* O_DIRECT descriptor, or -1 */
	size_t		sector;		/* for it */
	bool		bypasses;	/* the cache: see pread_io_direct() */
	bool		is_file;
	int		unasked;	/* small reads left after a miss; after
					   a hit in a file, below 0 */
	uint64_t	offset;		/* bytes before the file system */

	/* Where the cache may be stale: see pread_io_forget(). */
	struct byte_range *stale;
	size_t		nr_stale, stale_room;
};

/*
 * The question for the cache takes a tenth of the time of a small read from a
 * disk, and thrice that of one from the cache.
 */
#define SMALL_READ	16384
#define UNASKED_PAST	63
#define UNASKED_CACHED	7

#define LEAST_SECTOR	512
#define DIRECT_ALIGN	4096		/* of memory */
#define BOUNCED_BYTES	(1 << 20)
#define MOST_PAGE	65536

static struct struct_io_manager pread_table;
io_manager const pread_io_manager = &pread_table;

/*
 * The bytes on the device of @count bytes from @block on.  False if they reach
 * past any file's end, so that no place and no sum here overflows.
 */
static bool bytes_from(io_channel channel, blk64_t block, uint64_t count,
		       struct byte_range *bytes)
{
	const struct pread_data *data = channel->private_data;
	uint64_t size = channel->block_size;
	uint64_t most = INT64_MAX - MOST_PAGE - data->offset;

	if (block > most / size || count > most - block * size)
		return false;
	bytes->from = data->offset + block * size;
	bytes->to = bytes->from + count;
	return true;
}

/* The same of @count blocks; false, too, if that is 0. */
static bool bytes_of(io_channel channel, blk64_t block, uint64_t count,
		     struct byte_range *bytes)
{
	uint64_t size = channel->block_size;

	return count && count <= INT64_MAX / size &&
	       bytes_from(channel, block, count * size, bytes);
}

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
		free(data->stale);
	}
	return io_stub_close(channel);
}

/* The unit of direct reads: one bad sector must not fail its neighbours. */
static size_t sector_size(const struct pread_data *data)
{
	int size;

	return data->is_file || ioctl(data->fd, BLKSSZGET, &size) ||
	       size < LEAST_SECTOR ? LEAST_SECTOR : (size_t)size;
}

static errcode_t open_direct(io_channel channel)
{
	struct pread_data *data = channel->private_data;

	if (data->direct >= 0)
		return 0;
	data->direct = open(channel->name, O_RDONLY | O_CLOEXEC | O_DIRECT);
	if (data->direct < 0)
		return errno;
	data->sector = sector_size(data);
	return 0;
}

/* Widen the last one if the next one follows. */
static errcode_t add_stale(struct pread_data *data,
			   const struct byte_range *bytes)
{
	size_t nr = data->nr_stale;
	struct byte_range *stale = grow(data->stale, nr, &data->stale_room,
					sizeof(*stale));

	if (!stale)
		return EXT2_ET_NO_MEMORY;
	data->stale = stale;
	if (nr && stale[nr - 1].to == bytes->from)
		stale[nr - 1].to = bytes->to;
	else
		stale[data->nr_stale++] = *bytes;
	return 0;
}

errcode_t pread_io_direct(io_channel like, io_channel *out)
{
	const struct pread_data *likes = like->private_data;
	struct pread_data *data;
	errcode_t err;

	if (like->manager != pread_io_manager)
		return EXT2_ET_INVALID_ARGUMENT;
	err = pread_open(like->name, 0, out);
	if (err)
		return err;
	data = (*out)->private_data;
	data->offset = likes->offset;
	data->bypasses = true;
	err = open_direct(*out);
	for (size_t i = 0; !err && i < likes->nr_stale; i++)
		err = add_stale(data, &likes->stale[i]);
	if (err) {
		pread_close(*out);
		return err;
	}
	(*out)->align = DIRECT_ALIGN;
	return io_channel_set_blksize(*out, like->block_size);
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

	if (left && count <= SMALL_READ) {
		left -= passes ? 1 : -1;
	} else {
		passes = !cached_whole(data->fd, pos, count);
		left = passes ? UNASKED_PAST :
		       data->is_file ? -UNASKED_CACHED : 0;
	}
	__atomic_store_n(&data->unasked, left, __ATOMIC_RELAXED);
	return passes;
}

/* Does the cache have a part of these bytes that may be stale? */
static bool may_be_stale(const struct pread_data *data,
			 const struct byte_range *bytes)
{
	for (size_t i = 0; i < data->nr_stale; i++)
		if (bytes->from < data->stale[i].to &&
		    data->stale[i].from < bytes->to)
			return true;
	return false;
}

/* O_DIRECT needs whole sectors, and memory that is aligned. */
static ssize_t read_bounced(const struct pread_data *data, void *to,
			    size_t count, uint64_t pos)
{
	size_t sector = data->sector, in = pos % sector;
	size_t bytes = in + count > BOUNCED_BYTES ? BOUNCED_BYTES :
		       (in + count + sector - 1) / sector * sector;
	void *sectors;
	ssize_t got;
	int why;

	errno = posix_memalign(&sectors, DIRECT_ALIGN, bytes);
	if (errno)
		return -1;
	got = pread(data->direct, sectors, bytes, (off_t)(pos - in));
	why = errno;
	if (got >= 0) {
		got = (size_t)got > in ? got - (ssize_t)in : 0;
		got = (size_t)got > count ? (ssize_t)count : got;
		memcpy(to, (char *)sectors + in, (size_t)got);
	}
	free(sectors);
	errno = why;
	return got;
}

static ssize_t read_direct(const struct pread_data *data, void *to,
			   size_t count, uint64_t pos)
{
	if ((pos | count) % data->sector || (uintptr_t)to % DIRECT_ALIGN)
		return read_bounced(data, to, count, pos);
	return pread(data->direct, to, count, (off_t)pos);
}

/* Serve cached pages from the cache, and leave the rest out of it. */
static ssize_t read_some(struct pread_data *data, void *to, size_t count,
			 uint64_t pos)
{
	const struct byte_range bytes = { pos, pos + count };
	ssize_t got = -1;

	if (may_be_stale(data, &bytes))
		return read_direct(data, to, count, pos);
	if (data->bypasses && passes_cache(data, count, pos))
		got = pread(data->direct, to, count, (off_t)pos);
	/* O_DIRECT fails if place, size or memory are not aligned. */
	return got > 0 ? got : pread(data->fd, to, count, (off_t)pos);
}

static ssize_t read_past(struct pread_data *data, void *to, size_t count,
			 uint64_t pos)
{
	ssize_t got = read_direct(data, to, count, pos);

	/* A file may have larger sectors; its cache is right. */
	return got < 0 && errno == EINVAL && data->is_file ?
	       pread(data->fd, to, count, (off_t)pos) : got;
}

typedef ssize_t (*read_bytes)(struct pread_data *data, void *to, size_t count,
			      uint64_t pos);

static errcode_t read_blocks(io_channel channel, blk64_t block, int count,
			     void *buf, read_bytes read)
{
	struct pread_data *data = channel->private_data;
	struct byte_range left;
	char *to = buf;

	if (!bytes_from(channel, block, io_stub_bytes(channel, count), &left))
		return EXT2_ET_SHORT_READ;
	while (left.from < left.to) {
		ssize_t got = read(data, to, (size_t)(left.to - left.from),
				   left.from);

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
		left.from += (uint64_t)got;
	}
	return 0;
}

static errcode_t pread_blk64(io_channel channel, unsigned long long block,
			     int count, void *buf)
{
	return read_blocks(channel, block, count, buf, read_some);
}

/* If nothing else can be done, what the kernel will not drop is read. */
static errcode_t read_dropped(io_channel channel, blk64_t block, int count,
			      void *buf)
{
	struct pread_data *data = channel->private_data;
	struct byte_range bytes;

	if (bytes_from(channel, block, io_stub_bytes(channel, count), &bytes) &&
	    bytes.from < bytes.to)
		cached_drop(data->fd, &bytes);
	return pread_blk64(channel, block, count, buf);
}

errcode_t pread_io_past_cache(io_channel channel, blk64_t block, int count,
			      void *buf)
{
	if (channel->manager != pread_io_manager)
		return io_channel_read_blk64(channel, block, count, buf);
	if (open_direct(channel))
		return read_dropped(channel, block, count, buf);
	return read_blocks(channel, block, count, buf, read_past);
}

errcode_t pread_io_at_once(io_channel channel, blk64_t block, void *buf)
{
#ifdef RWF_NOWAIT
	struct pread_data *data = channel->private_data;
	struct iovec part = { buf, channel->block_size };
	struct byte_range bytes;
	ssize_t got;

	if (channel->manager != pread_io_manager)
		return EXT2_ET_UNIMPLEMENTED;
	if (!bytes_of(channel, block, 1, &bytes) || may_be_stale(data, &bytes))
		return EXT2_ET_UNIMPLEMENTED;
	got = preadv2(data->fd, &part, 1, (off_t)bytes.from, RWF_NOWAIT);
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
	struct byte_range hole;
	uint64_t blocks;
	off_t end;

	if (channel->manager != pread_io_manager ||
	    channel->flags & CHANNEL_FLAGS_BLOCK_DEVICE ||
	    !bytes_from(channel, block, 0, &hole))
		return 0;
	end = next_data(data->fd, (off_t)hole.from);
	if (end <= 0 || (uint64_t)end < hole.from)
		return 0;
	blocks = ((uint64_t)end - hole.from) / channel->block_size;
	return blocks < count ? blocks : count;
}

/*
 * Of the pages that are left, only a part may belong to @bytes.  Without a
 * direct descriptor there is no other way to read them.
 */
static errcode_t distrust(io_channel channel, const struct byte_range *bytes)
{
	struct pread_data *data = channel->private_data;
	struct byte_range left = *bytes;
	errcode_t err = 0;

	while (!err && left.from < bytes->to && cached_find(data->fd, &left)) {
		if (open_direct(channel))
			return 0;
		if (left.from < bytes->from)
			left.from = bytes->from;
		if (left.to > bytes->to)
			left.to = bytes->to;
		err = add_stale(data, &left);
		left = (struct byte_range){ left.to, bytes->to };
	}
	return err;
}

errcode_t pread_io_forget(io_channel channel, blk64_t block, uint64_t count)
{
	struct pread_data *data = channel->private_data;
	struct byte_range bytes;

	if (channel->manager != pread_io_manager || data->is_file ||
	    !bytes_of(channel, block, count, &bytes))
		return 0;
	cached_drop(data->fd, &bytes);
	return distrust(channel, &bytes);
}

errcode_t pread_io_bypass(io_channel channel, blk64_t block, uint64_t count)
{
	struct pread_data *data = channel->private_data;
	struct byte_range bytes;
	errcode_t err;

	if (channel->manager != pread_io_manager || data->is_file ||
	    !bytes_of(channel, block, count, &bytes))
		return 0;
	err = open_direct(channel);
	return err ? err : add_stale(data, &bytes);
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
	if (*end || offset > INT64_MAX - MOST_PAGE)
		return EXT2_ET_INVALID_ARGUMENT;
	data->offset = offset;
	return 0;
}

/* Begin to read what will be asked for; nothing depends on it. */
static errcode_t pread_readahead(io_channel channel, unsigned long long block,
				 unsigned long long count)
{
	const struct pread_data *data = channel->private_data;
	struct byte_range bytes;

	if (!bytes_of(channel, block, count, &bytes) ||
	    may_be_stale(data, &bytes))
		return 0;
	return posix_fadvise(data->fd, (off_t)bytes.from,
			     (off_t)(bytes.to - bytes.from),
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
