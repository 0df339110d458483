/* SPDX-License-Identifier: GPL-2.0-only */
/* area.c - fast-commit records, made one by one */

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "area.h"

#define POPULATE \
	"head -c 5000 /dev/zero | tr '\\0' x >%1$s.data && " \
	"printf 'write %1$s.data file\\nmkdir dir\\n" \
	"write %1$s.data dir/inner\\n' | " \
	"debugfs -w -f - %1$s >/dev/null 2>&1"

/* ------------------------------------------------------------- records */

static void put16(uint8_t *p, uint32_t v)
{
	p[0] = (uint8_t)v;
	p[1] = (uint8_t)(v >> 8);
}

static void put32(uint8_t *p, uint32_t v)
{
	put16(p, v);
	put16(p + 2, v >> 16);
}

/* A record does not cross a block: a pad, which must have room, fills it. */
static uint8_t *put(struct area *a, unsigned kind, unsigned length)
{
	size_t left = a->size - a->used % a->size;
	uint8_t *p;

	if (left < 4 + length + 4 && left != 4 + length) {
		put16(a->bytes + a->used, E2LAZY_FC_PAD);
		put16(a->bytes + a->used + 2, (uint32_t)left - 4);
		a->used += left;
	}
	p = a->bytes + a->used;
	put16(p, kind);
	put16(p + 2, length);
	a->used += 4 + length;
	ck_assert_uint_lt(a->used, sizeof(a->bytes));
	return p + 4;
}

struct area *area_begin(unsigned size)
{
	static struct area a;

	memset(&a, 0, sizeof(a));
	a.size = size;
	put32(put(&a, E2LAZY_FC_HEAD, 8) + 4, AREA_TID);
	return &a;
}

void area_name(struct area *a, unsigned kind, uint32_t parent, uint32_t ino,
	       const char *text)
{
	uint8_t *p = put(a, kind, 8 + (unsigned)strlen(text));

	put32(p, parent);
	put32(p + 4, ino);
	memcpy(p + 8, text, strlen(text));
}

uint8_t *area_inode(struct area *a, uint32_t ino, uint32_t mode, uint32_t links,
		    uint32_t size, uint32_t generation)
{
	uint8_t *p = put(a, E2LAZY_FC_INODE, 4 + 160);

	put32(p, ino);
	p += 4;
	put16(p, mode);
	put32(p + 0x04, size);
	for (unsigned at = 0x08; at <= 0x10; at += 4)
		put32(p + at, AREA_TIME);
	put16(p + 0x1a, links);
	put32(p + 0x20, EXT4_EXTENTS_FL);
	put32(p + 0x64, generation);
	put16(p + 0x80, 32);
	return p;
}

void area_long_inode(struct area *a, uint32_t ino, uint32_t bytes)
{
	put32(put(a, E2LAZY_FC_INODE, 4 + bytes), ino);
}

void area_range(struct area *a, uint32_t ino, uint32_t lblk, uint32_t count,
		uint32_t fsblk)
{
	uint8_t *p = put(a, E2LAZY_FC_ADD_RANGE, 16);

	put32(p, ino);
	put32(p + 4, lblk);
	put16(p + 8, count);
	put32(p + 12, fsblk);
}

void area_hole(struct area *a, uint32_t ino, uint32_t lblk, uint32_t count)
{
	uint8_t *p = put(a, E2LAZY_FC_DEL_RANGE, 12);

	put32(p, ino);
	put32(p + 4, lblk);
	put32(p + 8, count);
}

/* The rest of the block belongs to the tail. */
void area_tail(struct area *a)
{
	size_t left = a->size - a->used % a->size;
	uint8_t *p = put(a, E2LAZY_FC_TAIL,
			 left < 12 ? a->size - 4 : (unsigned)left - 4);

	put32(p, AREA_TID);
	put32(p + 4, ext2fs_crc32c_le(0, a->bytes + a->sealed,
				      (size_t)(p + 4 - a->bytes) - a->sealed));
	a->sealed = a->used;
}

/* ------------------------------------------------------------ the image */

void area_populate(struct fixture *f)
{
	shell(f, POPULATE);
}

struct fixture *area_populated(const char *mke2fs, const char *more)
{
	struct fixture *f = new_fixture();

	make_image(f, "64M", mke2fs, "");
	area_populate(f);
	if (more)
		shell(f, more);
	write_log(f, AREA_LOG);
	return f;
}

void area_patch(const char *path, const void *bytes, size_t count,
		int64_t at)
{
	int fd = open(path, O_WRONLY);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(pwrite(fd, bytes, count, at), (ssize_t)count);
	close(fd);
}

void area_write(struct fixture *f, const struct area *a,
		const struct e2lazy_open_opts *opts)
{
	const struct e2lazy_geometry *g;
	blk64_t at;

	if (opts)
		ck_assert_int_eq(try_open(f, opts), 0);
	read_map(f, E2LAZY_JMAP_CSUMS, 0);
	g = e2lazy_geometry(f->journal);
	for (uint32_t i = 0; i * a->size < a->used; i++) {
		ck_assert_int_eq(e2lazy_physblk(f->journal, g->fc_first + i,
						&at), 0);
		area_patch(g->external ? f->device : f->image,
			   a->bytes + (size_t)i * a->size, a->size,
			   (int64_t)(at * a->size));
	}
}
