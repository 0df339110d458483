/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * undo_file.c - one file for e2undo, filled before anything is overwritten
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "undo_file.h"
#include "io/bytes.h"
#include "support/nls.h"
#include "support/status.h"
#include "support/trust.h"

/* ---------------------------------------------------------- where it lies */

static const char *last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

char *undo_directory(const char *path)
{
	size_t length = last_part(path) - path;
	char *named = length ? strndup(path, length) : strdup("."), *out = NULL;
	int error = named ? trusted_path(named, &out) : ENOMEM;

	free(named);
	if (!error)
		return out;
	if (error == EPERM)
		complain(path, _("others can change %s and replace the undo "
				 "file"), out);
	else
		complain_error(path, error);
	free(out);
	return NULL;
}

static bool complain_here(const struct undo_file *f)
{
	complain_error(f->path, errno);
	return false;
}

static bool make(struct undo_file *f)
{
	char *directory = undo_directory(f->path);
	struct stat st;

	if (!directory)
		return false;
	f->directory = open(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW |
				       O_CLOEXEC);
	free(directory);
	if (f->directory < 0)
		return complain_here(f);
	f->fd = openat(f->directory, last_part(f->path),
		       O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		       0600);
	if (f->fd < 0 || fstat(f->fd, &st))
		return complain_here(f);
	f->dev = st.st_dev;
	f->ino = st.st_ino;
	return true;
}

bool undo_file_is_there(const struct undo_file *f)
{
	struct stat st;

	return !fstatat(f->directory, last_part(f->path), &st,
			AT_SYMLINK_NOFOLLOW) &&
	       st.st_dev == f->dev && st.st_ino == f->ino;
}

/* ------------------------------------------- what undo_io reads and writes */

/* Room for "/proc/self/fd/N". */
#define FD_PATH		32

static struct undo_file *opening;	/* libext2fs hands over names only */

static void fd_path(const struct undo_file *f, char path[FD_PATH])
{
	snprintf(path, FD_PATH, "/proc/self/fd/%d", f->fd);
}

static errcode_t source_open(const char *name, int flags, io_channel *out);

static errcode_t source_close(io_channel channel)
{
	free(channel);
	return 0;
}

static errcode_t source_set_blksize(io_channel channel, int size)
{
	channel->block_size = size;
	return 0;
}

/*
 * If the offset is no multiple of the block size, undo_io also saves the next
 * block, which is unchanged, or was changed by an earlier stage.
 */
static errcode_t read_block(io_channel channel, blk64_t block, uint8_t *to)
{
	const struct undo_file *f = channel->private_data;
	size_t size = channel->block_size;
	errcode_t err;
	ssize_t got;

	if (block - f->block < f->count) {
		memcpy(to, f->bytes + (size_t)(block - f->block) * size, size);
		return 0;
	}
	err = undo_older_read(&f->older, block, (unsigned)size, to);
	if (err != EXT2_ET_UNDO_FILE_WRONG)
		return err;
	got = pread(f->device, to, size, (off_t)(f->offset + block * size));
	if (got < 0)
		return errno;
	memset(to + got, 0, size - got);
	return 0;
}

/* undo_io reads the superblock by bytes, and blocks by blocks. */
static errcode_t source_read64(io_channel channel, unsigned long long block,
			       int count, void *to)
{
	const struct undo_file *f = channel->private_data;
	errcode_t err = 0;

	if (count < 0)
		memcpy(to, f->super, UNDO_SUPER);
	for (int i = 0; !err && i < count; i++)
		err = read_block(channel, block + i,
				 (uint8_t *)to + (size_t)i *
						 channel->block_size);
	return err;
}

static errcode_t source_write64(io_channel channel, unsigned long long block,
				int count, const void *from)
{
	(void)channel;
	(void)block;
	(void)count;
	(void)from;
	return 0;
}

static errcode_t source_flush(io_channel channel)
{
	(void)channel;
	return 0;
}

/* undo_io records the offset in the file. */
static errcode_t source_set_option(io_channel channel, const char *option,
				   const char *value)
{
	(void)channel;
	(void)option;
	(void)value;
	return 0;
}

static struct struct_io_manager source = {
	.magic = EXT2_ET_MAGIC_IO_MANAGER,
	.name = "what is overwritten",
	.open = source_open,
	.close = source_close,
	.set_blksize = source_set_blksize,
	.flush = source_flush,
	.set_option = source_set_option,
	.read_blk64 = source_read64,
	.write_blk64 = source_write64,
};

