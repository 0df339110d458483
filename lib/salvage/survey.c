/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * survey.c - every control block of a journal, whoever wrote it
 *
 * The form of the log is not known yet, so each block with the magic is a sign.
 * A checksum v2 or v3 of a control block depends on nothing but the block and
 * the UUID that seeds it; so the survey tries each UUID that the two
 * superblocks name.
 */

#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "io/halve.h"
#include "io/watch.h"
#include "log/lookahead.h"
#include "salvage.h"

static bool is_null(const uint8_t uuid[16])
{
	static const uint8_t null[16];

	return !memcmp(uuid, null, 16);
}

static void add_uuid(struct survey *s, const uint8_t uuid[16])
{
	for (unsigned i = 0; i < s->nr_uuids; i++)
		if (!memcmp(s->uuids[i], uuid, 16))
			return;
	if (!is_null(uuid) && s->nr_uuids < MOST_UUIDS)
		memcpy(s->uuids[s->nr_uuids++], uuid, 16);
}

/* The most likely one first: it wins if none fits. */
static void collect_uuids(struct survey *s, const struct e2lazy_parts *parts)
{
	const struct ext2_super_block *sb = s->journal->fs->super;

	if (parts && parts->has & 1U << E2LAZY_PART_UUID)
		add_uuid(s, parts->uuid);
	if (s->journal->jfs)
		add_uuid(s, s->journal->jfs->super->s_uuid);
	else
		add_uuid(s, sb->s_uuid);
	add_uuid(s, s->super + JSB_UUID);
	add_uuid(s, sb->s_uuid);
	add_uuid(s, s->super + JSB_USERS);
}

static errcode_t add_sign(struct survey *s, const struct sign *sign)
{
	struct sign *signs = grow(s->signs, s->nr, &s->room, sizeof(*signs));

	if (!signs)
		return EXT2_ET_NO_MEMORY;
	s->signs = signs;
	signs[s->nr++] = *sign;
	for (unsigned i = 0; i < s->nr_uuids; i++)
		s->fit[i] += sign->fits >> i & 1;
	s->v1 += sign->v1;
	return 0;
}

static errcode_t look_at(struct survey *s, const struct csum *csums,
			 uint32_t logblk, const uint8_t *block)
{
	struct sign sign = { .logblk = logblk };
	struct jbd2_header h;

	if (!jbd2_get_control(block, &h))
		return 0;
	sign.tid = h.tid;
	sign.type = (uint8_t)h.type;
	sign.v1 = h.type == JBD2_COMMIT && block[COMMIT_CSUM_TYPE] == 1 &&
		  block[COMMIT_CSUM_SIZE] == 4;
	for (unsigned i = 0; i < s->nr_uuids; i++)
		if (csum_control(&csums[i], h.type, block) != E2LAZY_BAD)
			sign.fits |= 1U << i;
	return add_sign(s, &sign);
}

#define BLOCKS_PER_TICK 256

static errcode_t go_through(struct survey *s, const struct csum *csums,
			    struct lookahead *span,
			    const struct e2lazy_watch *watch)
{
	uint32_t end = s->journal->runs.blocks, next = 0;
	errcode_t err = 0, unreadable;

	for (uint32_t at = s->at + 1; !err && at < end; ) {
		bool gone;
		uint32_t hole = lookahead_has(span, at) ? 0 :
				log_hole(s->journal,
					 lap_of_log(&s->journal->geo), at,
					 end - at, &gone);
		const uint8_t *block;

		if (at >= next) {
			err = watch_tick(watch, E2LAZY_PHASE_SURVEY, at, end);
			next = at + BLOCKS_PER_TICK;
		}
		if (hole) {
			at += hole;
			continue;
		}
		block = lookahead_read(span, at, end - at, &unreadable);
		if (!err && block)
			err = look_at(s, csums, at, block);
		at++;
	}
	return err ? err : watch_tick(watch, E2LAZY_PHASE_SURVEY, end, end);
}

/* An unreadable superblock is a lost one. */
static errcode_t read_super(struct survey *s)
{
	void *buf = NULL;
	errcode_t err = io_channel_alloc_buf(s->journal->io, 1, &buf);

	if (err)
		return err;
	if (!e2lazy_read_log(s->journal, s->at, 1, buf))
		memcpy(s->super, buf, SUPER_BYTES);
	ext2fs_free_mem(&buf);
	return 0;
}

errcode_t survey_place(struct survey *s, struct e2lazy_journal *journal,
		       const struct e2lazy_parts *parts,
		       const struct e2lazy_watch *watch)
{
	struct e2lazy_geometry *g = &journal->geo;
	struct csum csums[MOST_UUIDS];
	struct lookahead span;
	errcode_t err;

	memset(s, 0, sizeof(*s));
	s->journal = journal;
	s->at = journal_super_logblk(journal);
	/* For the time of the survey the ring is the whole place. */
	g->blocksize = journal->fs->blocksize;
	g->first = s->at + 1;
	g->end = journal->runs.blocks;
	if (g->end <= g->first)
		return E2LAZY_ET_JOURNAL_SHORT;
	err = read_super(s);
	if (err)
		return err;
	collect_uuids(s, parts);
	for (unsigned i = 0; i < s->nr_uuids; i++)
		csum_init(&csums[i], E2LAZY_CSUM_V3, crc32c_select(),
			  s->uuids[i], g->blocksize);
	err = lookahead_init(&span, journal);
	if (!err)
		err = go_through(s, csums, &span, watch);
	lookahead_free(&span);
	return err;
}

void survey_free(struct survey *s)
{
	free(s->signs);
	s->signs = NULL;
}

const struct sign *survey_sign(const struct survey *s, uint32_t logblk)
{
	struct halving h = { .high = s->nr };

	while (halve(&h))
		halved(&h, s->signs[h.mid].logblk < logblk);
	return h.low < s->nr && s->signs[h.low].logblk == logblk ?
	       &s->signs[h.low] : NULL;
}
