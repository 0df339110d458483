/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* step.c - one step: from the file system before to that after */

#include <stdlib.h>

#include "changes.h"

errcode_t step_init(struct step *step)
{
	errcode_t err = io_channel_alloc_buf(step->after->io, 1, &step->old);

	if (!err)
		err = io_channel_alloc_buf(step->after->io, 1, &step->new);
	if (!err)
		err = io_channel_alloc_buf(step->after->io, 1, &step->bitmap);
	return err ? err : step_directories(step);
}

void step_free(struct step *step)
{
	directories_free(&step->dirs_before);
	directories_free(&step->dirs_after);
	entries_free(&step->went);
	entries_free(&step->came);
	entries_free(&step->perhaps);
	free(step->inodes.at);
	ext2fs_free_mem(&step->old);
	ext2fs_free_mem(&step->new);
	ext2fs_free_mem(&step->bitmap);
}

errcode_t step_gather(struct step *step)
{
	errcode_t err = step_inodes(step);

	if (err)
		return err;
	step_find_born(step);
	return step_entries(step);
}
