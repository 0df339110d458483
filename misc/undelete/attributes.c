/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * attributes.c - owner, mode, times and extended attributes of what is made
 *
 * A program that runs as another user wherever it is put is not for whoever
 * made the image to give away: bits and attributes that change users are left
 * out unless they are asked for.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "attributes.h"
#include "support/file_time.h"
#include "support/nls.h"
#include "support/status.h"

struct setting {
	struct undelete	*u;
	int		fd;
	unsigned	lost;
};

static bool changes_users(const char *name)
{
	return !strncmp(name, "security.", 9) || !strncmp(name, "trusted.", 8);
}

static errcode_t set_xattr(void *priv, const char *name, const void *value,
			   size_t length)
{
	struct setting *s = priv;

	if (changes_users(name) && !s->u->special)
		s->u->xattrs_withheld++;
	else if (fsetxattr(s->fd, name, value, length, 0))
		s->lost++;
	return 0;
}

struct giving {
	struct ext2_xattr_handle *handle;
	errcode_t	(*found)(void *priv, const char *name,
				 const void *value, size_t length);
	void		*priv;
	errcode_t	err;
};

/* libext2fs has ACLs in the form of the kernel's interface only on request. */
static int give(char *name, char *unused, size_t bytes, void *priv)
{
	struct giving *g = priv;
	size_t length;
	void *value;

	(void)unused, (void)bytes;
	if (!strcmp(name, "system.data"))
		return 0;
	g->err = ext2fs_xattr_get(g->handle, name, &value, &length);
	if (g->err)
		return XATTR_ABORT;
	g->err = g->found(g->priv, name, value, length);
	ext2fs_free_mem(&value);
	return g->err ? XATTR_ABORT : 0;
}

static errcode_t living_xattrs(struct undelete *u, const struct file *f,
			       errcode_t (*found)(void *priv, const char *name,
						  const void *value,
						  size_t length),
			       void *priv)
{
	struct giving g = { .found = found, .priv = priv };
	errcode_t err = ext2fs_xattrs_open(u->living, f->d.ino, &g.handle);

	if (err)
		return err;
	err = ext2fs_xattrs_read(g.handle);
	if (!err)
		err = ext2fs_xattrs_iterate(g.handle, give, &g);
	ext2fs_xattrs_close(&g.handle);
	return err ? err : g.err;
}

static void set_xattrs(struct undelete *u, const struct file *f, int fd)
{
	struct setting s = { .u = u, .fd = fd };
	unsigned lost = 0;

	if (f->living ? living_xattrs(u, f, set_xattr, &s) :
			e2lazy_undelete_xattrs(f->source, f->index, set_xattr,
					       &s, &lost))
		lost++;
	u->xattrs_lost += lost + s.lost;
}

static unsigned kept_mode(struct undelete *u, const struct file *f)
{
	unsigned mode = f->d.mode & 07777;

	if (!(mode & 06000) || u->special || LINUX_S_ISDIR(f->d.mode))
		return mode;
	u->cleared++;
	return mode & 01777;
}

static bool set_owner(const struct file *f, int dir, const char *name, int fd)
{
	if (fd >= 0)
		return !fchown(fd, f->d.uid, f->d.gid);
	return !fchownat(dir, name, f->d.uid, f->d.gid, AT_SYMLINK_NOFOLLOW);
}

/* Another owner's rights are not for whoever it now belongs to. */
static bool set_mode(struct undelete *u, const struct file *f, int dir,
		     const char *name, int fd, bool owned)
{
	unsigned mode = kept_mode(u, f);

	if (LINUX_S_ISLNK(f->d.mode))
		return true;
	if (!owned)
		mode &= 01777;
	if (fd >= 0)
		return !fchmod(fd, mode);
	/* Whoever owns the directory may have put a link there since. */
	return !fchmodat(dir, name, mode, AT_SYMLINK_NOFOLLOW);
}

bool attributes_set(struct undelete *u, const struct file *f, int dir,
		    const char *name, int fd, const char *path)
{
	const struct timespec times[2] = { file_time(f->d.atime),
					   file_time(f->d.mtime) };
	int error = 0;
	bool owned;

	owned = set_owner(f, dir, name, fd);
	if (!owned && !u->any_owner)
		error = errno;
	if (!set_mode(u, f, dir, name, fd, owned))
		error = errno;
	if (fd >= 0)
		set_xattrs(u, f, fd);
	if (fd >= 0 ? futimens(fd, times) :
		      utimensat(dir, name, times, AT_SYMLINK_NOFOLLOW))
		error = errno;
	if (!error)
		return true;
	complain(path, _("cannot set its owner, mode or times: %s"),
		 strerror(error));
	return false;
}
