/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list.c - a row for each deleted file, or a member of the JSON document
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/nls.h"
#include "support/status.h"
#include "undelete.h"

enum { GRADE, WHAT, TYPE, MODE, UID, GID, SIZE, AFTER, DELETED, GONE_TID, TID, MTIME, CTIME,
       ATIME, CREATED, GENERATION, INODE, NAMES, OUTCOME, WHY, SHA256, PATH,
       NR_COLUMNS };

const struct column undelete_columns[NR_COLUMNS] = {
	[GRADE] = { "GRADE", "grade", COLUMN_STRING, COLUMN_USUAL, 8,
		N_("intact, unread, unproven, partial, lost; living, missing") },
	[WHAT] = { "WHAT", "what", COLUMN_STRING, COLUMN_JSON, 9,
		N_("deleted; emptied, truncated, rewritten: the file lived on") },
	[TYPE] = { "TYPE", "type", COLUMN_STRING, COLUMN_USUAL, 0,
		N_("type of the file, a letter of --type") },
	[MODE] = { "MODE", "mode", COLUMN_STRING, COLUMN_JSON, 4,
		N_("permissions, in octal") },
	[UID] = { "UID", "uid", COLUMN_NUMBER, COLUMN_JSON, 5,
		N_("owner") },
	[GID] = { "GID", "gid", COLUMN_NUMBER, COLUMN_JSON, 5,
		N_("group") },
	[SIZE] = { "SIZE", "size", COLUMN_NUMBER, COLUMN_USUAL, 10,
		N_("size in bytes") },
	[AFTER] = { "AFTER", "after", COLUMN_NUMBER, COLUMN_JSON, 10,
		N_("size of the file after that, if it lived on") },
	[DELETED] = { "DELETED", "deleted", COLUMN_STRING, COLUMN_USUAL, 30,
		N_("time of the deletion, UTC") },
	[GONE_TID] = { "GONE_TID", "gone_tid", COLUMN_NUMBER, COLUMN_JSON, 0,
		N_("transaction that deleted it") },
	[TID] = { "TID", "tid", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("transaction of the inode's copy") },
	[MTIME] = { "MTIME", "mtime", COLUMN_TIME, COLUMN_JSON, 0,
		N_("time of the last change, UTC") },
	[CTIME] = { "CTIME", "ctime", COLUMN_TIME, COLUMN_JSON, 0,
		N_("time of the last change of the inode, UTC") },
	[ATIME] = { "ATIME", "atime", COLUMN_TIME, COLUMN_JSON, 0,
		N_("time of the last access, UTC") },
	[CREATED] = { "CREATED", "created", COLUMN_TIME, COLUMN_JSON, 0,
		N_("time of its creation, UTC") },
	[GENERATION] = { "GENERATION", "generation", COLUMN_NUMBER,
		COLUMN_JSON, 10,
		N_("generation of the inode: another file has another") },
	[INODE] = { "INODE", "inode", COLUMN_NUMBER, COLUMN_USUAL, 7,
		N_("inode number") },
	[NAMES] = { "NAMES", "names", COLUMN_NUMBER, COLUMN_JSON, 0,
		N_("number of its names") },
	[OUTCOME] = { "OUTCOME", "outcome", COLUMN_STRING, COLUMN_JSON, 8,
		N_("restored, present, skipped or failed (shown with --to)") },
	[WHY] = { "WHY", "why", COLUMN_STRING, COLUMN_JSON, 8,
		N_("reason why it is not intact (shown with --why)") },
	[SHA256] = { "SHA256", "sha256", COLUMN_STRING, COLUMN_JSON, 64,
		N_("SHA-256 of the contents of an intact file") },
	[PATH] = { "PATH", "path", COLUMN_STRING, COLUMN_USUAL, 4,
		N_("path; #INODE if it is unknown") },
};
const unsigned nr_undelete_columns = NR_COLUMNS;

bool list_wants_pieces(const struct undelete *u)
{
	return u->s->print.json_wanted || columns_has(&u->columns, WHY);
}

