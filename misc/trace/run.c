/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * run.c - a trace on a modelled drive
 */
#include "simulation.h"
#include "support/nls.h"
#include "support/status.h"
#include "trace/as_lazy.h"

/*
 * The time of a request.  As traced, it comes at its own time or after the
 * answer to the previous one, whichever is later: a program that waited for a
 * faster disk waits for this one.  With --fast it comes at that answer.
 */
static uint64_t issue(const struct simulation *m,
		      const struct e2lazy_request *r, uint64_t answered)
{
	return m->fast || r->t < answered ? answered : r->t;
}

static bool refuse(struct simulation *m, const char *path,
		   const struct e2lazy_request *r)
{
	print_make_way(&m->s->print);
	complain(path, _("a request ends %llu bytes into the drive, which has "
			 "%llu; --set disk=SIZE makes it larger"),
		 (unsigned long long)(m->start + r->offset + r->length),
		 (unsigned long long)m->params.value[E2LAZY_PARAM_DISK]);
	m->s->status |= FSCK_ERROR;
	return false;
}

/* A write that has to be on the surface is one with a flush behind it. */
static errcode_t request(struct e2lazy_model *model,
			 const struct e2lazy_request *r, uint64_t offset,
			 uint64_t t, uint64_t *answered)
{
	errcode_t err = e2lazy_model_io(model, t, r->op, offset, r->length,
					answered);

	if (err || !(r->flags & E2LAZY_REQ_FUA) || r->op != E2LAZY_OP_WRITE)
		return err;
	return e2lazy_model_io(model, *answered, E2LAZY_OP_FLUSH, 0, 0,
			       answered);
}

/* One run: a trace, and the drive. */
struct run {
	struct simulation *m;
	struct trace_file file;
	struct log_state log;
	bool		lazy;
	struct e2lazy_model *model;
	struct outcome	*out;
	uint64_t	answered;
	struct e2lazy_request bad;	/* that the drive refused */
};

static errcode_t put(void *priv, const struct e2lazy_request *r)
{
	struct run *run = priv;
	uint64_t offset = r->op == E2LAZY_OP_FLUSH ? 0 :
			  run->m->start + r->offset;
	errcode_t err;

	run->out->requests++;
	err = request(run->model, r, offset, issue(run->m, r, run->answered),
		      &run->answered);
	if (err)
		run->bad = *r;
	return err;
}

static bool each_request(struct run *run)
{
	struct e2lazy_request r;
	errcode_t err = 0;

	while (!err && trace_next(&run->file, &r))
		err = run->lazy ? as_lazy(&run->log, &r, put, run) :
				  put(run, &r);
	if (err == EXT2_ET_INVALID_ARGUMENT)
		return refuse(run->m, run->file.path, &run->bad);
	if (err)
		session_fail(run->m->s, err, NULL);
	return !err && !cancelled();
}

/* A lazy journal's requests are those of the transactions in the trace. */
static bool begin(struct run *run)
{
	if (!run->lazy)
		return true;
	if (!(run->file.fs.flags & E2LAZY_TRACE_LOGGED)) {
		print_make_way(&run->m->s->print);
		complain(run->file.path, "%s",
			 _("the trace has no transactions, which --lazy "
			   "needs: record one of an ext4 file system"));
		run->m->s->status |= FSCK_ERROR;
		return false;
	}
	if (log_begin(&run->log, &run->file.fs))
		return true;
	session_fail(run->m->s, EXT2_ET_NO_MEMORY, NULL);
	return false;
}

static bool run_on(struct run *run, const char *path)
{
	struct outcome *out = run->out;
	uint64_t done;
	errcode_t err;
	bool ok = trace_begin(&run->file, run->m->s, path) && begin(run) &&
		  each_request(run);

	log_end(&run->log);
	trace_end(&run->file);
	if (!ok)
		return false;
	err = e2lazy_model_settle(run->model, &out->run, &done);
	if (err) {
		session_fail(run->m->s, err, NULL);
		return false;
	}
	out->after = done - out->run;
	out->counters = *e2lazy_model_counters(run->model);
	out->series = *e2lazy_model_series(run->model);
	return true;
}

bool simulate_trace(struct simulation *m, const char *path, bool lazy,
		    const struct e2lazy_params *params, struct outcome *out)
{
	struct run run = { .m = m, .lazy = lazy, .out = out };
	errcode_t err = e2lazy_model_new(params, &run.model);
	bool ok;

	*out = (struct outcome) { .requests = 0 };
	if (err == EXT2_ET_INVALID_ARGUMENT) {
		session_complain(m->s, FSCK_USAGE,
				 _("such a drive is impossible: its parameters "
				   "contradict each other"));
		return false;
	}
	if (err) {
		session_fail(m->s, err, NULL);
		return false;
	}
	ok = run_on(&run, path);
	e2lazy_model_free(run.model);
	return ok;
}
