/* SPDX-License-Identifier: GPL-2.0-only */
/* The kind of a device's drive, from recorded trees of sysfs. */

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "drive_tree.h"

#define TB8	8001563222016
#define SMR_SIGNS	"model-listed slow-rotation"

static const struct expected {
	const char	*tree, *device;
	enum e2lazy_drive_class cls;
	const char	*disk, *stack;
	unsigned	disks;
	uint64_t	bytes;
	const char	*signs;
} expected[] = {
	{ "cmr-sata", "/dev/sda", E2LAZY_DRIVE_ROTATIONAL, "sda", "", 1,
	  4000787030016, "slow-rotation model-conventional" },
	{ "st8000as0002", "/dev/sda", E2LAZY_DRIVE_DM_LISTED, "sda", "", 1,
	  TB8, SMR_SIGNS },
	{ "trim-dm-smr", "/dev/sda", E2LAZY_DRIVE_DM_SUSPECTED, "sda", "", 1,
	  2000398934016, "model-rumoured trim-ata slow-rotation" },
	{ "reports-dm-smr", "/dev/sda", E2LAZY_DRIVE_DM_REPORTED, "sda", "", 1,
	  4000787030016, "says-device-managed model-listed slow-rotation" },
	{ "host-aware", "/dev/sda", E2LAZY_DRIVE_HOST_AWARE, "sda", "", 1,
	  TB8, "zoned-host-aware says-host-aware model-host-aware "
	       "slow-rotation" },
	{ "host-aware-6.12", "/dev/sda", E2LAZY_DRIVE_HOST_AWARE, "sda", "", 1,
	  TB8, "says-host-aware model-host-aware slow-rotation" },
	{ "host-managed", "/dev/sda", E2LAZY_DRIVE_HOST_MANAGED, "sda", "", 1,
	  15000173281280, "zoned-host-managed model-host-managed" },
	{ "nvme", "/dev/nvme0n1", E2LAZY_DRIVE_SOLID, "nvme0n1", "", 1,
	  1000204886016, "not-rotational" },
	{ "partition", "/dev/sdb1", E2LAZY_DRIVE_DM_LISTED, "sdb", "partition",
	  1, 8001562156544, SMR_SIGNS },
	{ "dm-linear", "/dev/mapper/archive-data", E2LAZY_DRIVE_DM_LISTED,
	  "sdb", "dm-lvm, partition", 1, 4398046511104, SMR_SIGNS },
	{ "dm-linear", "/dev/dm-0", E2LAZY_DRIVE_DM_LISTED, "sdb",
	  "dm-lvm, partition", 1, 4398046511104, SMR_SIGNS },
	{ "md-mixed", "/dev/md0", E2LAZY_DRIVE_DM_LISTED, "sdb",
	  "md-raid1, partition", 2, 4000650887168, SMR_SIGNS },
	{ "dm-zoned", "/dev/mapper/tame", E2LAZY_DRIVE_HOST_AWARE, "sda", "dm",
	  1, 14763950080000, "zones-hidden" },
	{ "loop", "/dev/loop0", E2LAZY_DRIVE_DM_LISTED, "sdb",
	  "loop, partition", 1, 1099511627776, SMR_SIGNS },
	{ "loop-btrfs", "/dev/loop0", E2LAZY_DRIVE_FILE, "", "loop", 0,
	  1099511627776, "" },
	{ "virtio", "/dev/vda", E2LAZY_DRIVE_ROTATIONAL, "vda", "", 1,
	  274877906944, "" },
	{ "absurd", "/dev/sda", E2LAZY_DRIVE_ROTATIONAL, "sda", "", 1, 0,
	  "model-conventional rotation-unknown makes-no-sense" },
	{ "unreadable", "/dev/sda", E2LAZY_DRIVE_ROTATIONAL, "sda", "", 1, 0,
	  "rotation-unknown" },
	{ "no-sysfs", "/dev/sda", E2LAZY_DRIVE_ROTATIONAL, "", "", 0, 0,
	  "no-sysfs" },
};
#define NR_EXPECTED	(sizeof(expected) / sizeof(*expected))

