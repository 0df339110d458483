/* SPDX-License-Identifier: GPL-2.0-only */
/* steps.c - the commands that the doctor prescribes */
#include <stddef.h>

#include "steps.h"
#include "support/nls.h"

static const struct step_text texts[NR_STEPS] = {
	[STEP_UNMOUNT] = { "umount", NULL, TAKES_NONE,
		N_("then run doctor again: a journal in use cannot be judged") },
	[STEP_COPY] = { "cp --sparse=always", "COPY", TAKES_NONE,
		N_("copy the device to another disk, or take a snapshot; try "
		   "the rest on the copy first") },
	[STEP_COPY_JOURNAL] = { "cp --sparse=always", "JOURNAL-COPY",
		TAKES_JOURNAL_ALONE,
		N_("copy the journal's device, too"), NEEDS_EXTERNAL },
	[STEP_RESCUE] = { "ddrescue", "COPY COPY.map", TAKES_NONE,
		N_("copy all that can be read; cp stops at the first bad sector, "
		   "and zeros in its place look like the end of the log: on the "
		   "copy, give the commands below --bad-map COPY.map") },
	[STEP_SAVE_RING] = { "debugfs -R 'dump <8> JOURNAL-COPY'", NULL,
		TAKES_OFFSET,
		N_("save the journal's blocks, which e2fsck may overwrite"),
		NEEDS_INTERNAL },
	[STEP_SALVAGE] = { "e2lazy salvage", NULL, TAKES_ALL,
		N_("show how the log can be read without its superblock; "
		   "writes nothing") },
	[STEP_CARVE] = { "e2lazy salvage --carve", NULL, TAKES_ALL,
		N_("search the whole device for the log; writes nothing") },
	[STEP_CARVE_EMPTY] = { "e2lazy salvage --carve", NULL, TAKES_ALL,
		N_("the inode locates no log: search the whole device for it; "
		   "writes nothing"), NEEDS_NO_RING },
	[STEP_VIEW_SALVAGED] = { "e2lazy view --geometry auto --mount DIRECTORY", NULL, TAKES_ALL,
		N_("mount the state after a replay, and copy the files; "
		   "writes nothing"), NEEDS_RING },
	[STEP_VIEW_CARVED] = { "e2lazy view --geometry carve --mount DIRECTORY", NULL, TAKES_ALL,
		N_("mount the state after a replay, and copy the files; "
		   "writes nothing") },
	[STEP_VIEW_CARVED_EMPTY] = {
		"e2lazy view --geometry carve --mount DIRECTORY", NULL,
		TAKES_ALL,
		N_("mount the state after a replay, and copy the files; "
		   "writes nothing"), NEEDS_NO_RING },
	[STEP_FILES] = { "e2lazy rescue --to DIRECTORY", NULL, TAKES_ALL,
		N_("copy the files of the best state that can be had to another "
		   "device; writes nothing to this one") },
	[STEP_RESTORE_PLAN] = { "e2lazyck --restore-log -n", NULL, TAKES_ALL,
		N_("check whether the log may be restored; writes nothing"), NEEDS_RING },
	[STEP_RESTORE] = { "e2lazyck --restore-log -z RESTORE-UNDO", NULL,
		TAKES_ALL,
		N_("restore the log, so that any recovery replays it; e2undo "
		   "can reverse this.  e2lazyck refuses if anything was "
		   "written since"), NEEDS_RING },
	[STEP_VERIFY] = { "e2lazyck", NULL, TAKES_ALL,
		N_("verify the log, block by block; writes nothing") },
	[STEP_PLAN] = { "e2lazyck --checkpoint -n", NULL, TAKES_ALL,
		N_("show the plan and the questions; writes nothing") },
	[STEP_VIEW] = { "e2lazy view --mount DIRECTORY", NULL, TAKES_ALL,
		N_("mount the state after a replay, and copy the files; "
		   "writes nothing") },
	[STEP_VIEW_CHECK] = { "e2lazy view", "-- e2fsck -fn {}", TAKES_ALL,
		N_("check the file system as a replay would leave it; writes "
		   "nothing"), NEEDS_INTERNAL },
	[STEP_VIEW_WRITTEN] = {
		"e2lazy view --behind-damage --mount DIRECTORY", NULL, TAKES_ALL,
		N_("mount the state that e2lazyck --checkpoint would write; writes nothing") },
	[STEP_VIEW_EMPTY] = { "e2lazy view --mount DIRECTORY", NULL, TAKES_ALL,
		N_("see the files, and copy them out; writes nothing") },
	[STEP_HISTORIES] = { "e2lazy log --histories", NULL, TAKES_ALL,
		N_("list the transactions that the ring still holds") },
	[STEP_VIEW_RING] = { "e2lazy view --ring --mount DIRECTORY", NULL, TAKES_ALL,
		N_("mount the state of the ring's last transaction; writes "
		   "nothing") },
	[STEP_UNDELETE] = { "e2lazy undelete", NULL, TAKES_ALL,
		N_("list the files that only the ring still has") },
	[STEP_UNDELETE_SALVAGED] = { "e2lazy undelete --geometry auto", NULL,
		TAKES_ALL,
		N_("list the files that only the ring still has, if the log "
		   "may not be restored"), NEEDS_RING },
	[STEP_UNDELETE_CARVED] = { "e2lazy undelete --geometry carve,start=0",
		NULL, TAKES_ALL,
		N_("list the files that only the ring still has") },
	[STEP_FEATURES] = { "dumpe2fs -h", NULL, TAKES_OFFSET,
		N_("compare the features with those of a sound file system of "
		   "the same age") },
	[STEP_EACH_JOURNAL] = { "e2lazy doctor --journal JOURNAL", NULL,
		TAKES_OFFSET,
		N_("for each of these devices; the last transaction shows which "
		   "one is the latest") },
	[STEP_OVERLAY] = { "e2lazy view --mount DIRECTORY", NULL, TAKES_ALL,
		N_("a replay needs no write to the device: the view shows "
		   "every block from its newest place") },
	[STEP_WRITABLE] = { "blockdev --setrw", NULL, TAKES_NONE,
		N_("allow writes, if it is not a snapshot that must stay as it "
		   "is") },
	[STEP_WRITE_BACK] = { "e2lazyck --checkpoint -z UNDO-FILE", NULL,
		TAKES_ALL,
		N_("write the log back; e2undo can reverse this") },
	[STEP_CLEAR_UUID] = {
		"debugfs -w -R 'set_super_value journal_uuid clear'", NULL,
		TAKES_OFFSET,
		N_("after the log is empty: e2fsck works again") },
	[STEP_CLEAR_MMP] = { "tune2fs -f -E clear_mmp", NULL, TAKES_OFFSET,
		N_("only if no host has the file system mounted, and no e2fsck "
		   "runs") },
	[STEP_MEND_CSUM] = {
		"debugfs -n -w -R 'set_super_value mnt_count 1'", NULL,
		TAKES_OFFSET,
		N_("on the copy: any write computes the checksum again; then "
		   "run doctor again") },
	[STEP_DOWNGRADE] = { "e2lazyck --downgrade -n", NULL, TAKES_ALL,
		N_("an older kernel would replay this log and empty it: show "
		   "the way to one; writes nothing"), NEEDS_MARK },
	[STEP_MOUNT] = { "mount", "DIRECTORY", TAKES_LOOP,
		N_("an ordinary mount replays the log"), NEEDS_MOUNTABLE },
	[STEP_MOUNT_RO] = { "mount -o ro", "DIRECTORY", TAKES_LOOP,
		N_("replays the log, if the device can be written to"),
		NEEDS_BLOCK_DEVICE },
	[STEP_WRITE_FILES] = { "e2lazyck --checkpoint -z UNDO-FILE", NULL,
		TAKES_ALL,
		N_("a mount takes no journal from a file: write the log back; "
		   "e2undo can reverse this"), NEEDS_JOURNAL_FILE },
	[STEP_UNTIL] = { "e2lazyck --checkpoint -n --until-tid", NULL,
		TAKES_ALL,
		N_("check whether the whole state before the damaged "
		   "transaction can be written back instead; writes nothing"),
		NEEDS_BAD_LAST },
	[STEP_MOUNT_UNWRITTEN] = { "mount -o ro,noload", "DIRECTORY", TAKES_LOOP,
		N_("see the files; this mount writes nothing") },
	[STEP_MOUNT_EMPTY] = { "mount", "DIRECTORY", TAKES_LOOP,
		N_("an ordinary mount finds nothing to replay; a mount for "
		   "writing overwrites deleted files and the ring: look for "
		   "them first, on a copy") },
	[STEP_FORCE] = { "e2fsck -f", NULL, TAKES_JOURNAL,
		N_("check the whole file system; it replays the log first") },
	[STEP_FORCE_BACKUP] = { "e2fsck -f", NULL, TAKES_BACKUP,
		N_("check the whole file system by the backup superblock; it "
		   "replays the log first") },
	[STEP_SET_JOURNAL] = { "debugfs -w -R 'feature has_journal'", NULL,
		TAKES_OFFSET,
		N_("the log is found again; mount nothing before that") },
	[STEP_PREEN] = { "e2fsck -p", NULL, TAKES_JOURNAL,
		N_("replay the log, as at boot") },
	[STEP_CHECK] = { "e2fsck -f", NULL, TAKES_JOURNAL,
		N_("last: check the whole file system") },
};

const struct step_text *step_text(enum step step)
{
	return &texts[step];
}
