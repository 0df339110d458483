/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * problem.c - everything that can be found wrong, as a table
 *
 * Ids are part of the output contract.  A checkpoint goes on by itself where
 * it makes nothing worse; it asks where a block would end up older than it
 * could be, or holding what it should not; it is refused where it would lose
 * what it cannot see.
 */
#include "config.h"

#include <string.h>

#include "problem.h"

/* For xgettext alone: whoever prints a text may translate it. */
#define N_(text) text

/* What agreeing to a log that breaks off means, whatever broke it. */
#define GIVE_UP_THE_REST \
	N_("Write back what stands before the damage, and give up what " \
	   "stands behind it?")
#define WRITE_AS_LOGGED \
	N_("Write these blocks home as they were logged?")
#define RUN_E2FSCK \
	N_("A kernel refuses to use what fails its checksum.  Its static " \
	   "place may hold an older version that is sound: copy the device " \
	   "before it is overwritten.  Run e2fsck -f once the log has been " \
	   "written back.")

#define JOURNAL_NOT_FOUND \
	N_("Neither the inode nor the superblock's backup of it tells where " \
	   "the log lies.  e2fsck, even with -p as at boot, deletes such a " \
	   "journal and makes a new one: the whole log is lost, and its blocks " \
	   "become free.  A kernel refuses to mount the file system.  Where " \
	   "nothing but the inode's size is wrong, either may replay the log " \
	   "instead.  Copy the device first.  Most likely the log is still in " \
	   "its blocks, each of them a jbd2 block or a copy.")
#define JOURNAL_SUPER_CORRUPT \
	N_("Where the log begins and how it is to be read is not known, so " \
	   "that nothing of it can be written back.  e2fsck takes the " \
	   "superblock for corrupt and, even with -p as at boot, writes a new " \
	   "one: it drops the whole log, in two lines of output.  Copy the " \
	   "device first: behind its superblock the log may be whole.  After " \
	   "e2fsck -f the file system is consistent at best, and as old as what " \
	   "stands in place.")

const struct e2lazy_problem problem_table[NR_PROBLEMS] = {
[PROBLEM_JOURNAL_AMBIGUOUS] = {
	"journal-ambiguous", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the superblock names both a journal inode and a journal device"),
	N_("Which of the two has the log is not known.  A kernel refuses to "
	   "mount the file system; e2fsck takes the inode and replays what is "
	   "in it, be it an old log.  Copy both devices and find out which of "
	   "them was in use.  Then have debugfs set the others to 0 with "
	   "set_super_value: journal_inum, or journal_dev and journal_uuid."),
	NULL },
[PROBLEM_JOURNAL_INODE] = {
	"journal-inode", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the journal inode is not a usable regular file"),
	JOURNAL_NOT_FOUND, NULL },
[PROBLEM_JOURNAL_MAP] = {
	"journal-map", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the journal inode's block map has a hole or a block outside the "
	   "file system"),
	JOURNAL_NOT_FOUND, NULL },
[PROBLEM_JOURNAL_CUT_OFF] = {
	"journal-cut-off", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the device or image ends too early: the journal, or what leads to "
	   "it, is cut off"),
	N_("Part of the file system is missing, or of the device that its "
	   "journal is on, as of an image that was not copied to its end or a "
	   "volume made smaller.  e2fsck -p stops at it; with -y it may go on "
	   "and delete the journal.  Look for the rest of it before anything "
	   "is written."), NULL },
[PROBLEM_EXTERNAL_MAGIC] = {
	"external-magic", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("not an ext4 external journal"),
	N_("The device of the journal is another one, or its ext4 superblock "
	   "is damaged.  e2fsck stops at it.  Name the right device with "
	   "--journal.  If it is that one, copy it: to make the journal anew, "
	   "or to remove it with tune2fs -f, gives up all that is in the "
	   "log."), NULL },
[PROBLEM_EXTERNAL_CSUM] = {
	"external-csum", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("bad checksum in the superblock of the external journal"),
	N_("The ext4 superblock of the journal's device is damaged, so that it "
	   "is not certain whose journal it is; the log behind it may be "
	   "sound.  A kernel refuses to mount the file system.  e2fsck puts "
	   "the checksum right without asking, and replays the log: copy both "
	   "devices before that."), NULL },
