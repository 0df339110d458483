/* SPDX-License-Identifier: GPL-2.0-only */
/* target_undelete.c - deleted files: lives, names, grades and contents */
#include <stdlib.h>
#include <string.h>

#include "e2lazy_undelete.h"
#include "target.h"

const bool fuzz_wants_words = false;
const bool fuzz_wants_paths = false;

struct reading {
	struct e2lazy_undelete *u;
	const struct e2lazy_deleted *d;
	unsigned	blocksize;
	uint64_t	end;		/* lblk behind the last piece */
	uint64_t	blocks;
	unsigned	letters;	/* read, for bytes that lie outside */
};

static errcode_t take_piece(void *priv, const struct e2lazy_graded *g)
{
	struct reading *r = priv;
	const uint8_t *bytes = g->bytes;

	must(g->count > 0);
	must(g->grade < E2LAZY_NR_GRADES);
	must(!r->blocks || g->lblk >= r->end);
	must(g->length <= g->count * r->blocksize);
	must(g->lblk * r->blocksize + g->length <= r->d->size ||
	     LINUX_S_ISDIR(r->d->mode));
	for (size_t i = 0; bytes && i < g->length; i++)
		r->letters += bytes[i];
	r->end = g->lblk + g->count;
	r->blocks += g->count;
	return 0;
}

static errcode_t take_xattr(void *priv, const char *name, const void *value,
			    size_t length)
{
	struct reading *r = priv;
	const uint8_t *bytes = value;

	must(strchr(name, '.'));
	for (size_t i = 0; i < length; i++)
		r->letters += bytes[i];
	return 0;
}

/* A path stays below its root, with any names. */
static void check_path(struct e2lazy_undelete *u, size_t index, unsigned n)
{
	size_t length;
	char *path;

	if (e2lazy_undelete_path(u, index, n, &path, &length))
		return;
	must(length > 0 && strlen(path) == length);
	must(path[0] == '/' || path[0] == '#');
	free(path);
	e2lazy_undelete_in_deleted(u, index, n);
}

static void check_file(struct e2lazy_journal *j, struct e2lazy_undelete *u,
		       size_t index)
{
	struct reading r = { .u = u,
			     .blocksize = e2lazy_geometry(j)->blocksize };
	struct e2lazy_contents c;
	struct e2lazy_deleted d;
	uint64_t graded = 0;
	unsigned lost;
	char *target;

	if (e2lazy_undelete_get(u, index, &d))
		return;
	r.d = &d;
	must(d.ino > 0);
	for (unsigned n = 0; n < (d.names ? d.names : 1); n++)
		check_path(u, index, n);
	if (!e2lazy_undelete_read(u, index, E2LAZY_READ_ALL, take_piece, &r,
				  &c)) {
		for (unsigned i = 0; i < E2LAZY_NR_GRADES; i++)
			graded += c.blocks[i];
		must(graded == r.blocks);
	}
	if (!e2lazy_undelete_symlink(u, index, &target, &c)) {
		must(strlen(target) <= d.size);
		free(target);
	}
	e2lazy_undelete_xattrs(u, index, take_xattr, &r, &lost);
}

static void check_all(struct e2lazy_journal *j, struct e2lazy_undelete *u)
{
	struct e2lazy_horizon h;
	size_t count = e2lazy_undelete_count(u);

	e2lazy_undelete_horizon(u, &h);
	must(h.txns <= h.copies + h.txns);
	must(!count || h.txns);
	for (size_t i = 0; i < count; i++)
		check_file(j, u, i);
	e2lazy_undelete_missing(u, NULL, NULL, NULL);
}

static void search(struct e2lazy_journal *j, const struct e2lazy_jmap *map,
		   const struct input *in)
{
	const struct e2lazy_undelete_opts opts = {
		.evidence = true, .users = in->flags & INPUT_MORE,
	};
	struct e2lazy_undelete *u;
	struct e2lazy_where where;
	struct e2lazy_view *view;

	if (e2lazy_view_build(j, map, &view, &where))
		return;
	if (!e2lazy_undelete_scan(j, view, &opts, &u, &where)) {
		check_all(j, u);
		e2lazy_undelete_free(u);
	}
	e2lazy_view_free(view);
}

void fuzz_one(struct template *t, const struct input *in)
{
	struct e2lazy_journal *j = fuzz_open(t);
	struct e2lazy_jmap *map;

	if (!j)
		return;
	map = fuzz_map(j, in, E2LAZY_JMAP_STATES | E2LAZY_JMAP_CSUMS);
	if (map)
		search(j, map, in);
	e2lazy_jmap_free(map);
	e2lazy_close(j);
	fuzz_bound(t, 20);
}
