/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sides.c - the file system before a tool ran, and after it
 *
 * Both are read in the same way: through the log, if one can be read, else by
 * the blocks in place.  So a tool that leaves the log alone changes no file.
 */
#include "sides.h"

/* As e2lazy view shows it. */
static bool show(struct side *side)
{
	struct opened *o = &side->o;
	const struct limits limits = { .tail_set = false };
	struct e2lazy_where where;
	struct e2lazy_view *view;

	return !opened_build(o, &limits, E2LAZY_JMAP_CSUMS |
			     E2LAZY_JMAP_STATES, false, NULL) &&
	       !opened_shown(o, &view, &where) &&
	       !opened_leave_out(o, NULL) &&
	       !e2lazy_view_open(view, &side->fs, &where);
}

static bool by_log(struct side *side, const char *device,
		   const struct e2lazy_open_opts *opts,
		   const struct geometry *geometry)
{
	side->o = (struct opened){ .lent = false };
	if (opened_begin(&side->o, device, opts, geometry, false, NULL) &&
	    show(side)) {
		side->from = geometry ? FROM_SALVAGED : FROM_VIEW;
		return true;
	}
	side->fs = NULL;
	opened_free(&side->o);
	side->o = (struct opened){ .lent = false };
	return false;
}

static bool by_salvage(struct side *side, const char *device,
		       const struct e2lazy_open_opts *opts)
{
	struct geometry geometry;

	return geometry_parse(&geometry, "auto") &&
	       by_log(side, device, opts, &geometry);
}

static bool in_place(struct side *side, const char *device, uint64_t offset)
{
	char options[32];

	snprintf(options, sizeof(options), "offset=%llu",
		 (unsigned long long)offset);
	if (ext2fs_open2(device, options, EXT2_FLAG_64BITS |
			 EXT2_FLAG_SOFTSUPP_FEATURES |
			 EXT2_FLAG_IGNORE_CSUM_ERRORS, 0, 0, unix_io_manager,
			 &side->fs))
		return false;
	side->from = FROM_PLACE;
	return true;
}

void side_before(struct side *side, const struct view *v)
{
	struct e2lazy_open_opts opts = v->s->source.open, backup;

	opts.journal = v->journal;
	*side = (struct side){ .from = FROM_NOTHING };
	if (by_log(side, v->device, &opts, NULL))
		return;
	if (session_find_backup(v->s, &backup)) {
		backup.journal = v->journal;
		if (by_log(side, v->device, &backup, NULL))
			return;
	}
	if (!by_salvage(side, v->device, &opts))
		in_place(side, v->device, opts.offset);
}

void side_after(struct side *side, const struct view *v)
{
	const char *device = v->volumes[0].file;
	struct e2lazy_open_opts opts = {
		.journal = v->nr_volumes > 1 ? v->volumes[1].file : NULL,
	};

	*side = (struct side){ .from = FROM_NOTHING };
	if (!by_log(side, device, &opts, NULL) &&
	    !by_salvage(side, device, &opts))
		in_place(side, device, 0);
}

void side_close(struct side *side)
{
	if (side->fs)
		ext2fs_free(side->fs);
	opened_free(&side->o);
}

enum rehearsed_log sides_log(const struct side *before,
			     const struct side *after)
{
	const struct e2lazy_geometry *now = after->o.geo, *then = before->o.geo;

	if (after->from == FROM_VIEW && now->start)
		return LOG_KEPT;
	if (after->from == FROM_VIEW)
		return then && !then->start ? LOG_WAS_EMPTY : LOG_EMPTIED;
	return after->fs && !ext2fs_has_feature_journal(after->fs->super) ?
	       LOG_REMOVED : LOG_UNREADABLE;
}
