/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* view.h - the file system as after a replay of its log */
#ifndef E2LAZY_PYTHON_VIEW_H
#define E2LAZY_PYTHON_VIEW_H

#include "bound.h"

/* What the library has of it. */
struct seen {
	struct e2lazy_view *view;
	ext2_filsys	fs;
};

struct view {
	PyObject_HEAD
	struct map	*map;
	struct handle	*handle;	/* of a struct seen */
};

static inline struct seen *seen_of(const struct view *view)
{
	return view->handle->what;
}

/* Builds one; NULL with an error. */
struct seen *seen_build(struct journal *j, const struct e2lazy_jmap *jmap,
			bool fast_commits, errcode_t *error,
			struct e2lazy_where *where);
void seen_free(void *seen);

/* The place where the last read of @seen failed; or NULL. */
const struct e2lazy_where *seen_failed(const struct seen *seen);

PyObject *view_open(struct view *view, PyObject *ino);
PyObject *view_events(struct view *view, PyObject *none);

#endif
