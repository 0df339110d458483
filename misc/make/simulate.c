/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * simulate.c - mke2lazy --simulate: the same work on a file system of each profile
 *
 * Where the kernel puts directories and files depends on the layout, so no
 * arithmetic and no older trace can say what a layout is worth: each profile gets
 * a real file system, in a sparse file as large as the device.  The kernel mounts
 * it through a loop device, the work runs, and its requests go to the model of the
 * drive as they come.  Nothing is written to the device itself.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "e2lazy_trace.h"
#include "make.h"
#include "session/child.h"
#include "session/drive_list.h"
#include "support/nls.h"
#include "support/status.h"
#include "support/trust.h"
#include "trial.h"
#include "work.h"

#define MODEL		"ST8000AS0002"	/* for a drive without parameters */
#define ZONED_MODEL	"dm-zoned"	/* for one with zones */
#define LOOK_MS		25
#define PATIENCE	20	/* looks, before the file system is shut down */
#define UNTAR_FILES	2000	/* in a tree, with 300 directories */
#define MS		1000000

/* ------------------------------------------------------------------ work */

static int makedirs(const char *dir, unsigned scale)
{
	return work_tree(dir, scale, 10, 8, 0);
}

/* Its directories are in the root, as the paper's were. */
static int postmark(const char *dir, unsigned scale)
{
	return work_postmark(dir, scale, scale, scale, 0);
}

static int untar(const char *dir, unsigned scale)
{
	return work_untar(dir, scale, 300, UNTAR_FILES);
}

static const struct make_work works[] = {
	{ "makedirs", N_("directories"), 200000, 0, false, makedirs },
	{ "postmark", N_("transactions"), 20000, 1, true, postmark },
	{ "untar", N_("trees"), 20, UNTAR_FILES, true, untar },
	{ NULL, NULL, 0, 0, false, NULL }
};

/* "20", "20trees" or "40000files" */
static bool take_scale(const char *text, const struct make_work *w,
		       unsigned *scale)
{
	size_t digits = strspn(text, "0123456789");
	bool files = w->files && !strcmp(text + digits, "files");
	char number[16];
	uint64_t value;

	if (!digits || digits >= sizeof(number) ||
	    (text[digits] && !files && strcmp(text + digits, w->unit)))
		return false;
	snprintf(number, sizeof(number), "%.*s", (int)digits, text);
	if (!parse_number(number, 10000000, &value) || !value)
		return false;
	*scale = files ? (value + w->files - 1) / w->files : value;
	return true;
}

bool make_choose_work(struct make *m, const char *arg)
{
	size_t length = strcspn(arg, ":");

	for (const struct make_work *w = works; w->name; w++) {
		if (strlen(w->name) != length || strncmp(arg, w->name, length))
			continue;
		m->work_scale = w->scale;
		if (arg[length] && !take_scale(arg + length + 1, w,
					       &m->work_scale))
			break;
		m->work = w;
		return true;
	}
	return session_refuse(m->s, "--simulate", arg,
			      _("makedirs, postmark or untar, or one of them "
				"with a number, like makedirs:50000directories "
				"or untar:40000files"));
}

/* -------------------------------------------------------------- requests */

static errcode_t ask(struct trial *t, enum e2lazy_op op, uint64_t offset,
		     uint64_t length)
{
	return e2lazy_model_io(t->model, t->answered, op, offset, length,
			       &t->answered);
}

static errcode_t found(void *priv, const struct e2lazy_request *r)
{
	struct trial *t = priv;
	bool flush = r->op == E2LAZY_OP_FLUSH;
	errcode_t err;

	t->requests++;
	err = ask(t, r->op, flush ? 0 : r->offset + t->m->drive.start,
		  r->length);
	if (!err && r->op == E2LAZY_OP_WRITE && r->flags & E2LAZY_REQ_FUA)
		err = ask(t, E2LAZY_OP_FLUSH, 0, 0);
	return err;
}

static errcode_t follow(struct trial *t, pid_t child, int *status)
{
	errcode_t err = 0;
	unsigned asked = 0;
	pid_t ended = 0;

	while (!err && !ended) {
		pause_ms(LOOK_MS);
		ended = waitpid(child, status, WNOHANG);
		err = e2lazy_record_take(t->recorder, found, t);
		if (cancelled() && !ended) {
			kill(child, SIGTERM);
			/* It may be in a long sync, which no signal ends. */
			if (asked++ == PATIENCE)
				trial_shut_down(t);
		}
	}
	if (!ended) {
		kill(child, SIGKILL);
		waitpid(child, status, 0);
	}
	/* Processes that it started end with it, and keep the mount until then. */
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	return err;
}

