/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * files.c - the deleted files and the last events, with --files
 *
 * All are counted, and the newest ones listed: a page stays small.
 */
#include <stdlib.h>
#include <string.h>

#include "e2lazy_changes.h"
#include "report.h"
#include "support/markup.h"
#include "support/nls.h"
#include "support/status.h"

/* ------------------------------------------------------- deleted files */

struct found {
	size_t		index;
	uint64_t	sec;
	enum file_grade	grade;
};

static int by_time(const void *a, const void *b)
{
	const struct found *x = a, *y = b;

	if (x->sec != y->sec)
		return x->sec > y->sec ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/* What is unreadable has its grade, too. */
static errcode_t grade_one(struct report *r, struct e2lazy_undelete *u,
			   struct found *f)
{
	const enum e2lazy_reading reading = r->info.thorough ?
					    E2LAZY_READ_OWN : E2LAZY_READ_NONE;
	struct e2lazy_contents contents = { .read = false };
	struct e2lazy_deleted d;
	errcode_t err = e2lazy_undelete_get(u, f->index, &d);

	if (!err && (LINUX_S_ISREG(d.mode) || LINUX_S_ISLNK(d.mode)))
		err = e2lazy_undelete_read(u, f->index, reading, NULL, NULL,
					   &contents);
	if (err == EXT2_ET_INODE_CORRUPTED) {
		contents.map_missing = true;
		err = 0;
	}
	f->sec = d.gone_sec;
	f->grade = file_grade_of(&d, &contents, false, !r->info.thorough);
	return err;
}

static errcode_t list_one(struct report *r, struct e2lazy_undelete *u,
			  const struct found *f)
{
	struct report_deleted *at = &r->files.deleted[r->files.nr_deleted];
	errcode_t err = e2lazy_undelete_get(u, f->index, &at->d);

	at->grade = f->grade;
	if (!err)
		err = e2lazy_undelete_path(u, f->index, 0, &at->path,
					   &at->length);
	r->files.nr_deleted += !err;
	return err == E2LAZY_ET_LONG_PATH ? 0 : err;
}

static errcode_t take_deleted(struct report *r, struct e2lazy_undelete *u)
{
	size_t count = e2lazy_undelete_count(u);
	struct found *list = calloc(count + 1, sizeof(*list));
	errcode_t err = list ? 0 : EXT2_ET_NO_MEMORY;

	progress_begin(&r->s->print.progress, PHASE_FILES);
	for (size_t i = 0; !err && i < count; i++) {
		list[i].index = i;
		if (!progress_tick(&r->s->print.progress, i, count))
			err = E2LAZY_ET_CANCELLED;
		else
			err = grade_one(r, u, &list[i]);
		r->files.grades[list[i].grade]++;
	}
	progress_end(&r->s->print.progress);
	if (!err)
		qsort(list, count, sizeof(*list), by_time);
	for (size_t i = 0; !err && i < count && i < FILES_LISTED; i++)
		err = list_one(r, u, &list[i]);
	free(list);
	r->files.count = count;
	return err;
}

static bool look_for_deleted(struct report *r)
{
	const struct e2lazy_watch watch = session_watch(r->s);
	const struct e2lazy_undelete_opts opts = { .evidence = true,
						   .watch = &watch };
	struct e2lazy_undelete *u = NULL;
	struct e2lazy_where where = { .has = 0 };
	errcode_t err = e2lazy_undelete_scan(r->s->log->journal,
					     r->s->log->view, &opts, &u,
					     &where);

	if (r->s->print.progress.phase != PHASE_NONE)
		progress_end(&r->s->print.progress);
	if (!err)
		err = take_deleted(r, u);
	e2lazy_undelete_free(u);
	if (err)
		session_fail(r->s, err, &where);
	return !err;
}

/* ----------------------------------------------------------- the events */

static char *copy_of(const char *text)
{
	return text ? strdup(text) : NULL;
}

static errcode_t take_event(void *priv, const struct e2lazy_change *c)
{
	struct report_files *f = priv;
	struct report_event *at = &f->events[f->nr_events % FILES_LISTED];

	if (c->kind == E2LAZY_STATE)
		return 0;
	f->kinds[c->kind]++;
	f->nr_events++;
	free(at->path);
	free(at->old_path);
	*at = (struct report_event){
		.kind = c->kind, .tid = c->tid, .sec = c->sec, .ino = c->ino,
		.path = copy_of(c->path), .old_path = copy_of(c->old_path),
	};
	return at->path ? 0 : EXT2_ET_NO_MEMORY;
}

/* Of the stretch that was asked for, or of the ring's newest history. */
static errcode_t walk_events(struct report *r, const struct e2lazy_range *ranges,
			     uint32_t count, struct e2lazy_where *where)
{
	const struct e2lazy_watch watch = session_watch(r->s);
	const struct limits *limits = &r->s->source.limits;
	const struct e2lazy_changes_opts opts = {
		.found = take_event, .priv = &r->files, .watch = &watch,
		.has_until = limits->until_set, .until = limits->until,
	};

	return e2lazy_changes_each(r->s->log->journal, r->s->log->view, ranges,
				   count, &opts, where);
}

static bool look_for_events(struct report *r)
{
	const struct opened *log = r->s->log;
	const struct e2lazy_ring *ring = session_ring(r->s);
	struct e2lazy_range *own = NULL;
	struct e2lazy_where where;
	struct e2lazy_history h;
	uint32_t nr = 0;
	errcode_t err = 0;

	if (!ring)
		return false;
	if (log->nr_ranges || r->s->source.limits.until_set) {
		err = walk_events(r, log->ranges, log->nr_ranges, &where);
	} else if (e2lazy_ring_counts(ring)->histories) {
		e2lazy_ring_history(ring,
				    e2lazy_ring_counts(ring)->histories - 1, &h);
		own = e2lazy_ring_ranges(ring, h.first, h.count, &nr);
		err = own ? walk_events(r, own, nr, &where) :
			    EXT2_ET_NO_MEMORY;
	}
	free(own);
	if (r->s->print.progress.phase != PHASE_NONE)
		progress_end(&r->s->print.progress);
	if (err)
		session_fail(r->s, err, NULL);
	return !err;
}

bool report_look_at_files(struct report *r)
{
	return !r->files.wanted ||
	       (look_for_deleted(r) && look_for_events(r) && !cancelled());
}

void report_free_files(struct report *r)
{
	for (size_t i = 0; i < r->files.nr_deleted; i++)
		free(r->files.deleted[i].path);
	for (size_t i = 0; i < FILES_LISTED; i++) {
		free(r->files.events[i].path);
		free(r->files.events[i].old_path);
	}
}

/* The @i-th of those that are listed, the oldest first. */
static const struct report_event *event_at(const struct report_files *f,
					   uint64_t i)
{
	return &f->events[f->nr_events > FILES_LISTED ?
			  (f->nr_events + i) % FILES_LISTED : i];
}

static uint64_t events_listed(const struct report_files *f)
{
	return f->nr_events < FILES_LISTED ? f->nr_events : FILES_LISTED;
}

/* ------------------------------------------------------------- as JSON */

static void json_deleted(const struct report_files *f, struct json *json)
{
	json_object(json, "deleted", JSON_SPREAD);
	json_u64(json, "count", f->count);
	json_object(json, "grades", JSON_INLINE);
	for (unsigned i = FILE_INTACT; i < NR_FILE_GRADES; i++)
		json_u64(json, file_grade_name(i), f->grades[i]);
	json_end(json);
	json_array(json, "newest", JSON_SPREAD);
	for (size_t i = 0; i < f->nr_deleted; i++) {
		const struct report_deleted *x = &f->deleted[i];

		json_object(json, NULL, JSON_INLINE);
		json_string(json, "grade", file_grade_name(x->grade));
		json_bool(json, "lived_on", x->d.flags & E2LAZY_DELETED_STATE);
		json_u64(json, "size", x->d.size);
		json_time(json, "deleted", x->d.gone_sec);
		json_u64(json, "inode", x->d.ino);
		json_bytes(json, "path", x->path, x->length);
		json_end(json);
	}
	json_end(json);
	json_end(json);
}

static void json_timeline(const struct report_files *f, struct json *json)
{
	json_object(json, "timeline", JSON_SPREAD);
	json_u64(json, "count", f->nr_events);
	json_object(json, "kinds", JSON_INLINE);
	for (unsigned i = 0; i < E2LAZY_NR_CHANGES; i++)
		if (f->kinds[i])
			json_u64(json, e2lazy_change_name(i), f->kinds[i]);
	json_end(json);
	json_array(json, "newest", JSON_SPREAD);
	for (uint64_t i = 0; i < events_listed(f); i++) {
		const struct report_event *x = event_at(f, i);

		json_object(json, NULL, JSON_INLINE);
		json_u64(json, "tid", x->tid);
		json_time(json, "time", x->sec);
		json_string(json, "what", e2lazy_change_name(x->kind));
		json_u64(json, "inode", x->ino);
		json_string(json, "path", x->path);
		json_string(json, "old_path", x->old_path);
		json_end(json);
	}
	json_end(json);
	json_end(json);
}

void report_files_json(const struct report *r, struct json *json)
{
	if (!r->files.wanted) {
		json_null(json, "deleted");
		json_null(json, "timeline");
		return;
	}
	json_deleted(&r->files, json);
	json_timeline(&r->files, json);
}

/* ---------------------------------------------------------- on the page */

static void text_cell(struct out *out, const char *text)
{
	out_text(out, "<td>");
	markup_text(out, text ? text : "-");
	out_text(out, "</td>");
}

/* Paths may be an enemy's: a thousand of them must not make a large page. */
#define PATH_SHOWN	160

static void path_cell(struct out *out, const char *path)
{
	out_text(out, "<td>");
	if (strlen(path) <= PATH_SHOWN)
		markup_text(out, path);
	else
		markup_format(out, "%.*s...", PATH_SHOWN, path);
	out_text(out, "</td>");
}

static void time_cell(struct out *out, uint64_t sec)
{
	char time[TIME_TEXT];

	text_cell(out, time_text(time, sec) ? time : NULL);
}

static void table_begin(struct out *out, const char *const *headings)
{
	out_text(out, "<div class=\"wide\" tabindex=\"0\"><table>\n<thead><tr>");
	for (; *headings; headings++) {
		out_text(out, "<th scope=\"col\">");
		markup_text(out, _(*headings));
		out_text(out, "</th>");
	}
	out_text(out, "</tr></thead>\n<tbody>\n");
}

static void table_end(struct out *out)
{
	out_text(out, "</tbody></table></div>\n");
}

static void not_asked(struct out *out)
{
	paragraph(out, _("Not looked for: --files does."));
}

/* How many of each kind: the words are those of the lists. */
static void put_count(struct out *out, const char *word, uint64_t count)
{
	if (!count)
		return;
	out_text(out, "<li>");
	markup_format(out, "%s: %llu", word, (unsigned long long)count);
	out_text(out, "</li>\n");
}

static void put_rest(struct out *out, uint64_t count, uint64_t listed,
		     const char *text)
{
	if (count <= listed)
		return;
	out_text(out, "<p>");
	markup_format(out, text, (unsigned long long)listed);
	out_text(out, "</p>\n");
}

void page_deleted(struct report *r, struct out *out)
{
	static const char *const headings[] = {
		N_("grade"), N_("size"), N_("deleted"), N_("inode"), N_("path"),
		NULL
	};
	const struct report_files *f = &r->files;

	section_begin(out, "deleted", _("Deleted files"));
	if (!f->wanted)
		not_asked(out);
	else if (!f->count)
		paragraph(out, _("none"));
	if (f->count) {
		out_text(out, "<ul>\n");
		for (unsigned i = 0; i < NR_FILE_GRADES; i++)
			put_count(out, file_grade_name(i), f->grades[i]);
		out_text(out, "</ul>\n");
		table_begin(out, headings);
		for (size_t i = 0; i < f->nr_deleted; i++) {
			const struct report_deleted *x = &f->deleted[i];

			out_text(out, "<tr>");
			text_cell(out, file_grade_name(x->grade));
			number_cell(out, x->d.size);
			time_cell(out, x->d.gone_sec);
			number_cell(out, x->d.ino);
			path_cell(out, x->path);
			out_text(out, "</tr>\n");
		}
		table_end(out);
	}
	put_rest(out, f->count, f->nr_deleted,
		 _("The %llu newest are listed; e2lazy undelete has all."));
	section_end(out);
}

void page_timeline(struct report *r, struct out *out)
{
	static const char *const headings[] = {
		N_("transaction"), N_("time"), N_("event"), N_("inode"),
		N_("path"), NULL
	};
	const struct report_files *f = &r->files;

	section_begin(out, "timeline", _("Timeline"));
	if (!f->wanted)
		not_asked(out);
	else if (!f->nr_events)
		paragraph(out, _("none"));
	if (f->nr_events) {
		out_text(out, "<ul>\n");
		for (unsigned i = 0; i < E2LAZY_NR_CHANGES; i++)
			put_count(out, e2lazy_change_name(i), f->kinds[i]);
		out_text(out, "</ul>\n");
		table_begin(out, headings);
		for (uint64_t i = 0; i < events_listed(f); i++) {
			const struct report_event *x = event_at(f, i);

			out_text(out, "<tr>");
			number_cell(out, x->tid);
			time_cell(out, x->sec);
			text_cell(out, e2lazy_change_name(x->kind));
			number_cell(out, x->ino);
			path_cell(out, x->path);
			out_text(out, "</tr>\n");
		}
		table_end(out);
	}
	put_rest(out, f->nr_events, events_listed(f),
		 _("The last %llu are listed; e2lazy timeline --ring has "
		   "all."));
	section_end(out);
}
