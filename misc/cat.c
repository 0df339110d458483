/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cat.c - e2lazy cat: the bytes of a block, as a copy in the log has them
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "operand.h"
#include "support/nls.h"
#include "support/status.h"

enum { OPT_TID = OPTION_COMMAND, OPT_HEX };

static const struct option_line cat_options[] = {
	{ OPT_TID, "tid", "N", N_("the copy that transaction N wrote") },
	{ OPT_HEX, "hex", NULL,
	  N_("print hexadecimal even where output is no terminal") },
	{ 0 }
};

#define HEX_BYTES	16	/* in a line of the hex dump */

struct cat {
	struct session	*s;
	bool		hex;
	bool		tid_set;
	uint32_t	tid;
	blk64_t		fsblk;
	bool		committed;	/* the transaction of the copy */
	enum e2lazy_csum_state csum;	/* of the copy's data */
};

static bool choose_tid(struct cat *c, const char *text)
{
	uint64_t tid;

	if (!parse_number(text, UINT32_MAX, &tid))
		return session_refuse(c->s, "--tid", text,
				      _("a transaction id"));
	c->tid = tid;
	c->tid_set = true;
	return true;
}

static bool parse(struct cat *c, struct block_operand *operand)
{
	char *arg;
	int id;

	while ((id = session_option(c->s, NULL, &arg)) != OPTION_END) {
		if (id == OPTION_BAD || (id == OPT_TID && !choose_tid(c, arg)))
			return false;
		if (id == OPT_HEX)
			c->hex = true;
	}
	return session_operands(c->s, 2, 2) &&
	       operand_parse(c->s, c->s->operands[1], operand);
}

/*
 * The copy of c->fsblk that transaction c->tid wrote; the last one, should it
 * hold several, for that is the one that a replay leaves behind.  It is the
 * tag that has the checksum, so a copy is looked up there in any case.
 */
static errcode_t find_by_tid(struct cat *c, struct e2lazy_copy *copy)
{
	struct e2lazy_walk *walk;
	struct e2lazy_event ev;
	bool found = false;
	errcode_t err;

	err = session_walk(c->s, &walk);
	if (err)
		return err;
	do {
		e2lazy_walk_next(walk, &ev);
		if (ev.tid != c->tid)
			continue;
		if (ev.kind == E2LAZY_EV_COMMIT)
			c->committed = true;
		if (ev.kind != E2LAZY_EV_TAG || ev.fsblk != c->fsblk)
			continue;
		found = true;
		copy->fsblk = ev.fsblk;
		copy->logblk = ev.logblk;
		copy->tid = ev.tid;
		copy->flags = ev.flags;
		c->csum = e2lazy_walk_verify(walk);
	} while (ev.kind != E2LAZY_EV_END && !cancelled());
	e2lazy_walk_close(walk);
	return found ? e2lazy_physblk(c->s->journal, copy->logblk,
				      &copy->physblk) : E2LAZY_ET_NOT_MAPPED;
}

static bool find_copy(struct cat *c, struct e2lazy_copy *copy)
{
	errcode_t err = 0;

	if (!c->tid_set) {
		err = e2lazy_jmap_lookup(c->s->map, c->fsblk, copy);
		c->tid = copy->tid;
	}
	if (!err)
		err = find_by_tid(c, copy);
	if (err == E2LAZY_ET_NOT_MAPPED && operand_outside(c->s, c->fsblk))
		return false;
	if (err == E2LAZY_ET_NOT_MAPPED && c->tid_set)
		session_complain(c->s, FSCK_ERROR,
				 _("block %llu: has no copy of transaction %u "
				   "in the log"),
				 (unsigned long long)c->fsblk, c->tid);
	else if (err == E2LAZY_ET_NOT_MAPPED)
		session_complain(c->s, FSCK_ERROR,
				 _("block %llu: has no live copy in the log"),
				 (unsigned long long)c->fsblk);
	else if (err)
		session_fail(c->s, err, NULL);
	return !err;
}

