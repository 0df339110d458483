/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * owner_path.c - the names of some inodes, and their paths
 */

#include <stdlib.h>
#include <string.h>

#include "fs/directory.h"
#include "io/grow.h"
#include "io/watch.h"
#include "owner_path.h"

/* Directories between two ticks. */
#define PROGRESS_DIRECTORIES 256

errcode_t inode_list_add(struct inode_list *list, ext2_ino_t ino)
{
	ext2_ino_t *inodes = grow(list->inodes, list->count, &list->room,
				  sizeof(*inodes));

	if (!inodes)
		return EXT2_ET_NO_MEMORY;
	list->inodes = inodes;
	list->inodes[list->count++] = ino;
	return 0;
}

/* ------------------------------------------------------- which inodes */

static int by_inode(const void *a, const void *b)
{
	const struct name *x = a, *y = b;

	return (x->ino > y->ino) - (x->ino < y->ino);
}

static errcode_t choose_inodes(struct names *n, const struct inode_list *wanted,
			       const struct inode_list *directories)
{
	size_t total = wanted->count + directories->count, kept = 0;

	n->names = calloc(total ? total : 1, sizeof(*n->names));
	if (!n->names)
		return EXT2_ET_NO_MEMORY;
	for (size_t i = 0; i < total; i++)
		n->names[i].ino = i < wanted->count ? wanted->inodes[i] :
				  directories->inodes[i - wanted->count];
	qsort(n->names, total, sizeof(*n->names), by_inode);
	for (size_t i = 0; i < total; i++)
		if (kept == 0 || n->names[kept - 1].ino != n->names[i].ino)
			n->names[kept++] = n->names[i];
	n->count = kept;
	return 0;
}

static struct name *find(const struct names *n, ext2_ino_t ino)
{
	struct name key = { .ino = ino };

	return bsearch(&key, n->names, n->count, sizeof(key), by_inode);
}

/* --------------------------------------------------------- their names */

/* Offset 0 stays free; it means no name. */
static errcode_t keep_text(struct names *n, const char *text, size_t length,
			   size_t *offset)
{
	if (!grow_chars(&n->text, n->used, length + 2, &n->room))
		return EXT2_ET_NO_MEMORY;
	if (!n->used)
		n->text[n->used++] = '\0';
	*offset = n->used;
	memcpy(n->text + n->used, text, length);
	n->text[n->used + length] = '\0';
	n->used += length + 1;
	return 0;
}

struct reading {
	struct names	*names;
	ext2_ino_t	directory;
};

static errcode_t keep_entry(void *priv, const struct e2lazy_entry *entry)
{
	struct reading *r = priv;
	struct name *name;

	if (!entry->length || is_dots(entry))
		return 0;
	name = find(r->names, entry->ino);
	if (!name || name->text)
		return 0;
	name->parent = r->directory;
	return keep_text(r->names, entry->name, entry->length, &name->text);
}

errcode_t names_read(struct names *n, ext2_filsys fs,
		     const struct inode_list *wanted,
		     const struct inode_list *directories,
		     const struct e2lazy_owners_opts *opts,
		     struct e2lazy_damage *damage)
{
	struct reading r = { .names = n };
	struct directories d;
	errcode_t err;

	err = directories_init(&d, fs, NULL, keep_entry, &r, damage);
	if (!err)
		err = choose_inodes(n, wanted, directories);
	for (size_t i = 0; !err && i < directories->count; i++) {
		r.directory = directories->inodes[i];
		if (i % PROGRESS_DIRECTORIES == 0)
			err = watch_tick(opts->watch,
					 E2LAZY_PHASE_DIRECTORIES, i,
					 directories->count);
		if (err)
			break;
		err = directories_read(&d, r.directory);
		if (err && err != EXT2_ET_NO_MEMORY)
			err = note_unread(damage, fs, err,
					  inode_home(fs, r.directory));
	}
	directories_free(&d);
	return err;
}

void names_free(struct names *n)
{
	free(n->names);
	free(n->text);
}

/* --------------------------------------------------------------- paths */

/*
 * Climb from @ino to the root and write the names backwards, ending at @end;
 * with NULL only count their bytes.  On a damaged file system the way can end
 * early or go in a circle: FILE_NOT_FOUND.
 */
static errcode_t way_up(const struct names *n, ext2_ino_t ino, char *end,
			size_t *length)
{
	size_t steps = 0, part;

	*length = 0;
	while (ino != EXT2_ROOT_INO) {
		const struct name *name = find(n, ino);

		if (!name || !name->text || steps++ == n->count)
			return EXT2_ET_FILE_NOT_FOUND;
		part = strlen(n->text + name->text);
		*length += part + 1;
		if (end) {
			end -= part + 1;
			*end = '/';
			memcpy(end + 1, n->text + name->text, part);
		}
		ino = name->parent;
	}
	return 0;
}

errcode_t names_path(const struct names *n, ext2_ino_t ino, char **path)
{
	size_t length;
	errcode_t err;

	if (!n->count)
		return EXT2_ET_FILE_NOT_FOUND;
	err = way_up(n, ino, NULL, &length);
	if (err)
		return err;
	*path = malloc(length + 2);
	if (!*path)
		return EXT2_ET_NO_MEMORY;
	memcpy(*path, "/", 2);		/* the path of the root */
	if (length)
		(*path)[length] = '\0';
	return way_up(n, ino, *path + length, &length);
}
