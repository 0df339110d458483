/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * problem_journal.h - rows of problem.c's table for a journal that won't open
 *
 * Each is the only finding, because nothing more is known of the log.
 */
[PROBLEM_JOURNAL_AMBIGUOUS] = {
	"journal-ambiguous", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the superblock names both a journal inode and a journal device"),
	N_("Either of the two may hold the log.  A kernel refuses to mount the "
	   "file system.  e2fsck takes the inode and replays its log, even an "
	   "old one, unless s_journal_uuid is set; then it stops with exit "
	   "status 12.  Copy both devices and find out which journal was in "
	   "use.  Then clear the fields of the other one with "
	   "set_super_value of debugfs: journal_inum 0, or journal_dev 0 and "
	   "journal_uuid clear."),
	NULL,
	.status = E2LAZY_UNUSABLE,
	.advice = N_("copy both devices, and find out which journal was in "
		     "use") },
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
	N_("the device or image is too short: the journal or the metadata that "
	   "locates it is cut off"),
	N_("Part of the file system or of its journal's device is missing: the "
	   "image was not copied to its end, or the volume was made smaller.  "
	   "e2fsck -p stops here; e2fsck -y may go on and delete the journal.  "
	   "Find the missing part before you write anything."), NULL,
	.status = E2LAZY_UNUSABLE, .advice = LOOK_FOR_REST },
[PROBLEM_EXTERNAL_MAGIC] = {
	"external-magic", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("not an ext4 external journal"),
	N_("The journal is on another device, or the ext4 superblock of this "
	   "one is damaged.  e2fsck stops here.  Name the right device with "
	   "--journal.  If this is the right one, copy it: a new journal, or "
	   "tune2fs -f, which removes the journal, gives up the whole "
	   "log.  If its jbd2 superblock is sound and has the right UUID, the "
	   "log can still be read, and the files copied out."), NULL,
	.status = E2LAZY_UNUSABLE, .advice = NAME_JOURNAL },
[PROBLEM_EXTERNAL_CSUM] = {
	"external-csum", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("bad checksum in the superblock of the external journal"),
	N_("The ext4 superblock of the journal's device is damaged, so the "
	   "journal may belong to another file system; the log behind it may "
	   "be sound.  A kernel refuses to mount the file system.  If only the "
	   "checksum is wrong, or a field that e2fsck does not read, e2fsck -p "
	   "corrects the checksum without asking and replays the log.  If the "
	   "flags or the UUID are wrong, e2fsck stops with exit status 12.  "
	   "Copy both devices before that."), NULL,
	.status = E2LAZY_UNUSABLE,
	.advice = N_("copy both devices before e2fsck touches them") },
[PROBLEM_EXTERNAL_FOREIGN] = {
	"external-foreign", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the external journal belongs to another file system: its UUID is "
	   "not the one in the superblock"),
	N_("Its log holds blocks of another file system.  A kernel and e2fsck "
	   "stop here.  Name the right device with --journal.  If this is the "
	   "right one, its UUID or the one in the superblock was changed or "
	   "damaged."), NULL,
	.status = E2LAZY_UNUSABLE, .advice = NAME_JOURNAL },
[PROBLEM_EXTERNAL_NOT_USER] = {
	"external-not-user", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the external journal belongs to another file system: its list of "
	   "users lacks this one"),
	N_("The superblock names this journal, but the journal does not name "
	   "the file system.  The device may carry the UUID of another file "
	   "system's journal: its log would overwrite this file system with "
	   "foreign blocks, and the other file system would lose its log.  A "
	   "kernel and e2fsck ignore the list.  'dumpe2fs JOURNAL' shows it.  "
	   "e2lazy reads such a log with --journal; e2lazyck never writes it "
	   "back.  If the journal is the right one, for example after a change "
	   "of the UUID, mount the file system with a kernel and unmount "
	   "it."), NULL,
	.status = E2LAZY_UNUSABLE, .advice = NAME_JOURNAL },
[PROBLEM_EXTERNAL_USERS_LOST] = {
	"external-users-lost", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("the external journal's list of users is lost"),
	N_("The device has the UUID that the superblock names, but the journal "
	   "superblock is lost that lists the file systems of the journal, and "
	   "the log has no copy of this file system's superblock.  Compare "
	   "with e2lazy view whether its files are those of this file "
	   "system."),
	N_("Is this the journal of this file system?"),
	.status = E2LAZY_DAMAGED, .advice = NAME_JOURNAL },
[PROBLEM_JOURNAL_SUPER_MAGIC] = {
	"journal-super-magic", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("no jbd2 superblock at the start of the journal"),
	N_("The start of the log is unknown, so nothing of it can be read.  "
	   "e2fsck, even with -p as at boot, deletes such a journal or gives "
	   "it a new superblock, and so drops the whole log; it stops only at "
	   "an unknown version.  A kernel refuses to mount the file system.  "
	   "Copy the device first: the log behind the superblock may be "
	   "whole."), NULL,
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
	N_("A newer program wrote the log, and this version cannot read it; "
	   "VALUE holds the bits of the unknown features.  e2fsck asks whether "
	   "to abort: a no drops the whole log.  Use a newer version of "
	   "e2lazy, or let the kernel that wrote the log replay it by a "
	   "mount.  If there is none, the superblock is damaged: copy the "
	   "device first."),
	NULL,
	.status = E2LAZY_UNUSABLE,
	.advice = N_("use a newer version, or let the kernel that wrote the "
		     "log replay it") },
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
	N_("The end of the log's ring is unknown, so the log cannot be read.  "
	   "If the superblock declares too many blocks, e2fsck calls it "
	   "corrupt and, even with -p as at boot, drops the whole log.  If it "
	   "declares too few, e2fsck believes it and replays a longer log from "
	   "the wrong blocks.  Copy the device first."),
	NULL, .status = E2LAZY_UNUSABLE, .advice = COPY_DEVICE },
[PROBLEM_JOURNAL_FAST_COMMIT] = {
	"journal-fast-commit", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the fast-commit area leaves fewer than 1024 blocks of log"),
	N_("The end of the log's ring is unknown, so the log cannot be read.  "
	   "e2fsck calls the superblock corrupt and, even with -p as at boot, "
	   "drops the whole log; older kernels take the area for part of the "
	   "ring.  Copy the device first."), NULL,
	.status = E2LAZY_UNUSABLE, .advice = COPY_DEVICE },
[PROBLEM_JOURNAL_FIRST] = {
	"journal-first", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("s_first in the journal superblock is outside the journal"),
	N_("The start of the ring is unknown, so a log that wraps cannot be "
	   "read.  A kernel refuses to mount the file system; e2fsck ignores "
	   "the field and replays a log that wraps from the wrong blocks.  "
	   "Copy the device first."), NULL,
	.status = E2LAZY_UNUSABLE, .advice = COPY_DEVICE },
[PROBLEM_JOURNAL_START] = {
	"journal-start", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("s_start in the journal superblock is outside the log"),
	JOURNAL_SUPER_CORRUPT, NULL,
	.status = E2LAZY_UNUSABLE, .advice = COPY_DEVICE },
