/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * passed.c - the options after "--", which are for mke2fs
 *
 * mke2fs itself says what they mean.  This file joins the lists that mke2lazy
 * passes, too, because mke2fs takes one -T, and up to 1.47.3 it forgets all but
 * the last -E; and it refuses what belongs to mke2lazy.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "make.h"
#include "support/nls.h"

enum how {
	PASS,			/* passed on as it is */
	SKIP,			/* the same, but not for a plan: it reads the
				   device or other files, or only prints */
	MERGE,			/* joined with our own */
	TYPE,			/* must be ext4 */
	REFUSE,
};

struct passed_option {
	char		letter;
	bool		arg;
	enum how	how;
	const char	*why;	/* of a refusal */
};

/* Any other letter is passed on with what follows it in the same word. */
static const struct passed_option options[] = {
	{ 'b', true, PASS, NULL }, { 'C', true, PASS, NULL },
	{ 'e', true, PASS, NULL }, { 'g', true, PASS, NULL },
	{ 'G', true, PASS, NULL }, { 'i', true, PASS, NULL },
	{ 'I', true, PASS, NULL }, { 'j', false, PASS, NULL },
	{ 'K', false, PASS, NULL }, { 'l', true, PASS, NULL },
	{ 'L', true, PASS, NULL }, { 'm', true, PASS, NULL },
	{ 'M', true, PASS, NULL }, { 'N', true, PASS, NULL },
	{ 'o', true, PASS, NULL }, { 'r', true, PASS, NULL },
	{ 'U', true, PASS, NULL },
	{ 'c', false, SKIP, NULL }, { 'd', true, SKIP, NULL },
	{ 'D', false, SKIP, NULL }, { 'v', false, SKIP, NULL },
	{ 'E', true, MERGE, NULL }, { 'J', true, MERGE, NULL },
	{ 'O', true, MERGE, NULL }, { 'T', true, MERGE, NULL },
	{ 't', true, TYPE, NULL },
	{ 'F', false, REFUSE, N_("give it to mke2lazy, before '--'") },
	{ 'n', false, REFUSE, N_("give it to mke2lazy, before '--'") },
	{ 'q', false, REFUSE, N_("give it to mke2lazy, before '--'") },
	{ 'z', true, REFUSE, N_("give it to mke2lazy, before '--'") },
	{ 'R', true, REFUSE, N_("the old name of -E") },
	{ 's', true, REFUSE, N_("the old name of -O sparse_super") },
	{ 'S', false, REFUSE, N_("it repairs a file system and does not make "
				 "one") },
	{ 'V', false, REFUSE, N_("it does not make a file system") },
	{ '-', false, REFUSE, N_("mke2lazy names the device itself") },
	{ 0 }
};

/* Words of a list that are refused. */
static const struct { char letter; const char *word, *why; } refused[] = {
	{ 'E', "offset",
	  N_("the file system must begin where the device begins") },
	{ 'J', "size", N_("give it to mke2lazy, as --journal-size") },
	{ 'J', "device",
	  N_("an external journal is as large as its device") },
	{ 'O', "^has_journal",
	  N_("mke2lazy does nothing without a journal") },
	{ 'O', "journal_dev",
	  N_("it makes a journal, not a file system") },
};

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

/* ------------------------------------------------------------- lists */

/* Does the list's first word have this name? */
static bool is_named(const char *list, const char *name)
{
	size_t length = strlen(name);

	return strcspn(list, "=,") == length && !strncmp(list, name, length);
}

char *make_list_get(const char *list, const char *name)
{
	char *value = NULL;

	/* The last one counts. */
	for (; list && *list; list += *list == ',') {
		size_t n = strcspn(list, ","), key = strcspn(list, "=,");

		if (is_named(list, name)) {
			free(value);
			value = key == n ? strdup("") :
				strndup(list + key + 1, n - key - 1);
		}
		list += n;
	}
	return value;
}

static bool check_list(struct make *m, char letter, const char *list)
{
	for (; *list; list += *list == ',') {
		for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++)
			if (refused[i].letter == letter &&
			    is_named(list, refused[i].word))
				return refuse(m, letter, refused[i].word,
					      _(refused[i].why));
		list += strcspn(list, ",");
	}
	return true;
}

static bool merge(struct make *m, char letter, const char *arg)
{
	struct passed *p = &m->passed;
	char **list = letter == 'E' ? &p->extended :
		      letter == 'J' ? &p->journal :
		      letter == 'O' ? &p->features : &p->types, *longer;

	if (!check_list(m, letter, arg))
		return false;
	if (asprintf(&longer, "%s%s%s", *list ? *list : "", *list ? "," : "",
		     arg) < 0)
		return no_memory(m);
	free(*list);
	*list = longer;
	return true;
}

/* ------------------------------------------------------------- options */

static bool pass_on(struct make *m, int letter, const char *arg, bool plan)
{
	struct words *all[] = { &m->passed.rest, plan ? &m->passed.plan : NULL };

	for (size_t i = 0; i < 2 && all[i]; i++) {
		words_add(all[i], "-%c", letter);
		if (arg)
			words_add(all[i], "%s", arg);
		if (all[i]->failed)
			return no_memory(m);
	}
	return true;
}

static bool take(struct make *m, const struct passed_option *o, const char *arg)
{
	switch (o->how) {
	case REFUSE:
		return refuse(m, o->letter, NULL, _(o->why));
	case MERGE:
		return merge(m, o->letter, arg);
	case TYPE:
		/* mke2lazy passes -t itself. */
		return !strcmp(arg, "ext4") ||
		       session_wrong(m->s, _("-- -%c: '%s' is not %s"),
				     o->letter, arg,
				     _("ext4, the only type that mke2lazy "
				       "makes"));
	case SKIP:
	case PASS:
		break;
	}
	return pass_on(m, o->letter, arg, o->how == PASS);
}

static const struct passed_option *find(char letter)
{
	const struct passed_option *o = options;

	while (o->letter && o->letter != letter)
		o++;
	return o->letter ? o : NULL;
}

/* Take all letters of @words[*at], and the next word if it is an argument. */
static bool take_word(struct make *m, char **words, int count, int *at)
{
	for (const char *p = words[*at] + 1; *p; p++) {
		const struct passed_option *o = find(*p);
		const char *arg = NULL;

		if (!o)
			return pass_on(m, *p, p[1] ? p + 1 : NULL, true);
		if (o->arg && p[1])
			arg = p + 1;
		else if (o->arg && *at + 1 < count)
			arg = words[++*at];
		else if (o->arg && o->how != REFUSE)
			return refuse(m, *p, NULL, _("it needs an argument"));
		if (!take(m, o, arg))
			return false;
		if (o->arg)
			break;
	}
	return true;
}

bool make_take_passed(struct make *m, int count, char **words)
{
	for (int i = 1; i < count; i++) {
		if (words[i][0] != '-' || !words[i][1])
			return session_wrong(m->s,
					     _("'%s': only options of mke2fs "
					       "may follow '--'; device and "
					       "size go before it"), words[i]);
		if (!take_word(m, words, count, &i))
			return false;
	}
	return true;
}

void make_free_passed(struct passed *p)
{
	free(p->types);
	free(p->features);
	free(p->extended);
	free(p->journal);
	words_free(&p->rest);
	words_free(&p->plan);
}
