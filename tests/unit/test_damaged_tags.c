/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A descriptor with a bad checksum: the copies whose content names their place
 * are taken, and no other.
 */

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "judged.h"
#include "owned.h"
#include "log/log.h"

#define SIZE 1024
#define CSUMS "-O metadata_csum,64bit"
#define TREE "mkdir d; echo x >d/name; echo text >f1; " PIECES
#define MOST_TAGS 16

/*
 * Transaction 5 is at log blocks 1 to 3, the descriptor of 6 at 4.  Its copies
 * are blocks as they are in place, so they prove what these are.
 */
#define DESCRIPTOR 4

struct damaged {
	struct owned	*o;
	struct fixture	*f;
	struct judged	j;
	blk64_t		tags[MOST_TAGS];	/* their blocks */
	unsigned	nr;
	char		recovered[256];
};

/* -------------------------------------------------------------- the image */

static blk64_t place_of(struct damaged *d, uint32_t logblk)
{
	blk64_t fsblk;

	ck_assert_int_eq(e2lazy_physblk(d->f->journal, logblk, &fsblk), 0);
	return fsblk;
}

static void begin(struct damaged *d, struct owned *o)
{
	memset(d, 0, sizeof(*d));
	d->o = o;
	d->f = o->f;
}

static void add(struct damaged *d, blk64_t fsblk)
{
	ck_assert_uint_lt(d->nr, MOST_TAGS);
	d->tags[d->nr++] = fsblk;
}

static size_t tag_at(const struct damaged *d, unsigned index)
{
	return 12 + (size_t)index * d->f->journal->format.tag_bytes +
	       (index ? 16 : 0);
}

/* Put @bytes into the copy of tag @index; its checksum fits. */
static void put_copy(struct damaged *d, unsigned index, const void *bytes)
{
	const struct csum *csum = &d->f->journal->csum;
	blk64_t home = place_of(d, DESCRIPTOR);
	uint8_t block[SIZE];
	uint32_t crc = csum_data(csum, 6, bytes);

	write_block(d->o, place_of(d, DESCRIPTOR + 1 + index), bytes);
	read_block(d->o, home, block);
	if (csum->kind == E2LAZY_CSUM_V3)
		put_be32(block + tag_at(d, index) + 12, crc);
	else
		memcpy(block + tag_at(d, index) + 4,
		       (uint8_t[]){ (uint8_t)(crc >> 8), (uint8_t)crc }, 2);
	write_block(d->o, home, block);
}

/* Log the tags' blocks as they are, between two others; then @more. */
static void write_damaged(struct damaged *d, const char *csum, const char *more)
{
	char spec[2048], block[SIZE];
	int n = snprintf(spec, sizeof(spec), "journal csum %s 64bit\n"
			 "txn 5 write 60000\ntxn 6 write", csum);

	for (unsigned i = 0; i < d->nr; i++)
		n += snprintf(spec + n, sizeof(spec) - n, " %llu",
			      (unsigned long long)d->tags[i]);
	snprintf(spec + n, sizeof(spec) - n, "\n%s", more);
	write_log(d->f, spec);
	drop(d->f);
	read_map(d->f, 0, 0);
	for (unsigned i = 0; i < d->nr; i++) {
		read_block(d->o, d->tags[i], block);
		put_copy(d, i, block);
	}
}

/* Change a byte of the descriptor: its checksum is bad anyhow. */
static void change(struct damaged *d, size_t at, uint8_t bits)
{
	blk64_t home = place_of(d, DESCRIPTOR);
	uint8_t block[SIZE];

	read_block(d->o, home, block);
	block[at] ^= bits;
	write_block(d->o, home, block);
}

static void change_flags(struct damaged *d, unsigned index, uint8_t bits)
{
	change(d, tag_at(d, index) + 7, bits);
}

static void swap_numbers(struct damaged *d, unsigned a, unsigned b)
{
	blk64_t home = place_of(d, DESCRIPTOR);
	uint8_t block[SIZE], number[4];

	read_block(d->o, home, block);
	memcpy(number, block + tag_at(d, a), sizeof(number));
	memcpy(block + tag_at(d, a), block + tag_at(d, b), sizeof(number));
	memcpy(block + tag_at(d, b), number, sizeof(number));
	write_block(d->o, home, block);
}

