/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nbdkit_plugin.c - a modelled drive as a block device, served by nbdkit
 *
 * nbdkit e2lazy-drive drive=MODEL [file=FILE | size=SIZE] [set=KEY=VALUE]...
 * [scale=PERCENT] [start=SIZE] [stats=FILE] [drives=LIST]
 *
 * The bytes are in a file or in memory.  The model computes when the drive
 * would answer, and the answer waits until then.  One model, on one thread,
 * serves all clients: a drive has one head.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define NBDKIT_API_VERSION 2
#include <nbdkit-plugin.h>

#include "stats.h"
#include "session/drive_list.h"
#include "session/plugin_error.h"
#include "support/nls.h"
#include "support/scaled.h"
#include "support/text.h"
#include "support/units.h"

#define THREAD_MODEL NBDKIT_THREAD_MODEL_SERIALIZE_ALL_REQUESTS

#define MAX_SETS	64
#define SECOND		UINT64_C(1000000000)
#define SECTOR		512

static struct {
	/* as configured */
	const char	*drive, *file, *list, *stats;
	const char	*sets[MAX_SETS];
	unsigned	nr_sets;
	uint64_t	size, start;
	uint64_t	scale;		/* percent of the time; 0: no wait */

	struct e2lazy_params params;
	struct e2lazy_model *model;
	int		fd;
	uint64_t	began;		/* on the clock; 0: no request yet */
	uint64_t	answered;	/* on the model's clock */
	bool		warned;		/* of an impossible request */
} drive = { .scale = 100, .fd = -1 };

/* ---------------------------------------------------------- parameters */

static int set_size(const char *key, const char *value, uint64_t *size)
{
	if (parse_offset(value, size))
		return 0;
	return say_error("%s: '%s' is not a multiple of 512 bytes", key,
			 value);
}

static int add_set(const char *value)
{
	if (drive.nr_sets == MAX_SETS)
		return say_error("set: at most %u of them", MAX_SETS);
	drive.sets[drive.nr_sets++] = value;
	return 0;
}

static int set_scale(const char *value)
{
	if (parse_number(value, 10000, &drive.scale))
		return 0;
	return say_error("scale: '%s' is not a percentage from 0 to 10000",
			 value);
}

static int drive_config(const char *key, const char *value)
{
	const struct {
		const char *key, **to;
	} names[] = {
		{ "drive", &drive.drive }, { "file", &drive.file },
		{ "drives", &drive.list }, { "stats", &drive.stats },
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i].key, key)) {
			*names[i].to = value;
			return 0;
		}
	if (!strcmp(key, "set"))
		return add_set(value);
	if (!strcmp(key, "scale"))
		return set_scale(value);
	if (!strcmp(key, "size"))
		return set_size(key, value, &drive.size);
	if (!strcmp(key, "start"))
		return set_size(key, value, &drive.start);
	return say_error("unknown parameter '%s'", key);
}

#define CONFIG_HELP \
"[drive=]MODEL      (required) A model of mke2lazy-drives(5).\n" \
"file=FILE          The bytes are in FILE; by default in memory.\n" \
"size=SIZE          The size, in memory; by default that of the drive.\n" \
"set=KEY=VALUE      Set a parameter of the drive; may be given several times.\n" \
"scale=PERCENT      Wait this part of the modelled time: 100 is real time,\n" \
"                   0 does not wait, and a request then comes as soon as the\n" \
"                   one before it is answered.\n" \
"start=SIZE         The device begins SIZE into the drive.\n" \
"stats=FILE         Write the model's counters to FILE at the end.\n" \
"drives=LIST        Another list of drives."

static int drive_config_complete(void)
{
	if (!drive.drive)
		return say_error("no drive given: drive=MODEL");
	if (drive.file && drive.size)
		return say_error("file and size are mutually exclusive");
	return 0;
}

/* ------------------------------------------------------------- opening */

static int load_params(const char *list)
{
	unsigned line = 0;
	errcode_t err = e2lazy_drive_params(list, drive.drive, &drive.params,
					    &line);

	if (err == ENOENT)
		return say_error("drive: '%s' is not a model in %s",
				 drive.drive, list);
	if (err)
		return say_error("%s: line %u: %s", list, line,
				 error_message(err));
	for (unsigned i = 0; i < drive.nr_sets; i++)
		if (!e2lazy_params_set(&drive.params, drive.sets[i],
				       E2LAZY_ORIGIN_GIVEN, "set"))
			return say_error("set: '%s' is not a parameter and a "
					 "valid value", drive.sets[i]);
	return 0;
}

