/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * keeper.c - the process that shows the view and takes it away
 *
 * It has a session of its own: signals of the terminal to e2lazy and the
 * command must not end nbdkit and nbdfuse while the command still reads.  It
 * is a separate process, so that it can clean up even after e2lazy is killed.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/confine.h"
#include "support/nls.h"
#include "support/status.h"
#include "view.h"
#include "session/child.h"
#include "attach.h"
#include "cover.h"

#define LOOK_MS		10	/* interval of the polls for readiness */
#define BUSY_MS		100	/* interval of the attempts to unmount */
#define BUSY_TRIES	20

struct keeper {
	struct view	*v;
	int		life;
	const sigset_t	*mask;
	bool		abandoned;	/* nobody needs the view any more */
	struct child	servers[MAX_VOLUMES];	/* nbdkit */
	struct child	files[MAX_VOLUMES];	/* nbdfuse */
	bool		made[MAX_VOLUMES];	/* the file below the mount */
	bool		mounted;
	dev_t		mount;			/* what is mounted */
};

/* ------------------------------------------------------------ starting */

/* Wait up to @ms; true if nobody needs the view any more. */
static bool is_abandoned(struct keeper *k, int ms)
{
	struct pollfd life = { .fd = k->life, .events = POLLIN };

	k->abandoned = poll(&life, 1, ms) > 0;
	return k->abandoned;
}

static void complain_ended(const struct child *child)
{
	char text[CHILD_TEXT];

	child_text(child, text);
	complain(child->name, _("ended unexpectedly (%s)"), text);
}

/* The files by which nbdkit and nbdfuse report readiness. */
char *view_ready_file(const struct view *v, const char *name, unsigned i)
{
	char *path;

	return asprintf(&path, "%s/%s.%u", v->directory, name, i) < 0 ? NULL
								      : path;
}

static bool wait_ready(struct keeper *k, struct child *child, const char *file)
{
	struct stat st;

	while (stat(file, &st) || !st.st_size) {
		if (child_ended(child)) {
			complain_ended(child);
			return false;
		}
		if (is_abandoned(k, LOOK_MS))
			return false;
	}
	return true;
}

static bool start_and_wait(struct keeper *k, struct child *child,
			   const char *name, struct words *words,
			   const char *ready)
{
	bool ok = ready && child_start(child, name, words, k->mask) &&
		  wait_ready(k, child, ready);

	if (!ready)
		complain_error(name, ENOMEM);
	words_free(words);
	return ok;
}

/*
 * e2fsck -n opens an external journal for writing and fails if it cannot:
 * discard its writes, like those of --cow.
 */
static bool takes_writes(const struct view *v, unsigned i)
{
	return v->cow || i > 0;
}

/* nbdkit makes its socket, its file of readiness, and that of --cow there. */
static void add_places(const struct view *v, unsigned i, struct words *words)
{
	const char *slash = v->mode == VIEW_SOCKET ? strrchr(v->place, '/')
						   : NULL;
	const char *tmp = getenv("TMPDIR");

	words_add(words, "confined=%s", v->directory);
	if (slash)
		words_add(words, "confined=%.*s", (int)(slash - v->place) + 1,
			  v->place);
	if (takes_writes(v, i))
		words_add(words, "confined=%s", tmp ? tmp : "/var/tmp");
}

static void add_parameters(const struct view *v, unsigned i,
			   struct words *words)
{
	const struct view_volume *volume = &v->volumes[i];

	words_add(words, "file=%s", v->device);
	/* The name may mean another device when nbdkit opens it. */
	words_add(words, "is=%s", v->seen.identity);
	if (v->journal) {
		words_add(words, "journal=%s", v->journal);
		words_add(words, "journal-is=%s", v->seen.journal_identity);
	}
	source_words(&v->s->source, "", words);
	if (v->cow || volume->file)
		words_add(words, "export=%s", volume->export);
	words_add(words, "quiet=true");
	if (!confine_is_off())
		add_places(v, i, words);
}

/* Filters in the order of the request: the overlay is that of the part shown. */
static void add_as_is(const struct view *v, unsigned i, struct words *words)
{
	uint64_t offset = i ? 0 : v->s->source.open.offset;

	words_add(words, "--filter=cow");
	if (offset)
		words_add(words, "--filter=offset");
	words_list(words, "file", NULL);
	words_add(words, "file=%s", i ? v->journal : v->device);
	if (offset)
		words_add(words, "offset=%llu", (unsigned long long)offset);
}

