/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * undelete.c - e2lazy undelete: deleted files, listed and restored
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "restore.h"
#include "support/confine.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"
#include "undelete.h"

enum {
	OPT_TO = OPT_OTHERS, OPT_PARTIAL, OPT_WHY, OPT_QUICK, OPT_SPECIAL,
	OPT_TREE,
};

static const struct option_line undelete_options[] = {
	{ OPT_TO, "to", "DIR",
	  N_("restore into DIR, which must be on another device;\n"
	     "if it is missing, make it, with mode 0700") },
	{ OPT_PATH, "path", "GLOB...",
	  N_("list only paths that match, and all below them") },
	{ OPT_UID, "uid", "N...", N_("list only files of this owner") },
	{ OPT_SIZE, "size", "A[-B]",
	  N_("list only files of A to B bytes; units: 4K, 1M") },
	{ OPT_SINCE, "since", "TIME",
	  N_("list only files deleted at TIME or later") },
	{ OPT_UNTIL, "until", "TIME",
	  N_("list only files deleted at TIME or earlier") },
	{ OPT_TYPE, "type", "LETTERS",
	  N_("list only these: f files, d directories, l links,\n"
	     "p pipes, s sockets, b and c devices") },
	{ OPT_PARTIAL, "partial", "MODE",
	  N_("policy for files that are not intact: never restores\n"
	     "none, zero writes zeros for blocks of other owners,\n"
	     "raw writes the present contents of those blocks") },
	{ OPT_SPECIAL, "preserve-special", NULL,
	  N_("restore device files, set-user-ID bits and\n"
	     "security attributes, too") },
	{ OPT_TREE, "tree", NULL,
	  N_("copy files that still exist, too, so that each\n"
	     "directory is whole") },
	{ OPT_WHY, "why", NULL,
	  N_("explain why a file is not intact, and list deleted\n"
	     "inodes that have no copy, with the reason") },
	{ OPT_QUICK, "quick", NULL,
	  N_("skip the contents, and miss discarded blocks") },
	{ 0 }
};

/* --------------------------------------------------------- command line */

static bool choose_partial(struct undelete *u, const char *arg)
{
	static const char *const names[] = {
		[PARTIAL_NEVER] = "never", [PARTIAL_ZERO] = "zero",
		[PARTIAL_RAW] = "raw",
	};

	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!strcmp(arg, names[i])) {
			u->partial = i;
			return true;
		}
	}
	return session_refuse(u->s, "--partial", arg,
			      _("never, zero or raw"));
}

static bool take_option(struct undelete *u, int id, char *arg)
{
	switch (id) {
	case OPT_TO:		u->to = arg;			return true;
	case OPT_PARTIAL:	return choose_partial(u, arg);
	case OPT_WHY:		u->why = true;			return true;
	case OPT_QUICK:		u->quick = true;		return true;
	case OPT_SPECIAL:	u->special = true;		return true;
	case OPT_TREE:		u->tree = true;			return true;
	}
	return filter_option(u->s, &u->filter, id, arg);
}

static bool parse(struct undelete *u)
{
	char *arg;
	int id;

	u->listing.headings = true;
	while ((id = session_option(u->s, &u->listing, &arg)) != OPTION_END)
		if (id == OPTION_BAD || !take_option(u, id, arg))
			return false;
	if (u->quick && u->to) {
		complain("undelete", _("--quick reads no contents, and --to "
				       "needs them"));
		session_usage(u->s);
		return false;
	}
	return session_needs(u->s, "tree partial preserve-special", u->to,
			     "--to") &&
	       session_columns(u->s, &u->listing, undelete_columns,
			       nr_undelete_columns, &u->columns) &&
	       session_operands(u->s, 1, 1);
}

/* ------------------------------------------------------------- one file */

struct reading {
	struct undelete	*u;
	struct file	*f;
	struct sha256	sum;
	uint64_t	summed;		/* bytes */
	bool		summing;
};

/* Hashing a hole costs time and no I/O: all files share a budget of holes. */
static bool sum_hole(struct reading *r, uint64_t bytes)
{
	r->summing = bytes <= r->u->holes;
	if (!r->summing)
		return false;
	r->u->holes -= bytes;
	sha256_zeros(&r->sum, bytes);
	return true;
}

static void sum_bytes(struct reading *r, const struct e2lazy_graded *g)
{
	uint64_t at = g->lblk *
		      e2lazy_static_fs(r->u->s->log->journal)->blocksize;

	if (!r->summing || at < r->summed || !sum_hole(r, at - r->summed))
		return;
	sha256_put(&r->sum, g->bytes, g->length);
	r->summed = at + g->length;
}

static errcode_t take_graded(void *priv, const struct e2lazy_graded *g)
{
	struct reading *r = priv;
	errcode_t err = r->u->pieces ? add_piece(r->f, g) : 0;

	if (err || !g->bytes)
		return err;
	sum_bytes(r, g);
	return r->u->restore ? restore_bytes(r->u->restore, g) : 0;
}

