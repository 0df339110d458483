/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * block_version.c - one version of a block: a copy in the log, or the static
 * block
 */
#include <stdlib.h>
#include <string.h>

#include "operand.h"
#include "session/names.h"
#include "support/nls.h"
#include "support/status.h"
#include "block_version.h"

/* ---------------------------------------------------------------- finding */

struct search {
	struct session	*s;
	struct e2lazy_walk *walk;
	blk64_t		fsblk;
	uint32_t	tid;
	struct version	own;		/* the copy of transaction @tid */
	struct version	newest;		/* the copy that was live after it */
	struct version	begun;		/* of the transaction being walked */
	bool		revoked;	/* the block is, in that transaction */
};

/* The checksum is in the tag, so each copy is verified here. */
static void note_tag(struct search *search, const struct e2lazy_event *ev)
{
	struct version found = {
		.fsblk = ev->fsblk,
		.logged = true,
		.copy.fsblk = ev->fsblk,
		.copy.logblk = ev->logblk,
		.copy.tid = ev->tid,
		.copy.flags = ev->flags,
		.csum = e2lazy_walk_verify(search->walk),
	};

	if (ev->tid == search->tid)
		search->own = found;
	/* A refused copy is never live and hides no other copy. */
	if (!(ev->flags & (E2LAZY_COPY_OUTSIDE | E2LAZY_COPY_IN_JOURNAL)))
		search->begun = found;
}

/* A revoke record also voids the copies of its own transaction. */
static void note_commit(struct search *search, uint32_t tid)
{
	if (tid == search->tid)
		search->own.committed = true;
	if (!e2lazy_tid_after(tid, search->tid)) {
		if (search->revoked)
			search->newest.logged = false;
		else if (search->begun.logged)
			search->newest = search->begun;
		search->newest.committed = true;
	}
	search->begun.logged = false;
	search->revoked = false;
}

static errcode_t look(struct search *search)
{
	struct e2lazy_event ev;
	errcode_t err = session_walk(search->s, &search->walk);

	if (err)
		return err;
	do {
		e2lazy_walk_next(search->walk, &ev);
		if (ev.kind == E2LAZY_EV_COMMIT)
			note_commit(search, ev.tid);
		else if (ev.kind == E2LAZY_EV_TAG && ev.fsblk == search->fsblk)
			note_tag(search, &ev);
		else if (ev.kind == E2LAZY_EV_REVOKE &&
			 ev.fsblk == search->fsblk)
			search->revoked = true;
	} while (ev.kind != E2LAZY_EV_END && !cancelled());
	e2lazy_walk_close(search->walk);
	return 0;
}

/* Look up the physical block of the chosen copy only. */
static bool take(struct session *s, const struct version *found,
		 struct version *version)
{
	errcode_t err;

	*version = *found;
	err = e2lazy_physblk(s->log->journal, found->copy.logblk,
			     &version->copy.physblk);
	if (err)
		session_fail(s, err, NULL);
	return !err;
}

static bool search_log(struct session *s, struct search *search, blk64_t fsblk,
		       uint32_t tid)
{
	errcode_t err;

	*search = (struct search){ .s = s, .fsblk = fsblk, .tid = tid };
	err = look(search);
	if (err)
		session_fail(s, err, NULL);
	return !err && !cancelled();
}

static void no_copy_of(struct session *s, blk64_t fsblk, uint32_t tid)
{
	session_complain(s, FSCK_ERROR,
			 _("block %llu: the log has no copy of it from "
			   "transaction %u"), (unsigned long long)fsblk, tid);
}

bool version_of_tid(struct session *s, blk64_t fsblk, uint32_t tid,
		    struct version *version)
{
	struct search search;

	if (!search_log(s, &search, fsblk, tid))
		return false;
	if (search.own.logged)
		return take(s, &search.own, version);
	if (!operand_outside(s, fsblk))
		no_copy_of(s, fsblk, tid);
	return false;
}

bool version_live(struct session *s, blk64_t fsblk, struct version *version)
{
	struct e2lazy_copy copy;
	errcode_t err = e2lazy_jmap_lookup(s->log->map, fsblk, &copy);

	if (!err)
		return version_of_tid(s, fsblk, copy.tid, version);
	if (err != E2LAZY_ET_NOT_MAPPED)
		session_fail(s, err, NULL);
	else if (!operand_outside(s, fsblk))
		session_complain(s, FSCK_ERROR,
				 _("block %llu: the log has no live copy of "
				   "it"),
				 (unsigned long long)fsblk);
	return false;
}

bool version_as_of(struct session *s, blk64_t fsblk, uint32_t tid,
		   struct version *version)
{
	struct search search;

	if (!search_log(s, &search, fsblk, tid))
		return false;
	if (search.own.logged)
		return take(s, &search.own, version);
	if (!e2lazy_tid_after(s->log->end->tid, tid)) {
		session_complain(s, FSCK_ERROR,
				 _("transaction %u: the log ends before %u"),
				 tid, s->log->end->tid);
		return false;
	}
	if (search.newest.logged)
		return take(s, &search.newest, version);
	if (!operand_outside(s, fsblk))
		session_complain(s, FSCK_ERROR,
				 _("block %llu: the log has no copy of it that "
				   "was live at transaction %u"),
				 (unsigned long long)fsblk, tid);
	return false;
}

