/* SPDX-License-Identifier: GPL-2.0-only */
/* A log that is to be written home, and what then has to be there. */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "home.h"
#include "image.h"
#include "judged.h"
#include "log/log.h"

static void forget(struct home *h)
{
	e2lazy_verdict_free(h->verdict);
	e2lazy_view_free(h->view);
	e2lazy_layout_free(h->layout);
	h->verdict = NULL;
	h->view = NULL;
	h->layout = NULL;
}

void home_look(struct home *h)
{
	struct fixture *f = h->f;

	forget(h);
	ck_assert_int_eq(try_open(f, &h->open), 0);
	read_map(f, E2LAZY_JMAP_CSUMS | (h->until ? E2LAZY_WALK_UNTIL : 0),
		 h->until);
	ck_assert_int_eq(e2lazy_layout_build(f->journal, f->map, &h->layout,
					     &f->where), 0);
	ck_assert_int_eq(e2lazy_view_build(f->journal, f->map, &h->view,
					   &f->where), 0);
	h->verdict = agreed(&(struct e2lazy_subject){
		f->journal, f->map, h->layout, h->view });
}

/* Remember what every live block is to hold, but for the superblock. */
static void remember(struct home *h)
{
	struct e2lazy_copy copy;

	h->size = e2lazy_geometry(h->f->journal)->blocksize;
	h->live = e2lazy_jmap_count(h->f->map);
	h->contents = calloc(h->live, sizeof(*h->contents));
	h->fsblks = calloc(h->live, sizeof(*h->fsblks));
	for (size_t i = 0; i < h->live; i++) {
		e2lazy_jmap_get(h->f->map, i, &copy);
		h->fsblks[i] = copy.fsblk;
		h->contents[i] = malloc(h->size);
		ck_assert_int_eq(e2lazy_read_copy(h->f->journal, copy.logblk,
						  copy.flags, h->contents[i]),
				 0);
	}
}

void home_begin(struct home *h, struct fixture *f)
{
	home_begin_until(h, f, 0);
}

void home_begin_until(struct home *h, struct fixture *f, uint32_t until)
{
	memset(h, 0, sizeof(*h));
	h->f = f;
	h->until = until;
	if (strstr(f->device, "journal") && !f->journal) {
		FILE *file = fopen(f->device, "r");

		if (file) {
			h->open.journal = f->device;
			fclose(file);
		}
	}
	home_look(h);
	remember(h);
	record_begin(&h->recording);
	h->opts.manager = record_io_manager;
}

void home_end(struct home *h)
{
	forget(h);
	for (size_t i = 0; i < h->live; i++)
		free(h->contents[i]);
	free(h->contents);
	free(h->fsblks);
	record_free(&h->recording);
}

errcode_t home_write(struct home *h)
{
	return e2lazy_checkpoint(h->view, h->verdict, &h->opts, &h->done,
				 &h->f->where);
}

struct e2lazy_tail home_tail(const struct home *h, enum e2lazy_tail_by by,
			     uint64_t least)
{
	const struct e2lazy_subject subject = {
		h->f->journal, h->f->map, h->layout, h->view,
	};
	struct e2lazy_tail tail;

	ck_assert_int_eq(e2lazy_tail_find(&subject,
			 &(struct e2lazy_tail_want){ by, least }, &tail), 0);
	return tail;
}

void home_spoil(struct home *h, blk64_t fsblk)
{
	FILE *image = fopen(h->f->image, "r+");
	struct e2lazy_copy copy;

	ck_assert_ptr_nonnull(image);
	ck_assert_int_eq(e2lazy_jmap_lookup(h->f->map, fsblk, &copy), 0);
	ck_assert_int_eq(fseeko(image, (off_t)(copy.physblk * h->size + 9),
				SEEK_SET), 0);
	ck_assert_int_ne(fputc('!', image), EOF);
	ck_assert_int_eq(fclose(image), 0);
}

void home_check_blocks(struct home *h, const blk64_t *fsblks,
		       char *const *contents, size_t nr)
{
	char *block = malloc(h->size);
	int image = open(h->f->image, O_RDONLY);

	/* Each assertion that holds is a write to check's file. */
	for (size_t i = 0; i < nr; i++)
		if (pread(image, block, h->size, (off_t)(fsblks[i] * h->size))
		    != (ssize_t)h->size || memcmp(block, contents[i], h->size))
			ck_abort_msg("block %llu is not home",
				     (unsigned long long)fsblks[i]);
	close(image);
	free(block);
}

void home_check(struct home *h)
{
	home_check_blocks(h, h->fsblks, h->contents, h->live);
}

void home_check_empty(struct home *h)
{
	ck_assert_int_eq(try_open(h->f, &h->open), 0);
	ck_assert_uint_eq(e2lazy_geometry(h->f->journal)->start, 0);
	ck_assert(!e2lazy_geometry(h->f->journal)->needs_recovery);
}

/* Of the image, and of the journal's device if it has one. */
static void copy_both(struct home *h, const char *from, const char *to)
{
	const char *names[] = { h->f->image, h->f->device };

	for (size_t i = 0; i < 2; i++) {
		char source[512], target[512];

		snprintf(source, sizeof(source), "%s%s", names[i], from);
		snprintf(target, sizeof(target), "%s%s", names[i], to);
		if (access(source, F_OK) == 0)
			copy_image(source, target);
	}
}

void home_save(struct home *h)
{
	copy_both(h, "", ".saved");
}

void home_restore(struct home *h)
{
	copy_both(h, ".saved", "");
}

void home_forget(struct home *h)
{
	char line[2048];

	snprintf(line, sizeof(line), "rm -f %s.saved %s.saved", h->f->image,
		 h->f->device);
	ck_assert_int_eq(system(line), 0);
}

void home_crash(struct home *h, size_t done, const bool *keep)
{
	home_restore(h);
	record_replay(&h->recording, done, keep);
}

void home_replay(struct home *h)
{
	char line[2048];

	snprintf(line, sizeof(line), "e2fsck -y -E journal_only %s%s %s "
		 ">%s 2>&1; test $? -le 1", h->open.journal ? "-j " : "",
		 h->open.journal ? h->open.journal : "", h->f->image,
		 h->f->said);
	ck_assert_int_eq(system(line), 0);
}
