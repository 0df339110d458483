/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diff.c - e2lazy diff: the differences between two versions of a block
 */
#include <string.h>

#include "changes/whole.h"
#include "diff.h"
#include "session/hex.h"
#include "operand.h"
#include "support/nls.h"
#include "support/status.h"
#include "block_version.h"

enum { OPT_TID = OPTION_COMMAND, OPT_STATIC, OPT_HEX, OPT_SUMMARY };

static const struct option_line diff_options[] = {
	{ OPT_TID, "tid", "N...",
	  N_("the version as of transaction N, not the live one;\n"
	     "given twice, these two are compared") },
	{ OPT_STATIC, "static", NULL,
	  N_("compare with the block in its static place") },
	{ OPT_HEX, "hex", NULL,
	  N_("print the bytes that differ, even in metadata") },
	{ OPT_SUMMARY, "summary", NULL,
	  N_("without a block: only count the changes") },
	{ 0 }
};

#define MAX_TIDS	2

struct diff {
	struct session	*s;
	bool		from_static;
	bool		hex;
	bool		summary;
	bool		whole;		/* no block: the file system */
	unsigned	nr_tids;
	uint32_t	tids[MAX_TIDS];
	struct version	before, after;
	bool		decode;		/* both versions can be decoded */
	struct byte_range range;	/* the bytes to compare */
};

/* ------------------------------------------------------- the command line */

static bool choose_tid(struct diff *d, const char *text)
{
	uint64_t tid;

	if (!parse_number(text, UINT32_MAX, &tid))
		return session_refuse(d->s, "--tid", text,
				      _("a transaction id"));
	if (d->nr_tids == MAX_TIDS)
		return session_wrong(d->s, _("--tid is possible at most "
					     "twice"));
	d->tids[d->nr_tids++] = tid;
	return true;
}

/* Without a block, the whole file system at two times is meant. */
static bool parse_whole(struct diff *d)
{
	struct session *s = d->s;

	if (!session_needs(s, "hex static", d->nr_tids != MAX_TIDS,
			   _("a block")))
		return false;
	if (d->nr_tids != MAX_TIDS)
		return session_wrong(s, _("missing argument; expected %s"),
				     "DEVICE BLOCK|<INODE>|PATH, "
				     "--tid A --tid B DEVICE");
	if (s->end_option)
		return session_wrong(s, _("--tid --tid and %s are mutually "
					  "exclusive"), s->end_option);
	if (!e2lazy_tid_after(d->tids[1], d->tids[0]))
		return session_wrong(s, _("--tid: %u is not later than %u"),
				     d->tids[1], d->tids[0]);
	return true;
}

static bool parse(struct diff *d, struct block_operand *operand)
{
	char *arg;
	int id;

	while ((id = session_option(d->s, NULL, &arg)) != OPTION_END) {
		if (id == OPTION_BAD || (id == OPT_TID && !choose_tid(d, arg)))
			return false;
		d->from_static |= id == OPT_STATIC;
		d->hex |= id == OPT_HEX;
		d->summary |= id == OPT_SUMMARY;
	}
	if (d->from_static && d->nr_tids == MAX_TIDS)
		return session_wrong(d->s, _("--static allows only one --tid"));
	if (!session_operands(d->s, 1, 2))
		return false;
	d->whole = d->s->nr_operands == 1;
	if (d->whole)
		return parse_whole(d);
	if (d->summary)
		return session_wrong(d->s, _("--summary is for the whole file "
					     "system, without a block"));
	return operand_parse(d->s, d->s->operands[1], operand);
}

/* ---------------------------------------------------------- which versions */

/* The older version comes first; two --tid keep their order. */
static bool find_versions(struct diff *d, blk64_t fsblk)
{
	struct session *s = d->s;

	if (d->nr_tids == MAX_TIDS)
		return version_as_of(s, fsblk, d->tids[0], &d->before) &&
		       version_as_of(s, fsblk, d->tids[1], &d->after);
	if (d->from_static && d->nr_tids)
		return version_static(s, fsblk, &d->before) &&
		       version_as_of(s, fsblk, d->tids[0], &d->after);
	if (!version_live(s, fsblk, &d->after))
		return false;
	if (d->from_static)
		return version_static(s, fsblk, &d->before);
	if (d->nr_tids)
		return version_as_of(s, fsblk, d->tids[0], &d->before);
	return version_before(s, fsblk, d->after.copy.tid, &d->before);
}

static bool read_versions(struct diff *d, ext2_ino_t ino)
{
	struct session *s = d->s;

	d->before.ino = d->after.ino = ino;
	if (!version_read(s, &d->before) || !version_read(s, &d->after) ||
	    !version_identify(s, &d->before) ||
	    !version_identify(s, &d->after))
		return false;
	d->decode = !d->hex && decode_knows(d->before.place.type) &&
		    decode_knows(d->after.place.type);
	d->range = (struct byte_range){ .end = s->log->geo->blocksize };
	if (d->decode)
		d->range = version_range(s, &d->after);
	return true;
}

/* ---------------------------------------------------------------- as bytes */

static size_t count_bytes(const struct diff *d)
{
	size_t count = 0;

	for (size_t i = d->range.begin; i < d->range.end; i++)
		count += d->before.bytes[i] != d->after.bytes[i];
	return count;
}

