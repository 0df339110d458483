/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * child.c - starts, watches and ends processes
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "support/nls.h"
#include "support/status.h"
#include "child.h"

#define PATIENCE_MS	3000	/* for a process that was asked to end */
#define LOOK_MS		10

void pause_ms(unsigned ms)
{
	struct timespec time = {
		.tv_sec = ms / 1000,
		.tv_nsec = ms % 1000 * 1000000L,
	};

	nanosleep(&time, NULL);
}

pid_t child_fork(void)
{
	pid_t self = getpid(), pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != self)	/* too late for that signal */
		_exit(STATUS_NOT_RUN);
	return 0;
}

int child_become(char **words, const sigset_t *mask)
{
	int error;

	sigprocmask(SIG_SETMASK, mask, NULL);
	execvp(words[0], words);
	error = errno;
	complain_error(words[0], error);
	return error == ENOENT ? STATUS_NOT_FOUND : STATUS_NOT_RUN;
}

/* @failed: a pipe that the program does not get. */
static _Noreturn void become(const struct words *words, const sigset_t *mask,
			     int failed)
{
	int nothing = open("/dev/null", O_RDWR), status;

	if (nothing > STDIN_FILENO) {
		dup2(nothing, STDIN_FILENO);
		close(nothing);
	}
	/* A reader of our output must not wait for these processes. */
	dup2(STDERR_FILENO, STDOUT_FILENO);
	signal(SIGPIPE, SIG_DFL);
	status = child_become((char **)words->at, mask);
	while (write(failed, "", 1) < 0 && errno == EINTR)
		;
	_exit(status);
}

/* Does the other end say that the program cannot be run? */
static bool has_failed(int failed)
{
	ssize_t n;
	char byte;

	do
		n = read(failed, &byte, 1);
	while (n < 0 && errno == EINTR);
	return n > 0;
}

static void reap(struct child *child, int flags)
{
	pid_t pid;

	do
		pid = waitpid(child->pid, &child->status, flags);
	while (pid < 0 && errno == EINTR);
	if (pid)
		child->pid = 0;
}

/* -1 if there is no process. */
static pid_t spawn(const struct words *words, const sigset_t *mask, int ends[2])
{
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		return -1;
	pid = child_fork();
	if (!pid)
		become(words, mask, ends[1]);
	close(ends[1]);
	if (pid < 0)
		close(ends[0]);
	return pid;
}

bool child_start(struct child *child, const char *name,
		 const struct words *words, const sigset_t *mask)
{
	int ends[2];
	bool failed;

	child->name = name;
	child->status = 0;
	child->pid = 0;
	if (words->failed) {
		complain_error(name, ENOMEM);
		return false;
	}
	child->pid = spawn(words, mask, ends);
	if (child->pid < 0) {
		complain_error(name, errno);
		child->pid = 0;
		return false;
	}
	failed = has_failed(ends[0]);
	close(ends[0]);
	if (failed)
		reap(child, 0);
	return !failed;
}

bool child_ended(struct child *child)
{
	if (child->pid)
		reap(child, WNOHANG);
	return !child->pid;
}

bool child_run(const char *name, const struct words *words,
	       const sigset_t *mask)
{
	struct child child;

	if (!child_start(&child, name, words, mask))
		return false;
	reap(&child, 0);
	return WIFEXITED(child.status) && !WEXITSTATUS(child.status);
}

bool child_wait(struct child *child, unsigned ms)
{
	while (!child_ended(child) && ms >= LOOK_MS) {
		pause_ms(LOOK_MS);
		ms -= LOOK_MS;
	}
	return !child->pid;
}

void child_stop(struct child *child)
{
	if (child_ended(child))
		return;
	kill(child->pid, SIGTERM);
	if (child_wait(child, PATIENCE_MS))
		return;
	kill(child->pid, SIGKILL);
	reap(child, 0);
}

void child_text(const struct child *child, char text[CHILD_TEXT])
{
	if (WIFSIGNALED(child->status))
		snprintf(text, CHILD_TEXT, _("killed by signal %d"),
			 WTERMSIG(child->status));
	else
		snprintf(text, CHILD_TEXT, _("exit status %d"),
			 WEXITSTATUS(child->status));
}
