/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sysfs.h - a device as the kernel describes it: a directory of attributes
 */
#ifndef DRIVE_SYSFS_H
#define DRIVE_SYSFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "e2lazy_drive.h"

struct node {
	char	*dir;		/* canonical path; NULL: none */
	char	doubt[64];	/* first attribute that makes no sense, or "" */
};

/* @root + @path, to be freed; NULL: no memory.  @root may be NULL. */
char *under_root(const char *root, const char *path);

/* Follow @path, which is freed, to its end.  The node is to be closed. */
errcode_t node_open(char *path, struct node *out);
/* The same for @entry ("..", "slaves/sda") of @node. */
errcode_t node_open_in(const struct node *node, const char *entry,
		       struct node *out);
void node_close(struct node *node);

/* The kernel's name, such as "sda1". */
const char *node_name(const struct node *node);

bool node_has(const struct node *node, const char *attr);

/*
 * The text of an attribute, cut to @size and trimmed of blanks at both ends;
 * what is no printable ASCII becomes '?'.  False: none, or none to be read.
 */
bool node_text(const struct node *node, const char *attr, char *text,
	       size_t size);

/*
 * A decimal number of at most @most.  False: no such attribute or, which is
 * noted in the node, one that makes no sense.
 */
bool node_number(struct node *node, const char *attr, uint64_t most,
		 uint64_t *out);

/* The first bytes of a binary attribute; how many, 0 where there are none. */
size_t node_bytes(const struct node *node, const char *attr, void *buf,
		  size_t size);

/* Note that @attr makes no sense. */
void node_doubt(struct node *node, const char *attr);

/*
 * What @device is: a node, a file, or a block device that sysfs does not
 * know.  ENOENT: nothing.  Below another @root it is the last part of the
 * name, or a device mapper's name, that decides.
 */
enum located { LOCATED_NODE, LOCATED_FILE, LOCATED_UNKNOWN };

errcode_t locate(const char *root, const char *device, enum located *kind,
		 struct node *out);

/* Whether @root stands for the machine that this runs on. */
bool is_own_root(const char *root);

#endif
