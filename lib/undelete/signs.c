/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * signs.c - are contents of files logged?
 *
 * Only the mount option data=journal says so.  If it is not in the superblock, it
 * leaves a sign in the ring if that has contents of any file.
 */

#include "map/super.h"
#include "undelete.h"

/* Most lives have one short extent; of the others the newest ones will do. */
#define MOST_MAPS	4096

struct sign {
	struct e2lazy_undelete *u;
	const struct life *life;
	bool		seen;
};

/*
 * With inline_data any file's first block may be logged: data that moved there from
 * the inode.
 */
static errcode_t look_at_piece(void *priv, const struct piece *p)
{
	struct sign *s = priv;
	struct ext2_super_block *sb = s->u->fs->super;
	bool moved = !p->lblk && ext2fs_has_feature_inline_data(sb);

	if (!versions_has(&s->u->versions, p->fsblk, p->count))
		return 0;
	for (uint32_t i = moved; !s->seen && i < p->count; i++) {
		const struct record *r = data_at_time(s->u, s->life,
						      p->fsblk + i);

		s->seen = r && r->tid >= s->life->first;
	}
	return 0;
}

/* Has the ring contents of the file? */
static errcode_t look_at_file(struct sign *s, uint32_t *maps)
{
	struct ext2_inode_large inode;
	struct map_state state;
	const uint8_t *raw;

	if (s->life->value || !LINUX_S_ISREG(s->life->mode))
		return 0;
	if (s->life->simple)
		return look_at_piece(s, &(struct piece){
			.fsblk = s->life->fs_low |
				 (blk64_t)s->life->fs_high << 32,
			.count = s->life->count });
	if (!*maps || life_inode(s->u, s->life, &raw, &inode))
		return 0;
	--*maps;
	return life_map(s->u, s->life, &inode, look_at_piece, s, &state);
}

static errcode_t look_for_contents(struct e2lazy_undelete *u)
{
	struct sign s = { .u = u };
	uint32_t maps = MOST_MAPS;
	errcode_t err = 0;

	for (uint32_t i = u->lives.nr; !err && !s.seen && i--; ) {
		s.life = life_get(u, i);
		err = look_at_file(&s, &maps);
	}
	u->logs_contents = s.seen;
	return err;
}

errcode_t signs_find(struct e2lazy_undelete *u)
{
	u->logs_contents = super_journals_data(u->fs->super);
	return u->logs_contents ? 0 : look_for_contents(u);
}
