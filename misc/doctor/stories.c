/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stories.c - which story the facts tell
 *
 * A row holds or not by the facts alone, never by another row.  The first row
 * that holds names the state and its remedy; later ones are told beside it.
 */
#include <string.h>

#include "conditions.h"
#include "support/nls.h"

/* --------------------------------------------------------------- stories */

#define COPY_BOTH STEP_COPY, STEP_COPY_JOURNAL
#define SAVE_LOG COPY_BOTH, STEP_VERIFY, STEP_FILES, STEP_VIEW_WRITTEN, STEP_PLAN, \
	STEP_WRITE_BACK, STEP_CHECK
#define RESTORE STEP_RESTORE_PLAN, STEP_RESTORE
#define SAVE_RING COPY_BOTH, STEP_SAVE_RING, STEP_SALVAGE, \
	STEP_FILES, STEP_VIEW_SALVAGED, STEP_UNDELETE_SALVAGED, RESTORE, STEP_CHECK

static const struct story stories[] = {
	{ "mounted",
	  N_("the file system is mounted, and its journal looks damaged"),
	  N_("The kernel changes the journal while it is read, so this may be "
	     "no damage at all.  Do not repair anything: unmount the file "
	     "system, or freeze it, and ask again."),
	  state_moving, BEHAVE_UNKNOWN, { STEP_UNMOUNT } },
	{ "cut-off",
	  N_("the device or image ends before the file system does"),
	  N_("The image was not copied to its end, or the partition or volume "
	     "was made smaller.  Find the missing part before you write "
	     "anything: a repair would give up all files that lie there."),
	  state_cut_off, BEHAVE_UNKNOWN, { COPY_BOTH, STEP_VERIFY } },
	{ "unknown-features",
	  N_("the file system has features that e2fsprogs does not know here"),
	  N_("Newer programs set such a feature, or a bit flipped in the "
	     "superblock.  A flipped bit leaves a feature that nobody has "
	     "heard of.  The log is not affected: newer programs can read it, "
	     "and nothing is lost as long as nobody clears the bit by force."),
	  state_fs_features, BEHAVE_FEATURES, { STEP_COPY, STEP_FEATURES } },
	{ "external-missing",
	  N_("the journal's device is not there"),
	  N_("The journal is on a device of its own, with the UUID below.  "
	     "Attach it, or name it or a copy of it with -j, and ask again.  "
	     "What only the log has is older in place."),
	  state_journal_missing, BEHAVE_NO_JOURNAL,
	  { STEP_COPY, STEP_FILES } },
	{ "external-foreign",
	  N_("the journal device belongs to another file system"),
	  N_("Its UUID is not the one below.  Names of devices change from "
	     "boot to boot, so it may be the wrong one: name the right one "
	     "with -j, and ask again.  What only the log has is older in "
	     "place."),
	  state_journal_foreign, BEHAVE_NO_JOURNAL,
	  { COPY_BOTH, STEP_FILES } },
	{ "external-magic",
	  N_("the journal device has no ext4 superblock"),
	  N_("Another program wrote to the beginning of the journal's device, "
	     "or it is the wrong device: the right one has the UUID below.  "
	     "The log behind it may be whole, but no tool reads it without "
	     "that superblock.  What only the log has is older in place."),
	  state_no_journal_super, BEHAVE_NO_JOURNAL,
	  { COPY_BOTH, STEP_FILES } },
	{ "superblock",
	  N_("the primary superblock is damaged; a backup opens the file "
	     "system"),
	  N_("Another program wrote to the beginning of the device, or a write "
	     "was torn.  The log is not affected.  The backup lacks "
	     "needs_recovery, but e2fsck knows that and replays the log all "
	     "the same."),
	  state_backup_only, BEHAVE_BACKUP,
	  { COPY_BOTH, STEP_VERIFY, STEP_FILES, STEP_VIEW, STEP_FORCE } },
	{ "superblock-checksum",
	  N_("the superblock's checksum is wrong, and no backup was found"),
	  N_("A program that does not know the checksum wrote the superblock, "
	     "or a bit flipped.  A file system of one block group has no "
	     "backup of it.  No tool opens the file system; its blocks and its "
	     "log may be whole."),
	  state_super_csum, BEHAVE_SUPER_CSUM, { STEP_COPY, STEP_MEND_CSUM } },
	{ "bad-sector",
	  N_("a sector of the journal cannot be read"),
	  N_("The device reports an error for a block of the log or for the "
	     "journal superblock.  A kernel refuses the mount, and e2fsck -p "
	     "stops.  e2lazyck writes back what can be read, and asks before "
	     "it gives up the rest.  Copy the device first: it may fail "
	     "further."),
	  state_bad_sector, BEHAVE_BAD_SECTOR,
	  { STEP_RESCUE, STEP_VERIFY, STEP_FILES, STEP_SALVAGE, STEP_VIEW_SALVAGED,
	    STEP_PLAN, STEP_WRITE_BACK } },
	{ "journal-superblock-lost",
	  N_("the journal superblock is gone"),
	  N_("The first block of the journal is not a journal superblock any "
	     "more.  The log behind it may be whole.  e2fsck, even with -p as "
	     "at boot, deletes such a journal and fills its blocks with "
	     "zeros: afterwards nothing is left to save."),
	  state_no_magic, BEHAVE_NO_MAGIC, { SAVE_RING } },
	{ "journal-superblock",
	  N_("the journal superblock is damaged"),
	  N_("A field or the checksum of the journal superblock is wrong, so "
	     "no tool knows where the log begins.  The log behind it may be "
	     "whole.  e2fsck, even with -p as at boot, writes a new "
	     "superblock with two lines of output, and drops the log."),
	  state_bad_super, BEHAVE_BAD_SUPER, { SAVE_RING } },
	{ "journal-superblock",
	  N_("the journal superblock is damaged"),
	  N_("The journal superblock names a beginning that is outside the "
	     "log.  The log may be whole.  e2fsck, even with -p as at boot, "
	     "calls the journal corrupt and drops the log."),
	  state_bad_start, BEHAVE_BAD_START, { SAVE_RING } },
	{ "journal-ring",
	  N_("the journal superblock names a ring that the journal does not "
	     "have"),
	  N_("The first block or the length of the ring is wrong.  A kernel "
	     "refuses such a journal.  e2fsck believes it: a log that wraps "
	     "is then replayed from the wrong blocks."),
	  state_wrong_ring, BEHAVE_WRONG_RING, { SAVE_RING } },
	{ "journal-features",
	  N_("the journal has features that nobody knows here"),
	  N_("A newer kernel wrote the journal, or a bit flipped in its "
	     "superblock.  Boot the kernel that used the file system last.  "
	     "tune2fs empties such a log."),
	  state_journal_features, BEHAVE_JOURNAL_FEATURES, { SAVE_RING } },
	{ "group-descriptors",
	  N_("the group descriptors in place are damaged"),
	  N_("The table that locates bitmaps and inodes is wrong, so the "
	     "journal's inode cannot be read either.  The log and the "
	     "backups often have a sound table.  e2fsck -p deletes the "
	     "journal; older versions of e2fsck end with 'unable to set "
	     "superblock flags'."),
	  state_bad_groups, BEHAVE_BAD_GROUPS, { SAVE_LOG } },
	{ "journal-inode",
	  N_("the journal's inode is unusable"),
	  N_("The superblock keeps a copy of the journal's place, which "
	     "e2lazy uses if it is whole.  e2fsck does not understand that "
	     "copy on ext4: even with -p, as at boot, it deletes the journal "
	     "with its log."),
	  state_no_inode, BEHAVE_NO_INODE, { SAVE_LOG } },
	{ "journal-inode",
	  N_("the journal's inode is unusable"),
	  N_("Neither the inode nor its copy in the superblock leads to the "
	     "log.  e2fsck, even with -p as at boot, deletes such a journal.  "
	     "The log may be whole in its blocks: a search over the device "
	     "finds it."),
	  state_no_place, BEHAVE_NO_INODE,
	  { STEP_COPY, STEP_CARVE, STEP_FILES, STEP_VIEW_CARVED,
	    STEP_UNDELETE_CARVED } },
	{ "log-superblock",
	  N_("the superblock's copy in the log is damaged"),
	  N_("A replay puts this copy over the sound superblock in place, and "
	     "no tool opens the file system then.  Copy the device before "
	     "anything replays the log."),
	  state_super_copy, BEHAVE_SUPER_COPY,
	  { COPY_BOTH, STEP_VERIFY, STEP_HISTORIES } },
	{ "unsafe-flag",
	  N_("needs_recovery is clear, but the journal has data"),
	  N_("A snapshot of a lazily journaled file system looks like this, "
	     "and so does a superblock that some tool has written back from "
	     "an old copy.  An ordinary mount then believes that no replay is "
	     "due, and discards the log.  Do not mount it."),
	  state_unsafe_flag, BEHAVE_UNSAFE_FLAG,
	  { SAVE_LOG } },
	{ "checksum-error",
	  N_("a control block of the log is damaged: journal checksum error"),
	  N_("The list of blocks of one transaction is lost.  A kernel refuses "
	     "the mount at each boot.  e2fsck, even with -p, replays nothing "
	     "of such a log and empties it.  e2lazyck writes back the "
	     "transactions before the damage, and what is sound behind it."),
	  state_bad_control, BEHAVE_CONTROL, { SAVE_LOG } },
	{ "commit-checksum",
	  N_("a commit block of the log is damaged: journal checksum error"),
	  N_("One transaction is not known to be whole, so recovery ends "
	     "before it.  A kernel refuses the mount at each boot.  Later "
	     "transactions are in the ring and can be looked at."),
	  state_bad_commit, BEHAVE_COMMIT,
	  { COPY_BOTH, STEP_VERIFY, STEP_FILES, STEP_VIEW_WRITTEN,
	    STEP_HISTORIES, STEP_PLAN, STEP_WRITE_BACK, STEP_CHECK } },
	{ "false-damage",
	  N_("the damage at the end of the log is a leftover"),
	  N_("A block of an earlier journal stands exactly where the next "
	     "transaction would begin, with its number but with another "
	     "checksum.  No block of this log stands behind it.  A kernel "
	     "takes it for damage and refuses the mount, and e2fsck drops the "
	     "whole log.  e2lazyck writes back all of it."),
	  state_false_block, BEHAVE_CONTROL, { SAVE_LOG } },
	{ "false-damage",
	  N_("the damage at the end of the log is a leftover"),
	  N_("A commit block of an earlier journal stands exactly where the "
	     "next transaction would begin.  No block of this log stands "
	     "behind it.  A kernel takes it for damage and refuses the mount; "
	     "e2fsck replays the log up to it, which is all of it."),
	  state_false_commit, BEHAVE_COMMIT, { SAVE_LOG } },
	{ "log-breaks-off",
	  N_("the log breaks off in the middle"),
	  N_("A block in the middle of the log was lost or overwritten.  Every "
	     "recovery takes this place for the end, replays the part before "
	     "it and drops the transactions behind it, without a word."),
	  state_hole, BEHAVE_HOLE,
	  { COPY_BOTH, STEP_VERIFY, STEP_FILES, STEP_VIEW_WRITTEN,
	    STEP_HISTORIES, STEP_PLAN, STEP_WRITE_BACK, STEP_CHECK } },
	{ "copy-checksum",
	  N_("copies in the log are damaged: journal checksum error"),
	  N_("The newest copies of some blocks have wrong checksums.  A "
	     "replay writes all others, so the file system becomes a mixture "
	     "of newer and older blocks, and a kernel still refuses the mount "
	     "at each boot."),
	  state_bad_copies, BEHAVE_COPIES, { SAVE_LOG } },
	{ "bad-copy-at-home",
	  N_("copies in the log are damaged, but their blocks are right in "
	     "place"),
	  N_("A kernel verifies every copy as it replays the log, and refuses "
	     "the mount at each boot: 'Invalid checksum recovering data "
	     "block'.  The blocks were written home before their copies went "
	     "bad.  e2fsck puts older copies over them.  e2lazyck leaves them "
	     "as they are, and writes back the rest: nothing is lost."),
	  state_at_home, BEHAVE_AT_HOME, { SAVE_LOG } },
	{ "replayed-before",
	  N_("the log goes on with transactions that were replayed before"),
	  N_("Their commit times go back, and their blocks are older than "
	     "those of the transactions before them.  A tool that replays a "
	     "log without raising its number leaves this behind the next log.  "
	     "Every recovery puts the old blocks over the new ones.  'e2lazy "
	     "view --until-tid' ends before it."),
	  state_replayed, BEHAVE_REPLAYED,
	  { COPY_BOTH, STEP_VERIFY, STEP_HISTORIES, STEP_FILES, STEP_VIEW } },
	{ "stale-transactions",
	  N_("the log goes on with transactions of an earlier file system"),
	  N_("mke2fs did not clear the journal's blocks.  A transaction of the "
	     "earlier file system with the right number passes for the next "
	     "one if there are no checksums or the UUID is the same.  Every "
	     "recovery replays it over this file system.  'e2lazy view "
	     "--until-tid' ends before it."),
	  state_stale, BEHAVE_STALE,
	  { COPY_BOTH, STEP_VERIFY, STEP_HISTORIES, STEP_FILES, STEP_VIEW } },
	{ "hidden-log",
	  N_("the journal superblock hides a log that is not in place"),
	  N_("The start or the sequence number in the journal superblock does "
	     "not lead to the newest transactions in the ring, and their "
	     "blocks are not in place.  Every recovery takes the log for "
	     "empty.  The next mount for writing overwrites the ring."),
	  state_hidden, BEHAVE_HIDDEN,
	  { COPY_BOTH, STEP_VERIFY, STEP_SALVAGE, STEP_HISTORIES,
	    STEP_FILES, STEP_VIEW_RING, STEP_UNDELETE, RESTORE,
	    STEP_WRITE_BACK } },
	{ "hidden-log",
	  N_("the journal superblock hides a log that is not in place"),
	  N_("The ring has a whole log, and a field of the journal superblock "
	     "contradicts it: the start, the sequence number or a feature.  "
	     "Every recovery takes the log for empty.  The next mount for "
	     "writing overwrites the ring."),
	  state_contradicted, BEHAVE_HIDDEN, { SAVE_RING } },
	{ "discarded-log",
	  N_("the log was emptied unread"),
	  N_("A mount or a tool has emptied the log without writing its "
	     "blocks in place.  The copies are still in the ring until new "
	     "transactions overwrite them.  Stock tools find nothing wrong."),
	  state_discarded, BEHAVE_DISCARDED,
	  { COPY_BOTH, STEP_HISTORIES, STEP_FILES, STEP_VIEW_RING, STEP_UNDELETE, RESTORE,
	    STEP_WRITE_BACK } },
	{ "fast-commits-unknown",
	  N_("the fast commits behind the log have features that nobody knows"),
	  N_("A newer kernel has written them, or damage has hit the first "
	     "record.  A kernel refuses the mount at each boot, and e2fsck, "
	     "even with -p as at boot, drops the log.  Mount a copy with the "
	     "kernel that wrote them.  e2lazyck asks, and then writes the log "
	     "back without these records."),
	  state_fast_unknown, BEHAVE_FAST_UNFINISHED, { SAVE_LOG } },
	{ "fast-commits-later",
	  N_("the log may lack its end: fast commits of a later transaction "
	     "follow it"),
	  N_("A kernel writes fast commits when the transactions before theirs "
	     "are on the disk, and here the log ends earlier.  A write was "
	     "lost, or the device was copied while it was in use.  A mount "
	     "replays the log without them and does not say so; e2fsck, even "
	     "with -p as at boot, drops all of it."),
	  state_fast_later, BEHAVE_FAST_STALE,
	  { COPY_BOTH, STEP_VERIFY, STEP_FILES, STEP_VIEW_WRITTEN,
	    STEP_HISTORIES, STEP_PLAN, STEP_WRITE_BACK, STEP_CHECK } },
	{ "fast-commits-stale",
	  N_("e2fsck drops this log at the leftovers of fast commits"),
	  N_("Each full commit of a kernel leaves such records behind the log, "
	     "and a kernel passes over them.  e2fsck, even with -p as at boot, "
	     "ends at them with 'Invalid argument while recovering journal' "
	     "and drops the log.  Write the log back before e2fsck runs."),
	  state_fast_stale, BEHAVE_FAST_STALE, { SAVE_LOG } },
	{ "fast-commits-unfinished",
	  N_("the first fast commit behind the log has no sound end"),
	  N_("A crash came in the middle of a fast commit, or damage hit it.  "
	     "A kernel refuses the mount at each boot, and e2fsck, even with "
	     "-p as at boot, drops the log.  e2lazyck writes the log back "
	     "without these records."),
	  state_fast_unfinished, BEHAVE_FAST_UNFINISHED, { SAVE_LOG } },
	{ "fast-commit-wrapped",
	  N_("the log wraps in front of a fast-commit area"),
	  N_("e2fsck takes the area for a part of the ring, and tune2fs does "
	     "not know it at all.  A kernel replays the log, and so does "
	     "e2lazyck."),
	  state_fast_wrapped, BEHAVE_FAST_WRAPPED, { SAVE_LOG } },
	{ "fast-commits",
	  N_("fast commits wait behind the log"),
	  N_("Fast-commit records hold operations instead of blocks.  The "
	     "kernel has told programs that these changes are safe.  e2lazyck "
	     "makes a transaction of them and writes it back with the log; a "
	     "mount by a kernel leaves wrong counts of directories."),
	  state_fast_commits, BEHAVE_FAST_COMMITS, { SAVE_LOG } },
	{ "replay-loop",
	  N_("the log was replayed before, but never emptied"),
	  N_("Each block of the log is in place already, and a mount or a check "
	     "came after the last commit, yet the log is still in force.  "
	     "Writes do not reach the device, or power fails during each "
	     "boot; e2fsck then ends with 'unable to set superblock flags'.  "
	     "Look for I/O errors in the kernel's messages."),
	  state_replay_loop, BEHAVE_SOUND,
	  { COPY_BOTH, STEP_VERIFY, STEP_WRITE_BACK, STEP_CHECK } },
	{ "recorded-error",
	  N_("the journal keeps an error that each mount brings back"),
	  N_("The kernel saw an error and wrote it into the journal "
	     "superblock.  A mount marks the file system as damaged, and boot "
	     "checks it; a mount without e2fsck before it repeats that.  "
	     "e2fsck -f ends it."),
	  state_has_error, BEHAVE_SOUND, { COPY_BOTH, STEP_VERIFY, STEP_FORCE } },
	{ "mmp",
	  N_("multiple mount protection is held by e2fsck"),
	  N_("e2fsck or a similar program runs on some host, or it was killed.  "
	     "A mount, e2fsck and e2lazyck refuse the file system until "
	     "'tune2fs -f -E clear_mmp'.  Find out first that nobody uses "
	     "it: two writers destroy a file system."),
	  state_held, BEHAVE_MMP,
	  { STEP_VIEW, STEP_CLEAR_MMP, STEP_MOUNT } },
	{ "kernel-refuses",
	  N_("the log is sound, but this kernel refuses the file system"),
	  N_("It was built without something that the file system needs, or its "
	     "pages are smaller than a block.  Another kernel mounts it, and "
	     "e2lazyck writes the log back without one."),
	  state_refused, BEHAVE_REFUSED,
	  { STEP_VIEW_WRITTEN, STEP_DOWNGRADE, STEP_PLAN,
	    STEP_WRITE_BACK } },
	{ "kernel-unknown",
	  N_("the log is sound; whether this kernel mounts the file system is "
	     "not known"),
	  N_("The file system needs something that a kernel may be built "
	     "without, or be too old for, or its block of multiple mount "
	     "protection says that it is in use, maybe on another host.  A "
	     "kernel says more while ext4 is loaded: 'modprobe ext4', and ask "
	     "again.  --rehearse-mount shows what this one does."),
	  state_not_known, BEHAVE_NOT_KNOWN,
	  { STEP_VIEW, STEP_DOWNGRADE, STEP_MOUNT } },
	{ "journal-users",
	  N_("e2fsck misreads this log: its superblock counts several users"),
	  N_("A journal in an inode has one user.  e2fsck, even with -p as at "
	     "boot, and tune2fs take such a journal superblock for one of an "
	     "older version, clear its features, misread the log and empty "
	     "it.  A kernel replays the log."),
	  state_misread, BEHAVE_USERS, { SAVE_LOG } },
	{ "journal-uuid",
	  N_("the superblock names a journal inode and the UUID of a journal "
	     "device"),
	  N_("A kernel uses the inode, and mounts the file system.  e2fsck "
	     "looks for the device and stops with exit status 12, with -p as "
	     "at boot and with -y.  Some mkfs programs leave such a "
	     "superblock."),
	  state_uuid_too, BEHAVE_UUID,
	  { COPY_BOTH, STEP_VERIFY, STEP_WRITE_BACK, STEP_CLEAR_UUID,
	    STEP_CHECK } },
	{ "read-only",
	  N_("the log needs a replay, but the device is read-only"),
	  N_("A snapshot, a write-protected disk or a read-only loop device "
	     "cannot be replayed, so even mount -o ro refuses it.  mount -o "
	     "ro,noload shows the file system without its log: older than it "
	     "is, and not consistent."),
	  state_read_only, BEHAVE_READ_ONLY,
	  { STEP_OVERLAY, STEP_COPY, STEP_WRITABLE } },
	{ "no-story",
	  N_("no known story fits; the findings are all that is known"),
	  N_("Copy the device first.  'e2lazyck --explain ID' explains a "
	     "finding."),
	  state_damaged, BEHAVE_UNKNOWN, { COPY_BOTH, STEP_VERIFY, STEP_FILES, STEP_VIEW } },
	{ "sound",
	  N_("nothing is wrong; an ordinary mount replays the log"),
	  NULL, state_sound_in_use, BEHAVE_SOUND,
	  { STEP_VIEW, STEP_DOWNGRADE, STEP_MOUNT } },
	{ "clean",
	  N_("nothing is wrong; the log is empty"),
	  NULL, state_sound_empty, BEHAVE_EMPTY,
	  { STEP_VIEW_EMPTY, STEP_UNDELETE, STEP_MOUNT_UNWRITTEN,
	    STEP_MOUNT_EMPTY } },
};

