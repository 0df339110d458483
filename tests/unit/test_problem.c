/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of problems: the rules that programs rely on. */

#include <errno.h>
#include <string.h>

#include "e2lazy_mend.h"
#include "fixture.h"
#include "states/states.h"

/* A clause, for whoever prints it adds what it ends with. */
static void check_advice(const struct diagnosis *row)
{
	size_t n;

	ck_assert_msg(row->advice != NULL, "%s", row->problem->id);
	n = strlen(row->advice);
	ck_assert_msg(n > 10 && row->advice[n - 1] != '.' &&
		      row->advice[0] >= 'a' && row->advice[0] <= 'z', "%s",
		      row->problem->id);
}

START_TEST(each_problem_has_an_id_of_its_own_and_texts)
{
	const struct e2lazy_problem *p;
	size_t count;

	p = e2lazy_problems(&count);
	ck_assert_uint_gt(count, 30);
	for (size_t i = 0; i < count; i++) {
		const struct diagnosis *row = diagnosis_of(&p[i]);

		ck_assert_ptr_nonnull(p[i].id);
		ck_assert_msg(row && diagnosis_find(p[i].id) == row, "%s",
			      p[i].id);
		ck_assert_uint_gt(strlen(row->text), 10);
		ck_assert_msg(strlen(row->meaning) > 40, "%s", p[i].id);
		check_advice(row);
		ck_assert_ptr_eq(e2lazy_problem_find(p[i].id), &p[i]);
	}
	ck_assert_ptr_null(e2lazy_problem_find("no-such-id"));
}
END_TEST

START_TEST(the_gravest_come_first)
{
	const struct e2lazy_problem *p;
	size_t count;

	p = e2lazy_problems(&count);
	for (size_t i = 1; i < count; i++)
		ck_assert_msg(p[i].severity <= p[i - 1].severity, "%s",
			      p[i].id);
}
END_TEST

START_TEST(what_asks_has_a_question_and_nothing_else_does)
{
	const struct diagnosis *row = NULL;

	while ((row = diagnosis_next(row))) {
		const char *asked = row->question;
		bool asks = row->problem->consent == E2LAZY_ASK;

		ck_assert_msg(asks == (asked != NULL), "%s", row->problem->id);
		if (asks)
			ck_assert_int_eq(asked[strlen(asked) - 1], '?');
		if (row->second)
			ck_assert_msg(asks && row->problem->otherwise, "%s",
				      row->problem->id);
	}
}
END_TEST

START_TEST(notes_never_stand_in_the_way)
{
	const struct e2lazy_problem *p;
	size_t count;

	p = e2lazy_problems(&count);
	for (size_t i = 0; i < count; i++)
		if (p[i].severity == E2LAZY_NOTE)
			ck_assert_msg(p[i].consent == E2LAZY_GO, "%s",
				      p[i].id);
}
END_TEST

static const struct {
	errcode_t	error;
	const char	*id;
} damage[] = {
	{ E2LAZY_ET_AMBIGUOUS_JOURNAL,	"journal-ambiguous" },
	{ E2LAZY_ET_JOURNAL_INODE,	"journal-inode" },
	{ EXT2_ET_INODE_CSUM_INVALID,	"journal-inode" },
	{ E2LAZY_ET_JOURNAL_MAP,	"journal-map" },
	{ EXT2_ET_EXTENT_CSUM_INVALID,	"journal-map" },
	{ E2LAZY_ET_DEVICE_SHORT,	"journal-cut-off" },
	{ E2LAZY_ET_EXT_NOT_JOURNAL,	"external-magic" },
	{ E2LAZY_ET_EXT_CSUM,		"external-csum" },
	{ E2LAZY_ET_EXT_UUID,		"external-foreign" },
	{ E2LAZY_ET_EXT_NOT_USER,	"external-not-user" },
	{ E2LAZY_ET_JSB_MAGIC,		"journal-super-magic" },
	{ E2LAZY_ET_JSB_CSUM,		"journal-super-csum" },
	{ E2LAZY_ET_JSB_FEATURE,	"journal-features" },
	{ E2LAZY_ET_JSB_CSUM_TYPE,	"journal-csum-type" },
	{ E2LAZY_ET_JSB_BLOCKSIZE,	"journal-block-size" },
	{ E2LAZY_ET_JOURNAL_SHORT,	"journal-short" },
	{ E2LAZY_ET_JSB_FAST_COMMIT,	"journal-fast-commit" },
	{ E2LAZY_ET_JSB_FIRST,		"journal-first" },
	{ E2LAZY_ET_JSB_START,		"journal-start" },
	{ E2LAZY_ET_FS_SHORT,		"device-short" },
	{ E2LAZY_ET_BLOCK_CSUM,		"block-csum" },
	{ E2LAZY_ET_COMMIT_CSUM,	"commit-csum" },
	{ E2LAZY_ET_REVOKE_COUNT,	"revoke-count" },
	{ E2LAZY_ET_BLOCK_TYPE,		"block-type" },
	{ E2LAZY_ET_LATER_TXN,		"later-transactions" },
	{ E2LAZY_ET_DATA_CSUM,		"data-csum" },
	{ E2LAZY_ET_TAG_OUTSIDE,	"tag-outside" },
	{ E2LAZY_ET_TAG_IN_JOURNAL,	"tag-in-journal" },
};
#define NR_DAMAGE (sizeof(damage) / sizeof(damage[0]))