bool list_wants_sums(const struct undelete *u)
{
	return !u->quick && columns_has(&u->columns, SHA256);
}

static void tell_horizon(struct undelete *u)
{
	const struct e2lazy_horizon h = u->horizon;
	struct json *json = &u->s->print.json;
	char time[TIME_TEXT];

	if (u->s->print.json_wanted) {
		json_object(json, "horizon", JSON_INLINE);
		json_u64(json, "transactions", h.txns);
		if (h.txns)
			json_u64(json, "tid", h.tid);
		else
			json_null(json, "tid");
		json_time(json, "time", h.sec);
		json_u64(json, "copies", h.copies);
		json_u64(json, "inodes", h.inodes);
		json_u64(json, "unreadable", h.unreadable);
		json_end(json);
		return;
	}
	if (u->listing.raw)
		return;
	if (!h.txns) {
		out_text(&u->s->print.out, _("The ring holds no transaction, "
					     "so it does not know deleted "
					     "files.\n"));
		return;
	}
	if (time_text(time, h.sec))
		out_format(&u->s->print.out,
			   _("The ring reaches back to transaction %u of %s.\n"),
			   h.tid, time);
	else
		out_format(&u->s->print.out,
			   _("The ring reaches back to transaction %u, which has "
			     "no commit time.\n"), h.tid);
}

void list_begin(struct undelete *u)
{
	struct session *s = u->s;

	if (s->print.json_wanted) {
		session_document(s);
		session_document_run(s);
		if (u->found)
			tell_horizon(u);
	}
	if (!u->listing.nr_columns && !s->print.json_wanted) {
		if (u->found && e2lazy_undelete_states(u->found)) {
			columns_add(&u->columns, WHAT);
			columns_add(&u->columns, AFTER);
		}
		if (u->to)
			columns_add(&u->columns, OUTCOME);
		if (u->why)
			columns_add(&u->columns, WHY);
	}
	columns_fit(&u->columns, INODE,
		    e2lazy_static_fs(s->log->journal)->super->s_inodes_count);
	session_fit_tids(s, &u->columns, TID);
	session_fit_tids(s, &u->columns, GONE_TID);
	print_rows(&s->print, &u->listing, &u->columns, "files", &u->rows);
}

/* ----------------------------------------------------------- one file */

static void put_details(struct undelete *u, const struct file *f)
{
	struct json *json = &u->s->print.json;

	json_bool(json, "orphan", f->d.flags & E2LAZY_DELETED_ORPHAN);
	json_bool(json, "encrypted", f->d.flags & E2LAZY_DELETED_ENCRYPTED);
	json_bool(json, "verity", f->d.flags & E2LAZY_DELETED_VERITY);
	json_bool(json, "earlier", f->d.flags & E2LAZY_DELETED_EARLIER);
	json_array(json, "paths", JSON_INLINE);
	for (unsigned i = 0; i < f->nr_paths; i++) {
		json_object(json, NULL, JSON_INLINE);
		json_bytes(json, "path", f->paths[i], f->lengths[i]);
		json_end(json);
	}
	json_end(json);
	json_string(json, "restored_as", f->restored_as);
	json_string(json, "left_out", left_out_name(f->left_out));
	json_array(json, "pieces", JSON_INLINE);
	for (size_t i = 0; i < f->nr_pieces; i++) {
		const struct file_piece *p = &f->pieces[i];

		json_object(json, NULL, JSON_INLINE);
		json_u64(json, "lblk", p->lblk);
		json_u64(json, "fsblk", p->fsblk);
		json_u64(json, "count", p->count);
		json_string(json, "grade", e2lazy_grade_name(p->grade));
		if (p->user)
			json_u64(json, "user", p->user);
		json_end(json);
	}
	json_end(json);
}

#define MODE_TEXT	5

static void mode_text(char text[MODE_TEXT], unsigned mode)
{
	for (unsigned i = 0; i < 4; i++)
		text[i] = '0' + (mode >> (9 - 3 * i) & 7);
	text[4] = 0;
}

