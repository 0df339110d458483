/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * journal.c - an open device
 */
#include "bound.h"

#include <stdlib.h>

/* ----------------------------------------------------------------- opening */

static struct journal *new_journal(struct module *m, PyObject *device)
{
	struct journal *j = bound_new(m->journal, struct journal);

	if (!j)
		return NULL;
	j->journal = NULL;
	j->owner = 0;
	j->call = NULL;
	j->handles = j->later = NULL;
	j->exports = 0;
	Py_INCREF(device);
	j->device = device;
	j->watch = (struct e2lazy_watch){ .stop = call_stop, .priv = j };
	j->lock = PyThread_allocate_lock();
	if (!j->lock) {
		Py_DECREF((PyObject *)j);
		PyErr_NoMemory();
		return NULL;
	}
	return j;
}

/* A new Journal is nobody else's yet, so it needs no lock. */
static errcode_t open_device(struct journal *j, PyObject *path,
			     const struct e2lazy_open_opts *opts,
			     struct e2lazy_where *where)
{
	const char *name = PyBytes_AsString(path);
	errcode_t err;

	Py_BEGIN_ALLOW_THREADS
	err = e2lazy_open(name, opts, &j->journal, where);
	Py_END_ALLOW_THREADS
	if (err)
		j->journal = NULL;
	return err;
}

/* A path of any type as str, for messages. */
static PyObject *as_text(PyObject *path)
{
	return PyUnicode_DecodeFSDefault(PyBytes_AsString(path));
}

static PyObject *open_at(struct module *m, PyObject *path,
			 const struct e2lazy_open_opts *opts)
{
	struct e2lazy_where where = { .has = 0 };
	PyObject *device = as_text(path);
	struct journal *j;
	errcode_t err;

	if (!device)
		return NULL;
	j = new_journal(m, device);
	if (j) {
		err = open_device(j, path, opts, &where);
		if (err) {
			Py_DECREF((PyObject *)j);
			j = NULL;
			raise_error_of(m, device, err, &where);
		}
	}
	Py_DECREF(device);
	return (PyObject *)j;
}

static int journal_path(PyObject *value, void *out)
{
	*(PyObject **)out = NULL;
	if (value == Py_None)
		return 1;
	return PyUnicode_FSConverter(value, out);
}

PyObject *journal_open(PyObject *module, PyObject *args, PyObject *names)
{
	static char *keys[] = { "device", "journal", "offset", "superblock",
				"blocksize", NULL };
	unsigned long long offset = 0, superblock = 0;
	PyObject *path = NULL, *journal = NULL, *out = NULL;
	struct e2lazy_open_opts opts = { 0 };
	unsigned blocksize = 0;

	if (PyArg_ParseTupleAndKeywords(args, names, "O&|$O&KKI:open", keys,
					PyUnicode_FSConverter, &path,
					journal_path, &journal, &offset,
					&superblock, &blocksize)) {
		opts.offset = offset;
		opts.superblock = superblock;
		opts.blocksize = blocksize;
		opts.journal = journal ? PyBytes_AsString(journal) : NULL;
		out = open_at(PyModule_GetState(module), path, &opts);
	}
	Py_XDECREF(path);
	Py_XDECREF(journal);
	return out;
}

/* ----------------------------------------------------------------- closing */

static void free_handles(struct journal *j)
{
	struct handle *handle;

	while ((handle = j->handles)) {
		j->handles = handle->next;
		handle->release(handle->what);
		free(handle);
	}
}

/* Other threads may have begun to use a buffer while this one waited. */
static PyObject *refuse_close(void)
{
	PyErr_SetString(PyExc_BufferError,
			"copies of the device are in use as buffers");
	return NULL;
}

static PyObject *close_journal(struct journal *j, PyObject *none)
{
	struct e2lazy_journal *open;
	struct call call;

	(void)none;
	if (!j->journal)
		Py_RETURN_NONE;
	if (j->exports)
		return refuse_close();
	if (!call_begin(&call, j))
		return NULL;
	call_python(&call);
	if (j->exports) {
		call_library(&call, true);
		call_end(&call);
		return refuse_close();
	}
	open = j->journal;
	j->journal = NULL;
	call_library(&call, true);
	free_handles(j);
	e2lazy_close(open);
	call_end(&call);
	Py_RETURN_NONE;
}

static void free_journal(struct journal *j)
{
	if (j->journal) {
		Py_BEGIN_ALLOW_THREADS
		free_handles(j);
		e2lazy_close(j->journal);
		Py_END_ALLOW_THREADS
	}
	if (j->lock)
		PyThread_free_lock(j->lock);
	Py_XDECREF(j->device);
	bound_free((PyObject *)j);
}

static PyObject *enter(PyObject *self, PyObject *none)
{
	(void)none;
	Py_INCREF(self);
	return self;
}

