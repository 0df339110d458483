/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * layout.c - the layout that mke2fs's options and mke2fs.conf(5) give
 *
 * mke2fs does not tell its choices in advance.  So this file repeats all
 * choices that place fixed metadata.  If it cannot follow one, it calls the
 * layout unknown.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "make.h"

#define TYPE		"ext4"

/* The defaults of mke2fs without mke2fs.conf. */
#define DEFAULT_BLOCKSIZE	4096
#define DEFAULT_INODE_RATIO	8192
#define DEFAULT_INODE_SIZE	256
#define DEFAULT_FLEX_GROUPS	16
#define DEFAULT_CLUSTER_BLOCKS	16
#define DEFAULT_BACKUPS		2
#define DEFAULT_FEATURES	"sparse_super,large_file,filetype," \
				"resize_inode,dir_index"

/* ----------------------------------------------------------- the types */

/* The types that mke2fs chooses itself, each from a number of bytes on. */
static const char *size_type(uint64_t bytes)
{
	static const struct {
		const char	*name;
		uint64_t	least;
	} types[] = {
		{ "huge", 16ULL << 40 }, { "big", 4ULL << 40 },
		{ NULL, 512ULL << 20 }, { "small", 3ULL << 20 },
		{ "floppy", 0 },
	};
	size_t i;

	for (i = 0; bytes < types[i].least; i++)
		;
	return types[i].name;
}

/* The last type counts: first the user's, then the drive's. */
static bool set_types(const struct make *m, const struct profile *profile,
		      struct make_layout *l)
{
	char *names, *name;

	l->size_type = size_type(make_bytes(m));
	if (asprintf(&l->names, "%s,%s,%s,%s", TYPE,
		     l->size_type ? l->size_type : "", profile->types,
		     m->passed.types ? m->passed.types : "") < 0) {
		l->names = NULL;
		return false;
	}
	l->types.count = 0;
	for (names = l->names; (name = strsep(&names, ","));)
		if (*name && l->types.count < CONF_TYPES)
			l->types.at[l->types.count++] = name;
	return true;
}

/* ------------------------------------------------------------ features */

#define FLEX_BG		0x01
#define RESIZE_INODE	0x02
#define SPARSE_SUPER	0x04
#define SPARSE_SUPER2	0x08
#define BIGALLOC	0x10
#define BITS64		0x20
#define META_BG		0x40
#define HAS_JOURNAL	0x80
#define FAST_COMMIT	0x100
#define EXTENTS		0x200
#define INLINE_DATA	0x400

static const struct {
	const char	*name;
	unsigned	flag;
} features[] = {
	{ "flex_bg", FLEX_BG },
	{ "resize_inode", RESIZE_INODE },
	{ "sparse_super", SPARSE_SUPER },
	{ "sparse_super2", SPARSE_SUPER2 },
	{ "bigalloc", BIGALLOC },
	{ "64bit", BITS64 },
	{ "meta_bg", META_BG },
	{ "has_journal", HAS_JOURNAL },
	{ "fast_commit", FAST_COMMIT },
	{ "extent", EXTENTS },
	{ "extents", EXTENTS },
	{ "inline_data", INLINE_DATA },
};

static unsigned edit_feature(unsigned set, const char *word, size_t length)
{
	bool clear = length && (*word == '^' || *word == '-');

	word += clear;
	length -= clear;
	if (!clear && length == 4 && !strncmp(word, "none", 4))
		return 0;
	for (size_t i = 0; i < sizeof(features) / sizeof(*features); i++) {
		if (strlen(features[i].name) != length ||
		    strncmp(features[i].name, word, length))
			continue;
		return clear ? set & ~features[i].flag : set | features[i].flag;
	}
	return set;
}

static unsigned edit_features(unsigned set, const char *list)
{
	size_t n;

	for (; list && *list; list += n + (list[n] != 0)) {
		n = strcspn(list, ", \t");
		set = edit_feature(set, list, n);
	}
	return set;
}

static unsigned all_features(const struct make *m, const struct make_layout *l)
{
	const char *base = conf_get(&m->conf, &l->types, "base_features");
	unsigned set = edit_features(0, base ? base : DEFAULT_FEATURES);

	for (unsigned i = 0; i < l->types.count; i++)
		set = edit_features(set, conf_own(&m->conf, l->types.at[i],
						  "features"));
	return edit_features(set, m->passed.features ? m->passed.features :
			     conf_get(&m->conf, &l->types,
				      "default_features"));
}

/* ------------------------------------------------------------- numbers */

