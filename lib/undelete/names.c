/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * names.c - names, from the history of directory blocks
 *
 * Since Linux 5.13 the kernel wipes a deleted entry.  But each change of a
 * directory logs the changed block, so the copy before has the entry.  For each
 * block of each directory, an entry that the next version lacks is a name that
 * ended there.  The inode number alone could name a later file; the time of the
 * entry's last version selects the life.  If the next version has the same entry
 * for a later life, a transaction has deleted a file and given its name and its
 * inode to another one: the name ended all the same.  A name that ended while the
 * life went on is a former name: the file was renamed, or lost one of its links.
 *
 * A block that goes to another directory, or is freed, has no next version: all
 * its entries ended with the directory.
 *
 * Where transactions are lost, a life may have ended among them, and the entry
 * names a file that the ring does not know.  Its type tells some of them.
 */

#include <stdlib.h>
#include <string.h>

#include "fs/dir_record.h"
#include "fs/inode_search.h"
#include "io/hash.h"
#include "looks.h"
#include "undelete.h"

#define INLINE_ENTRIES	4	/* of i_block; before them is the parent */

struct entry {
	ext2_ino_t	ino;
	uint32_t	hash;		/* of the name */
	uint32_t	at;		/* in the bytes */
	uint32_t	since;		/* transaction: seen first */
};

/* One version of a block of a directory. */
struct version {
	uint8_t		*bytes;
	size_t		size, room;
	struct entry	*entries;	/* in their order */
	size_t		nr;
	uint32_t	when;
	bool		known;
};

struct history {
	struct e2lazy_undelete *u;
	struct looks	looks;
	uint32_t	dir;		/* life */
	struct version	before, now;
	struct entry	*sorted;	/* those of @now, if @is_sorted */
	bool		is_sorted;
	size_t		entries;	/* that a version has room for */
	blk64_t		home;		/* block of the directory's inode, */
	uint8_t		*table;		/* and room for a copy of it */
};

static bool is_dots(const uint8_t *name, size_t length)
{
	return length && length <= 2 && name[0] == '.' &&
	       name[length - 1] == '.';
}

/* --------------------------------------------------- versions of a block */

static int by_entry(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->ino != y->ino)
		return x->ino < y->ino ? -1 : 1;
	return x->hash < y->hash ? -1 : x->hash > y->hash;
}

/* List the entries in the bytes; each step takes at least 8 bytes. */
static void list_entries(struct history *h, struct version *v)
{
	unsigned length;

	v->nr = 0;
	for (size_t at = 0; at < v->size; at += length) {
		const uint8_t *e = v->bytes + at, *name = e + DIR_RECORD;
		ext2_ino_t ino;

		length = dir_record_sound(e, h->u->fs->blocksize, v->size - at);
		if (!length)
			break;
		ino = dir_record_ino(e);
		if (!ino || !dir_record_name_length(e) ||
		    is_dots(name, dir_record_name_length(e)))
			continue;
		v->entries[v->nr++] = (struct entry){
			.ino = ino, .at = (uint32_t)at, .since = v->when,
			.hash = hash_bytes(HASH_BEGIN, name,
					   dir_record_name_length(e)),
		};
	}
	v->known = true;
}

static int by_place(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return x->at < y->at ? -1 : x->at > y->at;
}

/* Such an entry of the next version, at another place; NULL: there is none. */
static struct entry *find_entry(struct history *h, const struct entry *e)
{
	const struct version *v = &h->now;
	const struct entry *found;

	if (!v->known || !v->nr)
		return NULL;
	if (!h->is_sorted) {
		memcpy(h->sorted, v->entries, v->nr * sizeof(*v->entries));
		qsort(h->sorted, v->nr, sizeof(*h->sorted), by_entry);
		h->is_sorted = true;
	}
	found = bsearch(e, h->sorted, v->nr, sizeof(*e), by_entry);
	return found ? bsearch(found, v->entries, v->nr, sizeof(*e), by_place) :
		       NULL;
}

/* ------------------------------------------------------ names that ended */

/* Does the entry of the next version name the same file? */
static bool is_same_file(const struct history *h, const struct entry *e,
			 uint32_t end)
{
	return lives_at(h->u, e->ino, h->before.when) ==
	       lives_at(h->u, e->ino, end);
}