static bool work(struct trial *t)
{
	const struct make *m = t->m;
	int status = 0;
	errcode_t err;
	pid_t child;
	char *top;

	if (asprintf(&top, "%s/work", t->mount) < 0)
		return trial_fail(t, NULL, ENOMEM);
	prctl(PR_SET_CHILD_SUBREAPER, 1);	/* for follow() */
	child = child_fork();
	if (!child) {
		status_let_signals_end();
		_exit(m->work->run(m->work->in_root ? t->mount : top,
				   m->work_scale));
	}
	free(top);
	if (child < 0)
		return trial_fail(t, NULL, errno);
	err = follow(t, child, &status);
	if (!err && !trial_unmount(t))
		return false;
	if (!err)
		err = e2lazy_record_stop(t->recorder);
	if (!err)
		err = e2lazy_record_take(t->recorder, found, t);
	if (err)
		session_fail(m->s, err, NULL);
	else if (status && !cancelled())
		m->s->status |= FSCK_ERROR;
	return !err && !status && !cancelled();
}

/* ---------------------------------------------------------- one profile */

static bool prepare(struct trial *t, const struct e2lazy_params *params)
{
	errcode_t err;

	if (!trial_mount(t) || !make_await_background(t->m))
		return false;
	err = e2lazy_model_new(params, &t->model);
	if (!err)
		err = e2lazy_record_open(t->device, NULL, &t->recorder);
	if (!err)
		err = e2lazy_record_start(t->recorder);
	if (err)
		session_fail(t->m->s, err, NULL);
	return !err;
}

static bool settle(struct trial *t)
{
	uint64_t lost = e2lazy_record_lost(t->recorder), done;
	errcode_t err = e2lazy_model_settle(t->model, &t->run, &done);

	if (err) {
		session_fail(t->m->s, err, NULL);
		return false;
	}
	t->cleaning = done - t->run;
	t->cleaning += e2lazy_model_counters(t->model)->clean_full_ns;
	t->bands = e2lazy_model_counters(t->model)->touched;
	if (lost)
		session_complain(t->m->s, FSCK_LEFT,
				 _("the kernel dropped %llu requests, which "
				   "are missing here"),
				 (unsigned long long)lost);
	return true;
}

static void clean_up(struct trial *t)
{
	if (t->recorder)
		e2lazy_record_close(t->recorder);
	if (t->model)
		e2lazy_model_free(t->model);
	trial_release(t);
	t->recorder = NULL;
	t->model = NULL;
}

/* ---------------------------------------------------------------- all */

/* The drive's own parameters, or those of a drive that was measured. */
static bool load_params(struct make *m, struct e2lazy_params *params,
			const char **model)
{
	unsigned line = 0;
	errcode_t err = EXT2_ET_NO_MEMORY;
	char *list;

	if (!drive_list(&list)) {
		m->s->status |= FSCK_ERROR;
		return false;
	}
	*model = m->model ? m->model : m->drive.model;
	if (list)
		err = e2lazy_drive_params(list, *model, params, &line);
	if (err == ENOENT) {
		*model = m->banded_by_zones ? ZONED_MODEL : MODEL;
		err = e2lazy_drive_params(list, *model, params, &line);
	}
	free(list);
	if (err)
		session_fail(m->s, err, NULL);
	return !err;
}

enum { COL_PROFILE, COL_REQUESTS, COL_RUN, COL_CLEANING, COL_BANDS,
       NR_COLUMNS };

static const struct column table[NR_COLUMNS] = {
	[COL_PROFILE] = { "PROFILE", "profile", COLUMN_STRING, COLUMN_USUAL,
			  16, N_("name of the profile") },
	[COL_REQUESTS] = { "REQUESTS", "requests", COLUMN_NUMBER, COLUMN_USUAL,
			   9, N_("number of requests") },
	[COL_RUN] = { "RUN", "run_s", COLUMN_REAL, COLUMN_USUAL, 10,
		      N_("seconds until the last request is done") },
	[COL_CLEANING] = { "CLEANING", "cleaning_s", COLUMN_REAL, COLUMN_USUAL,
			   10, N_("seconds of cleaning") },
	[COL_BANDS] = { "BANDS", "bands", COLUMN_NUMBER, COLUMN_USUAL, 6,
			N_("bands that were ever dirty") },
};