bool version_before(struct session *s, blk64_t fsblk, uint32_t tid,
		    struct version *version)
{
	struct search search;

	if (!search_log(s, &search, fsblk, tid - 1))
		return false;
	if (search.newest.logged)
		return take(s, &search.newest, version);
	session_complain(s, FSCK_ERROR,
			 _("block %llu: the log has no copy of it that was "
			   "live before transaction %u; --static compares with "
			   "its static place"), (unsigned long long)fsblk, tid);
	return false;
}

bool version_static(struct session *s, blk64_t fsblk, struct version *version)
{
	version->fsblk = fsblk;
	version->logged = false;
	return !operand_outside(s, fsblk);
}

/* ---------------------------------------------------------------- reading */

static struct e2lazy_where where_of(const struct version *v)
{
	return (struct e2lazy_where){
		.has = v->logged ? E2LAZY_AT_LOGBLK | E2LAZY_AT_TID |
				   E2LAZY_AT_FSBLK : E2LAZY_AT_FSBLK,
		.logblk = v->copy.logblk,
		.tid = v->copy.tid,
		.fsblk = v->fsblk,
	};
}

static errcode_t read_bytes(struct session *s, struct version *v)
{
	if (v->logged)
		return e2lazy_read_copy(s->log->journal, v->copy.logblk,
					v->copy.flags, v->bytes);
	return io_channel_read_blk64(e2lazy_static_fs(s->log->journal)->io,
				     v->fsblk, 1, v->bytes);
}

bool version_read(struct session *s, struct version *v)
{
	struct e2lazy_where where = where_of(v);
	errcode_t err = EXT2_ET_NO_MEMORY;

	v->bytes = malloc(s->log->geo->blocksize);
	if (v->bytes)
		err = read_bytes(s, v);
	if (err && !v->logged)
		session_complain(s, FSCK_ERROR, _("block %llu: %s"),
				 (unsigned long long)v->fsblk,
				 _(error_message(err)));
	else if (err)
		session_fail(s, err, &where);
	return !err;
}

bool version_identify(struct session *s, struct version *v)
{
	if (!session_layout(s))
		return false;
	e2lazy_layout_find(s->log->layout, v->fsblk, &v->place);
	if (v->place.type == E2LAZY_TYPE_OTHER)
		v->place.type = e2lazy_identify(s->log->layout, v->bytes);
	return true;
}

void version_free(struct version *v)
{
	free(v->bytes);
}

struct byte_range version_range(struct session *s, const struct version *v)
{
	struct byte_range all = { .end = s->log->geo->blocksize }, one;
	size_t size = EXT2_INODE_SIZE(e2lazy_layout_fs(s->log->layout)->super);

	if (!v->ino || v->place.type != E2LAZY_TYPE_INODE_TABLE)
		return all;
	one.begin = (v->ino - v->place.ino) * size;
	one.end = one.begin + size;
	return one.end <= all.end ? one : all;
}

bool version_decode(struct session *s, const struct version *v,
		    const struct version *other, struct decoded *decoded)
{
	struct decode_block block = {
		.fs = e2lazy_layout_fs(s->log->layout),
		.fsblk = v->fsblk,
		.place = v->place,
		.bytes = v->bytes,
		.ino = v->ino,
		.other = other ? other->bytes : NULL,
	};
	errcode_t err = decode_block(&block, decoded);

	if (err)
		session_fail(s, err, NULL);
	return !err;
}

/* ---------------------------------------------------------------- telling */

void version_print(struct session *s, const struct version *v)
{
	if (v->logged)
		out_format(&s->print.out, _("transaction %u, log block %u"),
			   v->copy.tid, v->copy.logblk);
	else
		out_text(&s->print.out, _("static place"));
}

void version_json(struct session *s, const struct version *v)
{
	struct json *json = &s->print.json;

	if (!v->logged) {
		json_null(json, "logblk");
		json_null(json, "physblk");
		json_null(json, "tid");
		json_null(json, "escaped");
		json_null(json, "csum");
		return;
	}
	json_u64(json, "logblk", v->copy.logblk);
	json_u64(json, "physblk", v->copy.physblk);
	json_u64(json, "tid", v->copy.tid);
	json_bool(json, "escaped", v->copy.flags & E2LAZY_COPY_ESCAPED);
	json_string(json, "csum", csum_name(v->csum));
}

void version_tell(struct session *s, const struct version *v)
{
	struct e2lazy_damage bad = {
		.error = E2LAZY_ET_DATA_CSUM,
		.count = 1,
		.first = where_of(v),
	};

	if (!v->logged)
		return;
	/* An uncommitted copy may be incomplete; --check-data reports bad
	   copies itself. */
	if (v->csum == E2LAZY_BAD &&
	    !(s->source.limits.check_data && v->committed))
		session_tell(s, v->committed ? FSCK_LEFT : 0, &bad);
	if (!v->committed)
		session_complain(s, 0, _("transaction %u was never committed"),
				 v->copy.tid);
}
