/* SPDX-License-Identifier: GPL-2.0-only */
/* log.c - states: the log is damaged, or not what it seems */
#include "rows.h"

const struct diagnosis log_states[] = {
	{ OWN("hidden-log", GRAVE, GO, DAMAGED),
	  N_("the journal superblock hides a log that is not in place"),
	  N_("The ring has a whole log, and a field of the journal "
	     "superblock contradicts it: the start, the sequence number or a "
	     "feature.  Every recovery takes the log for empty.  The next "
	     "mount for writing overwrites the ring."),
	  N_("copy the device before anything replays the log"),
	  .holds = is_contradicted,
	  .tools = TOOLS(PASSES, PASSES, PASSES, PASSES, CLEAN),
	  .steps = { SAVE_RING } },
	{ OWN("leftover-block", GRAVE, GO, DAMAGED),
	  N_("the damage at the end of the log is a leftover"),
	  N_("A block of an earlier journal stands exactly where the next "
	     "transaction would begin, with its number but with another "
	     "checksum.  No block of this log stands behind it.  A kernel "
	     "takes it for damage and refuses the mount, and e2fsck drops "
	     "the whole log.  e2lazyck writes back all of it."),
	  N_("write the log back with e2lazyck, not with a kernel or e2fsck"),
	  .holds = ends_by_leftover_block,
	  .tools = TOOLS(REFUSES, DROPS, DROPS, DROPS, CLEAN),
	  .steps = { SAVE_LOG } },
	{ PROBLEM(BLOCK_CSUM),
	  N_("bad checksum of a descriptor or revoke block in a committed "
	     "transaction"),
	  N_("The transaction's list of blocks is lost.  A kernel and e2fsck "
	     "replay nothing at all of such a log.  e2lazyck also takes the "
	     "sound blocks behind the damage (behind-damage), unless it has "
	     "--stop-at-damage."),
	  COPY_DEVICE,
	  .question = GIVE_UP_THE_REST,
	  .holds = ends_by_bad_block,
	  .tools = TOOLS(REFUSES, DROPS, DROPS, DROPS, CLEAN),
	  .steps = { SAVE_LOG } },
	{ PROBLEM(REVOKE_COUNT),
	  N_("a revoke block's byte count is larger than the block"),
	  N_("The transaction's list of revoked blocks is lost, so e2lazyck "
	     "leaves out the transaction and all later ones: the file system "
	     "would fall back to the state before it."),
	  COPY_DEVICE,
	  .question = GIVE_UP_THE_REST,
	  .tools = TOOLS(REFUSES, DROPS, DROPS, DROPS, CLEAN),
	  .steps = { SAVE_LOG } },
	{ OWN("leftover-commit", GRAVE, GO, DAMAGED),
	  N_("the commit block at the end of the log is a leftover"),
	  N_("A commit block of an earlier journal stands exactly where the "
	     "next transaction would begin.  No block of this log stands "
	     "behind it.  A kernel takes it for damage and refuses the "
	     "mount; e2fsck replays the log up to it, which is all of it."),
	  N_("write the log back with e2lazyck, not with a kernel or e2fsck"),
	  .holds = ends_by_leftover_commit,
	  .tools = TOOLS(PARTLY, CUTS, CUTS, CUTS, CLEAN),
	  .steps = { SAVE_LOG } },
	{ PROBLEM(COMMIT_CSUM),
	  N_("bad checksum of a commit block"),
	  N_("e2lazyck leaves out the transaction and all later ones: the "
	     "file system would fall back to the state before it.  A kernel "
	     "refuses to mount such a file system."),
	  COPY_DEVICE,
	  .question = GIVE_UP_THE_REST,
	  .holds = ends_by_bad_commit,
	  .tools = TOOLS(PARTLY, CUTS, CUTS, CUTS, CLEAN),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_FILES, STEP_VIEW_WRITTEN,
	    STEP_HISTORIES, STEP_PLAN, STEP_WRITE_BACK, STEP_CHECK } },
	{ PROBLEM(BLOCK_TYPE),
	  N_("a journal block has an unknown type"),
	  N_("The block has the magic and the transaction number of the log, "
	     "but its type is unknown.  e2lazyck leaves out its transaction "
	     "and all later ones: the file system would fall back to the "
	     "state before it."),
	  COPY_DEVICE,
	  .question = GIVE_UP_THE_REST,
	  .holds = ends_by_type,
	  .tools = TOOLS(CUTS, CUTS, CUTS, CUTS, CLEAN),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_FILES, STEP_VIEW_WRITTEN,
	    STEP_HISTORIES, STEP_PLAN, STEP_WRITE_BACK, STEP_CHECK } },
	{ PROBLEM(LATER_TRANSACTIONS),
	  N_("committed blocks follow the place where the log breaks off"),
	  N_("A block in the middle of the log was lost or overwritten.  "
	     "Every recovery takes this place for the end of the log and "
	     "silently drops the transactions behind it.  Copy the device "
	     "before anything replays the log."),
	  COPY_DEVICE,
	  .question = GIVE_UP_THE_REST,
	  .holds = ends_by_hole,
	  .tools = TOOLS(CUTS, CUTS, CUTS, CUTS, CLEAN),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_FILES, STEP_VIEW_WRITTEN,
	    STEP_HISTORIES, STEP_PLAN, STEP_WRITE_BACK, STEP_CHECK } },
	{ PROBLEM(GIVEN_UP),
	  N_("a checkpoint would give up the transaction that holds a "
	     "block's newest copy"),
	  N_("The transaction is damaged or follows the damage.  A "
	     "checkpoint writes back only the transactions before the "
	     "damage, so these blocks stay at an older state, and their "
	     "newest copies are lost with the log.  More blocks may be "
	     "affected, for a damaged block of the log cannot be read.  Copy "
	     "the device before you write anything."),
	  COPY_DEVICE,
	  .question = N_("Leave these blocks at an older state, and give up "
			 "their newest copies?") },
	{ PROBLEM(REVOKE_GIVEN_UP),
	  N_("a transaction that a checkpoint would give up revokes a live "
	     "copy"),
	  N_("A transaction that is damaged or follows the damage freed the "
	     "block.  The block may hold something else by now, such as "
	     "contents of a file.  The file system before the damage needs "
	     "the copy, so a checkpoint writes the copy over the block, as "
	     "other tools do in a replay.  Copy the device before you write "
	     "anything."),
	  COPY_DEVICE,
	  .question = N_("Write these copies home, over possibly newer "
			 "contents of the blocks?") },
	{ PROBLEM(OLDER_COPY),
	  N_("the newest copy of a block is bad, and an older copy in the "
	     "log is good"),
	  N_("LOGBLK and TID name the older copy; AGE counts the "
	     "transactions between it and the bad one.  The older copy does "
	     "not fit the block's neighbours, which come home newer.  The "
	     "block in place is older still and does not fit either.  The "
	     "file system is a mixture in both cases.  e2fsck writes the "
	     "older copy, too.  Run e2fsck -f after the log is written back."),
	  COPY_AND_CHECK,
	  .question = N_("Write the older copies home, and accept a mixture "
			 "of older and newer blocks?"),
	  .second = N_("Keep the blocks in place instead, which are older "
		       "still, and drop all their copies?"),
	  .tools = TOOLS(PARTLY, OLDER, OLDER, OLDER, CLEAN),
	  .steps = { SAVE_LOG } },
	{ PROBLEM(DATA_CSUM),
	  N_("bad checksum of a copy in the log"),
	  N_("Every copy of the block in the log is damaged.  The static "
	     "block is older and does not fit its neighbours.  Run e2fsck -f "
	     "after the other blocks are written back."),
	  COPY_AND_CHECK,
	  .question = N_("Keep these blocks in place, older than the log, "
			 "and drop their copies?"),
	  .tools = TOOLS(PARTLY, OLDER, OLDER, OLDER, CLEAN),
	  .steps = { SAVE_LOG } },
	{ PROBLEM(BAD_COPY_AT_HOME),
	  N_("the newest copy of a block is bad, but the static block is "
	     "right"),
	  N_("The kernel wrote the block home before its copy went bad: the "
	     "checksum in the log fits the static block.  No data is lost.  "
	     "A kernel verifies the copy as it replays the log, and refuses "
	     "to mount the file system.  e2fsck puts an older copy over the "
	     "block if the log has one.  A checkpoint by e2lazyck leaves the "
	     "block as it is, and empties the log: the file system mounts "
	     "again."),
	  USE_E2LAZYCK,
	  .tools = TOOLS(PARTLY, MIXES, MIXES, MIXES, CLEAN),
	  .steps = { SAVE_LOG } },
	{ PROBLEM(REPLAYED_BEFORE),
	  N_("transactions of the log look as if they had been replayed "
	     "before"),
	  N_("Their commit times go back, and their blocks or inodes are "
	     "older than those of the transactions before them.  A tool that "
	     "replays a log without raising s_sequence leaves such "
	     "transactions behind the next log.  A kernel and e2fsck replay "
	     "the old blocks over the new ones.  To save the file system, "
	     "copy it out of e2lazy view --until-tid with the number of the "
	     "transaction before."),
	  COPY_DEVICE,
	  .question = N_("Write back these transactions too, as a replay "
			 "does?"),
	  .tools = TOOLS(PUTS_BACK, PUTS_BACK, PUTS_BACK, PUTS_BACK, CLEAN),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_HISTORIES, STEP_FILES,
	    STEP_VIEW } },
	{ PROBLEM(COMMIT_BEFORE_MKFS),
	  N_("a transaction of an earlier file system follows the log's own"),
	  N_("mke2fs did not zero the journal (lazy_journal_init).  The log "
	     "ends exactly where a transaction of the earlier file system "
	     "begins, and that transaction, or a fast commit, has the next "
	     "number.  Checksums show this only if the two file systems have "
	     "different UUIDs.  Here the times go back to before mke2fs, or "
	     "the inodes are those of other files.  A kernel and e2fsck "
	     "replay the earlier file system's blocks over this one.  To "
	     "save this file system, copy it out of e2lazy view --until-tid "
	     "with the number of the transaction before.  If the machine's "
	     "clock was set back instead, the log is sound."),
	  COPY_DEVICE,
	  .question = N_("Write back these transactions too, as a replay "
			 "does?"),
	  .tools = TOOLS(OVERWRITES, OVERWRITES, OVERWRITES, OVERWRITES, CLEAN),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_HISTORIES, STEP_FILES,
	    STEP_VIEW } },
	{ PROBLEM(TAIL_CONTRADICTED),
	  N_("the journal superblock omits transactions in the ring that are "
	     "not in place"),
	  N_("A flipped bit in s_start or s_sequence hides a log like this; "
	     "then the copies in the ring are the newest.  If debugfs or "
	     "tune2fs changed the file system in place since then, they are "
	     "not.  Copy the device before you write or mount anything: both "
	     "overwrite the ring."),
	  N_("copy the device before anything replays the log"),
	  .question = N_("Trust the journal superblock, and give up these "
			 "transactions?"),
	  .holds = has_strays,
	  .tools = TOOLS(PASSES, PASSES, PASSES, PASSES, CLEAN),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_SALVAGE, STEP_HISTORIES,
	    STEP_FILES, STEP_VIEW_RING, STEP_UNDELETE, RESTORE,
	    STEP_WRITE_BACK } },
	{ PROBLEM(DISCARDED_LOG),
	  N_("the log was emptied unread; its copies may be newer than the "
	     "blocks in place"),
	  N_("A mount discarded the log while needs_recovery was clear, or "
	     "e2fsck was told to clear the log, or a lazy mount ended as an "
	     "ordinary one.  Blocks differ from their last copy.  The next "
	     "mount for writing overwrites those copies: copy the device "
	     "first.  e2fsck -f makes the file system consistent, but not "
	     "newer.  After e2fsck -f or a repair by hand, not every "
	     "differing copy is newer."),
	  N_("copy the device before you mount it for writing"),
	  .tools = TOOLS(FRESH, IDLE, IDLE, FREES, CLEAN),
	  .steps = { COPY_BOTH, STEP_HISTORIES, STEP_FILES, STEP_VIEW_RING,
	    STEP_UNDELETE, RESTORE, STEP_WRITE_BACK } },
	{ NULL }
};