/* ----------------------------------------------------------- what results */

static void recover_map(struct damaged *d)
{
	const struct e2lazy_jmap_opts opts = {
		.flags = E2LAZY_JMAP_STATES | E2LAZY_JMAP_CSUMS |
			 E2LAZY_JMAP_BEHIND,
	};

	drop(d->f);
	read_map(d->f, E2LAZY_JMAP_CSUMS | E2LAZY_JMAP_BEHIND, 0);
	ck_assert_int_eq(e2lazy_jmap_recover(d->f->journal, &opts, &d->f->map),
			 0);
}

/* The numbers of the tags whose copies the map has: "0 2 3". */
static const char *recovered(struct damaged *d)
{
	size_t n = 0;

	recover_map(d);
	d->recovered[0] = '\0';
	for (size_t i = 0; i < e2lazy_jmap_count(d->f->map); i++) {
		struct e2lazy_copy copy;

		e2lazy_jmap_get(d->f->map, i, &copy);
		if (!(copy.flags & E2LAZY_COPY_RECOVERED))
			continue;
		ck_assert_uint_eq(copy.tid, 6);
		ck_assert_uint_eq(copy.fsblk,
				  d->tags[copy.logblk - DESCRIPTOR - 1]);
		n += snprintf(d->recovered + n, sizeof(d->recovered) - n,
			      "%s%u", n ? " " : "",
			      copy.logblk - DESCRIPTOR - 1);
	}
	return d->recovered;
}

static void end(struct damaged *d)
{
	close_subject(&d->j);
	free_owned(d->o);
}

/* Blocks of each kind that can be proven, in ascending order, and a file's. */
static void add_all(struct damaged *d)
{
	ext2_filsys fs;

	ck_assert_int_eq(ext2fs_open(d->f->image, EXT2_FLAG_64BITS, 0, 0,
				     unix_io_manager, &fs), 0);
	add(d, 1);
	add(d, 2);
	add(d, ext2fs_block_bitmap_loc(fs, 0));
	add(d, ext2fs_inode_bitmap_loc(fs, 0));
	ext2fs_free(fs);
	add(d, home_of(d->o, ino_of(d->o, "d")));
	add(d, block_of(d->o, "d", 0));
	add(d, node_of(d->o, "f"));
	add(d, block_of(d->o, "f1", 0));
}

#define ALL "0 1 2 3 4 5 6"

static void begin_all(struct damaged *d, const char *csum)
{
	begin(d, new_owned(CSUMS, TREE));
	add_all(d);
	write_damaged(d, csum, "txn 7 write 60001\n");
}

static void check_sorted(struct damaged *d, const char *expect)
{
	const char *found = recovered(d);

	for (const char *at = expect; *at; at++)
		if (*at != ' ')
			ck_assert_msg(strchr(found, *at), "%s, not %s", found,
				      expect);
	ck_assert_uint_eq(strlen(found), strlen(expect));
}

/* ------------------------------------------------------------- the tests */

START_TEST(each_kind_that_names_its_place_is_taken_and_no_contents)
{
	struct damaged d;

	begin_all(&d, "v3");
	check_sorted(&d, ALL);
	end(&d);
	begin_all(&d, "v2");
	check_sorted(&d, ALL);
	end(&d);
}
END_TEST

START_TEST(without_checksums_of_metadata_only_numbers_prove)
{
	struct damaged d;

	begin(&d, new_owned("-O ^metadata_csum,64bit", TREE));
	add_all(&d);
	write_damaged(&d, "v3", "txn 7 write 60001\n");
	check_sorted(&d, "0 1");
	end(&d);
}
END_TEST

