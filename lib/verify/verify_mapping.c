/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verify_mapping.c - judge live copies by the type and owner of their blocks
 *
 * The layout gives the type, and the view of the file system gives the owner.
 */

#include <stdlib.h>
#include <string.h>

#include "fs/extent_node.h"
#include "fs/inode_search.h"
#include "log/behind.h"
#include "log/csum.h"
#include "map/jmap.h"
#include "map/super.h"
#include "verify.h"

#define PLACES_PER_TICK 65536

/* ---------------------------------------------------------- the layout */

static bool is_backup(enum e2lazy_type type)
{
	return type == E2LAZY_TYPE_SUPER_BACKUP ||
	       type == E2LAZY_TYPE_DESC_BACKUP;
}

/*
 * Find the live copies of one piece from @next on, and return the next one.  On
 * a damaged file system another piece may begin within it.
 */
static size_t verify_backup(struct verify *v, size_t next,
			    const struct e2lazy_layout_piece *piece)
{
	size_t first = e2lazy_jmap_lower_bound(v->map, piece->start);
	struct e2lazy_place place;
	struct e2lazy_copy copy;

	for (next = first > next ? first : next;
	     next < e2lazy_jmap_count(v->map); next++) {
		e2lazy_jmap_get(v->map, next, &copy);
		if (copy.fsblk - piece->start >= piece->count)
			break;
		e2lazy_layout_find(v->subject->layout, copy.fsblk, &place);
		if (is_backup(place.type))
			verify_found_copy(v, PROBLEM_TAG_ON_BACKUP, &copy, 0);
	}
	return next;
}

static void verify_backups(struct verify *v)
{
	struct e2lazy_layout_piece piece;
	size_t next = 0;

	for (size_t i = 0;
	     e2lazy_layout_piece(v->subject->layout, i, &piece); i++)
		if (is_backup(piece.type))
			next = verify_backup(v, next, &piece);
}

/* @block is the logged block that holds the superblock. */
static void compare_super(struct verify *v, const struct e2lazy_copy *copy,
			  const uint8_t *block)
{
	struct ext2_super_block logged;

	memcpy(&logged, block + super_offset(v->journal->geo.blocksize),
	       sizeof(logged));
#ifdef WORDS_BIGENDIAN
	ext2fs_swap_super(&logged);
#endif
	if (!super_agrees(v->journal->fs->super, &logged))
		verify_found_copy(v, PROBLEM_SUPER_CONTRADICTED, copy, 0);
	else if (super_written(v->journal->fs->super) > super_written(&logged))
		verify_found_copy(v, PROBLEM_SUPERBLOCK_NEWER, copy, 0);
}

/* verify_copies() reports a bad copy. */
static errcode_t verify_super(struct verify *v)
{
	blk64_t fsblk = super_fsblk(v->journal);
	struct ext2_super_block merged;
	struct e2lazy_copy copy;
	uint8_t *block = NULL;
	errcode_t err;

	if (e2lazy_jmap_lookup(v->map, fsblk, &copy))
		return 0;
	err = io_channel_alloc_buf(v->journal->io, 1, &block);
	if (err)
		return err;
	if (!verify_read(v, e2lazy_jmap_lower_bound(v->map, fsblk), block))
		goto out;
	err = super_merge(v->journal, block, false, &merged);
	if (err)
		verify_found_copy(v, err == EXT2_ET_SB_CSUM_INVALID ?
			   PROBLEM_SUPER_CSUM : PROBLEM_SUPER_FOREIGN, &copy,
			   0);
	else
		compare_super(v, &copy, block);
out:
	ext2fs_free_mem(&block);
	return 0;
}

/* ---------------------------------------------------------- the owners */

/* Remember the last inode, because the blocks of a file are neighbours. */
struct journaled {
	ext2_ino_t	ino;
	bool		is;
};

/* An unreadable inode owns no blocks here; it counts as damage elsewhere. */
static bool file_is_journaled(struct verify *v, ext2_ino_t ino,
			      struct journaled *last)
{
	struct ext2_inode inode;

	if (ino != last->ino) {
		last->ino = ino;
		last->is = !ext2fs_read_inode(v->fs, ino, &inode) &&
			   inode.i_flags & EXT3_JOURNAL_DATA_FL;
	}
	return last->is;
}

/*
 * An early kernel with journal_lazy kept whatever log there was, and shows it by
 * a word alone.  What it wrote to files since is newer than the log's contents of
 * them; what it did not write is older.
 */
static bool kept_by_early_kernel(const struct verify *v)
{
	return super_has_option(v->fs->super, SUPER_LAZY) &&
	       e2lazy_geometry(v->journal)->lazy_record != E2LAZY_RECORD_FITS;
}

