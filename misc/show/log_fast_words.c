/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * log_fast_words.c - a record of the fast-commit area as an English sentence
 *
 * The sentence is data, like a kind: it is the same in every language.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "log.h"
#include "io/bytes.h"
#include "session/names.h"

/* Bytes of a record before its name: two inode numbers. */
#define NAME_AT		8

/* Offsets in struct ext2_inode_large; the record holds it behind its number. */
#define INODE_AT	4
#define MODE		0x00
#define UID		0x02
#define SIZE		0x04
#define MTIME		0x10
#define GID		0x18
#define LINKS		0x1a
#define FLAGS		0x20
#define GENERATION	0x64
#define SIZE_HIGH	0x6c
#define UID_HIGH	0x78
#define GID_HIGH	0x7a

/* The text so far; it stops growing when @room is used up. */
struct sentence {
	char	*to;
	size_t	room, length;
};

static void add(struct sentence *w, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add(struct sentence *w, const char *format, ...)
{
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(w->to + w->length, w->room - w->length, format, args);
	va_end(args);
	if (n > 0)
		w->length += (size_t)n < w->room - w->length ?
			     (size_t)n : w->room - w->length - 1;
}

/* A name may hold any byte, also a NUL. */
static void add_quoted(struct sentence *w, const struct e2lazy_fc_record *r)
{
	size_t n = r->length - NAME_AT;

	add(w, "\"");
	if (n < w->room - w->length) {
		memcpy(w->to + w->length, r->name, n);
		w->length += n;
	}
	add(w, "\"");
}

static const char *type_name(uint32_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG:	return "a regular file";
	case S_IFDIR:	return "a directory";
	case S_IFLNK:	return "a symbolic link";
	case S_IFCHR:	return "a character device";
	case S_IFBLK:	return "a block device";
	case S_IFIFO:	return "a FIFO";
	case S_IFSOCK:	return "a socket";
	}
	return "of no known type";
}

static void say_range(struct sentence *w, uint64_t first, uint64_t count)
{
	add(w, "%s %llu", count == 1 ? "block" : "blocks",
	    (unsigned long long)first);
	if (count != 1)
		add(w, " to %llu", (unsigned long long)(first + count - 1));
}

static void say_add_range(struct sentence *w, const struct e2lazy_fc_record *r)
{
	add(w, "inode %u maps its ", r->ino);
	say_range(w, r->lblk, r->len);
	add(w, " to ");
	say_range(w, r->pblk, r->len);
	add(w, r->unwritten ? ", unwritten" : "");
}

static void say_del_range(struct sentence *w, const struct e2lazy_fc_record *r)
{
	add(w, "inode %u loses its ", r->ino);
	say_range(w, r->lblk, r->len);
}

static void say_creat(struct sentence *w, const struct e2lazy_fc_record *r)
{
	add(w, "directory %u names the new inode %u ", r->parent, r->ino);
	add_quoted(w, r);
}

static void say_link(struct sentence *w, const struct e2lazy_fc_record *r)
{
	add(w, "directory %u names inode %u ", r->parent, r->ino);
	add_quoted(w, r);
}

static void say_unlink(struct sentence *w, const struct e2lazy_fc_record *r)
{
	add(w, "directory %u no longer names inode %u ", r->parent, r->ino);
	add_quoted(w, r);
}

static void say_inode(struct sentence *w, const struct e2lazy_fc_record *r)
{
	const uint8_t *i = r->value + INODE_AT;
	uint32_t mode = get_le16(i + MODE), links = get_le16(i + LINKS);
	time_t changed = (time_t)(int32_t)get_le32(i + MTIME);
	char when[32] = "?";
	struct tm tm;

	if (gmtime_r(&changed, &tm))
		strftime(when, sizeof(when), "%Y-%m-%dT%H:%M:%SZ", &tm);
	add(w, "inode %u is %s, mode %04o, owner %u:%u, %u %s, %llu bytes, "
	    "modified %s, flags 0x%x, generation 0x%x",
	    r->ino, type_name(mode), mode & 07777,
	    get_le16(i + UID) | get_le16(i + UID_HIGH) << 16,
	    get_le16(i + GID) | get_le16(i + GID_HIGH) << 16,
	    links, links == 1 ? "link" : "links",
	    (unsigned long long)get_le32(i + SIZE_HIGH) << 32 |
	    get_le32(i + SIZE),
	    when, get_le32(i + FLAGS), get_le32(i + GENERATION));
}

static void say_pad(struct sentence *w, const struct e2lazy_fc_record *r)
{
	add(w, "%u bytes without meaning", r->length);
}

static void say_tail(struct sentence *w, const struct e2lazy_fc_record *r)
{
	add(w, "a fast commit of transaction %u ends, checksum %s", r->tid,
	    csum_name(r->csum));
}

static void say_head(struct sentence *w, const struct e2lazy_fc_record *r)
{
	add(w, "fast commits of transaction %u begin", r->tid);
}

static void (*const say[])(struct sentence *, const struct e2lazy_fc_record *) = {
	[E2LAZY_FC_ADD_RANGE]	= say_add_range,
	[E2LAZY_FC_DEL_RANGE]	= say_del_range,
	[E2LAZY_FC_CREAT]	= say_creat,
	[E2LAZY_FC_LINK]	= say_link,
	[E2LAZY_FC_UNLINK]	= say_unlink,
	[E2LAZY_FC_INODE]	= say_inode,
	[E2LAZY_FC_PAD]		= say_pad,
	[E2LAZY_FC_TAIL]	= say_tail,
	[E2LAZY_FC_HEAD]	= say_head,
};

size_t fc_words(const struct e2lazy_fc_record *r, char *to, size_t room)
{
	struct sentence w = { .to = to, .room = room };

	to[0] = '\0';
	say[r->kind](&w, r);
	return w.length;
}
