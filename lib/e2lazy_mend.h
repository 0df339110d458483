/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * e2lazy_mend.h - libe2lazy: judge a log, and write it back
 *
 *	e2lazy_problems()	everything that can be found wrong, as a table
 *	e2lazy_verify()		find it: the verdict
 *	e2lazy_verdict_*()	read the verdict, and answer what it asks
 *	e2lazy_plan()		what writing the log back would take
 *	e2lazy_checkpoint()	write it back and empty the log
 *
 * e2lazy_checkpoint() is the one function of the library that writes.  It
 * demands a verdict of the same view, with every question answered, and
 * refuses one that the devices have left behind.
 */
#ifndef E2LAZY_MEND_H
#define E2LAZY_MEND_H

#include "e2lazy_view.h"

#ifdef __cplusplus
extern "C" {
#endif

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

/*
 * What a checkpoint does with the blocks where a problem is found.  Where
 * several problems are found of one block the later of these counts.
 */
enum e2lazy_effect {
	E2LAZY_EFFECT_NONE,	/* nothing that it would not do anyway */
	E2LAZY_EFFECT_WRITE,	/* writes their copies as they are */
	E2LAZY_EFFECT_OLDER_COPY, /* writes the newest older copy that is good */
	E2LAZY_EFFECT_LEAVE_OUT, /* leaves them as they are in place */
};

/* Whether the log is sound, in a word; the later one is the worse. */
enum e2lazy_status {
	E2LAZY_CLEAN,		/* nothing waits in the log */
	E2LAZY_SOUND_IN_USE,	/* blocks or fast commits wait, unharmed */
	E2LAZY_DAMAGED,		/* something is lost, or will be unless the
				   user acts */
	E2LAZY_UNUSABLE,	/* it cannot be read, or not be written back */
};

struct e2lazy_problem {
	const char	*id;		/* "data-csum"; never changes */
	enum e2lazy_severity severity;
	enum e2lazy_consent consent;
	const char	*text;		/* what is wrong, in a line */
	const char	*meaning;	/* what that means, and what can be done */
	const char	*question;	/* ASK: what a yes agrees to; else NULL */
	const char	*advice;	/* what to do about it, as a clause */
	enum e2lazy_status status;	/* it is at least this bad */
	enum e2lazy_effect effect;	/* of a yes */
	enum e2lazy_effect otherwise;	/* of the second answer; NONE: there is
					   no such answer */
	const char	*second;	/* what the second answer agrees to, to
					   be asked after a no; or NULL */
	bool		mended;		/* a checkpoint takes it away */
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
#define E2LAZY_VERIFY_SUPERSEDED 0x02	/* copies that newer ones replace */
/* Only the superblocks, the map, and an emptied log's ring; with _WALK the
   log's own blocks, with _SUPERSEDED those copies, too.  Never a live copy. */
#define E2LAZY_VERIFY_GLANCE	0x04
#define E2LAZY_VERIFY_WALK	0x08

struct e2lazy_verify_opts {
	unsigned	flags;
	/* May be NULL. Called for each place as it is found; of fast commits
	   and of what hides the owners for the first alone.  A non-zero return
	   ends the search and is returned. */
	errcode_t	(*place)(void *priv,
				 const struct e2lazy_problem *problem,
				 errcode_t error,
				 const struct e2lazy_where *where);
	void		*priv;
	const struct e2lazy_watch *watch;
};

struct e2lazy_verdict;

/*
 * e2lazy_verify - find what is wrong with a log and with what it maps
 * @out: on success the verdict, to be freed with e2lazy_verdict_free(); the
 *       parts of @subject must outlive it
 *
 * Reads and verifies every live copy.  A block that cannot be read is a
 * finding, not an error.  With E2LAZY_VERIFY_CONTENT it looks for the owner
 * of each, and verifies ext4's own checksums and counts in it.  Without that
 * flag the verdict tells what is wrong, and never lets anybody write.  With
 * E2LAZY_VERIFY_SUPERSEDED it reads and verifies the superseded copies as well,
 * where the log has checksums of copies: a kernel's replay does.
 * E2LAZY_VERIFY_GLANCE alone takes a map without E2LAZY_JMAP_CSUMS; such a
 * verdict never lets anybody write, either.
 *
 * Takes 12 bytes a live mapping, 20 more with content, 32 for each copy of the
 * largest transaction, 8 MiB for reading, and 4 where needs_recovery is clear;
 * for superseded copies half a MiB, and 16 MiB for reading.
 * Of a damaged log it reads all that stands behind the damage, and takes 200
 * bytes at the most for each block that has a copy there or is revoked, and
 * 8 MiB.  The verdict takes 16 bytes at the most for each block that a
 * checkpoint leaves out.
 *
 * EXT2_ET_INVALID_ARGUMENT where the parts of @subject are not of one journal,
 * or its map is of an earlier time or was built with other flags.
 */
errcode_t e2lazy_verify(const struct e2lazy_subject *subject,
			const struct e2lazy_verify_opts *opts,
			struct e2lazy_verdict **out);
void e2lazy_verdict_free(struct e2lazy_verdict *verdict);

/* ------------------------------------------------------------ verdict --- */

/* From the problem table's column, and from whether there are live copies. */
enum e2lazy_status e2lazy_verdict_status(const struct e2lazy_verdict *verdict);

/* The findings, the gravest first; NULL past the last. */
const struct e2lazy_finding *
e2lazy_verdict_finding(const struct e2lazy_verdict *verdict, size_t index);

enum e2lazy_answer {
	E2LAZY_NO,		/* also as long as nobody has answered */
	E2LAZY_YES,
	E2LAZY_OTHERWISE,	/* yes, but with the problem's second effect */
};

/*
 * e2lazy_verdict_answer - answer a problem's question
 *
 * An answer to a problem that was not found does nothing.  Returns
 * EXT2_ET_INVALID_ARGUMENT for a problem that asks nothing, and for
 * E2LAZY_OTHERWISE where the problem has no second answer.
 */
errcode_t e2lazy_verdict_answer(struct e2lazy_verdict *verdict,
				const struct e2lazy_problem *problem,
				enum e2lazy_answer answer);
/*
 * Findings that ask and have no yes, and those that refuse: while there is one,
 * nothing is written.
 */
size_t e2lazy_verdict_open(const struct e2lazy_verdict *verdict);
/*
 * A checkpoint leaves this copy's static block as it is, by the answers so
 * far; a question without an answer counts as a yes.
 */
bool e2lazy_verdict_leaves_out(const struct e2lazy_verdict *verdict,
			       const struct e2lazy_copy *copy);
/*
 * Whether a checkpoint writes an older copy in place of @live, by the answers
 * so far: then @out is that copy.
 */
bool e2lazy_verdict_stand_in(const struct e2lazy_verdict *verdict,
			     const struct e2lazy_copy *live,
			     struct e2lazy_copy *out);

/* Live copies that stand in place already. */
struct e2lazy_home {
	bool		known;		/* they were counted */
	uint64_t	blocks;
};

/*
 * e2lazy_home - count what a checkpoint that was cut off has left in place
 * @watch: may be NULL; E2LAZY_PHASE_HOME
 *
 * Tries some 64 places first.  Where none holds its copy nothing is counted, as
 * of a log that nobody has begun to write back; else all static blocks of live
 * copies are read.  The superblock is not among them.
 */
errcode_t e2lazy_home(const struct e2lazy_subject *subject,
		      const struct e2lazy_watch *watch,
		      struct e2lazy_home *out);

/* --------------------------------------------------------------- plan --- */

/* A model of the drive, told of each write of static blocks in its order. */
struct e2lazy_plan_writes {
	void		(*write)(void *priv, blk64_t block, uint32_t count);
	void		*priv;
};

struct e2lazy_plan_opts {
	uint64_t	memory;		/* as for e2lazy_checkpoint() */
	uint64_t	throughput;	/* of the device, bytes a second, if all
					   is in a row; 0: unknown */
	unsigned	seek_us;	/* what a step to elsewhere takes; 0 of
					   a device without moving parts */
	/* May be without a function.  e2lazy_band_write() is such a model. */
	struct e2lazy_plan_writes checkpoint, replay;
	const struct e2lazy_watch *watch;	/* asked to stop */
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
	uint64_t	replay_blocks;	/* a replay writes: every unrevoked copy */
	uint64_t	undo_bytes;	/* what an undo file has to hold, which is
					   read before the first write */
	uint64_t	undo_reads;	/* requests that read it */
	/*
	 * Estimates, 0 without a throughput: bytes read and written at that
	 * rate, and seek_us for each request that does not begin where the one
	 * before it of its kind ended.  That of a replay is for one that reads
	 * each copy and writes it where it belongs, in the log's order, as it
	 * comes to little memory; with much of it the kernel's is less.
	 */
	double		seconds, replay_seconds;
	double		undo_seconds;	/* more, with a keeper */
};

/*
 * e2lazy_plan - tell what a checkpoint by this verdict would do
 * @verdict: of @subject; its questions may still be open
 *
 * O(live), and one walk through the log's control blocks.  Of a view that keeps its copies it tells
 * what it took to read them, too.
 *
 * E2LAZY_ET_NO_VERDICT without a verdict, E2LAZY_ET_STALE_VERDICT for one of
 * another subject or one that a checkpoint has used.
 */
errcode_t e2lazy_plan(const struct e2lazy_subject *subject,
		      const struct e2lazy_verdict *verdict,
		      const struct e2lazy_plan_opts *opts,
		      struct e2lazy_plan *out);

/* --------------------------------------------------------- checkpoint --- */

/* Compare what was written with the log before the log is emptied. */
#define E2LAZY_CHECKPOINT_COMPARE	0x01

/* Blocks in a row that a checkpoint is about to overwrite. */
struct e2lazy_kept_run {
	bool		log_device;	/* on that of an external journal */
	blk64_t		block;		/* the first, of the file system's size */
	uint32_t	count;
	const uint8_t	*bytes;		/* what stands there now */
};

/* The 1,024 bytes of the superblock, as a checkpoint goes on. */
struct e2lazy_super_states {
	bool		in_use;		/* else there are no copies: the end
					   comes at once */
	uint8_t		copying[1024];	/* while copies are written */
	uint8_t		home[1024];	/* once all of them are */
	uint8_t		end[1024];	/* once the log is empty */
};

/*
 * Who keeps what a checkpoint overwrites.  Called under its locks, before its
 * first write, from the caller's thread; a non-zero return ends it there and is
 * returned.  A block that cannot be read ends it too.  The blocks are the two
 * superblocks, that of multiple mount protection as it was before the device
 * was opened, and each static block that is in the schedule, ascending.
 */
struct e2lazy_keeper {
	errcode_t	(*keep)(void *priv, const struct e2lazy_kept_run *run);
	/* Those were all. */
	errcode_t	(*kept)(void *priv,
				const struct e2lazy_super_states *states);
	void		*priv;
};

struct e2lazy_checkpoint_opts {
	unsigned	flags;
	/* Bytes of copies held at once, of what is kept about them and of
	   buffers; of less than 64 MiB a quarter, and a MiB at least, are for
	   copies whatever else is needed. */
	uint64_t	memory;
	io_manager	manager;	/* writes; NULL: unix_io_manager */
	const struct e2lazy_keeper *keeper;	/* may be NULL */
	/* May be NULL. Called once the devices are locked and before anything
	   is written; a non-zero return ends it there and is returned. */
	errcode_t	(*locked)(void *priv);
	/* May be NULL. Called for each block that stays as it was; a non-zero
	   return ends the checkpoint, with the log intact. */
	errcode_t	(*failed)(void *priv, errcode_t error,
				  const struct e2lazy_where *where);
	void		*priv;
	/* Between requests; PHASE_KEEP with a keeper, READ, WRITE, COMPARE.
	   Ends the checkpoint with the log intact. */
	const struct e2lazy_watch *watch;
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
 * @view:    what it is built on must not have changed
 * @verdict: of this view, with E2LAZY_VERIFY_CONTENT and nothing open; what it
 *           leaves out stays as it is
 * @opts:    may be NULL
 * @done:    filled in any case
 * @where:   on failure the device or block
 *
 * Opens the devices once more, for writing: through the descriptors that
 * e2lazy_open() has, exclusively, flocked, with MMP obeyed and held while it
 * works.  E2LAZY_ET_CHANGED, and nothing is written, unless e2lazy_unchanged()
 * holds under these locks.  Writes nothing but the static blocks of
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
 * It writes nothing, and returns
 *	E2LAZY_ET_NO_VERDICT	without a verdict
 *	E2LAZY_ET_STALE_VERDICT	with one of another view, or one that a
 *				checkpoint has written by before
 *	E2LAZY_ET_QUICK_VERDICT	with one without E2LAZY_VERIFY_CONTENT
 *	E2LAZY_ET_CONSENT	while e2lazy_verdict_open() is not 0
 * Once it has begun to write, the verdict is used up, whatever came of it.
 */
errcode_t e2lazy_checkpoint(struct e2lazy_view *view,
			    struct e2lazy_verdict *verdict,
			    const struct e2lazy_checkpoint_opts *opts,
			    struct e2lazy_checkpoint_done *done,
			    struct e2lazy_where *where);

#ifdef __cplusplus
}
#endif

#endif /* E2LAZY_MEND_H */
