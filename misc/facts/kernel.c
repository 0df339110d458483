/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kernel.c - can the running kernel mount the file system?
 *
 * A kernel says little of what it was built with.  /sys/fs/ext4/features is there
 * while ext4 is loaded; it has casefold with CONFIG_UNICODE.  Quotas need
 * CONFIG_QUOTA, which makes /proc/sys/fs/quota, and the format quota_v2, which is
 * a module or built in.  Rules: Linux 6.1 and 6.12, fs/ext4/super.c,
 * ext4_feature_set_ok() and ext4_load_super(); Linux 6.18 was run.
 *
 * An older kernel does not say which features it lacks.  The first release of each
 * is known, but a distribution may have added it to an earlier one.
 *
 * Later kernels take blocks that are larger than pages, and have
 * blocksize_gt_pagesize among the features then.  None was run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "kernel.h"

/* EXT4_FEATURE_RO_COMPAT_SUPP of Linux 6.1 and 6.12; 4 is BTREE_DIR, unused.  A
   file system that is READONLY is mounted so. */
#define KNOWN_RO_COMPAT (EXT2_FEATURE_RO_COMPAT_SPARSE_SUPER | \
			 EXT2_FEATURE_RO_COMPAT_LARGE_FILE | 0x0004 | \
			 EXT4_FEATURE_RO_COMPAT_HUGE_FILE | \
			 EXT4_FEATURE_RO_COMPAT_GDT_CSUM | \
			 EXT4_FEATURE_RO_COMPAT_DIR_NLINK | \
			 EXT4_FEATURE_RO_COMPAT_EXTRA_ISIZE | \
			 EXT4_FEATURE_RO_COMPAT_QUOTA | \
			 EXT4_FEATURE_RO_COMPAT_BIGALLOC | \
			 EXT4_FEATURE_RO_COMPAT_METADATA_CSUM | \
			 EXT4_FEATURE_RO_COMPAT_READONLY | \
			 EXT4_FEATURE_RO_COMPAT_PROJECT | \
			 EXT4_FEATURE_RO_COMPAT_VERITY | \
			 EXT4_FEATURE_RO_COMPAT_ORPHAN_PRESENT)

static bool is_there(const char *root, const char *path)
{
	char *whole;
	bool there;

	if (asprintf(&whole, "%s%s", root, path) < 0)
		return false;
	there = !access(whole, F_OK);
	free(whole);
	return there;
}

static enum kernel_answer ask_features(const char *root, const char *name)
{
	char path[64];

	if (!is_there(root, "/sys/fs/ext4/features"))
		return KERNEL_UNKNOWN;
	snprintf(path, sizeof(path), "/sys/fs/ext4/features/%s", name);
	return is_there(root, path) ? KERNEL_MOUNTS : KERNEL_REFUSES;
}

/* Is there a line with @word in that file of the modules' directory? */
static enum kernel_answer ask_modules(const char *root, const char *file,
				      const char *word)
{
	enum kernel_answer answer = KERNEL_REFUSES;
	char *path, *line = NULL;
	struct utsname name;
	size_t room = 0;
	FILE *f;

	if (uname(&name) || asprintf(&path, "%s/lib/modules/%s/%s", root,
				     name.release, file) < 0)
		return KERNEL_UNKNOWN;
	f = fopen(path, "re");
	free(path);
	if (!f)
		return KERNEL_UNKNOWN;
	while (answer == KERNEL_REFUSES && getline(&line, &room, f) > 0)
		if (strstr(line, word))
			answer = KERNEL_MOUNTS;
	free(line);
	fclose(f);
	return answer;
}

static enum kernel_answer ask_quota(const char *root)
{
	enum kernel_answer built_in, module;

	if (!is_there(root, "/proc/sys/fs"))
		return KERNEL_UNKNOWN;
	if (!is_there(root, "/proc/sys/fs/quota"))
		return KERNEL_REFUSES;
	built_in = ask_modules(root, "modules.builtin", "/quota_v2.ko");
	module = ask_modules(root, "modules.dep", "/quota_v2.ko");
	if (built_in == KERNEL_MOUNTS || module == KERNEL_MOUNTS)
		return KERNEL_MOUNTS;
	return built_in == KERNEL_UNKNOWN || module == KERNEL_UNKNOWN ?
	       KERNEL_UNKNOWN : KERNEL_REFUSES;
}

