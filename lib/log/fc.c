/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * fc.c - the fast-commit area behind the log
 *
 * The area holds logical records on top of the last full commit.  They are
 * little-endian; the log is big-endian.  The area counts if its first block
 * begins with a HEAD of the next transaction, and up to the last TAIL whose crc
 * is right.  Source: Linux fs/ext4/fast_commit.{h,c}, ext4_fc_replay_scan().
 */

#include <string.h>

#include "io/bytes.h"
#include "log.h"

#define TLV_BYTES 4	/* tag and length, le16 each */

static void get_name(struct e2lazy_fc_record *r, const uint8_t *v)
{
	r->parent = get_le32(v);
	r->ino = get_le32(v + 4);
	memcpy(r->name, v + 8, r->length - 8);	/* at most 255: kinds[] */
}

/* The longest written extent; an unwritten one stores its length plus this. */
#define MOST_WRITTEN	(1U << 15)

/* Inode, then an on-disk extent: lblk, length, physical high and low. */
static void get_add_range(struct e2lazy_fc_record *r, const uint8_t *v)
{
	r->ino = get_le32(v);
	r->lblk = get_le32(v + 4);
	r->len = get_le16(v + 8);
	r->unwritten = r->len > MOST_WRITTEN;
	if (r->unwritten)
		r->len -= MOST_WRITTEN;
	r->pblk = (blk64_t)get_le16(v + 10) << 32 | get_le32(v + 12);
}

static void get_del_range(struct e2lazy_fc_record *r, const uint8_t *v)
{
	r->ino = get_le32(v);
	r->lblk = get_le32(v + 4);
	r->len = get_le32(v + 8);
}

static void get_inode(struct e2lazy_fc_record *r, const uint8_t *v)
{
	r->ino = get_le32(v);
}

static void get_tail(struct e2lazy_fc_record *r, const uint8_t *v)
{
	r->tid = get_le32(v);
}

static void get_head(struct e2lazy_fc_record *r, const uint8_t *v)
{
	r->tid = get_le32(v + 4);	/* behind the features */
}

static void get_nothing(struct e2lazy_fc_record *r, const uint8_t *v)
{
	(void)r;
	(void)v;
}

#define ANY 0xffff	/* limited by the block, and an inode by its size */

/* The kernel takes a record of another length for the end of the area. */
static const struct {
	const char	*name;
	uint32_t	least, most;	/* bytes of value */
	void		(*get)(struct e2lazy_fc_record *r, const uint8_t *v);
} kinds[] = {
	[E2LAZY_FC_ADD_RANGE]	= { "add_range", 16, 16, get_add_range },
	[E2LAZY_FC_DEL_RANGE]	= { "del_range", 12, 12, get_del_range },
	[E2LAZY_FC_CREAT]	= { "creat", 8 + 1, 8 + 255, get_name },
	[E2LAZY_FC_LINK]	= { "link", 8 + 1, 8 + 255, get_name },
	[E2LAZY_FC_UNLINK]	= { "unlink", 8 + 1, 8 + 255, get_name },
	[E2LAZY_FC_INODE]	= { "inode", 4 + 128, ANY, get_inode },
	[E2LAZY_FC_PAD]		= { "pad", 0, ANY, get_nothing },
	[E2LAZY_FC_TAIL]	= { "tail", 8, ANY, get_tail },
	[E2LAZY_FC_HEAD]	= { "head", 8, 8, get_head },
};
#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

const char *e2lazy_fc_kind_name(uint32_t kind)
{
	return kind > 0 && kind < NR_KINDS ? kinds[kind].name : "unknown";
}

bool fc_is_head(const uint8_t *block)
{
	return get_le16(block) == E2LAZY_FC_HEAD &&
	       get_le16(block + 2) == kinds[E2LAZY_FC_HEAD].least;
}

/* The first word names features, and no kernel knows any. */
static bool has_features(const uint8_t *head)
{
	return get_le32(head + TLV_BYTES) != 0;
}

