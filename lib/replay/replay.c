/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * replay.c - the fast commits of a log, as changed blocks in memory
 *
 * A fast commit says in words what a transaction would say in blocks: a name is
 * made, a file's blocks are these, an inode looks so.  The newest full
 * transaction is the base of these words, so the replay reads the base through
 * a view and changes blocks in memory only.  It has four steps.
 *
 *  1. The records in order, later ones win: model.c.  The result is the final
 *     inode and map of each file, and the final inode of each name.
 *  2. Names decide what is alive (names.c).  The number of links is counted
 *     from them, because a record of an inode is missing when its last name
 *     goes, and directories have no records of their own.
 *  3. Space: the blocks of dead inodes and of old maps go, those of new maps
 *     are taken.  A block taken twice contradicts the base, and ends the replay.
 *     Only then are blocks chosen that no record names: for new directories,
 *     new blocks of old ones, and extent trees.
 *  4. Inodes, trees, bitmaps, descriptors and their checksums.
 *
 * A record that the replay does not know or must not apply ends it with an error
 * that names the reason; nothing is half replayed.
 *
 * Both layouts of the area end a block either with a record or a pad (Linux
 * 48a6a66db82b), so fc.c reads both.
 */

#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "map/jmap.h"
#include "replay.h"

/* ------------------------------------------------------------- records */

static errcode_t keep_record(void *priv, const struct e2lazy_fc_record *rec)
{
	struct e2lazy_replay *r = priv;
	struct record_kept *list, *kept;

	if (r->nr_records == r->found.valid)
		return 0;
	list = grow(r->records, r->nr_records, &r->room_records,
		    sizeof(*list));
	if (!list)
		return EXT2_ET_NO_MEMORY;
	r->records = list;
	kept = list + r->nr_records;
	kept->r = *rec;
	kept->value = malloc(rec->length + 1UL);
	if (!kept->value)
		return EXT2_ET_NO_MEMORY;
	memcpy(kept->value, rec->value, rec->length);
	kept->r.value = kept->value;
	r->nr_records++;
	return 0;
}

/* Records before an unreadable block still count. */
static errcode_t load_records(struct e2lazy_replay *r,
			      struct e2lazy_where *where)
{
	struct e2lazy_journal *j = r->view->journal;
	struct e2lazy_fc_summary again;
	errcode_t err;

	err = e2lazy_fc_scan(j, r->next_tid, NULL, NULL, &r->found, where);
	if (err == EXT2_ET_NO_MEMORY || !r->found.valid)
		return err;
	err = e2lazy_fc_scan(j, r->next_tid, keep_record, r, &again, where);
	return r->nr_records < r->found.valid ? err : 0;
}

static errcode_t check_features(const struct e2lazy_replay *r)
{
	const struct ext2_super_block *sb = r->fs->super;

	if (ext2fs_has_feature_bigalloc(r->fs->super))
		return E2LAZY_ET_FC_BIGALLOC;
	if (sb->s_feature_ro_compat & EXT4_FEATURE_RO_COMPAT_QUOTA)
		return E2LAZY_ET_FC_QUOTA;
	return r->inode_size < 128 || r->inode_size > 4096 ||
	       r->inode_size > r->size ? E2LAZY_ET_FC_DAMAGED : 0;
}

/* --------------------------------------------------------------- space */

static errcode_t free_old(struct e2lazy_replay *r, struct node *n)
{
	bool ends = !n->alive || n->life;
	errcode_t err;

	r->at = n->ino;
	if (!n->in_base || (!ends && !n->map_changed))
		return 0;
	/* An orphan stays in its list: the kernel will free it. */
	if (!n->life && !get_le16(n->base + I_LINKS))
		return 0;
	err = give_up(r, n, GIVE_UP_NODES | GIVE_UP_CONTENTS |
			    (ends ? GIVE_UP_XATTRS : 0));
	if (!err && ends)
		err = space_inode_give_up(r, n->ino, raw_is_dir(n->base));
	return err;
}

/* Written blocks behind the end of a file would be seen by nobody. */
static errcode_t cut_at_end(struct e2lazy_replay *r, struct node *n)
{
	uint64_t size = get_le32(n->raw + I_SIZE) |
			(uint64_t)get_le32(n->raw + I_SIZE_HIGH) << 32;
	uint64_t end = (size + r->size - 1) / r->size;
	errcode_t err = 0;

	if (!LINUX_S_ISREG(get_le16(n->raw + I_MODE)) ||
	    get_le32(n->raw + I_FLAGS) & EXT4_VERITY_FL)
		return 0;
	for (size_t i = n->map.nr; !err && i--;) {
		struct extent e = n->map.at[i];

		if ((uint64_t)e.lblk + e.count <= end)
			break;
		if (!e.unwritten)
			err = extents_remove(&n->map, e.lblk > end ?
					     e.lblk : end, e.count);
	}
	return err;
}

