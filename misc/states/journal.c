/* SPDX-License-Identifier: GPL-2.0-only */
/* journal.c - states: the journal does not open, or hides what it has */
#include "rows.h"

const struct diagnosis journal_states[] = {
	{ PROBLEM(JOURNAL_AMBIGUOUS),
	  N_("the superblock names both a journal inode and a journal device"),
	  N_("Either of the two may hold the log.  A kernel refuses to mount "
	     "the file system.  e2fsck takes the inode and replays its log, "
	     "even an old one, unless s_journal_uuid is set; then it stops "
	     "with exit status 12.  Copy both devices and find out which "
	     "journal was in use.  Then clear the fields of the other one "
	     "with set_super_value of debugfs: journal_inum 0, or "
	     "journal_dev 0 and journal_uuid clear."),
	  N_("copy both devices, and find out which journal was in use"),
	  .tools = TOOLS(REFUSES, REPLAYS, REPLAYS, REPLAYS, CLEAN),
	  .steps = { COPY_BOTH, STEP_FILES } },
	{ PROBLEM(JOURNAL_SUPER_MAGIC),
	  N_("no jbd2 superblock at the start of the journal"),
	  N_("The start of the log is unknown, so nothing of it can be read.  "
	     "e2fsck, even with -p as at boot, deletes such a journal or "
	     "gives it a new superblock, and so drops the whole log; it stops "
	     "only at an unknown version.  A kernel refuses to mount the file "
	     "system.  Copy the device first: the log after the superblock "
	     "may be whole."),
	  COPY_DEVICE,
	  .tools = TOOLS(REFUSES, DELETES, DELETES, STOPS, REPORTS),
	  .steps = { SAVE_RING } },
	{ PROBLEM(JOURNAL_SUPER_CSUM),
	  N_("bad checksum in the journal superblock"),
	  JOURNAL_SUPER_CORRUPT,
	  COPY_DEVICE,
	  .tools = TOOLS(REFUSES, DROPS, DROPS, DROPS, REPORTS),
	  .steps = { SAVE_RING } },
	{ PROBLEM(JOURNAL_CSUM_TYPE),
	  N_("the journal superblock's checksum features or type contradict "
	     "each other"),
	  JOURNAL_SUPER_CORRUPT,
	  COPY_DEVICE,
	  .tools = TOOLS(REFUSES, DROPS, DROPS, DROPS, REPORTS),
	  .steps = { SAVE_RING } },
	{ PROBLEM(JOURNAL_BLOCK_SIZE),
	  N_("the journal superblock's block size is not the file system's"),
	  JOURNAL_SUPER_CORRUPT,
	  COPY_DEVICE,
	  .tools = TOOLS(REFUSES, DROPS, DROPS, DROPS, REPORTS),
	  .steps = { SAVE_RING } },
	{ PROBLEM(JOURNAL_FAST_COMMIT),
	  N_("the fast-commit area leaves fewer than 1024 blocks of log"),
	  N_("The end of the log's ring is unknown, so the log cannot be "
	     "read.  e2fsck calls the superblock corrupt and, even with -p "
	     "as at boot, drops the whole log; older kernels take the area "
	     "for part of the ring.  Copy the device first."),
	  COPY_DEVICE,
	  .tools = TOOLS(REFUSES, DROPS, DROPS, DROPS, REPORTS),
	  .steps = { SAVE_RING } },
	{ OWN("journal-few", GRAVE, REFUSE, UNUSABLE),
	  N_("the journal superblock declares fewer than 1024 blocks"),
	  N_("The length of the ring is wrong.  A kernel refuses such a "
	     "journal.  e2fsck believes it: a log that wraps is then "
	     "replayed from the wrong blocks.  Copy the device first."),
	  N_("copy the device before anything replays or checks it"),
	  .holds = declares_few,
	  .tools = TOOLS(REFUSES, WRONG, WRONG, WRONG, CLEAN),
	  .steps = { SAVE_RING } },
	{ PROBLEM(JOURNAL_SHORT),
	  N_("the journal is shorter than its superblock says, or than 1024 "
	     "blocks"),
	  N_("The end of the log's ring is unknown, so the log cannot be "
	     "read.  If the superblock declares too many blocks, e2fsck "
	     "calls it corrupt and, even with -p as at boot, drops the whole "
	     "log.  If it declares too few, e2fsck believes it and replays a "
	     "longer log from the wrong blocks.  Copy the device first."),
	  COPY_DEVICE,
	  .tools = TOOLS(REFUSES, DROPS, DROPS, DROPS, REPORTS),
	  .steps = { SAVE_RING } },
	{ PROBLEM(JOURNAL_START),
	  N_("s_start in the journal superblock is outside the log"),
	  JOURNAL_SUPER_CORRUPT,
	  COPY_DEVICE,
	  .tools = TOOLS(REFUSES, DROPS, DROPS, DROPS, CLEAN),
	  .steps = { SAVE_RING } },
	{ PROBLEM(JOURNAL_FIRST),
	  N_("s_first in the journal superblock is outside the journal"),
	  N_("The start of the ring is unknown, so a log that wraps cannot "
	     "be read.  A kernel refuses to mount the file system; e2fsck "
	     "ignores the field and replays a log that wraps from the wrong "
	     "blocks.  Copy the device first."),
	  COPY_DEVICE,
	  .tools = TOOLS(REFUSES, WRONG, WRONG, WRONG, CLEAN),
	  .steps = { SAVE_RING } },
	{ PROBLEM(RING_CONTRADICTED),
	  N_("the ring in the journal superblock does not cover the whole "
	     "journal"),
	  N_("A flipped bit in s_first or s_maxlen does this, and this "
	     "journal has no checksum to show it.  Every recovery loses the "
	     "part of the log that is outside this ring.  Copy the device "
	     "before you write or mount anything."),
	  N_("copy the device before anything replays the log"),
	  .question = N_("Trust the ring in the superblock, and drop any "
			 "transaction outside it?"),
	  .tools = TOOLS(WRONG, WRONG, WRONG, WRONG, CLEAN),
	  .steps = { SAVE_RING } },
	{ PROBLEM(JOURNAL_FEATURES),
	  N_("the journal superblock has features that this program does not "
	     "know"),
	  N_("A newer program wrote the log, and this version cannot read it; "
	     "VALUE holds the bits of the unknown features.  e2fsck asks "
	     "whether to abort; if the answer is no, it drops the whole log.  "
	     "Use a newer version of e2lazy, or let the kernel that wrote the "
	     "log replay it by a mount.  If no such kernel exists, the "
	     "superblock is damaged: copy the device first."),
	  N_("use a newer version, or let the kernel that wrote the log "
	     "replay it"),
	  .tools = TOOLS(REFUSES, STOPS, STOPS, DROPS, REPORTS),
	  .steps = { SAVE_RING } },
	{ OWN("group-descriptors", GRAVE, GO, DAMAGED),
	  N_("the group descriptors in place are damaged"),
	  N_("The table that locates bitmaps and inodes is wrong, so the "
	     "journal's inode cannot be read either.  The log and the "
	     "backups often have a sound table.  e2fsck -p deletes the "
	     "journal; older versions of e2fsck end with 'unable to set "
	     "superblock flags'."),
	  N_("write the log back before e2fsck runs"),
	  .holds = has_bad_groups,
	  .tools = TOOLS(REFUSES, REMOVES, REPLAYS, STOPS, REPORTS),
	  .steps = { SAVE_LOG } },
	{ OWN("scrambled", GRAVE, GO, DAMAGED),
	  N_("the inodes of the journal and of the root directory are both "
	     "damaged"),
	  N_("One bad block seldom hits both.  A disk of an array in the wrong "
	     "place, a wrong offset, or a program that has written over a part "
	     "of the device looks like this.  e2fsck -y clears what it cannot "
	     "read.  Write nothing; check the order of the disks and the "
	     "offset, assemble the array read-only, and run doctor again."),
	  N_("write nothing; check the order of the disks and the offset"),
	  .holds = is_scrambled,
	  .tools = TOOLS(NOTES_ERROR, REMOVES, DELETES, STOPS, REPORTS),
	  .decides = ALL_TOOLS,
	  .steps = { STEP_COPY, STEP_FILES } },
	{ OWN("journal-blocks-twice", GRAVE, REFUSE, UNUSABLE),
	  N_("the journal inode's map has a block twice, or one that is not "
	     "the journal's"),
	  N_("A mount, e2fsck and tune2fs do not see it, and read the log from "
	     "wrong blocks there.  e2lazy takes the map in the superblock's "
	     "backup, if there is a sound one."),
	  COPY_DEVICE,
	  .holds = has_blocks_twice,
	  .tools = TOOLS(UNMEASURED, WRONG, WRONG, WRONG, CLEAN),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_VIEW, STEP_FILES } },
	{ OWN("journal-inode-blocks", GRAVE, GO, DAMAGED),
	  N_("the journal inode is unusable; the superblock has its block "
	     "map"),
	  N_("A journal without extents has a map that e2fsck reads from the "
	     "superblock, too: even with -p, as at boot, it replays the log "
	     "by it.  A mount uses the inode: it refuses, or replays only "
	     "what the inode's map still reaches, and empties the log."),
	  N_("do not mount it; run e2fsck -f, or write the log back"),
	  .holds = has_backup_of_blocks,
	  .tools = TOOLS(UNMEASURED, REPLAYS, REPLAYS, STOPS, CLEAN),
	  .steps = { SAVE_LOG } },
	{ OWN("journal-map-lost", GRAVE, GO, DAMAGED),
	  N_("the journal inode's map is unusable; only the superblock's "
	     "backup locates the log"),
	  N_("e2fsck deletes such a journal and its whole log.  Write the "
	     "log back first; then e2fsck makes a new journal without loss.  "
	     "What a mount does depends on the place in the map that is "
	     "damaged."),
	  N_("e2fsck deletes such a journal: copy the device first"),
	  .holds = has_lost_map,
	  .tools = TOOLS(UNMEASURED, DELETES, DELETES, STOPS, REPORTS),
	  .steps = { SAVE_LOG } },
	{ PROBLEM(JOURNAL_INODE_LOST),
	  N_("the journal inode is unusable; only the superblock's backup "
	     "locates the log"),
	  N_("e2fsck deletes such a journal and its whole log.  Write the "
	     "log back first; then e2fsck makes a new journal without loss."),
	  N_("e2fsck deletes such a journal: copy the device first"),
	  .holds = has_lost_inode, .hazard = lost_inode,
	  .tools = TOOLS(NOTES_ERROR, DELETES, DELETES, STOPS, REPORTS),
	  .steps = { SAVE_LOG } },
	{ OWN("journal-inode-csum", GRAVE, REFUSE, UNUSABLE),
	  N_("bad checksum of the journal inode, and no backup of it"),
	  N_("Neither a kernel nor e2fsck opens such a journal.  If only the "
	     "checksum is wrong, the map still leads to the log.  Copy the "
	     "device first.  Most likely the log is still in its blocks; "
	     "each of them is a jbd2 block or a copy."),
	  COPY_DEVICE,
	  .holds = has_bad_inode_csum,
	  .tools = TOOLS(NOTES_ERROR, STOPS, STOPS, STOPS, REPORTS),
	  .steps = { CARVE } },
	{ PROBLEM(JOURNAL_INODE),
	  N_("the journal inode is not a usable regular file"),
	  JOURNAL_NOT_FOUND,
	  COPY_DEVICE,
	  .tools = TOOLS(NOTES_ERROR, DELETES, DELETES, STOPS, REPORTS),
	  .steps = { CARVE } },
	{ PROBLEM(JOURNAL_MAP),
	  N_("the journal inode's block map has a hole or a block outside "
	     "the file system"),
	  N_("The map does not lead to the whole log.  With a block map in "
	     "place of extents, a mount may succeed and discard the log "
	     "unread; else a kernel refuses it.  e2fsck, even with -p as at "
	     "boot, deletes such a journal and makes a new one: the whole "
	     "log is lost, and its blocks become free.  Copy the device "
	     "first.  Most likely the log is still in its blocks; each of "
	     "them is a jbd2 block or a copy."),
	  COPY_DEVICE,
	  .tools = TOOLS(UNMEASURED, DELETES, DELETES, STOPS, REPORTS),
	  .steps = { CARVE } },
	{ PROBLEM(SUPER_FOREIGN),
	  N_("the superblock's newest copy is not this file system's "
	     "superblock"),
	  N_("Either the copy in the log or the superblock in place is "
	     "damaged, or belongs to another file system; no backup decides "
	     "which.  The superblock's state after recovery is unknown, so "
	     "e2lazyck writes nothing back.  Other tools would replay the "
	     "copy over the superblock in place.  Copy the device first."),
	  COPY_DEVICE,
	  .tools = TOOLS(RUINS, RUINS, RUINS, RUINS, CLEAN),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_FILES, STEP_HISTORIES,
	    STEP_SALVAGE, STEP_VIEW_SALVAGED } },
	{ PROBLEM(SUPER_CSUM),
	  N_("bad checksum in the superblock's newest copy"),
	  N_("The superblock's state after recovery is unknown, so e2lazyck "
	     "writes nothing back.  Other tools would replay the copy over "
	     "the superblock in place, and e2fsck would then take a backup.  "
	     "Copy the device first."),
	  COPY_DEVICE,
	  .tools = TOOLS(RUINS, RUINS, RUINS, RUINS, CLEAN),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_HISTORIES } },
	{ PROBLEM(PLACE_NEWER),
	  N_("the log is older than the file system in place"),
	  N_("The blocks in place have files that were made after the log's "
	     "last commit.  So the end of the log is lost, or the journal is "
	     "from an older backup.  A replay removes these files and sets "
	     "the other blocks back.  Do not mount the file system except "
	     "with -o ro,noload.  If you have a newer copy of the journal, "
	     "use that; otherwise the files in place are the best state."),
	  N_("copy the files with e2lazy rescue; do not replay the log"),
	  .tools = TOOLS(PUTS_BACK, PUTS_BACK, PUTS_BACK, PUTS_BACK, CLEAN),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_FILES } },
	{ PROBLEM(WIPED_ON_MOUNT),
	  N_("the log is in use, but needs_recovery is clear: an ordinary "
	     "mount discards it unread"),
	  N_("A tool has cleared the flag, or a backup superblock is in place "
	     "of the primary one; a freeze or an LVM snapshot leaves a lazily "
	     "journaled file system so.  A mount would set blocks back to an "
	     "older state.  Do not mount the file system; write the log back "
	     "first.  A checkpoint sets the flag before it writes a block."),
	  N_("do not mount it; e2fsck -y replays it (-p stops, -n calls it "
	     "clean)"),
	  .holds = has_unsafe_flag, .hazard = wiped_on_mount,
	  .tools = TOOLS(DISCARDS, STOPS, REPLAYS, REMOVES, CLEAN),
	  .decides = 1 << TOOL_MOUNT | 1 << TOOL_PREEN | 1 << TOOL_TUNE,
	  .steps = { SAVE_LOG } },
	{ NULL }
};
