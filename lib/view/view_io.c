/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* view_io.c - a view as a source of blocks, so that libext2fs can read it */

#include "fs/block_source.h"
#include "io/watch.h"
#include "log/log.h"
#include "view.h"

/* One block that the view may have lost. */
static errcode_t read_or_borrow(struct e2lazy_view *view, blk64_t fsblk,
				void *block, struct e2lazy_where *where)
{
	errcode_t err = e2lazy_view_read(view, E2LAZY_FILE_SYSTEM,
					 fsblk * view->blocksize,
					 view->blocksize, block, where);

	if (err != E2LAZY_ET_LOST)
		return err;
	view->borrowed = true;
	return io_channel_read_blk64(view->volumes[E2LAZY_FILE_SYSTEM].io,
				     fsblk, 1, block);
}

errcode_t view_read_frame(struct e2lazy_view *view, uint64_t offset,
			  size_t count, void *buf, struct e2lazy_where *where)
{
	unsigned size = view->blocksize;
	uint8_t *to = buf;
	errcode_t err = 0;

	/* The superblock alone lies across blocks; each view makes one up. */
	if (offset % size || count % size)
		return e2lazy_view_read(view, E2LAZY_FILE_SYSTEM, offset,
					count, buf, where);
	for (; !err && count; count -= size, offset += size, to += size)
		err = read_or_borrow(view, offset / size, to, where);
	return err;
}

static errcode_t read_view(void *priv, uint64_t offset, size_t count,
			   void *buf, struct e2lazy_where *where)
{
	struct e2lazy_view *view = priv;

	if (view->opening)
		return view_read_frame(view, offset, count, buf, where);
	return e2lazy_view_read(view, E2LAZY_FILE_SYSTEM, offset, count, buf,
				where);
}

static blk64_t hole_in_view(void *view, blk64_t fsblk, blk64_t count)
{
	return view_hole(view, fsblk, count);
}

/* Unpacking a kept copy is no reading. */
static void begin_piece(const struct e2lazy_view *v,
			const struct e2lazy_piece *piece)
{
	if (piece->source == E2LAZY_IN_PLACE)
		io_channel_cache_readahead(v->volumes[E2LAZY_FILE_SYSTEM].io,
					   piece->fsblk, piece->count);
	else if (piece->source == E2LAZY_IN_LOG && !v->kept)
		io_channel_cache_readahead(v->journal->io, piece->physblk,
					   piece->count);
}

static void ahead_in_view(void *view, blk64_t fsblk, blk64_t count)
{
	struct e2lazy_piece piece;

	for (; count; fsblk += piece.count, count -= piece.count) {
		e2lazy_view_piece(view, fsblk, count, &piece);
		begin_piece(view, &piece);
	}
}

static bool is_stopped(void *priv)
{
	const struct e2lazy_view *view = priv;

	return watch_stop(&view->watch);
}

errcode_t e2lazy_view_open(struct e2lazy_view *view, ext2_filsys *out,
			   struct e2lazy_where *where)
{
	const struct block_source source = {
		.read = read_view, .hole = hole_in_view,
		.ahead = ahead_in_view, .stopped = is_stopped, .priv = view,
		.like = view->volumes[E2LAZY_FILE_SYSTEM].io,
	};

	return block_source_open(&source, &view->journal->device, out, where);
}

errcode_t view_open_frame(struct e2lazy_view *view, ext2_filsys *out,
			  struct e2lazy_where *where)
{
	errcode_t err;

	view->opening = true;
	err = e2lazy_view_open(view, out, where);
	view->opening = false;
	return err;
}

errcode_t e2lazy_view_path(struct e2lazy_view *view, const char *path,
			   ext2_ino_t *ino, struct e2lazy_where *where)
{
	ext2_filsys fs;
	errcode_t err;

	err = e2lazy_view_open(view, &fs, where);
	if (err)
		return err;
	err = e2lazy_lookup(fs, EXT2_ROOT_INO, path, false, ino, where);
	ext2fs_free(fs);
	return err;
}

void e2lazy_view_watch(struct e2lazy_view *view,
		       const struct e2lazy_watch *watch)
{
	static const struct e2lazy_watch nobody;

	view->watch = watch ? *watch : nobody;
}

const struct e2lazy_where *e2lazy_view_failed(ext2_filsys fs)
{
	return block_source_failed(fs);
}
