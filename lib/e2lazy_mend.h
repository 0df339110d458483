/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * e2lazy_mend.h - libe2lazy: write a log back
 *
 *	e2lazy_home()		the blocks that are written back already
 *	e2lazy_tail_find()	the oldest transactions, to free them alone
 *	e2lazy_plan()		the cost of writing the log back
 *	e2lazy_checkpoint()	write it back: all, or its oldest transactions
 *	e2lazy_relog()		log live copies again, and free the old ones
 *	e2lazy_fast_log()	make a transaction of the fast commits
 *	e2lazy_restore()	put a log back in force
 *
 * Only the last four write to a device.  Each demands a verdict of the same view
 * (e2lazy_verify.h) with every question answered, and refuses if the devices
 * have changed since.
 */
#ifndef E2LAZY_MEND_H
#define E2LAZY_MEND_H

#include "e2lazy_verify.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------ what is home already --- */

/* Live copies that already equal their static blocks. */
struct e2lazy_home {
	bool		known;		/* @blocks was counted */
	bool		left_out;	/* a checkpoint does not write them */
	uint64_t	blocks;
	bool		*in_place;	/* each mapping; NULL unless left_out */
};

/*
 * e2lazy_home - find the blocks that an interrupted checkpoint has written
 * @watch: may be NULL; E2LAZY_PHASE_HOME
 * @out:   for e2lazy_home_free(), even after an error
 *
 * It tries up to 65 blocks first.  If none of them is home, it counts nothing,
 * for then nobody has begun to write the log back.  Else it reads the static
 * blocks of all live copies, except the superblock's.
 *
 * If a quarter of those that were tried are home, a checkpoint of the whole log
 * looks again, under its locks, and does not write those that are.
 */
errcode_t e2lazy_home(const struct e2lazy_subject *subject,
		      const struct e2lazy_watch *watch,
		      struct e2lazy_home *out);
void e2lazy_home_free(struct e2lazy_home *home);

/* ------------------------------------------------ the tail of the log --- */

enum e2lazy_tail_by {
	E2LAZY_TAIL_TIDS,	/* so many transactions */
	E2LAZY_TAIL_BLOCKS,	/* so many blocks of the ring */
	E2LAZY_TAIL_FREE,	/* until so many percent of the ring are free */
};

struct e2lazy_tail_want {
	enum e2lazy_tail_by by;
	uint64_t	least;
};

/* A new tail: the transactions before it are freed. */
struct e2lazy_tail {
	uint32_t	tid;		/* oldest transaction that stays */
	uint32_t	start;		/* its first log block */
	uint32_t	txns;		/* freed transactions */
	uint32_t	blocks;		/* freed ring blocks */
	uint32_t	free_before;	/* ring blocks without log, now */
	uint32_t	free_blocks;	/* and afterwards */
	uint64_t	live;		/* freed copies that go home */
	uint64_t	dropped;	/* freed copies that a later copy or a
					   revoke makes void */
	bool		enough;		/* as much as was wanted */
};

/*
 * e2lazy_tail_find - the fewest transactions that free as much as wanted
 *
 * The newest transaction always stays, so @out->enough may be false.  If the log
 * has none, E2LAZY_ET_EMPTY_LOG, and @out is the tail as it is, and enough.
 */
errcode_t e2lazy_tail_find(const struct e2lazy_subject *subject,
			   const struct e2lazy_tail_want *want,
			   struct e2lazy_tail *out);

/* Void records of fast commits: any tail clears them, even one of 0 .txns. */
uint64_t e2lazy_verdict_void_fast(const struct e2lazy_verdict *verdict);

/*
 * May the tail move?  Not if fast commits wait, or if a problem asks or refuses,
 * for no replay asks.  E2LAZY_OTHERWISE helps if it writes what a replay writes.
 */
bool e2lazy_verdict_is_sound(const struct e2lazy_verdict *verdict);

/* --------------------------------------------------------------- plan --- */

/* A model of the drive, called for each write of static blocks, in order. */
struct e2lazy_plan_writes {
	void		(*write)(void *priv, blk64_t block, uint32_t count);
	void		*priv;
};

