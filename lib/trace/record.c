/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * record.c - the block events of one device, and the checkpoints of its file
 * system's journal, from a tracefs instance
 *
 * The kernel keeps a ring buffer for each CPU.  The recorder reads whole pages
 * of each in turn, without waiting, and puts the events of all CPUs in order.
 * An event that is older than the start of the last round has certainly been
 * read by its end, but for the few that a CPU was just writing: so the newest
 * events wait for the next round.
 *
 * It reads them by read(), not by splice(): splice saves the copy of a page that
 * goes on to a file as it is.  Here each event is looked at, so the page would
 * have to be read from the pipe: the same copy, and one more call for each page.
 * And splice gives full pages only, so the last ones would need read() anyway.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "io/grow.h"
#include "kernel_page.h"
#include "record.h"
#include "tracefs.h"

#define BUFFER		((uint64_t)16 << 20)
#define LATE		(20 * 1000000)	/* ns that a CPU may be late */
#define SECTOR		512

struct pending {
	struct e2lazy_request r;	/* its time is the kernel's */
	uint64_t	order;		/* as read: equal times keep it */
};

struct e2lazy_recorder {
	struct e2lazy_record_device device;
	dev_t		dev;
	uint64_t	sequence;
	int		tracefs, instance;	/* directories; -1: none */
	char		name[TRACEFS_NAME];
	const char	*event;		/* its directory */
	struct kernel_form form;
	int		*cpus;		/* their pages; -1: off */
	unsigned	nr_cpus;
	uint8_t		*page;
	size_t		page_bytes;
	bool		stopped;
	uint64_t	began, looked;	/* the kernel's clock */
	struct pending	*pending;
	size_t		count, room;
	struct e2lazy_trace_checkpoint *checkpoints;	/* in no order */
	size_t		nr_checkpoints, room_checkpoints;
	uint64_t	order, lost;
};

/* ---------------------------------------------------------------- open */

static uint64_t clock_now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * (uint64_t)1000000000 + t.tv_nsec;
}

static errcode_t write_event(struct e2lazy_recorder *r, const char *file,
			     const char *text)
{
	char path[96];

	snprintf(path, sizeof(path), "events/block/%s/%s", r->event, file);
	return tracefs_write(r->instance, path, text);
}

static errcode_t read_form(struct e2lazy_recorder *r)
{
	char path[96], *format = NULL, *page = NULL;
	errcode_t err;

	snprintf(path, sizeof(path), "events/block/%s/format", r->event);
	err = tracefs_read(r->instance, path, &format);
	if (!err)
		err = tracefs_read(r->tracefs, "events/header_page", &page);
	if (!err && !kernel_form_parse(format, page, &r->form))
		err = E2LAZY_ET_TRACEFS;
	free(format);
	free(page);
	return err;
}

static errcode_t enable_jbd2(struct e2lazy_recorder *r, const char *event)
{
	char path[96], text[64];
	errcode_t err;

	snprintf(text, sizeof(text), "dev == %u",
		 major(r->dev) << 20 | minor(r->dev));
	snprintf(path, sizeof(path), "events/jbd2/%s/filter", event);
	err = tracefs_write(r->instance, path, text);
	snprintf(path, sizeof(path), "events/jbd2/%s/enable", event);
	return err ? err : tracefs_write(r->instance, path, "1");
}

/* A trace without them serves still. */
static void watch_checkpoints(struct e2lazy_recorder *r)
{
	static const char *const events[] = { "jbd2_checkpoint",
					      "jbd2_checkpoint_stats" };
	char path[96], *formats[2] = { NULL };
	bool good = true;

	for (unsigned i = 0; i < 2; i++) {
		snprintf(path, sizeof(path), "events/jbd2/%s/format",
			 events[i]);
		good &= !tracefs_read(r->instance, path, &formats[i]);
	}
	good = good && kernel_form_add_jbd2(formats[0], formats[1], &r->form);
	for (unsigned i = 0; i < 2; i++) {
		if (good && enable_jbd2(r, events[i]))
			r->form.begins.id = r->form.ends.id = 0;
		free(formats[i]);
	}
}

/* Nearly all of the buffer goes to this event of this disk. */
static errcode_t set_up(struct e2lazy_recorder *r, uint64_t buffer)
{
	char text[64];
	errcode_t err;

	r->event = r->device.queued ? "block_bio_queue" : "block_rq_issue";
	err = read_form(r);
	if (!err)
		err = tracefs_write(r->instance, "tracing_on", "0");
	if (!err)
		err = tracefs_write(r->instance, "trace_clock", "mono");
	snprintf(text, sizeof(text), "%llu",
		 (unsigned long long)((buffer ? buffer : BUFFER) >> 10));
	if (!err)
		err = tracefs_write(r->instance, "buffer_size_kb", text);
	/* The oldest events stay: a gap is where the trace ends. */
	if (!err)
		err = tracefs_write(r->instance, "options/overwrite", "0");
	snprintf(text, sizeof(text), "dev == %u",
		 major(r->device.disk) << 20 | minor(r->device.disk));
	if (!err)
		err = write_event(r, "filter", text);
	return err ? err : write_event(r, "enable", "1");
}

