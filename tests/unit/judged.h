/* SPDX-License-Identifier: GPL-2.0-only */
/* judged.h - the result of e2lazy_verify() for a fixture, as a line of text */
#ifndef JUDGED_H
#define JUDGED_H

#include "e2lazy_mend.h"
#include "fixture.h"

struct judged {
	struct fixture	*f;
	struct e2lazy_open_opts open;
	struct e2lazy_subject subject;
	struct e2lazy_verdict *verdict;	/* of judge() and agree() */
	errcode_t	no_view;	/* why no view can be built; 0 */
	unsigned	map_flags;	/* more than E2LAZY_JMAP_CSUMS */
	uint32_t	until;		/* with E2LAZY_WALK_UNTIL among them */
	bool		no_places;	/* do not ask for single places */
	char		line[1024];	/* "data-csum 1 full 1" */
	struct e2lazy_where first;	/* place of the gravest */
	errcode_t	error;		/* of the gravest */
	enum e2lazy_severity worst;
	uint64_t	places;		/* told one by one */
	uint64_t	in_findings;
};

/* Open all that is needed to judge, or to plan; kept until the next time. */
void open_subject(struct judged *j, struct fixture *f);
void close_subject(struct judged *j);

/* Judge with content, and answer each question with yes. */
struct e2lazy_verdict *agreed(const struct e2lazy_subject *subject);
/* The same for the open @j; the verdict is j->verdict. */
void agree(struct judged *j);
/* Judge, and return the ids found with their counts, the gravest first. */
const char *judge(struct judged *j, struct fixture *f, unsigned flags);
/* The same of the log that @spec describes, and close it. */
void check_judged(const char *mke2fs, const char *spec, const char *expect);
/* And with E2LAZY_VERIFY_CONTENT. */
void check_judged_whole(const char *mke2fs, const char *spec,
			const char *expect);

/*
 * mkjournal fills copies with words of its own: put in place of the live copy
 * of @fsblk what the block holds, in a log without checksums of copies.
 */
void put_real(struct fixture *f, blk64_t fsblk);
/* The same with what another block holds, as if the copy's tag were wrong. */
void put_other(struct fixture *f, blk64_t fsblk, blk64_t other);
/* Then invert a byte of that copy. */
void flip_copy(struct fixture *f, blk64_t fsblk, unsigned offset);
/* Write the live copies of these blocks in place. */
void put_home(struct fixture *f, blk64_t first, blk64_t last);
/* Invert a byte of the static block. */
void flip_static(struct fixture *f, blk64_t fsblk, unsigned offset);

#endif
