/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sheet.c - the plan: its facts, and the rows that print them
 */
#include <stdio.h>

#include "make.h"
#include "support/nls.h"

static const char *source_name(enum make_source source, bool timer)
{
	switch (source) {
	case MAKE_GIVEN:	return "given";
	case MAKE_MEASURED:	return timer ? "kernel" : "measured";
	case MAKE_ASSUMED:	return "assumed";
	case MAKE_NONE:		break;
	}
	return NULL;
}

/* ------------------------------------------------------------- the drive */

static const struct sheet_row drive_rows[] = {
	{ NULL, N_("Drive"), "" },
	{ N_("device"), "%s, %s", ".device .size" },
	{ N_("disk"), "%s", "disk !stack" },
	{ N_("disk"), "%s (%s)", "disk stack" },
	{ "", N_("the worst of %u disks counts"),
	  "?.several disks" },
	{ N_("model"), "%s", "model !vendor" },
	{ N_("model"), "%s %s", "vendor model" },
	{ N_("class"), N_("%s (evidence for shingles: %d of "
			  "100)"), "class score" },
	{ "", "%s", "~.class" },
	{ 0 }
};

static const struct sheet_row zone_rows[] = {
	{ N_("zones"), "%s", "zone_bytes" },
	{ "", N_("sysfs cannot be read, so nothing more is known"),
	  "!sysfs !.file" },
	{ 0 }
};

static void drive(struct make *m, struct sheet *sheet)
{
	const struct e2lazy_drive *d = &m->drive;

	sheet_section(sheet, "drive", JSON_SPREAD);
	sheet_text(sheet, ".device", m->s->device);
	if (d->bytes)
		sheet_u64(sheet, ".size", d->bytes);
	else
		sheet_text(sheet, ".size", _("of unknown size"));
	sheet_text(sheet, "class", e2lazy_drive_class_name(d->cls));
	sheet_text(sheet, ".class", _(make_class_text(d)));
	sheet_bool(sheet, ".file", d->cls == E2LAZY_DRIVE_FILE);
	sheet_i64(sheet, "score", d->score);
	sheet_name(sheet, "disk", d->disk);
	sheet_u64(sheet, "disks", d->disks);
	sheet_bool(sheet, ".several", d->disks > 1);
	sheet_name(sheet, "stack", d->stack);
	sheet_name(sheet, "vendor", d->vendor);
	sheet_name(sheet, "model", d->model);
	sheet_bool(sheet, "sysfs", d->has_sysfs);
	sheet_bool(sheet, "rotational", d->rotational);
	sheet_bool(sheet, "read_only", d->read_only);
	sheet_u64(sheet, "bytes", d->bytes);
	sheet_u64(sheet, "start", d->start);
	sheet_known(sheet, "disk_bytes", d->disk_bytes);
	sheet_known(sheet, "zone_bytes", d->zone_bytes);
	sheet_known(sheet, "logical_sector", d->logical_sector);
	sheet_known(sheet, "physical_sector", d->physical_sector);
	sheet_known(sheet, "minimum_io", d->minimum_io);
	sheet_known(sheet, "optimal_io", d->optimal_io);
	sheet_u64(sheet, "alignment", d->alignment);
	sheet_known(sheet, "discard_granularity", d->discard_granularity);
	sheet_print(sheet, drive_rows);
	make_print_signs(m);
	sheet_end(sheet, zone_rows);
}

/* ----------------------------------------------------- throughput, timer */

static const struct sheet_row throughput_rows[] = {
	{ NULL, N_("Journal"), "" },
	{ N_("throughput"), "%s", "!source .source" },
	{ N_("throughput"), "%s, %s", "?source .rate .source" },
	{ "", N_("measured at %s, the place of the "
		 "journal"), "?.measured offset" },
	{ "", PN_("%u sample, from %s to %s",
		  "%u samples, from %s to %s"),
	  "?.measured #samples .slowest .fastest" },
	{ "", N_("measured through the page cache; may be too high"),
	  "?.measured !direct" },
	{ 0 }
};

