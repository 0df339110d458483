/* SPDX-License-Identifier: GPL-2.0-only */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "judged.h"

void close_subject(struct judged *j)
{
	e2lazy_verdict_free(j->verdict);
	e2lazy_view_free(j->subject.view);
	e2lazy_layout_free(j->subject.layout);
	j->verdict = NULL;
	j->subject.view = NULL;
	j->subject.layout = NULL;
}

void open_subject(struct judged *j, struct fixture *f)
{
	close_subject(j);
	j->f = f;
	ck_assert_int_eq(try_open(f, &j->open), 0);
	read_map(f, E2LAZY_JMAP_CSUMS | j->map_flags, j->until);
	ck_assert_int_eq(e2lazy_view_build(f->journal, f->map,
					   &j->subject.view, &f->where),
			 j->no_view);
	ck_assert_int_eq(e2lazy_layout_build(f->journal, f->map,
					     &j->subject.layout, &f->where),
			 0);
	j->subject.journal = f->journal;
	j->subject.map = f->map;
}

/* ------------------------------------------------------------- judging */

static void take_finding(struct judged *j, const struct e2lazy_finding *finding)
{
	size_t n = strlen(j->line);

	if (n == 0) {
		j->first = finding->first;
		j->error = finding->error;
		j->worst = finding->problem->severity;
	}
	ck_assert_int_le(finding->problem->severity, j->worst);
	j->in_findings += finding->count;
	snprintf(j->line + n, sizeof(j->line) - n, "%s%s %llu", n ? " " : "",
		 finding->problem->id, (unsigned long long)finding->count);
}

static errcode_t note_place(void *priv, const struct e2lazy_problem *problem,
		       errcode_t error, const struct e2lazy_where *where)
{
	struct judged *j = priv;

	(void)error;
	ck_assert_ptr_nonnull(problem->id);
	ck_assert(!(where->has & E2LAZY_AT_LOGBLK) ||
		  where->volume == E2LAZY_JOURNAL);
	j->places++;
	return 0;
}

/* The progress of one search at a time. */
static struct {
	unsigned	past;		/* phases, as bits */
	int		phase;		/* -1: none yet */
	uint64_t	done, total;
} told;

/* A phase has one total, never goes backwards and does not come back. */
static errcode_t note_progress(void *priv, enum e2lazy_phase phase,
			       uint64_t done, uint64_t total)
{
	(void)priv;
	ck_assert_uint_le(done, total);
	if ((int)phase == told.phase) {
		ck_assert_msg(total == told.total && done >= told.done,
			      "phase %d: %llu of %llu, then %llu of %llu",
			      (int)phase, (unsigned long long)told.done,
			      (unsigned long long)told.total,
			      (unsigned long long)done,
			      (unsigned long long)total);
	} else {
		ck_assert_msg(!(told.past & 1U << phase),
			      "phase %d comes back", (int)phase);
		told.past |= 1U << phase;
	}
	told.phase = (int)phase;
	told.done = done;
	told.total = total;
	return 0;
}

struct e2lazy_verdict *agreed(const struct e2lazy_subject *subject)
{
	const struct e2lazy_verify_opts opts = {
		.flags = E2LAZY_VERIFY_CONTENT | E2LAZY_VERIFY_UNTIL,
	};
	const struct e2lazy_finding *f;
	struct e2lazy_verdict *verdict;

	ck_assert_int_eq(e2lazy_verify(subject, &opts, &verdict), 0);
	for (size_t i = 0; (f = e2lazy_verdict_finding(verdict, i)); i++)
		if (f->problem->consent == E2LAZY_ASK)
			ck_assert_int_eq(e2lazy_verdict_answer(verdict,
					f->problem, E2LAZY_YES), 0);
	return verdict;
}

void agree(struct judged *j)
{
	e2lazy_verdict_free(j->verdict);
	j->verdict = agreed(&j->subject);
}

