/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plan.c - the journal for a drive: its size, its place and the bands it saves
 */
#include <stdlib.h>
#include <string.h>

#include "make.h"
#include "support/nls.h"
#include "support/status.h"

#define MIB	((uint64_t)1 << 20)

/* The zone size of a zoned drive that does not tell: the common one. */
#define USUAL_ZONE	(256 * MIB)

/* A longer timer is a laptop's, and makes a very large journal. */
#define LONG_TIMER_MS	60000

/* ---------------------------------------------------------- the layout */

static bool fail(struct make *m, errcode_t err)
{
	const struct e2lazy_fs_plan *p = &m->layout.plan;

	if (p->blocksize &&
	    p->blocks / 8 / p->blocksize >= E2LAZY_MOST_GROUPS)
		session_complain(m->s, FSCK_ERROR,
				 _("a file system of more than %u groups is "
				   "too large for a plan: use mke2fs"),
				 (unsigned)E2LAZY_MOST_GROUPS - 1);
	else if (err == EXT2_ET_INVALID_ARGUMENT)
		session_complain(m->s, FSCK_ERROR,
				 _("mke2fs would not make a file system with "
				   "these options or of this size"));
	else
		session_fail(m->s, err, NULL);
	return false;
}

/* Compute layout and regions of @m, with a journal of that many blocks at
   @goal. */
static bool lay_out(struct make *m, uint64_t journal_blocks, uint64_t goal)
{
	errcode_t err;

	make_layout_free(&m->layout);
	e2lazy_regions_free(m->regions);
	m->regions = NULL;
	if (!make_layout(m, m->profile, journal_blocks, goal, &m->layout))
		return false;
	err = e2lazy_regions_planned(&m->layout.plan, &m->regions);
	if (err)
		return fail(m, err);
	m->journal_start = e2lazy_regions_journal(m->regions);
	m->journal_runs = e2lazy_regions_journal_runs(m->regions);
	return true;
}

/*
 * The approximate place of the journal before its size is known: measure
 * there.
 */
static bool lay_out_first(struct make *m)
{
	struct e2lazy_fs_plan *p = &m->layout.plan;
	int usual;

	if (!make_layout(m, m->profile, 0, UINT64_MAX, &m->layout))
		return false;
	usual = ext2fs_default_journal_size(p->blocks);
	if (usual > 0)
		return lay_out(m, usual, UINT64_MAX);
	session_complain(m->s, FSCK_ERROR,
			 _("too small: mke2fs makes no journal for %llu blocks "
			   "of %u bytes"), (unsigned long long)p->blocks,
			 p->blocksize);
	return false;
}

/* ---------------------------------------------------------- the zones */

static uint64_t zone_bytes(const struct make *m)
{
	uint64_t zone = m->drive.zone_bytes;

	if (!zone && !strcmp(m->profile->drive, "zoned"))
		zone = USUAL_ZONE;
	/*
	 * mke2fs takes whole MiB for a journal, so it cannot fill other zones.
	 */
	return zone % MIB ? 0 : zone;
}

/* Is there metadata in [start, end), in bytes of the file system? */
static bool has_metadata(const struct make *m, uint64_t start, uint64_t end)
{
	struct e2lazy_region r;

	for (size_t i = 0; i < e2lazy_regions_count(m->regions); i++) {
		e2lazy_regions_get(m->regions, i, &r);
		if (r.start < end && r.start + r.length > start)
			return true;
	}
	return false;
}

bool make_is_aligned(const struct make *m, uint64_t block)
{
	uint64_t at = m->drive.start + block * m->layout.plan.blocksize;

	return !m->request.zone_bytes || at % m->request.zone_bytes == 0;
}

/*
 * Find the first zone from the journal's usual place on that is free of
 * metadata; ~0: there is none, or a signal came.
 */
static uint64_t zone_goal(const struct make *m)
{
	unsigned size = m->layout.plan.blocksize;
	uint64_t zone = m->request.zone_bytes, start = m->drive.start;
	uint64_t end = m->layout.plan.blocks * size;
	uint64_t at = start + m->journal_start * size;

	if (!zone || m->layout.plan.packed)
		return UINT64_MAX;
	for (at = (at + zone - 1) / zone * zone - start;
	     at < end && end - at >= m->journal.bytes && !cancelled();
	     at += zone)
		if (at % size == 0 &&
		    !has_metadata(m, at, at + m->journal.bytes))
			return at / size;
	return UINT64_MAX;
}

/* ------------------------------------------------------------ the size */

static void set_request(struct make *m)
{
	struct e2lazy_size_request *r = &m->request;
	const struct e2lazy_fs_plan *p = &m->layout.plan;

	memset(r, 0, sizeof(*r));
	r->policy = m->policy;
	r->throughput = m->throughput.bytes_per_second;
	r->timer = m->timer;
	r->live_bytes = m->live;
	r->zone_bytes = zone_bytes(m);
	r->blocksize = p->blocksize;
	r->fs_blocks = p->blocks;
	r->free_blocks = e2lazy_regions_free_blocks(m->regions);
	r->fast_commit_blocks = m->layout.fast_commit_blocks;
	r->wanted = m->given_journal;
	/* Without a throughput take the default of mke2fs. */
	if (!r->wanted && m->throughput_source == MAKE_NONE)
		r->wanted = p->journal_blocks * p->blocksize;
}

