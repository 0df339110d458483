/* SPDX-License-Identifier: GPL-2.0-only */
/* changed.c - a log whose transactions change files, and what is told of them */

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "changed.h"

static int by_number(const void *a, const void *b)
{
	const blk64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void copy_image(struct story *s, const char *from, const char *to)
{
	char *line;

	ck_assert_int_gt(asprintf(&line, "cp %s%s %s%s", s->o->f->image, from,
				  s->o->f->image, to), 0);
	shell(s->o->f, line);
	free(line);
}

void also(struct story *s, blk64_t fsblk)
{
	for (unsigned i = 0; i < s->nr_blocks; i++)
		if (s->blocks[i] == fsblk)
			return;
	ck_assert_uint_lt(s->nr_blocks, MAX_LOGGED);
	s->blocks[s->nr_blocks++] = fsblk;
	qsort(s->blocks, s->nr_blocks, sizeof(*s->blocks), by_number);
}

void comes_late(struct story *s, blk64_t fsblk)
{
	also(s, fsblk);
	s->late[!!s->late[0]] = fsblk;
}

static void also_directory(struct story *s, const char *path)
{
	struct ext2_inode inode;

	inode_of(s->o, path, &inode);
	if (!(inode.i_flags & EXT4_INLINE_DATA_FL))
		also(s, block_of(s->o, path, 0));
}

struct story new_story(const char *mke2fs, const char *tree)
{
	struct story s = { .o = new_owned(mke2fs, tree) };

	also(&s, home_of(s.o, EXT2_ROOT_INO));
	for (ext2_ino_t ino = 12; ino < 24; ino++)
		also(&s, home_of(s.o, ino));
	also_directory(&s, "/");
	also_directory(&s, "/d");
	also_directory(&s, "/e");
	copy_image(&s, "", ".base");
	return s;
}

void count_as_written(struct story *s)
{
	alter(s->o, "set_bg 0 itable_unused 0\nset_bg 0 checksum calc\n");
	copy_image(s, "", ".base");
}

void step(struct story *s, const char *commands)
{
	ck_assert_uint_lt(s->nr_txns, MAX_TXNS);
	alter(s->o, commands);
	s->contents[s->nr_txns] = calloc(s->nr_blocks, BLOCK);
	for (unsigned i = 0; i < s->nr_blocks; i++)
		read_block(s->o, s->blocks[i], s->contents[s->nr_txns][i]);
	s->nr_txns++;
}

void spoil_copy(struct story *s, blk64_t fsblk)
{
	unsigned i = 0;

	while (s->blocks[i] != fsblk)
		ck_assert_uint_lt(++i, s->nr_blocks);
	memset(s->contents[s->nr_txns - 1][i] + 24, 0xff, BLOCK - 24);
}

/* debugfs's command for one of them. */
static void write_one(struct story *s, unsigned txn, char *command)
{
	char list[MAX_LOGGED * 21] = "", *path;
	FILE *file;

	ck_assert_int_gt(asprintf(&path, "%s.%u", s->o->f->image, txn), 0);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	for (unsigned i = 0; i < s->nr_blocks; i++) {
		if (txn <= s->later && (s->blocks[i] == s->late[0] ||
					s->blocks[i] == s->late[1]))
			continue;
		sprintf(list + strlen(list), "%s%llu", *list ? "," : "",
			(unsigned long long)s->blocks[i]);
		ck_assert_uint_eq(fwrite(s->contents[txn][i], BLOCK, 1, file),
				  1);
	}
	ck_assert_int_eq(fclose(file), 0);
	sprintf(command, "jw -b %s %s\n", list, path);
	free(path);
}

/* The block before the log's first, around the ring, ends another one. */
static void follow_another(struct story *s)
{
	uint32_t commit[BLOCK / 4] = { htobe32(0xc03b3998), htobe32(2) };
	uint32_t super[BLOCK / 4];

	read_block(s->o, block_of_ino(s->o, EXT2_JOURNAL_INO, 0), super);
	commit[2] = htobe32(be32toh(super[6]) - 1);
	write_block(s->o, block_of_ino(s->o, EXT2_JOURNAL_INO,
				       be32toh(super[4]) - 1), commit);
}

/* The first transaction was committed long after all dates, or then. */
static void date_first(struct story *s)
{
	unsigned copies = s->nr_blocks - !!s->late[0] - !!s->late[1];
	uint32_t super[BLOCK / 4], commit[BLOCK / 4];
	blk64_t at;

	read_block(s->o, block_of_ino(s->o, EXT2_JOURNAL_INO, 0), super);
	at = block_of_ino(s->o, EXT2_JOURNAL_INO, be32toh(super[7]) + copies +
						  1);
	read_block(s->o, at, commit);
	ck_assert_uint_eq(be32toh(commit[1]), 2);
	commit[12] = s->dated ? 0 : UINT32_MAX;
	commit[13] = s->dated ? htobe32(s->dated) : UINT32_MAX;
	write_block(s->o, at, commit);
}

void write_story(struct story *s)
{
	char commands[4096] = "jo\n";

	copy_image(s, ".base", "");
	for (unsigned i = 0; i < s->nr_txns; i++)
		write_one(s, i, commands + strlen(commands));
	strcat(commands, "jc\n");
	alter(s->o, commands);
	if (s->follows)
		follow_another(s);
	if (s->undated || s->dated)
		date_first(s);
	read_map(s->o->f, E2LAZY_JMAP_CSUMS, 0);
	ck_assert_uint_eq(e2lazy_jmap_stats(s->o->f->map)->txns, s->nr_txns);
	ck_assert_int_eq(e2lazy_view_build(s->o->f->journal, s->o->f->map,
					   &s->o->view, NULL), 0);
}

void end_story(struct story *s)
{
	char *line;

	ck_assert_int_gt(asprintf(&line, "rm -f %s.*", s->o->f->image), 0);
	shell(s->o->f, line);
	free(line);
	for (unsigned i = 0; i < s->nr_txns; i++)
		free(s->contents[i]);
	free_owned(s->o);
}

/* ------------------------------------------------------------- the events */

static uint32_t first_tid(struct story *s)
{
	return e2lazy_jmap_stats(s->o->f->map)->first_tid;
}

static errcode_t note(void *priv, const struct e2lazy_change *c)
{
	struct story *s = priv;
	size_t used = strlen(s->told);

	if (c->tid)
		used += (size_t)snprintf(s->told + used,
					 sizeof(s->told) - used, "%u ",
					 c->tid - first_tid(s) + 1);
	snprintf(s->told + used, sizeof(s->told) - used, "%s %s%s%s\n",
		 e2lazy_change_name(c->kind), c->old_path ? c->old_path : "",
		 c->old_path ? " -> " : "", c->path);
	return 0;
}

static errcode_t note_lost(void *priv, blk64_t fsblk, bool before,
			   errcode_t why)
{
	struct story *s = priv;

	ck_assert_uint_ne(fsblk, 0);
	if (before && why == E2LAZY_ET_LOST) {
		s->lost++;
	} else {
		ck_assert_int_eq(why, EXT2_ET_DIR_CORRUPTED);
		s->damaged += !before;
	}
	return 0;
}

static struct e2lazy_changes_opts opts_of(struct story *s)
{
	return (struct e2lazy_changes_opts){
		.found = note, .lost = note_lost, .priv = s,
		.beginning = s->beginning,
	};
}

void check_each(struct story *s, const char *expect)
{
	const struct e2lazy_changes_opts opts = opts_of(s);

	*s->told = '\0';
	s->lost = s->damaged = 0;
	ck_assert_int_eq(e2lazy_changes_each(s->o->f->journal, s->o->view,
					     NULL, 0, &opts, NULL), 0);
	ck_assert_str_eq(s->told, expect);
}

void check_between(struct story *s, unsigned from, const char *expect)
{
	const struct e2lazy_changes_opts opts = opts_of(s);
	const struct e2lazy_jmap_opts until = {
		.flags = E2LAZY_WALK_UNTIL | E2LAZY_JMAP_CSUMS,
		.until = first_tid(s) + from - 1,
	};
	struct e2lazy_journal *journal = s->o->f->journal;
	struct e2lazy_view *view;
	struct e2lazy_jmap *map;

	*s->told = '\0';
	s->lost = s->damaged = 0;
	ck_assert_int_eq(e2lazy_jmap_build(journal, &until, &map), 0);
	ck_assert_int_eq(e2lazy_view_build(journal, map, &view, NULL), 0);
	ck_assert_int_eq(e2lazy_changes_between(journal, view, s->o->view,
						NULL, 1, until.until,
						first_tid(s) + s->nr_txns - 1,
						&opts, NULL), 0);
	ck_assert_str_eq(s->told, expect);
	e2lazy_view_free(view);
	e2lazy_jmap_free(map);
}

void check_second(struct story *s, const char *expect)
{
	char each[256] = "";

	for (const char *line = expect; *line; line = strchr(line, '\n') + 1)
		snprintf(each + strlen(each), sizeof(each) - strlen(each),
			 "2 %.*s\n", (int)strcspn(line, "\n"), line);
	check_each(s, each);
	check_between(s, 1, expect);
}

static errcode_t note_owner(void *priv, const struct e2lazy_owner_change *c)
{
	struct story *s = priv;
	size_t used = strlen(s->told);

	ck_assert_int_eq(c->owner.role, E2LAZY_ROLE_DATA);
	snprintf(s->told + used, sizeof(s->told) - used, "%u %s %u %llu %s\n",
		 c->tid - first_tid(s) + 1,
		 !c->got ? "lost" : c->exact ? "got" : "has", c->owner.ino,
		 (unsigned long long)c->owner.lblk, c->path);
	return 0;
}

void check_owners(struct story *s, blk64_t block, const char *expect)
{
	const struct e2lazy_changes_opts opts = {
		.owned = note_owner, .block = block, .priv = s,
	};

	*s->told = '\0';
	ck_assert_int_eq(e2lazy_changes_each(s->o->f->journal, s->o->view,
					     NULL, 0, &opts, NULL), 0);
	ck_assert_str_eq(s->told, expect);
}
