/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * restore.c - deleted files are made again, in a directory of another device
 *
 * A file is written under no name, and gets its own once all of it is there,
 * attributes too: what a signal or a full disk cuts off leaves nothing behind.
 * A second run finds what the first has made by its contents, and goes on.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "io/grow.h"
#include "attributes.h"
#include "decode/links.h"
#include "place.h"
#include "restore.h"
#include "same.h"
#include "support/nls.h"
#include "support/status.h"

#define MAX_TRIES	1000	/* temporary names */
#define FD_PATH		"/proc/self/fd/%d"
#define FD_PATH_TEXT	32

/* A directory whose attributes are set when nothing more is put into it. */
struct directory {
	struct file	file;	/* what attributes need of it */
	char		*path;
	dev_t		dev;
	ino_t		ino;
};

struct restore {
	struct undelete	*u;
	int		root;
	struct directory *dirs;
	size_t		nr_dirs, room;
	struct made_dirs made;		/* because of what is in them */
	struct links	links;		/* of living files */
	/* the file at hand */
	int		fd;
	int		error;		/* errno of the first failed write */
	char		name[24];	/* its first one; empty: it has none */
	uint64_t	budget;		/* bytes that may yet be written */
};

/* For files that were gone before their directory was deleted. */
#define EARLIER		".earlier"
/* Where a file cannot be without a name; TEMPORARY.1 and so on if it is taken. */
#define TEMPORARY	".e2lazy-undelete"

/* An honest image restores at most its own size; twice that stops another. */
static uint64_t whole_budget(const struct undelete *u)
{
	ext2_filsys fs = e2lazy_static_fs(u->s->log->journal);

	return 2 * ext2fs_blocks_count(fs->super) * fs->blocksize;
}

static void fail(struct restore *r, struct file *f, const char *path,
		 int error)
{
	struct session *s = r->u->s;

	progress_hide(&s->print.progress);
	out_flush(&s->print.out);
	complain_error(path, error);
	s->status |= FSCK_ERROR;
	f->outcome = OUTCOME_FAILED;
}

/* ---------------------------------------------------------------- begin */

struct restore *restore_begin(struct undelete *u)
{
	struct restore *r = calloc(1, sizeof(*r));

	if (!r) {
		complain_error(NULL, ENOMEM);
		u->s->status |= FSCK_ERROR;
		return NULL;
	}
	r->u = u;
	r->fd = -1;
	r->budget = whole_budget(u);
	r->made.kept = &u->kept;
	r->links.root = r->root = u->to_fd;
	if (r->root < 0) {
		complain_error(u->to, ENOENT);
		u->s->status |= FSCK_ERROR;
	} else if (target_is_apart(u->s, u->to, r->root, &u->frozen)) {
		return r;
	}
	free(r);
	return NULL;
}

/* ------------------------------------------------------------- contents */