START_TEST(each_recorded_machine_is_told_for_what_it_is)
{
	const struct expected *want = &expected[_i];
	struct e2lazy_drive drive;

	probe_in(want->tree, NULL, want->device, &drive);
	ck_assert_str_eq(e2lazy_drive_class_name(drive.cls),
			 e2lazy_drive_class_name(want->cls));
	ck_assert_str_eq(drive.disk, want->disk);
	ck_assert_str_eq(drive.stack, want->stack);
	ck_assert_uint_eq(drive.disks, want->disks);
	ck_assert_uint_eq(drive.bytes, want->bytes);
	ck_assert_str_eq(sign_ids(&drive), want->signs);
}
END_TEST

START_TEST(all_that_a_disk_tells_is_taken_down)
{
	struct e2lazy_drive drive;

	probe_in("partition", NULL, "/dev/sdb1", &drive);
	ck_assert(drive.has_sysfs);
	ck_assert(drive.rotational);
	ck_assert(!drive.read_only);
	ck_assert(drive.start_known);
	ck_assert_uint_eq(drive.start, 1048576);
	ck_assert_uint_eq(drive.disk_bytes, TB8);
	ck_assert_uint_eq(drive.zone_bytes, 0);
	ck_assert_uint_eq(drive.logical_sector, 512);
	ck_assert_uint_eq(drive.physical_sector, 4096);
	ck_assert_uint_eq(drive.minimum_io, 4096);
	ck_assert_uint_eq(drive.optimal_io, 0);
	ck_assert_uint_eq(drive.alignment, 0);
	ck_assert_uint_eq(drive.discard_granularity, 0);
	ck_assert_uint_eq(drive.rpm, 5980);
	ck_assert_uint_eq(drive.form_tenths, 35);
	ck_assert_uint_eq(drive.listed_band, 30 << 20);
	ck_assert_uint_eq(drive.listed_throughput, 190 << 20);
	ck_assert_str_eq(drive.vendor, "ATA");
	ck_assert_str_eq(drive.model, "ST8000AS0002-1NA");
}
END_TEST

START_TEST(what_makes_no_sense_is_taken_for_nothing)
{
	struct e2lazy_drive drive;

	probe_in("absurd", NULL, "/dev/sda", &drive);
	ck_assert(drive.has_sysfs);
	ck_assert_uint_eq(drive.disk_bytes, 0);
	ck_assert_uint_eq(drive.zone_bytes, 0);
	ck_assert_uint_eq(drive.logical_sector, 0);
	ck_assert_uint_eq(drive.physical_sector, 0);
	ck_assert_uint_eq(drive.minimum_io, 0);
	ck_assert_uint_eq(drive.alignment, 0);
	ck_assert_uint_eq(drive.discard_granularity, 0);
	ck_assert_uint_eq(drive.rpm, 0);
	/* a PCI device's number is no name */
	probe_in("virtio", NULL, "/dev/vda", &drive);
	ck_assert_str_eq(drive.vendor, "");
	ck_assert_str_eq(drive.model, "");
	ck_assert_uint_eq(drive.logical_sector, 512);
	probe_in("virtio", "[sys/class/block/vda/queue]\n"
			   "logical_block_size = 1536\n", "/dev/vda", &drive);
	ck_assert_uint_eq(drive.logical_sector, 0);
	/* it may go to a terminal */
	probe_in("virtio", "[sys/class/block/vda/device]\n"
			   "model : 41 1b 5b c3 a4 7f 42 0a\n", "/dev/vda",
		 &drive);
	ck_assert_str_eq(drive.model, "A?[???B");
	/* not misaligned by a number, and no number without sense either */
	probe_in("cmr-sata", "[sys/class/block/sda]\nalignment_offset = -1\n",
		 "/dev/sda", &drive);
	ck_assert_uint_eq(drive.alignment, 0);
	ck_assert_str_eq(sign_ids(&drive), "slow-rotation model-conventional");
}
END_TEST

