/* SPDX-License-Identifier: GPL-2.0-only */
/* device.c - states: the file system, its superblock, and the devices */
#include "rows.h"

const struct diagnosis device_states[] = {
	{ PROBLEM(MOUNTED),
	  N_("the file system is mounted, so the log may change while it is "
	     "read"),
	  N_("The kernel changes the log while it is read, so two reads may "
	     "disagree, and what looks like damage may be none.  Repair "
	     "nothing: unmount the file system, or freeze it, and ask "
	     "again.  e2lazy info reports this in a row, e2lazyck in a "
	     "message.  e2lazyck does not write to a mounted file system."),
	  N_("unmount it, or look at a snapshot"),
	  .holds = is_moving, .hazard = is_mounted,
	  .steps = { STEP_UNMOUNT } },
	{ PROBLEM(JOURNAL_CUT_OFF),
	  N_("the device or image is too short: the journal or the metadata "
	     "that locates it is cut off"),
	  N_("Part of the file system or of its journal's device is missing: "
	     "the image was not copied to its end, or the volume was made "
	     "smaller.  e2fsck -p stops here; e2fsck -y may go on and delete "
	     "the journal.  Find the missing part before you write anything."),
	  LOOK_FOR_REST,
	  .tools = TOOLS(REFUSES, STOPS, UNMEASURED, STOPS, REPORTS),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_FILES } },
	{ PROBLEM(DEVICE_SHORT),
	  N_("the device or image ends before the file system does"),
	  N_("Part of the file system is missing: the image was not copied "
	     "to its end, or the volume was made smaller.  Nobody can write "
	     "back blocks beyond the end: e2fsck -y drops them, and empties "
	     "the log.  Find the missing part before you write anything."),
	  LOOK_FOR_REST,
	  .question = N_("Write back the blocks that are on the device, and "
			 "drop the others?"),
	  .hazard = is_short,
	  .tools = TOOLS(REFUSES, UNMEASURED, UNMEASURED, UNMEASURED, CLEAN),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_FILES } },
	{ OWN("unknown-features", GRAVE, REFUSE, UNUSABLE),
	  N_("the file system has features that e2fsprogs does not know here"),
	  N_("Newer programs set such a feature, or a bit flipped in the "
	     "superblock.  A flipped bit leaves a feature that nobody has "
	     "heard of.  The log is not affected: newer programs can read "
	     "it, and nothing is lost as long as nobody clears the bit by "
	     "force."),
	  N_("compare the features with those of a sound file system of the "
	     "same age"),
	  .holds = has_unknown_features,
	  .tools = TOOLS(REFUSES, STOPS, STOPS, STOPS, REPORTS),
	  .steps = { STEP_COPY, STEP_FEATURES } },
	{ OWN("no-journal", NOTE, GO, CLEAN),
	  N_("the file system has no journal"),
	  N_("There is nothing to replay.  If tune2fs or e2fsck has removed the "
	     "journal after a crash, the changes that were only in it are "
	     "missing.  Its blocks may still have the log until new files "
	     "overwrite them: then write nothing, and search the device."),
	  N_("if the journal was removed after a crash, write nothing and "
	     "search the device for it"),
	  .holds = has_no_journal,
	  .tools = TOOLS(IDLE, IDLE, IDLE, IDLE, CLEAN),
	  .steps = { CARVE } },
	{ OWN("external-missing", GRAVE, REFUSE, UNUSABLE),
	  N_("the external journal was not found"),
	  N_("The superblock names the UUID of the journal's device.  Attach "
	     "that device, or name it or a copy of it with --journal, and run "
	     "doctor again.  A block whose newest copy is in the log is older "
	     "in place."),
	  N_("attach the journal's device, or name it with --journal"),
	  .holds = lacks_journal,
	  .tools = TOOLS(REFUSES, STOPS, STOPS, STOPS, REPORTS),
	  .steps = { STEP_COPY, STEP_FILES } },
	{ OWN("external-several", GRAVE, REFUSE, UNUSABLE),
	  N_("several devices have the UUID of the external journal"),
	  N_("All but one are copies or snapshots.  A mount takes the device "
	     "with the number in the superblock, e2fsck the first one that has "
	     "the UUID.  Run doctor with each of them: the right one has the "
	     "latest last transaction.  Detach the others before a mount or "
	     "e2fsck."),
	  N_("name the right one with --journal, and detach the others"),
	  .holds = has_several_journals,
	  .steps = { COPY_BOTH, STEP_EACH_JOURNAL } },
	{ OWN("external-new", GRAVE, REFUSE, UNUSABLE),
	  N_("the journal's device was formatted again, with another UUID: "
	     "its log is empty and names no file system"),
	  N_("mke2fs or another program made a new journal on the device.  "
	     "What only the old log had is lost, unless another device or a "
	     "copy has the journal with the right UUID.  If none has, the "
	     "file system can only be used without it: on a copy, run debugfs "
	     "-w -R 'feature ^needs_recovery', tune2fs -f -O ^has_journal, "
	     "and e2fsck -f."),
	  NAME_JOURNAL,
	  .holds = has_new_journal,
	  .tools = TOOLS(REFUSES, STOPS, STOPS, STOPS, REPORTS),
	  .steps = { COPY_BOTH, STEP_FILES } },
	{ OWN("external-empty", GRAVE, REFUSE, UNUSABLE),
	  N_("the journal's device was formatted again, with the same UUID: "
	     "its log is empty and names no file system"),
	  N_("mke2fs or another program made a new journal on the device.  "
	     "What only the old log had is lost, unless a copy of the old "
	     "device has it.  A kernel refuses such a journal; e2fsck, even "
	     "with -p as at boot, takes the empty log for the file system's "
	     "own."),
	  NAME_JOURNAL,
	  .holds = has_emptied_journal,
	  .tools = TOOLS(REFUSES, IDLE, IDLE, IDLE, CLEAN),
	  .steps = { COPY_BOTH, STEP_FILES, STEP_FORCE } },
	{ PROBLEM(EXTERNAL_FOREIGN),
	  N_("the external journal belongs to another file system: its UUID "
	     "is not the one in the superblock"),
	  N_("Its log holds blocks of another file system.  A kernel and "
	     "e2fsck stop here.  Names of devices change from boot to boot: "
	     "name the right device with --journal.  If this is the right "
	     "one, its UUID or the one in the superblock was changed or "
	     "damaged."),
	  NAME_JOURNAL,
	  .tools = TOOLS(REFUSES, STOPS, STOPS, STOPS, REPORTS),
	  .steps = { COPY_BOTH, STEP_FILES } },
	{ PROBLEM(EXTERNAL_NOT_USER),
	  N_("the external journal belongs to another file system: its list "
	     "of users does not have this one"),
	  N_("The superblock names this journal, but the journal does not "
	     "name the file system.  The device may carry the UUID of "
	     "another file system's journal: its log would overwrite this "
	     "file system with foreign blocks, and the other file system "
	     "would lose its log.  e2fsck ignores the list; a kernel only "
	     "wants one user in it, whoever that is, and refuses a journal "
	     "without any, as mke2fs makes it.  "
	     "'dumpe2fs JOURNAL' shows it.  e2lazy reads such a log with "
	     "--journal; e2lazyck never writes it back.  If the journal is "
	     "the right one, for example after a change of the UUID, mount "
	     "the file system with a kernel and unmount it."),
	  NAME_JOURNAL,
	  .steps = { COPY_BOTH, STEP_FILES } },
	{ PROBLEM(EXTERNAL_CSUM),
	  N_("bad checksum in the superblock of the external journal"),
	  N_("The ext4 superblock of the journal's device is damaged, so the "
	     "journal may belong to another file system; the log after it may "
	     "be sound.  A kernel refuses to mount the file system.  If only "
	     "the checksum is wrong, or a field that e2fsck does not read, "
	     "e2fsck -p corrects the checksum without asking and replays the "
	     "log.  If the flags or the UUID are wrong, e2fsck stops with "
	     "exit status 12.  Copy both devices before that."),
	  N_("copy both devices before e2fsck touches them"),
	  .steps = { COPY_BOTH, STEP_FILES } },
	{ PROBLEM(EXTERNAL_MAGIC),
	  N_("not an ext4 external journal"),
	  N_("The journal is on another device, or the ext4 superblock of "
	     "this one is damaged.  e2fsck stops here.  Name the right device "
	     "with --journal.  If this is the right one, copy it: a new "
	     "journal, or tune2fs -f, which removes the journal, loses the "
	     "whole log.  If its jbd2 superblock is sound and has the right "
	     "UUID, the log can still be read, and the files copied out."),
	  NAME_JOURNAL,
	  .tools = TOOLS(REFUSES, STOPS, STOPS, STOPS, REPORTS),
	  .steps = { COPY_BOTH, STEP_FILES } },
	{ PROBLEM(EXTERNAL_USERS_LOST),
	  N_("the external journal's list of users is lost"),
	  N_("The device has the UUID that the superblock names, but the "
	     "journal superblock is lost that lists the file systems of the "
	     "journal, and the log has no copy of this file system's "
	     "superblock.  Compare with e2lazy view whether its files are "
	     "those of this file system."),
	  NAME_JOURNAL,
	  .question = N_("Is this the journal of this file system?") },
	{ OWN("superblock-wrong", GRAVE, REFUSE, UNUSABLE),
	  N_("the superblock in place contradicts the inodes and the log, "
	     "which agree with its backup"),
	  N_("The superblock in place has another UUID or checksum seed than "
	     "the inodes, the backup and the log.  Every checksum therefore "
	     "seems wrong, and the journal's inode lost.  e2fsck, even with "
	     "-p as at boot, deletes the journal and its log.  With the "
	     "backup nothing is lost: e2fsck -b replays the log, which also "
	     "has a copy of the superblock."),
	  N_("copy the device, then run e2fsck -f by the backup"),
	  .holds = has_wrong_super,
	  .tools = TOOLS(REFUSES, DELETES, DELETES, STOPS, REPORTS),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_FILES, STEP_VIEW,
	    STEP_FORCE_BACKUP } },
	{ OWN("superblock-foreign", GRAVE, REFUSE, UNUSABLE),
	  N_("the superblock in place contradicts the log; its backup and "
	     "the log agree"),
	  N_("A field that no kernel changes was overwritten in place.  What "
	     "a mount does depends on the field.  With the backup nothing is "
	     "lost: e2fsck -b replays the log, which also has a copy of the "
	     "superblock."),
	  N_("copy the device, then run e2fsck -f by the backup"),
	  .holds = has_foreign_super,
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_FILES, STEP_VIEW,
	    STEP_FORCE_BACKUP } },
	{ OWN("journal-hidden", GRAVE, REFUSE, UNUSABLE),
	  N_("the superblock has needs_recovery, but has_journal is clear: a "
	     "mount drops the log silently"),
	  N_("A program cleared the feature while the log was in use, or a "
	     "bit flipped.  The log is whole.  A mount takes the file system "
	     "for one without a journal; e2fsck, even with -p as at boot, "
	     "deletes the journal.  Set the feature again on a copy: then "
	     "e2fsck -p replays the log, and nothing is lost."),
	  N_("do not mount it; set the feature has_journal again"),
	  .holds = hides_journal,
	  .tools = TOOLS(DISCARDS, REMOVES, REMOVES, REPLAYS, CLEAN),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_FILES, STEP_VIEW,
	    STEP_SET_JOURNAL, STEP_PREEN } },
	{ OWN("superblock-revision", GRAVE, REFUSE, UNUSABLE),
	  N_("the superblock has a revision that e2fsprogs does not know; a "
	     "backup opens the file system"),
	  N_("A bit flipped in s_rev_level.  A kernel does not mind, and a "
	     "mount replays the log; e2fsck takes a backup only if -b names "
	     "it.  Either of the two loses nothing."),
	  N_("copy the device, then run e2fsck -f by the backup"),
	  .holds = has_bad_revision,
	  .tools = TOOLS(REPLAYS, STOPS, STOPS, STOPS, REPORTS),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_FILES, STEP_VIEW,
	    STEP_FORCE_BACKUP } },
	{ OWN("superblock-inode", GRAVE, REFUSE, UNUSABLE),
	  N_("the primary superblock and the journal's inode are damaged"),
	  N_("The beginning of the device was overwritten.  A backup and the "
	     "map in it locate the log, which may be whole.  e2fsck does not "
	     "use that map: it deletes the journal with its log.  Copy the "
	     "files out first."),
	  N_("copy the device and the files; e2fsck deletes the log"),
	  .holds = has_backup_without_inode,
	  .tools = TOOLS(REFUSES, STOPS, DELETES, STOPS, REPORTS),
	  .decides = 1 << TOOL_PREEN,
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_FILES } },
	{ OWN("superblock-corrupt", GRAVE, REFUSE, UNUSABLE),
	  N_("a field of the primary superblock is corrupt; a backup opens "
	     "the file system"),
	  N_("A number in the superblock is impossible.  The log is not "
	     "affected.  e2fsck, even with -p as at boot, takes the backup "
	     "and replays the log."),
	  N_("copy the device, then run e2fsck -f"),
	  .holds = has_corrupt_super,
	  .tools = TOOLS(REFUSES, REPLAYS, REPLAYS, STOPS, REPORTS),
	  .decides = 1 << TOOL_PREEN,
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_FILES, STEP_VIEW, STEP_FORCE
	    } },
	{ OWN("superblock", GRAVE, REFUSE, UNUSABLE),
	  N_("the primary superblock is damaged; a backup opens the file "
	     "system"),
	  N_("Another program wrote to the beginning of the device, or a "
	     "write was torn.  The log is not affected.  A backup never has "
	     "needs_recovery set; e2fsck knows that, and replays the log."),
	  N_("copy the device, then run e2fsck -f"),
	  .holds = has_backup_only,
	  .tools = TOOLS(REFUSES, STOPS, REPLAYS, STOPS, REPORTS),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_FILES, STEP_VIEW, STEP_FORCE
	    } },
	{ OWN("superblock-checksum", GRAVE, REFUSE, UNUSABLE),
	  N_("the superblock's checksum is wrong, and no backup was found"),
	  N_("A program that does not know the checksum wrote the "
	     "superblock, or a bit flipped.  A file system of one block "
	     "group has no backup of it.  No tool opens the file system; its "
	     "blocks and its log may be whole."),
	  N_("copy the device, and have debugfs compute the checksum of the "
	     "copy again"),
	  .holds = has_bad_super,
	  .tools = TOOLS(REFUSES, STOPS, STOPS, STOPS, REPORTS),
	  .steps = { STEP_COPY, STEP_MEND_CSUM } },
	{ OWN("superblock-lost", GRAVE, REFUSE, UNUSABLE),
	  N_("no superblock, and no backup of it"),
	  N_("If the device has an ext4 file system, its beginning and all "
	     "backups were overwritten; one of a single block group has no "
	     "backup.  Or this is another device, or the file system begins "
	     "at an offset: on a whole disk, name the partition, or use "
	     "--offset.  Run mke2fs -S only on a copy: its descriptors mark "
	     "all inodes as unused, and e2fsck then deletes the files."),
	  N_("make sure that this is the right device, and copy it"),
	  .holds = has_no_super,
	  .tools = TOOLS(REFUSES, STOPS, STOPS, STOPS, REPORTS),
	  .steps = { STEP_COPY } },
	{ PROBLEM(JOURNAL_DEVICE_SHORT),
	  N_("the journal's device or image ends before the log does"),
	  N_("The end of the journal's device is missing: the image was not "
	     "copied to its end, or the volume was made smaller.  A kernel "
	     "refuses the mount; e2fsck, even with -p as at boot, and "
	     "tune2fs empty the log and replay nothing of it.  Find the "
	     "missing part before you write anything."),
	  LOOK_FOR_REST,
	  .question = N_("Go on without the missing blocks of the log, and "
			 "leave static blocks older?"),
	  .holds = is_cut_short,
	  .tools = TOOLS(REFUSES, DROPS, DROPS, DROPS, CLEAN),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_FILES, STEP_PLAN } },
	{ OWN("journal-end-missing", WARNING, GO, DAMAGED),
	  N_("the journal's device or image is too short, but it has the "
	     "whole log"),
	  N_("The end of the journal's device is missing: the image was not "
	     "copied to its end, or the volume was made smaller.  This log "
	     "can be replayed, but writes fail as soon as a later one reaches "
	     "the end.  Find the missing part first."),
	  LOOK_FOR_REST,
	  .holds = lacks_end,
	  .tools = TOOLS(REPLAYS, REPLAYS, REPLAYS, REPLAYS, CLEAN),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_FILES } },
	{ OWN("unreadable-copy", GRAVE, GO, DAMAGED),
	  N_("the copy of a failing disk has no contents for some blocks"),
	  N_("The map file names them.  Only e2lazy reads it: on this copy other "
	     "tools find zeros there, take them for the end of the log or for "
	     "contents, and drop what follows without a message.  Do not mount "
	     "the copy, and do not run e2fsck on it before the log is written "
	     "back."),
	  N_("give each command --bad-map; run no other tool on the copy"),
	  .holds = is_copy_with_gaps,
	  .steps = { STEP_VERIFY, STEP_FILES, STEP_SALVAGE,
	    STEP_VIEW_SALVAGED, STEP_PLAN, STEP_WRITE_BACK } },
	{ PROBLEM(UNREADABLE),
	  N_("a block cannot be read"),
	  N_("If the block is a copy in the log, its static block keeps an "
	     "older state.  If it is a control block of the log, no "
	     "transaction from there on can be read.  Copy the device with a "
	     "tool that retries, and work on the copy."),
	  N_("copy the device with a tool that retries, and work on the copy"),
	  .question = N_("Go on without the unreadable blocks, and leave "
			 "static blocks older than the log?"),
	  .holds = has_bad_sector,
	  .tools = TOOLS_BY_HAND(REFUSES, STOPS, UNMEASURED, UNMEASURED, UNMEASURED),
	  .steps = { STEP_RESCUE, STEP_VERIFY, STEP_FILES, STEP_SALVAGE,
	    STEP_VIEW_SALVAGED, STEP_PLAN, STEP_WRITE_BACK } },
	{ NULL }
};
