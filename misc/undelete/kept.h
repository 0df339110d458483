/* SPDX-License-Identifier: GPL-2.0-only */
/* kept.h - the names that files that still exist keep, beside deleted ones */
#ifndef MISC_UNDELETE_KEPT_H
#define MISC_UNDELETE_KEPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Hashes of paths: a collision costs a deleted file its name, and nothing else. */
struct kept {
	uint64_t	*names;
	size_t		nr, room;
	uint32_t	seeds[2];
};

/* False without memory. */
bool kept_add(struct kept *kept, const char *path, bool directory);
/* All are there; only now they are found. */
void kept_sort(struct kept *kept);
/*
 * Would a deleted file take the name of one that still exists?  A directory may
 * have that of a directory: both have their children in it.
 */
bool kept_has(const struct kept *kept, const char *path, bool directory);
/* Does any file have it, a directory too? */
bool kept_knows(const struct kept *kept, const char *path);
void kept_free(struct kept *kept);

#endif
