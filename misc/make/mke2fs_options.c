/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mke2fs_options.c - the options behind "--", which are for mke2fs
 *
 * mke2lazy understands the options that decide the layout, or calls the layout
 * unknown.  It merges or refuses the options that it passes itself.  mke2fs
 * takes one -T, and up to 1.47.3 it forgets all but the last -E.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "make.h"
#include "support/nls.h"
#include "support/status.h"

enum how {
	PASS,			/* passed on; does not affect the layout */
	BLUR,			/* passed on; makes the layout unknown */
	TAKE,			/* understood, and passed on */
	MERGE,			/* merged with our own */
	REFUSE,
};

struct mke2fs_option {
	char		letter;
	bool		arg;
	enum how	how;
	const char	*why;	/* of a refusal; or the kind of argument */
};

static const struct mke2fs_option options[] = {
	{ 'b', true, TAKE, N_("a block size of ext4") },
	{ 'C', true, TAKE, N_("a size") },
	{ 'G', true, TAKE, N_("a power of two") },
	{ 'i', true, TAKE, N_("a number of bytes") },
	{ 'I', true, TAKE, N_("a number of bytes") },
	{ 'N', true, TAKE, N_("a number of inodes") },
	{ 'E', true, MERGE, NULL },
	{ 'J', true, MERGE, NULL },
	{ 'O', true, MERGE, NULL },
	{ 'T', true, MERGE, NULL },
	{ 't', true, TAKE, N_("ext4, the only type that mke2lazy makes") },
	{ 'g', true, BLUR, NULL },
	{ 'r', true, BLUR, NULL },
	{ 'l', true, BLUR, NULL },
	{ 'c', false, BLUR, NULL },
	{ 'd', true, PASS, NULL },
	{ 'D', false, PASS, NULL },
	{ 'e', true, PASS, NULL },
	{ 'j', false, PASS, NULL },
	{ 'K', false, PASS, NULL },
	{ 'L', true, PASS, NULL },
	{ 'm', true, PASS, NULL },
	{ 'M', true, PASS, NULL },
	{ 'o', true, PASS, NULL },
	{ 'U', true, PASS, NULL },
	{ 'v', false, PASS, NULL },
	{ 'F', false, REFUSE, N_("give it to mke2lazy, before '--'") },
	{ 'n', false, REFUSE, N_("give it to mke2lazy, before '--'") },
	{ 'q', false, REFUSE, N_("give it to mke2lazy, before '--'") },
	{ 'z', true, REFUSE, N_("give it to mke2lazy, before '--'") },
	{ 'R', true, REFUSE, N_("the old name of -E") },
	{ 's', true, REFUSE, N_("the old name of -O sparse_super") },
	{ 'S', false, REFUSE, N_("it repairs a file system and does not make "
				 "one") },
	{ 'V', false, REFUSE, N_("it does not make a file system") },
};
#define NR_OPTIONS	(sizeof(options) / sizeof(*options))

/* The keys of -E or -J that are not passed on. */
struct mke2fs_key {
	char		letter;		/* of the option */
	const char	*key;
	enum how	how;
	const char	*why;
};

