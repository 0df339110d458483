/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * shape.c - how the blocks of a ring are to be read
 *
 * Each field of the journal superblock has a value that its block on the disk
 * says, and a value that the ring shows.  The ring decides:
 *
 *  - checksums: v2 and v3 if control blocks fit the UUID, v1 if commit blocks
 *    carry a sum of that kind;
 *  - the size of a tag, with it 64bit and v2 or v3: the form whose descriptors
 *    lead to another control block of their transaction most often, and whose
 *    first tag fits its copy's checksum; and the size of a revoke record, for a
 *    record of 8 bytes begins with zeros on every device below 16 TiB;
 *  - the end of the ring: with fast commits, if the area begins with a HEAD or
 *    the file system has them, and no control block lies in the area.
 *
 * Where the ring does not decide, the superblock's block does, even without
 * magic or checksum; and then the ext4 superblock, from which the kernel and
 * mke2fs take 64bit, fast commits and the UUID.
 */

#include <string.h>

#include "salvage.h"

/* Descriptors and revoke blocks that are tried in each form. */
#define MOST_TRIED 256

struct form {
	enum e2lazy_csum csum;
	bool		is_64bit;
};

struct shape {
	const struct survey *survey;
	const struct e2lazy_parts *pieces;
	struct e2lazy_candidate *candidate;
	struct e2lazy_geometry *geo;	/* the candidate's */
	unsigned	uuid;		/* number */
	struct e2lazy_geometry said;	/* by a sound journal superblock */
	bool		sound;
};

static bool is_given(const struct shape *s, enum e2lazy_part piece)
{
	return s->pieces && s->pieces->has & 1U << piece;
}

static struct e2lazy_fact *fact(struct shape *s, enum e2lazy_part piece,
				uint64_t value, enum e2lazy_witness origin)
{
	struct e2lazy_fact *f = &s->candidate->facts[piece];

	f->value = value;
	f->origin = is_given(s, piece) ? E2LAZY_FROM_CALLER : origin;
	return f;
}

/* Note what the block on the disk says; a block of zeros says nothing. */
static void says(struct e2lazy_fact *f, const struct survey *s, uint64_t value)
{
	bool all_zero = true;

	for (unsigned i = 0; all_zero && i < SUPER_BYTES; i++)
		all_zero = !s->super[i];
	f->said = !all_zero;
	f->says = value;
	if (f->said && f->says == f->value && f->origin != E2LAZY_FROM_CALLER)
		f->origin = E2LAZY_FROM_JOURNAL_SUPER;
}

/* ------------------------------------------------------------ the features */

static uint32_t said_incompat(const struct survey *s)
{
	return get_be32(s->super + JSB_INCOMPAT);
}

static enum e2lazy_csum said_csum(const struct survey *s)
{
	uint32_t incompat = said_incompat(s);

	if (incompat & E2LAZY_INCOMPAT_CSUM_V3)
		return E2LAZY_CSUM_V3;
	if (incompat & E2LAZY_INCOMPAT_CSUM_V2)
		return E2LAZY_CSUM_V2;
	return get_be32(s->super + JSB_COMPAT) & E2LAZY_COMPAT_CHECKSUM ?
	       E2LAZY_CSUM_V1 : E2LAZY_CSUM_NONE;
}

/* Does the first copy behind a descriptor fit the checksum in its tag? */
static bool first_copy_fits(const struct shape *s, const struct form *form,
			    const struct jbd2_format *format,
			    const struct sign *sign, uint8_t *block)
{
	struct e2lazy_journal *j = s->survey->journal;
	struct jbd2_cursor cursor;
	struct jbd2_tag tag;
	struct csum csum;

	jbd2_first_tag(&cursor, block, format);
	if (!jbd2_next_tag(&cursor, &tag, format) ||
	    e2lazy_read_log(j, sign->logblk + 1, 1, block))
		return false;
	csum_init(&csum, form->csum, crc32c_select(),
		  s->survey->uuids[s->uuid], format->blocksize);
	return csum_copy_good(&csum, sign->tid, block, tag.csum);
}

/* Does this form lead from the descriptor to the next control block? */
static unsigned form_fits(const struct shape *s, const struct form *form,
			  const struct sign *sign, uint8_t *block)
{
	struct e2lazy_journal *j = s->survey->journal;
	const struct sign *next;
	struct jbd2_format format;
	uint32_t count, end = j->runs.blocks;
	unsigned score;

	jbd2_format_init(&format, j->fs->blocksize, form->csum,
			 form->is_64bit);
	if (e2lazy_read_log(j, sign->logblk, 1, block))
		return 0;
	count = jbd2_count_tags(block, &format);
	if (count >= end - sign->logblk - 1)
		return 0;	/* perhaps it wraps */
	next = survey_sign(s->survey, sign->logblk + 1 + count);
	score = next && next->tid == sign->tid;
	if (form->csum >= E2LAZY_CSUM_V2 && count &&
	    first_copy_fits(s, form, &format, sign, block))
		score += 2;
	return score;
}