static void end_sum(struct reading *r)
{
	r->f->hashed = r->summing && r->f->d.size >= r->summed &&
		       LINUX_S_ISREG(r->f->d.mode) &&
		       r->f->grade == FILE_INTACT &&
		       sum_hole(r, r->f->d.size - r->summed);
	if (r->f->hashed)
		sha256_end(&r->sum, r->f->sum);
}

static enum e2lazy_reading reading_of(const struct undelete *u)
{
	if (u->quick)
		return E2LAZY_READ_NONE;
	return u->restore && u->partial == PARTIAL_RAW ? E2LAZY_READ_ALL :
							 E2LAZY_READ_OWN;
}

static errcode_t read_file(struct undelete *u, struct file *f)
{
	struct reading r = { .u = u, .f = f, .summing = u->hash };
	errcode_t err = 0;

	if (r.summing)
		sha256_begin(&r.sum);
	if (LINUX_S_ISLNK(f->d.mode) && !u->quick)
		err = e2lazy_undelete_symlink(f->source, f->index, &f->target,
					      &f->contents);
	else if (LINUX_S_ISREG(f->d.mode) || LINUX_S_ISLNK(f->d.mode))
		err = e2lazy_undelete_read(f->source, f->index, reading_of(u),
					   take_graded, &r, &f->contents);
	/* An inode that cannot be a link has no contents. */
	if (err == EXT2_ET_INODE_CORRUPTED) {
		f->contents.map_missing = true;
		err = 0;
	}
	f->grade = grade_file(f, u->quick);
	end_sum(&r);
	return err;
}

static void show_file(struct undelete *u, struct file *f)
{
	errcode_t err;

	if (u->restore && !restore_open(u->restore, f)) {
		list_file(u, f);
		return;
	}
	err = read_file(u, f);
	/* restore.c has already reported a failed write. */
	if (err == E2LAZY_ET_CANCELLED || err == EXT2_ET_NO_MEMORY) {
		session_fail(u->s, err, NULL);
		f->outcome = OUTCOME_FAILED;
	}
	if (u->restore)
		restore_finish(u->restore, f);
	list_file(u, f);
}

static void show_asked(struct undelete *u, struct file *f)
{
	afterwards_take(u, f);
	show_file(u, f);
}

static errcode_t read_paths(struct undelete *u, struct file *f)
{
	unsigned count = f->d.names ? f->d.names : 1;
	errcode_t err = 0;

	f->paths = &f->path;
	f->lengths = &f->length;
	if (count > 1) {
		f->paths = calloc(count, sizeof(*f->paths));
		f->lengths = calloc(count, sizeof(*f->lengths));
	}
	if (!f->paths || !f->lengths)
		return EXT2_ET_NO_MEMORY;
	for (unsigned i = 0; !err && i < count; i++) {
		err = e2lazy_undelete_path(u->found, f->index, i,
					   &f->paths[i], &f->lengths[i]);
		if (!err)
			f->nr_paths++;
	}
	return err == E2LAZY_ET_LONG_PATH && f->nr_paths ? 0 : err;
}

void free_file(struct file *f)
{
	for (unsigned i = 0; i < f->nr_paths; i++)
		free(f->paths[i]);
	if (f->paths != &f->path)
		free(f->paths);
	if (f->lengths != &f->length)
		free(f->lengths);
	free(f->pieces);
	free(f->target);
	free(f->restored_as);
}

static bool is_asked_for(const struct undelete *u, const struct file *f)
{
	for (unsigned i = 0; i < f->nr_paths; i++)
		if (filter_takes_path(&u->filter, f->paths[i]))
			return true;
	return false;
}

static void take_file(struct undelete *u, size_t index)
{
	struct file f = { .index = index };
	errcode_t err = e2lazy_undelete_get(u->found, index, &f.d);

	if (!err && !filter_takes(&u->filter, &f.d)) {
		u->others++;
		return;
	}
	if (!err)
		err = read_paths(u, &f);
	if (err)
		session_fail(u->s, err, NULL);
	else if (is_asked_for(u, &f))
		show_asked(u, &f);
	else
		u->others++;
	free_file(&f);
}

/* -------------------------------------------------------------- the rest */

