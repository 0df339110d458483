/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * view.c - the file system as after a replay of its log: names and inodes
 */
#include "view.h"

#include <stdlib.h>
#include <string.h>

/* --------------------------------------------------------------- the build */

static struct view *new_view(struct map *map)
{
	struct view *view = bound_new(module_of((PyObject *)map)->view,
				      struct view);

	if (view) {
		Py_INCREF((PyObject *)map);
		view->map = map;
		view->handle = NULL;
	}
	return view;
}

PyObject *map_view(struct map *map, PyObject *args, PyObject *names)
{
	static char *keys[] = { "fast_commits", NULL };
	struct e2lazy_where where = { .has = 0 };
	int fast_commits = 1;
	struct seen *seen;
	struct view *view;
	struct call call;
	errcode_t err;

	if (!PyArg_ParseTupleAndKeywords(args, names, "|$p:view", keys,
					 &fast_commits))
		return NULL;
	view = new_view(map);
	if (!view || !call_begin(&call, map->journal)) {
		Py_XDECREF((PyObject *)view);
		return NULL;
	}
	seen = seen_build(map->journal, map_of(map), fast_commits, &err,
			  &where);
	if (seen) {
		view->handle = handle_add(map->journal, seen, seen_free);
		err = view->handle ? 0 : EXT2_ET_NO_MEMORY;
	}
	call_end(&call);
	if (!call_failed(&call, (PyObject *)map, err, &where))
		return (PyObject *)view;
	Py_DECREF((PyObject *)view);
	return NULL;
}

static void free_view(struct view *view)
{
	if (view->handle)
		handle_drop(view->map->journal, view->handle);
	Py_DECREF((PyObject *)view->map);
	bound_free((PyObject *)view);
}

/* ----------------------------------------------------------------- the names */

/* The end of a call that read through the view. */
static bool failed(struct call *call, struct view *view, errcode_t err,
		   const struct e2lazy_where *place)
{
	struct e2lazy_where where = place ? *place :
					    (struct e2lazy_where){ .has = 0 };

	call_end(call);
	return call_failed(call, (PyObject *)view, err, &where);
}

static PyObject *lookup(struct view *view, PyObject *args, PyObject *names)
{
	static char *keys[] = { "path", "follow", "start", NULL };
	unsigned long start = EXT2_ROOT_INO;
	struct e2lazy_where where = { .has = 0 };
	PyObject *path = NULL;
	ext2_ino_t ino = 0;
	struct call call;
	int follow = 1;
	errcode_t err;
	bool bad;

	if (!PyArg_ParseTupleAndKeywords(args, names, "O&|$pk:lookup", keys,
					 PyUnicode_FSConverter, &path, &follow,
					 &start))
		return NULL;
	bad = !call_begin(&call, view->map->journal);
	if (!bad) {
		err = e2lazy_lookup(seen_of(view)->fs, (ext2_ino_t)start,
				    PyBytes_AsString(path), follow, &ino,
				    &where);
		bad = failed(&call, view, err, &where);
	}
	Py_DECREF(path);
	return bad ? NULL : PyLong_FromUnsignedLong(ino);
}

struct listing {
	struct call	call;
	PyObject	*list;
};

static errcode_t note_entry(void *priv, const struct e2lazy_entry *e)
{
	struct listing *l = priv;
	PyObject *item;
	bool ok;

	call_python(&l->call);
	item = Py_BuildValue("(NkI)", name_of(e->name, e->length),
			     (unsigned long)e->ino, e->type);
	ok = item && !PyList_Append(l->list, item);
	Py_XDECREF(item);
	return call_library(&l->call, ok);
}

/* An inode number of a Python call. */
static bool take_ino(PyObject *value, ext2_ino_t *ino)
{
	unsigned long number = PyLong_AsUnsignedLong(value);

	if (PyErr_Occurred())
		return false;
	*ino = (ext2_ino_t)number;
	if (*ino == number && number)
		return true;
	PyErr_SetString(PyExc_ValueError, "not an inode's number");
	return false;
}

static PyObject *entries(struct view *view, PyObject *value)
{
	struct e2lazy_damage damage = { .count = 0 };
	struct listing l = { .list = NULL };
	ext2_ino_t ino;
	errcode_t err;
	bool bad;

	if (!take_ino(value, &ino))
		return NULL;
	l.list = PyList_New(0);
	bad = !l.list || !call_begin(&l.call, view->map->journal);
	if (!bad) {
		err = e2lazy_directory_read(seen_of(view)->fs, ino, NULL,
					    note_entry, &l, &damage);
		if (!err && damage.count)
			err = damage.error;
		bad = failed(&l.call, view, err, &damage.first);
	}
	if (bad)
		Py_CLEAR(l.list);
	return l.list;
}

/* ---------------------------------------------------------------- an inode */

static double seconds(uint32_t low, uint32_t extra)
{
	/* The lowest bits are the epoch. */
	int64_t sec = (int32_t)low + ((int64_t)(extra & 3) << 32);

	return (double)sec + (extra >> 2) / 1e9;
}

static bool reaches(const struct ext2_inode_large *i, size_t end)
{
	return EXT2_GOOD_OLD_INODE_SIZE + (size_t)i->i_extra_isize >= end;
}

#define HAS(inode, field)						\
	reaches(inode, offsetof(struct ext2_inode_large, field) +	\
		       sizeof((inode)->field))