/* Was it over when the directory had the entry, or is it another file? */
static bool is_other(const struct history *h, const struct life *life,
		     const uint8_t *record)
{
	unsigned type = dir_record_type(record);

	return (life->gone != MOMENT_NOW && life->gone <= h->before.when) ||
	       (ext2fs_has_feature_filetype(h->u->fs->super) && type &&
		type != dir_type_of(life->mode));
}

static errcode_t end_entry(struct history *h, const struct entry *e,
			   uint32_t end)
{
	const uint8_t *record = h->before.bytes + e->at;
	uint32_t number = lives_at(h->u, e->ino, h->before.when);
	struct name *known;
	struct life *life;
	errcode_t err;

	if (number == NO_LIFE || number == h->dir)
		return 0;
	life = life_get(h->u, number);
	if (life->alive || is_other(h, life, record))
		return 0;
	/* Same name, same file?  An index moves entries between blocks. */
	err = name_table_put(h->u, &(struct name){
		.life = number, .dir = h->dir,
		.dir_ino = life_get(h->u, h->dir)->ino,
		.first = e->since, .last = h->before.when, .end = end,
		.length = (uint8_t)dir_record_name_length(record),
	}, record + DIR_RECORD, &known);
	if (!err && known && known->first > e->since)
		known->first = e->since;
	if (!err && known && known->end < end) {
		known->last = h->before.when;
		known->end = end;
	}
	return err;
}

/*
 * End the names that the next version lacks; without one, all names.  Most
 * entries stay in their place.
 */
static errcode_t end_missing(struct history *h, uint32_t end)
{
	struct entry *next = h->now.entries, *same;
	const struct entry *last = next + (h->now.known ? h->now.nr : 0);
	errcode_t err = 0;

	h->is_sorted = false;
	for (size_t i = 0; !err && i < h->before.nr; i++) {
		const struct entry *e = &h->before.entries[i];

		while (next < last && next->at < e->at)
			next++;
		same = next < last && next->at == e->at && !by_entry(next, e) ?
		       next : find_entry(h, e);
		if (same && is_same_file(h, e, end))
			same->since = e->since;
		else
			err = end_entry(h, e, end);
	}
	return err;
}

/* h->now is the next version. */
static errcode_t step(struct history *h, uint32_t when)
{
	struct version next;
	errcode_t err = 0;

	h->now.when = when;
	list_entries(h, &h->now);
	if (h->before.known)
		err = end_missing(h, when);
	next = h->now;
	h->now = h->before;
	h->before = next;
	return err;
}

/* ----------------------------------------------------------- one block */

/* When the names end that no version ends. */
static uint32_t end_of(const struct life *dir)
{
	return dir->alive ? MOMENT_NOW : dir->gone;
}

static void forget(struct history *h)
{
	h->before.known = h->now.known = false;
	h->before.nr = h->now.nr = 0;
}

/* The present version, if it still is a block of the directory. */
static errcode_t finish_block(struct history *h, blk64_t fsblk)
{
	struct e2lazy_undelete *u = h->u;
	const struct life *dir = life_get(u, h->dir);
	errcode_t err;

	if (!h->before.known)
		return 0;
	h->now.known = false;
	if (dir->alive) {
		err = io_channel_read_blk64(u->fs->io, fsblk, 1,
					    h->now.bytes);
		if (err == E2LAZY_ET_CANCELLED)
			return err;
		h->now.size = u->fs->blocksize;
		if (!err && proof_directory(u, dir, h->now.bytes))
			list_entries(h, &h->now);
	}
	return end_missing(h, end_of(dir));
}

/* The directory's inode in a copy of its block; NULL if that has none. */
static const uint8_t *inode_in(const struct history *h, const uint8_t *block,
			       struct ext2_inode_large *inode)
{
	const struct life *dir = life_get(h->u, h->dir);
	const uint8_t *raw = block + inode_offset(h->u->fs, dir->ino);

	inode_take(h->u->fs, raw, inode);
	return inode->i_generation == dir->generation &&
	       inode->i_crtime == dir->crtime &&
	       inode->i_crtime_extra == dir->crtime_extra &&
	       inode->i_links_count && LINUX_S_ISDIR(inode->i_mode) ? raw : NULL;
}

