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

const struct e2lazy_problem problem_table[NR_PROBLEMS] = {
#include "problem_journal.h"
[PROBLEM_WIPED_ON_MOUNT] = {
	"wiped-on-mount", E2LAZY_GRAVE, E2LAZY_GO,
	N_("the log is in use, but needs_recovery is clear: an ordinary "
	   "mount discards it unread"),
	N_("A freeze or an LVM snapshot of a lazily journaled file system "
	   "leaves it like this.  The count is that of blocks which a mount "
	   "would set back to an older state.  Do not mount it; write the "
	   "log back first, which begins with setting the flag."), NULL,
	.status = E2LAZY_DAMAGED,
	.advice = N_("do not mount it; e2fsck -y replays it (-p stops, -n calls it "
		      "clean)"),
	.mended = true },
[PROBLEM_FAST_COMMITS_VALID] = {
	"fast-commits-valid", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("fast-commit records stand on top of the log and are not in the "
	   "map"),
	N_("They record changes that programs were told are safe on disk, "
	   "and not as blocks but as operations, which only a kernel can "
	   "carry out.  Writing the log back would lose them.  Mount the "
	   "file system once with a kernel, which replays both, and unmount "
	   "it.  Run e2fsck -f then, for the kernel's replay of a directory "
	   "that was made or removed leaves counts wrong.  e2fsck -p replays "
	   "them too, and loses files."), NULL,
	.status = E2LAZY_SOUND_IN_USE, .advice = MOUNT_AND_CHECK },
[PROBLEM_SUPER_FOREIGN] = {
	"super-foreign", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the superblock's newest copy is not one of this file system"),
	N_("The copy in the log is damaged or of another file system.  What "
	   "the superblock is to be after recovery is not known, so that "
	   "nothing is written back.  A replay by other tools would put the "
	   "copy over the superblock in place.  Copy the device first."),
	NULL, .status = E2LAZY_UNUSABLE, .advice = COPY_DEVICE },
[PROBLEM_DEVICE_SHORT] = {
	"device-short", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("the device or image ends before the file system does"),
	N_("Part of the file system is missing, as of an image that was not "
	   "copied to its end or a volume made smaller.  Blocks out there "
	   "cannot be written back.  Look for the rest of it before anything "
	   "is written."),
	N_("Write back those blocks that have a place, and give up the "
	   "others?"),
	.status = E2LAZY_DAMAGED, .advice = LOOK_FOR_REST,
	.effect = E2LAZY_EFFECT_LEAVE_OUT },
[PROBLEM_JOURNAL_INODE_LOST] = {
	"journal-inode-lost", E2LAZY_GRAVE, E2LAZY_GO,
	N_("the journal inode is unusable, and only the superblock's backup "
	   "finds the log"),
	N_("e2fsck deletes such a journal with all that is in it.  Write it "
	   "back first; then e2fsck makes a new one without loss."), NULL,
	.status = E2LAZY_DAMAGED,
	.advice = N_("e2fsck deletes such a journal: copy the device first") },
[PROBLEM_FAST_COMMIT_WRAPPED] = {
	"fast-commit-wrapped", E2LAZY_GRAVE, E2LAZY_GO,
	N_("the log has a fast-commit area and wraps, which e2fsck "
	   "misreads"),
	N_("e2fsck takes the fast-commit area for part of the ring and so "
	   "replays the wrong blocks; debugfs and tune2fs empty the log "
	   "unread.  Let a kernel mount replay it, or write it back here."),
	NULL,
	.status = E2LAZY_SOUND_IN_USE,
	.advice = N_("mount it with a kernel, unmount it, then run e2fsck -f; "
		      "e2fsck -p, tune2fs and debugfs lose blocks"),
	.mended = true },
[PROBLEM_DAMAGED] = {
	"damaged", E2LAZY_GRAVE, E2LAZY_GO,
	N_("the log is damaged, so the map may not hold all that was "
	   "committed"),
	N_("e2lazy info sums up in one row what e2lazyck tells one by one: "
	   "copies that are bad, and transactions that cannot be read or stand "
	   "behind those."), NULL,
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE },
/* Name the blocks that would be lost before asking about the damage. */
[PROBLEM_GIVEN_UP] = {
	"given-up", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a block's newest copy is in a transaction that would be given "
	   "up"),
	N_("The transaction is damaged, or stands behind the damage.  "
	   "Writing back what stands before it leaves these blocks at an "
	   "older state, and their newest copies go with the log.  There may "
	   "be more of them: what a damaged block of the log says is not "
	   "known.  Copy the device before anything is written."),
	N_("Leave these blocks older than the log has them, and give up "
	   "their newest copies?"),
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE },
[PROBLEM_REVOKE_GIVEN_UP] = {
	"revoke-given-up", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a live copy was made void by a transaction that would be given "
	   "up"),
	N_("The block was freed in a transaction that is damaged or stands "
	   "behind the damage, and may hold something else by now, contents "
	   "of a file perhaps.  The file system as it stands before the damage "
	   "needs the copy, so that writing back puts it over that, as a "
	   "replay by other tools does.  Copy the device before anything is "
	   "written."),
	N_("Write these copies home, over what their blocks may hold by "
	   "now?"),
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE,
	.effect = E2LAZY_EFFECT_WRITE },