static bool size_journal(struct make *m)
{
	char size[SIZE_TEXT], most[SIZE_TEXT], half[SIZE_TEXT];
	errcode_t err;

	set_request(m);
	err = e2lazy_journal_size(&m->request, &m->journal);
	if (err == E2LAZY_ET_JOURNAL_SIZE) {
		make_mib_text(size, m->journal.bytes);
		make_mib_text(most, m->journal.most);
		make_mib_text(half, m->journal.half_free);
		session_complain(m->s, FSCK_ERROR,
				 _("a journal of %s is impossible: it has at "
				   "least 1024 blocks, and at most %s and half "
				   "of the free space (%s)"), size, most,
				 half);
	} else if (err == E2LAZY_ET_DIRTY_TIMER) {
		session_complain(m->s, FSCK_ERROR,
				 _("the flusher does not wake up by itself, so "
				   "--policy strict has no size; use --policy "
				   "paper"));
	} else if (err) {
		session_fail(m->s, err, NULL);
	}
	return !err;
}

/* ----------------------------------------------------------- the bands */

static void count_bands(const struct make *m, bool dynamic,
			struct e2lazy_bands *bands)
{
	const struct e2lazy_band_model model = {
		.band_bytes = m->band, .dynamic = dynamic,
		.start = m->drive.start,
	};
	const struct e2lazy_fs_plan *p = &m->layout.plan;

	e2lazy_bands(m->regions, p->blocks * p->blocksize, &model, bands);
}

bool make_compare(struct make *m, const struct profile *profile,
		  struct e2lazy_bands *bands, uint64_t *used)
{
	const struct e2lazy_band_model model = {
		.band_bytes = m->band, .start = m->drive.start,
	};
	struct make_layout layout;
	struct e2lazy_regions *regions;
	errcode_t err;

	memset(bands, 0, sizeof(*bands));
	if (!make_layout(m, profile, 0, UINT64_MAX, &layout))
		return false;
	*used = make_use(m, &layout.plan);
	err = e2lazy_regions_planned(&layout.plan, &regions);
	if (!err) {
		e2lazy_bands(regions,
			     layout.plan.blocks * layout.plan.blocksize,
			     &model, bands);
		e2lazy_regions_free(regions);
	}
	make_layout_free(&layout);
	/* It is no failure if another profile does not fit. */
	return err != EXT2_ET_NO_MEMORY || fail(m, err);
}

bool make_plan(struct make *m)
{
	const struct e2lazy_fs_plan *p = &m->layout.plan;

	if (!make_load_conf(m) || !lay_out_first(m) ||
	    !make_throughput(m, m->journal_start * p->blocksize) ||
	    !make_timer(m) || !size_journal(m) ||
	    !lay_out(m, m->journal.bytes / p->blocksize, zone_goal(m)))
		return false;
	m->misaligned = !make_is_aligned(m, m->journal_start);
	count_bands(m, false, &m->bands);
	count_bands(m, true, &m->dynamic);
	return make_command(m);
}

/* -------------------------------------------------------------- advice */

static bool is_shingled(const struct make *m)
{
	return m->choice ? m->choice != MAKE_CMR :
			   m->drive.cls >= E2LAZY_DRIVE_DM_SUSPECTED;
}

unsigned make_advice(const struct make *m, const char *texts[MAKE_ADVICE])
{
	const struct e2lazy_fs_plan *p = &m->layout.plan;
	bool smr = is_shingled(m);
	const struct {
		bool		due;
		const char	*text;
	} all[] = {
		{ smr, N_("mount it with noatime,lazytime, which writes fewer "
			  "inode tables") },
		{ smr, N_("leave the drive idle at times, so that it can "
			  "clean; large files that are written at once (8 MiB "
			  "and more) need no cleaning") },
		{ smr && m->drive.discard_granularity,
		  N_("mke2fs discards the whole device first, so the drive "
		     "forgets its old contents; use -- -E nodiscard if that "
		     "takes too long") },
		{ !p->resize_blocks,
		  N_("the file system cannot grow while it is mounted") },
		{ m->journal.clamps & E2LAZY_CLAMP_FREE,
		  N_("the device is small for this drive, and the journal "
		     "takes half of it; --journal-size makes it smaller") },
		{ m->misaligned && !*m->layout.blur,
		  N_("the journal does not begin at the start of a zone: on "
		     "large drives the profile smr-zoned without other layout "
		     "options finds such a place") },
		{ m->policy == E2LAZY_SIZE_PAPER &&
		  m->journal.strict > m->journal.bytes,
		  N_("jbd2 makes writers wait before the log is full; --policy "
		     "strict allows for that") },
		{ !m->request.wanted && m->timer.expire_ms > LONG_TIMER_MS,
		  N_("the dirty timer is long, as on laptops; the journal "
		     "grows with it") },
		{ m->drive.alignment > 0,
		  N_("the device does not begin at a physical sector, so "
		     "writes will cost extra reads") },
		{ m->mark, N_("only early kernels with ext4-lazy mount by "
			      "journal_lazy in the superblock; later ones "
			      "remove it, and other kernels ignore all options "
			      "there") },
	};
	unsigned count = 0;

	_Static_assert(sizeof(all) / sizeof(*all) <= MAKE_ADVICE,
		       "no room for all advice");
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (all[i].due)
			texts[count++] = all[i].text;
	return count;
}
