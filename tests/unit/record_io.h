/* SPDX-License-Identifier: GPL-2.0-only */
/* record_io.h - an io_manager that remembers each write, in order */
#ifndef RECORD_IO_H
#define RECORD_IO_H

#include <stdbool.h>

#include <ext2fs/ext2fs.h>

/* A write, or a flush: then @bytes is NULL. */
struct recorded {
	char		device[272];
	uint64_t	offset;
	size_t		count;
	void		*bytes;
};

struct recording {
	struct recorded	*ops;
	size_t		nr, room;
	/* The write of this number, from 0, fails, and all after it. */
	long		fail_at;
	bool		fail_once;	/* only that one does */
	long		writes;
};

/* Stacked on unix_io; one recording at a time. */
extern io_manager const record_io_manager;
void record_begin(struct recording *recording);
void record_free(struct recording *recording);

/* Do the writes [0, @end) again that @keep, or NULL for all, has a bit of. */
void record_replay(const struct recording *recording, size_t end,
		   const bool *keep);

/*
 * Call @crashed for the states that a power cut can leave: after each write and
 * flush, and with some choices of lost writes that no flush followed.
 * record_replay() makes the state.
 */
void record_crashes(const struct recording *recording,
		    void (*crashed)(void *priv, size_t end, const bool *keep),
		    void *priv);

#endif