static void throughput(struct make *m, struct sheet *sheet)
{
	static const char *const sources[] = {
		[MAKE_NONE] = N_("neither given nor measured"),
		[MAKE_GIVEN] = N_("given"),
		[MAKE_MEASURED] = N_("measured"),
		[MAKE_ASSUMED] = N_("assumed; measure it and give it with "
				    "--throughput"),
	};
	const struct e2lazy_throughput *t = &m->throughput;
	char rate[SIZE_TEXT], slow[SIZE_TEXT], fast[SIZE_TEXT];

	make_throughput_text(rate, t->bytes_per_second);
	make_throughput_text(slow, t->slowest);
	make_throughput_text(fast, t->fastest);
	sheet_section(sheet, "throughput", JSON_INLINE);
	sheet_text(sheet, "source", source_name(m->throughput_source, false));
	sheet_text(sheet, ".source", _(sources[m->throughput_source]));
	sheet_bool(sheet, ".measured", m->throughput_source == MAKE_MEASURED);
	sheet_known(sheet, "bytes_per_second", t->bytes_per_second);
	sheet_text(sheet, ".rate", rate);
	sheet_u64(sheet, "offset", t->offset);
	sheet_known(sheet, "samples", t->samples);
	sheet_known(sheet, "slowest", t->slowest);
	sheet_text(sheet, ".slowest", slow);
	sheet_known(sheet, "fastest", t->fastest);
	sheet_text(sheet, ".fastest", fast);
	if (t->samples) {
		sheet_bool(sheet, "direct", t->direct);
		sheet_bool(sheet, "busy", t->busy);
		sheet_bool(sheet, "implausible", t->implausible);
	}
	sheet_end(sheet, throughput_rows);
}

static const struct sheet_row timer_rows[] = {
	{ N_("dirty timer"), N_("unknown"), "!source" },
	{ N_("dirty timer"), "%s, %s", "?source .expire .source" },
	{ "", N_("the flusher wakes up every %s"), "?wakeup_ms .wakeup" },
	{ "", N_("the flusher does not wake up by itself"),
	  "?source !wakeup_ms" },
	{ 0 }
};

static void timer(struct make *m, struct sheet *sheet)
{
	const struct e2lazy_dirty_timer *t = &m->timer;
	char kernel[32] = "", expire[SIZE_TEXT], wakeup[SIZE_TEXT];

	make_time_text(expire, t->expire_ms);
	make_time_text(wakeup, t->wakeup_ms);
	if (t->kernel_major)
		snprintf(kernel, sizeof(kernel), "%u.%u", t->kernel_major,
			 t->kernel_minor);
	sheet_section(sheet, "timer", JSON_INLINE);
	sheet_text(sheet, "source", source_name(m->timer_source, true));
	sheet_text(sheet, ".source", m->timer_source == MAKE_GIVEN ?
		   _("given") : _("from the kernel"));
	sheet_absent(sheet, m->timer_source == MAKE_NONE);
	sheet_u64(sheet, "expire_ms", t->expire_ms);
	sheet_u64(sheet, "wakeup_ms", t->wakeup_ms);
	sheet_absent(sheet, false);
	sheet_text(sheet, ".expire", expire);
	sheet_text(sheet, ".wakeup", wakeup);
	sheet_name(sheet, "kernel", kernel);
	sheet_end(sheet, timer_rows);
}

/* ----------------------------------------------------------- the journal */

static const struct sheet_row policy_rows[] = {
	{ N_("by the paper"), "%s = %s x %s", ".paper .rate .expire" },
	{ N_("strict"), "%s = %s x (%s + %s) / (1 - %llu/%llu)",
	  "?strict .strict .rate .expire .wakeup reserve.numerator "
	  "reserve.denominator" },
	{ N_("strict"), N_("unknown, the flusher does not wake up"),
	  "?.rate !strict" },
	{ "", N_("a block may wait for the next wakeup of the flusher, and "
		 "jbd2 makes writers wait when that fraction of the log is "
		 "left"), "~ ?.rate ?strict" },
	{ "", N_("the kernel is unknown, so mke2lazy assumes the larger "
		 "reserve of Linux 6.11"), "~ ?.rate ?strict !.kernel" },
	{ N_("live set"), N_("needs %s"), ".live" },
	{ N_("lazy kernel"), N_("%s = 2.3 x %s of live metadata"),
	  ".needed live.bytes" },
	{ "", "%s", "~.live_from" },
	{ 0 }
};

