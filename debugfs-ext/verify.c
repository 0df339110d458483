/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * verify.c - debuglazy jverify: every copy checked, every live block read
 */
#include <stdlib.h>

#include "shell.h"
#include "support/nls.h"
#include "support/status.h"

static errcode_t read_live(struct session *s, void *block,
			   struct e2lazy_damage *unread)
{
	size_t count = e2lazy_jmap_count(s->log->map), i;
	struct e2lazy_where where;
	struct e2lazy_copy copy;
	errcode_t err;

	for (i = 0; i < count; i++) {
		if (!progress_tick(&s->print.progress, i, count))
			return E2LAZY_ET_CANCELLED;
		e2lazy_jmap_get(s->log->map, i, &copy);
		err = e2lazy_view_read(s->log->view, E2LAZY_FILE_SYSTEM,
				       copy.fsblk * s->log->geo->blocksize,
				       s->log->geo->blocksize, block, &where);
		if (!err || err == E2LAZY_ET_DATA_CSUM)
			continue;	/* the map finds bad copies */
		s->status |= FSCK_ERROR;
		/* Superseded copies are verified too, if copies have
		   checksums. */
		if (copy.flags & E2LAZY_COPY_UNREADABLE || unread->count++)
			continue;
		unread->error = err;
		unread->first = where;
	}
	return 0;
}

static uint64_t copies(const struct e2lazy_map_stats *stats)
{
	uint64_t total = 0;

	for (unsigned i = 0; i < E2LAZY_NR_STATES; i++)
		total += stats->states[i];
	return total;
}

/* One line, below all findings. */
static void print_verdict(struct session *s, bool good)
{
	out_format(&s->print.out,
		   good ? _("%llu copies, %zu live blocks: all good\n")
			: _("%llu copies, %zu live blocks: some are bad\n"),
		   (unsigned long long)copies(s->log->stats),
		   e2lazy_jmap_count(s->log->map));
}

static void verify(struct session *s)
{
	void *block = malloc(s->log->geo->blocksize);
	struct e2lazy_damage unread = { .count = 0 };
	struct finding findings[MAX_FINDINGS];
	errcode_t err = EXT2_ET_NO_MEMORY;

	if (block) {
		progress_begin(&s->print.progress, PHASE_COPIES);
		err = read_live(s, block, &unread);
		progress_end(&s->print.progress);
	}
	free(block);
	if (cancelled())
		return;
	if (err)
		session_fail(s, err, NULL);
	if (unread.count)
		session_tell(s, FSCK_ERROR, &unread);
	session_tell_damage(s);
	if (!err)
		print_verdict(s, !unread.count &&
				 !opened_findings(s->log, findings));
}

void run_verify(struct shell *shell, struct session *s)
{
	char *arg;

	if (session_option(s, NULL, &arg) != OPTION_END ||
	    !session_operands(s, 1, 1))
		return;
	s->source.limits.check_data = true;
	/* The opening may be long ago: report all damage again. */
	s->tell_again = shell->listening;
	if (session_open(s) && session_build(s, E2LAZY_JMAP_CSUMS, false) &&
	    session_view(s) && session_look(s))
		verify(s);
}
