/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * filter.c - which deleted files are asked for
 */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "support/nls.h"
#include "undelete.h"

static const struct {
	unsigned	mode;
	char		letter;
} types[] = {
	{ LINUX_S_IFREG, 'f' }, { LINUX_S_IFDIR, 'd' }, { LINUX_S_IFLNK, 'l' },
	{ LINUX_S_IFIFO, 'p' }, { LINUX_S_IFSOCK, 's' },
	{ LINUX_S_IFBLK, 'b' }, { LINUX_S_IFCHR, 'c' },
};

char type_letter(unsigned mode)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if ((mode & LINUX_S_IFMT) == types[i].mode)
			return types[i].letter;
	return '?';
}

/* ------------------------------------------------------------- parsing */

static bool parse_sizes(const char *text, struct range *range)
{
	char first[64];
	const char *dash = strchr(text, '-');
	size_t length = dash ? (size_t)(dash - text) : strlen(text);

	if (length >= sizeof(first))
		return false;
	memcpy(first, text, length);
	first[length] = 0;
	if (!parse_size(first, &range->first))
		return false;
	range->last = UINT64_MAX;
	return !dash || parse_size(dash + 1, &range->last);
}

static bool known_types(const char *text)
{
	if (!*text)
		return false;
	for (; *text; text++) {
		size_t i = 0;

		while (i < sizeof(types) / sizeof(*types) &&
		       types[i].letter != *text)
			i++;
		if (i == sizeof(types) / sizeof(*types))
			return false;
	}
	return true;
}

static bool add_glob(struct session *s, struct filter *f, const char *glob)
{
	if (!session_has_room(s, "--path", f->nr_globs))
		return false;
	f->globs[f->nr_globs++] = glob;
	return true;
}

static bool add_uid(struct session *s, struct filter *f, const char *text)
{
	uint64_t uid;

	if (!parse_number(text, UINT32_MAX, &uid))
		return session_refuse(s, "--uid", text, _("a numeric user id"));
	if (!session_has_room(s, "--uid", f->nr_uids))
		return false;
	f->uids[f->nr_uids++] = (uint32_t)uid;
	return true;
}

bool filter_option(struct session *s, struct filter *f, int id,
		   const char *arg)
{
	switch (id) {
	case OPT_PATH:
		return add_glob(s, f, arg);
	case OPT_UID:
		return add_uid(s, f, arg);
	case OPT_SIZE:
		f->has_size = parse_sizes(arg, &f->size);
		return f->has_size ?
		       session_range(s, "--size", arg,
				     f->size.first <= f->size.last) :
		       session_refuse(s, "--size", arg,
				      _("a size or a range of sizes"));
	case OPT_SINCE:
		return session_since(s, arg, &f->times);
	case OPT_UNTIL:
		return session_until(s, arg, &f->times);
	case OPT_TYPE:
		f->types = arg;
		return known_types(arg) ||
		       session_refuse(s, "--type", arg,
				      _("a list of the letters fdlpsbc"));
	}
	return false;
}

/* ------------------------------------------------------------- matching */

bool filter_takes_uid(const struct filter *f, uint32_t uid)
{
	for (unsigned i = 0; i < f->nr_uids; i++)
		if (f->uids[i] == uid)
			return true;
	return !f->nr_uids;
}

bool filter_takes_inode(const struct filter *f, const struct e2lazy_deleted *d)
{
	if (f->types && !strchr(f->types, type_letter(d->mode)))
		return false;
	if (f->has_size && (d->size < f->size.first ||
			    d->size > f->size.last))
		return false;
	return filter_takes_uid(f, d->uid);
}

/* An unknown time is within no limit. */
bool filter_takes_time(const struct filter *f, struct instant at)
{
	return tid_time_in(&f->times, at);
}

bool filter_takes(const struct filter *f, const struct e2lazy_deleted *d)
{
	return filter_takes_inode(f, d) && filter_takes_time(f,
				(struct instant){ d->gone_sec, d->gone_nsec });
}

bool filter_takes_path(const struct filter *f, const char *path)
{
	for (unsigned i = 0; i < f->nr_globs; i++)
		if (!fnmatch(f->globs[i], path, FNM_LEADING_DIR))
			return true;
	return !f->nr_globs;
}