static const struct sheet_row mount_rows[] = {
	{ N_("lazy mount"), N_("reads a full log of %s: %.1f s"),
	  "mount.log_bytes mount.read_seconds" },
	{ "", N_("keeps %s in memory if %llu%% of the log are live"),
	  "mount.jmap_bytes .crowded" },
	{ N_("its cleaner"),
	  N_("logs %.0f%% more than the file system does"),
	  "cleaner.percent" },
	{ N_("its cleaner"), N_("logs more than was ever measured"),
	  "?.crammed" },
	{ "", N_("with the transactions of the trace"), "?cleaner.traced" },
	{ "", N_("as measured elsewhere with %llu%% of the log live"),
	  "!cleaner.traced ?.measured .crowded" },
	{ "", N_("the paper's log had 10 GiB, of which its directories "
		 "filled 43%%"), "~ ?.is_lazy" },
	{ 0 }
};

static void cleaner(struct make *m, struct sheet *sheet)
{
	bool lazy = m->kernel == MAKE_LAZY, traced = false;
	double percent = 0;

	if (lazy && !make_cleaner(m, &percent, &traced))
		lazy = false;
	sheet_bool(sheet, ".is_lazy", lazy);
	sheet_bool(sheet, ".crammed", lazy && percent < 0);
	sheet_bool(sheet, ".measured", lazy && percent >= 0);
	sheet_group(sheet, "cleaner");
	sheet_absent(sheet, !lazy || percent < 0);
	sheet_real(sheet, "percent", percent);
	sheet_absent(sheet, !lazy);
	sheet_bool(sheet, "traced", traced);
	sheet_absent(sheet, false);
	sheet_group_end(sheet);
}

/* The log is full, and for a stock kernel crowded, the worst case. */
static void mount_cost(struct make *m, struct sheet *sheet)
{
	bool lazy = m->kernel == MAKE_LAZY && m->live < m->journal.bytes;
	uint64_t blocks = m->journal.bytes / m->layout.blocksize;
	const struct e2lazy_mount_of of = {
		.blocksize = m->layout.blocksize, .log_blocks = blocks,
		.live = lazy ? m->live / m->layout.blocksize :
			       blocks * E2LAZY_CROWDED_PERCENT / 100,
		.throughput = m->throughput.bytes_per_second,
	};
	struct e2lazy_mount_cost cost;

	e2lazy_mount_cost(&of, &cost);
	sheet_u64(sheet, ".crowded", lazy ? m->live * 100 / m->journal.bytes :
					    E2LAZY_CROWDED_PERCENT);
	sheet_group(sheet, "mount");
	sheet_u64(sheet, "log_bytes", cost.log_bytes);
	sheet_absent(sheet, m->throughput_source == MAKE_NONE);
	sheet_real(sheet, "read_seconds", cost.seconds);
	sheet_absent(sheet, false);
	sheet_u64(sheet, "jmap_bytes", cost.memory);
	sheet_group_end(sheet);
	cleaner(m, sheet);
	sheet_print(sheet, mount_rows);
}

static const struct sheet_row journal_rows[] = {
	{ N_("size"), "%s, %s", ".size .reason" },
	{ "", PN_("%llu block of %u bytes", "%llu blocks of %u bytes"),
	  "#blocks .blocksize" },
	{ N_("begins at"), N_("block %llu (%s), pieces: %llu"),
	  "start .start runs" },
	{ "", N_("at the start of a zone"), "?zone_aligned" },
	{ "", N_("not at the start of a zone"), "zone_aligned !zone_aligned" },
	{ 0 }
};

/* The reason for this size. */
static void policy(const struct make *m, struct sheet *sheet)
{
	const char *name = m->policy == E2LAZY_SIZE_STRICT ? "strict" : "paper";
	const char *text = m->policy == E2LAZY_SIZE_STRICT ?
			   _("policy strict") : _("policy paper");

	if (m->given_journal) {
		name = "given";
		text = _("from --journal-size");
	} else if (m->throughput_source == MAKE_NONE) {
		name = "default";
		text = _("the default of mke2fs; the throughput is unknown");
	}
	sheet_text(sheet, "policy", name);
	sheet_text(sheet, ".reason", text);
}

/* The numbers of a formula, as texts. */
struct formula {
	char	paper[SIZE_TEXT], strict[SIZE_TEXT], live[SIZE_TEXT],
		size[SIZE_TEXT], rate[SIZE_TEXT], expire[SIZE_TEXT],
		wakeup[SIZE_TEXT];
};

