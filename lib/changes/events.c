/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * events.c - the differences of a step as events
 *
 * A path before a step goes by the names before it, a path after by the names
 * after it.  So first the paths of lost names are made, then all names of the
 * step are brought up to date, and then the events are told.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "set_times.h"
#include "subject.h"

const char *e2lazy_change_name(enum e2lazy_change_kind kind)
{
	static const char *const names[E2LAZY_NR_CHANGES] = {
		[E2LAZY_CREATED] = "created",
		[E2LAZY_DELETED] = "deleted",
		[E2LAZY_RENAMED] = "renamed",
		[E2LAZY_LINKED] = "linked",
		[E2LAZY_UNLINKED] = "unlinked",
		[E2LAZY_RESIZED] = "resized",
		[E2LAZY_WRITTEN] = "written",
		[E2LAZY_MAPPED] = "mapped",
		[E2LAZY_MODE] = "chmod",
		[E2LAZY_OWNER] = "chown",
		[E2LAZY_XATTRS] = "xattrs",
		[E2LAZY_FLAGS] = "flags",
		[E2LAZY_TIMES] = "times set",
		[E2LAZY_TOUCHED] = "touched",
		[E2LAZY_CHANGED] = "changed",
		[E2LAZY_STATE] = "state",
	};

	return names[kind];
}

/* Flags that the kernel changes by itself: index, extents, inline data. */
#define OWN_FLAGS	(EXT2_INDEX_FL | EXT4_EXTENTS_FL | \
			 EXT4_INLINE_DATA_FL | EXT4_HUGE_FILE_FL)

struct telling {
	struct step	*step;
	size_t		inode, went, came;	/* next ones */
	char		**old_paths;	/* of all lost names */
	char		**last_paths;	/* of inodes that ended without one */
};

/* ------------------------------------------------- one inode after another */

static bool next_subject(struct telling *t, struct subject *s)
{
	const struct step *step = t->step;
	ext2_ino_t ino = 0;

	if (t->inode < step->inodes.nr)
		ino = step->inodes.at[t->inode].ino;
	if (t->went < step->went.nr)
		ino = least(ino, step->went.at[t->went].ino);
	if (t->came < step->came.nr)
		ino = least(ino, step->came.at[t->came].ino);
	if (!ino)
		return false;
	*s = (struct subject){ .ino = ino };
	if (t->inode < step->inodes.nr && step->inodes.at[t->inode].ino == ino)
		s->c = &step->inodes.at[t->inode++];
	s->nr_went = entries_of(&step->went, t->went, ino);
	s->nr_came = entries_of(&step->came, t->came, ino);
	s->went = entries_from(&step->went, t->went);
	s->came = entries_from(&step->came, t->came);
	s->old_paths = t->old_paths ? t->old_paths + t->went : NULL;
	if (s->c && t->last_paths)
		s->last_path = t->last_paths[t->inode - 1];
	t->went += s->nr_went;
	t->came += s->nr_came;
	subject_judge(step, s);
	return true;
}

/* ------------------------------------------------------------ their names */

static errcode_t make_old_paths(struct telling *t)
{
	const struct entries *went = &t->step->went;
	errcode_t err = 0;

	t->old_paths = calloc(went->nr + 1, sizeof(*t->old_paths));
	if (!t->old_paths)
		return EXT2_ET_NO_MEMORY;
	for (size_t i = 0; !err && i < went->nr; i++)
		err = names_tell_in(t->step->names, went->at[i].dir,
				    went->text + went->at[i].text,
				    went->at[i].length, &t->old_paths[i]);
	return err;
}

static errcode_t make_last_paths(struct telling *t)
{
	struct step *step = t->step;
	struct telling all = { .step = step };
	struct subject s;
	errcode_t err = 0;

	t->last_paths = calloc(step->inodes.nr + 1, sizeof(*t->last_paths));
	if (!t->last_paths)
		return EXT2_ET_NO_MEMORY;
	while (!err && next_subject(&all, &s))
		if (s.c && (s.ended || s.hidden_went) && !s.nr_went)
			err = names_tell(step->names, s.ino,
					 &t->last_paths[all.inode - 1]);
	return err;
}

