/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * find.c - the damaged descriptors of a log, and what their tags may have been
 *
 * No copy in a log begins with the journal's magic: such a block is stored with
 * zeros there.  So whatever begins with it behind the end of the log, and has
 * the type of a descriptor and the number of one of its transactions, is one,
 * even if its checksum is bad.  Its copies reach to the next control block,
 * whatever the tags say: a damaged LAST_TAG would end them too soon.
 *
 * A tag without SAME_UUID is followed by 16 bytes of UUID, so one damaged flag
 * moves all later tags.  The kernel and debugfs set that flag in each tag but
 * the first of a descriptor.  So the tags are read twice, as their flags say and
 * as both writers place them, and the reading counts whose checksums fit more
 * copies.
 */

#include <stdlib.h>
#include <string.h>

#include "io/grow.h"
#include "io/watch.h"
#include "log/behind.h"
#include "log/block_events.h"
#include "log/end_proof.h"
#include "map/jmap.h"
#include "tags.h"

#define UUID_BYTES	16

struct finding {
	struct e2lazy_journal *journal;
	struct behind	behind;
	struct damaged_tags *tags;
	unsigned	descriptors;	/* found so far */
	uint32_t	extent;		/* blocks to the last transaction's end */
	uint32_t	passed;		/* newest transaction so far */
	uint8_t		*block;		/* the descriptor */
	uint8_t		*copy;
};

/* --------------------------------------------------- reading the tags */

enum reading { AS_FLAGGED, AS_WRITTEN, NR_READINGS };

/* The tags of a descriptor with @most copies; returns their number. */
static uint32_t read_tags(const struct finding *f, enum reading reading,
			  uint32_t most, struct jbd2_tag *tags)
{
	const struct jbd2_format *format = &f->journal->format;
	struct jbd2_cursor c;
	unsigned pos;
	uint32_t n;

	jbd2_first_tag(&c, f->block, format);
	for (n = 0, pos = c.pos; n < most; n++) {
		bool has_uuid;

		c.pos = pos;
		if (!jbd2_next_tag(&c, &tags[n], format))
			break;
		has_uuid = reading == AS_WRITTEN ? !n :
			   !(tags[n].flags & TAG_SAME_UUID);
		pos += format->tag_bytes + (has_uuid ? UUID_BYTES : 0);
	}
	return n;
}

static struct damaged_tag make_tag(const struct finding *f, uint32_t tid,
				   uint32_t logblk, const struct jbd2_tag *tag)
{
	return (struct damaged_tag){
		.fsblk = tag->fsblk, .logblk = logblk, .tid = tid,
		.csum = tag->csum,
		.flags = block_tag_flags(f->journal, tag) &
			 ~(unsigned)E2LAZY_COPY_DELETED,
		.descriptor = f->descriptors,
	};
}

/* ------------------------------------------------------ one descriptor */

/* The copies behind the descriptor @at blocks behind the head. */
struct stretch {
	uint32_t	at, copies, tid;
	struct jbd2_tag	*tags[NR_READINGS];
	uint32_t	nr[NR_READINGS];
	uint32_t	fit[NR_READINGS];	/* tags that fit their copies */
};

static uint32_t logblk_at(const struct finding *f, uint32_t at)
{
	const struct look *look = f->behind.look;

	return lap_add(look->lap, look->from, at);
}

/* Up to the next control block; each descriptor has a limit. */
static uint32_t count_copies(struct finding *f, uint32_t at)
{
	uint32_t most = jbd2_max_tags(&f->journal->format) + 1, n = 0;
	struct jbd2_header h;

	while (n < most && at + 1 + n < f->extent &&
	       !e2lazy_read_log(f->journal, logblk_at(f, at + 1 + n), 1,
				f->copy) &&
	       !jbd2_get_control(f->copy, &h))
		n++;
	return n;
}

static bool fits(const struct finding *f, const struct stretch *s,
		 const struct jbd2_tag *tag)
{
	return csum_copy_good(&f->journal->csum, s->tid, f->copy, tag->csum);
}

static errcode_t add_tag(struct finding *f, const struct stretch *s,
			 enum reading reading, uint32_t i)
{
	struct damaged_tags *tags = f->tags;
	uint32_t logblk = logblk_at(f, s->at + 1 + i);
	struct damaged_tag *to = grow(tags->at, tags->nr, &tags->room,
				      sizeof(*to));

	if (!to)
		return EXT2_ET_NO_MEMORY;
	tags->at = to;
	to += tags->nr++;
	if (i >= s->nr[reading]) {
		*to = (struct damaged_tag){ .logblk = logblk, .tid = s->tid,
					    .descriptor = f->descriptors };
		return 0;
	}
	*to = make_tag(f, s->tid, logblk, &s->tags[reading][i]);
	to->sound = !e2lazy_read_log(f->journal, logblk, 1, f->copy) &&
		    fits(f, s, &s->tags[reading][i]);
	return 0;
}

static errcode_t choose(struct finding *f, struct stretch *s)
{
	enum reading best = AS_FLAGGED;
	errcode_t err = 0;

	for (uint32_t i = 0; i < s->copies; i++) {
		if (e2lazy_read_log(f->journal, logblk_at(f, s->at + 1 + i), 1,
				    f->copy))
			continue;
		for (int r = 0; r < NR_READINGS; r++)
			s->fit[r] += i < s->nr[r] &&
				     fits(f, s, &s->tags[r][i]);
	}
	if (s->fit[AS_WRITTEN] > s->fit[AS_FLAGGED])
		best = AS_WRITTEN;
	for (uint32_t i = 0; !err && i < s->copies; i++)
		err = add_tag(f, s, best, i);
	f->descriptors++;
	/* The last one may not be a copy, but a damaged revoke block. */
	if (!err && !f->tags->at[f->tags->nr - 1].sound)
		f->tags->revocable = f->tags->nr;
	return err;
}

