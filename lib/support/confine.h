/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * confine.h - a process gives up what it will not need
 *
 * The programs parse images that somebody hostile may have made, mostly as
 * root.  A reader that such an image takes over can then still read, but it
 * cannot open a file to write, make or remove one, run a program, mount,
 * open a socket, signal others, or change the machine.  Files that are open
 * already stay so: standard output above all.  Landlock does this (Linux 5.13
 * and newer; each version adds rights), and a filter of calls (filter.h).  Where
 * the kernel lacks one, nothing changes: it is a second line of defence, never
 * the first.
 */
#ifndef SUPPORT_CONFINE_H
#define SUPPORT_CONFINE_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * confine - from here on this thread, and what it starts, writes no file but
 *	     those below the directory @below; NULL: none at all
 *
 * Call it before the first thread starts.  @below is looked up now; if that
 * fails, nothing below it may be written either.
 */
void confine(const char *below);

/*
 * confine_calls - the same for a program that writes files and runs a pager: it
 *		   gives up only what changes the machine
 */
void confine_calls(void);

/*
 * The processes of e2lazy view:
 *
 * confine_start - nbdkit before it has a socket: it reads the device, and makes
 *		   files below the directories @below (up to a NULL) only
 * confine_serve - nbdkit from then on: it writes no file and opens no socket
 * confine_wait  - the process that waits for the command @child, or for a
 *		   signal if that is 0
 * confine_keep  - root's process that starts nbdkit and nbdfuse, and mounts;
 *		   what it starts is confined as well, but may gain privileges
 */
void confine_start(const char *const *below);
void confine_serve(void);
void confine_wait(pid_t child);
void confine_keep(void);

/* confine_off - those above do nothing from here on */
void confine_off(void);

/* confine_is_off - and so a program that this one runs should not do it either */
bool confine_is_off(void);

/* confine_asked - one of them was called, whatever it did */
bool confine_asked(void);

#endif
