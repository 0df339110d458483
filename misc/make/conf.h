/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * conf.h - the relations of mke2fs.conf(5) that decide a layout
 *
 * Files are added in the order in which mke2fs reads them: of equal relations
 * the first one counts.
 */
#ifndef MISC_MAKE_CONF_H
#define MISC_MAKE_CONF_H

#include <stdbool.h>
#include <stddef.h>

struct conf_relation {
	char	*type;		/* type of [fs_types]; NULL: [defaults] */
	char	*name;		/* NULL: the entry declares the type */
	char	*value;
	unsigned file;		/* number of the file, in order */
};

struct conf {
	struct conf_relation	*at;
	size_t			count, room;
	unsigned		files;
};

/* The types of a file system, the most general first. */
#define CONF_TYPES	12

struct conf_types {
	const char	*at[CONF_TYPES];
	unsigned	count;
};

/*
 * Add the relations of a text.  False: out of memory.  Invalid lines are
 * skipped; mke2fs reports them.
 */
bool conf_add_text(struct conf *conf, const char *text);
/* The same for a file; false with errno. */
bool conf_add_file(struct conf *conf, const char *path);
void conf_free(struct conf *conf);

bool conf_has_type(const struct conf *conf, const char *type);
/* Look up a relation of one type, or of [defaults] for NULL; NULL: there is
   none. */
const char *conf_own(const struct conf *conf, const char *type,
		     const char *name);
/*
 * The value of the last of @types that has one, or else the default; or NULL.
 */
const char *conf_get(const struct conf *conf, const struct conf_types *types,
		     const char *name);

#endif
