/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * decode.c - chooses the decoder of a block
 */
#include <stdlib.h>
#include <string.h>

#include "field.h"

/*
 * The resize inode owns the reserve of group descriptors as its indirect
 * blocks until the file system grows.
 */
static void (*const decoders[E2LAZY_NR_TYPES])(struct decoded *,
					       const struct decode_block *) = {
	[E2LAZY_TYPE_SUPER] = decode_super,
	[E2LAZY_TYPE_DESC] = decode_descriptors,
	[E2LAZY_TYPE_SUPER_BACKUP] = decode_super,
	[E2LAZY_TYPE_DESC_BACKUP] = decode_descriptors,
	[E2LAZY_TYPE_RESERVED_DESC] = decode_pointers,
	[E2LAZY_TYPE_BLOCK_BITMAP] = decode_block_bitmap,
	[E2LAZY_TYPE_INODE_BITMAP] = decode_inode_bitmap,
	[E2LAZY_TYPE_INODE_TABLE] = decode_inode_table,
	[E2LAZY_TYPE_MMP] = decode_mmp,
	[E2LAZY_TYPE_DIRECTORY] = decode_directory,
	[E2LAZY_TYPE_HTREE] = decode_htree,
	[E2LAZY_TYPE_EXTENT] = decode_extent_node,
	[E2LAZY_TYPE_INDIRECT] = decode_pointers,
	[E2LAZY_TYPE_XATTR] = decode_xattr,
};

bool decode_knows(enum e2lazy_type type)
{
	return decoders[type] != NULL;
}

errcode_t decode_block(const struct decode_block *block, struct decoded *out)
{
	memset(out, 0, sizeof(*out));
	if (decoders[block->place.type])
		decoders[block->place.type](out, block);
	return out->failed ? EXT2_ET_NO_MEMORY : 0;
}

void decoded_free(struct decoded *d)
{
	free(d->records);
	free(d->fields);
	free(d->text);
}

bool decoded_same(const struct decoded *a, const struct decoded_field *x,
		  const struct decoded *b, const struct decoded_field *y)
{
	if (x->kind != y->kind)
		return false;
	if (x->kind == VALUE_NAME)
		return x->number == y->number &&
		       !memcmp(decoded_text(a, x->text),
			       decoded_text(b, y->text), x->number);
	if (x->kind == VALUE_TEXT)
		return !strcmp(decoded_text(a, x->text),
			       decoded_text(b, y->text));
	return x->number == y->number;
}