/* A directory grows by a block behind the others, and never loses one. */
static bool had_block(struct history *h, uint64_t lblk, uint32_t when)
{
	struct e2lazy_undelete *u = h->u;
	const struct record *r = versions_at(&u->versions, h->home, when);
	struct ext2_inode_large inode;

	if (!r || copy_read(u, r, h->table)) {
		u->unreadable++;
		return false;
	}
	return inode_in(h, h->table, &inode) &&
	       !(inode.i_flags & EXT4_INLINE_DATA_FL) &&
	       EXT2_I_SIZE((struct ext2_inode *)&inode) >
	       lblk * u->fs->blocksize;
}

/* Without checksums, a block of an earlier directory looks like one of this. */
static bool may_be_of(struct history *h, uint64_t lblk, uint32_t when)
{
	return ext2fs_has_feature_metadata_csum(h->u->fs->super) ||
	       h->before.known || had_block(h, lblk, when);
}

/* Is record @i one of the block from before the directory's end? */
static bool is_of_time(const struct history *h, size_t i, blk64_t fsblk)
{
	const struct versions *v = &h->u->versions;

	return version_is_of(v, i, fsblk) &&
	       version_get(v, i)->tid < life_get(h->u, h->dir)->gone;
}

/*
 * The first transaction that may have a block of the directory.  An inode's lives
 * may be many, and have the same block, but at any time only one of them has it.
 * A directory's inode is logged with each change of its entries, and with each
 * block that it gets; so without checksums, its first copy counts as well.
 */
static uint64_t since(const struct e2lazy_undelete *u, const struct life *dir)
{
	uint64_t first = dir->earlier == NO_LIFE ? 0 :
			 (uint64_t)life_get(u, dir->earlier)->chosen + 1;

	return ext2fs_has_feature_metadata_csum(u->fs->super) ||
	       first > dir->first ? first : dir->first;
}

/* Take record @i if it is a version of the directory. */
static errcode_t read_version(struct history *h, size_t i, uint64_t lblk)
{
	struct e2lazy_undelete *u = h->u;
	const struct life *dir = life_get(u, h->dir);
	const struct record *r = version_get(&u->versions, i);
	enum proof proof;

	if (!may_be_of(h, lblk, r->tid))
		return 0;
	if (copy_read(u, r, h->now.bytes)) {
		u->unreadable++;
		looks_close(&h->looks, i);
		return 0;
	}
	h->now.size = u->fs->blocksize;
	proof = proof_directory(u, dir, h->now.bytes);
	if (proof == PROOF_SURE)
		looks_close(&h->looks, i);
	return proof ? step(h, r->tid) : 0;
}

/* Too many directories have the block: they have no more names in it. */
static void give_up(struct history *h)
{
	h->u->unreadable++;
	forget(h);
}

/* The caller has looked at @first, the first record of the block. */
static errcode_t read_block(struct history *h, uint64_t lblk, size_t first)
{
	struct e2lazy_undelete *u = h->u;
	const struct versions *v = &u->versions;
	blk64_t fsblk = record_fsblk(version_get(v, first));
	size_t i = versions_from(v, fsblk, since(u, life_get(u, h->dir)));
	errcode_t err = 0;

	forget(h);
	for (i = looks_next(&h->looks, i); !err && is_of_time(h, i, fsblk);
	     i = looks_next(&h->looks, i + 1)) {
		err = watch_stop(u->opts->watch);
		if (err)
			break;
		if (version_is_revoke(version_get(v, i))) {
			looks_close(&h->looks, i);
			continue;
		}
		if (i != first && !looks_take(&h->looks, i)) {
			give_up(h);
			break;
		}
		err = read_version(h, i, lblk);
	}
	return err ? err : finish_block(h, fsblk);
}

static errcode_t read_piece(void *priv, const struct piece *p)
{
	struct history *h = priv;
	const struct versions *v = &h->u->versions;
	blk64_t end = p->fsblk + p->count, fsblk;
	size_t i = versions_lower_bound(v, p->fsblk);
	errcode_t err = watch_stop(h->u->opts->watch);

	/* Without a version, a block tells nothing. */
	for (; !err && i < v->list.nr; i = versions_lower_bound(v, fsblk + 1)) {
		fsblk = record_fsblk(version_get(v, i));
		if (fsblk >= end)
			break;
		if (!looks_take(&h->looks, i)) {
			give_up(h);
			break;
		}
		err = read_block(h, p->lblk + (fsblk - p->fsblk), i);
	}
	return err;
}