static int open_named(struct restore *r)
{
	int fd = -1;

	for (unsigned i = 0; fd < 0 && i < MAX_TRIES; i++) {
		snprintf(r->name, sizeof(r->name), i ? "%s.%u" : "%s",
			 TEMPORARY, i);
		fd = openat(r->root, r->name, O_RDWR | O_CREAT | O_EXCL |
			    O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd < 0)
		r->name[0] = 0;
	return fd;
}

bool restore_open(struct restore *r, struct file *f)
{
	r->error = 0;
	r->fd = -1;
	r->name[0] = 0;
	if (!LINUX_S_ISREG(f->d.mode))
		return true;
	r->fd = openat(r->root, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (r->fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR ||
			  errno == EINVAL))
		r->fd = open_named(r);
	if (r->fd < 0) {
		fail(r, f, r->u->to, errno);
		return false;
	}
	return true;
}

static bool is_written(const struct restore *r, const struct e2lazy_graded *g)
{
	return g->grade == E2LAZY_GRADE_INTACT ||
	       r->u->partial == PARTIAL_RAW ||
	       /* An unproven file is written whole or not at all. */
	       (g->grade == E2LAZY_GRADE_UNKNOWN &&
		(r->u->partial == PARTIAL_ZERO || r->u->unproven));
}

errcode_t restore_bytes(struct restore *r, const struct e2lazy_graded *g)
{
	uint64_t at = g->lblk * e2lazy_static_fs(r->u->s->log->journal)->blocksize;
	const char *from = g->bytes;
	size_t left = g->length;

	if (r->fd < 0 || r->error || !is_written(r, g))
		return 0;
	if (left > r->budget) {
		r->error = EFBIG;
		return r->error;
	}
	r->budget -= left;
	while (left) {
		ssize_t n = pwrite(r->fd, from, left, (off_t)at);

		if (n < 0 && errno == EINTR && !cancelled())
			continue;
		if (n <= 0) {
			r->error = n ? errno : EIO;
			return r->error;
		}
		from += n;
		at += (uint64_t)n;
		left -= (size_t)n;
	}
	return 0;
}

/* --------------------------------------------------------- giving names */

static bool is_same(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The name exists, and holds the same contents. */
static bool is_present(const struct restore *r, const struct place *p)
{
	int fd = openat(p->dir, p->name,
			O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat mine, theirs;
	bool same;

	if (fd < 0)
		return false;
	same = !fstat(r->fd, &mine) && !fstat(fd, &theirs) &&
	       !is_same(&mine, &theirs) && S_ISREG(theirs.st_mode) &&
	       mine.st_size == theirs.st_size &&
	       same_contents(r->fd, fd, (uint64_t)mine.st_size,
			     whole_budget(r->u));
	close(fd);
	return same;
}

static bool is_link_to(const struct place *p, const char *target)
{
	char there[PATH_MAX];
	ssize_t length = readlinkat(p->dir, p->name, there, sizeof(there));

	return length >= 0 && (size_t)length == strlen(target) &&
	       !memcmp(there, target, (size_t)length);
}

static int make_special(const struct file *f, const struct place *p)
{
	return mknodat(p->dir, p->name, f->d.mode & (LINUX_S_IFMT | 0600),
		       makedev(f->d.device_major, f->d.device_minor));
}

/* errno of one try; EEXIST where others have the name. */
static int make_once(struct restore *r, struct file *f, const struct place *p)
{
	char fd_path[FD_PATH_TEXT];
	int failed;

	if (LINUX_S_ISREG(f->d.mode) && r->name[0]) {
		failed = renameat2(r->root, r->name, p->dir, p->name,
				   RENAME_NOREPLACE);
		/* From here on the name may be another program's. */
		if (!failed)
			r->name[0] = 0;
	} else if (LINUX_S_ISREG(f->d.mode)) {
		snprintf(fd_path, sizeof(fd_path), FD_PATH, r->fd);
		failed = linkat(AT_FDCWD, fd_path, p->dir, p->name,
				AT_SYMLINK_FOLLOW);
	} else if (LINUX_S_ISLNK(f->d.mode)) {
		failed = symlinkat(f->target, p->dir, p->name);
	} else {
		failed = make_special(f, p);
	}
	return failed ? errno : 0;
}

static bool is_there(const struct restore *r, const struct file *f,
		     const struct place *p)
{
	struct stat st;

	if (LINUX_S_ISREG(f->d.mode))
		return is_present(r, p);
	if (LINUX_S_ISLNK(f->d.mode))
		return is_link_to(p, f->target);
	return !fstatat(p->dir, p->name, &st, AT_SYMLINK_NOFOLLOW) &&
	       (st.st_mode & S_IFMT) == (f->d.mode & LINUX_S_IFMT);
}

static int make_named(struct restore *r, struct file *f, struct place *p)
{
	int error = place_avoid_kept(p, false);

	f->outcome = OUTCOME_RESTORED;
	while (!error && (error = make_once(r, f, p)) == EEXIST) {
		if (is_there(r, f, p)) {
			f->outcome = OUTCOME_PRESENT;
			return 0;
		}
		error = place_rename(p);
	}
	return error;
}

static bool is_same_file(const struct place *a, const struct place *b)
{
	struct stat x, y;

	return !fstatat(a->dir, a->name, &x, AT_SYMLINK_NOFOLLOW) &&
	       !fstatat(b->dir, b->name, &y, AT_SYMLINK_NOFOLLOW) &&
	       is_same(&x, &y);
}

static int link_once(const struct place *first, const struct place *p)
{
	int error = linkat(first->dir, first->name, p->dir, p->name, 0) ?
		    errno : 0;

	return error == EEXIST && is_same_file(first, p) ? 0 : error;
}

/* A link at @p, or beside what others have put there. */
static int make_link(const struct place *first, struct place *p)
{
	int error = place_avoid_kept(p, false);

	while (!error && (error = link_once(first, p)) == EEXIST)
		error = place_rename(p);
	return error;
}


/* Earlier contents have the name of their file, and their transaction. */
static bool is_state(const struct file *f)
{
	return f->d.flags & E2LAZY_DELETED_STATE;
}

/*
 * Is the name that of a file that still exists, and more after a character that is
 * neither letter nor digit, as "a.db-journal"?  Then it was gone before that one is
 * copied: see lib/undelete/trees.c.
 */
static bool is_companion(const struct undelete *u, const char *path)
{
	char prefix[PATH_MAX], *first, *at;
	bool is = false;

	path += *path == '/';
	if (strlen(path) >= sizeof(prefix))
		return false;
	strcpy(prefix, path);
	first = strrchr(prefix, '/');
	first = first ? first + 1 : prefix;
	for (at = first + strlen(first); !is && at > first + 1;)
		if (!isalnum((unsigned char)*--at)) {
			*at = '\0';
			is = kept_has(&u->kept, prefix, true);
		}
	return is;
}

/* With --tree a directory that still exists is of one time, too. */
static bool is_earlier(const struct restore *r, const struct file *f)
{
	if (f->d.flags & E2LAZY_DELETED_EARLIER)
		return true;
	return r->u->tree && !f->living &&
	       (is_state(f) || (LINUX_S_ISREG(f->d.mode) &&
				is_companion(r->u, f->paths[0])));
}

/*
 * What is not of the time of its directory has a tree of its own, and names that
 * no program takes for its files, as it would a journal beside a database.
 */
static int open_earlier(struct restore *r, const struct file *f,
			const char *path, size_t length, struct place *p)
{
	bool directory = LINUX_S_ISDIR(f->d.mode);
	char *other;
	int error;

	if (asprintf(&other, "%s/%.*s", EARLIER, (int)length, path) < 0)
		return ENOMEM;
	error = place_open(p, r->root, &r->made, other, strlen(other));
	free(other);
	return error || directory ? error : place_date(p, f->d.tid);
}

/* Other names than @path have the transaction, or say that it still exists. */
static int open_place(struct restore *r, const struct file *f, const char *path,
		      size_t length, struct place *p)
{
	int error;

	if (f->living)
		strcpy(p->mark, "living");
	else
		snprintf(p->mark, sizeof(p->mark), "%u", f->d.tid);
	if (is_earlier(r, f))
		return open_earlier(r, f, path, length, p);
	error = place_open(p, r->root, &r->made, path, length);
	return error || !is_state(f) ? error : place_date(p, f->d.tid);
}

/* Further names of what has been made at @first. */
static void link_others(struct restore *r, struct file *f,
			const struct place *first)
{
	struct place p;
	int error;

	for (unsigned i = 1; i < f->nr_paths; i++) {
		error = open_place(r, f, f->paths[i], f->lengths[i], &p);
		if (!error)
			error = make_link(first, &p);
		place_close(&p);
		if (error)
			fail(r, f, f->paths[i], error);
	}
}

bool restore_link(struct restore *r, struct file *f)
{
	struct place p = { .dir = -1 };
	bool done;

	if (f->d.links < 2 || LINUX_S_ISDIR(f->d.mode))
		return false;
	done = !open_place(r, f, f->paths[0], f->lengths[0], &p) &&
	       !links_make(&r->links, f->d.ino, p.dir, p.name);
	if (done) {
		f->restored_as = strdup(p.path);
		f->outcome = OUTCOME_RESTORED;
	}
	place_close(&p);
	return done;
}

static void set_attributes(struct restore *r, struct file *f,
			   const struct place *p)
{
	if (!attributes_set(r->u, f, p->dir, p->name, r->fd, f->paths[0]))
		r->u->s->status |= FSCK_ERROR;
}

/* Only what is open can have its attributes before its name. */
static void make_file(struct restore *r, struct file *f)
{
	const uint64_t cleared = r->u->cleared, lost = r->u->xattrs_lost;
	const uint64_t withheld = r->u->xattrs_withheld;
	struct place p = { .dir = -1 };
	int error = r->error;

	if (!error && r->fd >= 0 && ftruncate(r->fd, (off_t)f->d.size))
		error = errno;
	if (!error)
		error = open_place(r, f, f->paths[0], f->lengths[0], &p);
	if (!error && r->fd >= 0)
		set_attributes(r, f, &p);
	if (!error)
		error = make_named(r, f, &p);
	if (error) {
		fail(r, f, f->paths[0], error);
	} else {
		f->restored_as = strdup(p.path);
		r->u->earlier += is_earlier(r, f);
		link_others(r, f, &p);
		if (f->living && f->d.links > 1)
			links_add(&r->links, f->d.ino, p.dir, p.name, p.path);
		if (f->outcome == OUTCOME_RESTORED && r->fd < 0)
			set_attributes(r, f, &p);
	}
	if (f->outcome == OUTCOME_PRESENT) {
		r->u->cleared = cleared;
		r->u->xattrs_lost = lost;
		r->u->xattrs_withheld = withheld;
	}
	place_close(&p);
}

/* ---------------------------------------------------------- directories */

/* A mode that is left only by a run that has not come to its end. */
#define UNFINISHED	01700

/*
 * May a directory that exists get the attributes?  Only one that this run or an
 * interrupted one made.
 */
static bool is_ours(const struct restore *r, const struct stat *st)
{
	return made_dirs_have(&r->made, st) ||
	       (st->st_uid == geteuid() &&
		(st->st_mode & 07777) == UNFINISHED);
}

/* Made now, and given its attributes once it is filled. */
static void make_directory(struct restore *r, struct file *f)
{
	struct directory *dirs = grow(r->dirs, r->nr_dirs, &r->room,
				      sizeof(*dirs));
	struct place p = { .dir = -1 };
	bool there = false;
	struct stat st;
	int error;

	if (!dirs) {
		fail(r, f, f->paths[0], ENOMEM);
		return;
	}
	r->dirs = dirs;
	error = open_place(r, f, f->paths[0], f->lengths[0], &p);
	if (!error)
		error = place_make_dir(&p, &r->made, UNFINISHED, &there);
	f->outcome = there ? OUTCOME_PRESENT : OUTCOME_RESTORED;
	if (!error && (fstatat(p.dir, p.name, &st, AT_SYMLINK_NOFOLLOW) ||
		       !S_ISDIR(st.st_mode)))
		error = EEXIST;
	place_close(&p);
	if (error) {
		fail(r, f, f->paths[0], error);
		return;
	}
	f->restored_as = strdup(p.path);
	if (there && !is_ours(r, &st))
		return;
	r->dirs[r->nr_dirs++] = (struct directory){
		.dev = st.st_dev, .ino = st.st_ino,
		.file = { .source = f->source, .index = f->index,
			  .d = f->d,
			  .living = f->living },
		.path = strdup(p.path),
	};
	/* Its path leads there. */
	r->dirs[r->nr_dirs - 1].file.d.flags &= ~E2LAZY_DELETED_EARLIER;
}

/* The innermost first, for each changes the time of the one that it is in. */
static int by_depth(const void *a, const void *b)
{
	const struct directory *x = a, *y = b;
	size_t i = x->path ? strlen(x->path) : 0;
	size_t j = y->path ? strlen(y->path) : 0;

	return i > j ? -1 : i < j;
}

/* An owner of the directory above may have put another one there. */
static bool is_directory(const struct directory *d, int fd)
{
	struct stat st;

	return !fstat(fd, &st) && st.st_dev == d->dev && st.st_ino == d->ino;
}

static void set_directory(struct restore *r, struct directory *d)
{
	struct place p = { .dir = -1 };
	int fd = -1;

	if (!d->path ||
	    open_place(r, &d->file, d->path, strlen(d->path), &p))
		return;
	fd = openat(p.dir, p.name,
		    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || !is_directory(d, fd) ||
	    !attributes_set(r->u, &d->file, p.dir, p.name, fd, d->path))
		r->u->s->status |= FSCK_ERROR;
	if (fd >= 0)
		close(fd);
	place_close(&p);
}

void restore_living(struct restore *r)
{
	r->made.own = true;
}

void restore_end(struct restore *r)
{
	if (r->nr_dirs)
		qsort(r->dirs, r->nr_dirs, sizeof(*r->dirs), by_depth);
	for (size_t i = 0; i < r->nr_dirs; i++) {
		set_directory(r, &r->dirs[i]);
		free(r->dirs[i].path);
	}
	free(r->dirs);
	links_free(&r->links);
	made_dirs_free(&r->made);
	free(r);
}

/* ------------------------------------------------------------- the file */

void restore_finish(struct restore *r, struct file *f)
{
	enum left_out reason = left_out_reason(r->u, f);

	if (f->outcome != OUTCOME_FAILED) {
		if (reason)
			leave_out(r->u, f, reason);
		else if (LINUX_S_ISDIR(f->d.mode))
			make_directory(r, f);
		else
			make_file(r, f);
		r->u->nr_unproven += !reason && f->grade == FILE_UNPROVEN;
	}
	if (r->fd >= 0) {
		close(r->fd);
		if (r->name[0])
			unlinkat(r->root, r->name, 0);
	}
	r->fd = -1;
	r->name[0] = 0;
}
