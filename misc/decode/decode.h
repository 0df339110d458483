/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * decode.h - a block of metadata as records of named fields
 *
 * An inode table becomes one record per inode, a directory one per entry, and
 * so on.  The decoders do not trust the block: at a broken structure a record
 * says so, and the rest is left out.
 */
#ifndef MISC_DECODE_H
#define MISC_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "e2lazy_view.h"
#include "support/json.h"
#include "support/out.h"

enum value_kind {
	VALUE_NONE,		/* "-", or null */
	VALUE_NUMBER,
	VALUE_BOOL,		/* in @number */
	VALUE_TEXT,
	VALUE_NAME,		/* @number bytes from a disk */
};

struct decoded_field {
	const char	*name;		/* differs within its record */
	enum value_kind	kind;
	uint64_t	number;
	size_t		text;		/* into decoded.text, with a NUL */
	bool		labelled;	/* part of the record's label */
};

struct decoded_record {
	size_t		label;		/* into decoded.text */
	size_t		first;		/* into decoded.fields */
	size_t		count;
	bool		brief;		/* one of many, which fits on a line */
};

/* Zeroed before use. */
struct decoded {
	struct decoded_record *records;
	struct decoded_field *fields;
	char		*text;		/* strings, each with its NUL */
	size_t		nr_records, nr_fields, nr_text;
	size_t		room_records, room_fields, room_text;
	bool		failed;		/* out of memory; incomplete */
};

/* The type of a block and its file system. */
struct decode_block {
	ext2_filsys	fs;		/* source of the superblock */
	blk64_t		fsblk;
	struct e2lazy_place place;	/* @type as identified */
	const uint8_t	*bytes;		/* one block */
	uint32_t	ino;		/* the only one to decode; 0: all */
	/*
	 * NULL, or the other version in a comparison: the decoder of a bitmap
	 * then leaves out bits that are set in both.
	 */
	const uint8_t	*other;
};

/* Is there a decoder for blocks of this type? */
bool decode_knows(enum e2lazy_type type);
/*
 * decode_block - take a block apart
 * @out: filled; decoded_free() in any case
 *
 * Returns 0, or EXT2_ET_NO_MEMORY.  For a type without a decoder there are no
 * records.
 */
errcode_t decode_block(const struct decode_block *block, struct decoded *out);
void decoded_free(struct decoded *decoded);

static inline const char *decoded_text(const struct decoded *d, size_t text)
{
	return d->text + text;
}

/* Are two fields' values the same? */
bool decoded_same(const struct decoded *a, const struct decoded_field *x,
		  const struct decoded *b, const struct decoded_field *y);

/* Print records as lines with aligned fields. */
void decoded_print(const struct decoded *decoded, struct out *out);
/* Print a value as text. */
void decoded_print_value(const struct decoded *decoded,
			 const struct decoded_field *field, struct out *out);
/* Print the label of a record. */
void decoded_print_label(const struct decoded *decoded,
			 const struct decoded_record *record, struct out *out);
/* Print a record in one line, without the fields of its label. */
void decoded_print_brief(const struct decoded *decoded,
			 const struct decoded_record *record, struct out *out);
/* Print them as the JSON array @key. */
void decoded_json(const struct decoded *decoded, struct json *json,
		  const char *key);
/* Print a value as a member of the open JSON object. */
void decoded_json_value(const struct decoded *decoded,
			const struct decoded_field *field, struct json *json,
			const char *key);

#endif
