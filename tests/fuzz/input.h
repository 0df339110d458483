/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * input.h - the format of an input: a template, and operations that damage it
 *
 * Any bytes are an input.  Four of them choose the template and the way to open
 * it; the rest is a list of operations of 8 bytes and their payload.
 */
#ifndef FUZZ_INPUT_H
#define FUZZ_INPUT_H

#include "template.h"

enum op_kind {
	OP_BYTES,	/* payload over a part, at @offset */
	OP_FIELD,	/* payload over a field of a part: number @offset */
	OP_ADD,		/* the field's value and @value's sum */
	OP_COPY,	/* contents of part @offset over a part */
	OP_ZERO,	/* a part's bytes from @offset on */
	OP_RETAG,	/* tag @value of a control part: it is of part @offset */
	OP_BLOCK,	/* payload over block @where of the log, at @offset */
	OP_CUT,		/* the file system ends before block @where */
	OP_WORDS,	/* not for the file system: see target_debuglazy.c */
	NR_OPS
};

#define MOST_PAYLOAD 63

struct op {
	uint8_t		kind;
	uint8_t		length;		/* of the payload */
	uint16_t	where;		/* a part, modulo their number */
	uint16_t	offset;
	int16_t		value;
	uint8_t		payload[MOST_PAYLOAD];
};

#define MOST_OPS 48

/* Bits of @flags. */
#define INPUT_RAW_LOG	0x01	/* leave the log's checksums wrong */
#define INPUT_RAW_FS	0x02	/* and those of ext4 */
#define INPUT_UNTIL	0x04	/* end after transaction first + @until */
#define INPUT_DATA	0x08	/* verify copies on the way */
#define INPUT_MORE	0x10	/* as the target has it */

struct input {
	uint8_t		template, flags, until, spare;
	unsigned	nr_ops;
	struct op	ops[MOST_OPS];
};

void input_parse(struct input *input, const uint8_t *data, size_t size);
/* Store whole operations, as many as fit. */
size_t input_store(const struct input *input, uint8_t *data, size_t room);
/* Lay it into its template, which is then to be reset. */
struct template *input_lay(const struct input *input);
void input_clear(struct template *t);

/* Fields of a kind of part: offset and bytes, the sign that of the order. */
struct field {
	uint16_t	at;		/* bytes */
	uint16_t	step;		/* it recurs: bytes, or 0 */
	int8_t		size;		/* negative: big-endian */
};
/* How many, 0 where all is as good as any other. */
unsigned fields_of(enum part_kind kind, const struct field **fields);

#endif