START_TEST(a_bit_of_a_number_loses_that_block_alone)
{
	struct damaged d;

	begin_all(&d, "v3");
	for (unsigned tag = 0; tag < 7; tag++) {
		char others[32] = ALL;

		memmove(others + 2 * tag, others + 2 * tag + 2,
			strlen(others) - 2 * tag);
		if (tag == 6)
			others[11] = '\0';
		for (unsigned bit = 0; bit < 24; bit++) {
			size_t at = tag_at(&d, tag) + 3 - bit / 8;

			change(&d, at, (uint8_t)(1 << bit % 8));
			check_sorted(&d, others);
			change(&d, at, (uint8_t)(1 << bit % 8));
		}
	}
	end(&d);
}
END_TEST

START_TEST(a_bit_of_a_checksum_loses_that_block_alone)
{
	struct damaged d;

	begin_all(&d, "v3");
	change(&d, tag_at(&d, 4) + 12, 0x10);
	check_sorted(&d, "0 1 2 3 5 6");
	end(&d);
}
END_TEST

START_TEST(two_numbers_exchanged_lose_both)
{
	struct damaged d;

	begin_all(&d, "v3");
	swap_numbers(&d, 2, 3);
	check_sorted(&d, "0 1 4 5 6");
	swap_numbers(&d, 2, 3);
	swap_numbers(&d, 5, 7);
	check_sorted(&d, "0 1 2 3 4 6");
	end(&d);
}
END_TEST

/* The same, with the file's contents logged again. */
static void begin_whole(struct damaged *d, const char *csum)
{
	char more[64];

	begin(d, new_owned(CSUMS, TREE));
	add_all(d);
	snprintf(more, sizeof(more), "txn 7 write %llu\n",
		 (unsigned long long)d->tags[7]);
	write_damaged(d, csum, more);
}

/* Each moves the tags behind it, or ends them. */
static void flip_flags(struct damaged *d, unsigned bits)
{
	for (unsigned tag = 0; tag < 8; tag++)
		for (unsigned bit = 0; bit < bits; bit++) {
			change_flags(d, tag, (uint8_t)(1 << bit));
			check_sorted(d, ALL);
			change_flags(d, tag, (uint8_t)(1 << bit));
		}
}

START_TEST(a_bit_of_the_flags_loses_nothing)
{
	struct damaged d;

	begin_whole(&d, "v3");
	flip_flags(&d, 8);
	end(&d);
	begin_whole(&d, "v2");
	flip_flags(&d, 4);
	end(&d);
}
END_TEST

#define SAME_UUID	2
#define LAST_TAG	8

/* Other tools replay the sound state up to there. */
START_TEST(a_log_that_seems_to_end_is_gone_on_with_only_whole)
{
	struct damaged d;

	begin_all(&d, "v3");
	change_flags(&d, 3, LAST_TAG);
	check_sorted(&d, "");
	change_flags(&d, 3, LAST_TAG | SAME_UUID);
	check_sorted(&d, "");
	change_flags(&d, 3, SAME_UUID);
	check_sorted(&d, ALL);
	end(&d);
	begin_whole(&d, "v3");
	change_flags(&d, 3, LAST_TAG);
	swap_numbers(&d, 2, 3);
	check_sorted(&d, "");
	end(&d);
}
END_TEST

START_TEST(nor_is_one_with_a_bad_copy_or_more_damage)
{
	struct damaged d;

	begin(&d, new_owned(CSUMS, TREE));
	add(&d, 2);
	write_damaged(&d, "v3", "txn 7 write 60001\n"
				"damage flip 7.data[0] 3\n");
	check_sorted(&d, "0");
	change_flags(&d, 0, LAST_TAG);
	check_sorted(&d, "");
	end(&d);
	begin(&d, new_owned(CSUMS, TREE));
	add(&d, 2);
	write_damaged(&d, "v3", "damage csum 6.commit\n");
	check_sorted(&d, "");
	end(&d);
}
END_TEST

START_TEST(a_sound_copy_behind_is_newer_and_a_revoke_there_counts)
{
	struct damaged d;
	char more[128];

	begin(&d, new_owned(CSUMS, TREE));
	add_all(&d);
	snprintf(more, sizeof(more), "txn 7 write 60001 revoke %llu\n",
		 (unsigned long long)d.tags[5]);
	write_damaged(&d, "v3", more);
	check_sorted(&d, "0 1 2 3 4 6");
	end(&d);
}
END_TEST

