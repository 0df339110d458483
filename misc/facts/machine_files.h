/* SPDX-License-Identifier: GPL-2.0-only */
/* machine_files.h - files of a machine's configuration, and their habits */
#ifndef MISC_FACTS_MACHINE_FILES_H
#define MISC_FACTS_MACHINE_FILES_H

#include <stdio.h>

#include "machine.h"

#define MACHINE_PATH	4096

void machine_add(struct machine *machine, const char *id, const char *file,
		 const char *text, const char *detail);
/* The same in a list of choice, with copies of the strings. */
void machine_add_to(struct machine *machine, struct habits *habits,
		    const struct habit *habit);

/* False: the name is too long. */
bool machine_path(const struct machine *machine, const char *file,
		  char path[MACHINE_PATH]);
/* Open a regular file of a sensible size; an errno, or 0. */
int machine_open(const struct machine *machine, const char *file, FILE **f);
/* An errno if the file was not read to its end, unless a line fits before. */
int machine_has_line(const struct machine *machine, const char *file,
		     bool (*fits)(const char *line, const char *wanted),
		     const char *wanted, bool *found);

/* mounts.c: fstab, and the option journal_lazy wherever it may stand. */
void machine_look_at_mounts(struct machine *machine);

#endif