static errcode_t take_descriptor(struct finding *f, uint32_t at, uint32_t tid,
				 uint32_t *copies)
{
	struct stretch s = { .at = at, .tid = tid,
			     .copies = count_copies(f, at) };
	errcode_t err = 0;

	*copies = s.copies;
	if (!s.copies)
		return 0;
	for (int r = 0; !err && r < NR_READINGS; r++) {
		s.tags[r] = calloc(s.copies, sizeof(*s.tags[r]));
		if (s.tags[r])
			s.nr[r] = read_tags(f, r, s.copies, s.tags[r]);
		else
			err = EXT2_ET_NO_MEMORY;
	}
	if (!err)
		err = choose(f, &s);
	for (int r = 0; r < NR_READINGS; r++)
		free(s.tags[r]);
	return err;
}

/* ---------------------------------------------------------- the search */

static bool is_damaged(const struct finding *f, struct jbd2_header *h)
{
	return jbd2_get_header(f->block, h) && h->type == JBD2_DESCRIPTOR &&
	       h->tid - f->behind.end->tid < f->behind.committed &&
	       !e2lazy_tid_after(f->passed, h->tid) &&
	       csum_control(&f->journal->csum, h->type, f->block) ==
	       E2LAZY_BAD;
}

/* The next sighting that counts, at @at or behind it; NULL: none. */
static const struct sighting *next_sighting(const struct finding *f, size_t *i,
					    uint32_t at)
{
	const struct look *look = f->behind.look;

	while (*i < look->nr &&
	       (look_distance(look, look->at[*i].logblk) < at ||
		!behind_counts(&f->behind, &look->at[*i])))
		++*i;
	return *i < look->nr ? &look->at[*i] : NULL;
}

static uint32_t extent_of(const struct behind *behind)
{
	const struct look *look = behind->look;
	uint32_t extent = 0;

	for (size_t i = 0; i < look->nr; i++) {
		const struct sighting *s = &look->at[i];
		uint32_t past = look_distance(look, s->logblk) + s->blocks;

		if (behind_counts(behind, s) && past > extent)
			extent = past;
	}
	return extent;
}

#define BLOCKS_PER_TICK	1024

/*
 * A sound control block is passed with its copies.  What is neither may have been
 * a revoke block, which voids copies of its own transaction and of those before.
 */
static errcode_t search(struct finding *f, const struct e2lazy_watch *watch)
{
	const struct look *look = f->behind.look;
	const struct sighting *s;
	struct jbd2_header h;
	uint32_t skipped;
	errcode_t err = 0;
	size_t i = 0;

	for (uint32_t at = 0; !err && at < f->extent; at += skipped) {
		skipped = 1;
		s = next_sighting(f, &i, at);
		if (s && look_distance(look, s->logblk) == at) {
			skipped = s->blocks;
			if (e2lazy_tid_after(s->tid, f->passed))
				f->passed = s->tid;
			continue;
		}
		if (at % BLOCKS_PER_TICK == 0)
			err = watch_tick(watch, E2LAZY_PHASE_RING, at,
					 f->extent);
		if (err)
			continue;
		if (e2lazy_read_log(f->journal, logblk_at(f, at), 1,
				    f->block) || !is_damaged(f, &h)) {
			f->tags->revocable = f->tags->nr;
			continue;
		}
		err = take_descriptor(f, at, h.tid, &skipped);
		skipped++;
	}
	return err;
}

static errcode_t search_behind(struct e2lazy_journal *j,
			       const struct end_proof *proof,
			       const struct e2lazy_watch *watch,
			       struct damaged_tags *tags)
{
	struct finding f = { .journal = j, .tags = tags,
			     .passed = proof->end->tid };
	errcode_t err = behind_init(&f.behind, &proof->look, proof->end);

	f.extent = extent_of(&f.behind);
	if (!err)
		err = io_channel_alloc_buf(j->io, 1, &f.block);
	if (!err)
		err = io_channel_alloc_buf(j->io, 1, &f.copy);
	if (!err)
		err = search(&f, watch);
	ext2fs_free_mem(&f.block);
	ext2fs_free_mem(&f.copy);
	behind_free(&f.behind);
	return err;
}

/* Where no block is missing, nothing is damaged. */
static bool may_be_damaged(const struct e2lazy_end *end)
{
	return end->reason != E2LAZY_END_EMPTY &&
	       end->reason != E2LAZY_END_UNTIL &&
	       end->reason != E2LAZY_END_FULL &&
	       end->reason != E2LAZY_END_RANGE;
}

errcode_t tags_find(struct e2lazy_journal *j, const struct e2lazy_jmap *map,
		    const struct e2lazy_watch *watch,
		    struct damaged_tags *tags)
{
	const struct e2lazy_end *end = e2lazy_jmap_end(map);
	const struct e2lazy_watch quiet = stop_alone(watch);
	const struct end_proof_opts whole = { .near = ring_size(&j->geo),
					      .watch = &quiet };
	struct end_proof proof;
	errcode_t err;

	if (j->geo.csum < E2LAZY_CSUM_V2 || !may_be_damaged(end) ||
	    !jmap_is_of_log(map))
		return 0;
	err = end_proof_look(&proof, j, end, &whole);
	if (!err && (end->error || proof.verdict == E2LAZY_BEYOND_DAMAGE))
		err = search_behind(j, &proof, &quiet, tags);
	end_proof_free(&proof);
	return err;
}