/* It may have been a revoke: a directory's block can be a file's by now. */
START_TEST(behind_a_lost_block_only_what_is_never_freed_is_taken)
{
	struct damaged d;

	begin(&d, new_owned(CSUMS, TREE));
	add_all(&d);
	write_damaged(&d, "v3", "txn 7 revoke 60002 write 60001\n"
				"txn 8 write 60003\ndamage zero 7.revoke\n");
	check_sorted(&d, "0 1 2 3 4");
	end(&d);
}
END_TEST

START_TEST(zeros_are_inodes_of_no_number)
{
	struct damaged d;
	uint8_t zeros[SIZE] = { 0 };

	begin(&d, new_owned(CSUMS, TREE));
	add_all(&d);
	write_damaged(&d, "v3", "txn 7 write 60001\n");
	put_copy(&d, 4, zeros);
	check_sorted(&d, "0 1 2 3 5 6");
	end(&d);
}
END_TEST

/* The kernel wrote the block home after a transaction of which the tag is lost. */
START_TEST(a_block_in_place_that_is_newer_stays)
{
	uint8_t newer[SIZE];
	struct damaged d;

	begin(&d, new_owned(CSUMS, TREE));
	add_all(&d);
	write_damaged(&d, "v3", "txn 7 write 60001 60004\n"
				"txn 8 write 60002\n"
				"damage csum 7.desc\n");
	check_sorted(&d, ALL);
	memset(newer, 0x5a, sizeof(newer));
	newer[0] = 1;
	write_block(d.o, d.tags[5], newer);
	check_sorted(&d, ALL);
	/* its own descriptor and copies, a commit block, a descriptor */
	write_block(d.o, place_of(&d, DESCRIPTOR + d.nr + 3), newer);
	check_sorted(&d, "0 1 2 3 4 6");
	end(&d);
}
END_TEST

/* ------------------------------------------------------ one directory's */

/* A directory with an index, whose blocks are all the tags. */
#define MANY "mkdir d; i=100; while [ $i -lt 220 ]; do " \
	     ">d/a-rather-long-name-of-a-file-$i; i=$((i + 1)); done"

static void begin_directory(struct damaged *d, unsigned blocks)
{
	begin(d, new_owned(CSUMS, MANY));
	shell(d->f, "{ e2fsck -fyD %s; test $? -le 1; }");
	for (unsigned i = 0; i < blocks; i++)
		add(d, block_of(d->o, "d", i));
	write_damaged(d, "v3", "txn 7 write 60001\n");
}

START_TEST(the_blocks_of_an_index_are_known_by_their_hashes)
{
	struct damaged d;

	begin_directory(&d, 4);
	check_sorted(&d, "0 1 2 3");
	end(&d);
}
END_TEST

START_TEST(two_blocks_of_one_directory_exchanged_are_both_lost)
{
	struct damaged d;

	begin_directory(&d, 4);
	swap_numbers(&d, 1, 2);
	check_sorted(&d, "0 3");
	swap_numbers(&d, 1, 2);
	swap_numbers(&d, 0, 3);
	check_sorted(&d, "1 2");
	end(&d);
}
END_TEST

START_TEST(without_an_index_only_the_first_block_is_known)
{
	struct damaged d;

	begin(&d, new_owned(CSUMS ",^dir_index", MANY));
	for (unsigned i = 0; i < 3; i++)
		add(&d, block_of(d.o, "d", i));
	write_damaged(&d, "v3", "txn 7 write 60001\n");
	check_sorted(&d, "0");
	end(&d);
}
END_TEST

/* ----------------------------------------------------------- the verdict */

static void judge_recovered(struct damaged *d)
{
	const struct e2lazy_verify_opts opts = {
		.flags = E2LAZY_VERIFY_CONTENT,
	};
	struct e2lazy_subject *s = &d->j.subject;

	close_subject(&d->j);
	recover_map(d);
	ck_assert_int_eq(e2lazy_view_build(d->f->journal, d->f->map, &s->view,
					   &d->f->where), 0);
	ck_assert_int_eq(e2lazy_layout_build(d->f->journal, d->f->map,
					     &s->layout, &d->f->where), 0);
	s->journal = d->f->journal;
	s->map = d->f->map;
	ck_assert_int_eq(e2lazy_verify(s, &opts, &d->j.verdict), 0);
}

