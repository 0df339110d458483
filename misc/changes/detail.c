/* SPDX-License-Identifier: GPL-2.0-only */
/* detail.c - a change in a word or two */
#include <stdio.h>
#include <string.h>

#include "detail.h"

typedef const struct e2lazy_inode_state state;

static void sizes(char *text, state *x, state *y)
{
	snprintf(text, DETAIL_TEXT, "%llu -> %llu",
		 (unsigned long long)x->size, (unsigned long long)y->size);
}

static void modes(char *text, state *x, state *y)
{
	snprintf(text, DETAIL_TEXT, "%04o -> %04o", x->mode & 07777,
		 y->mode & 07777);
}

static void owners(char *text, state *x, state *y)
{
	snprintf(text, DETAIL_TEXT, "%u:%u -> %u:%u", x->uid, x->gid, y->uid,
		 y->gid);
}

bool inode_time_text(char text[INSTANT_TEXT], struct e2lazy_time t)
{
	return t.sec > 0 &&
	       instant_text(text, (struct instant){ (uint64_t)t.sec,
						    (uint32_t)t.nsec });
}

static void add_time(char *text, const char *name, struct e2lazy_time x,
		     struct e2lazy_time y)
{
	char before[INSTANT_TEXT] = "-", after[INSTANT_TEXT] = "-";
	size_t used = strlen(text);

	if (x.sec == y.sec && x.nsec == y.nsec)
		return;
	inode_time_text(before, x);
	inode_time_text(after, y);
	snprintf(text + used, DETAIL_TEXT - used, "%s%s %s -> %s",
		 used ? ", " : "", name, before, after);
}

static void times(char *text, state *x, state *y)
{
	add_time(text, "mtime", x->mtime, y->mtime);
	add_time(text, "atime", x->atime, y->atime);
}

/* A new inode had no times before: its creation time is what it began with. */
static void first_times(char *text, state *y)
{
	add_time(text, "mtime", y->crtime, y->mtime);
}

static void begun(char *text, state *y)
{
	char time[INSTANT_TEXT];

	if (inode_time_text(time, y->dtime))
		snprintf(text, DETAIL_TEXT,
			 "state at the beginning: deleted %s", time);
	else
		snprintf(text, DETAIL_TEXT, "state at the beginning");
}

bool detail_text(char text[DETAIL_TEXT], const struct e2lazy_change *change)
{
	static void (*const makers[E2LAZY_NR_CHANGES])(char *, state *,
						       state *) = {
		[E2LAZY_RESIZED] = sizes,
		[E2LAZY_MODE] = modes,
		[E2LAZY_OWNER] = owners,
		[E2LAZY_TIMES] = times,
	};

	*text = '\0';
	if (makers[change->kind] && change->before && change->after)
		makers[change->kind](text, change->before, change->after);
	else if (change->kind == E2LAZY_TIMES && change->after)
		first_times(text, change->after);
	else if (change->kind == E2LAZY_STATE)
		begun(text, change->after);
	return *text;
}

void mode_text(char text[MODE_TEXT], unsigned mode)
{
	static const struct {
		unsigned	mode;
		char		letter;
	} types[] = {
		{ LINUX_S_IFREG, 'r' }, { LINUX_S_IFDIR, 'd' },
		{ LINUX_S_IFLNK, 'l' }, { LINUX_S_IFIFO, 'p' },
		{ LINUX_S_IFSOCK, 'h' }, { LINUX_S_IFBLK, 'b' },
		{ LINUX_S_IFCHR, 'c' },
	};
	static const char letters[] = "rwxrwxrwx";

	strcpy(text, "----------");
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if ((mode & LINUX_S_IFMT) == types[i].mode)
			text[0] = types[i].letter;
	for (unsigned i = 0; i < 9; i++)
		if (mode & 0400U >> i)
			text[1 + i] = letters[i];
	if (mode & LINUX_S_ISUID)
		text[3] = text[3] == 'x' ? 's' : 'S';
	if (mode & LINUX_S_ISGID)
		text[6] = text[6] == 'x' ? 's' : 'S';
	if (mode & LINUX_S_ISVTX)
		text[9] = text[9] == 'x' ? 't' : 'T';
}
