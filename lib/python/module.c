/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * module.c - the Python module _e2lazy
 */
#include "bound.h"

static PyMethodDef functions[] = {
	{ "open", (PyCFunction)(void (*)(void))journal_open,
	  METH_VARARGS | METH_KEYWORDS,
	  PyDoc_STR("open(device, *, journal=None, offset=0, superblock=0, "
		    "blocksize=0)\n--\n\n"
		    "Open the journal of an ext4 file system, for reading "
		    "only.\n\n"
		    "device: a block device or an image file.\n"
		    "journal: the device of an external journal.\n"
		    "offset: bytes before the file system.\n"
		    "superblock, blocksize: a backup superblock, and its block "
		    "size.") },
	{ 0 }
};

static int add_exception(PyObject *self, PyObject **out, const char *name,
			 const char *full, const char *doc, PyObject *base)
{
	*out = PyErr_NewExceptionWithDoc(full, doc, base, NULL);
	return *out ? PyModule_AddObjectRef(self, name, *out) : -1;
}

static int add_exceptions(PyObject *self, struct module *m)
{
	if (add_exception(self, &m->error, "Error", "e2lazy.Error",
			  "A call of libe2lazy failed.\n\n"
			  "code: the library's error code.\n"
			  "device: the device's name.\n"
			  "logblk, fsblk, tid: the place, each None if it is "
			  "not known.\n"
			  "problem: the id of the finding that it is, or None.",
			  NULL))
		return -1;
	return add_exception(self, &m->damaged, "DamagedError",
			     "e2lazy.DamagedError",
			     "The log or the file system is damaged there.",
			     m->error);
}

static int add_type(PyObject *self, PyTypeObject **out, PyType_Spec *spec)
{
	*out = (PyTypeObject *)PyType_FromModuleAndSpec(self, spec, NULL);
	return *out ? PyModule_AddType(self, *out) : -1;
}

static int start(PyObject *self)
{
	struct module *m = PyModule_GetState(self);

	initialize_e2lz_error_table();
	initialize_ext2_error_table();
	if (add_exceptions(self, m) ||
	    add_type(self, &m->journal, &journal_spec) ||
	    add_type(self, &m->map, &map_spec) ||
	    add_type(self, &m->copies, &copies_spec) ||
	    add_type(self, &m->view, &view_spec) ||
	    add_type(self, &m->file, &file_spec) ||
	    add_type(self, &m->deleted, &deleted_spec))
		return -1;
	return PyModule_AddStringConstant(self, "__version__",
					  e2lazy_version());
}

static int traverse(PyObject *self, visitproc visit, void *arg)
{
	struct module *m = PyModule_GetState(self);

	Py_VISIT(m->journal);
	Py_VISIT(m->map);
	Py_VISIT(m->copies);
	Py_VISIT(m->view);
	Py_VISIT(m->file);
	Py_VISIT(m->deleted);
	Py_VISIT(m->error);
	Py_VISIT(m->damaged);
	return 0;
}

static int clear(PyObject *self)
{
	struct module *m = PyModule_GetState(self);

	Py_CLEAR(m->journal);
	Py_CLEAR(m->map);
	Py_CLEAR(m->copies);
	Py_CLEAR(m->view);
	Py_CLEAR(m->file);
	Py_CLEAR(m->deleted);
	Py_CLEAR(m->error);
	Py_CLEAR(m->damaged);
	return 0;
}

static void free_module(void *self)
{
	clear(self);
}

static PyModuleDef_Slot slots[] = {
	{ Py_mod_exec, start },
	{ 0 }
};

static struct PyModuleDef definition = {
	PyModuleDef_HEAD_INIT,
	.m_name = "_e2lazy",
	.m_doc = PyDoc_STR("libe2lazy, as e2lazy has it"),
	.m_size = sizeof(struct module),
	.m_methods = functions,
	.m_slots = slots,
	.m_traverse = traverse,
	.m_clear = clear,
	.m_free = free_module,
};

PyMODINIT_FUNC PyInit__e2lazy(void)
{
	return PyModuleDef_Init(&definition);
}
