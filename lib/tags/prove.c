/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * prove.c - which tags of damaged descriptors does the content of their copies
 * prove?
 *
 * The checksum in a tag proves that the copy is whole, and of its transaction.
 * It covers neither the block's number nor the flags.  A block that is written
 * to a wrong place destroys what is there, which is worse than a lost block.  So
 * a tag counts only if the copy itself names the place, in the file system that
 * results; contents of files never do.
 */

#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"
#include "log/block_events.h"
#include "log/log.h"
#include "map/jmap.h"
#include "tags.h"

/* ------------------------------------------------- the file system to ask */

static int by_number(const void *a, const void *b)
{
	const blk64_t *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

static bool may_be_proven(const struct damaged_tag *tag)
{
	return tag->sound && !(tag->flags & BLOCK_TAG_REFUSED);
}

/* The owners of the blocks that the tags name. */
static errcode_t find_owners(struct prover *p, struct e2lazy_view *view,
			     const struct e2lazy_watch *watch,
			     const struct damaged_tags *tags)
{
	struct e2lazy_owners_opts opts = { .watch = watch };
	struct e2lazy_damage damage;
	blk64_t *blocks = calloc(tags->nr, sizeof(*blocks));
	errcode_t err;

	if (!blocks)
		return EXT2_ET_NO_MEMORY;
	for (size_t i = 0; i < tags->nr; i++)
		if (may_be_proven(&tags->at[i]))
			blocks[opts.nr_blocks++] = tags->at[i].fsblk;
	qsort(blocks, opts.nr_blocks, sizeof(*blocks), by_number);
	opts.blocks = blocks;
	err = owners_of_view(view, p->fs, p->layout, &opts, &p->owners,
			     &damage);
	free(blocks);
	return err;
}

static void end(struct prover *p, struct e2lazy_view *view)
{
	e2lazy_owners_free(p->owners);
	if (p->fs)
		ext2fs_free(p->fs);
	e2lazy_layout_free(p->layout);
	e2lazy_view_free(view);
}

static errcode_t begin(struct prover *p, struct e2lazy_jmap *map,
		       const struct e2lazy_watch *watch,
		       const struct damaged_tags *tags,
		       struct e2lazy_view **view)
{
	struct e2lazy_where where;
	errcode_t err = e2lazy_view_build(p->journal, map, view, &where);

	if (!err)
		err = e2lazy_view_open(*view, &p->fs, &where);
	if (!err)
		err = e2lazy_layout_build(p->journal, map, &p->layout, &where);
	if (err)
		return err;
	p->newest = e2lazy_layout_fs(p->layout);
	return find_owners(p, *view, watch, tags);
}

/* --------------------------------------------------------------- one tag */

/*
 * A block of a directory or a tree may have been freed and used again: then a
 * revoke says so.  No place in the layout is ever freed.
 */
static bool names_its_place(struct prover *p, const struct damaged_tag *tag,
			    bool revocable)
{
	struct e2lazy_owner owner;
	struct e2lazy_place place;

	p->fsblk = tag->fsblk;
	e2lazy_layout_find(p->layout, tag->fsblk, &place);
	if (place.type != E2LAZY_TYPE_OTHER)
		return place_is_named(p, &place);
	return !revocable &&
	       !e2lazy_owners_find(p->owners, tag->fsblk, &owner) &&
	       tree_is_named(p, &owner);
}

/*
 * The mark that the copy has lost the magic at its begin may be damaged, too.
 * Only a copy that begins with zeros can have lost it.
 */
static bool prove_tag(struct prover *p, struct damaged_tag *tag, bool revocable,
		      uint8_t *block)
{
	unsigned flags = tag->flags;

	for (int i = 0; i < 2; i++, flags ^= E2LAZY_COPY_ESCAPED) {
		if (e2lazy_read_log(p->journal, tag->logblk, 1, block))
			return false;
		if (flags & E2LAZY_COPY_ESCAPED &&
		    !is_zeros(block, JBD2_ESCAPED_BYTES))
			continue;
		unescape(block, flags);
		if (!names_its_place(p, tag, revocable))
			continue;
		tag->flags = flags;
		return true;
	}
	return false;
}

/* ------------------------------------------------------- newer in place */

/* A block as the log stores it. */
static void escape(uint8_t *block)
{
	if (get_be32(block) == JBD2_MAGIC)
		memset(block, 0, JBD2_ESCAPED_BYTES);
}

static uint32_t sum_of(const struct prover *p, const uint8_t *block)
{
	return p->crc(~0U, block, p->fs->blocksize);
}

/* Of copies that cannot be read it is 0. */
static errcode_t sum_copies(struct prover *p, const struct damaged_tags *tags,
			    uint8_t *block)
{
	if (!tags->at[tags->nr - 1].descriptor)
		return 0;
	p->sums = calloc(tags->nr, sizeof(*p->sums));
	if (!p->sums)
		return EXT2_ET_NO_MEMORY;
	for (size_t i = 0; i < tags->nr; i++)
		if (!e2lazy_read_log(p->journal, tags->at[i].logblk, 1, block))
			p->sums[i] = sum_of(p, block);
	return 0;
}

/*
 * Behind one damaged descriptor there may be another, whose tag for the same
 * block is not proven.  If the block in place has that content, it is newer.
 */
static bool is_newer_in_place(const struct prover *p,
			      const struct damaged_tags *tags, size_t index,
			      uint8_t *block)
{
	const struct damaged_tag *tag = &tags->at[index];
	uint32_t home;

	if (!p->sums || io_channel_read_blk64(p->journal->fs->io, tag->fsblk,
					      1, block))
		return false;
	escape(block);
	home = sum_of(p, block);
	for (size_t i = index + 1; i < tags->nr; i++)
		if (tags->at[i].descriptor != tag->descriptor &&
		    p->sums[i] == home)
			return true;
	return false;
}

/* Enough for some thousand directories with an index of two levels. */
#define MOST_READS	65536

static errcode_t prove_all(struct prover *p, const struct e2lazy_jmap *map,
			   struct damaged_tags *tags, bool *changed)
{
	uint8_t *block = NULL;
	errcode_t err = io_channel_alloc_buf(p->journal->io, 1, &block);

	if (!err)
		err = sum_copies(p, tags, block);
	p->copy = block;
	p->reads = MOST_READS;
	for (size_t i = 0; !err && i < tags->nr; i++) {
		struct damaged_tag *tag = &tags->at[i];
		bool proven = may_be_proven(tag) &&
			      !jmap_is_outside(map, tag->fsblk) &&
			      prove_tag(p, tag, i < tags->revocable, block) &&
			      !is_newer_in_place(p, tags, i, block);

		*changed |= proven != tag->proven;
		tag->proven = proven;
	}
	ext2fs_free_mem(&block);
	free(p->sums);
	return err;
}

/* A file system that cannot be read proves nothing. */
static errcode_t disprove_all(struct damaged_tags *tags, errcode_t err)
{
	for (size_t i = 0; i < tags->nr; i++)
		tags->at[i].proven = false;
	return err == EXT2_ET_NO_MEMORY || err == E2LAZY_ET_CANCELLED ? err : 0;
}

errcode_t tags_prove(struct e2lazy_journal *journal, struct e2lazy_jmap *map,
		     const struct e2lazy_watch *watch,
		     struct damaged_tags *tags, bool *changed)
{
	struct prover p = { .journal = journal, .crc = journal->csum.crc };
	struct e2lazy_view *view = NULL;
	errcode_t err = begin(&p, map, watch, tags, &view);

	*changed = false;
	if (!err)
		err = prove_all(&p, map, tags, changed);
	end(&p, view);
	return err ? disprove_all(tags, err) : 0;
}