struct e2lazy_plan_opts {
	uint64_t	memory;		/* as for e2lazy_checkpoint() */
	uint64_t	throughput;	/* sequential bytes a second of the
					   device; 0: unknown */
	unsigned	seek_us;	/* of a seek; 0: nothing moves */
	/* @write may be NULL.  e2lazy_band_write() is such a model. */
	struct e2lazy_plan_writes checkpoint, replay;
	const struct e2lazy_watch *watch;	/* asked to stop */
	const struct e2lazy_tail *tail;	/* NULL: the whole log */
	const struct e2lazy_home *home;	/* of @subject; NULL: not known.  Not
					   with a tail */
	unsigned	flags;		/* for e2lazy_relog_plan() */
	void		(*seen)(void *priv, const struct e2lazy_event *event,
				enum e2lazy_copy_state of_tag);	/* or NULL */
	void		*priv;		/* of @seen, called for each event */
};

/* The cost of a checkpoint, and of a replay by a stock kernel. */
struct e2lazy_plan {
	uint64_t	blocks;		/* static blocks to write, without the
					   superblock */
	uint64_t	skipped;	/* static blocks left as they are */
	uint64_t	in_place;	/* blocks that need no write */
	uint64_t	runs;		/* write requests */
	uint64_t	log_runs;	/* read requests */
	unsigned	passes;		/* as in e2lazy_checkpoint_done */
	uint64_t	read_bytes;	/* of the log, gaps included */
	uint64_t	write_bytes;
	uint64_t	replay_blocks;	/* a replay writes: every unrevoked copy */
	uint64_t	undo_bytes;	/* content of an undo file, read before
					   the first write */
	uint64_t	undo_reads;	/* requests that read it */
	/*
	 * Estimates, 0 without a throughput: the time for all bytes read and
	 * written, and seek_us for each request that does not begin at the end
	 * of the previous one of its kind.  The estimate of a replay assumes
	 * that the kernel reads and writes copy by copy in log order, as it
	 * does with little memory; with much memory it is faster.
	 */
	double		seconds, replay_seconds;
	double		undo_seconds;	/* to add with a keeper */
};

/*
 * e2lazy_plan - the cost of a checkpoint by this verdict
 * @verdict: of @subject; its questions may still be open
 *
 * O(live), and one walk through the log's control blocks.  If the view keeps
 * its copies in memory, the plan counts the reads that this took.
 *
 * E2LAZY_ET_NO_VERDICT without a verdict, E2LAZY_ET_STALE_VERDICT for a verdict
 * of another subject, or one that a checkpoint has used.
 */
errcode_t e2lazy_plan(const struct e2lazy_subject *subject,
		      const struct e2lazy_verdict *verdict,
		      const struct e2lazy_plan_opts *opts,
		      struct e2lazy_plan *out);

/* --------------------------------------------------------- checkpoint --- */

/* Read every written block back and compare it before emptying the log. */
#define E2LAZY_CHECKPOINT_COMPARE	0x01

/* A run of blocks that a checkpoint is about to overwrite. */
struct e2lazy_kept_run {
	bool		log_device;	/* on the external journal's device */
	blk64_t		block;		/* in the file system's block size */
	uint32_t	count;
	const uint8_t	*bytes;		/* their content now */
};

/* The 1,024 bytes of the superblock during a checkpoint. */
struct e2lazy_super_states {
	bool		in_use;		/* false: the log is empty, and @end is
					   the only state */
	uint8_t		copying[1024];	/* while copies are written */
	uint8_t		home[1024];	/* after all copies are written */
	uint8_t		end[1024];	/* after the log is empty */
};

/*
 * A keeper saves the blocks that a checkpoint overwrites.  The checkpoint calls
 * it under its locks, before the first write, from the caller's thread.  A
 * non-zero return ends the checkpoint there and is returned; an unreadable
 * block ends it, too.  The blocks are the MMP block as it was before the device
 * was opened, the two superblocks, and each static block of the schedule,
 * ascending, or each log block that is written.
 */