static void tell_left_out(struct undelete *u)
{
	struct session *s = u->s;
	unsigned long n = 0;

	for (unsigned i = FILE_UNPROVEN; i < NR_FILE_GRADES; i++)
		n += (unsigned long)u->grades[i];
	if (n)
		session_complain(s, FSCK_LEFT,
				 P_("%lu file is not intact",
					  "%lu files are not intact", n), n);
	n = (unsigned long)u->cleared;
	if (n && !u->any_owner)
		session_complain(s, 0, P_(
			"%lu file has lost its set-user-ID and set-group-ID "
			"bits: --preserve-special keeps them",
			"%lu files have lost their set-user-ID and "
			"set-group-ID bits: --preserve-special keeps them", n),
			n);
	tell_not_restored(u);
	n = (unsigned long)u->earlier;
	if (n)
		session_complain(s, 0, P_(
			"%lu file is of an earlier time than the files that it "
			"was beside: it is below .earlier, with its "
			"transaction in its name",
			"%lu files are of an earlier time than the files that "
			"they were beside: they are below .earlier, with their "
			"transactions in their names", n), n);
	n = (unsigned long)u->xattrs_withheld;
	if (n && !u->any_owner)
		session_complain(s, 0, P_(
			"%lu security attribute was left out: "
			"--preserve-special restores it",
			"%lu security attributes were left out: "
			"--preserve-special restores them", n), n);
	n = (unsigned long)u->xattrs_lost;
	if (n)
		session_complain(s, 0, P_(
			"%lu extended attribute could not be restored",
			"%lu extended attributes could not be restored", n),
			n);
}

bool search_ring(struct undelete *u)
{
	const struct e2lazy_watch watch = session_watch(u->s);
	const struct e2lazy_undelete_opts opts = {
		.evidence = true, .users = u->why || u->s->print.json_wanted,
		.watch = &watch,
	};
	struct e2lazy_where where;
	errcode_t err;

	err = e2lazy_undelete_scan(u->s->log->journal, u->s->log->view, &opts,
				   &u->found, &where);
	progress_end(&u->s->print.progress);
	if (err)
		session_fail(u->s, err, &where);
	return !err;
}

static bool begin_restoring(struct undelete *u, size_t **order)
{
	if (!u->to)
		return true;
	*order = u->found ? restore_order(u) : NULL;
	if (*order || !u->found)
		u->restore = restore_begin(u);
	else
		session_fail(u->s, EXT2_ET_NO_MEMORY, NULL);
	if (u->restore && u->tree && !keep_living_names(u)) {
		restore_end(u->restore);
		u->restore = NULL;
	}
	return u->restore;
}

static void take_all(struct undelete *u, const size_t *order)
{
	size_t count = u->found ? e2lazy_undelete_count(u->found) : 0;

	progress_begin(&u->s->print.progress, PHASE_FILES);
	for (size_t i = 0; i < count && !rows_stop(&u->rows); i++) {
		if (!progress_tick(&u->s->print.progress, i, count))
			break;
		take_file(u, order ? order[i] : i);
	}
	progress_end(&u->s->print.progress);
}

void show_files(struct undelete *u)
{
	ext2_filsys fs = e2lazy_static_fs(u->s->log->journal);
	size_t *order = NULL;

	if (u->found)
		e2lazy_undelete_horizon(u->found, &u->horizon);
	if (!begin_restoring(u, &order)) {
		free(order);
		return;
	}
	u->hash = list_wants_sums(u);
	u->holes = ext2fs_blocks_count(fs->super) * fs->blocksize;
	list_begin(u);
	u->pieces = list_wants_pieces(u);
	take_all(u, order);
	free(order);
	if (u->tree)
		copy_living(u);
	if (u->restore)
		restore_end(u->restore);
	if (u->frozen && !device_still_frozen(u->s))
		session_complain(u->s, FSCK_ERROR,
				 _("it was thawed while files were restored: "
				   "later writes may have overwritten deleted "
				   "files"));
	list_files_end(u);
	if (u->why)
		tell_lost(u);
	list_end(u);
	tell_left_out(u);
}

static int run_undelete(const struct command *self, int argc, char **argv)
{
	struct undelete u = { .s = session_begin(self, argc, argv),
			      .to_fd = -1 };
	bool ready;

	if (!u.s)
		return FSCK_ERROR;
	ready = parse(&u);
	if (ready && u.to)
		u.to_fd = target_directory(u.s, u.to);
	ready = ready && (u.s->status & FSCK_ERROR) == 0;
	/* Nothing of the device has been read, and from here on no directory
	   can be made beside that one. */
	confine(u.to);
	if (ready && session_open(u.s) &&
	    session_build(u.s, E2LAZY_JMAP_CSUMS, false) &&
	    session_look(u.s) && session_view(u.s)) {
		if (device_is_mounted(u.s->device))
			session_complain(u.s, 0, _("it is mounted: undelete "
						   "misses later writes, which "
						   "may overwrite deleted "
						   "files"));
		if (search_ring(&u) && afterwards_begin(&u))
			show_files(&u);
	}
	afterwards_free(&u);
	e2lazy_undelete_free(u.found);
	kept_free(&u.kept);
	e2lazy_later_free(u.later);
	if (u.living)
		ext2fs_free(u.living);
	if (u.to_fd >= 0)
		close(u.to_fd);
	return session_end(u.s);
}

static void undelete_help(struct out *out)
{
	columns_help(out, undelete_columns, nr_undelete_columns);
}

const struct command undelete_command = {
	.name = "undelete",
	.usage = "DEVICE",
	.summary = N_("List deleted files and restore them to another device"),
	.run = run_undelete,
	.options = undelete_options,
	.lists = true,
	.writes = WRITES_BELOW,
	.help = undelete_help,
};
