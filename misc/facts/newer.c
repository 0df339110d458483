/* SPDX-License-Identifier: GPL-2.0-only */
/* newer.c - the number of blocks that are newer in the log, for people */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "newer.h"
#include "support/nls.h"

bool newer_super(const struct e2lazy_jmap *map, unsigned blocksize)
{
	struct e2lazy_copy copy;

	return !e2lazy_jmap_lookup(map, SUPERBLOCK_OFFSET / blocksize, &copy);
}

char *newer_text(unsigned long blocks, bool super)
{
	char *text;

	if (super && blocks == 1)
		return strdup(_("only the superblock is newer in the log than "
				"in place"));
	blocks -= super;
	if (asprintf(&text, super ?
		     P_("%lu block and the superblock are newer in the log "
			"than in place",
			"%lu blocks and the superblock are newer in the log "
			"than in place", blocks) :
		     P_("%lu block is newer in the log than in place",
			"%lu blocks are newer in the log than in place",
			blocks), blocks) < 0)
		return NULL;
	return text;
}