static void free_paths(struct telling *t)
{
	for (size_t i = 0; t->old_paths && i < t->step->went.nr; i++)
		free(t->old_paths[i]);
	for (size_t i = 0; t->last_paths && i < t->step->inodes.nr; i++)
		free(t->last_paths[i]);
	free(t->old_paths);
	free(t->last_paths);
}

static errcode_t update(struct step *step, const struct subject *s)
{
	errcode_t err = 0;

	for (size_t i = 0; !err && i < s->nr_went; i++)
		err = names_went(step->names, s->ino, s->went[i].dir,
				 step->went.text + s->went[i].text,
				 s->went[i].length);
	/* Those names that came are sure to be there. */
	if (!err && (s->ended || s->began || s->unsure ||
		     (s->hidden_went && s->nr_came)))
		err = names_over(step->names, s->ino);
	for (size_t i = 0; !err && i < s->nr_came; i++)
		err = names_came(step->names, s->ino, s->came[i].dir,
				 step->came.text + s->came[i].text,
				 s->came[i].length);
	return err;
}

static errcode_t update_all(struct step *step)
{
	struct telling t = { .step = step };
	struct subject s;
	errcode_t err = step_take_perhaps(step);

	while (!err && next_subject(&t, &s))
		err = update(step, &s);
	return err;
}

/* ------------------------------------------------------------- the events */

static void state_of(const struct inode_at *at, struct e2lazy_inode_state *out)
{
	const struct ext2_inode_large *i = &at->inode;

	*out = (struct e2lazy_inode_state){
		.generation = i->i_generation, .mode = i->i_mode,
		.links = i->i_links_count, .uid = inode_uid(*i),
		.gid = inode_gid(*i),
		.size = EXT2_I_SIZE((const struct ext2_inode *)i),
		.atime = inode_time(i->i_atime, i->i_atime_extra),
		.mtime = inode_time(i->i_mtime, i->i_mtime_extra),
		.ctime = inode_time(i->i_ctime, i->i_ctime_extra),
		.crtime = inode_time(i->i_crtime, i->i_crtime_extra),
		.dtime.sec = i->i_links_count ? 0 : i->i_dtime,
	};
}

/* If another file has the inode now, nothing shows when this one ended. */
static struct e2lazy_time changed_at(const struct subject *s,
				     enum e2lazy_change_kind kind)
{
	const struct inode_at *after = s->c ? &s->c->after : NULL;
	const struct ext2_inode_large *i = after ? &after->inode : NULL;
	bool gone = kind == E2LAZY_DELETED || kind == E2LAZY_UNLINKED;

	return i && after->known && !(gone && s->ended && s->began) ?
	       inode_time(i->i_ctime, i->i_ctime_extra) :
	       (struct e2lazy_time){ .sec = 0 };
}

static errcode_t tell(struct step *step, const struct subject *s,
		      enum e2lazy_change_kind kind, const char *path,
		      const char *old_path)
{
	const struct e2lazy_change change = {
		.kind = kind, .tid = step->tid, .sec = step->sec,
		.nsec = step->nsec, .ino = s->ino,
		/* Of a new file, what the inode was before is another's. */
		.before = s->has_before && kind != E2LAZY_CREATED &&
			  !(s->began && kind == E2LAZY_TIMES) ?
			  &s->before : NULL,
		.after = s->has_after && kind != E2LAZY_DELETED ? &s->after :
								  NULL,
		.path = path, .old_path = old_path,
		.changed = changed_at(s, kind),
	};

	return step->opts->found ?
	       step->opts->found(step->opts->priv, &change) : 0;
}

static errcode_t tell_came(struct step *step, const struct subject *s,
			   enum e2lazy_change_kind kind, size_t index,
			   const char *old_path)
{
	const struct entry *e = &s->came[index];
	char *path = NULL;
	errcode_t err = names_tell_in(step->names, e->dir,
				      step->came.text + e->text, e->length,
				      &path);

	if (!err)
		err = tell(step, s, kind, path, old_path);
	free(path);
	return err;
}

