/* SPDX-License-Identifier: GPL-2.0-only */
/* The score of signs of shingles. */

#include <string.h>

#include "drive/disk.h"
#include "drive_tree.h"

/* A rotating SATA disk of which nothing else is known. */
static struct disk plain(void)
{
	struct disk disk = { .rotation_known = true, .rotational = true,
			     .vendor = "ATA", .model = "M" };

	return disk;
}

static void list(struct disk *disk, enum model_kind kind, unsigned confidence)
{
	disk->listed.match[kind].confidence = confidence;
	strcpy(disk->listed.match[kind].source, "vendor/x");
}

static struct e2lazy_drive judged(const struct disk *disk)
{
	struct e2lazy_drive drive;

	memset(&drive, 0, sizeof(drive));
	disk_judge(disk, &drive);
	return drive;
}

#define ck_assert_judged(disk, class, sum, ids) do { \
	struct e2lazy_drive d_ = judged(disk); \
	ck_assert_str_eq(sign_ids(&d_), ids); \
	ck_assert_str_eq(e2lazy_drive_class_name(d_.cls), class); \
	ck_assert_int_eq(d_.score, sum); \
} while (0)

START_TEST(nothing_known_is_no_evidence)
{
	struct disk disk = plain();

	ck_assert_judged(&disk, "rotational", 0, "");
	disk.rotation_known = false;
	ck_assert_judged(&disk, "rotational", 0, "rotation-unknown");
	disk.rotation_known = true;
	disk.rotational = false;
	ck_assert_judged(&disk, "not-rotational", 0, "not-rotational");
}
END_TEST

START_TEST(what_the_drive_says_outweighs_every_list)
{
	struct disk disk = plain();

	list(&disk, MODEL_CONVENTIONAL, 100);
	disk.says = SAYS_DEVICE_MANAGED;
	disk.says_where = "page";
	ck_assert_judged(&disk, "dm-reported", 35,
			 "says-device-managed model-conventional");
	disk.says = SAYS_HOST_AWARE;
	ck_assert_judged(&disk, "host-aware", 35,
			 "says-host-aware model-conventional");
}
END_TEST

START_TEST(a_list_is_worth_its_confidence)
{
	struct disk disk = plain();

	list(&disk, MODEL_DEVICE_MANAGED, 100);
	ck_assert_judged(&disk, "dm-listed", 95, "model-listed");
	list(&disk, MODEL_DEVICE_MANAGED, 60);
	ck_assert_judged(&disk, "dm-listed", 57, "model-listed");
}
END_TEST

START_TEST(half_a_list_of_users_is_enough_to_suspect)
{
	struct disk disk = plain();

	list(&disk, MODEL_RUMOURED, 49);
	ck_assert_judged(&disk, "rotational", 29, "model-rumoured");
	list(&disk, MODEL_RUMOURED, 50);
	ck_assert_judged(&disk, "dm-suspected", 30, "model-rumoured");
}
END_TEST

START_TEST(hints_alone_never_make_more_than_a_suspicion)
{
	struct disk disk = plain();

	list(&disk, MODEL_RUMOURED, 100);
	disk.discard_granularity = 4096;
	disk.rpm = 5400;
	ck_assert_judged(&disk, "dm-suspected", 70,
			 "model-rumoured trim-ata slow-rotation");
}
END_TEST

START_TEST(trim_makes_a_rotating_disk_suspect_and_no_other)
{
	struct disk disk = plain();

	disk.identify_trim = true;
	ck_assert_judged(&disk, "dm-suspected", 50, "trim-ata");
	disk.identify_trim = false;
	disk.discard_granularity = 512;
	ck_assert_judged(&disk, "dm-suspected", 50, "trim-ata");
	/* a thin volume */
	strcpy(disk.vendor, "LIO-ORG");
	ck_assert_judged(&disk, "rotational", 20, "trim-scsi");
	/* paravirtual, then emulated */
	*disk.model = '\0';
	ck_assert_judged(&disk, "rotational", 0, "");
	strcpy(disk.model, "M");
	list(&disk, MODEL_VIRTUAL, 100);
	ck_assert_judged(&disk, "rotational", 0, "model-virtual");
	disk = plain();
	disk.discard_granularity = 512;
	disk.zoned = ZONED_HOST_AWARE;
	ck_assert_judged(&disk, "host-aware", 100, "zoned-host-aware");
	disk.zoned = ZONED_NO;
	disk.rotational = false;
	ck_assert_judged(&disk, "not-rotational", 0, "not-rotational");
}
END_TEST

