/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * map.c - decodes block maps: extents, and lists of pointers
 */
#include "field.h"

#include "fs/extent_node.h"

static const struct field_line header_table[] = {
	WHOLE("tree_entries", 2, 2, NUMBER),
	WHOLE("tree_max", 4, 2, NUMBER),
	WHOLE("tree_depth", 6, 2, NUMBER),
	WHOLE("tree_generation", 8, 4, NUMBER),
	{ 0 }
};

static void put_extent(struct decoded *d, const char *of, const uint8_t *entry)
{
	struct extent e = extent_get(entry);

	begin_brief(d, "%sextent at %u", of, e.lblk);
	put_number(d, "logical", e.lblk);
	in_label(d);
	put_number(d, "length", e.count);
	put_number(d, "physical", e.fsblk);
	put_bool(d, "uninitialized", e.unwritten);
}

static void put_index(struct decoded *d, const char *of, const uint8_t *entry)
{
	uint32_t logical = extent_lblk(entry);

	begin_brief(d, "%sindex at %u", of, logical);
	put_number(d, "logical", logical);
	in_label(d);
	put_number(d, "node", extent_child(entry));
}

void put_extents(struct decoded *d, const char *of, const uint8_t *node,
		 size_t size)
{
	struct extent_header h = extent_header(node);
	unsigned room = extent_room(size);

	if (!h.magic) {
		put_broken(d, of, "no magic of an extent tree", 0,
			   get_le16(node));
		return;
	}
	put_table(d, header_table, node, size);
	for (unsigned i = 0; i < h.entries && i < room; i++) {
		const uint8_t *entry = extent_entry(node, i);

		if (h.depth)
			put_index(d, of, entry);
		else
			put_extent(d, of, entry);
	}
	if (h.entries > room)
		put_broken(d, of, "more extents than there is room for", 2,
			   h.entries);
}

void decode_extent_node(struct decoded *d, const struct decode_block *b)
{
	size_t size = b->fs->blocksize;
	size_t tail = size - size % EXTENT_ENTRY;

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
