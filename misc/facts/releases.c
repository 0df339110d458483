/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * releases.c - the features that a release of Linux or of e2fsprogs lacks
 *
 * The versions of a distribution are those of its first release, and were not looked
 * up.  It may have added a feature to its kernel that came later to Linux, so a
 * missing one is missing in Linux of that version, and perhaps not there.
 *
 * An unknown incompat feature keeps a kernel from mounting, and an unknown ro_compat
 * one from mounting for writing; a compat one it ignores.  e2fsck refuses a file
 * system with any feature that it does not know.  An unknown incompat feature of
 * the journal keeps both from using it.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "releases.h"

static const struct distribution {
	const char	*word, *name;
	uint32_t	kernel, tools;
} distributions[] = {
	{ "debian8", "Debian 8", VERSION(3, 16, 0), VERSION(1, 42, 12) },
	{ "debian9", "Debian 9", VERSION(4, 9, 0), VERSION(1, 43, 4) },
	{ "debian10", "Debian 10", VERSION(4, 19, 0), VERSION(1, 44, 5) },
	{ "debian11", "Debian 11", VERSION(5, 10, 0), VERSION(1, 46, 2) },
	{ "debian12", "Debian 12", VERSION(6, 1, 0), VERSION(1, 47, 0) },
	{ "debian13", "Debian 13", VERSION(6, 12, 0), VERSION(1, 47, 2) },
	{ "rhel6", "RHEL 6", VERSION(2, 6, 32), VERSION(1, 41, 12) },
	{ "rhel7", "RHEL 7", VERSION(3, 10, 0), VERSION(1, 42, 9) },
	{ "rhel8", "RHEL 8", VERSION(4, 18, 0), VERSION(1, 44, 3) },
	{ "rhel9", "RHEL 9", VERSION(5, 14, 0), VERSION(1, 46, 5) },
	{ "ubuntu14.04", "Ubuntu 14.04", VERSION(3, 13, 0), VERSION(1, 42, 9) },
	{ "ubuntu16.04", "Ubuntu 16.04", VERSION(4, 4, 0), VERSION(1, 42, 13) },
	{ "ubuntu18.04", "Ubuntu 18.04", VERSION(4, 15, 0), VERSION(1, 44, 1) },
	{ "ubuntu20.04", "Ubuntu 20.04", VERSION(5, 4, 0), VERSION(1, 45, 5) },
	{ "ubuntu22.04", "Ubuntu 22.04", VERSION(5, 15, 0), VERSION(1, 46, 5) },
	{ "ubuntu24.04", "Ubuntu 24.04", VERSION(6, 8, 0), VERSION(1, 47, 0) },
};

#define NR_DISTRIBUTIONS (sizeof(distributions) / sizeof(*distributions))

const char *release_names(void)
{
	static char text[512];
	size_t used = 0;

	for (size_t i = 0; i < NR_DISTRIBUTIONS && used < sizeof(text); i++)
		used += snprintf(text + used, sizeof(text) - used, "%s%s",
				 i ? ", " : "", distributions[i].word);
	return text;
}

/* Whatever follows the numbers belongs to a package. */
static bool parse_kernel(const char *text, struct release *out)
{
	unsigned major, minor, patch = 0;
	int end = 0;

	if (sscanf(text, "%3u.%3u%n", &major, &minor, &end) != 2 ||
	    major > 255 || minor > 255 || major < 2 ||
	    (text[end] && text[end] != '.' && text[end] != '-'))
		return false;
	if (text[end] == '.' &&
	    (sscanf(text + end, ".%3u", &patch) != 1 || patch > 255))
		return false;
	*out = (struct release){ .kernel = VERSION(major, minor, patch) };
	return true;
}

bool release_parse(const char *text, struct release *out)
{
	for (size_t i = 0; i < NR_DISTRIBUTIONS; i++) {
		const struct distribution *d = &distributions[i];

		if (strcasecmp(d->word, text))
			continue;
		*out = (struct release){ .kernel = d->kernel,
					 .tools = d->tools };
		snprintf(out->name, sizeof(out->name), "%s", d->name);
		return true;
	}
	return parse_kernel(text, out);
}

void version_text(char text[VERSION_TEXT], uint32_t version)
{
	unsigned patch = version & 255;
	int n = snprintf(text, VERSION_TEXT, "%u.%u", version >> 16,
			 version >> 8 & 255);

	if (patch)
		snprintf(text + n, VERSION_TEXT - (size_t)n, ".%u", patch);
}

/* ------------------------------------------------------------- comparing */

struct comparing {
	const struct release *release;
	bool		tools;		/* else the kernel */
	void		(*found)(void *priv, const struct lacked *lacked);
	void		*priv;
};

static enum lack lack_of(const struct comparing *c, enum feature_set set)
{
	static const enum lack lacks[] = {
		[FEATURE_COMPAT] = LACK_KERNEL_IGNORES,
		[FEATURE_INCOMPAT] = LACK_KERNEL_REFUSES,
		[FEATURE_RO_COMPAT] = LACK_KERNEL_READS,
		[FEATURE_JOURNAL] = LACK_KERNEL_REFUSES,
	};

	return c->tools ? LACK_TOOLS_REFUSE : lacks[set];
}

static void compare(const struct comparing *c, enum feature_set set,
		    unsigned bit)
{
	uint32_t version = c->tools ? c->release->tools : c->release->kernel;
	const struct feature *f = feature_find(set, UINT32_C(1) << bit);
	struct lacked lacked = { .lack = lack_of(c, set) };

	if (f)
		lacked.since = c->tools ? f->tools_since : f->linux_since;
	if (lacked.since && lacked.since <= version)
		return;
	feature_name(lacked.name, set, bit);
	c->found(c->priv, &lacked);
}

static void compare_set(const struct comparing *c, enum feature_set set,
			uint32_t bits)
{
	for (unsigned bit = 0; bit < 32; bit++)
		if (bits >> bit & 1)
			compare(c, set, bit);
}

void release_lacks(const struct release *release,
		   const struct ext2_super_block *sb, uint32_t journal_incompat,
		   void (*found)(void *priv, const struct lacked *lacked),
		   void *priv)
{
	struct comparing c = { .release = release, .found = found,
			       .priv = priv };

	for (int tools = 0; tools < (release->tools ? 2 : 1); tools++) {
		c.tools = tools;
		compare_set(&c, FEATURE_INCOMPAT, sb->s_feature_incompat &
			    ~(uint32_t)EXT3_FEATURE_INCOMPAT_RECOVER);
		compare_set(&c, FEATURE_JOURNAL, journal_incompat);
		compare_set(&c, FEATURE_RO_COMPAT, sb->s_feature_ro_compat);
		compare_set(&c, FEATURE_COMPAT, sb->s_feature_compat);
	}
}