/* ------------------------------------------------ entries in the inode */

/* The parts lie behind each other; each is a chain of records. */
static void take_inline(struct history *h, const uint8_t *raw)
{
	const uint8_t *first, *second;
	size_t bytes, more;

	inline_data(h->u->fs, raw, &first, &bytes, &second, &more);
	bytes -= INLINE_ENTRIES;
	if (more > h->now.room - bytes)
		more = 0;
	memcpy(h->now.bytes, first + INLINE_ENTRIES, bytes);
	if (more)
		memcpy(h->now.bytes + bytes, second, more);
	h->now.size = bytes + more;
}

static errcode_t step_inode(struct history *h, uint32_t when)
{
	struct ext2_inode_large inode;
	const uint8_t *raw = inode_in(h, h->table, &inode);

	if (!raw)
		return 0;
	if (!(inode.i_flags & EXT4_INLINE_DATA_FL)) {
		h->now.size = 0;	/* they have moved to a block */
		return h->before.known ? step(h, when) : 0;
	}
	take_inline(h, raw);
	return step(h, when);
}

static errcode_t read_inline(struct history *h)
{
	struct e2lazy_undelete *u = h->u;
	const struct life *dir = life_get(u, h->dir);
	const struct versions *v = &u->versions;
	errcode_t err = 0;

	forget(h);
	for (size_t i = versions_from(v, h->home, dir->first);
	     !err && is_of_time(h, i, h->home); i++) {
		const struct record *r = version_get(v, i);

		err = watch_stop(u->opts->watch);
		if (!err && !version_is_revoke(r) && !copy_read(u, r, h->table))
			err = step_inode(h, r->tid);
	}
	if (err || !h->before.known)
		return err;
	if (dir->alive && !io_channel_read_blk64(u->fs->io, h->home, 1,
						 h->table))
		return step_inode(h, MOMENT_NOW);
	h->now.known = false;
	return end_missing(h, end_of(dir));
}

/* ------------------------------------------------------ all directories */

static errcode_t read_directory(struct history *h)
{
	struct e2lazy_undelete *u = h->u;
	struct life *dir = life_get(u, h->dir);
	struct ext2_inode_large inode;
	struct map_state state;
	const uint8_t *raw;
	errcode_t err = 0;

	if (life_inode(u, dir, &raw, &inode)) {
		u->unreadable++;
		return 0;
	}
	h->home = inode_home(u->fs, dir->ino);
	if (ext2fs_has_feature_inline_data(u->fs->super))
		err = read_inline(h);
	return err ? err : life_map(u, dir, &inode, read_piece, h, &state);
}

static errcode_t make_version(struct history *h, struct version *v)
{
	v->room = h->u->fs->blocksize;
	h->entries = v->room / DIR_RECORD + 1;
	v->bytes = calloc(1, v->room);
	v->entries = calloc(h->entries, sizeof(*v->entries));
	return v->bytes && v->entries ? 0 : EXT2_ET_NO_MEMORY;
}

static void free_version(struct version *v)
{
	free(v->bytes);
	free(v->entries);
}

errcode_t names_find(struct e2lazy_undelete *u)
{
	struct history h = { .u = u, .table = malloc(u->fs->blocksize) };
	errcode_t err = looks_begin(&h.looks, u->versions.list.nr);

	if (!err && !h.table)
		err = EXT2_ET_NO_MEMORY;
	if (!err)
		err = make_version(&h, &h.before);
	if (!err)
		err = make_version(&h, &h.now);
	h.sorted = err ? NULL : calloc(h.entries, sizeof(*h.sorted));
	if (!err && !h.sorted)
		err = EXT2_ET_NO_MEMORY;
	for (h.dir = 0; !err && h.dir < u->lives.nr; h.dir++) {
		if (h.dir % 256 == 0)
			err = watch_tick(u->opts->watch,
					 E2LAZY_PHASE_DIRECTORIES, h.dir,
					 u->lives.nr);
		if (!err && LINUX_S_ISDIR(life_get(u, h.dir)->mode))
			err = read_directory(&h);
	}
	free_version(&h.before);
	free_version(&h.now);
	free(h.sorted);
	free(h.table);
	looks_end(&h.looks);
	return err;
}