static const struct mke2fs_key keys[] = {
	{ 'E', "packed_meta_blocks", TAKE, NULL },
	{ 'E', "num_backup_sb", TAKE, NULL },
	{ 'E', "resize", TAKE, NULL },
	{ 'E', "stride", PASS, NULL },
	{ 'E', "stripe_width", PASS, NULL },
	{ 'E', "stripe-width", PASS, NULL },
	{ 'E', "discard", PASS, NULL },
	{ 'E', "nodiscard", PASS, NULL },
	{ 'E', "lazy_itable_init", PASS, NULL },
	{ 'E', "lazy_journal_init", PASS, NULL },
	{ 'E', "assume_storage_prezeroed", PASS, NULL },
	{ 'E', "hash_seed", PASS, NULL },
	{ 'E', "root_owner", PASS, NULL },
	{ 'E', "root_perms", PASS, NULL },
	{ 'E', "test_fs", PASS, NULL },
	{ 'E', "quotatype", PASS, NULL },
	{ 'E', "mmp_update_interval", PASS, NULL },
	{ 'E', "encoding", PASS, NULL },
	{ 'E', "encoding_flags", PASS, NULL },
	{ 'E', "no_copy_xattrs", PASS, NULL },
	{ 'E', "orphan_file_size", PASS, NULL },
	{ 'E', "offset", REFUSE,
	  N_("the file system must begin where the device begins") },
	{ 'J', "size", REFUSE,
	  N_("give it to mke2lazy, as --journal-size") },
	{ 'J', "device", REFUSE,
	  N_("an external journal is as large as its device") },
	{ 'J', "location", TAKE, NULL },
	{ 'J', "fast_commit_size", BLUR, NULL },
	{ 'J', "v1_superblock", PASS, NULL },
	{ 'O', "^has_journal", REFUSE,
	  N_("mke2lazy does nothing without a journal") },
	{ 'O', "journal_dev", REFUSE,
	  N_("it makes a journal, not a file system") },
};
#define NR_KEYS		(sizeof(keys) / sizeof(*keys))

static const struct mke2fs_option *find_option(int letter)
{
	for (size_t i = 0; i < NR_OPTIONS; i++)
		if (options[i].letter == letter)
			return &options[i];
	return NULL;
}

static bool refuse(struct make *m, int letter, const char *what,
		   const char *why)
{
	if (what)
		return session_wrong(m->s, _("-- -%c %s: %s"), letter, what,
				     why);
	return session_wrong(m->s, "-- -%c: %s", letter, why);
}

static bool no_memory(struct make *m)
{
	session_fail(m->s, EXT2_ET_NO_MEMORY, NULL);
	return false;
}

static void blur(struct make *m, int letter, const char *key)
{
	if (!*m->passed.blur)
		snprintf(m->passed.blur, sizeof(m->passed.blur), "-%c%s%.50s",
			 letter, *key ? " " : "", key);
}

/* ------------------------------------------------------------- lists */

/* The first word of "a=1,b": its length and the length of its name. */
static size_t list_word(const char *list, size_t *name)
{
	size_t n = strcspn(list, ",");

	*name = strcspn(list, "=,");
	return n;
}

char *make_list_get(const char *list, const char *key)
{
	size_t n, name;
	char *value = NULL;

	/* The last one counts. */
	for (; list && *list; list += n + (list[n] == ',')) {
		n = list_word(list, &name);
		if (name != strlen(key) || strncmp(list, key, name))
			continue;
		free(value);
		value = name == n ? strdup("") :
			strndup(list + name + 1, n - name - 1);
	}
	return value;
}

static const struct mke2fs_key *find_key(char letter, const char *word,
					 size_t length)
{
	for (size_t i = 0; i < NR_KEYS; i++)
		if (keys[i].letter == letter &&
		    strlen(keys[i].key) == length &&
		    !strncmp(keys[i].key, word, length))
			return &keys[i];
	return NULL;
}

/* layout.c judges unknown features. */
static bool check_word(struct make *m, char letter, const char *word,
		       size_t length)
{
	const struct mke2fs_key *key = find_key(letter, word, length);
	char text[48];

	snprintf(text, sizeof(text), "%.*s", (int)length, word);
	if (key && key->how == REFUSE)
		return refuse(m, letter, text, _(key->why));
	if (key ? key->how == BLUR : letter == 'E' || letter == 'J')
		blur(m, letter, text);
	return true;
}

static bool check_list(struct make *m, char letter, const char *list)
{
	size_t n, name;

	for (; *list; list += n + (list[n] == ',')) {
		n = list_word(list, &name);
		if (n && !check_word(m, letter, list, name))
			return false;
	}
	return true;
}

static char **list_of(struct mke2fs_options *p, char letter)
{
	return letter == 'E' ? &p->extended : letter == 'J' ? &p->journal :
	       letter == 'O' ? &p->features : &p->types;
}

