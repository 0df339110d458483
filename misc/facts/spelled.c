/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * spelled.c - spells commands for the user to run on the session's device
 */
#include <stdio.h>
#include <stdlib.h>

#include "spelled.h"

static void put_number(struct out *out, const char *option, uint64_t number)
{
	out_text(out, option);
	out_u64(out, number);
}

static void put_options(const struct e2lazy_open_opts *o, enum takes takes,
			struct out *out)
{
	if (o->journal && (takes == TAKES_JOURNAL || takes == TAKES_BACKUP ||
			   takes == TAKES_ALL)) {
		out_text(out, " -j ");
		out_word(out, o->journal);
	}
	if (o->offset && takes == TAKES_LOOP)
		put_number(out, " -o loop,offset=", o->offset);
	if (o->journal && takes == TAKES_LOOP) {
		out_text(out, " -o journal_path=");
		out_word(out, o->journal);
	}
	if (takes != TAKES_ALL && takes != TAKES_BACKUP)
		return;
	if (o->offset && takes == TAKES_ALL)
		put_number(out, " --offset ", o->offset);
	if (o->superblock) {
		put_number(out, " -b ", o->superblock);
		put_number(out, " -B ", o->blocksize);
	}
}

/* libext2fs takes an offset as a part of the name. */
static void put_device(const struct session *s, enum takes takes,
		       struct out *out)
{
	uint64_t offset = s->source.open.offset;
	char *name = NULL;

	if (takes == TAKES_JOURNAL_ALONE) {
		out_file_word(out, s->source.open.journal ?
				   s->source.open.journal :
				   s->log->geo->journal_device);
		return;
	}

	if (offset && (takes == TAKES_OFFSET || takes == TAKES_JOURNAL ||
		       takes == TAKES_BACKUP) &&
	    asprintf(&name, "%s?offset=%llu", s->device,
		     (unsigned long long)offset) < 0)
		name = NULL;
	out_file_word(out, name ? name : s->device);
	free(name);
}

void spell_command(const struct session *s, const char *command,
		   enum takes takes, struct out *out)
{
	out_text(out, command);
	put_options(&s->source.open, takes, out);
	if (*s->source.bad_map && takes == TAKES_ALL) {
		out_text(out, " --bad-map ");
		out_word(out, s->source.bad_map);
	}
	out_char(out, ' ');
	put_device(s, takes, out);
}
