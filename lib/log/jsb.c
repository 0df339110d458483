/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * jsb.c - the journal superblock: parse it, check it, make it
 *
 * Rules: Linux fs/jbd2/journal.c, journal_get_superblock() and
 * journal_reset().  e2fsck does not check s_first and s_start; this file does,
 * because the size of a ring with wild values underflows.
 */

#include <string.h>

#include "log.h"

#define KNOWN_INCOMPAT (E2LAZY_INCOMPAT_REVOKE | E2LAZY_INCOMPAT_64BIT | \
			E2LAZY_INCOMPAT_ASYNC_COMMIT | \
			E2LAZY_INCOMPAT_CSUM_V2 | E2LAZY_INCOMPAT_CSUM_V3 | \
			E2LAZY_INCOMPAT_FAST_COMMIT)

static errcode_t refuse(struct e2lazy_where *where, uint32_t value,
			errcode_t error)
{
	where->has |= E2LAZY_AT_VALUE;
	where->value = value;
	return error;
}

static bool is_version_2(const uint8_t *sb)
{
	struct jbd2_header h;

	return jbd2_get_header(sb, &h) && h.type == JBD2_SUPER_V2;
}

static bool has_csum(const uint8_t *sb)
{
	return get_be32(sb + JSB_INCOMPAT) & (E2LAZY_INCOMPAT_CSUM_V2 |
					      E2LAZY_INCOMPAT_CSUM_V3);
}

static uint32_t unknown_bits(const uint8_t *sb)
{
	uint32_t unknown = get_be32(sb + JSB_INCOMPAT) & ~KNOWN_INCOMPAT;

	return unknown ? unknown : get_be32(sb + JSB_RO_COMPAT);
}

/* Version 1 has no feature words; there the bytes may hold anything. */
static errcode_t parse_features(const uint8_t *sb, crc32c_fn crc,
				struct e2lazy_geometry *g,
				struct e2lazy_where *where)
{
	bool v1, v2, v3;

	if (g->version < 2)
		return 0;
	g->compat = get_be32(sb + JSB_COMPAT);
	g->incompat = get_be32(sb + JSB_INCOMPAT);
	g->ro_compat = get_be32(sb + JSB_RO_COMPAT);
	if (unknown_bits(sb))
		return refuse(where, unknown_bits(sb), E2LAZY_ET_JSB_FEATURE);

	v1 = g->compat & E2LAZY_COMPAT_CHECKSUM;
	v2 = g->incompat & E2LAZY_INCOMPAT_CSUM_V2;
	v3 = g->incompat & E2LAZY_INCOMPAT_CSUM_V3;
	if (v1 + v2 + v3 > 1)
		return E2LAZY_ET_JSB_CSUM_TYPE;
	g->csum = v3 ? E2LAZY_CSUM_V3 : v2 ? E2LAZY_CSUM_V2 :
		  v1 ? E2LAZY_CSUM_V1 : E2LAZY_CSUM_NONE;
	if (!v2 && !v3)
		return 0;
	if (sb[JSB_CSUM_TYPE] != 4)	/* crc32c */
		return refuse(where, sb[JSB_CSUM_TYPE],
			      E2LAZY_ET_JSB_CSUM_TYPE);
	if (get_be32(sb + JSB_CHECKSUM) != csum_super(crc, sb))
		return refuse(where, get_be32(sb + JSB_CHECKSUM),
			      E2LAZY_ET_JSB_CSUM);
	return 0;
}

bool jsb_has_good_csum(const uint8_t *sb, crc32c_fn crc)
{
	return has_csum(sb) &&
	       get_be32(sb + JSB_CHECKSUM) == csum_super(crc, sb);
}

uint32_t jsb_unknown_features(const uint8_t *sb, crc32c_fn crc)
{
	return is_version_2(sb) &&
	       (!has_csum(sb) || jsb_has_good_csum(sb, crc)) ?
	       unknown_bits(sb) : 0;
}

/* After a change: version 1 has neither features nor a checksum. */
static void set_csum(uint8_t *sb, crc32c_fn crc)
{
	if (is_version_2(sb) && has_csum(sb))
		put_be32(sb + JSB_CHECKSUM, csum_super(crc, sb));
}

static uint32_t fc_blocks(const uint8_t *sb)
{
	uint32_t fc = get_be32(sb + JSB_NUM_FC);

	return fc ? fc : JBD2_DEFAULT_FC_BLOCKS;
}

static errcode_t parse_length(const uint8_t *sb, uint64_t avail,
			      struct e2lazy_geometry *g,
			      struct e2lazy_where *where)
{
	uint32_t fc = fc_blocks(sb);
	bool feature = g->incompat & E2LAZY_INCOMPAT_FAST_COMMIT;
	bool fits;

