/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * xattrs.c - the extended attributes of a deleted file
 *
 * They are in its inode, and in a block that several files may share; so the
 * seed of the block's checksum is its place, not an owner.  A large value may have
 * an inode of its own: values.c.
 */

#include <stdlib.h>
#include <string.h>

#include "fs/xattr_list.h"
#include "fs/xattr_prefix.h"
#include "undelete.h"

#include <ext2fs/ext2_ext_attr.h>

#define XATTR_HEADER	32
#define XATTR_NAME	(sizeof("system.posix_acl_default") + 255)

/* ACLs: the form on the disk, and the form of the kernel's interface. */
#define ACL_DISK_VERSION	1
#define ACL_VERSION		2
#define ACL_USER		0x02
#define ACL_GROUP		0x08
#define ACL_NO_ID		0xffffffffU

struct attributes {
	struct e2lazy_undelete *u;
	const struct life *life;
	errcode_t	(*found)(void *priv, const char *name,
				 const void *value, size_t length);
	void		*priv;
	unsigned	*lost;
};

static bool is_acl(const struct xattr *x)
{
	return x->index == 2 || x->index == 3;
}

static void put_le(uint8_t *to, uint32_t value, unsigned bytes)
{
	for (; bytes--; value >>= 8)
		*to++ = (uint8_t)value;
}

/* Entries of users and groups have an id on disk, the others none. */
static uint8_t *acl_value(const struct xattr *x, size_t *length)
{
	size_t at = 4, to = 4;
	uint8_t *acl;

	if (x->length < 4 || get_le32(x->value) != ACL_DISK_VERSION)
		return NULL;
	acl = malloc(4 + 2 * (size_t)x->length);
	if (!acl)
		return NULL;
	put_le(acl, ACL_VERSION, 4);
	while (at + 4 <= x->length) {
		uint32_t tag = get_le16(x->value + at), id = ACL_NO_ID;
		uint32_t rights = get_le16(x->value + at + 2);

		at += 4;
		if (tag == ACL_USER || tag == ACL_GROUP) {
			if (at + 4 > x->length)
				break;
			id = get_le32(x->value + at);
			at += 4;
		}
		put_le(acl + to, tag, 2);
		put_le(acl + to + 2, rights, 2);
		put_le(acl + to + 4, id, 4);
		to += 8;
	}
	*length = to;
	return acl;
}

static errcode_t give(const struct attributes *a, const struct xattr *x)
{
	const char *prefix = xattr_prefix(x->index);
	char name[XATTR_NAME + 1];
	size_t used;

	if (!x->value || !prefix) {
		++*a->lost;
		return 0;
	}
	used = strlen(prefix);
	memcpy(name, prefix, used);
	memcpy(name + used, x->name, x->name_length);
	name[used + x->name_length] = 0;
	return a->found(a->priv, name, x->value, x->length);
}

/* As the kernel would: with values from inodes of their own, and its own ACLs. */
static errcode_t give_whole(const struct attributes *a, struct xattr *x)
{
	uint8_t *own = NULL, *acl = NULL;
	size_t length;
	errcode_t err = 0;

	if (x->ino) {
		err = value_read(a->u, a->life, x->ino, x->length, &own);
		x->value = own;
	}
	if (!err && x->value && is_acl(x)) {
		acl = acl_value(x, &length);
		x->value = acl;
		x->length = acl ? (uint32_t)length : 0;
	}
	if (!err)
		err = give(a, x);
	free(own);
	free(acl);
	return err;
}

static errcode_t give_all(const struct attributes *a, struct xattr_list *list)
{
	struct xattr x;
	errcode_t err = 0;

	while (!err && xattr_list_next(list, &x))
		if (!xattr_is_data(&x))
			err = give_whole(a, &x);
	return err;
}

