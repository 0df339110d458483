/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * map.c - the newest copy of each block in the log, and its transactions
 */
#include "bound.h"

static void release_map(void *map)
{
	e2lazy_jmap_free(map);
}

/* -------------------------------------------------------------- the build */

struct build {
	struct call	call;
	PyObject	*txns;
};

static const char *csum_word(enum e2lazy_csum_state csum)
{
	static const char *const words[] = {
		[E2LAZY_UNCHECKED] = "unchecked",
		[E2LAZY_GOOD] = "good",
		[E2LAZY_TORN] = "torn",
		[E2LAZY_BAD] = "bad",
	};

	return words[csum];
}

static bool append(PyObject *list, PyObject *item)
{
	bool ok = item && !PyList_Append(list, item);

	Py_XDECREF(item);
	return ok;
}

static errcode_t note_txn(void *priv, const struct e2lazy_txn *t)
{
	struct build *b = priv;
	bool ok;

	call_python(&b->call);
	ok = append(b->txns, Py_BuildValue("(IIIIIsKI)", t->tid, t->start,
					   t->end, t->copies, t->revokes,
					   csum_word(t->csum),
					   (unsigned long long)t->sec,
					   t->nsec));
	return call_library(&b->call, ok);
}

static int take_until(PyObject *value, void *priv)
{
	struct e2lazy_jmap_opts *opts = priv;
	unsigned long until;

	if (value == Py_None)
		return 1;
	until = PyLong_AsUnsignedLong(value);
	if (PyErr_Occurred())
		return 0;
	if (until > UINT32_MAX) {
		PyErr_SetString(PyExc_ValueError,
				"until: a transaction has 32 bits");
		return 0;
	}
	opts->until = (uint32_t)until;
	opts->flags |= E2LAZY_WALK_UNTIL;
	return 1;
}

static struct map *new_map(struct journal *j, PyObject *txns)
{
	struct map *map = bound_new(module_of((PyObject *)j)->map, struct map);

	if (!map)
		return NULL;
	Py_INCREF((PyObject *)j);
	map->journal = j;
	map->handle = NULL;
	Py_INCREF(txns);
	map->txns = txns;
	return map;
}

static void build(struct map *map, struct build *b,
		  struct e2lazy_jmap_opts *opts)
{
	struct e2lazy_jmap *jmap = NULL;
	errcode_t err;

	if (!call_begin(&b->call, map->journal))
		return;
	opts->commit = note_txn;
	opts->priv = b;
	opts->watch = &map->journal->watch;
	err = e2lazy_jmap_build(map->journal->journal, opts, &jmap);
	if (!err) {
		map->handle = handle_add(map->journal, jmap, release_map);
		err = map->handle ? 0 : EXT2_ET_NO_MEMORY;
	}
	call_end(&b->call);
	call_failed(&b->call, (PyObject *)map, err, NULL);
}

PyObject *map_build(struct journal *j, PyObject *args, PyObject *names)
{
	static char *keys[] = { "until", "verify", NULL };
	struct e2lazy_jmap_opts opts = { .flags = E2LAZY_JMAP_CSUMS };
	struct build b = { .txns = NULL };
	struct map *map;
	int verify = 0;

	if (!PyArg_ParseTupleAndKeywords(args, names, "|$O&p:map", keys,
					 take_until, &opts, &verify))
		return NULL;
	if (verify)
		opts.flags |= E2LAZY_WALK_DATA;
	b.txns = PyList_New(0);
	map = b.txns ? new_map(j, b.txns) : NULL;
	if (map) {
		build(map, &b, &opts);
		if (PyErr_Occurred()) {
			Py_DECREF((PyObject *)map);
			map = NULL;
		}
	}
	Py_XDECREF(b.txns);
	return (PyObject *)map;
}

static void free_map(struct map *map)
{
	if (map->handle)
		handle_drop(map->journal, map->handle);
	Py_DECREF((PyObject *)map->journal);
	Py_XDECREF(map->txns);
	bound_free((PyObject *)map);
}

