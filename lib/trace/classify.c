/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * classify.c - is a request data, metadata or the journal's?
 *
 * Fixed metadata and the journal are known by their place, also where the
 * kernel marks nothing, as in readahead of inode tables.  For other blocks its
 * mark decides, because a block that was logged once can be data later.
 */

#include "e2lazy_trace.h"
#include "io/halve.h"

/* Index of the last piece that begins at or before @block, or @nr. */
static size_t piece_before(const struct e2lazy_trace_piece *list, size_t nr,
			   uint64_t block)
{
	struct halving h = { .high = nr };

	while (halve(&h))
		halved(&h, list[h.mid].start <= block);
	return h.low ? h.low - 1 : nr;
}

/*
 * The piece that has @block; NULL if none does.  @end becomes the end of it, or
 * of the gap, if that is less.
 */
static const struct e2lazy_trace_piece *
find(const struct e2lazy_trace_piece *list, size_t nr, uint64_t block,
     uint64_t *end)
{
	size_t i = piece_before(list, nr, block), next = i == nr ? 0 : i + 1;
	uint64_t stop = next < nr ? list[next].start : UINT64_MAX;
	bool inside = i < nr && block - list[i].start < list[i].count;

	if (inside)
		stop = list[i].start + list[i].count;
	if (stop < *end)
		*end = stop;
	return inside ? &list[i] : NULL;
}

static void by_mark(const struct e2lazy_request *r,
		    struct e2lazy_trace_part *out)
{
	bool marked = r->flags & E2LAZY_REQ_META;

	out->cls = marked ? E2LAZY_TRACE_METADATA : E2LAZY_TRACE_DATA;
	out->type = marked ? E2LAZY_TYPE_OTHER : E2LAZY_TYPE_DATA;
}

static void by_place(const struct e2lazy_trace_fs *fs,
		     const struct e2lazy_request *r, uint64_t block,
		     uint64_t *end, struct e2lazy_trace_part *out)
{
	const struct e2lazy_trace_piece *p;

	p = find(fs->pieces, fs->nr_pieces, block, end);
	if (p) {
		out->type = p->type;
		out->cls = p->type == E2LAZY_TYPE_JOURNAL ?
				   E2LAZY_TRACE_JOURNAL :
				   E2LAZY_TRACE_METADATA;
		return;
	}
	by_mark(r, out);
	if (out->cls != E2LAZY_TRACE_METADATA)
		return;
	/* The target of a symbolic link is metadata, and to its inode data. */
	p = find(fs->roles, fs->nr_roles, block, end);
	if (p && p->type != E2LAZY_TYPE_DATA)
		out->type = p->type;
}

void e2lazy_trace_part(const struct e2lazy_trace_fs *fs,
		       const struct e2lazy_request *r, uint64_t at,
		       struct e2lazy_trace_part *out)
{
	uint64_t stop = r->offset + r->length, block, end;

	out->offset = at;
	out->length = stop - at;
	if (!fs->blocksize || at / fs->blocksize >= fs->blocks) {
		by_mark(r, out);
		return;
	}
	block = at / fs->blocksize;
	end = fs->blocks;
	by_place(fs, r, block, &end, out);
	if (end * fs->blocksize < stop)
		out->length = end * fs->blocksize - at;
}

bool e2lazy_trace_logblk(const struct e2lazy_trace_fs *fs, uint64_t block,
			 uint32_t *logblk)
{
	for (size_t i = 0; i < fs->nr_runs; i++) {
		const struct e2lazy_trace_run *run = &fs->runs[i];

		if (block - run->physblk < run->count) {
			*logblk = run->logblk + (block - run->physblk);
			return true;
		}
	}
	return false;
}
