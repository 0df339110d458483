/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * not_restored.c - files that are left out on purpose: no failure, and not done
 */
#include "support/nls.h"
#include "support/status.h"
#include "undelete.h"

const char *left_out_name(enum left_out reason)
{
	static const char *const names[NR_LEFT_OUT] = {
		[LEFT_DEVICE] = "device", [LEFT_ENCRYPTED] = "encrypted",
		[LEFT_GRADE] = "grade",
	};

	return names[reason];
}

/* Would all be right if its zeros are? */
static bool is_all_but_zeros(const struct file *f)
{
	const struct e2lazy_contents *c = &f->contents;

	return c->blocks[E2LAZY_GRADE_ZERO] > c->blank && !c->map_missing &&
	       !c->map_unproven && !c->blocks[E2LAZY_GRADE_UNKNOWN] &&
	       !c->blocks[E2LAZY_GRADE_BETWEEN] &&
	       !c->blocks[E2LAZY_GRADE_REUSED];
}

/* Of a lost file --partial zero makes nothing but zeros: it must have been that. */
static bool may_be_partial(const struct undelete *u, const struct file *f)
{
	if (f->grade != FILE_LOST)
		return u->partial != PARTIAL_NEVER;
	return u->partial == PARTIAL_RAW ||
	       (u->partial == PARTIAL_ZERO && is_all_but_zeros(f));
}

enum left_out left_out_reason(const struct undelete *u, const struct file *f)
{
	unsigned mode = f->d.mode;

	if ((LINUX_S_ISBLK(mode) || LINUX_S_ISCHR(mode)) && !u->special)
		return LEFT_DEVICE;
	if ((f->grade <= (u->unproven ? FILE_UNPROVEN : FILE_UNREAD) ||
	     may_be_partial(u, f)) &&
	    (!LINUX_S_ISLNK(mode) || (f->target && *f->target)))
		return LEFT_NOT;
	return f->d.flags & E2LAZY_DELETED_ENCRYPTED ? LEFT_ENCRYPTED :
						       LEFT_GRADE;
}

void leave_out(struct undelete *u, struct file *f, enum left_out reason)
{
	f->outcome = OUTCOME_SKIPPED;
	f->left_out = reason;
	u->left_out[reason]++;
	u->zeros_left += reason == LEFT_GRADE && is_all_but_zeros(f) &&
			 f->contents.blocks[E2LAZY_GRADE_INTACT];
}

void tell_not_restored(struct undelete *u)
{
	unsigned long n = (unsigned long)u->left_out[LEFT_DEVICE];

	if (n)
		session_complain(u->s, FSCK_LEFT, P_(
			"%lu device file was left out: --preserve-special "
			"makes it",
			"%lu device files were left out: --preserve-special "
			"makes them", n), n);
	n = (unsigned long)u->zeros_left;
	if (n)
		session_complain(u->s, FSCK_LEFT, P_(
			"%lu file was left out because blocks of it read as "
			"zeros, which may be right: --partial zero restores it",
			"%lu files were left out because blocks of them read as "
			"zeros, which may be right: --partial zero restores "
			"them", n), n);
	n = (unsigned long)u->left_out[LEFT_ENCRYPTED];
	if (n)
		session_complain(u->s, FSCK_LEFT, P_(
			"%lu encrypted file was left out: its key is missing",
			"%lu encrypted files were left out: their keys are "
			"missing", n), n);
}