struct e2lazy_keeper {
	errcode_t	(*keep)(void *priv, const struct e2lazy_kept_run *run);
	/* Called after the last run. */
	errcode_t	(*kept)(void *priv,
				const struct e2lazy_super_states *states);
	void		*priv;
};

struct e2lazy_checkpoint_opts {
	unsigned	flags;
	/* Bytes for the copies held at once, the tables and the buffers.  The
	   copies get a quarter of it at least, and 1 MiB at least. */
	uint64_t	memory;
	io_manager	manager;	/* writes; NULL: unix_io_manager */
	const struct e2lazy_keeper *keeper;	/* may be NULL */
	/* May be NULL.  Called when the devices are locked, before the first
	   write; a non-zero return ends the checkpoint and is returned. */
	errcode_t	(*locked)(void *priv);
	/* May be NULL.  Called for each block that could not be read or
	   written; a non-zero return ends the checkpoint, with the log
	   intact. */
	errcode_t	(*failed)(void *priv, errcode_t error,
				  const struct e2lazy_where *where);
	void		*priv;
	/* Called between requests; PHASE_HOME, PHASE_KEEP with a keeper, READ,
	   WRITE, COMPARE.  A stop ends the checkpoint with the log intact. */
	const struct e2lazy_watch *watch;
	/* NULL: empty the log.  Else write home only the live copies before
	   this tail, then move the log's tail there; needs_recovery stays. */
	const struct e2lazy_tail *tail;
};

struct e2lazy_checkpoint_done {
	uint64_t	blocks_read;	/* of the log, gaps included */
	uint64_t	blocks_written;	/* static blocks */
	uint64_t	writes;		/* requests */
	uint64_t	skipped;	/* left out by the verdict */
	uint64_t	in_place;	/* were so already, so not written */
	uint64_t	failed;		/* could not be read or written */
	unsigned	passes;		/* over the device, or through the log,
					   the larger number */
	bool		begun;		/* a write has begun */
	bool		home;		/* every block is in place; the log may
					   or may not be empty */
	bool		sealed;		/* the log is empty, or its tail has
					   moved */
	bool		cached;		/* without direct I/O: a compare may
					   have read the cache */
};

/*
 * e2lazy_checkpoint - write each live block home and empty the log
 * @view:    its devices must not have changed
 * @verdict: of this view, with E2LAZY_VERIFY_CONTENT and without an open
 *           question; the blocks that it leaves out stay as they are
 * @opts:    may be NULL
 * @done:    always filled
 * @where:   on failure the device or block
 *
 * It opens the devices again for writing: by the descriptors of e2lazy_open(),
 * exclusively, under flock, and under MMP.  If e2lazy_unchanged() fails under
 * these locks, it writes nothing and returns E2LAZY_ET_CHANGED.  It writes only
 * the static blocks of live copies, the superblock and the journal superblock,
 * in an order in which a crash at any moment loses nothing (lib/mend/seal.c);
 * with a tail also the first block of fast commits that do not count, as e2fsck
 * fails at them, and without one that of a later transaction's.  If a copy cannot
 * be read or written, it still brings the others home, but does not empty the
 * log, and returns the first error.  If the log is empty and needs_recovery is
 * clear, it writes nothing.  An error with @done->sealed comes from closing: the
 * log is empty, but @manager may have lost data of its own, such as an undo file.
 *
 * It reads and writes in threads of its own.  Callbacks run in the caller's
 * thread and must not read from the journal or the view.
 *
 * It writes nothing and returns
 *	E2LAZY_ET_NO_VERDICT	without a verdict
 *	E2LAZY_ET_STALE_VERDICT	for a verdict of another view, or one by which
 *				a checkpoint has already written
 *	E2LAZY_ET_QUICK_VERDICT	for a verdict without E2LAZY_VERIFY_CONTENT
 *	E2LAZY_ET_CONSENT	while e2lazy_verdict_open() is not 0
 *	E2LAZY_ET_FC_WAIT	while fast commits wait: e2lazy_fast_log()
 *	E2LAZY_ET_NOT_HELD	for a journal of e2lazy_open_medium() without
 *				guards, or one with a given geometry
 *	E2LAZY_ET_LOCKED	if another program holds a lock on a device
 *	E2LAZY_ET_EARLIER_WRITE	if a write to a device failed, by any program,
 *				and the kernel has not told anybody yet
 *	E2LAZY_ET_UNSOUND	with a tail, if a problem asks or refuses
 *	EXT2_ET_INVALID_ARGUMENT for a tail that is not of this log, or frees
 *				nothing where e2lazy_verdict_void_fast() is 0
 * Once it has begun to write, the verdict is used, whatever the result.
 */
