/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * names.c - the names that the records make or remove
 *
 * Each directory of the base is read once, for all its names in the records.
 */

#include <stdlib.h>
#include <string.h>

#include "fs/dir_record.h"
#include "io/grow.h"
#include "io/hash.h"
#include "replay.h"

#define HEADS	16384

static size_t head_of(const struct e2lazy_replay *r, ext2_ino_t dir,
		      const char *text, unsigned length)
{
	return hash_mixed(hash_bytes(r->name_seed ^ hash_number(dir), text,
				     length)) % HEADS;
}

static struct name *find_name(struct e2lazy_replay *r, const struct node *dir,
			      unsigned life, const char *text, unsigned length)
{
	size_t i = r->name_heads ?
		   r->name_heads[head_of(r, dir->ino, text, length)] : 0;

	for (; i; i = r->names[i - 1].next) {
		struct name *n = &r->names[i - 1];

		if (n->dir == dir && n->life == life && n->length == length &&
		    !memcmp(n->text, text, length))
			return n;
	}
	return NULL;
}

struct name *name_of_base(struct e2lazy_replay *r, const struct node *dir,
			  const char *text, unsigned length)
{
	return find_name(r, dir, 0, text, length);
}

static bool is_dots(const char *text, unsigned length)
{
	return text[0] == '.' && (length == 1 || (length == 2 &&
						  text[1] == '.'));
}

errcode_t name_add(struct e2lazy_replay *r, struct node *dir,
		   const char *text, unsigned length, struct name **out)
{
	struct name *list;
	size_t *head;

	*out = find_name(r, dir, dir->life, text, length);
	if (*out)
		return 0;
	if (is_dots(text, length) || memchr(text, '/', length) ||
	    memchr(text, '\0', length))
		return E2LAZY_ET_FC_CONTRADICTS;
	if (!r->name_heads) {
		r->name_heads = calloc(HEADS, sizeof(*r->name_heads));
		r->name_seed = hash_seed();
	}
	list = grow(r->names, r->nr_names, &r->room_names, sizeof(*list));
	if (!list || !r->name_heads)
		return EXT2_ET_NO_MEMORY;
	r->names = list;
	*out = list + r->nr_names++;
	memset(*out, 0, sizeof(**out));
	(*out)->dir = dir;
	(*out)->life = dir->life;
	(*out)->length = (uint8_t)length;
	memcpy((*out)->text, text, length);
	head = &r->name_heads[head_of(r, dir->ino, text, length)];
	(*out)->next = *head;
	*head = r->nr_names;
	return 0;
}

/* ----------------------------------------------------------- the base */

static errcode_t look_in_block(struct e2lazy_replay *r, struct node *dir,
			       const uint8_t *block, uint32_t lblk)
{
	unsigned length;

	for (unsigned at = 0; at < r->size; at += length) {
		const uint8_t *entry = block + at;
		struct name *name;

		length = dir_record_sound(entry, r->size, r->size - at);
		if (!length)
			return E2LAZY_ET_FC_DAMAGED;
		if (!dir_record_ino(entry) || !dir_record_name_length(entry))
			continue;
		name = name_of_base(r, dir, dir_record_name(entry),
				    dir_record_name_length(entry));
		if (name) {
			name->base = name->now = dir_record_ino(entry);
			name->lblk = lblk;
		}
	}
	return 0;
}

/* A node of an index holds no entries but one over all of it. */
static errcode_t look_in_dir(struct e2lazy_replay *r, struct node *dir)
{
	uint32_t flags = get_le32(dir->base + I_FLAGS), blocks;
	uint8_t *copy = malloc(r->size);
	errcode_t err = copy ? node_load_map(r, dir) : EXT2_ET_NO_MEMORY;

	if (!err && flags & EXT4_INLINE_DATA_FL)
		err = E2LAZY_ET_FC_INLINE;
	if (!err && flags & (EXT4_ENCRYPT_FL | EXT4_CASEFOLD_FL))
		err = E2LAZY_ET_FC_NAMES;
	blocks = err ? 0 : dir_blocks(r, dir);
	for (uint32_t lblk = 0; !err && lblk < blocks; lblk++) {
		blk64_t fsblk = extents_find(&dir->map, lblk);
		const uint8_t *block;

		if (!fsblk)
			err = E2LAZY_ET_FC_DAMAGED;
		if (!err)
			err = overlay_read(&r->overlay, fsblk, &block);
		if (err)
			break;
		memcpy(copy, block, r->size);
		err = look_in_block(r, dir, copy, lblk);
	}
	free(copy);
	return err;
}

