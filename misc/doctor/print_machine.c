/* SPDX-License-Identifier: GPL-2.0-only */
/* print_machine.c - what this machine does to the file system by itself */
#include "decode/raw_super.h"
#include "doctor.h"
#include "support/nls.h"

#define TEXT_INDENT	6
#define TEXT_WIDTH	74

/* The names in the superblock in place; a damaged one has none. */
void doctor_look_at_machine(struct doctor *d)
{
	struct machine *m = &d->machine;
	struct ext2_super_block sb;

	if (!raw_super_read(d->s->device, d->s->source.open.offset, &sb))
		sb.s_magic = 0;
	machine_names(m, d->s->device, &sb);
	machine_look(m);
}

static void json_habit(const struct habit *h, struct json *json)
{
	json_object(json, NULL, JSON_INLINE);
	habit_json(h, json);
	json_string(json, "text", _(h->text));
	json_end(json);
}

void doctor_print_machine(struct doctor *d)
{
	const struct habits *habits = &d->machine.habits;
	struct json *json = print_json(&d->s->print);
	struct out *out = &d->s->print.out;

	if (json)
		json_array(json, "machine", JSON_SPREAD);
	else if (habits->count)
		out_heading(out, _("This machine touches it by itself"));
	for (size_t i = 0; i < habits->count; i++) {
		if (json)
			json_habit(&habits->all[i], json);
		else
			habit_text(&habits->all[i], TEXT_INDENT, TEXT_WIDTH, out);
	}
	if (json)
		json_end(json);
}
