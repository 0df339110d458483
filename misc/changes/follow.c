/* SPDX-License-Identifier: GPL-2.0-only */
/* follow.c - e2lazy timeline --follow: a feed of a mounted file system */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "cursor.h"
#include "follow.h"
#include "support/nls.h"
#include "support/status.h"

/* Between two looks at the log. */
#define POLL_NSEC	250000000

struct telling {
	struct session	*s;
	const struct feeding *how;
	struct follow	*follow;
	struct paths0	*paths0;
	struct e2lazy_damage damage;
};

/* ------------------------------------------------------------ the output */

static void put_line(struct session *s, const char *word, const char *text)
{
	out_format(&s->print.out, "# %s %s\n", word, text);
}

static void put_text(struct telling *t, const char *word, const char *text)
{
	struct json *json = &t->s->print.json;

	if (t->how->paths0) {
		paths0_record(t->s, word, text);
	} else if (t->how->lines) {
		json_object(json, NULL, JSON_INLINE);
		json_string(json, word, text);
		json_end(json);
	} else {
		put_line(t->s, word, text);
	}
}

static void put_cursor(struct telling *t)
{
	const struct e2lazy_geometry *g = e2lazy_geometry(t->s->log->journal);
	char text[CURSOR_TEXT];
	struct cursor c;

	memcpy(c.fs, g->fs_uuid, sizeof(c.fs));
	memcpy(c.journal, g->uuid, sizeof(c.journal));
	follow_where(t->follow, &c.at);
	cursor_text(text, &c);
	put_text(t, "cursor", text);
}

/* For a program, all below the root may have changed. */
static void put_lost(struct telling *t, const struct follow_batch *batch)
{
	char text[2 * 12];

	snprintf(text, sizeof(text), "%u-%u", batch->tid, batch->last);
	put_text(t, "lost", t->how->paths0 ? "/" : text);
	out_flush(&t->s->print.out);
	session_complain(t->s, FSCK_LEFT,
			 _("transactions %u to %u were overwritten before "
			   "they were read: the history is incomplete; make a "
			   "full backup"), batch->tid, batch->last);
}

static errcode_t note_change(void *priv, const struct e2lazy_change *c)
{
	struct telling *t = priv;
	errcode_t err = t->paths0 ? paths0_add(t->paths0, t->follow, c) :
				    t->how->put(t->how->priv, c);

	return t->s->print.out.error ? E2LAZY_ET_CANCELLED : err;
}

static errcode_t note_damage(void *priv, blk64_t fsblk, errcode_t why)
{
	struct telling *t = priv;

	if (!t->damage.count++) {
		t->damage.error = why;
		t->damage.first = (struct e2lazy_where){
			.has = E2LAZY_AT_FSBLK, .fsblk = fsblk };
	}
	return 0;
}

/* ------------------------------------------------------ is it mounted? */

/* ext4 has a directory there for each mount, of whatever namespace. */
#define EXT4_SYSFS	"/sys/fs/ext4"

static bool is_mounted(const struct session *s)
{
	dev_t dev = e2lazy_device(s->log->journal, E2LAZY_FILE_SYSTEM)->rdev;
	char link[64], path[PATH_MAX + sizeof(EXT4_SYSFS)], *real;
	bool mounted;

	snprintf(link, sizeof(link), "/sys/dev/block/%u:%u", major(dev),
		 minor(dev));
	real = realpath(link, NULL);
	if (!real || access(EXT4_SYSFS, F_OK)) {
		free(real);
		return true;
	}
	snprintf(path, sizeof(path), EXT4_SYSFS "%s", strrchr(real, '/'));
	mounted = !access(path, F_OK);
	free(real);
	return mounted;
}

/* -------------------------------------------------------------- the feed */

static void wait_a_little(void)
{
	const struct timespec pause = { .tv_nsec = POLL_NSEC };

	nanosleep(&pause, NULL);
}

static errcode_t tell_one(struct telling *t, enum follow_state *state)
{
	struct follow_batch batch;
	errcode_t err = follow_next(t->follow, state, &batch);

	if (!err && *state == FOLLOW_TXN && t->paths0)
		paths0_end(t->paths0);
	if (!err && *state == FOLLOW_LOST)
		put_lost(t, &batch);
	if (!err && *state != FOLLOW_IDLE)
		put_cursor(t);
	return err;
}

