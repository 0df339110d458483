/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inside.c - the process that runs a tool on the overlays, and then compares
 *
 * Its stderr is the tool's: what it says becomes a part of the report.  Once the
 * tool is at its end, the process needs no rights any more to read.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "compare.h"
#include "rehearse.h"
#include "session/child.h"
#include "support/confine.h"
#include "support/nls.h"
#include "support/status.h"

#define LOOK_MS		100
#define MOST_SAID	(256 << 10)

struct inside {
	struct view	*v;
	const struct job *job;
	const sigset_t	*mask;
	struct cow	overlays[MAX_VOLUMES];
	bool		known;		/* what was written */
	int		told;		/* our own stderr */
	struct rehearsed r;
};

static uint64_t overlays_bytes(const struct inside *in)
{
	uint64_t bytes = 0;

	for (unsigned i = 0; i < in->v->nr_volumes; i++)
		bytes += cow_bytes(&in->overlays[i]);
	return bytes;
}

/*
 * e2fsck looks for an external journal by its UUID unless it is told of one.
 * Damage can make a superblock name one.
 */
static void fsck_words(const struct inside *in, struct words *words)
{
	const struct view *v = in->v;

	words_list(words, "e2fsck", in->job->tool == REHEARSE_PREEN ?
		   "-p" : "-fy", "-j", NULL);
	if (v->nr_volumes > 1)
		words_add(words, "%s", v->volumes[1].file);
	else
		words_add(words, "%s/no-journal", v->directory);
	words_add(words, "%s", v->volumes[0].file);
}

static void watch(struct inside *in, struct child *child)
{
	while (!child_wait(child, LOOK_MS)) {
		if (overlays_bytes(in) <= in->job->most)
			continue;
		in->r.full = true;
		child_stop(child);
	}
}

static void run_fsck(struct inside *in)
{
	struct words words = { .count = 0 };
	struct child child;

	fsck_words(in, &words);
	if (child_start(&child, "e2fsck", &words, in->mask)) {
		watch(in, &child);
		in->r.ended = true;
		if (WIFSIGNALED(child.status))
			in->r.signal = WTERMSIG(child.status);
		else
			in->r.status = WEXITSTATUS(child.status);
	}
	words_free(&words);
}

static void run_tool(struct inside *in)
{
	if (in->job->tool == REHEARSE_MOUNT)
		rehearse_mount(in->v, &in->r);
	else
		run_fsck(in);
	in->r.overlay = overlays_bytes(in);
	/* It may have been faster than the watch. */
	in->r.full |= in->r.overlay > in->job->most;
	in->r.ended &= !in->r.full;
}

static void put_said(int said, FILE *to)
{
	char bytes[4096];
	size_t left = MOST_SAID;
	ssize_t n;

	lseek(said, 0, SEEK_SET);
	while (left && (n = read(said, bytes, sizeof(bytes))) > 0) {
		n = (size_t)n < left ? n : (ssize_t)left;
		left -= (size_t)n;
		fwrite(bytes, 1, (size_t)n, to);
	}
}

/* Behind the struct, which is known last. */
static int report(struct inside *in, int said)
{
	FILE *to = fdopen(in->job->report, "w");
	bool failed;

	if (!to)
		return FSCK_ERROR;
	fwrite(&in->r, sizeof(in->r), 1, to);
	if (in->r.ended)
		rehearsal_compare(in->v, in->known ? in->overlays : NULL,
				  &in->r, to);
	put_said(said, to);
	failed = fseek(to, 0, SEEK_SET) ||
		 fwrite(&in->r, sizeof(in->r), 1, to) != 1;
	return fclose(to) || failed ? FSCK_ERROR : FSCK_OK;
}

static bool begin(struct inside *in, int *said)
{
	bool found = true;

	for (unsigned i = 0; i < in->v->nr_volumes; i++)
		found &= cow_open(&in->overlays[i], in->v, i);
	*said = memfd_create("said", MFD_CLOEXEC);
	in->told = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
	if (!found)
		complain(in->v->device, _("nbdkit's overlay was not found, so "
					  "its size cannot be limited"));
	else if (*said < 0 || dup2(*said, STDERR_FILENO) < 0)
		complain_error(in->v->device, errno);
	else
		return true;
	return false;
}

/* What the library says of both sides is no word of the tool's. */
static void be_silent(void)
{
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

	if (nothing >= 0)
		dup2(nothing, STDERR_FILENO);
}

int rehearse_inside(struct view *v, const sigset_t *mask)
{
	struct inside in = { .v = v, .job = v->priv, .mask = mask };
	int said;

	status_let_signals_end();
	sigprocmask(SIG_SETMASK, mask, NULL);
	if (!begin(&in, &said))
		return FSCK_ERROR;
	run_tool(&in);
	be_silent();
	in.known = cow_find(&in.overlays[0]);
	confine(NULL);
	return report(&in, said);
}
