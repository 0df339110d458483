/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * models.h - the list of drive models, see mke2lazy-drives(5)
 */
#ifndef DRIVE_MODELS_H
#define DRIVE_MODELS_H

#include <stdbool.h>
#include <stdint.h>

#include "e2lazy_drive.h"
#include "e2lazy_model.h"

/* The class that a line of the list gives a model. */
enum model_kind {
	MODEL_DEVICE_MANAGED,	/* from a trusted source */
	MODEL_RUMOURED,		/* shingled, from an untrusted source */
	MODEL_HOST_AWARE,
	MODEL_HOST_MANAGED,
	MODEL_CONVENTIONAL,
	MODEL_VIRTUAL,
	MODEL_SIMULATED,	/* for simulation; gives no class */
	NR_MODEL_KINDS
};

struct model_match {
	unsigned	confidence;	/* percent; 0: no line matches */
	char		source[48];	/* "drivedb/toshiba-p300" */
};

struct model_facts {
	struct model_match match[NR_MODEL_KINDS];	/* best of each */
	uint64_t	band, stream;	/* bytes, bytes a second; 0: unknown */
};

struct models;

/*
 * Read the list at @path; NULL: an empty list.  E2LAZY_ET_DRIVE_LIST with the
 * bad line in @line; 0, with the reason in errno, if the file cannot be read.
 */
errcode_t models_open(const char *path, struct models **out, unsigned *line);
void models_close(struct models *models);

void models_match(const struct models *models, const char *vendor,
		  const char *model, struct model_facts *out);

#endif
