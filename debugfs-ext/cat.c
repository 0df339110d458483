/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cat.c - debuglazy: cat, one file to standard output
 *
 * A file can hold any bytes, and some bytes control a terminal.  On a terminal
 * cat prints hexadecimal, as e2lazy cat does, or text with --text.
 */
#include <string.h>
#include <unistd.h>

#include "decode/contents.h"
#include "copy.h"
#include "session/hex.h"
#include "support/nls.h"
#include "support/status.h"

enum { OPT_HEX = OPTION_COMMAND, OPT_TEXT };

const struct option_line cat_options[] = {
	{ OPT_HEX, "hex", NULL,
	  N_("print hexadecimal even if the output is not a\n"
	     "terminal") },
	{ OPT_TEXT, "text", NULL,
	  N_("print text; bytes that control a terminal become\n"
	     "\\xNN") },
	{ 0 }
};

/* The bytes of an incomplete character; the last byte is still to come. */
struct begun {
	char	bytes[4];
	size_t	count;
};

struct catting {
	struct out	*out;
	uint64_t	done;
	/* One character, by the bytes that are printed. */
	void		(*put)(struct catting *c, const void *bytes,
			       size_t count);
	struct hex	hex;
	struct begun	begun;
};

static void put_raw(struct catting *c, const void *bytes, size_t count)
{
	out_bytes(c->out, bytes, count);
}

static void put_hex(struct catting *c, const void *bytes, size_t count)
{
	hex_put(&c->hex, bytes, count);
}

/* Number of bytes of a character, by its first byte; 1 where no character
   begins. */
static size_t expected(unsigned char first)
{
	return first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1;
}

static void put_characters(struct catting *c, const char *text, size_t count,
			   bool last)
{
	const char *end = text + count;
	char shown[PRINTABLE];

	while (text < end) {
		if (!last && expected(*text) > (size_t)(end - text))
			break;
		if (*text == '\n' || *text == '\t')
			out_char(c->out, *text++);
		else
			out_bytes(c->out, shown,
				  printable(shown, &text, end - text));
	}
	/* The compiler does not see that text never passes its end. */
	c->begun.count = text < end ? (size_t)(end - text) : 0;
	memmove(c->begun.bytes, text, c->begun.count);
}

static void put_text(struct catting *c, const void *bytes, size_t count)
{
	struct begun *begun = &c->begun;
	const char *from = bytes;

	while (begun->count && count) {
		begun->bytes[begun->count++] = *from++;
		count--;
		put_characters(c, begun->bytes, begun->count, false);
	}
	if (count)
		put_characters(c, from, count, false);
}

/* A hexadecimal dump shows a hole as one line, however long it is. */
static errcode_t put_zeros(struct catting *c, uint64_t end)
{
	static const char zeros[4096];
	size_t n;

	if (c->put == put_hex && c->done < end) {
		hex_zeros(&c->hex, end - c->done);
		c->done = end;
	}
	for (; c->done < end; c->done += n) {
		n = end - c->done < sizeof(zeros) ? end - c->done
						  : sizeof(zeros);
		c->put(c, zeros, n);
		if (c->out->error || cancelled())
			return E2LAZY_ET_CANCELLED;
	}
	return 0;
}

static errcode_t put_bytes(void *priv, uint64_t offset, const void *bytes,
			   size_t count)
{
	struct catting *c = priv;
	errcode_t err = put_zeros(c, offset);

	if (err)
		return err;
	c->put(c, bytes, count);
	c->done += count;
	/* session_end() reports a write error. */
	return c->out->error ? E2LAZY_ET_CANCELLED : 0;
}

/* The last line, even if the file could not be read to its end. */
static void put_end(struct catting *c)
{
	if (c->put == put_hex)
		hex_end(&c->hex);
	else
		put_characters(c, c->begun.bytes, c->begun.count, true);
}

static bool parse(struct session *s, struct catting *c)
{
	bool hex = false, text = false;
	char *arg;
	int id;

	while ((id = session_option(s, NULL, &arg)) != OPTION_END) {
		if (id == OPTION_BAD)
			return false;
		hex |= id == OPT_HEX;
		text |= id == OPT_TEXT;
	}
	if (hex && text)
		return session_wrong(s, _("--hex and --text are mutually "
					  "exclusive"));
	if (!text && isatty(STDOUT_FILENO))
		hex = true;
	c->put = hex ? put_hex : text ? put_text : put_raw;
	return session_operands(s, 1, 1);
}

void run_cat(struct shell *shell, struct session *s)
{
	struct copying c = { .shell = shell, .s = s };
	struct out *out = &s->print.out;
	struct catting catting = { .out = out, .hex = { .out = out } };
	struct sink sink = { put_bytes, &catting, &c.budget };
	struct original from;
	errcode_t err;

	if (!parse(s, &catting) || !copy_find_file(&c, s->operands[0], &from))
		return;
	copy_tell_later(&c, &from);
	copy_begin(&c);
	err = contents_read(shell->fs, from.ino, &from.inode, &sink);
	if (!err)
		err = put_zeros(&catting, EXT2_I_SIZE((struct ext2_inode *)
						      &from.inode));
	put_end(&catting);
	if (err)
		copy_fail(&c, from.path, err);
}
