/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * run.c - runs mke2fs: for a plan on a file in memory, then on the device
 *
 * The file of a plan is sparse, as large as the device, and has no name.  It is
 * the only kind of file that can have any size: an ext4 file ends at 16 TiB.
 * mke2fs writes superblocks, descriptors and bitmaps to it, 13 MiB a TB with the
 * usual layout.  Both memory and time of a plan are bounded, because options can
 * make it write much more.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "make.h"
#include "session/child.h"
#include "support/nls.h"
#include "support/status.h"
#include "support/trust.h"

/* Debian keeps them here, for users other than root who make images. */
#define SYSTEM_PATH	"/usr/sbin:/sbin"

/* A plan: how often to look at its memory, and how long it may take. */
#define LOOK_NS		5000000
#define PLAN_MS		120000
#define PLAN_TIB_MS	10000

struct run {
	struct make	*m;
	sigset_t	taken, before;
	struct sigaction child, pipe;	/* before, of SIGCHLD and SIGPIPE */
	bool		stopped;	/* a signal to mke2lazy */
	int		aside;		/* file for what a program prints, shown
					   only if it fails; -1: none */
	int		image;		/* file of a plan; -1: none */
	uint64_t	most;		/* memory of it, bytes */
	const char	*bound;		/* that a plan reached; or NULL */
};

/* ---------------------------------------------------- the configuration */

/* Take the same names as mke2fs. */
static int is_read(const struct dirent *entry)
{
	return !entry->d_name[strspn(entry->d_name,
				     "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz"
				     "0123456789-_")];
}

static bool is_believed(const char *directory, const char *name)
{
	char *path, *end = NULL;
	bool ok = false;

	if (asprintf(&path, "%s/%s", directory, name) < 0)
		return false;
	/* A link that leads nowhere is no file to mke2fs, either. */
	ok = access(path, F_OK) || believed_path("MKE2FS_CONFIG", path, &end);
	free(path);
	free(end);
	return ok;
}

static bool are_believed(const char *directory)
{
	struct dirent **entries;
	int count = scandir(directory, &entries, is_read, alphasort);
	bool ok = true;

	for (int i = 0; i < count; i++) {
		ok = ok && is_believed(directory, entries[i]->d_name);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	return ok;
}

bool make_check_config(struct make *m)
{
	bool ok;

	out_flush(&m->s->print.out);
	ok = environment_path("MKE2FS_CONFIG", &m->config) &&
	     (!m->config || are_believed(m->config));
	if (!ok)
		m->s->status |= FSCK_ERROR;
	return ok;
}

static bool complain_file(struct run *r, const char *path, int error)
{
	out_flush(&r->m->s->print.out);
	complain_error(path, error);
	r->m->s->status |= FSCK_ERROR;
	return false;
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
	const struct sigaction usual = { .sa_handler = SIG_DFL };
	const struct sigaction none = { .sa_handler = SIG_IGN };
	struct sigaction before;

	sigemptyset(&r->taken);
	sigaddset(&r->taken, SIGCHLD);
	sigaction(SIGCHLD, &usual, &r->child);
	/* Clean up even if the reader of our messages is gone. */
	sigaction(SIGPIPE, &none, &r->pipe);
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
	sigaction(SIGCHLD, &r->child, NULL);
	sigaction(SIGPIPE, &r->pipe, NULL);
	sigprocmask(SIG_SETMASK, &r->before, NULL);
	if (r->stopped && !cancelled())
		session_complain(r->m->s, FSCK_CANCELLED,
				 _("cancelled by a signal"));
}

/* ------------------------------------------------------------- programs */

/*
 * The file of a plan has a name of this process alone, and says nothing of the
 * device's sectors.
 */
static bool prepare_plan(const struct run *r)
{
	const struct e2lazy_drive *d = &r->m->drive;
	int nothing = open("/dev/null", O_RDONLY);
	char sector[16], physical[16];

	snprintf(sector, sizeof(sector), "%u", d->logical_sector);
	snprintf(physical, sizeof(physical), "%u", d->physical_sector);
	return nothing >= 0 && dup2(nothing, STDIN_FILENO) >= 0 &&
	       !fcntl(r->image, F_SETFD, 0) &&
	       !setenv("E2FSPROGS_FAKE_TIME", "1000000000", 1) &&
	       (!d->logical_sector || !setenv("MKE2FS_DEVICE_SECTSIZE",
					      sector, 1)) &&
	       (!d->physical_sector || !setenv("MKE2FS_DEVICE_PHYS_SECTSIZE",
					       physical, 1));
}

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
	    (r->m->config && setenv("MKE2FS_CONFIG", r->m->config, 1)) ||
	    (r->image >= 0 && !prepare_plan(r)))
		_exit(STATUS_NOT_RUN);
	signal(SIGPIPE, SIG_DFL);
	/* Our handlers would swallow a signal before the exec. */
	for (size_t i = 0; i < NR_ENDINGS; i++)
		if (sigismember(&r->taken, endings[i]))
			signal(endings[i], SIG_DFL);
	_exit(child_become(words, &r->before));
}

/* ------------------------------------------------------ bounds of a plan */

