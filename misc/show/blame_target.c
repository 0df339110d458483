/* SPDX-License-Identifier: GPL-2.0-only */
/* blame_target.c - the part of a block that blame is asked for, and its value */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blame.h"
#include "decode/decode.h"
#include "inode_pieces.h"
#include "support/nls.h"
#include "support/status.h"

static bool no_memory(struct session *s)
{
	session_fail(s, EXT2_ET_NO_MEMORY, NULL);
	return false;
}

/* ------------------------------------------------------------- its value */

static char *bytes_text(const uint8_t *bytes, size_t count)
{
	static const char digits[] = "0123456789abcdef";
	char *text = malloc(2 * count + 1), *at = text;

	for (size_t i = 0; text && i < count; i++) {
		*at++ = digits[bytes[i] >> 4];
		*at++ = digits[bytes[i] & 15];
	}
	if (text)
		*at = '\0';
	return text;
}

static char *bit_text(const uint8_t *bytes, size_t bit)
{
	return strdup(bytes[bit / 8] >> bit % 8 & 1 ? "used" : "free");
}

static char *field_text(const struct decoded *d, const struct decoded_field *f)
{
	char number[32];

	switch (f->kind) {
	case VALUE_NUMBER:
		snprintf(number, sizeof(number), "%llu",
			 (unsigned long long)f->number);
		return strdup(number);
	case VALUE_BOOL:
		return strdup(f->number ? "yes" : "no");
	case VALUE_TEXT:
		return strdup(decoded_text(d, f->text));
	case VALUE_NAME:
		return strndup(decoded_text(d, f->text), f->number);
	case VALUE_NONE:
		break;
	}
	return strdup("-");
}

/* All fields of a record, as "NAME VALUE, NAME VALUE". */
static char *record_text(const struct decoded *d,
			 const struct decoded_record *r)
{
	char *text = strdup(""), *value, *longer;

	for (size_t i = 0; text && i < r->count; i++) {
		const struct decoded_field *f = &d->fields[r->first + i];

		value = field_text(d, f);
		longer = NULL;
		if (!value || asprintf(&longer, "%s%s%s %s", text,
				       *text ? ", " : "", f->name, value) < 0)
			longer = NULL;
		free(value);
		free(text);
		text = longer;
	}
	return text;
}

/* What is left of @want when @label is its begin; NULL: it is not. */
static const char *after_label(const char *want, const char *label)
{
	size_t length = strlen(label);

	if (strncmp(want, label, length))
		return NULL;
	if (!want[length])
		return want + length;
	return want[length] == ' ' ? want + length + 1 : NULL;
}

/*
 * @want is the label of a record, or that and a field, or a field of the first
 * record; labels of an inode's further records go without the inode.
 */
static const char *field_wanted(const struct blame_target *t,
				const struct decoded *d, size_t record)
{
	const char *label = decoded_text(d, d->records[record].label);
	const char *first = decoded_text(d, d->records[0].label);
	const char *rest = after_label(t->want, label);

	if (rest || !record)
		return rest ? rest : t->want;
	if (!t->ino)
		return NULL;
	label = after_label(label, first);
	return label ? after_label(t->want, label) : NULL;
}

static char *decoded_value(const struct blame_target *t,
			   const struct decoded *d)
{
	for (size_t i = 0; i < d->nr_records; i++) {
		const struct decoded_record *r = &d->records[i];
		const char *field = field_wanted(t, d, i);

		if (field && !*field)
			return record_text(d, r);
		for (size_t n = 0; field && n < r->count; n++)
			if (!strcmp(d->fields[r->first + n].name, field))
				return field_text(d, &d->fields[r->first + n]);
	}
	return strdup("");
}

static char *decode_value(struct session *s, const struct blame_target *t,
			  blk64_t fsblk, const uint8_t *bytes)
{
	struct decode_block block = {
		.fs = e2lazy_layout_fs(s->log->layout), .fsblk = fsblk,
		.bytes = bytes, .ino = t->entry ? 0 : t->ino,
	};
	struct decoded decoded = { 0 };
	char *text = NULL;

	e2lazy_layout_find(s->log->layout, fsblk, &block.place);
	if (block.place.type == E2LAZY_TYPE_OTHER)
		block.place.type = e2lazy_identify(s->log->layout, bytes);
	if (!decode_block(&block, &decoded))
		text = decoded_value(t, &decoded);
	decoded_free(&decoded);
	return text;
}

char *blame_value(struct session *s, const struct blame_target *t,
		  blk64_t fsblk, const uint8_t *bytes)
{
	char *text;

	if (t->kind == BLAME_BYTES)
		text = bytes_text(bytes + t->begin, t->end - t->begin);
	else if (t->kind == BLAME_BIT)
		text = bit_text(bytes, t->begin);
	else
		text = decode_value(s, t, fsblk, bytes);
	if (!text)
		no_memory(s);
	return text;
}

/* --------------------------------------------------------- which blocks */

static bool one_block(struct session *s, struct blame_target *t, blk64_t fsblk)
{
	t->blocks = malloc(sizeof(*t->blocks));
	if (!t->blocks)
		return no_memory(s);
	t->blocks[0] = fsblk;
	t->nr_blocks = 1;
	return true;
}

static void add_directory_blocks(struct blame_target *t,
				 const struct inode_pieces *p)
{
	for (size_t i = 0; i < p->count; i++)
		for (blk64_t n = 0; n < p->pieces[i].count; n++)
			if (p->pieces[i].owner.role != E2LAZY_ROLE_LAYOUT)
				t->blocks[t->nr_blocks++] =
					p->pieces[i].owner.fsblk + n;
}

