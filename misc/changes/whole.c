/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * whole.c - e2lazy diff without a block: two times of the whole file system
 */
#include <stdlib.h>

#include "detail.h"
#include "io/grow.h"
#include "session/at_time.h"
#include "support/nls.h"
#include "support/status.h"
#include "whole.h"

struct lost_block {
	blk64_t		fsblk;
	bool		before;
	errcode_t	why;
};

struct whole {
	struct session	*s;
	uint32_t	first, last;	/* transactions */
	bool		summary;
	struct e2lazy_jmap *map;	/* up to @first */
	struct e2lazy_view *view;
	uint64_t	counts[E2LAZY_NR_CHANGES];
	struct lost_block *lost;
	size_t		nr_lost, lost_room;
};

/* ------------------------------------------------------------ two times */

static bool has_both(struct whole *w)
{
	struct session *s = w->s;
	struct txn_span span;
	errcode_t err = opened_span(s->log, NULL, &span);

	if (err)
		session_fail(s, err, NULL);
	else if (e2lazy_tid_after(span.first_tid, w->first))
		session_complain(s, FSCK_ERROR,
				 _("transaction %u: the log has transactions "
				   "%u to %u"), w->first, span.first_tid,
				 span.last_tid);
	else
		return true;
	return false;
}

static bool build_before(struct whole *w)
{
	struct session *s = w->s;
	const struct opened *o = s->log;
	const struct e2lazy_jmap_opts opts = {
		.flags = E2LAZY_WALK_UNTIL | E2LAZY_JMAP_CSUMS,
		.until = w->first, .range = o->ranges,
		.nr_ranges = o->nr_ranges,
	};
	struct e2lazy_where where = { .has = 0 };
	errcode_t err = e2lazy_jmap_build(o->journal, &opts, &w->map);

	if (!err && e2lazy_jmap_end(w->map)->reason != E2LAZY_END_UNTIL) {
		session_complain(s, FSCK_ERROR,
				 _("transaction %u: a mount has left it out"),
				 w->first);
		return false;
	}
	if (!err)
		err = e2lazy_view_build(o->journal, w->map, &w->view, &where);
	if (err)
		session_fail(s, err, &where);
	return !err;
}

static bool open_both(struct whole *w)
{
	struct session *s = w->s;

	s->source.limits.until = w->last;
	s->source.limits.until_set = true;
	return session_open(s) && session_build(s, E2LAZY_JMAP_CSUMS, false) &&
	       session_look(s) && has_both(w) && build_before(w) &&
	       session_view(s);
}

/* ------------------------------------------------------------ the output */

static enum out_style style_of(enum e2lazy_change_kind kind)
{
	switch (kind) {
	case E2LAZY_CREATED:
	case E2LAZY_LINKED:	return STYLE_GOOD;
	case E2LAZY_DELETED:
	case E2LAZY_UNLINKED:	return STYLE_ALARM;
	default:		return STYLE_BOLD;
	}
}

static void put_text(struct whole *w, const struct e2lazy_change *c)
{
	struct out *out = &w->s->print.out;
	const char *name = e2lazy_change_name(c->kind);
	char detail[DETAIL_TEXT];

	out_style(out, style_of(c->kind));
	out_left(out, name, 8);
	out_style(out, STYLE_PLAIN);
	out_char(out, ' ');
	if (c->old_path) {
		out_printable(out, c->old_path, ' ');
		out_text(out, " -> ");
	}
	out_printable(out, c->path, ' ');
	if (detail_text(detail, c))
		out_format(out, "  %s", detail);
	out_char(out, '\n');
}

static void put_state(struct json *json, const char *key,
		      const struct e2lazy_inode_state *s)
{
	char mode[MODE_TEXT];

	if (!s) {
		json_null(json, key);
		return;
	}
	mode_text(mode, s->mode);
	json_object(json, key, JSON_INLINE);
	json_u64(json, "generation", s->generation);
	json_string(json, "mode", mode);
	json_u64(json, "links", s->links);
	json_u64(json, "uid", s->uid);
	json_u64(json, "gid", s->gid);
	json_u64(json, "size", s->size);
	json_date(json, "mtime", s->mtime.sec);
	json_date(json, "ctime", s->ctime.sec);
	json_end(json);
}