static enum proof proof_xattrs(const struct e2lazy_undelete *u,
			       const struct life *life, unsigned level,
			       const uint8_t *block)
{
	(void)u, (void)life, (void)level;
	return get_le32(block) == EXT2_EXT_ATTR_MAGIC &&
	       get_le32(block + 8) == 1 ? PROOF_LIKELY : PROOF_NONE;
}

/*
 * A block that another file has had since holds that file's attributes.  A block in
 * place may be of a later time than the inode's copy, or older than the log had it.
 * So may a copy from before a lost transaction.
 */
static bool is_doubtful(const struct e2lazy_undelete *u, uint32_t number,
			blk64_t fsblk, int64_t changed,
			const struct block_found *found, uint8_t *block)
{
	const struct life *life = life_get(u, number);
	uint64_t count = 1;

	if ((!found->copy || found->copy->tid < u->gapless) &&
	    !home_is_sure(u, life, changed))
		return true;
	if (found->copy && found->proof == PROOF_LIKELY &&
	    gap_between(u, found->copy->tid, life->chosen))
		return true;
	return found->proof == PROOF_LIKELY &&
	       (life_has_gap(u, life) ||
		evidence_of(u, number, fsblk, &count) ||
		!ext2fs_ext_attr_block_csum_verify(u->fs, life->ino, fsblk,
						   (void *)block));
}

/* @changed: the second in which the inode changed last, and so any attribute. */
static errcode_t give_block(struct e2lazy_undelete *u, uint32_t number,
			    blk64_t fsblk, int64_t changed,
			    const struct attributes *a)
{
	const struct block_wanted wanted = { proof_xattrs, 0, changed };
	const struct life *life = life_get(u, number);
	struct block_found found = { PROOF_NONE, NULL };
	struct xattr_list list;
	uint8_t *block = NULL;
	errcode_t err;

	if (fsblk >= ext2fs_blocks_count(u->fs->super)) {
		++*a->lost;
		return 0;
	}
	err = io_channel_alloc_buf(u->fs->io, 1, &block);
	if (!err)
		err = block_at_time(u, life, fsblk, &wanted, block, &found);
	if (!err && (found.proof == PROOF_NONE ||
		     is_doubtful(u, number, fsblk, changed, &found, block))) {
		++*a->lost;
	} else if (!err) {
		list = (struct xattr_list){ .base = block, .at = XATTR_HEADER,
					    .bytes = u->fs->blocksize };
		err = give_all(a, &list);
	}
	ext2fs_free_mem(&block);
	return err;
}

/* A value of its own takes the place of the inode that was read last. */
static errcode_t give_near(const struct e2lazy_undelete *u, const uint8_t *raw,
			   const struct attributes *a)
{
	size_t size = EXT2_INODE_SIZE(u->fs->super);
	uint8_t *copy = malloc(size);
	struct xattr_list list;
	errcode_t err = copy ? 0 : EXT2_ET_NO_MEMORY;

	if (!err)
		memcpy(copy, raw, size);
	if (!err && inode_xattrs(u->fs, copy, &list))
		err = give_all(a, &list);
	free(copy);
	return err;
}

errcode_t e2lazy_undelete_xattrs(struct e2lazy_undelete *u, size_t index,
				 errcode_t (*found)(void *priv,
						    const char *name,
						    const void *value,
						    size_t length),
				 void *priv, unsigned *lost)
{
	uint32_t number = u->deleted.at[index];
	const struct attributes a = { u, life_get(u, number), found, priv,
				      lost };
	struct ext2_inode_large inode;
	const uint8_t *raw;
	blk64_t fsblk;
	errcode_t err;

	*lost = 0;
	err = life_inode(u, a.life, &raw, &inode);
	if (!err)
		err = give_near(u, raw, &a);
	if (err)
		return err;
	fsblk = ext2fs_file_acl_block(u->fs, (struct ext2_inode *)&inode);
	if (!fsblk)
		return 0;
	return give_block(u, number, fsblk, inode_time(inode.i_ctime,
					inode.i_ctime_extra).sec, &a);
}