errcode_t e2lazy_checkpoint(struct e2lazy_view *view,
			    struct e2lazy_verdict *verdict,
			    const struct e2lazy_checkpoint_opts *opts,
			    struct e2lazy_checkpoint_done *done,
			    struct e2lazy_where *where);

/* -------------------------------------------------------------- relog --- */

/* Drop copies that equal their static blocks instead of logging them again. */
#define E2LAZY_RELOG_DROP_HOME	0x02

/* Logging live copies again, at the head of the log. */
struct e2lazy_relog {
	bool		fits;		/* else @needed and @room tell why */
	bool		wraps;		/* it fits, but the log would begin to
					   wrap: E2LAZY_ET_WOULD_WRAP */
	uint32_t	rounds;
	uint32_t	txns;		/* new transactions with copies */
	uint32_t	blocks;		/* log blocks to write */
	uint32_t	blocks_after;	/* log blocks of the log afterwards */
	uint64_t	copies;		/* in them */
	uint64_t	dropped;	/* by E2LAZY_RELOG_DROP_HOME */
	uint64_t	control_before;	/* control blocks of the log, which a */
	uint64_t	control_after;	/* mount must read */
	uint32_t	free_before;	/* ring blocks without log */
	uint32_t	free_after;
	uint32_t	needed, room;	/* log blocks, of the round that does
					   not fit */

	/* The rest is known only with options. */
	uint32_t	cleared;	/* blocks that a transaction which broke
					   off has left, and of these: */
	uint32_t	cleared_behind;	/* behind the new transactions */
	uint64_t	read_bytes;	/* of the log, gaps included */
	uint64_t	write_bytes;
	uint64_t	replay_before;	/* blocks that a stock replay writes */
	uint64_t	replay_after;
	/* As in struct e2lazy_plan. */
	double		seconds, replay_seconds_before, replay_seconds_after;
};

/*
 * e2lazy_relog_plan - the cost of e2lazy_relog()
 * @opts: .tail NULL: all transactions; .flags E2LAZY_RELOG_DROP_HOME reads the
 *        static blocks; .checkpoint hears of the blocks of an internal journal
 *        that it writes, .replay of a stock replay afterwards.  NULL: without
 *        a tail, and without the cost, which needs a walk through the log
 *
 * If the live copies do not fit the free part of the ring at once, it takes
 * several rounds.  It does not fit if not even one transaction's do.
 */
errcode_t e2lazy_relog_plan(const struct e2lazy_subject *subject,
			    const struct e2lazy_plan_opts *opts,
			    struct e2lazy_relog *out);

/*
 * The finding for which e2lazy_relog() refuses a log that is sound for a
 * checkpoint: a newest copy is bad, but the static block is right.  NULL: none.
 */
const struct e2lazy_finding *
e2lazy_verdict_bars_relog(const struct e2lazy_verdict *verdict);

/*
 * e2lazy_relog_estimate - what logging all live copies again would win
 *
 * From the map's own numbers, without reading.  @out->fits only if the free
 * part of the ring has room for all of them at once; else a plan tells whether
 * it works in rounds.  Its costs are not filled.
 */
void e2lazy_relog_estimate(const struct e2lazy_journal *journal,
			   const struct e2lazy_jmap *map,
			   struct e2lazy_relog *out);

