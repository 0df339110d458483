/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * speed.c - measures the device for the plan's estimate of the time
 */
#include <string.h>
#include <sys/stat.h>

#include "ck.h"
#include "support/nls.h"
#include "support/status.h"

/* One seek and half a revolution of a common disk. */
#define SEEK_US		12000

/* A user may run a plan repeatedly, so it measures for a shorter time than
   mke2lazy. */
#define MEASURE_MS	2000

/*
 * Read where the log is: some devices invent the contents of unwritten blocks.
 * An external log is not on this device.
 */
static uint64_t place_of_log(const struct session *s)
{
	blk64_t block;

	if (s->log->geo->external ||
	    e2lazy_physblk(s->log->journal, s->log->geo->first, &block))
		return s->source.open.offset;
	return s->source.open.offset + block * s->log->geo->blocksize;
}

static bool measure(struct ck *ck, const struct e2lazy_drive *drive,
		    struct ck_speed *speed)
{
	struct e2lazy_throughput *t = &speed->measured;
	const struct e2lazy_watch watch = { .stop = session_stop };
	struct session *s = ck->s;
	errcode_t err = e2lazy_drive_throughput(s->device, drive,
						place_of_log(s), MEASURE_MS,
						&watch, t);

	if (err == E2LAZY_ET_CANCELLED)
		return false;
	if (err) {
		session_complain(s, 0, _("cannot measure the throughput, so "
					 "the plan has no time: %s"),
				 _(error_message(err)));
		return true;
	}
	if (t->busy)
		session_complain(s, 0, _("other programs used the disk during "
					 "the measurement; the throughput may "
					 "be too low"));
	if (t->implausible) {
		session_complain(s, 0, _("the measured throughput is higher "
					 "than any disk's, as on a device that "
					 "was never written; give --throughput "
					 "for an estimate of the time"));
		return true;
	}
	speed->source = CK_MEASURED;
	speed->rate = t->bytes_per_second;
	return true;
}

/* A file is only a part of its disk. */
static bool is_block_device(const char *device)
{
	struct stat st;

	return !stat(device, &st) && S_ISBLK(st.st_mode);
}

bool ck_speed(struct ck *ck, struct ck_speed *speed)
{
	const char *device = ck->s->device;
	bool block_device = is_block_device(device);
	struct e2lazy_drive drive;

	memset(speed, 0, sizeof(*speed));
	if (block_device && !e2lazy_drive_probe(device, NULL, &drive, NULL))
		speed->seek_us = drive.rotational ? SEEK_US : 0;
	else
		memset(&drive, 0, sizeof(drive));
	if (ck->drive && !ck->throughput)	/* of that drive, not of this */
		return true;
	if (ck->throughput) {
		speed->source = CK_GIVEN;
		speed->rate = ck->throughput;
		return true;
	}
	/* A plan beside the work does not justify the wait. */
	return !ck->plan || !block_device || measure(ck, &drive, speed);
}
