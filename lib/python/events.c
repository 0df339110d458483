/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * events.c - what happened to files in the log
 */
#include "view.h"

#include "e2lazy_changes.h"

struct events {
	struct call	call;
	PyObject	*list;
};

static PyObject *path_of(const char *path)
{
	return path ? PyUnicode_DecodeFSDefault(path) : known_number(false, 0);
}

static errcode_t note_change(void *priv, const struct e2lazy_change *c)
{
	struct events *e = priv;
	PyObject *item;
	bool ok;

	call_python(&e->call);
	item = Py_BuildValue("(IKIskNN)", c->tid, (unsigned long long)c->sec,
			     c->nsec, e2lazy_change_name(c->kind),
			     (unsigned long)c->ino, path_of(c->path),
			     path_of(c->old_path));
	ok = item && !PyList_Append(e->list, item);
	Py_XDECREF(item);
	return call_library(&e->call, ok);
}

PyObject *view_events(struct view *view, PyObject *none)
{
	struct e2lazy_changes_opts opts = { .found = note_change };
	struct journal *j = view->map->journal;
	struct e2lazy_where where = { .has = 0 };
	struct events e = { .list = PyList_New(0) };
	errcode_t err;

	(void)none;
	if (!e.list || !call_begin(&e.call, j)) {
		Py_XDECREF(e.list);
		return NULL;
	}
	opts.priv = &e;
	opts.watch = &j->watch;
	err = e2lazy_changes_each(j->journal, seen_of(view)->view, NULL, 0,
				  &opts, &where);
	call_end(&e.call);
	if (call_failed(&e.call, (PyObject *)view, err, &where))
		Py_CLEAR(e.list);
	return e.list;
}
