/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * drive.c - the drive: its kind, its throughput and the profile that suits it
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "make.h"
#include "session/drive_list.h"
#include "support/nls.h"
#include "support/status.h"

/* Measured band size of drive-managed shingled disks. */
#define BAND_BYTES	(30ULL << 20)

/* Duration of the throughput measurement. */
#define MEASURE_MS	6000

/*
 * Assumed throughput of an unknown 3.5" disk, the paper's, and of a 2.5" one.
 */
#define ASSUMED_RATE	(190ULL << 20)
#define ASSUMED_RATE_25	(130ULL << 20)

/* Linux's default wakeup, if only the timer is given. */
#define USUAL_WAKEUP_MS	5000

/* ------------------------------------------------------------ the drive */

static void fail_probe(struct make *m, errcode_t err, const char *list,
		       unsigned line)
{
	int error = errno;

	out_flush(&m->s->print.out);
	m->s->status |= FSCK_ERROR;
	if (err != E2LAZY_ET_DRIVE_LIST)
		complain_error(m->s->device, err);
	else if (line)
		complain(list, _("line %u: %s"), line, _(error_message(err)));
	else
		complain_error(list, error);
}

bool make_probe(struct make *m)
{
	struct e2lazy_drive_opts opts = { .root = m->sysroot };
	unsigned line = 0;
	errcode_t err = EXT2_ET_NO_MEMORY;
	char *list;

	out_flush(&m->s->print.out);
	if (!drive_list(&list)) {
		m->s->status |= FSCK_ERROR;
		return false;
	}
	opts.models = list;
	if (list)
		err = e2lazy_drive_probe(m->s->device, &opts, &m->drive, &line);
	if (err)
		fail_probe(m, err, list, line);
	free(list);
	return !err;
}

const char *make_class_text(const struct e2lazy_drive *d)
{
	static const char *const texts[] = {
		[E2LAZY_DRIVE_FILE] = N_("it is a file; the disk below it is "
					 "unknown"),
		[E2LAZY_DRIVE_SOLID] = N_("it does not rotate"),
		[E2LAZY_DRIVE_ROTATIONAL] = N_("it rotates; no evidence says "
					       "that it is shingled"),
		[E2LAZY_DRIVE_DM_SUSPECTED] = N_("it is perhaps a "
						 "drive-managed shingled disk"),
		[E2LAZY_DRIVE_DM_LISTED] = N_("its model is known as a "
					      "drive-managed shingled disk"),
		[E2LAZY_DRIVE_DM_REPORTED] = N_("it says that it is a "
						"drive-managed shingled disk"),
		[E2LAZY_DRIVE_HOST_AWARE] = N_("it has zones and accepts "
					       "writes anywhere"),
		[E2LAZY_DRIVE_HOST_MANAGED] = N_("it has zones and accepts "
						 "sequential writes only"),
	};

	if (d->cls == E2LAZY_DRIVE_ROTATIONAL && !d->rotational)
		return N_("the kernel does not say whether it rotates; "
			  "mke2lazy assumes that it does");
	return texts[d->cls];
}

/* --------------------------------------------------------- the profile */

/* The zone size of a zoned drive that does not tell: the common one. */
#define USUAL_ZONE	(256ULL << 20)

uint64_t make_zone_bytes(const struct make *m)
{
	uint64_t zone = m->drive.zone_bytes;

	return zone || strcmp(m->profile->drive, "zoned") ? zone : USUAL_ZONE;
}

/* The profile for a kind of drive, and the reason. */
struct choice {
	const char	*profile;
	const char	*text;
};

static const struct choice by_class[] = {
	[E2LAZY_DRIVE_FILE] = { "cmr",
		N_("the drive is unknown; name it with --drive") },
	[E2LAZY_DRIVE_SOLID] = { "cmr",
		N_("it has neither bands nor a moving head") },
	[E2LAZY_DRIVE_ROTATIONAL] = { "cmr",
		N_("no evidence says that it is shingled; use --drive dm-smr "
		   "if it is") },
	[E2LAZY_DRIVE_DM_SUSPECTED] = { "smr-dm",
		N_("it may be shingled; if not, this profile costs nothing") },
	[E2LAZY_DRIVE_DM_LISTED] = { "smr-dm",
		N_("it is shingled; the profile keeps online resize and "
		   "backups") },
	[E2LAZY_DRIVE_DM_REPORTED] = { "smr-dm",
		N_("it is shingled; the profile keeps online resize and "
		   "backups") },
	[E2LAZY_DRIVE_HOST_AWARE] = { "smr-zoned",
		N_("it has zones; the journal fills whole zones") },
};

static const struct choice by_option[] = {
	[MAKE_CMR] = { "cmr", N_("from --drive") },
	[MAKE_DM_SMR] = { "smr-dm", N_("from --drive") },
	[MAKE_ZONED] = { "smr-zoned", N_("from --drive") },
};

static bool choose(struct make *m, const struct choice *choice)
{
	m->profile = profile_find(choice->profile);
	m->choice_text = choice->text;
	return m->profile != NULL;
}

