/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * run.c - a trace on a modelled drive
 */
#include "simulate.h"
#include "support/nls.h"
#include "support/status.h"

/*
 * When a request comes.  As traced, it comes at its time, or when the one
 * before it is answered, whatever is later: who had to wait for a faster disk
 * waits for this one.  Fast, nobody thinks between two requests.
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

static bool each_request(struct simulation *m, struct trace_file *file,
			 struct e2lazy_model *model, struct outcome *out)
{
	struct e2lazy_request r;
	uint64_t answered = 0;
	errcode_t err = 0;

	while (!err && trace_next(file, &r)) {
		uint64_t offset = r.op == E2LAZY_OP_FLUSH ? 0 :
				  m->start + r.offset;

		out->requests++;
		err = request(model, &r, offset, issue(m, &r, answered),
			      &answered);
	}
	if (err == EXT2_ET_INVALID_ARGUMENT)
		return refuse(m, file->path, &r);
	if (err)
		session_fail(m->s, err, NULL);
	return !err && !cancelled();
}

static bool run_on(struct simulation *m, const char *path,
		   struct e2lazy_model *model, struct outcome *out)
{
	struct trace_file file;
	uint64_t done;
	errcode_t err;
	bool ok = trace_begin(&file, m->s, path) &&
		  each_request(m, &file, model, out);

	trace_end(&file);
	if (!ok)
		return false;
	err = e2lazy_model_settle(model, &out->run, &done);
	if (err) {
		session_fail(m->s, err, NULL);
		return false;
	}
	out->after = done - out->run;
	out->counters = *e2lazy_model_counters(model);
	out->series = *e2lazy_model_series(model);
	return true;
}

bool simulate_trace(struct simulation *m, const char *path,
		    const struct e2lazy_params *params, struct outcome *out)
{
	struct e2lazy_model *model;
	errcode_t err = e2lazy_model_new(params, &model);
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
	ok = run_on(m, path, model, out);
	e2lazy_model_free(model);
	return ok;
}