static void live(const struct make *m, struct sheet *sheet)
{
	static const struct { const char *name, *text; } sources[] = {
		[MAKE_LIVE_NONE] = { NULL, NULL },
		[MAKE_LIVE_GIVEN] = { "given", N_("from --live") },
		[MAKE_LIVE_LIKE] = { "like",
			N_("inodes in use, directories of a block each and "
			   "bitmaps of the file system of --like") },
		[MAKE_LIVE_TRACE] = { "trace",
			N_("the distinct blocks of --trace that are live in "
			   "the end") },
		[MAKE_LIVE_INODES] = { "inodes",
			N_("all inodes in use, the worst case; --live, --like "
			   "or --trace may need less") },
		[MAKE_LIVE_PAPER] = { "paper",
			N_("as much as the paper's 10 GiB are for: all inodes "
			   "in use would need more; --live, --like or --trace "
			   "knows better") },
	};

	sheet_text(sheet, "kernel", m->kernel == MAKE_LAZY ? "lazy" : "stock");
	sheet_group(sheet, "live");
	sheet_known(sheet, "bytes", m->live);
	sheet_text(sheet, "source", sources[m->live_source].name);
	sheet_group_end(sheet);
	if (sources[m->live_source].text && m->kernel == MAKE_LAZY)
		sheet_text(sheet, ".live_from",
			   _(sources[m->live_source].text));
}

static void formula(const struct make *m, struct sheet *sheet,
		    struct formula *f)
{
	const struct e2lazy_journal_size *j = &m->journal;

	make_mib_text(f->size, j->bytes);
	sheet_text(sheet, ".size", f->size);
	make_mib_text(f->live, j->live_bound);
	sheet_text(sheet, m->kernel == MAKE_LAZY ? ".needed" : ".live",
		   m->live ? f->live : NULL);
	live(m, sheet);
	if (m->throughput_source == MAKE_NONE)
		return;
	make_mib_text(f->paper, j->paper);
	make_mib_text(f->strict, j->strict);
	make_throughput_text(f->rate, m->throughput.bytes_per_second);
	make_time_text(f->expire, m->timer.expire_ms);
	make_time_text(f->wakeup, m->timer.wakeup_ms);
	sheet_text(sheet, ".paper", f->paper);
	sheet_text(sheet, ".strict", f->strict);
	sheet_text(sheet, ".rate", f->rate);
	sheet_text(sheet, ".expire", f->expire);
	sheet_text(sheet, ".wakeup", f->wakeup);
	sheet_u64(sheet, ".kernel", m->timer.kernel_major);
}

static void journal(struct make *m, struct sheet *sheet)
{
	const struct e2lazy_journal_size *j = &m->journal;
	const struct make_layout *p = &m->layout;
	struct formula numbers;

	sheet_section(sheet, "journal", JSON_SPREAD);
	formula(m, sheet, &numbers);
	sheet_u64(sheet, "bytes", j->bytes);
	sheet_u64(sheet, "blocks", j->bytes / p->blocksize);
	sheet_u64(sheet, ".blocksize", p->blocksize);
	policy(m, sheet);
	sheet_known(sheet, "paper", j->paper);
	sheet_known(sheet, "strict", j->strict);
	sheet_group(sheet, "reserve");
	sheet_u64(sheet, "numerator", j->reserve_num);
	sheet_u64(sheet, "denominator", j->reserve_den);
	sheet_group_end(sheet);
	sheet_known(sheet, "live_bound", j->live_bound);
	sheet_known(sheet, "default", j->fallback);
	sheet_u64(sheet, "most", j->most);
	sheet_u64(sheet, "half_free", j->half_free);
	sheet_print(sheet, policy_rows);
	make_print_clamps(m);
	mount_cost(m, sheet);
	sheet_u64(sheet, "start", p->journal_start);
	sheet_u64(sheet, ".start", p->journal_start * p->blocksize);
	sheet_u64(sheet, "runs", p->journal_runs);
	sheet_absent(sheet, !m->request.zone_bytes);
	sheet_bool(sheet, "zone_aligned", !m->misaligned);
	sheet_absent(sheet, false);
	sheet_end(sheet, journal_rows);
}