static PyObject *inode_dict(const struct ext2_inode_large *i, ext2_ino_t ino)
{
	const struct ext2_inode *old = (const struct ext2_inode *)i;

	return Py_BuildValue(
		"{s:k,s:I,s:I,s:k,s:k,s:K,s:I,s:k,s:d,s:d,s:d,s:N}",
		"ino", (unsigned long)ino, "mode", (unsigned)i->i_mode,
		"nlink", (unsigned)i->i_links_count,
		"uid", (unsigned long)inode_uid(*i),
		"gid", (unsigned long)inode_gid(*i),
		"size", (unsigned long long)EXT2_I_SIZE(old),
		"flags", (unsigned)i->i_flags,
		"generation", (unsigned long)i->i_generation,
		"atime", seconds(i->i_atime, HAS(i, i_atime_extra) ?
						     i->i_atime_extra : 0),
		"mtime", seconds(i->i_mtime, HAS(i, i_mtime_extra) ?
						     i->i_mtime_extra : 0),
		"ctime", seconds(i->i_ctime, HAS(i, i_ctime_extra) ?
						     i->i_ctime_extra : 0),
		"crtime", HAS(i, i_crtime_extra) ?
			PyFloat_FromDouble(seconds(i->i_crtime,
						   i->i_crtime_extra)) :
			known_number(false, 0));
}

static PyObject *inode(struct view *view, PyObject *value)
{
	struct ext2_inode_large raw = { 0 };
	struct call call;
	ext2_ino_t ino;
	errcode_t err;

	if (!take_ino(value, &ino) || !call_begin(&call, view->map->journal))
		return NULL;
	err = ext2fs_read_inode_full(seen_of(view)->fs, ino,
				     (struct ext2_inode *)&raw, sizeof(raw));
	if (failed(&call, view, err, err ? seen_failed(seen_of(view)) : NULL))
		return NULL;
	return inode_dict(&raw, ino);
}

static PyObject *target(struct view *view, PyObject *value)
{
	struct call call;
	PyObject *name;
	ext2_ino_t ino;
	char *text = NULL;
	errcode_t err;

	if (!take_ino(value, &ino) || !call_begin(&call, view->map->journal))
		return NULL;
	err = e2lazy_symlink_read(seen_of(view)->fs, ino, &text);
	if (failed(&call, view, err, err ? seen_failed(seen_of(view)) : NULL))
		return NULL;
	name = name_of(text, strlen(text));
	free(text);
	return name;
}

/* ------------------------------------------------------------------- bytes */

static PyObject *read_bytes(struct view *view, PyObject *args)
{
	unsigned long long offset;
	struct e2lazy_where where = { .has = 0 };
	Py_ssize_t count;
	struct call call;
	PyObject *bytes;
	errcode_t err;
	bool bad;

	if (!PyArg_ParseTuple(args, "Kn:read", &offset, &count))
		return NULL;
	bytes = PyBytes_FromStringAndSize(NULL, count);
	bad = !bytes || !call_begin(&call, view->map->journal);
	if (!bad) {
		err = e2lazy_view_read(seen_of(view)->view, E2LAZY_FILE_SYSTEM,
				       offset, (size_t)count,
				       PyBytes_AsString(bytes), &where);
		bad = failed(&call, view, err, &where);
	}
	if (bad)
		Py_CLEAR(bytes);
	return bytes;
}

static PyObject *size(struct view *view, PyObject *none)
{
	unsigned long long bytes;
	struct call call;

	(void)none;
	if (!call_begin(&call, view->map->journal))
		return NULL;
	bytes = e2lazy_view_size(seen_of(view)->view, E2LAZY_FILE_SYSTEM);
	call_end(&call);
	return PyLong_FromUnsignedLongLong(bytes);
}

static PyMethodDef methods[] = {
	{ "lookup", (PyCFunction)(void (*)(void))lookup,
	  METH_VARARGS | METH_KEYWORDS,
	  PyDoc_STR("lookup(path, *, follow=True, start=2)\n--\n\n"
		    "The inode that a path names.\n\n"
		    "follow: follow a symbolic link in the last name.\n"
		    "start: the directory of a path without a leading slash.") },
	{ "entries", (PyCFunction)entries, METH_O,
	  PyDoc_STR("entries(ino, /)\n--\n\n"
		    "A directory's entries in the order of the disk, as a list "
		    "of tuples: name, inode, type of the file.") },
	{ "inode", (PyCFunction)inode, METH_O,
	  PyDoc_STR("inode(ino, /)\n--\n\nAn inode's fields, as a dict.") },
	{ "target", (PyCFunction)target, METH_O,
	  PyDoc_STR("target(ino, /)\n--\n\nThe target of a symbolic link.") },
	{ "open", (PyCFunction)view_open, METH_O,
	  PyDoc_STR("open(ino, /)\n--\n\nThe contents of a regular file.") },
	{ "read", (PyCFunction)read_bytes, METH_VARARGS,
	  PyDoc_STR("read(offset, count, /)\n--\n\n"
		    "Bytes of the device, as after a replay.") },
	{ "size", (PyCFunction)size, METH_NOARGS,
	  PyDoc_STR("size()\n--\n\nBytes of the device.") },
	{ "events", (PyCFunction)view_events, METH_NOARGS,
	  PyDoc_STR("events()\n--\n\n"
		    "What happened to files in the log, as a list of tuples: "
		    "tid, seconds, nanoseconds, kind, inode, path, old "
		    "path.") },
	{ 0 }
};

static PyType_Slot slots[] = {
	{ Py_tp_doc, (void *)PyDoc_STR("The file system as after a replay of "
				       "its log.") },
	{ Py_tp_dealloc, (void *)free_view },
	{ Py_tp_methods, methods },
	{ 0 }
};

PyType_Spec view_spec = {
	.name = "_e2lazy.View",
	.basicsize = sizeof(struct view),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION |
		 Py_TPFLAGS_IMMUTABLETYPE,
	.slots = slots,
};
