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
#include "work.h"

#define MODEL		"ST8000AS0002"	/* for a drive without parameters */
#define JOURNAL_MIB	1024		/* or an eighth of a small device */
#define LOOK_MS		25
#define MS		1000000

struct trial {
	struct make	*m;
	const struct profile *profile;
	char		*directory, *image, *mount;
	int		loop;		/* descriptor; -1: none */
	char		device[32];
	bool		mounted;
	struct e2lazy_recorder *recorder;
	struct e2lazy_model *model;
	uint64_t	answered, requests;
	uint64_t	run, cleaning, bands;	/* results; ns */
};

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
	return work_untar(dir, scale, 300, 2000);
}

static const struct make_work works[] = {
	{ "makedirs", 200000, false, makedirs },
	{ "postmark", 20000, true, postmark },
	{ "untar", 20, true, untar },
	{ NULL, 0, false, NULL }
};

bool make_choose_work(struct make *m, const char *arg)
{
	size_t length = strcspn(arg, ":");
	uint64_t scale = 0;

	for (const struct make_work *w = works; w->name; w++) {
		if (strlen(w->name) != length || strncmp(arg, w->name, length))
			continue;
		if (arg[length] && (!parse_number(arg + length + 1, 10000000,
						  &scale) || !scale))
			break;
		m->work = w;
		m->work_scale = scale ? scale : w->scale;
		return true;
	}
	return session_refuse(m->s, "--simulate", arg,
			      _("makedirs, postmark or untar, or one of them "
				"with :COUNT"));
}

/* ------------------------------------------------------------- the disk */

static bool fail(struct trial *t, const char *name, int error)
{
	out_flush(&t->m->s->print.out);
	complain(name, "%s", strerror(error));
	t->m->s->status |= FSCK_ERROR;
	return false;
}

