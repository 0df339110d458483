/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * print_dmesg.c - the kernel's messages, with the places that they name
 *
 * The file system knows a block's type, the log its newest copy, and the ring
 * the transactions.
 */
#include <stdlib.h>

#include "doctor.h"
#include "support/nls.h"
#include "support/units.h"

#define TEXT_INDENT	2
#define MORE_INDENT	6
#define TEXT_WIDTH	74

/* ---------------------------------------------------------------- places */

/* The facts about the block and the transaction of a message. */
struct about {
	const char	*type;		/* NULL: unknown */
	bool		has_copy, has_txn;
	struct e2lazy_copy copy;
	ext2_ino_t	owner;		/* 0: unknown */
	char		*path;		/* of it, or NULL */
	struct e2lazy_ring_txn txn;
};

static void find_block(struct doctor *d, blk64_t block, struct about *a)
{
	struct opened *log = d->s->log;
	struct e2lazy_owner owner;
	struct e2lazy_place place;

	if (!log->layout || block >= log->geo->fs_blocks)
		return;
	e2lazy_layout_find(log->layout, block, &place);
	a->type = e2lazy_type_name(place.type);
	a->has_copy = !e2lazy_jmap_lookup(log->map, block, &a->copy);
	if (!log->owners || e2lazy_owners_find(log->owners, block, &owner))
		return;
	if (place.type == E2LAZY_TYPE_OTHER)
		a->type = e2lazy_role_name(owner.role);
	a->owner = owner.ino;
}

/* By its number, or by a log block within it. */
static void find_txn(const struct e2lazy_ring *ring, const struct message *m,
		     struct about *a)
{
	uint32_t count = e2lazy_ring_counts(ring)->txns, index;

	if (m->has & SAYS_TID) {
		a->has_txn = m->tid <= UINT32_MAX &&
			     e2lazy_ring_find(ring, m->tid, &index);
		if (a->has_txn)
			e2lazy_ring_txn(ring, index, &a->txn);
		return;
	}
	for (uint32_t i = 0; m->has & SAYS_LOGBLK && i < count; i++) {
		const struct e2lazy_txn *t = &a->txn.txn;

		e2lazy_ring_txn(ring, i, &a->txn);
		a->has_txn = t->start <= t->end ?
			     m->logblk >= t->start && m->logblk <= t->end :
			     m->logblk >= t->start || m->logblk <= t->end;
		if (a->has_txn)
			return;
	}
}

static struct about find_out(struct doctor *d, const struct message *m)
{
	struct opened *log = d->s->log;
	struct about a = { .type = NULL };

	if (m->has & SAYS_BLOCK && log->map)
		find_block(d, m->block, &a);
	if (m->has & (SAYS_TID | SAYS_LOGBLK) && log->ring)
		find_txn(log->ring, m, &a);
	if (!a.owner && m->has & SAYS_INODE && m->inode <= UINT32_MAX)
		a.owner = m->inode;
	if (a.owner && log->owners &&
	    e2lazy_owners_path(log->owners, a.owner, &a.path))
		a.path = NULL;
	return a;
}

/* "" if the message names none. */
static void features_of(const struct message *m, char text[FEATURES_TEXT])
{
	*text = 0;
	if (m->has & SAYS_INCOMPAT)
		features_text(text, FEATURE_INCOMPAT, (uint32_t)m->incompat);
	else if (m->has & SAYS_RO_COMPAT)
		features_text(text, FEATURE_RO_COMPAT, (uint32_t)m->ro_compat);
}

/* Read only the blocks that the messages name. */
static void prepare(struct doctor *d)
{
	struct opened *log = d->s->log;
	unsigned has = 0;

	for (size_t i = 0; i < d->dmesg.count; i++)
		has |= d->dmesg.noted[i].message.has;
	if (!log->map)
		return;
	if (has & (SAYS_TID | SAYS_LOGBLK))
		session_ring(d->s);
	if (has & (SAYS_BLOCK | SAYS_INODE) && log->view)
		session_owners(d->s, true);
}

/* ------------------------------------------------------------------ text */

static void text_places(const struct message *m, const struct about *a,
			struct out *out)
{
	char time[TIME_TEXT], features[FEATURES_TEXT];

