/* SPDX-License-Identifier: GPL-2.0-only */
/* sound.c - states: the log is sound, and something else is wrong */
#include "rows.h"

const struct diagnosis sound_states[] = {
	{ PROBLEM(ERRNO),
	  N_("the kernel has recorded an error in the journal superblock"),
	  N_("An error occurred while the file system was in use.  A "
	     "checkpoint copies the error into the file system's "
	     "superblock.  Run e2fsck -f after that."),
	  N_("run e2fsck -f once the log has been replayed") },
	{ PROBLEM(JOURNAL_USERS),
	  N_("a journal in an inode counts several users"),
	  N_("e2fsck and tune2fs take such a superblock for one of version "
	     "1, and clear its features.  They misread a log with 64-bit "
	     "block numbers or checksums, and empty it; e2fsck -n ends with "
	     "exit status 12.  A kernel ignores the number."),
	  USE_E2LAZYCK_FIRST },
	{ PROBLEM(JOURNAL_UUID),
	  N_("the superblock names a journal inode and the UUID of a journal "
	     "device"),
	  N_("A kernel uses the inode.  e2fsck looks for the device and "
	     "stops with exit status 12, with -p as at boot and with -y.  If "
	     "nobody misses a journal device, let a mount replay the log or "
	     "write it back; then clear the UUID: debugfs -w -R "
	     "'set_super_value journal_uuid clear' DEVICE."),
	  N_("write the log back, then clear s_journal_uuid: e2fsck stops "
	     "until then") },
	{ NULL }
};
