/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * operand.h - which static block a command is about
 */
#ifndef MISC_OPERAND_H
#define MISC_OPERAND_H

#include "session/session.h"

struct block_operand {
	uint64_t	number;	/* of a path, once it is resolved: its inode */
	bool		inode;	/* <NUMBER>, as debugfs writes it */
	const char	*path;	/* begins with a slash; NULL: a number */
};

/* Whether it stands for an inode rather than a block. */
static inline bool operand_is_inode(const struct block_operand *operand)
{
	return operand->inode || operand->path;
}

/* The inode that was asked for by that, or 0; once it is resolved. */
static inline ext2_ino_t operand_ino(const struct block_operand *operand)
{
	return operand_is_inode(operand) ? (ext2_ino_t)operand->number : 0;
}

/* What can be said before the device is open. False after a complaint. */
bool operand_parse(struct session *session, const char *text,
		   struct block_operand *operand);
/*
 * The static block: itself, or that of the inode table with the inode in it,
 * which a path may name.
 * Needs session_build(). False after a complaint.
 */
bool operand_resolve(struct session *session, struct block_operand *operand,
		     blk64_t *fsblk);
/* The inode that such an operand stands for, likewise. */
bool operand_inode(struct session *session,
		   const struct block_operand *operand, ext2_ino_t *ino);
/*
 * For a block of which the log has nothing: complain where the file system
 * does not have it either, and return true.
 */
bool operand_outside(struct session *session, blk64_t fsblk);

#endif
