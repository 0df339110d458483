/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text.c - the plan, as people read it
 */
#include <stdio.h>
#include <string.h>

#include "make.h"
#include "support/nls.h"
#include "support/text.h"

/* Where the text of an item stands. */
#define ITEM_INDENT	4
#define LINE_WIDTH	79

/* ------------------------------------------------------------- its lines */

/* A sentence over as many lines as it needs, between the margins. */
static void sentence(struct out *out, const char *label, const char *text)
{
	out_label(out, label);
	out_wrapped(out, text, OUT_VALUE, LINE_WIDTH - OUT_VALUE);
}

static void item(struct out *out, const char *text)
{
	out_text(out, "  - ");
	out_wrapped(out, text, ITEM_INDENT, LINE_WIDTH - ITEM_INDENT);
}

static unsigned long long ull(uint64_t value)
{
	return value;
}

/* ------------------------------------------------------------ the drive */

static void print_stack(struct out *out, const struct e2lazy_drive *d)
{
	if (*d->disk)
		out_line(out, _("disk"), "%s%s%s%s", d->disk,
			 *d->stack ? " (" : "", d->stack, *d->stack ? ")" : "");
	if (d->disks > 1)
		out_line(out, "", _("disks in all: %u; the worst of them "
				    "counts"), d->disks);
	if (*d->model)
		out_line(out, _("model"), "%s%s%s", d->vendor,
			 *d->vendor ? " " : "", d->model);
}

static void print_drive(struct make *m)
{
	const struct e2lazy_drive *d = &m->drive;
	struct out *out = &m->s->out;
	char size[SIZE_TEXT];

	out_heading(out, _("Drive"));
	size_text(size, d->bytes);
	out_line(out, _("device"), "%s, %s", m->s->device,
		 d->bytes ? size : _("of unknown size"));
	print_stack(out, d);
	out_line(out, _("class"), _("%s (%d of 100 for shingled)"),
		 e2lazy_drive_class_name(d->cls), d->score);
	sentence(out, "", _(make_class_text(d)));
	for (unsigned i = 0; i < d->nr_signs; i++) {
		const struct e2lazy_drive_sign *sign = &d->signs[i];

		out_line(out, i ? "" : _("evidence"), "%+d  %s%s%s",
			 sign->score, _(sign->text), *sign->detail ? ": " : "",
			 sign->detail);
	}
	if (d->zone_bytes) {
		size_text(size, d->zone_bytes);
		out_line(out, _("zones"), "%s", size);
	}
	if (!d->has_sysfs && d->cls != E2LAZY_DRIVE_FILE)
		out_line(out, "", _("sysfs cannot be read: nothing more is "
				    "known"));
}

/* --------------------------------------------------- throughput, timer */

static void print_measured(struct out *out, const struct e2lazy_throughput *t)
{
	char slow[SIZE_TEXT], fast[SIZE_TEXT], at[SIZE_TEXT];

	size_text(at, t->offset);
	make_throughput_text(slow, t->slowest);
	make_throughput_text(fast, t->fastest);
	out_line(out, "", _("at %s, where the journal is to be"), at);
	out_line(out, "", _("samples: %u, from %s to %s"), t->samples, slow,
		 fast);
	if (!t->direct)
		out_line(out, "", _("through the page cache, so perhaps too "
				    "high"));
}

static void print_throughput(struct make *m)
{
	const struct e2lazy_throughput *t = &m->throughput;
	static const char *const sources[] = {
		[MAKE_NONE] = N_("neither given nor measured"),
		[MAKE_GIVEN] = N_("given"),
		[MAKE_MEASURED] = N_("measured"),
		[MAKE_ASSUMED] = N_("assumed: measure it, and give it with "
				    "--throughput"),
	};
	struct out *out = &m->s->out;
	char rate[SIZE_TEXT];

	make_throughput_text(rate, t->bytes_per_second);
	if (m->throughput_source == MAKE_NONE)
		out_line(out, _("throughput"), "%s",
			 _(sources[m->throughput_source]));
	else
		out_line(out, _("throughput"), "%s, %s", rate,
			 _(sources[m->throughput_source]));
	if (m->throughput_source == MAKE_MEASURED)
		print_measured(out, t);
}

static void print_timer(struct make *m)
{
	const struct e2lazy_dirty_timer *t = &m->timer;
	struct out *out = &m->s->out;
	char expire[SIZE_TEXT], wakeup[SIZE_TEXT];

	if (m->timer_source == MAKE_NONE) {
		out_line(out, _("dirty timer"), "%s", _("not known"));
		return;
	}
	make_time_text(expire, t->expire_ms);
	make_time_text(wakeup, t->wakeup_ms);
	out_line(out, _("dirty timer"), "%s, %s", expire,
		 m->timer_source == MAKE_GIVEN ? _("given")
					       : _("as the kernel has it"));
	if (t->wakeup_ms)
		out_line(out, "", _("and the flusher looks every %s"), wakeup);
	else
		out_line(out, "", _("the flusher does not wake up by itself"));
}

/* ---------------------------------------------------------- the journal */

