/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rdump.c - debuglazy: rdump, whole directories to directories of this system
 *
 * The names come from the file system, which may be hostile.  So each file is
 * made in the open directory, an existing name is never overwritten, and a
 * name with a slash is never made.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "copy.h"
#include "decode/links.h"
#include "fs/directory.h"
#include "support/nls.h"
#include "support/output.h"
#include "support/status.h"

const struct option_line rdump_options[] = {
	{ 'p', "preserve", NULL, N_("keep modes, owners and times") },
	{ 's', "set-ids", NULL,
	  N_("with -p, keep set-user-ID and set-group-ID bits") },
	{ 0 }
};

/* Depth of nested directories: each open one costs a file descriptor. */
#define MAX_DEPTH	512

struct rdump {
	struct copying	copying;
	struct links	links;
	ext2fs_inode_bitmap seen;	/* directories seen: each once */
	blk64_t		budget;		/* directory blocks left to read */
	unsigned	depth;
	unsigned long	special;	/* devices, pipes and sockets */
};

/* A directory of the file system, and the directory that receives its files. */
struct filling {
	struct rdump	*rdump;
	const char	*path;
	const char	*below;		/* path of @dir from the outermost */
	int		dir;
};

/*
 * A name to make in the directory @dir; @below is its path from the outermost.
 */
struct target {
	int		dir;
	const char	*name;
	const char	*below;
};

static void complain_of(struct rdump *r, const char *path, const char *why)
{
	complain(r->copying.s->command->name, "%s: %s", path, why);
	r->copying.s->status |= FSCK_ERROR;
}

static char *join(const char *path, const char *name)
{
	size_t length = strlen(path);
	char *joined;

	return asprintf(&joined, "%s%s%s", path, length &&
			path[length - 1] == '/' ? "" : "/", name) < 0 ?
	       NULL : joined;
}

static void copy_inode(struct rdump *r, struct original *from,
		       const struct target *to);

/* A safe name is not empty and has no slash and no zero byte. */
static bool is_name(const struct e2lazy_entry *entry)
{
	return entry->length && !memchr(entry->name, '/', entry->length) &&
	       !memchr(entry->name, 0, entry->length);
}

static void copy_named(struct filling *f, ext2_ino_t ino, const char *name)
{
	struct target to = { .dir = f->dir, .name = name, .below = f->below };
	struct original from = { .path = join(f->path, name), .ino = ino };
	struct rdump *r = f->rdump;
	ext2_filsys fs = r->copying.shell->fs;
	errcode_t err = EXT2_ET_BAD_INODE_NUM;

	if (!from.path) {
		shell_fail_native(r->copying.s, f->path, ENOMEM);
		return;
	}
	if (ino <= fs->super->s_inodes_count)
		err = ext2fs_read_inode_full(fs, ino, (struct ext2_inode *)
					     &from.inode, sizeof(from.inode));
	if (err)
		shell_fail(r->copying.shell, r->copying.s, from.path, err);
	else
		copy_inode(r, &from, &to);
	free((char *)from.path);
}

static errcode_t copy_entry(void *priv, const struct e2lazy_entry *entry)
{
	struct filling *f = priv;
	char name[EXT2_NAME_LEN + 1];

	if (is_dots(entry))
		return 0;
	memcpy(name, entry->name, entry->length);
	name[entry->length] = 0;
	if (is_name(entry))
		copy_named(f, entry->ino, name);
	else
		complain_of(f->rdump, f->path,
			    _("left out an entry: its name is empty or has a "
			      "slash or a zero byte"));
	return cancelled() || f->rdump->copying.spent ? E2LAZY_ET_CANCELLED : 0;
}

/*
 * Copy all entries of @from into the open directory @dir, one by one: only the
 * directory itself tells their number.
 */
static void copy_entries(struct rdump *r, const struct original *from, int dir,
			 const char *below)
{
	struct filling filling = { r, from->path, below, dir };
	struct e2lazy_directory_opts opts = { .budget = &r->budget };

	shell_read_directory(r->copying.shell, r->copying.s, from->path,
			     from->ino, &opts, copy_entry, &filling);
}

static bool enter(struct rdump *r, const struct original *from)
{
	if (r->depth == MAX_DEPTH) {
		complain_of(r, from->path, _("more than 512 directories deep"));
		return false;
	}
	if (ext2fs_mark_inode_bitmap2(r->seen, from->ino)) {
		complain_of(r, from->path,
			    _("the directory is already copied"));
		return false;
	}
	return true;
}

/* Remove the owner's extra permissions: they were for filling it. */
static void narrow(struct rdump *r, const struct original *from, int fd)
{
	struct stat st;

	if ((copy_mode(from) & 0700) == 0700)
		return;
	if (fstat(fd, &st) ||
	    fchmod(fd, st.st_mode & (07000 | copy_mode(from))))
		shell_fail_native(r->copying.s, from->path, errno);
}

static void fill_directory(struct rdump *r, const struct original *from, int fd,
			   const struct target *to)
{
	char *below = join(to->below, to->name);

	if (!below) {
		shell_fail_native(r->copying.s, from->path, ENOMEM);
		return;
	}
	r->depth++;
	copy_entries(r, from, fd, below);
	r->depth--;
	free(below);
}