START_TEST(trim_that_may_be_of_no_byte_is_none)
{
	struct e2lazy_drive drive;

	probe_in("trim-dm-smr", "[sys/class/block/sda/queue]\n"
				"discard_max_bytes = 0\n", "/dev/sda", &drive);
	ck_assert_uint_eq(drive.discard_granularity, 0);
	ck_assert_str_eq(sign_ids(&drive), "model-rumoured slow-rotation");
}
END_TEST

START_TEST(a_slash_in_a_name_is_something_else_in_sysfs)
{
	struct e2lazy_drive drive;

	probe_in("cmr-sata", "[sys/class/block]\ncciss!c0d0 -> sda\n",
		 "/dev/cciss/c0d0", &drive);
	ck_assert_str_eq(drive.disk, "sda");
}
END_TEST

START_TEST(zones_are_read_of_zoned_disks_alone)
{
	struct e2lazy_drive drive;

	probe_in("host-managed", NULL, "/dev/sda", &drive);
	ck_assert_uint_eq(drive.zone_bytes, 256 << 20);
	/* the chunk of a stripe, say */
	probe_in("cmr-sata", "[sys/class/block/sda/queue]\n"
			     "chunk_sectors = 1024\n", "/dev/sda", &drive);
	ck_assert_uint_eq(drive.zone_bytes, 0);
	probe_in("host-managed", "[sys/class/block/sda/queue]\n"
				 "chunk_sectors = 524287\n", "/dev/sda",
		 &drive);
	ck_assert_uint_eq(drive.zone_bytes, 0);
	ck_assert_int_eq(drive.cls, E2LAZY_DRIVE_HOST_MANAGED);
	ck_assert_str_eq(sign_ids(&drive), "zoned-host-managed "
					   "model-host-managed makes-no-sense");
}
END_TEST

START_TEST(what_hides_the_zones_below_makes_them_writable)
{
	struct e2lazy_drive drive;

	probe_in("dm-zoned", NULL, "/dev/dm-0", &drive);
	ck_assert_int_eq(drive.cls, E2LAZY_DRIVE_HOST_AWARE);
	ck_assert_uint_eq(drive.zone_bytes, 256 << 20);
	/* as dm-linear does not */
	probe_in("dm-zoned", "[sys/class/block/dm-0/queue]\n"
			     "zoned = host-managed\n"
			     "chunk_sectors = 524288\n", "/dev/dm-0", &drive);
	ck_assert_int_eq(drive.cls, E2LAZY_DRIVE_HOST_MANAGED);
	/* nor does a partition, which has no queue of its own */
	probe_in("host-managed", "[sys/class/block]\n"
		 "sda1 -> ../../class/block/sda/sda1\n"
		 "[sys/class/block/sda/sda1]\n"
		 "partition = 1\nstart = 524288\nsize = 524288\n",
		 "/dev/sda1", &drive);
	ck_assert_int_eq(drive.cls, E2LAZY_DRIVE_HOST_MANAGED);
	ck_assert_uint_eq(drive.start, 256 << 20);
}
END_TEST

START_TEST(where_a_device_begins_is_known_below_partitions_only)
{
	struct e2lazy_drive drive;

	probe_in("st8000as0002", NULL, "/dev/sda", &drive);
	ck_assert(drive.start_known);
	ck_assert_uint_eq(drive.start, 0);
	probe_in("dm-linear", NULL, "/dev/dm-0", &drive);
	ck_assert(!drive.start_known);
	ck_assert_uint_eq(drive.start, 0);
	probe_in("partition", "[sys/class/block/sdb1]\nstart = -8\n",
		 "/dev/sdb1", &drive);
	ck_assert(!drive.start_known);
	ck_assert_uint_eq(drive.start, 0);
}
END_TEST

START_TEST(a_stack_that_holds_itself_ends)
{
	struct e2lazy_drive drive;

	probe_in("dm-linear", "[sys/class/block/dm-0/slaves]\n"
			      "sdb1 -> ../../dm-0\n", "/dev/dm-0", &drive);
	ck_assert_uint_eq(drive.disks, 0);
	ck_assert_int_eq(drive.cls, E2LAZY_DRIVE_ROTATIONAL);
}
END_TEST

