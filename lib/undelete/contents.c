/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * contents.c - bytes of a file, with the grade of each block
 *
 * Contents are in their own place; evidence.c knows whether another file wrote
 * there since.  With data=journal the log may have newer contents, and without it
 * those of a former owner.
 */

#include <stdlib.h>
#include <string.h>

#include "io/blank.h"
#include "io/pread_io.h"
#include "undelete.h"

#define READ_BYTES	(1 << 20)
#define FEW_BLOCKS	16

struct contents {
	struct e2lazy_undelete *u;
	uint32_t	number;
	const struct life *life;
	enum e2lazy_reading reading;
	bool		unproven;	/* the map is */
	bool		at_home;	/* no newer contents are lost with the log */
	uint64_t	size;		/* of the file; of a directory too */
	struct e2lazy_time mtime;
	struct e2lazy_time ctime;
	errcode_t	(*found)(void *priv, const struct e2lazy_graded *);
	void		*priv;
	struct e2lazy_contents *out;
	uint8_t		*buffer;
	struct blank	blank;		/* neighbours that became free together */
};

/* Bytes of the file in blocks from @lblk on. */
static size_t bytes_in(const struct contents *c, uint64_t lblk, uint64_t count)
{
	uint64_t begin = lblk * c->u->fs->blocksize;
	uint64_t bytes = count * c->u->fs->blocksize;

	if (begin >= c->size)
		return 0;
	return c->size - begin < bytes ? (size_t)(c->size - begin) :
					 (size_t)bytes;
}

static errcode_t tell(struct contents *c, const struct e2lazy_graded *g)
{
	c->out->blocks[g->grade] += g->count;
	return c->found ? c->found(c->priv, g) : 0;
}

/* ------------------------------------------------------------- reading */

/* A checkpoint has not written the copy home yet. */
static bool is_live(const struct e2lazy_undelete *u, const struct record *r)
{
	const struct e2lazy_geometry *g = &u->journal->geo;

	return g->start && r->tid >= u->gapless &&
	       !e2lazy_tid_after(g->sequence, u->versions.moments[r->tid].tid);
}

/* Is the place older than the copy, wherever they differ? */
static bool is_newest(const struct contents *c, const struct record *r)
{
	const struct moment *m = &c->u->versions.moments[r->tid];

	if (!is_live(c->u, r) || r->tid < c->life->first)
		return false;
	/* Once inline data has moved to a block, writes go there directly. */
	return !ext2fs_has_feature_inline_data(c->u->fs->super) ||
	       c->ctime.sec < (int64_t)m->sec ||
	       (c->ctime.sec == (int64_t)m->sec &&
		c->ctime.nsec <= m->nsec);
}

/* Is that copy from before the life had the block? */
static bool is_former(const struct contents *c, const struct record *r)
{
	return !life_began_by(c->u, c->life, r->tid) ||
	       evidence_of_former(c->u, c->number, record_fsblk(r));
}

/* A commit without nanoseconds may have come anywhere in its second. */
static bool is_after(struct e2lazy_time time, const struct moment *m)
{
	const struct e2lazy_time commit = {
		.sec = (int64_t)m->sec,
		.nsec = m->nsec ? m->nsec : UINT32_MAX,
	};

	return m->sec && time_is_later(time, commit);
}

/*
 * Take one block from the log; false if the log has no newer copy.  @to has the
 * block in place, if that could be read.  A file that was written without
 * data=journal later has newer contents in place; after a log was discarded, the
 * place has older ones.  So if the two differ, none is sure.  Nor is the place if
 * the copy is spoilt.  A former owner's copy has nothing of the file, but a
 * replay may have written it over the file's contents.  Behind a copy from before
 * u->gapless the log may have lost a newer one.
 */
static bool read_from_log(struct contents *c, blk64_t fsblk, bool in_place,
			  uint8_t *to, bool *unsure)
{
	const struct record *r = data_at_time(c->u, c->life, fsblk);
	unsigned size = c->u->fs->blocksize;
	uint8_t *copy = c->buffer + READ_BYTES;
	bool differs, lost = !c->at_home;

	*unsure = lost;
	if (!r)
		return false;
	lost &= r->tid < c->u->gapless;
	if (copy_read(c->u, r, copy)) {
		*unsure = lost || (in_place && !is_former(c, r));
		return false;
	}
	differs = in_place && memcmp(copy, to, size);
	if (is_former(c, r)) {
		*unsure = lost || (in_place && !differs);
		return false;
	}
	*unsure = lost || (differs && !is_newest(c, r));
	/* It was written after that commit: more likely without the log. */
	if (!*unsure || !is_after(c->mtime, &c->u->versions.moments[r->tid]))
		memcpy(to, copy, size);
	return true;
}

