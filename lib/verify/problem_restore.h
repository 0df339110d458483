/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* problem_restore.h - rows of problem.c's table for a restore of a lost log */
[PROBLEM_NEWER_IN_RING] = {
	"newer-in-ring", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the ring has newer transactions than the log to restore, or traces "
	   "of them"),
	N_("A later mount has committed to the ring, or damage has cut the "
	   "log.  A replay of the older log would take its changes back."), NULL,
	.status = E2LAZY_UNUSABLE, .advice = LOOK_AT_HISTORY },
[PROBLEM_LATER_MOUNT] = {
	"later-mount", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the file system was mounted after the log was written"),
	N_("The superblock in place names a mount after the log's first "
	   "commit, or another mount than the superblock's copy in the log.  "
	   "That mount could write to any block, and a replay of the older log "
	   "would take it back."), NULL,
	.status = E2LAZY_UNUSABLE, .advice = LOOK_AT_HISTORY },
[PROBLEM_LATER_CHECK] = {
	"later-check", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("e2fsck has checked the file system after the log was written"),
	N_("e2fsck has made the blocks in place consistent without the log.  A "
	   "replay would mix them with older ones."), NULL,
	.status = E2LAZY_UNUSABLE, .advice = LOOK_AT_HISTORY },
[PROBLEM_LATER_INODE] = {
	"later-inode", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("an inode in place is newer than its copy in the log"),
	N_("jbd2 writes a block in place only after its log, so another "
	   "program has written COUNT blocks since.  A replay would take its "
	   "changes back."), NULL,
	.status = E2LAZY_UNUSABLE, .advice = LOOK_AT_HISTORY },
[PROBLEM_LATER_WRITE] = {
	"later-write", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("the superblock was written after the log's last commit"),
	N_("A tool that only clears a flag, such as needs_recovery, writes the "
	   "superblock; so does one that changes files.  Nothing else shows a "
	   "later write.  Restore the log only if you know which tool it was; "
	   "copy the device first."),
	N_("Did that tool change nothing but flags of the superblock?"),
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE },
[PROBLEM_BEGIN_UNKNOWN] = {
	"begin-unknown", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the ring does not show where the log begins"),
	N_("A gap or damage stands before the first transaction that is whole, "
	   "and the journal superblock does not name it.  Earlier transactions "
	   "of the log may be missing, and a replay without them mixes new "
	   "blocks with old ones.  'e2lazy view --geometry auto' shows the "
	   "file system with the rest."), NULL,
	.status = E2LAZY_UNUSABLE, .advice = COPY_DEVICE },
