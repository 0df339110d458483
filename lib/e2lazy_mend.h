/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * e2lazy_mend.h - libe2lazy: judge a log, and write it back
 *
 *	e2lazy_problems()	everything that can be found wrong, as a table
 *	e2lazy_verify()		find it
 *	e2lazy_plan()		what writing the log back would take
 *	e2lazy_checkpoint()	write it back and empty the log
 *
 * e2lazy_checkpoint() is the one function of the library that writes.
 */
#ifndef E2LAZY_MEND_H
#define E2LAZY_MEND_H

#include "e2lazy_view.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a progress callback is told about. */
enum e2lazy_mend_phase {
	E2LAZY_MEND_VERIFY,	/* live copies verified */
	E2LAZY_MEND_OWNERS,	/* inodes and directories looked at */
	E2LAZY_MEND_CONTENT,	/* live blocks judged */
	E2LAZY_MEND_READ,	/* live copies read */
	E2LAZY_MEND_WRITE,	/* static blocks written */
	E2LAZY_MEND_COMPARE,	/* static blocks read back */
};

/* ----------------------------------------------------------- problems --- */

enum e2lazy_severity {
	E2LAZY_NOTE,		/* nothing is wrong; worth knowing */
	E2LAZY_WARNING,		/* something is wrong elsewhere, or may go so */
	E2LAZY_GRAVE,		/* data is lost already, or would be */
};

/* Whether a checkpoint may go on. */
enum e2lazy_consent {
	E2LAZY_GO,		/* without asking */
	E2LAZY_ASK,		/* if the user says so, which -p never does */
	E2LAZY_REFUSE,		/* never */
};

struct e2lazy_problem {
	const char	*id;		/* "data-csum"; never changes */
	enum e2lazy_severity severity;
	enum e2lazy_consent consent;
	const char	*text;		/* what is wrong, in a line */
	const char	*meaning;	/* what that means, and what can be done */
	const char	*question;	/* ASK: what a yes agrees to; else NULL */
};

/*
 * All of them, gravest first; static storage.  English, marked for whoever
 * prints to translate.
 */
const struct e2lazy_problem *e2lazy_problems(size_t *count);
/* By its id, or NULL. */
const struct e2lazy_problem *e2lazy_problem_find(const char *id);
/*
 * What an error of e2lazy_open(), of e2lazy_end or of e2lazy_damage means, or
 * NULL: it is 0, or no damage, or says that something cannot be read.
 */
const struct e2lazy_problem *e2lazy_problem_of(errcode_t error);

/* Something wrong, at one place or at several. */
struct e2lazy_finding {
	const struct e2lazy_problem *problem;
	uint64_t	count;		/* places; 1 for what has none */
	struct e2lazy_where first;
	errcode_t	error;		/* why, where the text leaves that open;
					   else 0 */
};

/* What lib/mend reads; all of them of one journal. */
struct e2lazy_subject {
	struct e2lazy_journal *journal;
	const struct e2lazy_jmap *map;	/* with JMAP_CSUMS and JMAP_STATES */
	struct e2lazy_layout *layout;
	/* NULL where it could not be built, as of a superblock that is bad in
	   the log: e2lazy_verify() then finds that, and nothing of content. */
	struct e2lazy_view *view;
};

#define E2LAZY_VERIFY_CONTENT	0x01	/* what live blocks hold, and whose */

struct e2lazy_verify_opts {
	unsigned	flags;
	/* Called at the end for each problem found, the gravest first. */
	void		(*found)(void *priv,
				 const struct e2lazy_finding *finding);
	/* May be NULL. Called for each place as it is found; of fast commits
	   and of what hides the owners for the first alone. */
	void		(*place)(void *priv,
				 const struct e2lazy_problem *problem,
				 errcode_t error,
				 const struct e2lazy_where *where);
	/* May be NULL; a non-zero return ends the search and is returned. */
	errcode_t	(*progress)(void *priv, enum e2lazy_mend_phase phase,
				    uint64_t done, uint64_t total);
	void		*priv;
};

/*
 * e2lazy_verify - find what is wrong with a log and with what it maps
 *
 * Reads and verifies every live copy.  A block that cannot be read is a
 * finding, not an error.  With E2LAZY_VERIFY_CONTENT it looks for the owner
 * of each, and verifies ext4's own checksums and counts in it.
 *
 * Takes 12 bytes a live mapping, 20 more with content, 32 for each copy of the
 * largest transaction, 8 MiB for reading, and 4 where needs_recovery is clear.
 * Of a damaged log it reads all that stands behind the damage, and takes 200
 * bytes at the most for each block that has a copy there or is revoked, and
 * 8 MiB.
 *
 * A checkpoint has to leave out, by e2lazy_checkpoint_opts.skip, the places of
 * data-csum and those of unreadable with a static block, which have nothing to
 * be written, and unless the user wants them those of copy-of-data.
 */
errcode_t e2lazy_verify(const struct e2lazy_subject *subject,
			const struct e2lazy_verify_opts *opts);

/* --------------------------------------------------------------- plan --- */