[PROBLEM_UNREADABLE] = {
	"unreadable", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a block cannot be read"),
	N_("Where it is a copy in the log, its static block keeps an older "
	   "state; where it is one of the log's own blocks, all transactions "
	   "from there on are out of reach.  Copy the device with a tool "
	   "that retries, and work on the copy."),
	N_("Go on without what cannot be read, so that blocks end up older "
	   "than the log has them?"),
	.status = E2LAZY_DAMAGED,
	.advice = N_("copy the device with a tool that retries, and work on the "
		      "copy"),
	.effect = E2LAZY_EFFECT_LEAVE_OUT },
[PROBLEM_BLOCK_CSUM] = {
	"block-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of a descriptor or revoke block in a committed "
	   "transaction"),
	N_("Which blocks the transaction holds is no longer known, so it and "
	   "all later ones are left out: the file system would fall back to "
	   "the state before it.  A kernel and e2fsck replay nothing at all "
	   "of such a log."),
	GIVE_UP_THE_REST,
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE },
[PROBLEM_COMMIT_CSUM] = {
	"commit-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of a commit block"),
	N_("The transaction does not count, nor does any later one: the file "
	   "system would fall back to the state before it.  A kernel refuses "
	   "to mount such a file system."),
	GIVE_UP_THE_REST,
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE },
[PROBLEM_REVOKE_COUNT] = {
	"revoke-count", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a revoke block's byte count is larger than the block"),
	N_("Which copies the transaction made void is not known, so it and "
	   "all later ones are left out: the file system would fall back to "
	   "the state before it."),
	GIVE_UP_THE_REST,
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE },
[PROBLEM_BLOCK_TYPE] = {
	"block-type", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a journal block of unknown type"),
	N_("The block belongs to the log by its magic and transaction, but "
	   "what it says cannot be understood.  Its transaction and all "
	   "later ones are left out: the file system would fall back to the "
	   "state before it."),
	GIVE_UP_THE_REST,
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE },
[PROBLEM_LATER_TRANSACTIONS] = {
	"later-transactions", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("committed blocks stand behind the place where the log breaks "
	   "off"),
	N_("A block in the middle of the log was lost or overwritten.  Every "
	   "recovery takes that for the end of the log and drops what "
	   "follows without a word.  Copy the device before anything "
	   "replays the log."),
	GIVE_UP_THE_REST,
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE },
[PROBLEM_OLDER_COPY] = {
	"older-copy", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("the newest copy of a block is bad, and an older copy in the log "
	   "is good"),
	N_("LOGBLK and TID are those of the older copy, AGE tells by how many "
	   "transactions it is older than the bad one.  The older copy does "
	   "not fit the block's neighbours, which come home newer; nor does "
	   "what stands in place, which is older still.  The file system is a "
	   "mixture either way.  e2fsck leaves the older copy there, too.  "
	   "Run e2fsck -f once the log has been written back."),
	N_("Write the older copies home, so that the file system is a mixture "
	   "of older and newer blocks?"),
	.second = N_("Leave these blocks as they are in place instead, still "
		     "older, and drop all their copies?"),
	.status = E2LAZY_DAMAGED, .advice = COPY_AND_CHECK,
	.effect = E2LAZY_EFFECT_OLDER_COPY,
	.otherwise = E2LAZY_EFFECT_LEAVE_OUT },