[PROBLEM_EXTERNAL_FOREIGN] = {
	"external-foreign", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("external journal of another file system: its UUID is not the one "
	   "in the superblock"),
	N_("What is in its log belongs to other blocks than those of this "
	   "file system.  A kernel and e2fsck stop at it.  Name the right "
	   "device with --journal.  If it is that one, its UUID or the one in "
	   "the superblock has been changed or damaged."), NULL },
[PROBLEM_JOURNAL_SUPER_MAGIC] = {
	"journal-super-magic", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("no jbd2 superblock at the start of the journal"),
	N_("Where the log begins is not known, so that none of it can be "
	   "read.  e2fsck, even with -p as at boot, deletes such a journal or "
	   "gives it a new superblock, and with that drops the whole log; it "
	   "stops only at a version that it does not know.  A kernel refuses "
	   "to mount the file system.  Copy the device first: behind its "
	   "superblock the log may be whole."), NULL },
[PROBLEM_JOURNAL_SUPER_CSUM] = {
	"journal-super-csum", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("bad checksum in the journal superblock"),
	JOURNAL_SUPER_CORRUPT, NULL },
[PROBLEM_JOURNAL_FEATURES] = {
	"journal-features", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the journal superblock has features that this program does not "
	   "know"),
	N_("The log was written by something newer, and has to be read in a "
	   "way that is not known here; the number is that of the unknown "
	   "features' bits.  e2fsck asks whether it is to abort: who says no "
	   "drops the whole log.  Take a newer version of this program, or "
	   "have the kernel that wrote the log replay it by a mount.  If there "
	   "is none, the superblock is damaged: copy the device first."),
	NULL },
[PROBLEM_JOURNAL_CSUM_TYPE] = {
	"journal-csum-type", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the journal superblock's checksum features or type contradict "
	   "each other"),
	JOURNAL_SUPER_CORRUPT, NULL },
[PROBLEM_JOURNAL_BLOCK_SIZE] = {
	"journal-block-size", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the journal superblock's block size is not the file system's"),
	JOURNAL_SUPER_CORRUPT, NULL },
[PROBLEM_JOURNAL_SHORT] = {
	"journal-short", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the journal is shorter than its superblock says, or than 1024 "
	   "blocks"),
	N_("Where the log's ring ends is not known, so that it cannot be "
	   "read.  If the superblock says more blocks than there are, e2fsck "
	   "takes it for corrupt and, even with -p as at boot, drops the whole "
	   "log; if it says too few, e2fsck goes by it and replays a log that "
	   "is longer from the wrong blocks.  Copy the device first."),
	NULL },
[PROBLEM_JOURNAL_FAST_COMMIT] = {
	"journal-fast-commit", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the fast-commit area leaves fewer than 1024 blocks of log"),
	N_("Where the log's ring ends is not known, so that it cannot be "
	   "read.  e2fsck takes the superblock for corrupt and, even with -p "
	   "as at boot, drops the whole log; older kernels take the area for "
	   "part of the ring.  Copy the device first."), NULL },
[PROBLEM_JOURNAL_FIRST] = {
	"journal-first", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("s_first in the journal superblock is outside the journal"),
	N_("Where the log goes on once it has reached the journal's end is not "
	   "known.  A kernel refuses to mount the file system; e2fsck does not "
	   "look at the number, and replays a log that goes round from the "
	   "wrong blocks.  Copy the device first."), NULL },
[PROBLEM_JOURNAL_START] = {
	"journal-start", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("s_start in the journal superblock is outside the log"),
	JOURNAL_SUPER_CORRUPT, NULL },
[PROBLEM_WIPED_ON_MOUNT] = {
	"wiped-on-mount", E2LAZY_GRAVE, E2LAZY_GO,
	N_("the log is in use, but needs_recovery is clear: an ordinary "
	   "mount discards it unread"),
	N_("A freeze or an LVM snapshot of a lazily journaled file system "
	   "leaves it like this.  The count is that of blocks which a mount "
	   "would set back to an older state.  Do not mount it; write the "
	   "log back first, which begins with setting the flag."), NULL },
[PROBLEM_FAST_COMMITS_VALID] = {
	"fast-commits-valid", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("fast-commit records stand on top of the log and are not in the "
	   "map"),
	N_("They record changes that programs were told are safe on disk, "
	   "and not as blocks but as operations, which only a kernel can "
	   "carry out.  Writing the log back would lose them.  Mount the "
	   "file system once: that replays both."), NULL },
