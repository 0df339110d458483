/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * machine.h - what mounts, checks or enlarges the file system by itself
 *
 * Reads the configuration of a machine below a directory.  A missing or
 * unreadable file has no habits.
 */
#ifndef MISC_FACTS_MACHINE_H
#define MISC_FACTS_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <ext2fs/ext2fs.h>

#include "support/json.h"
#include "support/out.h"

struct habit {
	const char	*id;		/* in JSON; never changes */
	const char	*file;		/* without the directory */
	const char	*text;		/* not yet translated */
	char		*detail;	/* any bytes; NULL: none */
};

#define MAX_HABITS	32

struct machine {
	const char	*root;
	/* The names of the file system. */
	const char	*device;
	char		uuid[37];	/* "": unknown */
	char		label[17];
	struct habit	habits[MAX_HABITS];
	size_t		count;
};

/* The kernel's command line, or a mount, has the option journal_lazy. */
#define HABIT_LAZY_ROOT		"lazy-root"
#define HABIT_LAZY_MOUNT	"lazy-mount"

/* Set device, uuid and label; a damaged superblock @sb has no names. */
void machine_names(struct machine *machine, const char *device,
		   const struct ext2_super_block *sb);
/* @machine has root, device, uuid and label set. */
void machine_look(struct machine *machine);
void machine_free(struct machine *machine);

/* The place of a habit, and below it the text, @indent columns in. */
#define HABIT_INDENT	2
void habit_text(const struct habit *habit, unsigned indent, unsigned width,
		struct out *out);
/* Members of the object that is open. */
void habit_json(const struct habit *habit, struct json *json);

#endif