/* Parse like strtoul(), which reads mke2fs.conf. */
static uint64_t number(const struct make *m, const struct make_layout *l,
		       const char *name, uint64_t usual)
{
	const char *text = conf_get(&m->conf, &l->types, name);
	char *rest;
	long long value;

	if (!text)
		return usual;
	value = strtoll(text, &rest, 0);
	return *rest || rest == text ? usual : (uint64_t)value;
}

static bool truth(const struct make *m, const struct make_layout *l,
		  const char *name)
{
	static const char *const yes[] = { "y", "yes", "true", "t", "1",
					   "on" };
	const char *text = conf_get(&m->conf, &l->types, name);

	for (size_t i = 0; text && i < sizeof(yes) / sizeof(*yes); i++)
		if (!strcasecmp(text, yes[i]))
			return true;
	return false;
}

/* -1 means the page size; so it is on all tested systems. */
static unsigned blocksize(const struct make *m, const struct make_layout *l)
{
	int64_t size = number(m, l, "blocksize", DEFAULT_BLOCKSIZE);

	if (m->passed.blocksize)
		return m->passed.blocksize;
	if (size <= 0)
		size = sysconf(_SC_PAGESIZE);
	if (size < m->drive.logical_sector)
		size = m->drive.logical_sector;
	return size;
}

/* Without a size, mke2fs leaves the rest of a page at the end unused. */
static uint64_t blocks(const struct make *m, unsigned size)
{
	uint64_t bytes = make_bytes(m), page = sysconf(_SC_PAGESIZE);

	if (!m->size && page > size)
		bytes -= bytes % page;
	return bytes / size;
}

/* Find a key in the list of -E. */
static uint64_t extended(const struct make *m, const char *key, uint64_t usual)
{
	char *text = make_list_get(m->passed.extended, key), *rest;
	uint64_t value = usual;

	if (text)
		value = strtoull(text, &rest, 0);
	if (text && (*rest || rest == text))
		value = *text ? usual : 1;	/* a key alone: on */
	free(text);
	return value;
}

static uint64_t descriptor_blocks(const struct e2lazy_fs_plan *p,
				  uint64_t blocks)
{
	uint64_t group = (uint64_t)p->blocksize * 8;
	unsigned size = p->bits64 ? EXT2_MIN_DESC_SIZE_64BIT :
				    EXT2_MIN_DESC_SIZE;
	uint64_t per_block = p->blocksize / size;

	return (blocks / group + (blocks % group != 0) + per_block - 1) /
	       per_block;
}

/* A larger -E resize turns resize_inode on by itself. */
static uint64_t resize_blocks(const struct make *m,
			      const struct e2lazy_fs_plan *p, bool on)
{
	char *text = make_list_get(m->passed.extended, "resize");
	uint64_t value;
	bool given = text && make_parse_blocks(text, p->blocksize, &value);

	free(text);
	if (given && (on || descriptor_blocks(p, value) >
			    descriptor_blocks(p, p->blocks)))
		return value;
	return on ? UINT64_MAX : 0;
}

/*
 * With packed_meta_blocks in mke2fs.conf, mke2fs puts the journal at the front
 * even if -E disables packing.
 */
static uint64_t journal_goal(const struct make *m, const struct make_layout *l,
			     uint64_t goal)
{
	char *text = make_list_get(m->passed.journal, "location");
	unsigned size = l->plan.blocksize;

	if (truth(m, l, "packed_meta_blocks") && !l->plan.packed)
		goal = 0;
	else if (text && !make_parse_blocks(text, size, &goal))
		goal = UINT64_MAX;
	free(text);
	return goal;
}

static unsigned cluster_blocks(const struct make *m,
			       const struct make_layout *l, unsigned size)
{
	uint64_t usual = number(m, l, "cluster_size",
				(uint64_t)size * DEFAULT_CLUSTER_BLOCKS);
	uint64_t cluster = m->passed.cluster ? m->passed.cluster : usual;

	return cluster > size ? cluster / size : 1;
}

/*
 * The ratio of mke2fs.conf is at least a block or cluster; that of -i is not.
 */
static uint64_t inodes(const struct make *m, const struct e2lazy_fs_plan *p)
{
	uint64_t ratio = m->passed.inode_ratio, count;

	if (m->passed.inodes || !ratio ||
	    ratio >= (uint64_t)p->blocksize * p->cluster_blocks)
		return m->passed.inodes;
	count = p->blocks * p->blocksize / ratio;
	return count > UINT32_MAX && p->bits64 ? UINT32_MAX : count;
}