static uint64_t count_of(const struct damaged *d, const char *id,
			 enum e2lazy_consent *consent)
{
	const struct e2lazy_finding *f;

	for (size_t i = 0; (f = e2lazy_verdict_finding(d->j.verdict, i)); i++)
		if (!strcmp(f->problem->id, id)) {
			*consent = f->problem->consent;
			return f->count;
		}
	return 0;
}

static void answer_all(const struct damaged *d, const char *but)
{
	const struct e2lazy_finding *f;

	for (size_t i = 0; (f = e2lazy_verdict_finding(d->j.verdict, i)); i++)
		if (f->problem->consent == E2LAZY_ASK &&
		    strcmp(f->problem->id, but))
			ck_assert_int_eq(e2lazy_verdict_answer(d->j.verdict,
					f->problem, E2LAZY_YES), 0);
}

START_TEST(they_are_written_by_consent_only_and_the_contents_never)
{
	struct e2lazy_checkpoint_done done;
	enum e2lazy_consent consent;
	uint8_t garbage[SIZE], block[SIZE];
	struct damaged d;

	begin_all(&d, "v3");
	memset(garbage, 0x5a, sizeof(garbage));
	write_block(d.o, d.tags[5], garbage);
	write_block(d.o, d.tags[7], garbage);
	judge_recovered(&d);
	ck_assert_uint_eq(count_of(&d, "tag-recovered", &consent), 7);
	ck_assert_int_eq(consent, E2LAZY_ASK);
	ck_assert_uint_eq(count_of(&d, "tag-lost", &consent), 1);
	answer_all(&d, "tag-recovered");
	ck_assert_int_eq(e2lazy_checkpoint(d.j.subject.view, d.j.verdict, NULL,
					   &done, &d.f->where),
			 E2LAZY_ET_CONSENT);
	answer_all(&d, "");
	ck_assert_int_eq(e2lazy_checkpoint(d.j.subject.view, d.j.verdict, NULL,
					   &done, &d.f->where), 0);
	read_block(d.o, d.tags[5], block);
	ck_assert_mem_ne(block, garbage, SIZE);
	read_block(d.o, d.tags[7], block);
	ck_assert_mem_eq(block, garbage, SIZE);
	end(&d);
}
END_TEST

TCase *damaged_tags_tests(void)
{
	TCase *tc = tcase_create("damaged_tags");

	tcase_set_timeout(tc, 120);
	tcase_add_test(tc,
		each_kind_that_names_its_place_is_taken_and_no_contents);
	tcase_add_test(tc, without_checksums_of_metadata_only_numbers_prove);
	tcase_add_test(tc, a_bit_of_a_number_loses_that_block_alone);
	tcase_add_test(tc, a_bit_of_a_checksum_loses_that_block_alone);
	tcase_add_test(tc, two_numbers_exchanged_lose_both);
	tcase_add_test(tc, a_bit_of_the_flags_loses_nothing);
	tcase_add_test(tc,
		a_log_that_seems_to_end_is_gone_on_with_only_whole);
	tcase_add_test(tc, nor_is_one_with_a_bad_copy_or_more_damage);
	tcase_add_test(tc,
		a_sound_copy_behind_is_newer_and_a_revoke_there_counts);
	tcase_add_test(tc,
		behind_a_lost_block_only_what_is_never_freed_is_taken);
	tcase_add_test(tc, zeros_are_inodes_of_no_number);
	tcase_add_test(tc, a_block_in_place_that_is_newer_stays);
	tcase_add_test(tc, the_blocks_of_an_index_are_known_by_their_hashes);
	tcase_add_test(tc, two_blocks_of_one_directory_exchanged_are_both_lost);
	tcase_add_test(tc, without_an_index_only_the_first_block_is_known);
	tcase_add_test(tc,
		they_are_written_by_consent_only_and_the_contents_never);
	return tc;
}