struct e2lazy_plan_opts {
	uint64_t	memory;		/* as for e2lazy_checkpoint() */
	uint64_t	band;		/* bytes of a shingled band; 0: none */
	uint64_t	throughput;	/* of the device, bytes a second, if all
					   is in a row; 0: unknown */
	unsigned	seek_us;	/* what a step to elsewhere takes; 0 of
					   a device without moving parts */
	/* May be NULL; as for e2lazy_checkpoint(). */
	bool		(*skip)(void *priv, const struct e2lazy_copy *copy);
	void		*priv;
};

/* What a checkpoint would do, and what a stock replay would. */
struct e2lazy_plan {
	uint64_t	blocks;		/* static blocks to be written, but for
					   the superblock */
	uint64_t	skipped;
	uint64_t	runs;		/* requests that write them */
	uint64_t	log_runs;	/* requests that read their copies */
	unsigned	passes;		/* as e2lazy_checkpoint_done has it */
	uint64_t	read_bytes;	/* of the log, gaps included */
	uint64_t	write_bytes;
	uint64_t	bands;		/* in which static blocks are written */
	uint64_t	replay_blocks;	/* a replay writes: every unrevoked copy */
	uint64_t	replay_bands;	/* changes of band as it does so */
	uint64_t	undo_bytes;	/* what an undo file has to hold */
	/*
	 * Estimates, 0 without a throughput: bytes read and written at that
	 * rate, and seek_us for each request that does not begin where the one
	 * before it of its kind ended.  That of a replay is for one that reads
	 * each copy and writes it where it belongs, in the log's order, as it
	 * comes to little memory; with much of it the kernel's is less.
	 */
	double		seconds, replay_seconds;
};

/*
 * O(live), and one walk through the log's control blocks, which what
 * e2lazy_view_stop() has set ends.  Of a view that keeps its copies it tells
 * what it took to read them, too.
 */
errcode_t e2lazy_plan(const struct e2lazy_subject *subject,
		      const struct e2lazy_plan_opts *opts,
		      struct e2lazy_plan *out);

/* --------------------------------------------------------- checkpoint --- */

/* Compare what was written with the log before the log is emptied. */
#define E2LAZY_CHECKPOINT_COMPARE	0x01

struct e2lazy_checkpoint_opts {
	unsigned	flags;
	/* Bytes of copies held at once, of what is kept about them and of
	   buffers; of less than 64 MiB a quarter, and a MiB at least, are for
	   copies whatever else is needed. */
	uint64_t	memory;
	io_manager	manager;	/* writes; NULL: unix_io_manager */
	/* May be NULL. True leaves the static block as it is. */
	bool		(*skip)(void *priv, const struct e2lazy_copy *copy);
	/* May be NULL. Called once the devices are locked and before anything
	   is written; a non-zero return ends it there and is returned. */
	errcode_t	(*locked)(void *priv);
	/* May be NULL. Called for each block that stays as it was. */
	void		(*failed)(void *priv, errcode_t error,
				  const struct e2lazy_where *where);
	/* May be NULL. Called between requests with mappings dealt with and in
	   all; a non-zero return ends the checkpoint, with the log intact. */
	errcode_t	(*progress)(void *priv, enum e2lazy_mend_phase phase,
				    uint64_t done, uint64_t total);
	void		*priv;
};

struct e2lazy_checkpoint_done {
	uint64_t	blocks_read;	/* of the log, gaps included */
	uint64_t	blocks_written;	/* static copies */
	uint64_t	writes;		/* requests */
	uint64_t	skipped;
	uint64_t	failed;
	unsigned	passes;		/* over the device, or through the log:
					   whichever are more */
	bool		begun;		/* something may have been written */
	bool		home;		/* every block is, whether or not the
					   log could be emptied */
	bool		sealed;		/* the log is empty now */
	bool		cached;		/* there was no direct I/O: what was
					   compared may not be on the disk */
};

/*
 * e2lazy_checkpoint - write each live block home and empty the log
 * @view:  not of an earlier time; what it is built on must not have changed
 * @opts:  may be NULL
 * @done:  filled in any case
 * @where: on failure the device or block
 *
 * Opens the devices once more, for writing: exclusively, flocked, with MMP
 * obeyed and held while it works.  Writes nothing but the static blocks of
 * live copies, the superblock and the journal superblock, in an order that
 * lets a crash at any moment lose nothing (lib/mend/seal.c).  If a copy cannot
 * be read or written the others are still brought home, and the log is kept:
 * the first error is returned.  Writes nothing where the log is empty and
 * needs_recovery clear.  With @done->sealed an error is one of closing: the log
 * is empty, but @manager may have lost what it keeps beside the devices.
 *
 * It reads and writes in threads of its own, through the journal and through
 * channels that it opens; the callbacks come from the caller's thread, and
 * must not read from the journal or the view themselves.
 *
 * It trusts that whoever calls it has judged the log: fast commits that are
 * valid, and what a damaged log lacks, are lost with it.
 */
errcode_t e2lazy_checkpoint(struct e2lazy_view *view,
			    const struct e2lazy_checkpoint_opts *opts,
			    struct e2lazy_checkpoint_done *done,
			    struct e2lazy_where *where);

#ifdef __cplusplus
}
#endif

#endif /* E2LAZY_MEND_H */
