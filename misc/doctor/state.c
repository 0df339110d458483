/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * state.c - gathers the facts about a device and its log
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <uuid/uuid.h>

#include "doctor.h"
#include "decode/raw_super.h"
#include "facts/mmp.h"
#include "facts/newer.h"
#include "io/grow.h"
#include "log/jbd2.h"
#include "map/super.h"
#include "session/in_use.h"
#include "session/names.h"
#include "states/conditions.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"

/* ------------------------------------------------------------ the device */

static bool super_is_bad(errcode_t err)
{
	return err == EXT2_ET_BAD_MAGIC || err == EXT2_ET_SB_CSUM_INVALID ||
	       err == EXT2_ET_CORRUPT_SUPERBLOCK ||
	       err == EXT2_ET_BAD_DESC_SIZE || err == EXT2_ET_REV_TOO_HIGH;
}

/* A file system that never had a journal has no log to be replayed. */
static bool lost_feature(const struct session *s, errcode_t err)
{
	struct ext2_super_block sb;

	return err == E2LAZY_ET_NO_JOURNAL &&
	       raw_super_read(s->device, s->source.open.offset, &sb) &&
	       ext2fs_has_feature_journal_needs_recovery(&sb);
}

/* session_open() has told why the primary superblock does not do. */
static bool open_by_backup(struct doctor *d)
{
	struct e2lazy_open_opts opts;
	struct session *s = d->s;

	if (!super_is_bad(d->f.unopened) &&
	    !lost_feature(s, d->f.unopened))
		return false;
	if (!session_find_backup(s, &opts))
		return false;
	d->f.primary = d->f.unopened;
	s->source.open.superblock = opts.superblock;
	s->source.open.blocksize = opts.blocksize;
	free(s->log->device);
	s->log->device = NULL;
	d->f.backup = session_open(s);
	d->f.unopened = 0;
	return d->f.backup;
}

static bool open_device(struct doctor *d)
{
	struct session *s = d->s;

	s->finds_way = true;
	if (session_open(s))
		return true;
	d->f.unopened = s->log->unopened.error;
	d->f.where = s->log->unopened.where;
	return d->f.unopened && open_by_backup(d);
}

/* Permissions of a file are no protection of the device. */
static bool is_protected(const char *device)
{
	int fd = open(device, O_RDONLY | O_CLOEXEC), set = 0;
	struct stat st;

	if (fd < 0)
		return false;
	if (fstat(fd, &st))
		st.st_mode = 0;
	if (S_ISBLK(st.st_mode) && ioctl(fd, BLKROGET, &set))
		set = 0;
	close(fd);
	return set || (S_ISREG(st.st_mode) && access(device, W_OK) &&
		       errno == EROFS);
}

/* --------------------------------------------------------------- the log */

bool doctor_is_marked(const struct doctor *d)
{
	const struct e2lazy_journal *journal = d->s->log->journal;

	return journal && super_has_option(e2lazy_static_fs(journal)->super,
					   SUPER_LAZY);
}

bool doctor_has_record(const struct doctor *d)
{
	return opened_is_kept(d->s->log);
}

static const struct e2lazy_where *place_of(const struct doctor *d,
					   const char *id)
{
	const struct e2lazy_finding *f = finding_of(d->f.verdict, id);

	return f ? &f->first : NULL;
}

static errcode_t note_place(void *priv, const struct e2lazy_problem *problem,
			    errcode_t error, const struct e2lazy_where *where)
{
	struct blocks *list = priv;
	blk64_t *at;

	(void)error;
	if (strcmp(problem->id, "given-up") || !(where->has & E2LAZY_AT_FSBLK))
		return 0;
	at = grow(list->at, list->count, &list->room, sizeof(*at));
	if (!at)
		return EXT2_ET_NO_MEMORY;
	list->at = at;
	at[list->count++] = where->fsblk;
	return 0;
}

static bool judge(struct doctor *d)
{
	struct session *s = d->s;
	const struct e2lazy_subject subject = opened_subject(s->log);
	const struct e2lazy_watch watch = session_watch(s);
	const struct e2lazy_verify_opts opts = {
		.flags = E2LAZY_VERIFY_CONTENT | E2LAZY_VERIFY_SUPERSEDED,
		.place = note_place,
		.priv = &d->f.given_up,
		.watch = &watch,
	};
	errcode_t err = e2lazy_verify(&subject, &opts, &d->f.verdict);

	if (!err && s->log->view && s->log->geo->start)
		err = e2lazy_home(&subject, &watch, &d->f.home);
	if (s->print.progress.phase != PHASE_NONE)
		progress_end(&s->print.progress);
	if (err)
		session_fail(s, err, NULL);
	return !err;
}

/*
 * Without a view, as with a bad superblock in the log, the layout is that of
 * the superblock in place.
 */
static bool see_through(struct session *s)
{
	struct e2lazy_where where = { .has = 0 };
	errcode_t err = session_try_view(s, &where);

	if (!err)
		return session_layout(s);
	err = e2lazy_layout_build(s->log->journal, NULL, &s->log->layout,
				  &where);
	if (err)
		session_fail(s, err, &where);
	return !err;
}

