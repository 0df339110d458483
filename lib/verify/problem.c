/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * problem.c - the table of all problems that a search can find
 *
 * Ids are part of the output contract.  A checkpoint goes on by itself if it
 * makes nothing worse.  It asks if a block would end up older than it could be,
 * or with wrong content.  It refuses if it would lose data that it cannot see.
 */

#include <string.h>

#include "problem.h"

/* For xgettext only; the program that prints a text translates it. */
#define N_(text) text
#include "problem_text.h"

/* A block of metadata whose own checksum is bad; that of the log is good. */
#define BAD_METADATA(name, text) {				\
	name, E2LAZY_GRAVE, E2LAZY_ASK, text,			\
	RUN_E2FSCK, WRITE_AS_LOGGED,				\
	.status = E2LAZY_DAMAGED, .advice = COPY_AND_CHECK,	\
	.effect = E2LAZY_EFFECT_WRITE }

const struct e2lazy_problem problem_table[NR_PROBLEMS] = {
#include "problem_journal.h"
[PROBLEM_WIPED_ON_MOUNT] = {
	"wiped-on-mount", E2LAZY_GRAVE, E2LAZY_GO,
	N_("the log is in use, but needs_recovery is clear: an ordinary "
	   "mount discards it unread"),
	N_("A freeze or an LVM snapshot leaves a lazily journaled file system "
	   "in this state.  A mount would set COUNT blocks back to an older "
	   "state.  Do not mount the file system; write the log back first.  A "
	   "checkpoint sets the flag before it writes a block."), NULL,
	.status = E2LAZY_DAMAGED,
	.advice = N_("do not mount it; e2fsck -y replays it (-p stops, -n calls it "
		      "clean)"),
	.mended = true },
#include "problem_fast.h"
[PROBLEM_SUPER_FOREIGN] = {
	"super-foreign", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the superblock's newest copy is not this file system's superblock"),
	N_("The copy in the log is damaged or belongs to another file system.  "
	   "The superblock's state after recovery is unknown, so e2lazyck "
	   "writes nothing back.  Other tools would replay the copy over the "
	   "superblock in place.  Copy the device first."),
	NULL, .status = E2LAZY_UNUSABLE, .advice = COPY_DEVICE },
[PROBLEM_DEVICE_SHORT] = {
	"device-short", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("the device or image ends before the file system does"),
	N_("Part of the file system is missing: the image was not copied to "
	   "its end, or the volume was made smaller.  e2lazyck cannot write "
	   "back blocks beyond the end.  Find the missing part before you "
	   "write anything."),
	N_("Write back the blocks that lie on the device, and give up the "
	   "others?"),
	.status = E2LAZY_DAMAGED, .advice = LOOK_FOR_REST,
	.effect = E2LAZY_EFFECT_LEAVE_OUT },
[PROBLEM_JOURNAL_INODE_LOST] = {
	"journal-inode-lost", E2LAZY_GRAVE, E2LAZY_GO,
	N_("the journal inode is unusable; only the superblock's backup "
	   "locates the log"),
	N_("e2fsck deletes such a journal and its whole log.  Write the log "
	   "back first; then e2fsck makes a new journal without loss."), NULL,
	.status = E2LAZY_DAMAGED,
	.advice = N_("e2fsck deletes such a journal: copy the device first") },
#include "problem_restore.h"
#include "problem_dropped.h"
[PROBLEM_FAST_COMMIT_WRAPPED] = {
	"fast-commit-wrapped", E2LAZY_GRAVE, E2LAZY_GO,
	N_("the log has a fast-commit area and wraps; e2fsck misreads it"),
	N_("e2fsck takes the fast-commit area for part of the ring and replays "
	   "the wrong blocks.  debugfs and tune2fs empty the log unread.  Let "
	   "a kernel replay the log by a mount, or write it back with "
	   "e2lazyck."),
	NULL,
	.status = E2LAZY_SOUND_IN_USE,
	.advice = WRITE_BACK_HERE,
	.mended = true },
[PROBLEM_DAMAGED] = {
	"damaged", E2LAZY_GRAVE, E2LAZY_GO,
	N_("the log is damaged; the map may lack committed blocks"),
	N_("e2lazy info sums up all damage in one row: bad copies, unreadable "
	   "transactions and the transactions behind them.  e2lazyck reports "
	   "each of them."), NULL,
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE },
#include "problem_damage.h"
[PROBLEM_OLDER_COPY] = {
	"older-copy", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("the newest copy of a block is bad, and an older copy in the log "
	   "is good"),
	N_("LOGBLK and TID name the older copy; AGE counts the transactions "
	   "between it and the bad one.  The older copy does not fit the "
	   "block's neighbours, which come home newer.  The block in place is "
	   "older still and does not fit either.  The file system is a mixture "
	   "in both cases.  e2fsck writes the older copy, too.  Run e2fsck -f "
	   "after the log is written back."),
	N_("Write the older copies home, and accept a mixture of older and "
	   "newer blocks?"),
	.second = N_("Keep the blocks in place instead, which are older still, "
		     "and drop all their copies?"),
	.status = E2LAZY_DAMAGED, .advice = COPY_AND_CHECK,
	.effect = E2LAZY_EFFECT_OLDER_COPY,
	.otherwise = E2LAZY_EFFECT_LEAVE_OUT },
[PROBLEM_TAIL_CONTRADICTED] = {
	"tail-contradicted", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("the journal superblock omits transactions in the ring that are not "
	   "in place"),
	N_("A flipped bit in s_start or s_sequence hides a log like this; then "
	   "the copies in the ring are the newest.  If debugfs or tune2fs "
	   "changed the file system in place since then, they are not.  Copy "
	   "the device before you write or mount anything: both overwrite the "
	   "ring."),
	N_("Trust the journal superblock, and give up these transactions?"),
	.status = E2LAZY_DAMAGED,
	.advice = N_("copy the device before anything replays the log") },
[PROBLEM_COMMIT_BEFORE_MKFS] = {
	"commit-before-mkfs", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a transaction of an earlier file system follows the log's own"),
	N_("mke2fs did not zero the journal (lazy_journal_init).  The log ends "
	   "exactly where a transaction of the earlier file system begins, and "
	   "that transaction, or a fast commit, has the next number.  "
	   "Checksums show this only if the two file systems have different "
	   "UUIDs.  Here the times go back to before mke2fs, or the inodes "
	   "are those of other files.  A kernel and e2fsck replay the earlier "
	   "file system's blocks over this one.  To save this file system, "
	   "copy it out of e2lazy view --until-tid with the number of the "
	   "transaction before.  If the machine's clock was set back instead, "
	   "the log is sound."),
	N_("Write back these transactions too, as a replay does?"),
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE },
[PROBLEM_REPLAYED_BEFORE] = {
	"replayed-before", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("transactions of the log look as if they had been replayed before"),
	N_("Their commit times go back, and their blocks or inodes are older "
	   "than those of the transactions before them.  A tool that replays "
	   "a log without raising s_sequence leaves such transactions behind "
	   "the next log.  A kernel and e2fsck replay the old blocks over the "
	   "new ones.  To save the file system, copy it out of e2lazy view "
	   "--until-tid with the number of the transaction before."),
	N_("Write back these transactions too, as a replay does?"),
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE },
[PROBLEM_RING_CONTRADICTED] = {
	"ring-contradicted", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("the ring in the journal superblock does not cover the whole "
	   "journal"),
	N_("A flipped bit in s_first or s_maxlen does this, and this journal "
	   "has no checksum to show it.  Every recovery cuts off a log that "
	   "goes on outside the ring.  Copy the device before you write or "
	   "mount anything."),
	N_("Trust the ring in the superblock, and give up any transaction "
	   "outside it?"),
	.status = E2LAZY_DAMAGED,
	.advice = N_("copy the device before anything replays the log") },
[PROBLEM_DATA_CSUM] = {
	"data-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of a copy in the log"),
	N_("Every copy of the block in the log is damaged.  The static block "
	   "is older and does not fit its neighbours.  Run e2fsck -f after the "
	   "other blocks are written back."),
	N_("Keep these blocks in place, older than the log, and drop their "
	   "copies?"),
	.status = E2LAZY_DAMAGED, .advice = COPY_AND_CHECK,
	.effect = E2LAZY_EFFECT_LEAVE_OUT },