static PyObject *leave(struct journal *j, PyObject *args)
{
	PyObject *closed;

	(void)args;
	closed = close_journal(j, NULL);
	Py_XDECREF(closed);
	if (!closed)
		return NULL;
	Py_RETURN_FALSE;
}

/* -------------------------------------------------------------- its facts */

static const char *csum_word(enum e2lazy_csum csum)
{
	static const char *const words[] = { NULL, "v1", "v2", "v3" };

	return words[csum];
}

static PyObject *uuid_bytes(const uint8_t uuid[16])
{
	return PyBytes_FromStringAndSize((const char *)uuid, 16);
}

static PyObject *geometry_dict(const struct e2lazy_geometry *g)
{
	return Py_BuildValue(
		"{s:I,s:K,s:N,s:N,s:I,s:I,s:I,s:I,s:I,s:I,s:i,s:z,s:I,s:I,s:O,"
		"s:O,s:I,s:K}",
		"blocksize", g->blocksize,
		"fs_blocks", (unsigned long long)g->fs_blocks,
		"fs_uuid", uuid_bytes(g->fs_uuid),
		"uuid", uuid_bytes(g->uuid),
		"version", g->version, "maxlen", g->maxlen, "first", g->first,
		"end", g->end, "start", g->start, "sequence", g->sequence,
		"error", g->error, "csum", csum_word(g->csum),
		"tag_bytes", g->tag_bytes, "fc_blocks", g->fc_blocks,
		"external", g->external ? Py_True : Py_False,
		"needs_recovery", g->needs_recovery ? Py_True : Py_False,
		"inode", g->ino, "runs", (unsigned long long)g->runs);
}

static PyObject *geometry(struct journal *j, PyObject *none)
{
	PyObject *out;
	struct call call;

	(void)none;
	if (!call_begin(&call, j))
		return NULL;
	call_python(&call);
	out = geometry_dict(e2lazy_geometry(j->journal));
	call_library(&call, true);
	call_end(&call);
	return out;
}

static PyObject *get_device(struct journal *j, void *unused)
{
	(void)unused;
	Py_INCREF(j->device);
	return j->device;
}

static PyObject *get_closed(struct journal *j, void *unused)
{
	(void)unused;
	return PyBool_FromLong(!j->journal);
}

static PyGetSetDef attributes[] = {
	{ "device", (getter)get_device, NULL,
	  PyDoc_STR("The name that it was opened by."), NULL },
	{ "closed", (getter)get_closed, NULL, PyDoc_STR("Is it closed?"),
	  NULL },
	{ 0 }
};

static PyMethodDef methods[] = {
	{ "close", (PyCFunction)close_journal, METH_NOARGS,
	  PyDoc_STR("close()\n--\n\n"
		    "Close the device, and with it all that came from it.\n\n"
		    "BufferError while copies of it are in use as buffers.") },
	{ "__enter__", enter, METH_NOARGS, NULL },
	{ "__exit__", (PyCFunction)leave, METH_VARARGS, NULL },
	{ "geometry", (PyCFunction)geometry, METH_NOARGS,
	  PyDoc_STR("geometry()\n--\n\n"
		    "The facts of the superblocks, as a dict.") },
	{ "map", (PyCFunction)(void (*)(void))map_build,
	  METH_VARARGS | METH_KEYWORDS,
	  PyDoc_STR("map(*, until=None, verify=False)\n--\n\n"
		    "Read the log: its transactions, and the newest copy of "
		    "each block.\n\n"
		    "until: the last transaction that counts.\n"
		    "verify: read all copies, and verify their checksums.") },
	{ "verify", (PyCFunction)(void (*)(void))journal_verify,
	  METH_VARARGS | METH_KEYWORDS,
	  PyDoc_STR("verify(*, quick=False)\n--\n\n"
		    "Judge the log.\n\n"
		    "quick: leave out the contents of live blocks.\n"
		    "Returns a tuple: the verdict, clean, sound-in-use, damaged "
		    "or unusable, and a list of findings.") },
	{ "deleted", (PyCFunction)journal_deleted, METH_NOARGS,
	  PyDoc_STR("deleted()\n--\n\n"
		    "Search all of the ring for deleted files.") },
	{ 0 }
};

static PyType_Slot slots[] = {
	{ Py_tp_doc, (void *)PyDoc_STR("The journal of an open device; it is a "
				       "context manager.") },
	{ Py_tp_dealloc, (void *)free_journal },
	{ Py_tp_methods, methods },
	{ Py_tp_getset, attributes },
	{ 0 }
};

PyType_Spec journal_spec = {
	.name = "_e2lazy.Journal",
	.basicsize = sizeof(struct journal),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION |
		 Py_TPFLAGS_IMMUTABLETYPE,
	.slots = slots,
};
