/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * apart.c - a confined process reads the device for e2lazy view
 *
 * View mounts and runs programs, so it keeps its rights.  It never parses the
 * device itself: a process that writes nothing does, and sends back only a
 * struct view_seen.  A hostile image that takes that process over chooses that
 * struct, and nothing more.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "session/child.h"
#include "support/confine.h"
#include "support/nls.h"
#include "support/status.h"
#include "view.h"

/* ------------------------------------------------- the confined process */

static void copy(char to[E2LAZY_PATH_MAX], const char *from)
{
	snprintf(to, E2LAZY_PATH_MAX, "%s", from ? from : "");
}

static void describe(const struct session *s, struct view_seen *seen)
{
	const struct e2lazy_journal *journal = s->log->journal;

	seen->external = s->log->geo->external;
	seen->whole = !s->log->left_out && !s->source.limits.behind;
	identity_text(seen->identity,
		      e2lazy_device(journal, E2LAZY_FILE_SYSTEM));
	identity_text(seen->journal_identity,
		      e2lazy_device(journal, E2LAZY_JOURNAL));
	copy(seen->journal, s->log->geo->journal_device);
}

static void send_all(int fd, const struct view_seen *seen)
{
	const char *at = (const char *)seen, *end = at + sizeof(*seen);
	ssize_t n;

	while (at < end) {
		n = write(fd, at, (size_t)(end - at));
		if (n > 0)
			at += n;
		else if (n < 0 && errno != EINTR)
			return;
	}
}

static void look(struct view *v, int fd)
{
	struct view_seen *seen = &v->seen;
	struct session *s = v->s;

	confine(NULL);
	seen->usable = v->as_is ? view_look_as_is(v) : view_look(v);
	if (seen->usable && !v->as_is)
		describe(s, seen);
	copy(seen->device, s->device);
	seen->status = s->status;
	send_all(fd, seen);
}

/* ----------------------------------------------------------- the parent */

static bool receive_all(int fd, struct view_seen *seen)
{
	char *at = (char *)seen, *end = at + sizeof(*seen);
	ssize_t n;

	while (at < end) {
		n = read(fd, at, (size_t)(end - at));
		if (!n)
			return false;
		if (n > 0)
			at += n;
		else if (errno != EINTR)
			return false;
	}
	seen->device[sizeof(seen->device) - 1] = 0;
	seen->journal[sizeof(seen->journal) - 1] = 0;
	seen->identity[sizeof(seen->identity) - 1] = 0;
	seen->journal_identity[sizeof(seen->journal_identity) - 1] = 0;
	return true;
}

/* A signal to us ends the child; a signal of the terminal reaches it, too. */
static void wait_for_child(int fd, pid_t child)
{
	struct pollfd answer = { .fd = fd, .events = POLLIN };
	sigset_t all, before;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	while (!cancelled() && ppoll(&answer, 1, NULL, &before) < 0 &&
	       errno == EINTR)
		;
	if (cancelled())
		kill(child, SIGTERM);
	sigprocmask(SIG_SETMASK, &before, NULL);
}

static bool reap(struct view *v, pid_t child, bool answered)
{
	int status = 0;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	if (answered || cancelled())
		return answered;
	if (WIFSIGNALED(status))
		complain(v->s->operands[0], _("killed by signal %d (%s)"),
			 WTERMSIG(status), strsignal(WTERMSIG(status)));
	v->s->status |= FSCK_ERROR;
	return false;
}

static bool fail(struct view *v, const char *what)
{
	complain(v->s->operands[0], "%s: %s", what, strerror(errno));
	v->s->status |= FSCK_ERROR;
	return false;
}

bool view_look_apart(struct view *v)
{
	bool answered;
	pid_t child;
	int ends[2];

	status_catch_signals();
	out_flush(&v->s->print.out);
	if (pipe2(ends, O_CLOEXEC))
		return fail(v, "pipe");
	child = child_fork();
	if (!child) {
		look(v, ends[1]);
		_exit(0);
	}
	close(ends[1]);
	if (child < 0) {
		close(ends[0]);
		return fail(v, "fork");
	}
	wait_for_child(ends[0], child);
	answered = receive_all(ends[0], &v->seen);
	close(ends[0]);
	if (!reap(v, child, answered))
		return false;
	v->s->device = v->seen.device;
	v->s->status |= v->seen.status;
	return v->seen.usable && !cancelled();
}
