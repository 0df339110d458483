/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * run.c - runs mke2fs with a configuration of our own
 *
 * mke2fs.conf has no includes.  But MKE2FS_CONFIG may name a directory; mke2fs
 * then reads all its files in the order of their names.  Ours come first, so
 * they override the system's.  The directory is removed when mke2lazy ends,
 * except by SIGKILL: signals are blocked while it exists.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "make.h"
#include "session/child.h"
#include "support/nls.h"
#include "support/status.h"
#include "support/trust.h"

/* Debian keeps them here, for users other than root who make images. */
#define SYSTEM_PATH	"/usr/sbin:/sbin"

struct run {
	struct make	*m;
	char		*directory;	/* NULL: no directory was made */
	unsigned	files;		/* number of its files */
	sigset_t	taken, before;
	bool		stopped;	/* a signal to mke2lazy */
	int		aside;		/* file for what a program prints, shown
					   only if it fails; -1: none */
};

/* ---------------------------------------------------- the configuration */

static bool complain_file(struct run *r, const char *path, int error)
{
	out_flush(&r->m->s->print.out);
	complain(path, "%s", strerror(error));
	r->m->s->status |= FSCK_ERROR;
	return false;
}

static bool write_all(int fd, const char *text, size_t left)
{
	ssize_t n;

	for (; left; text += n, left -= n) {
		n = write(fd, text, left);
		if (n < 0)
			return false;
	}
	return true;
}

static bool copy_all(int from, int to)
{
	char buffer[4096];
	ssize_t n;

	while ((n = read(from, buffer, sizeof(buffer))) > 0)
		if (!write_all(to, buffer, n))
			return false;
	return n == 0;
}

/*
 * mke2fs reads "00-smr", "10-base", "10-base-002" in this order, and skips
 * names with other characters than letters, digits, - and _.
 */
static char *file_name(const struct run *r, unsigned number)
{
	char name[32] = "00-smr", *path;

	if (number == 1)
		strcpy(name, "10-base");
	else if (number)
		snprintf(name, sizeof(name), "10-base-%03u", number);
	return asprintf(&path, "%s/%s", r->directory, name) < 0 ? NULL : path;
}

/* Make a file of the directory: a copy of @source, or @text if @source is
   NULL. */
static bool add_file(struct run *r, const char *source, const char *text)
{
	char *path = file_name(r, r->files);
	int from = -1, to = -1;
	bool ok = false;

	if (path)
		to = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
	if (to < 0) {
		complain_file(r, path ? path : r->directory, errno);
		free(path);
		return false;
	}
	r->files++;
	if (source)
		from = open(source, O_RDONLY | O_CLOEXEC);
	if (!source)
		ok = write_all(to, text, strlen(text));
	else if (from >= 0)
		ok = copy_all(from, to);
	if (!ok)
		complain_file(r, source ? source : path, errno);
	if (from >= 0)
		close(from);
	close(to);
	free(path);
	return ok;
}

static bool make_directory(struct run *r)
{
	char *tmp;

	out_flush(&r->m->s->print.out);
	if (!environment_path("TMPDIR", &tmp)) {
		r->m->s->status |= FSCK_ERROR;
		return false;
	}
	if (asprintf(&r->directory, "%s/mke2lazy.XXXXXX",
		     tmp ? tmp : "/tmp") < 0)
		r->directory = NULL;
	free(tmp);
	if (!r->directory)
		return complain_file(r, NULL, ENOMEM);
	if (mkdtemp(r->directory))
		return true;
	complain_file(r, r->directory, errno);
	free(r->directory);
	r->directory = NULL;
	return false;
}

static bool make_config(struct run *r)
{
	const struct make *m = r->m;
	char *stanzas;
	bool ok;

	if (!make_directory(r))
		return false;
	stanzas = make_stanzas();
	ok = stanzas ? add_file(r, NULL, stanzas)
		     : complain_file(r, NULL, ENOMEM);
	free(stanzas);
	for (size_t i = 0; ok && i < m->nr_conf_files; i++)
		ok = add_file(r, m->conf_files[i], NULL);
	return ok;
}

static void remove_config(struct run *r)
{
	char *path;

	if (!r->directory)
		return;
	while (r->files) {
		path = file_name(r, --r->files);
		if (path && unlink(path))
			complain_file(r, path, errno);
		free(path);
	}
	if (rmdir(r->directory))
		complain_file(r, r->directory, errno);
	free(r->directory);
}

/* ------------------------------------------------------------- signals */

/* The signals that end a program by default. */
static const int endings[] = {
	SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU,
	SIGXFSZ,
};
#define NR_ENDINGS	(sizeof(endings) / sizeof(*endings))

