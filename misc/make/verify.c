/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * verify.c - reads the new file system back and compares it with the plan
 *
 * mke2fs's exit status only says that mke2fs did its work.  This file proves
 * the plan with this project's own reader.
 */
#include <string.h>

#include "make.h"
#include "map/super.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"

struct found {
	uint64_t	bytes;		/* size of the journal */
	size_t		runs;		/* number of pieces */
	blk64_t		start;		/* its first block */
	struct e2lazy_bands bands;
	bool		sized, placed, whole, aligned, counted;	/* as planned */
	bool		marked;
};

/* The fast-commit area is added to the requested size. */
static uint64_t log_bytes(const struct e2lazy_geometry *geo)
{
	return (uint64_t)(geo->maxlen - geo->fc_blocks) * geo->blocksize;
}

static errcode_t count_bands(const struct make *m, ext2_filsys fs,
			     struct e2lazy_bands *bands)
{
	const struct e2lazy_band_model model = {
		.band_bytes = m->band, .start = m->drive.start,
	};
	struct e2lazy_regions *regions;
	errcode_t err = e2lazy_regions_of(fs, &regions);

	if (err)
		return err;
	e2lazy_bands(regions, ext2fs_blocks_count(fs->super) * fs->blocksize,
		     &model, bands);
	e2lazy_regions_free(regions);
	return 0;
}

static void compare(const struct make *m, struct found *f)
{
	const struct e2lazy_bands *a = &m->bands, *b = &f->bands;
	bool known = !*m->layout.blur;

	/* A fast-commit area, which makes the layout unknown, adds to the
	   size. */
	f->sized = known ? f->bytes == m->journal.bytes :
			   f->bytes >= m->journal.bytes;
	f->placed = !known || f->start == m->journal_start;
	f->whole = !known || f->runs == m->journal_runs;
	f->aligned = m->misaligned || make_is_aligned(m, f->start);
	f->counted = !known || (a->exact == b->exact &&
				a->exact_super == b->exact_super &&
				a->regions == b->regions &&
				a->metadata_bytes == b->metadata_bytes);
}

static errcode_t find(struct make *m, struct e2lazy_journal *journal,
		      struct found *f)
{
	const struct e2lazy_geometry *geo = e2lazy_geometry(journal);
	ext2_filsys fs = e2lazy_static_fs(journal);
	errcode_t err;

	f->bytes = log_bytes(geo);
	f->runs = geo->runs;
	err = e2lazy_physblk(journal, 0, &f->start);
	if (!err)
		err = count_bands(m, fs, &f->bands);
	f->marked = super_has_option(fs->super, SUPER_LAZY);
	return err;
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
	err = find(m, journal, f);
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
	       f->counted && f->marked == m->mark;
}

/* ---------------------------------------------------------------- print */

static void text_made(struct make *m, const struct found *f)
{
	struct out *out = &m->s->print.out;
	char size[SIZE_TEXT];

	make_mib_text(size, f->bytes);
	out_bold(out, _("Made, and read back"));
	out_format(out, _("\n  journal           %s from block %llu on, "
			  "pieces: %zu\n"), size, (unsigned long long)f->start,
		   f->runs);
	out_format(out, _("  metadata bands    %llu, with superblocks %llu\n"),
		   (unsigned long long)f->bands.exact,
		   (unsigned long long)f->bands.exact_super);
	if (!*m->layout.blur && is_as_planned(m, f))
		out_text(out, _("  as planned\n"));
}

static void json_made(struct make *m, const struct found *f)
{
	struct json *json = &m->s->print.json;

	json_object(json, "made", JSON_SPREAD);
	json_u64(json, "journal_bytes", f->bytes);
	json_u64(json, "journal_start", f->start);
	json_u64(json, "journal_runs", f->runs);
	json_u64(json, "bands", f->bands.exact);
	json_u64(json, "bands_with_super", f->bands.exact_super);
	json_u64(json, "regions", f->bands.regions);
	json_u64(json, "metadata_bytes", f->bands.metadata_bytes);
	json_bool(json, "marked", f->marked);
	if (*m->layout.blur && is_as_planned(m, f))
		json_null(json, "as_planned");
	else
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
				 (unsigned long long)m->journal.bytes);
	if (!f->placed)
		session_complain(s, FSCK_LEFT,
				 _("the journal begins at block %llu instead "
				   "of %llu"), (unsigned long long)f->start,
				 (unsigned long long)m->journal_start);
	if (!f->whole)
		session_complain(s, FSCK_LEFT,
				 P_("the journal is in %zu piece instead of "
				    "%llu",
				    "the journal is in %zu pieces instead of "
				    "%llu", f->runs), f->runs,
				 (unsigned long long)m->journal_runs);
	if (!f->aligned)
		session_complain(s, FSCK_LEFT,
				 _("the journal does not begin at the start of "
				   "a zone"));
	if (f->marked != m->mark)
		session_complain(s, FSCK_LEFT, "%s",
				 _("the superblock lacks journal_lazy"));
	if (!f->counted)
		session_complain(s, FSCK_LEFT,
				 P_("metadata lies in %llu band (%llu with "
				    "superblocks) instead of %llu (%llu)",
				    "metadata lies in %llu bands (%llu with "
				    "superblocks) instead of %llu (%llu)",
				    f->bands.exact),
				 (unsigned long long)f->bands.exact,
				 (unsigned long long)f->bands.exact_super,
				 (unsigned long long)m->bands.exact,
				 (unsigned long long)m->bands.exact_super);
}

void make_verify(struct make *m)
{
	struct found f = { .bytes = 0 };

	if (!look(m, &f))
		return;
	if (m->s->print.json_wanted)
		json_made(m, &f);
	else if (!m->s->print.progress.quiet)
		text_made(m, &f);
	tell_differences(m, &f);
}
