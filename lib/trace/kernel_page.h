/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * kernel_page.h - pages of the kernel's trace ring buffer, and events in them:
 * requests to a disk, and jbd2's checkpoints
 */
#ifndef TRACE_KERNEL_PAGE_H
#define TRACE_KERNEL_PAGE_H

#include "e2lazy_trace.h"

/* A field of an event, or of a page's head. */
struct kernel_field {
	unsigned	offset, size;	/* bytes; @size 0: it has none such */
};

/* The offsets, from the files "format" and "header_page" of this kernel. */
struct kernel_form {
	unsigned	id;		/* of the event */
	struct kernel_field type;	/* common_type: the event's id */
	struct kernel_field dev, sector, sectors, rwbs;
	struct kernel_field commit, data;	/* of a page */
	/* jbd2_checkpoint and jbd2_checkpoint_stats; @id 0: not there. */
	struct {
		unsigned	id;
		struct kernel_field result;
	} begins;
	struct {
		unsigned	id;
		struct kernel_field tid, written;
	} ends;
};

/* Parse the two files.  False: they lack a field, or one has an odd size. */
bool kernel_form_parse(const char *format, const char *header_page,
		       struct kernel_form *out);

/* Add jbd2's events, which not every kernel has.  False: they are others. */
bool kernel_form_add_jbd2(const char *begins, const char *ends,
			  struct kernel_form *form);

/* A block event: the request, and a flush that it has before it. */
struct kernel_event {
	uint64_t	t;		/* the kernel's clock, ns */
	bool		is_checkpoint;	/* only @checkpoint counts */
	struct e2lazy_trace_checkpoint checkpoint;
	uint64_t	sector;
	uint32_t	dev;		/* as the kernel has it: major << 20 */
	bool		flush;
	struct e2lazy_request r;	/* op and flags; its length in bytes */
};

/*
 * kernel_page_read - the events of a page
 * @lost:  adds the events that the page says the kernel dropped before it; at
 *         least 1 if the page does not say how many
 *
 * E2LAZY_ET_TRACE_DAMAGED: the page makes no sense from some event on.
 */
errcode_t kernel_page_read(const struct kernel_form *form, const void *page,
			   size_t bytes,
			   errcode_t (*found)(void *priv,
					      const struct kernel_event *),
			   void *priv, uint64_t *lost);

#endif
