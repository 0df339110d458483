/* SPDX-License-Identifier: GPL-2.0-only */
/* steps.h - the commands that the doctor prescribes */
#ifndef MISC_DOCTOR_STEPS_H
#define MISC_DOCTOR_STEPS_H

#include "facts/spelled.h"

enum step {
	STEP_END,
	STEP_UNMOUNT,
	STEP_COPY,
	STEP_COPY_JOURNAL,
	STEP_RESCUE,
	STEP_SAVE_RING,
	STEP_SALVAGE,
	STEP_CARVE,
	STEP_CARVE_EMPTY,
	STEP_VIEW_SALVAGED,
	STEP_VIEW_CARVED,
	STEP_VIEW_CARVED_EMPTY,
	STEP_FILES,
	STEP_RESTORE_PLAN,
	STEP_RESTORE,
	STEP_VERIFY,
	STEP_PLAN,
	STEP_VIEW,
	STEP_VIEW_CHECK,
	STEP_VIEW_WRITTEN,
	STEP_VIEW_EMPTY,
	STEP_HISTORIES,
	STEP_VIEW_RING,
	STEP_UNDELETE,
	STEP_UNDELETE_SALVAGED,
	STEP_UNDELETE_CARVED,
	STEP_FEATURES,
	STEP_EACH_JOURNAL,
	STEP_OVERLAY,
	STEP_WRITABLE,
	STEP_WRITE_BACK,
	STEP_CLEAR_UUID,
	STEP_CLEAR_MMP,
	STEP_MEND_CSUM,
	STEP_DOWNGRADE,
	STEP_MOUNT,
	STEP_MOUNT_RO,
	STEP_WRITE_FILES,
	STEP_UNTIL,
	STEP_MOUNT_UNWRITTEN,
	STEP_MOUNT_EMPTY,
	STEP_FORCE,
	STEP_FORCE_BACKUP,
	STEP_SET_JOURNAL,
	STEP_PREEN,
	STEP_CHECK,
	NR_STEPS
};

/* Where it makes sense. */
enum needs {
	NEEDS_NOTHING,
	NEEDS_RING,		/* a transaction in the ring, */
	NEEDS_NO_RING,		/* or none, and a journal in an inode */
	NEEDS_MARK,		/* journal_lazy in the superblock */
	NEEDS_INTERNAL,		/* a journal in an inode */
	NEEDS_EXTERNAL,		/* one on a device of its own, */
	NEEDS_JOURNAL_FILE,	/* of which there is only a file */
	NEEDS_MOUNTABLE,	/* any that a mount can take */
	NEEDS_BLOCK_DEVICE,	/* mount -o ro protects a file from a replay */
	NEEDS_BAD_LAST,		/* damage in the last transaction alone; the
				   command is without its number */
};

struct step_text {
	const char	*command;	/* in front of the device */
	const char	*rest;		/* behind it, or NULL */
	enum takes	takes;
	const char	*why;
	enum needs	needs;
};

const struct step_text *step_text(enum step step);

#endif