[PROBLEM_COPY_OF_DATA] = {
	"copy-of-data", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a copy in the log looks like metadata or was revoked before, but "
	   "its block holds contents of an unjournaled file"),
	N_("The block held metadata once, and the file system freed it.  A "
	   "kernel forgot to revoke the copy, or logged it again after the "
	   "revoke.  A recovery writes the copy over the file's contents; "
	   "e2lazyck leaves it out.  The copies are newer contents only if the "
	   "file system was mounted with data=journal by hand and the contents "
	   "look like metadata: then --data-journal writes them home."),
	N_("Keep the files' blocks in place, and drop the copies?"),
	.status = E2LAZY_DAMAGED,
	.advice = N_("leave the blocks out, unless the file system was mounted "
		     "with data=journal"),
	.effect = E2LAZY_EFFECT_LEAVE_OUT,
	.otherwise = E2LAZY_EFFECT_WRITE,
	.mended = true },
#include "problem_lazy.h"
[PROBLEM_DUPLICATE_TAG] = {
	"duplicate-tag", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a transaction has two copies of the same block"),
	N_("jbd2 never writes two copies.  The first copy comes from a "
	   "transaction that was never committed; a loader of the ext4-lazy "
	   "patches of 2017 used its number again.  The log now presents updates as committed that "
	   "were given up."),
	N_("Write back this log, although it may hold updates that were never "
	   "committed?"),
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE },
[PROBLEM_LOST_ESCAPE] = {
	"lost-escape", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("the newest copy of a block has lost its first four bytes"),
	N_("The block begins with the journal's magic, which the log stores as "
	   "zeros and a mark.  A cleaner copied the block forward without the "
	   "mark: the copy equals the older one except for the zeros.  The "
	   "file or symbolic link would begin with zeros."),
	N_("Write these blocks home with zeros in their first four bytes?"),
	.status = E2LAZY_DAMAGED,
	.advice = N_("write the log back, then look at the files that own the "
		     "blocks"),
	.effect = E2LAZY_EFFECT_WRITE },