static errcode_t open_cpus(struct e2lazy_recorder *r)
{
	long n = sysconf(_SC_NPROCESSORS_CONF);
	char path[64];

	r->nr_cpus = n > 0 ? n : 1;
	r->cpus = malloc(r->nr_cpus * sizeof(*r->cpus));
	/* The kernel may be told to use larger pages. */
	r->page_bytes = (size_t)1 << 16;
	r->page = malloc(r->page_bytes);
	if (!r->cpus || !r->page)
		return EXT2_ET_NO_MEMORY;
	for (unsigned i = 0; i < r->nr_cpus; i++)
		r->cpus[i] = -1;
	for (unsigned i = 0; i < r->nr_cpus; i++) {
		snprintf(path, sizeof(path), "per_cpu/cpu%u/trace_pipe_raw", i);
		r->cpus[i] = openat(r->instance, path, O_RDONLY | O_NONBLOCK |
				    O_CLOEXEC);
		if (r->cpus[i] < 0 && errno != ENOENT && errno != ENODEV)
			return errno;
	}
	return 0;
}

errcode_t e2lazy_record_open(const char *device,
			     const struct e2lazy_record_opts *opts,
			     struct e2lazy_recorder **out)
{
	struct e2lazy_recorder *r = calloc(1, sizeof(*r));
	errcode_t err;

	if (!r)
		return EXT2_ET_NO_MEMORY;
	r->tracefs = r->instance = -1;
	err = record_device_find(device, &r->dev, &r->device);
	if (!err && !record_device_there(r->dev, &r->sequence))
		err = ENXIO;
	if (!err)
		err = tracefs_open(opts ? opts->tracefs : NULL, &r->tracefs);
	if (!err)
		err = tracefs_instance(r->tracefs, r->name, &r->instance);
	if (!err)
		err = set_up(r, opts ? opts->buffer : 0);
	if (!err)
		watch_checkpoints(r);
	if (!err)
		err = open_cpus(r);
	if (err)
		e2lazy_record_close(r);
	else
		*out = r;
	return err;
}

void e2lazy_record_close(struct e2lazy_recorder *r)
{
	if (!r)
		return;
	for (unsigned i = 0; r->cpus && i < r->nr_cpus; i++)
		if (r->cpus[i] >= 0)
			close(r->cpus[i]);
	if (r->instance >= 0) {
		tracefs_write(r->instance, "tracing_on", "0");
		if (r->event)
			write_event(r, "enable", "0");
		close(r->instance);
		tracefs_remove(r->tracefs, r->name);
	}
	if (r->tracefs >= 0)
		close(r->tracefs);
	free(r->cpus);
	free(r->page);
	free(r->pending);
	free(r->checkpoints);
	free(r);
}

const struct e2lazy_record_device *
e2lazy_record_device(const struct e2lazy_recorder *r)
{
	return &r->device;
}

/* -------------------------------------------------------------- record */

errcode_t e2lazy_record_start(struct e2lazy_recorder *r)
{
	r->began = clock_now();
	return tracefs_write(r->instance, "tracing_on", "1");
}

errcode_t e2lazy_record_stop(struct e2lazy_recorder *r)
{
	r->stopped = true;
	return tracefs_write(r->instance, "tracing_on", "0");
}

static errcode_t keep(struct e2lazy_recorder *r, const struct e2lazy_request *q)
{
	struct pending *p = grow(r->pending, r->count, &r->room, sizeof(*p));

	if (!p)
		return EXT2_ET_NO_MEMORY;
	r->pending = p;
	p[r->count++] = (struct pending){ .r = *q, .order = r->order++ };
	return 0;
}

static errcode_t keep_checkpoint(struct e2lazy_recorder *r,
				 const struct e2lazy_trace_checkpoint *c)
{
	struct e2lazy_trace_checkpoint *at =
		grow(r->checkpoints, r->nr_checkpoints, &r->room_checkpoints,
		     sizeof(*at));

	if (!at)
		return EXT2_ET_NO_MEMORY;
	r->checkpoints = at;
	at += r->nr_checkpoints++;
	*at = *c;
	at->t = c->t > r->began ? c->t - r->began : 0;
	return 0;
}