START_TEST(an_error_that_is_damage_is_a_problem)
{
	const struct e2lazy_problem *p = e2lazy_problem_of(damage[_i].error);

	ck_assert_msg(p && !strcmp(p->id, damage[_i].id), "%s: %s",
		      damage[_i].id, p ? p->id : "none");
}
END_TEST

/*
 * Wrong arguments, errors without a place, errors that are no damage, and
 * unreadable blocks.
 */
static const errcode_t others[] = {
	0, E2LAZY_ET_NO_JOURNAL, E2LAZY_ET_IS_JOURNAL_DEV,
	E2LAZY_ET_NOT_EXTERNAL, E2LAZY_ET_EXT_UNKNOWN, E2LAZY_ET_JSB_USERS,
	E2LAZY_ET_NOT_MAPPED, E2LAZY_ET_OUTSIDE_LOG, E2LAZY_ET_CANCELLED,
	E2LAZY_ET_GEOMETRY, E2LAZY_ET_LOST, E2LAZY_ET_BLOCK_MAP,
	E2LAZY_ET_LONG_PATH, E2LAZY_ET_LOCKED, E2LAZY_ET_NOT_WRITTEN,
	E2LAZY_ET_CHANGED, E2LAZY_ET_DRIVE_LIST, E2LAZY_ET_DIRTY_TIMER,
	E2LAZY_ET_JOURNAL_SIZE,
	E2LAZY_ET_NO_PROC, E2LAZY_ET_GROUPS, E2LAZY_ET_BUDGET,
	E2LAZY_ET_NO_VERDICT,
	E2LAZY_ET_STALE_VERDICT, E2LAZY_ET_QUICK_VERDICT, E2LAZY_ET_CONSENT,
	E2LAZY_ET_EXT_SAME, E2LAZY_ET_EXT_SEVERAL, E2LAZY_ET_MMP_OFFSET,
	E2LAZY_ET_EARLIER_WRITE,
	E2LAZY_ET_NOT_HELD,
	E2LAZY_ET_TRACE_MAGIC, E2LAZY_ET_TRACE_VERSION,
	E2LAZY_ET_TRACE_DAMAGED, E2LAZY_ET_TRACE_SHORT, E2LAZY_ET_TRACE_END,
	E2LAZY_ET_TRACE_LINE, E2LAZY_ET_NO_TRACEFS, E2LAZY_ET_TRACEFS,
	E2LAZY_ET_RECORD_GONE,
	E2LAZY_ET_FC_BIGALLOC, E2LAZY_ET_FC_QUOTA, E2LAZY_ET_FC_INLINE,
	E2LAZY_ET_FC_NAMES, E2LAZY_ET_FC_MAP, E2LAZY_ET_FC_ORPHAN,
	E2LAZY_ET_FC_XATTR, E2LAZY_ET_FC_INODE, E2LAZY_ET_FC_HTREE,
	E2LAZY_ET_FC_NO_SPACE, E2LAZY_ET_FC_CONTRADICTS, E2LAZY_ET_FC_DAMAGED,
	E2LAZY_ET_EMPTY_LOG, E2LAZY_ET_UNSOUND, E2LAZY_ET_NO_ROOM,
	E2LAZY_ET_FC_WAIT, E2LAZY_ET_OTHER_KIND, E2LAZY_ET_WOULD_WRAP,
	EIO, ENOENT, EXT2_ET_SHORT_READ, EXT2_ET_BAD_MAGIC, EXT2_ET_NO_MEMORY,
};
#define NR_OTHERS (sizeof(others) / sizeof(others[0]))

