/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * undelete.c - deleted files, from the whole ring
 *
 * Method.  To delete a file, ext4 logs the block of the inode table after the
 * change, without links, size and map.  The search needs the copy before: it
 * stays in the ring until a later lap overwrites it, also after a checkpoint
 * and a clean unmount.  So the search reads every committed transaction of the
 * ring, in order of time, and follows each block of an inode table, a
 * directory, a map and a bitmap through all of them.
 *
 * Order.  Transactions (e2lazy_ring_scan()), their copies by block and time
 * (map/versions.c), inodes and their lives (lives.c), names (names.c), and last
 * the evidence against blocks (evidence.c).  e2lazy_undelete_read() reads the
 * contents.
 *
 * Proof.  A copy counts if its checksum in the log is right.  A block from its
 * own place counts as the life's if its checksum has the life's inode and
 * generation (proof.c); without such checksums it is unproven.  A block of
 * contents is intact unless evidence speaks against it.
 */

#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "undelete.h"
#include "view/view.h"

/* ---------------------------------------------------------- the search */

/* Is it the last transaction that the view shows? */
static bool is_last_shown(const struct e2lazy_undelete *u,
			  const struct e2lazy_ring_txn *txn)
{
	const struct e2lazy_jmap *map = view_map(u->view);

	return txn->txn.tid == e2lazy_jmap_stats(map)->last_tid &&
	       lap_follows(&u->journal->geo, e2lazy_jmap_end(map)->head,
			   txn->txn.end);
}

/* The transactions up to the time of the view: all of them, if it is now. */
static uint32_t count_shown(struct e2lazy_undelete *u)
{
	uint32_t all = e2lazy_ring_counts(u->ring)->txns, count = all;
	struct e2lazy_ring_txn txn;

	if (!e2lazy_jmap_is_past(view_map(u->view)))
		return all;
	for (; count; count--) {
		e2lazy_ring_txn(u->ring, count - 1, &txn);
		if (is_last_shown(u, &txn))
			break;
	}
	u->past = count < all;
	return count;
}

static errcode_t scan_ring(struct e2lazy_undelete *u)
{
	const struct e2lazy_ring_opts ring = { .watch = u->opts->watch };
	struct versions_opts versions = { .watch = u->opts->watch };
	errcode_t err = e2lazy_ring_scan(u->journal, &ring, &u->ring,
					 u->where);

	if (err)
		return err;
	versions.count = count_shown(u);
	return versions_build(u->journal, u->ring, &versions, &u->versions);
}

static bool is_deleted(const struct life *life)
{
	return !life->alive &&
	       (LINUX_S_ISREG(life->mode) || LINUX_S_ISDIR(life->mode) ||
		LINUX_S_ISLNK(life->mode) || LINUX_S_ISCHR(life->mode) ||
		LINUX_S_ISBLK(life->mode) || LINUX_S_ISFIFO(life->mode) ||
		LINUX_S_ISSOCK(life->mode));
}

static errcode_t add_life(struct life_list *list, uint32_t number)
{
	uint32_t *at = grow(list->at, list->nr, &list->room, sizeof(*at));

	if (!at)
		return EXT2_ET_NO_MEMORY;
	list->at = at;
	list->at[list->nr++] = number;
	return 0;
}

/* The newest first, as the caller has it. */
static errcode_t list_states(struct e2lazy_undelete *u, uint32_t state)
{
	errcode_t err = 0;

	for (; !err && state != NO_LIFE; state = life_get(u, state)->earlier)
		err = add_life(&u->deleted, state);
	return err;
}

/* All lives of an inode, the oldest first. */
static errcode_t list_inode(struct e2lazy_undelete *u, ext2_ino_t ino)
{
	struct life_list *files = &u->deleted;
	size_t first = files->nr, last;
	uint32_t number = lives_newest(u, ino);
	errcode_t err = 0;

	for (; !err && number != NO_LIFE; number = life_get(u,
							    number)->earlier) {
		if (is_deleted(life_get(u, number)))
			err = add_life(life_get(u, number)->value ?
				       &u->values : files, number);
		if (!err)
			err = list_states(u, life_get(u, number)->state);
	}
	for (last = files->nr; first + 1 < last; first++) {
		number = files->at[first];
		files->at[first] = files->at[--last];
		files->at[last] = number;
	}
	return err;
}

