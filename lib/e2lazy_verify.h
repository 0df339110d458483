/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * e2lazy_verify.h - libe2lazy: judge a log
 *
 *	e2lazy_problems()	the table of all problems
 *	e2lazy_verify()		find problems: the verdict
 *	e2lazy_verdict_*()	read the verdict, and answer its questions
 *
 * Nothing here writes.  e2lazy_mend.h has the writers, and includes this header.
 */
#ifndef E2LAZY_VERIFY_H
#define E2LAZY_VERIFY_H

#include "e2lazy_view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ----------------------------------------------------------- problems --- */

enum e2lazy_severity {
	E2LAZY_NOTE,		/* no harm; worth knowing */
	E2LAZY_WARNING,		/* harm elsewhere, or possible later */
	E2LAZY_GRAVE,		/* data is lost, or would be */
};

/* May a checkpoint go on? */
enum e2lazy_consent {
	E2LAZY_GO,		/* yes */
	E2LAZY_ASK,		/* if the user agrees; -p never does */
	E2LAZY_REFUSE,		/* no */
};

/*
 * The effect of a problem on the blocks where it is found.  If a block has
 * several problems, the effect that is last in this list wins.
 */
enum e2lazy_effect {
	E2LAZY_EFFECT_NONE,	/* no effect on single blocks */
	E2LAZY_EFFECT_WRITE,	/* write the live copy as it is */
	E2LAZY_EFFECT_OLDER_COPY, /* write the newest good older copy */
	E2LAZY_EFFECT_LEAVE_OUT, /* leave the static block as it is */
};

/* The state of the log in a word, from best to worst. */
enum e2lazy_status {
	E2LAZY_CLEAN,		/* no block waits in the log */
	E2LAZY_SOUND_IN_USE,	/* blocks or fast commits wait, all sound */
	E2LAZY_DAMAGED,		/* data is lost, or will be unless the user
				   acts */
	E2LAZY_UNUSABLE,	/* cannot be read, or not written back */
};

struct e2lazy_problem {
	const char	*id;		/* "data-csum"; never changes */
	enum e2lazy_severity severity;
	enum e2lazy_consent consent;
	enum e2lazy_status status;	/* the log is at least this bad */
	enum e2lazy_effect effect;	/* of the answer yes */
	enum e2lazy_effect otherwise;	/* of the second answer; NONE: there is
					   no second answer */
	bool		mended;		/* a checkpoint removes the problem */
};

/* All problems, gravest first; static storage. */
const struct e2lazy_problem *e2lazy_problems(size_t *count);
/* By its id, or NULL. */
const struct e2lazy_problem *e2lazy_problem_find(const char *id);
/*
 * The problem behind an error of e2lazy_open(), e2lazy_end or e2lazy_damage.
 * NULL if the error is 0, no damage, or an I/O error.
 */
const struct e2lazy_problem *e2lazy_problem_of(errcode_t error);

/* A problem that was found, at one place or several. */
struct e2lazy_finding {
	const struct e2lazy_problem *problem;
	uint64_t	count;		/* places; 1 for a problem without one */
	struct e2lazy_where first;
	errcode_t	error;		/* cause, if the problem leaves it open;
					   else 0 */
};

/* The objects to judge; all of one journal. */
struct e2lazy_subject {
	struct e2lazy_journal *journal;
	const struct e2lazy_jmap *map;	/* with JMAP_CSUMS and JMAP_STATES */
	struct e2lazy_layout *layout;
	/* NULL if it could not be built, as with a bad superblock in the log:
	   then e2lazy_verify() reports that, and cannot look at content. */
	struct e2lazy_view *view;
};

#define E2LAZY_VERIFY_CONTENT	0x01	/* content and owner of live blocks */
#define E2LAZY_VERIFY_SUPERSEDED 0x02	/* superseded copies */
/* Look only at the superblocks, the map, and the ring of an emptied log; with
   _WALK also at the log's control blocks, with _SUPERSEDED also at superseded
   copies.  It never reads a live copy. */
#define E2LAZY_VERIFY_GLANCE	0x04
#define E2LAZY_VERIFY_WALK	0x08
/* For e2lazy_restore() alone: also find out whether anything was written after
   the log's last commit.  Fast commits are no problem then. */
#define E2LAZY_VERIFY_RESTORE	0x10
/* With _GLANCE: also find the owner of each live copy, and read the copies whose
   blocks hold contents of files; with _WALK it judges them as without _GLANCE.
   Reads all inodes in use, unless every copy is of fixed metadata. */
#define E2LAZY_VERIFY_OWNERS	0x20
/*
 * Accept a map of the log that ends after a chosen transaction, and judge
 * whether that state can be written back: a checkpoint by such a verdict drops
 * all later transactions.  No other writer accepts it.
 */