/* The end of the file, or of these contents. */
static const char *what_text(const struct e2lazy_deleted *d)
{
	if (!(d->flags & E2LAZY_DELETED_STATE))
		return "deleted";
	if (!d->after)
		return "emptied";
	return d->after < d->size ? "truncated" : "rewritten";
}

/* Inodes of 128 bytes have no time of creation. */
static void put_times(struct cell *cells, const struct e2lazy_deleted *d)
{
	cell_date(&cells[MTIME], d->mtime.sec);
	cell_date(&cells[CTIME], d->ctime.sec);
	cell_date(&cells[ATIME], d->atime.sec);
	if (d->crtime.sec)
		cell_date(&cells[CREATED], d->crtime.sec);
}

#define OUTCOME_TEXT	(PATH_MAX + 32)

/* People see another name that it got; programs find it in the document. */
static void outcome_text(const struct undelete *u, const struct file *f,
			 char text[OUTCOME_TEXT])
{
	const char *path = f->paths[0];

	snprintf(text, OUTCOME_TEXT, "%s", outcome_name(f->outcome));
	if (u->listing.raw || u->s->print.json_wanted || !f->restored_as ||
	    !strcmp(f->restored_as, path + (*path == '/')))
		return;
	snprintf(text, OUTCOME_TEXT, "%s: %s", outcome_name(f->outcome),
		 f->restored_as);
}

void list_file(struct undelete *u, const struct file *f)
{
	char letter[2] = { type_letter(f->d.mode), 0 }, mode[MODE_TEXT];
	char why[WHY_TEXT], sum[SHA256_TEXT], outcome[OUTCOME_TEXT];
	char gone[INSTANT_TEXT];
	struct cell cells[NR_COLUMNS] = { { .known = false } };

	u->grades[f->grade]++;
	u->outcomes[f->outcome]++;
	*why = 0;
	mode_text(mode, f->d.mode);
	cell_text(&cells[GRADE], file_grade_name(f->grade));
	cells[GRADE].alarm = f->grade >= FILE_PARTIAL;
	if (!f->living)
		cell_text(&cells[WHAT], what_text(&f->d));
	if (f->d.flags & E2LAZY_DELETED_STATE)
		cell_number(&cells[AFTER], f->d.after);
	cell_text(&cells[TYPE], letter);
	cell_text(&cells[MODE], mode);
	cell_number(&cells[UID], f->d.uid);
	cell_number(&cells[GID], f->d.gid);
	cell_number(&cells[SIZE], f->d.size);
	if (instant_text(gone, (struct instant){ f->d.gone_sec,
						 f->d.gone_nsec }))
		cell_text(&cells[DELETED], gone);
	if (!f->living && !(f->d.flags & E2LAZY_DELETED_UNSEEN))
		cell_number(&cells[GONE_TID], f->d.gone_tid);
	if (!f->living)
		cell_number(&cells[TID], f->d.tid);
	put_times(cells, &f->d);
	cell_number(&cells[GENERATION], f->d.generation);
	cell_number(&cells[INODE], f->d.ino);
	cell_number(&cells[NAMES], f->d.names);
	if (f->outcome) {
		outcome_text(u, f, outcome);
		cell_text(&cells[OUTCOME], outcome);
	}
	if (f->error)
		snprintf(why, sizeof(why), "%s", error_message(f->error));
	else if (columns_has(&u->columns, WHY))
		why_text(f, why);
	if (*why)
		cell_text(&cells[WHY], why);
	if (f->hashed) {
		sha256_hex(sum, f->sum);
		cell_text(&cells[SHA256], sum);
	}
	cell_name(&cells[PATH], f->paths[0], f->lengths[0]);
	if (!u->s->print.json_wanted) {
		rows_put(&u->rows, cells);
		return;
	}
	rows_open(&u->rows, cells);
	put_details(u, f);
	json_end(&u->s->print.json);
}

/* ------------------------------------------------- inodes without a copy */

