/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * deleted.c - deleted files that the ring remembers
 */
#include "view.h"

#include <stdlib.h>

#include "e2lazy_undelete.h"

struct deleted {
	PyObject_HEAD
	struct journal	*journal;
	struct handle	*handle;	/* of a struct found */
};

/* What the library has of it. */
struct found {
	struct e2lazy_jmap *map;
	struct seen	*seen;
	struct e2lazy_undelete *undelete;
};

static struct found *found_of(const struct deleted *d)
{
	return d->handle->what;
}

static void free_found(void *what)
{
	struct found *found = what;

	e2lazy_undelete_free(found->undelete);
	if (found->seen)
		seen_free(found->seen);
	e2lazy_jmap_free(found->map);
	free(found);
}

/* ---------------------------------------------------------------- the search */

static errcode_t search(struct found *found, struct call *call,
			struct e2lazy_where *where)
{
	struct journal *j = call->journal;
	const struct e2lazy_jmap_opts build = {
		.flags = E2LAZY_JMAP_CSUMS, .watch = &j->watch,
	};
	const struct e2lazy_undelete_opts opts = {
		.evidence = true, .watch = &j->watch,
	};
	errcode_t err = e2lazy_jmap_build(j->journal, &build, &found->map);

	if (!err)
		found->seen = seen_build(j, found->map, true, &err, where);
	if (!err)
		err = e2lazy_undelete_scan(j->journal, found->seen->view,
					   &opts, &found->undelete, where);
	return err;
}

static errcode_t find(struct deleted *d, struct call *call,
		      struct e2lazy_where *where)
{
	struct found *found = calloc(1, sizeof(*found));
	errcode_t err;

	if (!found)
		return EXT2_ET_NO_MEMORY;
	err = search(found, call, where);
	if (err) {
		free_found(found);
		return err;
	}
	d->handle = handle_add(d->journal, found, free_found);
	return d->handle ? 0 : EXT2_ET_NO_MEMORY;
}

PyObject *journal_deleted(struct journal *j, PyObject *none)
{
	struct e2lazy_where where = { .has = 0 };
	struct deleted *d;
	struct call call;
	errcode_t err;

	(void)none;
	d = bound_new(module_of((PyObject *)j)->deleted, struct deleted);
	if (!d)
		return NULL;
	Py_INCREF((PyObject *)j);
	d->journal = j;
	d->handle = NULL;
	if (call_begin(&call, j)) {
		err = find(d, &call, &where);
		call_end(&call);
		if (!call_failed(&call, (PyObject *)j, err, &where))
			return (PyObject *)d;
	}
	Py_DECREF((PyObject *)d);
	return NULL;
}

static void free_deleted(struct deleted *d)
{
	if (d->handle)
		handle_drop(d->journal, d->handle);
	Py_DECREF((PyObject *)d->journal);
	bound_free((PyObject *)d);
}

static Py_ssize_t length(struct deleted *d)
{
	struct call call;
	size_t n;

	if (!call_begin(&call, d->journal))
		return -1;
	n = e2lazy_undelete_count(found_of(d)->undelete);
	call_end(&call);
	return (Py_ssize_t)n;
}

/* ------------------------------------------------------------------ one file */

static double seconds(const struct e2lazy_time *t)
{
	return (double)t->sec + t->nsec / 1e9;
}

static PyObject *file_dict(const struct e2lazy_deleted *f,
			   const struct e2lazy_contents *c, PyObject *path)
{
	PyObject *grades = PyDict_New(), *count;

	for (int i = 0; grades && i < E2LAZY_NR_GRADES; i++) {
		count = PyLong_FromUnsignedLongLong(c->blocks[i]);
		if (!count || PyDict_SetItemString(grades,
						   e2lazy_grade_name(i), count))
			Py_CLEAR(grades);
		Py_XDECREF(count);
	}
	return Py_BuildValue(
		"{s:N,s:k,s:I,s:I,s:I,s:I,s:K,s:d,s:d,s:N,s:I,s:N,s:N,s:N}",
		"path", path, "ino", (unsigned long)f->ino,
		"generation", f->generation, "mode", f->mode,
		"uid", f->uid, "gid", f->gid,
		"size", (unsigned long long)f->size,
		"mtime", seconds(&f->mtime), "ctime", seconds(&f->ctime),
		"deleted", known_number(f->gone_sec, f->gone_sec),
		"tid", f->tid,
		"lived_on", PyBool_FromLong(f->flags & E2LAZY_DELETED_STATE),
		"map_whole", PyBool_FromLong(!c->map_missing &&
					     !c->map_unproven),
		"blocks", grades);
}

