/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * verify.c - reads the new file system back and compares it with the plan
 *
 * mke2fs's exit status only says that mke2fs did its work.  This file proves
 * the plan with this project's own reader.
 */
#include "make.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"

struct found {
	struct make_layout layout;
	uint64_t	bytes;		/* size of the journal */
	bool		sized, placed, whole, aligned, counted;	/* as planned */
};

static void compare(const struct make *m, struct found *f)
{
	const struct make_layout *made = &f->layout, *plan = &m->layout;

	f->bytes = made->journal_blocks * made->blocksize;
	f->sized = made->journal_blocks == plan->journal_blocks;
	f->placed = made->journal_start == plan->journal_start;
	f->whole = made->journal_runs == plan->journal_runs;
	f->aligned = m->misaligned || make_is_aligned(m, made->journal_start);
	f->counted = make_same_regions(made, plan);
}

static bool look(struct make *m, struct found *f)
{
	const struct e2lazy_open_opts opts = { .journal = NULL };
	struct e2lazy_journal *journal;
	errcode_t err;

	if (device_open(m->device, &opts, &journal, NULL)) {
		m->s->status |= FSCK_ERROR;
		return false;
	}
	err = make_read(m, journal, &f->layout);
	e2lazy_close(journal);
	if (err)
		session_fail(m->s, err, NULL);
	else
		compare(m, f);
	return !err;
}

static bool is_as_planned(const struct make *m, const struct found *f)
{
	return f->sized && f->placed && f->whole && f->aligned &&
	       f->counted && f->layout.marked == m->mark;
}

/* ---------------------------------------------------------------- print */

static void text_made(struct make *m, const struct found *f)
{
	struct out *out = &m->s->print.out;
	char size[SIZE_TEXT];

	make_mib_text(size, f->bytes);
	out_bold(out, _("Made, and read back"));
	out_format(out, _("\n  journal           %s from block %llu on, "
			  "pieces: %llu\n"), size,
		   (unsigned long long)f->layout.journal_start,
		   (unsigned long long)f->layout.journal_runs);
	out_format(out, _("  metadata bands    %llu, with superblocks %llu\n"),
		   (unsigned long long)f->layout.bands.exact,
		   (unsigned long long)f->layout.bands.exact_super);
	if (is_as_planned(m, f))
		out_text(out, _("  as planned\n"));
}

static void json_made(struct make *m, const struct found *f)
{
	struct json *json = &m->s->print.json;

	json_object(json, "made", JSON_SPREAD);
	json_u64(json, "journal_bytes", f->bytes);
	json_u64(json, "journal_start", f->layout.journal_start);
	json_u64(json, "journal_runs", f->layout.journal_runs);
	json_u64(json, "bands", f->layout.bands.exact);
	json_u64(json, "bands_with_super", f->layout.bands.exact_super);
	json_u64(json, "regions", f->layout.bands.regions);
	json_u64(json, "metadata_bytes", f->layout.bands.metadata_bytes);
	json_bool(json, "marked", f->layout.marked);
	json_bool(json, "as_planned", is_as_planned(m, f));
	json_end(json);
}

/* The file system exists and is usable all the same. */
static void tell_differences(struct make *m, const struct found *f)
{
	struct session *s = m->s;

	if (!f->sized)
		session_complain(s, FSCK_LEFT,
				 _("the journal has %llu bytes instead of "
				   "%llu"), (unsigned long long)f->bytes,
				 (unsigned long long)(m->layout.journal_blocks *
						      m->layout.blocksize));
	if (!f->placed)
		session_complain(s, FSCK_LEFT,
				 _("the journal begins at block %llu instead "
				   "of %llu"),
				 (unsigned long long)f->layout.journal_start,
				 (unsigned long long)m->layout.journal_start);
	if (!f->whole)
		session_complain(s, FSCK_LEFT,
				 P_("the journal is in %llu piece instead of "
				    "%llu",
				    "the journal is in %llu pieces instead of "
				    "%llu", f->layout.journal_runs),
				 (unsigned long long)f->layout.journal_runs,
				 (unsigned long long)m->layout.journal_runs);
	if (!f->aligned)
		session_complain(s, FSCK_LEFT,
				 _("the journal does not begin at the start of "
				   "a zone"));
	if (f->layout.marked != m->mark)
		session_complain(s, FSCK_LEFT, "%s",
				 _("the superblock lacks journal_lazy"));
	if (!f->counted)
		session_complain(s, FSCK_LEFT,
				 P_("metadata lies in %llu band (%llu with "
				    "superblocks) instead of %llu (%llu)",
				    "metadata lies in %llu bands (%llu with "
				    "superblocks) instead of %llu (%llu)",
				    f->layout.bands.exact),
				 (unsigned long long)f->layout.bands.exact,
				 (unsigned long long)
					f->layout.bands.exact_super,
				 (unsigned long long)m->layout.bands.exact,
				 (unsigned long long)m->layout.bands.exact_super);
}

void make_verify(struct make *m)
{
	struct found f = { .bytes = 0 };

	if (!look(m, &f)) {
		make_layout_free(&f.layout);
		return;
	}
	if (m->s->print.json_wanted)
		json_made(m, &f);
	else if (!m->s->print.progress.quiet)
		text_made(m, &f);
	tell_differences(m, &f);
	make_layout_free(&f.layout);
}
