/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nbdkit_plugin.c - the file system as its log defines it, served by nbdkit
 *
 * nbdkit e2lazy DEVICE [journal=DEV] [superblock=N blocksize=N] [offset=SIZE]
 * [until-tid=N | at=TIME] [tail=LOGBLK:TID | ring=true | history=N]
 * [no-fast-commits=true] [data-journal=true] [behind-damage=true]
 * [export=NAME] [quiet=true] [is=ID] [journal-is=ID] [confined=DIRECTORY]...
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NBDKIT_API_VERSION 2
#include <nbdkit-plugin.h>

#include "session/identity.h"
#include "session/plugin_error.h"
#include "session/source.h"
#include "support/confine.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"
#include "support/text.h"

/* Objects of libe2lazy belong to one thread at a time. */
#define THREAD_MODEL NBDKIT_THREAD_MODEL_SERIALIZE_ALL_REQUESTS

static const struct volume {
	const char	*export;
	enum e2lazy_volume volume;
	const char	*description;
} volumes[] = {
	{ "", E2LAZY_FILE_SYSTEM, "the file system" },
	{ "journal", E2LAZY_JOURNAL, "its external journal, empty" },
};
#define NR_VOLUMES	(sizeof(volumes) / sizeof(*volumes))

#define MAX_PLACES	3

/* nbdkit passes no private data to these callbacks before a client connects. */
static struct {
	const char	*device_name;		/* as configured */
	const char	*is, *journal_is;	/* identities, or NULL */
	struct source	source;
	bool		quiet;
	const struct volume *only;		/* NULL: all exports */
	/* Where nbdkit makes its socket and its file; none: not confined. */
	const char	*confined[MAX_PLACES + 1];

	struct opened	log;
	struct e2lazy_where told;		/* the last failed read */
} served;

/* ---------------------------------------------------------- parameters */

static int set_file(const char *value)
{
	served.device_name = value;
	return 0;
}

static int set_is(const char *value)
{
	served.is = value;
	return 0;
}

static int set_journal_is(const char *value)
{
	served.journal_is = value;
	return 0;
}

static const struct volume *find_volume(const char *export)
{
	for (size_t i = 0; i < NR_VOLUMES; i++)
		if (!strcmp(volumes[i].export, export))
			return &volumes[i];
	say_error("there is no export '%s'", export);
	return NULL;
}

static int set_export(const char *value)
{
	served.only = find_volume(value);
	return served.only ? 0 : -1;
}

static int set_quiet(const char *value)
{
	int quiet = nbdkit_parse_bool(value);

	served.quiet = quiet > 0;
	return quiet < 0 ? -1 : 0;
}

static int add_confined(const char *value)
{
	unsigned nr = 0;

	while (nr < MAX_PLACES && served.confined[nr])
		nr++;
	if (nr < MAX_PLACES) {
		served.confined[nr] = value;
		return 0;
	}
	say_error("confined: at most %u of them", MAX_PLACES);
	return -1;
}

static const struct {
	const char *key;
	int (*set)(const char *value);
} parameters[] = {
	{ "file", set_file },
	{ "is", set_is },
	{ "journal-is", set_journal_is },
	{ "export", set_export },
	{ "quiet", set_quiet },
	{ "confined", add_confined },
};

#define CONFIG_HELP \
"[file=]DEVICE      (required) block device or image of the file system.\n" \
"journal=DEV        The external journal.\n" \
"superblock=N       Use the backup superblock in block N.\n" \
"blocksize=N        The block size, for superblock=N.\n" \
"offset=SIZE        The file system begins SIZE bytes into DEVICE.\n" \
"until-tid=N        Take the log to end after transaction N.\n" \
"at=TIME            The same, after the last transaction by TIME.\n" \
"geometry=SPEC      As e2lazy's option of that name.\n" \
"tail=LOGBLK[:TID], ring=true, history=N  As e2lazy's options of these names.\n" \
"no-fast-commits=true, data-journal=true, behind-damage=true\n" \
"                                         As e2lazy's options of these names.\n" \
"export=NAME        Serve this one only, whatever clients ask for: '' or\n" \
"                   'journal'.\n" \
"quiet=true         Do not say what the view lacks.\n" \
"is=ID, journal-is=ID  Serve DEVICE, and DEV, only if they are what e2lazy\n" \
"                   view means; it says so in these words.\n" \
"confined=DIR       Give up all rights that serving does not need: nbdkit's\n" \
"                   socket and files can only be in DIR, and --run runs\n" \
"                   nothing. May be given three times."

static int view_config(const char *key, const char *value)
{
	const char *what;

	for (size_t i = 0; i < sizeof(parameters) / sizeof(*parameters); i++)
		if (!strcmp(parameters[i].key, key))
			return parameters[i].set(value);
	if (!source_knows(key)) {
		say_error("unknown parameter '%s'", key);
		return -1;
	}
	what = source_take(&served.source, key, value);
	if (what)
		say_error("%s: '%s' is not %s", key, value, what);
	return what ? -1 : 0;
}

static int view_config_complete(void)
{
	if (!served.device_name)
		say_error("no device given: file=DEVICE");
	else if (served.source.open.superblock && !served.source.open.blocksize)
		say_error("superblock needs blocksize");
	else
		return 0;
	return -1;
}

/* ------------------------------------------------------------- opening */

/* A name may mean another device than it did to e2lazy. */
static bool is_meant(enum e2lazy_volume volume, const char *id)
{
	const struct e2lazy_device *device =
		e2lazy_device(served.log.journal, volume);
	char text[IDENTITY_TEXT];

	identity_text(text, device);
	if (!id || !strcmp(text, id))
		return true;
	device_complain(device->name, NULL, E2LAZY_ET_CHANGED, 0);
	return false;
}

