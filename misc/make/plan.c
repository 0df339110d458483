/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plan.c - the journal for a drive: its size, its place and the bands it saves
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "make.h"
#include "support/nls.h"
#include "support/status.h"

#define MIB	((uint64_t)1 << 20)

/* A longer timer is a laptop's, and makes a very large journal. */
#define LONG_TIMER_MS	60000

/* ---------------------------------------------------------- the layout */

static bool fail(struct make *m, int error)
{
	session_fail(m->s, error, NULL);
	return false;
}

/* mke2fs warns, and makes a file system all the same. */
static bool lacks_journal(struct make *m)
{
	session_complain(m->s, FSCK_ERROR,
			 _("mke2fs makes no journal with these options or in "
			   "this size, and mke2lazy does nothing without one"));
	return false;
}

/* Read what mke2fs has made in memory. */
static bool read_trial(struct make *m, struct make_layout *l)
{
	struct e2lazy_journal *journal;
	errcode_t err = e2lazy_open(m->trial_name, NULL, &journal, NULL);

	if (err == E2LAZY_ET_NO_JOURNAL)
		return lacks_journal(m);
	if (!err) {
		err = make_read(m, journal, l);
		e2lazy_close(journal);
	}
	return !err || fail(m, err);
}

/*
 * Let mke2fs make the file system of @how in memory, and read it.  @l->blocks is
 * 0 if mke2fs refuses it, which is an error if it @must.  The file is as large
 * as the device, and sparse: mke2fs writes some MiB a TiB.
 */
static bool try_layout(struct make *m, struct make_mke2fs *how, bool must,
		       struct make_layout *l)
{
	uint64_t bytes = m->drive.bytes ? m->drive.bytes : m->size;
	int fd = memfd_create("mke2lazy", MFD_CLOEXEC);
	struct words words = { 0 };
	bool refused = false, ok;

	make_layout_free(l);
	snprintf(m->trial_name, sizeof(m->trial_name), "/proc/self/fd/%d", fd);
	how->target = m->trial_name;
	how->trial = true;
	how->extended = "nodiscard";
	if (fd < 0 || ftruncate(fd, bytes)) {
		fail(m, errno);
		if (fd >= 0)
			close(fd);
		return false;
	}
	make_mke2fs(m, how, &words);
	ok = make_try(m, &words, fd, must, &refused) &&
	     (refused ? !must : read_trial(m, l));
	words_free(&words);
	close(fd);
	return ok;
}

/*
 * As mke2fs has them from the device: smaller ones than a block are pointless.
 */
static void set_topology(const struct make *m, struct make_mke2fs *how)
{
	const struct e2lazy_drive *d = &m->drive;
	uint64_t least = d->minimum_io, best = d->optimal_io;
	unsigned size = m->layout.blocksize;

	if (!least && d->physical_sector > size)
		least = d->physical_sector;
	if (!best)
		best = least;
	if (d->cls == E2LAZY_DRIVE_FILE)
		return;
	how->stride = least > size && least / size <= INT_MAX ?
		      least / size : 0;
	how->stripe = best > size && best / size <= INT_MAX ? best / size : 0;
}

bool make_packs(const struct make *m, const struct profile *profile)
{
	const char *own = profile_value(profile, "packed_meta_blocks");
	char *given = make_list_get(m->passed.extended, "packed_meta_blocks");
	bool packs = given ? strcmp(given, "0") : own != NULL;

	free(given);
	return packs;
}

/* ---------------------------------------------------------- the zones */

static uint64_t zone_bytes(const struct make *m)
{
	uint64_t zone = make_zone_bytes(m);

	/*
	 * mke2fs takes whole MiB for a journal, so it cannot fill other zones.
	 */
	return zone % MIB ? 0 : zone;
}

/* Is there metadata in [start, end), in bytes of the file system? */
static bool has_metadata(const struct make *m, uint64_t start, uint64_t end)
{
	struct e2lazy_region r;

	for (size_t i = 0; i < e2lazy_regions_count(m->layout.regions); i++) {
		e2lazy_regions_get(m->layout.regions, i, &r);
		if (r.start < end && r.start + r.length > start)
			return true;
	}
	return false;
}

bool make_is_aligned(const struct make *m, uint64_t block)
{
	uint64_t at = m->drive.start + block * m->layout.blocksize;

	return !m->request.zone_bytes || at % m->request.zone_bytes == 0;
}

/*
 * Find the first zone from the journal's usual place on that is free of
 * metadata; ~0: there is none, or a signal came.
 */
