/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * command.c - the command line of mke2fs
 *
 * The relations of the profile are options in it, so that it needs no other
 * mke2fs.conf(5).  The user's options follow them, and win.  It has at most one
 * -T, -J, -O and -E: of several the last one counts.
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

/* What mke2fs fixes at random, and a plan has the same each time. */
#define TRIAL_UUID	"3f2c1d60-7d0b-4c4e-9f0a-6f5c2f0a7e11"

static void add_start(const struct make *m, const struct make_mke2fs *how,
		      struct words *words)
{
	words_add(words, "mke2fs");
	if (how->trial || m->s->print.progress.quiet)
		words_add(words, "-q");
	if (how->trial || m->force)
		words_add(words, "-F");
	if (m->undo && !how->trial)
		words_list(words, "-z", m->undo, NULL);
	words_list(words, "-t", "ext4", NULL);
	if (how->trial)
		words_list(words, "-U", TRIAL_UUID, NULL);
	if (m->passed.types)
		words_list(words, "-T", m->passed.types, NULL);
}

static void add_journal(const struct make *m, const struct make_mke2fs *how,
			struct words *words)
{
	struct list journal = { .failed = false };
	char *location = make_list_get(m->passed.journal, "location");

	if (how->journal)
		list_add(&journal, "size=%llu",
			 (unsigned long long)(how->journal / MIB));
	if (how->goal != UINT64_MAX && !location)
		list_add(&journal, "location=%llu",
			 (unsigned long long)how->goal);
	if (m->passed.journal)
		list_add(&journal, "%s", m->passed.journal);
	free(location);
	add_option(words, "-J", &journal);
}

/*
 * True if @r is a word of -E.  A type that the user names is there for its number
 * of inodes, mostly.
 */
static bool add_relation(const struct make *m, const struct profile_relation *r,
			 struct words *words, struct list *features)
{
	char *without = make_list_get(m->passed.features, "^flex_bg");

	if (!strcmp(r->name, "flex_bg_size") && !without)
		words_list(words, "-G", r->value, NULL);
	else if (!strcmp(r->name, "inode_ratio") && !m->passed.types)
		words_list(words, "-i", r->value, NULL);
	else if (!strcmp(r->name, "features"))
		list_add(features, "%s", r->value);
	free(without);
	return strcmp(r->name, "flex_bg_size") &&
	       strcmp(r->name, "inode_ratio") && strcmp(r->name, "features");
}

/* mke2fs gets these itself from a device, but not from a file in memory. */
static void add_topology(const struct make *m, const struct make_mke2fs *how,
			 struct list *extended)
{
	char *given = make_list_get(m->passed.extended, "stride");

	if (how->stride && !given)
		list_add(extended, "stride=%u", how->stride);
	free(given);
	given = make_list_get(m->passed.extended, "stripe_width");
	if (!given)
		given = make_list_get(m->passed.extended, "stripe-width");
	if (how->stripe && !given)
		list_add(extended, "stripe_width=%u", how->stripe);
	free(given);
}

static void add_lists(const struct make *m, const struct make_mke2fs *how,
		      struct words *words)
{
	const struct profile_relation *r = how->profile->relations;
	struct list features = { .failed = false };
	struct list extended = { .failed = false };

	if (how->trial)
		list_add(&extended, "hash_seed=%s", TRIAL_UUID);
	for (; r->name; r++)
		if (add_relation(m, r, words, &features))
			list_add(&extended, "%s=%s", r->name, r->value);
	add_topology(m, how, &extended);
	if (m->passed.features)
		list_add(&features, "%s", m->passed.features);
	if (m->passed.extended)
		list_add(&extended, "%s", m->passed.extended);
	if (how->extended)
		list_add(&extended, "%s", how->extended);
	add_option(words, "-O", &features);
	add_option(words, "-E", &extended);
}

static void add_end(const struct make *m, const struct make_mke2fs *how,
		    struct words *words)
{
	const struct words *rest = how->trial ? &m->passed.plan :
						&m->passed.rest;
	const char *target = how->target ? how->target : m->s->device;

	for (size_t i = 0; i < rest->count; i++)
		words_add(words, "%s", rest->at[i]);
	/* A name that begins with a dash must not be an option. */
	if (*target == '-')
		words_add(words, "--");
	words_add(words, "%s", target);
	if (m->size)
		words_add(words, "%lluK", (unsigned long long)m->size >> 10);
}

void make_mke2fs(const struct make *m, const struct make_mke2fs *how,
		 struct words *words)
{
	add_start(m, how, words);
	add_journal(m, how, words);
	add_lists(m, how, words);
	add_end(m, how, words);
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

bool make_command(struct make *m, const struct make_mke2fs *how)
{
	make_mke2fs(m, how, &m->command);
	if (m->mark)
		add_marking(m, &m->marking);
	if (!m->command.failed && !m->marking.failed)
		return true;
	session_fail(m->s, EXT2_ET_NO_MEMORY, NULL);
	return false;
}
