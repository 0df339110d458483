/* SPDX-License-Identifier: GPL-2.0-only */
/* file_grade.c - what the grades of its blocks make of a deleted file */
#include "file_grade.h"

const char *file_grade_name(enum file_grade grade)
{
	static const char *const names[NR_FILE_GRADES] = {
		[FILE_LIVING] = "living",
		[FILE_INTACT] = "intact", [FILE_UNREAD] = "unread",
		[FILE_UNPROVEN] = "unproven", [FILE_PARTIAL] = "partial",
		[FILE_LOST] = "lost",
	};

	return names[grade];
}

static bool has_contents(unsigned mode)
{
	return LINUX_S_ISREG(mode) || LINUX_S_ISLNK(mode);
}

uint64_t graded_blocks(const struct e2lazy_contents *c)
{
	uint64_t all = 0;

	for (unsigned i = 0; i < E2LAZY_NR_GRADES; i++)
		all += c->blocks[i];
	return all;
}

/* Intact if all its blocks are; so is a file that has none. */
static enum file_grade grade_blocks(const struct e2lazy_contents *c, bool quick)
{
	uint64_t intact = c->blocks[E2LAZY_GRADE_INTACT] + c->blank;
	uint64_t all = graded_blocks(c);
	uint64_t unknown = c->blocks[E2LAZY_GRADE_UNKNOWN];

	if (intact + unknown == all && !c->map_missing) {
		if (unknown)
			return FILE_UNPROVEN;
		return all && quick && !c->read ? FILE_UNREAD : FILE_INTACT;
	}
	if (!intact && unknown && !c->map_missing)
		return FILE_UNPROVEN;
	return intact ? FILE_PARTIAL : FILE_LOST;
}

enum file_grade file_grade_of(const struct e2lazy_deleted *d,
			      const struct e2lazy_contents *c, bool living,
			      bool quick)
{
	/* A truncation may have begun, and ciphertext cannot be checked. */
	const unsigned doubts = E2LAZY_DELETED_ORPHAN |
		E2LAZY_DELETED_TRUNCATING | E2LAZY_DELETED_ENCRYPTED |
		E2LAZY_DELETED_GAP | E2LAZY_DELETED_NAME;
	enum file_grade grade;

	if (living && !c->map_missing &&
	    c->blocks[E2LAZY_GRADE_INTACT] == graded_blocks(c))
		return FILE_LIVING;
	if (!has_contents(d->mode))
		return d->flags & (E2LAZY_DELETED_GAP | E2LAZY_DELETED_NAME) ?
		       FILE_UNPROVEN : FILE_INTACT;
	grade = grade_blocks(c, quick);
	/* A map that is not its own may have no block at all. */
	return grade < FILE_UNPROVEN &&
	       (c->map_unproven || d->flags & doubts) ? FILE_UNPROVEN : grade;
}