void list_files_end(struct undelete *u)
{
	if (u->s->print.json_wanted)
		json_end(&u->s->print.json);
}

static const char *lost_text(enum e2lazy_missing_reason reason)
{
	static const char *const texts[E2LAZY_NR_MISSING] = {
		[E2LAZY_MISSING_EMPTY] = N_("the ring holds no transaction"),
		[E2LAZY_MISSING_BEFORE] =
			N_("deleted before the oldest transaction"),
		[E2LAZY_MISSING_BAD] =
			N_("a copy of its block is bad or unreadable"),
		[E2LAZY_MISSING_BRIEF] =
			N_("made and deleted within one transaction"),
		[E2LAZY_MISSING_OVERWRITTEN] =
			N_("the ring has overwritten its last copy in use"),
	};

	return texts[reason];
}

void list_lost_begin(struct undelete *u)
{
	if (u->s->print.json_wanted)
		json_array(&u->s->print.json, "missing_inodes", JSON_SPREAD);
}

static void put_lost(struct undelete *u, const struct e2lazy_missing *m)
{
	struct cell cells[NR_COLUMNS] = { { .known = false } };
	char letter[2] = { type_letter(m->mode), 0 }, mode[MODE_TEXT];
	char path[16], gone[INSTANT_TEXT];

	mode_text(mode, m->mode);
	snprintf(path, sizeof(path), "#%u", m->ino);
	cell_text(&cells[GRADE], "missing");
	cell_text(&cells[TYPE], letter);
	cell_text(&cells[MODE], mode);
	cell_number(&cells[UID], m->uid);
	cell_number(&cells[GID], m->gid);
	if (instant_text(gone, (struct instant){ .sec = m->sec }))
		cell_text(&cells[DELETED], gone);
	cell_number(&cells[GENERATION], m->generation);
	cell_number(&cells[INODE], m->ino);
	cell_text(&cells[WHY], _(lost_text(m->reason)));
	cell_text(&cells[PATH], path);
	rows_put(&u->rows, cells);
}

void list_lost(struct undelete *u, const struct e2lazy_missing *m)
{
	struct json *json = &u->s->print.json;
	char letter[2] = { type_letter(m->mode), 0 };

	if (!u->s->print.json_wanted) {
		put_lost(u, m);
		return;
	}
	json_object(json, NULL, JSON_INLINE);
	json_u64(json, "inode", m->ino);
	json_u64(json, "generation", m->generation);
	json_string(json, "type", letter);
	json_u64(json, "uid", m->uid);
	json_time(json, "deleted", m->sec);
	json_string(json, "reason", e2lazy_missing_name(m->reason));
	json_end(json);
}

void list_lost_end(struct undelete *u)
{
	if (u->s->print.json_wanted)
		json_end(&u->s->print.json);
}

/* -------------------------------------------------------------- the end */

static const char *const totals[NR_FILE_GRADES] = {
	[FILE_LIVING] = N_("living"),
	[FILE_INTACT] = N_("intact"), [FILE_UNREAD] = N_("unread"),
	[FILE_UNPROVEN] = N_("unproven"), [FILE_PARTIAL] = N_("partial"),
	[FILE_LOST] = N_("lost"),
};

static const char *const meanings[NR_FILE_GRADES] = {
	[FILE_LIVING] = N_("living: not deleted"),
	[FILE_INTACT] = N_("intact: no evidence speaks against any block"),
	[FILE_UNREAD] = N_("unread: the same, but the contents were not read"),
	[FILE_UNPROVEN] = N_("unproven: nothing proves that the blocks are "
			     "the file's"),
	[FILE_PARTIAL] = N_("partial: only some blocks are intact"),
	[FILE_LOST] = N_("lost: no block is intact"),
};

