/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mounted.c - the kernel mounts the overlays, where nobody else sees it
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "attach.h"
#include "rehearse.h"
#include "support/nls.h"
#include "support/status.h"

#define MESSAGE_TEXT	8192	/* the longest record of the kernel's */
#define MOST_MESSAGES	100

struct loops {
	int		fds[MAX_VOLUMES];
	char		names[MAX_VOLUMES][ATTACHED_TEXT];
};

static bool attach(const struct view *v, struct loops *l)
{
	for (unsigned i = 0; i < v->nr_volumes; i++) {
		l->fds[i] = attach_file(v->volumes[i].file, true, l->names[i]);
		if (l->fds[i] < 0)
			return false;
	}
	return true;
}

static void detach(const struct view *v, const struct loops *l)
{
	for (unsigned i = 0; i < v->nr_volumes; i++)
		if (l->fds[i] >= 0)
			close(l->fds[i]);
}

/*
 * The superblock may ask for a panic on errors, or name a journal; these options
 * come later and win.  The image may be hostile: see attach.c.
 */
static int mount_overlay(const struct view *v, const struct loops *l)
{
	char options[ATTACHED_TEXT + 64];

	if (v->nr_volumes > 1)
		snprintf(options, sizeof(options),
			 "errors=remount-ro,journal_path=%s", l->names[1]);
	else
		snprintf(options, sizeof(options), "errors=remount-ro");
	if (mount(l->names[0], v->directory, "ext4", MS_NOSUID | MS_NODEV,
		  options))
		return errno;
	return umount2(v->directory, 0) ? errno : 0;
}

/*
 * A record is "numbers;text", and then lines of its own.  Here stderr is a file in
 * memory: the page makes the text harmless.
 */
static void put_message(char *record, const struct loops *l)
{
	char *text = strchr(record, ';');
	const char *name = strrchr(l->names[0], '/') + 1;

	if (!text || !strstr(text, name))
		return;
	text[strcspn(text, "\n") + 1] = 0;
	if (write(STDERR_FILENO, text + 1, strlen(text + 1)) < 0)
		return;
}

static void put_messages(int log, const struct loops *l)
{
	char record[MESSAGE_TEXT];
	ssize_t n;

	for (unsigned i = 0; log >= 0 && i < MOST_MESSAGES; i++) {
		n = read(log, record, sizeof(record) - 2);
		if (n < 0 && errno == EPIPE)	/* older ones were dropped */
			continue;
		if (n <= 0)
			return;
		record[n] = 0;
		put_message(record, l);
	}
}

static void mount_and_tell(const struct view *v, const struct loops *l,
			   struct rehearsed *out)
{
	int log = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (log >= 0)
		lseek(log, 0, SEEK_END);
	out->status = mount_overlay(v, l);
	out->ended = true;
	put_messages(log, l);
	if (log >= 0)
		close(log);
}

/* A signal waits until nothing is mounted any more. */
void rehearse_mount(const struct view *v, struct rehearsed *out)
{
	struct loops l = { .fds = { -1, -1 } };
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	if (unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL))
		complain("--rehearse-mount", "%s", strerror(errno));
	else if (attach(v, &l))
		mount_and_tell(v, &l, out);
	detach(v, &l);
	sigprocmask(SIG_SETMASK, &before, NULL);
}
