/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * copies.c - the contents of copies, as a buffer
 */
#include "bound.h"

struct copies {
	PyObject_HEAD
	struct map	*map;
	unsigned char	*bytes;
	Py_ssize_t	shape[2], strides[2];
};

/* Mappings from @i on, less than @most, whose log blocks are neighbours. */
static uint32_t run_at(const struct e2lazy_jmap *jmap, size_t i, size_t most)
{
	struct e2lazy_copy first, next;
	uint32_t n = 1;

	e2lazy_jmap_get(jmap, i, &first);
	for (; n < most; n++) {
		e2lazy_jmap_get(jmap, i + n, &next);
		if (next.logblk != first.logblk + n)
			break;
	}
	return n;
}

static errcode_t read_all(struct call *call, const struct e2lazy_jmap *jmap,
			  size_t first, struct copies *c, size_t *bad)
{
	size_t count = (size_t)c->shape[0], done = 0;
	errcode_t err = 0;

	while (!err && done < count) {
		uint32_t n = run_at(jmap, first + done, count - done);

		err = call_stop(call->journal);
		if (!err)
			err = e2lazy_jmap_read(jmap, first + done, n,
					       c->bytes + done *
							  c->strides[0], bad);
		done += n;
	}
	return err;
}

static struct copies *new_copies(struct map *map)
{
	struct copies *c = bound_new(module_of((PyObject *)map)->copies,
				     struct copies);

	if (!c)
		return NULL;
	Py_INCREF((PyObject *)map);
	c->map = map;
	c->bytes = NULL;
	c->shape[0] = c->shape[1] = 0;
	return c;
}

static bool fit(struct copies *c, struct call *call, Py_ssize_t first,
		Py_ssize_t count)
{
	const struct journal *j = c->map->journal;
	size_t all = e2lazy_jmap_count(map_of(c->map));
	bool ok = first >= 0 && (size_t)first <= all;

	if (ok && count < 0)
		count = (Py_ssize_t)all - first;
	ok = ok && (size_t)count <= all - (size_t)first;
	c->shape[0] = count;
	c->shape[1] = e2lazy_geometry(j->journal)->blocksize;
	c->strides[0] = c->shape[1];
	c->strides[1] = 1;
	call_python(call);
	if (!ok)
		PyErr_SetString(PyExc_IndexError, "there are fewer mappings");
	else if (!(c->bytes = PyMem_Malloc((size_t)count * c->strides[0] + 1)))
		PyErr_NoMemory();
	return !call_library(call, c->bytes);
}

static bool fill(struct copies *c, Py_ssize_t first, Py_ssize_t count)
{
	const struct e2lazy_jmap *jmap;
	struct e2lazy_copy copy = { 0 };
	size_t bad = (size_t)first;
	errcode_t err = 0;
	struct call call;

	if (!call_begin(&call, c->map->journal))
		return false;
	jmap = map_of(c->map);
	if (fit(c, &call, first, count))
		err = read_all(&call, jmap, (size_t)first, c, &bad);
	if (err && bad < e2lazy_jmap_count(jmap))
		e2lazy_jmap_get(jmap, bad, &copy);
	call_end(&call);
	return !call_failed(&call, (PyObject *)c->map, err,
			    &(struct e2lazy_where){
				    .has = E2LAZY_AT_LOGBLK | E2LAZY_AT_FSBLK |
					   E2LAZY_AT_TID,
				    .logblk = copy.logblk, .tid = copy.tid,
				    .fsblk = copy.fsblk });
}

PyObject *map_copies(struct map *map, PyObject *args, PyObject *names)
{
	static char *keys[] = { "first", "count", NULL };
	Py_ssize_t first = 0, count = -1;
	PyObject *some = Py_None;
	struct copies *c;

	if (!PyArg_ParseTupleAndKeywords(args, names, "|nO:copies", keys,
					 &first, &some))
		return NULL;
	if (some != Py_None) {
		count = PyLong_AsSsize_t(some);
		if (PyErr_Occurred())
			return NULL;
		if (count < 0) {
			PyErr_SetString(PyExc_ValueError, "count is negative");
			return NULL;
		}
	}
	c = new_copies(map);
	if (c && !fill(c, first, count)) {
		Py_DECREF((PyObject *)c);
		return NULL;
	}
	return (PyObject *)c;
}

static void free_copies(struct copies *c)
{
	PyMem_Free(c->bytes);
	Py_DECREF((PyObject *)c->map);
	bound_free((PyObject *)c);
}

/* -------------------------------------------------------------- the buffer */

static int get_buffer(struct copies *c, Py_buffer *view, int flags)
{
	if (flags & PyBUF_WRITABLE) {
		PyErr_SetString(PyExc_BufferError, "copies are read-only");
		return -1;
	}
	if (!c->map->journal->journal) {
		PyErr_SetString(PyExc_ValueError, "the device is closed");
		return -1;
	}
	Py_INCREF((PyObject *)c);
	*view = (Py_buffer){
		.buf = c->bytes, .obj = (PyObject *)c,
		.len = c->shape[0] * c->shape[1], .itemsize = 1,
		.readonly = 1, .ndim = 2,
		.format = flags & PyBUF_FORMAT ? "B" : NULL,
		.shape = flags & PyBUF_ND ? c->shape : NULL,
		.strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ?
				   c->strides : NULL,
	};
	if (!view->shape)
		view->ndim = 1;
	c->map->journal->exports++;
	return 0;
}

static void release_buffer(struct copies *c, Py_buffer *view)
{
	(void)view;
	c->map->journal->exports--;
}

static Py_ssize_t length(struct copies *c)
{
	return c->shape[0];
}

static PyObject *row(struct copies *c, Py_ssize_t i)
{
	if (i < 0 || i >= c->shape[0]) {
		PyErr_SetString(PyExc_IndexError, "no such copy");
		return NULL;
	}
	return PyBytes_FromStringAndSize((char *)c->bytes + i * c->strides[0],
					 c->shape[1]);
}

static PyType_Slot slots[] = {
	{ Py_tp_doc, (void *)PyDoc_STR("Contents of copies, one after another: "
				       "a read-only buffer of bytes, with a row "
				       "for each. copies[i] is one of them.") },
	{ Py_tp_dealloc, (void *)free_copies },
	{ Py_bf_getbuffer, (void *)get_buffer },
	{ Py_bf_releasebuffer, (void *)release_buffer },
	{ Py_sq_length, (void *)length },
	{ Py_sq_item, (void *)row },
	{ 0 }
};

PyType_Spec copies_spec = {
	.name = "_e2lazy.Copies",
	.basicsize = sizeof(struct copies),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION |
		 Py_TPFLAGS_IMMUTABLETYPE,
	.slots = slots,
};
