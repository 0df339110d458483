/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sections.c - the file system of a trace, written to and read from its file
 *
 * A section is a table, cut into chunks that each stand alone.  A row is a few
 * numbers of seven bits a byte; doc/format.md has the tables.
 */

#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "io/grow.h"

/* The most blocks of a row, and the most bytes that it takes. */
#define ROW_BLOCKS	1000
#define ROW_MOST	((7 + ROW_BLOCKS) * 10)

/* --------------------------------------------------------------- write */

struct section {
	struct e2lazy_trace_writer *w;
	uint32_t	kind, flags;
	uint32_t	used, rows;
	uint64_t	last;		/* the number that differences are of */
	errcode_t	err;
	uint8_t		payload[CHUNK_USUAL + ROW_MOST];
};

static void end_section(struct section *s)
{
	if (!s->rows || s->err)
		return;
	s->err = trace_put_section(s->w, s->kind, s->flags, s->payload,
				   s->used, s->rows);
	s->flags = 0;
	s->used = s->rows = 0;
	s->last = 0;
}

static void begin_section(struct section *s, struct e2lazy_trace_writer *w,
			  uint32_t kind)
{
	s->w = w;
	s->kind = kind;
	s->flags = CHUNK_ANEW;
	s->used = s->rows = 0;
	s->last = 0;
}

static void put(struct section *s, uint64_t value)
{
	s->used += trace_put_number(s->payload + s->used, value);
}

static void put_pieces(struct section *s, struct e2lazy_trace_writer *w,
		       uint32_t kind, const struct e2lazy_trace_piece *piece,
		       size_t count)
{
	begin_section(s, w, kind);
	for (size_t i = 0; i < count && !s->err; i++) {
		put(s, piece[i].type);
		put(s, piece[i].start - s->last);
		put(s, piece[i].count);
		s->last = piece[i].start + piece[i].count;
		s->rows++;
		if (s->used >= CHUNK_USUAL)
			end_section(s);
	}
	end_section(s);
}

static void put_runs(struct section *s, struct e2lazy_trace_writer *w,
		     const struct e2lazy_trace_fs *fs)
{
	begin_section(s, w, CHUNK_RUNS);
	for (size_t i = 0; i < fs->nr_runs && !s->err; i++) {
		put(s, fs->runs[i].logblk);
		put(s, fs->runs[i].physblk);
		put(s, fs->runs[i].count);
		s->rows++;
		if (s->used >= CHUNK_USUAL)
			end_section(s);
	}
	end_section(s);
}

static uint32_t at_most(uint32_t count, uint32_t most)
{
	return count < most ? count : most;
}

/*
 * A row: id, first and last log block, time, numbers of copies and revokes, and
 * their blocks as differences.  A transaction of many blocks takes several rows
 * with the same head.
 */
static void put_txn(struct section *s, const struct e2lazy_trace_txn *t,
		    const uint64_t *blocks)
{
	uint32_t tags = t->tags, revokes = t->revokes;

	do {
		uint32_t a = at_most(tags, ROW_BLOCKS);
		uint32_t b = a == tags ? at_most(revokes, ROW_BLOCKS - a) : 0;

		put(s, t->tid);
		put(s, t->start);
		put(s, t->commit);
		put(s, t->sec);
		put(s, t->nsec);
		put(s, a);
		put(s, b);
		for (uint32_t i = 0; i < a + b; i++) {
			put(s, trace_fold(*blocks - s->last));
			s->last = *blocks++;
		}
		tags -= a;
		revokes -= b;
		s->rows++;
		if (s->used >= CHUNK_USUAL)
			end_section(s);
	} while ((tags || revokes) && !s->err);
}