/* Tick for each copy: one that is not in memory costs a read. */
static errcode_t read_tick(struct verify *v, size_t index)
{
	return verify_tick(v, E2LAZY_PHASE_ROLES, index,
			   e2lazy_jmap_count(v->map));
}

/*
 * An unwritten block holds nothing, as a free one: the file shows zeros there.
 * A mount with data=journal revokes nothing, so the log may still have a copy
 * from before the file got the block.
 */
static errcode_t role_of(struct verify *v, blk64_t fsblk, size_t near,
			 struct e2lazy_owner *owner)
{
	errcode_t err = owners_find_near(v->owners, fsblk, near, owner);

	if (!err && owners_unwritten(v->owners, fsblk, near))
		owner->role = E2LAZY_ROLE_FREE;
	return err;
}

/* A list of blocks may be a small number, too: then the file's map decides. */
static enum problem over_data(struct verify *v, const struct e2lazy_copy *copy,
			      const struct e2lazy_owner *owner,
			      const uint8_t *block)
{
	enum e2lazy_type type = e2lazy_identify(v->subject->layout, block);

	return type == E2LAZY_TYPE_DATA ||
	       (type == E2LAZY_TYPE_INDIRECT && held_then(v, owner, copy)) ?
	       PROBLEM_JOURNALED_DATA : PROBLEM_COPY_OF_DATA;
}

/*
 * Copies of contents whose tags no checksum proves.  A wrong tag makes one such
 * copy, while a mount with data=journal logs everything that is written to files.
 * So the first copy waits for another one, which is the sign of such a mount.
 */
struct contents {
	uint64_t	copies;
	struct e2lazy_copy first;
	bool		doubtful;	/* those from before the damage */
};

static void take_contents(struct verify *v, struct contents *c,
			  const struct e2lazy_copy *copy,
			  const struct e2lazy_owner *owner)
{
	if (v->unproven && !grew_then(v, owner, copy)) {
		if (!c->copies++) {
			c->first = *copy;
			return;
		}
		if (c->copies == 2)
			verify_found_copy(v, PROBLEM_JOURNALED_DATA, &c->first,
					  0);
	}
	verify_found_copy(v, PROBLEM_JOURNALED_DATA, copy, 0);
}

struct earlier {
	const struct verify *verify;
	const struct e2lazy_copy *copy;
	bool		has;
};

/* A transaction has a block once: another tag of the same one proves nothing. */
static errcode_t take_earlier(void *priv, const struct e2lazy_event *ev)
{
	struct earlier *e = priv;

	if (ev->kind == E2LAZY_EV_TAG && ev->fsblk == e->copy->fsblk &&
	    ev->tid != e->copy->tid &&
	    e2lazy_jmap_state(e->verify->map, ev) == E2LAZY_SUPERSEDED)
		e->has = true;
	return 0;
}

/* Is the only live copy of contents at least not the block's first one? */
static errcode_t judge_only(struct verify *v, const struct contents *c)
{
	struct earlier e = { .verify = v, .copy = &c->first };
	errcode_t err;

	if (c->copies != 1)
		return 0;
	err = verify_walk(v, take_earlier, NULL, &e);
	if (!err)
		verify_found_copy(v, e.has ? PROBLEM_JOURNALED_DATA :
				  PROBLEM_TAG_NOT_PROVEN, &c->first, 0);
	return err;
}

/* -------------------------------------------- contents behind a damage */

/* The block of the copy @ev belongs to an unjournaled file, and it is contents. */
static bool is_contents(struct verify *v, const struct e2lazy_event *ev,
			uint8_t *block, struct journaled *last)
{
	struct e2lazy_owner owner;

	return ev->kind == E2LAZY_EV_TAG &&
	       !role_of(v, ev->fsblk, 0, &owner) &&
	       owner.role == E2LAZY_ROLE_DATA &&
	       !file_is_journaled(v, owner.ino, last) &&
	       !e2lazy_read_log(v->journal, ev->logblk, 1, block) &&
	       csum_copy_good(&v->journal->csum, ev->tid, block, ev->csum) &&
	       e2lazy_identify(v->subject->layout, block) == E2LAZY_TYPE_DATA;
}

static bool maps_itself(const struct ext2_inode *inode, uint64_t lblk)
{
	const uint8_t *root = (const void *)inode->i_block;

	return inode->i_flags & EXT4_EXTENTS_FL ? !extent_header(root).depth :
						  lblk < EXT2_NDIR_BLOCKS;
}

