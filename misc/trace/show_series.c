/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * show_series.c - e2lazy trace show --by-band, --by-time
 */
#include <stdlib.h>
#include <string.h>

#include "show.h"
#include "support/nls.h"
#include "support/status.h"

/* 100 TiB in bands of 30 MiB; rows beyond are left out, and told of. */
#define MOST_BUCKETS	((size_t)1 << 22)

#define WRITTEN_COLUMNS \
	[COL_READ] = { "READ", "read", COLUMN_NUMBER, COLUMN_USUAL, 14, \
		       N_("bytes read") }, \
	[COL_DATA] = { "DATA", "data", COLUMN_NUMBER, COLUMN_USUAL, 14, \
		       N_("bytes of data written") }, \
	[COL_METADATA] = { "METADATA", "metadata", COLUMN_NUMBER, \
			   COLUMN_USUAL, 14, \
			   N_("bytes of metadata written home") }, \
	[COL_JOURNAL] = { "JOURNAL", "journal", COLUMN_NUMBER, COLUMN_USUAL, \
			  14, N_("bytes written to the journal") }, \
	[COL_FLUSHES] = { "FLUSHES", "flushes", COLUMN_NUMBER, COLUMN_JSON, \
			  8, N_("flushes; only with --by-time") }

const struct column band_columns[NR_SERIES_COLUMNS] = {
	[COL_WHERE] = { "BAND", "band", COLUMN_NUMBER, COLUMN_USUAL, 8,
			N_("number of the band, from the device's start") },
	WRITTEN_COLUMNS,
};

const struct column time_columns[NR_SERIES_COLUMNS] = {
	[COL_WHERE] = { "TIME", "time_s", COLUMN_REAL, COLUMN_USUAL, 12,
			N_("seconds since the trace began") },
	WRITTEN_COLUMNS,
};

static struct bucket *bucket_at(struct show *sh, uint64_t at)
{
	struct bucket *grown;
	size_t nr;

	if (at < sh->nr_buckets)
		return &sh->buckets[at];
	nr = at + at / 2 + 64;
	grown = realloc(sh->buckets, nr * sizeof(*grown));
	if (!grown)
		return NULL;
	memset(grown + sh->nr_buckets, 0,
	       (nr - sh->nr_buckets) * sizeof(*grown));
	sh->buckets = grown;
	sh->nr_buckets = nr;
	return &grown[at];
}

static void put_bytes(struct bucket *b, enum e2lazy_op op,
		      enum e2lazy_trace_class cls, uint64_t bytes)
{
	if (op == E2LAZY_OP_READ)
		b->read += bytes;
	else if (cls == E2LAZY_TRACE_DATA)
		b->data += bytes;
	else if (cls == E2LAZY_TRACE_METADATA)
		b->metadata += bytes;
	else
		b->journal += bytes;
}

/* False: out of memory. */
static bool add_part(struct show *sh, const struct e2lazy_request *r,
		     const struct e2lazy_trace_part *part)
{
	uint64_t at = part->offset, end = at + part->length;

	while (at < end) {
		uint64_t where = sh->by == BY_TIME ? r->t / sh->period :
						     at / sh->sizes.band;
		uint64_t stop = sh->by == BY_TIME ? end :
					(where + 1) * sh->sizes.band;
		struct bucket *b;

		if (where >= MOST_BUCKETS) {
			sh->beyond = true;
			return true;
		}
		b = bucket_at(sh, where);
		if (!b)
			return false;
		stop = stop < end ? stop : end;
		put_bytes(b, r->op, part->cls, stop - at);
		at = stop;
	}
	return true;
}

static bool add_flush(struct show *sh, const struct e2lazy_request *r)
{
	struct bucket *b;

	if (sh->by != BY_TIME || r->t / sh->period >= MOST_BUCKETS)
		return true;
	b = bucket_at(sh, r->t / sh->period);
	if (b)
		b->flushes++;
	return b != NULL;
}

bool series_add(struct show *sh, const struct e2lazy_request *r)
{
	struct e2lazy_trace_part part;
	uint64_t at = r->offset, end = at + r->length;

	if (r->op == E2LAZY_OP_FLUSH)
		return add_flush(sh, r);
	if (r->op == E2LAZY_OP_DISCARD)
		return true;
	for (; at < end; at += part.length) {
		e2lazy_trace_part(sh->fs, r, at, &part);
		if (!add_part(sh, r, &part))
			return false;
	}
	return true;
}

static bool is_empty(const struct bucket *b)
{
	return !b->read && !b->data && !b->metadata && !b->journal &&
	       !b->flushes;
}

/* Bands and times without a request have no row. */
void series_print(struct show *sh)
{
	struct cell cells[NR_SERIES_COLUMNS];
	bool time = sh->by == BY_TIME;
	struct rows rows;

	print_rows(&sh->s->print, &sh->listing, &sh->columns,
		   time ? "times" : "bands", &rows);
	for (size_t i = 0; i < sh->nr_buckets && !rows_stop(&rows); i++) {
		const struct bucket *b = &sh->buckets[i];

		if (is_empty(b))
			continue;
		cell_number(&cells[COL_WHERE],
			    time ? i * (sh->period / 1000000) : i);
		cell_number(&cells[COL_READ], b->read);
		cell_number(&cells[COL_DATA], b->data);
		cell_number(&cells[COL_METADATA], b->metadata);
		cell_number(&cells[COL_JOURNAL], b->journal);
		cell_number(&cells[COL_FLUSHES], b->flushes);
		rows_put(&rows, cells);
	}
	if (sh->s->print.json_wanted)
		json_end(&sh->s->print.json);
	if (sh->beyond)
		session_complain(sh->s, FSCK_LEFT,
				 _("some requests are too far away to be "
				   "listed: use longer bands or periods"));
}
