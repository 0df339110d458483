/* SPDX-License-Identifier: GPL-2.0-only */
/* features.h - the features of a file system, by their names */
#ifndef MISC_FEATURES_H
#define MISC_FEATURES_H

#include <stdint.h>
#include <ext2fs/ext2fs.h>

/* FEATURE_JOURNAL: the incompat features of the journal superblock. */
enum feature_set {
	FEATURE_COMPAT, FEATURE_INCOMPAT, FEATURE_RO_COMPAT, FEATURE_JOURNAL
};

#define VERSION(major, minor, patch) \
	((uint32_t)(major) << 16 | (uint32_t)(minor) << 8 | (uint32_t)(patch))

struct feature {
	enum feature_set set;
	uint32_t	bit;
	const char	*name;
	uint32_t	linux_since;	/* first release of Linux that has it, */
	uint32_t	tools_since;	/* and of e2fsprogs; 0: not known */
};

/* From *@at 0 on, each of them; NULL: no more. */
const struct feature *feature_next(size_t *at);
/* NULL: it has no name. */
const struct feature *feature_find(enum feature_set set, uint32_t bit);

#define FEATURE_NAME	32

/* Of bit number @bit, also without a name: FEATURE_I17. */
void feature_name(char name[FEATURE_NAME], enum feature_set set, unsigned bit);

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
