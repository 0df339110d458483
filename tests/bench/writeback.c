/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * writeback - write a log back with libe2lazy, and print time and requests
 *
 *	writeback [-t | -c | -f N] IMAGE MEMORY
 *
 * Works like e2lazyck: if the memory suffices, it reads the log at once.  The
 * time of the verdict does not count, because a replay reaches none.
 * Prints one line: seconds to open and to build map and view, seconds to
 * write back, live mappings, static blocks written, requests, passes, steps
 * back ("-" without -t).  With -t the program watches every write on its way to
 * the device, one at a time.  A step back is a write that begins below the end
 * of the write before it; superblocks do not count.  MEMORY is in bytes.  Exit
 * status 0, or 1 with a message.
 *
 * With -c it logs all live copies again instead.  With -f it frees the N oldest
 * transactions only, without a copy in memory before, and counts their live
 * copies.  Both print one number more: blocks read.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "e2lazy_mend.h"
#include "stacked_io.h"

/* --------------------------------------------------------------- watching */

static struct {
	blk64_t		super, journal_super;
	uint64_t	end;		/* of the last write */
	uint64_t	steps_back;
} watched;

static errcode_t watch_write(io_channel channel, uint64_t offset, size_t count,
			     const void *bytes)
{
	blk64_t block = offset / channel->block_size;

	(void)bytes;
	if (block != watched.super && block != watched.journal_super) {
		watched.steps_back += block < watched.end;
		watched.end = block + count / channel->block_size;
	}
	return 0;
}

static errcode_t watch_open(const char *name, int flags, io_channel *out);

static struct stacked_io watching = {
	.manager = STACKED_IO_MANAGER("watching I/O manager", watch_open),
	.write = watch_write,
};

static errcode_t watch_open(const char *name, int flags, io_channel *out)
{
	return stacked_open(&watching, name, flags, out);
}

/* ---------------------------------------------------------------- working */

struct source {
	struct e2lazy_journal *journal;
	struct e2lazy_jmap *map;
	struct e2lazy_layout *layout;
	struct e2lazy_view *view;
	struct e2lazy_verdict *verdict;
};

static errcode_t open_view(struct source *s, const char *image)
{
	struct e2lazy_jmap_opts opts = {
		.flags = E2LAZY_JMAP_CSUMS | E2LAZY_JMAP_STATES,
	};
	errcode_t err;

	err = e2lazy_open(image, NULL, &s->journal, NULL);
	if (!err)
		err = e2lazy_jmap_build(s->journal, &opts, &s->map);
	if (!err)
		err = e2lazy_layout_build(s->journal, s->map, &s->layout, NULL);
	if (!err)
		err = e2lazy_view_build(s->journal, s->map, &s->view, NULL);
	if (!err)
		err = e2lazy_physblk(s->journal, 0, &watched.journal_super);
	if (!err)
		watched.super = e2lazy_geometry(s->journal)->blocksize == 1024;
	return err;
}

/* mkjournal's copies hold anything, so each question gets a yes. */
static errcode_t judge(struct source *s)
{
	const struct e2lazy_subject subject = {
		s->journal, s->map, s->layout, s->view,
	};
	const struct e2lazy_verify_opts opts = {
		.flags = E2LAZY_VERIFY_CONTENT,
	};
	const struct e2lazy_finding *f;
	errcode_t err = e2lazy_verify(&subject, &opts, &s->verdict);

	for (size_t i = 0;
	     !err && (f = e2lazy_verdict_finding(s->verdict, i)); i++)
		if (f->problem->consent == E2LAZY_ASK)
			err = e2lazy_verdict_answer(s->verdict, f->problem,
						    E2LAZY_YES);
	return err;
}

/* What is to be done with the log. */
struct job {
	bool		watch, compact;
	unsigned long	free;		/* 0: all of it */
	struct e2lazy_tail tail;
};

static bool take_options(struct job *job, int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "tcf:")) != -1) {
		job->watch |= option == 't';
		job->compact |= option == 'c';
		if (option == 'f')
			job->free = strtoul(optarg, NULL, 0);
		if (option == '?')
			return false;
	}
	return argc - optind == 2;
}

static errcode_t find_tail(const struct source *s, struct job *job)
{
	const struct e2lazy_subject subject = {
		s->journal, s->map, s->layout, s->view,
	};

	return job->free ? e2lazy_tail_find(&subject,
				&(struct e2lazy_tail_want){
					E2LAZY_TAIL_TIDS, job->free },
				&job->tail) : 0;
}

int main(int argc, char **argv)
{
	struct job job = { .free = 0 };
	struct e2lazy_checkpoint_opts opts = { .flags = 0 };
	struct e2lazy_checkpoint_done done;
	struct e2lazy_where where;
	struct source s = { NULL };
	double began, opened, kept, judged, ended;
	errcode_t err;

	if (!take_options(&job, argc, argv)) {
		fputs("usage: writeback [-t | -c | -f N] IMAGE MEMORY\n",
		      stderr);
		return 1;
	}
	initialize_e2lz_error_table();
	initialize_ext2_error_table();
	argv += optind - 1;
	opts.memory = strtoull(argv[2], NULL, 0);
	opts.manager = job.watch ? &watching.manager : NULL;
	began = now();
	err = open_view(&s, argv[1]);
	opened = now();
	if (!err && !job.free)
		err = e2lazy_view_keep(s.view, opts.memory, NULL);
	kept = now();
	if (!err)
		err = judge(&s);
	if (!err)
		err = find_tail(&s, &job);
	opts.tail = job.free ? &job.tail : NULL;
	judged = now();
	if (!err)
		err = (job.compact ? e2lazy_relog : e2lazy_checkpoint)
			(s.view, s.verdict, &opts, &done, &where);
	ended = now();
	if (!err) {
		printf("%.6f %.6f %zu %" PRIu64 " %" PRIu64 " %u ",
		       opened - began, kept - opened + ended - judged,
		       job.free ? (size_t)job.tail.live :
				  e2lazy_jmap_count(s.map),
		       done.blocks_written, done.writes, done.passes);
		if (job.watch)
			printf("%" PRIu64 "\n", watched.steps_back);
		else if (job.compact || job.free)
			printf("- %" PRIu64 "\n", done.blocks_read);
		else
			puts("-");
	}
	e2lazy_verdict_free(s.verdict);
	e2lazy_view_free(s.view);
	e2lazy_layout_free(s.layout);
	e2lazy_jmap_free(s.map);
	e2lazy_close(s.journal);
	if (err) {
		fprintf(stderr, "writeback: %s: %s\n", argv[1],
			error_message(err));
		return 1;
	}
	return 0;
}
