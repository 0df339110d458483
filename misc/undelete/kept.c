/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kept.c - the names that files that still exist keep, beside deleted ones
 *
 * Deleted files are restored first, for a full disk must not cost them; so the
 * names of the others have to be known before.  They may be millions.
 */
#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "io/hash.h"
#include "kept.h"

#define DIRECTORY	UINT64_C(1)

static uint64_t name_of(const struct kept *k, const char *path)
{
	size_t length = strlen(path);
	uint32_t high = hash_bytes(k->seeds[0], path, length);
	uint32_t low = hash_mixed(hash_bytes(k->seeds[1], path, length));

	return ((uint64_t)high << 32 | low) & ~DIRECTORY;
}

bool kept_add(struct kept *k, const char *path, bool directory)
{
	uint64_t *names = grow(k->names, k->nr, &k->room, sizeof(*names));

	if (!names)
		return false;
	if (!k->nr) {
		k->seeds[0] = hash_seed();
		k->seeds[1] = hash_seed();
	}
	k->names = names;
	names[k->nr++] = name_of(k, path) | (directory ? DIRECTORY : 0);
	return true;
}

static int by_number(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

void kept_sort(struct kept *k)
{
	if (k->nr)
		qsort(k->names, k->nr, sizeof(*k->names), by_number);
}

static bool has(const struct kept *k, uint64_t name)
{
	return k->nr && bsearch(&name, k->names, k->nr, sizeof(name),
				by_number);
}

bool kept_has(const struct kept *k, const char *path, bool directory)
{
	uint64_t name = name_of(k, path);

	return has(k, name) || (!directory && has(k, name | DIRECTORY));
}

bool kept_knows(const struct kept *k, const char *path)
{
	uint64_t name = name_of(k, path);

	return has(k, name) || has(k, name | DIRECTORY);
}

void kept_free(struct kept *k)
{
	free(k->names);
	k->names = NULL;
	k->nr = k->room = 0;
}