[PROBLEM_SUPER_FOREIGN] = {
	"super-foreign", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the superblock's newest copy is not one of this file system"),
	N_("The copy in the log is damaged or of another file system.  What "
	   "the superblock is to be after recovery is not known, so that "
	   "nothing is written back.  A replay by other tools would put the "
	   "copy over the superblock in place.  Copy the device first."),
	NULL },
[PROBLEM_DEVICE_SHORT] = {
	"device-short", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("the device or image ends before the file system does"),
	N_("Part of the file system is missing, as of an image that was not "
	   "copied to its end or a volume made smaller.  Blocks out there "
	   "cannot be written back.  Look for the rest of it before anything "
	   "is written."),
	N_("Write back those blocks that have a place, and give up the "
	   "others?") },
[PROBLEM_JOURNAL_INODE_LOST] = {
	"journal-inode-lost", E2LAZY_GRAVE, E2LAZY_GO,
	N_("the journal inode is unusable, and only the superblock's backup "
	   "finds the log"),
	N_("e2fsck deletes such a journal with all that is in it.  Write it "
	   "back first; then e2fsck makes a new one without loss."), NULL },
[PROBLEM_FAST_COMMIT_WRAPPED] = {
	"fast-commit-wrapped", E2LAZY_GRAVE, E2LAZY_GO,
	N_("the log has a fast-commit area and wraps, which e2fsck "
	   "misreads"),
	N_("e2fsck takes the fast-commit area for part of the ring and so "
	   "replays the wrong blocks; debugfs and tune2fs empty the log "
	   "unread.  Let a kernel mount replay it, or write it back here."),
	NULL },
/* Before the damage is asked about, it is told which blocks that is about. */
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
	   "their newest copies?") },
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
	   "now?") },
[PROBLEM_UNREADABLE] = {
	"unreadable", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a block cannot be read"),
	N_("Where it is a copy in the log, its static block keeps an older "
	   "state; where it is one of the log's own blocks, all transactions "
	   "from there on are out of reach.  Copy the device with a tool "
	   "that retries, and work on the copy."),
	N_("Go on without what cannot be read, so that blocks end up older "
	   "than the log has them?") },
[PROBLEM_BLOCK_CSUM] = {
	"block-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of a descriptor or revoke block in a committed "
	   "transaction"),
	N_("Which blocks the transaction holds is no longer known, so it and "
	   "all later ones are left out: the file system would fall back to "
	   "the state before it.  A kernel and e2fsck replay nothing at all "
	   "of such a log."),
	GIVE_UP_THE_REST },
[PROBLEM_COMMIT_CSUM] = {
	"commit-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of a commit block"),
	N_("The transaction does not count, nor does any later one: the file "
	   "system would fall back to the state before it.  A kernel refuses "
	   "to mount such a file system."),
	GIVE_UP_THE_REST },
[PROBLEM_REVOKE_COUNT] = {
	"revoke-count", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a revoke block's byte count is larger than the block"),
	N_("Which copies the transaction made void is not known, so it and "
	   "all later ones are left out: the file system would fall back to "
	   "the state before it."),
	GIVE_UP_THE_REST },
[PROBLEM_BLOCK_TYPE] = {
	"block-type", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a journal block of unknown type"),
	N_("The block belongs to the log by its magic and transaction, but "
	   "what it says cannot be understood.  Its transaction and all "
	   "later ones are left out: the file system would fall back to the "
	   "state before it."),
	GIVE_UP_THE_REST },
[PROBLEM_LATER_TRANSACTIONS] = {
	"later-transactions", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("committed blocks stand behind the place where the log breaks "
	   "off"),
	N_("A block in the middle of the log was lost or overwritten.  Every "
	   "recovery takes that for the end of the log and drops what "
	   "follows without a word.  Copy the device before anything "
	   "replays the log."),
	GIVE_UP_THE_REST },
[PROBLEM_DATA_CSUM] = {
	"data-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of a copy in the log"),
	N_("The newest copy of a block is damaged.  Its static place holds "
	   "an older state that does not fit its neighbours, as does an "
	   "older copy in the log, if there is one.  Run e2fsck -f once the "
	   "others have been written back."),
	N_("Leave these blocks as they are in place, older than the log had "
	   "them, and drop their copies?") },
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
	   "and drop their copies?") },
