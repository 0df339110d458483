/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * lives.c - the lives of each inode, from its copies in time order
 *
 * The next file gets an inode number as soon as it is free.  Generation and
 * creation time tell the files apart: the kernel sets both anew for each file.
 * The inode of a deleted file keeps both, and loses links, size and map.  So
 * the newest copy of the same life with links is the one to restore, however
 * many newer copies of the inode there are.
 *
 * In the ring of an enemy an inode has any number of lives.  So each life has two
 * ways back: a step to the life before, and a jump.  If the jump from the life
 * before and the one that follows it are equally long, the new jump is a step and
 * both of them; else it is a step alone (Myers, "An applicative random-access
 * stack", 1983).  Jumps go back by 1, 3, 7 ... lives, and any way back takes
 * O(log n) steps and jumps.
 */

#include <stdlib.h>
#include <string.h>

#include "fs/extent_node.h"
#include "fs/inode_blocks.h"
#include "io/grow.h"
#include "io/hash.h"
#include "undelete.h"

#define FIRST_SLOTS	4096
#define MAP_FLAGS	(EXT4_EXTENTS_FL | EXT4_INLINE_DATA_FL)
#define FIELD(name)	offsetof(struct ext2_inode_large, name)
/* In nanoseconds; the slack is a tick of a slow kernel. */
#define SECOND	INT64_C(1000000000)
#define SLACK	(SECOND / 100)

/* ------------------------------------------------------- the hash table */

/*
 * Neighbours, which are asked for one after the other, share a line of memory.
 * Where lines collide a probe takes more steps, but they go through one or two.
 */
#define LINE_BYTES	64
#define SLOTS_OF_A_LINE	(LINE_BYTES / sizeof(struct life_slot))

static struct life_slot *slot_of(const struct lives *l, ext2_ino_t ino)
{
	uint32_t in_line = ino % SLOTS_OF_A_LINE;
	uint32_t line = hash_number(ino / SLOTS_OF_A_LINE);
	uint32_t slot = line * SLOTS_OF_A_LINE + in_line;
	struct life_slot *at = &l->table[slot & (l->slots - 1)];

	while (at->newest != NO_LIFE && at->ino != ino)
		at = &l->table[++slot & (l->slots - 1)];
	return at;
}

static errcode_t make_slots(struct lives *l)
{
	uint32_t slots = l->slots ? 2 * l->slots : FIRST_SLOTS;
	struct life_slot *old = l->table, *table;
	uint32_t count = l->slots;
	errcode_t err;

	if (l->slots && l->inodes < l->slots / 2)
		return 0;
	if (slots < l->slots)
		return EXT2_ET_NO_MEMORY;
	err = ext2fs_get_memalign(slots * sizeof(*table), LINE_BYTES, &table);
	if (err)
		return err;
	for (uint32_t i = 0; i < slots; i++)
		table[i].newest = NO_LIFE;
	l->table = table;
	l->slots = slots;
	for (uint32_t i = 0; i < count; i++)
		if (old[i].newest != NO_LIFE)
			*slot_of(l, old[i].ino) = old[i];
	ext2fs_free_mem(&old);
	return 0;
}

uint32_t lives_newest(const struct e2lazy_undelete *u, ext2_ino_t ino)
{
	return u->lives.slots ? slot_of(&u->lives, ino)->newest : NO_LIFE;
}

/*
 * If a life began before its first copy, its creation time gives the start.  It is
 * of the same clock as the commit's, and that comes later; but a clock may be set
 * back a little, and a commit may have no nanoseconds.
 */
bool life_began_by(const struct e2lazy_undelete *u, const struct life *life,
		   uint32_t when)
{
	struct e2lazy_time began = inode_time(life->crtime, life->crtime_extra);
	const struct moment *m;
	int64_t later;

	if (when == MOMENT_NOW || !life->crtime)
		return true;
	m = &u->versions.moments[when];
	if (!m->sec)
		return true;
	later = began.sec - (int64_t)m->sec;
	if (later < 0 || later > 1 || !m->nsec)
		return later <= 1;
	return later * SECOND + began.nsec <= (int64_t)m->nsec + SLACK;
}

/* True for the newest lives of an inode, up to one; the made ones are newest. */
static bool is_later(struct e2lazy_undelete *u, uint32_t number, uint32_t when)
{
	const struct life *life = life_get(u, number);

	u->lives.looks++;
	return life_is_made(u, life) || life->first > when;
}

uint32_t lives_at(struct e2lazy_undelete *u, ext2_ino_t ino, uint32_t when)
{
	uint32_t number = lives_newest(u, ino);

	while (number != NO_LIFE && is_later(u, number, when)) {
		const struct life *life = life_get(u, number);

		if (life->earlier == NO_LIFE)
			return !life_is_made(u, life) &&
			       life_began_by(u, life, when) ? number : NO_LIFE;
		number = is_later(u, life->jump, when) ? life->jump :
							 life->earlier;
	}
	return number;
}

/* A jump of length n goes back by 2^n - 1 lives. */
static unsigned length_of_jump(const struct lives *l, uint32_t number)
{
	unsigned length = 0;

	for (; l->at[number].earlier != NO_LIFE;
	     number = l->at[number].earlier) {
		length++;
		if (l->at[number].jump == l->at[number].earlier)
			break;
	}
	return length;
}

/* The jump of a life behind @earlier; that of the oldest leads to itself. */
static uint32_t next_jump(const struct lives *l, uint32_t earlier)
{
	uint32_t jump;

	if (earlier == NO_LIFE)
		return l->nr;
	jump = l->at[earlier].jump;
	return length_of_jump(l, earlier) == length_of_jump(l, jump) ?
	       l->at[jump].jump : earlier;
}

/* --------------------------------------------------------- one copy */

/* Half of all copies are of inodes in use that nobody asks for: be quick. */
void seen_take(ext2_filsys fs, const uint8_t *raw, struct seen *s)
{
	size_t size = EXT2_INODE_SIZE(fs->super), fields;

	s->raw = raw;
	s->mode = (uint16_t)get_le16(raw + FIELD(i_mode));
	s->links = (uint16_t)get_le16(raw + FIELD(i_links_count));
	s->generation = get_le32(raw + FIELD(i_generation));
	s->dtime = get_le32(raw + FIELD(i_dtime));
	s->blocks = get_le32(raw + FIELD(i_blocks));
	s->size = get_le32(raw + FIELD(i_size)) |
		  (uint64_t)get_le32(raw + FIELD(i_size_high)) << 32;
	s->value = get_le32(raw + FIELD(i_flags)) & EXT4_EA_INODE_FL;
	s->ctime = get_le32(raw + FIELD(i_ctime));
	s->mtime = get_le32(raw + FIELD(i_mtime));
	s->crtime = s->crtime_extra = s->ctime_extra = s->mtime_extra = 0;
	if (size <= EXT2_GOOD_OLD_INODE_SIZE)
		return;
	/* Bytes behind i_extra_isize are attributes, not fields. */
	fields = EXT2_GOOD_OLD_INODE_SIZE + get_le16(raw +
						     FIELD(i_extra_isize));
	if (fields >= FIELD(i_crtime) + 4)
		s->crtime = get_le32(raw + FIELD(i_crtime));
	if (fields >= FIELD(i_crtime_extra) + 4)
		s->crtime_extra = get_le32(raw + FIELD(i_crtime_extra));
	if (fields >= FIELD(i_ctime_extra) + 4)
		s->ctime_extra = get_le32(raw + FIELD(i_ctime_extra));
	if (fields >= FIELD(i_mtime_extra) + 4)
		s->mtime_extra = get_le32(raw + FIELD(i_mtime_extra));
}

bool seen_same_life(const struct life *life, const struct seen *s)
{
	return life->generation == s->generation &&
	       life->crtime == s->crtime &&
	       life->crtime_extra == s->crtime_extra;
}

static enum rank rank_of(const struct seen *s)
{
	if (!s->links)
		return RANK_ORPHAN;
	return s->dtime ? RANK_TRUNCATING : RANK_IN_USE;
}

/* An empty deleted inode only marks the end of a life. */
static bool has_something(const struct seen *s)
{
	return s->mode && (s->links || (s->size && (s->blocks ||
						    s->size < 60)));
}

/*
 * Most files have one short extent, which the life itself has room for.  Then
 * evidence.c does not need the copy again.
 */
static void keep_piece(struct life *life, const struct seen *s)
{
	const uint8_t *root = s->raw + FIELD(i_block);
	struct extent_header h = extent_header(root);
	struct extent e = { .count = 0 };

	life->simple = false;
	if ((get_le32(s->raw + FIELD(i_flags)) & MAP_FLAGS) !=
	    EXT4_EXTENTS_FL || get_le32(s->raw + FIELD(i_file_acl)) ||
	    get_le16(s->raw + FIELD(osd2.linux2.l_i_file_acl_high)) ||
	    !(LINUX_S_ISREG(s->mode) || LINUX_S_ISDIR(s->mode)) ||
	    !h.magic || h.entries > 1 || h.most != EXTENT_IN_ROOT || h.depth)
		return;
	if (h.entries)
		e = extent_get(extent_entry(root, 0));
	if (h.entries && (!e.count || e.count > UINT8_MAX))
		return;
	life->simple = true;
	life->count = (uint8_t)e.count;
	life->fs_low = (uint32_t)e.fsblk;
	life->fs_high = (uint16_t)(e.fsblk >> 32);
}

/* A write sets both times; utimensat(2) can set mtime alone. */
static void keep_written(struct life *life, const struct seen *s)
{
	bool written = s->mtime == s->ctime &&
		       s->mtime_extra == s->ctime_extra;

	life->written = written ? s->mtime : 0;
	life->written_extra = written ? s->mtime_extra : 0;
}

/* Is it the life's best copy so far? */
static bool choose(struct life *life, const struct seen *s)
{
	enum rank rank = rank_of(s);
	bool better = rank > life->rank;

	if (rank == life->rank)
		better = rank != RANK_ORPHAN ||
			 s->size > life->size;
	if (!better)
		return false;
	life->rank = rank;
	life->copy = s->copy;
	life->chosen = s->when;
	life->size = s->size;
	life->mode = s->mode;
	life->doubted = life->cut = false;
	keep_written(life, s);
	keep_piece(life, s);
	return true;
}

static errcode_t begin_life(struct lives *l, const struct seen *s)
{
	struct life_slot *slot;
	errcode_t err = make_slots(l);
	struct life *life;

	if (err)
		return err;
	life = l->nr == NO_LIFE ? NULL :
	       grow(l->at, l->nr, &l->room, sizeof(*life));
	if (!life)
		return EXT2_ET_NO_MEMORY;
	l->at = life;
	slot = slot_of(l, s->ino);
	l->inodes += slot->newest == NO_LIFE;
	life = &l->at[l->nr];
	*life = (struct life){
		.ino = s->ino, .generation = s->generation,
		.crtime = s->crtime,
		.crtime_extra = s->crtime_extra,
		.earlier = slot->newest,
		.jump = next_jump(l, slot->newest), .copy = s->copy,
		.first = s->when, .chosen = s->when, .gone = MOMENT_NOW,
		.freed = MOMENT_NOW,
		.of = NO_LIFE, .state = NO_LIFE, .root = UINT32_MAX,
		.names = NO_NAME, .rank = (uint8_t)rank_of(s),
		.size = s->size, .mode = s->mode,
		.value = s->value,
	};
	*slot = (struct life_slot){ s->ino, l->nr++ };
	return 0;
}

void life_note_end(struct life *life, const struct seen *s)
{
	if (!seen_same_life(life, s))
		return;
	life->ended = s->ctime;
	life->ended_extra = s->ctime_extra;
}

static void end_life(struct life *life, const struct seen *s)
{
	if (life->gone == MOMENT_NOW) {
		life->gone = s->when;
		life_note_end(life, s);
	}
	if (life->freed == MOMENT_NOW &&
	    (!s->blocks || !seen_same_life(life, s)))
		life->freed = s->when;
	/* In the list of orphans the field is the next one's number. */
	if (!life->dtime && !s->links && !s->blocks)
		life->dtime = s->dtime;
}

/*
 * A program that still has the deleted file open may cut it: ext4 then clears the
 * rest of the last block in place.  A deletion leaves no size.
 */
static bool is_cut(const struct life *life, const struct seen *s)
{
	return !s->links && s->size && s->size < life->size;
}

static errcode_t note_copy(struct e2lazy_undelete *u, const struct seen *s)
{
	struct lives *l = &u->lives;
	uint32_t number = lives_newest(u, s->ino);
	struct life *life = number == NO_LIFE ? NULL : &l->at[number];
	bool same = life && seen_same_life(life, s);
	errcode_t err = 0;

	if (life && !same)
		end_life(life, s);
	if (!same) {
		if (!has_something(s))
			return 0;
		err = begin_life(l, s);
		if (err)
			return err;
	} else {
		err = states_compare(u, number, s);
		if (err)
			return err;
	}
	number = lives_newest(u, s->ino);
	life = &l->at[number];
	if (choose(life, s))
		err = states_keep(u, number, s);
	life->cut |= is_cut(life, s);
	if (!s->links)
		end_life(life, s);
	else			/* linked again, as from O_TMPFILE */
		life->gone = life->freed = MOMENT_NOW;
	return err;
}

static bool is_counted(const struct e2lazy_undelete *u, ext2_ino_t ino)
{
	struct ext2_super_block *sb = u->fs->super;

	return ino == EXT2_ROOT_INO || (ino <= sb->s_inodes_count &&
					!inode_is_system(sb, ino));
}

errcode_t lives_note_block(struct e2lazy_undelete *u, ext2_ino_t first,
			   const uint8_t *block, uint32_t when, uint32_t copy)
{
	unsigned size = EXT2_INODE_SIZE(u->fs->super);
	struct seen s = { .ino = first, .when = when, .copy = copy };
	errcode_t err = 0;

	for (unsigned at = 0; !err && at + size <= u->fs->blocksize;
	     at += size, s.ino++) {
		if (!is_counted(u, s.ino))
			continue;
		seen_take(u->fs, block + at, &s);
		err = note_copy(u, &s);
	}
	return err;
}

void lives_note_bad(struct e2lazy_undelete *u, ext2_ino_t first)
{
	uint32_t count = u->fs->blocksize / EXT2_INODE_SIZE(u->fs->super);

	for (uint32_t i = 0; i < count; i++) {
		uint32_t number = lives_newest(u, first + i);

		if (number != NO_LIFE &&
		    life_get(u, number)->gone == MOMENT_NOW)
			life_get(u, number)->doubted = true;
	}
}

errcode_t lives_add(struct e2lazy_undelete *u, const struct seen *s)
{
	return begin_life(&u->lives, s);
}