[PROBLEM_TAG_OUTSIDE] = {
	"tag-outside", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a tag maps a block outside the file system"),
	N_("The copy has no place, so e2lazyck leaves it out; the block that "
	   "it was meant for, if any, stays older.  A kernel and e2fsck write "
	   "it where the tag says, over whatever is there, or make the image "
	   "larger."),
	N_("Write back the other blocks, and give up these copies?"),
	.status = E2LAZY_DAMAGED, .advice = USE_E2LAZYCK },
[PROBLEM_TAG_IN_JOURNAL] = {
	"tag-in-journal", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a tag maps a block of the journal itself"),
	N_("The copy would overwrite the log that holds it, so e2lazyck leaves "
	   "it out; the block that it was meant for, if any, stays older.  A "
	   "kernel and e2fsck write it."),
	N_("Write back the other blocks, and give up these copies?"),
	.status = E2LAZY_DAMAGED, .advice = USE_E2LAZYCK },
[PROBLEM_TAG_CONTRADICTED] = {
	"tag-contradicted", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a tag maps a block that cannot hold what its copy holds"),
	N_("The block is a directory, a bitmap, a part of an inode table or "
	   "other metadata, and the copy is not of that kind, or of another "
	   "place.  The log has no checksum that covers the block's number or "
	   "the copy: either the number is wrong, or the copy is damaged.  A "
	   "kernel and e2fsck write the copy where the tag says.  If the "
	   "number is wrong, that destroys the block in place, and the block "
	   "that the copy belongs to stays older than the log.  'e2lazy cat' "
	   "shows the copy.  Copy the device first, and run e2fsck -f after the "
	   "log is written back."),
	N_("Write the copies over these blocks, as a replay does?"),
	.second = N_("Keep these blocks in place instead, and drop the "
		     "copies?"),
	.status = E2LAZY_DAMAGED, .advice = COPY_AND_CHECK,
	.effect = E2LAZY_EFFECT_WRITE,
	.otherwise = E2LAZY_EFFECT_LEAVE_OUT },
