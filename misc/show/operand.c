/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * operand.c - the operand that names a static block
 */
#include <string.h>

#include "fs/inode_search.h"
#include "operand.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"

bool operand_parse(struct session *s, const char *text,
		   struct block_operand *operand)
{
	size_t length = strlen(text);
	char digits[OUT_DIGITS + 1];

	operand->path = *text == '/' ? text : NULL;
	operand->inode = false;
	if (operand->path)
		return true;
	operand->inode = length > 2 && length - 2 < sizeof(digits) &&
			 text[0] == '<' && text[length - 1] == '>';
	if (operand->inode) {
		memcpy(digits, text + 1, length - 2);
		digits[length - 2] = 0;
		if (parse_number(digits, UINT32_MAX, &operand->number))
			return true;
	} else if (parse_number(text, UINT64_MAX, &operand->number)) {
		return true;
	}
	return session_wrong(s, _("'%s' is neither a block number, nor "
				  "<INODE>, nor a path from the root"), text);
}

static bool inode_block(struct session *s, ext2_filsys fs, uint64_t ino,
			blk64_t *fsblk)
{
	*fsblk = inode_home(fs, (ext2_ino_t)ino);
	if (*fsblk < ext2fs_blocks_count(fs->super))
		return true;
	session_complain(s, FSCK_ERROR,
			 _("inode %llu: the inode table of its group is "
			   "outside the file system"),
			 (unsigned long long)ino);
	return false;
}

static bool path_inode(struct session *s, const char *path, uint64_t *ino)
{
	struct e2lazy_where where;
	ext2_ino_t found = 0;
	errcode_t err;

	if (!session_view(s))
		return false;
	err = e2lazy_view_path(s->log->view, path, &found, &where);
	if (err == E2LAZY_ET_CANCELLED || (err && where.has))
		session_fail(s, err, &where);
	else if (err)
		session_complain(s, FSCK_ERROR, "%s: %s", path,
				 error_text(err));
	*ino = found;
	return !err;
}

bool operand_inode(struct session *s, const struct block_operand *operand,
		   ext2_ino_t *ino)
{
	uint64_t number = operand->number;

	if ((operand->path && !path_inode(s, operand->path, &number)) ||
	    !session_has_inode(s, number))
		return false;
	*ino = (ext2_ino_t)number;
	return true;
}

bool operand_resolve(struct session *s, struct block_operand *operand,
		     blk64_t *fsblk)
{
	ext2_ino_t ino;

	if (operand_is_inode(operand)) {
		if (!operand_inode(s, operand, &ino))
			return false;
		operand->number = ino;
		return inode_block(s, e2lazy_layout_fs(s->log->layout), ino,
				   fsblk);
	}
	*fsblk = operand->number;	/* a damaged log may hold any block */
	return true;
}

bool operand_outside(struct session *s, blk64_t fsblk)
{
	blk64_t count = e2lazy_jmap_fs_blocks(s->log->map);

	if (fsblk < count)
		return false;
	session_complain(s, FSCK_USAGE,
			 _("block %llu: the file system has %llu blocks"),
			 (unsigned long long)fsblk, (unsigned long long)count);
	return true;
}

static bool is_named(struct e2lazy_walk *walk, blk64_t first, blk64_t last)
{
	struct e2lazy_event ev;

	do
		e2lazy_walk_next(walk, &ev);
	while (ev.kind != E2LAZY_EV_END &&
	       (ev.kind == E2LAZY_EV_COMMIT || ev.fsblk < first ||
		ev.fsblk > last));
	return ev.kind != E2LAZY_EV_END;
}

bool operand_known(struct session *s, blk64_t first, blk64_t last)
{
	struct e2lazy_walk *walk;
	bool named = true;

	if (first < e2lazy_jmap_fs_blocks(s->log->map))
		return true;
	if (!session_walk(s, &walk)) {
		named = is_named(walk, first, last);
		e2lazy_walk_close(walk);
	}
	return named || !operand_outside(s, first);
}
