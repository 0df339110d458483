/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * super.c - decodes superblocks, backups and the MMP block
 */
#include "field.h"

#define SUPER_MAGIC	0x38
#define SUPER_FEATURES	0x5c
#define SUPER_RO_COMPAT	0x64
#define SUPER_CHECKSUM	0x3fc

static const struct field_line super_table[] = {
	WHOLE("inodes", 0x00, 4, NUMBER),
	SPLIT("blocks", 0x04, 4, NUMBER, 0x150, 4),
	SPLIT("reserved_blocks", 0x08, 4, NUMBER, 0x154, 4),
	SPLIT("free_blocks", 0x0c, 4, NUMBER, 0x158, 4),
	WHOLE("free_inodes", 0x10, 4, NUMBER),
	WHOLE("first_data_block", 0x14, 4, NUMBER),
	WHOLE("log_block_size", 0x18, 4, NUMBER),
	WHOLE("log_cluster_size", 0x1c, 4, NUMBER),
	WHOLE("blocks_per_group", 0x20, 4, NUMBER),
	WHOLE("clusters_per_group", 0x24, 4, NUMBER),
	WHOLE("inodes_per_group", 0x28, 4, NUMBER),
	SPLIT("mount_time", 0x2c, 4, TIME, 0x275, 1),
	SPLIT("write_time", 0x30, 4, TIME, 0x274, 1),
	WHOLE("mount_count", 0x34, 2, NUMBER),
	WHOLE("max_mount_count", 0x36, 2, NUMBER),
	WHOLE("magic", SUPER_MAGIC, 2, HEX),
	WHOLE("state", 0x3a, 2, HEX),
	WHOLE("errors", 0x3c, 2, NUMBER),
	SPLIT("check_time", 0x40, 4, TIME, 0x277, 1),
	WHOLE("check_interval", 0x44, 4, NUMBER),
	WHOLE("creator_os", 0x48, 4, NUMBER),
	WHOLE("revision", 0x4c, 4, NUMBER),
	WHOLE("first_inode", 0x54, 4, NUMBER),
	WHOLE("inode_size", 0x58, 2, NUMBER),
	WHOLE("group", 0x5a, 2, NUMBER),
	WHOLE("feature_compat", SUPER_FEATURES, 4, HEX),
	WHOLE("feature_incompat", 0x60, 4, HEX),
	WHOLE("feature_ro_compat", SUPER_RO_COMPAT, 4, HEX),
	WHOLE("uuid", 0x68, 16, UUID),
	WHOLE("label", 0x78, 16, TEXT),
	WHOLE("last_mounted", 0x88, 64, TEXT),
	WHOLE("reserved_descriptors", 0xce, 2, NUMBER),
	WHOLE("journal_uuid", 0xd0, 16, UUID),
	WHOLE("journal_inode", 0xe0, 4, NUMBER),
	WHOLE("journal_device", 0xe4, 4, HEX),
	WHOLE("last_orphan", 0xe8, 4, NUMBER),
	WHOLE("hash_seed", 0xec, 16, UUID),
	WHOLE("hash_version", 0xfc, 1, NUMBER),
	WHOLE("descriptor_size", 0xfe, 2, NUMBER),
	WHOLE("default_mount_options", 0x100, 4, HEX),
	WHOLE("first_meta_group", 0x104, 4, NUMBER),
	SPLIT("mkfs_time", 0x108, 4, TIME, 0x276, 1),
	WHOLE("flags", 0x160, 4, HEX),
	WHOLE("mmp_interval", 0x166, 2, NUMBER),
	WHOLE("mmp_block", 0x168, 8, NUMBER),
	WHOLE("log_groups_per_flex", 0x174, 1, NUMBER),
	WHOLE("checksum_type", 0x175, 1, NUMBER),
	WHOLE("kbytes_written", 0x178, 8, NUMBER),
	WHOLE("error_count", 0x194, 4, NUMBER),
	SPLIT("first_error_time", 0x198, 4, TIME, 0x278, 1),
	WHOLE("first_error_inode", 0x19c, 4, NUMBER),
	WHOLE("first_error_block", 0x1a0, 8, NUMBER),
	SPLIT("last_error_time", 0x1cc, 4, TIME, 0x279, 1),
	WHOLE("last_error_inode", 0x1d0, 4, NUMBER),
	WHOLE("last_error_block", 0x1d8, 8, NUMBER),
	WHOLE("mount_options", 0x200, 64, TEXT),
	WHOLE("user_quota_inode", 0x240, 4, NUMBER),
	WHOLE("group_quota_inode", 0x244, 4, NUMBER),
	WHOLE("overhead_clusters", 0x248, 4, NUMBER),
	WHOLE("project_quota_inode", 0x26c, 4, NUMBER),
	WHOLE("checksum_seed", 0x270, 4, HEX),
	WHOLE("orphan_file_inode", 0x280, 4, NUMBER),
	WHOLE("checksum", SUPER_CHECKSUM, 4, HEX),
	{ 0 }
};

/* In block 0 it follows a boot block, if there is room for both. */
void decode_super(struct decoded *d, const struct decode_block *b)
{
	const uint8_t *super = b->bytes;
	uint32_t crc;

	if (b->fsblk == 0 && b->fs->blocksize >= SUPERBLOCK_OFFSET +
						 SUPERBLOCK_SIZE)
		super += SUPERBLOCK_OFFSET;
	if (get_le16(super + SUPER_MAGIC) != EXT2_SUPER_MAGIC) {
		put_broken(d, "", "no magic of a superblock", SUPER_MAGIC,
			   get_le16(super + SUPER_MAGIC));
		return;
	}
	begin_record(d, "superblock");
	put_table(d, super_table, super, SUPERBLOCK_SIZE);
	if (!(get_le32(super + SUPER_RO_COMPAT) &
	      EXT4_FEATURE_RO_COMPAT_METADATA_CSUM))
		return;
	crc = ext2fs_crc32c_le(~0U, super, SUPER_CHECKSUM);
	put_text(d, "csum", crc == get_le32(super + SUPER_CHECKSUM) ? "good"
								   : "bad");
}

static const struct field_line mmp_table[] = {
	WHOLE("magic", 0x00, 4, HEX),
	WHOLE("sequence", 0x04, 4, HEX),
	WHOLE("time", 0x08, 8, TIME),
	WHOLE("node", 0x10, 64, TEXT),
	WHOLE("device", 0x50, 32, TEXT),
	WHOLE("check_interval", 0x70, 2, NUMBER),
	WHOLE("checksum", 0x3fc, 4, HEX),
	{ 0 }
};

void decode_mmp(struct decoded *d, const struct decode_block *b)
{
	begin_record(d, "MMP");
	put_table(d, mmp_table, b->bytes, b->fs->blocksize);
}
