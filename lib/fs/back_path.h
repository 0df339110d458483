/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* back_path.h - a path that is made from its last name to its first */
#ifndef E2LAZY_BACK_PATH_H
#define E2LAZY_BACK_PATH_H

#include <stdio.h>
#include <string.h>

#include "e2lazy_view.h"

/* The kernel's limit for the path of a working directory. */
#define BACK_PATH_MAX	4096

struct back_path {
	char	*begin;			/* in @text; ends in a NUL */
	char	text[BACK_PATH_MAX + 1];
};

static inline void back_path_init(struct back_path *p)
{
	p->begin = p->text + BACK_PATH_MAX;
	*p->begin = '\0';
}

static inline size_t back_path_length(const struct back_path *p)
{
	return (size_t)(p->text + BACK_PATH_MAX - p->begin);
}

/* E2LAZY_ET_LONG_PATH, and nothing is put, if a slash would not fit as well. */
static inline errcode_t back_path_put(struct back_path *p, const char *text,
				      size_t length)
{
	if ((size_t)(p->begin - p->text) < length + 1)
		return E2LAZY_ET_LONG_PATH;
	p->begin -= length;
	memcpy(p->begin, text, length);
	return 0;
}

/*
 * Put a slash and a name.  A name must not lead elsewhere: its slashes and NULs
 * become "_".
 */
static inline errcode_t back_path_put_name(struct back_path *p,
					   const char *name, size_t length)
{
	errcode_t err = back_path_put(p, name, length);

	if (err)
		return err;
	for (size_t i = 0; i < length; i++)
		if (!p->begin[i] || p->begin[i] == '/')
			p->begin[i] = '_';
	*--p->begin = '/';
	return 0;
}

/* Put the number of an inode as @format prints it. */
static inline errcode_t __attribute__((format(printf, 2, 0)))
back_path_put_inode(struct back_path *p, const char *format, unsigned ino)
{
	char text[16];

	return back_path_put(p, text, (size_t)snprintf(text, sizeof(text),
						       format, ino));
}

#endif