/* ------------------------------------------------------------ the mappings */

/* Positions of a mapping's tuple. */
static PyObject *copy_tuple(const struct e2lazy_copy *c)
{
	const unsigned long long values[] = {
		c->fsblk, c->logblk, c->physblk, c->tid, c->copies, c->flags,
	};
	const Py_ssize_t n = sizeof(values) / sizeof(*values);
	PyObject *tuple = PyTuple_New(n), *number;

	for (Py_ssize_t i = 0; tuple && i < n; i++) {
		number = PyLong_FromUnsignedLongLong(values[i]);
		if (!number) {
			Py_DECREF(tuple);
			return NULL;
		}
		PyTuple_SetItem(tuple, i, number);
	}
	return tuple;
}

/* The lock is held: a map never changes, but close() must wait. */
static PyObject *list_mappings(const struct e2lazy_jmap *jmap)
{
	size_t n = e2lazy_jmap_count(jmap);
	PyObject *list = PyList_New((Py_ssize_t)n), *tuple;
	struct e2lazy_copy copy;

	for (size_t i = 0; list && i < n; i++) {
		e2lazy_jmap_get(jmap, i, &copy);
		tuple = copy_tuple(&copy);
		if (!tuple) {
			Py_DECREF(list);
			return NULL;
		}
		PyList_SetItem(list, (Py_ssize_t)i, tuple);
	}
	return list;
}

static PyObject *mappings(struct map *map, PyObject *none)
{
	PyObject *list;
	struct call call;

	(void)none;
	if (!call_begin(&call, map->journal))
		return NULL;
	call_python(&call);
	list = list_mappings(map_of(map));
	call_library(&call, true);
	call_end(&call);
	return list;
}

static PyObject *lookup(struct map *map, PyObject *block)
{
	unsigned long long fsblk = PyLong_AsUnsignedLongLong(block);
	struct e2lazy_copy copy;
	struct call call;
	errcode_t err;

	if (PyErr_Occurred() || !call_begin(&call, map->journal))
		return NULL;
	err = e2lazy_jmap_lookup(map_of(map), fsblk, &copy);
	call_end(&call);
	if (err == E2LAZY_ET_NOT_MAPPED)
		Py_RETURN_NONE;
	return call_failed(&call, (PyObject *)map, err, NULL) ? NULL :
							    copy_tuple(&copy);
}

static Py_ssize_t length(struct map *map)
{
	struct call call;
	size_t n;

	if (!call_begin(&call, map->journal))
		return -1;
	n = e2lazy_jmap_count(map_of(map));
	call_end(&call);
	return (Py_ssize_t)n;
}

static PyObject *read_block(struct map *map, PyObject *block)
{
	unsigned long long fsblk = PyLong_AsUnsignedLongLong(block);
	struct journal *j = map->journal;
	unsigned blocksize;
	struct call call;
	PyObject *bytes;
	errcode_t err;

	if (PyErr_Occurred() || !call_begin(&call, j))
		return NULL;
	blocksize = e2lazy_geometry(j->journal)->blocksize;
	call_python(&call);
	bytes = PyBytes_FromStringAndSize(NULL, blocksize);
	if (call_library(&call, bytes)) {
		call_end(&call);
		return NULL;
	}
	err = e2lazy_read_block(j->journal, map_of(map), fsblk,
				PyBytes_AsString(bytes));
	call_end(&call);
	if (!call_failed(&call, (PyObject *)map, err,
			 &(struct e2lazy_where){ .has = E2LAZY_AT_FSBLK,
						 .fsblk = fsblk }))
		return bytes;
	Py_DECREF(bytes);
	return NULL;
}

/* --------------------------------------------------------------- its facts */

