/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * view.c - read every block of a file system from its newest place
 *
 * A view holds the two superblocks as a checkpoint would leave them.  A view of
 * an earlier time also holds the numbers of the lost blocks.  If the caller
 * asks for it, a view holds all live copies (keep.c).
 */

#include <string.h>

#include "io/halve.h"
#include "log/log.h"
#include "map/jmap.h"
#include "cache.h"
#include "view.h"

/* Limit of one request; some io_managers count its bytes in an int. */
#define MAX_REQUEST_BYTES (1 << 24)

uint64_t e2lazy_view_size(const struct e2lazy_view *v,
			  enum e2lazy_volume volume)
{
	return v->volumes[volume].bytes;
}

size_t e2lazy_view_lost(const struct e2lazy_view *v, const blk64_t **fsblks)
{
	*fsblks = v->past.lost;
	return v->past.nr_lost;
}

const struct e2lazy_end *e2lazy_view_later(const struct e2lazy_view *v)
{
	return v->past.lost && jmap_is_of_log(v->map) ? &v->past.later : NULL;
}

bool e2lazy_view_uncovered(const struct e2lazy_view *v)
{
	return v->past.lost && !v->past.covered;
}

/* -------------------------------------------------------------- pieces */

/* A piece of a volume, and its source inside the view. */
struct found {
	struct e2lazy_piece piece;
	const uint8_t	*made;		/* MADE_UP */
	size_t		index;		/* IN_LOG: the first's in the map */
};

/* Shorten the piece to end before @fsblk, if that lies inside of it. */
static void end_before(struct e2lazy_piece *piece, blk64_t fsblk)
{
	if (fsblk > piece->fsblk && fsblk - piece->fsblk < piece->count)
		piece->count = fsblk - piece->fsblk;
}

static bool is_made(const struct made_block *made, struct found *f)
{
	if (made->fsblk != f->piece.fsblk) {
		end_before(&f->piece, made->fsblk);
		return false;
	}
	f->piece.source = E2LAZY_MADE_UP;
	f->piece.count = 1;
	f->made = made->bytes;
	return true;
}

/* The journal's superblock is in the volume that holds the journal. */
static bool find_made(const struct e2lazy_view *v, enum e2lazy_volume volume,
		      struct found *f)
{
	enum e2lazy_volume of_journal = v->journal->jfs ? E2LAZY_JOURNAL :
							  E2LAZY_FILE_SYSTEM;

	return (volume == E2LAZY_FILE_SYSTEM && is_made(&v->made.super, f)) ||
	       (volume == of_journal && is_made(&v->made.journal, f));
}

static bool find_patched(const struct e2lazy_view *v, struct found *f)
{
	const struct made_block *next = view_next_patch(v, f->piece.fsblk);

	return next && is_made(next, f);
}

/* Shorten the piece to blocks that are all in the ascending @list, or not. */
static bool is_listed(const blk64_t *list, size_t nr,
		      struct e2lazy_piece *piece)
{
	struct halving h = { .high = nr };
	size_t end;

	while (halve(&h))
		halved(&h, list[h.mid] < piece->fsblk);
	if (h.low == nr)
		return false;
	if (list[h.low] != piece->fsblk) {
		end_before(piece, list[h.low]);
		return false;
	}
	for (end = h.low + 1; end < nr &&
	     list[end] - list[h.low] == end - h.low; end++)
		;
	end_before(piece, piece->fsblk + (end - h.low));
	return true;
}

static bool find_lost(const struct e2lazy_view *v, struct e2lazy_piece *piece)
{
	bool lost = is_listed(v->past.lost, v->past.nr_lost, piece);

	if (lost)
		piece->source = E2LAZY_LOST;
	return lost;
}

/* Extend over copies that are consecutive in both places and equal in flags. */
static void extend(const struct e2lazy_jmap *map, size_t index,
		   struct e2lazy_piece *piece)
{
	size_t count = e2lazy_jmap_count(map);
	struct e2lazy_copy next;
	blk64_t n = 1;

	if (piece->flags & E2LAZY_COPY_ESCAPED)
		piece->count = 1;
	for (; n < piece->count && index + n < count; n++) {
		e2lazy_jmap_get(map, index + n, &next);
		if (next.fsblk != piece->fsblk + n ||
		    next.logblk != piece->logblk + n ||
		    next.physblk != piece->physblk + n ||
		    next.flags != piece->flags)
			break;
	}
	piece->count = n;
}

static bool find_copy(const struct e2lazy_view *v, struct found *f)
{
	struct e2lazy_copy copy;

	f->index = jmap_lower_bound_near(v->map, f->piece.fsblk, v->near);
	if (f->index == e2lazy_jmap_count(v->map))
		return false;
	e2lazy_jmap_get(v->map, f->index, &copy);
	if (copy.fsblk != f->piece.fsblk) {
		end_before(&f->piece, copy.fsblk);
		return false;
	}
	f->piece.source = E2LAZY_IN_LOG;
	f->piece.physblk = copy.physblk;
	f->piece.logblk = copy.logblk;
	f->piece.flags = copy.flags;
	extend(v->map, f->index, &f->piece);
	return true;
}

