/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verdict.c - judge the log
 */
#include "bound.h"

#include "e2lazy_verify.h"

/* What a verdict needs; all of it is made and freed in one call. */
struct judged {
	struct e2lazy_jmap *map;
	struct e2lazy_layout *layout;
	struct e2lazy_view *view;
	struct e2lazy_verdict *verdict;
};

static void free_judged(struct judged *d)
{
	e2lazy_verdict_free(d->verdict);
	e2lazy_view_free(d->view);
	e2lazy_layout_free(d->layout);
	e2lazy_jmap_free(d->map);
}

/* Without a view, because the superblock's copy is bad, that is a finding. */
static errcode_t see_through(struct judged *d, struct e2lazy_journal *journal,
			     struct e2lazy_where *where)
{
	errcode_t err = e2lazy_view_build(journal, d->map, &d->view, where);

	if (err)
		d->view = NULL;
	return e2lazy_layout_build(journal, err ? NULL : d->map, &d->layout,
				   where);
}

static errcode_t judge(struct judged *d, struct call *call, bool quick,
		       struct e2lazy_where *where)
{
	struct e2lazy_journal *journal = call->journal->journal;
	const struct e2lazy_jmap_opts build = {
		.flags = E2LAZY_JMAP_STATES | E2LAZY_JMAP_CSUMS |
			 E2LAZY_JMAP_BEHIND,
		.watch = &call->journal->watch,
	};
	const struct e2lazy_verify_opts opts = {
		.flags = quick ? 0 : E2LAZY_VERIFY_CONTENT |
				     E2LAZY_VERIFY_SUPERSEDED,
		.watch = &call->journal->watch,
	};
	errcode_t err;

	err = e2lazy_jmap_build(journal, &build, &d->map);
	if (!err && !quick)
		err = e2lazy_jmap_recover(journal, &build, &d->map);
	if (!err)
		err = see_through(d, journal, where);
	if (!err)
		err = e2lazy_verify(&(struct e2lazy_subject){
				.journal = journal, .map = d->map,
				.layout = d->layout, .view = d->view,
			}, &opts, &d->verdict);
	return err;
}

static PyObject *finding_tuple(const struct e2lazy_finding *f)
{
	static const char *const severities[] = {
		[E2LAZY_NOTE] = "note",
		[E2LAZY_WARNING] = "warning",
		[E2LAZY_GRAVE] = "grave",
	};
	unsigned has = f->first.has;

	return Py_BuildValue("(ssKNNN)", f->problem->id,
			     severities[f->problem->severity],
			     (unsigned long long)f->count,
			     known_number(has & E2LAZY_AT_LOGBLK,
					  f->first.logblk),
			     known_number(has & E2LAZY_AT_FSBLK,
					  f->first.fsblk),
			     known_number(has & E2LAZY_AT_TID, f->first.tid));
}

static PyObject *findings(const struct e2lazy_verdict *verdict)
{
	PyObject *list = PyList_New(0), *item;
	const struct e2lazy_finding *f;

	for (size_t i = 0; list && (f = e2lazy_verdict_finding(verdict, i));
	     i++) {
		item = finding_tuple(f);
		if (!item || PyList_Append(list, item))
			Py_CLEAR(list);
		Py_XDECREF(item);
	}
	return list;
}

static PyObject *result(const struct e2lazy_verdict *verdict)
{
	static const char *const words[] = {
		[E2LAZY_CLEAN] = "clean",
		[E2LAZY_SOUND_IN_USE] = "sound-in-use",
		[E2LAZY_DAMAGED] = "damaged",
		[E2LAZY_UNUSABLE] = "unusable",
	};

	return Py_BuildValue("(sN)", words[e2lazy_verdict_status(verdict)],
			     findings(verdict));
}

PyObject *journal_verify(struct journal *j, PyObject *args, PyObject *names)
{
	static char *keys[] = { "quick", NULL };
	struct e2lazy_where where = { .has = 0 };
	struct judged d = { .map = NULL };
	PyObject *out = NULL;
	struct call call;
	int quick = 0;
	errcode_t err;

	if (!PyArg_ParseTupleAndKeywords(args, names, "|$p:verify", keys,
					 &quick) ||
	    !call_begin(&call, j))
		return NULL;
	err = judge(&d, &call, quick, &where);
	call_python(&call);
	if (!err && !call.raised)
		out = result(d.verdict);
	call_library(&call, !PyErr_Occurred());
	free_judged(&d);
	call_end(&call);
	return call_failed(&call, (PyObject *)j, err, &where) ? NULL : out;
}