/* undo_io opens its own file through this manager, too. */
static errcode_t source_open(const char *name, int flags, io_channel *out)
{
	char path[FD_PATH];
	io_channel channel;

	fd_path(opening, path);
	if (!strcmp(name, path))
		return unix_io_manager->open(name, flags, out);
	channel = calloc(1, sizeof(*channel));
	if (!channel)
		return EXT2_ET_NO_MEMORY;
	channel->magic = EXT2_ET_MAGIC_IO_CHANNEL;
	channel->manager = &source;
	channel->block_size = 1024;
	channel->refcount = 1;
	channel->private_data = opening;
	*out = channel;
	return 0;
}

static errcode_t open_undo_io(struct undo_file *f, unsigned blocksize,
			      uint64_t offset)
{
	char path[FD_PATH], option[32];
	errcode_t err;

	opening = f;
	fd_path(f, path);
	err = set_undo_io_backing_manager(&source);
	if (!err)
		err = set_undo_io_backup_file(path);
	if (!err)
		err = undo_io_manager->open(source.name, IO_FLAG_RW, &f->io);
	if (!err)
		err = io_channel_set_blksize(f->io, (int)blocksize);
	if (!err && offset) {
		snprintf(option, sizeof(option), "offset=%llu",
			 (unsigned long long)offset);
		err = io_channel_set_options(f->io, option);
	}
	return err;
}

bool undo_file_begin(struct undo_file *f, char *path, unsigned blocksize,
		     int device, uint64_t offset)
{
	errcode_t err;

	memset(f, 0, sizeof(*f));
	f->path = path;
	f->fd = f->directory = -1;
	f->device = device;
	f->offset = offset;
	if (!path) {
		complain_error(NULL, ENOMEM);
		return false;
	}
	if (!make(f))
		return false;
	err = open_undo_io(f, blocksize, offset);
	if (err)
		complain(path, "%s", error_message(err));
	return !err;
}

/* Without @bytes they are those of an earlier stage. */
errcode_t undo_file_add(struct undo_file *f, blk64_t block, uint32_t count,
			const uint8_t *bytes)
{
	f->block = block;
	f->count = bytes ? count : 0;
	f->bytes = bytes;
	return io_channel_write_blk64(f->io, block, (int)count, bytes);
}

/* ----------------------------------------------------------- its head */

/* The layout of the head in e2undo, little-endian. */
#define HEAD_BYTES	512
#define HEAD_KEYS	8		/* their number, 64 bits */
#define HEAD_SUPER	16		/* block of the superblock, 64 bits */
#define HEAD_FIRST	24		/* block of the first keys, 64 bits */
#define HEAD_BLOCKSIZE	32		/* of the file */
#define HEAD_SUPER_CRC	40
#define HEAD_STATE	44
#define HEAD_FINISHED	1
#define HEAD_CRC	508		/* checksum of all bytes before it */

static errcode_t read_head(int fd, uint8_t head[HEAD_BYTES])
{
	ssize_t got = pread(fd, head, HEAD_BYTES, 0);

	if (got < 0)
		return errno;
	if (got < HEAD_BYTES)
		return EXT2_ET_SHORT_READ;
	return memcmp(head, UNDO_MAGIC, strlen(UNDO_MAGIC)) ||
	       !(head[HEAD_STATE] & HEAD_FINISHED) ?
		       EXT2_ET_UNDO_FILE_CORRUPT : 0;
}

static errcode_t write_at(const struct undo_file *f, uint64_t at,
			  const void *bytes, size_t count)
{
	ssize_t put = pwrite(f->fd, bytes, count, (off_t)at);

	if (put < 0)
		return errno;
	return put == (ssize_t)count ? 0 : EXT2_ET_SHORT_WRITE;
}

static errcode_t settle(const struct undo_file *f)
{
	return fsync(f->fd) || fsync(f->directory) ? errno : 0;
}

static uint32_t head_blocksize(const uint8_t head[HEAD_BYTES])
{
	return get_le32(head + HEAD_BLOCKSIZE);
}

/* The number of keys of the complete file @before, and the place of the first. */
static errcode_t find_keys(const struct undo_file *before, unsigned blocksize,
			   uint64_t *keys, uint64_t *first)
{
	uint8_t head[HEAD_BYTES];
	errcode_t err = read_head(before->fd, head);

	if (err)
		return err;
	*keys = get_le64(head + HEAD_KEYS);
	*first = get_le64(head + HEAD_FIRST) * blocksize;
	return head_blocksize(head) == blocksize ? 0 :
						   EXT2_ET_UNDO_FILE_CORRUPT;
}

