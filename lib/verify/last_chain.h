/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* last_chain.h - compare a ring's last transactions with the static blocks */
#ifndef E2LAZY_LAST_CHAIN_H
#define E2LAZY_LAST_CHAIN_H

#include "ring.h"
#include "verify.h"

struct last_chain {
	struct verify	*verify;
	struct ring	ring;
	struct e2lazy_jmap *map;
	struct birth	birth;
	uint64_t	last_sec;	/* newest commit time */
	bool		foreign;	/* an earlier file system committed */
	bool		newer;		/* an inode has a later change time in
					   the log than in place */
	struct records	differ;		/* copies that differ from home */
	uint64_t	total;		/* maximum of the progress so far */
	bool		again;		/* a second comparison */
};

/* Collect the control blocks of the whole ring, except foreign ones. */
errcode_t last_chain_begin(struct last_chain *last, struct verify *v);
void last_chain_end(struct last_chain *last);

/* Map the transactions of @chain and compare the newest copies with home. */
errcode_t last_chain_compare(struct last_chain *last,
			     const struct chain *chain);
/* Has an e2fsck checked the static blocks since the last commit? */
bool last_chain_is_outdated(const struct last_chain *last);
/* Report @problem for each copy that differs. */
void last_chain_report(struct last_chain *last, enum problem problem);

#endif
