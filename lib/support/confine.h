/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * confine.h - a process gives up what it will not need
 *
 * The programs parse images that somebody hostile may have made, mostly as
 * root.  A reader that such an image takes over can then still read, but it
 * cannot open a file to write, make or remove one, run a program, mount,
 * connect by TCP, or signal others.  Files that are open already stay so:
 * standard output above all.  Landlock does this (Linux 5.13 and newer; each
 * version adds rights).  Where the kernel lacks it, nothing changes: it is a
 * second line of defence, never the first.
 */
#ifndef SUPPORT_CONFINE_H
#define SUPPORT_CONFINE_H

/*
 * confine - from here on this thread, and what it starts, writes no file but
 *	     those below the directory @below; NULL: none at all
 *
 * Call it before the first thread starts.  @below is looked up now; if that
 * fails, nothing below it may be written either.
 */
void confine(const char *below);

/* confine_off - confine() does nothing from here on */
void confine_off(void);

#endif
