/* SPDX-License-Identifier: GPL-2.0-only */
/* fixture.h - a file system by mke2fs, a log by mkjournal, opened for a test */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <check.h>

#include "e2lazy.h"

struct fixture {
	char	dir[256];
	char	image[272];
	char	device[272];		/* external journal, if made */
	char	said[272];		/* output of the last command */
	struct e2lazy_journal *journal;
	struct e2lazy_jmap *map;
	struct e2lazy_where where;
};

struct fixture *new_fixture(void);

/* For a test of the page cache, before all else: its files are on a disk. */
void on_disk(void);

/*
 * End the test that is running, which cannot run here, for @why: it passes, and
 * the tally counts it as skipped.  Only in the test's own function.
 */
#define skip_test(why) do { \
	say_skipped(__func__, why); \
	return; \
} while (0)
void say_skipped(const char *test, const char *why);

/* For a test that numbers inodes: inode 12 is not the orphan file. */
void no_orphan_file(void);
/* Once, before the first test. */
bool copy_defaults(const char *dir);

/*
 * Blocks that are free in every file system made here and outside of its
 * journal, so that a log may map them: FREE .. FREE + 3000.
 */
#define FREE 60000

/* mke2fs options of the file system that most tests use: 1k blocks, v3. */
#define PLAIN "-b 1024 -J size=1 -O 64bit,metadata_csum"

/* Make an image of @size ("64M") and write a log into it. */
void make_image(struct fixture *f, const char *size, const char *mke2fs,
		const char *spec);
/* The same with the journal on a device of its own. */
void make_external(struct fixture *f, const char *blocksize, const char *spec);
/* More damage, or a second look, for an image that is there. */
void write_log(struct fixture *f, const char *spec);
/* Run a shell command, of which "%s" is the image; it must succeed. */
void shell(struct fixture *f, const char *command);
/* Open and build the map; everything is released after the test. */
void read_map(struct fixture *f, unsigned flags, uint32_t until);
errcode_t try_open(struct fixture *f, const struct e2lazy_open_opts *opts);
void drop(struct fixture *f);

/* A superblock from the order of the disk to the host's, or back. */
static inline void swap_super(struct ext2_super_block *sb)
{
#ifdef WORDS_BIGENDIAN
	ext2fs_swap_super(sb);
#else
	(void)sb;
#endif
}

/* make_image(PLAIN) and read_map() in one. */
struct fixture *map_of(const char *spec);
struct fixture *map_of_fs(const char *mke2fs, const char *spec);

#define ck_assert_mapped(f, block, in_tid) do { \
	struct e2lazy_copy copy_; \
	ck_assert_int_eq(e2lazy_jmap_lookup((f)->map, block, &copy_), 0); \
	ck_assert_uint_eq(copy_.fsblk, block); \
	ck_assert_uint_eq(copy_.tid, in_tid); \
	check_content(f, &copy_); \
} while (0)

#define ck_assert_not_mapped(f, block) do { \
	struct e2lazy_copy copy_; \
	ck_assert_int_eq(e2lazy_jmap_lookup((f)->map, block, &copy_), \
			 E2LAZY_ET_NOT_MAPPED); \
} while (0)

/* mkjournal fills a block with its own number and tid: is it that one? */
void check_content(struct fixture *f, const struct e2lazy_copy *copy);

#define ck_assert_ends(f, why, end_tid) do { \
	ck_assert_int_eq(e2lazy_jmap_end((f)->map)->reason, why); \
	ck_assert_uint_eq(e2lazy_jmap_end((f)->map)->tid, end_tid); \
} while (0)

enum e2lazy_beyond_verdict beyond(struct fixture *f);