static void find_piece(const struct e2lazy_view *v, enum e2lazy_volume volume,
		       blk64_t fsblk, blk64_t most, struct found *f)
{
	memset(f, 0, sizeof(*f));
	f->piece.fsblk = fsblk;
	f->piece.count = most;
	f->piece.source = E2LAZY_IN_PLACE;
	if (find_made(v, volume, f) || volume == E2LAZY_JOURNAL ||
	    find_patched(v, f) ||
	    is_listed(v->left_out, v->nr_left_out, &f->piece))
		return;
	if (!find_lost(v, &f->piece))
		find_copy(v, f);
}

void e2lazy_view_piece(const struct e2lazy_view *v, blk64_t fsblk,
		       blk64_t most, struct e2lazy_piece *out)
{
	struct found f;

	find_piece(v, E2LAZY_FILE_SYSTEM, fsblk, most, &f);
	*out = f.piece;
}

blk64_t view_hole(const struct e2lazy_view *v, blk64_t fsblk, blk64_t count)
{
	struct found f;

	find_piece(v, E2LAZY_FILE_SYSTEM, fsblk, count, &f);
	if (f.piece.source != E2LAZY_IN_PLACE || v->layout)
		return 0;
	return device_hole(&v->journal->device, fsblk * v->blocksize,
			   f.piece.count * v->blocksize) / v->blocksize;
}

/* ------------------------------------------------------------- reading */

/*
 * Transactions that are gone may have logged metadata that has no copy in an
 * older stretch.  File contents are as they are now.
 */
static bool may_be_newer(const struct e2lazy_view *v, blk64_t fsblk,
			 const void *block)
{
	struct e2lazy_place place;

	e2lazy_layout_find(v->layout, fsblk, &place);
	switch (place.type) {
	case E2LAZY_TYPE_SUPER_BACKUP:
	case E2LAZY_TYPE_DESC_BACKUP:
	case E2LAZY_TYPE_MMP:
	case E2LAZY_TYPE_JOURNAL:
		return false;
	case E2LAZY_TYPE_OTHER:
		return e2lazy_identify(v->layout, block) != E2LAZY_TYPE_DATA;
	default:
		return true;
	}
}

/* Read blocks in place; *@got shrinks to end before one that may be newer. */
static errcode_t read_in_place(const struct e2lazy_view *v,
			       const struct volume *from, blk64_t fsblk,
			       void *buf, blk64_t *got)
{
	const char *block = buf;
	errcode_t err = io_channel_read_blk64(from->io, fsblk, (int)*got, buf);

	if (err || !v->layout || from != &v->volumes[E2LAZY_FILE_SYSTEM])
		return err;
	for (blk64_t i = 0; i < *got; i++, block += v->blocksize) {
		if (!may_be_newer(v, fsblk + i, block))
			continue;
		*got = i ? i : 1;
		return i ? 0 : E2LAZY_ET_LOST;
	}
	return 0;
}

static bool read_kept(const struct e2lazy_view *v, const struct found *f,
		      uint8_t *to)
{
	for (blk64_t i = 0; i < f->piece.count; i++, to += v->blocksize)
		if (!cache_get(v->kept, f->index + i, to))
			return false;
	return true;
}

/* From memory, or with those that come next. */
static bool read_cheaply(struct e2lazy_view *v, const struct found *f,
			 void *buf)
{
	return read_kept(v, f, buf) ||
	       (f->piece.count == 1 &&
		next_copies_get(&v->next, v->map, f->index, v->near,
				v->blocksize, buf));
}

/* A bad copy does not matter if the static block is what it was. */
static errcode_t read_copies_of(const struct e2lazy_view *v,
				const struct found *f, uint8_t *buf, size_t *bad)
{
	errcode_t err = e2lazy_jmap_read(v->map, f->index,
					 (uint32_t)f->piece.count, buf, bad);

	if (!err)
		return 0;
	if (f->piece.count == 1)
		return jmap_read_at_home(v->map, f->index, buf) ? 0 : err;
	for (uint32_t i = 0; i < f->piece.count; i++) {
		errcode_t one = e2lazy_jmap_read(v->map, f->index + i, 1, buf,
						 bad);

		if (one && !jmap_read_at_home(v->map, f->index + i, buf))
			return one;
		buf += v->blocksize;
	}
	return 0;
}

