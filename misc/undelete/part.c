/* SPDX-License-Identifier: GPL-2.0-only */
/* part.c - a part of a rescue, copied as undelete --to does */
#include <unistd.h>

#include "io/device.h"
#include "io/pread_io.h"
#include "part.h"
#include "undelete.h"

/* Device files and owners are for root alone, as the command has said. */
static void begin(struct undelete *u)
{
	u->special = !geteuid();
	u->any_owner = !u->special;
	u->listing.headings = true;
	columns_init(&u->columns, undelete_columns, nr_undelete_columns,
		     COLUMN_JSON);
}

errcode_t part_open(struct session *s, bool in_place, ext2_filsys *fs)
{
	const struct e2lazy_open_opts *opts = &s->source.open;
	struct e2lazy_where where;

	if (!in_place)
		return e2lazy_view_open(opened_what_is_shown(s->log), fs,
					&where);
	return device_open_fs(e2lazy_device(s->log->journal,
					    E2LAZY_FILE_SYSTEM),
			      EXT2_FLAG_64BITS | EXT2_FLAG_SOFTSUPP_FEATURES,
			      opts->superblock, opts->blocksize,
			      opts->manager ? opts->manager : pread_io_manager,
			      fs);
}

void part_copy(struct session *s, const struct part *part,
	       struct part_counts *counts)
{
	struct undelete u = {
		.s = s, .to = part->to, .to_fd = part->to_fd,
		.tree = !part->deleted, .beside = part->beside,
		.unproven = part->names, .listed = true,
	};
	errcode_t err = 0;

	begin(&u);
	if (part->in_place)
		err = part_open(s, true, &u.living);
	if (err)
		session_fail(s, err, NULL);
	else if (!part->deleted || search_ring(&u))
		show_files(&u);
	if (part->names) {
		*part->names = u.kept;
		u.kept = (struct kept){ 0 };
	}
	counts->restored = u.outcomes[OUTCOME_RESTORED];
	counts->present = u.outcomes[OUTCOME_PRESENT];
	counts->left_out = u.outcomes[OUTCOME_SKIPPED];
	counts->failed = u.outcomes[OUTCOME_FAILED];
	counts->unproven = u.nr_unproven;
	e2lazy_undelete_free(u.found);
	kept_free(&u.kept);
	e2lazy_later_free(u.later);
	if (u.living)
		ext2fs_free(u.living);
}