/* The end of a life: its first name stands for the file. */
static errcode_t tell_end(struct step *step, const struct subject *s)
{
	errcode_t err = tell(step, s, E2LAZY_DELETED, s->nr_went ?
			     s->old_paths[0] : s->last_path, NULL);

	for (size_t i = 1; !err && i < s->nr_went; i++)
		err = tell(step, s, E2LAZY_UNLINKED, s->old_paths[i], NULL);
	return err;
}

static errcode_t tell_known(struct step *step, const struct subject *s,
			    enum e2lazy_change_kind kind)
{
	char *path = NULL;
	errcode_t err = names_tell(step->names, s->ino, &path);

	if (!err)
		err = tell(step, s, kind, path, NULL);
	free(path);
	return err;
}

static errcode_t tell_begin(struct step *step, const struct subject *s)
{
	errcode_t err = s->nr_came ?
			tell_came(step, s, E2LAZY_CREATED, 0, NULL) :
			tell_known(step, s, E2LAZY_CREATED);

	for (size_t i = 1; !err && i < s->nr_came; i++)
		err = tell_came(step, s, E2LAZY_LINKED, i, NULL);
	if (!err && s->has_after && times_were_set_first(step, &s->after))
		err = tell_known(step, s, E2LAZY_TIMES);
	return err;
}

/* If no name of the inode is left from before, the last one went. */
static const char *path_that_went(const struct subject *s, size_t index,
				  const char *unknown)
{
	if (index < s->nr_went)
		return s->old_paths[index];
	return s->last_path && subject_has_new_names(s) ? s->last_path :
							  unknown;
}

/* A name for a name is a renaming.  No block shows a hidden name. */
static errcode_t tell_names(struct step *step, const struct subject *s)
{
	size_t came = s->nr_came + s->hidden_came;
	size_t went = s->nr_went + s->hidden_went;
	enum e2lazy_change_kind kind;
	char unknown[16];
	errcode_t err = 0;
	const char *old;

	snprintf(unknown, sizeof(unknown), "<%u>", s->ino);
	for (size_t i = 0; !err && i < came; i++) {
		kind = i < went ? E2LAZY_RENAMED : E2LAZY_LINKED;
		old = i < went ? path_that_went(s, i, unknown) : NULL;
		err = i < s->nr_came ? tell_came(step, s, kind, i, old) :
				       tell(step, s, kind, unknown, old);
	}
	for (size_t i = came; !err && i < went; i++)
		err = tell(step, s, E2LAZY_UNLINKED,
			   path_that_went(s, i, unknown), NULL);
	return err;
}

/* Was the file renamed, or did another one take its inode? */
static errcode_t tell_unsure(struct step *step, const struct subject *s)
{
	errcode_t err = 0;
	size_t i;

	for (i = 0; !err && i < s->nr_came; i++)
		err = tell_came(step, s, E2LAZY_CHANGED, i, i < s->nr_went ?
				s->old_paths[i] : NULL);
	for (; !err && i < s->nr_went; i++)
		err = tell(step, s, E2LAZY_CHANGED, s->old_paths[i], NULL);
	return err;
}

/* Which fields differ, as bits of enum e2lazy_change_kind. */
static errcode_t differences(struct step *step, const struct subject *s,
			     unsigned *kinds)
{
	const struct changed_inode *c = s->c;
	const struct ext2_inode_large *x = &c->before.inode;
	const struct ext2_inode_large *y = &c->after.inode;
	bool directory = c->after.directory, mapped = false, written;
	enum likeness attributes = LIKENESS_SAME;
	errcode_t err = step_is_mapped(step, c, &mapped);

	if (!err)
		err = step_compare_xattrs(step, c, &attributes);
	written = x->i_mtime != y->i_mtime ||
		  x->i_mtime_extra != y->i_mtime_extra;
	*kinds = (s->before.size != s->after.size && !directory ?
		  1U << E2LAZY_RESIZED : 0) |
		 (mapped ? 1U << E2LAZY_MAPPED : 0) |
		 (x->i_mode != y->i_mode ? 1U << E2LAZY_MODE : 0) |
		 (s->before.uid != s->after.uid ||
		  s->before.gid != s->after.gid ? 1U << E2LAZY_OWNER : 0) |
		 (attributes == LIKENESS_OTHER ? 1U << E2LAZY_XATTRS : 0) |
		 ((x->i_flags ^ y->i_flags) & ~OWN_FLAGS ?
		  1U << E2LAZY_FLAGS : 0);
	if (times_were_set(step, &s->before, &s->after))
		*kinds |= 1U << E2LAZY_TIMES;
	else if (written && !directory && !(*kinds & 1U << E2LAZY_RESIZED))
		*kinds |= 1U << E2LAZY_WRITTEN;
	if (!*kinds && !subject_has_names(s) && !directory &&
	    (x->i_ctime != y->i_ctime || x->i_ctime_extra != y->i_ctime_extra ||
	     x->i_atime != y->i_atime || x->i_atime_extra != y->i_atime_extra))
		*kinds |= 1U << (attributes == LIKENESS_UNKNOWN ?
				 E2LAZY_CHANGED : E2LAZY_TOUCHED);
	return err;
}