static errcode_t take_new(struct e2lazy_replay *r, struct node *n)
{
	errcode_t err = 0;

	r->at = n->ino;
	if (!n->alive)
		return 0;
	if (n->life)
		err = space_inode_take(r, n->ino, raw_is_dir(n->raw));
	if (err || !n->map_changed)
		return err;
	if (n->map.nr && !(get_le32(n->raw + I_FLAGS) & EXT4_EXTENTS_FL))
		return E2LAZY_ET_FC_CONTRADICTS;
	err = cut_at_end(r, n);
	extents_tidy(&n->map);
	for (size_t i = 0; !err && i < n->map.nr; i++)
		err = space_take(r, n->map.at[i].fsblk, n->map.at[i].count);
	return err;
}

/* --------------------------------------------------------------- names */

static errcode_t begin_dirs(struct e2lazy_replay *r)
{
	errcode_t err = 0;

	for (size_t i = 0; !err && i < r->nr_names; i++) {
		const struct name *name = &r->names[i];
		struct node *n = name->now ? node_find(r, name->now) : NULL;

		if (!n || !n->life || !raw_is_dir(n->raw))
			continue;
		r->at = n->ino;
		err = dir_begin(r, n, name->dir);
	}
	return err;
}

/* An entry that keeps its inode stays, but the type of a new life may differ. */
static bool stays(struct e2lazy_replay *r, const struct name *name)
{
	return name->base == name->now &&
	       (!name->now || !node_find(r, name->now)->life);
}

static errcode_t change_names(struct e2lazy_replay *r)
{
	errcode_t err = 0;

	for (size_t i = 0; !err && i < r->nr_names; i++) {
		const struct name *name = &r->names[i];

		if (name->base && name->dir->alive && !name->dir->life &&
		    !stays(r, name))
			err = dir_change(r, name);
	}
	for (size_t i = 0; !err && i < r->nr_names; i++) {
		const struct name *name = &r->names[i];

		r->at = name->dir->ino;
		if (name->now && !name->base)
			err = dir_insert(r, name->dir, name);
	}
	return err;
}

/* -------------------------------------------------------------- inodes */

static void set_size(uint8_t *raw, uint64_t size)
{
	put_le32(raw + I_SIZE, (uint32_t)size);
	put_le32(raw + I_SIZE_HIGH, (uint32_t)(size >> 32));
}

static void set_blocks(const struct e2lazy_replay *r, uint8_t *raw,
		       uint64_t blocks)
{
	if (!(get_le32(raw + I_FLAGS) & EXT4_HUGE_FILE_FL))
		blocks *= r->size / 512;
	put_le32(raw + I_BLOCKS, (uint32_t)blocks);
	if (ext2fs_has_feature_huge_file(r->fs->super))
		put_le16(raw + I_BLOCKS_HIGH, (uint32_t)(blocks >> 32));
}

/* A directory has no record of its own: the newest record in it decides. */
static void set_dir(const struct e2lazy_replay *r, struct node *n)
{
	int64_t links = n->life ? 2 : get_le16(n->base + I_LINKS);
	bool extra = r->inode_size > 128 &&
		     get_le16(n->raw + I_EXTRA) >= I_MTIME_EXTRA + 4 - 128;

	/* 1: more than the field can hold. */
	if (links != 1)
		links += n->subdirs;
	put_le16(n->raw + I_LINKS, links > MOST_LINKS ? 1 : (uint32_t)links);
	set_size(n->raw, (uint64_t)dir_blocks(r, n) * r->size);
	if (!n->changed_names ||
	    !time_is_later(n->changed, raw_ctime(r, n->raw)))
		return;
	put_le32(n->raw + I_CTIME, n->ctime);
	put_le32(n->raw + I_MTIME, n->ctime);
	if (extra) {
		put_le32(n->raw + I_CTIME_EXTRA, n->ctime_extra);
		put_le32(n->raw + I_MTIME_EXTRA, n->ctime_extra);
	}
}

static errcode_t write_alive(struct e2lazy_replay *r, struct node *n)
{
	uint32_t nodes;
	errcode_t err = 0;

	if (raw_is_dir(n->raw)) {
		err = node_load_map(r, n);
		if (!err && n->map_changed && !n->life)
			err = give_up(r, n, GIVE_UP_NODES);
		if (!err)
			set_dir(r, n);
	} else {
		put_le16(n->raw + I_LINKS, n->names);
	}
	put_le32(n->raw + I_DTIME, 0);
	if (!err && n->map_changed &&
	    get_le32(n->raw + I_FLAGS) & EXT4_EXTENTS_FL) {
		extents_tidy(&n->map);
		err = tree_make(r, n->ino, n->raw, &n->map, &nodes);
		if (!err)
			set_blocks(r, n->raw, extents_blocks(&n->map) + nodes +
				   (raw_acl(n->raw) != 0));
	} else if (!n->map_changed) {
		memcpy(n->raw + I_BLOCKS, n->base + I_BLOCKS, 4);
		memcpy(n->raw + I_BLOCKS_HIGH, n->base + I_BLOCKS_HIGH, 2);
	}
	return err ? err : raw_write(r, n->ino, n->raw);
}