static void add_view(const struct view *v, unsigned i, struct words *words)
{
	/* All exports share one overlay, so a second export is impossible. */
	if (takes_writes(v, i))
		words_add(words, "--filter=cow");
	else
		words_add(words, "-r");
	words_add(words, "%s", v->tools.plugin);
	add_parameters(v, i, words);
}

static bool serve(struct keeper *k, unsigned i)
{
	const struct view *v = k->v;
	const struct view_volume *volume = &v->volumes[i];
	char *ready = view_ready_file(v, "nbdkit", i);
	struct words words = { .count = 0 };
	bool ok;

	words_list(&words, v->tools.nbdkit, "-f", "--exit-with-parent", "-U",
		   volume->socket, "-P", ready ? ready : "", NULL);
	if (v->as_is)
		add_as_is(v, i, &words);
	else
		add_view(v, i, &words);
	ok = start_and_wait(k, &k->servers[i], "nbdkit", &words, ready);
	free(ready);
	return ok;
}

static bool make_file(struct keeper *k, unsigned i)
{
	const char *file = k->v->volumes[i].file;
	int fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	if (fd < 0) {
		complain_error(file, errno);
		return false;
	}
	close(fd);
	k->made[i] = true;
	return true;
}

static bool show(struct keeper *k, unsigned i)
{
	const struct view *v = k->v;
	char *ready = view_ready_file(v, "nbdfuse", i);
	struct words words = { .count = 0 };
	bool ok;

	words_add(&words, "%s", v->tools.nbdfuse);
	if (!takes_writes(v, i))
		words_add(&words, "-r");
	words_list(&words, "-P", ready ? ready : "", v->volumes[i].file,
		   "--unix", v->volumes[i].socket, NULL);
	ok = start_and_wait(k, &k->files[i], "nbdfuse", &words, ready);
	free(ready);
	return ok;
}

/* Find the device at the name of the mount point; false if the name is gone. */
static bool device_at(const struct keeper *k, dev_t *device)
{
	struct cover cover;
	struct stat st;
	bool found;

	if (!cover_find(&cover, k->v->mount_on))
		return false;
	found = !cover_stat(&cover, &st);
	cover_close(&cover);
	*device = st.st_dev;
	return found;
}

/* Its directory may be renamed until it is mounted on. */
static bool find_mount(struct keeper *k, dev_t before)
{
	for (unsigned i = 0; i < BUSY_TRIES; i++) {
		k->mounted = device_at(k, &k->mount) && k->mount != before;
		if (k->mounted)
			return true;
		pause_ms(BUSY_MS);
	}
	return false;
}

static bool mount_view(struct keeper *k)
{
	const struct view *v = k->v;
	const char *place = v->place;
	dev_t before;

	if (!device_at(k, &before)) {
		complain_error(place, errno);
		return false;
	}
	if (!attach_and_mount(v->volumes[0].file, v->cow, v->mount_on, place))
		return false;
	if (find_mount(k, before))
		return true;
	complain(place, _("the new mount was not found; see /proc/mounts"));
	return false;
}

static bool start(struct keeper *k)
{
	struct view *v = k->v;

	for (unsigned i = 0; i < v->nr_volumes; i++)
		if (!serve(k, i) || (v->volumes[i].file &&
				     (!make_file(k, i) || !show(k, i))))
			return false;
	return v->mode != VIEW_MOUNT || mount_view(k);
}

/* ------------------------------------------------------------- keeping */

static bool any_ended(struct keeper *k)
{
	for (unsigned i = 0; i < k->v->nr_volumes; i++) {
		struct child *ended = child_ended(&k->servers[i]) ?
			&k->servers[i] : &k->files[i];

		if (ended == &k->files[i] &&
		    (!k->v->volumes[i].file || !child_ended(ended)))
			continue;
		complain_ended(ended);
		complain(k->v->device, _("the view is gone"));
		return true;
	}
	return false;
}

/* Wait until nobody needs the view, or it has disappeared. */
static int keep(struct keeper *k)
{
	struct pollfd fds[2] = { { .fd = k->life, .events = POLLIN },
				 { .events = POLLIN } };
	struct signalfd_siginfo info;
	sigset_t children;

	sigemptyset(&children);
	sigaddset(&children, SIGCHLD);
	fds[1].fd = signalfd(-1, &children, SFD_CLOEXEC);
	if (fds[1].fd < 0) {
		complain(k->v->device, "signalfd: %s", strerror(errno));
		return FSCK_ERROR;
	}
	/* Their starter waited for processes that ended earlier. */
	while (!any_ended(k)) {
		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return FSCK_ERROR;
		if (fds[0].revents)
			return FSCK_OK;
		if (fds[1].revents && read(fds[1].fd, &info, sizeof(info)) < 0)
			return FSCK_ERROR;
	}
	return FSCK_ERROR;
}