/*
 * A kernel and e2fsck look for the tag alone.  Then a kernel fails at a wrong
 * length, and both fail at features before they compare the transaction.
 */
static enum e2lazy_fc_begin begin_of(const uint8_t *block)
{
	if (get_le16(block) != E2LAZY_FC_HEAD)
		return E2LAZY_FC_NOTHING;
	if (!fc_is_head(block))
		return E2LAZY_FC_MALFORMED;
	return has_features(block) ? E2LAZY_FC_UNKNOWN : E2LAZY_FC_BEGUN;
}

struct scan {
	struct e2lazy_journal *journal;
	uint32_t	next_tid;
	errcode_t	(*found)(void *priv, const struct e2lazy_fc_record *);
	void		*priv;
	struct e2lazy_fc_summary *out;

	uint32_t	block;		/* of the area, from 0 */
	uint32_t	crc;		/* since the last TAIL */
	bool		counts;		/* a TAIL may still seal records */
};

/* Does a kernel take a record of this length? */
static bool has_length(const struct scan *s, const struct e2lazy_fc_record *r)
{
	uint32_t inode_size = EXT2_INODE_SIZE(s->journal->fs->super);
	uint32_t most = r->kind == E2LAZY_FC_INODE ? 4 + inode_size :
						     kinds[r->kind].most;

	return r->length >= kinds[r->kind].least && r->length <= most;
}

/* False where no well-formed record begins at @pos. */
static bool get_record(const struct scan *s, const uint8_t *block, unsigned pos,
		       struct e2lazy_fc_record *r)
{
	unsigned end = s->journal->geo.blocksize;
	const uint8_t *p = block + pos;

	memset(r, 0, sizeof(*r));
	r->kind = get_le16(p);
	r->length = get_le16(p + 2);
	r->offset = pos;
	if (r->kind == 0 || r->kind >= NR_KINDS ||
	    r->length > end - pos - TLV_BYTES || !has_length(s, r))
		return false;
	r->value = p + TLV_BYTES;
	kinds[r->kind].get(r, r->value);
	return true;
}

/* The crc of a TAIL covers the records since the last TAIL, and its own tid. */
static void check_tail(struct scan *s, const uint8_t *tlv,
		       struct e2lazy_fc_record *r)
{
	uint32_t crc = s->journal->csum.crc(s->crc, tlv, TLV_BYTES + 4);

	r->csum = crc == get_le32(tlv + TLV_BYTES + 4) ? E2LAZY_GOOD :
							 E2LAZY_BAD;
	s->crc = 0;
	if (r->csum == E2LAZY_GOOD && r->tid == s->next_tid && s->counts) {
		s->out->valid = s->out->records;
		s->out->blocks = s->block + 1;
	} else {
		s->counts = false;
	}
}

static errcode_t take_record(struct scan *s, const uint8_t *tlv,
			     struct e2lazy_fc_record *r)
{
	if (s->out->records == 0)
		s->out->tid = r->tid;
	s->out->records++;
	if (r->kind == E2LAZY_FC_TAIL)
		check_tail(s, tlv, r);
	else
		s->crc = s->journal->csum.crc(s->crc, tlv,
					      TLV_BYTES + r->length);
	if (r->kind == E2LAZY_FC_HEAD &&
	    (r->tid != s->next_tid || has_features(tlv)))
		s->counts = false;
	return s->found ? s->found(s->priv, r) : 0;
}

/* @more: the next block may continue the area. */
static errcode_t scan_block(struct scan *s, uint32_t logblk,
			    const uint8_t *block, bool *more)
{
	unsigned end = s->journal->geo.blocksize, pos = 0;
	struct e2lazy_fc_record r;

	*more = false;
	while (pos + TLV_BYTES <= end) {
		errcode_t err;

		if (!get_record(s, block, pos, &r))
			return 0;
		/* The area begins with a HEAD, or holds nothing. */
		if (s->out->records == 0 && r.kind != E2LAZY_FC_HEAD)
			return 0;
		r.logblk = logblk;
		err = take_record(s, block + pos, &r);
		if (err)
			return err;
		pos += TLV_BYTES + r.length;
	}
	*more = true;
	return 0;
}

