/* SPDX-License-Identifier: GPL-2.0-only */
/* rescue_state.c - the device, opened as one state has it */
#include "rescue.h"
#include "support/status.h"

static const struct command state_command = {
	.name = "rescue",
	.usage = "DEVICE",
	.kind = COMMAND_LOOKS,
};

static struct session *begin(struct rescue *r, const struct state *state)
{
	static char *words[] = { (char *)(uintptr_t)"rescue", NULL };
	struct session *s = session_begin(&state_command, 1, words);

	if (!s)
		return NULL;
	s->source = state->source;
	s->operands = r->s->operands;
	s->nr_operands = r->s->nr_operands;
	s->finds_way = true;
	s->print.progress = r->s->print.progress;
	return s;
}

static bool read_log(struct session *s, const struct state *state)
{
	return session_build(s, E2LAZY_JMAP_CSUMS | E2LAZY_JMAP_STATES |
				E2LAZY_JMAP_BEHIND | OPENED_RECOVER |
				(state->joined ? E2LAZY_JMAP_JOIN : 0),
			     false) &&
	       session_look(s) && session_shown(s) && session_leave_out(s);
}

/* Other states of the same log need no second search for it. */
static void keep_found(struct state *state, struct session *s)
{
	struct e2lazy_open_opts *open = &s->source.open;
	const struct e2lazy_candidate *c = s->log->candidate;

	if (!c)
		return;
	state->found = s->log->found;
	s->log->found = NULL;
	s->source.geometry.text = NULL;
	open->geometry = &c->geometry;
	open->runs = c->runs;
	open->nr_runs = c->nr_runs;
	state->source = s->source;
}

struct session *state_open(struct rescue *r, struct state *state,
			   errcode_t *error, struct e2lazy_where *where)
{
	struct session *s = begin(r, state);
	bool opened;

	*error = 0;
	if (!s) {
		r->s->status |= FSCK_ERROR;
		return NULL;
	}
	opened = session_open(s);
	if (opened) {
		keep_found(state, s);
	} else {
		*error = s->log->unopened.error;
		*where = s->log->unopened.where;
	}
	if (opened && read_log(s, state))
		return s;
	state_close(r, s);
	return NULL;
}

void state_close(struct rescue *r, struct session *s)
{
	r->s->print.progress = s->print.progress;
	r->s->print.progress.device = r->s->device;
	s->log->told = true;
	r->s->status |= session_end(s) & FSCK_CANCELLED;
}