static void copy_directory(struct rdump *r, const struct original *from,
			   const struct target *to)
{
	int fd;

	if (!enter(r, from))
		return;
	if (mkdirat(to->dir, to->name, r->copying.preserve ? 0700
						   : copy_mode(from) | 0700)) {
		shell_fail_native(r->copying.s, from->path, errno);
		return;
	}
	fd = openat(to->dir, to->name,
		    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0) {
		shell_fail_native(r->copying.s, from->path, errno);
		return;
	}
	fill_directory(r, from, fd, to);
	if (r->copying.preserve)
		copy_attributes(&r->copying, from, fd);
	else
		narrow(r, from, fd);
	close(fd);
}

/*
 * Make a hard link to an earlier copy.  False: the file must be copied, for
 * example because the copy lies on another device.
 */
static bool link_copy(struct rdump *r, const struct original *from,
		      const struct target *to)
{
	int error = links_make(&r->links, from->ino, to->dir, to->name);

	if (!error)
		return true;
	if (error == EEXIST) {
		shell_fail_native(r->copying.s, from->path, error);
		return true;
	}
	if (error != ENOENT)
		complain(r->copying.s->command->name,
			 _("%s: copied as a separate file, not as a hard link: "
			   "%s"), from->path, strerror(error));
	return false;
}

static void remember_copy(struct rdump *r, const struct original *from,
			  const struct target *to)
{
	char *path = join(to->below, to->name);

	if (path)
		links_add(&r->links, from->ino, to->dir, to->name, path);
	free(path);
}

/* Each copy takes one, so a copy is never free. */
static bool pay_inode(struct rdump *r, const struct original *from)
{
	return copy_charge(&r->copying, from->path,
			   EXT2_INODE_SIZE(r->copying.shell->fs->super));
}

static void copy_leaf(struct rdump *r, struct original *from,
		      const struct target *to)
{
	bool several = from->inode.i_links_count > 1, made;

	if ((several && link_copy(r, from, to)) || !pay_inode(r, from))
		return;
	made = LINUX_S_ISREG(from->inode.i_mode) ?
	       copy_file(&r->copying, from, to->dir, to->name) :
	       copy_symlink(&r->copying, from, to->dir, to->name);
	if (several && made)
		remember_copy(r, from, to);
}

static void copy_inode(struct rdump *r, struct original *from,
		       const struct target *to)
{
	unsigned mode = from->inode.i_mode;

	if (LINUX_S_ISDIR(mode))
		copy_directory(r, from, to);
	else if (LINUX_S_ISREG(mode) || LINUX_S_ISLNK(mode))
		copy_leaf(r, from, to);
	else
		r->special++;
}

/* Put the last name of @path into @name; false if it has none, as "/" and
   "..". */
static bool last_name(const char *path, char name[EXT2_NAME_LEN + 1])
{
	size_t end = strlen(path), begin;

	while (end && path[end - 1] == '/')
		end--;
	for (begin = end; begin && path[begin - 1] != '/';)
		begin--;
	path += begin;
	if (begin == end || end - begin > EXT2_NAME_LEN ||
	    is_dot_name(path, end - begin))
		return false;
	memcpy(name, path, end - begin);
	name[end - begin] = 0;
	return true;
}

/* The contents of a directory without a name go straight into @dir. */
static void copy_tree(struct rdump *r, const char *path, int dir)
{
	char name[EXT2_NAME_LEN + 1];
	struct target to = { .dir = dir, .name = name, .below = "." };
	struct original from = { .path = path };

	if (!shell_read_inode(r->copying.shell, r->copying.s, path, NO_FOLLOW,
			      &from.ino, &from.inode))
		return;
	if (last_name(path, name))
		copy_inode(r, &from, &to);
	else if (!LINUX_S_ISDIR(from.inode.i_mode))
		complain_of(r, path, _("not a directory"));
	else if (enter(r, &from))
		copy_entries(r, &from, dir, to.below);
}

static void copy_trees(struct rdump *r, int dir)
{
	ext2_filsys fs = r->copying.shell->fs;
	struct session *s = r->copying.s;
	errcode_t err;

	err = ext2fs_allocate_inode_bitmap(fs, "rdump", &r->seen);
	if (err) {
		shell_fail(r->copying.shell, s, NULL, err);
		return;
	}
	for (int i = 0; i < s->nr_operands - 1 && !cancelled(); i++) {
		/*
		 * One operand may contain another: each is copied completely.
		 */
		ext2fs_clear_inode_bitmap(r->seen);
		r->budget = 2 * ext2fs_blocks_count(fs->super);
		copy_begin(&r->copying);
		copy_tree(r, s->operands[i], dir);
	}
	ext2fs_free_inode_bitmap(r->seen);
	copy_tell_cleared(&r->copying);
	if (r->special)
		complain("rdump", P_("left out %lu device, pipe or socket",
				     "left out %lu devices, pipes and sockets",
				     r->special), r->special);
}

void run_rdump(struct shell *shell, struct session *s)
{
	struct rdump r = { .copying = { .shell = shell, .s = s } };
	const char *to;
	char *arg;
	int id, dir;

	while ((id = session_option(s, NULL, &arg)) != OPTION_END) {
		if (id == OPTION_BAD)
			return;
		copy_option(&r.copying, id);
	}
	if (!copy_options_fit(&r.copying) ||
	    !session_operands(s, 2, MAX_OPERANDS) || !shell_fs(shell, s))
		return;
	to = s->operands[s->nr_operands - 1];
	dir = output_directory(to);
	if (dir < 0) {
		s->status |= FSCK_ERROR;
		return;
	}
	r.links.root = dir;
	copy_trees(&r, dir);
	links_free(&r.links);
	close(dir);
}
