/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * values.c - values of attributes that have an inode of their own (ea_inode)
 *
 * The access time of such an inode is the checksum of the value.  (Linux
 * fs/ext4/xattr.c: ext4_xattr_inode_hash().)  Bytes that fit it are the value,
 * whatever the evidence says of their blocks.  Files that have the same value
 * share its inode, so it may outlive the file.  Values of Lustre have no
 * checksum, and are lost.
 */

#include <stdlib.h>
#include <string.h>

#include "undelete.h"

#define MOST_BYTES	65536	/* of a value: Linux include/uapi/linux/limits.h */

struct value {
	struct e2lazy_undelete *u;
	uint8_t		*bytes;
	uint32_t	length;
};

static errcode_t take_bytes(void *priv, const struct e2lazy_graded *g)
{
	struct value *v = priv;
	uint64_t at = g->lblk * v->u->fs->blocksize;

	if (g->bytes && at < v->length)
		memcpy(v->bytes + at, g->bytes,
		       g->length < v->length - at ? g->length : v->length - at);
	return 0;
}

static errcode_t read_value(struct value *v, uint32_t number, bool *good)
{
	struct e2lazy_undelete *u = v->u;
	struct e2lazy_contents contents;
	struct ext2_inode_large inode;
	const uint8_t *raw;
	errcode_t err;

	if (life_inode(u, life_get(u, number), &raw, &inode))
		return 0;
	err = life_read(u, number, E2LAZY_READ_ALL, take_bytes, v, &contents);
	*good = !err && u->journal->csum.crc(u->fs->csum_seed, v->bytes,
					     v->length) == inode.i_atime;
	return err;
}

static bool is_value(const struct life *life, uint32_t length)
{
	return life->value && life->size == length && length <= MOST_BYTES;
}

errcode_t value_read(struct e2lazy_undelete *u, const struct life *file,
		     ext2_ino_t ino, uint32_t length, uint8_t **bytes)
{
	struct value v = { .u = u, .length = length };
	uint32_t number = lives_at(u, ino, file->chosen);
	bool good = false;
	errcode_t err;

	*bytes = NULL;
	if (number == NO_LIFE || !is_value(life_get(u, number), length) ||
	    length > u->value_bytes)
		return 0;
	u->value_bytes -= length;
	v.bytes = calloc(1, length + 1);
	if (!v.bytes)
		return EXT2_ET_NO_MEMORY;
	err = read_value(&v, number, &good);
	if (!err && good)
		*bytes = v.bytes;
	else
		free(v.bytes);
	return err;
}