static void set_plan(const struct make *m, struct make_layout *l, unsigned set)
{
	struct e2lazy_fs_plan *p = &l->plan;
	const struct mke2fs_options *given = &m->passed;

	p->blocksize = blocksize(m, l);
	p->blocks = blocks(m, p->blocksize);
	p->bits64 = set & BITS64 || p->blocks > UINT32_MAX;
	p->cluster_blocks = set & BIGALLOC ?
		cluster_blocks(m, l, p->blocksize) : 1;
	p->inode_size = given->inode_size ? given->inode_size :
		number(m, l, "inode_size", DEFAULT_INODE_SIZE);
	p->inode_ratio = given->inode_ratio ? given->inode_ratio :
		number(m, l, "inode_ratio", DEFAULT_INODE_RATIO);
	p->inodes = inodes(m, p);
	p->flex_groups = !(set & FLEX_BG) ? 1 :
		given->flex_groups ? given->flex_groups :
		number(m, l, "flex_bg_size", DEFAULT_FLEX_GROUPS);
	p->resize_blocks = resize_blocks(m, p, set & RESIZE_INODE);
	p->sparse_super2 = set & SPARSE_SUPER2;
	p->backups = extended(m, "num_backup_sb",
			      number(m, l, "num_backup_sb", DEFAULT_BACKUPS));
	p->packed = extended(m, "packed_meta_blocks",
			     truth(m, l, "packed_meta_blocks"));
}

/* Where none is given, mke2fs adds a part of its own default journal. */
#define FAST_COMMIT_PART	64

static uint64_t fast_commit_blocks(const struct make *m,
				   const struct e2lazy_fs_plan *p)
{
	char *text = make_list_get(m->passed.journal, "fast_commit_size");
	int usual = ext2fs_default_journal_size(p->blocks);
	uint64_t kib = text ? strtoull(text, NULL, 0) : 0;

	free(text);
	if (kib)
		return kib < UINT32_MAX ? (kib << 10) / p->blocksize : kib;
	return usual > 0 ? usual / FAST_COMMIT_PART : 0;
}

/* ----------------------------------------------------------- unknown */

static void blur(struct make_layout *l, const char *what)
{
	if (!*l->blur)
		snprintf(l->blur, sizeof(l->blur), "%s", what);
}

/*
 * Without flex groups mke2fs may pack the tables or not, by its version; and
 * libext2fs moves the bitmaps of each group by the stride.
 */
static void note_no_flex_groups(const struct make *m, struct make_layout *l)
{
	if (l->plan.flex_groups > 1)
		return;
	if (l->plan.packed)
		blur(l, "packed_meta_blocks without flex groups");
	if (extended(m, "stride", 0))
		blur(l, "-E stride without flex groups");
}

/* Options that e2lazy_regions_planned() cannot follow. */
static void note_unknown(const struct make *m, struct make_layout *l,
			 unsigned set)
{
	static const char *const relations[] = { "options",
						 "journal_location" };
	char text[64];

	blur(l, m->passed.blur);
	for (unsigned i = 0; i < l->types.count; i++)
		if (!conf_has_type(&m->conf, l->types.at[i]) &&
		    strcmp(l->types.at[i], "default")) {
			snprintf(text, sizeof(text), "-T %.50s",
				 l->types.at[i]);
			blur(l, text);
		}
	for (size_t i = 0; i < sizeof(relations) / sizeof(*relations); i++)
		if (conf_get(&m->conf, &l->types, relations[i])) {
			snprintf(text, sizeof(text), "%s in mke2fs.conf",
				 relations[i]);
			blur(l, text);
		}
	if (set & META_BG)
		blur(l, "-O meta_bg");
	if (set & FAST_COMMIT)
		blur(l, "-O fast_commit");
	if (set & INLINE_DATA)
		blur(l, "-O inline_data");
	if (!(set & EXTENTS))
		blur(l, "-O ^extents");
	if (!(set & SPARSE_SUPER))
		blur(l, "-O ^sparse_super");
	note_no_flex_groups(m, l);
}

bool make_layout(struct make *m, const struct profile *profile,
		 uint64_t journal_blocks, uint64_t goal,
		 struct make_layout *l)
{
	unsigned set;

	memset(l, 0, sizeof(*l));
	if (!set_types(m, profile, l)) {
		session_fail(m->s, EXT2_ET_NO_MEMORY, NULL);
		return false;
	}
	set = all_features(m, l);
	set_plan(m, l, set);
	l->plan.journal_blocks = journal_blocks;
	l->plan.journal_goal = journal_goal(m, l, goal);
	if (set & FAST_COMMIT)
		l->fast_commit_blocks = fast_commit_blocks(m, &l->plan);
	note_unknown(m, l, set);
	return true;
}

void make_layout_free(struct make_layout *l)
{
	free(l->names);
	memset(l, 0, sizeof(*l));
}
