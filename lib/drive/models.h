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

/* What a line of the list can say of a model. */
enum model_kind {
	MODEL_DEVICE_MANAGED,	/* by a source that is believed */
	MODEL_RUMOURED,		/* shingled somehow, by one that is not */
	MODEL_HOST_AWARE,
	MODEL_HOST_MANAGED,
	MODEL_CONVENTIONAL,
	MODEL_VIRTUAL,
	MODEL_SIMULATED,	/* says nothing of what it is */
	NR_MODEL_KINDS
};

struct model_match {
	unsigned	confidence;	/* percent; 0: no line matches */
	char		source[48];	/* "drivedb/toshiba-p300" */
};

struct model_facts {
	struct model_match match[NR_MODEL_KINDS];	/* the surest of each */
	uint64_t	band, stream;	/* bytes, bytes a second; 0: unknown */
};

struct models;

/*
 * E2LAZY_ET_DRIVE_LIST, with the line in @line (0, and the reason in errno,
 * where the file cannot be read).  @path may be NULL: an empty list.
 */
errcode_t models_open(const char *path, struct models **out, unsigned *line);
void models_close(struct models *models);

void models_match(const struct models *models, const char *vendor,
		  const char *model, struct model_facts *out);

#endif
