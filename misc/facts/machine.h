/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * machine.h - what mounts, checks or enlarges the file system by itself
 *
 * Reads the configuration of a machine below a directory.  A missing or
 * unreadable file has no habits; a file that may have the option journal_lazy
 * is listed, with the reason if it was not read.
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
	char		*device;	/* of HABIT_LAZY_OTHER: as its line has it */
};

struct habits {
	struct habit	*all;
	size_t		count, room;
};

/* A file that may have the option journal_lazy. */
struct looked {
	const char	*file;		/* without the directory */
	int		why;		/* errno; 0: it was read */
	bool		is_fstab;
	unsigned	lines, ours;	/* of fstab: lines, and those of the device */
};

#define MACHINE_LOOKED	5

struct machine {
	const char	*root;
	/* The names of the file system. */
	const char	*device;
	char		uuid[37];	/* "": unknown */
	char		label[17];
	struct habits	habits;
	struct habits	others;		/* lazy lines of no known device */
	struct looked	looked[MACHINE_LOOKED];
	bool		no_memory;	/* some habits are missing */
};

/* The kernel's command line, or a mount, has the option journal_lazy. */
#define HABIT_LAZY_ROOT		"lazy-root"
#define HABIT_LAZY_MOUNT	"lazy-mount"
/* A mount of something that is not known to be the device has it. */
#define HABIT_LAZY_OTHER	"lazy-other"

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

/* The reason why a file was not read. */
const char *looked_why(const struct looked *looked);

#endif
