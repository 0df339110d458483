/* SPDX-License-Identifier: GPL-2.0-only */
/* The blocks that a checkpoint will overwrite: all of them, and no more. */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "home.h"
#include "judged.h"
#include "sick_io.h"

#define MOST 64

struct old {
	struct home	h;
	struct e2lazy_keeper keeper;
	struct told {
		bool	log_device;
		blk64_t	block;
		uint8_t	*bytes;
	} at[MOST];
	size_t		nr;
	unsigned	done;		/* calls of kept() */
	errcode_t	answer;
	struct e2lazy_super_states states;
};

static errcode_t keep(void *priv, const struct e2lazy_kept_run *run)
{
	struct old *o = priv;

	ck_assert_uint_eq(o->h.recording.nr, 0);
	for (uint32_t i = 0; i < run->count; i++) {
		struct told *t = &o->at[o->nr++];

		ck_assert_uint_le(o->nr, MOST);
		t->log_device = run->log_device;
		t->block = run->block + i;
		t->bytes = malloc(o->h.size);
		memcpy(t->bytes, run->bytes + (size_t)i * o->h.size,
		       o->h.size);
	}
	return 0;
}

static errcode_t kept(void *priv, const struct e2lazy_super_states *states)
{
	struct old *o = priv;

	ck_assert_uint_eq(o->h.recording.nr, 0);
	o->done++;
	o->states = *states;
	return o->answer;
}

static void begin(struct old *o, struct fixture *f)
{
	memset(o, 0, sizeof(*o));
	home_begin(&o->h, f);
	o->keeper = (struct e2lazy_keeper){ .keep = keep, .kept = kept,
					    .priv = o };
	o->h.opts.keeper = &o->keeper;
}

static void end(struct old *o)
{
	while (o->nr)
		free(o->at[--o->nr].bytes);
	home_end(&o->h);
}

static void read_at(const char *file, uint64_t offset, size_t count, void *to)
{
	int fd = open(file, O_RDONLY);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pread(fd, to, count, (off_t)offset), count);
	close(fd);
}

/* Each block that was told of, among those that were written, and back. */
static void check_told(struct old *o, const char *names[2])
{
	bool used[MOST] = { false };
	uint8_t was[4096];
	char saved[300];

	for (size_t n = 0; n < o->h.recording.nr; n++) {
		const struct recorded *op = &o->h.recording.ops[n];
		uint64_t block = op->offset / o->h.size;

		for (; op->bytes && block < (op->offset + op->count) /
					    o->h.size; block++) {
			size_t i = 0;

			while (i < o->nr &&
			       (o->at[i].block != block ||
				o->at[i].log_device !=
				(names[1] && !strcmp(op->device, names[1]))))
				i++;
			ck_assert_msg(i < o->nr, "block %llu was not told of",
				      (unsigned long long)block);
			used[i] = true;
		}
	}
	for (size_t i = 0; i < o->nr; i++) {
		ck_assert_msg(used[i], "block %llu is not written",
			      (unsigned long long)o->at[i].block);
		snprintf(saved, sizeof(saved), "%s.saved",
			 o->at[i].log_device ? o->h.f->device :
					       o->h.f->image);
		read_at(saved, o->at[i].block * o->h.size, o->h.size, was);
		ck_assert(!memcmp(was, o->at[i].bytes, o->h.size));
	}
}

/* The name that the recording has of the device with the last write. */
static const char *name_of_journal(const struct old *o)
{
	const char *fs = o->h.recording.ops[0].device;

	for (size_t i = 0; i < o->h.recording.nr; i++)
		if (strcmp(o->h.recording.ops[i].device, fs))
			return o->h.recording.ops[i].device;
	return NULL;
}

static void write_and_check_by(struct old *o,
			       errcode_t (*write)(struct home *h))
{
	const char *names[2] = { NULL, NULL };

	home_save(&o->h);
	ck_assert_int_eq(write(&o->h), 0);
	ck_assert_uint_eq(o->done, 1);
	names[1] = write == home_write ? name_of_journal(o) :
		   o->h.open.journal ? o->h.recording.ops[0].device : NULL;
	check_told(o, names);
	home_forget(&o->h);
	end(o);
}

static void write_and_check(struct old *o)
{
	write_and_check_by(o, home_write);
}

static errcode_t log_again(struct home *h)
{
	return e2lazy_relog(h->view, h->verdict, &h->opts, &h->done,
			    &h->f->where);
}

/* Over the ring's end, with needs_recovery to be set, on another device. */
START_TEST(of_copies_that_are_logged_again_the_log_is_told)
{
	struct fixture *f = new_fixture();
	struct old o;

	if (_i == 2)
		make_external(f, "4096", LOG);
	begin(&o, _i == 2 ? f : map_of(_i ? "needs_recovery off\n" LOG :
					    "start end-14\n" LOG));
	write_and_check_by(&o, log_again);
}
END_TEST

