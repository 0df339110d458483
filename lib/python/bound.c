/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * bound.c - calls of the library, and what they leave: see bound.h
 */
#include "bound.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "e2lazy_verify.h"

struct module *module_of(PyObject *self)
{
	return PyType_GetModuleState(Py_TYPE(self));
}

/* -------------------------------------------------------------- the calls */

errcode_t call_stop(void *priv)
{
	struct journal *j = priv;
	struct call *call = j->call;

	/* Threads of the library have no Python. */
	if (!call || j->owner != PyThread_get_thread_ident())
		return 0;
	if (call->raised)
		return E2LAZY_ET_CANCELLED;
	call_python(call);
	return call_library(call, !PyErr_CheckSignals());
}

void call_python(struct call *call)
{
	PyEval_RestoreThread(call->saved);
}

errcode_t call_library(struct call *call, bool ok)
{
	call->raised = call->raised || !ok;
	call->saved = PyEval_SaveThread();
	return call->raised ? E2LAZY_ET_CANCELLED : 0;
}

/* Wait for the lock without the GIL; a signal may end that. */
static bool take_lock(struct journal *j)
{
	PyThreadState *saved;
	PyLockStatus status;

	if (j->owner == PyThread_get_thread_ident()) {
		PyErr_SetString(PyExc_RuntimeError,
				"this thread is in a call of the device");
		return false;
	}
	do {
		saved = PyEval_SaveThread();
		status = PyThread_acquire_lock_timed(j->lock, -1, 1);
		PyEval_RestoreThread(saved);
		if (status == PY_LOCK_INTR && PyErr_CheckSignals())
			return false;
	} while (status != PY_LOCK_ACQUIRED);
	j->owner = PyThread_get_thread_ident();
	return true;
}

static void give_lock(struct journal *j)
{
	j->owner = 0;
	PyThread_release_lock(j->lock);
}

static void release(struct handle *handle)
{
	handle->release(handle->what);
	free(handle);
}

static void release_later(struct journal *j)
{
	struct handle *handle;

	while ((handle = j->later)) {
		j->later = handle->next;
		release(handle);
	}
}

bool call_begin(struct call *call, struct journal *j)
{
	if (!take_lock(j))
		return false;
	if (!j->journal) {
		give_lock(j);
		PyErr_SetString(PyExc_ValueError, "the device is closed");
		return false;
	}
	*call = (struct call){ .journal = j };
	j->call = call;
	call->saved = PyEval_SaveThread();
	return true;
}

void call_end(struct call *call)
{
	struct journal *j = call->journal;

	j->call = NULL;
	PyEval_RestoreThread(call->saved);
	release_later(j);
	give_lock(j);
}

/* ------------------------------------------------------------ the handles */

struct handle *handle_add(struct journal *j, void *what,
			  void (*free_it)(void *what))
{
	struct handle *handle = malloc(sizeof(*handle));

	if (!handle) {
		free_it(what);
		return NULL;
	}
	*handle = (struct handle){ .next = j->handles, .at = &j->handles,
				   .release = free_it, .what = what };
	if (j->handles)
		j->handles->at = &handle->next;
	j->handles = handle;
	return handle;
}

static void unlink_handle(struct handle *handle)
{
	*handle->at = handle->next;
	if (handle->next)
		handle->next->at = handle->at;
}

static void put_later(struct journal *j, struct handle *handle)
{
	struct handle **at = &j->later;

	while (*at)
		at = &(*at)->next;
	handle->next = NULL;
	*at = handle;
}

/* A lock that nobody takes back: an exception must not come of a dealloc. */
static void lock_for_good(struct journal *j)
{
	PyThreadState *saved = PyEval_SaveThread();

	PyThread_acquire_lock(j->lock, WAIT_LOCK);
	PyEval_RestoreThread(saved);
	j->owner = PyThread_get_thread_ident();
}

void handle_drop(struct journal *j, struct handle *handle)
{
	if (j->owner == PyThread_get_thread_ident()) {
		unlink_handle(handle);
		put_later(j, handle);
		return;
	}
	lock_for_good(j);
	if (j->journal) {	/* else close() has freed it */
		unlink_handle(handle);
		release(handle);
	}
	give_lock(j);
}

/* ---------------------------------------------------------- the exceptions */

static void set(PyObject *exception, const char *name, PyObject *value)
{
	if (value)
		PyObject_SetAttrString(exception, name, value);
	Py_XDECREF(value);
}

static const char *problem_id(errcode_t error)
{
	const struct e2lazy_problem *p = e2lazy_problem_of(error);

	return p ? p->id : NULL;
}

static void set_place(PyObject *exception, PyObject *device, errcode_t error,
		      const struct e2lazy_where *w)
{
	unsigned has = w ? w->has : 0;

	set(exception, "code", PyLong_FromLong((long)error));
	set(exception, "problem", Py_BuildValue("z", problem_id(error)));
	Py_XINCREF(device);
	set(exception, "device", device);
	set(exception, "logblk", known_number(has & E2LAZY_AT_LOGBLK,
					      w ? w->logblk : 0));
	set(exception, "fsblk", known_number(has & E2LAZY_AT_FSBLK,
					     w ? w->fsblk : 0));
	set(exception, "tid", known_number(has & E2LAZY_AT_TID,
					   w ? w->tid : 0));
}

/* A path that is not there is that, whoever looked for it. */
static errcode_t plain(errcode_t error)
{
	switch (error) {
	case EXT2_ET_FILE_NOT_FOUND:	return ENOENT;
	case EXT2_ET_NO_DIRECTORY:	return ENOTDIR;
	case EXT2_ET_SYMLINK_LOOP:	return ELOOP;
	}
	return error;
}

PyObject *raise_error_of(struct module *m, PyObject *device, errcode_t error,
			 const struct e2lazy_where *where)
{
	PyObject *exception;

	error = plain(error);
	if (error == EXT2_ET_NO_MEMORY || error == ENOMEM)
		return PyErr_NoMemory();
	if (error > 0 && error < 4096)
		exception = PyObject_CallFunction(PyExc_OSError, "isO",
						  (int)error,
						  strerror((int)error),
						  device);
	else
		exception = PyObject_CallFunction(problem_id(error) ?
						  m->damaged : m->error, "s",
						  error_message(error));
	if (!exception)
		return NULL;
	set_place(exception, device, error, where);
	if (!PyErr_Occurred())
		PyErr_SetObject((PyObject *)Py_TYPE(exception), exception);
	Py_DECREF(exception);
	return NULL;
}

PyObject *raise_error(PyObject *self, const struct journal *j, errcode_t error,
		      const struct e2lazy_where *where)
{
	return raise_error_of(module_of(self), j->device, error, where);
}

bool call_failed(struct call *call, PyObject *self, errcode_t error,
		 const struct e2lazy_where *where)
{
	if (!call->raised && !error)
		return false;
	if (!call->raised)
		raise_error(self, call->journal, error, where);
	return true;
}

/* -------------------------------------------------------------- small things */

void bound_free(PyObject *self)
{
	PyTypeObject *type = Py_TYPE(self);
	freefunc free_self = PyType_GetSlot(type, Py_tp_free);

	free_self(self);
	Py_DECREF(type);
}

PyObject *known_number(bool known, unsigned long long number)
{
	if (known)
		return PyLong_FromUnsignedLongLong(number);
	Py_INCREF(Py_None);
	return Py_None;
}

PyObject *name_of(const char *name, size_t length)
{
	return PyUnicode_DecodeFSDefaultAndSize(name, (Py_ssize_t)length);
}
