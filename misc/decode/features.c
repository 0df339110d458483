/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * features.c - the features of a file system and of its journal
 *
 * Names and bits are those of ext4(5), of Linux (Documentation/filesystems/ext4/
 * super.rst, include/linux/jbd2.h) and of <ext2fs/ext2_fs.h>.  The first release
 * of Linux with a feature is that of ext4(5), KERNEL SUPPORT; of orphan_file that
 * of the release notes of e2fsprogs 1.47.0; of read-only, fast_commit and those of
 * the journal it was not looked up.  The first e2fsprogs is that of its release
 * notes; of quota it is the first whose notes name a tool for it.  0: not known, or
 * there is none.
 */
#include <stdio.h>
#include <string.h>

#include "features.h"
#include "raw_super.h"

/* Older than every release that matters. */
#define EARLY	VERSION(1, 0, 0)

static const struct feature features[] = {
	{ FEATURE_COMPAT, 0x0001, "dir_prealloc",
	  EARLY, EARLY },
	{ FEATURE_COMPAT, 0x0002, "imagic_inodes",
	  EARLY, EARLY },
	{ FEATURE_COMPAT, 0x0004, "has_journal",
	  VERSION(2, 4, 15), EARLY },
	{ FEATURE_COMPAT, 0x0008, "ext_attr",
	  VERSION(2, 6, 0), EARLY },
	{ FEATURE_COMPAT, 0x0010, "resize_inode",
	  VERSION(2, 6, 10), VERSION(1, 36, 0) },
	{ FEATURE_COMPAT, 0x0020, "dir_index",
	  VERSION(2, 6, 0), EARLY },
	{ FEATURE_COMPAT, 0x0040, "lazy_bg",
	  0, 0 },
	{ FEATURE_COMPAT, 0x0100, "snapshot_bitmap",
	  0, 0 },
	{ FEATURE_COMPAT, 0x0200, "sparse_super2",
	  VERSION(3, 16, 0), VERSION(1, 42, 10) },
	{ FEATURE_COMPAT, 0x0400, "fast_commit",
	  VERSION(5, 10, 0), VERSION(1, 46, 0) },
	{ FEATURE_COMPAT, 0x0800, "stable_inodes",
	  VERSION(5, 5, 0), VERSION(1, 46, 0) },
	{ FEATURE_COMPAT, 0x1000, "orphan_file",
	  VERSION(5, 15, 0), VERSION(1, 47, 0) },
	{ FEATURE_INCOMPAT, 0x0001, "compression",
	  0, 0 },
	{ FEATURE_INCOMPAT, 0x0002, "filetype",
	  VERSION(2, 2, 0), EARLY },
	{ FEATURE_INCOMPAT, 0x0004, "needs_recovery",
	  VERSION(2, 4, 15), EARLY },
	{ FEATURE_INCOMPAT, 0x0008, "journal_dev",
	  VERSION(2, 4, 15), EARLY },
	{ FEATURE_INCOMPAT, 0x0010, "meta_bg",
	  VERSION(2, 6, 28), VERSION(1, 30, 0) },
	{ FEATURE_INCOMPAT, 0x0040, "extent",
	  VERSION(2, 6, 28), VERSION(1, 41, 0) },
	{ FEATURE_INCOMPAT, 0x0080, "64bit",
	  VERSION(2, 6, 28), VERSION(1, 42, 0) },
	{ FEATURE_INCOMPAT, 0x0100, "mmp",
	  VERSION(3, 0, 0), VERSION(1, 42, 0) },
	{ FEATURE_INCOMPAT, 0x0200, "flex_bg",
	  VERSION(2, 6, 28), VERSION(1, 41, 0) },
	{ FEATURE_INCOMPAT, 0x0400, "ea_inode",
	  VERSION(4, 13, 0), VERSION(1, 44, 0) },
	{ FEATURE_INCOMPAT, 0x1000, "dirdata",
	  0, 0 },
	{ FEATURE_INCOMPAT, 0x2000, "metadata_csum_seed",
	  VERSION(4, 4, 0), VERSION(1, 43, 0) },
	{ FEATURE_INCOMPAT, 0x4000, "large_dir",
	  VERSION(4, 13, 0), VERSION(1, 44, 0) },
	{ FEATURE_INCOMPAT, 0x8000, "inline_data",
	  VERSION(3, 8, 0), VERSION(1, 43, 0) },
	{ FEATURE_INCOMPAT, 0x10000, "encrypt",
	  VERSION(4, 1, 0), VERSION(1, 43, 0) },
	{ FEATURE_INCOMPAT, 0x20000, "casefold",
	  VERSION(5, 2, 0), VERSION(1, 45, 1) },
	{ FEATURE_RO_COMPAT, 0x0001, "sparse_super",
	  VERSION(2, 2, 0), EARLY },
	{ FEATURE_RO_COMPAT, 0x0002, "large_file",
	  VERSION(2, 2, 0), EARLY },
	{ FEATURE_RO_COMPAT, 0x0008, "huge_file",
	  VERSION(2, 6, 28), VERSION(1, 41, 0) },
	{ FEATURE_RO_COMPAT, 0x0010, "uninit_bg",
	  VERSION(2, 6, 28), VERSION(1, 41, 0) },
	{ FEATURE_RO_COMPAT, 0x0020, "dir_nlink",
	  VERSION(2, 6, 28), VERSION(1, 41, 0) },
	{ FEATURE_RO_COMPAT, 0x0040, "extra_isize",
	  VERSION(2, 6, 28), VERSION(1, 41, 0) },
	{ FEATURE_RO_COMPAT, 0x0080, "snapshot",
	  0, 0 },
	{ FEATURE_RO_COMPAT, 0x0100, "quota",
	  VERSION(3, 6, 0), VERSION(1, 42, 5) },
	{ FEATURE_RO_COMPAT, 0x0200, "bigalloc",
	  VERSION(3, 2, 0), VERSION(1, 42, 0) },
	{ FEATURE_RO_COMPAT, 0x0400, "metadata_csum",
	  VERSION(3, 18, 0), VERSION(1, 43, 0) },
	{ FEATURE_RO_COMPAT, 0x0800, "replica",
	  0, 0 },
	{ FEATURE_RO_COMPAT, 0x1000, "read-only",
	  VERSION(4, 0, 0), VERSION(1, 43, 0) },
	{ FEATURE_RO_COMPAT, 0x2000, "project",
	  VERSION(4, 5, 0), VERSION(1, 43, 0) },
	{ FEATURE_RO_COMPAT, 0x4000, "shared_blocks",
	  0, 0 },
	{ FEATURE_RO_COMPAT, 0x8000, "verity",
	  VERSION(5, 4, 0), VERSION(1, 44, 4) },
	{ FEATURE_RO_COMPAT, 0x10000, "orphan_present",
	  VERSION(5, 15, 0), VERSION(1, 47, 0) },
	{ FEATURE_JOURNAL, 0x0001, "journal_revoke",
	  VERSION(2, 4, 15), EARLY },
	{ FEATURE_JOURNAL, 0x0002, "journal_64bit",
	  VERSION(2, 6, 28), VERSION(1, 42, 0) },
	{ FEATURE_JOURNAL, 0x0004, "journal_async_commit",
	  VERSION(2, 6, 28), 0 },
	{ FEATURE_JOURNAL, 0x0008, "journal_csum_v2",
	  VERSION(3, 5, 0), VERSION(1, 43, 0) },
	{ FEATURE_JOURNAL, 0x0010, "journal_csum_v3",
	  VERSION(3, 18, 0), VERSION(1, 43, 0) },
	{ FEATURE_JOURNAL, 0x0020, "journal_fast_commit",
	  VERSION(5, 10, 0), VERSION(1, 46, 0) },
};

const struct feature *feature_next(size_t *at)
{
	return *at < sizeof(features) / sizeof(*features) ? &features[(*at)++] :
							    NULL;
}

const struct feature *feature_find(enum feature_set set, uint32_t bit)
{
	for (size_t i = 0; i < sizeof(features) / sizeof(*features); i++)
		if (features[i].set == set && features[i].bit == bit)
			return &features[i];
	return NULL;
}

void feature_name(char name[FEATURE_NAME], enum feature_set set, unsigned bit)
{
	static const char letters[] = "CIRJ";
	const struct feature *f = feature_find(set, UINT32_C(1) << bit);

	if (f)
		snprintf(name, FEATURE_NAME, "%s", f->name);
	else
		snprintf(name, FEATURE_NAME, "FEATURE_%c%u", letters[set], bit);
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
	char name[FEATURE_NAME];

	for (unsigned i = 0; i < 32; i++) {
		if (!(bits >> i & 1))
			continue;
		feature_name(name, set, i);
		add(text, name);
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
