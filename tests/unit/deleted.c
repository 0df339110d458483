/* SPDX-License-Identifier: GPL-2.0-only */
/* deleted.c - an image with a file that is deleted, and the search for it */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "deleted.h"
#include "log/jbd2.h"

struct scene make_scene(const char *mke2fs, const char *tree)
{
	struct scene s = { .o = new_owned(mke2fs, tree) };

	s.ino = ino_of(s.o, "/f");
	s.block = block_of(s.o, "/f", 0);
	log_block(s.o, home_of(s.o, s.ino));
	log_block(s.o, home_of(s.o, EXT2_ROOT_INO));
	log_block(s.o, block_of(s.o, "/", 0));
	return s;
}

void replay_log(struct owned *o)
{
	shell(o->f, "e2fsck -y -E journal_only %s || [ $? -eq 1 ]");
}

void set_time(struct owned *o, const char *command, int ago)
{
	char line[128];

	snprintf(line, sizeof(line), "%s @%lld\n", command,
		 (long long)time(NULL) - ago);
	alter(o, line);
}

void shift_ids(struct owned *o, uint32_t tid, uint32_t by)
{
	unsigned changed = 0;

	for (blk64_t at = 1; at < 100; at++) {
		blk64_t fsblk = block_of_ino(o, EXT2_JOURNAL_INO, at);
		uint8_t block[BLOCK];
		struct jbd2_header h;

		read_block(o, fsblk, block);
		if (!jbd2_get_header(block, &h) || h.tid < tid)
			continue;
		put_be32(block + 8, h.tid + by);
		write_block(o, fsblk, block);
		changed++;
	}
	ck_assert_uint_ge(changed, 2);
}

void replay_txns(struct owned *o)
{
	write_txns(o);
	replay_log(o);
}

void then(struct scene *s, const char *commands)
{
	open_owned(s->o, NULL);
	e2lazy_layout_free(s->o->layout);
	e2lazy_view_free(s->o->view);
	s->o->layout = NULL;
	s->o->view = NULL;
	if (s->later) {
		keep_txn(s->o, (blk64_t[]){ s->later, 0 });
		write_txns(s->o);
	}
	replay_log(s->o);
	alter(s->o, commands);
}

void find_deleted(struct scene *s)
{
	const struct e2lazy_undelete_opts opts = { .evidence = !s->blind,
						   .users = true,
						   .watch = s->watch };
	const struct e2lazy_open_opts open = { .manager = s->manager };

	ck_assert_int_eq(try_open(s->o->f, &open), 0);
	read_map(s->o->f, E2LAZY_JMAP_CSUMS, 0);
	ck_assert_int_eq(e2lazy_view_build(s->o->f->journal, s->o->f->map,
					   &s->o->view, NULL), 0);
	ck_assert_int_eq(e2lazy_undelete_scan(s->o->f->journal, s->o->view,
					      &opts, &s->u, NULL), 0);
}

void end_scene(struct scene *s)
{
	e2lazy_undelete_free(s->u);
	free_owned(s->o);
}

struct e2lazy_deleted the_file(struct scene *s)
{
	struct e2lazy_deleted d;

	ck_assert_uint_eq(e2lazy_undelete_count(s->u), 1);
	ck_assert_int_eq(e2lazy_undelete_get(s->u, 0, &d), 0);
	return d;
}

void check_named(struct scene *s, size_t index, const char *expect)
{
	size_t length;
	char *path;

	ck_assert_int_eq(e2lazy_undelete_path(s->u, index, 0, &path, &length),
			 0);
	ck_assert_str_eq(path, expect);
	ck_assert_uint_eq(length, strlen(expect));
	free(path);
}

static errcode_t take(void *priv, const struct e2lazy_graded *g)
{
	struct text *t = priv;

	if (g->bytes)
		memcpy(t->bytes + g->lblk * BLOCK, g->bytes, g->length);
	t->user = g->user;
	return 0;
}

struct e2lazy_contents contents(struct scene *s, struct text *t)
{
	struct e2lazy_contents c;

	memset(t, 0, sizeof(*t));
	ck_assert_int_eq(e2lazy_undelete_read(s->u, 0, E2LAZY_READ_OWN, take,
					      t, &c), 0);
	return c;
}