	g->maxlen = get_be32(sb + JSB_MAXLEN);
	if (g->maxlen > avail || g->maxlen < JBD2_MIN_BLOCKS)
		return refuse(where, g->maxlen, E2LAZY_ET_JOURNAL_SHORT);
	fits = g->version > 1 && fc <= g->maxlen - JBD2_MIN_BLOCKS;
	if (feature && !fits)
		return refuse(where, fc, E2LAZY_ET_JSB_FAST_COMMIT);
	g->end = feature ? g->maxlen - fc : g->maxlen;
	if (feature) {	/* jbd2 leaves the block between ring and area unused */
		g->fc_first = g->end + 1;
		g->fc_blocks = fc - 1;
	}
	g->other_end = !fits ? 0 : feature ? g->maxlen : g->maxlen - fc;
	return 0;
}

static errcode_t parse_ring(const uint8_t *sb, uint32_t at,
			    struct e2lazy_geometry *g,
			    struct e2lazy_where *where)
{
	g->first = get_be32(sb + JSB_FIRST);
	if (g->first <= at || g->first >= g->end)
		return refuse(where, g->first, E2LAZY_ET_JSB_FIRST);

	g->start = get_be32(sb + JSB_START);
	if (g->start && (g->start < g->first || g->start >= g->end))
		return refuse(where, g->start, E2LAZY_ET_JSB_START);
	/* If the log begins past the shorter end, no older lap ends there. */
	if (g->other_end <= g->first || g->other_end <= g->start)
		g->other_end = 0;

	/* Older writers leave padding there, so ignore a wild value. */
	g->head = get_be32(sb + JSB_HEAD);
	if (g->version < 2 || g->head < g->first || g->head >= g->end)
		g->head = 0;
	return 0;
}

/* ----------------------------------------------- the record of a lazy log */

/*
 * A kernel with journal_lazy keeps a log only if the record names the tail that
 * the log has.  Whoever moves the tail without the record makes the next lazy
 * mount replay the log, which loses nothing.  A record of a version that is not
 * known stays as it is.  Rule: linux/fs/jbd2/lazy_mark.c.
 */
#define LAZY_MAGIC	0x4c617a79
#define LAZY_VERSION	1

/* From JSB_LAZY on; a nonce of 64 bits lies between. */
enum {
	RECORD_VERSION	= 4,
	RECORD_START	= 8,
	RECORD_SEQUENCE	= 12,
	RECORD_NONCE	= 16,
	RECORD_CSUM	= 24,
	RECORD_BYTES	= 28,
};

/* From COMMIT_LAZY on; the magic comes first. */
enum {
	MARK_NONCE	= 4,
	MARK_CSUM	= 12,
};

static uint32_t record_csum(const uint8_t *sb)
{
	uint32_t crc = ext2fs_crc32_be(~0U, sb + JSB_UUID, 16);

	return ext2fs_crc32_be(crc, sb + JSB_LAZY, RECORD_CSUM);
}

static bool is_known(const uint8_t *record)
{
	return get_be32(record) == LAZY_MAGIC &&
	       get_be32(record + RECORD_VERSION) == LAZY_VERSION;
}

static enum e2lazy_lazy_record lazy_record_get(const uint8_t *sb)
{
	const uint8_t *record = sb + JSB_LAZY;

	if (!is_version_2(sb) || get_be32(record) != LAZY_MAGIC)
		return E2LAZY_RECORD_NONE;
	if (!is_known(record) ||
	    get_be32(record + RECORD_CSUM) != record_csum(sb) ||
	    get_be32(record + RECORD_START) != get_be32(sb + JSB_START) ||
	    get_be32(record + RECORD_SEQUENCE) != get_be32(sb + JSB_SEQUENCE))
		return E2LAZY_RECORD_OTHER;
	return E2LAZY_RECORD_FITS;
}

bool jsb_has_mark(const struct e2lazy_geometry *g, const uint8_t *commit,
		  uint32_t tid)
{
	const uint8_t *mark = commit + COMMIT_LAZY;
	uint8_t number[4];
	uint32_t crc;

	if (get_be32(mark) != LAZY_MAGIC ||
	    get_be64(mark + MARK_NONCE) != g->lazy_nonce)
		return false;
	put_be32(number, tid);
	crc = ext2fs_crc32_be(~0U, g->uuid, sizeof(g->uuid));
	crc = ext2fs_crc32_be(crc, number, sizeof(number));
	crc = ext2fs_crc32_be(crc, mark, MARK_CSUM);
	return get_be32(mark + MARK_CSUM) == crc;
}

static void lazy_record_move(uint8_t *sb)
{
	put_be32(sb + JSB_LAZY + RECORD_START, get_be32(sb + JSB_START));
	put_be32(sb + JSB_LAZY + RECORD_SEQUENCE, get_be32(sb + JSB_SEQUENCE));
	put_be32(sb + JSB_LAZY + RECORD_CSUM, record_csum(sb));
}

void jsb_clear_record(uint8_t *sb)
{
	if (is_version_2(sb) && is_known(sb + JSB_LAZY))
		memset(sb + JSB_LAZY, 0, RECORD_BYTES);
}

/* ------------------------------------------------------- the superblock */

errcode_t jsb_parse(const uint8_t *sb, uint64_t avail, unsigned blocksize,
		    uint32_t at, crc32c_fn crc, struct e2lazy_geometry *g,
		    struct e2lazy_where *where)
{
	struct jbd2_header h;
	errcode_t err;

