/* SPDX-License-Identifier: GPL-2.0-only */
/* rescue_report.c - the states and the parts, for people and as a manifest */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "rescue.h"
#include "support/nls.h"
#include "support/status.h"

enum { CHOSEN, STATE, GOOD, BAD, LAST, OPTIONS, NR_COLUMNS };

static const struct column state_columns[NR_COLUMNS] = {
	[CHOSEN] = { "BEST", "best", COLUMN_BOOL, COLUMN_USUAL, 0,
		N_("whether it was chosen") },
	[STATE] = { "STATE", "state", COLUMN_STRING, COLUMN_USUAL, 16,
		N_("the state") },
	[GOOD] = { "GOOD", "good", COLUMN_NUMBER, COLUMN_USUAL, 9,
		N_("files and directories that verify") },
	[BAD] = { "BAD", "bad", COLUMN_NUMBER, COLUMN_USUAL, 9,
		N_("names that lead to none") },
	[LAST] = { "LAST_TID", "last_tid", COLUMN_NUMBER, COLUMN_USUAL, 0,
		N_("last transaction of its log") },
	[OPTIONS] = { "OPTIONS", "options", COLUMN_STRING, COLUMN_USUAL, 8,
		N_("options of e2lazy that choose it") },
};

static void put_state(const struct rescue *r, const struct rows *rows,
		      const struct state *state)
{
	struct cell cells[NR_COLUMNS] = { { .known = false } };

	cell_number(&cells[CHOSEN], state == r->best);
	cell_text(&cells[STATE], state->name);
	if (state->readable) {
		cell_number(&cells[GOOD], state->assessed.good);
		cell_number(&cells[BAD], state->assessed.bad);
		cells[BAD].alarm = state->assessed.bad;
	}
	if (state->has_tid)
		cell_number(&cells[LAST], state->last_tid);
	if (*state->options)
		cell_text(&cells[OPTIONS], state->options);
	rows_put(rows, cells);
}

static void put_states(const struct rescue *r, struct print *p)
{
	const struct listing listing = { .headings = true };
	struct columns columns;
	struct rows rows;

	columns_init(&columns, state_columns, NR_COLUMNS,
		     p->json_wanted ? COLUMN_JSON : COLUMN_SHOWN);
	print_rows(p, &listing, &columns, "states", &rows);
	for (unsigned i = 0; i < r->nr_states; i++)
		put_state(r, &rows, &r->states[i]);
	if (p->json_wanted)
		json_end(&p->json);
}

static void put_parts(const struct rescue *r, struct json *json)
{
	json_array(json, "parts", JSON_SPREAD);
	for (unsigned i = 0; i < r->nr_parts; i++) {
		const struct done *done = &r->parts[i];

		json_object(json, NULL, JSON_INLINE);
		json_string(json, "place", done->place);
		json_string(json, "list", done->list);
		json_string(json, "state", done->state->name);
		json_u64(json, "restored", done->counts.restored);
		json_u64(json, "present", done->counts.present);
		json_u64(json, "left_out", done->counts.left_out);
		json_u64(json, "failed", done->counts.failed);
		json_end(json);
	}
	json_end(json);
}

static void begin_document(struct rescue *r)
{
	session_document(r->s);
	json_string(&r->s->print.json, "uuid", *r->uuid ? r->uuid : NULL);
}

void report_states(struct rescue *r)
{
	struct print *p = &r->s->print;

	print_make_way(p);
	if (p->json_wanted)
		begin_document(r);
	put_states(r, p);
}

void report_parts(struct rescue *r)
{
	struct print *p = &r->s->print;

	if (p->json_wanted) {
		put_parts(r, &p->json);
		return;
	}
	out_char(&p->out, '\n');
	for (unsigned i = 0; i < r->nr_parts; i++) {
		const struct done *done = &r->parts[i];

		out_format(&p->out, done->counts.present ?
			   _("%s: %llu copied, %llu left out, %llu failed; "
			     "%llu were there\n") :
			   _("%s: %llu copied, %llu left out, %llu failed\n"),
			   done->place,
			   (unsigned long long)done->counts.restored,
			   (unsigned long long)done->counts.left_out,
			   (unsigned long long)done->counts.failed,
			   (unsigned long long)done->counts.present);
	}
}

/* ---------------------------------------------------------- the manifest */

#define NEW_MANIFEST	RESCUE_MANIFEST ".new"

/* The same document as --json prints, in the directory; or its head. */
static void write_manifest(struct rescue *r, int fd, bool whole)
{
	static struct print saved, file;
	struct print *p = &r->s->print;

	print_init(&file);
	file.out.fd = fd;
	file.json_wanted = true;
	saved = *p;
	*p = file;
	json_init(&p->json, &p->out);
	begin_document(r);
	if (whole) {
		put_states(r, p);
		put_parts(r, &p->json);
	}
	session_document_end(r->s);
	if (out_flush(&p->out))
		errno = p->out.error;
	else
		errno = 0;
	*p = saved;
}

static bool save(struct rescue *r, bool whole)
{
	int fd = openat(r->to_fd, NEW_MANIFEST, O_WRONLY | O_CREAT | O_TRUNC |
			O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd >= 0) {
		write_manifest(r, fd, whole);
		if (close(fd) && !errno)
			errno = EIO;
		if (!errno && renameat(r->to_fd, NEW_MANIFEST, r->to_fd,
				       RESCUE_MANIFEST) == 0)
			return true;
	}
	session_complain(r->s, FSCK_ERROR, "%s: %s", RESCUE_MANIFEST,
			 strerror(errno));
	return false;
}

bool report_begin(struct rescue *r)
{
	return save(r, false);
}

bool report_save(struct rescue *r)
{
	return save(r, true);
}
