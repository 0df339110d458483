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

#include "decode/ages.h"
#include "decode/contents.h"
#include "copy.h"
#include "fs/inode_life.h"
#include "support/file_time.h"
#include "support/nls.h"
#include "support/status.h"

/* The target of the bytes, and the error that stopped them. */
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

void copy_option(struct copying *c, int id)
{
	if (id == 'p')
		c->preserve = true;
	else
		c->set_ids = true;
}

bool copy_options_fit(struct copying *c)
{
	if (!c->set_ids || c->preserve)
		return true;
	return session_wrong(c->s, _("-s needs -p"));
}

/* ------------------------------------------------------------- budget */

static uint64_t whole_budget(const struct copying *c)
{
	ext2_filsys fs = c->shell->fs;

	return ext2fs_blocks_count(fs->super) * fs->blocksize;
}

void copy_begin(struct copying *c)
{
	c->budget = whole_budget(c);
	c->spent = false;
}

void copy_fail(struct copying *c, const char *path, errcode_t err)
{
	if (err != E2LAZY_ET_BUDGET) {
		shell_fail(c->shell, c->s, path, err);
		return;
	}
	c->spent = true;
	out_flush(&c->s->print.out);
	complain(c->s->command->name, _("%s: stopped: the copy exceeds %llu "
					"bytes, the size of the file "
					"system"), path,
		 (unsigned long long)whole_budget(c));
	c->s->status |= FSCK_ERROR;
}

bool copy_charge(struct copying *c, const char *path, uint64_t bytes)
{
	if (bytes > c->budget) {
		copy_fail(c, path, E2LAZY_ET_BUDGET);
		return false;
	}
	c->budget -= bytes;
	return true;
}

/* --------------------------------------------------------- attributes */

static void inode_times(const struct ext2_inode_large *i,
			struct timespec times[2])
{
	times[0] = file_time(inode_time(i->i_atime, i->i_atime_extra));
	times[1] = file_time(inode_time(i->i_mtime, i->i_mtime_extra));
}

/*
 * The maker of an image must not hand out programs that run as root.  The
 * group's bit of a directory runs nothing.
 */
static unsigned kept_mode(struct copying *c, const struct ext2_inode_large *i)
{
	unsigned mode = i->i_mode & 07777;

	if (!(mode & 06000) || c->set_ids || LINUX_S_ISDIR(i->i_mode))
		return mode;
	c->cleared++;
	return mode & 01777;
}

void copy_tell_cleared(const struct copying *c)
{
	unsigned long n = c->cleared;

	if (n)
		complain(c->s->command->name,
			 P_("%lu file has lost its set-user-ID and "
				  "set-group-ID bits: -s keeps them",
				  "%lu files have lost their set-user-ID and "
				  "set-group-ID bits: -s keeps them", n), n);
}

void copy_attributes(struct copying *c, const struct original *from, int fd)
{
	const struct ext2_inode_large *i = &from->inode;
	struct timespec times[2];
	unsigned mode;
	bool owned;

	if (!c->preserve)
		return;
	mode = kept_mode(c, i);
	/* The new owner must not get the rights of the old one. */
	owned = !fchown(fd, inode_uid(*i), inode_gid(*i));
	if (!owned)
		shell_fail_native(c->s, from->path, errno);
	if (fchmod(fd, owned ? mode : mode & 01777))
		shell_fail_native(c->s, from->path, errno);
	inode_times(i, times);
	if (futimens(fd, times))
		shell_fail_native(c->s, from->path, errno);
}

/* The copy has the same holes: nothing is written there. */
static errcode_t write_file(struct copying *c, struct original *from,
			    struct writing *w)
{
	uint64_t size = EXT2_I_SIZE((struct ext2_inode *)&from->inode);
	struct sink sink = { write_bytes, w, &c->budget };
	errcode_t err;

	err = contents_read(c->shell->fs, from->ino, &from->inode, &sink);
	if (!err && ftruncate(w->fd, size))
		err = w->error = errno;
	return err;
}

static errcode_t find_ages(struct shell *shell, ext2_ino_t ino,
			   struct ages *ages)
{
	struct e2lazy_view *view = opened_what_is_shown(shell->opened->log);
	errcode_t err = 0;

	if (!shell->later)
		err = e2lazy_later_open(view, shell->fs, &shell->later, NULL);
	return err ? err : ages_find(shell->later, ino, ages);
}

void copy_tell_later(struct copying *c, const struct original *from)
{
	struct ages ages;
	errcode_t err;

	if (!e2lazy_jmap_is_past(c->shell->opened->log->map))
		return;
	err = find_ages(c->shell, from->ino, &ages);
	if (err) {
		shell_fail(c->shell, c->s, from->path, err);
		return;
	}
	if (ages_are_same(&ages))
		return;
	ages_complain(c->s, c->s->command->name, from->path, &ages);
	c->s->status |= FSCK_LEFT;
}

bool copy_find_file(struct copying *c, const char *path, struct original *from)
{
	from->path = path;
	if (!shell_read_inode(c->shell, c->s, path, FOLLOW, &from->ino,
			      &from->inode))
		return false;
	if (LINUX_S_ISREG(from->inode.i_mode))
		return true;
	complain(c->s->command->name, _("%s: not a regular file"), path);
	c->s->status |= FSCK_ERROR;
	return false;
}

bool copy_file(struct copying *c, struct original *from, int dir,
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
	if (!err) {
		copy_tell_later(c, from);
		return true;
	}
	if (w.error)
		shell_fail_native(c->s, shown, w.error);
	else
		copy_fail(c, from->path, err);
	if (unlinkat(dir, name, 0))
		shell_fail_native(c->s, shown, errno);
	else
		complain(c->s->command->name,
			 _("%s: incomplete, so it was removed"), shown);
	return false;
}

bool copy_symlink(struct copying *c, struct original *from, int dir,
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
		return false;
	}
	/* A short target is in the inode, which is paid for. */
	if (strlen(target) >= sizeof(i->i_block) &&
	    !copy_charge(c, from->path, c->shell->fs->blocksize)) {
		free(target);
		return false;
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
	return !error;
}
