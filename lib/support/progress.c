/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * progress.c - the progress of a long job
 */
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "nls.h"
#include "text.h"
#include "progress.h"
#include "status.h"

#define BAR_WIDTH	30
#define PATIENCE	1.0	/* seconds before anything is shown */
#define REDRAW		0.2	/* seconds, on a terminal */
#define REPORT		5.0	/* seconds, elsewhere */
#define SEND		0.1	/* seconds, to the descriptor of -C */

static const struct {
	const char *text;
	const char *unit;
	bool prints;		/* rows, which show progress enough */
} phases[] = {
	[PHASE_LOG] = { N_("reading the log"), N_("blocks"), false },
	[PHASE_COPIES] = { N_("going through the copies"), N_("copies"),
			   true },
	[PHASE_BEYOND] = { N_("reading past the head"), N_("blocks"), true },
	[PHASE_INODES] = { N_("reading the inodes"), N_("inodes"), false },
	[PHASE_DIRECTORIES] = { N_("reading the directories"),
				N_("directories"), false },
	[PHASE_READ] = { N_("reading the copies"), N_("copies"), false },
	[PHASE_VERIFY] = { N_("verifying the copies"), N_("copies"), false },
	[PHASE_SUPERSEDED] = { N_("verifying superseded copies"), N_("copies"),
			       false },
	[PHASE_UNDO] = { N_("saving blocks for undo"), N_("blocks"),
			 false },
	[PHASE_TXNS] = { N_("checking the transactions"), N_("transactions"),
			 false },
	[PHASE_RING] = { N_("reading the rest of the log"),
			 N_("blocks"), false },
	[PHASE_ROLES] = { N_("comparing copies with their "
			     "owners"), N_("blocks"),
			  false },
	[PHASE_ESCAPES] = { N_("comparing escaped copies"), N_("copies"),
			    false },
	[PHASE_IN_PLACE] = { N_("comparing copies with static blocks"),
			     N_("blocks"), false },
	[PHASE_HOME] = { N_("counting copies already in place"), N_("blocks"),
			 false },
	[PHASE_CARVE] = { N_("searching the device"), N_("blocks"), false },
	[PHASE_SURVEY] = { N_("looking for the log's form"), N_("blocks"),
			   false },
	[PHASE_TRACE] = { N_("reading the trace"), N_("bytes"), false },
	[PHASE_RECORD] = { N_("recording"), N_("requests"), false },
	[PHASE_HASH] = { N_("computing the checksum"), N_("bytes"), false },
	[PHASE_REHEARSE] = { N_("running tools on overlays"), N_("tools"),
			     false },
	[PHASE_COMPARE] = { N_("reading blocks back"), N_("blocks"), false },
	[PHASE_WRITE] = { N_("writing blocks back"), N_("blocks"), false },
	[PHASE_FILES] = { N_("reading deleted files"), N_("files"), true },
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

void progress_begin(struct progress *progress, enum phase phase)
{
	progress->phase = phase;
	progress->done = progress->total = 0;
	progress->began = progress->shown = now();
	progress->sent = 0;
	progress->terminal = isatty(STDERR_FILENO);
	progress->hushed = progress->quiet ||
			   (phases[phase].prints && isatty(STDOUT_FILENO));
	progress->drawn = false;
	/* A phase that came back would give one number two meanings. */
	progress->again = progress->past & 1U << phase;
	progress->past |= 1U << phase;
}

static void send_line(struct progress *progress)
{
	const char *device = progress->device, *end = device + strlen(device);
	char shown[PRINTABLE];

	dprintf(progress->fd, "%d %llu %llu ", progress->phase,
		(unsigned long long)progress->done,
		(unsigned long long)progress->total);
	while (device < end)
		dprintf(progress->fd, "%.*s",
			(int)printable(shown, &device, end - device), shown);
	dprintf(progress->fd, "\n");
}

static void draw_bar(struct progress *progress, double rate)
{
	double part = (double)progress->done / progress->total;
	double left = (progress->total - progress->done) / rate;
	int filled = part * BAR_WIDTH;
	char text[128];

	/* TRANSLATORS: beside a bar: 50% 300 blocks/s, 10 s left */
	snprintf(text, sizeof(text), _("%3.0f%% %.0f %s/s, %.0f s left"),
		 part * 100, rate, _(phases[progress->phase].unit), left);
	/* Carriage return, text, clear to the end of the line. */
	fprintf(stderr, "\r%s [%.*s%*s] %s\033[K",
		_(phases[progress->phase].text), filled,
		"==============================", BAR_WIDTH - filled, "",
		text);
	progress->drawn = true;
}

static void show(struct progress *progress, double time)
{
	double rate = progress->done / (time - progress->began);

	progress->shown = time;
	if (!progress->done || progress->done > progress->total)
		return;
	if (progress->terminal)
		draw_bar(progress, rate);
	else
		complain(progress->device, _("%s: %.0f%%, %.0f %s/s"),
			 _(phases[progress->phase].text),
			 progress->done * 100.0 / progress->total, rate,
			 _(phases[progress->phase].unit));
}

bool progress_tick(struct progress *progress, uint64_t done, uint64_t total)
{
	double time;

	if (!progress->total)
		progress->total = total;
	if (done > progress->total)
		done = progress->total;
	if (done > progress->done)
		progress->done = done;
	if (progress->again)
		return !cancelled();
	if (!progress->hushed || progress->fd >= 0) {
		time = now();
		if (progress->fd >= 0 && time - progress->sent >= SEND) {
			progress->sent = time;
			send_line(progress);
		}
		if (!progress->hushed && time - progress->began >= PATIENCE &&
		    time - progress->shown >=
		    (progress->terminal ? REDRAW : REPORT))
			show(progress, time);
	}
	return !cancelled();
}

bool progress_note(struct progress *progress, const char *text)
{
	double time = now();

	if (progress->hushed || time - progress->shown <
				(progress->terminal ? REDRAW : REPORT))
		return !cancelled();
	progress->shown = time;
	if (progress->terminal)
		fprintf(stderr, "\r%s: %s\033[K",
			_(phases[progress->phase].text), text);
	else
		complain(progress->device, "%s: %s",
			 _(phases[progress->phase].text), text);
	progress->drawn = progress->terminal;
	return !cancelled();
}

void progress_hide(struct progress *progress)
{
	if (progress->drawn)
		fputs("\r\033[K", stderr);
	progress->drawn = false;
}

void progress_end(struct progress *progress)
{
	progress_hide(progress);
	/* -C gets the end even of very short work. */
	if (progress->fd >= 0 && progress->total && !progress->again) {
		if (!cancelled())
			progress->done = progress->total;
		send_line(progress);
	}
	progress->phase = PHASE_NONE;
}