static errcode_t write_dead(struct e2lazy_replay *r, struct node *n)
{
	uint8_t *raw = n->base;
	uint32_t when = r->newest ? r->newest : get_le32(raw + I_CTIME);
	uint8_t header[I_BLOCK_BYTES] = { 0x0a, 0xf3, 0, 0, 4 };

	put_le16(raw + I_LINKS, 0);
	put_le32(raw + I_DTIME, when ? when : 1);
	set_size(raw, 0);
	put_le32(raw + I_BLOCKS, 0);
	put_le16(raw + I_BLOCKS_HIGH, 0);
	put_le32(raw + I_FILE_ACL, 0);
	put_le16(raw + I_ACL_HIGH, 0);
	if (get_le32(raw + I_FLAGS) & EXT4_EXTENTS_FL)
		memcpy(raw + I_BLOCK, header, sizeof(header));
	return raw_write(r, n->ino, raw);
}

static errcode_t write_node(struct e2lazy_replay *r, struct node *n)
{
	bool orphan = n->in_base && !get_le16(n->base + I_LINKS);

	r->at = n->ino;
	if (n->alive)
		return n->logged || n->map_changed || n->changed_names ||
		       n->gone || n->added ? write_alive(r, n) : 0;
	return n->in_base && !orphan ? write_dead(r, n) : 0;
}

/* ----------------------------------------------------------------- all */

static errcode_t each_node(struct e2lazy_replay *r,
			   errcode_t (*what)(struct e2lazy_replay *r,
					     struct node *n))
{
	errcode_t err = 0;

	for (size_t i = 0; !err && i < r->nr_nodes; i++)
		err = what(r, r->nodes[i]);
	return err;
}

static errcode_t replay(struct e2lazy_replay *r)
{
	errcode_t err = check_features(r);

	if (!err)
		err = names_look_up(r);
	if (!err)
		err = model_run(r);
	if (!err)
		err = names_count(r);
	if (!err)
		err = descent_check(r);
	if (!err)
		err = orphans_check(r);
	if (!err)
		err = each_node(r, free_old);
	if (!err)
		err = each_node(r, take_new);
	if (!err)
		err = begin_dirs(r);
	if (!err)
		err = change_names(r);
	if (!err)
		err = each_node(r, write_node);
	return err ? err : space_end(r);
}

static void release(struct e2lazy_replay *r)
{
	space_free(r);
	for (size_t i = 0; i < r->nr_nodes; i++) {
		free(r->nodes[i]->raw);
		free(r->nodes[i]->base);
		extents_free(&r->nodes[i]->map);
		free(r->nodes[i]);
	}
	free(r->nodes);
	free(r->node_slots);
	free(r->names);
	free(r->name_heads);
	for (size_t i = 0; i < r->nr_records; i++)
		free(r->records[i].value);
	free(r->records);
	overlay_free(&r->overlay);
	if (r->fs)
		ext2fs_free(r->fs);
}

errcode_t e2lazy_view_fast_commits(struct e2lazy_view *view,
				   struct e2lazy_fc_done *done,
				   struct e2lazy_where *where)
{
	struct e2lazy_replay r = {
		.view = view, .size = view->blocksize,
		.next_tid = e2lazy_jmap_end(view->map)->tid,
	};
	struct made_block *blocks = NULL;
	struct e2lazy_where unused;
	size_t nr = 0;
	errcode_t err;

	if (!where)
		where = &unused;
	memset(where, 0, sizeof(*where));
	memset(done, 0, sizeof(*done));
	if (e2lazy_jmap_is_past(view->map) || view->nr_patched)
		return EXT2_ET_INVALID_ARGUMENT;
	err = load_records(&r, where);
	done->records = r.nr_records;
	if (!err && r.nr_records)
		err = e2lazy_view_open(view, &r.fs, where);
	if (!err && r.nr_records) {
		r.inode_size = EXT2_INODE_SIZE(r.fs->super);
		err = overlay_begin(&r.overlay, view, r.fs, where);
		if (!err)
			err = space_begin(&r);
		if (!err)
			err = replay(&r);
		if (!err)
			err = overlay_take(&r.overlay, &blocks, &nr);
		if (!err)
			err = view_patch(view, blocks, nr, r.fs);
		done->ino = err ? r.at : 0;
		done->blocks = nr;
	}
	release(&r);
	return err;
}