static void hex_line(struct out *out, size_t offset, const unsigned char *p)
{
	unsigned i;

	out_format(out, "%08zx ", offset);
	for (i = 0; i < HEX_BYTES; i++)
		out_format(out, i == HEX_BYTES / 2 ? "  %02x" : " %02x", p[i]);
	out_text(out, "  |");
	for (i = 0; i < HEX_BYTES; i++)
		out_char(out, p[i] >= ' ' && p[i] < 0x7f ? p[i] : '.');
	out_text(out, "|\n");
}

/* Lines like the one before become one '*'. Block sizes divide by 16. */
static void hex_dump(struct out *out, const unsigned char *block, size_t size)
{
	bool same, starred = false;
	size_t at;

	for (at = 0; at < size; at += HEX_BYTES) {
		same = at && !memcmp(block + at, block + at - HEX_BYTES,
				     HEX_BYTES);
		if (!same)
			hex_line(out, at, block + at);
		else if (!starred)
			out_text(out, "*\n");
		starred = same;
	}
	out_format(out, "%08zx\n", size);
}

static void json_copy(struct cat *c, const struct e2lazy_copy *copy,
		      const void *block)
{
	struct session *s = c->s;

	session_document(s);
	json_u64(&s->json, "fsblk", copy->fsblk);
	json_u64(&s->json, "logblk", copy->logblk);
	json_u64(&s->json, "physblk", copy->physblk);
	json_u64(&s->json, "tid", copy->tid);
	json_bool(&s->json, "escaped", copy->flags & E2LAZY_COPY_ESCAPED);
	json_string(&s->json, "csum", csum_name(c->csum));
	json_u64(&s->json, "size", s->geo->blocksize);
	json_hex(&s->json, "hex", block, s->geo->blocksize);
}

static void print_copy(struct cat *c, const struct e2lazy_copy *copy)
{
	struct e2lazy_damage bad = {
		.error = E2LAZY_ET_DATA_CSUM,
		.count = 1,
		.first.has = E2LAZY_AT_LOGBLK | E2LAZY_AT_TID | E2LAZY_AT_FSBLK,
		.first.logblk = copy->logblk,
		.first.tid = copy->tid,
		.first.fsblk = copy->fsblk,
	};
	struct session *s = c->s;
	void *block = malloc(s->geo->blocksize);
	errcode_t err = EXT2_ET_NO_MEMORY;

	if (block)
		err = e2lazy_read_copy(s->journal, copy->logblk, copy->flags,
				       block);
	if (err)
		session_fail(s, err, &bad.first);
	else if (s->json_wanted)
		json_copy(c, copy, block);
	else if (c->hex || isatty(STDOUT_FILENO))
		hex_dump(&s->out, block, s->geo->blocksize);
	else
		out_bytes(&s->out, block, s->geo->blocksize);
	free(block);
	/* Uncommitted it may be half written, and --check-data tells itself. */
	if (!err && c->csum == E2LAZY_BAD && !(s->check_data && c->committed))
		session_tell(s, c->committed ? FSCK_LEFT : 0, &bad);
	if (!err && c->tid_set && !c->committed)
		session_complain(s, 0, _("transaction %u: was never committed"),
				 c->tid);
}

static int run_cat(const struct command *self, int argc, char **argv)
{
	struct cat c = { .s = session_begin(self, argc, argv) };
	struct block_operand operand;
	struct e2lazy_copy copy;

	if (!c.s)
		return FSCK_ERROR;
	memset(&copy, 0, sizeof(copy));
	if (parse(&c, &operand) && session_open(c.s) &&
	    session_build(c.s, 0, false) && session_look(c.s) && operand_resolve(c.s, &operand, &c.fsblk) &&
	    find_copy(&c, &copy))
		print_copy(&c, &copy);
	return session_end(c.s);
}

const struct command cat_command = {
	.name = "cat",
	.usage = "DEVICE BLOCK|<INODE>|PATH",
	.summary = N_("Print a block as the log has it, unescaped"),
	.run = run_cat,
	.options = cat_options,
};
