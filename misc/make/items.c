/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * items.c - the lists of the plan, each of variable length
 */
#include <stdio.h>
#include <string.h>

#include "make.h"
#include "support/nls.h"
#include "support/text.h"

/* Indent and width of an item's text. */
#define ITEM_INDENT	4
#define LINE_WIDTH	79

static struct json *json_of(const struct make *m)
{
	return m->s->print.json_wanted ? &m->s->print.json : NULL;
}

/* -------------------------------------------------------------- the drive */

static void json_sign(struct json *json, const struct e2lazy_drive_sign *sign)
{
	json_object(json, NULL, JSON_INLINE);
	json_string(json, "id", sign->id);
	json_i64(json, "score", sign->score);
	json_string(json, "text", _(sign->text));
	json_string(json, "detail", *sign->detail ? sign->detail : NULL);
	json_end(json);
}

void make_print_signs(struct make *m)
{
	const struct e2lazy_drive_sign *sign = m->drive.signs;
	struct json *json = json_of(m);

	if (json)
		json_array(json, "evidence", JSON_SPREAD);
	for (unsigned i = 0; i < m->drive.nr_signs; i++, sign++) {
		if (json)
			json_sign(json, sign);
		else
			out_line(&m->s->print.out, i ? "" : _("evidence"),
				 "%+d  %s%s%s", sign->score, _(sign->text),
				 *sign->detail ? ": " : "", sign->detail);
	}
	if (json)
		json_end(json);
}

/* ---------------------------------------------------- bounds of its size */

static const struct clamp {
	unsigned	flag;		/* E2LAZY_CLAMP_* */
	const char	*id;
	const char	*text;
} clamps[] = {
	{ E2LAZY_CLAMP_LIVE, "live",
	  N_("raised: the live set may fill at most 7/10 of it") },
	{ E2LAZY_CLAMP_DEFAULT, "default",
	  N_("raised to the default of mke2fs") },
	{ E2LAZY_CLAMP_MIB, "mib", N_("rounded up to whole MiB") },
	{ E2LAZY_CLAMP_ZONE, "zone", N_("rounded up to whole zones") },
	{ E2LAZY_CLAMP_MOST, "most",
	  N_("lowered to 10240000 blocks, the limit of mke2fs") },
	{ E2LAZY_CLAMP_FREE, "free",
	  N_("lowered to half of the free space, the limit of mke2fs") },
	{ 0 }
};

static void text_clamps(struct make *m)
{
	const struct clamp *c = clamps;
	bool first = true;

	for (; c->flag; c++) {
		if (!(m->journal.clamps & c->flag))
			continue;
		out_line(&m->s->print.out, first ? _("bounds") : "", "%s",
			 c->flag == E2LAZY_CLAMP_LIVE &&
			 m->kernel == MAKE_LAZY ?
			 _("raised to 2.3 times the live metadata") :
			 _(c->text));
		first = false;
	}
	if (m->journal.bytes < m->journal.live_bound)
		out_line(&m->s->print.out, first ? _("bounds") : "", "%s",
			 m->kernel == MAKE_LAZY ?
			 _("less than 2.3 times the live metadata") :
			 _("too small: the live set fills more than 7/10 of "
			   "it"));
}

void make_print_clamps(struct make *m)
{
	struct json *json = json_of(m);

	if (!json) {
		text_clamps(m);
		return;
	}
	json_array(json, "clamps", JSON_INLINE);
	for (const struct clamp *c = clamps; c->flag; c++)
		if (m->journal.clamps & c->flag)
			json_string(json, NULL, c->id);
	json_end(json);
}

/* -------------------------------------------------- tables with headings */

struct heading {
	const char	*text;
	unsigned	width;		/* columns */
};

/* Headings of a table of numbers; the last one is NULL. */
static void headings(struct out *out, const char *label,
		     const struct heading *names)
{
	out_label(out, label);
	out_right(out, _(names->text), names->width);
	while ((++names)->text) {
		out_char(out, ' ');
		out_right(out, _(names->text), names->width);
	}
	out_char(out, '\n');
}

/* The cost of cleaning all bands: static mapping writes twice. */
void make_print_band_headings(struct make *m)
{
	static const struct heading names[] = {
		{ N_("bands"), 7 }, { N_("cleaned"), 10 },
		{ N_("moved"), 10 }, { N_("if dynamic"), 10 }, { NULL, 0 }
	};

	if (!m->s->print.json_wanted)
		headings(&m->s->print.out, _("updated at most"), names);
}

static void profile_headings(struct out *out)
{
	static const struct heading names[] = {
		{ N_("paper"), 7 }, { N_("exact"), 7 }, { N_("+super"), 7 },
		{ N_("tables"), 10 }, { N_("moved"), 10 },
		{ N_("in use"), 7 }, { NULL, 0 }
	};

	out_heading(out, _("Profiles at this size"));
	headings(out, "", names);
}

/* The other counts leave out directories, which lie among the data. */
static void explain_use(struct out *out)
{
	char text[512];

	snprintf(text, sizeof(text),
		 _("in use: bands that %u new directories in one tree dirty, "
		   "by a rule that was measured and holds within a factor of "
		   "two; the others count what fixed tables dirty at worst"),
		 MAKE_USE_DIRS);
	out_text(out, "  ");
	out_wrapped(out, text, 2, LINE_WIDTH - 2);
	out_text(out, "  ");
	out_wrapped(out, _("a few thousand files in one directory dirty 15 to "
			   "19 bands more with smr-dm-archive and "
			   "smr-dm-packed than with cmr: the kernel spreads "
			   "them over large flex groups"), 2, LINE_WIDTH - 2);
}

