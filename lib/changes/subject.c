/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * subject.c - an inode of a step: the life of its file, and its names
 *
 * Blocks that are unknown before the step hide names that went, and it may be
 * unknown which names in them are new.  If the inode is known at both times, its
 * links tell how many are hidden.
 */

#include "subject.h"

/*
 * Then the inode had another name before, which an unknown block hides, or none,
 * as it is new.
 */
bool subject_has_new_names(const struct subject *s)
{
	const struct inode_at *after = &s->c->after;

	return after->used && s->nr_came &&
	       (after->directory || after->inode.i_links_count <= s->nr_came);
}

enum age { UNKNOWN_AGE, OLDER, NEW };

/*
 * The age of a file that is unknown before, and whose names, or one of them,
 * came or went in this step: so its change time is of this step.  Inodes of 128
 * bytes have no time of creation.
 */
static enum age age_of(const struct step *step, const struct changed_inode *c)
{
	const struct ext2_inode_large *i = &c->after.inode;

	if (!i->i_crtime)
		return UNKNOWN_AGE;
	if (i->i_crtime == i->i_ctime && i->i_crtime_extra == i->i_ctime_extra)
		return NEW;
	return step_is_touched(step, c) ? OLDER : UNKNOWN_AGE;
}

static bool has_doubtful_names(const struct subject *s)
{
	for (size_t i = 0; i < s->nr_came; i++)
		if (s->came[i].doubtful)
			return true;
	return false;
}

/*
 * A file that is unknown before is another one than that of the names that went,
 * or the same.  If a name is left from before, it is the same.  If its only name
 * went, a directory has another one.  If a doubtful name may have come for the
 * one that went, the file was renamed, or had both.
 */
static void judge_unknown(const struct step *step, struct subject *s)
{
	const struct inode_at *after = &s->c->after;
	bool doubtful = !after->directory && has_doubtful_names(s);
	enum age age = age_of(step, s->c);

	if (doubtful)
		age = age == NEW ? NEW : UNKNOWN_AGE;
	else if (s->nr_came ? !subject_has_new_names(s) : !s->nr_went ||
		 (after->inode.i_crtime && !after->directory))
		return;
	s->unsure = age == UNKNOWN_AGE;
	s->began = age == NEW;
	s->hidden_went = age == OLDER && !s->nr_went;
	s->hidden_came = age == OLDER && !s->nr_came;
}

/* Of all hidden names without a counterpart, one is told. */
static size_t up_to(int64_t hidden, size_t seen)
{
	return hidden <= 0 ? 0 :
	       hidden > (int64_t)seen ? seen + 1 : (size_t)hidden;
}

static void count_hidden(struct subject *s)
{
	int64_t went = (int64_t)s->nr_came - (int64_t)s->nr_went -
		       inode_more_names(s->c);

	s->hidden_went = up_to(went, s->nr_came);
	s->hidden_came = up_to(-went, s->nr_went);
}

void subject_judge(const struct step *step, struct subject *s)
{
	const struct changed_inode *c = s->c;
	bool same;

	if (!c)
		return;
	same = inode_same_life(&c->before.inode, &c->after.inode);
	s->ended = c->before.used ? !c->after.used || !same :
				    step_is_dead(step, c);
	s->began = step_has_begun(step, c);
	if (c->before.used && c->after.used && same)
		count_hidden(s);
	else if (!c->before.known && c->after.used && !s->began)
		judge_unknown(step, s);
	/* A name went in this step, and no link is left, or a new file's. */
	if (!c->before.known && s->nr_went && (!c->after.used || s->began))
		s->ended = true;
}