/* dm-0 on dm-1 on ... dm-@last on sdb1 */
static char *tower(unsigned last)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	for (unsigned i = 1; i <= last; i++)
		fprintf(out, "[sys/class/block]\n"
			"dm-%u -> ../../devices/virtual/block/dm-%u\n"
			"[sys/devices/virtual/block/dm-%u]\nsize = 8\n"
			"[sys/devices/virtual/block/dm-%u/dm]\nname = n%u\n"
			"[sys/devices/virtual/block/dm-%u/slaves]\n"
			"below -> ../../../../../class/block/%s%.0u\n",
			i, i, i, i, i, i, i == last ? "sdb1" : "dm-",
			i == last ? 0 : i + 1);
	fprintf(out, "[sys/class/block/dm-0/slaves]\nsdb1 -> ../../dm-1\n");
	fclose(out);
	return text;
}

START_TEST(a_tower_is_looked_through_up_to_a_bound_and_told_above)
{
	struct e2lazy_drive drive;
	char *text = tower(10);

	probe_in("dm-linear", text, "/dev/dm-0", &drive);
	ck_assert_int_eq(drive.cls, E2LAZY_DRIVE_DM_LISTED);
	ck_assert_str_eq(drive.stack, "dm-lvm, dm, partition");
	free(text);
	text = tower(20);
	probe_in("dm-linear", text, "/dev/dm-0", &drive);
	ck_assert_int_eq(drive.cls, E2LAZY_DRIVE_ROTATIONAL);
	ck_assert_str_eq(sign_ids(&drive), "rotation-unknown not-all-seen");
	free(text);
}
END_TEST

START_TEST(a_slave_that_is_gone_is_told)
{
	struct e2lazy_drive drive;

	probe_in("md-mixed", "[sys/class/block/md0/slaves]\n"
			     "sdb1 -> ../../nothing\n", "/dev/md0", &drive);
	ck_assert_str_eq(drive.disk, "sda");
	ck_assert_str_eq(sign_ids(&drive), "slow-rotation model-conventional "
					   "not-all-seen");
}
END_TEST

START_TEST(paths_to_one_disk_are_one_disk)
{
	struct e2lazy_drive drive;

	probe_in("md-mixed", "[sys/class/block/md0]\nmd -\n"
			     "[sys/class/block/md0/dm]\n"
			     "uuid = mpath-3600508b400105e21\nname = m\n",
		 "/dev/md0", &drive);
	ck_assert_str_eq(drive.stack, "dm-mpath, partition");
	ck_assert_uint_eq(drive.disks, 1);
}
END_TEST

/* A device that claims paths but has none counts as one disk. */
START_TEST(no_path_at_all_is_no_first_path)
{
	struct e2lazy_drive drive;

	probe_in("loop", "[sys/class/block/loop0/dm]\nuuid = mpath-x\n",
		 "/dev/loop0", &drive);
	ck_assert_str_eq(drive.stack, "dm-mpath, partition");
	ck_assert_uint_eq(drive.disks, 1);
}
END_TEST

/* A path is bytes, which neither sysfs nor mountinfo changes. */
START_TEST(the_path_of_a_loop_device_s_file_may_have_any_bytes)
{
	struct e2lazy_drive drive;

	probe_in("loop", "[sys/devices/virtual/block/loop0/loop]\n"
			 "backing_file = /srv/gro\303\237 /disk.img\n"
			 "[proc/self]\n"
			 "mountinfo + 34 21 8:17 / /srv/gro\303\237\\040 rw "
			 "- ext4 /dev/sdb1 rw\n", "/dev/loop0", &drive);
	ck_assert_str_eq(drive.disk, "sdb");
	ck_assert_str_eq(drive.stack, "loop, partition");
	ck_assert_int_eq(drive.cls, E2LAZY_DRIVE_DM_LISTED);
}
END_TEST

/* The sysfs of the running kernel, whichever it is. */
START_TEST(every_block_device_of_this_machine_can_be_probed)
{
	DIR *dir = opendir("/sys/class/block");
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		struct e2lazy_drive drive;
		char device[300];
		struct stat st;

		snprintf(device, sizeof(device), "/dev/%s", entry->d_name);
		if (stat(device, &st) || !S_ISBLK(st.st_mode))
			continue;
		ck_assert_int_eq(e2lazy_drive_probe(device, NULL, &drive, NULL),
				 0);
		ck_assert(drive.has_sysfs);
		ck_assert_msg(*drive.disk || drive.cls == E2LAZY_DRIVE_FILE,
			      "%s", device);
		ck_assert_msg(drive.logical_sector >= 512, "%s", device);
	}
	if (dir)
		closedir(dir);
}
END_TEST

