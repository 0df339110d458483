/* SPDX-License-Identifier: GPL-2.0-only */
/* notes.c - states: what forbids to restore a log, hazards, and notes */
#include "rows.h"

const struct diagnosis notes_states[] = {
	{ PROBLEM(DAMAGED),
	  N_("the log is damaged; committed blocks may be missing from the map"),
	  N_("e2lazy info sums up all damage in one row: bad copies, "
	     "unreadable transactions and the transactions after them.  "
	     "e2lazyck reports each of them."),
	  COPY_DEVICE,
	  .hazard = has_damage },
	{ PROBLEM(NEWER_IN_RING),
	  N_("the ring has newer transactions than the log to restore, or "
	     "traces of them"),
	  N_("A later mount has committed to the ring, or damage has cut the "
	     "log.  A replay of the older log would undo the changes of that "
	     "mount."),
	  LOOK_AT_HISTORY },
	{ PROBLEM(LATER_MOUNT),
	  N_("the file system was mounted after the log was written"),
	  N_("The superblock in place names a mount after the log's first "
	     "commit, or another mount than the superblock's copy in the "
	     "log.  That mount could write to any block, and a replay of the "
	     "older log would undo these writes."),
	  LOOK_AT_HISTORY },
	{ PROBLEM(LATER_CHECK),
	  N_("e2fsck has checked the file system after the log was written"),
	  N_("e2fsck has made the blocks in place consistent without the "
	     "log.  A replay would mix them with older ones."),
	  LOOK_AT_HISTORY },
	{ PROBLEM(LATER_INODE),
	  N_("an inode in place is newer than its copy in the log"),
	  N_("jbd2 writes a block in place only after its log, so another "
	     "program has written COUNT blocks since.  A replay would undo "
	     "its changes."),
	  LOOK_AT_HISTORY },
	{ PROBLEM(LATER_WRITE),
	  N_("the superblock was written after the log's last commit"),
	  N_("A tool that only clears a flag, such as needs_recovery, writes "
	     "the superblock; so does one that changes files.  Nothing else "
	     "shows a later write.  Restore the log only if you know which "
	     "tool it was; copy the device first."),
	  COPY_DEVICE,
	  .question = N_("Did that tool change nothing but flags of the "
			 "superblock?") },
	{ PROBLEM(BEGIN_UNKNOWN),
	  N_("the ring does not show where the log begins"),
	  N_("A gap or damage precedes the first whole transaction, and the "
	     "journal superblock does not name it.  Earlier transactions of "
	     "the log may be missing, and a replay without them mixes new "
	     "blocks with old ones.  'e2lazy view --geometry auto' shows the "
	     "file system with the rest."),
	  COPY_DEVICE },
	{ PROBLEM(DROPPED_IN_PLACE),
	  N_("a block in place may be as a dropped transaction left it"),
	  N_("The block has no copy in the transactions that would be "
	     "written back.  Either it equals its copy in a dropped "
	     "transaction, or nothing proves that it does not: the "
	     "transaction revoked it, or the log has lost its oldest part.  "
	     "So the state before the dropped transactions cannot be written "
	     "back whole.  Copy the files out of a view of that state "
	     "instead."),
	  COPY_DEVICE },
	{ PROBLEM(DROPPED_UNKNOWN),
	  N_("the log is damaged after the last transaction to write back"),
	  N_("A damaged control block hides which blocks the transactions to "
	     "drop have changed, so nothing proves that none of these blocks "
	     "is in place already.  Copy the files out of a view of that "
	     "state instead."),
	  COPY_DEVICE },
	{ PROBLEM(DROPPED_FREED_UNKNOWN),
	  N_("a dropped transaction's copy of a block bitmap cannot be read, so "
	     "nobody knows which blocks it freed"),
	  N_("The place is that of the bitmap.  Each block that it covers may "
	     "have been freed, and have other contents by now, but e2lazyck "
	     "cannot list them.  Compare the files that have blocks there "
	     "with a backup."),
	  COPY_DEVICE,
	  .question = N_("Write back the state before, although any block of "
			 "this group may have other contents?") },
	{ PROBLEM(DROPPED_FREED),
	  N_("a dropped transaction freed the block, so it may have other "
	     "contents by now"),
	  N_("The block belongs to a file in the state before the dropped "
	     "transactions.  A freed block is free for other files as soon "
	     "as its transaction is committed, and their contents are not "
	     "logged.  Compare the files with a backup."),
	  COPY_DEVICE,
	  .question = N_("Write back the state before, although these blocks "
			 "may have other contents?") },
	{ PROBLEM(DROPPED_NOT_PROVEN),
	  N_("without checksums a copy in a dropped transaction may be damaged "
	     "unseen"),
	  N_("The block has no copy in the transactions that would be written "
	     "back, and it differs from its copy in a dropped one.  So it is "
	     "as before, unless that copy is damaged: then it may be as the "
	     "dropped transaction left it.  The journal has no checksums that "
	     "could tell.  Check the file system with e2fsck -f afterwards."),
	  COPY_DEVICE,
	  .question = N_("Write back the state before, although these blocks "
			 "may be newer?") },
	{ PROBLEM(DROPPED),
	  N_("the last transactions of the log would be dropped"),
	  N_("The log would be written back up to an earlier transaction, "
	     "and then emptied.  The changes of these transactions are lost, "
	     "except for file contents that are in place.  It makes sense if "
	     "a copy in one of them is damaged, and the file system before "
	     "it is whole."),
	  COPY_DEVICE,
	  .question = N_("Drop these transactions, and write back the state "
			 "before them?") },
	{ PROBLEM(FULL),
	  N_("the log fills its ring"),
	  N_("The ring has no room for another transaction.  Write the log "
	     "back, or make the journal larger."),
	  MAKE_ROOM,
	  .hazard = is_full },
	{ PROBLEM(CROWDED),
	  /* xgettext:no-c-format */
	  N_("more than 70% of the ring is live; a kernel that keeps the log "
	     "lazily slows down"),
	  N_("The cleaner copies nearly as many blocks forward as it frees.  "
	     "e2lazy info reports this hazard; e2lazyck does not."),
	  MAKE_ROOM,
	  .hazard = is_crowded },
	{ PROBLEM(EMPTIED_BY_TOOLS),
	  N_("this is a lazy journal: a mount without journal_lazy, e2fsck "
	     "-p and tune2fs empty it"),
	  N_("Each of them silently writes all copies in place: no block is "
	     "lost, but it takes time.  e2lazy info reports this hazard; "
	     "e2lazyck does not."),
	  N_("keep fsck at boot and tune2fs away from it"),
	  .hazard = emptied_by_tools },
	{ PROBLEM(TORN_COMMIT),
	  N_("a commit block is torn; new kernels accept it, e2fsck and "
	     "older kernels do not"),
	  N_("The meaningful part of the block reached the disk, but the "
	     "rest did not.  e2lazyck counts the transaction, as Linux 6.12 "
	     "and later do."),
	  N_("replay the log with Linux 6.12 or later, or write it back with "
	     "e2lazyck"),
	  .told = true,
	  .tools = TOOLS(REPLAYS, DROPS_TORN, DROPS_TORN, DROPS_TORN, CLEAN),
	  .steps = { SAVE_LOG }, .hazard = has_torn },
	{ PROBLEM(UNCOMMITTED_TAIL),
	  N_("the last transaction is not committed; recovery ignores it"),
	  N_("A crash leaves a log like this, and loses nothing that a "
	     "program was promised.  The loader of the ext4-lazy patches of "
	     "2017 maps the transaction nevertheless: write the log back, or "
	     "replay it with another kernel."),
	  N_("replay the log, but not with the ext4-lazy patches of 2017, "
	     "which map the transaction"),
	  .hazard = has_tail },
	{ PROBLEM(END_NOT_PROVEN),
	  N_("the log seems to end here; the rest of the ring was not read"),
	  N_("Damage over more blocks than one descriptor describes looks "
	     "like the end of a log.  --quick stops before it has read that "
	     "far, so nothing is written after it.  Without --quick e2lazyck "
	     "reads on until nothing newer can follow."),
	  N_("run e2lazyck without --quick") },
	{ PROBLEM(RECOVERY_OF_NOTHING),
	  N_("needs_recovery is set, but the log is empty"),
	  N_("The flag is harmless: the next mount or a checkpoint clears it."),
	  N_("harmless; the next mount clears it"),
	  .hazard = recovery_of_nothing },
	{ PROBLEM(SUPERBLOCK_NEWER),
	  N_("the superblock in place was written later than its copy in the "
	     "log"),
	  N_("The kernel writes the superblock both in place and through the "
	     "log.  A checkpoint merges the two; other tools replay the "
	     "older one over the newer."),
	  N_("write the log back with e2lazyck, which merges the two") },
	{ PROBLEM(TIMES_GO_BACK),
	  N_("commit times go back in the log"),
	  N_("The clock went back COUNT times: it was set, or the machine has "
	     "none.  Nothing else shows that the transactions are not in "
	     "order."),
	  N_("nothing needs to be done") },
	{ PROBLEM(TAG_ON_BACKUP),
	  N_("the log holds a copy of a backup superblock or of backup group "
	     "descriptors"),
	  N_("An online resize logs these blocks.  Do not repair anything "
	     "from those backups before the log is written back."),
	  N_("repair nothing from those backups before the log is written "
	     "back") },
	{ PROBLEM(COPY_OF_FREE),
	  N_("the log holds a copy of a free or unwritten block"),
	  N_("The block was in use when it was logged, and was freed later.  "
	     "It may belong to another file by now, which has not written it "
	     "yet and shows zeros there.  A checkpoint writes the copy "
	     "without harm."),
	  N_("harmless; nobody reads the block") },
	{ PROBLEM(JOURNALED_DATA),
	  N_("the log holds contents of files that are not marked as "
	     "journaled"),
	  N_("The file system was probably mounted with data=journal by hand, "
	     "which leaves no trace on the device, or a file grew out of its "
	     "inode (inline_data).  The copies are the files' newest "
	     "contents, and a checkpoint writes them in place."),
	  N_("write the log back: the copies are the newer contents") },
	{ PROBLEM(ORPHANS),
	  N_("files deleted while open, or being truncated, may wait for "
	     "e2fsck or the next mount"),
	  N_("Their blocks are still in use.  A checkpoint writes the list of "
	     "these files in place and does not process it; e2fsck and a "
	     "mount for writing do.  With an orphan file the superblock keeps "
	     "orphan_present until then, and a kernel that does not know this "
	     "flag refuses to mount the file system for writing.  The note "
	     "also appears if the orphan file is damaged."),
	  N_("write the log back, then run e2fsck or mount the file system") },
	{ PROBLEM(STATIC_STALE),
	  N_("static blocks, including bitmaps, are older than the log"),
	  N_("A program that does not read the log shows the state before "
	     "it, as debugfs -c and e2fsck -n do.  e2lazy info reports this "
	     "hazard; e2lazyck does not."),
	  N_("use debuglazy or e2lazy view; debugfs and e2fsck -n see the "
	     "state before the log"),
	  .hazard = has_live_copies },
	{ OWN("sound", NOTE, GO, SOUND_IN_USE),
	  N_("the log is sound; an ordinary mount replays it"),
	  N_("All blocks in the log are sound, and each of these tools writes "
	     "them back without loss.  doctor also checks the root directory, "
	     "the special inodes, the group descriptors and the bitmaps; "
	     "e2fsck -fn in a view checks the rest of the file system.  If it "
	     "finds damage, or the mount fails, copy the files with e2lazy "
	     "rescue."),
	  N_("mount the file system, or write the log back"),
	  .holds = is_sound,
	  .tools = TOOLS(REPLAYS, REPLAYS, REPLAYS, REPLAYS, CLEAN),
	  .steps = { STEP_VIEW_CHECK, STEP_VIEW, STEP_DOWNGRADE, STEP_MOUNT,
	    STEP_WRITE_FILES } },
	{ OWN("clean", NOTE, GO, CLEAN),
	  N_("the log is empty; there is nothing to replay"),
	  N_("The journal is sound.  Its ring may still have older "
	     "transactions, and with them the names and contents of deleted "
	     "files.  doctor also checks the root directory, the special "
	     "inodes, the group descriptors and the bitmaps; e2fsck -fn on a "
	     "copy checks the rest of the file system.  If the mount fails, "
	     "look at dmesg, then run e2lazy rescue."),
	  N_("nothing needs to be done"),
	  .holds = is_empty, .tools = TOOLS(IDLE, IDLE, IDLE, IDLE, CLEAN),
	  .steps = { STEP_VIEW_EMPTY, STEP_UNDELETE, STEP_MOUNT_UNWRITTEN,
	    STEP_MOUNT_EMPTY } },
	{ NULL }
};
