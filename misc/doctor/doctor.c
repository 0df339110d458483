/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * doctor.c - e2lazy doctor: the command line and the exit status
 */
#include "doctor.h"
#include "support/nls.h"
#include "support/status.h"

static bool parse(struct doctor *d)
{
	char *arg;
	int id;

	while ((id = session_option(d->s, NULL, &arg)) != OPTION_END)
		if (id == OPTION_BAD)
			return false;
	return session_operands(d->s, 1, 1);
}

/* Each exit status but 0 has its reason on stderr. */
static void tell_story(struct doctor *d)
{
	size_t at = 0;
	const struct story *story = next_story(d, &at);

	if (!story_is_sound(story))
		session_complain(d->s, FSCK_LEFT, "%s: %s", story->id,
				 _(story->title));
}

static int run_doctor(const struct command *self, int argc, char **argv)
{
	struct doctor d = { .s = session_begin(self, argc, argv) };
	struct session *s = d.s;

	if (!s)
		return FSCK_ERROR;
	if (parse(&d) && doctor_look(&d) && !cancelled()) {
		doctor_print(&d);
		tell_story(&d);
	}
	doctor_free(&d);
	s->log->told = true;	/* the page names the damage */
	while (s->print.json.depth && !cancelled())
		json_end(&s->print.json);
	return session_end(s);
}

const struct command doctor_command = {
	.name = "doctor",
	.usage = "DEVICE",
	.summary = N_("Explain a broken mount, before a tool is run"),
	.run = run_doctor,
	.kind = COMMAND_MENDS,
};