[PROBLEM_SUPER_CSUM] = {
	"super-csum", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("bad checksum in the superblock's newest copy"),
	N_("The superblock's state after recovery is unknown, so e2lazyck "
	   "writes nothing back.  Other tools would replay the copy over the "
	   "superblock in place, and e2fsck would then take a backup.  Copy "
	   "the device first."),
	NULL, .status = E2LAZY_UNUSABLE, .advice = COPY_DEVICE },
[PROBLEM_SUPER_CONTRADICTED] = {
	"super-contradicted", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("the superblock in place and its newest copy differ in fields that "
	   "no kernel changes"),
	N_("One of the two is damaged, most likely the superblock in place: a "
	   "power cut can leave half of it unwritten, and this file system has "
	   "no checksum to show it.  A replay writes the copy from the log, "
	   "and so does a checkpoint.  Copy the device first, and compare "
	   "'dumpe2fs -h' before and after."),
	N_("Put the superblock's copy from the log in place?"),
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE,
	.mended = true },
[PROBLEM_DESC_CSUM] = BAD_METADATA("desc-csum",
	N_("bad checksum of a group descriptor")),
[PROBLEM_BLOCK_BITMAP_CSUM] = BAD_METADATA("block-bitmap-csum",
	N_("bad checksum of a block bitmap")),
[PROBLEM_INODE_BITMAP_CSUM] = BAD_METADATA("inode-bitmap-csum",
	N_("bad checksum of an inode bitmap")),
[PROBLEM_INODE_CSUM] = BAD_METADATA("inode-csum",
	N_("bad checksum of an inode")),
[PROBLEM_DIRECTORY_CSUM] = BAD_METADATA("directory-csum",
	N_("bad checksum of a directory block")),
[PROBLEM_HTREE_CSUM] = BAD_METADATA("htree-csum",
	N_("bad checksum of a node of a directory's index")),
[PROBLEM_EXTENT_CSUM] = BAD_METADATA("extent-csum",
	N_("bad checksum of a node of an extent tree")),
[PROBLEM_XATTR_CSUM] = BAD_METADATA("xattr-csum",
	N_("bad checksum of a block of extended attributes")),
[PROBLEM_DISCARDED_LOG] = {
	"discarded-log", E2LAZY_WARNING, E2LAZY_GO,
	N_("the log was emptied unread; its copies may be newer than the "
	   "blocks in place"),
	N_("A mount discarded the log while needs_recovery was clear, or "
	   "e2fsck was told to clear the log, or a lazy mount ended as an "
	   "ordinary one.  COUNT blocks differ from their last copy.  The next "
	   "mount for writing overwrites those copies: copy the device first.  "
	   "e2fsck -f makes the file system consistent, but not newer.  After "
	   "e2fsck -f or a repair by hand, not every differing copy is "
	   "newer."), NULL,
	.status = E2LAZY_DAMAGED,
	.advice = N_("copy the device before you mount it for writing") },
[PROBLEM_BEHIND_DAMAGE] = {
	"behind-damage", E2LAZY_WARNING, E2LAZY_GO,
	N_("a checkpoint writes a newest copy from behind the damage"),
	N_("A kernel and e2fsck replay nothing of such a log.  e2lazyck also "
	   "takes the sound descriptors behind the damage, and verifies each "
	   "copy.  The file system is then the newest possible one, but it "
	   "lacks the blocks of the damaged transaction.  With "
	   "--stop-at-damage e2lazyck writes back only the transactions before "
	   "the damage: an older state, and a consistent one if the kernel "
	   "has written nothing home since."), NULL,
	.status = E2LAZY_DAMAGED, .advice = COPY_AND_CHECK },