/*
 * A kernel that has the device mounted writes the contents of files past the
 * device's page cache.
 */
static errcode_t read_place(const struct e2lazy_undelete *u, blk64_t fsblk,
			    uint64_t count, void *to)
{
	io_channel io = u->journal->fs->io;

	if (io->flags & CHANNEL_FLAGS_BLOCK_DEVICE)
		return pread_io_past_cache(io, fsblk, (int)count, to);
	return io_channel_read_blk64(io, fsblk, (int)count, to);
}

static errcode_t read_home(struct contents *c, blk64_t fsblk, uint64_t count,
			   uint8_t *to)
{
	return read_place(c->u, fsblk, count, to);
}

static errcode_t read_ahead(void *priv, blk64_t at, unsigned count, void *to)
{
	return read_place(priv, at, count, to);
}

/* Small files mostly lie beside each other. */
static errcode_t read_few(struct contents *c, blk64_t fsblk, uint64_t count,
			  uint8_t *to)
{
	struct e2lazy_undelete *u = c->u;
	const uint8_t *block;
	errcode_t err = 0;

	u->home_window.read = read_ahead;
	u->home_window.priv = u;
	u->home_window.blocksize = u->fs->blocksize;
	u->home_window.end = ext2fs_blocks_count(u->fs->super);
	for (; !err && count; count--, to += u->fs->blocksize) {
		err = window_get(&u->home_window, fsblk++, &block);
		if (!err)
			memcpy(to, block, u->fs->blocksize);
	}
	return err;
}

/*
 * Blocks that cannot be read are zeros in the buffer, and marked, as are those
 * that nothing proves to be the newest.
 */
static void read_run(struct contents *c, blk64_t fsblk, uint64_t count,
		     bool *unread)
{
	unsigned size = c->u->fs->blocksize;
	bool logged = versions_has(&c->u->versions, fsblk, count);
	bool whole = !(count < FEW_BLOCKS ? read_few : read_home)(c, fsblk,
							count, c->buffer);

	for (uint64_t i = 0; i < count; i++) {
		uint8_t *to = c->buffer + i * size;
		/* The others of the run may be good. */
		bool in_place = whole || !read_home(c, fsblk + i, 1, to);

		unread[i] = !c->at_home;
		if (logged && read_from_log(c, fsblk + i, in_place, to,
					    &unread[i]))
			continue;
		if (in_place)
			continue;
		unread[i] = true;
		memset(to, 0, size);
	}
}

static enum e2lazy_grade grade_of(const struct contents *c, bool unread,
				  const uint8_t *block)
{
	if (unread)
		return E2LAZY_GRADE_UNKNOWN;
	if (is_zeros(block, c->u->fs->blocksize))
		return E2LAZY_GRADE_ZERO;
	return c->unproven ? E2LAZY_GRADE_UNKNOWN : E2LAZY_GRADE_INTACT;
}

static void end_blank(struct contents *c)
{
	c->out->blank += blank_end(&c->blank, c->u->fs->blocksize);
}

/* A discard goes through one group after the other. */
static bool goes_on(const struct contents *c, blk64_t fsblk)
{
	ext2_filsys fs = c->u->fs;

	return blank_goes_on(&c->blank, fsblk) &&
	       ext2fs_group_of_blk2(fs, fsblk) ==
	       ext2fs_group_of_blk2(fs, fsblk - 1);
}

/* Blocks that another file has had prove nothing for the others. */
static errcode_t note_blank(struct contents *c, const struct e2lazy_graded *g)
{
	blk64_t at = g->fsblk, end = at + g->count, n;
	errcode_t err = 0;

	if (g->grade != E2LAZY_GRADE_INTACT && g->grade != E2LAZY_GRADE_ZERO) {
		end_blank(c);
		return 0;
	}
	for (; !err && at < end; at += n) {
		dgrp_t group = ext2fs_group_of_blk2(c->u->fs, at);
		blk64_t next = ext2fs_group_last_block2(c->u->fs, group) + 1;

		n = next - at < end - at ? next - at : end - at;
		if (!goes_on(c, at))
			end_blank(c);
		err = blank_add(&c->blank, at, n,
				g->grade == E2LAZY_GRADE_ZERO);
	}
	return err;
}

#define MOST_BLOCKS	1024	/* READ_BYTES of the smallest */