const struct make_clamp make_clamps[] = {
	{ E2LAZY_CLAMP_LIVE, "live",
	  N_("raised, so that the live set is no more than 7/10 of it") },
	{ E2LAZY_CLAMP_DEFAULT, "default",
	  N_("raised to what mke2fs would take by itself") },
	{ E2LAZY_CLAMP_MIB, "mib", N_("rounded up to whole MiB") },
	{ E2LAZY_CLAMP_ZONE, "zone", N_("rounded up to whole zones") },
	{ E2LAZY_CLAMP_MOST, "most",
	  N_("lowered to 10240000 blocks, the most that mke2fs makes") },
	{ E2LAZY_CLAMP_FREE, "free",
	  N_("lowered to half of the free space, as mke2fs wants it") },
	{ 0 }
};

static void print_policies(struct make *m)
{
	const struct e2lazy_journal_size *j = &m->journal;
	struct out *out = &m->s->out;
	char size[SIZE_TEXT], rate[SIZE_TEXT], expire[SIZE_TEXT],
	     wakeup[SIZE_TEXT];

	if (m->throughput_source == MAKE_NONE)
		return;
	make_throughput_text(rate, m->throughput.bytes_per_second);
	make_time_text(expire, m->timer.expire_ms);
	make_time_text(wakeup, m->timer.wakeup_ms);
	make_mib_text(size, j->paper);
	out_line(out, _("by the paper"), "%s = %s x %s", size, rate, expire);
	if (!j->strict)
		return;
	make_mib_text(size, j->strict);
	out_line(out, _("strict"), "%s = %s x (%s + %s) / (1 - %llu/%llu)",
		 size, rate, expire, wakeup, ull(j->reserve_num),
		 ull(j->reserve_den));
	sentence(out, "", _("what is a little too young for the flusher waits "
			    "until it looks again, and jbd2 makes writers "
			    "wait while that part of the log is left"));
	if (!m->timer.kernel_major)
		sentence(out, "", _("of an unknown kernel the larger reserve "
				    "is assumed, that of Linux 6.11"));
}

static void print_clamps(struct make *m)
{
	const struct make_clamp *c = make_clamps;
	bool first = true;

	for (; c->flag; c++) {
		if (!(m->journal.clamps & c->flag))
			continue;
		out_line(&m->s->out, first ? _("bounds") : "", "%s",
			 _(c->text));
		first = false;
	}
	if (m->journal.bytes < m->journal.live_bound)
		out_line(&m->s->out, first ? _("bounds") : "", "%s",
			 _("too small then: the live set is more than 7/10 of "
			   "it"));
}

static const char *size_reason(const struct make *m)
{
	if (m->given_journal)
		return _("as --journal-size says");
	if (m->throughput_source == MAKE_NONE)
		return _("what mke2fs takes by itself; nothing asks for more");
	return m->policy == E2LAZY_SIZE_STRICT ? _("policy strict")
					       : _("policy paper");
}

static void print_journal(struct make *m)
{
	const struct e2lazy_fs_plan *p = &m->layout.plan;
	struct out *out = &m->s->out;
	char size[SIZE_TEXT];

	out_heading(out, _("Journal"));
	print_throughput(m);
	print_timer(m);
	print_policies(m);
	if (m->live) {
		make_mib_text(size, m->journal.live_bound);
		out_line(out, _("live set"), _("needs %s"), size);
	}
	print_clamps(m);
	make_mib_text(size, m->journal.bytes);
	out_line(out, _("size"), "%s, %s", size, size_reason(m));
	out_line(out, "", _("%llu blocks of %u bytes"),
		 ull(p->journal_blocks), p->blocksize);
	if (*m->layout.blur)
		return;
	size_text(size, m->journal_start * p->blocksize);
	out_line(out, _("begins at"), _("block %llu (%s), pieces: %llu"),
		 ull(m->journal_start), size, ull(m->journal_runs));
	if (m->request.zone_bytes)
		out_line(out, "", "%s", m->misaligned ?
			 _("not where a zone does") : _("where a zone does"));
}

/* ----------------------------------------------------------- the layout */

static void print_layout(struct make *m)
{
	const struct e2lazy_fs_plan *p = &m->layout.plan;
	struct out *out = &m->s->out;

	out_heading(out, _("Layout"));
	out_line(out, _("profile"), "%s", m->profile->name);
	sentence(out, "", _(m->profile->text));
	sentence(out, "", _(m->profile->means));
	sentence(out, _("because"), _(m->choice_text));
	out_line(out, _("blocks"), _("%llu of %u bytes"), ull(p->blocks),
		 p->blocksize);
	if (p->inodes)
		out_line(out, _("inodes"), _("%llu of %u bytes"),
			 ull(p->inodes), p->inode_size);
	else
		out_line(out, _("inodes"), _("one for %llu bytes, of %u bytes "
					     "each"), ull(p->inode_ratio),
			 p->inode_size);
	if (p->packed)
		out_line(out, _("tables"), _("all in front"));
	else
		out_line(out, _("tables"), _("of %u groups together"),
			 p->flex_groups);
	if (*m->layout.blur)
		out_line(out, _("unknown"), _("where all that goes with %s"),
			 m->layout.blur);
}

