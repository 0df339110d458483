/* SPDX-License-Identifier: GPL-2.0-only */
/* copies.c - states: single copies in the log */
#include "rows.h"

/* A block of metadata whose own checksum is bad; that of the log is good. */
#define BAD_METADATA(number, line)				\
	{ PROBLEM(number), line, RUN_E2FSCK, COPY_AND_CHECK,	\
	  .question = WRITE_AS_LOGGED }

const struct diagnosis copies_states[] = {
	{ PROBLEM(COPY_OF_DATA),
	  N_("a copy in the log looks like metadata or was revoked before, "
	     "but its block holds contents of an unjournaled file"),
	  N_("The block held metadata once, and the file system freed it.  A "
	     "kernel forgot to revoke the copy, or logged it again after the "
	     "revoke.  A recovery writes the copy over the file's contents; "
	     "e2lazyck leaves it out.  The copies are newer contents only if "
	     "the file system was mounted with data=journal by hand and the "
	     "contents look like metadata: then --data-journal writes them in "
	     "place."),
	  N_("leave the blocks out, unless the file system was mounted with "
	     "data=journal"),
	  .question = N_("Keep the files' blocks in place, and drop the "
			 "copies?") },
	{ PROBLEM(DATA_BEFORE_LAZY),
	  N_("an early journal_lazy kernel kept a log with contents of "
	     "files, which may be newer in place"),
	  N_("A kernel mounted with data=journal, or wrote files with the "
	     "flag j, and crashed.  Then an early journal_lazy kernel "
	     "continued this log and wrote contents of files in place.  A "
	     "replay by a kernel or by e2fsck writes the log's contents over "
	     "them; e2lazyck leaves these copies out.  A file that was not "
	     "written again since has its newest contents in the log: then "
	     "--data-journal writes the copies in place.  Compare the files "
	     "with e2lazy view first."),
	  N_("compare the files in the view with those in place, then decide "
	     "which contents are newer"),
	  .question = N_("Keep the files' blocks in place, and drop the "
			 "copies?") },
	{ PROBLEM(DATA_BEFORE_DAMAGE),
	  N_("contents of files were logged before damage that may hide their "
	     "revokes"),
	  N_("The log continues after the damage.  The damaged part may have "
	     "revoked a block logged before it, and given the block to the "
	     "file that has it now: then the file's contents are in place, "
	     "and the copy belongs to another file.  Without such a revoke "
	     "the file system was mounted with data=journal, and the copy is "
	     "newer.  Nothing proves either, so e2lazyck leaves the copies "
	     "out.  Compare the files with e2lazy view first."),
	  N_("compare the files in the view with those in place, then decide "
	     "which contents are newer"),
	  .question = N_("Keep the files' blocks in place, and drop the "
			 "copies?") },
	{ PROBLEM(DUPLICATE_TAG),
	  N_("a transaction has two copies of the same block"),
	  N_("jbd2 never logs a block twice in a transaction.  The first copy "
	     "comes from a transaction that was never committed, and a loader "
	     "of the ext4-lazy patches of 2017 used its number again.  The "
	     "log therefore shows updates as committed that never were."),
	  COPY_DEVICE,
	  .question = N_("Write back this log, although it may hold updates "
			 "that were never committed?"),
	  .tools = TOOLS(REPLAYS, REPLAYS, REPLAYS, REPLAYS, CLEAN) },
	{ PROBLEM(LOST_ESCAPE),
	  N_("the newest copy of a block has lost its first four bytes"),
	  N_("The block begins with the journal's magic, which the log "
	     "stores as zeros and a mark.  A cleaner copied the block "
	     "forward without the mark: the copy equals the older one except "
	     "for the zeros.  The file or symbolic link would begin with "
	     "zeros."),
	  N_("write the log back, then look at the files that own the blocks"),
	  .question = N_("Write these blocks in place with zeros in their "
			 "first four bytes?") },
	{ PROBLEM(TAG_OUTSIDE),
	  N_("a tag maps a block outside the file system"),
	  N_("The copy has no place, so e2lazyck leaves it out; the block "
	     "that it was meant for, if any, stays older.  A kernel and "
	     "e2fsck write it where the tag says, over whatever is there, or "
	     "make the image larger."),
	  USE_E2LAZYCK,
	  .question = N_("Write back the other blocks, and drop these copies?"),
	  .tools = TOOLS(PARTLY, UNMEASURED, UNMEASURED, UNMEASURED, CLEAN) },
	{ PROBLEM(TAG_IN_JOURNAL),
	  N_("a tag maps a block of the journal itself"),
	  N_("The copy would overwrite the log that holds it, so e2lazyck "
	     "leaves it out; the block that it was meant for, if any, stays "
	     "older.  A kernel and e2fsck write it."),
	  USE_E2LAZYCK,
	  .question = N_("Write back the other blocks, and drop these copies?") },
	{ PROBLEM(TAG_CONTRADICTED),
	  N_("a tag maps a block that cannot hold what its copy holds"),
	  N_("The block is a directory, a bitmap, a part of an inode table "
	     "or other metadata, and the copy is not of that kind, or of "
	     "another place.  The log has no checksum that covers the "
	     "block's number or the copy: either the number is wrong, or the "
	     "copy is damaged.  A kernel and e2fsck write the copy where the "
	     "tag says.  If the number is wrong, that destroys the block in "
	     "place, and the block that the copy belongs to stays older than "
	     "the log.  'e2lazy cat' shows the copy.  Copy the device first, "
	     "and run e2fsck -f after the log is written back."),
	  COPY_AND_CHECK,
	  .question = N_("Write the copies over these blocks, as a replay "
			 "does?"),
	  .second = N_("Keep these blocks in place instead, and drop the "
		       "copies?") },
	{ PROBLEM(SUPER_CONTRADICTED),
	  N_("the superblock in place and its newest copy differ in fields "
	     "that no kernel changes"),
	  N_("One of the two is damaged, most likely the superblock in "
	     "place: a power cut can leave half of it unwritten, and this "
	     "file system has no checksum to show it.  A replay writes the "
	     "copy from the log, and so does a checkpoint.  Copy the device "
	     "first, and compare 'dumpe2fs -h' before and after."),
	  COPY_DEVICE,
	  .question = N_("Put the superblock's copy from the log in place?") },
	BAD_METADATA(DESC_CSUM,
		     N_("bad checksum of a group descriptor")),
	BAD_METADATA(BLOCK_BITMAP_CSUM,
		     N_("bad checksum of a block bitmap")),
	BAD_METADATA(INODE_BITMAP_CSUM,
		     N_("bad checksum of an inode bitmap")),
	BAD_METADATA(INODE_CSUM,
		     N_("bad checksum of an inode")),
	BAD_METADATA(DIRECTORY_CSUM,
		     N_("bad checksum of a directory block")),
	BAD_METADATA(HTREE_CSUM,
		     N_("bad checksum of a node of a directory's index")),
	BAD_METADATA(EXTENT_CSUM,
		     N_("bad checksum of a node of an extent tree")),
	BAD_METADATA(XATTR_CSUM,
		     N_("bad checksum of a block of extended attributes")),
	{ PROBLEM(BEHIND_DAMAGE),
	  N_("a checkpoint also writes newest copies from after the damage"),
	  N_("A kernel and e2fsck replay nothing of such a log.  e2lazyck "
	     "also takes the sound descriptors after the damage, and verifies "
	     "each copy.  The file system is then the newest possible one, "
	     "but it lacks the blocks of the damaged transaction.  With "
	     "--stop-at-damage e2lazyck writes back only the transactions "
	     "before the damage: an older state, and a consistent one if the "
	     "kernel has written nothing in place since."),
	  COPY_AND_CHECK },
	{ PROBLEM(NEWER_IN_PLACE),
	  N_("a static block is newer than its newest copy"),
	  N_("A transaction at or after the damage logged what the static "
	     "block holds: the kernel wrote the block in place before the log "
	     "was damaged.  A checkpoint leaves the block as it is."),
	  COPY_AND_CHECK },
	{ PROBLEM(SUPER_TORN),
	  N_("a checkpoint was interrupted as it wrote the superblock"),
	  N_("One half of the superblock is old and the other half is new, "
	     "so its checksum is wrong: no kernel mounts the file system, "
	     "and e2fsck takes a backup superblock.  Nothing is lost: "
	     "another checkpoint computes the superblock again, writes it "
	     "whole and finishes."),
	  N_("write the log back, which repairs the superblock") },
	{ PROBLEM(SUPERSEDED_CSUM),
	  N_("an older copy in the log is bad, so no kernel replays the log"),
	  N_("The log also holds a newer copy of the block, and that copy is "
	     "sound: no data is lost.  A kernel verifies every copy as it "
	     "replays the log, stops at the bad one and refuses to mount the "
	     "file system.  e2fsck replays the log with its sound newer "
	     "copies and then checks the whole file system.  A checkpoint by "
	     "e2lazyck writes only the newest copies and empties the log: "
	     "the file system mounts again."),
	  USE_E2LAZYCK,
	  .tools = TOOLS(PARTLY, REPLAYS, REPLAYS, REPLAYS, CLEAN),
	  .steps = { SAVE_LOG } },
	{ PROBLEM(OWNERS_UNKNOWN),
	  N_("an inode, a block map or a bitmap is unusable, so some blocks "
	     "have no known owner"),
	  N_("A block without a known owner may hold contents of a file, and "
	     "a copy in the log would overwrite them.  Only a kernel with the "
	     "ext4-lazy patches of 2017 leaves such copies in the log.  Run "
	     "e2fsck -f after the log is written back."),
	  WRITE_AND_CHECK,
	  .question = N_("Write back the log, although some blocks have no "
			 "known owner?") },
	{ PROBLEM(DELETED_TAG),
	  N_("a tag is marked as deleted, which Linux never does"),
	  N_("Recovery ignores the mark and replays the copy.  Nothing in the "
	     "log shows whether the copy is valid."),
	  COPY_DEVICE,
	  .question = N_("Write these copies in place anyway, as recovery "
			 "does?"),
	  .tools = TOOLS(REPLAYS, REPLAYS, REPLAYS, REPLAYS, CLEAN) },
	{ PROBLEM(TAG_NOT_PROVEN),
	  N_("one copy in the log is for a block of a file, and nothing else "
	     "shows that the log has contents of files"),
	  N_("The log has no checksum that covers the block's number.  If "
	     "the number is wrong, the copy belongs to another block, and a "
	     "checkpoint, a kernel or e2fsck overwrites the file's contents "
	     "with it.  If the file system was mounted with data=journal by "
	     "hand, the copy is the file's newest contents: then "
	     "--data-journal writes it.  'e2lazy cat' shows the copy, and "
	     "debugfs shows the block in place.  While the question is open, "
	     "nothing is written and the log stays."),
	  N_("compare the copy with the file before anything replays the log"),
	  .question = N_("Write this copy over the file's block, as a replay "
			 "does?"),
	  .second = N_("Keep the file's block in place instead, and drop the "
		       "copy?") },
	{ PROBLEM(RELOGGED),
	  N_("a revoked copy was logged again unchanged"),
	  N_("The file system freed the block and revoked its copies.  The "
	     "cleaner of the ext4-lazy patches of 2017 still copied the last "
	     "one forward.  While the block is free, the copy does no harm.  "
	     "If the block now holds contents of a file, e2lazyck also finds "
	     "copy-of-data, which asks.  Write the log back before you use "
	     "the file system again, because any file may take the block."),
	  N_("write the log back before the file system is used again") },
	{ PROBLEM(BITMAP_COUNT),
	  N_("a bitmap and its group descriptor disagree on how much is free"),
	  N_("The bitmap and the descriptor already disagreed when they were "
	     "logged; a checkpoint makes this neither better nor worse.  Run "
	     "e2fsck -f after the log is written back."),
	  WRITE_AND_CHECK },
	{ NULL }
};
