/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * history_owners.c - the files that have had a block, from transaction to
 * transaction
 *
 * The log shows who got a block and who lost it, as far as it has their inodes.
 * Only if it does not show the owner at its end, all inodes are asked.
 */
#include <stdlib.h>

#include "e2lazy_changes.h"
#include "history.h"
#include "role.h"
#include "support/nls.h"
#include "support/status.h"

enum { TID, TIME, OWNER, INODE, GENERATION, ROLE, LBLK, PATH, NR_COLUMNS };

static const struct column owner_columns[NR_COLUMNS] = {
	[TID] = { "TID", "tid", COLUMN_NUMBER, COLUMN_USUAL, 0, NULL },
	[TIME] = { "TIME", "time", COLUMN_TIME, COLUMN_USUAL, 0, NULL },
	[OWNER] = { "OWNER", "owner", COLUMN_STRING, COLUMN_USUAL, 5, NULL },
	[INODE] = { "INODE", "inode", COLUMN_NUMBER, COLUMN_USUAL, 0, NULL },
	[GENERATION] = { "GENERATION", "generation", COLUMN_NUMBER, COLUMN_JSON,
		0, NULL },
	[ROLE] = { "ROLE", "role", COLUMN_STRING, COLUMN_USUAL, 9, NULL },
	[LBLK] = { "LBLK", "lblk", COLUMN_NUMBER, COLUMN_USUAL, 0, NULL },
	[PATH] = { "PATH", "path", COLUMN_STRING, COLUMN_USUAL, 0, NULL },
};

struct owning {
	struct session	*s;
	blk64_t		fsblk;
	const struct tid_ranges *times;
	struct columns	columns;
	struct rows	rows;
	unsigned	owners;		/* at the end, as far as it is known */
	struct e2lazy_damage lost;
};

/* ------------------------------------------------------------- the rows */

/* A node of a map, and attributes, have no place in the file. */
static bool has_lblk(enum e2lazy_role role)
{
	return role == E2LAZY_ROLE_DATA || role == E2LAZY_ROLE_DIRECTORY ||
	       role == E2LAZY_ROLE_HTREE || role == E2LAZY_ROLE_SYMLINK;
}

static void put_row(struct owning *o, struct cell *cells, const char *word,
		    const struct e2lazy_owner *owner, const char *path)
{
	char role[ROLE_TEXT];

	role_text(o->s, owner, role);
	cell_text(&cells[OWNER], word);
	cell_text(&cells[ROLE], role);
	cell_none(&cells[INODE]);
	cell_none(&cells[GENERATION]);
	cell_none(&cells[LBLK]);
	cell_none(&cells[PATH]);
	if (owner->ino) {
		cell_number(&cells[INODE], owner->ino);
		cell_number(&cells[GENERATION], owner->generation);
	}
	if (owner->ino && has_lblk(owner->role))
		cell_number(&cells[LBLK], owner->lblk);
	if (path)
		cell_text(&cells[PATH], path);
	rows_put(&o->rows, cells);
}

static const char *word_of(const struct e2lazy_owner_change *c)
{
	if (!c->got)
		return "lost";
	return c->exact ? "got" : "has";
}

static errcode_t note_change(void *priv, const struct e2lazy_owner_change *c)
{
	struct owning *o = priv;
	struct cell cells[NR_COLUMNS];

	o->owners += c->got ? 1 : o->owners ? -1U : 0;
	if (!tid_time_in(o->times, (struct instant){ c->sec, c->nsec }))
		return 0;
	cell_number(&cells[TID], c->tid);
	cell_time(&cells[TIME], c->sec);
	put_row(o, cells, word_of(c), &c->owner, c->path);
	return rows_stop(&o->rows) ? E2LAZY_ET_CANCELLED : 0;
}

static errcode_t note_lost(void *priv, blk64_t fsblk, bool before,
			   errcode_t why)
{
	struct owning *o = priv;
	bool is_first = !o->lost.count;

	if (before && why == E2LAZY_ET_LOST)
		return 0;
	o->lost.count++;
	if (!is_first && (o->lost.error != E2LAZY_ET_LOST ||
			  why == E2LAZY_ET_LOST))
		return 0;
	o->lost.error = why;
	o->lost.first = (struct e2lazy_where){ .has = E2LAZY_AT_FSBLK,
					       .fsblk = fsblk };
	return 0;
}

