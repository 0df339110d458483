/* SPDX-License-Identifier: GPL-2.0-only */
/* features.h - the features of a file system, by their names */
#ifndef MISC_FEATURES_H
#define MISC_FEATURES_H

#include <stdint.h>
#include <ext2fs/ext2fs.h>

enum feature_set { FEATURE_COMPAT, FEATURE_INCOMPAT, FEATURE_RO_COMPAT };

#define FEATURES_TEXT	256

/*
 * The names of @bits, with ", " between them.  A bit without a name has one as
 * e2fsprogs gives it: FEATURE_C7, FEATURE_I17, FEATURE_R15.
 */
void features_text(char text[FEATURES_TEXT], enum feature_set set,
		   uint32_t bits);
/*
 * The features that libext2fs does not open a file system with; "" if there is
 * none.  @sb: in the byte order of the host.
 */
void features_unsupported(char text[FEATURES_TEXT],
			  const struct ext2_super_block *sb);
/* The same of a device that does not open; "" also if it cannot be read. */
void features_of_device(char text[FEATURES_TEXT], const char *device,
			uint64_t offset);

#endif
