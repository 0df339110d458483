/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* subject.h - all of a step about one inode */
#ifndef E2LAZY_CHANGES_SUBJECT_H
#define E2LAZY_CHANGES_SUBJECT_H

#include "changes.h"

struct subject {
	ext2_ino_t	ino;
	const struct changed_inode *c;	/* NULL: only names */
	const struct entry *went, *came;
	size_t		nr_went, nr_came;
	char		**old_paths;	/* of @went */
	const char	*last_path;	/* of a name that went, but is hidden */
	bool		ended, began;
	bool		unsure;		/* is it the same file as before? */
	/* Names that no block shows, although they went or came. */
	size_t		hidden_went, hidden_came;
	struct e2lazy_inode_state before, after;
	bool		has_before, has_after;
};

/* Which life ended, or began, and which names are hidden? */
void subject_judge(const struct step *step, struct subject *s);
/* Has each name of the inode come in this step? */
bool subject_has_new_names(const struct subject *s);
/* Has the inode got or lost a name? */
static inline bool subject_has_names(const struct subject *s)
{
	return s->nr_went || s->nr_came || s->hidden_went || s->hidden_came;
}

#endif