static bool merge(struct make *m, char letter, const char *arg)
{
	char **list = list_of(&m->passed, letter), *longer;

	if (!check_list(m, letter, arg))
		return false;
	if (asprintf(&longer, "%s%s%s", *list ? *list : "", *list ? "," : "",
		     arg) < 0)
		return no_memory(m);
	free(*list);
	*list = longer;
	return true;
}

/* ------------------------------------------------------------ numbers */

static bool is_power(uint64_t value)
{
	return value && !(value & (value - 1));
}

static bool take_size(const char *arg, uint64_t least, uint64_t most,
		      uint64_t *value)
{
	return parse_mke2fs_size(arg, value) && *value >= least && *value <= most;
}

static bool take(struct mke2fs_options *p, int letter, const char *arg)
{
	uint64_t value;

	switch (letter) {
	case 't':
		return !strcmp(arg, "ext4");
	case 'b':
		if (!take_size(arg, EXT2_MIN_BLOCK_SIZE, EXT2_MAX_BLOCK_SIZE,
			       &value) || !is_power(value))
			return false;
		p->blocksize = value;
		return true;
	case 'C':
		return take_size(arg, EXT2_MIN_CLUSTER_SIZE,
				 EXT2_MAX_CLUSTER_SIZE, &p->cluster);
	case 'G':
		if (!parse_number(arg, 1 << 30, &value) || !is_power(value))
			return false;
		p->flex_groups = value;
		return true;
	case 'i':
		return parse_number(arg, 64 << 20, &p->inode_ratio) &&
		       p->inode_ratio;
	case 'N':
		return parse_number(arg, UINT32_MAX, &p->inodes) && p->inodes;
	case 'I':
		if (!parse_number(arg, EXT2_MAX_BLOCK_SIZE, &value) ||
		    !is_power(value))
			return false;
		p->inode_size = value;
		return true;
	}
	return false;
}

static bool pass_on(struct make *m, int letter, const char *arg)
{
	struct words *rest = &m->passed.rest;

	words_add(rest, "-%c", letter);
	if (arg)
		words_add(rest, "%s", arg);
	return !rest->failed || no_memory(m);
}

static bool take_option(struct make *m, int letter, const char *arg)
{
	const struct mke2fs_option *o = find_option(letter);

	if (!o)
		return refuse(m, letter, NULL,
			      _("mke2lazy does not know this option of "
				"mke2fs"));
	switch (o->how) {
	case REFUSE:
		return refuse(m, letter, NULL, _(o->why));
	case MERGE:
		return merge(m, letter, arg);
	case TAKE:
		if (!take(&m->passed, letter, arg))
			return session_wrong(m->s, _("-- -%c: '%s' is not %s"),
					     letter, arg, _(o->why));
		/* mke2lazy passes -t itself. */
		return letter == 't' || pass_on(m, letter, arg);
	case BLUR:
		blur(m, letter, "");
		break;
	case PASS:
		break;
	}
	return pass_on(m, letter, arg);
}

bool mke2fs_options_read(struct make *m, int count, char **words)
{
	char letters[3 + 2 * NR_OPTIONS], *to = letters;
	int letter;

	*to++ = '+';
	*to++ = ':';
	for (size_t i = 0; i < NR_OPTIONS; i++) {
		*to++ = options[i].letter;
		if (options[i].arg)
			*to++ = ':';
	}
	*to = 0;
	opterr = 0;
	optind = 0;
	while ((letter = getopt(count, words, letters)) != -1) {
		if (letter == ':')
			return refuse(m, optopt, NULL,
				      _("it needs an argument"));
		if (!take_option(m, letter == '?' ? optopt : letter, optarg))
			return false;
	}
	if (optind == count)
		return true;
	return session_wrong(m->s, _("'%s': only options of mke2fs may follow "
				     "'--'; device and size go before it"),
			     words[optind]);
}

void mke2fs_options_free(struct mke2fs_options *p)
{
	free(p->types);
	free(p->features);
	free(p->extended);
	free(p->journal);
	words_free(&p->rest);
}