const char *judge(struct judged *j, struct fixture *f, unsigned flags)
{
	static const struct e2lazy_watch watch = { .progress = note_progress };
	const struct e2lazy_finding *finding;
	struct e2lazy_verify_opts opts = {
		.flags = flags,
		.place = j->no_places ? NULL : note_place,
		.priv = j, .watch = &watch,
	};

	memset(&told, 0, sizeof(told));
	told.phase = -1;
	open_subject(j, f);
	j->line[0] = '\0';
	j->worst = E2LAZY_NOTE;
	j->places = j->in_findings = 0;
	ck_assert_int_eq(e2lazy_verify(&j->subject, &opts, &j->verdict), 0);
	for (size_t i = 0;
	     (finding = e2lazy_verdict_finding(j->verdict, i)); i++)
		take_finding(j, finding);
	return j->line;
}

static void check(const char *mke2fs, const char *spec, unsigned flags,
		  const char *expect)
{
	struct judged j = { .f = NULL };

	ck_assert_str_eq(judge(&j, map_of_fs(mke2fs, spec), flags), expect);
	close_subject(&j);
}

void check_judged(const char *mke2fs, const char *spec, const char *expect)
{
	check(mke2fs, spec, 0, expect);
}

void check_judged_whole(const char *mke2fs, const char *spec,
			const char *expect)
{
	check(mke2fs, spec, E2LAZY_VERIFY_CONTENT, expect);
}

/* ------------------------------------------------ what the log is to hold */

static blk64_t copy_at(struct fixture *f, blk64_t fsblk)
{
	struct e2lazy_copy copy;

	read_map(f, 0, 0);
	ck_assert_int_eq(e2lazy_jmap_lookup(f->map, fsblk, &copy), 0);
	return copy.physblk;
}

static unsigned blocksize(struct fixture *f)
{
	return e2lazy_geometry(f->journal)->blocksize;
}

static void flip(struct fixture *f, off_t at)
{
	int fd = open(f->image, O_RDWR);
	char byte;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pread(fd, &byte, 1, at), 1);
	byte = (char)~byte;
	ck_assert_int_eq(pwrite(fd, &byte, 1, at), 1);
	close(fd);
}

void put_real(struct fixture *f, blk64_t fsblk)
{
	put_other(f, fsblk, fsblk);
}

void put_other(struct fixture *f, blk64_t fsblk, blk64_t other)
{
	blk64_t to = copy_at(f, fsblk);
	size_t size = blocksize(f);
	char *block = malloc(size);
	int fd = open(f->image, O_RDWR);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pread(fd, block, size, (off_t)(other * size)), size);
	ck_assert_int_eq(pwrite(fd, block, size, (off_t)(to * size)), size);
	close(fd);
	free(block);
}

void flip_copy(struct fixture *f, blk64_t fsblk, unsigned offset)
{
	blk64_t at = copy_at(f, fsblk);

	flip(f, (off_t)(at * blocksize(f) + offset));
}

void put_home(struct fixture *f, blk64_t first, blk64_t last)
{
	size_t size = blocksize(f), count;
	int fd = open(f->image, O_WRONLY);
	char *block = malloc(size);
	struct e2lazy_copy copy;

	ck_assert_int_ge(fd, 0);
	read_map(f, 0, 0);
	count = e2lazy_jmap_count(f->map);
	for (size_t i = 0; i < count; i++) {
		e2lazy_jmap_get(f->map, i, &copy);
		if (copy.fsblk < first || copy.fsblk > last)
			continue;
		if (e2lazy_read_copy(f->journal, copy.logblk, copy.flags,
				     block) ||
		    pwrite(fd, block, size, (off_t)(copy.fsblk * size)) !=
		    (ssize_t)size)
			ck_abort_msg("block %llu",
				     (unsigned long long)copy.fsblk);
	}
	close(fd);
	free(block);
}

void flip_static(struct fixture *f, blk64_t fsblk, unsigned offset)
{
	read_map(f, 0, 0);
	flip(f, (off_t)(fsblk * blocksize(f) + offset));
}
