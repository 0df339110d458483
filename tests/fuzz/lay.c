/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lay.c - from the bytes of an input to a damaged file system
 *
 * The order is: operations, then checksums, then the cut.
 */
#include <string.h>

#include "input.h"

/* --------------------------------------------------------------- bytes */

#define HEAD 4
#define OP_HEAD 8

void input_parse(struct input *in, const uint8_t *data, size_t size)
{
	size_t at = HEAD;

	memset(in, 0, offsetof(struct input, ops));
	if (size > 0)
		in->template = data[0];
	if (size > 1)
		in->flags = data[1];
	if (size > 2)
		in->until = data[2];
	while (at + OP_HEAD <= size && in->nr_ops < MOST_OPS) {
		struct op *op = &in->ops[in->nr_ops++];

		op->kind = data[at] % NR_OPS;
		op->length = data[at + 1] & MOST_PAYLOAD;
		op->where = get_be16(data + at + 2);
		op->offset = get_be16(data + at + 4);
		op->value = (int16_t)get_be16(data + at + 6);
		at += OP_HEAD;
		if (op->length > size - at)
			op->length = (uint8_t)(size - at);
		memcpy(op->payload, data + at, op->length);
		at += op->length;
	}
}

size_t input_store(const struct input *in, uint8_t *data, size_t room)
{
	size_t at = HEAD;

	if (room < HEAD)
		return 0;
	data[0] = in->template;
	data[1] = in->flags;
	data[2] = in->until;
	data[3] = 0;
	for (unsigned i = 0; i < in->nr_ops; i++) {
		const struct op *op = &in->ops[i];

		if (op->length + OP_HEAD > room - at)
			break;
		data[at] = op->kind;
		data[at + 1] = op->length;
		put_be16(data + at + 2, op->where);
		put_be16(data + at + 4, op->offset);
		put_be16(data + at + 6, (uint16_t)op->value);
		memcpy(data + at + OP_HEAD, op->payload, op->length);
		at += OP_HEAD + op->length;
	}
	return at;
}

/* ----------------------------------------------------------- operations */

/* Where a field begins: of one that recurs, the high byte tells which. */
static unsigned field_at(const struct template *t, const struct part *part,
			 const struct op *op, const struct field **field)
{
	const struct field *fields;
	unsigned count = fields_of(part->kind, &fields), at;
	unsigned base = part->kind == PART_SUPER && t->bs > SUPERBLOCK_OFFSET ?
			SUPERBLOCK_OFFSET : 0;

	*field = &fields[(op->offset & 0xff) % count];
	at = base + (*field)->at + (op->offset >> 8) * (*field)->step;
	return at % (t->bs - 8);
}

/* The low @size bytes of a number, in either order. */
static uint32_t get_field(const uint8_t *p, int size)
{
	unsigned bytes = size < 0 ? -size : size;
	uint32_t value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value = value << 8 | p[size < 0 ? i : bytes - 1 - i];
	return value;
}

static void put_field(uint8_t *p, int size, uint32_t value)
{
	unsigned bytes = size < 0 ? -size : size;

	for (unsigned i = 0; i < bytes; i++, value >>= 8)
		p[size < 0 ? bytes - 1 - i : i] = (uint8_t)value;
}

static void do_field(const struct template *t, const struct part *part,
		     const struct op *op, uint8_t *block)
{
	const struct field *field;
	unsigned at = field_at(t, part, op, &field);
	uint32_t value = 0;

	if (op->kind == OP_ADD)
		value = get_field(block + at, field->size) +
			(uint32_t)(int32_t)op->value;
	else
		for (unsigned i = 0; i < 4 && i < op->length; i++)
			value = value << 8 | op->payload[i];
	put_field(block + at, field->size, value);
}

static void do_retag(struct template *t, const struct op *op, uint8_t *block)
{
	const struct part *of = &t->parts[op->offset % t->nr_parts];
	struct tags tags;

	repair_tags(t, block, &tags);
	if (tags.count)
		put_be32(tags.tag[(uint16_t)op->value % tags.count],
			 of->fsblk);
}

static void do_bytes(const struct template *t, const struct op *op,
		     uint8_t *block)
{
	unsigned at = op->offset % t->bs;
	unsigned room = t->bs - at;

	memcpy(block + at, op->payload, op->length < room ? op->length : room);
}

static void do_op(struct template *t, const struct op *op)
{
	struct part *part = &t->parts[op->where % t->nr_parts], *from;
	uint8_t *block;

	if (op->kind == OP_BLOCK) {
		do_bytes(t, op, device_block(t->log,
				t->log_at[op->where % t->log_blocks]));
		return;
	}
	if (op->kind == OP_CUT || op->kind == OP_WORDS)
		return;
	block = device_block(part->device, part->block);
	switch (op->kind) {
	case OP_FIELD:
	case OP_ADD:
		do_field(t, part, op, block);
		break;
	case OP_COPY:
		from = &t->parts[op->offset % t->nr_parts];
		memmove(block, from->device->bytes +
			(size_t)from->block * t->bs, t->bs);
		break;
	case OP_ZERO:
		memset(block + op->offset % t->bs, 0,
		       t->bs - op->offset % t->bs);
		break;
	case OP_RETAG:
		do_retag(t, op, block);
		break;
	default:
		do_bytes(t, op, block);
	}
}

struct template *input_lay(const struct input *in)
{
	struct template *t = template_find(in->template);
	unsigned i;

	repair_format(t);
	for (i = 0; i < in->nr_ops; i++)
		do_op(t, &in->ops[i]);
	if (!(in->flags & INPUT_RAW_FS))
		repair_fs(t);
	if (!(in->flags & INPUT_RAW_LOG))
		repair_log(t);
	for (i = 0; i < in->nr_ops; i++)
		if (in->ops[i].kind == OP_CUT)
			device_cut(&t->fs, in->ops[i].where);
	return t;
}

void input_clear(struct template *t)
{
	device_reset(&t->fs);
	if (t->journal.bytes)
		device_reset(&t->journal);
}
