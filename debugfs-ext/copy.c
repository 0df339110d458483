/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * copy.c - debuglazy: files of the file system as files of this system
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contents.h"
#include "copy.h"
#include "support/nls.h"
#include "support/status.h"

/* Where bytes go, and why they did not. */
struct writing {
	int	fd;
	int	error;		/* errno of this system, not of the device */
};

static errcode_t write_bytes(void *priv, uint64_t offset, const void *bytes,
			     size_t count)
{
	struct writing *w = priv;
	const char *from = bytes;
	ssize_t n;

	while (count) {
		n = pwrite(w->fd, from, count, offset);
		if (n < 0 && errno == EINTR && !cancelled())
			continue;
		if (n < 0)
			return w->error = errno;
		from += n;
		offset += n;
		count -= n;
	}
	return 0;
}

static struct timespec inode_time(uint32_t field, uint32_t extra)
{
	struct timespec time = {
		.tv_sec = inode_seconds(field, extra),
		.tv_nsec = (extra >> 2) % 1000000000,
	};

	return time;
}

static void inode_times(const struct ext2_inode_large *i,
			struct timespec times[2])
{
	times[0] = inode_time(i->i_atime, i->i_atime_extra);
	times[1] = inode_time(i->i_mtime, i->i_mtime_extra);
}

void copy_attributes(const struct copying *c, const struct source *from,
		     int fd)
{
	const struct ext2_inode_large *i = &from->inode;
	unsigned mode = i->i_mode & 07777;
	struct timespec times[2];
	bool owned;

	if (!c->preserve)
		return;
	/* Another owner's rights are not for whoever it now belongs to. */
	owned = !fchown(fd, inode_uid(*i), inode_gid(*i));
	if (!owned)
		shell_fail_native(c->s, from->path, errno);
	if (fchmod(fd, owned ? mode : mode & 01777))
		shell_fail_native(c->s, from->path, errno);
	inode_times(i, times);
	if (futimens(fd, times))
		shell_fail_native(c->s, from->path, errno);
}

/* Holes are those of the file: nothing is written there. */
static errcode_t write_file(const struct copying *c, struct source *from,
			    struct writing *w)
{
	uint64_t size = EXT2_I_SIZE((struct ext2_inode *)&from->inode);
	struct sink sink = { write_bytes, w };
	errcode_t err;

	err = contents_read(c->shell->fs, from->ino, &from->inode, &sink);
	if (!err && ftruncate(w->fd, size))
		err = w->error = errno;
	return err;
}

bool copy_file(const struct copying *c, struct source *from, int dir,
	       const char *name)
{
	const char *shown = c->shown ? c->shown : from->path;
	struct writing w = { .error = 0 };
	errcode_t err;

	w.fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW |
		      O_CLOEXEC, c->preserve ? 0600 : copy_mode(from));
	if (w.fd < 0) {
		shell_fail_native(c->s, shown, errno);
		return false;
	}
	err = write_file(c, from, &w);
	if (!err)
		copy_attributes(c, from, w.fd);
	if (close(w.fd) && !err)
		err = w.error = errno;
	if (!err)
		return true;
	if (w.error)
		shell_fail_native(c->s, shown, w.error);
	else
		shell_fail(c->shell, c->s, from->path, err);
	if (unlinkat(dir, name, 0))
		shell_fail_native(c->s, shown, errno);
	else
		complain(c->s->command->name,
			 _("%s: incomplete, and removed again"), shown);
	return false;
}

void copy_symlink(const struct copying *c, struct source *from, int dir,
		  const char *name)
{
	const struct ext2_inode_large *i = &from->inode;
	struct timespec times[2];
	char *target;
	errcode_t err;
	int error = 0;

	err = e2lazy_symlink_read(c->shell->fs, from->ino, &target);
	if (err) {
		shell_fail(c->shell, c->s, from->path, err);
		return;
	}
	if (symlinkat(target, dir, name))
		error = errno;
	free(target);
	inode_times(i, times);
	if (!error && c->preserve &&
	    (fchownat(dir, name, inode_uid(*i), inode_gid(*i),
		      AT_SYMLINK_NOFOLLOW) ||
	     utimensat(dir, name, times, AT_SYMLINK_NOFOLLOW)))
		error = errno;
	if (error)
		shell_fail_native(c->s, from->path, error);
}
