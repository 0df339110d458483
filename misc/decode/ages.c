/* SPDX-License-Identifier: GPL-2.0-only */
/* ages.c - files of an earlier view whose contents are later than the view */
#include <stdlib.h>

#include "ages.h"
#include "session/session.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"

#define MOST_NAMED	10

/* A file, and the first of its blocks that is not of the view's time. */
struct changed {
	blk64_t		first;
	ext2_ino_t	ino;
	struct ages	ages;
};

struct search {
	struct e2lazy_later *later;
	struct changed	at[MOST_NAMED];
	unsigned	nr;
	uint64_t	others;
	bool		foreign;	/* one shows another file's contents */
};

static errcode_t take_run(void *priv, const struct e2lazy_aged *run)
{
	struct ages *a = priv;

	a->blocks[run->age] += run->count;
	if (run->age != E2LAZY_AGE_SAME && !a->first)
		a->first = run->fsblk;
	return 0;
}

errcode_t ages_find(struct e2lazy_later *later, ext2_ino_t ino,
		    struct ages *ages)
{
	*ages = (struct ages){ .first = 0 };
	return e2lazy_later_file(later, ino, take_run, ages, &ages->whole);
}

void ages_complain(struct session *s, const char *object, const char *path,
		   const struct ages *a)
{
	unsigned long other = (unsigned long)a->blocks[E2LAZY_AGE_OTHER];
	unsigned long unsure = (unsigned long)a->blocks[E2LAZY_AGE_UNSURE];
	unsigned long all = other + unsure +
			    (unsigned long)a->blocks[E2LAZY_AGE_SAME];

	out_flush(&s->print.out);
	if (other)
		complain(object, P_("%s: %lu of %lu blocks belongs to another "
				    "file now, and shows that file's contents",
				    "%s: %lu of %lu blocks belong to other "
				    "files now, and show those files' contents",
				    other), path, other, all);
	if (unsure)
		complain(object, P_("%s: %lu of %lu blocks may have been "
				    "written since the time of the view",
				    "%s: %lu of %lu blocks may have been "
				    "written since the time of the view",
				    unsure), path, unsure, all);
	if (!a->whole)
		complain(object, _("%s: a part of its block map is damaged: "
				   "its contents may be later than the view"),
			 path);
}

/* -------------------------------------------------------------- all files */

static errcode_t take_file(void *priv, ext2_ino_t ino)
{
	struct search *search = priv;
	struct changed c = { .ino = ino };
	errcode_t err = ages_find(search->later, ino, &c.ages);

	if (err || ages_are_same(&c.ages))
		return err;
	c.first = c.ages.first;
	search->foreign |= c.ages.blocks[E2LAZY_AGE_OTHER] != 0;
	if (search->nr == MOST_NAMED)
		search->others++;
	else
		search->at[search->nr++] = c;
	return 0;
}

static int by_block(const void *a, const void *b)
{
	const struct changed *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

static void name_file(struct session *s, const struct changed *c)
{
	char *path = NULL;

	if (!s->log->owners ||
	    e2lazy_owners_path(s->log->owners, c->ino, &path))
		path = NULL;
	if (!path && asprintf(&path, "<%u>", c->ino) < 0)
		path = NULL;
	ages_complain(s, s->device, path ? path : "-", &c->ages);
	free(path);
}

/* Names need owners, and these the blocks that they are asked for. */
static bool name_files(struct session *s, struct search *search)
{
	blk64_t blocks[MOST_NAMED];
	size_t nr = 0;

	qsort(search->at, search->nr, sizeof(*search->at), by_block);
	for (unsigned i = 0; i < search->nr; i++)
		if (search->at[i].first && (!nr || blocks[nr - 1] !=
					    search->at[i].first))
			blocks[nr++] = search->at[i].first;
	if (!session_owners_of(s, true, blocks, nr))
		return false;
	for (unsigned i = 0; i < search->nr; i++)
		name_file(s, &search->at[i]);
	if (search->others)
		complain(s->device, P_("the contents of %lu more file may be "
				       "later than the view",
				       "the contents of %lu more files may be "
				       "later than the view",
				       (unsigned long)search->others),
			 (unsigned long)search->others);
	if (search->foreign)
		s->status |= FSCK_LEFT;
	return true;
}

static errcode_t search_all(struct session *s, ext2_filsys fs,
			    struct search *search, struct e2lazy_where *where)
{
	const struct e2lazy_watch watch = session_watch(s);
	errcode_t err;

	err = e2lazy_later_open(s->log->view, fs, &search->later, where);
	if (!err)
		err = e2lazy_later_each(search->later, &watch, take_file,
					search);
	progress_end(&s->print.progress);
	e2lazy_later_free(search->later);
	return err;
}

bool session_tell_later(struct session *s)
{
	struct e2lazy_where where = { .has = 0 };
	struct search search = { .nr = 0 };
	ext2_filsys fs;
	errcode_t err;

	if (!e2lazy_jmap_is_past(s->log->map))
		return true;
	/* Where not even a handle is known, the view shows no file. */
	if (e2lazy_view_open(s->log->view, &fs, &where))
		return true;
	err = search_all(s, fs, &search, &where);
	ext2fs_free(fs);
	if (err)
		session_fail(s, err, &where);
	return !err && (!search.nr || name_files(s, &search));
}
