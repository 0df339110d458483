/* SPDX-License-Identifier: GPL-2.0-only */
/* fields.c - the places in a block of the numbers that matter most */
#include "input.h"

static const struct field jsb[] = {
	{ 0, 0, -4 }, { 4, 0, -4 }, { 0x0c, 0, -4 }, { 0x10, 0, -4 },
	{ 0x14, 0, -4 }, { 0x18, 0, -4 }, { 0x1c, 0, -4 }, { 0x20, 0, -4 },
	{ 0x24, 0, -4 }, { 0x28, 0, -4 }, { 0x2c, 0, -4 }, { 0x30, 0, -4 },
	{ 0x40, 0, -4 }, { 0x50, 0, 1 }, { 0x54, 0, -4 }, { 0x58, 0, -4 },
};
/* Header, count or first tag, and tags of all sizes. */
static const struct field control[] = {
	{ 0, 0, -4 }, { 4, 0, -4 }, { 8, 0, -4 }, { 12, 0, -4 },
	{ 16, 4, -4 }, { 16, 8, -4 }, { 18, 0, -2 }, { 28, 16, -4 },
	{ 32, 0, -4 }, { 34, 16, -2 }, { 50, 16, -2 }, { 44, 16, -4 },
	{ 0x30, 0, -4 }, { 0x34, 0, -4 }, { 0x38, 0, -4 }, { 36, 12, -4 },
	{ 42, 12, -2 },
};
static const struct field fast[] = {
	{ 0, 0, 2 }, { 2, 0, 2 }, { 4, 0, 4 }, { 8, 0, 4 }, { 12, 0, 2 },
	{ 14, 0, 2 }, { 16, 4, 4 }, { 14, 2, 2 },
};
static const struct field super[] = {
	{ 0x00, 0, 4 }, { 0x04, 0, 4 }, { 0x08, 0, 4 }, { 0x0c, 0, 4 },
	{ 0x10, 0, 4 }, { 0x14, 0, 4 }, { 0x18, 0, 4 }, { 0x1c, 0, 4 },
	{ 0x20, 0, 4 }, { 0x24, 0, 4 }, { 0x28, 0, 4 }, { 0x38, 0, 2 },
	{ 0x3a, 0, 2 }, { 0x4c, 0, 4 }, { 0x54, 0, 4 }, { 0x58, 0, 2 },
	{ 0x5c, 0, 4 }, { 0x60, 0, 4 }, { 0x64, 0, 4 }, { 0x68, 4, 4 },
	{ 0xce, 0, 2 }, { 0xd0, 4, 4 }, { 0xe0, 0, 4 }, { 0xe4, 0, 4 },
	{ 0xe8, 0, 4 }, { 0xfc, 0, 1 }, { 0xfd, 0, 1 }, { 0xfe, 0, 2 },
	{ 0x100, 0, 4 }, { 0x104, 0, 4 }, { 0x10c, 4, 4 }, { 0x150, 0, 4 },
	{ 0x154, 0, 4 }, { 0x158, 0, 4 }, { 0x15c, 0, 2 }, { 0x160, 0, 4 },
	{ 0x168, 0, 4 }, { 0x174, 0, 1 }, { 0x175, 0, 1 }, { 0x240, 0, 4 },
	{ 0x244, 0, 4 }, { 0x24c, 0, 4 }, { 0x250, 0, 4 }, { 0x268, 0, 4 },
	{ 0x270, 0, 4 }, { 0x280, 0, 4 },
};
static const struct field desc[] = {
	{ 0, 0, 4 }, { 4, 0, 4 }, { 8, 0, 4 }, { 12, 0, 2 }, { 14, 0, 2 },
	{ 0x12, 0, 2 }, { 0x1c, 0, 2 }, { 0x20, 0, 4 }, { 0x24, 0, 4 },
	{ 0x28, 0, 4 }, { 0, 64, 4 }, { 4, 64, 4 }, { 8, 64, 4 },
	{ 0x12, 64, 2 }, { 0x1c, 64, 2 }, { 0, 32, 4 }, { 8, 32, 4 },
};
/* Mode, sizes, links, flags, the map and the node in it, extra size. */
static const struct field inodes[] = {
	{ 0x00, 256, 2 }, { 0x04, 256, 4 }, { 0x14, 256, 4 },
	{ 0x1a, 256, 2 }, { 0x1c, 256, 4 }, { 0x20, 256, 4 },
	{ 0x28, 256, 2 }, { 0x2a, 256, 2 }, { 0x2c, 256, 2 },
	{ 0x2e, 256, 2 }, { 0x30, 256, 4 }, { 0x34, 256, 4 },
	{ 0x38, 256, 2 }, { 0x3a, 256, 2 }, { 0x3c, 256, 4 },
	{ 0x40, 256, 4 }, { 0x54, 256, 4 }, { 0x58, 256, 4 },
	{ 0x5c, 256, 4 }, { 0x68, 256, 4 }, { 0x6c, 256, 4 },
	{ 0x76, 256, 2 }, { 0x80, 256, 2 }, { 0xa0, 256, 4 },
	{ 0xa4, 256, 2 },
};
static const struct field directory[] = {
	{ 0, 0, 4 }, { 4, 0, 2 }, { 6, 0, 1 }, { 7, 0, 1 }, { 8, 0, 1 },
	{ 12, 0, 4 }, { 16, 0, 2 }, { 18, 0, 1 }, { 24, 0, 4 }, { 28, 0, 2 },
	{ 0x1c, 0, 1 }, { 0x1d, 0, 1 }, { 0x1e, 0, 1 }, { 0x20, 0, 2 },
	{ 0x22, 0, 2 }, { 0x24, 0, 4 }, { 24, 12, 4 }, { 28, 12, 2 },
	{ 30, 12, 1 }, { 24, 16, 4 }, { 28, 16, 2 }, { 40, 8, 4 },
};
static const struct field extent[] = {
	{ 0, 0, 2 }, { 2, 0, 2 }, { 4, 0, 2 }, { 6, 0, 2 }, { 12, 12, 4 },
	{ 16, 12, 2 }, { 18, 12, 2 }, { 20, 12, 4 },
};
static const struct field words[] = {
	{ 0, 4, 4 }, { 0, 4, -4 }, { 0, 2, 2 },
};

#define LIST(array) { array, sizeof(array) / sizeof(*(array)) }
static const struct {
	const struct field *fields;
	unsigned	count;
} lists[NR_PARTS] = {
	[PART_JSB]		= LIST(jsb),
	[PART_CONTROL]		= LIST(control),
	[PART_FAST]		= LIST(fast),
	[PART_SUPER]		= LIST(super),
	[PART_DESC]		= LIST(desc),
	[PART_BLOCK_BITMAP]	= LIST(words),
	[PART_INODE_BITMAP]	= LIST(words),
	[PART_INODES]		= LIST(inodes),
	[PART_DIRECTORY]	= LIST(directory),
	[PART_EXTENT]		= LIST(extent),
	[PART_INDIRECT]		= LIST(words),
	[PART_XATTR]		= LIST(words),
	[PART_OTHER]		= LIST(words),
};

unsigned fields_of(enum part_kind kind, const struct field **fields)
{
	*fields = lists[kind].fields;
	return lists[kind].count;
}