[PROBLEM_NEWER_IN_PLACE] = {
	"newer-in-place", E2LAZY_WARNING, E2LAZY_GO,
	N_("a static block is newer than its newest copy"),
	N_("A transaction at or behind the damage logged what the static block "
	   "holds: the kernel wrote it home before the log was damaged.  A "
	   "checkpoint leaves the block as it is."), NULL,
	.status = E2LAZY_DAMAGED, .advice = COPY_AND_CHECK,
	.effect = E2LAZY_EFFECT_LEAVE_OUT, .mended = true },
[PROBLEM_BAD_COPY_AT_HOME] = {
	"bad-copy-at-home", E2LAZY_WARNING, E2LAZY_GO,
	N_("the newest copy of a block is bad, but the static block is right"),
	N_("The kernel wrote the block home before its copy went bad: the "
	   "checksum in the log fits the static block.  No data is lost.  A "
	   "kernel verifies the copy as it replays the log, and refuses to "
	   "mount the file system.  e2fsck puts an older copy over the block "
	   "if the log has one.  A checkpoint by e2lazyck leaves the block as "
	   "it is, and empties the log: the file system mounts again."), NULL,
	.status = E2LAZY_DAMAGED, .advice = USE_E2LAZYCK,
	.effect = E2LAZY_EFFECT_LEAVE_OUT, .mended = true },
[PROBLEM_SUPER_TORN] = {
	"super-torn", E2LAZY_WARNING, E2LAZY_GO,
	N_("a checkpoint was interrupted as it wrote the superblock"),
	N_("One half of the superblock is old and the other half is new, so "
	   "its checksum is wrong: no kernel mounts the file system, and "
	   "e2fsck takes a backup superblock.  Nothing is lost: another "
	   "checkpoint computes the superblock again, writes it whole and "
	   "finishes."), NULL,
	.status = E2LAZY_DAMAGED,
	.mended = true,
	.advice = N_("write the log back, which repairs the superblock") },
[PROBLEM_SUPERSEDED_CSUM] = {
	"superseded-csum", E2LAZY_WARNING, E2LAZY_GO,
	N_("an older copy in the log is bad, so no kernel replays the log"),
	N_("The log also holds a newer copy of the block, and that copy is "
	   "sound: no data is lost.  A kernel verifies every copy as it "
	   "replays the log, stops at the bad one and refuses to mount the "
	   "file system.  e2fsck replays the log with its sound newer copies "
	   "and then checks the whole file system.  A checkpoint by e2lazyck "
	   "writes only the newest copies and empties the log: the file system "
	   "mounts again."), NULL,
	.status = E2LAZY_DAMAGED, .advice = USE_E2LAZYCK,
	.mended = true },
[PROBLEM_OWNERS_UNKNOWN] = {
	"owners-unknown", E2LAZY_WARNING, E2LAZY_ASK,
	N_("an inode, a block map or a bitmap is unusable, so some blocks have "
	   "no known owner"),
	N_("A block without a known owner may hold contents of a file, and a "
	   "copy in the log would overwrite them.  Only a kernel with "
	   "the ext4-lazy patches of 2017 leaves such copies behind.  Run e2fsck -f after the log "
	   "is written back."),
	N_("Write back the log, although some blocks have no known owner?"),
	.status = E2LAZY_DAMAGED, .advice = WRITE_AND_CHECK },
[PROBLEM_DELETED_TAG] = {
	"deleted-tag", E2LAZY_WARNING, E2LAZY_ASK,
	N_("a tag is marked as deleted, which Linux never does"),
	N_("Recovery ignores the mark and replays the copy.  The log does not "
	   "tell whether the copy should count."),
	N_("Write these copies home all the same, as recovery would?"),
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE,
	.effect = E2LAZY_EFFECT_WRITE },
