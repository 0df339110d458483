/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * sysfs.h - read a device's directory of attributes
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
	char	doubt[64];	/* first attribute with a bad value, or "" */
};

/*
 * @root + @path; the caller frees it.  NULL without memory.  @root may be NULL.
 */
char *under_root(const char *root, const char *path);

/*
 * Open the directory that @path leads to, and free @path.  Then node_close().
 */
errcode_t node_open(char *path, struct node *out);
/* The same for @entry ("..", "slaves/sda") of @node. */
errcode_t node_open_in(const struct node *node, const char *entry,
		       struct node *out);
void node_close(struct node *node);

/* The kernel's name, such as "sda1". */
const char *node_name(const struct node *node);

bool node_has(const struct node *node, const char *attr);

/*
 * The text of an attribute, cut to @size, without blanks at both ends; a byte
 * that is no printable ASCII becomes '?'.  False if it is missing or empty.
 */
bool node_text(const struct node *node, const char *attr, char *text,
	       size_t size);

/* The path in an attribute: all its bytes but the newline behind them. */
bool node_path(const struct node *node, const char *attr, char *path,
	       size_t size);

/*
 * A decimal number of at most @most.  False if the attribute is missing, or has
 * another value, which is noted in the node.
 */
bool node_number(struct node *node, const char *attr, uint64_t most,
		 uint64_t *out);

/* Read the first bytes of a binary attribute; returns their number, or 0. */
size_t node_bytes(const struct node *node, const char *attr, void *buf,
		  size_t size);

/* Note that @attr has a bad value. */
void node_doubt(struct node *node, const char *attr);

/*
 * Find @device: a node in sysfs, a file, or a block device that sysfs does not
 * know.  ENOENT if it does not exist.  Below another @root, the last part of
 * the name decides, or a device mapper name.
 */
enum located { LOCATED_NODE, LOCATED_FILE, LOCATED_UNKNOWN };

errcode_t locate(const char *root, const char *device, enum located *kind,
		 struct node *out);

/* Does @root mean this machine? */
bool is_own_root(const char *root);

#endif