errcode_t undo_file_continue(struct undo_file *f,
			     const struct undo_file *before)
{
	struct undo_older *older = &f->older;
	unsigned size = (unsigned)f->io->block_size;
	uint64_t keys, first;
	errcode_t err = find_keys(before, size, &keys, &first);

	if (!err)
		err = undo_older_find(older, before->fd, size, keys, first);
	for (size_t i = 0; !err && i < older->nr; i++)
		err = undo_file_add(f, older->runs[i].block,
				    older->runs[i].count, NULL);
	return err;
}

/* Its magic is inverted in the file, so no tool takes it for a file system. */
static errcode_t put_super(const struct undo_file *f, uint64_t at,
			   const uint8_t super[UNDO_SUPER])
{
	uint8_t bytes[UNDO_SUPER];
	struct ext2_super_block *sb = (void *)bytes;

	memcpy(bytes, super, UNDO_SUPER);
	sb->s_magic = ~sb->s_magic;
	return write_at(f, at, bytes, UNDO_SUPER);
}

/* One write of one sector: the file has either the old head or the new one. */
static errcode_t point_to(const struct undo_file *f, uint8_t head[HEAD_BYTES],
			  uint64_t at, const uint8_t super[UNDO_SUPER])
{
	errcode_t err;

	put_le64(head + HEAD_SUPER, at / head_blocksize(head));
	put_le32(head + HEAD_SUPER_CRC,
		 ext2fs_crc32c_le(~0U, super, UNDO_SUPER));
	put_le32(head + HEAD_CRC, ext2fs_crc32c_le(~0U, head, HEAD_CRC));
	err = write_at(f, 0, head, HEAD_BYTES);
	return err ? err : settle(f);
}

errcode_t undo_file_finish(struct undo_file *f, const uint8_t super[UNDO_SUPER])
{
	uint8_t head[HEAD_BYTES];
	errcode_t err;

	memcpy(f->super, super, UNDO_SUPER);
	err = io_channel_close(f->io);
	f->io = NULL;
	undo_older_free(&f->older);
	if (!err)
		err = settle(f);
	return err ? err : read_head(f->fd, head);
}

/*
 * The file is valid at each moment: the other superblock is appended, the head
 * points to it, then both move to the place where libext2fs puts them.
 * (libext2fs appends if it opens the file again.)
 */
errcode_t undo_file_switch(struct undo_file *f, const uint8_t super[UNDO_SUPER])
{
	uint8_t head[HEAD_BYTES];
	uint64_t first, behind;
	struct stat st;
	errcode_t err = read_head(f->fd, head);

	if (!err && fstat(f->fd, &st))
		err = errno;
	if (err)
		return err;
	first = get_le64(head + HEAD_SUPER) * head_blocksize(head);
	behind = ((uint64_t)st.st_size / head_blocksize(head) + 1) *
		 head_blocksize(head);
	err = put_super(f, behind, super);
	if (!err)
		err = settle(f);
	if (!err)
		err = point_to(f, head, behind, super);
	if (!err)
		err = put_super(f, first, super);
	if (!err)
		err = settle(f);
	if (!err)
		err = point_to(f, head, first, super);
	if (!err && ftruncate(f->fd, st.st_size))
		err = errno;
	return err;
}

/* ------------------------------------------------------------- its end */

uint64_t undo_file_bytes(const struct undo_file *f)
{
	struct stat st;

	return f->path && !fstat(f->fd, &st) ? (uint64_t)st.st_size : 0;
}

/* At each moment the name leads to one of the two. */
errcode_t undo_file_replace(struct undo_file *f, struct undo_file *before)
{
	char *path = before->path;

	if (renameat(f->directory, last_part(f->path), before->directory,
		     last_part(path)) || fsync(before->directory))
		return errno;
	before->path = f->path;
	f->path = path;
	undo_file_end(before, false);
	return 0;
}

void undo_file_end(struct undo_file *f, bool remove)
{
	if (!f->path)
		return;
	if (f->io)
		io_channel_close(f->io);
	if (remove && f->fd >= 0 && undo_file_is_there(f))
		unlinkat(f->directory, last_part(f->path), 0);
	if (f->fd >= 0)
		close(f->fd);
	if (f->directory >= 0)
		close(f->directory);
	undo_older_free(&f->older);
	free(f->path);
	memset(f, 0, sizeof(*f));
}