/* In order of the inodes. */
static errcode_t list_deleted(struct e2lazy_undelete *u)
{
	uint32_t per_block = u->fs->blocksize / EXT2_INODE_SIZE(u->fs->super);
	errcode_t err = tables_add_made(u);

	for (size_t i = 0; !err && i < u->nr_tables; i++)
		for (uint32_t n = 0; !err && n < per_block; n++)
			err = list_inode(u, u->tables[i] + n);
	return err;
}

static errcode_t search(struct e2lazy_undelete *u)
{
	errcode_t err;

	err = e2lazy_view_open(u->view, &u->fs, u->where);
	if (!err)
		err = io_channel_alloc_buf(u->fs->io, 1, &u->block);
	if (!err)
		err = e2lazy_layout_build(u->journal, view_map(u->view),
					  &u->layout, u->where);
	if (!err)
		err = scan_ring(u);
	if (!err)
		err = gaps_find(u);
	if (err)
		return err;
	u->steps = 2 * ext2fs_blocks_count(u->fs->super) + u->versions.list.nr;
	err = tables_read(u);
	if (!err)
		err = fast_find(u);
	if (!err)
		home_find(u);
	if (!err)
		err = signs_find(u);
	if (!err)
		err = list_deleted(u);
	if (!err)
		err = names_find(u);
	if (!err)
		err = fast_names(u);
	if (!err)
		err = names_find_living(u);
	if (!err)
		err = names_order(u);
	if (!err)
		err = trees_judge(u);
	if (!err && u->opts->evidence)
		err = evidence_find(u);
	if (!err && u->opts->users)
		err = evidence_find_users(u);
	/* The search has had its share; reading has another. */
	u->steps = 4 * (2 * ext2fs_blocks_count(u->fs->super) +
			u->versions.list.nr);
	u->value_bytes = ext2fs_blocks_count(u->fs->super) * u->fs->blocksize;
	return err;
}

errcode_t e2lazy_undelete_scan(struct e2lazy_journal *journal,
			       struct e2lazy_view *view,
			       const struct e2lazy_undelete_opts *opts,
			       struct e2lazy_undelete **out,
			       struct e2lazy_where *where)
{
	struct e2lazy_undelete *u = calloc(1, sizeof(*u));
	struct e2lazy_where unused;
	errcode_t err;

	*out = NULL;
	if (!u)
		return EXT2_ET_NO_MEMORY;
	u->journal = journal;
	u->view = view;
	if (opts)
		u->own = *opts;
	if (u->own.watch)
		u->watch = *u->own.watch;
	u->own.watch = &u->watch;
	u->opts = &u->own;
	u->block_of = UINT32_MAX;
	u->where = where ? where : &unused;
	memset(u->where, 0, sizeof(*u->where));
	err = search(u);
	if (err && !u->where->has && u->fs && e2lazy_view_failed(u->fs))
		*u->where = *e2lazy_view_failed(u->fs);
	u->where = NULL;
	if (err)
		e2lazy_undelete_free(u);
	else
		*out = u;
	return err;
}

void e2lazy_undelete_free(struct e2lazy_undelete *u)
{
	if (!u)
		return;
	versions_free(&u->versions);
	e2lazy_ring_free(u->ring);
	e2lazy_layout_free(u->layout);
	free(u->since);
	free(u->lives.at);
	states_end(u);
	ext2fs_free_mem(&u->lives.table);
	name_table_free(&u->names);
	free(u->evidences.at);
	free(u->former.at);
	free(u->bad);
	free(u->deleted.at);
	free(u->values.at);
	free(u->tables);
	made_free(u);
	records_free(&u->ranges);
	window_free(&u->ring_window);
	window_free(&u->home_window);
	ext2fs_free_mem(&u->block);
	ext2fs_free_mem(&u->buffer);
	dir_names_free(&u->dirs);
	if (u->fs)
		ext2fs_free(u->fs);
	free(u);
}

/* ---------------------------------------------------------- the results */

void e2lazy_undelete_horizon(const struct e2lazy_undelete *u,
			     struct e2lazy_horizon *out)
{
	*out = (struct e2lazy_horizon){
		.txns = u->versions.nr_moments,
		.copies = u->versions.list.nr, .inodes = u->lives.inodes,
		.unreadable = u->unreadable,
	};
	if (!out->txns)
		return;
	out->tid = u->versions.moments[0].tid;
	out->sec = u->versions.moments[0].sec;
}