/* Does an inode of the same transaction, or an earlier one, map the block? */
static bool had_owner(const struct verify *v, const struct e2lazy_copy *copy,
		      const struct e2lazy_owner *owner)
{
	struct e2lazy_copy table;
	struct ext2_inode inode;

	return !e2lazy_jmap_lookup(v->map, inode_home(v->fs, owner->ino),
				   &table) &&
	       !e2lazy_tid_after(table.tid, copy->tid) &&
	       !ext2fs_read_inode(v->fs, owner->ino, &inode) &&
	       maps_itself(&inode, owner->lblk);
}

/*
 * Is there a copy of contents that the block's file had when they were logged?
 * Only a mount with data=journal logs these.
 */
static bool logs_contents(struct verify *v, uint8_t *block,
			  struct journaled *last)
{
	struct e2lazy_owner owner;
	struct e2lazy_copy copy;

	for (size_t i = 0; i < e2lazy_jmap_count(v->map); i++) {
		e2lazy_jmap_get(v->map, i, &copy);
		if (!role_of(v, copy.fsblk, i, &owner) &&
		    owner.role == E2LAZY_ROLE_DATA &&
		    !file_is_journaled(v, owner.ino, last) &&
		    had_owner(v, &copy, &owner) && verify_read(v, i, block) &&
		    e2lazy_identify(v->subject->layout, block) ==
		    E2LAZY_TYPE_DATA)
			return true;
	}
	return false;
}

/*
 * A damage may hide revokes, and what they made void looks live.  A mount with
 * data=journal revokes no contents, and logs more of them behind the damage.
 * Where other tools write the log up to the damage, its copies of contents can
 * show such a mount, too; where they write nothing, what is in place counts more.
 */
static errcode_t may_lack_revokes(struct verify *v, uint8_t *block, bool *may)
{
	struct journaled last = { .ino = 0 };
	struct e2lazy_event ev;
	struct behind behind;
	errcode_t err;

	*may = verify_is_cut(v) && (jmap_is_joined(v->map) ||
				    !logs_contents(v, block, &last));
	if (!*may)
		return 0;
	err = behind_init(&behind, &v->proof.look, v->end);
	while (!err && *may && behind_next(&behind, &ev))
		*may = !is_contents(v, &ev, block, &last);
	behind_free(&behind);
	return err;
}

/* The blocks of these copies, each once; the caller frees @said. */
static errcode_t list_behind(struct verify *v, struct records *said)
{
	struct e2lazy_event ev;
	struct behind behind;
	errcode_t err;

	if (!verify_is_cut(v))
		return 0;
	err = behind_init(&behind, &v->proof.look, v->end);
	while (!err && behind_next(&behind, &ev)) {
		struct record r = { .logblk = ev.logblk, .tid = ev.tid };

		if (ev.kind != E2LAZY_EV_TAG || ev.fsblk >= RECORD_FSBLK_END)
			continue;
		record_set_fsblk(&r, ev.fsblk);
		err = records_add(said, &r);
	}
	behind_free(&behind);
	return err ? err : records_sort(said);
}

/* *@blocks is to be freed. */
static errcode_t blocks_behind(struct verify *v, blk64_t **blocks, size_t *nr)
{
	struct records said = { .nr = 0 };
	errcode_t err = list_behind(v, &said);

	*nr = 0;
	*blocks = err || !said.nr ? NULL : calloc(said.nr, sizeof(**blocks));
	if (!err && said.nr && !*blocks)
		err = EXT2_ET_NO_MEMORY;
	for (size_t i = 0; !err && i < said.nr; i++)
		if (!*nr || (*blocks)[*nr - 1] != record_fsblk(&said.at[i]))
			(*blocks)[(*nr)++] = record_fsblk(&said.at[i]);
	records_free(&said);
	return err;
}

/* -------------------------------------------------- copies of contents */

static bool is_behind(const struct verify *v, const struct e2lazy_copy *copy)
{
	return e2lazy_tid_after(copy->tid, v->end->tid);
}

/*
 * The mount option data=journal leaves no mark on disk.  A copy that a kernel
 * forgot to revoke was metadata and looks like it.  A copy logged again after a
 * revoke may look like anything, but a mount with data=journal revokes nothing.
 */
static errcode_t judge_data(struct verify *v, size_t index,
			    const struct e2lazy_copy *copy,
			    const struct e2lazy_owner *owner, uint8_t *blocks,
			    struct contents *contents)
{
	enum problem problem;

	if (!verify_read(v, index, blocks))
		return read_tick(v, index);	/* reported as damage */
	problem = over_data(v, copy, owner, blocks);
	if (relogged_is(v, index, copy, blocks)) {
		verify_found_copy(v, PROBLEM_RELOGGED, copy, 0);
		problem = PROBLEM_COPY_OF_DATA;
	}
	if (problem == PROBLEM_JOURNALED_DATA && kept_by_early_kernel(v))
		problem = PROBLEM_DATA_BEFORE_LAZY;
	if (problem == PROBLEM_JOURNALED_DATA && contents->doubtful &&
	    !is_behind(v, copy))
		problem = PROBLEM_DATA_BEFORE_DAMAGE;
	if (problem == PROBLEM_JOURNALED_DATA)
		take_contents(v, contents, copy, owner);
	else
		verify_found_copy(v, problem, copy, 0);
	return read_tick(v, index);
}