static void print_hex(struct diff *d)
{
	struct out *out = &d->s->print.out;

	for (size_t at = 0; at < d->s->log->geo->blocksize; at += HEX_BYTES) {
		if (!memcmp(d->before.bytes + at, d->after.bytes + at,
			    HEX_BYTES))
			continue;
		out_text(out, "- ");
		hex_line(out, at, d->before.bytes + at);
		out_text(out, "+ ");
		hex_line(out, at, d->after.bytes + at);
	}
}

static void json_ranges(struct diff *d)
{
	const uint8_t *x = d->before.bytes, *y = d->after.bytes;
	size_t size = d->s->log->geo->blocksize, begin, at = 0;
	struct json *json = &d->s->print.json;

	json_array(json, "ranges", JSON_SPREAD);
	while (at < size) {
		begin = at;
		while (at < size && x[at] != y[at])
			at++;
		if (at == begin) {
			at++;
			continue;
		}
		json_object(json, NULL, JSON_INLINE);
		json_u64(json, "offset", begin);
		json_hex(json, "old", x + begin, at - begin);
		json_hex(json, "new", y + begin, at - begin);
		json_end(json);
	}
	json_end(json);
}

/* -------------------------------------------------------------- as records */

/* Bits set in both bitmaps are equal, even if the runs differ. */
static bool put_records(struct diff *d, size_t *changes)
{
	struct decoded before = { 0 }, after = { 0 };
	struct session *s = d->s;
	errcode_t err;
	bool done;

	done = version_decode(s, &d->before, &d->after, &before) &&
	       version_decode(s, &d->after, &d->before, &after);
	if (done) {
		err = diff_records(&before, &after, &s->print.out,
				   print_json(&s->print), changes);
		if (err)
			session_fail(s, err, NULL);
		done = !err;
	}
	decoded_free(&before);
	decoded_free(&after);
	return done;
}

static void print_heading(struct diff *d, const char *sign,
			  const struct version *v)
{
	out_format(&d->s->print.out, _("%s block %llu: %s, "), sign,
		   (unsigned long long)v->fsblk,
		   e2lazy_type_name(v->place.type));
	version_print(d->s, v);
	out_char(&d->s->print.out, '\n');
}

static bool print_diff(struct diff *d)
{
	struct out *out = &d->s->print.out;
	size_t bytes = count_bytes(d), changes = 0;

	print_heading(d, "---", &d->before);
	print_heading(d, "+++", &d->after);
	if (!bytes) {
		out_text(out, _("same\n"));
		return true;
	}
	if (!d->decode)
		print_hex(d);
	else if (!put_records(d, &changes))
		return false;
	if (d->decode && !changes)
		out_format(out, P_("%zu byte outside all fields differs; "
				   "--hex shows it\n",
				   "%zu bytes outside all fields differ; "
				   "--hex shows them\n", bytes), bytes);
	else
		out_format(out, P_("%zu byte differs\n",
				   "%zu bytes differ\n", bytes), bytes);
	return true;
}

static void json_version(struct diff *d, const char *key,
			 const struct version *v)
{
	struct json *json = &d->s->print.json;

	json_object(json, key, JSON_INLINE);
	json_string(json, "place", v->logged ? "log" : "static");
	version_json(d->s, v);
	if (v->logged)
		json_bool(json, "committed", v->committed);
	else
		json_null(json, "committed");
	json_string(json, "type", e2lazy_type_name(v->place.type));
	json_end(json);
}

static bool json_diff(struct diff *d)
{
	struct json *json = &d->s->print.json;
	size_t bytes = count_bytes(d), changes;

	session_document(d->s);
	json_u64(json, "fsblk", d->before.fsblk);
	json_version(d, "old", &d->before);
	json_version(d, "new", &d->after);
	json_bool(json, "same", !bytes);
	json_u64(json, "bytes", bytes);
	if (d->decode)
		return put_records(d, &changes);
	json_null(json, "changes");
	json_ranges(d);
	return true;
}

static void tell(struct diff *d)
{
	const struct version *x = &d->before, *y = &d->after;

	version_tell(d->s, x);
	if (!x->logged || x->copy.logblk != y->copy.logblk)
		version_tell(d->s, y);
}

static bool open_log(struct diff *d, struct block_operand *operand,
		     blk64_t *fsblk)
{
	return session_open(d->s) && session_build(d->s, 0, false) &&
	       session_look(d->s) && operand_resolve(d->s, operand, fsblk);
}

static int run_diff(const struct command *self, int argc, char **argv)
{
	struct diff d = { .s = session_begin(self, argc, argv) };
	struct block_operand operand;
	blk64_t fsblk;

	if (!d.s)
		return FSCK_ERROR;
	if (!parse(&d, &operand))
		return session_end(d.s);
	if (d.whole) {
		diff_whole(d.s, d.tids[0], d.tids[1], d.summary);
		return session_end(d.s);
	}
	if (open_log(&d, &operand, &fsblk) &&
	    find_versions(&d, fsblk) &&
	    read_versions(&d, operand_ino(&operand)) &&
	    (d.s->print.json_wanted ? json_diff(&d) : print_diff(&d)))
		tell(&d);
	version_free(&d.before);
	version_free(&d.after);
	return session_end(d.s);
}

const struct command diff_command = {
	.name = "diff",
	.usage = "DEVICE [BLOCK|<INODE>|PATH]",
	.summary = N_("Show what changed in a block, or in all files"),
	.run = run_diff,
	.options = diff_options,
};