[PROBLEM_TAIL_CONTRADICTED] = {
	"tail-contradicted", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("the journal superblock leaves out transactions that the ring "
	   "holds, and that are not in place"),
	N_("A flipped bit in the superblock's s_start or s_sequence hides a "
	   "log so; then the copies in the ring are the newest.  Where the file "
	   "system was changed in place since, as by debugfs or tune2fs, they "
	   "are not.  Copy the device before anything is written or mounted, "
	   "for both write over the ring."),
	N_("Take the log to be as its superblock says, and give up these "
	   "transactions?"),
	.status = E2LAZY_DAMAGED,
	.advice = N_("copy the device before anything replays the log") },
[PROBLEM_COMMIT_BEFORE_MKFS] = {
	"commit-before-mkfs", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a transaction is older than the file system, behind one that is "
	   "not"),
	N_("mke2fs did not zero the journal (lazy_journal_init), and the log "
	   "now ends exactly where a transaction of the earlier file system "
	   "begins with the number that comes next.  Without checksums "
	   "only the commit time tells the two apart.  A kernel and e2fsck "
	   "replay the earlier file system's blocks over this one.  To get "
	   "this one back, copy it out of e2lazy view --until-tid with the "
	   "number of the transaction before.  If instead the machine's "
	   "clock went back, the log is sound."),
	N_("Write back these transactions too, as a replay does?"),
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE },
[PROBLEM_RING_CONTRADICTED] = {
	"ring-contradicted", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("the journal superblock says that the ring begins or ends elsewhere "
	   "than the journal does"),
	N_("A flipped bit in the superblock's s_first or s_maxlen does this, "
	   "and this journal has no checksum that would show it.  A log that "
	   "goes on outside the ring is then cut off there, by every recovery.  "
	   "Copy the device before anything is written or mounted."),
	N_("Take the ring to be as the superblock says, and give up what may "
	   "stand outside it?"),
	.status = E2LAZY_DAMAGED,
	.advice = N_("copy the device before anything replays the log") },
[PROBLEM_DATA_CSUM] = {
	"data-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of a copy in the log"),
	N_("The only copy of a block is damaged, or each of its copies is.  "
	   "Its static place holds an older state that does not fit its "
	   "neighbours.  Run e2fsck -f once the others have been written "
	   "back."),
	N_("Leave these blocks as they are in place, older than the log had "
	   "them, and drop their copies?"),
	.status = E2LAZY_DAMAGED, .advice = COPY_AND_CHECK,
	.effect = E2LAZY_EFFECT_LEAVE_OUT },
[PROBLEM_COPY_OF_DATA] = {
	"copy-of-data", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a copy in the log looks like metadata or was void before, but "
	   "its block holds contents of a file which is not journaled"),
	N_("The block was metadata once and was freed; a kernel that forgot "
	   "to revoke it, or logged it again after that, let its copy live "
	   "on.  Writing it home, which recovery would do too, overwrites "
	   "the file's contents, so it is left out.  Only if the file system "
	   "was mounted with data=journal by hand, and the file holds an "
	   "image of a file system, are the copies its newer contents."),
	N_("Leave these blocks as they are in place, as the files have them, "
	   "and drop their copies?"),
	.status = E2LAZY_DAMAGED,
	.advice = N_("leave the blocks out, unless it was mounted with "
		      "data=journal"),
	.effect = E2LAZY_EFFECT_LEAVE_OUT,
	.otherwise = E2LAZY_EFFECT_WRITE,
	.mended = true },
[PROBLEM_DUPLICATE_TAG] = {
	"duplicate-tag", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a transaction has two copies of the same block"),
	N_("jbd2 never writes that.  The first copy is of a transaction that "
	   "was never committed and whose number was used again, as a loader "
	   "of ext4-lazy does it: updates that were given up are in the log "
	   "as if they counted."),
	N_("Write back this log, although updates that were never committed "
	   "may be in it?"),
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE },
[PROBLEM_LOST_ESCAPE] = {
	"lost-escape", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("the newest copy of a block has lost its first four bytes"),
	N_("The block begins with the magic of the journal, which the log "
	   "stores as zeros beside a mark.  A cleaner copied it forward "
	   "without the mark: the copy is the older one again, but for the "
	   "zeros.  The contents of a file or a symbolic link would begin "
	   "with zeros."),
	N_("Write these blocks home with zeros in their first four bytes?"),
	.status = E2LAZY_DAMAGED,
	.advice = N_("look at the files that own the blocks, once the log is "
		      "written back"),
	.effect = E2LAZY_EFFECT_WRITE },
