/* SPDX-License-Identifier: GPL-2.0-only */
/* other.c - states: the log is sound, and something else is wrong */
#include "rows.h"

const struct diagnosis other_states[] = {
	{ OWN("replay-loop", WARNING, GO, SOUND_IN_USE),
	  N_("the log was replayed before, but never emptied"),
	  N_("Each block of the log is in place already, and a mount or a "
	     "check came after the last commit, yet the log is still in use.  "
	     "Writes do not reach the device, or power fails during each "
	     "boot; e2fsck then ends with 'unable to set superblock flags'.  "
	     "Look for I/O errors in the kernel's messages."),
	  N_("look for I/O errors in the kernel's messages, then write the "
	     "log back"),
	  .holds = was_replayed,
	  .tools = TOOLS(REPLAYS, REPLAYS, REPLAYS, REPLAYS, CLEAN),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_WRITE_BACK, STEP_CHECK } },
	{ PROBLEM(ERRNO),
	  N_("the kernel has recorded an error in the journal superblock"),
	  N_("An error occurred while the file system was in use.  A "
	     "checkpoint copies the error into the file system's "
	     "superblock.  Run e2fsck -f after that."),
	  N_("run e2fsck -f once the log has been replayed"),
	  .hazard = has_errno,
	  .tools = TOOLS(REPLAYS, REPLAYS, REPLAYS, REPLAYS, CLEAN),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_FORCE } },
	{ OWN("inode-lost", GRAVE, GO, DAMAGED),
	  N_("an inode that a mount needs is damaged, and the log has no copy "
	     "of it"),
	  N_("It is that of the root directory or of the orphan file.  A "
	     "mount replays the log, then refuses.  e2fsck -p, as at boot, "
	     "replays the log and calls the file system clean: only e2fsck -f "
	     "finds the damage.  Without its root directory all files go to "
	     "lost+found, by numbers."),
	  N_("copy the device, then run e2fsck -f"),
	  .holds = lacks_inode,
	  .tools = TOOLS(LATE, REPLAYS, REPLAYS, REPLAYS, CLEAN),
	  .decides = 1 << TOOL_MOUNT,
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_FILES, STEP_FORCE } },
	{ OWN("group-checksum", GRAVE, GO, DAMAGED),
	  N_("bad checksum of a group descriptor in place"),
	  N_("A bit flipped, or a program that does not know the checksum "
	     "wrote the descriptor.  A kernel refuses the mount before it "
	     "replays the log, which may have a good copy; e2fsck, even with "
	     "-p as at boot, replays the log, and computes the checksum again "
	     "where the log has no copy."),
	  N_("copy the device, then run e2fsck -f"),
	  .holds = has_bad_group_csum,
	  .tools = TOOLS(REFUSES, REPLAYS, REPLAYS, REPLAYS, REPORTS),
	  .decides = 1 << TOOL_MOUNT | 1 << TOOL_LOOK,
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_VIEW, STEP_FILES,
	    STEP_FORCE } },
	{ OWN("mmp", GRAVE, REFUSE, UNUSABLE),
	  N_("multiple mount protection is held by e2fsck"),
	  N_("e2fsck or a similar program runs on some host, or it was "
	     "killed.  A mount, e2fsck and e2lazyck refuse the file system "
	     "until 'tune2fs -f -E clear_mmp'.  Find out first that nobody "
	     "uses it: two writers destroy a file system."),
	  N_("find out which host uses the file system"),
	  .holds = is_held,
	  .tools = TOOLS(REFUSES, STOPS, STOPS, STOPS, REPORTS),
	  .decides = ALL_TOOLS,
	  .steps = { STEP_VIEW, STEP_CLEAR_MMP, STEP_MOUNT,
	    STEP_WRITE_FILES } },
	{ OWN("mmp-lost", GRAVE, GO, DAMAGED),
	  N_("the block of multiple mount protection is damaged"),
	  N_("A kernel refuses to mount the file system; the log is not "
	     "affected.  e2fsck makes the block anew and replays the log.  "
	     "The block does not say any more whether another host uses the "
	     "file system: find out first."),
	  N_("find out which host uses the file system, then run e2fsck"),
	  .holds = has_lost_mmp,
	  .tools = TOOLS(REFUSES, REPLAYS, REPLAYS, STOPS, REPORTS),
	  .decides = ALL_TOOLS,
	  .steps = { COPY_BOTH, STEP_VIEW, STEP_FILES, STEP_FORCE } },
	{ OWN("mmp-nowhere", GRAVE, REFUSE, UNUSABLE),
	  N_("the superblock does not say where the block of multiple mount "
	     "protection is"),
	  N_("s_mmp_block is outside the file system.  A kernel refuses the "
	     "mount, and e2fsck, tune2fs and e2lazyck --checkpoint stop.  "
	     "The log is not affected: look at the files, and copy them "
	     "out."),
	  N_("copy the files out of e2lazy view or with e2lazy rescue"),
	  .holds = has_no_mmp_block,
	  .tools = TOOLS(REFUSES, STOPS, STOPS, STOPS, REPORTS),
	  .decides = ALL_TOOLS,
	  .steps = { COPY_BOTH, STEP_VIEW, STEP_FILES } },
	{ OWN("read-only-feature", GRAVE, REFUSE, UNUSABLE),
	  N_("the file system has a feature that forbids programs that do "
	     "not know it to write"),
	  N_("Newer programs set such a feature, or a bit flipped in the "
	     "superblock.  An ordinary mount, e2fsck, tune2fs and e2lazyck "
	     "--checkpoint refuse the file system.  'mount -o ro' of a "
	     "device that can be written to replays the log all the same, "
	     "and loses nothing."),
	  N_("look at the files, or replay the log by mount -o ro"),
	  .holds = has_unknown_ro_feature,
	  .tools = TOOLS(REFUSES, STOPS, STOPS, STOPS, REPORTS),
	  .decides = ALL_TOOLS,
	  .steps = { COPY_BOTH, STEP_VIEW, STEP_FILES, STEP_MOUNT_RO } },
	{ OWN("kernel-refuses", WARNING, GO, SOUND_IN_USE),
	  N_("this kernel refuses the file system, whatever its log is like"),
	  N_("It was built without something that the file system needs, or "
	     "its pages are smaller than a block.  Another kernel mounts it, "
	     "and e2lazyck writes the log back without one."),
	  N_("use another kernel, or write the log back with e2lazyck"),
	  .holds = is_refused,
	  .tools = TOOLS_BY_HAND(REFUSES, REPLAYS, REPLAYS, REPLAYS, CLEAN),
	  .decides = 1 << TOOL_MOUNT,
	  .steps = { STEP_VIEW_WRITTEN, STEP_DOWNGRADE, STEP_PLAN,
	    STEP_WRITE_BACK } },
	{ OWN("kernel-unknown", WARNING, GO, SOUND_IN_USE),
	  N_("whether this kernel mounts the file system is not known"),
	  N_("The file system needs something that a kernel may be built "
	     "without, or be too old for, or its block of multiple mount "
	     "protection says that it is in use, maybe on another host.  The "
	     "kernel shows more while ext4 is loaded: run 'modprobe ext4', "
	     "and doctor again.  --rehearse-mount shows what this one does."),
	  N_("load ext4 and run doctor again, or rehearse a mount"),
	  .holds = is_not_known,
	  .tools = TOOLS_BY_HAND(NOT_KNOWN, REPLAYS, REPLAYS, REPLAYS, CLEAN),
	  .decides = 1 << TOOL_MOUNT,
	  .steps = { STEP_VIEW, STEP_DOWNGRADE, STEP_MOUNT,
	    STEP_WRITE_FILES } },
	{ PROBLEM(JOURNAL_USERS),
	  N_("a journal in an inode counts several users"),
	  N_("e2fsck and tune2fs take such a superblock for one of version "
	     "1, and clear its features.  They misread a log with 64-bit "
	     "block numbers or checksums, and empty it; e2fsck -n ends with "
	     "exit status 12.  A kernel ignores the number."),
	  USE_E2LAZYCK_FIRST,
	  .holds = is_misread,
	  .tools = TOOLS(REPLAYS, MISREADS, MISREADS, MISREADS, REPORTS),
	  .decides = 1 << TOOL_LOOK, .decides_if = counts_users,
	  .steps = { SAVE_LOG } },
	{ PROBLEM(JOURNAL_UUID),
	  N_("the superblock names a journal inode and the UUID of a journal "
	     "device"),
	  N_("A kernel uses the inode.  e2fsck looks for the device and "
	     "stops with exit status 12, with -p as at boot and with -y.  If "
	     "nobody misses a journal device, let a mount replay the log or "
	     "write it back; then clear the UUID: debugfs -w -R "
	     "'set_super_value journal_uuid clear' DEVICE."),
	  N_("write the log back, then clear s_journal_uuid: e2fsck stops "
	     "until then"),
	  .told = true,
	  .tools = TOOLS(REPLAYS, STOPS, STOPS, STOPS, REPORTS),
	  .decides = ALL_TOOLS & ~(1 << TOOL_MOUNT),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_WRITE_BACK, STEP_CLEAR_UUID,
	    STEP_CHECK } },
	{ OWN("read-only", WARNING, REFUSE, UNUSABLE),
	  N_("the log needs a replay, but the device is read-only"),
	  N_("A snapshot, a write-protected disk or a read-only loop device "
	     "cannot be replayed, so even mount -o ro refuses it.  mount -o "
	     "ro,noload shows the file system without its log: an older "
	     "state, which may be inconsistent."),
	  N_("look at the files with e2lazy view, or allow writes"),
	  .holds = is_read_only,
	  .tools = TOOLS(REFUSES, STOPS, STOPS, STOPS, CLEAN),
	  .decides = ALL_TOOLS & ~(1 << TOOL_LOOK),
	  .steps = { STEP_OVERLAY, STEP_COPY, STEP_WRITABLE } },
	{ OWN("errors-noted", WARNING, GO, CLEAN),
	  N_("the superblock notes errors"),
	  N_("A kernel found damage, or resize2fs or e2fsck was interrupted.  "
	     "The log is not affected.  e2fsck checks the whole file system "
	     "because of this flag; e2fsck -p, as at boot, stops at what needs "
	     "a decision."),
	  N_("write the log back, then run e2fsck -f"),
	  .holds = has_noted_errors,
	  .tools = TOOLS(REPLAYS, CHECKS, CHECKS, REPLAYS, CHECKS_ONLY),
	  .decides = 1 << TOOL_PREEN | 1 << TOOL_LOOK,
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_VIEW, STEP_FILES,
	    STEP_FORCE } },
	{ OWN("metadata", WARNING, GO, DAMAGED),
	  N_("metadata is damaged, and the log has no copy of it"),
	  N_("The log is not affected.  A mount replays it and does not notice "
	     "the damage; a kernel does when it uses that part.  e2fsck -p, as "
	     "at boot, checks the whole file system only if the superblock "
	     "notes errors.  e2fsck -f finds and repairs the damage."),
	  N_("copy the device, then run e2fsck -f"),
	  .holds = has_bad_metadata,
	  .tools = TOOLS(REPLAYS, REPLAYS, REPLAYS, REPLAYS, CLEAN),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_VIEW, STEP_FILES,
	    STEP_FORCE } },
	{ NULL }
};