/* Newest copies of transactions that an earlier file system committed. */
static uint64_t count_stale(const struct doctor *d)
{
	const struct e2lazy_jmap *map = d->s->log->map;
	const struct e2lazy_where *first = place_of(d, "commit-before-mkfs");
	struct e2lazy_copy copy;
	uint64_t count = 0;

	for (size_t i = 0; first && i < e2lazy_jmap_count(map); i++) {
		e2lazy_jmap_get(map, i, &copy);
		count += !e2lazy_tid_after(first->tid, copy.tid);
	}
	return count;
}

/* Blocks behind the damage that have no copy in the map. */
static uint64_t count_unmapped(const struct doctor *d)
{
	struct e2lazy_copy copy;
	uint64_t count = 0;

	for (size_t i = 0; i < d->f.given_up.count; i++)
		count += e2lazy_jmap_lookup(d->s->log->map, d->f.given_up.at[i],
					    &copy) != 0;
	return count;
}

/*
 * The tags of a damaged control block are lost with it.  If nothing of this log
 * stands behind the damage, it has no such block.
 */
static bool loses_tags(const struct doctor *d)
{
	const struct e2lazy_end *end = d->s->log->end;

	if (end->reason == E2LAZY_END_COMMIT_CSUM)
		return false;
	return end->reason == E2LAZY_END_UNREADABLE || d->f.given_up.count ||
	       facts_found(&d->f, "later-transactions") ||
	       facts_found(&d->f, "behind-damage");
}

static void count(struct doctor *d)
{
	const struct opened *log = d->s->log;
	const struct e2lazy_map_stats *stats = log->stats;

	d->f.txns = stats->txns;
	d->first_tid = stats->first_tid;
	d->last_tid = stats->last_tid;
	d->f.live = e2lazy_jmap_count(log->map);
	d->newer = d->f.live - d->f.home.blocks;
	d->super = newer_super(log->map, log->geo->blocksize);
	d->all = d->newer + count_unmapped(d);
	d->stale = count_stale(d);
	d->more = loses_tags(d);
	d->counted = true;
}

static bool look_at_log(struct doctor *d)
{
	struct session *s = d->s;

	if (!session_build(s, E2LAZY_JMAP_STATES | E2LAZY_JMAP_CSUMS |
			      E2LAZY_JMAP_BEHIND | OPENED_RECOVER,
			   false) ||
	    !session_look(s) || !see_through(s) || !judge(d))
		return false;
	count(d);
	if (!d->f.txns && facts_found(&d->f, "later-transactions"))
		doctor_ask_ring(d);
	/*
	 * Of a damaged log, and beside a kernel's memory, nothing else is sure.
	 * Without the journal's inode, the other ones show how far that goes.
	 */
	if (!d->f.mounted && !d->f.bad_groups &&
	    (!is_damaged(&d->f) || (!d->f.backup && has_lost_inode(&d->f))))
		doctor_look_at_metadata(d);
	return !cancelled();
}

/* A journal that does not open has a state, too, if its file system does. */
static bool has_state(const struct doctor *d)
{
	return e2lazy_problem_of(d->f.unopened) || has_bad_super(&d->f) ||
	       has_no_super(&d->f) ||
	       has_bad_sector(&d->f) || has_unknown_features(&d->f) ||
	       lacks_journal(&d->f) || has_several_journals(&d->f) ||
	       has_no_journal(&d->f);
}

/* As ext4_multi_mount_protect(): the block must be one of the file system's. */
static void look_at_mmp(struct doctor *d, ext2_filsys fs)
{
	blk64_t block = fs->super->s_mmp_block;
	struct mmp_struct mmp;

	if (!ext2fs_has_feature_mmp(fs->super))
		return;
	d->f.mmp_nowhere = block <= fs->super->s_first_data_block ||
			   block >= ext2fs_blocks_count(fs->super);
	d->f.mmp_lost = !d->f.mmp_nowhere &&
			(!mmp_read(fs, &mmp) ||
			 ext2fs_le32_to_cpu(mmp.mmp_magic) != EXT4_MMP_MAGIC);
}

/* A mount writes numbers of its own, and EXT4_MMP_SEQ_CLEAN at its end. */
static uint32_t mmp_sequence(ext2_filsys fs)
{
	struct mmp_struct mmp;

	return mmp_read(fs, &mmp) &&
	       ext2fs_le32_to_cpu(mmp.mmp_magic) == EXT4_MMP_MAGIC ?
	       ext2fs_le32_to_cpu(mmp.mmp_seq) : EXT4_MMP_SEQ_CLEAN;
}