/* ------------------------------------------------------- clearing away */

/* The mount may be covered by another one, or be gone. */
static bool is_mounted(const struct keeper *k)
{
	dev_t device;

	return k->mounted && device_at(k, &device) && device == k->mount;
}

/* 0, or -1 and errno. */
static int unmount_once(const struct keeper *k, int flags)
{
	struct cover cover;
	int failed;

	if (!cover_find(&cover, k->v->mount_on))
		return -1;
	failed = cover_unmount(&cover, flags);
	cover_close(&cover);
	return failed;
}

static void unmount_view(struct keeper *k)
{
	const char *place = k->v->place;

	for (unsigned i = 0; i < BUSY_TRIES && is_mounted(k); i++) {
		if (!unmount_once(k, 0))
			return;
		pause_ms(BUSY_MS);
	}
	if (!is_mounted(k))
		return;
	complain(place, _("still in use: detached from the file tree"));
	if (unmount_once(k, MNT_DETACH))
		complain_error(place, errno);
}

/* A FUSE file is on another device than its directory. */
static bool is_shown(const struct keeper *k, unsigned i)
{
	const char *file = k->v->volumes[i].file;
	char *parent = strdup(file);
	struct stat st, above;
	bool shown;

	if (!parent)
		return true;
	*strrchr(parent, '/') = 0;
	/*
	 * A FUSE file without a server has no status: ENOTCONN, and
	 * ECONNABORTED for who asked before the server died.
	 */
	shown = lstat(file, &st) ? errno != ENOENT :
		!stat(*parent ? parent : "/", &above) &&
		st.st_dev != above.st_dev;
	free(parent);
	return shown;
}

static bool unmount_file(const struct keeper *k, unsigned i,
			 const char *options)
{
	struct words words = { .count = 0 };
	bool ok;

	words_list(&words, k->v->tools.fusermount, options, "--",
		   k->v->volumes[i].file, NULL);
	ok = child_run("fusermount3", &words, k->mask);
	words_free(&words);
	return ok;
}

/* nbdfuse ends with its mount, unless the file is still open. */
static void hide(struct keeper *k, unsigned i)
{
	for (unsigned n = 0; n < BUSY_TRIES && is_shown(k, i); n++) {
		if (unmount_file(k, i, "-uq")) {
			child_wait(&k->files[i], BUSY_TRIES * BUSY_MS);
			return;
		}
		pause_ms(BUSY_MS);
	}
	if (!is_shown(k, i))
		return;
	complain(k->v->volumes[i].file,
		 _("still in use: detached from the file tree"));
	unmount_file(k, i, "-uz");
}

/* Some were never made, and others are removed by their makers. */
static void remove_file(const char *file)
{
	if (unlink(file) && errno != ENOENT)
		complain_error(file, errno);
}

static void remove_ready(const struct view *v, const char *name, unsigned i)
{
	char *ready = view_ready_file(v, name, i);

	if (ready)
		remove_file(ready);
	free(ready);
}

static void clear_away(struct keeper *k)
{
	struct view *v = k->v;

	unmount_view(k);
	for (unsigned i = v->nr_volumes; i--;) {
		if (k->made[i]) {
			hide(k, i);
			child_stop(&k->files[i]);
			/* A process may have mounted just before it ended. */
			hide(k, i);
			remove_file(v->volumes[i].file);
		}
		child_stop(&k->servers[i]);
		remove_file(v->volumes[i].socket);
		remove_ready(v, "nbdkit", i);
		remove_ready(v, "nbdfuse", i);
	}
	if (rmdir(v->directory))
		complain_error(v->directory, errno);
}

int view_keep(struct view *v, int life, const sigset_t *mask)
{
	struct keeper k = { .v = v, .life = life, .mask = mask };
	int status = FSCK_ERROR;

	setsid();
	confine_keep();
	/* Clean up even if the reader of our messages is gone. */
	signal(SIGPIPE, SIG_IGN);
	if (chdir("/"))
		complain("/", "%s", strerror(errno));
	else if (start(&k))
		status = send(life, "", 1, MSG_NOSIGNAL) == 1 ? keep(&k)
							      : FSCK_OK;
	else if (k.abandoned)
		status = FSCK_OK;	/* the reason was printed */
	clear_away(&k);
	return status;
}
