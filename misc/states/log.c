/* SPDX-License-Identifier: GPL-2.0-only */
/* log.c - states: the log is damaged, or not what it seems */
#include "rows.h"

const struct diagnosis log_states[] = {
	{ OWN("hidden-log", GRAVE, GO, DAMAGED),
	  N_("the journal superblock hides a log whose blocks are not all in "
	     "place"),
	  N_("The ring has a whole log, and a field of the journal superblock "
	     "contradicts it: the start, the sequence number or a feature.  "
	     "Every recovery treats the log as empty.  The next mount for "
	     "writing overwrites the ring."),
	  N_("copy the device before anything replays the log"),
	  .holds = is_contradicted,
	  .tools = TOOLS(PASSES, PASSES, PASSES, PASSES, CLEAN),
	  .steps = { SAVE_RING } },
	{ OWN("leftover-block", GRAVE, GO, DAMAGED),
	  N_("the log ends at a leftover block of an earlier journal, which "
	     "looks like damage"),
	  N_("A block of an earlier journal is exactly where the next "
	     "transaction would begin.  It has that transaction's number but "
	     "another checksum, and no block of this log follows it.  A "
	     "kernel treats the block as damage and refuses the mount; e2fsck "
	     "drops the whole log.  e2lazyck writes the whole log back."),
	  N_("write the log back with e2lazyck, not with a kernel or e2fsck"),
	  .holds = ends_by_leftover_block,
	  .tools = TOOLS(REFUSES, DROPS, DROPS, DROPS, CLEAN),
	  .steps = { SAVE_LOG } },
	{ PROBLEM(BLOCK_CSUM),
	  N_("bad checksum of a descriptor or revoke block in a committed "
	     "transaction"),
	  N_("The transaction's list of blocks is lost.  A kernel and e2fsck "
	     "replay nothing at all of such a log.  e2lazyck also writes back "
	     "the sound blocks after the damage (see behind-damage), unless "
	     "--stop-at-damage is given."),
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
	  N_("the log ends at a leftover commit block of an earlier journal"),
	  N_("A commit block of an earlier journal is exactly where the next "
	     "transaction would begin, and no block of this log follows it.  "
	     "A kernel treats the block as damage and refuses the mount.  "
	     "e2fsck replays the log up to the block, which is the whole log."),
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
	  N_("committed transactions follow a lost block of the log"),
	  N_("A block in the middle of the log was lost or overwritten.  "
	     "Every recovery takes this place for the end of the log and "
	     "silently drops the transactions after it.  Copy the device "
	     "before anything replays the log."),
	  COPY_DEVICE,
	  .question = GIVE_UP_THE_REST,
	  .holds = ends_by_hole,
	  .tools = TOOLS(CUTS, CUTS, CUTS, CUTS, CLEAN),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_FILES, STEP_VIEW_WRITTEN,
	    STEP_HISTORIES, STEP_PLAN, STEP_WRITE_BACK, STEP_CHECK } },
	{ PROBLEM(GIVEN_UP),
	  N_("a checkpoint would skip the transaction that has a block's "
	     "newest copy"),
	  N_("The transaction is damaged or follows the damage.  A "
	     "checkpoint writes back only the transactions before the "
	     "damage, so these blocks stay at an older state, and their "
	     "newest copies are lost with the log.  More blocks may be "
	     "affected, for a damaged block of the log cannot be read.  Copy "
	     "the device before you write anything."),
	  COPY_DEVICE,
	  .question = N_("Leave these blocks at an older state, and drop "
			 "their newest copies?") },
	{ PROBLEM(REVOKE_GIVEN_UP),
	  N_("a transaction that a checkpoint would skip revokes a live copy"),
	  N_("A transaction that is damaged or follows the damage freed the "
	     "block.  The block may hold something else by now, such as "
	     "contents of a file.  The file system before the damage needs "
	     "the copy, so a checkpoint writes the copy over the block, as "
	     "other tools do in a replay.  Copy the device before you write "
	     "anything."),
	  COPY_DEVICE,
	  .question = N_("Write these copies in place, over possibly newer "
			 "contents of the blocks?") },
	{ PROBLEM(TAG_RECOVERED),
	  N_("the content of a copy proves its tag in a damaged descriptor"),
	  N_("The descriptor's checksum is bad, so one of its tags may name a "
	     "wrong block.  The checksum in a tag proves the copy, but not "
	     "the block's number.  The contents of these copies prove their "
	     "place: the number of an inode, the group's descriptor, or the "
	     "map of the directory or file that has the block.  e2lazyck "
	     "writes them, and the sound transactions after the damage.  The "
	     "other blocks of the descriptor stay older (tag-lost), so the "
	     "result is a mixture: before e2lazyck asks, it runs e2fsck -fn "
	     "on the file system as it would be.  With --stop-at-damage it "
	     "writes only what is before the damage."),
	  COPY_DEVICE,
	  .question = N_("Write the copies that prove their own place, and "
			 "leave the other blocks of the descriptor older?") },
	{ PROBLEM(TAG_LOST),
	  N_("nothing proves the tag of a copy in a damaged descriptor"),
	  N_("The copy stays unwritten: its tag may name a wrong block, and a "
	     "block written to a wrong place destroys another one.  Contents "
	     "of files never prove their place.  LOGBLK is the copy, which "
	     "'debugfs -R \"dump <8> FILE\"' and dd can save, and FSBLK is the "
	     "block that the tag names.  Without FSBLK the tag's checksum "
	     "does not fit the copy either."),
	  COPY_DEVICE },
	{ PROBLEM(OLDER_COPY),
	  N_("the newest copy of a block is bad, and an older copy in the "
	     "log is good"),
	  N_("LOGBLK and TID name the older copy; AGE counts the transactions "
	     "between it and the bad one.  The file system becomes a mixture "
	     "of two states either way: the older copy is older than the "
	     "blocks around it, and the block in place is older still.  "
	     "e2fsck also writes the older copy.  Run e2fsck -f after the log "
	     "is written back."),
	  COPY_AND_CHECK,
	  .question = N_("Write the older copies in place, and accept a "
			 "mixture of older and newer blocks?"),
	  .second = N_("Keep the blocks in place instead, which are older "
		       "still, and drop all their copies?"),
	  .tools = TOOLS(PARTLY, OLDER, OLDER, OLDER, CLEAN),
	  .steps = { SAVE_LOG } },
	{ PROBLEM(DATA_CSUM),
	  N_("bad checksum of a copy in the log"),
	  N_("Every copy of the block in the log is damaged.  The static "
	     "block is older than the blocks around it.  Run e2fsck -f after "
	     "the other blocks are written back."),
	  COPY_AND_CHECK,
	  .question = N_("Keep these blocks in place, older than the log, "
			 "and drop their copies?"),
	  .tools = TOOLS(PARTLY, OLDER, OLDER, OLDER, CLEAN),
	  .steps = { SAVE_LOG } },
	{ PROBLEM(BAD_COPY_AT_HOME),
	  N_("the newest copy of a block is bad, but the static block is "
	     "right"),
	  N_("The kernel wrote the block in place before its copy was "
	     "damaged: the checksum in the log fits the static block.  No "
	     "data is lost.  A kernel verifies the copy as it replays the "
	     "log, and refuses to mount the file system.  e2fsck puts an "
	     "older copy over the block if the log has one.  A checkpoint by "
	     "e2lazyck leaves the block as it is, and empties the log: the "
	     "file system mounts again."),
	  USE_E2LAZYCK,
	  .tools = TOOLS(PARTLY, MIXES, MIXES, MIXES, CLEAN),
	  .steps = { SAVE_LOG } },
	{ PROBLEM(REPLAYED_BEFORE),
	  N_("transactions of the log look as if they had been replayed "
	     "before"),
	  N_("Their commit times go back, and their blocks or inodes are "
	     "older than those of the transactions before them.  A tool that "
	     "replays a log without raising s_sequence leaves such "
	     "transactions after the end of the next log.  A kernel and "
	     "e2fsck replay the old blocks over the new ones.  To save the "
	     "file system, copy it out of e2lazy view --until-tid with the "
	     "number of the transaction before."),
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
	  N_("A flipped bit in s_start or s_sequence hides part of a log; "
	     "then the copies in the ring are the newest.  If debugfs or "
	     "tune2fs changed the file system since then, the blocks in place "
	     "are newer.  Copy the device before you write or mount anything: "
	     "both overwrite the ring."),
	  N_("copy the device before anything replays the log"),
	  .question = N_("Trust the journal superblock, and drop these "
			 "transactions?"),
	  .holds = has_strays,
	  .tools = TOOLS(PASSES, PASSES, PASSES, PASSES, CLEAN),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_SALVAGE, STEP_HISTORIES,
	    STEP_FILES, STEP_VIEW_RING, STEP_UNDELETE, RESTORE,
	    STEP_WRITE_BACK } },
	{ PROBLEM(DISCARDED_LOG),
	  N_("the log was emptied unread; its copies may be newer than the "
	     "blocks in place"),
	  N_("Blocks in place differ from their last copy in the ring.  A "
	     "mount discards a log unread if needs_recovery is clear; e2fsck "
	     "does if it is told to clear the log, and so does a kernel that "
	     "unmounts a lazy file system in the ordinary way.  The next mount "
	     "for writing "
	     "overwrites the copies: copy the device first.  e2fsck -f makes "
	     "the file system consistent, but does not bring the copies "
	     "back.  If somebody has repaired the file system since, some "
	     "blocks in place are newer than their copies."),
	  N_("copy the device before you mount it for writing"),
	  .tools = TOOLS(FRESH, IDLE, IDLE, FREES, CLEAN),
	  .steps = { COPY_BOTH, STEP_HISTORIES, STEP_FILES, STEP_VIEW_RING,
	    STEP_UNDELETE, RESTORE, STEP_WRITE_BACK } },
	{ NULL }
};
