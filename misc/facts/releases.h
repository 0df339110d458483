/* SPDX-License-Identifier: GPL-2.0-only */
/* releases.h - the features that a release of Linux or of e2fsprogs lacks */
#ifndef MISC_FACTS_RELEASES_H
#define MISC_FACTS_RELEASES_H

#include <stdbool.h>
#include <stdint.h>

#include "decode/features.h"
#include "e2lazy.h"

#define RELEASE_NAME	32

/* Versions as of VERSION(). */
struct release {
	char		name[RELEASE_NAME];	/* "Debian 11"; "": a kernel alone */
	uint32_t	kernel;
	uint32_t	tools;		/* 0: not known */
};

/*
 * "5.4", "5.4.0-26-generic" or a distribution, such as "debian11".  False: it is
 * none of them.
 */
bool release_parse(const char *text, struct release *out);
/* The distributions, with ", " between them. */
const char *release_names(void);

/* "5.15", or "1.42.10" */
#define VERSION_TEXT	16
void version_text(char text[VERSION_TEXT], uint32_t version);

/* What becomes of a file system with a feature that the release lacks. */
enum lack {
	LACK_KERNEL_REFUSES,	/* it does not mount it */
	LACK_KERNEL_READS,	/* it mounts it read-only */
	LACK_KERNEL_IGNORES,	/* it mounts it */
	LACK_TOOLS_REFUSE,	/* e2fsck does not check it */
};

struct lacked {
	char		name[FEATURE_NAME];
	enum lack	lack;
	uint32_t	since;		/* 0: nobody knows a release that has it */
};

/* The kernel's first. */
void release_lacks(const struct release *release,
		   const struct ext2_super_block *sb, uint32_t journal_incompat,
		   void (*found)(void *priv, const struct lacked *lacked),
		   void *priv);

#endif
