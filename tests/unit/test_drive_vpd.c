/* SPDX-License-Identifier: GPL-2.0-only */
/* A drive's statements about itself: pages B1h and 89h, byte by byte. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "drive/disk.h"
#include "drive_tree.h"

static struct node node;

/* A directory with "device" in it, and these bytes for a page. */
static void put_page(const char *name, const void *bytes, size_t size)
{
	char *path;
	FILE *file;

	if (!node.dir) {
		struct fixture *f = new_fixture();

		shell(f, "mkdir -p $(dirname %s)/device");
		ck_assert_int_eq(node_open(strdup(f->dir), &node), 0);
	}
	ck_assert_int_gt(asprintf(&path, "%s/device/%s", node.dir, name), 0);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, size, file), size);
	ck_assert_int_eq(fclose(file), 0);
	free(path);
}

static struct disk read_with_model(const char *model)
{
	struct disk disk;

	memset(&disk, 0, sizeof(disk));
	snprintf(disk.model, sizeof(disk.model), "%s", model);
	*node.doubt = '\0';
	disk_read_vpd(&node, &disk);
	return disk;
}

START_TEST(page_b1_has_speed_form_and_zones)
{
	static const unsigned char page[64] = {
		0x00, 0xb1, 0x00, 0x3c, 0x15, 0x18, 0x00, 0x43, 0x2d
	};
	struct disk disk;

	put_page("vpd_pgb1", page, sizeof(page));
	disk = read_with_model("");
	ck_assert_uint_eq(disk.rpm, 5400);
	ck_assert_uint_eq(disk.form_tenths, 25);
	ck_assert_int_eq(disk.says, SAYS_DEVICE_MANAGED);
	ck_assert_str_eq(node.doubt, "");
}
END_TEST

/* Of byte 8, bits 5 and 4 alone; 3 is not assigned. */
START_TEST(other_bits_beside_the_zones_say_nothing)
{
	static const struct {
		unsigned char byte;
		enum disk_says says;
	} cases[] = {
		{ 0x00, SAYS_NOTHING }, { 0xcf, SAYS_NOTHING },
		{ 0x10, SAYS_HOST_AWARE }, { 0x20, SAYS_DEVICE_MANAGED },
		{ 0xef, SAYS_DEVICE_MANAGED }, { 0x30, SAYS_NOTHING },
	};
	unsigned char page[64] = { 0x00, 0xb1, 0x00, 0x3c };

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		page[8] = cases[i].byte;
		put_page("vpd_pgb1", page, sizeof(page));
		ck_assert_int_eq(read_with_model("").says, cases[i].says);
	}
}
END_TEST

START_TEST(speeds_that_are_none_are_not_taken_for_one)
{
	static const unsigned rates[] = { 0, 1, 2, 0x400, 0xffff };
	unsigned char page[64] = { 0x00, 0xb1, 0x00, 0x3c };

	for (size_t i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
		page[4] = rates[i] >> 8;
		page[5] = rates[i] & 0xff;
		put_page("vpd_pgb1", page, sizeof(page));
		ck_assert_uint_eq(read_with_model("").rpm, 0);
	}
}
END_TEST

START_TEST(a_page_that_is_short_or_another_is_doubted)
{
	unsigned char page[64] = { 0x00, 0xb1, 0x00, 0x3c, 0x15, 0x18,
				   0x00, 0x03, 0x20 };

	put_page("vpd_pgb1", page, 8);
	ck_assert_int_eq(read_with_model("").says, SAYS_NOTHING);
	ck_assert_str_eq(node.doubt, "device/vpd_pgb1");
	page[1] = 0xb0;
	put_page("vpd_pgb1", page, sizeof(page));
	ck_assert_uint_eq(read_with_model("").rpm, 0);
	ck_assert_str_eq(node.doubt, "device/vpd_pgb1");
	page[1] = 0xb1;
	page[3] = 4;		/* it ends before the zones */
	put_page("vpd_pgb1", page, sizeof(page));
	ck_assert_int_eq(read_with_model("").says, SAYS_NOTHING);
	ck_assert_str_eq(node.doubt, "device/vpd_pgb1");
}
END_TEST