[PROBLEM_TAG_NOT_PROVEN] = {
	"tag-not-proven", E2LAZY_WARNING, E2LAZY_ASK,
	N_("one copy in the log is for a block of a file, and nothing else "
	   "shows that the log has contents of files"),
	N_("The log has no checksum that covers the block's number.  If the "
	   "number is wrong, the copy belongs to another block, and a "
	   "checkpoint, a kernel or e2fsck overwrites the file's contents with "
	   "it.  If the file system was mounted with data=journal by hand, the "
	   "copy is the file's newest contents: then --data-journal writes "
	   "it.  'e2lazy cat' shows the copy, and debugfs shows the block in "
	   "place.  While the question is open, nothing is written and the log "
	   "stays."),
	N_("Write this copy over the file's block, as a replay does?"),
	.second = N_("Keep the file's block in place instead, and drop the "
		     "copy?"),
	.status = E2LAZY_DAMAGED,
	.advice = N_("compare the copy with the file before anything replays "
		     "the log"),
	.effect = E2LAZY_EFFECT_WRITE,
	.otherwise = E2LAZY_EFFECT_LEAVE_OUT,
	.mended = true },
[PROBLEM_RELOGGED] = {
	"relogged-after-revoke", E2LAZY_WARNING, E2LAZY_GO,
	N_("a revoked copy was logged again unchanged"),
	N_("The file system freed the block and revoked its copies.  The "
	   "cleaner of the ext4-lazy patches of 2017 still copied the last one "
	   "forward.  While the "
	   "block is free, the copy does no harm.  If the block now holds "
	   "contents of a file, e2lazyck also finds copy-of-data, which asks.  "
	   "Write the log back before you use the file system again, for any "
	   "file may take the block."), NULL,
	.status = E2LAZY_DAMAGED,
	.advice = N_("write the log back before the file system is used again"),
	.mended = true },
[PROBLEM_BITMAP_COUNT] = {
	"bitmap-count", E2LAZY_WARNING, E2LAZY_GO,
	N_("a bitmap and its group descriptor disagree on how much is free"),
	N_("The bitmap and the descriptor already disagreed when they were "
	   "logged; a checkpoint makes this neither better nor worse.  Run "
	   "e2fsck -f after the log is written back."), NULL,
	.status = E2LAZY_DAMAGED, .advice = WRITE_AND_CHECK },
[PROBLEM_ERRNO] = {
	"errno", E2LAZY_WARNING, E2LAZY_GO,
	N_("the kernel has recorded an error in the journal superblock"),
	N_("An error occurred while the file system was in use.  A checkpoint "
	   "copies the error into the file system's superblock.  Run e2fsck -f "
	   "after that."), NULL,
	.status = E2LAZY_DAMAGED,
	.advice = N_("run e2fsck -f once the log has been replayed") },
[PROBLEM_FULL] = {
	"full", E2LAZY_WARNING, E2LAZY_GO,
	N_("the log fills its ring"),
	N_("The ring has no room for another transaction.  Write the log back, "
	   "or make the journal larger."), NULL,
	.status = E2LAZY_SOUND_IN_USE, .advice = MAKE_ROOM,
	.mended = true },
/* Warnings of e2lazy info only: about other tools and the near future. */
[PROBLEM_FAST_COMMIT] = {
	"fast-commit", E2LAZY_WARNING, E2LAZY_GO,
	N_("debugfs and tune2fs empty a log with a fast-commit area unread"),
	N_("The log is in use and has room for fast commits.  Some versions of "
	   "these tools do not know the fast-commit area and drop the log when "
	   "they write.  e2lazy info reports this hazard; e2lazyck does "
	   "not."), NULL,
	.status = E2LAZY_SOUND_IN_USE, .advice = WRITE_BACK_HERE },
[PROBLEM_MOUNTED] = {
	"mounted", E2LAZY_WARNING, E2LAZY_GO,
	N_("the file system is mounted, so the log may change while it is "
	   "read"),
	N_("The kernel commits to the log and overwrites it as it wraps, so "
	   "two reads may disagree.  e2lazy info reports this in a row, "
	   "e2lazyck in a message.  e2lazyck does not write to a mounted file "
	   "system."), NULL,
	.status = E2LAZY_SOUND_IN_USE,
	.advice = N_("unmount it, or look at a snapshot") },
