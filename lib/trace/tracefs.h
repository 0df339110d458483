/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* tracefs.h - tracefs, an instance of it, and its files */
#ifndef TRACE_TRACEFS_H
#define TRACE_TRACEFS_H

#include <ext2fs/ext2fs.h>

/*
 * An open directory of tracefs: @given, a usual mount point, or a mount that
 * nobody else sees and that ends with @fd.
 */
errcode_t tracefs_open(const char *given, int *fd);
/*
 * Make an instance, and remove those whose process is gone; @name has room for
 * TRACEFS_NAME bytes.
 */
#define TRACEFS_NAME	48
errcode_t tracefs_instance(int tracefs, char *name, int *fd);
void tracefs_remove(int tracefs, const char *name);

/* Write @text to the file @path below @dir. */
errcode_t tracefs_write(int dir, const char *path, const char *text);
/* The whole file, with a NUL behind it; free it with free(). */
errcode_t tracefs_read(int dir, const char *path, char **out);

#endif
