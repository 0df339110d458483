/* SPDX-License-Identifier: GPL-2.0-only */
/* home.h - a log to write home, and the blocks that must be there afterwards */
#ifndef HOME_H
#define HOME_H

#include "e2lazy_mend.h"
#include "fixture.h"
#include "record_io.h"

/* Five and two neighbours are live. */
#define LOG "txn 5 write 60000-60004 60010\n" \
	    "txn 6 write 60001 60020 escape 60021 revoke 60010\n" \
	    "txn 7 write 60003 nocommit\n"

/* Transactions of 8, 6, 5, 4 and 3 blocks; 60010 and 60040 are revoked. */
#define FIVE "txn 5 write 60000-60004 60010\n" \
	     "txn 6 write 60001 60020 escape 60021 revoke 60010\n" \
	     "txn 7 write 60003 60030 60040\n" \
	     "txn 8 write 60004 60031\n" \
	     "txn 9 revoke 60040 write 60032\n"

struct home {
	struct fixture	*f;
	struct e2lazy_open_opts open;
	uint32_t	until;		/* the last transaction; 0: all */
	struct e2lazy_layout *layout;
	struct e2lazy_view *view;
	struct e2lazy_verdict *verdict;	/* with a yes to each question */
	struct e2lazy_checkpoint_opts opts;
	struct e2lazy_checkpoint_done done;
	struct recording recording;
	char		**contents;	/* of the live blocks, by mapping */
	blk64_t		*fsblks;
	size_t		live;
	unsigned	size;
};

/* Remember the live copies; writes go through record_io. */
void home_begin(struct home *h, struct fixture *f);
/* The same of the log up to transaction @until. */
void home_begin_until(struct home *h, struct fixture *f, uint32_t until);
void home_end(struct home *h);

/* Open and judge it anew, like the next run. */
void home_look(struct home *h);
errcode_t home_write(struct home *h);
/* e2lazy_tail_find() of the log. */
struct e2lazy_tail home_tail(const struct home *h, enum e2lazy_tail_by by,
			     uint64_t least);

/* Change a byte of the live copy of @fsblk behind the verdict's back. */
void home_spoil(struct home *h, blk64_t fsblk);

void home_check(struct home *h);
/* That the image has these @nr blocks, which are as large as @h's. */
void home_check_blocks(struct home *h, const blk64_t *fsblks,
		       char *const *contents, size_t nr);
void home_check_empty(struct home *h);

/* Keep a copy of each image; restore it; remove it. */
void home_save(struct home *h);
void home_restore(struct home *h);
void home_forget(struct home *h);
/* The images as a crash leaves them, after home_save() and the writes. */
void home_crash(struct home *h, size_t done, const bool *keep);
/* e2fsck replays the log. */
void home_replay(struct home *h);

#endif