static bool directory_blocks(struct session *s, struct blame_target *t)
{
	struct inode_pieces pieces = { .count = 0 };
	bool done = inode_pieces_collect(s, t->ino, &pieces);

	if (done) {
		t->blocks = calloc(pieces.blocks + 1, sizeof(*t->blocks));
		done = t->blocks || no_memory(s);
	}
	if (done)
		add_directory_blocks(t, &pieces);
	inode_pieces_free(&pieces);
	return done;
}

/* "/dir/name:entry": the name in the blocks of the directory. */
static bool find_entry(struct session *s, const char *path,
		       struct blame_target *t)
{
	const char *name = strrchr(path, '/') + 1;
	struct block_operand operand = { .path = NULL };
	char *dir;
	bool done;

	if (!*name)
		return session_wrong(s, _("'%s' has no name in a directory"),
				     path);
	dir = strndup(path, name - path > 1 ? (size_t)(name - path - 1) : 1);
	if (!dir)
		return no_memory(s);
	operand.path = dir;
	done = operand_inode(s, &operand, &t->ino);
	free(dir);
	if (done && asprintf(&t->want, "entry %s inode", name) < 0)
		done = no_memory(s);
	t->entry = true;
	t->kind = BLAME_FIELD;
	return done && directory_blocks(s, t);
}

/* ------------------------------------------------------------ which part */

static bool is_bitmap(enum e2lazy_type type)
{
	return type == E2LAZY_TYPE_BLOCK_BITMAP ||
	       type == E2LAZY_TYPE_INODE_BITMAP;
}

/* A number is that of a bit of a bitmap, or of a byte in another block. */
static bool find_number(struct session *s, uint64_t number,
			struct blame_target *t)
{
	size_t size = s->log->geo->blocksize;
	struct e2lazy_place place;
	bool bit;

	e2lazy_layout_find(s->log->layout, t->blocks[0], &place);
	bit = !t->ino && is_bitmap(place.type);
	t->kind = bit ? BLAME_BIT : BLAME_BYTES;
	size = bit ? size * 8 : t->end - t->begin;
	if (number >= size)
		return session_wrong(s, bit ? _("bit %llu: the last one is "
						"%zu") :
					      _("byte %llu: the last one is "
						"%zu"),
				     (unsigned long long)number, size - 1);
	t->begin += number;
	t->end = t->begin + 1;
	return true;
}

static bool find_part(struct session *s, const char *part,
		      struct blame_target *t)
{
	uint64_t number;

	if (!part)
		return true;
	if (parse_number(part, SIZE_MAX / 2, &number))
		return find_number(s, number, t);
	t->kind = BLAME_FIELD;
	t->want = strdup(part);
	return t->want || no_memory(s);
}

static void whole(struct session *s, struct blame_target *t)
{
	struct ext2_super_block *sb = e2lazy_layout_fs(s->log->layout)->super;
	size_t size = EXT2_INODE_SIZE(sb);

	t->kind = BLAME_BYTES;
	t->end = s->log->geo->blocksize;
	if (!t->ino)
		return;
	t->begin = (size_t)((t->ino - 1) % sb->s_inodes_per_group) * size %
		   s->log->geo->blocksize;
	t->end = t->begin + size;
}

static bool find_block(struct session *s, const char *text, const char *part,
		       struct blame_target *t)
{
	struct block_operand operand;
	blk64_t fsblk;

	if (!operand_parse(s, text, &operand) || !session_layout(s) ||
	    !operand_resolve(s, &operand, &fsblk) ||
	    operand_outside(s, fsblk) || !one_block(s, t, fsblk))
		return false;
	t->ino = operand_ino(&operand);
	whole(s, t);
	return find_part(s, part, t);
}

/* The part is behind the last colon; a name with one needs its <INODE>. */
bool blame_find(struct session *s, const char *text, struct blame_target *t)
{
	const char *colon = strrchr(text, ':');
	char *object;
	bool done;

	if (colon && (strchr(colon, '/') || !colon[1]))
		colon = NULL;
	object = colon ? strndup(text, (size_t)(colon - text)) : strdup(text);
	if (!object)
		return no_memory(s);
	if (colon && *object == '/' && !strcmp(colon + 1, "entry"))
		done = session_layout(s) && find_entry(s, object, t);
	else
		done = find_block(s, object, colon ? colon + 1 : NULL, t);
	free(object);
	return done;
}

bool blame_find_bit(struct session *s, const char *option, const char *text,
		    struct blame_target *t)
{
	struct ext2_super_block *sb;
	uint64_t fsblk;
	ext2_filsys fs;
	dgrp_t group;

	if (!parse_number(text, UINT64_MAX, &fsblk))
		return session_refuse(s, option, text, _("a block number"));
	if (!session_layout(s) || operand_outside(s, fsblk))
		return false;
	fs = e2lazy_layout_fs(s->log->layout);
	sb = fs->super;
	if (fsblk < sb->s_first_data_block)
		return session_wrong(s, _("block %llu has no bit in a bitmap"),
				     (unsigned long long)fsblk);
	group = ext2fs_group_of_blk2(fs, fsblk);
	t->kind = BLAME_BIT;
	t->begin = (size_t)((fsblk - ext2fs_group_first_block2(fs, group)) /
			    EXT2FS_CLUSTER_RATIO(fs));
	return one_block(s, t, ext2fs_block_bitmap_loc(fs, group));
}

void blame_release(struct blame_target *t)
{
	free(t->want);
	free(t->blocks);
}
