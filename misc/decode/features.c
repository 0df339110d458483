/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * features.c - the features of a file system, by their names
 *
 * Names and bits are those of ext4(5), of Linux (Documentation/filesystems/ext4/
 * super.rst) and of <ext2fs/ext2_fs.h>.
 */
#include <stdio.h>
#include <string.h>

#include "features.h"
#include "raw_super.h"

static const struct feature {
	enum feature_set set;
	uint32_t	bit;
	const char	*name;
} features[] = {
	{ FEATURE_COMPAT, 0x0001, "dir_prealloc" },
	{ FEATURE_COMPAT, 0x0002, "imagic_inodes" },
	{ FEATURE_COMPAT, 0x0004, "has_journal" },
	{ FEATURE_COMPAT, 0x0008, "ext_attr" },
	{ FEATURE_COMPAT, 0x0010, "resize_inode" },
	{ FEATURE_COMPAT, 0x0020, "dir_index" },
	{ FEATURE_COMPAT, 0x0040, "lazy_bg" },
	{ FEATURE_COMPAT, 0x0100, "snapshot_bitmap" },
	{ FEATURE_COMPAT, 0x0200, "sparse_super2" },
	{ FEATURE_COMPAT, 0x0400, "fast_commit" },
	{ FEATURE_COMPAT, 0x0800, "stable_inodes" },
	{ FEATURE_COMPAT, 0x1000, "orphan_file" },
	{ FEATURE_INCOMPAT, 0x0001, "compression" },
	{ FEATURE_INCOMPAT, 0x0002, "filetype" },
	{ FEATURE_INCOMPAT, 0x0004, "needs_recovery" },
	{ FEATURE_INCOMPAT, 0x0008, "journal_dev" },
	{ FEATURE_INCOMPAT, 0x0010, "meta_bg" },
	{ FEATURE_INCOMPAT, 0x0040, "extent" },
	{ FEATURE_INCOMPAT, 0x0080, "64bit" },
	{ FEATURE_INCOMPAT, 0x0100, "mmp" },
	{ FEATURE_INCOMPAT, 0x0200, "flex_bg" },
	{ FEATURE_INCOMPAT, 0x0400, "ea_inode" },
	{ FEATURE_INCOMPAT, 0x1000, "dirdata" },
	{ FEATURE_INCOMPAT, 0x2000, "metadata_csum_seed" },
	{ FEATURE_INCOMPAT, 0x4000, "large_dir" },
	{ FEATURE_INCOMPAT, 0x8000, "inline_data" },
	{ FEATURE_INCOMPAT, 0x10000, "encrypt" },
	{ FEATURE_INCOMPAT, 0x20000, "casefold" },
	{ FEATURE_RO_COMPAT, 0x0001, "sparse_super" },
	{ FEATURE_RO_COMPAT, 0x0002, "large_file" },
	{ FEATURE_RO_COMPAT, 0x0008, "huge_file" },
	{ FEATURE_RO_COMPAT, 0x0010, "uninit_bg" },
	{ FEATURE_RO_COMPAT, 0x0020, "dir_nlink" },
	{ FEATURE_RO_COMPAT, 0x0040, "extra_isize" },
	{ FEATURE_RO_COMPAT, 0x0080, "snapshot" },
	{ FEATURE_RO_COMPAT, 0x0100, "quota" },
	{ FEATURE_RO_COMPAT, 0x0200, "bigalloc" },
	{ FEATURE_RO_COMPAT, 0x0400, "metadata_csum" },
	{ FEATURE_RO_COMPAT, 0x0800, "replica" },
	{ FEATURE_RO_COMPAT, 0x1000, "read-only" },
	{ FEATURE_RO_COMPAT, 0x2000, "project" },
	{ FEATURE_RO_COMPAT, 0x4000, "shared_blocks" },
	{ FEATURE_RO_COMPAT, 0x8000, "verity" },
	{ FEATURE_RO_COMPAT, 0x10000, "orphan_present" },
};

static const char *name_of(enum feature_set set, uint32_t bit)
{
	for (size_t i = 0; i < sizeof(features) / sizeof(*features); i++)
		if (features[i].set == set && features[i].bit == bit)
			return features[i].name;
	return NULL;
}

static void add(char text[FEATURES_TEXT], const char *name)
{
	size_t used = strlen(text);

	snprintf(text + used, FEATURES_TEXT - used, "%s%s", used ? ", " : "",
		 name);
}

static void add_all(char text[FEATURES_TEXT], enum feature_set set,
		    uint32_t bits)
{
	static const char letters[] = "CIR";
	char number[16];

	for (unsigned i = 0; i < 32; i++) {
		const char *name = name_of(set, UINT32_C(1) << i);

		if (!(bits >> i & 1))
			continue;
		snprintf(number, sizeof(number), "FEATURE_%c%u", letters[set],
			 i);
		add(text, name ? name : number);
	}
}

void features_text(char text[FEATURES_TEXT], enum feature_set set,
		   uint32_t bits)
{
	*text = 0;
	add_all(text, set, bits);
}

void features_unsupported(char text[FEATURES_TEXT],
			  const struct ext2_super_block *sb)
{
	features_text(text, FEATURE_INCOMPAT, sb->s_feature_incompat &
		      ~(uint32_t)EXT2_LIB_FEATURE_INCOMPAT_SUPP);
	add_all(text, FEATURE_RO_COMPAT, sb->s_feature_ro_compat &
		~(uint32_t)EXT2_LIB_FEATURE_RO_COMPAT_SUPP);
}

void features_of_device(char text[FEATURES_TEXT], const char *device,
			uint64_t offset)
{
	struct ext2_super_block sb;

	*text = 0;
	if (raw_super_read(device, offset, &sb))
		features_unsupported(text, &sb);
}
