/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rescue.c - e2lazy rescue: the best state that can be had, copied out
 *
 *	DIR/tree		the files of the best state, and no others
 *	DIR/.other/STATE	files that only another state has
 *	DIR/.other/deleted	files that were deleted, from the ring
 *	DIR/manifest		what came from where: a list for each of them
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rescue.h"
#include "restore.h"
#include "support/confine.h"
#include "support/nls.h"
#include "support/status.h"

enum { OPT_TO = OPTION_COMMAND };

static const struct option_line rescue_options[] = {
	{ OPT_TO, "to", "DIR",
	  N_("copy into DIR, which must be on another device;\n"
	     "if it is missing, make it, with mode 0700") },
	{ 0 }
};

static bool parse(struct rescue *r)
{
	char *arg;
	int id;

	while ((id = session_option(r->s, NULL, &arg)) != OPTION_END) {
		if (id != OPT_TO)
			return false;
		r->to = arg;
	}
	if (!session_operands(r->s, 1, 1))
		return false;
	return r->to || session_wrong(r->s, _("--to names the directory for "
					      "the files"));
}

/* ----------------------------------------------------------- one part */

static bool fail(struct rescue *r, const char *name)
{
	session_complain(r->s, FSCK_ERROR, "%s: %s", name, strerror(errno));
	return false;
}

static bool make_directory(struct rescue *r, const char *name)
{
	return !mkdirat(r->to_fd, name, 0700) || errno == EEXIST ||
	       fail(r, name);
}

static int open_list(struct rescue *r, const char *name)
{
	int fd = openat(r->to_fd, name, O_WRONLY | O_CREAT | O_TRUNC |
			O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		fail(r, name);
	return fd;
}

static int open_place(struct rescue *r, const char *name)
{
	int fd = -1;

	if (!make_directory(r, name))
		return -1;
	fd = openat(r->to_fd, name,
		    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		fail(r, name);
	return fd;
}

/* Of all parts but the tree, damage counts less than what is copied. */
static int part_status(const struct part *part, const struct done *done,
		       int status)
{
	if (part->names || done->counts.failed)
		return status;
	return status & FSCK_CANCELLED;
}

static void run_part(struct rescue *r, struct done *done, struct part *part,
		     int list)
{
	struct e2lazy_where where;
	struct session *s;
	errcode_t err;
	int error;

	s = state_open(r, done->state, &err, &where);
	if (!s)
		return;
	s->print.json_wanted = true;
	s->print.out.fd = list;
	part_copy(s, part, &done->counts);
	session_document_end(s);
	error = out_flush(&s->print.out);
	if (error) {
		errno = error;
		fail(r, done->list);
	}
	s->print.out.error = 0;
	r->s->status |= part_status(part, done, s->status);
	state_close(r, s);
}

static void copy_part(struct rescue *r, struct state *state,
		      const char *place, const char *list, struct part *part)
{
	struct done *done = &r->parts[r->nr_parts];
	int list_fd;

	if (cancelled() || r->nr_parts == MAX_PARTS)
		return;
	done->state = state;
	snprintf(done->place, sizeof(done->place), "%s", place);
	snprintf(done->list, sizeof(done->list), "manifest/%s.json", list);
	part->to = r->to;
	part->to_fd = open_place(r, place);
	list_fd = part->to_fd < 0 ? -1 : open_list(r, done->list);
	if (list_fd >= 0) {
		run_part(r, done, part, list_fd);
		close(list_fd);
		r->nr_parts++;
	}
	if (part->to_fd >= 0)
		close(part->to_fd);
}

/* ---------------------------------------------------------- all of them */

static void copy_others(struct rescue *r)
{
	char place[STATE_TEXT];

	for (unsigned i = 0; i < r->nr_states; i++) {
		struct state *state = &r->states[i];
		struct part part = { .beside = &r->names,
				     .in_place = state->in_place };

		if (state == r->best || !state->readable)
			continue;
		snprintf(place, sizeof(place), ".other/%.100s", state->name);
		copy_part(r, state, place, state->name, &part);
	}
}

static void copy_deleted(struct rescue *r)
{
	struct part part = { .deleted = true };

	if (!r->best->in_place)
		copy_part(r, r->best, ".other/deleted", "deleted", &part);
}

static void copy_all(struct rescue *r)
{
	struct part tree = { .names = &r->names,
			     .in_place = r->best->in_place };

	if (!make_directory(r, "manifest") || !make_directory(r, ".other") ||
	    !report_begin(r))
		return;
	copy_part(r, r->best, "tree", "tree", &tree);
	copy_others(r);
	copy_deleted(r);
}

/* What the tree lacks is damage that is left, and so is that of the device. */
static void tell_missing(struct rescue *r)
{
	unsigned long n = (unsigned long)r->best->assessed.bad, failed = 0;
	unsigned long unproven = r->nr_parts ?
		(unsigned long)r->parts[0].counts.unproven : 0;

	for (unsigned i = 0; i < r->nr_parts; i++)
		failed += (unsigned long)r->parts[i].counts.failed;
	if (failed)
		session_complain(r->s, FSCK_ERROR,
				 P_("%lu file could not be copied: 'why' in "
				    "manifest/ has the reason",
				    "%lu files could not be copied: 'why' in "
				    "manifest/ has the reasons", failed),
				 failed);
	if (!r->sound)
		session_complain(r->s, FSCK_LEFT,
				 _("the device is damaged: see 'e2lazy "
				   "doctor'"));
	if (n)
		session_complain(r->s, FSCK_LEFT,
				 P_("%lu name of the best state leads to no "
				    "file that verifies",
				    "%lu names of the best state lead to no "
				    "files that verify", n), n);
	if (unproven)
		session_complain(r->s, FSCK_LEFT,
				 P_("%lu file of the tree may have contents of "
				    "another time: 'unproven' in "
				    "manifest/tree.json",
				    "%lu files of the tree may have contents of "
				    "another time: 'unproven' in "
				    "manifest/tree.json", unproven), unproven);
}

static void rescue(struct rescue *r)
{
	if (!states_find(r)) {
		bool told = r->s->status & FSCK_ERROR;

		r->s->status |= FSCK_ERROR;
		if (!r->best && !told && !cancelled())
			session_complain(r->s, FSCK_ERROR,
					 _("it can be read in no state"));
		return;
	}
	report_states(r);
	if (!target_has_room(r))
		return;
	target_tell_limits(r);
	copy_all(r);
	report_parts(r);
	tell_missing(r);
	report_save(r);
}

static int run_rescue(const struct command *self, int argc, char **argv)
{
	struct rescue r = { .s = session_begin(self, argc, argv),
			    .to_fd = -1 };
	bool ready;

	if (!r.s)
		return FSCK_ERROR;
	ready = parse(&r);
	if (ready) {
		r.s->device = r.s->operands[0];
		r.to_fd = target_directory(r.s, r.to);
		/* Without a device there is no directory: its opening says so. */
		ready = !(r.s->status & FSCK_ERROR);
	}
	confine(r.to);
	if (ready && target_is_writable(&r))
		rescue(&r);
	kept_free(&r.names);
	for (unsigned i = 0; i < r.nr_states; i++)
		e2lazy_salvage_free(r.states[i].found);
	if (r.to_fd >= 0)
		close(r.to_fd);
	return session_end(r.s);
}

const struct command rescue_command = {
	.name = "rescue",
	.usage = "DEVICE --to DIR",
	.summary = N_("Copy the best state that can be had to another device"),
	.run = run_rescue,
	.options = rescue_options,
	.kind = COMMAND_MENDS,
	.writes = WRITES_BELOW,
};
