/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* view_io.c - a view as a source of blocks, so that libext2fs can read it */

#include "fs/block_source.h"
#include "io/watch.h"
#include "view.h"

static errcode_t read_view(void *view, uint64_t offset, size_t count,
			   void *buf, struct e2lazy_where *where)
{
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