[PROBLEM_TAG_OUTSIDE] = {
	"tag-outside", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a tag maps a block beyond the end of the file system"),
	N_("The copy has no place to go and is left out; what it was meant "
	   "for, if anything, stays older.  A kernel and e2fsck write it "
	   "where it says, over whatever is there, or make the image "
	   "larger."),
	N_("Write back the other blocks, and give up these copies?"),
	.status = E2LAZY_DAMAGED, .advice = USE_E2LAZYCK },
[PROBLEM_TAG_IN_JOURNAL] = {
	"tag-in-journal", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a tag maps a block of the journal itself"),
	N_("The copy is left out, for it would overwrite the log that it "
	   "comes from; what it was meant for, if anything, stays older.  A "
	   "kernel and e2fsck write it."),
	N_("Write back the other blocks, and give up these copies?"),
	.status = E2LAZY_DAMAGED, .advice = USE_E2LAZYCK },
[PROBLEM_SUPER_CSUM] = {
	"super-csum", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("bad checksum in the superblock's newest copy"),
	N_("What the superblock is to be after recovery is not known, so that "
	   "nothing is written back.  A replay by other tools would put the "
	   "copy over the superblock in place, and e2fsck would then take one "
	   "of the backups.  Copy the device first."),
	NULL, .status = E2LAZY_UNUSABLE, .advice = COPY_DEVICE },
[PROBLEM_SUPER_CONTRADICTED] = {
	"super-contradicted", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("the superblock in place and its newest copy differ in fields that "
	   "no kernel changes"),
	N_("One of the two is damaged, most likely the one in place: a power "
	   "cut can leave half of it unwritten, and this file system has no "
	   "checksum that would show it.  A replay puts the copy from the log "
	   "in place, and so does a checkpoint.  Copy the device first, and "
	   "compare 'dumpe2fs -h' before and after."),
	N_("Put the superblock's copy from the log in place?"),
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE,
	.mended = true },
[PROBLEM_DESC_CSUM] = {
	"desc-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of a group descriptor"),
	RUN_E2FSCK, WRITE_AS_LOGGED,
	.status = E2LAZY_DAMAGED, .advice = COPY_AND_CHECK,
	.effect = E2LAZY_EFFECT_WRITE },
[PROBLEM_BLOCK_BITMAP_CSUM] = {
	"block-bitmap-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of a block bitmap"),
	RUN_E2FSCK, WRITE_AS_LOGGED,
	.status = E2LAZY_DAMAGED, .advice = COPY_AND_CHECK,
	.effect = E2LAZY_EFFECT_WRITE },
[PROBLEM_INODE_BITMAP_CSUM] = {
	"inode-bitmap-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of an inode bitmap"),
	RUN_E2FSCK, WRITE_AS_LOGGED,
	.status = E2LAZY_DAMAGED, .advice = COPY_AND_CHECK,
	.effect = E2LAZY_EFFECT_WRITE },
[PROBLEM_INODE_CSUM] = {
	"inode-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of an inode"),
	RUN_E2FSCK, WRITE_AS_LOGGED,
	.status = E2LAZY_DAMAGED, .advice = COPY_AND_CHECK,
	.effect = E2LAZY_EFFECT_WRITE },
[PROBLEM_DIRECTORY_CSUM] = {
	"directory-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of a directory block"),
	RUN_E2FSCK, WRITE_AS_LOGGED,
	.status = E2LAZY_DAMAGED, .advice = COPY_AND_CHECK,
	.effect = E2LAZY_EFFECT_WRITE },
[PROBLEM_HTREE_CSUM] = {
	"htree-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of a node of a directory's index"),
	RUN_E2FSCK, WRITE_AS_LOGGED,
	.status = E2LAZY_DAMAGED, .advice = COPY_AND_CHECK,
	.effect = E2LAZY_EFFECT_WRITE },
[PROBLEM_EXTENT_CSUM] = {
	"extent-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of a node of an extent tree"),
	RUN_E2FSCK, WRITE_AS_LOGGED,
	.status = E2LAZY_DAMAGED, .advice = COPY_AND_CHECK,
	.effect = E2LAZY_EFFECT_WRITE },