[PROBLEM_CROWDED] = {
	"crowded", E2LAZY_WARNING, E2LAZY_GO,
	/* xgettext:no-c-format */
	N_("more than 70% of the ring is live; a kernel that keeps the "
	   "log lazily slows down"),
	N_("The cleaner copies nearly as many blocks forward as it frees.  "
	   "e2lazy info reports this hazard; e2lazyck does not."), NULL,
	.status = E2LAZY_SOUND_IN_USE, .advice = MAKE_ROOM,
	.mended = true },
[PROBLEM_TORN_COMMIT] = {
	"torn-commit", E2LAZY_NOTE, E2LAZY_GO,
	N_("a commit block is torn; new kernels accept it, e2fsck and older "
	   "kernels do not"),
	N_("The meaningful part of the block reached the disk, but the rest "
	   "did not.  e2lazyck counts the transaction, as Linux 6.12 and later "
	   "do."), NULL,
	.status = E2LAZY_CLEAN,
	.advice = N_("replay the log with Linux 6.12 or later, or write it "
		     "back with e2lazyck") },
[PROBLEM_UNCOMMITTED_TAIL] = {
	"uncommitted-tail", E2LAZY_NOTE, E2LAZY_GO,
	N_("the last transaction is not committed; recovery ignores it"),
	N_("A crash leaves a log like this, and loses nothing that a program "
	   "was promised.  The loader of the ext4-lazy patches of 2017 "
	   "maps the transaction nevertheless: write the log back, or replay "
	   "it with another kernel."), NULL,
	.status = E2LAZY_CLEAN,
	.advice = N_("replay the log, but not with the ext4-lazy patches of "
		     "2017, which map the transaction") },
[PROBLEM_END_NOT_PROVEN] = {
	"end-not-proven", E2LAZY_NOTE, E2LAZY_GO,
	N_("the log seems to end here; the rest of the ring was not read"),
	N_("Damage over more blocks than one descriptor describes looks like "
	   "the end of a log.  --quick stops before it has read that far, so "
	   "nothing is written after it.  Without --quick e2lazyck reads on "
	   "until nothing newer can follow."), NULL,
	.status = E2LAZY_CLEAN,
	.advice = N_("run e2lazyck without --quick") },
[PROBLEM_RECOVERY_OF_NOTHING] = {
	"recovery-of-nothing", E2LAZY_NOTE, E2LAZY_GO,
	N_("needs_recovery is set, but the log is empty"),
	N_("The flag is harmless: the next mount or a checkpoint clears "
	   "it."), NULL,
	.status = E2LAZY_CLEAN,
	.advice = N_("harmless; the next mount clears it") },
[PROBLEM_SUPERBLOCK_NEWER] = {
	"superblock-newer", E2LAZY_NOTE, E2LAZY_GO,
	N_("the superblock in place was written later than its copy in the "
	   "log"),
	N_("The kernel writes the superblock both in place and through the "
	   "log.  A checkpoint merges the two; other tools replay the older "
	   "one over the newer."),
	NULL,
	.status = E2LAZY_CLEAN,
	.advice = N_("write the log back with e2lazyck, which merges the two") },
[PROBLEM_JOURNAL_UUID] = {
	"journal-uuid", E2LAZY_NOTE, E2LAZY_GO,
	N_("the superblock names a journal inode and the UUID of a journal "
	   "device"),
	N_("A kernel uses the inode.  e2fsck looks for the device and stops "
	   "with exit status 12, with -p as at boot and with -y.  If nobody "
	   "misses a journal device, let a mount replay the log or write it "
	   "back; then clear the UUID: debugfs -w -R 'set_super_value "
	   "journal_uuid clear' DEVICE."), NULL,
	.status = E2LAZY_CLEAN,
	.advice = N_("write the log back, then clear s_journal_uuid: e2fsck "
		     "stops until then") },