static uint64_t zone_goal(const struct make *m)
{
	unsigned size = m->layout.blocksize;
	uint64_t zone = m->request.zone_bytes, start = m->drive.start;
	uint64_t end = m->layout.blocks * size;
	uint64_t at = start + m->layout.journal_start * size;

	if (!zone || make_packs(m, m->profile))
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

/*
 * Where none is given, mke2fs adds a part of its own default journal: a 64th of
 * that, which is a 65th of both.
 */
#define FAST_COMMIT_PART	65

static uint64_t fast_commit_blocks(const struct make *m)
{
	char *text = make_list_get(m->passed.journal, "fast_commit_size");
	uint64_t kib = text ? strtoull(text, NULL, 0) : 0;

	free(text);
	if (!m->layout.fast_commit)
		return 0;
	if (kib)
		return kib < UINT32_MAX ? (kib << 10) / m->layout.blocksize :
					  kib;
	return m->layout.journal_blocks / FAST_COMMIT_PART;
}

static void set_request(struct make *m)
{
	struct e2lazy_size_request *r = &m->request;
	const struct make_layout *p = &m->layout;

	memset(r, 0, sizeof(*r));
	r->policy = m->policy;
	r->throughput = m->throughput.bytes_per_second;
	r->timer = m->timer;
	r->live_bytes = m->live;
	r->lazy = m->kernel == MAKE_LAZY;
	r->zone_bytes = zone_bytes(m);
	r->blocksize = p->blocksize;
	r->fs_blocks = p->blocks;
	r->free_blocks = p->free_blocks;
	r->fast_commit_blocks = fast_commit_blocks(m);
	r->wanted = m->given_journal;
	/* Without a throughput take the default of mke2fs. */
	if (!r->wanted && m->throughput_source == MAKE_NONE)
		r->wanted = (p->journal_blocks - r->fast_commit_blocks) *
			    p->blocksize;
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

bool make_compare(struct make *m, const struct profile *profile,
		  struct make_layout *layout)
{
	struct make_mke2fs how = { .profile = profile, .goal = UINT64_MAX };

	memset(layout, 0, sizeof(*layout));
	return try_layout(m, &how, false, layout);
}

/*
 * With mke2fs's own journal first, whose place is about that of the one that it
 * gets: measure there.
 */
bool make_plan(struct make *m)
{
	struct make_mke2fs how = { .profile = m->profile, .goal = UINT64_MAX };
	struct make_layout *l = &m->layout;

	if (!make_check_config(m) || !try_layout(m, &how, true, l) ||
	    !make_throughput(m, l->journal_start * l->blocksize) ||
	    !make_timer(m) || !make_live(m) || !size_journal(m))
		return false;
	how.journal = m->journal.bytes;
	how.goal = zone_goal(m);
	set_topology(m, &how);
	if (cancelled() || !try_layout(m, &how, true, l))
		return false;
	m->misaligned = !make_is_aligned(m, l->journal_start);
	how.target = how.extended = NULL;
	how.trial = false;
	return make_command(m, &how);
}

/* -------------------------------------------------------------- advice */

static bool is_shingled(const struct make *m)
{
	return m->choice ? m->choice != MAKE_CMR :
			   m->drive.cls >= E2LAZY_DRIVE_DM_SUSPECTED;
}

unsigned make_advice(const struct make *m, const char *texts[MAKE_ADVICE])
{
	bool smr = is_shingled(m);
	uint64_t zone = m->drive.zone_bytes;
	bool partition = zone && m->drive.start_known && m->drive.start;
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
		{ !m->layout.resizable,
		  N_("the file system cannot grow while it is mounted") },
		{ m->journal.clamps & E2LAZY_CLAMP_FREE,
		  N_("the device is small for this drive, and the journal "
		     "takes half of it; --journal-size makes it smaller") },
		{ m->misaligned,
		  N_("the journal does not begin at the start of a zone: on "
		     "large drives the profile smr-zoned without other layout "
		     "options finds such a place") },
		{ partition && m->drive.start % zone,
		  N_("the partition does not begin at the start of a zone, so "
		     "flex groups and zones do not agree: begin it with one, "
		     "or use the whole disk") },
		{ partition && m->drive.disk_bytes -
			       (m->drive.start + m->drive.bytes) < zone,
		  N_("the partition shares the last zone with the backup of "
		     "the partition table (GPT), which is rewritten in place: "
		     "end it a zone earlier") },
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
