/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * problem_journal.h - rows of problem.c's table for a journal that won't open
 *
 * Each is the only finding, because nothing more is known of the log.
 */
[PROBLEM_JOURNAL_AMBIGUOUS] = {
	"journal-ambiguous", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the superblock names both a journal inode and a journal device"),
	N_("Which of the two has the log is not known.  A kernel refuses to "
	   "mount the file system; e2fsck takes the inode and replays what is "
	   "in it, be it an old log.  Copy both devices and find out which of "
	   "them was in use.  Then have debugfs set the others to 0 with "
	   "set_super_value: journal_inum, or journal_dev and journal_uuid."),
	NULL,
	.status = E2LAZY_UNUSABLE,
	.advice = N_("copy both devices, and find out which of them was in use") },
[PROBLEM_JOURNAL_INODE] = {
	"journal-inode", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the journal inode is not a usable regular file"),
	JOURNAL_NOT_FOUND, NULL,
	.status = E2LAZY_UNUSABLE, .advice = COPY_DEVICE },
[PROBLEM_JOURNAL_MAP] = {
	"journal-map", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the journal inode's block map has a hole or a block outside the "
	   "file system"),
	JOURNAL_NOT_FOUND, NULL,
	.status = E2LAZY_UNUSABLE, .advice = COPY_DEVICE },
[PROBLEM_JOURNAL_CUT_OFF] = {
	"journal-cut-off", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the device or image ends too early: the journal, or what leads to "
	   "it, is cut off"),
	N_("Part of the file system is missing, or of the device that its "
	   "journal is on, as of an image that was not copied to its end or a "
	   "volume made smaller.  e2fsck -p stops at it; with -y it may go on "
	   "and delete the journal.  Look for the rest of it before anything "
	   "is written."), NULL,
	.status = E2LAZY_UNUSABLE, .advice = LOOK_FOR_REST },
[PROBLEM_EXTERNAL_MAGIC] = {
	"external-magic", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("not an ext4 external journal"),
	N_("The device of the journal is another one, or its ext4 superblock "
	   "is damaged.  e2fsck stops at it.  Name the right device with "
	   "--journal.  If it is that one, copy it: to make the journal anew, "
	   "or to remove it with tune2fs -f, gives up all that is in the "
	   "log."), NULL,
	.status = E2LAZY_UNUSABLE, .advice = NAME_JOURNAL },
[PROBLEM_EXTERNAL_CSUM] = {
	"external-csum", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("bad checksum in the superblock of the external journal"),
	N_("The ext4 superblock of the journal's device is damaged, so that it "
	   "is not certain whose journal it is; the log behind it may be "
	   "sound.  A kernel refuses to mount the file system.  Where "
	   "only the checksum is wrong, or a field that e2fsck does not read, "
	   "e2fsck -p puts the checksum right without asking and replays the "
	   "log.  Where the flags or the UUID are wrong, e2fsck stops with "
	   "exit status 12.  Copy both devices before that."), NULL,
	.status = E2LAZY_UNUSABLE,
	.advice = N_("copy both devices before e2fsck touches them") },
[PROBLEM_EXTERNAL_FOREIGN] = {
	"external-foreign", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("external journal of another file system: its UUID is not the one "
	   "in the superblock"),
	N_("What is in its log belongs to other blocks than those of this "
	   "file system.  A kernel and e2fsck stop at it.  Name the right "
	   "device with --journal.  If it is that one, its UUID or the one in "
	   "the superblock has been changed or damaged."), NULL,
	.status = E2LAZY_UNUSABLE, .advice = NAME_JOURNAL },
