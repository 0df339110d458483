/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * role.c - the role of a block for its owner, as a column
 */
#include <stdio.h>

#include "role.h"

/* Types of which each group has one: the column adds the group. */
static const bool one_a_group[E2LAZY_NR_TYPES] = {
	[E2LAZY_TYPE_SUPER_BACKUP]	= true,
	[E2LAZY_TYPE_DESC_BACKUP]	= true,
	[E2LAZY_TYPE_BLOCK_BITMAP]	= true,
	[E2LAZY_TYPE_INODE_BITMAP]	= true,
};

static void inodes_text(struct session *s, ext2_ino_t first,
			char text[ROLE_TEXT])
{
	struct ext2_super_block *sb = e2lazy_layout_fs(s->log->layout)->super;

	snprintf(text, ROLE_TEXT, "inodes %u-%u", first,
		 first + EXT2_INODES_PER_BLOCK(sb) - 1);
}

void role_text(struct session *s, const struct e2lazy_owner *owner,
	       char text[ROLE_TEXT])
{
	struct e2lazy_place place;

	if (owner->role != E2LAZY_ROLE_LAYOUT) {
		snprintf(text, ROLE_TEXT, "%s", e2lazy_role_name(owner->role));
		return;
	}
	e2lazy_layout_find(s->log->layout, owner->fsblk, &place);
	if (place.ino)
		inodes_text(s, place.ino, text);
	else if (one_a_group[place.type])
		snprintf(text, ROLE_TEXT, "%s of group %u",
			 e2lazy_type_name(place.type), place.group);
	else
		snprintf(text, ROLE_TEXT, "%s", e2lazy_type_name(place.type));
}
