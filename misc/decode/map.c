/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * map.c - decodes block maps: extents, and lists of pointers
 */
#include "field.h"

#include <ext2fs/ext3_extents.h>

#define EXTENT_BYTES	12	/* bytes of the header, and of each entry */

static const struct field_line header_table[] = {
	WHOLE("tree_entries", 2, 2, NUMBER),
	WHOLE("tree_max", 4, 2, NUMBER),
	WHOLE("tree_depth", 6, 2, NUMBER),
	WHOLE("tree_generation", 8, 4, NUMBER),
	{ 0 }
};

/* A length over 32768 marks an unwritten extent. */
static void put_extent(struct decoded *d, const char *of, const uint8_t *entry)
{
	uint32_t logical = get_le32(entry);
	unsigned length = get_le16(entry + 4);
	bool uninit = length > EXT_INIT_MAX_LEN;

	begin_brief(d, "%sextent at %u", of, logical);
	put_number(d, "logical", logical);
	in_label(d);
	put_number(d, "length", uninit ? length - EXT_INIT_MAX_LEN : length);
	put_number(d, "physical", get_le32(entry + 8) |
		   (uint64_t)get_le16(entry + 6) << 32);
	put_bool(d, "uninitialized", uninit);
}

static void put_index(struct decoded *d, const char *of, const uint8_t *entry)
{
	uint32_t logical = get_le32(entry);

	begin_brief(d, "%sindex at %u", of, logical);
	put_number(d, "logical", logical);
	in_label(d);
	put_number(d, "node", get_le32(entry + 4) |
		   (uint64_t)get_le16(entry + 8) << 32);
}

void put_extents(struct decoded *d, const char *of, const uint8_t *node,
		 size_t size)
{
	unsigned entries = get_le16(node + 2), depth = get_le16(node + 6);
	unsigned room = (unsigned)(size / EXTENT_BYTES) - 1;

	if (get_le16(node) != EXT3_EXT_MAGIC) {
		put_broken(d, of, "no magic of an extent tree", 0,
			   get_le16(node));
		return;
	}
	put_table(d, header_table, node, size);
	for (unsigned i = 0; i < entries && i < room; i++) {
		node += EXTENT_BYTES;
		if (depth)
			put_index(d, of, node);
		else
			put_extent(d, of, node);
	}
	if (entries > room)
		put_broken(d, of, "more extents than there is room for", 2,
			   entries);
}

void decode_extent_node(struct decoded *d, const struct decode_block *b)
{
	size_t size = b->fs->blocksize;
	size_t tail = size - size % EXTENT_BYTES;

	begin_record(d, "extent node");
	if (ext2fs_has_feature_metadata_csum(b->fs->super))
		put_text(d, "checksum", "0x%x", get_le32(b->bytes + tail));
	put_extents(d, "", b->bytes, size);
}

void decode_pointers(struct decoded *d, const struct decode_block *b)
{
	for (unsigned i = 0; i < b->fs->blocksize / 4; i++) {
		uint32_t fsblk = get_le32(b->bytes + 4 * i);

		if (!fsblk)
			continue;
		begin_brief(d, "pointer %u", i);
		put_number(d, "index", i);
		in_label(d);
		put_number(d, "physical", fsblk);
	}
}
