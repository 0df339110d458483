/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * each.c - the changes in each transaction of a stretch
 *
 * Two passes take the same steps: the first learns names, the second tells.
 */

#include <string.h>

#include "changes.h"
#include "map/versions.h"
#include "view/view.h"

struct passing {
	struct moments	*moments;
	struct step	step;
	const struct e2lazy_changes_opts *opts;
};

static errcode_t take_step(struct passing *p, uint32_t number)
{
	const struct moment *m = moments_get(p->moments, number);
	struct step *step = &p->step;
	errcode_t err = moments_go(p->moments, number);

	if (err)
		return err;
	step->blocks = moments_blocks(p->moments, &step->nr_blocks);
	step->tid = m->tid;
	step->sec = m->sec;
	step->nsec = m->nsec;
	step->beginning = !number && p->opts->beginning;
	if (number) {
		m = moments_get(p->moments, 0);
		step->began = commit_time(m->sec, m->nsec);
	}
	err = step_gather(step);
	if (!err && step->owned)
		err = owned_tell(step, false);
	if (!err)
		err = step_events(step);
	return err || !step->owned ? err : owned_tell(step, true);
}

static errcode_t pass(struct passing *p, bool silent)
{
	uint32_t count = moments_count(p->moments);
	bool last = false;
	errcode_t err = 0;

	p->step.silent = silent;
	p->step.began.sec = 0;
	if (p->step.owned)
		owned_rewind(&p->step);
	for (uint32_t i = 0; !err && !last && i < count; i++) {
		last = p->opts->has_until &&
		       moments_get(p->moments, i)->tid == p->opts->until;
		err = watch_tick(p->opts->watch, E2LAZY_PHASE_TXNS,
				 silent ? i : (uint64_t)count + i,
				 2 * (uint64_t)count);
		if (!err)
			err = take_step(p, i);
	}
	return err;
}

static errcode_t both_passes(struct passing *p, struct names *names)
{
	errcode_t err;

	p->step.before = moments_before(p->moments);
	p->step.after = moments_after(p->moments);
	p->step.opts = p->opts;
	p->step.names = names;
	p->step.from_place = moments_from_place;
	p->step.priv = p->moments;
	err = step_init(&p->step);
	if (!err && p->opts->owned)
		err = owned_open(&p->step);
	if (!err)
		err = pass(p, true);
	if (!err)
		err = names_search(names, p->opts->watch);
	if (!err)
		err = names_rewind(names);
	if (!err)
		err = pass(p, false);
	owned_close(&p->step);
	step_free(&p->step);
	return err;
}

/* A view of the first transaction, for all that the stretch does not log. */
static errcode_t build_base(struct e2lazy_journal *journal,
			    const struct e2lazy_range *ranges, uint32_t count,
			    struct e2lazy_jmap **map, struct e2lazy_view **base,
			    struct e2lazy_where *where)
{
	const struct e2lazy_jmap_opts opts = {
		.flags = E2LAZY_WALK_UNTIL | E2LAZY_JMAP_CSUMS,
		.until = ranges ? ranges->tid :
			 e2lazy_geometry(journal)->sequence,
		.range = ranges, .nr_ranges = count,
	};
	errcode_t err = e2lazy_jmap_build(journal, &opts, map);

	return err ? err : e2lazy_view_build(journal, *map, base, where);
}

static errcode_t search(struct passing *p, struct e2lazy_view *view,
			ext2_filsys *end, struct e2lazy_where *where)
{
	struct names names = { .fs = NULL };
	errcode_t err = view_open_frame(view, end, where);

	if (!err)
		err = names_init(&names, *end, p->opts->watch);
	if (!err)
		err = both_passes(p, &names);
	names_release(&names);
	return err;
}

errcode_t e2lazy_changes_each(struct e2lazy_journal *journal,
			      struct e2lazy_view *view,
			      const struct e2lazy_range *ranges, uint32_t count,
			      const struct e2lazy_changes_opts *opts,
			      struct e2lazy_where *where)
{
	struct passing p = { .opts = opts };
	struct e2lazy_jmap *map = NULL;
	struct e2lazy_view *base = NULL;
	struct e2lazy_where unused;
	ext2_filsys end = NULL;
	errcode_t err;

	where = where ? where : &unused;
	memset(where, 0, sizeof(*where));
	p.step.fresh = !ranges && log_is_fresh(journal);
	err = build_base(journal, ranges, count, &map, &base, where);
	if (!err)
		err = moments_open(journal, base, ranges, count, p.step.fresh,
				   &p.moments, where);
	p.step.described = !err && !base->borrowed;
	if (!err)
		err = e2lazy_layout_build(journal, map, &p.step.layout, where);
	if (!err && moments_count(p.moments))
		err = search(&p, view, &end, where);
	moments_close(p.moments);
	e2lazy_layout_free(p.step.layout);
	e2lazy_view_free(base);
	e2lazy_jmap_free(map);
	if (end)
		ext2fs_free(end);
	return err;
}
