/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * operand.h - the operand that names a static block
 */
#ifndef MISC_OPERAND_H
#define MISC_OPERAND_H

#include "session/session.h"

struct block_operand {
	uint64_t	number;	/* the inode of a resolved path */
	bool		inode;	/* <NUMBER>, as debugfs writes it */
	const char	*path;	/* path from the root; NULL: a number */
};

/* Does the operand name an inode instead of a block? */
static inline bool operand_is_inode(const struct block_operand *operand)
{
	return operand->inode || operand->path;
}

/* The requested inode, or 0; after operand_block(). */
static inline ext2_ino_t operand_ino(const struct block_operand *operand)
{
	return operand_is_inode(operand) ? (ext2_ino_t)operand->number : 0;
}

/* Parse it before the device is open. False after a complaint. */
bool operand_parse(struct session *session, const char *text,
		   struct block_operand *operand);
/*
 * Find the static block: the number itself, or the block of the inode table
 * that holds the inode.  Needs session_build().  False after a complaint.
 */
bool operand_resolve(struct session *session, struct block_operand *operand,
		     blk64_t *fsblk);
/* Find the inode that the operand names, likewise. */
bool operand_inode(struct session *session,
		   const struct block_operand *operand, ext2_ino_t *ino);
/*
 * For a block that the log lacks: if the file system lacks it, too, complain
 * and return true.
 */
bool operand_outside(struct session *session, blk64_t fsblk);

/*
 * Some block of @first to @last is in the file system, or a damaged log names
 * one outside; else complain and return false.
 */
bool operand_known(struct session *session, blk64_t first, blk64_t last);

#endif