static PyObject *damage_list(const struct e2lazy_map_stats *s)
{
	PyObject *list = PyList_New(0);

	for (size_t i = 0; list && i < s->nr_damage; i++) {
		const struct e2lazy_damage *d = &s->damage[i];
		unsigned has = d->first.has;

		if (append(list, Py_BuildValue("(sKNNN)",
				error_message(d->error),
				(unsigned long long)d->count,
				known_number(has & E2LAZY_AT_LOGBLK,
					     d->first.logblk),
				known_number(has & E2LAZY_AT_FSBLK,
					     d->first.fsblk),
				known_number(has & E2LAZY_AT_TID,
					     d->first.tid))))
			continue;
		Py_DECREF(list);
		return NULL;
	}
	return list;
}

static PyObject *stats_dict(const struct e2lazy_jmap *jmap)
{
	const struct e2lazy_map_stats *s = e2lazy_jmap_stats(jmap);
	const struct e2lazy_end *end = e2lazy_jmap_end(jmap);

	return Py_BuildValue("{s:K,s:K,s:K,s:I,s:I,s:s,s:N}",
			     "transactions", (unsigned long long)s->txns,
			     "live", (unsigned long long)
					     e2lazy_jmap_count(jmap),
			     "revokes", (unsigned long long)s->revokes,
			     "head", end->head, "next_tid", end->tid,
			     "end", e2lazy_end_text(end->reason),
			     "damage", damage_list(s));
}

static PyObject *stats(struct map *map, PyObject *none)
{
	PyObject *out;
	struct call call;

	(void)none;
	if (!call_begin(&call, map->journal))
		return NULL;
	call_python(&call);
	out = stats_dict(map_of(map));
	call_library(&call, true);
	call_end(&call);
	return out;
}

static PyObject *get_txns(struct map *map, PyObject *none)
{
	(void)none;
	return PyList_GetSlice(map->txns, 0, PyList_Size(map->txns));
}

static PyMethodDef methods[] = {
	{ "mappings", (PyCFunction)mappings, METH_NOARGS,
	  PyDoc_STR("mappings()\n--\n\n"
		    "A list of tuples, by block: fsblk, logblk, physblk, tid, "
		    "copies, flags.") },
	{ "transactions", (PyCFunction)get_txns, METH_NOARGS,
	  PyDoc_STR("transactions()\n--\n\n"
		    "A list of tuples, oldest first: tid, start, end, copies, "
		    "revokes, csum, seconds and nanoseconds of the commit.") },
	{ "lookup", (PyCFunction)lookup, METH_O,
	  PyDoc_STR("lookup(fsblk, /)\n--\n\n"
		    "The tuple of that block, or None: it is the newest in "
		    "place.") },
	{ "block", (PyCFunction)read_block, METH_O,
	  PyDoc_STR("block(fsblk, /)\n--\n\n"
		    "The bytes of a block, from its newest copy or else in "
		    "place.") },
	{ "copies", (PyCFunction)(void (*)(void))map_copies,
	  METH_VARARGS | METH_KEYWORDS,
	  PyDoc_STR("copies(first=0, count=None)\n--\n\n"
		    "The contents of that many mappings from mappings()[first] "
		    "on, as a buffer of two dimensions: a row for each.") },
	{ "stats", (PyCFunction)stats, METH_NOARGS,
	  PyDoc_STR("stats()\n--\n\n"
		    "What was read, why it ended, and the damage, as a dict.") },
	{ "view", (PyCFunction)(void (*)(void))map_view,
	  METH_VARARGS | METH_KEYWORDS,
	  PyDoc_STR("view(*, fast_commits=True)\n--\n\n"
		    "The file system as after a replay of the log.\n\n"
		    "fast_commits: show those, too.") },
	{ 0 }
};

static PyType_Slot slots[] = {
	{ Py_tp_doc, (void *)PyDoc_STR("The newest copy of each block in the "
				       "log. It never changes.") },
	{ Py_tp_dealloc, (void *)free_map },
	{ Py_tp_methods, methods },
	{ Py_sq_length, (void *)length },
	{ 0 }
};

PyType_Spec map_spec = {
	.name = "_e2lazy.Map",
	.basicsize = sizeof(struct map),
	.flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION |
		 Py_TPFLAGS_IMMUTABLETYPE,
	.slots = slots,
};
