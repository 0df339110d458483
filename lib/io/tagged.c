/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tagged.c - the block devices that carry a UUID or a label
 *
 * blkid_evaluate_tag() returns one device and hides the others, but a clone
 * carries all tags of its original.
 */

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <blkid/blkid.h>

#include "e2lazy.h"

struct paths {
	char	**at;
	size_t	count;
};

/* The list always has room for the NULL that ends it. */
static bool add(struct paths *p, const char *path)
{
	char **at = realloc(p->at, (p->count + 2) * sizeof(*at));

	if (!at)
		return false;
	p->at = at;
	at[p->count] = strdup(path);
	at[p->count + 1] = NULL;
	return at[p->count++];
}

/* Does another device stand on it (LVM, MD, dm)?  That one carries the tag. */
static bool is_held(const char *path)
{
	char holders[64];
	struct dirent *entry;
	struct stat st;
	DIR *dir;

	if (stat(path, &st))
		return false;
	snprintf(holders, sizeof(holders), "/sys/dev/block/%u:%u/holders",
		 major(st.st_rdev), minor(st.st_rdev));
	dir = opendir(holders);
	if (!dir)
		return false;
	do
		entry = readdir(dir);
	while (entry && entry->d_name[0] == '.');
	closedir(dir);
	return entry;
}

static bool has_number_of(const struct paths *p, const char *path)
{
	struct stat a, b;

	for (size_t i = 0; i < p->count; i++)
		if (!strcmp(p->at[i], path) ||
		    (!stat(path, &a) && !stat(p->at[i], &b) &&
		     a.st_rdev == b.st_rdev))
			return true;
	return false;
}

/*
 * Does it carry the tag now?  libblkid takes a device from its cache file, or from
 * a link of udev's, unread if the cache is a few minutes old; a loop device may
 * have had another file since.  One that cannot be read counts: opening it says
 * why.
 */
static bool carries(const char *path, const char *type, const char *value)
{
	blkid_probe probe = blkid_new_probe_from_filename(path);
	const char *found;
	bool same;

	if (!probe)
		return true;
	blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_LABEL |
						 BLKID_SUBLKS_UUID);
	same = !blkid_do_safeprobe(probe) &&
	       !blkid_probe_lookup_value(probe, type, &found, NULL) &&
	       !strcmp(found, value);
	blkid_free_probe(probe);
	return same;
}

/* /dev/null: a cache file would list removed devices and miss new ones. */
static bool add_others(struct paths *p, const char *type, const char *value)
{
	blkid_cache cache = NULL;
	blkid_dev_iterate next;
	bool fine = true;
	blkid_dev dev;

	if (blkid_get_cache(&cache, "/dev/null"))
		return true;
	blkid_probe_all(cache);
	next = blkid_dev_iterate_begin(cache);
	blkid_dev_set_search(next, type, value);
	while (fine && !blkid_dev_next(next, &dev)) {
		const char *path = blkid_dev_devname(dev);

		if (path && !has_number_of(p, path) && !is_held(path))
			fine = add(p, path);
	}
	blkid_dev_iterate_end(next);
	blkid_put_cache(cache);
	return fine;
}

char **e2lazy_tagged_devices(const char *tag)
{
	struct paths p = { .at = calloc(1, sizeof(*p.at)) };
	char *type = NULL, *value = NULL, *first = NULL;
	bool fine = p.at;

	if (fine && !blkid_parse_tag_string(tag, &type, &value)) {
		first = blkid_evaluate_tag(type, value, NULL);
		if (first && carries(first, type, value))
			fine = add(&p, first);
		fine = fine && add_others(&p, type, value);
	}
	free(first);
	free(type);
	free(value);
	if (fine)
		return p.at;
	e2lazy_free_paths(p.at);
	return NULL;
}

void e2lazy_free_paths(char **paths)
{
	for (char **path = paths; path && *path; path++)
		free(*path);
	free(paths);
}
