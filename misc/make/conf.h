/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * conf.h - what mke2fs.conf(5) says, as far as it decides a layout
 *
 * Files are added in the order in which mke2fs would read them: of a relation
 * that stands twice the first one counts.
 */
#ifndef MISC_MAKE_CONF_H
#define MISC_MAKE_CONF_H

#include <stdbool.h>
#include <stddef.h>

struct conf_relation {
	char	*type;		/* of [fs_types]; NULL: of [defaults] */
	char	*name;		/* NULL: only says that there is the type */
	char	*value;
	unsigned file;		/* the how manieth that was added */
};

struct conf {
	struct conf_relation	*at;
	size_t			count, room;
	unsigned		files;
};

/* Types of a file system, the most general first. */
#define CONF_TYPES	12

struct conf_types {
	const char	*at[CONF_TYPES];
	unsigned	count;
};

/*
 * Add the relations of a text. False: out of memory.  What makes no sense is
 * passed over; mke2fs will say so.
 */
bool conf_add_text(struct conf *conf, const char *text);
/* The same of a file; false with errno. */
bool conf_add_file(struct conf *conf, const char *path);
void conf_free(struct conf *conf);

bool conf_has_type(const struct conf *conf, const char *type);
/* Of one type, NULL for [defaults]; NULL: it has no such relation. */
const char *conf_own(const struct conf *conf, const char *type,
		     const char *name);
/* The default, or what the last of @types to have one says; or NULL. */
const char *conf_get(const struct conf *conf, const struct conf_types *types,
		     const char *name);

#endif