const struct story *next_story(const struct doctor *d, size_t *at)
{
	while (*at < sizeof(stories) / sizeof(*stories)) {
		const struct story *story = &stories[(*at)++];

		if (!story->holds(d))
			continue;
		/* Then no other one counts. */
		if (story->holds == state_moving)
			*at = sizeof(stories) / sizeof(*stories);
		return story;
	}
	return NULL;
}

const struct outcome *tool_outcome(const struct doctor *d, enum tool tool)
{
	const struct outcome *first = NULL, *o;
	const struct story *story;
	size_t at = 0;

	if (state_read_only(d))
		return outcome_of(BEHAVE_READ_ONLY, tool);
	if (state_held(d))
		return outcome_of(BEHAVE_MMP, tool);
	if (tool == TOOL_MOUNT && d->kernel.answer != KERNEL_MOUNTS)
		return outcome_of(d->kernel.answer == KERNEL_REFUSES ?
				  BEHAVE_REFUSED : BEHAVE_NOT_KNOWN, tool);
	if (state_counts_users(d) && tool == TOOL_LOOK)
		return outcome_of(BEHAVE_USERS, tool);
	if (state_uuid_too(d) && tool != TOOL_MOUNT)
		return outcome_of(BEHAVE_UUID, tool);
	while ((story = next_story(d, &at))) {
		o = outcome_of(story->behaviour, tool);
		if (!first && !o)
			return NULL;
		if (!first || (o && outcome_gives_way(first, o)))
			first = o;
	}
	/* An area is no story: most logs with one need nothing. */
	o = outcome_of(BEHAVE_FAST_AREA, tool);
	return first && state_fast_area(d) && outcome_gives_way(first, o) ? o : first;
}

