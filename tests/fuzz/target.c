/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * target.c - from libFuzzer to a target, and the steps that all targets share
 */
#include <libgen.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "target.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int report;		/* standard error, which libFuzzer may close */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *dir = getenv("FUZZ_TEMPLATES");
	char *program, *beside;

	(void)argc;
	report = dup(STDERR_FILENO);
	initialize_ext2_error_table();
	initialize_e2lz_error_table();
	if (dir) {
		templates_load(dir);
		return 0;
	}
	program = strdup((*argv)[0]);
	if (!program || asprintf(&beside, "%s/templates", dirname(program)) < 0)
		return 1;
	templates_load(beside);
	free(beside);
	free(program);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct template *t;
	struct input in;

	input_parse(&in, data, size);
	t = input_lay(&in);
	device_bytes_read = 0;
	fuzz_one(t, &in);
	input_clear(t);
	return 0;
}

void fuzz_tell(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vdprintf(report, format, args);
	va_end(args);
}

void fuzz_broken(const char *rule, const char *file, int line)
{
	fuzz_tell("%s:%d: does not hold: %s\n", file, line, rule);
	abort();
}

void fuzz_bound(const struct template *t, unsigned times)
{
	uint64_t bytes = t->fs.loaded + t->journal.loaded;

	if (getenv("FUZZ_SHOW_READS"))
		fuzz_tell("read %.2f of the device\n",
			  (double)device_bytes_read / (double)bytes);
	must(device_bytes_read <= times * bytes);
}

/* No other process writes to this memory, and its name is unique. */
static errcode_t agree(void *unused)
{
	(void)unused;
	return 0;
}

static void let_go(void *unused)
{
	(void)unused;
}

static const struct e2lazy_medium_guard guard = {
	.lock = agree, .unlock = let_go, .check = agree,
};

struct e2lazy_journal *fuzz_open(struct template *t)
{
	struct e2lazy_open_opts opts = { .manager = device_io_manager };
	struct e2lazy_medium fs = {
		.name = t->fs.name, .bytes = t->fs.size, .guard = &guard,
	};
	struct e2lazy_medium log = {
		.name = t->journal.name, .bytes = t->journal.size,
		.guard = &guard,
	};
	struct e2lazy_journal *journal;
	struct e2lazy_where where;

	if (e2lazy_open_medium(&fs, t->journal.bytes ? &log : NULL, &opts,
			       &journal, &where))
		return NULL;
	return journal;
}

/* By what the input holds, so that a crasher stays one. */
bool fuzz_one_in(unsigned count, const struct input *in)
{
	unsigned sum = in->template + in->flags + in->until + in->nr_ops;

	for (unsigned i = 0; i < in->nr_ops; i++)
		sum = 31 * sum + in->ops[i].where + in->ops[i].offset;
	return sum % count == 0;
}

struct e2lazy_jmap *fuzz_map(struct e2lazy_journal *journal,
			     const struct input *in, unsigned flags)
{
	struct e2lazy_jmap_opts opts = {
		.flags = flags,
		.until = e2lazy_geometry(journal)->sequence + in->until,
	};
	struct e2lazy_jmap *map;

	if (in->flags & INPUT_DATA)
		opts.flags |= E2LAZY_WALK_DATA;
	if (in->flags & INPUT_UNTIL)
		opts.flags |= E2LAZY_WALK_UNTIL;
	return e2lazy_jmap_build(journal, &opts, &map) ? NULL : map;
}

bool fuzz_look(struct template *t, const struct input *in,
	       struct fuzz_look *l,
	       bool (*mapped)(struct template *t, const struct fuzz_look *l))
{
	const struct e2lazy_verify_opts opts = {
		.flags = E2LAZY_VERIFY_CONTENT,
	};
	struct input all = *in;
	struct e2lazy_where where;

	all.flags &= (uint8_t)~INPUT_UNTIL;
	memset(l, 0, sizeof(*l));
	l->s.journal = fuzz_open(t);
	/* Multiple mount protection waits for seconds. */
	if (!l->s.journal ||
	    ext2fs_has_feature_mmp(e2lazy_static_fs(l->s.journal)->super))
		return false;
	l->s.map = l->map = fuzz_map(l->s.journal, &all,
				     E2LAZY_JMAP_CSUMS | E2LAZY_JMAP_STATES);
	return l->map && (!mapped || mapped(t, l)) &&
	       !e2lazy_layout_build(l->s.journal, l->map, &l->s.layout,
				    &where) &&
	       !e2lazy_view_build(l->s.journal, l->map, &l->s.view, &where) &&
	       !e2lazy_verify(&l->s, &opts, &l->verdict);
}

void fuzz_shut(struct fuzz_look *l)
{
	e2lazy_verdict_free(l->verdict);
	e2lazy_view_free(l->s.view);
	e2lazy_layout_free(l->s.layout);
	e2lazy_jmap_free(l->map);
	e2lazy_close(l->s.journal);
	memset(l, 0, sizeof(*l));
}

void fuzz_answer_all(struct e2lazy_verdict *verdict)
{
	const struct e2lazy_finding *f;

	for (size_t i = 0; (f = e2lazy_verdict_finding(verdict, i)); i++)
		if (f->problem->consent == E2LAZY_ASK)
			must(!e2lazy_verdict_answer(verdict, f->problem,
						    E2LAZY_YES));
}
