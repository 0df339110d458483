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

static uint32_t bits_of(const struct ext2_super_block *sb,
			enum feature_set set)
{
	return set == FEATURE_INCOMPAT ? sb->s_feature_incompat :
	       set == FEATURE_RO_COMPAT ? sb->s_feature_ro_compat : 0;
}

/* The name of a feature that may be newer than the running kernel, or NULL. */
static const char *newer_feature(const struct ext2_super_block *sb)
{
	const struct feature *f;
	unsigned major, minor;
	struct utsname name;
	size_t at = 0;

	if (uname(&name) || sscanf(name.release, "%u.%u", &major, &minor) != 2)
		return NULL;
	while ((f = feature_next(&at)))
		if (bits_of(sb, f->set) & f->bit &&
		    f->linux_since > VERSION(major, minor, 255))
			return f->name;
	return NULL;
}

/* Without EXT4_FEATURE_RO_COMPAT_BTREE_DIR, which all know and nobody has. */
static uint32_t unknown_ro_compat(uint32_t bits)
{
	const struct feature *f;
	size_t at = 0;

	while ((f = feature_next(&at)))
		if (f->set == FEATURE_RO_COMPAT && f->linux_since)
			bits &= ~f->bit;
	return bits & ~UINT32_C(4);
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
	uint32_t ro = sb->s_feature_ro_compat, unknown = unknown_ro_compat(ro);
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