/* One or two requests: a flush has no place. */
static errcode_t note_event(void *priv, const struct kernel_event *e)
{
	struct e2lazy_recorder *r = priv;
	const struct e2lazy_record_device *d = &r->device;
	struct e2lazy_request q = { .t = e->t, .op = E2LAZY_OP_FLUSH };
	uint64_t first = d->start / SECTOR, sectors = d->bytes / SECTOR;
	errcode_t err;

	if (e->is_checkpoint)
		return keep_checkpoint(r, &e->checkpoint);
	err = e->flush ? keep(r, &q) : 0;
	q = e->r;
	if (err || q.op == E2LAZY_OP_FLUSH || !q.length ||
	    e->sector < first || e->sector - first >= sectors)
		return err;
	q.t = e->t;
	q.offset = (e->sector - first) * SECTOR;
	return keep(r, &q);
}

/* Read what a CPU has. */
static errcode_t drain(struct e2lazy_recorder *r, int cpu)
{
	errcode_t err = 0;
	ssize_t n;

	while (!err) {
		n = read(cpu, r->page, r->page_bytes);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n && errno != EAGAIN ? errno : 0;
		err = kernel_page_read(&r->form, r->page, n, note_event, r,
				       &r->lost);
	}
	return err;
}

static int by_time(const void *a, const void *b)
{
	const struct pending *x = a, *y = b;

	if (x->r.t != y->r.t)
		return x->r.t < y->r.t ? -1 : 1;
	return x->order < y->order ? -1 : 1;
}

static errcode_t give(struct e2lazy_recorder *r, uint64_t until,
		      errcode_t (*found)(void *priv,
					 const struct e2lazy_request *),
		      void *priv)
{
	struct e2lazy_request q;
	errcode_t err = 0;
	size_t i;

	if (!r->count)
		return 0;
	qsort(r->pending, r->count, sizeof(*r->pending), by_time);
	for (i = 0; i < r->count && !err; i++) {
		q = r->pending[i].r;
		if (q.t > until)
			break;
		q.t = q.t > r->began ? q.t - r->began : 0;
		err = found(priv, &q);
	}
	memmove(r->pending, r->pending + i,
		(r->count - i) * sizeof(*r->pending));
	r->count -= i;
	return err;
}

/* "dropped events: N": the events for which there was no room. */
static void count_dropped(struct e2lazy_recorder *r)
{
	unsigned long long dropped, sum = 0;
	char path[64], *text, *at;

	for (unsigned i = 0; i < r->nr_cpus; i++) {
		snprintf(path, sizeof(path), "per_cpu/cpu%u/stats", i);
		if (r->cpus[i] < 0 || tracefs_read(r->instance, path, &text))
			continue;
		at = strstr(text, "dropped events: ");
		if (at && sscanf(at, "dropped events: %llu", &dropped) == 1)
			sum += dropped;
		free(text);
	}
	if (sum > r->lost)
		r->lost = sum;
}

errcode_t e2lazy_record_take(struct e2lazy_recorder *r,
			     errcode_t (*found)(void *priv,
						const struct e2lazy_request *),
			     void *priv)
{
	uint64_t now = clock_now(), sequence;
	errcode_t err = 0;

	for (unsigned i = 0; i < r->nr_cpus && !err; i++)
		if (r->cpus[i] >= 0)
			err = drain(r, r->cpus[i]);
	if (!err)
		err = give(r, r->stopped ? UINT64_MAX : now - LATE, found, priv);
	if (r->stopped || now - r->looked > 1000000000) {
		r->looked = now;
		count_dropped(r);
	}
	/* Soon, for another device may get its number. */
	if (!err && (!record_device_there(r->dev, &sequence) ||
		     sequence != r->sequence))
		err = E2LAZY_ET_RECORD_GONE;
	return err;
}

static int checkpoints_by_time(const void *a, const void *b)
{
	const struct e2lazy_trace_checkpoint *x = a, *y = b;

	return (x->t > y->t) - (x->t < y->t);
}

void e2lazy_record_checkpoints(struct e2lazy_recorder *r,
			       struct e2lazy_trace_fs *fs)
{
	if (!r->form.begins.id)
		return;
	fs->flags |= E2LAZY_TRACE_WATCHED;
	fs->checkpoints = r->checkpoints;
	fs->nr_checkpoints = r->nr_checkpoints;
	fs->room_checkpoints = r->room_checkpoints;
	r->checkpoints = NULL;
	r->nr_checkpoints = r->room_checkpoints = 0;
	if (fs->nr_checkpoints)
		qsort(fs->checkpoints, fs->nr_checkpoints,
		      sizeof(*fs->checkpoints), checkpoints_by_time);
}

uint64_t e2lazy_record_lost(const struct e2lazy_recorder *r)
{
	return r->lost;
}