/* Does the block's list of revoke records have this form's size of them? */
static unsigned revokes_fit(const struct shape *s, const struct form *form,
			    const struct sign *sign, uint8_t *block)
{
	const struct e2lazy_journal *j = s->survey->journal;
	struct jbd2_format format;
	struct jbd2_cursor c;
	blk64_t fsblk;
	bool wide;

	jbd2_format_init(&format, j->fs->blocksize, form->csum, true);
	if (e2lazy_read_log(s->survey->journal, sign->logblk, 1, block) ||
	    !jbd2_first_revoke(&c, block, &format) || c.end <= c.pos)
		return 0;
	wide = (c.end - c.pos) % format.record_bytes == 0;
	while (wide && jbd2_next_revoke(&c, &fsblk, &format))
		wide = fsblk < j->geo.fs_blocks;
	return wide == form->is_64bit;
}

static bool is_asked(const struct shape *s, const struct form *form)
{
	if (is_given(s, E2LAZY_PART_CSUM) && form->csum != s->pieces->csum)
		return false;
	return !is_given(s, E2LAZY_PART_64BIT) ||
	       form->is_64bit == s->pieces->is_64bit;
}

/* @fits: descriptors for which it is right; @score: how right. */
static errcode_t try_form(const struct shape *s, const struct form *form,
			  uint32_t *fits, uint32_t *score)
{
	const struct survey *v = s->survey;
	unsigned tried = 0;
	uint8_t *block = NULL;
	errcode_t err = io_channel_alloc_buf(v->journal->io, 1, &block);

	*fits = *score = 0;
	for (size_t i = 0; !err && i < v->nr && tried < MOST_TRIED; i++) {
		const struct sign *sign = &v->signs[i];
		unsigned more;

		if (sign->type == JBD2_COMMIT ||
		    (s->uuid < MOST_UUIDS && !(sign->fits >> s->uuid & 1)))
			continue;
		more = sign->type == JBD2_REVOKE ?
		       revokes_fit(s, form, sign, block) :
		       form_fits(s, form, sign, block);
		*score += more;
		*fits += more != 0;
		tried++;
	}
	ext2fs_free_mem(&block);
	return err;
}

/* In the order of preference for one class: what is said or usual, then 64bit
   the other way round. */
static void order_forms(const struct shape *s, struct form forms[4])
{
	const struct survey *v = s->survey;
	bool wide = ext2fs_has_feature_64bit(v->journal->fs->super);
	enum e2lazy_csum csum, other;

	if (s->uuid == MOST_UUIDS) {
		csum = v->v1 ? E2LAZY_CSUM_V1 : E2LAZY_CSUM_NONE;
		other = v->v1 ? E2LAZY_CSUM_NONE : E2LAZY_CSUM_V1;
	} else {
		csum = E2LAZY_CSUM_V3;
		other = E2LAZY_CSUM_V2;
	}
	if (is_given(s, E2LAZY_PART_CSUM))
		csum = s->pieces->csum;
	if (s->sound)
		wide = s->said.incompat & E2LAZY_INCOMPAT_64BIT;
	forms[0] = (struct form){ csum, wide };
	forms[1] = (struct form){ csum, !wide };
	forms[2] = (struct form){ other, wide };
	forms[3] = (struct form){ other, !wide };
}

static uint32_t features_of(const struct form *form)
{
	return E2LAZY_INCOMPAT_REVOKE |
	       (form->is_64bit ? E2LAZY_INCOMPAT_64BIT : 0) |
	       (form->csum == E2LAZY_CSUM_V2 ? E2LAZY_INCOMPAT_CSUM_V2 : 0) |
	       (form->csum == E2LAZY_CSUM_V3 ? E2LAZY_INCOMPAT_CSUM_V3 : 0);
}