static int make_model(void)
{
	errcode_t err = e2lazy_model_new(&drive.params, &drive.model);

	if (err == EXT2_ET_INVALID_ARGUMENT)
		return say_error("such a drive is impossible: its parameters "
				 "contradict each other");
	return err ? say_error("%s", error_message(err)) : 0;
}

static int open_file(void)
{
	off_t end;

	drive.fd = open(drive.file, O_RDWR | O_CLOEXEC);
	end = drive.fd < 0 ? -1 : lseek(drive.fd, 0, SEEK_END);
	if (end < 0)
		return say_error("%s: %s", drive.file, strerror(errno));
	drive.size = (uint64_t)end / SECTOR * SECTOR;
	return 0;
}

/* Memory that holds only what is written. */
static int open_memory(uint64_t size)
{
	drive.fd = memfd_create("e2lazy-drive", MFD_CLOEXEC);
	if (drive.fd < 0 || ftruncate(drive.fd, (off_t)size))
		return say_error("memory: %s", strerror(errno));
	drive.size = size;
	return 0;
}

static int open_bytes(void)
{
	uint64_t disk = drive.params.value[E2LAZY_PARAM_DISK], room;

	if (drive.start >= disk)
		return say_error("start is beyond the drive, which has %" PRIu64
				 " bytes", disk);
	room = disk - drive.start;
	if (drive.file ? open_file() :
			 open_memory(drive.size ? drive.size : room))
		return -1;
	if (drive.size <= room)
		return 0;
	return say_error("%" PRIu64 " bytes from %" PRIu64 " on are more than "
			 "the drive has: set=disk=SIZE makes it larger",
			 drive.size, drive.start);
}

static int drive_get_ready(void)
{
	char *list = NULL;
	int failed;

	initialize_e2lz_error_table();
	initialize_ext2_error_table();
	if (!drive.list && !drive_list(&list))
		return -1;
	if (!drive.list && !list)
		return say_error("%s", strerror(ENOMEM));
	failed = load_params(drive.list ? drive.list : list) || make_model() ||
		 open_bytes();
	free(list);
	return failed ? -1 : 0;
}

/* The drive finishes its work, so that the counters are those of a whole run. */
static void drive_unload(void)
{
	struct drive_stats stats = { .drive = drive.drive };

	if (drive.model && drive.stats &&
	    !e2lazy_model_settle(drive.model, &stats.run, &stats.done)) {
		stats.counters = e2lazy_model_counters(drive.model);
		if (drive.began || stats.counters->requests[E2LAZY_OP_READ])
			stats.waited = drive.scale != 0;
		drive_stats_write(drive.stats, &stats);
	}
	e2lazy_model_free(drive.model);
	if (drive.fd >= 0)
		close(drive.fd);
}

/* -------------------------------------------------------------- requests */

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * SECOND + (uint64_t)t.tv_nsec;
}

/* The model's time: since the first request, or that of the last answer. */
static uint64_t model_time(void)
{
	uint64_t t = now();

	if (!drive.began)
		drive.began = t;
	if (!drive.scale)
		return drive.answered;
	t = scaled(t - drive.began, 100, drive.scale);
	return t > drive.answered ? t : drive.answered;
}

static void wait_for_answer(void)
{
	uint64_t due = drive.began +
		       scaled(drive.answered, (uint32_t)drive.scale, 100);
	uint64_t t = now();

	if (drive.scale && due > t)
		nbdkit_nanosleep((unsigned)((due - t) / SECOND),
				 (unsigned)((due - t) % SECOND));
}

/*
 * Clients may ask for single bytes, drives know sectors.  A write that has to
 * be on the surface is one with a flush behind it, as in e2lazy simulate.
 */
static int ask(enum e2lazy_op op, uint64_t offset, uint64_t length, bool fua)
{
	uint64_t first = offset / SECTOR * SECTOR;
	uint64_t end = (offset + length + SECTOR - 1) / SECTOR * SECTOR;
	bool flush = op == E2LAZY_OP_FLUSH;
	errcode_t err = e2lazy_model_io(drive.model, model_time(), op,
					flush ? 0 : drive.start + first,
					flush ? 0 : end - first,
					&drive.answered);

	if (!err && fua)
		err = e2lazy_model_io(drive.model, drive.answered,
				      E2LAZY_OP_FLUSH, 0, 0, &drive.answered);
	if (err) {
		say_error("%s", error_message(err));
		nbdkit_set_error(EIO);
		return -1;
	}
	wait_for_answer();
	return 0;
}

