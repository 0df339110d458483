/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* damaged_tags.h - the tags of descriptors whose own checksum is bad */
#ifndef E2LAZY_DAMAGED_TAGS_H
#define E2LAZY_DAMAGED_TAGS_H

#include "e2lazy.h"

/*
 * The checksum in a tag proves its copy.  It covers neither the block's number
 * nor the flags, so only the content of the copy can prove these: lib/tags.
 */
struct damaged_tag {
	blk64_t		fsblk;		/* as the tag has it */
	uint32_t	logblk;		/* of the copy */
	uint32_t	tid;
	uint32_t	csum;
	unsigned	flags;		/* E2LAZY_COPY_* */
	unsigned	descriptor;	/* which one, in the order of the log */
	bool		sound;		/* the checksum fits the copy */
	bool		proven;		/* the copy's content names @fsblk */
};

/* In the order of the log. */
struct damaged_tags {
	struct damaged_tag *at;
	size_t		nr, room;
	size_t		revocable;	/* a revoke of one of the first ones may
					   be lost */
};

/*
 * e2lazy_jmap_build(), which also takes the proven copies of @tags, as if their
 * descriptors were sound, and goes on behind the damage if there is one.
 */
errcode_t jmap_build_with(struct e2lazy_journal *journal,
			  const struct e2lazy_jmap_opts *opts,
			  const struct damaged_tags *tags,
			  struct e2lazy_jmap **out);
/* The map keeps them from now on. */
void jmap_keep_tags(struct e2lazy_jmap *map, struct damaged_tags *tags);
/* Those that it keeps. */
const struct damaged_tags *jmap_damaged_tags(const struct e2lazy_jmap *map);

#endif
