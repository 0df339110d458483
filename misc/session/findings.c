/* SPDX-License-Identifier: GPL-2.0-only */
/* findings.c - the damage of an open log and its device */
#include "opened.h"
#include "support/device.h"

static struct finding at_log(errcode_t error, uint32_t logblk, uint32_t tid)
{
	return (struct finding){
		.error = error, .count = 1,
		.where = { .has = E2LAZY_AT_LOGBLK | E2LAZY_AT_TID,
			   .logblk = logblk, .tid = tid },
	};
}

size_t device_findings(const struct e2lazy_geometry *geo,
		       struct finding *finding)
{
	if (!device_short(geo))
		return 0;
	*finding = (struct finding){
		.error = E2LAZY_ET_FS_SHORT, .count = 1,
		.where = { .has = E2LAZY_AT_FSBLK,
			   .fsblk = geo->device_blocks },
	};
	return 1;
}

size_t opened_findings(const struct opened *o,
		       struct finding findings[MAX_FINDINGS])
{
	const struct e2lazy_damage *damage = o->stats->damage;
	struct finding *to = findings;

	for (size_t i = 0; i < o->stats->nr_damage; i++)
		*to++ = (struct finding){ damage[i].error, damage[i].count,
					  damage[i].first };
	if (o->end->error)
		*to++ = at_log(o->end->error, o->end->stop, o->end->tid);
	if (o->looked && o->beyond.verdict == E2LAZY_BEYOND_DAMAGE)
		*to++ = at_log(E2LAZY_ET_LATER_TXN, o->beyond.first.logblk,
			       o->beyond.first.tid);
	to += device_findings(o->geo, to);
	/* Damage of the journal's device as a whole. */
	if (o->geo->external && !o->geo->listed)
		*to++ = (struct finding){ .error = E2LAZY_ET_EXT_NOT_USER,
					  .count = 1 };
	return to - findings;
}

const char *opened_device_of(const struct opened *o, errcode_t error,
			     const struct e2lazy_where *where)
{
	bool in_fs = error == E2LAZY_ET_FS_SHORT ||
		     (where->has & E2LAZY_AT_FSBLK &&
		      !(where->has & E2LAZY_AT_LOGBLK));

	return in_fs ? o->device : opened_log_device(o);
}

void opened_tell(const struct opened *o, const struct finding *finding)
{
	device_complain(opened_device_of(o, finding->error, &finding->where),
			&finding->where, finding->error, finding->count - 1);
}
