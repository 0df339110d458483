/* SPDX-License-Identifier: GPL-2.0-only */
/* Changes of files, from transaction to transaction, of images made by hand. */

#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "e2lazy_changes.h"
#include "owned.h"

#define BLOCK	1024
#define MAX_TXNS 4
#define SUMS	PLAIN
#define NO_SUMS	"-b 1024 -J size=1 -O ^64bit,^metadata_csum"

/* A log whose transactions hold some blocks, as they were one after another. */
struct scene {
	struct owned	*o;
	blk64_t		blocks[MAX_LOGGED];
	blk64_t		late[2];	/* the first transaction lacks them */
	bool		later;		/* and the second one, too */
	bool		follows;	/* the log has lost older transactions */
	bool		undated;	/* the first transaction has no date */
	unsigned	nr_blocks, nr_txns;
	char		(*contents[MAX_TXNS])[BLOCK];
	char		told[4096];	/* a line for each event */
	unsigned	lost, damaged;	/* blocks of before, and of after */
};

static int by_number(const void *a, const void *b)
{
	const blk64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void copy_image(struct scene *s, const char *from, const char *to)
{
	char *line;

	ck_assert_int_gt(asprintf(&line, "cp %s%s %s%s", s->o->f->image, from,
				  s->o->f->image, to), 0);
	shell(s->o->f, line);
	free(line);
}

static void also(struct scene *s, blk64_t fsblk)
{
	for (unsigned i = 0; i < s->nr_blocks; i++)
		if (s->blocks[i] == fsblk)
			return;
	ck_assert_uint_lt(s->nr_blocks, MAX_LOGGED);
	s->blocks[s->nr_blocks++] = fsblk;
	qsort(s->blocks, s->nr_blocks, sizeof(*s->blocks), by_number);
}

static void comes_late(struct scene *s, blk64_t fsblk)
{
	also(s, fsblk);
	s->late[!!s->late[0]] = fsblk;
}

static void also_directory(struct scene *s, const char *path)
{
	struct ext2_inode inode;

	inode_of(s->o, path, &inode);
	if (!(inode.i_flags & EXT4_INLINE_DATA_FL))
		also(s, block_of(s->o, path, 0));
}

/* The directories /, /d and /e and the first 16 of the user's inodes. */
static struct scene make(const char *mke2fs, const char *tree)
{
	struct scene s = { .o = new_owned(mke2fs, tree) };

	also(&s, home_of(s.o, EXT2_ROOT_INO));
	for (ext2_ino_t ino = 12; ino < 24; ino++)
		also(&s, home_of(s.o, ino));
	also_directory(&s, "/");
	also_directory(&s, "/d");
	also_directory(&s, "/e");
	copy_image(&s, "", ".base");
	return s;
}

/* By the descriptors, all inodes of the first group have been written. */
static void count_as_written(struct scene *s)
{
	alter(s->o, "set_bg 0 itable_unused 0\nset_bg 0 checksum calc\n");
	copy_image(s, "", ".base");
}

/* A transaction: all blocks as they are after the commands. */
static void then(struct scene *s, const char *commands)
{
	ck_assert_uint_lt(s->nr_txns, MAX_TXNS);
	alter(s->o, commands);
	s->contents[s->nr_txns] = calloc(s->nr_blocks, BLOCK);
	for (unsigned i = 0; i < s->nr_blocks; i++)
		read_block(s->o, s->blocks[i], s->contents[s->nr_txns][i]);
	s->nr_txns++;
}

/* The last transaction's copy is no directory's block from its third entry on. */
static void spoil_copy(struct scene *s, blk64_t fsblk)
{
	unsigned i = 0;

	while (s->blocks[i] != fsblk)
		ck_assert_uint_lt(++i, s->nr_blocks);
	memset(s->contents[s->nr_txns - 1][i] + 24, 0xff, BLOCK - 24);
}

/* debugfs's command for one of them. */
static void write_one(struct scene *s, unsigned txn, char *command)
{
	char list[MAX_LOGGED * 21] = "", *path;
	FILE *file;

	ck_assert_int_gt(asprintf(&path, "%s.%u", s->o->f->image, txn), 0);
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	for (unsigned i = 0; i < s->nr_blocks; i++) {
		if (txn <= s->later && (s->blocks[i] == s->late[0] ||
					s->blocks[i] == s->late[1]))
			continue;
		sprintf(list + strlen(list), "%s%llu", *list ? "," : "",
			(unsigned long long)s->blocks[i]);
		ck_assert_uint_eq(fwrite(s->contents[txn][i], BLOCK, 1, file),
				  1);
	}
	ck_assert_int_eq(fclose(file), 0);
	sprintf(command, "jw -b %s %s\n", list, path);
	free(path);
}

/* The block before the log's first, around the ring, ends another one. */
static void follow_another(struct scene *s)
{
	uint32_t commit[BLOCK / 4] = { htobe32(0xc03b3998), htobe32(2) };
	uint32_t super[BLOCK / 4];

	read_block(s->o, block_of_ino(s->o, EXT2_JOURNAL_INO, 0), super);
	commit[2] = htobe32(be32toh(super[6]) - 1);
	write_block(s->o, block_of_ino(s->o, EXT2_JOURNAL_INO,
				       be32toh(super[4]) - 1), commit);
}

/* The first transaction was committed long after all dates. */
static void date_first(struct scene *s)
{
	unsigned copies = s->nr_blocks - !!s->late[0] - !!s->late[1];
	uint32_t super[BLOCK / 4], commit[BLOCK / 4];
	blk64_t at;

	read_block(s->o, block_of_ino(s->o, EXT2_JOURNAL_INO, 0), super);
	at = block_of_ino(s->o, EXT2_JOURNAL_INO, be32toh(super[7]) + copies +
						  1);
	read_block(s->o, at, commit);
	ck_assert_uint_eq(be32toh(commit[1]), 2);
	commit[12] = commit[13] = UINT32_MAX;
	write_block(s->o, at, commit);
}

/* The log on the file system as it was before all that. */
static void write_all(struct scene *s)
{
	char commands[4096] = "jo\n";

	copy_image(s, ".base", "");
	for (unsigned i = 0; i < s->nr_txns; i++)
		write_one(s, i, commands + strlen(commands));
	strcat(commands, "jc\n");
	alter(s->o, commands);
	if (s->follows)
		follow_another(s);
	if (s->undated)
		date_first(s);
	read_map(s->o->f, E2LAZY_JMAP_CSUMS, 0);
	ck_assert_uint_eq(e2lazy_jmap_stats(s->o->f->map)->txns, s->nr_txns);
	ck_assert_int_eq(e2lazy_view_build(s->o->f->journal, s->o->f->map,
					   &s->o->view, NULL), 0);
}

static void end(struct scene *s)
{
	char *line;

	ck_assert_int_gt(asprintf(&line, "rm -f %s.*", s->o->f->image), 0);
	shell(s->o->f, line);
	free(line);
	for (unsigned i = 0; i < s->nr_txns; i++)
		free(s->contents[i]);
	free_owned(s->o);
}

/* ------------------------------------------------------------- the events */

static uint32_t first_tid(struct scene *s)
{
	return e2lazy_jmap_stats(s->o->f->map)->first_tid;
}

static errcode_t note(void *priv, const struct e2lazy_change *c)
{
	struct scene *s = priv;
	size_t used = strlen(s->told);

	if (c->tid)
		used += (size_t)snprintf(s->told + used,
					 sizeof(s->told) - used, "%u ",
					 c->tid - first_tid(s) + 1);
	snprintf(s->told + used, sizeof(s->told) - used, "%s %s%s%s\n",
		 e2lazy_change_name(c->kind), c->old_path ? c->old_path : "",
		 c->old_path ? " -> " : "", c->path);
	return 0;
}

static errcode_t note_lost(void *priv, blk64_t fsblk, bool before,
			   errcode_t why)
{
	struct scene *s = priv;

	ck_assert_uint_ne(fsblk, 0);
	if (before && why == E2LAZY_ET_LOST) {
		s->lost++;
	} else {
		ck_assert_int_eq(why, EXT2_ET_DIR_CORRUPTED);
		s->damaged += !before;
	}
	return 0;
}

static struct e2lazy_changes_opts opts_of(struct scene *s)
{
	return (struct e2lazy_changes_opts){
		.found = note, .lost = note_lost, .priv = s,
	};
}

static void check_each(struct scene *s, const char *expect)
{
	const struct e2lazy_changes_opts opts = opts_of(s);

	*s->told = '\0';
	s->lost = s->damaged = 0;
	ck_assert_int_eq(e2lazy_changes_each(s->o->f->journal, s->o->view,
					     NULL, 0, &opts, NULL), 0);
	ck_assert_str_eq(s->told, expect);
}

/* From transaction @from on, counted from 1, to the end. */
static void check_between(struct scene *s, unsigned from, const char *expect)
{
	const struct e2lazy_changes_opts opts = opts_of(s);
	const struct e2lazy_jmap_opts until = {
		.flags = E2LAZY_WALK_UNTIL | E2LAZY_JMAP_CSUMS,
		.until = first_tid(s) + from - 1,
	};
	struct e2lazy_journal *journal = s->o->f->journal;
	struct e2lazy_view *view;
	struct e2lazy_jmap *map;

	*s->told = '\0';
	s->lost = s->damaged = 0;
	ck_assert_int_eq(e2lazy_jmap_build(journal, &until, &map), 0);
	ck_assert_int_eq(e2lazy_view_build(journal, map, &view, NULL), 0);
	ck_assert_int_eq(e2lazy_changes_between(journal, view, s->o->view,
						NULL, 1, until.until,
						first_tid(s) + s->nr_txns - 1,
						&opts, NULL), 0);
	ck_assert_str_eq(s->told, expect);
	e2lazy_view_free(view);
	e2lazy_jmap_free(map);
}

/* All these are of the second transaction. */
static void check_second(struct scene *s, const char *expect)
{
	char each[256] = "";

	for (const char *line = expect; *line; line = strchr(line, '\n') + 1)
		snprintf(each + strlen(each), sizeof(each) - strlen(each),
			 "2 %.*s\n", (int)strcspn(line, "\n"), line);
	check_each(s, each);
	check_between(s, 1, expect);
}

/* ------------------------------------------------------------------ rules */

/* debugfs changes neither times nor links of its own accord. */
#define NOTED	"sif / mtime 5\nsif /d mtime 5\nsif /e mtime 5\n"
#define AGAIN	"sif / mtime 6\nsif /d mtime 6\nsif /e mtime 6\n"
#define TREE	"mkdir d e; echo hello >f; echo you >g"

START_TEST(a_name_for_a_name_is_a_renaming)
{
	struct scene s = make(_i ? NO_SUMS : SUMS, TREE);

	then(&s, "sif /g mtime 7\n");
	then(&s, NOTED "ln /f /d/moved\nunlink /f\n");
	then(&s, AGAIN "ln /d/moved /e/more\nsif /e/more links_count 2\n");
	write_all(&s);
	check_each(&s, "1 written /g\n2 renamed /f -> /d/moved\n"
		       "3 linked /e/more\n");
	check_between(&s, 1, "renamed /f -> /d/moved\nlinked /e/more\n");
	check_between(&s, 2, "linked /e/more\n");
	ck_assert_uint_eq(s.lost, 0);
	end(&s);
}
END_TEST

START_TEST(each_field_has_its_word)
{
	struct scene s = make(_i ? NO_SUMS : SUMS, TREE);

	then(&s, "sif /f size 3\n");
	then(&s, "sif /f mode 0100600\nsif /f uid 7\n");
	then(&s, "ea_set /f user.a b\nsif /g flags 0x80010\nsif /g ctime 9\n");
	then(&s, "sif /g atime 9\nsif /g ctime 10\nsif /d size 4096\n");
	write_all(&s);
	check_each(&s, "1 resized /f\n2 chmod /f\n2 chown /f\n"
		       "3 xattrs /f\n3 flags /g\n4 touched /g\n");
	check_between(&s, 1, "chmod /f\nchown /f\nxattrs /f\nflags /g\n");
	end(&s);
}
END_TEST

START_TEST(a_file_begins_and_ends_with_its_links)
{
	struct scene s = make(_i ? NO_SUMS : SUMS, TREE);

	then(&s, NOTED "unlink /g\nsif <15> links_count 0\n");
	then(&s, AGAIN "ln <15> /e/new\nsif <15> links_count 1\n"
		       "sif <15> generation 77\n");
	write_all(&s);
	check_each(&s, "1 deleted /g\n2 created /e/new\n");
	check_between(&s, 1, "created /e/new\n");
	end(&s);
}
END_TEST

/* Another file may have the inode before anybody looks. */
START_TEST(another_life_is_another_file)
{
	struct scene s = make(SUMS, TREE);

	then(&s, "sif /f mtime 7\n");
	then(&s, NOTED "unlink /g\nln <15> /e/new\nsif <15> generation 77\n");
	write_all(&s);
	check_each(&s, "1 written /f\n2 deleted /g\n2 created /e/new\n");
	check_between(&s, 1, "deleted /g\ncreated /e/new\n");
	end(&s);
}
END_TEST

START_TEST(paths_follow_renamed_directories)
{
	struct scene s = make(SUMS, "mkdir d e; echo hello >d/f; echo x >d/g");

	then(&s, "sif /d/f mtime 7\n");
	then(&s, NOTED "ln /d /e/in\nunlink /d\nunlink /e/in/g\n"
		       "sif <14> links_count 0\n");
	then(&s, "sif /e/in/f mode 0100600\n");
	write_all(&s);
	check_each(&s, "1 written /d/f\n2 renamed /d -> /e/in\n"
		       "2 deleted /d/g\n3 chmod /e/in/f\n");
	check_between(&s, 1, "renamed /d -> /e/in\nchmod /e/in/f\n"
			     "deleted /d/g\n");
	end(&s);
}
END_TEST

/*
 * The block with the directory's name is unknown before, so no block tells whether
 * that name is new.  A change time that is not that of a name in it says it may.
 */
START_TEST(a_name_that_may_be_new_is_in_no_earlier_path)
{
	struct scene s = make(NO_SUMS, "mkdir d e; echo hello >d/f");

	ck_assert_uint_eq(ino_of(s.o, "/d"), 12);
	s.follows = s.later = true;
	comes_late(&s, block_of(s.o, "/", 0));
	then(&s, "sif / mode 040700\n");
	then(&s, "sif /d/f mtime 7\n");
	alter(s.o, NOTED "sif /d/f mode 0100600\n");
	then(&s, _i ? "ln /d /new\nunlink /d\nsif /new ctime 7\n" :
		      "sif /d ctime 5\n");
	then(&s, "sif / mode 040755\n");
	write_all(&s);
	check_each(&s, _i ? "2 written <12>/f\n3 chmod /new/f\n4 chmod /\n" :
		   "2 written /d/f\n3 chmod /d/f\n4 chmod /\n");
	end(&s);
}
END_TEST

START_TEST(contents_elsewhere_are_mapped)
{
	struct scene s = make(SUMS, TREE);

	then(&s, "sif /f mtime 7\n");
	then(&s, "sif /f block[5] 9000\n");
	write_all(&s);
	check_each(&s, "1 written /f\n2 mapped /f\n");
	check_between(&s, 1, "mapped /f\n");
	end(&s);
}
END_TEST

/* The static block equals the last copy, which may have been written home. */
START_TEST(a_state_before_a_block_that_may_be_home_is_unknown)
{
	struct scene s = make(SUMS, TREE);

	s.blocks[0] = home_of(s.o, EXT2_ROOT_INO);
	s.nr_blocks = 1;
	then(&s, "sif / mode 040700\n");
	then(&s, "sif / mode 040755\n");
	write_all(&s);
	check_each(&s, "2 chmod /\n");
	ck_assert_uint_gt(s.lost, 0);
	check_between(&s, 1, "chmod /\n");
	end(&s);
}
END_TEST

#define DESCRIPTORS 2

/* They may be home, so nobody knows them before their first copy. */
START_TEST(descriptors_of_another_time_lead_to_the_tables)
{
	struct scene s = make(_i ? NO_SUMS : SUMS, TREE);

	comes_late(&s, DESCRIPTORS);
	then(&s, "sif /f mtime 7\n");
	then(&s, NOTED "ln /f /d/moved\nunlink /f\n");
	write_all(&s);
	/* Whether /f's block had been written before is unknown, too. */
	check_each(&s, "2 renamed /f -> /d/moved\n");
	check_between(&s, 1, "renamed /f -> /d/moved\n");
	end(&s);
}
END_TEST

/*
 * Nobody had written the block of inode 401 before, and it holds inodes of an
 * earlier file system.  The descriptors in place are later, and count it.
 */
START_TEST(descriptors_of_another_time_tell_no_counts)
{
	struct scene s = make(NO_SUMS ",uninit_bg", TREE);
	char block[BLOCK];

	read_block(s.o, home_of(s.o, 14), block);
	write_block(s.o, home_of(s.o, 401), block);
	count_as_written(&s);
	comes_late(&s, home_of(s.o, 401));
	comes_late(&s, DESCRIPTORS);
	then(&s, "sif /f mtime 7\n");
	then(&s, "clri <401>\nclri <402>\nclri <403>\nclri <404>\n");
	write_all(&s);
	check_each(&s, "");
	check_between(&s, 1, "");
	ck_assert_uint_eq(s.lost, 1);
	end(&s);
}
END_TEST

/* A time later than that of any transaction. */
#define NEW_LIFE "sif <15> generation 77\nsif <15> crtime 2147000000\n"

/* The inode before is unknown, and its name was another file's. */
START_TEST(a_name_of_an_earlier_life_is_deleted)
{
	struct scene s = make(SUMS, TREE);

	s.follows = true;
	comes_late(&s, home_of(s.o, 15));
	then(&s, "sif / mode 040700\n");
	then(&s, NOTED "unlink /g\nln <15> /e/new\n" NEW_LIFE);
	write_all(&s);
	check_each(&s, "2 deleted /g\n2 created /e/new\n");
	check_between(&s, 1, "deleted /g\ncreated /e/new\n");
	end(&s);
}
END_TEST

START_TEST(a_new_file_may_have_name_and_inode_of_the_old_one)
{
	struct scene s = make(SUMS, TREE);

	s.follows = _i;
	if (_i)
		comes_late(&s, home_of(s.o, 15));
	then(&s, "sif / mode 040700\n");
	then(&s, NOTED "unlink /g\nln <15> /g\n" NEW_LIFE);
	then(&s, "sif /g mode 0100600\n");
	write_all(&s);
	check_each(&s, _i ? "2 deleted /g\n2 created /g\n3 chmod /g\n" :
		   "1 chmod /\n2 deleted /g\n2 created /g\n3 chmod /g\n");
	check_between(&s, 1, "deleted /g\ncreated /g\n");
	end(&s);
}
END_TEST

#define DEAD	"sif <20> mode 0100644\nsif <20> extra_isize 32\n" \
		"sif <20> dtime 2147000000\n"

/* Nobody has seen a file that began and ended between two times. */
START_TEST(an_unknown_inode_that_began_later_has_not_ended)
{
	struct scene s = make(SUMS, TREE);

	count_as_written(&s);
	s.follows = true;
	comes_late(&s, home_of(s.o, 20));
	then(&s, "sif / mode 040700\n");
	then(&s, _i ? DEAD "sif <20> crtime 2147000000\n" :
		      DEAD "sif <20> crtime 5\n");
	write_all(&s);
	check_each(&s, _i ? "" : "2 deleted <20>\n");
	check_between(&s, 1, _i ? "" : "deleted <20>\n");
	end(&s);
}
END_TEST

static void swap_leaves(struct scene *s, blk64_t a, blk64_t b)
{
	char of_a[BLOCK], of_b[BLOCK];

	read_block(s->o, a, of_a);
	read_block(s->o, b, of_b);
	write_block(s->o, a, of_b);
	write_block(s->o, b, of_a);
}

/*
 * A directory's index moves names from block to block.  Of two that change
 * places the first is unknown before, so its names in the second look new.
 */
START_TEST(a_name_from_an_unknown_leaf_is_no_new_one)
{
	struct scene s = make(NO_SUMS, "mkdir d e; echo hello >f; echo you >g; "
			      "for i in $(seq 12); do >d/$i$(seq -s x 80); done");
	blk64_t second = block_of(s.o, "/d", 1), third = block_of(s.o, "/d", 2);

	s.follows = true;
	comes_late(&s, second);
	also(&s, third);
	also(&s, home_of(s.o, ino_of(s.o, "/f")));
	also(&s, home_of(s.o, ino_of(s.o, "/g")));
	then(&s, "sif / mode 040700\n");
	swap_leaves(&s, second, third);
	then(&s, NOTED "ln /f /d/more\nsif /f links_count 2\n"
		       "ln /g /d/moved\nunlink /g\nsif /d/moved ctime 7\n");
	write_all(&s);
	check_each(&s, "2 linked /d/more\n2 renamed /g -> /d/moved\n");
	check_between(&s, 1, "linked /d/more\nrenamed /g -> /d/moved\n");
	end(&s);
}
END_TEST

/*
 * All names in /d are doubtful, as one of its blocks is unknown before.  A link
 * elsewhere is the new name (0); in /d, one of two names is (1); and a name that
 * came for one that nobody sees is no link (2).
 */
START_TEST(links_tell_which_names_are_new)
{
	static const char *const commands[] = {
		"ln /d/f /e/more\nsif /e/more links_count 2\n",
		"ln /d/f /d/more\nsif /d/more links_count 2\n",
		"ln /d/f /e/more\nunlink /d/f\nsif /e/more ctime 7\n",
	};
	static const char *const told[] = {
		"linked /e/more\n", "linked <13>\n",
		"renamed <13> -> /e/more\n",
	};
	struct scene s = make(NO_SUMS, "mkdir d e; echo hello >d/f");

	ck_assert_uint_eq(ino_of(s.o, "/d/f"), 13);
	s.follows = true;
	comes_late(&s, block_of(s.o, "/d", 0));
	then(&s, "sif / mode 040700\n");
	alter(s.o, NOTED);
	then(&s, commands[_i]);
	write_all(&s);
	check_second(&s, told[_i]);
	end(&s);
}
END_TEST

/*
 * The second transaction's copy of /d's block is damaged.  Nothing shows that its
 * names went (0), unless the inode has lost a link (1), is free (2), or got a name
 * elsewhere that is no further link (3).
 */
START_TEST(a_name_that_cannot_be_read_has_not_gone)
{
	static const char *const commands[] = {
		"sif /e mtime 7\n",
		"unlink /d/f\nsif /more links_count 1\n",
		"rm /d/f\nrm /more\n",
		"ln /d/g /e/moved\nunlink /d/g\nsif /e/moved ctime 7\n",
	};
	static const char *const told[] = {
		"", "unlinked /d/f\n", "deleted /more\nunlinked /d/f\n",
		"renamed /d/g -> /e/moved\n",
	};
	struct scene s = make(NO_SUMS, "mkdir -p d/sub e; echo hello >d/f; "
			      "ln d/f more; echo you >d/g");

	then(&s, "sif / mtime 4\n");
	alter(s.o, NOTED);
	then(&s, commands[_i]);
	spoil_copy(&s, block_of(s.o, "/d", 0));
	write_all(&s);
	check_second(&s, told[_i]);
	ck_assert_uint_eq(s.damaged, 1);
	end(&s);
}
END_TEST

/*
 * A directory always has one name.  So if the known one goes, a name in a block
 * that is unknown before is new (0); if the block of the new one is damaged, there
 * still is one (1), although it may be that of a new directory (2).
 */
START_TEST(a_directory_that_is_there_has_a_name)
{
	static const char *const times[] = {
		"sif <12> crtime 5\nsif <12> ctime 2147000000\n",
		"sif <12> crtime 5\nsif <12> ctime 2147000000\n",
		"sif <12> crtime 5\nsif <12> ctime 7\n",
	};
	static const char *const told[] = {
		"renamed /d -> /e/moved\nchanged /e/moved\n",
		"renamed /d -> <12>\nchanged <12>\n",
		"changed /d\n",
	};
	struct scene s = make(NO_SUMS, "mkdir d e");

	ck_assert_uint_eq(ino_of(s.o, "/d"), 12);
	s.follows = true;
	comes_late(&s, home_of(s.o, 12));
	comes_late(&s, block_of(s.o, "/e", 0));
	then(&s, "sif / mode 040700\n");
	alter(s.o, times[_i]);
	then(&s, NOTED "ln /d /e/moved\nunlink /d\n");
	if (_i)
		spoil_copy(&s, block_of(s.o, "/e", 0));
	write_all(&s);
	check_second(&s, told[_i]);
	end(&s);
}
END_TEST

/* The end of the file's data is the value of an attribute, too. */
static void spoil_data(struct scene *s, const char *path)
{
	blk64_t home = home_of(s->o, ino_of(s->o, path));
	char block[BLOCK], *tail;

	read_block(s->o, home, block);
	tail = memmem(block, BLOCK, "tail", 4);
	ck_assert_ptr_nonnull(tail);
	*tail = 'T';
	write_block(s->o, home, block);
}

START_TEST(inline_data_are_no_attributes)
{
	struct scene s = make(NO_SUMS ",inline_data",
			      "mkdir d e; echo $(seq 30) tail >f");

	then(&s, "ea_set /f user.a b\nea_set /d user.a b\n");
	spoil_data(&s, "/f");
	then(&s, "sif /f mtime 7\n");
	then(&s, "ea_set /f user.a c\n");
	write_all(&s);
	check_each(&s, "1 xattrs /d\n1 xattrs /f\n2 written /f\n"
		       "3 xattrs /f\n");
	check_between(&s, 1, "written /f\nxattrs /f\n");
	end(&s);
}
END_TEST

/* Taken as a number with a sign, the time would be before those of all files. */
START_TEST(no_change_is_later_than_the_last_time)
{
	struct scene s = make(NO_SUMS, TREE);

	s.follows = s.undated = true;
	comes_late(&s, home_of(s.o, 15));
	then(&s, "sif / mode 040700\n");
	then(&s, "sif /g mode 0100600\nsif /g ctime 5\n");
	write_all(&s);
	check_each(&s, "");
	check_between(&s, 1, "");
	end(&s);
}
END_TEST

#define FILE_20	"sif <20> mode 0100644\nsif <20> links_count 1\n" \
		"ln <20> /file\n"
#define TIMES	"sif <20> extra_isize 32\nsif <20> crtime 5\n" \
		"sif <20> ctime 2147000000\n"
/* Its last change was to be made. */
#define MADE	"sif <20> extra_isize 32\nsif <20> crtime 5\n" \
		"sif <20> ctime 5\n"

START_TEST(a_first_name_is_no_link)
{
	struct scene s = make(SUMS, TREE);

	count_as_written(&s);
	s.follows = true;
	comes_late(&s, home_of(s.o, 20));
	then(&s, "sif / mode 040700\n");
	then(&s, _i ? NOTED FILE_20 TIMES : NOTED FILE_20 MADE);
	then(&s, "sif /file mode 0100600\n");
	write_all(&s);
	check_each(&s, _i ? "2 renamed <20> -> /file\n2 changed /file\n"
			    "3 chmod /file\n" :
		   "2 created /file\n3 chmod /file\n");
	check_between(&s, 1, _i ? "renamed <20> -> /file\nchanged /file\n" :
		      "created /file\n");
	end(&s);
}
END_TEST

/*
 * Inodes of 128 bytes have no time of creation: a first name may be that of a new
 * file or of one renamed, and for another name that of another file, too.
 * Descriptors of before tell that nobody had used the inode.
 */
START_TEST(a_file_without_birth_is_new_if_its_inode_was_unused)
{
	struct scene s = make(_i ? NO_SUMS ",uninit_bg -I 128" :
				   NO_SUMS " -I 128", TREE);

	s.follows = true;
	if (_i)
		also(&s, DESCRIPTORS);
	comes_late(&s, home_of(s.o, 15));
	comes_late(&s, home_of(s.o, 20));
	then(&s, "sif / mode 040700\n");
	then(&s, NOTED "ln /g /h\nunlink /g\n" FILE_20);
	then(&s, "sif /file mode 0100600\n");
	write_all(&s);
	check_each(&s, _i ? "2 changed /g -> /h\n2 created /file\n"
			    "3 chmod /file\n" :
		   "2 changed /g -> /h\n2 changed /file\n3 chmod /file\n");
	check_between(&s, 1, _i ? "changed /g -> /h\ncreated /file\n" :
		      "changed /g -> /h\nchanged /file\n");
	end(&s);
}
END_TEST

TCase *changes_tests(void)
{
	TCase *tests = tcase_create("changes");

	tcase_add_loop_test(tests, a_name_for_a_name_is_a_renaming, 0, 2);
	tcase_add_loop_test(tests, each_field_has_its_word, 0, 2);
	tcase_add_loop_test(tests, a_file_begins_and_ends_with_its_links, 0,
			    2);
	tcase_add_loop_test(tests,
			    descriptors_of_another_time_lead_to_the_tables, 0,
			    2);
	tcase_add_test(tests, descriptors_of_another_time_tell_no_counts);
	tcase_add_test(tests, another_life_is_another_file);
	tcase_add_test(tests, a_name_of_an_earlier_life_is_deleted);
	tcase_add_loop_test(tests,
			    a_new_file_may_have_name_and_inode_of_the_old_one,
			    0, 2);
	tcase_add_test(tests, paths_follow_renamed_directories);
	tcase_add_loop_test(tests, a_name_that_may_be_new_is_in_no_earlier_path,
			    0, 2);
	tcase_add_loop_test(tests,
			    an_unknown_inode_that_began_later_has_not_ended, 0,
			    2);
	tcase_add_test(tests, a_name_from_an_unknown_leaf_is_no_new_one);
	tcase_add_test(tests, inline_data_are_no_attributes);
	tcase_add_test(tests, no_change_is_later_than_the_last_time);
	tcase_add_loop_test(tests, a_first_name_is_no_link, 0, 2);
	tcase_add_loop_test(
		tests, a_file_without_birth_is_new_if_its_inode_was_unused, 0,
		2);
	tcase_add_loop_test(tests, links_tell_which_names_are_new, 0, 3);
	tcase_add_loop_test(tests, a_name_that_cannot_be_read_has_not_gone, 0,
			    4);
	tcase_add_loop_test(tests, a_directory_that_is_there_has_a_name, 0, 3);
	tcase_add_test(tests, contents_elsewhere_are_mapped);
	tcase_add_test(tests,
		       a_state_before_a_block_that_may_be_home_is_unknown);
	return tests;
}