/* For every rule a test case, registered by its file. */
TCase *csum_tests(void);
TCase *jsb_tests(void);
TCase *find_tests(void);
TCase *format_tests(void);
TCase *revoke_tests(void);
TCase *ring_tests(void);
TCase *laps_tests(void);
TCase *laps_edge_tests(void);
TCase *laps_end_tests(void);
TCase *laps_ahead_tests(void);
TCase *stretch_tests(void);
TCase *streaming_tests(void);
TCase *range_tests(void);
TCase *end_tests(void);
TCase *beyond_tests(void);
TCase *end_proof_tests(void);
TCase *tail_tests(void);
TCase *earlier_tests(void);
TCase *live_set_tests(void);
TCase *runs_tests(void);
TCase *big_tests(void);
TCase *writer_tests(void);
TCase *jmap_tests(void);
TCase *classify_tests(void);
TCase *fc_tests(void);
TCase *replay_tests(void);
TCase *give_up_tests(void);
TCase *replay_tree_tests(void);
TCase *support_tests(void);
TCase *confine_tests(void);
TCase *sheet_tests(void);
TCase *text_tests(void);
TCase *units_tests(void);
TCase *when_tests(void);
TCase *changes_tests(void);
TCase *owned_tests(void);
TCase *scarce_tests(void);
TCase *pread_tests(void);
TCase *device_tests(void);
TCase *handle_tests(void);
TCase *open_tests(void);
TCase *decode_tests(void);
TCase *decode_fixed_tests(void);
TCase *diff_tests(void);
TCase *super_tests(void);
TCase *view_tests(void);
TCase *orphan_flag_tests(void);
TCase *owner_tests(void);
TCase *owner_path_tests(void);
TCase *directory_tests(void);
TCase *dir_names_tests(void);
TCase *lookup_tests(void);
TCase *encode_tests(void);
TCase *relog_tests(void);
TCase *relog_care_tests(void);
TCase *broken_off_tests(void);
TCase *fast_log_tests(void);
TCase *checkpoint_tests(void);
TCase *free_tail_tests(void);
TCase *dropped_tests(void);
TCase *new_tail_tests(void);
TCase *bare_log_tests(void);
TCase *kept_tests(void);
TCase *cache_tests(void);
TCase *problem_tests(void);
TCase *verify_tests(void);
TCase *verify_fast_tests(void);
TCase *fs_csum_tests(void);
TCase *verify_content_tests(void);
TCase *verify_tags_tests(void);
TCase *verify_then_tests(void);
TCase *verdict_tests(void);
TCase *plan_tests(void);
TCase *spoilt_tests(void);
TCase *seal_tests(void);
TCase *keep_old_tests(void);
TCase *next_copies_tests(void);
TCase *cached_tests(void);
TCase *outcome_tests(void);
TCase *fault_tests(void);
TCase *discarded_tests(void);
TCase *in_place_tests(void);
TCase *relogged_tests(void);
TCase *lost_to_damage_tests(void);
TCase *later_tests(void);
TCase *damaged_tags_tests(void);
TCase *superseded_tests(void);
TCase *older_tests(void);
TCase *torn_tests(void);
TCase *schedule_tests(void);
TCase *foresight_tests(void);
TCase *size_tests(void);
TCase *band_writes_tests(void);
TCase *bands_tests(void);
TCase *model_tests(void);
TCase *cleaning_tests(void);
TCase *zone_cache_tests(void);
TCase *trace_tests(void);
TCase *as_lazy_tests(void);
TCase *trace_fs_tests(void);
TCase *import_tests(void);
TCase *params_tests(void);
TCase *drive_probe_tests(void);
TCase *drive_evidence_tests(void);
TCase *drive_models_tests(void);
TCase *drive_vpd_tests(void);
TCase *drive_timer_tests(void);
TCase *drive_throughput_tests(void);
TCase *memory_tests(void);
TCase *bounds_tests(void);
TCase *blank_tests(void);
TCase *undelete_tests(void);
TCase *undelete_hostile_tests(void);
TCase *overlaps_tests(void);
TCase *went_home_tests(void);
TCase *changes_unknown_tests(void);
TCase *follow_tests(void);
TCase *gaps_tests(void);
TCase *values_tests(void);
TCase *lives_tests(void);
TCase *name_table_tests(void);
TCase *salvage_tests(void);
TCase *carve_tests(void);
TCase *restore_tests(void);

#endif