static unsigned char ata[572];

static void put_word(unsigned index, unsigned value)
{
	ata[60 + 2 * index] = value & 0xff;
	ata[60 + 2 * index + 1] = value >> 8;
}

/* Two characters a word, the first in its upper byte, padded with spaces. */
static void put_model(const char *model)
{
	for (unsigned i = 0; i < 20; i++) {
		unsigned char a = *model ? *model++ : ' ';
		unsigned char b = *model ? *model++ : ' ';

		put_word(27 + i, a << 8 | b);
	}
}

static void new_identify(void)
{
	memset(ata, 0, sizeof(ata));
	ata[1] = 0x89;
	ata[2] = 0x02;
	ata[3] = 0x38;
	ata[56] = 0xec;
	put_model("TOSHIBA MQ04UBB400");
}

START_TEST(identify_has_the_whole_model_trim_and_zones)
{
	struct disk disk;

	new_identify();
	put_word(69, 2);
	put_word(168, 3);
	put_word(169, 1);
	put_word(217, 5400);
	put_page("vpd_pg89", ata, sizeof(ata));
	disk = read_with_model("TOSHIBA MQ04UBB4");
	ck_assert_str_eq(disk.model, "TOSHIBA MQ04UBB400");
	ck_assert_int_eq(disk.says, SAYS_DEVICE_MANAGED);
	ck_assert_uint_eq(disk.form_tenths, 25);
	ck_assert(disk.identify_trim);
	ck_assert_uint_eq(disk.rpm, 5400);
}
END_TEST

START_TEST(a_bridge_keeps_its_own_model)
{
	new_identify();
	put_page("vpd_pg89", ata, sizeof(ata));
	ck_assert_str_eq(read_with_model("Expansion Desk").model,
			 "Expansion Desk");
	ck_assert_str_eq(read_with_model("").model, "TOSHIBA MQ04UBB400");
}
END_TEST

START_TEST(words_not_in_use_and_other_commands_say_nothing)
{
	struct disk disk;

	new_identify();
	put_word(69, 0xffff);
	put_word(168, 0xffff);
	put_word(169, 0xffff);
	put_word(217, 0xffff);
	put_page("vpd_pg89", ata, sizeof(ata));
	disk = read_with_model("");
	ck_assert_int_eq(disk.says, SAYS_NOTHING);
	ck_assert_uint_eq(disk.form_tenths, 0);
	ck_assert(!disk.identify_trim);
	ck_assert_uint_eq(disk.rpm, 0);

	put_word(169, 1);
	ata[56] = 0xa1;		/* IDENTIFY PACKET DEVICE */
	put_page("vpd_pg89", ata, sizeof(ata));
	disk = read_with_model("");
	ck_assert(!disk.identify_trim);
	ck_assert_str_eq(disk.model, "");
	ata[56] = 0xec;
	put_page("vpd_pg89", ata, sizeof(ata) - 1);
	ck_assert(!read_with_model("").identify_trim);
	ck_assert_str_eq(node.doubt, "device/vpd_pg89");
}
END_TEST

TCase *drive_vpd_tests(void)
{
	TCase *tc = tcase_create("drive: what it says of itself");

	tcase_add_test(tc, page_b1_has_speed_form_and_zones);
	tcase_add_test(tc, other_bits_beside_the_zones_say_nothing);
	tcase_add_test(tc, speeds_that_are_none_are_not_taken_for_one);
	tcase_add_test(tc, a_page_that_is_short_or_another_is_doubted);
	tcase_add_test(tc, identify_has_the_whole_model_trim_and_zones);
	tcase_add_test(tc, a_bridge_keeps_its_own_model);
	tcase_add_test(tc, words_not_in_use_and_other_commands_say_nothing);
	return tc;
}
