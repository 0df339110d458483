/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * as_lazy.c - the requests that a lazy journal would have issued
 *
 * They are derived from those of an ordinary journal.  The log's own writes stay
 * as they were, though a lazy journal merges more transactions: the result is
 * rather too large than too small.  Its cleaner is not among them; as long as the
 * ring holds all that the trace logs it has nothing to do.
 */

#include "as_lazy.h"

/* Requests that follow each other become one. */
struct joint {
	struct e2lazy_request r;
	bool		open;
	errcode_t	(*found)(void *priv, const struct e2lazy_request *r);
	void		*priv;
};

static errcode_t put_out(struct joint *j)
{
	bool was = j->open;

	j->open = false;
	return was ? j->found(j->priv, &j->r) : 0;
}

static errcode_t add(struct joint *j, const struct e2lazy_request *r,
		     uint64_t offset, uint64_t length)
{
	errcode_t err;

	if (j->open && j->r.offset + j->r.length == offset) {
		j->r.length += length;
		return 0;
	}
	err = put_out(j);
	j->r = *r;
	j->r.offset = offset;
	j->r.length = length;
	j->open = true;
	return err;
}

/* A part of one block, or of several that have no copy in the log. */
static errcode_t read_metadata(const struct log_state *log, struct joint *j,
			       const struct e2lazy_request *r, uint64_t offset,
			       uint64_t length)
{
	uint64_t size = log->fs->blocksize, place;
	errcode_t err = 0;

	while (length && !err) {
		uint64_t in = offset % size;
		uint64_t part = length < size - in ? length : size - in;
		const struct logged_copy *copy = log_newest(log, offset);

		if (copy && log_place(log, copy, &place))
			err = add(j, r, place * size + in, part);
		else
			err = add(j, r, offset, part);
		offset += part;
		length -= part;
	}
	return err;
}

errcode_t as_lazy(struct log_state *log, const struct e2lazy_request *r,
		  errcode_t (*found)(void *priv, const struct e2lazy_request *),
		  void *priv)
{
	uint64_t at = r->offset, end = r->offset + r->length;
	struct joint j = { .found = found, .priv = priv };
	struct e2lazy_trace_part part;
	errcode_t err = 0, last;

	if (r->op != E2LAZY_OP_READ && r->op != E2LAZY_OP_WRITE)
		return found(priv, r);
	for (; at < end && !err; at += part.length) {
		e2lazy_trace_part(log->fs, r, at, &part);
		if (r->op == E2LAZY_OP_WRITE)
			log_note(log, &part);
		if (part.cls != E2LAZY_TRACE_METADATA)
			err = add(&j, r, part.offset, part.length);
		else if (r->op == E2LAZY_OP_READ)
			err = read_metadata(log, &j, r, part.offset,
					    part.length);
	}
	last = put_out(&j);
	return err ? err : last;
}