[PROBLEM_XATTR_CSUM] = {
	"xattr-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of a block of extended attributes"),
	RUN_E2FSCK, WRITE_AS_LOGGED,
	.status = E2LAZY_DAMAGED, .advice = COPY_AND_CHECK,
	.effect = E2LAZY_EFFECT_WRITE },
[PROBLEM_DISCARDED_LOG] = {
	"discarded-log", E2LAZY_WARNING, E2LAZY_GO,
	N_("the log was emptied, and what it held may be newer than what "
	   "stands in place"),
	N_("The log was discarded unread: by a mount while needs_recovery was "
	   "clear, by an e2fsck that was told to clear the log, or by a lazy "
	   "mount that ended as an ordinary one.  The count is that of blocks whose "
	   "last copy differs from what stands in place.  Those copies are "
	   "overwritten as soon as the file system is mounted for writing: "
	   "copy the device before that.  e2fsck -f makes what stands in place "
	   "consistent, not newer; after it, or after a repair by hand, the "
	   "copies that differ are not all newer."), NULL,
	.status = E2LAZY_DAMAGED,
	.advice = N_("copy the device before it is mounted for writing") },
[PROBLEM_SUPER_TORN] = {
	"super-torn", E2LAZY_WARNING, E2LAZY_GO,
	N_("a checkpoint was cut off as it wrote the superblock"),
	N_("One half of the superblock is older than that write and the other "
	   "one newer, so that its checksum is wrong: no kernel mounts the "
	   "file system, and e2fsck takes a backup of the superblock.  The "
	   "checkpoint knows what the superblock was to become, and nothing "
	   "is lost.  Another checkpoint writes it whole and finishes."), NULL,
	.status = E2LAZY_DAMAGED,
	.mended = true,
	.advice = N_("write the log back: that finishes the superblock") },
[PROBLEM_SUPERSEDED_CSUM] = {
	"superseded-csum", E2LAZY_WARNING, E2LAZY_GO,
	N_("an older copy in the log is bad, so that no kernel replays the "
	   "log"),
	N_("A newer copy of the block stands in the log and is sound, so "
	   "no data is lost.  A kernel verifies every copy as it replays the "
	   "log, ends at this one, and refuses to mount the file system.  "
	   "e2fsck replays the log, sound newer copies included, and then "
	   "checks the whole file system.  A checkpoint by e2lazyck writes "
	   "the newest copies only, and empties the log: the file system "
	   "mounts again."), NULL,
	.status = E2LAZY_DAMAGED, .advice = USE_E2LAZYCK,
	.mended = true },
[PROBLEM_OWNERS_UNKNOWN] = {
	"owners-unknown", E2LAZY_WARNING, E2LAZY_ASK,
	N_("an inode, a block map or a bitmap cannot be used, so that not "
	   "every block's owner is known"),
	N_("Among the blocks without an owner there may be contents of "
	   "files that a copy in the log would overwrite.  No kernel but one "
	   "with ext4-lazy leaves such copies behind.  Run e2fsck -f once "
	   "the log has been written back."),
	N_("Write back the log without knowing the owner of each block?"),
	.status = E2LAZY_DAMAGED, .advice = WRITE_AND_CHECK },
[PROBLEM_DELETED_TAG] = {
	"deleted-tag", E2LAZY_WARNING, E2LAZY_ASK,
	N_("a tag is marked as deleted, which Linux never does"),
	N_("Recovery pays no heed to the mark and replays the copy.  Who set "
	   "it, and whether the copy should count, is not known."),
	N_("Write these copies home all the same, as recovery would?"),
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE,
	.effect = E2LAZY_EFFECT_WRITE },
[PROBLEM_RELOGGED] = {
	"relogged-after-revoke", E2LAZY_WARNING, E2LAZY_GO,
	N_("a copy that a revoke had made void was logged again as it was"),
	N_("The block was freed, and its copies were no longer to count.  The "
	   "cleaner of ext4-lazy copied the last of them forward all the "
	   "same.  While the block is free, writing it home harms nobody; "
	   "where it holds contents of a file by now, copy-of-data is found "
	   "too, and asks.  Write the log back before the file system is "
	   "used again, for the block may be given to any file."), NULL,
	.status = E2LAZY_DAMAGED,
	.advice = N_("write the log back before the file system is used again"),
	.mended = true },
