/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * command.c - the command line of mke2fs
 *
 * It has one -T and at most one -E: of several the last one counts.  The type
 * of the size comes first in -T: -T replaces mke2fs's own choice, and without
 * it the inodes of an 8 TB disk would double.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "make.h"

#define MIB	((uint64_t)1 << 20)

/* A comma-separated list under construction. */
struct list {
	char	text[4096];
	bool	failed;		/* the list did not fit */
};

__attribute__((format(printf, 2, 3)))
static void list_add(struct list *list, const char *format, ...)
{
	size_t used = strlen(list->text), left = sizeof(list->text) - used;
	va_list args;
	int n;

	if (used && left > 1) {
		strcpy(list->text + used, ",");
		used++;
		left--;
	}
	va_start(args, format);
	n = vsnprintf(list->text + used, left, format, args);
	va_end(args);
	list->failed |= n < 0 || (size_t)n >= left;
}

static void add_option(struct words *words, const char *option,
		       const struct list *list)
{
	words->failed |= list->failed;
	if (!*list->text)
		return;
	words_list(words, option, list->text, NULL);
}

/* ---------------------------------------------------------- its parts */

static void add_start(const struct make *m, struct words *words)
{
	words_add(words, "mke2fs");
	if (m->s->print.progress.quiet)
		words_add(words, "-q");
	if (m->force)
		words_add(words, "-F");
	if (m->undo)
		words_list(words, "-z", m->undo, NULL);
	words_list(words, "-t", "ext4", NULL);
}

static void add_types(const struct make *m, const char *profile,
		      struct words *words)
{
	struct list types = { .failed = false };

	if (m->layout.size_type)
		list_add(&types, "%s", m->layout.size_type);
	if (profile && *profile)
		list_add(&types, "%s", profile);
	if (m->passed.types)
		list_add(&types, "%s", m->passed.types);
	if (!*types.text)
		list_add(&types, "default");
	add_option(words, "-T", &types);
}

static void add_journal(const struct make *m, struct words *words)
{
	struct list journal = { .failed = false };
	uint64_t goal = m->layout.plan.journal_goal;
	char *location = make_list_get(m->passed.journal, "location");

	list_add(&journal, "size=%llu",
		 (unsigned long long)(m->journal.bytes / MIB));
	if (goal != UINT64_MAX && !location)
		list_add(&journal, "location=%llu", (unsigned long long)goal);
	if (m->passed.journal)
		list_add(&journal, "%s", m->passed.journal);
	free(location);
	add_option(words, "-J", &journal);
}

static void add_end(const struct make *m, struct words *words)
{
	const struct words *rest = &m->passed.rest;

	for (size_t i = 0; i < rest->count; i++)
		words_add(words, "%s", rest->at[i]);
	/* A name that begins with a dash must not be an option. */
	if (*m->s->device == '-')
		words_add(words, "--");
	words_add(words, "%s", m->s->device);
	if (m->size)
		words_add(words, "%lluK", (unsigned long long)m->size >> 10);
}

/* ------------------------------------------------------------- by hand */

/*
 * The stanza of the profile as options: all values that differ from the
 * default.  The user's options follow and win.
 */
static void add_difference(const struct make *m, const struct make_layout *bare,
			   struct words *words)
{
	static const char *const flags[] = { "lazy_itable_init",
					     "lazy_journal_init" };
	const struct e2lazy_fs_plan *a = &m->layout.plan, *b = &bare->plan;
	struct list features = { .failed = false };
	struct list extended = { .failed = false };
	const char *value;

	if (a->flex_groups != b->flex_groups) {
		words_add(words, "-G");
		words_add(words, "%u", a->flex_groups);
	}
	if (a->inode_ratio != b->inode_ratio) {
		words_add(words, "-i");
		words_add(words, "%llu", (unsigned long long)a->inode_ratio);
	}
	if (a->sparse_super2 && !b->sparse_super2)
		list_add(&features, "sparse_super2");
	if (!a->resize_blocks && b->resize_blocks)
		list_add(&features, "^resize_inode");
	if (m->passed.features)
		list_add(&features, "%s", m->passed.features);
	add_option(words, "-O", &features);

	if (a->packed && !b->packed)
		list_add(&extended, "packed_meta_blocks=1");
	if (a->sparse_super2 && a->backups != b->backups)
		list_add(&extended, "num_backup_sb=%u", a->backups);
	for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); i++) {
		char *given = make_list_get(m->passed.extended, flags[i]);

		value = conf_get(&m->conf, &m->layout.types, flags[i]);
		if (value && !given)
			list_add(&extended, "%s=%s", flags[i], value);
		free(given);
	}
	if (m->passed.extended)
		list_add(&extended, "%s", m->passed.extended);
	add_option(words, "-E", &extended);
}

static bool by_hand(struct make *m)
{
	static const struct profile none = { .types = "" };
	struct words *words = &m->by_hand;
	struct make_layout bare;

	if (!make_layout(m, &none, 0, UINT64_MAX, &bare))
		return false;
	add_start(m, words);
	add_types(m, NULL, words);
	add_journal(m, words);
	add_difference(m, &bare, words);
	add_end(m, words);
	make_layout_free(&bare);
	return true;
}

/*
 * mke2fs cannot set s_mount_opts, so tune2fs does, with the same undo file.
 */
static void add_marking(const struct make *m, struct words *words)
{
	words_list(words, "tune2fs", "-E", "mount_opts=journal_lazy", NULL);
	if (m->undo)
		words_list(words, "-z", m->undo, NULL);
	if (*m->s->device == '-')
		words_add(words, "--");
	words_add(words, "%s", m->s->device);
}

bool make_command(struct make *m)
{
	struct words *words = &m->command;
	struct list features = { .failed = false };
	struct list extended = { .failed = false };

	add_start(m, words);
	add_types(m, m->profile->types, words);
	add_journal(m, words);
	if (m->passed.features)
		list_add(&features, "%s", m->passed.features);
	if (m->passed.extended)
		list_add(&extended, "%s", m->passed.extended);
	add_option(words, "-O", &features);
	add_option(words, "-E", &extended);
	add_end(m, words);
	if (!by_hand(m))
		return false;
	if (m->mark)
		add_marking(m, &m->marking);
	if (!words->failed && !m->by_hand.failed && !m->marking.failed)
		return true;
	session_fail(m->s, EXT2_ET_NO_MEMORY, NULL);
	return false;
}

char *make_stanzas(void)
{
	const struct profile *p;
	char *text = NULL, *stanza;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	bool ok = f != NULL;

	if (!f)
		return NULL;
	fputs("[fs_types]\n", f);
	for (p = profiles; ok && p->name; p++) {
		stanza = profile_stanza(p);
		ok = stanza && fputs(stanza, f) >= 0;
		free(stanza);
	}
	if (!fclose(f) && ok)
		return text;
	free(text);
	return NULL;
}