	if (!jbd2_get_header(sb, &h) ||
	    (h.type != JBD2_SUPER_V1 && h.type != JBD2_SUPER_V2))
		return E2LAZY_ET_JSB_MAGIC;
	g->version = h.type == JBD2_SUPER_V1 ? 1 : 2;

	err = parse_features(sb, crc, g, where);
	if (err)
		return err;
	g->blocksize = get_be32(sb + JSB_BLOCKSIZE);
	if (g->blocksize != blocksize)
		return refuse(where, g->blocksize, E2LAZY_ET_JSB_BLOCKSIZE);
	err = parse_length(sb, avail, g, where);
	if (err)
		return err;
	err = parse_ring(sb, at, g, where);
	if (err)
		return err;

	g->sequence = get_be32(sb + JSB_SEQUENCE);
	g->error = (int32_t)get_be32(sb + JSB_ERRNO);
	if (g->version == 2)
		memcpy(g->uuid, sb + JSB_UUID, sizeof(g->uuid));
	g->lazy_record = lazy_record_get(sb);
	if (g->lazy_record != E2LAZY_RECORD_NONE && is_known(sb + JSB_LAZY))
		g->lazy_nonce = get_be64(sb + JSB_LAZY + RECORD_NONCE);
	return 0;
}

static uint32_t csum_features(const struct e2lazy_geometry *g)
{
	return g->incompat & (E2LAZY_INCOMPAT_CSUM_V2 |
			      E2LAZY_INCOMPAT_CSUM_V3);
}

void jsb_make(uint8_t *sb, const struct e2lazy_geometry *g, crc32c_fn crc)
{
	memset(sb, 0, SUPER_BYTES);
	put_be32(sb, JBD2_MAGIC);
	put_be32(sb + 4, g->version == 1 ? JBD2_SUPER_V1 : JBD2_SUPER_V2);
	put_be32(sb + JSB_BLOCKSIZE, g->blocksize);
	put_be32(sb + JSB_MAXLEN, g->maxlen);
	put_be32(sb + JSB_FIRST, g->first);
	put_be32(sb + JSB_SEQUENCE, g->sequence);
	put_be32(sb + JSB_START, g->start);
	put_be32(sb + JSB_ERRNO, (uint32_t)g->error);
	if (g->version == 1)
		return;
	put_be32(sb + JSB_COMPAT, g->compat);
	put_be32(sb + JSB_INCOMPAT, g->incompat);
	put_be32(sb + JSB_RO_COMPAT, g->ro_compat);
	memcpy(sb + JSB_UUID, g->uuid, sizeof(g->uuid));
	put_be32(sb + JSB_NR_USERS, 1);
	memcpy(sb + JSB_USERS, g->fs_uuid, sizeof(g->fs_uuid));
	if (g->incompat & E2LAZY_INCOMPAT_FAST_COMMIT)
		put_be32(sb + JSB_NUM_FC, g->maxlen - g->end);
	else if (g->other_end)
		put_be32(sb + JSB_NUM_FC, g->maxlen - g->other_end);
	put_be32(sb + JSB_HEAD, g->head);
	if (csum_features(g)) {
		sb[JSB_CSUM_TYPE] = 4;	/* crc32c */
		put_be32(sb + JSB_CHECKSUM, csum_super(crc, sb));
	}
}

/* The kernel clears FAST_COMMIT, too, and sets it again at need. */
void jsb_set_empty(uint8_t *sb, uint32_t sequence, crc32c_fn crc)
{
	put_be32(sb + JSB_START, 0);
	put_be32(sb + JSB_SEQUENCE, sequence);
	put_be32(sb + JSB_ERRNO, 0);
	jsb_clear_record(sb);
	if (is_version_2(sb))
		put_be32(sb + JSB_INCOMPAT, get_be32(sb + JSB_INCOMPAT) &
					    ~E2LAZY_INCOMPAT_FAST_COMMIT);
	set_csum(sb, crc);
}

void jsb_set_tail(uint8_t *sb, uint32_t start, uint32_t sequence, crc32c_fn crc)
{
	bool fits = lazy_record_get(sb) == E2LAZY_RECORD_FITS;

	put_be32(sb + JSB_START, start);
	put_be32(sb + JSB_SEQUENCE, sequence);
	if (fits)
		lazy_record_move(sb);
	else
		jsb_clear_record(sb);
	set_csum(sb, crc);
}

void jsb_restore(uint8_t *sb, const struct e2lazy_geometry *g, crc32c_fn crc)
{
	if (g->version > 1)
		put_be32(sb + JSB_INCOMPAT, g->incompat);
	if (g->incompat & E2LAZY_INCOMPAT_FAST_COMMIT &&
	    fc_blocks(sb) != g->maxlen - g->end)
		put_be32(sb + JSB_NUM_FC, g->maxlen - g->end);
	jsb_clear_record(sb);
	jsb_set_tail(sb, g->start, g->sequence, crc);
}
