/* SPDX-License-Identifier: GPL-2.0-only */
/* tids.c - --tid A[-B], --since and --until */
#include "support/nls.h"
#include "support/status.h"
#include "tids.h"

bool session_tids(struct session *s, const char *text,
		  struct tid_ranges *ranges)
{
	struct range range;

	if (!parse_range(text, UINT32_MAX, &range))
		return session_refuse(s, "--tid", text,
				      _("a transaction or a range A-B"));
	if (!session_range(s, "--tid", text,
			   !e2lazy_tid_after(range.first, range.last)) ||
	    !session_has_room(s, "--tid", ranges->count))
		return false;
	ranges->at[ranges->count++] = (struct tid_range){
		.first = range.first, .last = range.last,
	};
	return true;
}

static bool take_time(struct session *s, const char *option, const char *text,
		      struct when *when)
{
	return parse_when(text, when) ||
	       session_refuse(s, option, text,
			      _("a time, like 2026-01-31T23:59:59Z or "
				"@SECONDS"));
}

static bool has_time(struct session *s, const struct tid_ranges *ranges)
{
	return !ranges->since_set || !ranges->until_set ||
	       !instant_before(ranges->until, ranges->since) ||
	       session_wrong(s, _("no time is left between --since and "
				  "--until"));
}

bool session_since(struct session *s, const char *text,
		   struct tid_ranges *ranges)
{
	struct when when;

	ranges->since_set = take_time(s, "--since", text, &when);
	ranges->since = when.first;
	return ranges->since_set && has_time(s, ranges);
}

bool session_until(struct session *s, const char *text,
		   struct tid_ranges *ranges)
{
	struct when when;

	ranges->until_set = take_time(s, "--until", text, &when);
	ranges->until = when.last;
	return ranges->until_set && has_time(s, ranges);
}

/* Is it one of the @count transactions from @first on? */
static bool has_any(const struct tid_range *range, uint32_t first,
		    uint32_t count)
{
	return (count && first - range->first <= range->last - range->first) ||
	       range->first - first < count;
}

void session_tell_tids(struct session *s, const struct tid_ranges *ranges)
{
	const struct e2lazy_end *end = s->log->end;
	uint32_t first = opened_first_tid(s->log), count = end->tid - first;
	unsigned i = 0;

	/* An uncommitted transaction is in the log, too. */
	if (end->open.descriptors || end->open.revoke_blocks)
		count++;
	while (i < ranges->count && has_any(&ranges->at[i], first, count))
		i++;
	if (i == ranges->count)
		return;
	if (!count)
		session_complain(s, 0, _("--tid: the log has no transaction"));
	else
		session_complain(s, 0, _("--tid: the log has transactions %u "
					 "to %u only"), first,
				 first + count - 1);
}

void session_tell_times(struct session *s, const struct tid_ranges *ranges)
{
	unsigned long n = (unsigned long)s->log->times.unknown;

	if (tids_timed(ranges) && n)
		session_complain(s, 0, P_(
			"%lu transaction has no commit time: --since and "
			"--until leave it out",
			"%lu transactions have no commit time: --since and "
			"--until leave them out", n), n);
}
