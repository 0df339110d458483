/* SPDX-License-Identifier: GPL-2.0-only */
/* fast.c - states: fast commits on top of the log */
#include "rows.h"

const struct diagnosis fast_states[] = {
	{ PROBLEM(FAST_COMMITS_UNKNOWN),
	  N_("the fast commits have unknown features; a kernel refuses the "
	     "mount, and e2fsck drops the log"),
	  N_("A newer kernel may have written them, and told programs that "
	     "these changes are safe on disk; or damage has hit the first "
	     "record.  e2fsck, even with -p as at boot, ends at it with "
	     "'Operation not supported while recovering journal' and empties "
	     "the log unread.  debugfs and tune2fs empty it unread, too.  "
	     "Copy the device first, and mount it with the kernel that wrote "
	     "it."),
	  COPY_DEVICE,
	  .question = N_("Write the log back, and drop the fast commits?"),
	  .tools = TOOLS(REFUSES, DROPS, DROPS, DROPS, CLEAN),
	  .steps = { SAVE_LOG } },
	{ PROBLEM(FAST_COMMITS_LATER),
	  N_("the fast commits belong to a later transaction than the log's "
	     "next: the end of the log may be missing, and e2fsck drops the "
	     "whole log"),
	  N_("A kernel writes fast commits only after the transactions before "
	     "them are on the disk.  This log ends earlier: a write was lost, "
	     "the device was copied while it was in use, or damage looks like "
	     "the end.  Then changes that programs were told are on disk are "
	     "missing.  Nothing is missing if a tool has restarted the log "
	     "with lower numbers.  A kernel silently replays the log without "
	     "the fast commits.  e2fsck, even with -p as at boot, ends with "
	     "'Invalid argument while recovering journal' and empties the log "
	     "unread; debugfs and tune2fs do that, too.  Copy the device "
	     "first.  'e2lazy log --histories' lists what the ring has after "
	     "the end."),
	  COPY_DEVICE,
	  .question = N_("Write the log back up to its end, and drop the fast "
			 "commits?"),
	  .tools = TOOLS(REPLAYS, DROPS, DROPS, DROPS, CLEAN),
	  .steps = { COPY_BOTH, STEP_VERIFY, STEP_FILES, STEP_VIEW_WRITTEN,
	    STEP_HISTORIES, STEP_PLAN, STEP_WRITE_BACK, STEP_CHECK } },
	{ PROBLEM(FAST_COMMITS_STALE),
	  N_("the fast-commit area has records of an earlier transaction; "
	     "e2fsck drops the log at them"),
	  N_("Each full commit of a kernel leaves such records, and they do "
	     "not count: a kernel skips them.  e2fsck 1.47, even with -p as "
	     "at boot, ends at them with 'Invalid argument while recovering "
	     "journal' and empties the log unread.  debugfs and tune2fs empty "
	     "it unread, too.  Let a kernel replay the log by a mount, or "
	     "write it back with e2lazyck."),
	  WRITE_BACK_HERE,
	  .told = true, .tools = TOOLS(REPLAYS, DROPS, DROPS, DROPS, CLEAN),
	  .steps = { SAVE_LOG } },
	{ PROBLEM(FAST_COMMITS_UNFINISHED),
	  N_("the first fast commit is malformed or has no sound end, so a "
	     "kernel refuses the mount"),
	  N_("The fast-commit area begins with the next transaction's "
	     "number, as after a crash in the middle of a fast commit, or "
	     "with a record of a wrong length, as after damage.  None of its "
	     "records count.  A kernel does not mount such a file system.  "
	     "e2fsck, even with -p as at boot, checks no lengths: in most "
	     "cases it empties the log unread.  debugfs and tune2fs do that, "
	     "too.  e2lazyck writes the log back without these records."),
	  USE_E2LAZYCK,
	  .told = true, .tools = TOOLS(REFUSES, DROPS, DROPS, DROPS, CLEAN),
	  .steps = { SAVE_LOG } },
	{ PROBLEM(FAST_COMMIT_WRAPPED),
	  N_("the log has a fast-commit area and wraps; e2fsck misreads it"),
	  N_("e2fsck takes the fast-commit area for part of the ring and "
	     "replays the wrong blocks.  debugfs and tune2fs empty the log "
	     "unread.  Let a kernel replay the log by a mount, or write it "
	     "back with e2lazyck."),
	  WRITE_BACK_HERE,
	  .told = true, .hazard = fast_commit_wrapped,
	  .tools = TOOLS(REPLAYS, WRONG, WRONG, DROPS, CLEAN),
	  .steps = { SAVE_LOG } },
	{ PROBLEM(FAST_COMMITS_VALID),
	  N_("the log has valid fast-commit records, which the map does not "
	     "hold"),
	  N_("Fast-commit records hold operations instead of blocks.  The "
	     "kernel has told programs that these changes are safe on disk.  "
	     "A checkpoint first makes a transaction of them and adds it to "
	     "the log; then it writes the log back.  Let no other program "
	     "replay them: e2fsck -p loses files, and brings deleted ones "
	     "back; a mount by a kernel leaves wrong counts for directories "
	     "that were made or removed; debugfs and tune2fs drop the records."),
	  USE_E2LAZYCK,
	  .told = true, .hazard = fast_commits_valid,
	  .tools = TOOLS(CARRIES_OUT, MISAPPLIES, MISAPPLIES, DROPS, CLEAN),
	  .steps = { SAVE_LOG } },
	{ PROBLEM(FAST_COMMITS_REFUSED),
	  N_("e2lazyck cannot carry out the fast-commit records"),
	  N_("The records contradict the file system, or change something "
	     "that they do not describe fully; the message has the reason.  "
	     "The log without them would lose files that programs were told "
	     "are safe.  Copy the device first.  A kernel carries out what "
	     "it can when it mounts the file system; run e2fsck -f "
	     "afterwards.  'e2lazy log --fast-commit --decode' lists the "
	     "records."),
	  COPY_DEVICE },
	{ PROBLEM(FAST_COMMITS_CUT),
	  N_("the fast-commit area is damaged, and the fast commits after the "
	     "damage are lost"),
	  N_("LOGBLK names the first fast commit that cannot be used, or the "
	     "unreadable block; COUNT is the number of these commits.  "
	     "Programs were told that their changes are safe.  The fast "
	     "commits before the damage count.  A kernel and e2fsck silently "
	     "drop the same ones."),
	  COPY_DEVICE,
	  .question = N_("Keep the fast commits before the damage, and drop "
			 "the others?") },
	{ PROBLEM(FAST_COMMIT),
	  N_("debugfs and tune2fs empty a log with a fast-commit area unread"),
	  N_("The log is in use and has room for fast commits.  Some "
	     "versions of these tools do not know the fast-commit area and "
	     "drop the log when they write.  e2lazy info reports this "
	     "hazard; e2lazyck does not."),
	  WRITE_BACK_HERE,
	  .holds = has_fast_area, .quiet = true, .hazard = fast_commit_live,
	  .tools = TOOLS(REPLAYS, REPLAYS, REPLAYS, DROPS, CLEAN) },
	{ NULL }
};