/* Bytes that programs may still take, as the kernel estimates; 0: unknown. */
static uint64_t available(const char *root)
{
	unsigned long long kib = 0;
	char path[E2LAZY_PATH_MAX], line[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/proc/meminfo", root ? root : "");
	file = fopen(path, "re");
	if (!file && root)
		file = fopen("/proc/meminfo", "re");
	if (!file)
		return 0;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
			break;
	fclose(file);
	return kib << 10;
}

/* Does the plan in @r take no more memory and no more time than it may? */
static bool is_bounded(struct run *r, uint64_t waited_ms)
{
	struct stat st;

	if (waited_ms > PLAN_MS + (make_bytes(r->m) >> 40) * PLAN_TIB_MS)
		r->bound = N_("mke2fs takes too long for a plan");
	if (r->most && !fstat(r->image, &st) &&
	    (uint64_t)st.st_blocks * 512 > r->most)
		r->bound = N_("a plan of this size takes more than half of "
			      "the memory that is available");
	return !r->bound;
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/*
 * Returns the status of waitpid().  A signal of the terminal reaches the child
 * itself, unless it came just before the fork: a second one is harmless.
 */
static int wait_for(struct run *r, pid_t child)
{
	const struct timespec look = { .tv_nsec = LOOK_NS };
	uint64_t begin = now_ms();
	int number, status;

	for (;;) {
		number = sigtimedwait(&r->taken, NULL,
				      r->image >= 0 ? &look : NULL);
		if (number == SIGCHLD) {
			if (waitpid(child, &status, WNOHANG) == child)
				return status;
		} else if (number > 0) {
			r->stopped = true;
			kill(child, number);
		} else if (r->image >= 0 && !is_bounded(r, now_ms() - begin)) {
			kill(child, SIGKILL);
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

/* False, after a complaint, if it could not be run. */
static bool start_and_wait(struct run *r, const struct words *words,
			   int *status)
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
	*status = wait_for(r, child);
	return true;
}

static bool run_program(struct run *r, const struct words *words)
{
	int status;

	return start_and_wait(r, words, &status) &&
	       judge_status(r, words->at[0], status);
}

/* ------------------------------------------------------------- the plan */

/* A line of what a program said, with the name of the device for @target. */
static void tell_line(const struct run *r, const char *line, const char *target)
{
	const char *at = target ? strstr(line, target) : NULL;

	if (at)
		complain(NULL, "%.*s%s%s", (int)(at - line), line,
			 r->m->s->device, at + strlen(target));
	else if (*line)
		complain(NULL, "%s", line);
}

static void tell_aside(struct run *r, const char *target)
{
	char text[4096], *line, *rest = text;
	ssize_t n = pread(r->aside, text, sizeof(text) - 1, 0);

	text[n > 0 ? n : 0] = 0;
	out_flush(&r->m->s->print.out);
	while ((line = strsep(&rest, "\n")))
		tell_line(r, line, target);
}

static bool refuse_plan(struct run *r, const char *why)
{
	session_complain(r->m->s, FSCK_ERROR, _("%s, so there is no plan"),
			 why);
	return false;
}

/* The file is written, or mke2fs has refused; false: neither. */
static bool judge_plan(struct run *r, int status, const char *target,
		       bool tell, bool *refused)
{
	*refused = WIFEXITED(status) && WEXITSTATUS(status) &&
		   WEXITSTATUS(status) < STATUS_NOT_RUN;
	if (r->stopped)
		return false;
	if (r->bound || !is_bounded(r, 0))
		return refuse_plan(r, _(r->bound));
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
		return refuse_plan(r, _("mke2fs was killed, as the kernel does "
					"when memory is short"));
	if (!*refused)
		return judge_status(r, "mke2fs", status);
	if (tell) {
		tell_aside(r, target);
		refuse_plan(r, _("mke2fs would not make this file system"));
	}
	return true;
}

bool make_try(struct make *m, const struct words *words, int fd, bool tell,
	      bool *refused)
{
	struct run r = { .m = m, .image = fd, .aside = -1 };
	int status;
	bool ok;

	r.most = available(m->sysroot) / 2;
	r.aside = memfd_create("mke2fs", MFD_CLOEXEC);
	if (r.aside < 0)
		return complain_file(&r, NULL, errno);
	/* There is nothing to clean up yet if its reader is gone. */
	out_flush(&m->s->print.out);
	take_signals(&r);
	ok = !cancelled() && start_and_wait(&r, words, &status) &&
	     judge_plan(&r, status, m->trial_name, tell, refused);
	close(r.aside);
	give_signals_back(&r);
	return ok && !r.stopped;
}

/* ----------------------------------------------------------- the device */

/* tune2fs has no -q, and prints its version on stderr. */
static bool run_mark(struct run *r)
{
	bool ok;

	if (r->m->s->print.progress.quiet)
		r->aside = memfd_create("tune2fs", MFD_CLOEXEC);
	ok = run_program(r, &r->m->marking);
	if (r->aside < 0)
		return ok;
	if (!ok)
		tell_aside(r, NULL);
	close(r->aside);
	r->aside = -1;
	return ok;
}

bool make_run(struct make *m)
{
	struct run r = { .m = m, .aside = -1, .image = -1 };
	bool ok;

	take_signals(&r);
	ok = !cancelled() && run_program(&r, &m->command) &&
	     (!m->mark || run_mark(&r));
	give_signals_back(&r);
	return ok && !r.stopped;
}