static bool is_external(const struct doctor *d)
{
	const struct e2lazy_geometry *g = d->s->log->geo;

	return d->s->source.open.journal || (g && g->external);
}

const enum step *next_step(const struct doctor *d, const enum step *at)
{
	const bool has[] = {
		[NEEDS_NOTHING] = true,
		[NEEDS_RING] = !d->ring_empty,
		[NEEDS_MARK] = doctor_is_marked(d),
		[NEEDS_INTERNAL] = !is_external(d),
		[NEEDS_EXTERNAL] = is_external(d),
	};

	while (*at && !has[step_text(*at)->needs])
		at++;
	return at;
}

bool story_is_sound(const struct story *story)
{
	return !story->text;
}

bool loss_count(const struct doctor *d, enum loss loss, uint64_t *count)
{
	const uint64_t counts[] = {
		[LOSS_NONE] = 0,
		[LOSS_ALL] = d->all,
		[LOSS_END] = d->given_up.count,
		[LOSS_COPIES] = doctor_found(d, "older-copy") +
				doctor_found(d, "data-csum"),
		[LOSS_STALE] = d->stale,
		[LOSS_HIDDEN] = d->contradicted ? d->all :
				doctor_found(d, "tail-contradicted"),
		[LOSS_UNKNOWN] = 0,
	};

	*count = counts[loss];
	return loss == LOSS_NONE || (loss != LOSS_UNKNOWN && d->counted);
}

uint64_t records_lost(const struct doctor *d, enum loss loss)
{
	return loss == LOSS_ALL ? doctor_found(d, "fast-commits-valid") : 0;
}
