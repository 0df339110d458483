/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trial.h - a file system of --simulate: a sparse file, mounted by a loop device
 */
#ifndef MISC_MAKE_TRIAL_H
#define MISC_MAKE_TRIAL_H

#include "e2lazy_trace.h"
#include "make.h"

struct trial {
	struct make	*m;
	const struct profile *profile;
	char		*directory, *image, *mount;
	int		loop;		/* descriptor; -1: none */
	char		device[32];
	bool		mounted;
	struct e2lazy_recorder *recorder;
	struct e2lazy_model *model;
	uint64_t	answered, requests;
	uint64_t	run, cleaning, bands;	/* results; ns */
};

/* Complain with the text of an errno; false. */
bool trial_fail(struct trial *t, const char *name, int error);
/* The directory in TMPDIR. */
bool trial_make_places(struct trial *t);
void trial_remove_places(struct trial *t);
bool trial_mount(struct trial *t);
/* Everything is written then; false if something holds the mount. */
bool trial_unmount(struct trial *t);
/* What is not written by now need not be: the file goes in any case. */
void trial_shut_down(struct trial *t);
/* Remove what is left of it. */
void trial_release(struct trial *t);

#endif