static bool take_index(struct deleted *d, struct call *call, size_t index)
{
	size_t all = e2lazy_undelete_count(found_of(d)->undelete);

	if (index < all)
		return true;
	call_python(call);
	PyErr_SetString(PyExc_IndexError, "no such file");
	call_library(call, false);
	return false;
}

static PyObject *item(struct deleted *d, Py_ssize_t index)
{
	struct e2lazy_contents contents = { .read = false };
	struct e2lazy_undelete *u;
	struct e2lazy_deleted file = { .ino = 0 };
	size_t length = 0, i = (size_t)index;
	struct call call;
	PyObject *name;
	char *path = NULL;
	errcode_t err = 0;

	if (!call_begin(&call, d->journal))
		return NULL;
	u = found_of(d)->undelete;
	if (take_index(d, &call, i)) {
		err = e2lazy_undelete_get(u, i, &file);
		if (!err)
			err = e2lazy_undelete_path(u, i, 0, &path, &length);
		if (!err)
			err = e2lazy_undelete_read(u, i, E2LAZY_READ_NONE,
						   NULL, NULL, &contents);
	}
	call_end(&call);
	name = call_failed(&call, (PyObject *)d, err, NULL) ? NULL :
						    name_of(path, length);
	free(path);
	return name ? file_dict(&file, &contents, name) : NULL;
}

/* ---------------------------------------------------------------- contents */

struct reading {
	struct call	call;
	PyObject	*list;
	unsigned	blocksize;
};

static errcode_t note_piece(void *priv, const struct e2lazy_graded *g)
{
	struct reading *r = priv;
	PyObject *bytes, *item;
	bool ok;

	call_python(&r->call);
	bytes = g->bytes ? PyBytes_FromStringAndSize(g->bytes,
						     (Py_ssize_t)g->length) :
			   known_number(false, 0);
	item = Py_BuildValue("(KKsN)",
			     (unsigned long long)g->lblk * r->blocksize,
			     (unsigned long long)g->count * r->blocksize,
			     e2lazy_grade_name(g->grade), bytes);
	ok = item && !PyList_Append(r->list, item);
	Py_XDECREF(item);
	return call_library(&r->call, ok);
}

static PyObject *pieces(struct deleted *d, PyObject *value)
{
	size_t index = PyLong_AsSize_t(value);
	struct e2lazy_contents contents;
	struct reading r = { .list = NULL };
	errcode_t err = 0;

	if (PyErr_Occurred())
		return NULL;
	r.list = PyList_New(0);
	if (!r.list || !call_begin(&r.call, d->journal)) {
		Py_XDECREF(r.list);
		return NULL;
	}
	r.blocksize = e2lazy_geometry(d->journal->journal)->blocksize;
	if (take_index(d, &r.call, index))
		err = e2lazy_undelete_read(found_of(d)->undelete, index,
					   E2LAZY_READ_OWN, note_piece, &r,
					   &contents);
	call_end(&r.call);
	if (call_failed(&r.call, (PyObject *)d, err, NULL))
		Py_CLEAR(r.list);
	return r.list;
}

static PyMethodDef methods[] = {
	{ "pieces", (PyCFunction)pieces, METH_O,
	  PyDoc_STR("pieces(index, /)\n--\n\n"
		    "The contents of deleted[index], as a list of tuples: "
		    "offset, length, grade, bytes.\n\n"
		    "Bytes are None of what another file has used since. Holes "
		    "have no piece; the last piece may reach over the file's "
		    "end.") },
	{ 0 }
};

static PyType_Slot slots[] = {
	{ Py_tp_doc, (void *)PyDoc_STR("A sequence of deleted files, each a "
				       "dict.") },
	{ Py_tp_dealloc, (void *)free_deleted },
	{ Py_tp_methods, methods },
	{ Py_sq_length, (void *)length },
	{ Py_sq_item, (void *)item },
	{ 0 }
};

PyType_Spec deleted_spec = {
	.name = "_e2lazy.Deleted",
	.basicsize = sizeof(struct deleted),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION |
		 Py_TPFLAGS_IMMUTABLETYPE,
	.slots = slots,
};