[PROBLEM_JOURNAL_USERS] = {
	"journal-users", E2LAZY_NOTE, E2LAZY_GO,
	N_("a journal in an inode counts several users"),
	N_("e2fsck and tune2fs take such a superblock for one of version 1, and "
	   "clear its features.  They misread a log with 64-bit block numbers "
	   "or checksums, and empty it; e2fsck -n ends with exit status 12.  A "
	   "kernel ignores the number."), NULL,
	.status = E2LAZY_CLEAN, .advice = USE_E2LAZYCK_FIRST },
[PROBLEM_TIMES_GO_BACK] = {
	"times-go-back", E2LAZY_NOTE, E2LAZY_GO,
	N_("commit times go back in the log"),
	N_("The clock was set back, or the machine has none: COUNT times.  "
	   "Nothing else shows that the transactions are not in order."),
	NULL, .status = E2LAZY_CLEAN,
	.advice = N_("nothing needs to be done") },
[PROBLEM_TAG_ON_BACKUP] = {
	"tag-on-backup", E2LAZY_NOTE, E2LAZY_GO,
	N_("the log holds a copy of a backup superblock or of backup group "
	   "descriptors"),
	N_("An online resize logs these blocks.  Do not repair anything from "
	   "those backups before the log is written back."), NULL,
	.status = E2LAZY_CLEAN,
	.advice = N_("repair nothing from those backups before the log is written "
		      "back") },
[PROBLEM_COPY_OF_FREE] = {
	"copy-of-free", E2LAZY_NOTE, E2LAZY_GO,
	N_("the log holds a copy of a free or unwritten block"),
	N_("The block was in use when it was logged, and was freed later.  It "
	   "may belong to another file by now, which has not written it yet "
	   "and shows zeros there.  A checkpoint writes the copy without "
	   "harm."), NULL,
	.status = E2LAZY_CLEAN,
	.advice = N_("harmless; nobody reads the block") },
[PROBLEM_JOURNALED_DATA] = {
	"journaled-data", E2LAZY_NOTE, E2LAZY_GO,
	N_("the log holds contents of files that are not marked as journaled"),
	N_("The file system was probably mounted with data=journal by hand, "
	   "which leaves no trace on the device, or a file grew out of its "
	   "inode (inline_data).  The copies are the files' newest contents, "
	   "and a checkpoint writes them home."),
	NULL,
	.status = E2LAZY_CLEAN,
	.advice = N_("write the log back: the copies are the newer contents") },
[PROBLEM_ORPHANS] = {
	"orphans", E2LAZY_NOTE, E2LAZY_GO,
	N_("files deleted while open, or being truncated, may wait for e2fsck "
	   "or the next mount"),
	N_("Their blocks are still in use.  A checkpoint writes the list of "
	   "these files home and does not process it; e2fsck and a mount for "
	   "writing do.  With an orphan file the superblock keeps "
	   "orphan_present until then, and a kernel that does not know this "
	   "flag refuses to mount the file system for writing.  The note also "
	   "appears if the orphan file is damaged."), NULL,
	.status = E2LAZY_CLEAN,
	.advice = N_("write the log back, then run e2fsck or mount the file "
		     "system") },
[PROBLEM_STATIC_STALE] = {
	"static-stale", E2LAZY_NOTE, E2LAZY_GO,
	N_("static blocks, including bitmaps, are older than the log"),
	N_("A program that does not read the log shows the state before it, as "
	   "debugfs -c and e2fsck -n do.  e2lazy info reports this hazard; "
	   "e2lazyck does not."), NULL,
	.advice = N_("use debuglazy or e2lazy view; debugfs and e2fsck -n see "
		     "the state before the log") },
};

const struct e2lazy_problem *e2lazy_problems(size_t *count)
{
	*count = NR_PROBLEMS;
	return problem_table;
}

const struct e2lazy_problem *e2lazy_problem_find(const char *id)
{
	for (size_t i = 0; i < NR_PROBLEMS; i++)
		if (!strcmp(problem_table[i].id, id))
			return &problem_table[i];
	return NULL;
}
