/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * descent.c - the directories must be one tree after the records, too
 *
 * A kernel writes no record of a directory that moves, and none of one that goes
 * before its names do.  Records that do so anyway would leave a ".." that lies,
 * a ring of directories that nobody gets to, or names that are lost.
 */

#include "fs/directory.h"
#include "replay.h"

/* ------------------------------------------------------------- going up */

/*
 * Up from a new directory, through new ones, to one of the base.  @walk tells
 * the directories of this way from those of earlier ones, which were sound.
 */
static errcode_t go_up(struct node *n, uint32_t walk)
{
	for (; n->life && !n->walk; n = n->parent) {
		n->walk = walk;
		if (!n->parent)
			return E2LAZY_ET_FC_CONTRADICTS;
	}
	return n->life && n->walk == walk ? E2LAZY_ET_FC_CONTRADICTS : 0;
}

/* --------------------------------------------------------- going for good */

struct leaving {
	struct e2lazy_replay *r;
	struct node	*dir;
};

static errcode_t must_be_gone(void *priv, const struct e2lazy_entry *entry)
{
	const struct leaving *l = priv;
	const struct name *name;

	if (is_dots(entry))
		return 0;
	name = name_of_base(l->r, l->dir, entry->name, (unsigned)entry->length);
	return name && !name->now ? 0 : E2LAZY_ET_FC_CONTRADICTS;
}

static errcode_t check_empty(struct e2lazy_replay *r, struct node *n)
{
	struct leaving leaving = { .r = r, .dir = n };
	struct e2lazy_damage damage;
	errcode_t err = e2lazy_directory_read(r->fs, n->ino, NULL, must_be_gone,
					      &leaving, &damage);

	return !err && damage.count ? E2LAZY_ET_FC_DAMAGED : err;
}

/* ------------------------------------------------------------------ all */

errcode_t descent_check(struct e2lazy_replay *r)
{
	uint32_t walk = 0;
	errcode_t err = 0;

	for (size_t i = 0; !err && i < r->nr_nodes; i++) {
		struct node *n = r->nodes[i];

		r->at = n->ino;
		if (n->alive && raw_is_dir(n->raw)) {
			if (n->life)
				err = go_up(n, ++walk);
			else if (n->parent != n->left)
				err = E2LAZY_ET_FC_CONTRADICTS;
		}
		if (!err && n->in_base && (!n->alive || n->life) &&
		    raw_is_dir(n->base))
			err = check_empty(r, n);
	}
	return err;
}
