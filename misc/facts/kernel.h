/* SPDX-License-Identifier: GPL-2.0-only */
/* kernel.h - can the running kernel mount the file system? */
#ifndef MISC_FACTS_KERNEL_H
#define MISC_FACTS_KERNEL_H

#include <stdbool.h>
#include <ext2fs/ext2fs.h>

#include "decode/features.h"

enum kernel_answer {
	KERNEL_MOUNTS,		/* nothing speaks against it */
	KERNEL_UNKNOWN,		/* the kernel does not say */
	KERNEL_REFUSES,
};

struct kernel_says {
	enum kernel_answer answer;
	char		why[FEATURES_TEXT];	/* features; "": the block size */
};

/*
 * A mount for writing, as far as features and the block size decide.  @root: ""
 * or a directory that stands for the machine's.
 */
struct kernel_says kernel_ask(const struct ext2_super_block *sb,
			      const char *root);

#endif
