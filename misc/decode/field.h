/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * field.h - the parts of a decoder: numbers on disk, tables, records
 */
#ifndef MISC_DECODE_FIELD_H
#define MISC_DECODE_FIELD_H

#include "decode.h"
#include "io/bytes.h"

/* Of @width bytes. */
static inline uint64_t get_le(const uint8_t *p, unsigned width)
{
	uint64_t value = 0;

	while (width--)
		value = value << 8 | p[width];
	return value;
}

enum field_format {
	FIELD_NUMBER,
	FIELD_HEX,
	FIELD_OCTAL,
	FIELD_TIME,		/* unsigned seconds */
	FIELD_STAMP,		/* signed; @high has nanoseconds and epoch */
	FIELD_TEXT,		/* @width bytes, or up to a NUL */
	FIELD_UUID,
};

/* A field at its place; @high_width is 0 for an undivided one. */
struct field_line {
	const char	*name;
	uint16_t	offset;
	uint8_t		width;
	uint8_t		format;		/* enum field_format */
	uint16_t	high;		/* place of its upper part */
	uint8_t		high_width;
};

#define WHOLE(name, offset, width, format) \
	{ name, offset, width, FIELD_##format, 0, 0 }
#define SPLIT(name, offset, width, format, high, high_width) \
	{ name, offset, width, FIELD_##format, high, high_width }

/* Begin a record; the following fields belong to it. */
void begin_record(struct decoded *d, const char *label, ...)
	__attribute__((format(printf, 2, 3)));
/* The same for a record that is one of many. */
void begin_brief(struct decoded *d, const char *label, ...)
	__attribute__((format(printf, 2, 3)));

void put_number(struct decoded *d, const char *name, uint64_t value);
void put_bool(struct decoded *d, const char *name, bool value);
void put_text(struct decoded *d, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Add a name or another text of @count bytes, which may include NULs. */
void put_name(struct decoded *d, const char *name, const uint8_t *bytes,
	      size_t count);
/* The label of the record includes the last field. */
void in_label(struct decoded *d);
/*
 * Add a time in seconds since 1970; @nsec below 0: whole seconds.  0: no time.
 */
void put_time(struct decoded *d, const char *name, int64_t sec, int32_t nsec);
/*
 * Add the fields of a table, up to a line without a name, that lie within the
 * @size bytes at @base; of a divided number the lower part suffices.
 */
void put_table(struct decoded *d, const struct field_line *table,
	       const uint8_t *base, size_t size);

/* Returns bytes as a string for a label; a NUL becomes \x00. */
#define NAME_TEXT	(4 * 255 + 1)
void name_text(char text[NAME_TEXT], const uint8_t *bytes, uint8_t count);

/* Add a record that explains why the rest is left out. */
void put_broken(struct decoded *d, const char *of, const char *why,
		uint64_t at, uint64_t value);

/* The decoders, by what they decode. */
void decode_super(struct decoded *d, const struct decode_block *b);
void decode_mmp(struct decoded *d, const struct decode_block *b);
void decode_descriptors(struct decoded *d, const struct decode_block *b);
void decode_block_bitmap(struct decoded *d, const struct decode_block *b);
void decode_inode_bitmap(struct decoded *d, const struct decode_block *b);
void decode_inode_table(struct decoded *d, const struct decode_block *b);
void decode_directory(struct decoded *d, const struct decode_block *b);
void decode_htree(struct decoded *d, const struct decode_block *b);
void decode_extent_node(struct decoded *d, const struct decode_block *b);
void decode_pointers(struct decoded *d, const struct decode_block *b);
void decode_xattr(struct decoded *d, const struct decode_block *b);

/*
 * Decode the entries of an extent node of @size bytes; each record's label
 * begins with @of ("inode 12 ").  The fields of the header go to the open
 * record.
 */
void put_extents(struct decoded *d, const char *of, const uint8_t *node,
		 size_t size);
/*
 * Decode extended attributes: entries from @first on, whose names and values
 * lie within the @size bytes at @base.
 */
void put_xattrs(struct decoded *d, const char *of, const uint8_t *base,
		size_t first, size_t size);

#endif
