/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mutate.c - change an input as a whole of operations, not as bytes
 *
 * The kind of block is chosen first, because there are a hundred inodes for one
 * superblock.  The checksums need no care here: lay.c redoes them unless the
 * input's flags forbid it, which few do.
 */
#include <string.h>

#include "input.h"
#include "target.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
			       unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size,
				 const uint8_t *b, size_t b_size, uint8_t *out,
				 size_t room, unsigned seed);

struct chance {
	uint64_t	state;
};

/* A number below @end. */
static uint32_t pick(struct chance *c, uint32_t end)
{
	c->state = c->state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (uint32_t)(c->state >> 33) % end;
}

/* ----------------------------------------------------------- operations */

static uint16_t pick_part(struct chance *c, const struct template *t,
			  unsigned kind)
{
	unsigned tries = NR_PARTS;

	while (t->first[kind] == t->first[kind + 1] && tries--)
		kind = (kind + 1) % NR_PARTS;
	return (uint16_t)(t->first[kind] +
			  pick(c, (uint32_t)(t->first[kind + 1] -
					     t->first[kind])));
}

/* A value at the edge of a range. */
static uint32_t pick_value(struct chance *c, const struct template *t)
{
	static const uint32_t values[] = {
		0, 1, 2, 3, 7, 8, 0x7f, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000,
		0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff, JB_MAGIC,
		0xf30a, 0xea020000, 1024, 4096, 65536,
	};

	switch (pick(c, 6)) {
	case 0:
		return t->parts[pick(c, (uint32_t)t->nr_parts)].fsblk;
	case 1:
		return t->parts[pick(c, (uint32_t)t->nr_parts)].block;
	case 2:
		return (uint32_t)(t->fs.loaded / t->bs) + pick(c, 3) - 1;
	case 3:
		return pick(c, t->log_blocks + 2);
	case 4:
		return 1U << pick(c, 32);
	default:
		return values[pick(c, sizeof(values) / sizeof(*values))];
	}
}

static void fill_payload(struct chance *c, const struct template *t,
			 struct op *op)
{
	uint32_t value = pick_value(c, t);

	switch (op->kind) {
	case OP_FIELD:
		op->length = 4;
		put_be32(op->payload, value);
		break;
	case OP_BYTES:
	case OP_BLOCK:
		op->length = (uint8_t)(1 + pick(c, 16));
		for (unsigned i = 0; i < op->length; i++)
			op->payload[i] = (uint8_t)pick(c, 256);
		if (op->length >= 4 && pick(c, 2))
			put_le32(op->payload, value);
		break;
	case OP_WORDS:
		op->length = (uint8_t)(2 + pick(c, 12));
		for (unsigned i = 0; i < op->length; i++)
			op->payload[i] = (uint8_t)pick(c, 256);
		break;
	default:
		op->length = 0;
	}
}

/* Mostly a field: the library refuses most other changes early. */
static void make_op(struct chance *c, const struct template *t, struct op *op)
{
	static const uint8_t kinds[] = {
		OP_FIELD, OP_FIELD, OP_FIELD, OP_FIELD, OP_ADD, OP_ADD,
		OP_COPY, OP_RETAG, OP_RETAG, OP_BYTES, OP_BYTES, OP_ZERO,
		OP_BLOCK,
	};
	unsigned part = pick(c, NR_PARTS);

	memset(op, 0, sizeof(*op));
	op->kind = kinds[pick(c, sizeof(kinds))];
	if (fuzz_wants_words && pick(c, 2))
		op->kind = OP_WORDS;
	else if (!pick(c, 200))
		op->kind = OP_CUT;
	op->where = op->kind == OP_CUT ?
		    (uint16_t)pick(c, (uint32_t)(t->fs.loaded / t->bs)) :
		    pick_part(c, t, op->kind == OP_RETAG ? PART_CONTROL : part);
	op->offset = (uint16_t)pick(c, 0x10000);
	if (op->kind == OP_FIELD || op->kind == OP_ADD)
		op->offset &= pick(c, 2) ? 0x0fff : 0x03ff;
	else if (op->kind == OP_COPY || op->kind == OP_RETAG)
		op->offset = pick_part(c, t, op->kind == OP_COPY && pick(c, 4) ?
				       part : pick(c, NR_PARTS));
	op->value = (int16_t)(pick(c, 3) ? (int)pick(c, 17) - 8 :
					   (int)pick(c, 0x10000) - 0x8000);
	fill_payload(c, t, op);
}