[PROBLEM_BITMAP_COUNT] = {
	"bitmap-count", E2LAZY_WARNING, E2LAZY_GO,
	N_("a bitmap and its group descriptor disagree on how much is free"),
	N_("The file system was so when it was logged; writing the log back "
	   "makes it neither better nor worse.  Run e2fsck -f once that is "
	   "done."), NULL,
	.status = E2LAZY_DAMAGED, .advice = WRITE_AND_CHECK },
[PROBLEM_ERRNO] = {
	"errno", E2LAZY_WARNING, E2LAZY_GO,
	N_("the kernel has recorded an error in the journal superblock"),
	N_("Something went wrong while the file system was in use.  The "
	   "error is carried over into the file system's superblock when "
	   "the log is written back.  Run e2fsck -f then."), NULL,
	.status = E2LAZY_DAMAGED,
	.advice = N_("run e2fsck -f once the log has been replayed") },
[PROBLEM_FULL] = {
	"full", E2LAZY_WARNING, E2LAZY_GO,
	N_("the log fills its ring"),
	N_("There is no room for another transaction.  Write it back, or "
	   "make the journal larger."), NULL,
	.status = E2LAZY_SOUND_IN_USE, .advice = MAKE_ROOM,
	.mended = true },
/* Warnings of e2lazy info only: about other tools and the near future. */
[PROBLEM_FAST_COMMIT] = {
	"fast-commit", E2LAZY_WARNING, E2LAZY_GO,
	N_("debugfs and tune2fs empty a log with a fast-commit area unread"),
	N_("The log is in use and has room for fast commits.  Some versions of "
	   "these tools do not know of that area, and drop the log as they "
	   "write.  e2lazy info tells of it, e2lazyck does not."), NULL,
	.status = E2LAZY_SOUND_IN_USE, .advice = MOUNT_AND_CHECK },
[PROBLEM_MOUNTED] = {
	"mounted", E2LAZY_WARNING, E2LAZY_GO,
	N_("the file system is mounted, so the log may change while it is "
	   "read"),
	N_("The kernel commits to the log and overwrites it as it goes round.  "
	   "Two looks at it may not fit.  e2lazy info tells of it as a row, "
	   "e2lazyck in words, and e2lazyck does not write to it."), NULL,
	.status = E2LAZY_SOUND_IN_USE,
	.advice = N_("unmount it, or look at a snapshot") },
[PROBLEM_CROWDED] = {
	"crowded", E2LAZY_WARNING, E2LAZY_GO,
	/* xgettext:no-c-format */
	N_("more than 70% of the ring is live; an ext4-lazy kernel slows "
	   "down"),
	N_("The cleaner has to copy nearly as much forward as it makes room "
	   "for.  e2lazy info tells of it, e2lazyck does not."), NULL,
	.status = E2LAZY_SOUND_IN_USE, .advice = MAKE_ROOM,
	.mended = true },
[PROBLEM_EMPTIED_BY_TOOLS] = {
	"emptied-by-tools", E2LAZY_WARNING, E2LAZY_GO,
	N_("this is a lazy journal: a mount without journal_lazy, e2fsck -p "
	   "and tune2fs empty it"),
	N_("Each of them writes all copies home and goes on without a word: no "
	   "block is lost, but the time that takes is.  e2lazy info tells of "
	   "it, e2lazyck does not."), NULL,
	.status = E2LAZY_SOUND_IN_USE,
	.advice = N_("keep fsck at boot and tune2fs away from it") },
[PROBLEM_TORN_COMMIT] = {
	"torn-commit", E2LAZY_NOTE, E2LAZY_GO,
	N_("a commit block is torn; new kernels accept it, e2fsck and older "
	   "ones do not"),
	N_("The part of the block that means anything reached the disk, the "
	   "rest did not.  The transaction counts here, as it does for "
	   "Linux 6.12 and later."), NULL,
	.status = E2LAZY_CLEAN,
	.advice = N_("let a kernel of 6.12 or later replay the log, or e2lazyck") },
