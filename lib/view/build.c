/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* build.c - build a view, and free it */

#include <stdlib.h>
#include <string.h>

#include "log/log.h"
#include "map/jmap.h"
#include "cache.h"
#include "past.h"
#include "view.h"

/* Whole sectors only: a block device can show the view. */
static void set_volume(struct volume *volume, io_channel io,
		       const struct e2lazy_device *device)
{
	volume->io = io;
	volume->bytes = device->bytes / 512 * 512;
}

errcode_t e2lazy_view_build(struct e2lazy_journal *j,
			    const struct e2lazy_jmap *map,
			    struct e2lazy_view **out,
			    struct e2lazy_where *where)
{
	struct e2lazy_where unused;
	struct e2lazy_view *v;
	errcode_t err;

	v = calloc(1, sizeof(*v));
	if (!v)
		return EXT2_ET_NO_MEMORY;
	if (!where)
		where = &unused;
	memset(where, 0, sizeof(*where));
	v->journal = j;
	v->map = map;
	v->blocksize = j->geo.blocksize;
	set_volume(&v->volumes[E2LAZY_FILE_SYSTEM], j->fs->io, &j->device);
	if (j->jfs)
		set_volume(&v->volumes[E2LAZY_JOURNAL], j->io, &j->log);
	err = superblocks_make(&v->made, j, map, where);
	if (!err && e2lazy_jmap_is_past(map))
		err = past_find(&v->past, j, map);
	if (!err && e2lazy_view_uncovered(v))
		err = e2lazy_layout_build(j, map, &v->layout, where);
	if (!err)
		err = view_settle_orphan_flag(v);
	if (err) {
		e2lazy_view_free(v);
		return err;
	}
	where->has = 0;
	*out = v;
	return 0;
}

void e2lazy_view_free(struct e2lazy_view *v)
{
	if (!v)
		return;
	superblocks_free(&v->made);
	free(v->past.lost);
	e2lazy_layout_free(v->layout);
	cache_free(v->kept);
	next_copies_free(&v->next);
	patches_free(v);
	free(v);
}
