/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* end_proof.h - the proof that the log ends where a walk ended */
#ifndef E2LAZY_END_PROOF_H
#define E2LAZY_END_PROOF_H

#include "beyond.h"

struct end_proof_opts {
	uint32_t	near;	/* blocks to look at; 0: the usual number */
	bool		quick;	/* stop after @near if the log seems sound */
	const struct e2lazy_watch *watch;	/* or NULL */
};

struct end_proof {
	const struct e2lazy_end *end;
	struct look	look;		/* the sightings, from the head on */
	enum e2lazy_beyond_verdict verdict;
	const struct sighting *first;	/* the first that gave @verdict */
	/* Control blocks of the log's transactions outside of the log. */
	uint32_t	strays;
	const struct sighting *first_stray;
	bool		proven;		/* @verdict is proven */
};

/* Call end_proof_free() afterwards, also on failure. */
errcode_t end_proof_look(struct end_proof *proof, struct e2lazy_journal *j,
			 const struct e2lazy_end *end,
			 const struct end_proof_opts *opts);
/* Look at all of the ring, from the head round to the tail. */
errcode_t end_proof_look_at_all(struct end_proof *proof);
void end_proof_free(struct end_proof *proof);

#endif
