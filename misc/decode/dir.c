/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dir.c - decodes directories: entries and index nodes
 */
#include "field.h"

#define ENTRY_BYTES	8	/* bytes of an entry before its name */
#define TAIL_BYTES	12	/* a checksum in the form of a last entry */
#define TAIL_TYPE	0xde
#define DOTS_BYTES	24	/* "." and "..", at the start of a root */
#define INDEX_BYTES	8	/* bytes of an index entry */

static const char *type_name(unsigned type)
{
	static const char *const names[] = {
		"unknown", "file", "directory", "character", "block", "fifo",
		"socket", "symlink",
	};

	return type < sizeof(names) / sizeof(*names) ? names[type] : NULL;
}

/* Lengths up to 64 KiB, which do not fit 16 bits: see fs/ext4/ext4.h. */
static unsigned rec_len_at(const struct decode_block *b, unsigned at)
{
	unsigned length = get_le16(b->bytes + at + 4);

	if (b->fs->blocksize < 65536)
		return length;
	if (length == 65535 || length == 0)
		return 65536;
	return (length & 65532) | (length & 3) << 16;
}

static void put_type(struct decoded *d, unsigned type)
{
	const char *name = type_name(type);

	if (name)
		put_text(d, "type", "%s", name);
	else
		put_text(d, "type", "0x%x", type);
}

static bool is_tail(const struct decode_block *b, unsigned at, unsigned rec_len)
{
	const uint8_t *entry = b->bytes + at;

	return rec_len == TAIL_BYTES && at + rec_len == b->fs->blocksize &&
	       get_le32(entry) == 0 && entry[6] == 0 && entry[7] == TAIL_TYPE;
}

static void put_entry(struct decoded *d, const struct decode_block *b,
		      unsigned at, unsigned rec_len)
{
	const uint8_t *entry = b->bytes + at;
	uint32_t ino = get_le32(entry);
	char name[NAME_TEXT];

	if (is_tail(b, at, rec_len)) {
		begin_brief(d, "checksum");
		put_text(d, "checksum", "0x%x", get_le32(entry + ENTRY_BYTES));
		return;
	}
	if (ino == 0) {		/* an unused entry, whatever name remains */
		begin_brief(d, "unused at %u", at);
		put_number(d, "rec_len", rec_len);
		return;
	}
	name_text(name, entry + ENTRY_BYTES, entry[6]);
	begin_brief(d, "entry %s", name);
	put_number(d, "inode", ino);
	put_number(d, "offset", at);
	put_number(d, "rec_len", rec_len);
	put_type(d, entry[7]);
	put_name(d, "name", entry + ENTRY_BYTES, entry[6]);
	in_label(d);
}

/* Decode entries up to the first one that begins at or behind @end. */
static void put_entries(struct decoded *d, const struct decode_block *b,
			unsigned end)
{
	unsigned size = b->fs->blocksize, at = 0, rec_len, name_len;

	while (at + ENTRY_BYTES <= size && at < end) {
		rec_len = rec_len_at(b, at);
		name_len = b->bytes[at + 6];
		if (rec_len > size - at || rec_len % 4 ||
		    rec_len < ENTRY_BYTES + name_len) {
			put_broken(d, "", "rec_len is impossible", at, rec_len);
			return;
		}
		put_entry(d, b, at, rec_len);
		at += rec_len;
	}
	if (at < end)
		put_broken(d, "", "too little is left for an entry", at,
			   size - at);
}

void decode_directory(struct decoded *d, const struct decode_block *b)
{
	put_entries(d, b, b->fs->blocksize);
}

/* Four reserved bytes follow the last possible entry. */
static void put_index_checksum(struct decoded *d,
			       const struct decode_block *b, unsigned at)
{
	unsigned tail = at + INDEX_BYTES * get_le16(b->bytes + at);

	if (ext2fs_has_feature_metadata_csum(b->fs->super) &&
	    tail + INDEX_BYTES <= b->fs->blocksize)
		put_text(d, "checksum", "0x%x", get_le32(b->bytes + tail + 4));
}

/* The first entry has the limit and the count in place of a hash. */
static void put_index(struct decoded *d, const struct decode_block *b,
		      unsigned at)
{
	const uint8_t *index = b->bytes + at;
	unsigned room = (b->fs->blocksize - at) / INDEX_BYTES;
	unsigned count = get_le16(index + 2);

	put_number(d, "limit", get_le16(index));
	put_number(d, "count", count);
	put_index_checksum(d, b, at);
	for (unsigned i = 0; i < count && i < room; i++) {
		const uint8_t *entry = index + INDEX_BYTES * i;
		uint32_t hash = i ? get_le32(entry) : 0;

		begin_brief(d, "hash 0x%x", hash);
		put_text(d, "hash", "0x%x", hash);
		in_label(d);
		put_number(d, "block", get_le32(entry + 4));
	}
	if (count > room)
		put_broken(d, "", "more entries than there is room for",
			   at + 2, count);
}

static const struct field_line root_table[] = {
	WHOLE("hash_version", DOTS_BYTES + 4, 1, NUMBER),
	WHOLE("info_length", DOTS_BYTES + 5, 1, NUMBER),
	WHOLE("indirect_levels", DOTS_BYTES + 6, 1, NUMBER),
	WHOLE("unused_flags", DOTS_BYTES + 7, 1, HEX),
	{ 0 }
};

/* Programs without index support see a node as one empty entry, and a root as
   two. */
void decode_htree(struct decoded *d, const struct decode_block *b)
{
	unsigned info = b->bytes[DOTS_BYTES + 5];

	if (get_le32(b->bytes) == 0) {
		begin_record(d, "index node");
		put_index(d, b, ENTRY_BYTES);
		return;
	}
	put_entries(d, b, DOTS_BYTES);
	begin_record(d, "index root");
	put_table(d, root_table, b->bytes, b->fs->blocksize);
	put_index(d, b, DOTS_BYTES + info);
}