/* mke2fs would fail halfway: it cannot write its last blocks first. */
static bool refuse_managed(struct make *m)
{
	session_complain(m->s, FSCK_ERROR,
			 _("ext4 cannot write to host-managed zones, which "
			   "accept sequential writes only; use btrfs, f2fs or "
			   "xfs, put dm-zoned between (dmzadm), or use a file "
			   "of conventional zones from zonefs"));
	return false;
}

/* A drive with zones cleans these, as other shingled drives their bands. */
static void choose_band(struct make *m)
{
	uint64_t zone = make_zone_bytes(m);

	if (m->band)
		return;
	m->banded_by_zones = zone >= E2LAZY_BAND_LEAST;
	m->band = m->banded_by_zones ? zone :
		  m->drive.listed_band ? m->drive.listed_band : BAND_BYTES;
}

bool make_choose_profile(struct make *m)
{
	if (m->drive.cls == E2LAZY_DRIVE_HOST_MANAGED)
		return refuse_managed(m);
	if (!(m->choice ? choose(m, &by_option[m->choice])
			: choose(m, &by_class[m->drive.cls])))
		return false;
	if (m->wanted) {
		m->profile = m->wanted;
		m->choice_text = N_("from --profile");
	}
	choose_band(m);
	return true;
}

/* ------------------------------------------------------ the throughput */

static bool is_measurable(const struct make *m)
{
	return !m->sysroot && m->drive.cls != E2LAZY_DRIVE_FILE &&
	       m->drive.rotational;
}

/* Measure at the outer edge, which rather gives too much than too little. */
static void assume(struct make *m)
{
	const struct e2lazy_drive *d = &m->drive;

	m->throughput.bytes_per_second = m->model_rate ? m->model_rate :
		d->listed_throughput ?
		d->listed_throughput :
		d->form_tenths == 25 ? ASSUMED_RATE_25 : ASSUMED_RATE;
	m->throughput_source = MAKE_ASSUMED;
}

static bool measure(struct make *m, uint64_t offset)
{
	const struct e2lazy_watch watch = { .stop = session_stop };
	struct e2lazy_throughput *t = &m->throughput;
	errcode_t err = e2lazy_drive_throughput(m->s->device, &m->drive,
						offset, MEASURE_MS, &watch, t);

	if (err == E2LAZY_ET_CANCELLED)
		return false;
	if (err) {
		session_complain(m->s, 0, _("cannot measure the throughput; "
					    "assuming a typical one: %s"),
				 error_message(err));
		assume(m);
		return true;
	}
	m->throughput_source = MAKE_MEASURED;
	if (t->busy)
		session_complain(m->s, 0, _("other programs used the disk "
					    "during the measurement; the "
					    "throughput may be too low"));
	if (t->implausible) {
		session_complain(m->s, 0, _("the measured throughput is higher "
					    "than any disk's, as on a device "
					    "that was never written; assuming "
					    "a typical one"));
		assume(m);
	}
	return true;
}

/*
 * Without moving parts, deferred write-back is of no use; and a file may lie
 * on any disk, unless the user names a drive.
 */
static bool needs_none(const struct make *m)
{
	return (m->drive.cls == E2LAZY_DRIVE_SOLID ||
		m->drive.cls == E2LAZY_DRIVE_FILE) && !m->choice &&
	       !m->wanted && m->kernel == MAKE_STOCK;
}

bool make_throughput(struct make *m, uint64_t offset)
{
	struct e2lazy_throughput *t = &m->throughput;

	memset(t, 0, sizeof(*t));
	t->offset = offset;
	t->bytes_per_second = m->given_throughput;
	m->throughput_source = MAKE_GIVEN;
	if (m->given_throughput)
		return true;
	m->throughput_source = MAKE_NONE;
	if (m->given_journal || needs_none(m))
		return true;
	if (is_measurable(m))
		return measure(m, offset);
	assume(m);
	return true;
}

/* ----------------------------------------------------------- the timer */

static const char *timer_trouble(const struct e2lazy_dirty_timer *t,
				 errcode_t err)
{
	if (err)
		return _(error_message(err));
	if (!t->wakeup_ms)
		return _("vm.dirty_writeback_centisecs is 0: the kernel never "
			 "writes old blocks back, so no journal is large "
			 "enough");
	if (!t->expire_ms)
		return _("vm.dirty_expire_centisecs is 0: every block is old "
			 "at once");
	return NULL;
}

bool make_timer(struct make *m)
{
	struct e2lazy_dirty_timer *t = &m->timer;
	errcode_t err = e2lazy_dirty_timer(m->sysroot, t);
	const char *trouble = timer_trouble(t, err);

	m->timer_source = err ? MAKE_NONE : MAKE_MEASURED;
	if (m->given_timer) {
		if (err)
			t->wakeup_ms = USUAL_WAKEUP_MS;
		t->expire_ms = m->given_timer;
		m->timer_source = MAKE_GIVEN;
		return true;
	}
	/* The size does not depend on the timer. */
	if (!trouble || m->given_journal || m->throughput_source == MAKE_NONE)
		return true;
	session_complain(m->s, FSCK_ERROR,
			 _("%s; give the timer with --dirty-timer, like 30s"),
			 trouble);
	return false;
}
