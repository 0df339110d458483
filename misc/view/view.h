/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * view.h - e2lazy view: who shows the view, and who takes it away again
 *
 *	view.c		the command line
 *	table.c	--dm-table, which needs none of the others
 *	tools.c	the programs that are called
 *	places.c	where all is put, and what the command is told of it
 *	run.c	runs the command, or waits for a signal
 *	keeper.c	a process of its own, which starts nbdkit and nbdfuse
 *			and clears away, however the other one has ended
 *	cover.c	what is mounted on, held by a descriptor
 *	child.c	starting and ending processes
 */
#ifndef MISC_VIEW_H
#define MISC_VIEW_H

#include <signal.h>

#include "session/identity.h"
#include "session/session.h"

/* Where the view is shown. */
enum view_mode {
	VIEW_PRIVATE,		/* a file in a directory of our own */
	VIEW_FILE,		/* --file */
	VIEW_MOUNT,		/* --mount */
	VIEW_SOCKET,		/* --socket */
	VIEW_TABLE,		/* --dm-table */
	NR_VIEW_MODES
};

/* Programs by the paths where they were found, and the plugin. */
struct view_tools {
	char	*nbdkit;
	char	*nbdfuse;
	char	*fusermount;
	char	*mount;
	char	*plugin;
};

/* A device that is shown: nbdkit serves it, nbdfuse makes it a file. */
struct view_volume {
	const char	*export;
	char		*socket;
	char		*file;		/* NULL: the socket is all */
};
#define MAX_VOLUMES	2

struct view {
	struct session	*s;
	enum view_mode	mode;
	const char	*named;		/* of --file, --mount, --socket */
	const char	*patch;		/* --patch */
	bool		cow;
	char		**command;	/* NULL: none */

	struct view_tools tools;
	char		*device;	/* absolute, as the others below */
	char		*journal;	/* NULL: in the file system */
	char		identity[IDENTITY_TEXT];	/* of these two */
	char		journal_identity[IDENTITY_TEXT];
	char		*place;		/* @named */
	int		mount_on;	/* --mount: that directory; 0: none */
	char		*directory;	/* of our own, for the time being */
	struct view_volume volumes[MAX_VOLUMES];
	unsigned	nr_volumes;
};

/* Prints the table. */
void view_table(struct view *view);

/* Find what @view needs, or complain once of all that is missing. */
bool view_find_tools(struct view *view);
void view_free_tools(struct view_tools *tools);

/*
 * The absolute path of something that is yet to be made; NULL after a complaint.
 * Where others can change the directory, root makes nothing in it: they could
 * make the name a link to elsewhere before the view is there.
 */
char *view_new_path(const char *name);
/*
 * The places that do not depend on the device, or a complaint: that comes
 * before the log is read, which can take long.
 */
bool view_choose_places(struct view *view);
/*
 * Settle the others, from what the session of @view has open, and make the
 * private directory; or complain.
 */
bool view_settle(struct view *view);
void view_free_places(struct view *view);
/* The marks in the command that are replaced by places, see above. */
#define VIEW_MARK		"{}"
#define VIEW_JOURNAL_MARK	"{journal}"
bool view_has_mark(const struct view *view, const char *mark);
/* The command with its marks replaced; NULL for lack of memory. */
char **view_expand(const struct view *view);
void view_free_words(char **words);
/* Tell on standard output where it is. */
void view_print_places(struct view *view);

/* Show it, and run the command or wait. The exit status of the command, or 0. */
int view_run(struct view *view);

/*
 * The keeper's life.  @life is one end of a socket: a byte is sent when all is
 * in place, and when the other end is closed, by whatever, all is taken away.
 * @mask is for the programs that are started. Returns an FSCK_* status.
 */
int view_keep(struct view *view, int life, const sigset_t *mask);

#endif