[PROBLEM_EXTERNAL_NOT_USER] = {
	"external-not-user", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("external journal of another file system: this one is not in its "
	   "list of users"),
	N_("The superblock names this journal, but the journal does not name "
	   "the file system.  A disk that carries the UUID of another's "
	   "journal looks like that: to write its log back overwrites this "
	   "file system with the other's blocks and empties the other's log.  "
	   "A kernel and e2fsck do not look at the list.  'dumpe2fs JOURNAL' "
	   "shows it.  With --journal e2lazy reads such a log, and nothing "
	   "writes it back.  If it is the right one, as after a change of the "
	   "UUID that the journal was not told of, mount the file system with "
	   "a kernel and unmount it."), NULL,
	.status = E2LAZY_UNUSABLE, .advice = NAME_JOURNAL },
[PROBLEM_JOURNAL_SUPER_MAGIC] = {
	"journal-super-magic", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("no jbd2 superblock at the start of the journal"),
	N_("Where the log begins is not known, so that none of it can be "
	   "read.  e2fsck, even with -p as at boot, deletes such a journal or "
	   "gives it a new superblock, and with that drops the whole log; it "
	   "stops only at a version that it does not know.  A kernel refuses "
	   "to mount the file system.  Copy the device first: behind its "
	   "superblock the log may be whole."), NULL,
	.status = E2LAZY_UNUSABLE, .advice = COPY_DEVICE },
[PROBLEM_JOURNAL_SUPER_CSUM] = {
	"journal-super-csum", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("bad checksum in the journal superblock"),
	JOURNAL_SUPER_CORRUPT, NULL,
	.status = E2LAZY_UNUSABLE, .advice = COPY_DEVICE },
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
	NULL,
	.status = E2LAZY_UNUSABLE,
	.advice = N_("take a newer version, or have the kernel that wrote the log "
		      "replay it") },
[PROBLEM_JOURNAL_CSUM_TYPE] = {
	"journal-csum-type", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the journal superblock's checksum features or type contradict "
	   "each other"),
	JOURNAL_SUPER_CORRUPT, NULL,
	.status = E2LAZY_UNUSABLE, .advice = COPY_DEVICE },
[PROBLEM_JOURNAL_BLOCK_SIZE] = {
	"journal-block-size", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the journal superblock's block size is not the file system's"),
	JOURNAL_SUPER_CORRUPT, NULL,
	.status = E2LAZY_UNUSABLE, .advice = COPY_DEVICE },
[PROBLEM_JOURNAL_SHORT] = {
	"journal-short", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the journal is shorter than its superblock says, or than 1024 "
	   "blocks"),
	N_("Where the log's ring ends is not known, so that it cannot be "
	   "read.  If the superblock says more blocks than there are, e2fsck "
	   "takes it for corrupt and, even with -p as at boot, drops the whole "
	   "log; if it says too few, e2fsck goes by it and replays a log that "
	   "is longer from the wrong blocks.  Copy the device first."),
	NULL, .status = E2LAZY_UNUSABLE, .advice = COPY_DEVICE },
[PROBLEM_JOURNAL_FAST_COMMIT] = {
	"journal-fast-commit", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the fast-commit area leaves fewer than 1024 blocks of log"),
	N_("Where the log's ring ends is not known, so that it cannot be "
	   "read.  e2fsck takes the superblock for corrupt and, even with -p "
	   "as at boot, drops the whole log; older kernels take the area for "
	   "part of the ring.  Copy the device first."), NULL,
	.status = E2LAZY_UNUSABLE, .advice = COPY_DEVICE },
[PROBLEM_JOURNAL_FIRST] = {
	"journal-first", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("s_first in the journal superblock is outside the journal"),
	N_("Where the log goes on once it has reached the journal's end is not "
	   "known.  A kernel refuses to mount the file system; e2fsck does not "
	   "look at the number, and replays a log that goes round from the "
	   "wrong blocks.  Copy the device first."), NULL,
	.status = E2LAZY_UNUSABLE, .advice = COPY_DEVICE },
[PROBLEM_JOURNAL_START] = {
	"journal-start", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("s_start in the journal superblock is outside the log"),
	JOURNAL_SUPER_CORRUPT, NULL,
	.status = E2LAZY_UNUSABLE, .advice = COPY_DEVICE },