static void ask_kernel(struct doctor *d)
{
	ext2_filsys fs = e2lazy_static_fs(d->s->log->journal);
	uint32_t sequence = mmp_sequence(fs);

	d->f.kernel = kernel_ask(fs->super, d->machine.root);
	d->f.mmp_held = sequence == EXT4_MMP_SEQ_FSCK;
	look_at_mmp(d, fs);
	d->f.ro_unknown = fs->super->s_feature_ro_compat &
			  ~(uint32_t)EXT2_LIB_FEATURE_RO_COMPAT_SUPP;
	/* A mount waits, and refuses if another host counts on. */
	if (sequence <= EXT4_MMP_SEQ_MAX &&
	    d->f.kernel.answer == KERNEL_MOUNTS)
		d->f.kernel = (struct kernel_says){ KERNEL_UNKNOWN, "mmp" };
}

/* The journal that the file system names. */
static void read_journal_uuid(struct doctor *d)
{
	struct ext2_super_block sb;

	if (raw_super_read(d->s->device, d->s->source.open.offset, &sb) &&
	    !uuid_is_null(sb.s_journal_uuid))
		uuid_unparse_lower(sb.s_journal_uuid, d->journal_uuid);
}

/* As mke2fs makes one: no log, and no user. */
static bool is_new_journal(const struct doctor *d)
{
	const struct session *s = d->s;
	const char *path = s->source.open.journal;
	uint8_t jsb[JSB_NR_USERS + 4];
	struct ext2_super_block sb;
	struct jbd2_header h;
	off_t at;
	int fd;

	if (!path)
		path = s->log->journal_device;
	if (!path || !raw_super_read(s->device, s->source.open.offset, &sb) ||
	    sb.s_log_block_size > 6)
		return false;
	at = sb.s_log_block_size ? 1024 << sb.s_log_block_size : 2048;
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || pread(fd, jsb, sizeof(jsb), at) != sizeof(jsb))
		memset(jsb, 0, sizeof(jsb));
	if (fd >= 0)
		close(fd);
	return jbd2_get_header(jsb, &h) && h.type == JBD2_SUPER_V2 &&
	       !get_be32(jsb + JSB_START) && !get_be32(jsb + JSB_NR_USERS);
}

/* What was read by the superblock in place says nothing. */
static void forget_log(struct doctor *d)
{
	e2lazy_verdict_free(d->f.verdict);
	free(d->f.given_up.at);
	memset(&d->f.given_up, 0, sizeof(d->f.given_up));
	e2lazy_home_free(&d->f.home);
	d->f.verdict = NULL;
	d->f.contradicted = d->salvaged = d->counted = false;
	d->ring_empty = false;
	opened_close(d->s->log);
	free(d->s->log->device);
	free(d->s->log->journal_device);
	d->s->log->device = d->s->log->journal_device = NULL;
}

static bool look_by(struct doctor *d, const struct e2lazy_open_opts *opts)
{
	struct session *s = d->s;

	s->source.open.superblock = opts->superblock;
	s->source.open.blocksize = opts->blocksize;
	if (!session_open(s))
		return false;
	d->f.bad_groups = ext2fs_check_desc(
				e2lazy_static_fs(s->log->journal)) != 0;
	return look_at_log(d);
}

/*
 * The log's copy of the superblock and the one in place contradict each other.
 * A backup decides which of them is wrong.
 */
static bool look_by_backup(struct doctor *d)
{
	struct e2lazy_open_opts opts;
	bool lost = facts_found(&d->f, "journal-inode-lost");

	if (d->f.backup || !facts_found(&d->f, "super-foreign") ||
	    !session_find_backup(d->s, &opts))
		return true;
	forget_log(d);
	if (!look_by(d, &opts))
		return false;
	d->f.backup = d->f.foreign = !facts_found(&d->f, "super-foreign");
	d->f.lost_by_it = lost;
	return true;
}

bool doctor_look(struct doctor *d)
{
	struct session *s = d->s;

	if (!open_device(d) && !has_state(d))
		return false;
	d->f.read_only = is_protected(s->device);
	d->f.mounted = session_warn_mounted(s);
	if (has_unknown_features(&d->f))
		features_of_device(d->features, s->device,
				   s->source.open.offset);
	if (lacks_journal(&d->f) || has_several_journals(&d->f) ||
	    d->f.unopened == E2LAZY_ET_EXT_UUID ||
	    d->f.unopened == E2LAZY_ET_EXT_NOT_JOURNAL)
		read_journal_uuid(d);
	d->f.journal_new = is_new_journal(d);
	if (has_no_journal(&d->f)) {
		s->status &= ~FSCK_ERROR;
		d->counted = true;
		return true;
	}
	if (d->f.unopened) {
		d->salvaged = d->counted = doctor_look_at_ring(d);
		return !cancelled();
	}
	ask_kernel(d);
	d->f.bad_groups = !d->f.backup &&
			ext2fs_check_desc(e2lazy_static_fs(s->log->journal));
	return look_at_log(d) && look_by_backup(d);
}

void doctor_free(struct doctor *d)
{
	e2lazy_verdict_free(d->f.verdict);
	e2lazy_home_free(&d->f.home);
	for (unsigned i = 0; i < NR_REHEARSED; i++)
		rehearsal_free(&d->rehearsals[i]);
	free(d->f.given_up.at);
	machine_free(&d->machine);
	dmesg_free(&d->dmesg);
}