/*
 * Judge an older copy that replaces a bad one: old metadata must not overwrite
 * the contents of a file.
 */
void verify_role(struct verify *v, const struct e2lazy_copy *copy,
		 const uint8_t *block)
{
	struct journaled last = { .ino = 0 };
	struct e2lazy_owner owner;

	if (!v->owners || role_of(v, copy->fsblk, 0, &owner) ||
	    owner.role != E2LAZY_ROLE_DATA ||
	    super_journals_data(v->fs->super) ||
	    file_is_journaled(v, owner.ino, &last))
		return;
	verify_found_copy(v, over_data(v, copy, &owner, block), copy, 0);
}

static errcode_t judge_free(struct verify *v, size_t index,
			    const struct e2lazy_copy *copy, uint8_t *blocks)
{
	if (relogged_is(v, index, copy, blocks))
		verify_found_copy(v, PROBLEM_RELOGGED, copy, 0);
	verify_found_copy(v, PROBLEM_COPY_OF_FREE, copy, 0);
	return read_tick(v, index);
}

static errcode_t verify_roles(struct verify *v)
{
	bool all_journaled = super_journals_data(v->fs->super);
	bool early = kept_by_early_kernel(v);
	size_t live = e2lazy_jmap_count(v->map);
	struct journaled last = { .ino = 0 };
	struct contents contents = { .copies = 0 };
	struct e2lazy_owner owner;
	struct e2lazy_copy copy;
	uint8_t *blocks = NULL;
	errcode_t err;

	err = io_channel_alloc_buf(v->journal->io, 2, &blocks);
	if (!err && !all_journaled)
		err = may_lack_revokes(v, blocks, &contents.doubtful);
	for (size_t i = 0; !err && i < live; i++) {
		if (i % PLACES_PER_TICK == 0)
			err = verify_tick(v, E2LAZY_PHASE_ROLES, i, live);
		e2lazy_jmap_get(v->map, i, &copy);
		if (err || role_of(v, copy.fsblk, i, &owner))
			continue;
		if (owner.role == E2LAZY_ROLE_FREE)
			err = judge_free(v, i, &copy, blocks);
		if (owner.role == E2LAZY_ROLE_DATA &&
		    (early || (!all_journaled &&
			       !file_is_journaled(v, owner.ino, &last))))
			err = judge_data(v, i, &copy, &owner, blocks,
					 &contents);
	}
	if (!err)
		err = judge_only(v, &contents);
	ext2fs_free_mem(&blocks);
	return err;
}

/* Only the user's callback and a lack of memory end the search. */
static errcode_t find_owners(struct verify *v)
{
	struct e2lazy_owners_opts opts = { .watch = v->opts->watch };
	struct e2lazy_damage damage;
	blk64_t *blocks;
	errcode_t err = blocks_behind(v, &blocks, &opts.nr_blocks);

	opts.blocks = blocks;
	if (!err)
		err = owners_of_view(v->subject->view, v->fs,
				     v->subject->layout, &opts, &v->owners,
				     &damage);
	free(blocks);
	if (err)
		return err;
	if (damage.count)
		verify_found_where(v, PROBLEM_OWNERS_UNKNOWN, damage.count,
			    &damage.first, damage.error);
	return verify_roles(v);
}

/* A glance needs no owners of a log without other copies. */
static bool is_all_fixed(const struct verify *v)
{
	uint64_t counts[E2LAZY_NR_TYPES];

	if (!(v->opts->flags & E2LAZY_VERIFY_GLANCE))
		return false;
	e2lazy_layout_count(v->subject->layout, v->map, counts);
	return !counts[E2LAZY_TYPE_OTHER];
}

errcode_t verify_mapping(struct verify *v)
{
	struct e2lazy_where where;
	errcode_t err;

	verify_backups(v);
	err = verify_super(v);
	if (err || !verify_owners(v) || !v->subject->view ||
	    !e2lazy_jmap_count(v->map) || is_all_fixed(v))
		return err;
	err = e2lazy_view_open(v->subject->view, &v->fs, &where);
	if (err == EXT2_ET_NO_MEMORY)
		return err;
	if (err) {
		v->fs = NULL;
		verify_found_where(v, PROBLEM_OWNERS_UNKNOWN, 1, &where, err);
		return 0;
	}
	return find_owners(v);
}