/*
 * e2lazy_relog - log the live copies of the oldest transactions again
 * @opts: .tail NULL: of all, so that the log becomes the live copies alone;
 *        .flags E2LAZY_CHECKPOINT_COMPARE reads the new transactions back,
 *        copies before their commit block, and E2LAZY_RELOG_DROP_HOME
 *
 * Each new transaction has at most a quarter of the ring, its copies ascend by
 * static block, and its commit block is written when the rest is durable.  The
 * tail moves at the end of each round (lib/mend/relog.c).  No static block
 * changes, except the superblock if needs_recovery was clear.  Fast commits are
 * cleared as with a tail.  A replay gives the same blocks as before.  In @done,
 * .blocks_written counts log blocks and .passes rounds.  Errors as for
 * e2lazy_checkpoint() with a tail, E2LAZY_ET_UNSOUND also for a newest copy that is
 * bad and in place, E2LAZY_ET_NO_ROOM, and, beside a fast-commit area,
 * E2LAZY_ET_WOULD_WRAP for a log that does not wrap yet.
 */
errcode_t e2lazy_relog(struct e2lazy_view *view, struct e2lazy_verdict *verdict,
		       const struct e2lazy_checkpoint_opts *opts,
		       struct e2lazy_checkpoint_done *done,
		       struct e2lazy_where *where);

/* ------------------------------------------------------- fast commits --- */

struct e2lazy_fast_plan {
	uint32_t	records, tid;	/* of it; 0 records: nothing waits */
	uint64_t	copies;		/* blocks in it, with the superblock */
	uint32_t	blocks, room;	/* log blocks: needed, and free for it */
	bool		fits;
	bool		wraps;		/* the log would begin to wrap, even
					   with more room: none is made */
	/* If it does not fit: a tail that makes room; txns 0: none does. */
	struct e2lazy_tail tail;
};

/* To use @out->tail, let e2lazy_checkpoint() free it; judge the log anew. */
errcode_t e2lazy_fast_plan(const struct e2lazy_verdict *verdict,
			   struct e2lazy_fast_plan *out);

/*
 * Make a transaction of the fast commits, which voids them (lib/mend/fast.c).
 * Of @opts .flags and .tail must not be set, and .memory and .failed do not
 * count.  Judge the log anew then.  Errors as for a checkpoint with a tail, E2LAZY_ET_NO_ROOM and
 * E2LAZY_ET_WOULD_WRAP.
 */
errcode_t e2lazy_fast_log(struct e2lazy_view *view,
			  struct e2lazy_verdict *verdict,
			  const struct e2lazy_checkpoint_opts *opts,
			  struct e2lazy_checkpoint_done *done,
			  struct e2lazy_where *where);

/* ------------------------------------------------------------ restore --- */

struct e2lazy_restore_done {
	bool		begun;		/* a write has begun */
	bool		in_force;	/* the next mount replays the log */
};

/*
 * e2lazy_restore - put a log back in force
 * @view:    of a journal that was opened by a geometry (e2lazy_salvage.h) with
 *           a tail; its devices must not have changed
 * @verdict: of this view, with E2LAZY_VERIFY_CONTENT and _RESTORE and without
 *           an open question
 * @opts:    may be NULL; manager, keeper, locked and priv count
 * @done:    always filled
 * @where:   may be NULL; on failure the device or block
 *
 * Sets needs_recovery in the superblock, then s_start, s_sequence and whatever
 * else is lost of the journal superblock.  Nothing is replayed.  A crash in
 * between leaves the log as lost as before, and a second run finishes.
 *
 * Errors as of e2lazy_checkpoint().  E2LAZY_ET_NOT_HELD if the journal has no
 * inode in the file system: no kernel would find it.
 */
errcode_t e2lazy_restore(struct e2lazy_view *view,
			 struct e2lazy_verdict *verdict,
			 const struct e2lazy_checkpoint_opts *opts,
			 struct e2lazy_restore_done *done,
			 struct e2lazy_where *where);

#ifdef __cplusplus
}
#endif

#endif /* E2LAZY_MEND_H */
