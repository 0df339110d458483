/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * bound.h - the Python module _e2lazy: what its files share
 *
 * A Journal is an open device.  What comes from it, a Map, a View or a File, is
 * bound to it: it has a reference to the object that it came from, and the
 * Journal has a list of their handles in the library.  close() frees those,
 * newest first, and the objects stay as shells that raise ValueError.
 *
 * The library is not called by two threads for one device: each call holds the
 * Journal's lock, and not the GIL.  A callback takes the GIL back for as long as
 * it runs.  Python code that a signal runs there may drop objects of the same
 * Journal, so a thread that has the lock only lists their handles, and frees
 * them when its call ends.
 */
#ifndef E2LAZY_PYTHON_BOUND_H
#define E2LAZY_PYTHON_BOUND_H

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030b0000
#include <Python.h>

#include "e2lazy_view.h"

/* What a module has; there may be several, in several interpreters. */
struct module {
	PyTypeObject	*journal, *map, *copies, *view, *file, *deleted;
	PyObject	*error, *damaged;
};

struct module *module_of(PyObject *self);

/* A handle in the library that a Journal has to free. */
struct handle {
	struct handle	*next, **at;
	void		(*release)(void *what);
	void		*what;
};

struct call;

struct journal {
	PyObject_HEAD
	struct e2lazy_journal *journal;	/* NULL: closed */
	PyThread_type_lock lock;
	unsigned long	owner;		/* the thread that has it; 0: none */
	struct call	*call;		/* its call */
	struct handle	*handles;	/* newest first */
	struct handle	*later;		/* to free when the call ends */
	Py_ssize_t	exports;	/* buffers that somebody uses */
	PyObject	*device;	/* str */
	struct e2lazy_watch watch;	/* for the library, which may keep it:
					   Ctrl-C ends @call */
};

/* A call of the library, without the GIL. */
struct call {
	struct journal	*journal;
	PyThreadState	*saved;
	bool		raised;		/* a callback has set an exception */
};

/* Runs Python's handlers of signals: for @watch. */
errcode_t call_stop(void *journal);
/* False, with an exception, if the journal is closed or in use by this thread. */
bool call_begin(struct call *call, struct journal *journal);
/* The GIL is held again. */
void call_end(struct call *call);
/* Python code in a callback: between these two. */
void call_python(struct call *call);
errcode_t call_library(struct call *call, bool ok);

/* During a call.  NULL: out of memory. */
struct handle *handle_add(struct journal *journal, void *what,
			  void (*release)(void *what));
/* At any time, with the GIL. */
void handle_drop(struct journal *journal, struct handle *handle);

/* An exception for @error; NULL.  @where may be NULL. */
PyObject *raise_error(PyObject *self, const struct journal *journal,
		      errcode_t error, const struct e2lazy_where *where);
/* The same with the name of a device that is no Journal. */
PyObject *raise_error_of(struct module *module, PyObject *device,
			 errcode_t error, const struct e2lazy_where *where);
/* After a call: did it fail, or a callback of it?  True: an exception is set. */
bool call_failed(struct call *call, PyObject *self, errcode_t error,
		 const struct e2lazy_where *where);

/* Makes an object of one of the module's types. */
#define bound_new(type, what)	PyObject_New(what, type)
void bound_free(PyObject *self);

/* A number or None. */
PyObject *known_number(bool known, unsigned long long number);
/* A name or path of a file system: str, with surrogates for odd bytes. */
PyObject *name_of(const char *name, size_t length);

struct map {
	PyObject_HEAD
	struct journal	*journal;
	struct handle	*handle;	/* of a struct e2lazy_jmap */
	PyObject	*txns;		/* list of tuples */
};

/* During a call. */
static inline struct e2lazy_jmap *map_of(const struct map *map)
{
	return map->handle->what;
}

/* Specifications of the types. */
extern PyType_Spec journal_spec, map_spec, copies_spec, view_spec, file_spec,
		   deleted_spec;

PyObject *journal_open(PyObject *module, PyObject *args, PyObject *names);
PyObject *map_build(struct journal *journal, PyObject *args, PyObject *names);
PyObject *map_copies(struct map *map, PyObject *args, PyObject *names);
PyObject *map_view(struct map *map, PyObject *args, PyObject *names);
PyObject *journal_verify(struct journal *journal, PyObject *args,
			 PyObject *names);
PyObject *journal_deleted(struct journal *journal, PyObject *none);

#endif
