/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * way.c - a way around what keeps a device from being opened
 *
 * It names only options that the command has, and a backup only if that opens
 * the file system.
 */
#include "session.h"
#include "support/nls.h"

/* The first backups of file systems with full groups. */
static const struct {
	unsigned	blocksize;
	blk64_t		block;
} backups[] = {
	{ 4096, 32768 }, { 1024, 8193 }, { 2048, 16384 },
};

static bool opens_by(const struct session *s, struct e2lazy_open_opts *opts)
{
	struct e2lazy_journal *journal;
	struct e2lazy_where where;

	if (e2lazy_open(s->device, opts, &journal, &where))
		return false;
	e2lazy_close(journal);
	return true;
}

bool session_find_backup(const struct session *s, struct e2lazy_open_opts *opts)
{
	if (s->source.open.superblock)
		return false;
	for (size_t i = 0; i < sizeof(backups) / sizeof(*backups); i++) {
		*opts = s->source.open;
		opts->journal_name = NULL;
		opts->superblock = backups[i].block;
		opts->blocksize = backups[i].blocksize;
		if (opens_by(s, opts))
			return true;
	}
	return false;
}

/* Words of --geometry with which the log can be read nevertheless, or NULL. */
static const char *geometry_around(errcode_t error)
{
	switch (error) {
	case E2LAZY_ET_JSB_MAGIC:
	case E2LAZY_ET_JSB_CSUM:
	case E2LAZY_ET_JSB_BLOCKSIZE:
	case E2LAZY_ET_JSB_FIRST:
	case E2LAZY_ET_JSB_START:
	case E2LAZY_ET_JSB_FEATURE:
	case E2LAZY_ET_JSB_CSUM_TYPE:
	case E2LAZY_ET_JSB_FAST_COMMIT:
		return "auto";
	case E2LAZY_ET_JOURNAL_INODE:
	case E2LAZY_ET_JOURNAL_MAP:
		return "carve";
	}
	return NULL;
}

static void tell_geometry(struct session *s, const char *word)
{
	if (!s->source.geometry.text && options_know(&s->options, "geometry"))
		session_complain(s, 0, _("see 'e2lazy doctor', or read the "
					 "log without it: --geometry %s"),
				 word);
}

static void tell_backup(struct session *s)
{
	struct e2lazy_open_opts opts;

	if (!options_know(&s->options, "superblock") ||
	    !session_find_backup(s, &opts))
		return;
	if (s->source.writes)
		session_complain(s, 0, _("writing needs the primary "
					 "superblock; see 'e2lazy doctor'"));
	else
		session_complain(s, 0, _("use the backup: -b %llu -B %u"),
				 (unsigned long long)opts.superblock,
				 opts.blocksize);
}

void session_tell_way(struct session *s, errcode_t error)
{
	const char *word = geometry_around(error);

	if (word)
		tell_geometry(s, word);
	else if (s->device && error && !e2lazy_problem_of(error))
		tell_backup(s);
}
