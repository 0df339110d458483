/* SPDX-License-Identifier: GPL-2.0-only */
/* follow.h - timeline --follow: a feed of a mounted file system */
#ifndef MISC_CHANGES_FOLLOW_H
#define MISC_CHANGES_FOLLOW_H

#include "changes/follow.h"
#include "session/session.h"

struct feeding {
	bool		wanted;		/* --follow */
	bool		once;		/* end where the log ends */
	bool		paths0, expand;
	const char	*since;		/* a cursor */
	uint64_t	memory;
	bool		lines;		/* JSON */
	/* An event as a row; the feed itself has the rest. */
	errcode_t	(*put)(void *priv, const struct e2lazy_change *change);
	void		(*begin)(void *priv);	/* headings */
	void		*priv;
};

/* After session_open(). */
void feed_follow(struct session *session, const struct feeding *feeding);

/* follow_paths0.c: the records of a transaction. */
struct paths0;

struct paths0 *paths0_new(struct session *session, bool expand);
void paths0_free(struct paths0 *paths0);
errcode_t paths0_add(struct paths0 *paths0, struct follow *follow,
		     const struct e2lazy_change *change);
/* Print them, and forget them. */
void paths0_end(struct paths0 *paths0);
/* KIND NUL TEXT NUL */
void paths0_record(struct session *session, const char *kind,
		   const char *text);
/* Files that have no path, so far. */
uint64_t paths0_unnamed(const struct paths0 *paths0);

#endif