START_TEST(all_that_is_written_is_told_before_and_nothing_else)
{
	struct old o;

	begin(&o, map_of(LOG));
	write_and_check(&o);
}
END_TEST

/* A block that is home neither changes nor has another content to keep. */
START_TEST(so_it_is_where_some_are_in_place_already)
{
	struct fixture *f = map_of(LOG);
	struct old o;

	put_home(f, 60001, 60020);
	begin(&o, f);
	write_and_check(&o);
}
END_TEST

START_TEST(so_it_is_where_needs_recovery_has_to_be_set_first)
{
	struct old o;

	begin(&o, map_of("needs_recovery off\n" LOG));
	write_and_check(&o);
}
END_TEST

START_TEST(so_it_is_with_a_journal_on_another_device)
{
	struct fixture *f = new_fixture();
	struct old o;

	make_external(f, "4096", LOG);
	begin(&o, f);
	write_and_check(&o);
}
END_TEST

START_TEST(of_an_empty_log_the_superblock_alone_is_told)
{
	struct old o;

	begin(&o, map_of("needs_recovery on\n"));
	home_save(&o.h);
	ck_assert_int_eq(home_write(&o.h), 0);
	ck_assert_uint_eq(o.nr, 1);
	ck_assert(!o.states.in_use);
	check_told(&o, (const char *[2]){ NULL, NULL });
	home_forget(&o.h);
	end(&o);
}
END_TEST

/* By what e2undo goes: the superblock is one of three, in their order. */
static void check_states(const char *spec)
{
	struct old o;
	uint8_t super[1024];
	unsigned state = 0;

	begin(&o, map_of(spec));
	home_save(&o.h);
	ck_assert_int_eq(home_write(&o.h), 0);
	home_restore(&o.h);
	for (size_t n = 1; n <= o.h.recording.nr; n++) {
		const uint8_t *const states[] = {
			o.states.copying, o.states.home, o.states.end,
		};

		record_replay(&o.h.recording, n, NULL);
		read_at(o.h.f->image, 1024, 1024, super);
		while (state < 3 && memcmp(super, states[state], 1024))
			state++;
		ck_assert_msg(state < 3, "after write %zu", n);
	}
	ck_assert_uint_eq(state, 2);
	home_forget(&o.h);
	end(&o);
}

START_TEST(the_superblock_is_at_each_write_one_of_those_foreseen)
{
	check_states(LOG);
	check_states("needs_recovery off\n" LOG);
}
END_TEST

START_TEST(without_a_keeper_s_consent_nothing_is_written)
{
	struct old o;

	begin(&o, map_of(LOG));
	o.answer = ENOSPC;
	ck_assert_int_eq(home_write(&o.h), ENOSPC);
	ck_assert(!o.h.done.begun);
	ck_assert_uint_eq(o.h.recording.nr, 0);
	end(&o);
}
END_TEST

START_TEST(a_block_that_cannot_be_read_ends_it_and_is_named)
{
	struct old o;

	begin(&o, map_of(LOG));
	o.h.opts.manager = sick_io_manager;
	sick_begin(60003);
	ck_assert_int_ne(home_write(&o.h), 0);
	ck_assert(!o.h.done.begun);
	ck_assert_uint_eq(o.done, 0);
	ck_assert_uint_eq(o.h.f->where.has, E2LAZY_AT_FSBLK);
	ck_assert_uint_eq(o.h.f->where.fsblk, 60003);
	sick_begin(0);
	end(&o);
}
END_TEST

TCase *keep_old_tests(void)
{
	TCase *tc = tcase_create("keep_old");

	tcase_add_test(tc,
		       all_that_is_written_is_told_before_and_nothing_else);
	tcase_add_test(tc, so_it_is_where_some_are_in_place_already);
	tcase_add_test(tc, so_it_is_where_needs_recovery_has_to_be_set_first);
	tcase_add_test(tc, so_it_is_with_a_journal_on_another_device);
	tcase_add_loop_test(tc,
			    of_copies_that_are_logged_again_the_log_is_told, 0,
			    3);
	tcase_add_test(tc, of_an_empty_log_the_superblock_alone_is_told);
	tcase_add_test(tc,
		       the_superblock_is_at_each_write_one_of_those_foreseen);
	tcase_add_test(tc, without_a_keeper_s_consent_nothing_is_written);
	tcase_add_test(tc, a_block_that_cannot_be_read_ends_it_and_is_named);
	return tc;
}
