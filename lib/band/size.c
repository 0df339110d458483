/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * size.c - the journal size for a drive
 *
 * The log is large enough if filling it takes as long as a block may stay
 * dirty: when the head comes round to the tail, the flusher has already written
 * those blocks home.  All arithmetic is in integers and rounds up, so the
 * result is the same on every processor.
 */

#include <string.h>

#include "e2lazy_drive.h"

#define MIB			((uint64_t)1 << 20)
/* Bounds of the format, log and fast-commit area together, in blocks. */
#define LEAST_BLOCKS		1024
#define MOST_BLOCKS		10240000

/* Saturate: a product that overflows is larger than any journal. */
static uint64_t times(uint64_t a, uint64_t b)
{
	uint64_t product;

	return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t div_up(uint64_t a, uint64_t b)
{
	return a / b + (a % b != 0);
}

static uint64_t round_up(uint64_t a, uint64_t unit)
{
	return times(div_up(a, unit), unit);
}

/* @a * @num / @den, rounded up, without overflow in between. */
static uint64_t part(uint64_t a, uint64_t num, uint64_t den)
{
	uint64_t whole = times(a / den, num), sum;
	uint64_t rest = div_up(times(a % den, num), den);

	return __builtin_add_overflow(whole, rest, &sum) ? UINT64_MAX : sum;
}

/*
 * jbd2 makes writers wait while the log still has room for one transaction of
 * the largest size.  That reserve is a quarter of the log up to Linux 6.10 and
 * a third from 6.11 on.  An unknown kernel counts as new, which needs more.
 */
static void set_reserve(const struct e2lazy_dirty_timer *timer,
			struct e2lazy_journal_size *out)
{
	bool old = timer->kernel_major &&
		   (timer->kernel_major < 6 ||
		    (timer->kernel_major == 6 && timer->kernel_minor < 11));

	out->reserve_num = 1;
	out->reserve_den = old ? 4 : 3;
}

/*
 * The paper's formula, and the strict one, which adds two facts: a block that
 * is slightly too young for one wake-up of the flusher waits for the next one,
 * and the reserve cannot be filled.
 */
static void set_policies(const struct e2lazy_size_request *r,
			 struct e2lazy_journal_size *out)
{
	uint64_t expire = r->timer.expire_ms, wakeup = r->timer.wakeup_ms;
	uint64_t usable = out->reserve_den - out->reserve_num, both;

	out->paper = part(r->throughput, expire, 1000);
	if (!wakeup)
		return;
	if (__builtin_add_overflow(expire, wakeup, &both))
		both = UINT64_MAX;
	out->strict = part(r->throughput, times(both, out->reserve_den),
			   1000 * usable);
}

/* e2fsprogs chooses a number of blocks, whatever their size. */
static uint64_t fallback_size(const struct e2lazy_size_request *r)
{
	int blocks = ext2fs_default_journal_size(r->fs_blocks);

	return blocks > 0 ? (uint64_t)blocks * r->blocksize : 0;
}

/* What mke2fs's limit of @blocks for both leaves to the log, in bytes. */
static uint64_t without_area(const struct e2lazy_size_request *r,
			     uint64_t blocks)
{
	uint64_t area = r->fast_commit_blocks;

	return times(blocks - (area < blocks ? area : blocks), r->blocksize);
}

static void set_bounds(const struct e2lazy_size_request *r,
		       struct e2lazy_journal_size *out)
{
	/* Above the one a log starts to stall (FAST'17, 4.1). */
	out->live_bound = part(r->live_bytes, 100, r->lazy ?
			       E2LAZY_LAZY_PERCENT : E2LAZY_CROWDED_PERCENT);
	out->fallback = fallback_size(r);
	out->most = without_area(r, MOST_BLOCKS);
	out->half_free = without_area(r, r->free_blocks / 2);
}

static void raise_to(struct e2lazy_journal_size *out, uint64_t least,
		     unsigned flag)
{
	if (out->bytes >= least)
		return;
	out->bytes = least;
	out->clamps |= flag;
}

/* The result stays a multiple of a MiB, and of a zone if there are zones. */
static void lower_to(struct e2lazy_journal_size *out, uint64_t most,
		     uint64_t zone, unsigned flag)
{
	if (out->bytes <= most)
		return;
	if (zone && most >= zone)
		most -= most % zone;
	out->bytes = most - most % MIB;
	out->clamps |= flag;
}

/* The clamps apply in the order of the flags in the header. */
static void clamp_size(const struct e2lazy_size_request *r,
		       struct e2lazy_journal_size *out)
{
	uint64_t zone = r->zone_bytes;

	raise_to(out, out->live_bound, E2LAZY_CLAMP_LIVE);
	raise_to(out, out->fallback, E2LAZY_CLAMP_DEFAULT);
	raise_to(out, round_up(out->bytes, MIB), E2LAZY_CLAMP_MIB);
	if (zone)
		raise_to(out, round_up(out->bytes, zone), E2LAZY_CLAMP_ZONE);
	lower_to(out, out->most, zone, E2LAZY_CLAMP_MOST);
	lower_to(out, out->half_free, zone, E2LAZY_CLAMP_FREE);
}

static bool is_valid(const struct e2lazy_size_request *r)
{
	unsigned bs = r->blocksize;

	if (bs < EXT2_MIN_BLOCK_SIZE || bs > EXT2_MAX_BLOCK_SIZE ||
	    (bs & (bs - 1)))
		return false;
	/* mke2fs takes whole MiB, so a zone must be a multiple of one. */
	if (r->zone_bytes % MIB || !r->fs_blocks)
		return false;
	return r->throughput || r->wanted;
}

/* Can mke2fs make a journal of that size? */
static bool is_possible(const struct e2lazy_size_request *r,
			const struct e2lazy_journal_size *out)
{
	return out->fallback &&
	       out->bytes >= (uint64_t)LEAST_BLOCKS * r->blocksize &&
	       out->bytes <= out->most && out->bytes <= out->half_free;
}

errcode_t e2lazy_journal_size(const struct e2lazy_size_request *r,
			      struct e2lazy_journal_size *out)
{
	bool strict = r->policy == E2LAZY_SIZE_STRICT;

	memset(out, 0, sizeof(*out));
	if (!is_valid(r))
		return EXT2_ET_INVALID_ARGUMENT;
	set_reserve(&r->timer, out);
	set_policies(r, out);
	set_bounds(r, out);
	if (r->wanted) {
		out->bytes = r->wanted;
		raise_to(out, round_up(r->wanted, MIB), E2LAZY_CLAMP_MIB);
	} else if (!(strict ? out->strict : out->paper)) {
		return E2LAZY_ET_DIRTY_TIMER;
	} else {
		out->bytes = strict ? out->strict : out->paper;
		clamp_size(r, out);
	}
	return is_possible(r, out) ? 0 : E2LAZY_ET_JOURNAL_SIZE;
}
