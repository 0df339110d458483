/* SPDX-License-Identifier: GPL-2.0-only */
/* main.c - the unit tests: one case a rule book, one test a rule */

#include <stdio.h>
#include <stdlib.h>

#include "fixture.h"

static TCase *(*const cases[])(void) = {
	big_tests, runs_tests, writer_tests,
	csum_tests, jsb_tests, find_tests, format_tests, revoke_tests,
	ring_tests, laps_tests, laps_edge_tests, laps_end_tests,
	laps_ahead_tests,
	stretch_tests, range_tests,
	end_tests, beyond_tests,
	end_proof_tests, tail_tests, live_set_tests, jmap_tests,
	classify_tests, fc_tests,
	replay_tests, give_up_tests, replay_tree_tests,
	support_tests, confine_tests, sheet_tests, text_tests, units_tests, when_tests,
	changes_tests, owned_tests, scarce_tests,
	pread_tests, foresight_tests,
	device_tests, handle_tests, open_tests,
	decode_tests, decode_fixed_tests, diff_tests, super_tests, view_tests,
	orphan_flag_tests,
	owner_tests, owner_path_tests, directory_tests, dir_names_tests,
	lookup_tests,
	checkpoint_tests, encode_tests, relog_tests, relog_care_tests,
	broken_off_tests, fast_log_tests,
	free_tail_tests, dropped_tests, new_tail_tests, bare_log_tests,
	kept_tests, cache_tests,
	problem_tests, verify_tests, verify_fast_tests,
	fs_csum_tests, verify_content_tests, verify_tags_tests, verify_then_tests, verdict_tests,
	plan_tests,
	spoilt_tests,
	seal_tests, keep_old_tests, next_copies_tests, outcome_tests,
	fault_tests, cached_tests,
	discarded_tests, in_place_tests, relogged_tests, lost_to_damage_tests,
	later_tests,
	damaged_tags_tests,
	superseded_tests, older_tests, torn_tests, schedule_tests,
	size_tests, band_writes_tests, bands_tests, model_tests,
	streaming_tests,
	cleaning_tests, zone_cache_tests, params_tests, trace_tests,
	as_lazy_tests,
	trace_fs_tests, import_tests,
	drive_probe_tests, drive_evidence_tests,
	drive_models_tests, drive_vpd_tests, drive_timer_tests,
	drive_throughput_tests, memory_tests, bounds_tests,
	blank_tests, undelete_tests, undelete_hostile_tests, lives_tests, overlaps_tests,
	went_home_tests, gaps_tests, changes_unknown_tests,
	follow_tests,
	values_tests,
	name_table_tests, earlier_tests,
	salvage_tests, carve_tests,
	restore_tests,
};

/*
 * A test that fails leaves its images behind, for its process ends where it
 * stands.  So all of them get one directory, which goes at the end.
 */
static void make_dir(const char *in, const char *name, char *dir, size_t size)
{
	snprintf(dir, size, "%.200s/e2lazy-unit.XXXXXX", in);
	if (!mkdtemp(dir) || setenv(name, dir, 1)) {
		perror(dir);
		exit(EXIT_FAILURE);
	}
}

/*
 * mke2fs and its like wait for the disk, at each end.  The suite has a directory
 * in memory where there is room; tests of the page cache ask for the disk.
 */
static void make_dirs(char *dir, size_t size)
{
	const char *tmp = getenv("TMPDIR"), *memory = getenv("MEMORY_TMPDIR");

	make_dir(tmp ? tmp : "/tmp", "DISK_TMPDIR", dir, size);
	if (memory && *memory)
		make_dir(memory, "TMPDIR", dir, size);
	else
		setenv("TMPDIR", dir, 1);
}

static void remove_dirs(void)
{
	if (system("rm -rf \"$TMPDIR\" \"$DISK_TMPDIR\""))
		perror("rm");
}

/* CK_TAP_LOG_FILE_NAME and CK_VERBOSITY tell where the results go, and how */
int main(void)
{
	Suite *suite = suite_create("unit");
	SRunner *runner;
	char dir[256];
	int failed;

	make_dirs(dir, sizeof(dir));
	if (!copy_defaults(dir)) {
		perror("defaults of mke2fs");
		return EXIT_FAILURE;
	}
	initialize_ext2_error_table();
	initialize_e2lz_error_table();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		TCase *tc = cases[i]();

		/* An emulated machine, or a disk that others keep busy. */
		tcase_set_timeout(tc, 600);
		suite_add_tcase(suite, tc);
	}
	runner = srunner_create(suite);
	srunner_run_all(runner, CK_ENV);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	remove_dirs();
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
