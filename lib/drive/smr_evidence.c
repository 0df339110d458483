/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * smr_evidence.c - is a disk shingled?  A table of signs
 *
 * A disk that manages its shingles itself need not say so, and most do not.  So
 * each sign has a weight.  Only a statement of the drive or the kernel is
 * proof.  A sign from the list of models counts by its confidence.  Hints, even
 * all together, make only a suspicion.
 */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "disk.h"

/* For xgettext only; the program that prints a text translates it. */
#define N_(text) text

/* A disk is suspect from this sum of hints on; signs against it subtract. */
#define SUSPICION	30
/* Hints often share a cause, so their sum is limited. */
#define MOST_SUSPICION	70

/*
 * Percent of the sign's score, 0: no such sign; @detail gets the observation.
 */
typedef unsigned (*seen_fn)(const struct disk *disk, char *detail);

#define DETAIL	sizeof(((struct e2lazy_drive_sign *)0)->detail)

__attribute__((format(printf, 2, 3)))
static unsigned detailed(char *detail, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(detail, DETAIL, format, args);
	va_end(args);
	return 100;
}

static unsigned zones(const struct disk *disk, char *detail, const char *model)
{
	if (disk->zone_bytes)
		return detailed(detail, "%s, zones of %llu KiB", model,
				(unsigned long long)disk->zone_bytes >> 10);
	return detailed(detail, "%s", model);
}

static unsigned host_managed(const struct disk *disk, char *detail)
{
	return disk->zoned != ZONED_HOST_MANAGED || disk->zones_hidden ? 0 :
	       zones(disk, detail, "queue/zoned: host-managed");
}

static unsigned host_aware(const struct disk *disk, char *detail)
{
	return disk->zoned != ZONED_HOST_AWARE ? 0 :
	       zones(disk, detail, "queue/zoned: host-aware");
}

static unsigned zones_hidden(const struct disk *disk, char *detail)
{
	return disk->zoned != ZONED_HOST_MANAGED || !disk->zones_hidden ? 0 :
	       zones(disk, detail, "queue/zoned: host-managed below, none above");
}

static unsigned says_host_aware(const struct disk *disk, char *detail)
{
	return disk->says != SAYS_HOST_AWARE ? 0 :
	       detailed(detail, "%s", disk->says_where);
}

static unsigned says_device_managed(const struct disk *disk, char *detail)
{
	return disk->says != SAYS_DEVICE_MANAGED ? 0 :
	       detailed(detail, "%s", disk->says_where);
}

static unsigned listed(const struct disk *disk, char *detail,
		       enum model_kind kind)
{
	const struct model_match *match = &disk->listed.match[kind];

	if (match->confidence)
		detailed(detail, "%s, by %s", disk->model, match->source);
	return match->confidence;
}

static unsigned listed_host_managed(const struct disk *disk, char *detail)
{
	return disk->zones_hidden ? 0 :
	       listed(disk, detail, MODEL_HOST_MANAGED);
}

/* A paravirtual disk has no model, and takes TRIM if its file does. */
static bool takes_trim(const struct disk *disk)
{
	return disk->rotation_known && disk->rotational &&
	       disk->zoned == ZONED_NO && *disk->model &&
	       !disk->listed.match[MODEL_VIRTUAL].confidence &&
	       (disk->discard_granularity || disk->identify_trim);
}

static unsigned trim(const struct disk *disk, char *detail)
{
	if (disk->identify_trim)
		return detailed(detail, "IDENTIFY word 169");
	return detailed(detail, "queue/discard_granularity: %llu",
			(unsigned long long)disk->discard_granularity);
}

/* Linux and SAT give a SATA disk the vendor "ATA". */
static unsigned trim_on_ata(const struct disk *disk, char *detail)
{
	return takes_trim(disk) && !strcmp(disk->vendor, "ATA") ?
	       trim(disk, detail) : 0;
}