static void put_json(struct whole *w, const struct e2lazy_change *c)
{
	struct json *json = &w->s->print.json;

	json_object(json, NULL, JSON_INLINE);
	json_string(json, "what", e2lazy_change_name(c->kind));
	json_u64(json, "inode", c->ino);
	json_string(json, "path", c->path);
	json_string(json, "old_path", c->old_path);
	put_state(json, "before", c->before);
	put_state(json, "after", c->after);
	json_end(json);
}

static errcode_t note_change(void *priv, const struct e2lazy_change *c)
{
	struct whole *w = priv;

	w->counts[c->kind]++;
	if (!w->summary && w->s->print.json_wanted)
		put_json(w, c);
	else if (!w->summary)
		put_text(w, c);
	return cancelled() || w->s->print.out.error ? E2LAZY_ET_CANCELLED : 0;
}

static errcode_t note_lost(void *priv, blk64_t fsblk, bool before,
			   errcode_t why)
{
	struct whole *w = priv;
	struct lost_block *at = grow(w->lost, w->nr_lost, &w->lost_room,
				     sizeof(*at));

	if (!at)
		return EXT2_ET_NO_MEMORY;
	w->lost = at;
	at[w->nr_lost++] = (struct lost_block){ fsblk, before, why };
	return 0;
}

static void put_counts(struct whole *w)
{
	struct json *json = &w->s->print.json;

	if (w->s->print.json_wanted)
		json_object(json, "summary", JSON_INLINE);
	for (unsigned i = 0; i < E2LAZY_STATE; i++) {
		if (w->s->print.json_wanted)
			json_u64(json, e2lazy_change_name(i), w->counts[i]);
		else if (w->summary && w->counts[i])
			out_format(&w->s->print.out, "%-8s %llu\n",
				   e2lazy_change_name(i),
				   (unsigned long long)w->counts[i]);
	}
	if (w->s->print.json_wanted)
		json_end(json);
}

static void put_lost(struct whole *w)
{
	struct session *s = w->s;
	struct json *json = &s->print.json;

	if (s->print.json_wanted)
		json_array(json, "lost", JSON_SPREAD);
	for (size_t i = 0; i < w->nr_lost; i++) {
		const struct lost_block *l = &w->lost[i];
		uint32_t tid = l->before ? w->first : w->last;

		if (s->print.json_wanted) {
			json_object(json, NULL, JSON_INLINE);
			json_u64(json, "fsblk", l->fsblk);
			json_u64(json, "tid", tid);
			json_end(json);
		}
		session_complain(s, FSCK_LEFT,
				 _("block %llu, transaction %u: %s; its "
				   "changes are left out"),
				 (unsigned long long)l->fsblk, tid,
				 _(error_message(l->why)));
	}
	if (s->print.json_wanted)
		json_end(json);
}

/* The ring is often longer than the log. */
static void tell_ring(struct whole *w)
{
	bool unknown = false;

	for (size_t i = 0; i < w->nr_lost; i++)
		unknown |= w->lost[i].why == E2LAZY_ET_LOST;
	if (unknown && !w->s->log->nr_ranges)
		session_complain(w->s, 0, _("the ring may know the changes "
					    "that are left out: --ring"));
}

static void compare(struct whole *w)
{
	struct session *s = w->s;
	const struct e2lazy_watch watch = session_watch(s);
	const struct e2lazy_changes_opts opts = {
		.found = note_change, .lost = note_lost, .priv = w,
		.watch = &watch,
	};
	struct json *json = &s->print.json;
	struct e2lazy_where where;
	errcode_t err;

	if (s->print.json_wanted) {
		session_document(s);
		json_u64(json, "old_tid", w->first);
		json_u64(json, "new_tid", w->last);
		if (!w->summary)
			json_array(json, "changes", JSON_SPREAD);
	}
	err = e2lazy_changes_between(s->log->journal, w->view, s->log->view,
				     s->log->ranges,
				     s->log->nr_ranges ? s->log->nr_ranges : 1,
				     w->first, w->last, &opts, &where);
	if (s->print.progress.phase != PHASE_NONE)
		progress_end(&s->print.progress);
	if (s->print.json_wanted && !w->summary)
		json_end(json);
	if (err) {
		session_fail(s, err, &where);
		return;
	}
	put_counts(w);
	put_lost(w);
	tell_ring(w);
}

void diff_whole(struct session *s, uint32_t first, uint32_t last, bool summary)
{
	struct whole w = { .s = s, .first = first, .last = last,
			   .summary = summary };

	if (open_both(&w))
		compare(&w);
	e2lazy_view_free(w.view);
	e2lazy_jmap_free(w.map);
	free(w.lost);
}
