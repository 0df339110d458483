/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * proof.c - the owner of a block of metadata, by its checksum
 *
 * With metadata_csum each node of an extent tree and each block of a directory
 * ends in a checksum.  Its seed is made of the file system, the inode and its
 * generation, so it tells one life of an inode from the next.  (Linux
 * fs/ext4/extents.c: ext4_extent_block_csum(), namei.c: ext4_dirblock_csum().)
 */

#include "fs/dir_record.h"
#include "fs/extent_node.h"
#include "fs/fs_csum.h"
#include "undelete.h"

#define DIR_TAIL	12	/* bytes of the record that ends a block */
#define DIR_TAIL_TYPE	0xde

static enum proof proof_sum(const struct e2lazy_undelete *u,
			    const struct life *life, const uint8_t *block,
			    size_t bytes, uint32_t stored)
{
	crc32c_fn crc = u->journal->csum.crc;
	uint32_t begin;

	if (!ext2fs_has_feature_metadata_csum(u->fs->super))
		return PROOF_LIKELY;
	begin = fs_csum_begin(u->fs, crc, life->ino, life->generation);
	return crc(begin, block, bytes) == stored ? PROOF_SURE : PROOF_NONE;
}

enum proof proof_extents(const struct e2lazy_undelete *u,
			 const struct life *life, unsigned depth,
			 const uint8_t *block)
{
	unsigned room = extent_room(u->fs->blocksize);
	size_t tail = extent_tail(block);

	if (!extent_is_node(block, room, depth) ||
	    extent_header(block).most != room ||
	    !extent_header(block).entries || tail + 4 > u->fs->blocksize)
		return PROOF_NONE;
	return proof_sum(u, life, block, tail, get_le32(block + tail));
}

/* Do the entries lead exactly to the end of the block? */
static bool is_chain(ext2_filsys fs, const uint8_t *block)
{
	unsigned at = 0, length;

	for (; at < fs->blocksize; at += length) {
		length = dir_record_sound(block + at, fs->blocksize,
					  fs->blocksize - at);
		if (!length ||
		    dir_record_ino(block + at) > fs->super->s_inodes_count)
			return false;
	}
	return true;
}

enum proof proof_directory(const struct e2lazy_undelete *u,
			   const struct life *life, const uint8_t *block)
{
	ext2_filsys fs = u->fs;
	const uint8_t *tail = block + fs->blocksize - DIR_TAIL;

	if (!is_chain(fs, block))
		return PROOF_NONE;
	if (ext2fs_has_feature_metadata_csum(fs->super) &&
	    (get_le32(tail) || get_le16(tail + 4) != DIR_TAIL || tail[6] ||
	     tail[7] != DIR_TAIL_TYPE))
		return PROOF_NONE;
	return proof_sum(u, life, block, fs->blocksize - DIR_TAIL,
			 get_le32(tail + 8));
}