static void change_op(struct chance *c, const struct template *t,
		      struct op *op)
{
	struct op other;

	make_op(c, t, &other);
	switch (pick(c, 5)) {
	case 0:
		op->where = op->kind == OP_CUT ? op->where : other.where;
		break;
	case 1:
		op->offset = other.offset;
		break;
	case 2:
		op->value = other.value;
		break;
	case 3:
		op->length = (uint8_t)LLVMFuzzerMutate(op->payload, op->length,
						       MOST_PAYLOAD);
		break;
	default:
		fill_payload(c, t, op);
	}
}

static void remove_op(struct input *in, unsigned at)
{
	in->nr_ops--;
	memmove(&in->ops[at], &in->ops[at + 1],
		(in->nr_ops - at) * sizeof(*in->ops));
}

static void insert_op(struct input *in, unsigned at, const struct op *op)
{
	if (in->nr_ops == MOST_OPS)
		remove_op(in, MOST_OPS - 1);
	if (at > in->nr_ops)
		at = in->nr_ops;
	memmove(&in->ops[at + 1], &in->ops[at],
		(in->nr_ops - at) * sizeof(*in->ops));
	in->ops[at] = *op;
	in->nr_ops++;
}

static void change_head(struct chance *c, struct input *in)
{
	switch (pick(c, 4)) {
	case 0:
		in->template = (uint8_t)pick(c, (uint32_t)templates_count());
		break;
	case 1:
		in->until = (uint8_t)pick(c, 16);
		break;
	case 2:
		in->flags ^= (uint8_t)(1 << (2 + pick(c, 6)));
		break;
	default:
		/* Mostly right sums, else no input gets far. */
		in->flags &= (uint8_t)~(INPUT_RAW_LOG | INPUT_RAW_FS);
		if (!pick(c, 8))
			in->flags |= (uint8_t)(1 + pick(c, 3));
	}
}

static void mutate_once(struct chance *c, struct input *in)
{
	struct template *t = template_find(in->template);
	unsigned at = in->nr_ops ? pick(c, in->nr_ops) : 0;
	unsigned what = pick(c, 16);
	struct op op;

	if (what == 0) {
		change_head(c, in);
	} else if (in->nr_ops == 0 || what < 6) {
		make_op(c, t, &op);
		insert_op(in, at + pick(c, 2), &op);
	} else if (what < 8) {
		remove_op(in, at);
	} else if (what < 9) {
		op = in->ops[at];
		insert_op(in, pick(c, in->nr_ops + 1), &op);
	} else {
		change_op(c, t, &in->ops[at]);
	}
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
			       unsigned seed)
{
	struct chance c = { .state = seed };
	struct input in;
	unsigned times;

	input_parse(&in, data, size);
	pick(&c, 2);
	for (times = 1 + pick(&c, 4); times; times--)
		mutate_once(&c, &in);
	return input_store(&in, data, max_size);
}

/* The head of one, and operations of both. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size,
				 const uint8_t *b, size_t b_size, uint8_t *out,
				 size_t room, unsigned seed)
{
	struct chance c = { .state = seed };
	struct input in, other;

	input_parse(&in, a, a_size);
	input_parse(&other, b, b_size);
	for (unsigned i = 0; i < other.nr_ops; i++)
		if (pick(&c, 2))
			insert_op(&in, pick(&c, in.nr_ops + 1), &other.ops[i]);
	return input_store(&in, out, room);
}