static errcode_t read_logged(struct e2lazy_view *v, const struct found *f,
			     void *buf, struct e2lazy_where *where)
{
	bool done = read_cheaply(v, f, buf);
	struct e2lazy_copy copy;
	errcode_t err;
	size_t bad;

	v->near = f->index + f->piece.count;
	if (done)
		return 0;
	err = read_copies_of(v, f, buf, &bad);
	if (!err)
		return 0;
	e2lazy_jmap_get(v->map, bad, &copy);
	where_set(where, E2LAZY_JOURNAL, E2LAZY_AT_FSBLK |
		  E2LAZY_AT_LOGBLK | E2LAZY_AT_TID, copy.fsblk, copy.logblk);
	where->tid = copy.tid;
	return err;
}

/* Read as many of @most blocks as one request can. */
static errcode_t read_piece(struct e2lazy_view *v, enum e2lazy_volume volume,
			    blk64_t fsblk, blk64_t most, void *buf,
			    blk64_t *got, struct e2lazy_where *where)
{
	struct volume *from = &v->volumes[volume];
	blk64_t limit = MAX_REQUEST_BYTES / v->blocksize;
	struct found f;
	errcode_t err = 0;

	find_piece(v, volume, fsblk, most < limit ? most : limit, &f);
	*got = f.piece.count;
	switch (f.piece.source) {
	case E2LAZY_IN_LOG:
		return read_logged(v, &f, buf, where);
	case E2LAZY_MADE_UP:
		memcpy(buf, f.made, v->blocksize);
		break;
	case E2LAZY_LOST:
		err = E2LAZY_ET_LOST;
		break;
	case E2LAZY_IN_PLACE:
		err = read_in_place(v, from, fsblk, buf, got);
		break;
	}
	if (err)
		where_set(where, volume, E2LAZY_AT_FSBLK, fsblk, 0);
	return err;
}

/* The same, but retry a failed piece block by block, up to the bad one. */
static errcode_t read_whole(struct e2lazy_view *v, enum e2lazy_volume volume,
			    blk64_t fsblk, blk64_t most, void *buf,
			    blk64_t *got, struct e2lazy_where *where)
{
	errcode_t err = read_piece(v, volume, fsblk, most, buf, got, where);
	blk64_t blocks = *got, one;

	if (!err || blocks == 1 || err == E2LAZY_ET_DATA_CSUM ||
	    err == E2LAZY_ET_LOST)
		return err;
	err = 0;
	for (*got = 0; !err && *got < blocks; ++*got)
		err = read_piece(v, volume, fsblk + *got, 1,
				 (char *)buf + *got * v->blocksize, &one,
				 where);
	return err;
}

/* The device may end in the middle of a block. */
static errcode_t read_tail(struct e2lazy_view *v, enum e2lazy_volume volume,
			   blk64_t fsblk, void *block,
			   struct e2lazy_where *where)
{
	struct volume *from = &v->volumes[volume];
	int bytes = (int)(from->bytes % v->blocksize);
	errcode_t err = io_channel_read_blk64(from->io, fsblk, -bytes, block);

	if (err)
		where_set(where, volume, E2LAZY_AT_FSBLK, fsblk, 0);
	return err;
}

static errcode_t read_part(struct e2lazy_view *v, enum e2lazy_volume volume,
			   blk64_t fsblk, unsigned skip, size_t count,
			   void *buf, struct e2lazy_where *where)
{
	struct volume *from = &v->volumes[volume];
	bool in_tail = fsblk == from->bytes / v->blocksize &&
		       skip + count <= from->bytes % v->blocksize;
	struct found f;
	blk64_t got;
	char *block = NULL;
	errcode_t err;

	err = io_channel_alloc_buf(from->io, 1, &block);
	if (err)
		return err;
	find_piece(v, volume, fsblk, 1, &f);
	if (in_tail && f.piece.source == E2LAZY_IN_PLACE)
		err = read_tail(v, volume, fsblk, block, where);
	else
		err = read_piece(v, volume, fsblk, 1, block, &got, where);
	if (!err)
		memcpy(buf, block + skip, count);
	ext2fs_free_mem(&block);
	return err;
}

errcode_t e2lazy_view_read(struct e2lazy_view *v, enum e2lazy_volume volume,
			   uint64_t offset, size_t count, void *buf,
			   struct e2lazy_where *where)
{
	struct e2lazy_where unused;
	char *to = buf;
	errcode_t err = 0;
	size_t n;

	if (!where)
		where = &unused;
	if (!v->volumes[volume].io || offset > UINT64_MAX - count)
		return EXT2_ET_INVALID_ARGUMENT;
	while (!err && count) {
		blk64_t fsblk = offset / v->blocksize, got;
		unsigned skip = offset % v->blocksize;

		if (skip || count < v->blocksize) {
			n = v->blocksize - skip;
			n = n < count ? n : count;
			err = read_part(v, volume, fsblk, skip, n, to, where);
		} else {
			err = read_whole(v, volume, fsblk,
					 count / v->blocksize, to, &got,
					 where);
			n = got * v->blocksize;
		}
		offset += n;
		to += n;
		count -= n;
	}
	return err;
}