START_TEST(an_error_that_is_none_is_no_problem)
{
	ck_assert_ptr_null(e2lazy_problem_of(others[_i]));
}
END_TEST

/* A code that is added to the library has to be put into one of the two. */
START_TEST(each_error_of_the_library_is_judged)
{
	errcode_t error = E2LAZY_ET_NO_JOURNAL;

	for (; error <= E2LAZY_ET_EARLIER_WRITE; error++) {
		bool known = e2lazy_problem_of(error);

		for (size_t i = 0; i < NR_OTHERS; i++)
			known |= others[i] == error;
		ck_assert_msg(known, "%s", error_message(error));
	}
	ck_assert_msg(!strncmp(error_message(error), "Unknown code", 12),
		      "there are later ones: %s", error_message(error));
}
END_TEST

START_TEST(the_status_follows_severity_and_consent)
{
	const struct e2lazy_problem *p;
	size_t count;

	p = e2lazy_problems(&count);
	for (size_t i = 0; i < count; i++) {
		if (p[i].severity == E2LAZY_NOTE)
			ck_assert_msg(p[i].status == E2LAZY_CLEAN, "%s",
				      p[i].id);
		else
			ck_assert_msg(p[i].status != E2LAZY_CLEAN, "%s",
				      p[i].id);
		ck_assert_msg((p[i].status == E2LAZY_UNUSABLE) ==
			      (p[i].consent == E2LAZY_REFUSE), "%s",
			      p[i].id);
	}
}
END_TEST

/* Unasked, a block is left as it is at the most. */
START_TEST(only_a_question_writes_and_its_second_effect_is_another)
{
	const struct e2lazy_problem *p;
	size_t count;

	p = e2lazy_problems(&count);
	for (size_t i = 0; i < count; i++) {
		if (p[i].effect && p[i].effect != E2LAZY_EFFECT_LEAVE_OUT)
			ck_assert_msg(p[i].consent == E2LAZY_ASK, "%s",
				      p[i].id);
		if (p[i].otherwise)
			ck_assert_msg(p[i].effect &&
				      p[i].effect != p[i].otherwise, "%s",
				      p[i].id);
	}
}
END_TEST

/* Nothing of a log that cannot be read is written back on a yes. */
START_TEST(what_keeps_a_journal_from_being_opened_is_grave_and_refused)
{
	for (size_t i = 0; damage[i].error != E2LAZY_ET_FS_SHORT; i++) {
		const struct e2lazy_problem *p =
			e2lazy_problem_find(damage[i].id);

		ck_assert_int_eq(p->severity, E2LAZY_GRAVE);
		ck_assert_msg(p->consent == E2LAZY_REFUSE, "%s", p->id);
	}
}
END_TEST

START_TEST(each_state_has_a_row_of_its_own)
{
	const struct diagnosis *row = NULL;

	while ((row = diagnosis_next(row))) {
		const char *id = row->problem->id;

		ck_assert_msg(diagnosis_find(id) == row, "%s", id);
		ck_assert_msg(strlen(row->text) > 10 &&
			      strlen(row->meaning) > 40, "%s", id);
		check_advice(row);
		ck_assert_msg(!row->tools.kernel == !row->tools.e2fsprogs,
			      "%s", id);
		ck_assert_msg(!row->decides || row->tools.kernel, "%s", id);
	}
}
END_TEST

TCase *problem_tests(void)
{
	TCase *tc = tcase_create("problem");

	tcase_add_test(tc, each_problem_has_an_id_of_its_own_and_texts);
	tcase_add_test(tc, each_state_has_a_row_of_its_own);
	tcase_add_test(tc, the_gravest_come_first);
	tcase_add_test(tc, the_status_follows_severity_and_consent);
	tcase_add_test(tc, only_a_question_writes_and_its_second_effect_is_another);
	tcase_add_test(tc, what_asks_has_a_question_and_nothing_else_does);
	tcase_add_test(tc, notes_never_stand_in_the_way);
	tcase_add_loop_test(tc, an_error_that_is_damage_is_a_problem, 0,
			    NR_DAMAGE);
	tcase_add_loop_test(tc, an_error_that_is_none_is_no_problem, 0,
			    NR_OTHERS);
	tcase_add_test(tc, each_error_of_the_library_is_judged);
	tcase_add_test(tc,
		       what_keeps_a_journal_from_being_opened_is_grave_and_refused);
	return tc;
}