static void put_checkpoints(struct section *s, struct e2lazy_trace_writer *w,
			    const struct e2lazy_trace_fs *fs)
{
	begin_section(s, w, CHUNK_CHECKPOINTS);
	for (size_t i = 0; i < fs->nr_checkpoints && !s->err; i++) {
		const struct e2lazy_trace_checkpoint *c = &fs->checkpoints[i];

		put(s, c->t - s->last);
		put(s, c->step);
		if (c->step == E2LAZY_CHECKPOINT_DONE) {
			put(s, c->tid);
			put(s, c->written);
		}
		s->last = c->t;
		s->rows++;
		if (s->used >= CHUNK_USUAL)
			end_section(s);
	}
	end_section(s);
}

static errcode_t put_facts(struct e2lazy_trace_writer *w,
			   const struct e2lazy_trace_fs *fs)
{
	uint8_t facts[FACTS_BYTES] = { 0 };

	put_le64(facts + FACTS_START, fs->start);
	put_le64(facts + FACTS_LOOP, fs->loop_start);
	put_le64(facts + FACTS_LOST, fs->lost);
	put_le32(facts + FACTS_BLOCKSIZE, fs->blocksize);
	put_le32(facts + FACTS_FLAGS, fs->flags);
	put_le64(facts + FACTS_BLOCKS, fs->blocks);
	put_le32(facts + FACTS_FIRST, fs->log_first);
	put_le32(facts + FACTS_END, fs->log_end);
	memcpy(facts + FACTS_UUID, fs->uuid, sizeof(fs->uuid));
	return trace_put_section(w, CHUNK_FACTS, CHUNK_ANEW, facts,
				 sizeof(facts), 1);
}

errcode_t e2lazy_trace_put_fs(struct e2lazy_trace_writer *w,
			      const struct e2lazy_trace_fs *fs)
{
	struct section *s = calloc(1, sizeof(*s));
	errcode_t err;

	if (!s)
		return EXT2_ET_NO_MEMORY;
	s->err = put_facts(w, fs);
	put_pieces(s, w, CHUNK_PIECES, fs->pieces, fs->nr_pieces);
	put_pieces(s, w, CHUNK_ROLES, fs->roles, fs->nr_roles);
	put_runs(s, w, fs);
	begin_section(s, w, CHUNK_TXNS);
	for (size_t i = 0; i < fs->nr_txns && !s->err; i++)
		put_txn(s, &fs->txns[i], fs->logged + fs->txns[i].first);
	end_section(s);
	put_checkpoints(s, w, fs);
	err = s->err;
	free(s);
	return err;
}

/* ---------------------------------------------------------------- read */

struct rows {
	const uint8_t	*at;
	size_t		left;
	uint64_t	last;
	bool		bad;
};

static uint64_t take(struct rows *r, uint64_t most)
{
	uint64_t value = 0;
	size_t n = r->bad ? 0 : trace_get_number(r->at, r->left, &value);

	if (!n || value > most) {
		r->bad = true;
		return 0;
	}
	r->at += n;
	r->left -= n;
	return value;
}

/* Pieces ascend over all chunks; so a search may halve them. */
static errcode_t read_piece(struct rows *r, struct e2lazy_trace_piece **list,
			    size_t *count, size_t *room)
{
	struct e2lazy_trace_piece p, *grown;

	p.type = take(r, E2LAZY_NR_TYPES - 1);
	p.start = take(r, INT64_MAX / 2) + r->last;
	p.count = take(r, INT64_MAX / 4);
	if (r->bad || !p.count || p.start > INT64_MAX / 2)
		return E2LAZY_ET_TRACE_DAMAGED;
	if (*count && p.start < (*list)[*count - 1].start +
				(*list)[*count - 1].count)
		return E2LAZY_ET_TRACE_DAMAGED;
	grown = grow(*list, *count, room, sizeof(p));
	if (!grown)
		return EXT2_ET_NO_MEMORY;
	*list = grown;
	grown[(*count)++] = p;
	r->last = p.start + p.count;
	return 0;
}

