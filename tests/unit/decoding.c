/* SPDX-License-Identifier: GPL-2.0-only */
/* decoding.c - one block of a file system that is a superblock only */

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "decoding.h"

struct struct_ext2_filsys fs;
struct ext2_super_block super;
struct decoded decoded;
uint8_t *block;
static uint8_t *guarded;	/* the pages with the block, and one behind */
static size_t pages;

void new_block(unsigned blocksize)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	if (guarded)
		munmap(guarded, pages + page);
	pages = (blocksize + page - 1) / page * page;
	guarded = mmap(NULL, pages + page, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(guarded, MAP_FAILED);
	ck_assert_int_eq(mprotect(guarded + pages, page, PROT_NONE), 0);
	block = guarded + pages - blocksize;
	fs.blocksize = blocksize;
	super.s_log_block_size = 0;
	while (1024U << super.s_log_block_size < blocksize)
		super.s_log_block_size++;
}

void decoding_begin(void)
{
	memset(&fs, 0, sizeof(fs));
	memset(&super, 0, sizeof(super));
	fs.super = &super;
	fs.group_desc_count = 3;
	super.s_magic = EXT2_SUPER_MAGIC;
	super.s_rev_level = EXT2_DYNAMIC_REV;
	super.s_inode_size = 256;
	super.s_inodes_per_group = 64;
	super.s_inodes_count = 3 * 64;
	super.s_blocks_per_group = 8192;
	super.s_clusters_per_group = 8192;
	super.s_blocks_count = 2 * 8192 + 101;
	super.s_first_data_block = 1;
	super.s_desc_size = 64;
	super.s_feature_incompat = EXT4_FEATURE_INCOMPAT_64BIT;
	new_block(1024);
}

void decoding_end(void)
{
	decoded_free(&decoded);
	memset(&decoded, 0, sizeof(decoded));
}

void put16(unsigned at, unsigned value)
{
	block[at] = (uint8_t)value;
	block[at + 1] = (uint8_t)(value >> 8);
}

void put32(unsigned at, uint32_t value)
{
	put16(at, value & 0xffff);
	put16(at + 2, value >> 16);
}

void decode_at(enum e2lazy_type type, blk64_t fsblk, dgrp_t group)
{
	struct decode_block b = {
		.fs = &fs, .fsblk = fsblk, .bytes = block,
		.place = { .type = type, .group = group, .ino = 17 },
	};

	decoded_free(&decoded);
	ck_assert_int_eq(decode_block(&b, &decoded), 0);
}

void decode(enum e2lazy_type type)
{
	decode_at(type, 100, 0);
}

const char *label(size_t record)
{
	ck_assert_uint_lt(record, decoded.nr_records);
	return decoded_text(&decoded, decoded.records[record].label);
}

const char *line(size_t record)
{
	static struct out out;

	ck_assert_uint_lt(record, decoded.nr_records);
	out_init(&out, -1);
	decoded_print_brief(&decoded, &decoded.records[record], &out);
	out.buf[out.used - 1] = '\0';	/* for the newline */
	return out.buf;
}

const struct decoded_field *field(size_t record, const char *name)
{
	const struct decoded_record *r = &decoded.records[record];

	ck_assert_uint_lt(record, decoded.nr_records);
	for (size_t i = r->first; i < r->first + r->count; i++)
		if (!strcmp(decoded.fields[i].name, name))
			return &decoded.fields[i];
	ck_abort_msg("%s has no %s", label(record), name);
	return NULL;
}

const char *text(size_t record, const char *name)
{
	const struct decoded_field *f = field(record, name);

	ck_assert(f->kind == VALUE_TEXT || f->kind == VALUE_NAME);
	return decoded_text(&decoded, f->text);
}