[PROBLEM_DUPLICATE_TAG] = {
	"duplicate-tag", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a transaction has two copies of the same block"),
	N_("jbd2 never writes that.  The first copy is of a transaction that "
	   "was never committed and whose number was used again, as a loader "
	   "of ext4-lazy does it: updates that were given up are in the log "
	   "as if they counted."),
	N_("Write back this log, although updates that were never committed "
	   "may be in it?") },
[PROBLEM_LOST_ESCAPE] = {
	"lost-escape", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("the newest copy of a block has lost its first four bytes"),
	N_("The block begins with the magic of the journal, which the log "
	   "stores as zeros beside a mark.  A cleaner copied it forward "
	   "without the mark: the copy is the older one again, but for the "
	   "zeros.  The contents of a file or a symbolic link would begin "
	   "with zeros."),
	N_("Write these blocks home with zeros in their first four bytes?") },
[PROBLEM_TAG_OUTSIDE] = {
	"tag-outside", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a tag maps a block beyond the end of the file system"),
	N_("The copy has no place to go and is left out; what it was meant "
	   "for, if anything, stays older.  A kernel and e2fsck write it "
	   "where it says, over whatever is there, or make the image "
	   "larger."),
	N_("Write back the other blocks, and give up these copies?") },
[PROBLEM_TAG_IN_JOURNAL] = {
	"tag-in-journal", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a tag maps a block of the journal itself"),
	N_("The copy is left out, for it would overwrite the log that it "
	   "comes from; what it was meant for, if anything, stays older.  A "
	   "kernel and e2fsck write it."),
	N_("Write back the other blocks, and give up these copies?") },
[PROBLEM_SUPER_CSUM] = {
	"super-csum", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("bad checksum in the superblock's newest copy"),
	N_("What the superblock is to be after recovery is not known, so that "
	   "nothing is written back.  A replay by other tools would put the "
	   "copy over the superblock in place, and e2fsck would then take one "
	   "of the backups.  Copy the device first."),
	NULL },
[PROBLEM_DESC_CSUM] = {
	"desc-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of a group descriptor"),
	RUN_E2FSCK, WRITE_AS_LOGGED },
[PROBLEM_BLOCK_BITMAP_CSUM] = {
	"block-bitmap-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of a block bitmap"),
	RUN_E2FSCK, WRITE_AS_LOGGED },
[PROBLEM_INODE_BITMAP_CSUM] = {
	"inode-bitmap-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of an inode bitmap"),
	RUN_E2FSCK, WRITE_AS_LOGGED },
[PROBLEM_INODE_CSUM] = {
	"inode-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of an inode"),
	RUN_E2FSCK, WRITE_AS_LOGGED },
[PROBLEM_DIRECTORY_CSUM] = {
	"directory-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of a directory block"),
	RUN_E2FSCK, WRITE_AS_LOGGED },
[PROBLEM_HTREE_CSUM] = {
	"htree-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of a node of a directory's index"),
	RUN_E2FSCK, WRITE_AS_LOGGED },
[PROBLEM_EXTENT_CSUM] = {
	"extent-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of a node of an extent tree"),
	RUN_E2FSCK, WRITE_AS_LOGGED },
[PROBLEM_XATTR_CSUM] = {
	"xattr-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of a block of extended attributes"),
	RUN_E2FSCK, WRITE_AS_LOGGED },
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
	   "copies that differ are not all newer."), NULL },
[PROBLEM_OWNERS_UNKNOWN] = {
	"owners-unknown", E2LAZY_WARNING, E2LAZY_ASK,
	N_("an inode, a block map or a bitmap cannot be used, so that not "
	   "every block's owner is known"),
	N_("Among the blocks without an owner there may be contents of "
	   "files that a copy in the log would overwrite.  No kernel but one "
	   "with ext4-lazy leaves such copies behind.  Run e2fsck -f once "
	   "the log has been written back."),
	N_("Write back the log without knowing the owner of each block?") },
[PROBLEM_DELETED_TAG] = {
	"deleted-tag", E2LAZY_WARNING, E2LAZY_ASK,
	N_("a tag is marked as deleted, which Linux never does"),
	N_("Recovery pays no heed to the mark and replays the copy.  Who set "
	   "it, and whether the copy should count, is not known."),
	N_("Write these copies home all the same, as recovery would?") },