static bool make_image(struct trial *t)
{
	int fd = open(t->image, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool ok;

	if (fd < 0)
		return fail(t, t->image, errno);
	ok = !ftruncate(fd, make_bytes(t->m)) || fail(t, t->image, errno);
	close(fd);
	return ok;
}

static unsigned journal_mib(const struct make *m)
{
	uint64_t part = make_bytes(m) >> 23;

	return part < JOURNAL_MIB ? (unsigned)part + !part : JOURNAL_MIB;
}

/* The profile's relations as options; @prezeroed: nothing is written twice. */
static bool make_fs(struct trial *t)
{
	static const char prezeroed[] = "assume_storage_prezeroed=1";
	const struct profile_relation *r = t->profile->relations;
	struct words words = { 0 };
	char extended[256];
	size_t used = sprintf(extended, "%s", prezeroed);
	bool ok;

	words_list(&words, "mke2fs", "-q", "-F", "-t", "ext4", NULL);
	if (t->m->layout.size_type)
		words_list(&words, "-T", t->m->layout.size_type, NULL);
	words_add(&words, "-J");
	words_add(&words, "size=%u", journal_mib(t->m));
	for (; r->name; r++) {
		if (!strcmp(r->name, "flex_bg_size"))
			words_list(&words, "-G", r->value, NULL);
		else if (!strcmp(r->name, "inode_ratio"))
			words_list(&words, "-i", r->value, NULL);
		else if (!strcmp(r->name, "features"))
			words_list(&words, "-O", r->value, NULL);
		else if (strncmp(r->name, "lazy_", 5))
			used += snprintf(extended + used,
					 sizeof(extended) - used, ",%s=%s",
					 r->name, r->value);
	}
	words_list(&words, "-E", extended, t->image, NULL);
	ok = !words.failed && child_run("mke2fs", &words, NULL);
	words_free(&words);
	if (!ok)
		t->m->s->status |= FSCK_ERROR;
	return ok;
}

static bool attach(struct trial *t)
{
	struct loop_config config = { .info.lo_flags = LO_FLAGS_AUTOCLEAR };
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	int backing = open(t->image, O_RDWR | O_CLOEXEC), number = -1;
	bool ok = false;

	config.fd = backing;
	/* Another process may take the same one. */
	for (int i = 0; control >= 0 && backing >= 0 && !ok && i < 16; i++) {
		number = ioctl(control, LOOP_CTL_GET_FREE);
		snprintf(t->device, sizeof(t->device), "/dev/loop%d", number);
		t->loop = number < 0 ? -1 : open(t->device, O_RDWR | O_CLOEXEC);
		if (t->loop < 0)
			break;
		ok = !ioctl(t->loop, LOOP_CONFIGURE, &config);
		if (!ok) {
			int error = errno;

			close(t->loop);
			t->loop = -1;
			errno = error;
			if (error != EBUSY)
				break;
		}
	}
	if (!ok)
		fail(t, t->device[0] ? t->device : "/dev/loop-control", errno);
	if (control >= 0)
		close(control);
	if (backing >= 0)
		close(backing);
	return ok;
}

static bool mount_it(struct trial *t)
{
	t->mounted = !mount(t->device, t->mount, "ext4", MS_NOATIME, NULL);
	return t->mounted || fail(t, t->device, errno);
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
	pid_t ended = 0;

	while (!err && !ended) {
		pause_ms(LOOK_MS);
		ended = waitpid(child, status, WNOHANG);
		err = e2lazy_record_take(t->recorder, found, t);
		if (cancelled() && !ended)
			kill(child, SIGTERM);
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
		return fail(t, NULL, ENOMEM);
	prctl(PR_SET_CHILD_SUBREAPER, 1);	/* for follow() */
	child = child_fork();
	if (!child) {
		status_let_signals_end();
		_exit(m->work->run(m->work->in_root ? t->mount : top,
				   m->work_scale));
	}
	free(top);
	if (child < 0)
		return fail(t, NULL, errno);
	err = follow(t, child, &status);
	if (!err && umount(t->mount))
		return fail(t, t->mount, errno);
	t->mounted = false;
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

	if (!make_image(t) || !make_fs(t) || !attach(t) || !mount_it(t) ||
	    !make_await_background(t->m))
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
	if (t->mounted && umount(t->mount))
		umount2(t->mount, MNT_DETACH);
	/* It lets the image go by itself. */
	if (t->loop >= 0)
		close(t->loop);
	if (unlink(t->image) && errno != ENOENT)
		fail(t, t->image, errno);
	t->recorder = NULL;
	t->model = NULL;
	t->mounted = false;
	t->loop = -1;
}

static bool make_places(struct trial *t)
{
	char *tmp;

	if (!environment_path("TMPDIR", &tmp)) {
		t->m->s->status |= FSCK_ERROR;
		return false;
	}
	if (asprintf(&t->directory, "%s/mke2lazy.XXXXXX",
		     tmp ? tmp : "/tmp") < 0)
		t->directory = NULL;
	free(tmp);
	if (!t->directory || !mkdtemp(t->directory)) {
		fail(t, t->directory, t->directory ? errno : ENOMEM);
		free(t->directory);
		t->directory = NULL;
		return false;
	}
	if (asprintf(&t->image, "%s/image", t->directory) < 0)
		t->image = NULL;
	if (asprintf(&t->mount, "%s/mount", t->directory) < 0)
		t->mount = NULL;
	if (!t->image || !t->mount)
		return fail(t, NULL, ENOMEM);
	return !mkdir(t->mount, 0700) || fail(t, t->mount, errno);
}

static void remove_places(struct trial *t)
{
	if (t->mount)
		rmdir(t->mount);
	if (t->directory && rmdir(t->directory))
		fail(t, t->directory, errno);
	free(t->mount);
	free(t->image);
	free(t->directory);
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
	*model = m->drive.model;
	if (list)
		err = e2lazy_drive_params(list, *model, params, &line);
	if (err == ENOENT) {
		*model = MODEL;
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

static bool try_profile(struct trial *t, const struct e2lazy_params *params,
			struct best *best)
{
	uint64_t time;
	bool ok;

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
	ok = make_places(&t);
	if (ok)
		print_rows(&m->s->print, &listing, &columns, "results", &rows);
	for (t.profile = profiles; ok && t.profile->name; t.profile++) {
		ok = try_profile(&t, params, &best);
		if (ok)
			put_row(&rows, &t);
		out_flush(&m->s->print.out);
	}
	remove_places(&t);
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
		out_format(&m->s->print.out, _("%s of %u, on a model of %s\n"),
			   m->work->name, m->work_scale, model);
	}
	out_flush(&m->s->print.out);
	try_all(m, &params);
}