/* Thin volumes of storage arrays and bridges take UNMAP, too. */
static unsigned trim_on_scsi(const struct disk *disk, char *detail)
{
	return takes_trim(disk) && strcmp(disk->vendor, "ATA") ?
	       trim(disk, detail) : 0;
}

static unsigned slow(const struct disk *disk, char *detail)
{
	return disk->rpm < 5000 || disk->rpm >= 6000 ? 0 :
	       detailed(detail, "%u a minute", disk->rpm);
}

static unsigned not_rotating(const struct disk *disk, char *detail)
{
	return !disk->rotation_known || disk->rotational ? 0 :
	       detailed(detail, "queue/rotational: 0");
}

static unsigned rotation_unknown(const struct disk *disk, char *detail)
{
	(void)detail;
	return disk->rotation_known || disk->no_sysfs ? 0 : 100;
}

static unsigned nothing_known(const struct disk *disk, char *detail)
{
	(void)detail;
	return disk->no_sysfs ? 100 : 0;
}

static unsigned not_all_seen(const struct disk *disk, char *detail)
{
	(void)detail;
	return disk->cut ? 100 : 0;
}

static unsigned without_sense(const struct disk *disk, char *detail)
{
	return *disk->doubt ? detailed(detail, "%s", disk->doubt) : 0;
}

/* Ids are part of the output contract; the programs print in this order. */
static const struct sign {
	const char	*id;
	int		score;
	enum e2lazy_drive_class cls;	/* the class that it proves or hints */
	const char	*text;
	seen_fn		seen;		/* NULL: the list of models decides */
	enum model_kind	listed;		/* kind in that list */
} signs[] = {
	{ "zoned-host-managed", 100, E2LAZY_DRIVE_HOST_MANAGED,
	  N_("its zones accept sequential writes only"),
	  .seen = host_managed },
	{ "zoned-host-aware", 100, E2LAZY_DRIVE_HOST_AWARE,
	  N_("it has zones and prefers sequential writes"),
	  .seen = host_aware },
	{ "zones-hidden", 100, E2LAZY_DRIVE_HOST_AWARE,
	  N_("it is a host-managed disk below a layer that accepts writes "
	     "anywhere"),
	  .seen = zones_hidden },
	{ "says-host-aware", 95, E2LAZY_DRIVE_HOST_AWARE,
	  N_("the drive says that it is host-aware"), .seen = says_host_aware },
	{ "says-device-managed", 95, E2LAZY_DRIVE_DM_REPORTED,
	  N_("the drive says that it manages its zones itself"),
	  .seen = says_device_managed },
	{ "model-host-managed", 90, E2LAZY_DRIVE_HOST_MANAGED,
	  N_("its model is known as host-managed"),
	  .seen = listed_host_managed },
	{ "model-host-aware", 90, E2LAZY_DRIVE_HOST_AWARE,
	  N_("its model is known as host-aware"), .listed = MODEL_HOST_AWARE },
	{ "model-listed", 95, E2LAZY_DRIVE_DM_LISTED,
	  N_("its model is known as shingled"),
	  .listed = MODEL_DEVICE_MANAGED },
	{ "model-rumoured", 60, E2LAZY_DRIVE_DM_SUSPECTED,
	  N_("a list made by users names its model as shingled"),
	  .listed = MODEL_RUMOURED },
	{ "trim-ata", 50, E2LAZY_DRIVE_DM_SUSPECTED,
	  N_("it rotates and accepts TRIM"), .seen = trim_on_ata },
	{ "trim-scsi", 20, E2LAZY_DRIVE_DM_SUSPECTED,
	  N_("it rotates and accepts UNMAP, as thin volumes do too"),
	  .seen = trim_on_scsi },
	{ "slow-rotation", 5, E2LAZY_DRIVE_DM_SUSPECTED,
	  N_("it rotates as slowly as most shingled drives"), .seen = slow },
	{ "model-conventional", -60, E2LAZY_DRIVE_ROTATIONAL,
	  N_("its model is known as not shingled"),
	  .listed = MODEL_CONVENTIONAL },
	{ "model-virtual", -40, E2LAZY_DRIVE_ROTATIONAL,
	  N_("it is a virtual machine's disk, which hides the disk below it"),
	  .listed = MODEL_VIRTUAL },
	{ "not-rotational", -40, E2LAZY_DRIVE_SOLID,
	  N_("it does not rotate"), .seen = not_rotating },
	{ "rotation-unknown", 0, E2LAZY_DRIVE_ROTATIONAL,
	  N_("the kernel does not say whether it rotates"),
	  .seen = rotation_unknown },
	{ "no-sysfs", 0, E2LAZY_DRIVE_ROTATIONAL,
	  N_("the kernel's description of the device cannot be read"),
	  .seen = nothing_known },
	{ "not-all-seen", 0, E2LAZY_DRIVE_ROTATIONAL,
	  N_("some disks below it could not be examined"),
	  .seen = not_all_seen },
	{ "makes-no-sense", 0, E2LAZY_DRIVE_ROTATIONAL,
	  N_("the kernel's description has an impossible value"),
	  .seen = without_sense },
};