[PROBLEM_UNCOMMITTED_TAIL] = {
	"uncommitted-tail", E2LAZY_NOTE, E2LAZY_GO,
	N_("a transaction was begun and never committed; recovery ignores "
	   "it"),
	N_("That is how a crash leaves a log, and nothing that was promised "
	   "is lost with it.  The loader of ext4-lazy maps it nevertheless: "
	   "write the log back, or replay it with a stock kernel."), NULL,
	.status = E2LAZY_CLEAN,
	.advice = N_("replay with a stock kernel: the loader of ext4-lazy maps "
		      "it") },
[PROBLEM_END_NOT_PROVEN] = {
	"end-not-proven", E2LAZY_NOTE, E2LAZY_GO,
	N_("the log seems to end here; the rest of the ring was not looked "
	   "at"),
	N_("Damage over more blocks than one descriptor describes looks like "
	   "the end of a log.  A quick look stops short of it, and nothing is "
	   "written after one.  A whole look goes on until nothing newer can "
	   "follow."), NULL,
	.status = E2LAZY_CLEAN,
	.advice = N_("run e2lazyck without --quick") },
[PROBLEM_RECOVERY_OF_NOTHING] = {
	"recovery-of-nothing", E2LAZY_NOTE, E2LAZY_GO,
	N_("needs_recovery is set, but the log is empty"),
	N_("Harmless: the next mount, or a checkpoint, clears it."), NULL,
	.status = E2LAZY_CLEAN,
	.advice = N_("harmless; the next mount clears it") },
[PROBLEM_SUPERBLOCK_NEWER] = {
	"superblock-newer", E2LAZY_NOTE, E2LAZY_GO,
	N_("the superblock in place was written later than its copy in the "
	   "log"),
	N_("The kernel writes the superblock both ways.  A checkpoint merges "
	   "the two; a replay by other tools puts the older one over it."),
	NULL,
	.status = E2LAZY_CLEAN,
	.advice = N_("write the log back with e2lazyck, which merges the two") },
[PROBLEM_TAG_ON_BACKUP] = {
	"tag-on-backup", E2LAZY_NOTE, E2LAZY_GO,
	N_("a copy is of a backup superblock or of backup group "
	   "descriptors"),
	N_("An online resize logs them.  Until they are written back, do not "
	   "repair anything from those backups."), NULL,
	.status = E2LAZY_CLEAN,
	.advice = N_("repair nothing from those backups before the log is written "
		      "back") },
[PROBLEM_COPY_OF_FREE] = {
	"copy-of-free", E2LAZY_NOTE, E2LAZY_GO,
	N_("a copy is of a block that is free"),
	N_("The block was in use when it was logged, and was freed later.  "
	   "Writing it home harms nobody."), NULL,
	.status = E2LAZY_CLEAN,
	.advice = N_("harmless; nobody uses the block") },
[PROBLEM_JOURNALED_DATA] = {
	"journaled-data", E2LAZY_NOTE, E2LAZY_GO,
	N_("copies in the log are of contents of files that are not marked as "
	   "journaled"),
	N_("The file system was mounted with data=journal by hand, as it seems, "
	   "which leaves no trace on the device.  They are the files' newest "
	   "contents and are written home."),
	NULL,
	.status = E2LAZY_CLEAN,
	.advice = N_("write the log back: the copies are the newer contents") },
[PROBLEM_ORPHANS] = {
	"orphans", E2LAZY_NOTE, E2LAZY_GO,
	N_("files that were deleted while open, or were being truncated, may "
	   "wait for e2fsck or the next mount"),
	N_("Their blocks are in use still.  Writing the log back brings the "
	   "list of them home and leaves it at that; e2fsck and a mount for "
	   "writing see to them.  A file system with a file of orphans says "
	   "only that there may be some."), NULL,
	.status = E2LAZY_CLEAN,
	.advice = N_("run e2fsck or mount it, once the log is written back") },
[PROBLEM_STATIC_STALE] = {
	"static-stale", E2LAZY_NOTE, E2LAZY_GO,
	N_("static blocks, bitmaps among them, are older than the log"),
	N_("Each program that does not read the log shows the state before it, "
	   "debugfs -c and e2fsck -n among them.  e2lazy info tells of it, "
	   "e2lazyck does not."), NULL,
	.advice = N_("look at it with debuglazy or e2lazy view; debugfs and "
		     "e2fsck -n see the state before the log") },
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