static errcode_t tell_fields(struct step *step, const struct subject *s)
{
	unsigned kinds = 0;
	errcode_t err = 0;

	if (s->c && s->c->before.used && s->c->after.used)
		err = differences(step, s, &kinds);
	else if (s->c && step_is_touched(step, s->c))
		kinds = 1U << E2LAZY_CHANGED;
	for (unsigned kind = 0; !err && kind < E2LAZY_NR_CHANGES; kind++)
		if (kinds & 1U << kind)
			err = tell_known(step, s, kind);
	return err;
}

/*
 * The first transaction changed something in the block of the inode; what, no
 * copy shows.  The inode of a deleted file is void but for its times.
 */
static bool is_state(const struct step *step, const struct subject *s)
{
	const struct inode_at *after = s->c ? &s->c->after : NULL;
	const struct ext2_inode_large *i = after ? &after->inode : NULL;

	return step->beginning && i && !s->c->before.known && after->known &&
	       !s->ended && !s->began && !subject_has_names(s) &&
	       (after->used || (i->i_mode && !i->i_links_count && i->i_dtime &&
				!i->i_blocks &&
				!(i->i_flags & EXT4_EA_INODE_FL)));
}

static errcode_t tell_state(struct step *step, struct subject *s)
{
	s->has_after = true;
	state_of(&s->c->after, &s->after);
	return tell_known(step, s, E2LAZY_STATE);
}

static errcode_t tell_subject(struct step *step, struct subject *s)
{
	errcode_t err = 0;

	if (is_state(step, s))
		return tell_state(step, s);
	s->has_before = s->c && s->c->before.used;
	s->has_after = s->c && s->c->after.used;
	if (s->has_before)
		state_of(&s->c->before, &s->before);
	if (s->has_after)
		state_of(&s->c->after, &s->after);
	if (s->ended)
		err = tell_end(step, s);
	if (!err && s->began)
		err = tell_begin(step, s);
	if (err || s->ended || s->began)
		return err;
	if (s->unsure)
		return tell_unsure(step, s);
	err = tell_names(step, s);
	return err ? err : tell_fields(step, s);
}

/* Has it an event whose path no name of the step tells? */
static bool needs_name(const struct step *step, const struct subject *s)
{
	const struct changed_inode *c = s->c;

	if (!c || s->nr_went || s->nr_came || c->before.directory ||
	    c->after.directory)
		return false;
	return s->ended || s->began || step_is_touched(step, c) ||
	       (is_state(step, s) && c->after.used) ||
	       (c->before.used && c->after.used);
}

/* The first pass. */
static errcode_t learn(struct step *step)
{
	struct telling t = { .step = step };
	struct subject s;
	errcode_t err = 0;

	while (!err && next_subject(&t, &s))
		if (needs_name(step, &s))
			err = names_want(step->names, s.ino);
	return err ? err : update_all(step);
}

errcode_t step_events(struct step *step)
{
	struct telling t = { .step = step };
	struct subject s;
	errcode_t err;

	if (step->silent)
		return learn(step);
	err = make_old_paths(&t);
	if (!err)
		err = make_last_paths(&t);
	if (!err)
		err = update_all(step);
	while (!err && next_subject(&t, &s))
		err = tell_subject(step, &s);
	free_paths(&t);
	return err;
}
