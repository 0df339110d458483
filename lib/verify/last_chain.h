/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* last_chain.h - the last transactions in a ring beside what stands in place */
#ifndef E2LAZY_LAST_CHAIN_H
#define E2LAZY_LAST_CHAIN_H

#include "ring.h"
#include "verify.h"

struct last_chain {
	struct verify	*verify;
	struct ring	ring;
	struct e2lazy_jmap *map;
	struct birth	birth;
	uint64_t	last_sec;	/* newest of their commit times */
	bool		foreign;	/* they are of an earlier file system */
	bool		newer;		/* an inode was changed later in the log
					   than in place */
	struct records	differ;		/* copies that are not home */
	uint64_t	total;		/* of the progress told so far */
	bool		again;		/* it is not the first comparison */
};

/* The control blocks of the whole ring, but for foreign ones. */
errcode_t last_chain_begin(struct last_chain *last, struct verify *v);
void last_chain_end(struct last_chain *last);

/* Map the transactions of @chain, and compare their newest copies with home. */
errcode_t last_chain_compare(struct last_chain *last,
			     const struct chain *chain);
/* Has an e2fsck seen to what stands in place since they were committed? */
bool last_chain_is_outdated(const struct last_chain *last);
/* Each copy that differs is a place of @problem. */
void last_chain_report(struct last_chain *last, enum problem problem);

#endif