/* Pass the read blocks on, in runs of one grade. */
static errcode_t tell_run(struct contents *c, const struct e2lazy_graded *all,
			  const bool *unread)
{
	unsigned size = c->u->fs->blocksize;
	struct e2lazy_graded g = *all;
	errcode_t err = 0;

	for (uint64_t i = 0, n; !err && i < all->count; i = n) {
		g.grade = all->grade;
		if (g.grade == E2LAZY_GRADE_INTACT)
			g.grade = grade_of(c, unread[i], c->buffer + i * size);
		for (n = i + 1; n < all->count &&
		     (all->grade != E2LAZY_GRADE_INTACT ||
		      grade_of(c, unread[n], c->buffer + n * size) ==
		      g.grade); n++)
			;
		g.lblk = all->lblk + i;
		g.fsblk = all->fsblk + i;
		g.count = n - i;
		g.bytes = c->buffer + i * size;
		g.length = bytes_in(c, g.lblk, g.count);
		err = note_blank(c, &g);
		if (!err)
			err = tell(c, &g);
	}
	return err;
}

static errcode_t read_graded(struct contents *c, const struct e2lazy_graded *g)
{
	uint64_t most = READ_BYTES / c->u->fs->blocksize;
	struct e2lazy_graded part = *g;
	bool unread[MOST_BLOCKS];
	uint64_t left = g->count;
	errcode_t err = 0;

	for (; !err && left; left -= part.count) {
		err = watch_stop(c->u->opts->watch);
		if (err)
			break;
		part.count = left < most ? left : most;
		read_run(c, part.fsblk, part.count, unread);
		err = tell_run(c, &part, unread);
		part.lblk += part.count;
		part.fsblk += part.count;
	}
	return err;
}

/* --------------------------------------------------------------- pieces */

static bool is_read(const struct contents *c, const struct evidence *against)
{
	return c->reading == E2LAZY_READ_ALL ||
	       (c->reading == E2LAZY_READ_OWN &&
		(!against || against->grade == E2LAZY_GRADE_UNKNOWN));
}

/* Without a look at each block: has the log none of them? */
static bool is_lost_to_log(const struct contents *c,
			   const struct e2lazy_graded *g)
{
	return !c->at_home &&
	       !versions_has(&c->u->versions, g->fsblk, g->count);
}

static errcode_t take_piece(void *priv, const struct piece *p)
{
	struct contents *c = priv;
	uint64_t end = (c->size + c->u->fs->blocksize - 1) /
		       c->u->fs->blocksize;
	uint64_t done = 0, count = p->count;
	errcode_t err = 0;

	/* Blocks past the end were kept for later. */
	if (p->unwritten || p->lblk >= end)
		return 0;
	if (count > end - p->lblk)
		count = end - p->lblk;
	while (!err && done < count) {
		struct e2lazy_graded g = {
			.lblk = p->lblk + done, .fsblk = p->fsblk + done,
			.count = count - done,
		};
		const struct evidence *e = evidence_of(c->u, c->number,
						       g.fsblk, &g.count);

		if (e) {
			g.grade = e->grade;
			g.user = e->user;
		} else if (c->reading == E2LAZY_READ_NONE &&
			   (c->unproven || is_lost_to_log(c, &g))) {
			g.grade = E2LAZY_GRADE_UNKNOWN;
		}
		done += g.count;
		err = is_read(c, e) ? read_graded(c, &g) : tell(c, &g);
	}
	return err;
}

static errcode_t give_inline(struct contents *c, const uint8_t *raw)
{
	struct e2lazy_graded g = { .count = 1 };
	const uint8_t *first, *second;
	size_t bytes, more, kept;

	inline_data(c->u->fs, raw, &first, &bytes, &second, &more);
	kept = bytes < c->size ? bytes : (size_t)c->size;
	memcpy(c->buffer, first, kept);
	if (c->size > kept && second && more <= READ_BYTES - kept) {
		if (more > c->size - kept)
			more = (size_t)(c->size - kept);
		memcpy(c->buffer + kept, second, more);
		kept += more;
	}
	c->out->map_missing = kept < c->size;
	g.bytes = c->reading == E2LAZY_READ_NONE ? NULL : c->buffer;
	g.length = kept;
	return kept ? tell(c, &g) : 0;
}

/* ------------------------------------------------------------- the file */

static errcode_t note_nothing(void *priv, const struct piece *p)
{
	(void)priv, (void)p;
	return 0;
}

/*
 * Only a walk through the whole map shows whether it is proven; but a map in
 * the inode is.
 */
static errcode_t read_mapped(struct contents *c,
			     const struct ext2_inode_large *inode)
{
	struct map_state state = { .unproven = false };
	errcode_t err = 0;

	if (!life_map_is_flat(inode))
		err = life_map(c->u, c->life, inode, note_nothing, NULL,
			       &state);
	c->unproven = state.unproven || life_has_gap(c->u, c->life);
	if (!err)
		err = life_map(c->u, c->life, inode, take_piece, c, &state);
	end_blank(c);
	blank_free(&c->blank);
	c->out->map_missing = state.missing;
	c->out->map_unproven = state.unproven;
	return err;
}