/* For people alone: on a terminal, once, and the grades that are listed. */
static void explain_grades(struct undelete *u)
{
	struct out *out = &u->s->print.out;
	bool any = false;

	if (!isatty(STDOUT_FILENO) || u->s->print.progress.quiet)
		return;
	for (unsigned i = 0; i < NR_FILE_GRADES; i++) {
		if (!u->grades[i])
			continue;
		out_format(out, "  %s\n", _(meanings[i]));
		any = true;
	}
	if (any)
		out_text(out, _("  DELETED FILES in e2lazy(8) has the limits "
				"of these words.\n"));
}

static uint64_t all_lost(const struct undelete *u)
{
	uint64_t all = 0;

	for (unsigned i = 0; i < E2LAZY_NR_MISSING; i++)
		all += u->missing[i];
	return all;
}

static void text_lost(struct undelete *u)
{
	struct out *out = &u->s->print.out;

	if (!all_lost(u))
		return;
	out_format(out, P_("%llu more inode was deleted, and the ring has no "
			   "copy of it in use\n",
			   "%llu more inodes were deleted, and the ring has "
			   "no copy of them in use\n",
			   (unsigned long)all_lost(u)),
		   (unsigned long long)all_lost(u));
	for (unsigned i = 0; i < E2LAZY_NR_MISSING; i++)
		if (u->missing[i])
			out_format(out, "%8llu %s\n",
				   (unsigned long long)u->missing[i],
				   _(lost_text(i)));
}

/* No file is listed: there is none, or the options ask for others. */
static void text_none(struct undelete *u)
{
	unsigned long n = (unsigned long)u->others;

	if (n)
		out_format(&u->s->print.out,
			   P_("The only deleted file does not match.\n",
			      "None of %lu deleted files matches.\n", n), n);
	else
		out_text(&u->s->print.out, _("No deleted files.\n"));
}

static void text_totals(struct undelete *u)
{
	struct out *out = &u->s->print.out;
	bool any = false;

	out_text(out, "\n");
	for (unsigned i = 0; i < NR_FILE_GRADES; i++) {
		if (!u->grades[i])
			continue;
		out_format(out, "%s%llu %s", any ? ", " : "",
			   (unsigned long long)u->grades[i], _(totals[i]));
		any = true;
	}
	if (any)
		out_text(out, "\n");
	else
		text_none(u);
	explain_grades(u);
	if (u->to)
		out_format(out, _("%llu restored, %llu already present, %llu "
				  "left out, %llu failed\n"),
			   (unsigned long long)u->outcomes[OUTCOME_RESTORED],
			   (unsigned long long)u->outcomes[OUTCOME_PRESENT],
			   (unsigned long long)u->outcomes[OUTCOME_SKIPPED],
			   (unsigned long long)u->outcomes[OUTCOME_FAILED]);
	if (u->why)
		text_lost(u);
}

static void json_totals(struct undelete *u)
{
	struct json *json = &u->s->print.json;

	json_object(json, "totals", JSON_INLINE);
	for (unsigned i = FILE_INTACT; i < NR_FILE_GRADES; i++)
		json_u64(json, file_grade_name(i), u->grades[i]);
	if (u->tree)
		json_u64(json, file_grade_name(FILE_LIVING),
			 u->grades[FILE_LIVING]);
	json_end(json);
	if (u->why) {
		json_u64(json, "missing", all_lost(u));
		json_object(json, "missing_reasons", JSON_INLINE);
		for (unsigned i = 0; i < E2LAZY_NR_MISSING; i++)
			json_u64(json, e2lazy_missing_name(i), u->missing[i]);
		json_end(json);
	}
	if (!u->to)
		return;
	json_object(json, "outcomes", JSON_INLINE);
	for (unsigned i = OUTCOME_RESTORED; i <= OUTCOME_FAILED; i++)
		json_u64(json, outcome_name(i), u->outcomes[i]);
	json_end(json);
	json_u64(json, "attributes_lost",
		 u->xattrs_lost + u->xattrs_withheld);
	json_u64(json, "special_cleared", u->cleared);
}

void list_end(struct undelete *u)
{
	if (u->s->print.json_wanted) {
		json_totals(u);
	} else if (!u->listing.raw) {
		text_totals(u);
		tell_horizon(u);
	}
}
