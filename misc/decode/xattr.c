/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * xattr.c - decodes extended attributes of a block or an inode
 */
#include <stdio.h>

#include "field.h"
#include "fs/xattr_prefix.h"

#include <ext2fs/ext2_ext_attr.h>

#define XATTR_HEADER	32	/* bytes of a block's header */
#define XATTR_ENTRY	16	/* bytes of an entry before its name */
#define XATTR_SHOWN	64	/* longer values are not printed */

static const struct field_line header_table[] = {
	WHOLE("references", 4, 4, NUMBER),
	WHOLE("blocks", 8, 4, NUMBER),
	WHOLE("hash", 12, 4, HEX),
	WHOLE("checksum", 16, 4, HEX),
	{ 0 }
};

/* The prefix that the disk omits; an unknown index is printed as a number. */
static void prefix_text(char text[32], unsigned index)
{
	const char *prefix = xattr_prefix(index);

	if (prefix || !index)
		snprintf(text, 32, "%s", prefix ? prefix : "");
	else
		snprintf(text, 32, "%u:", index);
}

static void put_value(struct decoded *d, const uint8_t *value, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	char hex[2 * XATTR_SHOWN + 1], *to = hex;

	for (; size; size--, value++) {
		*to++ = digits[*value >> 4];
		*to++ = digits[*value & 15];
	}
	*to = 0;
	put_text(d, "value", "%s", hex);
}

static void put_entry(struct decoded *d, const char *of, const uint8_t *base,
		      const uint8_t *entry, size_t size)
{
	unsigned offset = get_le16(entry + 2);
	uint32_t ino = get_le32(entry + 4), length = get_le32(entry + 8);
	char prefix[32], name[NAME_TEXT];

	prefix_text(prefix, entry[1]);
	name_text(name, entry + XATTR_ENTRY, entry[0]);
	begin_brief(d, "%sxattr %s%s", of, prefix, name);
	put_number(d, "size", length);
	put_text(d, "hash", "0x%x", get_le32(entry + 12));
	if (ino)
		put_number(d, "value_inode", ino);
	else if (length > size || offset > size - length)
		put_broken(d, of, "the value lies outside", offset, length);
	else if (length && length <= XATTR_SHOWN)
		put_value(d, base + offset, length);
}

/* Four zero bytes end the list, and so does the end of the space. */
void put_xattrs(struct decoded *d, const char *of, const uint8_t *base,
		size_t at, size_t size)
{
	while (at + 4 <= size && get_le32(base + at)) {
		size_t length = XATTR_ENTRY + base[at];

		if (length > size - at) {
			put_broken(d, of, "the name reaches outside", at,
				   base[at]);
			return;
		}
		put_entry(d, of, base, base + at, size);
		at += (length + 3) & ~(size_t)3;
	}
}

void decode_xattr(struct decoded *d, const struct decode_block *b)
{
	begin_record(d, "extended attributes");
	put_table(d, header_table, b->bytes, b->fs->blocksize);
	put_xattrs(d, "", b->bytes, XATTR_HEADER, b->fs->blocksize);
}
