/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * search.c - names of files in directories that no transaction logged
 *
 * If a file has changed, but no directory with it was logged, only a look into
 * directories helps.
 */

#include "changes.h"
#include "fs/name_search.h"

static bool wants(void *priv, ext2_ino_t ino)
{
	return names_wants(priv, ino);
}

static errcode_t found(void *priv, ext2_ino_t ino, ext2_ino_t dir,
		       const char *name, unsigned length)
{
	return names_found(priv, ino, dir, name, length);
}

errcode_t names_search(struct names *n, const struct e2lazy_watch *watch)
{
	struct name_search search = {
		.fs = n->fs, .wants = wants, .found = found, .priv = n,
		.left = names_wanted(n), .budget = &n->budget,
	};

	return name_search(&search, watch);
}