/* If no room is left, replace the last sign. */
static struct e2lazy_drive_sign *sign_room(struct e2lazy_drive *out)
{
	if (out->nr_signs == E2LAZY_DRIVE_SIGNS)
		return &out->signs[E2LAZY_DRIVE_SIGNS - 1];
	return &out->signs[out->nr_signs++];
}

static bool is_hint(const struct sign *sign)
{
	return sign->cls == E2LAZY_DRIVE_DM_SUSPECTED || sign->score < 0;
}

static int bounded(int score, int most)
{
	return score < 0 ? 0 : score > most ? most : score;
}

void disk_judge(const struct disk *disk, struct e2lazy_drive *out)
{
	int score = 0, hints = 0;

	out->cls = disk->rotation_known && !disk->rotational ?
		   E2LAZY_DRIVE_SOLID : E2LAZY_DRIVE_ROTATIONAL;
	out->nr_signs = 0;
	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++) {
		const struct sign *sign = &signs[i];
		char detail[DETAIL] = "";
		unsigned percent = sign->seen ? sign->seen(disk, detail) :
				   listed(disk, detail, sign->listed);
		int weight = sign->score * (int)percent / 100;
		struct e2lazy_drive_sign *to;

		if (!percent)
			continue;
		to = sign_room(out);
		to->id = sign->id;
		to->text = sign->text;
		to->score = weight;
		memcpy(to->detail, detail, DETAIL);
		score += weight;
		if (is_hint(sign))
			hints += weight;
		else if (sign->score && sign->cls > out->cls)
			out->cls = sign->cls;
	}
	if (out->cls < E2LAZY_DRIVE_DM_SUSPECTED && hints >= SUSPICION)
		out->cls = E2LAZY_DRIVE_DM_SUSPECTED;
	out->score = bounded(score, out->cls <= E2LAZY_DRIVE_DM_SUSPECTED ?
				    MOST_SUSPICION : 100);
}

const char *e2lazy_drive_class_name(enum e2lazy_drive_class cls)
{
	static const char *const names[] = {
		[E2LAZY_DRIVE_FILE] = "file",
		[E2LAZY_DRIVE_SOLID] = "not-rotational",
		[E2LAZY_DRIVE_ROTATIONAL] = "rotational",
		[E2LAZY_DRIVE_DM_SUSPECTED] = "dm-suspected",
		[E2LAZY_DRIVE_DM_LISTED] = "dm-listed",
		[E2LAZY_DRIVE_DM_REPORTED] = "dm-reported",
		[E2LAZY_DRIVE_HOST_AWARE] = "host-aware",
		[E2LAZY_DRIVE_HOST_MANAGED] = "host-managed",
	};

	return (unsigned)cls < sizeof(names) / sizeof(*names) ? names[cls] :
								"unknown";
}
