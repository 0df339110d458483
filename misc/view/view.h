/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * view.h - e2lazy view: who shows the view, and who takes it away again
 *
 *	view.c		the command line
 *	apart.c		a confined process, which reads the device
 *	look.c		what that process, or --dm-table, reads
 *	as_is.c		the same for a rehearsal: which devices there are
 *	rehearse.c	a tool runs on devices as they are
 *	inside.c	the process that runs it, and then compares
 *	cow.c		what an overlay holds
 *	sides.c		the file system before and after
 *	tree.c		all its files
 *	compare.c	those of both sides
 *	table.c	--dm-table, which needs none of the others
 *	tools.c	the programs that are called
 *	places.c	where all is put, and what the command is told of it
 *	run.c	runs the command, or waits for a signal
 *	keeper.c	a process of its own, which starts nbdkit and nbdfuse
 *			and clears away, however the other one has ended
 *	attach.c	mounts a file, through a loop device
 *	cover.c	what is mounted on, held by a descriptor
 *	child.c	starting and ending processes
 */
#ifndef MISC_VIEW_H
#define MISC_VIEW_H

#include <signal.h>

#include "session/identity.h"
#include "session/session.h"

/* The place of the view. */
enum view_mode {
	VIEW_PRIVATE,		/* a file in a private directory */
	VIEW_FILE,		/* --file */
	VIEW_MOUNT,		/* --mount */
	VIEW_SOCKET,		/* --socket */
	VIEW_TABLE,		/* --dm-table */
	NR_VIEW_MODES
};

/* Paths of the programs, and the plugin. */
struct view_tools {
	char	*nbdkit;
	char	*nbdfuse;
	char	*fusermount;
	char	*plugin;
};

/* A shown device: nbdkit serves it, nbdfuse makes it a file. */
struct view_volume {
	const char	*export;
	char		*socket;
	char		*file;		/* NULL: only the socket */
};
#define MAX_VOLUMES	2

/* What the confined process says of the device. */
struct view_seen {
	int	status;			/* FSCK_* bits */
	bool	usable;			/* false: after a complaint */
	bool	external;		/* there is an external journal */
	bool	whole;			/* no copy of contents is left out */
	char	device[E2LAZY_PATH_MAX];
	char	journal[E2LAZY_PATH_MAX];
	char	identity[IDENTITY_TEXT];
	char	journal_identity[IDENTITY_TEXT];
};

struct view {
	struct session	*s;
	struct view_seen seen;
	enum view_mode	mode;
	const char	*named;		/* --file, --mount, --socket */
	const char	*patch;		/* --patch */
	bool		cow;
	char		**command;	/* NULL: none */
	/* Show the devices themselves, not the view. */
	bool		as_is;
	/* Run in a process of its own, in place of a command: its status. */
	int		(*inside)(struct view *view, const sigset_t *mask);
	void		*priv;		/* its own */

	struct view_tools tools;
	char		*device;	/* absolute, as the others below */
	char		*journal;	/* NULL: in the file system */
	char		*place;		/* @named */
	int		mount_on;	/* --mount: that directory; 0: none */
	char		*directory;	/* private, removed at the end */
	struct view_volume volumes[MAX_VOLUMES];
	unsigned	nr_volumes;
};

/* Build the view, and report its gaps; false after a complaint. */
bool view_look(struct view *view);
/* Have a confined process do that, and fill in @view->seen. */
bool view_look_apart(struct view *view);

/* as_is.c: find the devices, whatever their state; false after a complaint. */
bool view_look_as_is(struct view *view);

/* Print the table. */
void view_table(struct view *view);

/* The file by which nbdkit or nbdfuse reports readiness: it has the pid. */
char *view_ready_file(const struct view *view, const char *name, unsigned i);

/* Find the tools that @view needs, or complain once about all missing ones. */
bool view_find_tools(struct view *view);
void view_free_tools(struct view_tools *tools);

/*
 * Returns the absolute path of a new file; NULL after a complaint.  Root makes
 * nothing in a directory that others can change: they could turn the name into
 * a link before the view is there.
 */
char *view_new_path(const char *name);
/*
 * Settle the places that do not depend on the device, or complain, before the
 * log is read, which can take long.
 */
bool view_choose_places(struct view *view);
/*
 * Settle the other places, which need the open device, and make the private
 * directory; or complain.
 */
bool view_settle(struct view *view);
void view_free_places(struct view *view);
/* The marks in the command that stand for places. */
#define VIEW_MARK		"{}"
#define VIEW_JOURNAL_MARK	"{journal}"
bool view_has_mark(const struct view *view, const char *mark);
/* Returns the command with its marks replaced; NULL: out of memory. */
char **view_expand(const struct view *view);
void view_free_words(char **words);
/* Print the place on standard output. */
void view_print_places(struct view *view);

/* Show the view, and run the command or wait.  Returns the exit status of the
   command, or 0. */
int view_run(struct view *view);

/*
 * The life of the keeper.  @life is one end of a socket: the keeper sends a
 * byte when the view is in place, and removes the view when the other end is
 * closed for any reason.  @mask is the signal mask of the programs that it
 * starts.  Returns an FSCK_* status.
 */
int view_keep(struct view *view, int life, const sigset_t *mask);

#endif