static errcode_t read_run(struct rows *r, struct e2lazy_trace_fs *fs)
{
	struct e2lazy_trace_run run, *grown, *before;

	run.logblk = take(r, UINT32_MAX);
	run.physblk = take(r, INT64_MAX / 2);
	run.count = take(r, UINT32_MAX);
	before = fs->nr_runs ? &fs->runs[fs->nr_runs - 1] : NULL;
	if (r->bad || !run.count || run.count > UINT32_MAX - run.logblk ||
	    (before && run.logblk < before->logblk + before->count))
		return E2LAZY_ET_TRACE_DAMAGED;
	grown = grow(fs->runs, fs->nr_runs, &fs->room_runs, sizeof(run));
	if (!grown)
		return EXT2_ET_NO_MEMORY;
	fs->runs = grown;
	fs->runs[fs->nr_runs++] = run;
	return 0;
}

static errcode_t add_logged(struct e2lazy_trace_fs *fs, uint64_t block)
{
	uint64_t *grown = grow(fs->logged, fs->nr_logged, &fs->room_logged,
			       sizeof(*grown));

	if (!grown)
		return EXT2_ET_NO_MEMORY;
	fs->logged = grown;
	fs->logged[fs->nr_logged++] = block;
	return 0;
}

static struct e2lazy_trace_txn *new_txn(struct e2lazy_trace_fs *fs)
{
	struct e2lazy_trace_txn *grown = grow(fs->txns, fs->nr_txns,
					      &fs->room_txns, sizeof(*grown));

	if (!grown)
		return NULL;
	fs->txns = grown;
	grown += fs->nr_txns++;
	memset(grown, 0, sizeof(*grown));
	grown->first = fs->nr_logged;
	return grown;
}

static errcode_t read_txn(struct rows *r, struct e2lazy_trace_fs *fs)
{
	struct e2lazy_trace_txn *t = NULL, row = { 0 };
	errcode_t err = 0;

	row.tid = take(r, UINT32_MAX);
	row.start = take(r, UINT32_MAX);
	row.commit = take(r, UINT32_MAX);
	row.sec = take(r, INT64_MAX);
	row.nsec = take(r, 999999999);
	row.tags = take(r, CHUNK_MOST);
	row.revokes = take(r, CHUNK_MOST);
	if (fs->nr_txns)
		t = &fs->txns[fs->nr_txns - 1];
	/* Revokes come last: behind them no copy can follow. */
	if (!t || t->tid != row.tid || t->start != row.start ||
	    (t->revokes && row.tags) || t->tags > UINT32_MAX - CHUNK_MOST)
		t = new_txn(fs);
	if (r->bad || !t)
		return t ? E2LAZY_ET_TRACE_DAMAGED : EXT2_ET_NO_MEMORY;
	t->tid = row.tid;
	t->start = row.start;
	t->commit = row.commit;
	t->sec = row.sec;
	t->nsec = row.nsec;
	for (uint32_t i = 0; i < row.tags + row.revokes && !err; i++) {
		r->last += trace_unfold(take(r, UINT64_MAX));
		err = r->bad ? E2LAZY_ET_TRACE_DAMAGED :
			       add_logged(fs, r->last);
	}
	t->tags += row.tags;
	t->revokes += row.revokes;
	return err;
}

static errcode_t read_checkpoint(struct rows *r, struct e2lazy_trace_fs *fs)
{
	struct e2lazy_trace_checkpoint c = { 0 }, *grown;

	c.t = take(r, INT64_MAX);
	c.step = take(r, E2LAZY_CHECKPOINT_DONE);
	if (c.step == E2LAZY_CHECKPOINT_DONE) {
		c.tid = take(r, UINT32_MAX);
		c.written = take(r, UINT32_MAX);
	}
	if (r->bad || c.t > INT64_MAX - r->last)
		return E2LAZY_ET_TRACE_DAMAGED;
	c.t += r->last;
	if (fs->nr_checkpoints &&
	    c.t < fs->checkpoints[fs->nr_checkpoints - 1].t)
		return E2LAZY_ET_TRACE_DAMAGED;
	grown = grow(fs->checkpoints, fs->nr_checkpoints,
		     &fs->room_checkpoints, sizeof(c));
	if (!grown)
		return EXT2_ET_NO_MEMORY;
	fs->checkpoints = grown;
	grown[fs->nr_checkpoints++] = c;
	r->last = c.t;
	return 0;
}

