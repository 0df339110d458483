/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* last_chain.c - compare a ring's last transactions with the static blocks */

#include <string.h>

#include "view/compare_in_place.h"
#include "inode_time.h"
#include "last_chain.h"

/* ------------------------------------------------------------ the ring */

/* A phase has one maximum, so a second comparison does not move it. */
static errcode_t place_tick(void *priv, enum e2lazy_phase phase,
			    uint64_t done, uint64_t total)
{
	struct last_chain *last = priv;

	if (last->again)
		done = total = last->total;
	last->total = total;
	return verify_tick(last->verify, phase, done, total);
}

/* Continue the look of verify_log() to the tail, or begin one. */
static errcode_t look_at_ring(struct verify *v)
{
	const struct end_proof_opts opts = {
		.near = lap_size(lap_longest(&v->journal->geo)),
		.watch = v->opts->watch,
	};

	if (v->proof.end)
		return end_proof_look_at_all(&v->proof);
	return end_proof_look(&v->proof, v->journal, v->end, &opts);
}

errcode_t last_chain_begin(struct last_chain *last, struct verify *v)
{
	const struct look *look = &v->proof.look;
	errcode_t err;

	memset(last, 0, sizeof(*last));
	last->verify = v;
	last->ring.geo = &v->journal->geo;
	birth_init(&last->birth, v->journal, v->end);
	err = look_at_ring(v);
	for (size_t i = 0; !err && i < look->nr; i++) {
		const struct sighting *s = &look->at[i];
		const struct record r = { .flags = s->type,
					  .logblk = s->logblk,
					  .tid = s->tid };

		if (!s->foreign)
			err = records_add(&last->ring.blocks, &r);
	}
	return err;
}

void last_chain_end(struct last_chain *last)
{
	e2lazy_jmap_free(last->map);
	records_free(&last->differ);
	records_free(&last->ring.blocks);
}

/* Note commit times, and whether an earlier file system committed. */
static errcode_t look_at_time(void *priv, const struct e2lazy_txn *txn)
{
	struct last_chain *d = priv;

	d->foreign |= is_before_birth(&d->birth, txn->sec);
	if (txn->sec > d->last_sec)
		d->last_sec = txn->sec;
	return 0;
}

/* ------------------------------------------------------ the comparison */

static bool is_newer(const struct ext2_inode_large *logged,
		     const struct ext2_inode_large *in_place, bool large)
{
	return logged->i_links_count && in_place->i_links_count &&
	       logged->i_generation == in_place->i_generation &&
	       inode_changed_later(logged, in_place, large);
}

static bool has_newer_inode(struct last_chain *d, const uint8_t *copy,
			    const uint8_t *in_place)
{
	ext2_filsys fs = d->verify->journal->fs;
	unsigned size = EXT2_INODE_SIZE(fs->super);
	bool large = size > EXT2_GOOD_OLD_INODE_SIZE;

	for (unsigned at = 0; at + size <= fs->blocksize; at += size)
		if (is_newer((const void *)(copy + at),
			     (const void *)(in_place + at), large))
			return true;
	return false;
}

static errcode_t keep_difference(void *priv, size_t index, const uint8_t *copy,
				 const uint8_t *in_place)
{
	struct last_chain *d = priv;
	struct e2lazy_place place;
	struct e2lazy_copy newest;
	struct record r = { .flags = 0 };

	e2lazy_jmap_get(d->map, index, &newest);
	e2lazy_layout_find(d->verify->subject->layout, newest.fsblk, &place);
	if (place.type == E2LAZY_TYPE_INODE_TABLE)
		d->newer |= has_newer_inode(d, copy, in_place);
	r.logblk = newest.logblk;
	r.tid = newest.tid;
	record_set_fsblk(&r, newest.fsblk);
	return records_add(&d->differ, &r);
}

errcode_t last_chain_compare(struct last_chain *last, const struct chain *chain)
{
	const struct e2lazy_range range = { .start = chain->start,
					    .tid = chain->first_tid };
	const struct e2lazy_jmap_opts opts = {
		.flags = E2LAZY_JMAP_CSUMS, .commit = look_at_time,
		.priv = last, .range = &range,
	};
	const struct e2lazy_watch watch = { .progress = place_tick,
					    .priv = last };
	struct in_place what = {
		.journal = last->verify->journal, .differs = keep_difference,
		.priv = last, .watch = &watch,
		.phase = E2LAZY_PHASE_IN_PLACE,
	};
	errcode_t err;

	last->again = last->total;
	e2lazy_jmap_free(last->map);
	last->map = NULL;
	last->foreign = last->newer = false;
	last->last_sec = 0;
	last->differ.nr = 0;
	err = e2lazy_jmap_build(what.journal, &opts, &last->map);
	what.map = last->map;
	return err || last->foreign ? err : compare_in_place(&what);
}

void last_chain_report(struct last_chain *last, enum problem problem)
{
	for (size_t i = 0; i < last->differ.nr; i++) {
		const struct record *r = &last->differ.at[i];
		const struct e2lazy_copy copy = {
			.fsblk = record_fsblk(r), .logblk = r->logblk,
			.tid = r->tid,
		};

		verify_found_copy(last->verify, problem, &copy, 0);
	}
}

/*
 * Did an e2fsck check the static blocks since the last commit, and was the file
 * system mounted after it?  No, if a clock is in doubt.
 */
bool last_chain_is_outdated(const struct last_chain *last)
{
	const struct ext2_super_block *sb = last->verify->journal->fs->super;
	uint64_t checked = sb->s_lastcheck | (uint64_t)sb->s_lastcheck_hi << 32;
	uint64_t mounted = sb->s_mtime | (uint64_t)sb->s_mtime_hi << 32;

	return last->birth.made && last->last_sec >= last->birth.made &&
	       checked > last->last_sec && mounted >= checked;
}