/* A profile, as a row; @t has its results. */
static void put_row(const struct rows *rows, const struct trial *t)
{
	struct cell cells[NR_COLUMNS];

	cell_text(&cells[COL_PROFILE], t->profile->name);
	cell_number(&cells[COL_REQUESTS], t->requests);
	cell_number(&cells[COL_RUN], t->run / MS);
	cell_number(&cells[COL_CLEANING], t->cleaning / MS);
	cell_number(&cells[COL_BANDS], t->bands);
	rows_put(rows, cells);
}

/* The profile that needs the least time in all. */
struct best {
	const char	*name;
	uint64_t	time, usual;	/* ns; of it, and of mke2fs's layout */
};

static void put_best(struct make *m, const struct best *best)
{
	struct json *json = print_json(&m->s->print);
	uint64_t percent = best->usual ? best->time * 100 / best->usual : 100;

	if (json) {
		json_string(json, "best", best->name);
		json_u64(json, "percent_of_cmr", percent);
		return;
	}
	out_format(&m->s->print.out,
		   _("\n%s takes the least time, with cleaning: %llu%% of what "
		     "the layout of mke2fs takes.\n"), best->name,
		   (unsigned long long)percent);
	out_text(&m->s->print.out,
		 _("This is a model, and no drive has confirmed it.\n"));
}

/* Where nobody looks for rows: they come when a profile is done. */
static void tell_begin(struct make *m, const struct profile *p)
{
	unsigned number = 0, count = 0;

	for (const struct profile *q = profiles; q->name; q++) {
		count++;
		number = q == p ? count : number;
	}
	if (!m->s->print.progress.quiet)
		complain(p->name, _("profile %u of %u"), number, count);
}

static bool try_profile(struct trial *t, const struct e2lazy_params *params,
			struct best *best)
{
	uint64_t time;
	bool ok;

	tell_begin(t->m, t->profile);
	t->answered = t->requests = 0;
	ok = prepare(t, params) && work(t) && settle(t);
	clean_up(t);
	if (!ok)
		return false;
	time = t->run + t->cleaning;
	if (!strcmp(t->profile->name, "cmr"))
		best->usual = time;
	if (!best->name || time < best->time) {
		best->name = t->profile->name;
		best->time = time;
	}
	return true;
}

static bool try_all(struct make *m, const struct e2lazy_params *params)
{
	struct listing listing = { .headings = true };
	struct trial t = { .m = m, .loop = -1 };
	struct best best = { .name = NULL };
	struct columns columns;
	struct rows rows;
	bool ok;

	if (!session_columns(m->s, &listing, table, NR_COLUMNS, &columns))
		return false;
	ok = trial_make_places(&t);
	if (ok)
		print_rows(&m->s->print, &listing, &columns, "results", &rows);
	for (t.profile = profiles; ok && t.profile->name; t.profile++) {
		ok = try_profile(&t, params, &best);
		if (ok)
			put_row(&rows, &t);
		out_flush(&m->s->print.out);
	}
	trial_remove_places(&t);
	if (ok && m->s->print.json_wanted)
		json_end(&m->s->print.json);
	if (ok)
		put_best(m, &best);
	return ok;
}

void make_simulate(struct make *m)
{
	struct e2lazy_params params;
	const char *model;

	if (geteuid()) {
		session_complain(m->s, FSCK_ERROR,
				 _("only root can compare the profiles in use: "
				   "it needs loop devices and mounts"));
		return;
	}
	if (!load_params(m, &params, &model))
		return;
	/* So that no process that gets a namespace of its own has our mounts. */
	if (unshare(CLONE_NEWNS) ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) {
		session_fail(m->s, errno, NULL);
		return;
	}
	if (m->banded_by_zones &&
	    params.value[E2LAZY_PARAM_KIND] == E2LAZY_MODEL_SHINGLED)
		params.value[E2LAZY_PARAM_BAND] = m->band;
	if (params.value[E2LAZY_PARAM_DISK] < m->drive.start + make_bytes(m))
		params.value[E2LAZY_PARAM_DISK] = m->drive.start +
						  make_bytes(m);
	if (m->s->print.json_wanted) {
		session_document(m->s);
		json_string(&m->s->print.json, "work", m->work->name);
		json_u64(&m->s->print.json, "scale", m->work_scale);
		json_string(&m->s->print.json, "drive", model);
		json_bool(&m->s->print.json, "drive_used", false);
	} else {
		out_format(&m->s->print.out,
			   _("%s of %u %s, on a model of %s\n"),
			   m->work->name, m->work_scale, _(m->work->unit),
			   model);
	}
	out_flush(&m->s->print.out);
	try_all(m, &params);
}
