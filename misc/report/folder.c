/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * folder.c - the files of e2lazy evidence
 *
 * The folder is new, and everything in it is made by O_EXCL through its
 * descriptor: no link of another user is followed (support/output.h).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "evidence.h"
#include "support/output.h"
#include "support/status.h"
#include "support/nls.h"

static bool fail(struct folder *f, const char *name, int error)
{
	print_make_way(&f->s->print);
	complain(f->name, "%s%s%s", name ? name : "", name ? ": " : "",
		 strerror(error));
	f->s->status |= FSCK_ERROR;
	return false;
}

/* What is written into the file system changes the evidence. */
static bool is_apart(struct folder *f, int above)
{
	const struct e2lazy_device *d;
	struct stat st;

	if (fstat(above, &st))
		return fail(f, NULL, errno);
	d = e2lazy_device(f->s->log->journal, E2LAZY_FILE_SYSTEM);
	if (!d->rdev || d->rdev != st.st_dev)
		return true;
	session_complain(f->s, FSCK_ERROR,
			 _("%s is on this file system; choose another one"),
			 f->name);
	return false;
}

static bool make(struct folder *f, const struct output *place)
{
	if (!is_apart(f, place->dir))
		return false;
	if (mkdirat(place->dir, place->name, 0700))
		return fail(f, NULL, errno);
	f->fd = openat(place->dir, place->name,
		       O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return f->fd >= 0 || fail(f, NULL, errno);
}

bool folder_make(struct folder *f, struct session *s, const char *name)
{
	struct output place;
	bool done;

	*f = (struct folder){ .s = s, .name = name, .fd = -1 };
	if (posix_memalign((void **)&f->piece, 4096, HASH_PIECE)) {
		f->piece = NULL;
		return fail(f, NULL, ENOMEM);
	}
	if (!output_find_new(&place, name)) {
		s->status |= FSCK_ERROR;
		return false;
	}
	done = make(f, &place);
	output_close(&place);
	return done;
}

int folder_file(struct folder *f, const char *name)
{
	int fd = openat(f->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW |
				     O_CLOEXEC | O_APPEND, 0600);

	if (fd < 0)
		fail(f, name, errno);
	return fd;
}

void folder_sum(struct folder *f, const char *name, struct report_input *in)
{
	int fd = openat(f->fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	int error;

	*in = (struct report_input){ .name = name };
	if (fd < 0 || fstat(fd, &st)) {
		fail(f, name, errno);
	} else {
		in->bytes = (uint64_t)st.st_size;
		error = report_hash(f->s, fd, in, f->piece);
		if (error)
			fail(f, name, error);
	}
	if (fd >= 0)
		close(fd);
}

bool folder_manifest(struct folder *f, const char *const *names)
{
	int fd = folder_file(f, FOLDER_MANIFEST), error;
	struct report_input in;
	bool whole = fd >= 0;

	for (; whole && *names; names++) {
		folder_sum(f, *names, &in);
		whole = *in.sum;
		if (whole && dprintf(fd, "%s  %s\n", in.sum, *names) < 0)
			whole = fail(f, FOLDER_MANIFEST, errno);
	}
	error = fd >= 0 && (fsync(fd) | close(fd)) ? errno : 0;
	return error ? fail(f, FOLDER_MANIFEST, error) : whole;
}

void folder_close(struct folder *f)
{
	if (f->fd >= 0)
		close(f->fd);
	free(f->piece);
}