START_TEST(what_the_tree_does_not_have_is_no_device_but_may_be_a_file)
{
	struct fixture *f = new_fixture();
	char *root = new_tree("file", NULL);
	struct e2lazy_drive_opts opts = { .root = root };
	struct e2lazy_drive drive;

	ck_assert_int_eq(e2lazy_drive_probe("/dev/sdz", &opts, &drive, NULL),
			 ENOENT);
	ck_assert_int_eq(e2lazy_drive_probe("/dev/mapper/", &opts, &drive,
					    NULL), ENOENT);
	ck_assert_int_eq(e2lazy_drive_probe(f->dir, &opts, &drive, NULL),
			 ENOENT);
	shell(f, "truncate -s 5M %s");
	ck_assert_int_eq(e2lazy_drive_probe(f->image, &opts, &drive, NULL), 0);
	ck_assert_int_eq(drive.cls, E2LAZY_DRIVE_FILE);
	ck_assert_uint_eq(drive.bytes, 5 << 20);
	ck_assert(!drive.has_sysfs);
	ck_assert_uint_eq(drive.nr_signs, 0);
	free(root);
}
END_TEST

START_TEST(on_the_machine_itself_a_file_is_a_file_and_others_are_refused)
{
	struct fixture *f = new_fixture();
	struct e2lazy_drive drive;

	shell(f, "truncate -s 5M %s");
	ck_assert_int_eq(e2lazy_drive_probe(f->image, NULL, &drive, NULL), 0);
	ck_assert_int_eq(drive.cls, E2LAZY_DRIVE_FILE);
	ck_assert_uint_eq(drive.bytes, 5 << 20);
	ck_assert_int_eq(e2lazy_drive_probe(f->dir, NULL, &drive, NULL),
			 EISDIR);
	ck_assert_int_eq(e2lazy_drive_probe("/dev/null", NULL, &drive, NULL),
			 ENOTBLK);
	ck_assert_int_eq(e2lazy_drive_probe(f->device, NULL, &drive, NULL),
			 ENOENT);
}
END_TEST

TCase *drive_probe_tests(void)
{
	TCase *tc = tcase_create("drive: a device and the disks below");

	tcase_add_loop_test(tc, each_recorded_machine_is_told_for_what_it_is,
			    0, NR_EXPECTED);
	tcase_add_test(tc, all_that_a_disk_tells_is_taken_down);
	tcase_add_test(tc, what_makes_no_sense_is_taken_for_nothing);
	tcase_add_test(tc, trim_that_may_be_of_no_byte_is_none);
	tcase_add_test(tc, a_slash_in_a_name_is_something_else_in_sysfs);
	tcase_add_test(tc, zones_are_read_of_zoned_disks_alone);
	tcase_add_test(tc, what_hides_the_zones_below_makes_them_writable);
	tcase_add_test(tc, where_a_device_begins_is_known_below_partitions_only);
	tcase_add_test(tc, a_stack_that_holds_itself_ends);
	tcase_add_test(tc,
		       a_tower_is_looked_through_up_to_a_bound_and_told_above);
	tcase_add_test(tc, a_slave_that_is_gone_is_told);
	tcase_add_test(tc, paths_to_one_disk_are_one_disk);
	tcase_add_test(tc, no_path_at_all_is_no_first_path);
	tcase_add_test(tc,
		       the_path_of_a_loop_device_s_file_may_have_any_bytes);
	tcase_add_test(tc, every_block_device_of_this_machine_can_be_probed);
	tcase_add_test(tc,
		       what_the_tree_does_not_have_is_no_device_but_may_be_a_file);
	tcase_add_test(tc,
		       on_the_machine_itself_a_file_is_a_file_and_others_are_refused);
	return tc;
}
