/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * grade.c - what the grades of its blocks make of a file
 */
#include <stdio.h>
#include <string.h>

#include "io/grow.h"
#include "support/nls.h"
#include "undelete.h"

const char *outcome_name(enum outcome outcome)
{
	static const char *const names[] = {
		[OUTCOME_NONE] = NULL, [OUTCOME_RESTORED] = "restored",
		[OUTCOME_PRESENT] = "present", [OUTCOME_SKIPPED] = "skipped",
		[OUTCOME_FAILED] = "failed",
	};

	return names[outcome];
}

enum file_grade grade_file(const struct file *f, bool quick)
{
	return file_grade_of(&f->d, &f->contents, f->living, quick);
}

errcode_t add_piece(struct file *f, const struct e2lazy_graded *g)
{
	struct file_piece *last = f->nr_pieces ?
				  &f->pieces[f->nr_pieces - 1] : NULL;
	struct file_piece *p;

	if (last && last->grade == g->grade && last->user == g->user &&
	    last->lblk + last->count == g->lblk &&
	    last->fsblk + last->count == g->fsblk) {
		last->count += g->count;
		return 0;
	}
	p = grow(f->pieces, f->nr_pieces, &f->room, sizeof(*p));
	if (!p)
		return EXT2_ET_NO_MEMORY;
	f->pieces = p;
	f->pieces[f->nr_pieces++] = (struct file_piece){
		g->lblk, g->count, g->fsblk, g->grade, g->user,
	};
	return 0;
}

/* ------------------------------------------------------------------ why */

static void add(char text[WHY_TEXT], const char *reason)
{
	size_t used = strlen(text);

	snprintf(text + used, WHY_TEXT - used, "%s%s", used ? "; " : "",
		 reason);
}

static ext2_ino_t first_user(const struct file *f)
{
	for (size_t i = 0; i < f->nr_pieces; i++)
		if (f->pieces[i].user)
			return f->pieces[i].user;
	return 0;
}

static void add_blocks(const struct file *f, char text[WHY_TEXT])
{
	static const char *const reasons[E2LAZY_NR_GRADES] = {
		[E2LAZY_GRADE_ZERO] =
			PN_("%llu of %llu blocks reads as zeros",
			    "%llu of %llu blocks read as zeros"),
		[E2LAZY_GRADE_UNKNOWN] =
			PN_("%llu of %llu blocks is unproven or unreadable",
			    "%llu of %llu blocks are unproven or unreadable"),
		[E2LAZY_GRADE_BETWEEN] =
			PN_("%llu of %llu blocks has had another owner since",
			    "%llu of %llu blocks have had another owner since"),
		[E2LAZY_GRADE_REUSED] =
			PN_("%llu of %llu blocks is in use now",
			    "%llu of %llu blocks are in use now"),
	};
	unsigned long long all = graded_blocks(&f->contents);
	char part[WHY_TEXT], user[WHY_TEXT];

	for (unsigned i = 0; i < E2LAZY_NR_GRADES; i++) {
		unsigned long n = (unsigned long)f->contents.blocks[i];

		if (i == E2LAZY_GRADE_ZERO)
			n -= (unsigned long)f->contents.blank;
		if (!reasons[i] || !n)
			continue;
		snprintf(part, sizeof(part),
			 P_(reasons[i], reasons[i] + strlen(reasons[i]) + 1, n),
			 (unsigned long long)n, all);
		add(text, part);
		if (i == E2LAZY_GRADE_REUSED && first_user(f)) {
			snprintf(user, sizeof(user), _("first by inode %u"),
				 first_user(f));
			add(text, user);
		}
	}
}

void why_text(const struct file *f, char text[WHY_TEXT])
{
	text[0] = 0;
	if (f->grade <= FILE_INTACT)
		return;
	if (f->grade == FILE_UNREAD)
		add(text, _("its blocks were not read"));
	if (f->contents.map_missing)
		add(text, _("a part of its block map is lost"));
	if (f->contents.map_unproven)
		add(text, _("no evidence proves that its block map is its "
			    "own"));
	if (f->d.flags & E2LAZY_DELETED_ORPHAN)
		add(text, _("no copy of it has a name, so it may be "
			    "truncated"));
	if (f->d.flags & E2LAZY_DELETED_GAP)
		add(text, _("later transactions or copies are lost or do not "
			    "count, and may speak against it"));
	if (f->d.flags & E2LAZY_DELETED_NAME)
		add(text, _("a lost transaction may have changed a name on its "
			    "path"));
	if (f->d.flags & E2LAZY_DELETED_TRUNCATING)
		add(text, _("it was being truncated"));
	if (f->d.flags & E2LAZY_DELETED_ENCRYPTED)
		add(text, _("it is encrypted, and the key is missing"));
	if (f->doubtful)
		add(text, _("a damage of the log may hide that its copies were "
			    "revoked"));
	add_blocks(f, text);
}