/* What was committed by the end of a mount is there before it ends. */
static errcode_t tell_all(struct telling *t)
{
	enum follow_state state = FOLLOW_IDLE;
	bool last = false;
	errcode_t err = 0;

	while (!err && !cancelled() && !t->s->print.out.error) {
		if (state == FOLLOW_IDLE && !last)
			last = t->how->once || !is_mounted(t->s);
		else if (state == FOLLOW_IDLE)
			break;
		err = tell_one(t, &state);
		out_flush(&t->s->print.out);
		if (state == FOLLOW_IDLE && !last)
			wait_a_little();
	}
	return err;
}

static void tell_delay(struct session *s)
{
	if (e2lazy_geometry(s->log->journal)->incompat &
	    E2LAZY_INCOMPAT_FAST_COMMIT ||
	    ext2fs_has_feature_fast_commit(
		    e2lazy_static_fs(s->log->journal)->super))
		session_complain(s, 0, _("fast commits are not shown: a change "
					 "that one has is shown at the next "
					 "full commit, after 5 seconds or "
					 "what the mount option commit= says"));
}

static bool is_of_here(const struct session *s, const struct cursor *c)
{
	const struct e2lazy_geometry *g = e2lazy_geometry(s->log->journal);

	return !memcmp(c->fs, g->fs_uuid, sizeof(c->fs)) &&
	       !memcmp(c->journal, g->uuid, sizeof(c->journal));
}

static void tell_incomplete(struct session *s)
{
	session_complain(s, FSCK_INCOMPLETE,
			 _("history incomplete: the journal does not go back "
			   "to that cursor any more; make a full backup"));
}

static void end_feed(struct telling *t, errcode_t err,
		     const struct e2lazy_where *where)
{
	struct session *s = t->s;

	if (s->print.progress.phase != PHASE_NONE)
		progress_end(&s->print.progress);
	if (t->damage.count)
		session_tell(s, FSCK_LEFT, &t->damage);
	if (paths0_unnamed(t->paths0))
		session_complain(s, FSCK_LEFT,
				 P_("%llu change of a file whose path is "
				    "unknown is left out",
				    "%llu changes of files whose paths are "
				    "unknown are left out",
				    paths0_unnamed(t->paths0)),
				 (unsigned long long)
				 paths0_unnamed(t->paths0));
	if (cancelled() && !err)
		status_forget_signals();
	else if (err && err != E2LAZY_ET_CANCELLED)
		session_fail(s, err, where);
}

static void run_feed(struct telling *t, const struct cursor *since)
{
	struct session *s = t->s;
	const struct e2lazy_watch watch = session_watch(s);
	const struct follow_opts opts = {
		.found = note_change, .damaged = note_damage, .priv = t,
		.memory = t->how->memory, .watch = &watch,
	};
	struct e2lazy_where where;
	errcode_t err = follow_open(s->log->journal, &opts,
				    since ? &since->at : NULL, &t->follow,
				    &where);

	if (s->print.progress.phase != PHASE_NONE)
		progress_end(&s->print.progress);
	if (err == E2LAZY_ET_LOST && since) {
		tell_incomplete(s);
		return;
	}
	if (!err && !t->paths0)
		t->how->begin(t->how->priv);
	if (!err) {
		put_cursor(t);
		out_flush(&s->print.out);
		err = tell_all(t);
	}
	end_feed(t, err, &where);
}

static bool is_device(struct session *s)
{
	if (e2lazy_device(s->log->journal, E2LAZY_FILE_SYSTEM)->rdev)
		return true;
	session_complain(s, FSCK_ERROR,
			 _("not a block device: follow the device that is "
			   "mounted; of a file, its loop device"));
	return false;
}

void feed_follow(struct session *s, const struct feeding *how)
{
	struct telling t = { .s = s, .how = how };
	struct cursor since;

	if (how->since && !cursor_parse(how->since, &since)) {
		session_refuse(s, "--since", how->since,
			       _("a cursor of --follow"));
		return;
	}
	if (!is_device(s))
		return;
	if (how->since && !is_of_here(s, &since)) {
		tell_incomplete(s);
		return;
	}
	tell_delay(s);
	t.paths0 = how->paths0 ? paths0_new(s, how->expand) : NULL;
	run_feed(&t, how->since ? &since : NULL);
	follow_close(t.follow);
	paths0_free(t.paths0);
}