static void text_profile(struct make *m, const struct profile *p,
			 const struct e2lazy_bands *b, uint64_t used)
{
	char size[SIZE_TEXT], moved[SIZE_TEXT], use[SIZE_TEXT] = "-";

	if (used)
		snprintf(use, sizeof(use), "%llu", (unsigned long long)used);
	if (!b->disk) {
		out_format(&m->s->print.out, "  %-*s %7s %7s %7s %10s %10s %7s\n",
			   OUT_LABEL, p->name, "-", "-", "-", "-", "-", "-");
		return;
	}
	size_text(size, b->metadata_bytes);
	size_text(moved, b->exact_traffic);
	out_format(&m->s->print.out, "%c %-*s %7llu %7llu %7llu %10s %10s %7s\n",
		   p == m->profile ? '*' : ' ', OUT_LABEL, p->name,
		   (unsigned long long)b->paper, (unsigned long long)b->exact,
		   (unsigned long long)b->exact_super, size, moved,
		   use);
}

static void json_profile(struct make *m, const struct profile *p,
			 const struct e2lazy_bands *b, uint64_t used)
{
	struct sheet sheet;

	print_sheet(&m->s->print, &sheet);
	sheet_section(&sheet, NULL, JSON_INLINE);
	sheet_text(&sheet, "name", p->name);
	sheet_text(&sheet, "drive", p->drive);
	/* A count is 0 only if the profile is impossible. */
	sheet_known(&sheet, "paper", b->paper);
	sheet_known(&sheet, "exact", b->exact);
	sheet_known(&sheet, "exact_with_super", b->exact_super);
	sheet_known(&sheet, "metadata_bytes", b->metadata_bytes);
	sheet_known(&sheet, "moved_static", b->exact_traffic);
	sheet_known(&sheet, "in_use", b->disk ? used : 0);
	json_end(sheet.json);
}

/* One of the alternatives; the plan itself is already there. */
static bool print_profile(struct make *m, const struct profile *p)
{
	const struct make_layout *l = &m->layout;
	struct make_layout other = { .blocks = 0 };
	uint64_t used;

	if (p != m->profile) {
		l = &other;
		if (!make_compare(m, p, &other))
			return false;
	}
	used = l->blocks ? make_use(m, p, l) : 0;
	if (m->s->print.json_wanted)
		json_profile(m, p, &l->bands, used);
	else
		text_profile(m, p, &l->bands, used);
	make_layout_free(&other);
	return true;
}

/* The alternatives, for users who know their files. */
bool make_print_profiles(struct make *m)
{
	struct json *json = json_of(m);
	const struct profile *p = profiles;
	bool ok = true;

	if (json)
		json_array(json, "profiles", JSON_SPREAD);
	else
		profile_headings(&m->s->print.out);
	for (; ok && p->name; p++)
		ok = print_profile(m, p);
	if (json)
		json_end(json);
	else if (ok && make_use(m, m->profile, &m->layout))
		explain_use(&m->s->print.out);
	return ok;
}

/* ----------------------------------------------------------- the command */

static void text_words(struct out *out, const struct words *words)
{
	for (size_t i = 0; i < words->count; i++) {
		out_char(out, ' ');
		out_word(out, words->at[i]);
	}
	out_char(out, '\n');
}

/*
 * Print the words of a command line, and their bytes as the array @hex where
 * json_bytes() would add them.
 */
static void json_words(struct json *json, const char *key, const char *hex,
		       const struct words *words)
{
	bool whole = true;
	size_t i;

	json_array(json, key, JSON_INLINE);
	for (i = 0; i < words->count; i++) {
		json_string(json, NULL, words->at[i]);
		whole = whole && text_is_utf8(words->at[i]);
	}
	json_end(json);
	if (whole)
		return;
	json_array(json, hex, JSON_INLINE);
	for (i = 0; i < words->count; i++)
		json_hex(json, NULL, words->at[i], strlen(words->at[i]));
	json_end(json);
}

static void text_commands(struct make *m)
{
	struct out *out = &m->s->print.out;

	out_heading(out, _("Command"));
	out_char(out, ' ');
	text_words(out, &m->command);
	if (m->mark) {
		out_char(out, ' ');
		text_words(out, &m->marking);
	}
}

void make_print_commands(struct make *m)
{
	struct json *json = json_of(m);

	if (!json) {
		text_commands(m);
		return;
	}
	json_words(json, "command", "command_hex", &m->command);
	/* It differed, as long as the other needed a configuration. */
	json_words(json, "by_hand", "by_hand_hex", &m->command);
	json_words(json, "then", "then_hex", &m->marking);
}

static void item(struct out *out, const char *text)
{
	out_text(out, "  - ");
	out_wrapped(out, text, ITEM_INDENT, LINE_WIDTH - ITEM_INDENT);
}

void make_print_advice(struct make *m)
{
	const char *texts[MAKE_ADVICE];
	unsigned count = make_advice(m, texts);
	struct json *json = json_of(m);

	if (json)
		json_array(json, "advice", JSON_SPREAD);
	else if (count)
		out_heading(&m->s->print.out, _("Advice"));
	for (unsigned i = 0; i < count; i++) {
		if (json)
			json_string(json, NULL, _(texts[i]));
		else
			item(&m->s->print.out, _(texts[i]));
	}
	if (json)
		json_end(json);
}
