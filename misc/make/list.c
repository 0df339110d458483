/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list.c - lists the profiles; needs no device
 */
#include "make.h"
#include "support/nls.h"

static void json_profiles(struct session *s)
{
	struct json *json = &s->print.json;

	session_document(s);
	json_array(json, "profiles", JSON_SPREAD);
	for (const struct profile *p = profiles; p->name; p++) {
		json_object(json, NULL, JSON_SPREAD);
		json_string(json, "name", p->name);
		json_string(json, "drive", p->drive);
		json_string(json, "text", _(p->text));
		json_string(json, "means", _(p->means));
		json_object(json, "relations", JSON_INLINE);
		for (const struct profile_relation *r = p->relations; r->name;
		     r++)
			json_string(json, r->name, r->value);
		json_end(json);
		json_end(json);
	}
	json_end(json);
}

static void text_profiles(struct out *out)
{
	const struct profile_relation *r;

	for (const struct profile *p = profiles; p->name; p++) {
		out_bold(out, p->name);
		out_format(out, " (%s)\n  %s\n  %s\n", p->drive, _(p->text),
			   _(p->means));
		for (r = p->relations; r->name; r++)
			out_format(out, "  %s = %s\n", r->name, r->value);
	}
}

void make_list_profiles(struct make *m)
{
	print_colors(&m->s->print);
	if (m->s->print.json_wanted)
		json_profiles(m->s);
	else
		text_profiles(&m->s->print.out);
}