[PROBLEM_RELOGGED] = {
	"relogged-after-revoke", E2LAZY_WARNING, E2LAZY_GO,
	N_("a copy that a revoke had made void was logged again as it was"),
	N_("The block was freed, and its copies were no longer to count.  The "
	   "cleaner of ext4-lazy copied the last of them forward all the "
	   "same.  While the block is free, writing it home harms nobody; "
	   "where it holds contents of a file by now, copy-of-data is found "
	   "too, and asks.  Write the log back before the file system is "
	   "used again, for the block may be given to any file."), NULL },
[PROBLEM_BITMAP_COUNT] = {
	"bitmap-count", E2LAZY_WARNING, E2LAZY_GO,
	N_("a bitmap and its group descriptor disagree on how much is free"),
	N_("The file system was so when it was logged; writing the log back "
	   "makes it neither better nor worse.  Run e2fsck -f once that is "
	   "done."), NULL },
[PROBLEM_ERRNO] = {
	"errno", E2LAZY_WARNING, E2LAZY_GO,
	N_("the kernel has recorded an error in the journal superblock"),
	N_("Something went wrong while the file system was in use.  The "
	   "error is carried over into the file system's superblock when "
	   "the log is written back.  Run e2fsck -f then."), NULL },
[PROBLEM_FULL] = {
	"full", E2LAZY_WARNING, E2LAZY_GO,
	N_("the log fills its ring"),
	N_("There is no room for another transaction.  Write it back, or "
	   "make the journal larger."), NULL },
[PROBLEM_TORN_COMMIT] = {
	"torn-commit", E2LAZY_NOTE, E2LAZY_GO,
	N_("a commit block is torn; new kernels accept it, e2fsck and older "
	   "ones do not"),
	N_("The part of the block that means anything reached the disk, the "
	   "rest did not.  The transaction counts here, as it does for "
	   "Linux 6.12 and later."), NULL },
[PROBLEM_UNCOMMITTED_TAIL] = {
	"uncommitted-tail", E2LAZY_NOTE, E2LAZY_GO,
	N_("a transaction was begun and never committed; recovery ignores "
	   "it"),
	N_("That is how a crash leaves a log, and nothing that was promised "
	   "is lost with it.  The loader of ext4-lazy maps it nevertheless: "
	   "write the log back, or replay it with a stock kernel."), NULL },
[PROBLEM_RECOVERY_OF_NOTHING] = {
	"recovery-of-nothing", E2LAZY_NOTE, E2LAZY_GO,
	N_("needs_recovery is set, but the log is empty"),
	N_("Harmless: the next mount, or a checkpoint, clears it."), NULL },
[PROBLEM_SUPERBLOCK_NEWER] = {
	"superblock-newer", E2LAZY_NOTE, E2LAZY_GO,
	N_("the superblock in place was written later than its copy in the "
	   "log"),
	N_("The kernel writes the superblock both ways.  A checkpoint merges "
	   "the two; a replay by other tools puts the older one over it."),
	NULL },
[PROBLEM_TAG_ON_BACKUP] = {
	"tag-on-backup", E2LAZY_NOTE, E2LAZY_GO,
	N_("a copy is of a backup superblock or of backup group "
	   "descriptors"),
	N_("An online resize logs them.  Until they are written back, do not "
	   "repair anything from those backups."), NULL },
[PROBLEM_COPY_OF_FREE] = {
	"copy-of-free", E2LAZY_NOTE, E2LAZY_GO,
	N_("a copy is of a block that is free"),
	N_("The block was in use when it was logged, and was freed later.  "
	   "Writing it home harms nobody."), NULL },
[PROBLEM_JOURNALED_DATA] = {
	"journaled-data", E2LAZY_NOTE, E2LAZY_GO,
	N_("copies in the log are of contents of files that are not marked as "
	   "journaled"),
	N_("The file system was mounted with data=journal by hand, as it seems, "
	   "which leaves no trace on the device.  They are the files' newest "
	   "contents and are written home."),
	NULL },
[PROBLEM_ORPHANS] = {
	"orphans", E2LAZY_NOTE, E2LAZY_GO,
	N_("files that were deleted while open, or were being truncated, may "
	   "wait for e2fsck or the next mount"),
	N_("Their blocks are in use still.  Writing the log back brings the "
	   "list of them home and leaves it at that; e2fsck and a mount for "
	   "writing see to them.  A file system with a file of orphans says "
	   "only that there may be some."), NULL },
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