START_TEST(a_conventional_model_takes_weight_from_hints)
{
	struct disk disk = plain();

	disk.discard_granularity = 4096;
	list(&disk, MODEL_CONVENTIONAL, 60);
	ck_assert_judged(&disk, "rotational", 14,
			 "trim-ata model-conventional");
	list(&disk, MODEL_RUMOURED, 100);
	ck_assert_judged(&disk, "dm-suspected", 70,
			 "model-rumoured trim-ata model-conventional");
}
END_TEST

START_TEST(a_slow_disk_alone_is_not_suspect)
{
	struct disk disk = plain();

	disk.rpm = 5900;
	ck_assert_judged(&disk, "rotational", 5, "slow-rotation");
	disk.rpm = 7200;
	ck_assert_judged(&disk, "rotational", 0, "");
}
END_TEST

START_TEST(zones_that_a_layer_hides_are_no_obstacle)
{
	struct disk disk = plain();

	disk.zoned = ZONED_HOST_MANAGED;
	list(&disk, MODEL_HOST_MANAGED, 90);
	ck_assert_judged(&disk, "host-managed", 100,
			 "zoned-host-managed model-host-managed");
	disk.zones_hidden = true;
	ck_assert_judged(&disk, "host-aware", 100, "zones-hidden");
}
END_TEST

START_TEST(a_zoned_flash_drive_is_zoned)
{
	struct disk disk = plain();

	disk.rotational = false;
	disk.zoned = ZONED_HOST_MANAGED;
	ck_assert_judged(&disk, "host-managed", 60,
			 "zoned-host-managed not-rotational");
}
END_TEST

START_TEST(more_signs_than_there_is_room_for_do_no_harm)
{
	struct disk disk = plain();
	struct e2lazy_drive drive;

	for (int kind = 0; kind < NR_MODEL_KINDS; kind++)
		list(&disk, kind, 50);
	disk.zoned = ZONED_HOST_AWARE;
	disk.says = SAYS_DEVICE_MANAGED;
	disk.says_where = "page";
	disk.rpm = 5400;
	disk.rotation_known = false;
	disk.cut = disk.no_sysfs = true;
	strcpy(disk.doubt, "size");
	drive = judged(&disk);
	ck_assert_uint_eq(drive.nr_signs, E2LAZY_DRIVE_SIGNS);
	ck_assert_str_eq(drive.signs[0].id, "zoned-host-aware");
	ck_assert_int_eq(drive.cls, E2LAZY_DRIVE_HOST_MANAGED);
	ck_assert_int_eq(drive.score, 100);
}
END_TEST

START_TEST(a_class_has_a_name_whatever_it_is)
{
	ck_assert_str_eq(e2lazy_drive_class_name(E2LAZY_DRIVE_DM_LISTED),
			 "dm-listed");
	ck_assert_str_eq(e2lazy_drive_class_name(
				 (enum e2lazy_drive_class)1000), "unknown");
}
END_TEST

TCase *drive_evidence_tests(void)
{
	TCase *tc = tcase_create("drive: evidence");

	tcase_add_test(tc, nothing_known_is_no_evidence);
	tcase_add_test(tc, what_the_drive_says_outweighs_every_list);
	tcase_add_test(tc, a_list_is_worth_its_confidence);
	tcase_add_test(tc, half_a_list_of_users_is_enough_to_suspect);
	tcase_add_test(tc, hints_alone_never_make_more_than_a_suspicion);
	tcase_add_test(tc, trim_makes_a_rotating_disk_suspect_and_no_other);
	tcase_add_test(tc, a_conventional_model_takes_weight_from_hints);
	tcase_add_test(tc, a_slow_disk_alone_is_not_suspect);
	tcase_add_test(tc, zones_that_a_layer_hides_are_no_obstacle);
	tcase_add_test(tc, a_zoned_flash_drive_is_zoned);
	tcase_add_test(tc, more_signs_than_there_is_room_for_do_no_harm);
	tcase_add_test(tc, a_class_has_a_name_whatever_it_is);
	return tc;
}