#define E2LAZY_VERIFY_UNTIL	0x40

struct e2lazy_verify_opts {
	unsigned	flags;
	/* May be NULL.  Called for each place as it is found; for fast commits,
	   unknown owners and unreadable blocks past the end only once.  A
	   non-zero return ends the search and is returned. */
	errcode_t	(*place)(void *priv,
				 const struct e2lazy_problem *problem,
				 errcode_t error,
				 const struct e2lazy_where *where);
	void		*priv;
	const struct e2lazy_watch *watch;
};

struct e2lazy_verdict;

/*
 * e2lazy_verify - find problems of a log and of the blocks that it maps
 * @out: on success the verdict; free it with e2lazy_verdict_free().  The parts
 *       of @subject must outlive it.
 *
 * Reads and verifies every live copy.  An unreadable block is a finding, not an
 * error.  With E2LAZY_VERIFY_CONTENT it finds the owner of each block, and
 * verifies ext4's own checksums and counts in it.  Without that flag the
 * verdict never permits writing.  With E2LAZY_VERIFY_SUPERSEDED it verifies
 * superseded copies, too, as a kernel's replay does, if the log has checksums
 * of copies.  Only E2LAZY_VERIFY_GLANCE accepts a map without
 * E2LAZY_JMAP_CSUMS; such a verdict never permits writing either.
 *
 * Memory: 12 bytes for each live mapping, 20 more with content, 32 for each
 * copy of the largest transaction, 8 MiB for reading, and 4 MiB if
 * needs_recovery is clear.  Superseded copies take half a MiB, and 16 MiB for
 * reading.  For a damaged log it reads the whole rest of the ring; each block
 * with a copy or a revoke there takes 200 bytes at most, each log block there 16,
 * and reading 8 MiB.
 * The verdict takes 16 bytes at most for each block that a checkpoint leaves
 * out.
 *
 * EXT2_ET_INVALID_ARGUMENT if the parts of @subject belong to different
 * journals, or if its map is of an earlier time or was built with other flags.
 */
errcode_t e2lazy_verify(const struct e2lazy_subject *subject,
			const struct e2lazy_verify_opts *opts,
			struct e2lazy_verdict **out);
void e2lazy_verdict_free(struct e2lazy_verdict *verdict);

/* ------------------------------------------------------------ verdict --- */

/* The worst status of all findings; at least SOUND_IN_USE with live copies. */
enum e2lazy_status e2lazy_verdict_status(const struct e2lazy_verdict *verdict);

/* The findings, gravest first; NULL past the last. */
const struct e2lazy_finding *
e2lazy_verdict_finding(const struct e2lazy_verdict *verdict, size_t index);

enum e2lazy_answer {
	E2LAZY_NO,		/* also before any answer */
	E2LAZY_YES,
	E2LAZY_OTHERWISE,	/* yes to the second question */
};

/*
 * e2lazy_verdict_answer - answer a problem's question
 *
 * An answer to a problem that was not found does nothing.
 * EXT2_ET_INVALID_ARGUMENT for a problem without a question, and for
 * E2LAZY_OTHERWISE if the problem has no second one.
 */
errcode_t e2lazy_verdict_answer(struct e2lazy_verdict *verdict,
				const struct e2lazy_problem *problem,
				enum e2lazy_answer answer);
/*
 * Number of findings that forbid writing: those that ask and have no yes, and
 * those that refuse.
 */
size_t e2lazy_verdict_open(const struct e2lazy_verdict *verdict);
/*
 * Does a checkpoint leave this copy's static block as it is, by the answers so
 * far?  An open question counts as yes.
 */
bool e2lazy_verdict_leaves_out(const struct e2lazy_verdict *verdict,
			       const struct e2lazy_copy *copy);
/*
 * Does a checkpoint write an older copy instead of @live, by the answers so
 * far?  If so, @out is that copy.
 */
bool e2lazy_verdict_stand_in(const struct e2lazy_verdict *verdict,
			     const struct e2lazy_copy *live,
			     struct e2lazy_copy *out);
/*
 * e2lazy_verdict_show - have @view show what a checkpoint would write
 * @view: of the verdict's journal and map
 *
 * Older copies in place of bad ones, and in place the blocks that it leaves out:
 * by the answers so far, where an open question counts as yes.  The result is a
 * mixture of several times.
 */
errcode_t e2lazy_verdict_show(const struct e2lazy_verdict *verdict,
			      struct e2lazy_view *view);

#ifdef __cplusplus
}
#endif

#endif /* E2LAZY_VERIFY_H */
