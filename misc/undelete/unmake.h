/* SPDX-License-Identifier: GPL-2.0-only */
/* unmake.h - a directory that was made for nothing goes again */
#ifndef MISC_UNDELETE_UNMAKE_H
#define MISC_UNDELETE_UNMAKE_H

#include <stdbool.h>
#include <sys/types.h>

struct unmake {
	pid_t	child;			/* 0 or -1: there is none */
	int	tell;
};

/* The directory @name was made in @above.  To be called before confine(). */
void unmake_begin(struct unmake *unmake, int above, const char *name);
/* Remove it, if it is empty; or let it be. */
void unmake_end(struct unmake *unmake, bool remove);

#endif