static void set_form(struct shape *s, const struct form *form, uint32_t fits)
{
	const struct survey *v = s->survey;
	struct e2lazy_fact *f;

	s->geo->version = 2;
	s->geo->csum = form->csum;
	s->geo->incompat = features_of(form);
	s->geo->compat = form->csum == E2LAZY_CSUM_V1 ? E2LAZY_COMPAT_CHECKSUM :
							0;
	f = fact(s, E2LAZY_PART_CSUM, form->csum, E2LAZY_FROM_RING);
	f->proofs = s->uuid < MOST_UUIDS ? v->fit[s->uuid] :
		    form->csum == E2LAZY_CSUM_V1 ? v->v1 : 0;
	f->against = s->uuid < MOST_UUIDS ?
		     (uint32_t)v->nr - v->fit[s->uuid] : 0;
	says(f, v, said_csum(v));
	f = fact(s, E2LAZY_PART_64BIT, form->is_64bit, E2LAZY_FROM_SUPER);
	f->proofs = fits;
	says(f, v, (said_incompat(v) & E2LAZY_INCOMPAT_64BIT) != 0);
}

static errcode_t find_form(struct shape *s)
{
	uint32_t best_fits = 0, best_score = 0;
	struct form forms[4], *best = NULL;
	errcode_t err = 0;

	order_forms(s, forms);
	for (unsigned i = 0; !err && i < 4; i++) {
		uint32_t fits, score;

		if (!is_asked(s, &forms[i]))
			continue;
		err = try_form(s, &forms[i], &fits, &score);
		if (!best || score > best_score) {
			best = &forms[i];
			best_fits = fits;
			best_score = score;
		}
	}
	if (!err)
		set_form(s, best ? best : &forms[0], best_fits);
	return err;
}

static void set_uuid(struct shape *s)
{
	const struct survey *v = s->survey;
	const uint8_t *uuid = v->uuids[s->uuid < MOST_UUIDS ? s->uuid : 0];
	struct e2lazy_fact *f;

	if (is_given(s, E2LAZY_PART_UUID))
		uuid = s->pieces->uuid;
	memcpy(s->geo->uuid, uuid, 16);
	memcpy(s->geo->fs_uuid, v->journal->geo.fs_uuid, 16);
	f = fact(s, E2LAZY_PART_UUID, 0, E2LAZY_FROM_SUPER);
	f->proofs = s->uuid < MOST_UUIDS ? v->fit[s->uuid] : 0;
	says(f, v, memcmp(v->super + JSB_UUID, uuid, 16) != 0);
}

/* ------------------------------------------------------------- the ring */

static enum e2lazy_witness place_origin(const struct e2lazy_journal *j)
{
	if (j->jfs)
		return E2LAZY_FROM_DEVICE;
	return j->geo.from_backup ? E2LAZY_FROM_BACKUP : E2LAZY_FROM_INODE;
}

/* Does a fast-commit area begin there? */
static bool is_head(const struct survey *v, uint32_t logblk)
{
	uint8_t *block = NULL;
	bool found;

	if (io_channel_alloc_buf(v->journal->io, 1, &block))
		return false;
	found = !e2lazy_read_log(v->journal, logblk, 1, block) &&
		fc_is_head(block);
	ext2fs_free_mem(&block);
	return found;
}

static uint32_t signs_from(const struct survey *v, uint32_t logblk)
{
	uint32_t count = 0;

	for (size_t i = v->nr; i-- && v->signs[i].logblk >= logblk; )
		count++;
	return count;
}

/*
 * The size that the journal superblock gives the area, 0 for the usual one.  A
 * kernel that empties the log clears the feature and keeps the size, which it
 * takes when it sets the feature again.
 */
static uint32_t said_fast(const struct shape *s, bool feature)
{
	return feature || (s->sound && s->said.version > 1) ?
	       get_be32(s->survey->super + JSB_NUM_FC) : 0;
}

/* The size of the fast-commit area, 0 without one. */
static uint32_t find_fast(struct shape *s, uint32_t blocks)
{
	const struct survey *v = s->survey;
	const struct ext2_super_block *sb = v->journal->fs->super;
	bool feature = said_incompat(v) & E2LAZY_INCOMPAT_FAST_COMMIT;
	uint32_t said = said_fast(s, feature);
	uint32_t usual = said ? said : JBD2_DEFAULT_FC_BLOCKS, fast = usual;
	uint32_t proofs;

	if (is_given(s, E2LAZY_PART_FAST))
		fast = s->pieces->fast;
	else if (fast > blocks - JBD2_MIN_BLOCKS ||
		 signs_from(v, blocks - fast) ||
		 !((feature && (s->sound || said)) ||
		   sb->s_feature_compat & EXT4_FEATURE_COMPAT_FAST_COMMIT ||
		   is_head(v, blocks - fast + 1)))
		fast = 0;
	proofs = fast ? is_head(v, blocks - fast + 1) :
			signs_from(v, blocks - usual);
	fact(s, E2LAZY_PART_FAST, fast, proofs ? E2LAZY_FROM_RING :
						 E2LAZY_FROM_RULE);
	s->candidate->facts[E2LAZY_PART_FAST].proofs = proofs;
	says(&s->candidate->facts[E2LAZY_PART_FAST], v,
	     feature ? usual : fast ? said : 0);
	return fast;
}

