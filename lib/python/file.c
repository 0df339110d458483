/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * file.c - the contents of a file of a view
 */
#include "view.h"

#include <errno.h>

struct file {
	PyObject_HEAD
	struct view	*view;
	struct handle	*handle;	/* of an ext2_file_t */
};

static void release_file(void *file)
{
	ext2fs_file_close(file);
}

static ext2_file_t file_of(const struct file *f)
{
	return f->handle->what;
}

static bool failed(struct call *call, struct view *view, errcode_t err)
{
	const struct e2lazy_where *place = err ? seen_failed(seen_of(view)) :
						 NULL;
	struct e2lazy_where where = place ? *place :
					    (struct e2lazy_where){ .has = 0 };

	call_end(call);
	return call_failed(call, (PyObject *)view, err, &where);
}

static errcode_t open_file(struct file *f, struct journal *j, ext2_ino_t ino)
{
	struct ext2_inode inode;
	ext2_filsys fs = seen_of(f->view)->fs;
	ext2_file_t file;
	errcode_t err;

	err = ext2fs_read_inode(fs, ino, &inode);
	if (!err && !LINUX_S_ISREG(inode.i_mode))
		err = LINUX_S_ISDIR(inode.i_mode) ? EISDIR : EINVAL;
	if (!err)
		err = ext2fs_file_open2(fs, ino, &inode, 0, &file);
	if (err)
		return err;
	f->handle = handle_add(j, file, release_file);
	return f->handle ? 0 : EXT2_ET_NO_MEMORY;
}

PyObject *view_open(struct view *view, PyObject *value)
{
	unsigned long ino = PyLong_AsUnsignedLong(value);
	struct journal *j = view->map->journal;
	struct call call;
	struct file *f;

	if (PyErr_Occurred())
		return NULL;
	f = bound_new(module_of((PyObject *)view)->file, struct file);
	if (!f)
		return NULL;
	Py_INCREF((PyObject *)view);
	f->view = view;
	f->handle = NULL;
	if (call_begin(&call, j) &&
	    !failed(&call, view, open_file(f, j, (ext2_ino_t)ino)))
		return (PyObject *)f;
	Py_DECREF((PyObject *)f);
	return NULL;
}

static void free_file(struct file *f)
{
	if (f->handle)
		handle_drop(f->view->map->journal, f->handle);
	Py_DECREF((PyObject *)f->view);
	bound_free((PyObject *)f);
}

static errcode_t read_at(ext2_file_t file, unsigned long long offset,
			 const Py_buffer *to, unsigned *got)
{
	unsigned most = to->len > 1 << 30 ? 1 << 30 : (unsigned)to->len;
	errcode_t err;

	err = ext2fs_file_llseek(file, offset, EXT2_SEEK_SET, NULL);
	return err ? err : ext2fs_file_read(file, to->buf, most, got);
}

static PyObject *read_into(struct file *f, PyObject *args)
{
	unsigned long long offset;
	struct call call;
	unsigned got = 0;
	Py_buffer to;
	bool bad;

	if (!PyArg_ParseTuple(args, "Kw*:readinto", &offset, &to))
		return NULL;
	bad = !call_begin(&call, f->view->map->journal) ||
	      failed(&call, f->view, read_at(file_of(f), offset, &to, &got));
	PyBuffer_Release(&to);
	return bad ? NULL : PyLong_FromUnsignedLong(got);
}

static PyObject *size(struct file *f, PyObject *none)
{
	struct call call;
	__u64 bytes = 0;
	errcode_t err;

	(void)none;
	if (!call_begin(&call, f->view->map->journal))
		return NULL;
	err = ext2fs_file_get_lsize(file_of(f), &bytes);
	return failed(&call, f->view, err) ? NULL :
					PyLong_FromUnsignedLongLong(bytes);
}

static PyMethodDef methods[] = {
	{ "readinto", (PyCFunction)read_into, METH_VARARGS,
	  PyDoc_STR("readinto(offset, buffer, /)\n--\n\n"
		    "Fill a buffer from there on; returns the number of "
		    "bytes.") },
	{ "size", (PyCFunction)size, METH_NOARGS,
	  PyDoc_STR("size()\n--\n\nThe size of the file.") },
	{ 0 }
};

static PyType_Slot slots[] = {
	{ Py_tp_doc, (void *)PyDoc_STR("The contents of a file; e2lazy.View "
				       "opens them as a Python file.") },
	{ Py_tp_dealloc, (void *)free_file },
	{ Py_tp_methods, methods },
	{ 0 }
};

PyType_Spec file_spec = {
	.name = "_e2lazy.File",
	.basicsize = sizeof(struct file),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION |
		 Py_TPFLAGS_IMMUTABLETYPE,
	.slots = slots,
};