static int fail(void)
{
	int error = errno;

	say_error("%s: %s", drive.file ? drive.file : "memory",
		  strerror(error));
	nbdkit_set_error(error);
	return -1;
}

static void *drive_open(int readonly)
{
	(void)readonly;
	return NBDKIT_HANDLE_NOT_NEEDED;
}

static int64_t drive_get_size(void *handle)
{
	(void)handle;
	return (int64_t)drive.size;
}

static int drive_block_size(void *handle, uint32_t *minimum,
			    uint32_t *preferred, uint32_t *maximum)
{
	(void)handle;
	*minimum = 1;
	*preferred = 4096;
	*maximum = UINT32_MAX;
	return 0;
}

static int can(void *handle)
{
	(void)handle;
	return 1;
}

static int can_fua(void *handle)
{
	(void)handle;
	return NBDKIT_FUA_NATIVE;
}

static int drive_pread(void *handle, void *buf, uint32_t count,
		       uint64_t offset, uint32_t flags)
{
	char *to = buf;
	ssize_t n;

	(void)handle, (void)flags;
	if (ask(E2LAZY_OP_READ, offset, count, false))
		return -1;
	for (; count; to += n, offset += (size_t)n, count -= (uint32_t)n) {
		n = pread(drive.fd, to, count, (off_t)offset);
		if (n <= 0) {
			errno = n ? errno : EIO;
			return fail();
		}
	}
	return 0;
}

static int drive_pwrite(void *handle, const void *buf, uint32_t count,
			uint64_t offset, uint32_t flags)
{
	const char *from = buf;
	ssize_t n;

	(void)handle;
	if (ask(E2LAZY_OP_WRITE, offset, count, flags & NBDKIT_FLAG_FUA))
		return -1;
	for (; count; from += n, offset += (size_t)n, count -= (uint32_t)n) {
		n = pwrite(drive.fd, from, count, (off_t)offset);
		if (n <= 0) {
			errno = n ? errno : EIO;
			return fail();
		}
	}
	return 0;
}

/* The bytes are gone, in memory and in a file. */
static int punch(uint64_t offset, uint32_t count)
{
	return fallocate(drive.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
			 (off_t)offset, count) ? fail() : 0;
}

static int drive_trim(void *handle, uint32_t count, uint64_t offset,
		      uint32_t flags)
{
	(void)handle, (void)flags;
	return ask(E2LAZY_OP_DISCARD, offset, count, false) ||
	       punch(offset, count) ? -1 : 0;
}

/* A drive writes zeroes as it writes other bytes. */
static int drive_zero(void *handle, uint32_t count, uint64_t offset,
		      uint32_t flags)
{
	(void)handle;
	return ask(E2LAZY_OP_WRITE, offset, count, flags & NBDKIT_FLAG_FUA) ||
	       punch(offset, count) ? -1 : 0;
}

static int drive_flush(void *handle, uint32_t flags)
{
	(void)handle, (void)flags;
	return ask(E2LAZY_OP_FLUSH, 0, 0, false);
}

static struct nbdkit_plugin plugin = {
	.name			= "e2lazy-drive",
	.longname		= "e2lazy: a modelled drive",
	.version		= PACKAGE_VERSION,
	.description		= "a block device as slow as the drive that "
				  "e2lazy models",
	.load			= nls_bind,
	.magic_config_key	= "drive",
	.config			= drive_config,
	.config_complete	= drive_config_complete,
	.config_help		= CONFIG_HELP,
	.get_ready		= drive_get_ready,
	.unload			= drive_unload,
	.open			= drive_open,
	.get_size		= drive_get_size,
	.block_size		= drive_block_size,
	.can_write		= can,
	.can_flush		= can,
	.can_trim		= can,
	.can_zero		= can,
	.can_fua		= can_fua,
	.can_multi_conn		= can,
	.pread			= drive_pread,
	.pwrite			= drive_pwrite,
	.trim			= drive_trim,
	.zero			= drive_zero,
	.flush			= drive_flush,
};

NBDKIT_REGISTER_PLUGIN(plugin)
