/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * file_kind.h - whose is the file in the place of one that is to be made?
 *
 * The name of an output may be a slip, and lead to an image.  So a file of
 * another kind is never replaced, whoever makes the new one.  The rest differs
 * with the way in which the file grows:
 *
 *   lib/trace/writer.c    under its own name, so that a killed recorder leaves
 *			   a trace: an empty file and a trace are emptied; a
 *			   pipe or a character device has nothing to lose
 *   lib/support/saved.c   under another name, and is renamed when whole: that
 *			   would take anything's place, so only a regular file
 *			   gives way that is empty or of this kind
 *   misc/check/undo.c	   under its own name, and replaces nothing: a file of its
 *			   kind may be the only way back from an earlier run.  It
 *			   asks only to say so
 *
 * A link is followed here as the caller follows it.  Root's trust in the place
 * is output_find() for the first two (support/output.h); an undo file needs a
 * trusted directory, and is no link.
 */
#ifndef E2LAZY_FILE_KIND_H
#define E2LAZY_FILE_KIND_H

#include <sys/stat.h>

enum file_kind { FILE_OF_ANOTHER, FILE_EMPTY, FILE_OF_OURS };

/*
 * The kind of the file @path, below @dir as for openat(), of which @st is known,
 * if ours begin with @begins,
 * of at most 64 bytes.  FILE_OF_ANOTHER also for one that is not regular, that
 * cannot be read, or that is not the file of @st.
 */
enum file_kind file_kind(int dir, const char *path, const struct stat *st,
			 const char *begins);

#endif
