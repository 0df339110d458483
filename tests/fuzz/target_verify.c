/* SPDX-License-Identifier: GPL-2.0-only */
/* target_verify.c - judge a log, and plan to write it back */
#include <string.h>

#include "target.h"

const bool fuzz_wants_words = false;
const bool fuzz_wants_paths = false;

struct judging {
	uint64_t	places, counted;
	enum e2lazy_severity worst;
	bool		any;
};

static void check_finding(struct judging *judging,
			  const struct e2lazy_finding *finding)
{
	must(finding->count > 0);
	must(e2lazy_problem_find(finding->problem->id) == finding->problem);
	must(!judging->any || finding->problem->severity <= judging->worst);
	judging->any = true;
	judging->worst = finding->problem->severity;
	judging->counted += finding->count;
}

static errcode_t place(void *priv, const struct e2lazy_problem *problem,
		  errcode_t error, const struct e2lazy_where *where)
{
	struct judging *judging = priv;

	(void)error;
	must(problem->id);
	must(!(where->has & E2LAZY_AT_LOGBLK) ||
	     where->volume == E2LAZY_JOURNAL);
	judging->places++;
	return 0;
}

static void count_blocks(void *priv, blk64_t block, uint32_t count)
{
	uint64_t *blocks = priv;

	(void)block;
	*blocks += count;
}

static void check_plan(const struct e2lazy_subject *s,
		       const struct e2lazy_verdict *verdict,
		       const struct input *in)
{
	uint64_t written = 0, replayed = 0;
	struct e2lazy_plan_opts opts = {
		.memory = 1 << (10 + in->until % 16),
		.checkpoint = { count_blocks, &written },
		.replay = { count_blocks, &replayed },
	};
	size_t live = e2lazy_jmap_count(s->map);
	struct e2lazy_plan plan;

	if (e2lazy_plan(s, verdict, &opts, &plan))
		return;
	must(plan.blocks + plan.skipped <= live);
	must(plan.blocks + plan.skipped + 1 >= live);	/* the superblock */
	must(plan.runs <= plan.blocks + 1);
	must(plan.blocks == written);
	must(plan.replay_blocks == replayed);
	must(plan.write_bytes >= plan.blocks *
	     e2lazy_geometry(s->journal)->blocksize);
}

/* A log in use is not clean, and what refuses is never just in use. */
static void check_status(const struct e2lazy_subject *s,
			 const struct e2lazy_verdict *verdict)
{
	enum e2lazy_status status = e2lazy_verdict_status(verdict);

	must(status != E2LAZY_CLEAN || !e2lazy_jmap_count(s->map));
	must(status != E2LAZY_CLEAN || !e2lazy_verdict_open(verdict));
}

static void judge(struct e2lazy_subject *s, const struct input *in)
{
	struct judging judging = { .places = 0 };
	struct e2lazy_verify_opts opts = {
		.flags = in->flags & INPUT_MORE ? E2LAZY_VERIFY_CONTENT : 0,
		.place = place, .priv = &judging,
	};
	const struct e2lazy_finding *f;
	struct e2lazy_verdict *verdict;
	struct e2lazy_where where;

	if (e2lazy_layout_build(s->journal, s->map, &s->layout, &where))
		return;
	if (e2lazy_view_build(s->journal, s->map, &s->view, &where))
		s->view = NULL;
	if (!e2lazy_verify(s, &opts, &verdict)) {
		for (size_t i = 0; (f = e2lazy_verdict_finding(verdict, i));
		     i++)
			check_finding(&judging, f);
		must(judging.places <= judging.counted);
		check_status(s, verdict);
		check_plan(s, verdict, in);
		e2lazy_verdict_free(verdict);
	}
	e2lazy_view_free(s->view);
	e2lazy_layout_free(s->layout);
}

/* With what damaged descriptors prove; *@map may be another one then. */
static void recover(struct e2lazy_journal *journal, struct e2lazy_jmap **map)
{
	const struct e2lazy_jmap_opts opts = {
		.flags = E2LAZY_JMAP_CSUMS | E2LAZY_JMAP_STATES |
			 E2LAZY_JMAP_BEHIND,
	};
	size_t before = e2lazy_jmap_count(*map), recovered = 0;
	const struct e2lazy_jmap *plain = *map;
	struct e2lazy_copy copy;

	if (e2lazy_jmap_recover(journal, &opts, map))
		return;
	for (size_t i = 0; i < e2lazy_jmap_count(*map); i++) {
		e2lazy_jmap_get(*map, i, &copy);
		recovered += !!(copy.flags & E2LAZY_COPY_RECOVERED);
	}
	must(*map != plain || (!recovered &&
			       before == e2lazy_jmap_count(*map)));
}

void fuzz_one(struct template *t, const struct input *in)
{
	struct e2lazy_subject s = { .journal = fuzz_open(t) };
	struct e2lazy_jmap *map;
	struct input all = *in;

	if (!s.journal)
		return;
	all.flags &= (uint8_t)~INPUT_UNTIL;
	map = fuzz_map(s.journal, &all, E2LAZY_JMAP_CSUMS | E2LAZY_JMAP_STATES |
		       E2LAZY_JMAP_BEHIND);
	if (map)
		recover(s.journal, &map);
	s.map = map;
	if (map)
		judge(&s, in);
	e2lazy_jmap_free(map);
	e2lazy_close(s.journal);
	/* The rest of the ring is looked at up to twice, and two chains of it
	   are mapped and compared, where nothing is committed at its tail.  Copies
	   of damaged descriptors are read a few times in each of eight rounds. */
	fuzz_bound(t, 100);
}