errcode_t e2lazy_fc_scan(struct e2lazy_journal *j, uint32_t next_tid,
			 errcode_t (*found)(void *priv,
					    const struct e2lazy_fc_record *),
			 void *priv, struct e2lazy_fc_summary *out,
			 struct e2lazy_where *where)
{
	const struct e2lazy_geometry *g = &j->geo;
	struct scan scan = { .journal = j, .next_tid = next_tid,
			     .found = found, .priv = priv, .out = out,
			     .counts = g->start != 0 };
	struct e2lazy_where unused;
	bool more = true;
	void *buf = NULL;
	errcode_t err;

	if (!where)
		where = &unused;
	memset(where, 0, sizeof(*where));
	memset(out, 0, sizeof(*out));
	err = io_channel_alloc_buf(j->io, 1, &buf);
	if (err)
		return err;
	where->volume = E2LAZY_JOURNAL;
	where->has = E2LAZY_AT_LOGBLK;
	for (uint32_t i = 0; !err && more && i < g->fc_blocks; i++) {
		scan.block = i;
		where->logblk = g->fc_first + i;
		err = e2lazy_read_log(j, where->logblk, 1, buf);
		if (!err && i == 0)
			out->begin = begin_of(buf);
		if (!err)
			err = scan_block(&scan, where->logblk, buf, &more);
	}
	ext2fs_free_mem(&buf);
	return err;
}

/* ---------------------------------------------------------------- damage */

/*
 * A TAIL fills its block, but for the last byte with kernels before 6.2.  Damage
 * may hide where it begins, so try each place.
 */
static bool has_tail(const uint8_t *block, unsigned size, uint32_t tid)
{
	for (unsigned pos = 0; pos + TLV_BYTES + 8 <= size; pos++) {
		unsigned rest = size - pos - TLV_BYTES;
		unsigned length = get_le16(block + pos + 2);

		if (get_le16(block + pos) == E2LAZY_FC_TAIL &&
		    (length == rest || length == rest - 1) &&
		    get_le32(block + pos + TLV_BYTES) == tid)
			return true;
	}
	return false;
}

/*
 * Fast commits take few blocks, one behind the other.  After so many blocks
 * without a TAIL there is none: what the superblock says of the area's size may
 * be a lie, and a hole in a file costs nothing to make.
 */
#define LONGEST_GAP	2048

static errcode_t count_tails(struct e2lazy_journal *j, uint32_t tid,
			     uint32_t from, struct e2lazy_fc_lost *out)
{
	const struct e2lazy_geometry *g = &j->geo;
	uint32_t last = from;
	void *buf = NULL;
	errcode_t err = io_channel_alloc_buf(j->io, 1, &buf);

	if (err)
		return err;
	for (uint32_t i = from; i < g->fc_blocks && i - last < LONGEST_GAP;
	     i++) {
		if (e2lazy_read_log(j, g->fc_first + i, 1, buf) ||
		    !has_tail(buf, g->blocksize, tid))
			continue;
		last = i;
		if (!out->commits++ && !out->error)
			out->logblk = g->fc_first + i;
	}
	ext2fs_free_mem(&buf);
	return 0;
}

errcode_t e2lazy_fc_find_lost(struct e2lazy_journal *j, uint32_t next_tid,
			      struct e2lazy_fc_lost *out)
{
	struct e2lazy_fc_summary found;
	struct e2lazy_where where;
	errcode_t err;

	memset(out, 0, sizeof(*out));
	if (!j->geo.start || !j->geo.fc_blocks)
		return 0;
	err = e2lazy_fc_scan(j, next_tid, NULL, NULL, &found, &where);
	if (err == EXT2_ET_NO_MEMORY)
		return err;
	out->error = err;
	out->logblk = err ? where.logblk : 0;
	return count_tails(j, next_tid, found.blocks, out);
}
