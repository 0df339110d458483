/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * session.c - from the command line to an open journal and its map
 */
#include "decode/features.h"
#include "decode/raw_super.h"
#include "session.h"
#include "support/nls.h"
#include "support/status.h"

/* ------------------------------------------------------ ways to open it */

/*
 * A message about a device that does not open leads on: to an option that the
 * command has, and to a backup only if that opens the file system.
 */

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

const char *session_geometry_around(errcode_t error)
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
	case E2LAZY_ET_JOURNAL_SHORT:
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

/* tune2fs -O ^has_journal leaves the backups as they were. */
static bool has_no_log(const struct session *s, errcode_t error)
{
	struct ext2_super_block sb;

	return error == E2LAZY_ET_NO_JOURNAL &&
	       raw_super_read(s->device, s->source.open.offset, &sb) &&
	       !ext2fs_has_feature_journal_needs_recovery(&sb);
}

static void tell_backup(struct session *s)
{
	struct e2lazy_open_opts opts;

	if (!options_know(&s->options, "superblock") ||
	    has_no_log(s, s->log->unopened.error) || !session_find_backup(s, &opts))
		return;
	if (s->source.writes)
		session_complain(s, 0, _("writing needs the primary "
					 "superblock; see 'e2lazy doctor'"));
	else
		session_complain(s, 0, _("use the backup: -b %llu -B %u"),
				 (unsigned long long)opts.superblock,
				 opts.blocksize);
}

static bool is_feature(errcode_t error)
{
	return error == EXT2_ET_UNSUPP_FEATURE ||
	       error == EXT2_ET_RO_UNSUPP_FEATURE;
}

/* libext2fs does not say which. */
static void tell_features(struct session *s)
{
	char text[FEATURES_TEXT];

	features_of_device(text, s->device, s->source.open.offset);
	if (*text)
		session_complain(s, 0, _("unsupported features: %s"), text);
}

void session_tell_way(struct session *s, errcode_t error)
{
	const char *word = session_geometry_around(error);

	if (word)
		tell_geometry(s, word);
	else if (s->device && error && !e2lazy_problem_of(error))
		tell_backup(s);
}

/* ----------------------------------------------------------- open, build */

bool session_open(struct session *s)
{
	const struct e2lazy_watch watch = session_watch(s);

	print_colors(&s->print);
	if (s->lender) {
		if (!session_borrow(s))
			return false;
	} else if (!opened_begin(s->log, s->operands[0], &s->source.open,
				 &s->source.geometry, s->source.writes,
				 &watch)) {
		s->device = s->log->device;
		s->status |= FSCK_ERROR;
		if (is_feature(s->log->unopened.error))
			tell_features(s);
		if (!s->finds_way)
			session_tell_way(s, s->log->unopened.error);
		return false;
	}
	if (s->print.progress.phase != PHASE_NONE)
		progress_end(&s->print.progress);
	s->print.progress.device = s->device = s->log->device;
	status_catch_signals();
	return true;
}

bool session_build(struct session *s, unsigned flags, bool times)
{
	const struct e2lazy_watch watch = session_watch(s);
	errcode_t err;

	if (session_share_map(s))
		return true;
	if (!opened_stretch(s->log, &s->source.limits, &watch)) {
		s->status |= FSCK_ERROR;
		return false;
	}
	if (s->print.progress.phase != PHASE_NONE)
		progress_end(&s->print.progress);
	progress_begin(&s->print.progress, PHASE_LOG);
	err = opened_build(s->log, &s->source.limits, flags, times, &watch);
	progress_end(&s->print.progress);
	if (err) {
		session_fail(s, err, NULL);
		return false;
	}
	print_make_way(&s->print);
	if (opened_reaches_until(s->log))
		return true;
	s->status |= FSCK_ERROR;
	return false;
}

errcode_t session_walk(struct session *s, struct e2lazy_walk **walk)
{
	const struct limits *limits = &s->source.limits;
	const struct opened *log = s->log;

	return e2lazy_walk_ranges(log->journal, log->ranges,
				  log->nr_ranges ? log->nr_ranges : 1,
				  limits_flags(limits), limits->until, walk);
}

bool session_layout(struct session *s)
{
	struct opened *log = s->log;
	struct e2lazy_where where;
	errcode_t err;

	if (log->layout)
		return true;
	err = e2lazy_layout_build(log->journal, log->map, &log->layout,
				  &where);
	if (err)
		session_fail(s, err, &where);
	return !err;
}

bool session_has_inode(struct session *s, uint64_t ino)
{
	const struct ext2_super_block *super;

	if (!session_layout(s))
		return false;
	super = e2lazy_layout_fs(s->log->layout)->super;
	if (ino > 0 && ino <= super->s_inodes_count)
		return true;
	session_complain(s, FSCK_USAGE,
			 _("inode %llu: the file system has inodes 1 to %u"),
			 (unsigned long long)ino, super->s_inodes_count);
	return false;
}

bool session_look(struct session *s)
{
	struct opened *log = s->log;
	errcode_t err;

	/*
	 * Past a requested end, later transactions are no damage; past an
	 * empty log, nothing is expected.
	 */
	if (log->looked || log->nr_ranges || log->end->reason == E2LAZY_END_UNTIL ||
	    log->end->reason == E2LAZY_END_EMPTY)
		return true;
	err = e2lazy_beyond(log->journal, log->end, NULL, &log->beyond);
	if (err)
		session_fail(s, err, NULL);
	else
		log->looked = true;
	return !err;
}

enum e2lazy_type session_identify(struct session *s,
				  const struct e2lazy_copy *copy, void *block,
				  struct e2lazy_damage *unread)
{
	errcode_t err = e2lazy_read_copy(s->log->journal, copy->logblk,
					 copy->flags, block);

	if (!err)
		return e2lazy_identify(s->log->layout, block);
	if (unread->count++ == 0) {
		unread->error = err;
		unread->first.has = E2LAZY_AT_LOGBLK | E2LAZY_AT_FSBLK;
		unread->first.logblk = copy->logblk;
		unread->first.fsblk = copy->fsblk;
	}
	return E2LAZY_TYPE_OTHER;
}

struct instant session_instant(const struct session *s, uint32_t tid)
{
	const struct commit_times *times = &s->log->times;
	uint32_t index = tid - times->first;

	return index < times->count ? times->at[index] :
				      (struct instant){ .sec = 0 };
}

uint32_t session_position(const struct session *s, uint32_t logblk)
{
	const struct e2lazy_geometry *g = s->log->geo;
	uint32_t start = g->start, end = g->end;

	if (s->log->nr_ranges) {
		start = s->log->ranges[0].start;
		end = last_end(g);
	}
	return logblk >= start ? logblk - start
			       : end - start + (logblk - g->first);
}

void session_time_cell(const struct session *s, struct cell *cell,
		       uint32_t tid)
{
	cell_time(cell, session_instant(s, tid).sec);
}