/*
 * The target of a link is as old as the link.  A file's times may be older than
 * its contents: lazytime.
 */
static bool is_at_home(const struct contents *c,
		       const struct ext2_inode_large *inode)
{
	int64_t changed = HOME_UNKNOWN;

	if (!home_is_asked(c->u, inode))
		return true;
	if (LINUX_S_ISLNK(inode->i_mode) && c->life->crtime)
		changed = inode_time(inode->i_crtime,
				     inode->i_crtime_extra).sec;
	return home_is_sure(c->u, c->life, changed);
}

errcode_t life_read(struct e2lazy_undelete *u, uint32_t number,
		    enum e2lazy_reading reading,
		    errcode_t (*found)(void *priv,
				       const struct e2lazy_graded *),
		    void *priv, struct e2lazy_contents *out)
{
	struct contents c = {
		.u = u, .number = number, .reading = reading,
		.life = life_get(u, number), .found = found,
		.priv = priv, .out = out,
	};
	struct ext2_inode_large inode;
	const uint8_t *raw;
	errcode_t err;

	memset(out, 0, sizeof(*out));
	out->read = reading != E2LAZY_READ_NONE;
	err = life_inode(u, c.life, &raw, &inode);
	if (err)
		return err;
	c.size = EXT2_I_SIZE((struct ext2_inode *)&inode);
	c.mtime = inode_time(inode.i_mtime, inode.i_mtime_extra);
	c.ctime = inode_time(inode.i_ctime, inode.i_ctime_extra);
	c.at_home = is_at_home(&c, &inode);
	if (!u->buffer)
		err = ext2fs_get_memalign(READ_BYTES + u->fs->blocksize,
					  MEMORY_ALIGN, &u->buffer);
	c.buffer = u->buffer;
	if (!err)
		err = inode.i_flags & EXT4_INLINE_DATA_FL ?
		      give_inline(&c, raw) : read_mapped(&c, &inode);
	return err;
}

errcode_t e2lazy_undelete_read(struct e2lazy_undelete *u, size_t index,
			       enum e2lazy_reading reading,
			       errcode_t (*found)(void *priv,
						  const struct e2lazy_graded *),
			       void *priv, struct e2lazy_contents *out)
{
	return life_read(u, u->deleted.at[index], reading, found, priv, out);
}

/* -------------------------------------------------------- symbolic links */

struct target {
	char	*text;
	size_t	room;
};

static errcode_t take_target(void *priv, const struct e2lazy_graded *g)
{
	struct target *t = priv;

	if (g->lblk == 0 && g->bytes)
		memcpy(t->text, g->bytes, g->length < t->room ? g->length :
								t->room);
	return 0;
}

errcode_t e2lazy_undelete_symlink(struct e2lazy_undelete *u, size_t index,
				  char **target, struct e2lazy_contents *out)
{
	const struct life *life = life_get(u, u->deleted.at[index]);
	struct ext2_inode_large inode;
	struct target t;
	const uint8_t *raw;
	errcode_t err;

	memset(out, 0, sizeof(*out));
	err = life_inode(u, life, &raw, &inode);
	if (err)
		return err;
	t.room = (size_t)EXT2_I_SIZE((struct ext2_inode *)&inode);
	if (!LINUX_S_ISLNK(inode.i_mode) || t.room > u->fs->blocksize)
		return EXT2_ET_INODE_CORRUPTED;
	t.text = calloc(1, t.room + 1);
	if (!t.text)
		return EXT2_ET_NO_MEMORY;
	if (t.room < 60 && !(inode.i_flags & EXT4_INLINE_DATA_FL)) {
		memcpy(t.text, raw + offsetof(struct ext2_inode, i_block),
		       t.room);
		out->blocks[E2LAZY_GRADE_INTACT] = 1;
		out->read = true;
	} else {
		err = e2lazy_undelete_read(u, index, E2LAZY_READ_OWN,
					   take_target, &t, out);
	}
	if (err)
		free(t.text);
	else
		*target = t.text;
	return err;
}

const char *e2lazy_grade_name(enum e2lazy_grade grade)
{
	static const char *const names[E2LAZY_NR_GRADES] = {
		[E2LAZY_GRADE_INTACT] = "intact",
		[E2LAZY_GRADE_ZERO] = "zero",
		[E2LAZY_GRADE_UNKNOWN] = "unknown",
		[E2LAZY_GRADE_BETWEEN] = "between",
		[E2LAZY_GRADE_REUSED] = "reused",
	};

	return names[grade];
}
