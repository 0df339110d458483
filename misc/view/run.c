/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * run.c - lets the keeper show the view, and runs the command or waits
 */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/confine.h"
#include "support/nls.h"
#include "support/status.h"
#include "view.h"
#include "session/child.h"

/* Exit statuses as of a shell and env(1). */
#define STATUS_SIGNAL		128

struct run {
	struct view	*v;
	sigset_t	before;		/* signals that were blocked */
	int		signals;	/* signalfd */
	int		life;		/* while it is open, the keeper runs */
	pid_t		keeper;
	pid_t		command;	/* 0: none runs */
	bool		stopped;	/* a signal to e2lazy */
};

/* -------------------------------------------------------------- events */

enum event { EVENT_SIGNAL, EVENT_CHILD, EVENT_READY, EVENT_GONE };

/* A signal ignored from the start, as by nohup, stays ignored. */
static bool take_signals(struct run *r)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction before;
	sigset_t taken;

	sigemptyset(&taken);
	sigaddset(&taken, SIGCHLD);
	signal(SIGCHLD, SIG_DFL);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!sigaction(numbers[i], NULL, &before) &&
		    before.sa_handler != SIG_IGN)
			sigaddset(&taken, numbers[i]);
	sigprocmask(SIG_BLOCK, &taken, &r->before);
	r->signals = signalfd(-1, &taken, SFD_CLOEXEC);
	if (r->signals < 0)
		complain(r->v->device, "signalfd: %s", strerror(errno));
	return r->signals >= 0;
}

static enum event keeper_event(struct run *r)
{
	char byte;

	if (read(r->life, &byte, 1) == 1)
		return EVENT_READY;
	close(r->life);
	r->life = -1;		/* poll() ignores it */
	return EVENT_GONE;
}

static enum event next_event(struct run *r, struct signalfd_siginfo *info)
{
	struct pollfd fds[2] = { { .fd = r->signals, .events = POLLIN },
				 { .fd = r->life, .events = POLLIN } };

	for (;;) {
		if (poll(fds, 2, -1) < 0)
			continue;
		if (fds[1].revents)
			return keeper_event(r);
		if (read(r->signals, info, sizeof(*info)) == sizeof(*info))
			return info->ssi_signo == SIGCHLD ? EVENT_CHILD
							  : EVENT_SIGNAL;
	}
}

/* What remains is to wait for the command, or for a signal. */
static void give_up_rights(const struct run *r)
{
	if (!r->v->s->command->called)
		confine_wait(r->command);
}

/* --------------------------------------------------------- the command */

/* The terminal signals the command itself; pass on any other signal. */
static void pass_on(struct run *r, const struct signalfd_siginfo *info)
{
	r->stopped = true;
	if (info->ssi_code != SI_KERNEL)
		kill(r->command, (int)info->ssi_signo);
}

static int command_status(struct run *r, int status)
{
	int number;

	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	number = WTERMSIG(status);
	if (r->stopped) {
		session_complain(r->v->s, FSCK_CANCELLED,
				 _("cancelled by a signal"));
		return 0;
	}
	complain(r->v->inside ? r->v->device : r->v->command[0],
		 _("killed by signal %d (%s)"), number, strsignal(number));
	return STATUS_SIGNAL + number;
}

/* Work of our own: it must not hold the keeper when we have ended. */
static int work_inside(const struct run *r)
{
	close(r->life);
	close(r->signals);
	return r->v->inside(r->v, &r->before);
}

static int run_command(struct run *r)
{
	bool inside = r->v->inside;
	char **words = inside ? NULL : view_expand(r->v);
	struct signalfd_siginfo info;
	int status = 0;

	if (words || inside)
		r->command = child_fork();
	if ((!words && !inside) || r->command < 0) {
		complain(inside ? r->v->device : r->v->command[0], "%s",
			 strerror(errno));
		view_free_words(words);
		return STATUS_NOT_RUN;
	}
	if (!r->command)
		_exit(inside ? work_inside(r) :
			       child_become(words, &r->before));
	if (!inside)
		give_up_rights(r);
	while (r->command) {
		switch (next_event(r, &info)) {
		case EVENT_SIGNAL:
			pass_on(r, &info);
			break;
		case EVENT_CHILD:
			if (waitpid(r->command, &status, WNOHANG) > 0)
				r->command = 0;
			break;
		case EVENT_READY:
		case EVENT_GONE:	/* reported; reads will fail */
			break;
		}
	}
	view_free_words(words);
	return command_status(r, status);
}

/* A caller must not take the view's own status for the command's. */
static int run_and_note(struct run *r)
{
	int status = run_command(r), *ran = r->v->s->command->ran;

	if (ran && !r->stopped)
		*ran = status;
	return status;
}

/* ---------------------------------------------------------- the keeper */

static bool start_keeper(struct run *r)
{
	int ends[2], status;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
		complain(r->v->device, "socketpair: %s", strerror(errno));
		return false;
	}
	out_flush(&r->v->s->print.out);
	r->keeper = fork();
	if (!r->keeper) {
		close(ends[0]);
		close(r->signals);
		status = view_keep(r->v, ends[1], &r->before);
		_exit(status);
	}
	close(ends[1]);
	r->life = ends[0];
	if (r->keeper > 0)
		return true;
	complain(r->v->device, "fork: %s", strerror(errno));
	close(r->life);
	return false;
}

/* False after a failure, which was reported, or a signal. */
static bool wait_until_ready(struct run *r)
{
	struct signalfd_siginfo info;

	for (;;) {
		switch (next_event(r, &info)) {
		case EVENT_SIGNAL:
			r->stopped = true;
			session_complain(r->v->s, FSCK_CANCELLED,
					 _("cancelled by a signal"));
			return false;
		case EVENT_GONE:
			return false;
		case EVENT_READY:
			return true;
		case EVENT_CHILD:
			break;
		}
	}
}

static void wait_for_signal(struct run *r)
{
	struct signalfd_siginfo info;
	enum event event;

	view_print_places(r->v);
	give_up_rights(r);
	/* A view without a printed name is useless. */
	if (out_flush(&r->v->s->print.out))
		return;		/* session_end() reports it */
	do
		event = next_event(r, &info);
	while (event != EVENT_SIGNAL && event != EVENT_GONE);
}

static void end_keeper(struct run *r)
{
	struct session *s = r->v->s;
	int status;

	if (r->life >= 0)
		close(r->life);
	while (waitpid(r->keeper, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status))
		s->status |= WEXITSTATUS(status);
	else
		session_complain(s, FSCK_ERROR,
				 _("signal %d killed the process that kept the "
				   "view; remove the remains in %s"),
				 WTERMSIG(status), r->v->directory);
}

int view_run(struct view *v)
{
	struct run r = { .v = v, .signals = -1, .life = -1 };
	int status = 0;

	/* Keep them blocked: a late signal must not end the cleaning. */
	if (!take_signals(&r) || cancelled() || !start_keeper(&r)) {
		v->s->status |= cancelled() ? 0 : FSCK_ERROR;
		rmdir(v->directory);
	} else {
		if (wait_until_ready(&r)) {
			if (v->command || v->inside)
				status = run_and_note(&r);
			else
				wait_for_signal(&r);
		}
		end_keeper(&r);
	}
	close(r.signals);
	return status;
}