/* ------------------------------------------------------------ the search */

/* Descriptors of an older history may be lost: that is no damage of this one. */
static void tell_error(struct owning *o, errcode_t err,
		       const struct e2lazy_where *where)
{
	if (err == E2LAZY_ET_LOST)
		session_complain(o->s, 0, _("the owners of block %llu are not "
					    "known: %s"),
				 (unsigned long long)o->fsblk,
				 _(error_message(err)));
	else
		session_fail(o->s, err, where);
}

/* False: there is no point in asking further. */
static bool list_changes(struct owning *o)
{
	struct session *s = o->s;
	const struct e2lazy_watch watch = session_watch(s);
	const struct e2lazy_changes_opts opts = {
		.owned = note_change, .block = o->fsblk, .lost = note_lost,
		.priv = o, .has_until = s->source.limits.until_set,
		.until = s->source.limits.until, .watch = &watch,
	};
	struct e2lazy_where where;
	errcode_t err;

	err = e2lazy_changes_each(s->log->journal, s->log->view, s->log->ranges,
				  s->log->nr_ranges, &opts, &where);
	if (s->print.progress.phase != PHASE_NONE)
		progress_end(&s->print.progress);
	if (err)
		tell_error(o, err, &where);
	/* What newer blocks have overwritten is no damage. */
	if (o->lost.count)
		session_tell(s, o->lost.error == E2LAZY_ET_LOST ? 0 : FSCK_LEFT,
			     &o->lost);
	return !err && !cancelled();
}

/* The descriptors lead to the inodes. */
static bool has_descriptors(struct owning *o)
{
	struct e2lazy_where where;
	ext2_filsys fs;
	errcode_t err = e2lazy_view_open(o->s->log->view, &fs, &where);

	if (err)
		tell_error(o, err, &where);
	else
		ext2fs_free(fs);
	return !err;
}

/* No transaction has shown the owner at the end. */
static void ask_inodes(struct owning *o)
{
	struct session *s = o->s;
	struct cell cells[NR_COLUMNS];
	struct e2lazy_owner owner;
	char *path = NULL;

	if (!has_descriptors(o) || !session_owners_of(s, true, &o->fsblk, 1) ||
	    e2lazy_owners_find(s->log->owners, o->fsblk, &owner))
		return;
	if (owner.ino && e2lazy_owners_path(s->log->owners, owner.ino, &path))
		path = NULL;
	cell_none(&cells[TID]);
	cell_none(&cells[TIME]);
	put_row(o, cells, "end", &owner, path);
	free(path);
}

static void begin_rows(struct owning *o)
{
	struct session *s = o->s;
	const struct listing listing = { .headings = true };

	columns_init(&o->columns, owner_columns, NR_COLUMNS,
		     s->print.json_wanted ? COLUMN_JSON : COLUMN_SHOWN);
	session_fit_tids(s, &o->columns, TID);
	columns_fit(&o->columns, INODE,
		    e2lazy_static_fs(s->log->journal)->super->s_inodes_count);
	if (!s->print.json_wanted)
		out_format(&s->print.out, _("\nOwners of block %llu:\n"),
			   (unsigned long long)o->fsblk);
	print_rows(&s->print, &listing, &o->columns, "owners", &o->rows);
}

void history_owners(struct session *s, blk64_t fsblk,
		    const struct tid_ranges *times)
{
	struct owning o = { .s = s, .fsblk = fsblk, .times = times };
	struct e2lazy_place place;

	if (fsblk >= e2lazy_jmap_fs_blocks(s->log->map) || !session_layout(s))
		return;
	e2lazy_layout_find(s->log->layout, fsblk, &place);
	if (place.type != E2LAZY_TYPE_OTHER || !session_view(s))
		return;
	begin_rows(&o);
	if (list_changes(&o) && !o.owners)
		ask_inodes(&o);
	if (s->print.json_wanted)
		json_end(&s->print.json);
}