static bool is_name(const struct e2lazy_fc_record *rec)
{
	return rec->kind == E2LAZY_FC_CREAT || rec->kind == E2LAZY_FC_LINK ||
	       rec->kind == E2LAZY_FC_UNLINK;
}

errcode_t names_look_up(struct e2lazy_replay *r)
{
	struct name *name;
	struct node *dir;
	errcode_t err = 0;

	for (size_t i = 0; !err && i < r->nr_records; i++) {
		const struct e2lazy_fc_record *rec = &r->records[i].r;

		if (!is_name(rec))
			continue;
		err = node_get(r, rec->parent, &dir);
		if (!err)
			err = name_add(r, dir, rec->name, rec->length - 8,
				       &name);
	}
	nodes_sort(r);
	for (size_t i = 0; !err && i < r->nr_nodes; i++) {
		dir = r->nodes[i];
		r->at = dir->ino;
		if (dir->in_base && raw_is_dir(dir->base))
			err = look_in_dir(r, dir);
	}
	return err;
}

/* ------------------------------------------------------------ counting */

/* The directory of a changed name gets the time of the name's inode. */
static void note_time(const struct e2lazy_replay *r, struct node *dir,
		      const struct node *n)
{
	struct e2lazy_time changed = raw_ctime(r, n->raw);

	if (!n->logged || !time_is_later(changed, dir->changed))
		return;
	dir->changed = changed;
	dir->ctime = get_le32(n->raw + I_CTIME);
	dir->ctime_extra = raw_ctime_extra(r, n->raw);
}

/* Is it the same name of the same life of an inode? */
static bool is_kept(const struct name *name, const struct node *n)
{
	return name->base == name->now && !n->life;
}

static errcode_t count_base(struct e2lazy_replay *r, const struct name *name)
{
	struct node *n;
	errcode_t err = node_get(r, name->base, &n);

	if (err || is_kept(name, n))
		return err;
	if (!n->in_base)
		return E2LAZY_ET_FC_DAMAGED;
	n->gone++;
	n->left = name->dir;
	if (!name->dir->life)
		name->dir->subdirs -= raw_is_dir(n->base);
	name->dir->changed_names = true;
	note_time(r, name->dir, n);
	return 0;
}

static errcode_t count_now(struct e2lazy_replay *r, const struct name *name)
{
	struct node *n;
	errcode_t err = node_get(r, name->now, &n);

	if (err || is_kept(name, n))
		return err;
	if (name->life != name->dir->life)
		return E2LAZY_ET_FC_CONTRADICTS;
	n->added++;
	n->parent = name->dir;
	name->dir->subdirs += raw_is_dir(n->raw);
	name->dir->changed_names = true;
	note_time(r, name->dir, n);
	return 0;
}

/* A directory has one name; its other links are from its subdirectories. */
static uint32_t base_names(const struct node *n)
{
	if (!n->in_base)
		return 0;
	return raw_is_dir(n->base) ? 1 : get_le16(n->base + I_LINKS);
}

static errcode_t settle(struct e2lazy_replay *r, struct node *n)
{
	r->at = n->ino;
	if (n->gone > base_names(n) || (n->life && n->gone != base_names(n)))
		return E2LAZY_ET_FC_CONTRADICTS;
	n->names = n->added + (n->life ? 0 : base_names(n) - n->gone);
	n->alive = n->names > 0;
	if (!n->alive)
		return n->ino == EXT2_ROOT_INO ? E2LAZY_ET_FC_CONTRADICTS : 0;
	/* A name of an inode that no record makes */
	if (!n->in_base && !n->life)
		return E2LAZY_ET_FC_CONTRADICTS;
	return n->names > (raw_is_dir(n->raw) ? 1 : MOST_LINKS) ?
	       E2LAZY_ET_FC_CONTRADICTS : 0;
}

errcode_t names_count(struct e2lazy_replay *r)
{
	errcode_t err = 0;

	for (size_t i = 0; !err && i < r->nr_names; i++) {
		if (r->names[i].base)
			err = count_base(r, &r->names[i]);
		if (!err && r->names[i].now)
			err = count_now(r, &r->names[i]);
	}
	nodes_sort(r);
	for (size_t i = 0; !err && i < r->nr_nodes; i++)
		err = settle(r, r->nodes[i]);
	for (size_t i = 0; !err && i < r->nr_names; i++)
		if (r->names[i].now && (!r->names[i].dir->alive ||
					!raw_is_dir(r->names[i].dir->raw)))
			err = E2LAZY_ET_FC_CONTRADICTS;
	return err;
}
