/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * use.c - the bands that new directories dirty: a rule, measured in doc/presets.md
 *
 * Orlov's allocator leaves a flex group for the next when it has a directory for
 * each sixteenth inode.  So a layout with few inodes in a flex group spreads
 * directories over many of them.  In each they dirty one band with their own
 * blocks, and two with bitmaps and tables, unless these are packed; the smaller
 * the tables, the rather they share a band.  The blocks of the directories
 * themselves fill bands, whatever the layout.
 */
#include "make.h"

/* Of MAKE_USE_DIRS directories below one, by several processes. 0: no room. */
uint64_t make_use(const struct make *m, const struct profile *profile,
		  const struct make_layout *p)
{
	uint64_t size = p->blocksize, group = 8 * size;
	uint64_t groups = (p->blocks + group - 1) / group;
	uint64_t in_flex = p->inodes / groups * p->flex_groups;
	uint64_t flex = (groups + p->flex_groups - 1) / p->flex_groups;
	uint64_t share = in_flex / 16 ? in_flex / 16 : 1;
	uint64_t visited = (MAKE_USE_DIRS + share - 1) / share;
	uint64_t tables = make_packs(m, profile) ? 0 :
			  in_flex * p->inode_size;

	if (p->inodes < MAKE_USE_DIRS || p->blocks < 2 * MAKE_USE_DIRS)
		return 0;
	if (tables > m->band)
		tables = m->band;
	if (visited > flex)
		visited = flex;
	return MAKE_USE_DIRS * size / m->band + visited +
	       2 * visited * tables / m->band;
}