	features_of(m, features);
	if (*features) {
		out_spaces(out, MORE_INDENT);
		out_format(out, _("features: %s\n"), features);
	}
	if (a->type || a->owner) {
		out_spaces(out, MORE_INDENT);
		if (m->has & SAYS_BLOCK)
			out_format(out, _("block %llu: %s"),
				   (unsigned long long)m->block,
				   a->type ? a->type : "?");
		if (m->has & SAYS_BLOCK && a->owner)
			out_text(out, ", ");
		if (a->owner)
			out_format(out, _("inode %u"), a->owner);
		if (a->path) {
			out_char(out, ' ');
			out_printable(out, a->path, ' ');
		}
		if (a->has_copy)
			out_format(out, _("; its newest copy is in "
					  "transaction %u"), a->copy.tid);
		out_char(out, '\n');
	}
	if (a->has_txn) {
		time_text(time, a->txn.txn.sec);
		out_spaces(out, MORE_INDENT);
		out_format(out, _("transaction %u: log blocks %u to %u, "
				  "committed at %s\n"), a->txn.txn.tid,
			   a->txn.txn.start, a->txn.txn.end, time);
	} else if (m->has & SAYS_TID) {
		out_spaces(out, MORE_INDENT);
		out_format(out, _("transaction %llu: the ring does not have "
				  "it whole\n"), (unsigned long long)m->tid);
	}
}

static void text_message(struct doctor *d, const struct noted *n)
{
	struct out *out = &d->s->print.out;
	struct about a = find_out(d, &n->message);

	out_spaces(out, TEXT_INDENT);
	out_printable(out, n->text, ' ');
	if (n->count > 1)
		out_format(out, " (%llu)", (unsigned long long)n->count);
	out_char(out, '\n');
	out_spaces(out, MORE_INDENT);
	out_wrapped(out, n->message.meaning ? _(n->message.meaning) :
					      _("unknown"),
		    MORE_INDENT, TEXT_WIDTH);
	text_places(&n->message, &a, out);
	free(a.path);
}

static void text_counts(const struct dmesg *m, struct out *out)
{
	out_spaces(out, TEXT_INDENT);
	out_format(out, _("lines: %llu, unknown: %llu, about other devices: "
			  "%llu, left out: %llu\n"),
		   (unsigned long long)m->lines,
		   (unsigned long long)m->unknown,
		   (unsigned long long)m->others,
		   (unsigned long long)m->left_out);
}

/* ------------------------------------------------------------------ JSON */

static void json_message(struct doctor *d, const struct noted *n,
			 struct json *json)
{
	const struct message *m = &n->message;
	struct about a = find_out(d, m);
	char features[FEATURES_TEXT];

	features_of(m, features);
	json_object(json, NULL, JSON_INLINE);
	json_string(json, "text", n->text);
	json_u64(json, "count", n->count);
	json_bool(json, "known", m->meaning);
	json_string(json, "meaning", m->meaning ? _(m->meaning) : NULL);
	json_string(json, "device", *m->device ? m->device : NULL);
	json_known(json, "fsblk", m->has & SAYS_BLOCK, m->block);
	json_string(json, "type", a.type);
	json_known(json, "copy_tid", a.has_copy, a.copy.tid);
	json_known(json, "copy_logblk", a.has_copy, a.copy.logblk);
	json_known(json, "inode", a.owner, a.owner);
	json_string(json, "path", a.path);
	json_known(json, "group", m->has & SAYS_GROUP, m->group);
	json_string(json, "features", *features ? features : NULL);
	json_known(json, "logblk", m->has & SAYS_LOGBLK, m->logblk);
	json_known(json, "tid", m->has & SAYS_TID || a.has_txn,
		   m->has & SAYS_TID ? m->tid : a.txn.txn.tid);
	json_bool(json, "in_ring", a.has_txn);
	json_known(json, "start", a.has_txn, a.txn.txn.start);
	json_known(json, "end", a.has_txn, a.txn.txn.end);
	json_time(json, "time", a.has_txn ? a.txn.txn.sec : 0);
	json_end(json);
	free(a.path);
}

static void json_dmesg(struct doctor *d, struct json *json)
{
	const struct dmesg *m = &d->dmesg;

	json_object(json, "dmesg", JSON_SPREAD);
	json_u64(json, "lines", m->lines);
	json_u64(json, "unknown", m->unknown);
	json_u64(json, "others", m->others);
	json_u64(json, "left_out", m->left_out);
	json_array(json, "messages", JSON_SPREAD);
	for (size_t i = 0; i < m->count; i++)
		json_message(d, &m->noted[i], json);
	json_end(json);
	json_end(json);
}

void doctor_print_dmesg(struct doctor *d)
{
	struct out *out = &d->s->print.out;

	if (!d->messages)
		return;
	if (d->s->print.json_wanted) {
		json_dmesg(d, &d->s->print.json);
		return;
	}
	out_heading(out, _("The kernel's messages"));
	for (size_t i = 0; i < d->dmesg.count; i++)
		text_message(d, &d->dmesg.noted[i]);
	text_counts(&d->dmesg, out);
}

void doctor_prepare_dmesg(struct doctor *d)
{
	if (d->messages)
		prepare(d);
}