size_t e2lazy_undelete_count(const struct e2lazy_undelete *u)
{
	return u->deleted.nr;
}

size_t e2lazy_undelete_states(const struct e2lazy_undelete *u)
{
	size_t count = 0;

	for (size_t i = 0; i < u->deleted.nr; i++)
		count += life_get(u, u->deleted.at[i])->of != NO_LIFE;
	return count;
}

/* Linux keeps an old number in the first word, else a new one in the second. */
static void set_device(struct e2lazy_deleted *out,
		       const struct ext2_inode_large *i)
{
	uint32_t old = i->i_block[0], new = i->i_block[1];

	if (!LINUX_S_ISCHR(i->i_mode) && !LINUX_S_ISBLK(i->i_mode))
		return;
	if (old) {
		out->device_major = old >> 8 & 0xff;
		out->device_minor = old & 0xff;
	} else {
		out->device_major = (new & 0xfff00) >> 8;
		out->device_minor = (new & 0xff) | (new >> 12 & 0xfff00);
	}
}

void e2lazy_undelete_living(const struct ext2_inode_large *i,
			    struct e2lazy_deleted *out)
{
	out->mode = i->i_mode;
	out->uid = inode_uid(*i);
	out->gid = inode_gid(*i);
	out->links = i->i_links_count;
	out->size = EXT2_I_SIZE((const struct ext2_inode *)i);
	out->atime = inode_time(i->i_atime, i->i_atime_extra);
	out->mtime = inode_time(i->i_mtime, i->i_mtime_extra);
	out->ctime = inode_time(i->i_ctime, i->i_ctime_extra);
	out->crtime = inode_time(i->i_crtime, i->i_crtime_extra);
	set_device(out, i);
}

static void set_end(const struct e2lazy_undelete *u, const struct life *life,
		    struct e2lazy_deleted *out)
{
	struct e2lazy_time ended = inode_time(life->ended, life->ended_extra);
	const struct moment *m;

	out->gone_sec = life->dtime;
	if (!out->gone_sec && life->ended && ended.sec > 0) {
		out->gone_sec = (uint64_t)ended.sec;
		out->gone_nsec = (uint32_t)ended.nsec;
	}
	if (life->gone == MOMENT_NOW) {
		out->flags |= E2LAZY_DELETED_UNSEEN;
		return;
	}
	m = &u->versions.moments[life->gone];
	out->gone_tid = m->tid;
	if (!m->sec)
		return;
	out->gone_sec = m->sec;
	out->gone_nsec = m->nsec;
}

static unsigned flags_of(const struct e2lazy_undelete *u,
			 const struct life *life,
			 const struct ext2_inode_large *i)
{
	return (life->rank == RANK_ORPHAN ? E2LAZY_DELETED_ORPHAN : 0) |
	       (life->rank == RANK_TRUNCATING || life->cut ?
		E2LAZY_DELETED_TRUNCATING : 0) |
	       (life_has_gap(u, life) ? E2LAZY_DELETED_GAP : 0) |
	       (life_path_is_sure(u, life) ? 0 : E2LAZY_DELETED_NAME) |
	       (life->left ? E2LAZY_DELETED_EARLIER : 0) |
	       (life->of != NO_LIFE ? E2LAZY_DELETED_STATE : 0) |
	       (i->i_flags & EXT4_ENCRYPT_FL ? E2LAZY_DELETED_ENCRYPTED : 0) |
	       (i->i_flags & EXT4_VERITY_FL ? E2LAZY_DELETED_VERITY : 0);
}

errcode_t e2lazy_undelete_get(struct e2lazy_undelete *u, size_t index,
			      struct e2lazy_deleted *out)
{
	const struct life *life = life_get(u, u->deleted.at[index]);
	const struct moment *m = &u->versions.moments[life->chosen];
	struct ext2_inode_large i;
	const uint8_t *raw;
	errcode_t err = life_inode(u, life, &raw, &i);

	memset(out, 0, sizeof(*out));
	if (err)
		return err;
	*out = (struct e2lazy_deleted){
		.ino = life->ino, .generation = life->generation,
		.tid = m->tid, .sec = m->sec, .flags = flags_of(u, life, &i),
		.names = life_names(u, life), .after = life->after,
	};
	e2lazy_undelete_living(&i, out);
	set_end(u, life, out);
	return 0;
}