/* A signal ignored from the start, as by nohup, stays ignored. */
static void take_signals(struct run *r)
{
	struct sigaction before;

	sigemptyset(&r->taken);
	sigaddset(&r->taken, SIGCHLD);
	signal(SIGCHLD, SIG_DFL);
	/* Clean up even if the reader of our messages is gone. */
	signal(SIGPIPE, SIG_IGN);
	for (size_t i = 0; i < NR_ENDINGS; i++)
		if (!sigaction(endings[i], NULL, &before) &&
		    before.sa_handler != SIG_IGN)
			sigaddset(&r->taken, endings[i]);
	sigprocmask(SIG_BLOCK, &r->taken, &r->before);
}

/* Signals that came between two programs count for the next one. */
static bool drain_signals(struct run *r)
{
	const struct timespec at_once = { 0 };
	int number;

	while ((number = sigtimedwait(&r->taken, NULL, &at_once)) > 0)
		if (number != SIGCHLD)
			r->stopped = true;
	return !r->stopped;
}

static void give_signals_back(struct run *r)
{
	drain_signals(r);	/* they must not end mke2lazy now */
	sigprocmask(SIG_SETMASK, &r->before, NULL);
	if (r->stopped && !cancelled())
		session_complain(r->m->s, FSCK_CANCELLED,
				 _("cancelled by a signal"));
}

/* ------------------------------------------------------------- programs */

static void become(const struct run *r, char **words)
{
	const char *path = getenv("PATH");
	char *longer;

	/* The JSON document must not contain other output. */
	if (r->aside >= 0 && (dup2(r->aside, STDERR_FILENO) < 0 ||
			      dup2(r->aside, STDOUT_FILENO) < 0))
		_exit(STATUS_NOT_RUN);
	if (r->m->s->print.json_wanted &&
	    dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		_exit(STATUS_NOT_RUN);
	if (asprintf(&longer, "%s%s%s", path ? path : "", path ? ":" : "",
		     SYSTEM_PATH) < 0 ||
	    setenv("PATH", longer, 1) ||
	    (r->directory && setenv("MKE2FS_CONFIG", r->directory, 1)))
		_exit(STATUS_NOT_RUN);
	signal(SIGPIPE, SIG_DFL);
	/* Our handlers would swallow a signal before the exec. */
	for (size_t i = 0; i < NR_ENDINGS; i++)
		if (sigismember(&r->taken, endings[i]))
			signal(endings[i], SIG_DFL);
	_exit(child_become(words, &r->before));
}

/*
 * Returns the status of waitpid().  A signal of the terminal reaches the child
 * itself, unless it came just before the fork: a second one is harmless.
 */
static int wait_for(struct run *r, pid_t child)
{
	int number, status;

	for (;;) {
		number = sigwaitinfo(&r->taken, NULL);
		if (number == SIGCHLD) {
			if (waitpid(child, &status, WNOHANG) == child)
				return status;
		} else if (number > 0) {
			r->stopped = true;
			kill(child, number);
		}
	}
}

static bool judge_status(struct run *r, const char *name, int status)
{
	struct session *s = r->m->s;

	if (WIFEXITED(status) && !WEXITSTATUS(status))
		return !r->stopped;
	if (r->stopped) {	/* give_signals_back() reports the signal */
		session_complain(s, FSCK_CANCELLED,
				 _("%s was cut off; if it had begun, make "
				   "the file system again"), name);
		return false;
	}
	if (WIFSIGNALED(status))
		session_complain(s, FSCK_ERROR, _("%s was killed by signal "
						  "%d"), name,
				 WTERMSIG(status));
	else if (WEXITSTATUS(status) == STATUS_NOT_FOUND)
		session_complain(s, FSCK_ERROR, _("%s: not found (Debian "
						  "package: e2fsprogs)"),
				 name);
	else
		session_complain(s, FSCK_ERROR, _("%s ended with exit status "
						  "%d"), name,
				 WEXITSTATUS(status));
	return false;
}

static bool run_program(struct run *r, const struct words *words)
{
	pid_t child;

	if (words->failed || !words->count)
		return complain_file(r, NULL, ENOMEM);
	out_flush(&r->m->s->print.out);
	if (!drain_signals(r))
		return false;
	child = child_fork();
	if (child < 0)
		return complain_file(r, words->at[0], errno);
	if (!child)
		become(r, words->at);
	return judge_status(r, words->at[0], wait_for(r, child));
}

/* tune2fs has no -q, and prints its version on stderr. */
static bool run_mark(struct run *r)
{
	bool ok;

	if (r->m->s->print.progress.quiet)
		r->aside = memfd_create("tune2fs", MFD_CLOEXEC);
	ok = run_program(r, &r->m->marking);
	if (r->aside < 0)
		return ok;
	if (!ok && lseek(r->aside, 0, SEEK_SET) == 0)
		copy_all(r->aside, STDERR_FILENO);
	close(r->aside);
	r->aside = -1;
	return ok;
}

bool make_run(struct make *m)
{
	struct run r = { .m = m, .aside = -1 };
	bool ok;

	take_signals(&r);
	ok = !cancelled() && make_config(&r) && run_program(&r, &m->command) &&
	     (!m->mark || run_mark(&r));
	remove_config(&r);
	give_signals_back(&r);
	return ok && !r.stopped;
}
