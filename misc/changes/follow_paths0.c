/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * follow_paths0.c - timeline --follow --paths0: paths for other programs
 *
 * A transaction has no order: its records are what it did in all.  They are
 * sorted, so that a path goes before another file comes there, and a directory
 * comes before what is in it.
 */
#include <stdlib.h>
#include <string.h>

#include "follow.h"
#include "io/grow.h"

enum kind { DELETED, RENAMED, CREATED, LINKED, CHANGED };

static const char *const words[] = {
	[DELETED] = "deleted", [RENAMED] = "renamed", [CREATED] = "created",
	[LINKED] = "linked", [CHANGED] = "changed",
};

struct path_record {
	enum kind	kind;
	char		*path, *new_path;	/* the latter of RENAMED */
};

struct paths0 {
	struct session	*s;
	bool		expand;
	struct path_record *at;
	size_t		nr, room;
	uint64_t	unnamed;
	/* the directory whose files are listed */
	const struct path_record *top;
	struct follow	*follow;
};

struct paths0 *paths0_new(struct session *s, bool expand)
{
	struct paths0 *p = calloc(1, sizeof(*p));

	if (p)
		*p = (struct paths0){ .s = s, .expand = expand };
	return p;
}

static void forget(struct paths0 *p)
{
	for (size_t i = 0; i < p->nr; i++) {
		free(p->at[i].path);
		free(p->at[i].new_path);
	}
	p->nr = 0;
}

void paths0_free(struct paths0 *p)
{
	if (!p)
		return;
	forget(p);
	free(p->at);
	free(p);
}

uint64_t paths0_unnamed(const struct paths0 *p)
{
	return p ? p->unnamed : 0;
}

/* ------------------------------------------------------------- gathering */

/* Both become the record's. */
static errcode_t keep(struct paths0 *p, enum kind kind, char *path,
		      char *new_path, bool renamed)
{
	struct path_record *at = grow(p->at, p->nr, &p->room, sizeof(*at));

	if (!at || !path || (renamed && !new_path)) {
		p->at = at ? at : p->at;
		free(path);
		free(new_path);
		return EXT2_ET_NO_MEMORY;
	}
	p->at = at;
	at[p->nr++] = (struct path_record){ kind, path, new_path };
	return 0;
}

/* "<INODE>" is no path. */
static bool has_path(const char *path)
{
	return path && *path == '/';
}

static errcode_t add(struct paths0 *p, enum kind kind, const char *path)
{
	if (!has_path(path)) {
		p->unnamed += kind != DELETED;
		return 0;
	}
	return keep(p, kind, strdup(path), NULL, false);
}

static errcode_t add_changed(void *priv, const char *path)
{
	return add(priv, CHANGED, path);
}

static char *joined(const char *a, const char *b)
{
	size_t n = strlen(a);
	char *text = malloc(n + strlen(b) + 1);

	if (text) {
		memcpy(text, a, n);
		strcpy(text + n, b);
	}
	return text;
}

static errcode_t add_below(void *priv, const char *path)
{
	struct paths0 *p = priv;
	const struct path_record top = *p->top;
	bool renamed = top.kind == RENAMED;

	return keep(p, top.kind, joined(top.path, path),
		    renamed ? joined(top.new_path, path) : NULL, renamed);
}

static errcode_t expand(struct paths0 *p, struct follow *follow,
			ext2_ino_t ino, const struct path_record *top)
{
	if (!p->expand || !follow_is_directory(follow, ino))
		return 0;
	p->top = top;
	return follow_below(follow, ino, add_below, p);
}

static errcode_t add_renamed(struct paths0 *p, struct follow *follow,
			     const struct e2lazy_change *c)
{
	const struct path_record top = {
		RENAMED, (char *)(uintptr_t)c->old_path,
		(char *)(uintptr_t)c->path,
	};
	errcode_t err;

	if (!has_path(c->old_path))
		return add(p, CREATED, c->path);
	if (!has_path(c->path))
		return add(p, DELETED, c->old_path);
	err = keep(p, RENAMED, strdup(c->old_path), strdup(c->path), true);
	return err ? err : expand(p, follow, c->ino, &top);
}

/* Another file may be there: what was known of the path counts no more. */
static errcode_t add_unsure(struct paths0 *p, struct follow *follow,
			    const struct e2lazy_change *c)
{
	const struct path_record top = {
		CHANGED, (char *)(uintptr_t)c->path, NULL
	};
	errcode_t err = c->old_path ? add(p, DELETED, c->old_path) : 0;

	if (!err)
		err = add(p, CHANGED, c->path);
	return err || !has_path(c->path) ? err :
	       expand(p, follow, c->ino, &top);
}

/* A change of the file, which may have several names. */
static errcode_t add_all(struct paths0 *p, struct follow *follow,
			 const struct e2lazy_change *c)
{
	errcode_t err = add(p, CHANGED, c->path);

	return err || !c->after || c->after->links < 2 ? err :
	       follow_paths(follow, c->ino, add_changed, p);
}

errcode_t paths0_add(struct paths0 *p, struct follow *follow,
		     const struct e2lazy_change *c)
{
	switch (c->kind) {
	case E2LAZY_CREATED:	return add(p, CREATED, c->path);
	case E2LAZY_DELETED:
	case E2LAZY_UNLINKED:	return add(p, DELETED, c->path);
	case E2LAZY_LINKED:	return add(p, LINKED, c->path);
	case E2LAZY_RENAMED:	return add_renamed(p, follow, c);
	case E2LAZY_CHANGED:	return add_unsure(p, follow, c);
	case E2LAZY_STATE:	return 0;
	default:		return add_all(p, follow, c);
	}
}

/* ------------------------------------------------------------- printing */

static int compare(const void *a, const void *b)
{
	const struct path_record *x = a, *y = b;
	int order;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	order = strcmp(x->path, y->path);
	if (!order && x->new_path && y->new_path)
		return strcmp(x->new_path, y->new_path);
	return x->kind == DELETED ? -order : order;
}

static void put(struct out *out, const char *text)
{
	out_bytes(out, text, strlen(text) + 1);
}

void paths0_record(struct session *s, const char *kind, const char *text)
{
	put(&s->print.out, kind);
	put(&s->print.out, text);
}

void paths0_end(struct paths0 *p)
{
	if (p->nr)
		qsort(p->at, p->nr, sizeof(*p->at), compare);
	for (size_t i = 0; i < p->nr; i++) {
		if (i && !compare(&p->at[i - 1], &p->at[i]))
			continue;
		paths0_record(p->s, words[p->at[i].kind], p->at[i].path);
		if (p->at[i].new_path)
			put(&p->s->print.out, p->at[i].new_path);
	}
	forget(p);
}
