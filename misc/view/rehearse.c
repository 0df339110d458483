/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rehearse.c - a tool runs on the devices as they are, and changes none of them
 *
 * The keeper of e2lazy view shows each device as a file: nbdkit reads the device
 * and has its filter cow write to a temporary file, and nbdfuse makes a file of
 * it.  A kernel mounts that by a loop device.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rehearse.h"
#include "support/nls.h"
#include "support/status.h"

const char *rehearsed_command(enum rehearsed_tool tool)
{
	static const char *const commands[NR_REHEARSED] = {
		[REHEARSE_PREEN] = "e2fsck -p",
		[REHEARSE_FORCE] = "e2fsck -fy",
		[REHEARSE_MOUNT] = "mount",
	};

	return commands[tool];
}

/* -------------------------------------------------------------- the report */

/* A process has made it that a hostile image may have taken over. */
static bool makes_sense(struct rehearsal *out)
{
	const char *at = out->text, *end = at + out->bytes;

	for (uint64_t i = 0; i < out->r.listed; i++) {
		at = memchr(at, 0, (size_t)(end - at));
		if (!at++)
			return false;
	}
	return (unsigned)out->r.from < NR_REHEARSED_FROM &&
	       (unsigned)out->r.log < NR_REHEARSED_LOG;
}

static bool read_report(int fd, struct rehearsal *out)
{
	const off_t head = sizeof(out->r);
	struct stat st;

	if (fstat(fd, &st) || st.st_size < head || st.st_size > 64 << 20 ||
	    pread(fd, &out->r, sizeof(out->r), 0) != head)
		return false;
	out->bytes = (size_t)(st.st_size - head);
	out->text = calloc(1, out->bytes + 1);
	return out->text &&
	       pread(fd, out->text, out->bytes, head) ==
	       (ssize_t)out->bytes && makes_sense(out);
}

/* ---------------------------------------------------------- the rehearsal */

static int show(struct view *v)
{
	sigset_t before;
	int status = FSCK_ERROR;

	sigprocmask(SIG_BLOCK, NULL, &before);
	if (view_find_tools(v) && view_choose_places(v) &&
	    view_look_apart(v) && view_settle(v))
		status = view_run(v);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return status;
}

static bool may_mount(struct session *s, enum rehearsed_tool tool)
{
	if (tool != REHEARSE_MOUNT || !geteuid())
		return true;
	session_complain(s, FSCK_ERROR,
			 _("--rehearse-mount: only root can mount"));
	return false;
}

static bool run_and_read(struct session *s, struct job *job,
			 struct rehearsal *out)
{
	char *device = s->device;
	struct view v = { .s = s, .mode = VIEW_PRIVATE, .cow = true,
			  .as_is = true, .inside = rehearse_inside,
			  .priv = job };

	out->done = !show(&v) && read_report(job->report, out);
	s->device = device;
	view_free_places(&v);
	view_free_tools(&v.tools);
	if (!out->done && !cancelled() && !s->status)
		session_complain(s, FSCK_ERROR, _("%s: the rehearsal failed"),
				 rehearsed_command(job->tool));
	return out->done;
}

bool rehearse(struct session *s, enum rehearsed_tool tool, uint64_t most,
	      struct rehearsal *out)
{
	struct job job = { .tool = tool, .most = most,
			   .report = memfd_create("report", MFD_CLOEXEC) };
	bool good;

	*out = (struct rehearsal){ .tool = tool };
	if (job.report < 0) {
		session_complain(s, FSCK_ERROR, "%s", strerror(errno));
		return false;
	}
	good = may_mount(s, tool) && run_and_read(s, &job, out);
	close(job.report);
	return good;
}

void rehearsal_free(struct rehearsal *r)
{
	free(r->text);
}
