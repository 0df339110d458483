/* SPDX-License-Identifier: GPL-2.0-only */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../fixtures/mkjournal.h"
#include "fixture.h"

/* Each test runs in a process of its own, so this list is of one test. */
static struct fixture *made[16];
static unsigned nr_made;

static void remove_all(void)
{
	while (nr_made) {
		struct fixture *f = made[--nr_made];

		drop(f);
		unlink(f->image);
		unlink(f->device);
		unlink(f->said);
		rmdir(f->dir);
		free(f);
	}
}

/*
 * check cannot skip a test, so a comment in its TAP says it.  The names of some
 * versions' functions end in _fn.  A line goes out whole.
 */
void say_skipped(const char *test, const char *why)
{
	size_t n = strlen(test);

	if (n > 3 && !strcmp(test + n - 3, "_fn"))
		n -= 3;
	dprintf(STDOUT_FILENO, "# skipped %.*s: %s\n", (int)n, test, why);
}

void on_disk(void)
{
	const char *disk = getenv("DISK_TMPDIR");

	if (disk)
		setenv("TMPDIR", disk, 1);
}

struct fixture *new_fixture(void)
{
	const char *tmp = getenv("TMPDIR");
	struct fixture *f = calloc(1, sizeof(*f));

	ck_assert_ptr_nonnull(f);
	ck_assert_uint_lt(nr_made, 16);
	if (!nr_made)
		atexit(remove_all);
	made[nr_made++] = f;
	snprintf(f->dir, sizeof(f->dir), "%.*s/XXXXXX",
		 (int)sizeof(f->dir) - 8, tmp);
	ck_assert_ptr_nonnull(mkdtemp(f->dir));
	snprintf(f->image, sizeof(f->image), "%s/fs.img", f->dir);
	snprintf(f->device, sizeof(f->device), "%s/journal.img", f->dir);
	snprintf(f->said, sizeof(f->said), "%s/said", f->dir);
	return f;
}

/* A failure's message has the command's output. */
static void run(struct fixture *f, const char *command)
{
	char line[4608], said[512] = "";
	FILE *file;

	snprintf(line, sizeof(line), "{ %s; } >%s 2>&1", command, f->said);
	if (system(line) == 0)
		return;
	file = fopen(f->said, "r");
	if (file) {
		said[fread(said, 1, sizeof(said) - 1, file)] = '\0';
		fclose(file);
	}
	ck_abort_msg("failed: %s: %s", command, said);
}

void shell(struct fixture *f, const char *command)
{
	char line[4096];

	snprintf(line, sizeof(line), command, f->image);
	run(f, line);
}

static void build_log(struct fixture *f, const char *device, const char *spec)
{
	char why[256] = "";

	ck_assert_msg(mkjournal_build(f->image, device, spec, why,
				      sizeof(why)) == 0, "mkjournal: %s", why);
}

void write_log(struct fixture *f, const char *spec)
{
	drop(f);
	build_log(f, NULL, spec);
}

/* Made a year before what mkjournal commits, unless told otherwise. */
#define MADE "E2FSPROGS_FAKE_TIME=1668464000 "

static void make_fs(struct fixture *f, const char *size, const char *mke2fs)
{
	char *line;

	ck_assert_int_gt(asprintf(&line, "truncate -s %s %s && " MADE
				  "mke2fs -q -F -t ext4 %s %s", size, f->image,
				  mke2fs, f->image), 0);
	run(f, line);
	free(line);
}

void make_image(struct fixture *f, const char *size, const char *mke2fs,
		const char *spec)
{
	make_fs(f, size, mke2fs);
	if (spec)
		build_log(f, NULL, spec);
}

void make_external(struct fixture *f, const char *blocksize, const char *spec)
{
	char line[4096];

	snprintf(line, sizeof(line),
		 "truncate -s 8M %s && " MADE "mke2fs -q -F -O journal_dev -b %s %s",
		 f->device, blocksize, f->device);
	run(f, line);
	/* mke2fs attaches block devices only, so the words are put in place */
	snprintf(line, sizeof(line), "-b %s -O ^has_journal,64bit", blocksize);
	make_fs(f, "256M", line);
	snprintf(line, sizeof(line),
		 "u=$(dumpe2fs -h %s 2>/dev/null | sed -n "
		 "'s/^Filesystem UUID: *//p') && debugfs -w -R 'feature "
		 "has_journal' %s >/dev/null 2>&1 && debugfs -w -R "
		 "\"ssv journal_uuid $u\" %s 2>/dev/null",
		 f->device, f->image, f->image);
	run(f, line);
	build_log(f, f->device, spec);
}

void drop(struct fixture *f)
{
	e2lazy_jmap_free(f->map);
	e2lazy_close(f->journal);
	f->map = NULL;
	f->journal = NULL;
}

errcode_t try_open(struct fixture *f, const struct e2lazy_open_opts *opts)
{
	drop(f);
	return e2lazy_open(f->image, opts, &f->journal, &f->where);
}

void read_map(struct fixture *f, unsigned flags, uint32_t until)
{
	struct e2lazy_jmap_opts opts = { .flags = flags | E2LAZY_JMAP_STATES,
					 .until = until };

	if (!f->journal)
		ck_assert_int_eq(try_open(f, NULL), 0);
	e2lazy_jmap_free(f->map);
	f->map = NULL;
	ck_assert_int_eq(e2lazy_jmap_build(f->journal, &opts, &f->map), 0);
}

struct fixture *map_of_fs(const char *mke2fs, const char *spec)
{
	struct fixture *f = new_fixture();
	/* 64k blocks: FREE is then at 3.7 GiB, sparse */
	const char *size = strstr(mke2fs, "-b 1024") ? "64M" :
			   strstr(mke2fs, "-b 2048") ? "128M" :
			   strstr(mke2fs, "-b 4096") ? "256M" : "4G";

	make_image(f, size, mke2fs, spec);
	if (spec)
		read_map(f, 0, 0);
	return f;
}

struct fixture *map_of(const char *spec)
{
	return map_of_fs(PLAIN, spec);
}

void check_content(struct fixture *f, const struct e2lazy_copy *copy)
{
	unsigned blocksize = e2lazy_geometry(f->journal)->blocksize;
	char *buf = malloc(blocksize), expect[64];
	unsigned skip = copy->flags & E2LAZY_COPY_ESCAPED ? 4 : 0;

	snprintf(expect, sizeof(expect), "fsblk %llu tid %u\n",
		 (unsigned long long)copy->fsblk, copy->tid);
	ck_assert_int_eq(e2lazy_read_copy(f->journal, copy->logblk,
					  copy->flags, buf), 0);
	if (skip)
		ck_assert_mem_eq(buf, "\xc0\x3b\x39\x98", 4);
	buf[blocksize - 1] = '\0';
	ck_assert_msg(strstr(buf + skip, expect) != NULL,
		      "block %llu holds \"%.40s\", not \"%s\"",
		      (unsigned long long)copy->fsblk, buf + skip, expect);
	free(buf);
}

enum e2lazy_beyond_verdict beyond(struct fixture *f)
{
	struct e2lazy_beyond b;

	ck_assert_int_eq(e2lazy_beyond(f->journal, e2lazy_jmap_end(f->map),
				       NULL, &b), 0);
	return b.verdict;
}