static void set_ring(struct shape *s)
{
	const struct survey *v = s->survey;
	struct e2lazy_geometry *g = s->geo;
	uint32_t fast;

	g->blocksize = v->journal->fs->blocksize;
	g->maxlen = s->sound ? s->said.maxlen : v->journal->runs.blocks;
	if (is_given(s, E2LAZY_PART_BLOCKS))
		g->maxlen = s->pieces->blocks;
	fact(s, E2LAZY_PART_WHERE, v->journal->runs.log[0].physblk,
	     place_origin(v->journal));
	says(fact(s, E2LAZY_PART_BLOCKS, g->maxlen,
		  place_origin(v->journal)), v,
	     get_be32(v->super + JSB_MAXLEN));
	g->first = s->sound ? s->said.first : v->at + 1;
	if (is_given(s, E2LAZY_PART_FIRST))
		g->first = s->pieces->first;
	says(fact(s, E2LAZY_PART_FIRST, g->first, E2LAZY_FROM_RULE), v,
	     get_be32(v->super + JSB_FIRST));
	/* The smallest journal has no room for fast commits. */
	fact(s, E2LAZY_PART_FAST, 0, E2LAZY_FROM_RULE);
	fast = g->maxlen > JBD2_MIN_BLOCKS &&
	       g->maxlen <= v->journal->runs.blocks ?
	       find_fast(s, g->maxlen) : 0;
	g->end = g->maxlen - fast;
	if (fast)
		g->incompat |= E2LAZY_INCOMPAT_FAST_COMMIT;
	else if (s->sound && g->maxlen == s->said.maxlen &&
		 g->first < s->said.other_end)
		g->other_end = s->said.other_end;
}

/* Is the superblock's word about its features that of the ring? */
static bool agrees(const struct shape *s)
{
	return s->sound && s->said.csum == s->geo->csum &&
	       (s->said.incompat & E2LAZY_INCOMPAT_64BIT) ==
	       (s->geo->incompat & E2LAZY_INCOMPAT_64BIT);
}

static void read_said(struct shape *s)
{
	const struct survey *v = s->survey;
	struct e2lazy_where where = { .has = 0 };

	s->candidate->super_error =
		jsb_parse(v->super, v->journal->runs.blocks,
			  v->journal->fs->blocksize, v->at, crc32c_select(),
			  &s->said, &where);
	s->sound = !s->candidate->super_error;
	if (s->sound)
		s->geo->error = s->said.error;
}

/* By hand the tail can be one that nothing else proves to be the first. */
static void take_tail(struct shape *s)
{
	const struct e2lazy_parts *p = s->pieces;
	const struct sign *sign;

	if (is_given(s, E2LAZY_PART_START)) {
		s->geo->start = p->start;
		sign = survey_sign(s->survey, p->start);
		s->geo->sequence = sign ? sign->tid : 0;
	}
	if (is_given(s, E2LAZY_PART_SEQUENCE)) {
		s->geo->sequence = p->sequence;
		if (!is_given(s, E2LAZY_PART_START))
			s->geo->start = 0;
	}
}

errcode_t shape_find(const struct survey *survey, unsigned uuid,
		     const struct e2lazy_parts *pieces,
		     struct e2lazy_candidate *candidate)
{
	struct shape s = { .survey = survey, .pieces = pieces,
			   .candidate = candidate, .uuid = uuid,
			   .geo = &candidate->geometry };
	errcode_t err;

	memset(candidate, 0, sizeof(*candidate));
	read_said(&s);
	err = find_form(&s);
	if (err)
		return err;
	set_uuid(&s);
	set_ring(&s);
	if (agrees(&s)) {
		s.geo->version = s.said.version;
		s.geo->compat = s.said.compat;
		if (!is_given(&s, E2LAZY_PART_FAST))
			s.geo->incompat = s.said.incompat |
				(s.geo->incompat & E2LAZY_INCOMPAT_FAST_COMMIT);
	}
	/* The tail as said, for the scan of the ring. */
	s.geo->start = get_be32(survey->super + JSB_START);
	s.geo->sequence = get_be32(survey->super + JSB_SEQUENCE);
	says(fact(&s, E2LAZY_PART_START, s.geo->start, E2LAZY_FROM_RING),
	     survey, s.geo->start);
	says(fact(&s, E2LAZY_PART_SEQUENCE, s.geo->sequence,
		  E2LAZY_FROM_RING), survey, s.geo->sequence);
	take_tail(&s);
	return 0;
}
