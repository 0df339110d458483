/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * vpd.c - a drive's statements about itself: SCSI's vital product data
 *
 * Linux keeps the pages that it has read, and everybody may read them.  Page
 * B1h has the block device characteristics (SBC-4).  Page 89h has ATA's
 * IDENTIFY DEVICE (SAT-3, ACS-3 and -4), passed on by SAT, the layer that makes
 * a SATA disk look like a SCSI one.  It has the whole model, which INQUIRY cuts
 * to 16 characters, and TRIM.
 */

#include <stdio.h>
#include <string.h>

#include "disk.h"
#include "io/bytes.h"

/*
 * Both pages encode it alike: 1 means solid state; 401h to FFFEh are a speed.
 */
static void note_rotation(struct disk *disk, unsigned rate)
{
	if (!disk->rpm && rate > 0x400 && rate < 0xffff)
		disk->rpm = rate;
}

static void note_form(struct disk *disk, unsigned code)
{
	static const unsigned tenths[] = { 0, 52, 35, 25, 18 };

	code &= 0xf;
	if (!disk->form_tenths && code < sizeof(tenths) / sizeof(*tenths))
		disk->form_tenths = tenths[code];
}

static void note_says(struct disk *disk, unsigned code, const char *where)
{
	code &= 3;
	if (disk->says == SAYS_NOTHING && code != 3) {
		disk->says = code;
		disk->says_where = where;
	}
}

#define PAGE_CHARACTERISTICS	0xb1
#define PAGE_ATA		0x89

static void read_characteristics(struct node *node, struct disk *disk)
{
	unsigned char page[64];
	size_t got = node_bytes(node, "device/vpd_pgb1", page, sizeof(page));

	if (!got)
		return;
	if (got < 9 || page[1] != PAGE_CHARACTERISTICS ||
	    get_be16(page + 2) < 5) {
		node_doubt(node, "device/vpd_pgb1");
		return;
	}
	note_rotation(disk, get_be16(page + 4));
	note_form(disk, page[7]);
	note_says(disk, page[8] >> 4, "VPD page B1h");
}

#define IDENTIFY_AT		60
#define IDENTIFY_BYTES		512
#define IDENTIFY_DEVICE		0xec	/* the command, at byte 56 */
#define WORD_MODEL		27	/* 20 words */
#define WORD_ZONED		69
#define WORD_FORM		168
#define WORD_TRIM		169
#define WORD_ROTATION		217

/* ATA's words are little-endian; 0 and FFFFh mean that a word is not used. */
static unsigned word(const unsigned char *identify, unsigned index)
{
	unsigned value = identify[2 * index] | identify[2 * index + 1] << 8;

	return value == 0xffff ? 0 : value;
}

/* Each pair of characters is swapped. */
static void identify_model(const unsigned char *identify, struct disk *disk)
{
	char model[41];
	size_t length = sizeof(model) - 1;

	for (unsigned i = 0; i < length; i++) {
		char c = identify[(2 * WORD_MODEL + i) ^ 1];

		model[i] = c < ' ' || c > '~' ? ' ' : c;
	}
	while (length && model[length - 1] == ' ')
		length--;
	model[length] = '\0';
	/* Take it only if it continues the other; else that is a bridge's. */
	if (length > strlen(disk->model) &&
	    !strncmp(model, disk->model, strlen(disk->model)))
		snprintf(disk->model, sizeof(disk->model), "%s", model);
}

static void read_identify(struct node *node, struct disk *disk)
{
	unsigned char page[IDENTIFY_AT + IDENTIFY_BYTES];
	const unsigned char *identify = page + IDENTIFY_AT;
	size_t got = node_bytes(node, "device/vpd_pg89", page, sizeof(page));

	if (!got)
		return;
	if (got < sizeof(page) || page[1] != PAGE_ATA) {
		node_doubt(node, "device/vpd_pg89");
		return;
	}
	if (page[56] != IDENTIFY_DEVICE)
		return;		/* a packet device */
	identify_model(identify, disk);
	note_says(disk, word(identify, WORD_ZONED), "IDENTIFY word 69");
	note_rotation(disk, word(identify, WORD_ROTATION));
	note_form(disk, word(identify, WORD_FORM));
	disk->identify_trim = word(identify, WORD_TRIM) & 1;
}

void disk_read_vpd(struct node *node, struct disk *disk)
{
	read_characteristics(node, disk);
	read_identify(node, disk);
}