static bool open_journal(void)
{
	return opened_begin(&served.log, served.device_name,
			    &served.source.open, &served.source.geometry,
			    false, NULL) &&
	       is_meant(E2LAZY_FILE_SYSTEM, served.is) &&
	       is_meant(E2LAZY_JOURNAL, served.journal_is);
}

static const char *device_of(const struct e2lazy_where *where)
{
	return opened_device(&served.log, where);
}

static bool build_view(void)
{
	struct opened *log = &served.log;
	struct e2lazy_where where = { .has = 0 };
	struct e2lazy_view *view;
	errcode_t err;

	if (!opened_stretch(log, &served.source.limits, NULL))
		return false;
	err = opened_build(log, &served.source.limits, E2LAZY_JMAP_CSUMS |
			   E2LAZY_JMAP_STATES, false, NULL);
	if (err) {
		device_complain(log->device, NULL, err, 0);
		return false;
	}
	if (!opened_reaches_until(log))
		return false;
	err = opened_shown(log, &view, &where);
	if (!err)
		err = opened_leave_out(log, NULL);
	if (err)
		device_complain(device_of(&where), &where, err, 0);
	return !err;
}

static struct e2lazy_view *shown(void)
{
	return opened_what_is_shown(&served.log);
}

static bool has_only(void)
{
	if (!served.only || e2lazy_view_size(shown(), served.only->volume))
		return true;
	device_complain(served.log.device, NULL, E2LAZY_ET_NOT_EXTERNAL, 0);
	return false;
}

static void tell_damage(void)
{
	struct finding findings[MAX_FINDINGS];
	size_t n = opened_findings(&served.log, findings);

	for (size_t i = 0; i < n; i++)
		opened_tell(&served.log, &findings[i]);
	opened_tell_lacks(&served.log);
}

/* Report everything before nbdkit leaves the terminal. */
static int view_get_ready(void)
{
	initialize_e2lz_error_table();
	initialize_ext2_error_table();
	if (*served.confined)
		confine_start(served.confined);
	if (!open_journal() || !build_view() || !has_only())
		return -1;
	if (!served.quiet)
		tell_damage();
	return 0;
}

/* By now nbdkit has its socket. */
static int view_after_fork(void)
{
	if (*served.confined)
		confine_serve();
	return 0;
}

static void view_unload(void)
{
	opened_free(&served.log);
}

/* ------------------------------------------------------------- clients */

static int view_list_exports(int readonly, int is_tls,
			     struct nbdkit_exports *exports)
{
	(void)readonly, (void)is_tls;
	for (size_t i = 0; i < NR_VOLUMES; i++)
		if (e2lazy_view_size(shown(), volumes[i].volume) &&
		    (!served.only || served.only == &volumes[i]) &&
		    nbdkit_add_export(exports, volumes[i].export,
				      volumes[i].description))
			return -1;
	return 0;
}

static void *view_open(int readonly)
{
	const char *name = nbdkit_export_name();
	const struct volume *volume = served.only;

	(void)readonly;
	if (!volume)
		volume = name ? find_volume(name) : NULL;
	if (volume && !e2lazy_view_size(shown(), volume->volume)) {
		say_error("%s: %s", served.log.device,
			  error_message(E2LAZY_ET_NOT_EXTERNAL));
		return NULL;
	}
	return (void *)volume;
}

static int64_t view_get_size(void *handle)
{
	const struct volume *volume = handle;

	return (int64_t)e2lazy_view_size(shown(), volume->volume);
}

static int view_block_size(void *handle, uint32_t *minimum,
			   uint32_t *preferred, uint32_t *maximum)
{
	(void)handle;
	*minimum = 1;
	*preferred = served.log.geo->blocksize;
	*maximum = UINT32_MAX;
	return 0;
}

/* The kernel retries in smaller pieces before it gives up a block. */
static bool told_already(const struct e2lazy_where *where)
{
	bool same = served.told.has == where->has &&
		    served.told.fsblk == where->fsblk &&
		    served.told.logblk == where->logblk;

	served.told = *where;
	return same;
}

static int view_pread(void *handle, void *buf, uint32_t count,
		      uint64_t offset, uint32_t flags)
{
	const struct volume *volume = handle;
	struct e2lazy_where where;
	char text[DEVICE_TEXT];
	errcode_t err;

	(void)flags;
	memset(&where, 0, sizeof(where));
	err = e2lazy_view_read(shown(), volume->volume, offset, count,
			       buf, &where);
	if (!err)
		return 0;
	if (!told_already(&where)) {
		device_explain(text, &where, err, 0);
		say_error("%s: %s", device_of(&where), text);
	}
	nbdkit_set_error(EIO);
	return -1;
}

static struct nbdkit_plugin plugin = {
	.name			= "e2lazy",
	.longname		= "e2lazy: ext4 as its log makes it",
	.version		= PACKAGE_VERSION,
	.description		= "a file system as if its log had been "
				  "written back; read-only",
	.load			= nls_bind,
	.magic_config_key	= "file",
	.config			= view_config,
	.config_complete	= view_config_complete,
	.config_help		= CONFIG_HELP,
	.get_ready		= view_get_ready,
	.after_fork		= view_after_fork,
	.unload			= view_unload,
	.list_exports		= view_list_exports,
	.open			= view_open,
	.get_size		= view_get_size,
	.block_size		= view_block_size,
	.pread			= view_pread,
};

NBDKIT_REGISTER_PLUGIN(plugin)
