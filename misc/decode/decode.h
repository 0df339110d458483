/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * decode.h - a block of metadata as records of named fields
 *
 * An inode table becomes a record for each inode, a directory one for each
 * entry, and so on.  Nothing read from the block is trusted: where a structure
 * cannot be followed any further, a record says so and the rest is left out.
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
	VALUE_NAME,		/* bytes from a disk, as many as @number */
};

struct decoded_field {
	const char	*name;		/* unlike the others of its record */
	enum value_kind	kind;
	uint64_t	number;
	size_t		text;		/* into decoded.text, with a NUL */
	bool		labelled;	/* the label of its record has it */
};

struct decoded_record {
	size_t		label;		/* into decoded.text */
	size_t		first;		/* into decoded.fields */
	size_t		count;
	bool		brief;		/* one of many: fits on a line */
};

/* Zeroed before use. */
struct decoded {
	struct decoded_record *records;
	struct decoded_field *fields;
	char		*text;		/* strings, each with its NUL */
	size_t		nr_records, nr_fields, nr_text;
	size_t		room_records, room_fields, room_text;
	bool		failed;		/* out of memory: incomplete */
};

/* What a block is, and of which file system. */
struct decode_block {
	ext2_filsys	fs;		/* for its superblock */
	blk64_t		fsblk;
	struct e2lazy_place place;	/* @type as identified */
	const uint8_t	*bytes;		/* of one block */
	uint32_t	ino;		/* of a table: only this one; 0: all */
	/*
	 * NULL, or the other version in a comparison: of a bitmap, the bits
	 * that are set in both are then left out.
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

/* Records as lines, fields aligned. */
void decoded_print(const struct decoded *decoded, struct out *out);
/* A value as text has it. */
void decoded_print_value(const struct decoded *decoded,
			 const struct decoded_field *field, struct out *out);
/* The label of a record. */
void decoded_print_label(const struct decoded *decoded,
			 const struct decoded_record *record, struct out *out);
/* A record in one line; what the label has is not said again. */
void decoded_print_brief(const struct decoded *decoded,
			 const struct decoded_record *record, struct out *out);
/* The same as the JSON array @key. */
void decoded_json(const struct decoded *decoded, struct json *json,
		  const char *key);
/* A value as a member of the JSON object that is open. */
void decoded_json_value(const struct decoded *decoded,
			const struct decoded_field *field, struct json *json,
			const char *key);

#endif