/* ------------------------------------------------------------ the layout */

static const struct sheet_row layout_rows[] = {
	{ NULL, N_("Layout"), "" },
	{ N_("profile"), "%s", "profile" },
	{ "", "%s", "~.text" },
	{ "", "%s", "~.means" },
	{ N_("because"), "%s", "~because" },
	{ N_("blocks"), N_("%llu of %u bytes"), "blocks block_size" },
	{ N_("inodes"), N_("%llu of %u bytes"), "inodes inode_size" },
	{ "", N_("one per %llu bytes"), "inode_ratio" },
	{ N_("tables"), N_("all at the front"), "?packed" },
	{ N_("tables"), PN_("%u group by itself", "%u groups together"),
	  "!packed #flex_groups" },
	{ 0 }
};

static void layout(struct make *m, struct sheet *sheet)
{
	const struct make_layout *p = &m->layout;

	sheet_section(sheet, "layout", JSON_SPREAD);
	sheet_text(sheet, "profile", m->profile->name);
	sheet_text(sheet, ".text", _(m->profile->text));
	sheet_text(sheet, ".means", _(m->profile->means));
	sheet_text(sheet, "because", _(m->choice_text));
	sheet_u64(sheet, "blocks", p->blocks);
	sheet_u64(sheet, "block_size", p->blocksize);
	sheet_u64(sheet, "cluster_blocks", p->cluster_blocks);
	sheet_u64(sheet, "inode_size", p->inode_size);
	sheet_u64(sheet, "inode_ratio", p->inode_ratio);
	sheet_u64(sheet, "inodes", p->inodes);
	sheet_u64(sheet, "flex_groups", p->flex_groups);
	sheet_bool(sheet, "packed", make_packs(m, m->profile) &&
		   p->flex_groups > 1);
	sheet_bool(sheet, "sparse_super2", p->sparse_super2);
	sheet_bool(sheet, "resizable", p->resizable);
	/* Of earlier versions, which did not ask mke2fs. */
	sheet_name(sheet, "unknown_because_of", "");
	sheet_end(sheet, layout_rows);
}

/* ------------------------------------------------------------- the bands */

static const struct sheet_row band_rows[] = {
	{ NULL, N_("Bands with inode tables and bitmaps"), "" },
	{ N_("band"), N_("%s%s; the file system is in %llu"),
	  "band_bytes .listed all" },
	{ "", N_("counted from the start of the device, whose place on the "
		 "disk is unknown"), "~ ?.from_own_start" },
	{ N_("tables"), PN_("%s, in %llu place", "%s, in %llu places"),
	  "metadata_bytes #regions" },
	{ 0 }
};

/* These rows follow headings. */
static const struct sheet_row count_rows[] = {
	{ N_("paper's count"), "%7llu %10s %10s %10s",
	  "paper.bands paper.cleaned paper.moved_static paper.moved_dynamic" },
	{ N_("exact count"), "%7llu %10s %10s %10s",
	  "exact.bands exact.cleaned exact.moved_static exact.moved_dynamic" },
	{ N_("with superblocks"), "%7llu", "exact_with_super" },
	{ 0 }
};

static void bands(struct make *m, struct sheet *sheet)
{
	const struct e2lazy_drive *d = &m->drive;

	bands_facts(sheet, m->band, &m->layout.bands, &m->layout.dynamic,
		    m->shown_bands);
	sheet_text(sheet, ".listed", m->banded_by_zones ?
		   _(", a zone") : d->listed_band == m->band ?
		   _(", from the list of drives") : "");
	sheet_bool(sheet, ".from_own_start", *d->disk && !d->start_known);
	sheet_print(sheet, band_rows);
	make_print_band_headings(m);
	sheet_end(sheet, count_rows);
}

bool make_print(struct make *m)
{
	struct sheet sheet;

	print_sheet(&m->s->print, &sheet);
	if (sheet.json)
		session_document(m->s);
	sheet_u64(&sheet, "bytes", make_bytes(m));
	drive(m, &sheet);
	throughput(m, &sheet);
	timer(m, &sheet);
	journal(m, &sheet);
	layout(m, &sheet);
	bands(m, &sheet);
	if (!make_print_profiles(m))
		return false;
	make_print_commands(m);
	make_print_advice(m);
	return true;
}