struct heading {
	const char	*text;
	unsigned	width;		/* columns */
};

/* Of a table of numbers; the list of them ends with NULL. */
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

static void print_count(struct out *out, const char *label, uint64_t bands,
			uint64_t clean, uint64_t traffic, uint64_t dynamic)
{
	char cleaned[SIZE_TEXT], moved[SIZE_TEXT], other[SIZE_TEXT];

	size_text(cleaned, clean);
	size_text(moved, traffic);
	size_text(other, dynamic);
	out_label(out, label);
	out_format(out, "%7llu %10s %10s %10s\n", ull(bands), cleaned, moved,
		   other);
}

/* What it takes to clean them all: static mapping writes twice. */
static void print_counts(struct make *m)
{
	static const struct heading names[] = {
		{ N_("bands"), 7 }, { N_("cleaned"), 10 },
		{ N_("moved"), 10 }, { N_("if dynamic"), 10 }, { NULL, 0 }
	};
	const struct e2lazy_bands *b = &m->bands, *d = &m->dynamic;
	struct out *out = &m->s->out;

	headings(out, _("updated, at most"), names);
	if (m->shown_bands & BANDS_PAPER)
		print_count(out, _("as the paper"), b->paper, b->paper_clean,
			    b->paper_traffic, d->paper_traffic);
	if (!(m->shown_bands & BANDS_EXACT))
		return;
	print_count(out, _("exactly"), b->exact, b->exact_clean,
		    b->exact_traffic, d->exact_traffic);
	out_line(out, _("and superblocks"), "%7llu", ull(b->exact_super));
}

static void print_bands(struct make *m)
{
	const struct e2lazy_bands *b = &m->bands;
	struct out *out = &m->s->out;
	char band[SIZE_TEXT], size[SIZE_TEXT];

	out_heading(out, _("Bands with inode tables and bitmaps"));
	if (*m->layout.blur) {
		out_line(out, _("unknown"), _("because of %s"), m->layout.blur);
		return;
	}
	size_text(band, m->band);
	size_text(size, b->metadata_bytes);
	out_line(out, _("band"), _("%s%s; the file system is in %llu"), band,
		 m->drive.listed_band == m->band ? _(", of the list of drives")
						 : "", ull(b->disk));
	if (*m->drive.disk && !m->drive.start_known)
		sentence(out, "", _("counted from its own start: where that "
				    "is on the disk is not known"));
	out_line(out, _("tables"), _("%s, in %llu places"), size,
		 ull(b->regions));
	print_counts(m);
}

/* What could be had instead, for those who know what they will store. */
static bool print_profiles(struct make *m)
{
	static const struct heading names[] = {
		{ N_("paper"), 7 }, { N_("exact"), 7 }, { N_("+super"), 7 },
		{ N_("tables"), 10 }, { N_("moved"), 10 }, { NULL, 0 }
	};
	struct out *out = &m->s->out;
	struct e2lazy_bands b;
	char size[SIZE_TEXT], moved[SIZE_TEXT];

	out_heading(out, _("Profiles, of this size"));
	headings(out, "", names);
	for (const struct profile *p = profiles; p->name; p++) {
		if (!make_compare(m, p, &b))
			return false;
		if (!b.disk) {
			out_format(out, "  %-*s %7s %7s %7s %10s %10s\n",
				   OUT_LABEL, p->name, "-", "-", "-", "-",
				   "-");
			continue;
		}
		size_text(size, b.metadata_bytes);
		size_text(moved, b.exact_traffic);
		out_format(out, "%c %-*s %7llu %7llu %7llu %10s %10s\n",
			   p == m->profile ? '*' : ' ', OUT_LABEL, p->name,
			   ull(b.paper), ull(b.exact), ull(b.exact_super),
			   size, moved);
	}
	return true;
}

/* ---------------------------------------------------------- the command */

static void print_words(struct out *out, const struct make_words *words)
{
	for (size_t i = 0; i < words->count; i++) {
		out_char(out, ' ');
		out_word(out, words->at[i]);
	}
	out_char(out, '\n');
}

static void print_command(struct make *m)
{
	struct out *out = &m->s->out;

	out_heading(out, _("Command"));
	out_text(out, "  MKE2FS_CONFIG=DIR");
	print_words(out, &m->command);
	out_text(out, _("  where DIR has the profiles as 00-smr and "
			"mke2fs.conf as 10-base; or, without:\n "));
	print_words(out, &m->by_hand);
	if (m->mark) {
		out_char(out, ' ');
		print_words(out, &m->marking);
	}
}

static void print_advice(struct make *m)
{
	const char *texts[MAKE_ADVICE];
	unsigned count = make_advice(m, texts);

	if (count)
		out_heading(&m->s->out, _("Advice"));
	for (unsigned i = 0; i < count; i++)
		item(&m->s->out, _(texts[i]));
}

bool make_print_text(struct make *m)
{
	print_drive(m);
	print_journal(m);
	print_layout(m);
	print_bands(m);
	if (!*m->layout.blur && !print_profiles(m))
		return false;
	print_command(m);
	print_advice(m);
	return true;
}