static enum kernel_answer ask_block_size(const struct ext2_super_block *sb,
					 const char *root)
{
	unsigned size = EXT2_BLOCK_SIZE(sb);

	return size <= (unsigned long)sysconf(_SC_PAGESIZE) ? KERNEL_MOUNTS :
	       ask_features(root, "blocksize_gt_pagesize");
}

/*
 * Features that came with a release of Linux; what is older is in all.  By
 * ext4(5), KERNEL SUPPORT; orphan_file by the release notes of e2fsprogs 1.47.0.
 */
static const struct {
	bool		incompat;	/* else ro_compat */
	uint32_t	bit;
	unsigned	major, minor;
	const char	*name;
} releases[] = {
	{ false, EXT4_FEATURE_RO_COMPAT_BIGALLOC, 3, 2, "bigalloc" },
	{ false, EXT4_FEATURE_RO_COMPAT_METADATA_CSUM, 3, 18, "metadata_csum" },
	{ false, EXT4_FEATURE_RO_COMPAT_QUOTA, 3, 6, "quota" },
	{ true, EXT4_FEATURE_INCOMPAT_MMP, 3, 0, "mmp" },
	{ true, EXT4_FEATURE_INCOMPAT_INLINE_DATA, 3, 8, "inline_data" },
	{ true, EXT4_FEATURE_INCOMPAT_ENCRYPT, 4, 1, "encrypt" },
	{ true, EXT4_FEATURE_INCOMPAT_CSUM_SEED, 4, 4, "metadata_csum_seed" },
	{ false, EXT4_FEATURE_RO_COMPAT_PROJECT, 4, 5, "project" },
	{ true, EXT4_FEATURE_INCOMPAT_EA_INODE, 4, 13, "ea_inode" },
	{ true, EXT4_FEATURE_INCOMPAT_LARGEDIR, 4, 13, "large_dir" },
	{ true, EXT4_FEATURE_INCOMPAT_CASEFOLD, 5, 2, "casefold" },
	{ false, EXT4_FEATURE_RO_COMPAT_VERITY, 5, 4, "verity" },
	{ false, EXT4_FEATURE_RO_COMPAT_ORPHAN_PRESENT, 5, 15, "orphan_file" },
};

/* The name of a feature that may be newer than the running kernel, or NULL. */
static const char *newer_feature(const struct ext2_super_block *sb)
{
	unsigned major, minor;
	struct utsname name;

	if (uname(&name) || sscanf(name.release, "%u.%u", &major, &minor) != 2)
		return NULL;
	for (size_t i = 0; i < sizeof(releases) / sizeof(*releases); i++)
		if ((releases[i].incompat ? sb->s_feature_incompat :
		     sb->s_feature_ro_compat) & releases[i].bit &&
		    (major < releases[i].major ||
		     (major == releases[i].major && minor < releases[i].minor)))
			return releases[i].name;
	return NULL;
}

static void take(struct kernel_says *says, enum kernel_answer answer,
		 const char *why)
{
	if (answer <= says->answer)
		return;
	says->answer = answer;
	snprintf(says->why, sizeof(says->why), "%s", why);
}

struct kernel_says kernel_ask(const struct ext2_super_block *sb,
			      const char *root)
{
	struct kernel_says says = { .answer = KERNEL_MOUNTS };
	uint32_t ro = sb->s_feature_ro_compat, unknown = ro & ~KNOWN_RO_COMPAT;
	const char *newer = newer_feature(sb);
	char name[FEATURES_TEXT];

	if (newer)
		take(&says, KERNEL_UNKNOWN, newer);
	take(&says, ask_block_size(sb, root), "");
	if (sb->s_feature_incompat & EXT4_FEATURE_INCOMPAT_CASEFOLD)
		take(&says, ask_features(root, "casefold"), "casefold");
	if (ro & EXT4_FEATURE_RO_COMPAT_QUOTA)
		take(&says, ask_quota(root), "quota");
	if (ro & EXT4_FEATURE_RO_COMPAT_PROJECT)
		take(&says, ask_quota(root), "project");
	if (unknown) {
		features_text(name, FEATURE_RO_COMPAT, unknown);
		take(&says, KERNEL_REFUSES, name);
	}
	return says;
}