static errcode_t read_facts(const struct trace_section *s,
			    struct e2lazy_trace_fs *fs)
{
	const uint8_t *facts = s->payload;

	if (s->bytes < FACTS_BYTES)
		return E2LAZY_ET_TRACE_DAMAGED;
	fs->start = get_le64(facts + FACTS_START);
	fs->loop_start = get_le64(facts + FACTS_LOOP);
	fs->lost = get_le64(facts + FACTS_LOST);
	fs->blocksize = get_le32(facts + FACTS_BLOCKSIZE);
	fs->flags = get_le32(facts + FACTS_FLAGS);
	fs->blocks = get_le64(facts + FACTS_BLOCKS);
	fs->log_first = get_le32(facts + FACTS_FIRST);
	fs->log_end = get_le32(facts + FACTS_END);
	memcpy(fs->uuid, facts + FACTS_UUID, sizeof(fs->uuid));
	if (fs->start > INT64_MAX || fs->blocks > INT64_MAX / 2 ||
	    (fs->blocksize & (fs->blocksize - 1)) ||
	    (fs->blocksize && fs->blocksize < 1024) ||
	    fs->blocksize > (1U << 16))
		return E2LAZY_ET_TRACE_DAMAGED;
	/* The place of each block is a number of bytes. */
	if (fs->blocksize && fs->blocks > INT64_MAX / fs->blocksize)
		return E2LAZY_ET_TRACE_DAMAGED;
	return 0;
}

static void forget(struct e2lazy_trace_fs *fs, uint32_t kind)
{
	switch (kind) {
	case CHUNK_PIECES:	fs->nr_pieces = 0;	break;
	case CHUNK_ROLES:	fs->nr_roles = 0;	break;
	case CHUNK_RUNS:	fs->nr_runs = 0;	break;
	case CHUNK_CHECKPOINTS:	fs->nr_checkpoints = 0;	break;
	case CHUNK_TXNS:	fs->nr_txns = fs->nr_logged = 0;
	}
}

static errcode_t read_row(struct rows *r, uint32_t kind,
			  struct e2lazy_trace_fs *fs)
{
	switch (kind) {
	case CHUNK_PIECES:
		return read_piece(r, &fs->pieces, &fs->nr_pieces,
				  &fs->room_pieces);
	case CHUNK_ROLES:
		return read_piece(r, &fs->roles, &fs->nr_roles,
				  &fs->room_roles);
	case CHUNK_RUNS:
		return read_run(r, fs);
	case CHUNK_CHECKPOINTS:
		return read_checkpoint(r, fs);
	default:
		return read_txn(r, fs);
	}
}

static errcode_t read_section(void *priv, const struct trace_section *s)
{
	struct rows r = { .at = s->payload, .left = s->bytes };
	struct e2lazy_trace_fs *fs = priv;
	errcode_t err = 0;

	if (s->kind == CHUNK_FACTS)
		return read_facts(s, fs);
	if (s->kind < CHUNK_PIECES || s->kind > CHUNK_CHECKPOINTS)
		return 0;
	if (s->flags & CHUNK_ANEW)
		forget(fs, s->kind);
	for (uint32_t i = 0; i < s->count && !err; i++)
		err = read_row(&r, s->kind, fs);
	return err || !r.left ? err : E2LAZY_ET_TRACE_DAMAGED;
}

errcode_t e2lazy_trace_read_fs(struct e2lazy_trace *trace,
			       struct e2lazy_trace_fs *out)
{
	errcode_t err;

	memset(out, 0, sizeof(*out));
	err = trace_sections(trace, read_section, out);
	if (err)
		e2lazy_trace_fs_free(out);
	return err;
}

void e2lazy_trace_fs_free(struct e2lazy_trace_fs *fs)
{
	free(fs->pieces);
	free(fs->roles);
	free(fs->runs);
	free(fs->txns);
	free(fs->logged);
	free(fs->checkpoints);
	memset(fs, 0, sizeof(*fs));
}
