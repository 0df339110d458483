/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cat.c - e2lazy cat: the bytes of a block's copy in the log
 */
#include <unistd.h>

#include "session/hex.h"
#include "operand.h"
#include "support/nls.h"
#include "support/status.h"
#include "block_version.h"

enum { OPT_TID = OPTION_COMMAND, OPT_HEX, OPT_DECODE };

static const struct option_line cat_options[] = {
	{ OPT_TID, "tid", "N", N_("the copy that transaction N wrote") },
	{ OPT_HEX, "hex", NULL,
	  N_("print hexadecimal even if the output is not a\n"
	     "terminal") },
	{ OPT_DECODE, "decode", NULL,
	  N_("decode metadata: inodes, directory entries, ...") },
	{ 0 }
};

struct cat {
	struct session	*s;
	bool		hex;
	bool		decode;
	bool		tid_set;
	uint32_t	tid;
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
		c->hex |= id == OPT_HEX;
		c->decode |= id == OPT_DECODE;
	}
	if (c->hex && c->decode)
		return session_wrong(c->s, _("--hex and --decode are mutually "
					     "exclusive"));
	return session_operands(c->s, 2, 2) &&
	       operand_parse(c->s, c->s->operands[1], operand);
}

/* @decoded is NULL if the block was not decoded. */
static void json_copy(struct cat *c, const struct version *v,
		      const struct decoded *decoded)
{
	struct session *s = c->s;

	session_document(s);
	json_u64(&s->print.json, "fsblk", v->fsblk);
	version_json(s, v);
	json_u64(&s->print.json, "size", s->log->geo->blocksize);
	if (c->decode)
		json_string(&s->print.json, "type",
			    e2lazy_type_name(v->place.type));
	if (decoded) {
		decoded_json(decoded, &s->print.json, "decoded");
		return;
	}
	if (c->decode)
		json_null(&s->print.json, "decoded");
	json_hex(&s->print.json, "hex", v->bytes, s->log->geo->blocksize);
}

static void print_decoded(struct cat *c, const struct version *v,
			  const struct decoded *decoded)
{
	struct out *out = &c->s->print.out;

	out_format(out, _("block %llu: %s, "), (unsigned long long)v->fsblk,
		   e2lazy_type_name(v->place.type));
	version_print(c->s, v);
	out_char(out, '\n');
	if (decoded) {
		decoded_print(decoded, out);
		return;
	}
	out_text(out, _("cat cannot decode a block of this type:\n"));
	hex_dump(out, v->bytes, c->s->log->geo->blocksize);
}

static void print_bytes(struct cat *c, const struct version *v)
{
	size_t size = c->s->log->geo->blocksize;

	if (c->hex || isatty(STDOUT_FILENO))
		hex_dump(&c->s->print.out, v->bytes, size);
	else
		out_bytes(&c->s->print.out, v->bytes, size);
}

static bool print_copy(struct cat *c, struct version *v)
{
	struct decoded decoded = { 0 };
	const struct decoded *known = NULL;
	bool done;

	done = !c->decode || (version_identify(c->s, v) &&
			      version_decode(c->s, v, NULL, &decoded));
	if (c->decode && decode_knows(v->place.type))
		known = &decoded;
	if (done && c->s->print.json_wanted)
		json_copy(c, v, known);
	else if (done && c->decode)
		print_decoded(c, v, known);
	else if (done)
		print_bytes(c, v);
	decoded_free(&decoded);
	return done;
}

static bool find_copy(struct cat *c, blk64_t fsblk, struct version *v)
{
	return c->tid_set ? version_of_tid(c->s, fsblk, c->tid, v)
			  : version_live(c->s, fsblk, v);
}

static bool open_log(struct cat *c, struct block_operand *operand,
		     blk64_t *fsblk)
{
	return session_open(c->s) && session_build(c->s, 0, false) &&
	       session_look(c->s) && operand_resolve(c->s, operand, fsblk);
}

static int run_cat(const struct command *self, int argc, char **argv)
{
	struct cat c = { .s = session_begin(self, argc, argv) };
	struct version version = { 0 };
	struct block_operand operand;
	blk64_t fsblk;

	if (!c.s)
		return FSCK_ERROR;
	if (parse(&c, &operand) && open_log(&c, &operand, &fsblk) &&
	    find_copy(&c, fsblk, &version) && version_read(c.s, &version)) {
		version.ino = operand_ino(&operand);
		if (print_copy(&c, &version))
			version_tell(c.s, &version);
	}
	version_free(&version);
	return session_end(c.s);
}

const struct command cat_command = {
	.name = "cat",
	.usage = "DEVICE BLOCK|<INODE>|PATH",
	.summary = N_("Print a block's copy in the log, unescaped"),
	.run = run_cat,
	.options = cat_options,
};
