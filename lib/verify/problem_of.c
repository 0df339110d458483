/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * problem_of.c - errors of the library that are problems of the table
 *
 * An error ends a call; a problem is told, explained and asked about.  This
 * table lists errors about the disk's content.  It omits wrong arguments, and
 * devices that no program can read.
 */

#include "problem.h"

static const struct {
	errcode_t	error;
	enum problem	problem;
} causes[] = {
	/* of e2lazy_open(), which reads no inode but the journal's */
	{ E2LAZY_ET_AMBIGUOUS_JOURNAL,	PROBLEM_JOURNAL_AMBIGUOUS },
	{ E2LAZY_ET_JOURNAL_INODE,	PROBLEM_JOURNAL_INODE },
	{ EXT2_ET_INODE_CSUM_INVALID,	PROBLEM_JOURNAL_INODE },
	{ E2LAZY_ET_JOURNAL_MAP,	PROBLEM_JOURNAL_MAP },
	{ EXT2_ET_EXTENT_CSUM_INVALID,	PROBLEM_JOURNAL_MAP },
	{ E2LAZY_ET_DEVICE_SHORT,	PROBLEM_JOURNAL_CUT_OFF },
	{ E2LAZY_ET_EXT_NOT_JOURNAL,	PROBLEM_EXTERNAL_MAGIC },
	{ E2LAZY_ET_EXT_CSUM,		PROBLEM_EXTERNAL_CSUM },
	{ E2LAZY_ET_EXT_UUID,		PROBLEM_EXTERNAL_FOREIGN },
	{ E2LAZY_ET_EXT_NOT_USER,	PROBLEM_EXTERNAL_NOT_USER },
	{ E2LAZY_ET_JSB_MAGIC,		PROBLEM_JOURNAL_SUPER_MAGIC },
	{ E2LAZY_ET_JSB_CSUM,		PROBLEM_JOURNAL_SUPER_CSUM },
	{ E2LAZY_ET_JSB_FEATURE,	PROBLEM_JOURNAL_FEATURES },
	{ E2LAZY_ET_JSB_CSUM_TYPE,	PROBLEM_JOURNAL_CSUM_TYPE },
	{ E2LAZY_ET_JSB_BLOCKSIZE,	PROBLEM_JOURNAL_BLOCK_SIZE },
	{ E2LAZY_ET_JOURNAL_SHORT,	PROBLEM_JOURNAL_SHORT },
	{ E2LAZY_ET_JSB_FAST_COMMIT,	PROBLEM_JOURNAL_FAST_COMMIT },
	{ E2LAZY_ET_JSB_FIRST,		PROBLEM_JOURNAL_FIRST },
	{ E2LAZY_ET_JSB_START,		PROBLEM_JOURNAL_START },
	/* of the end of a walk, and damage that a map counts */
	{ E2LAZY_ET_FS_SHORT,		PROBLEM_DEVICE_SHORT },
	{ E2LAZY_ET_BLOCK_CSUM,		PROBLEM_BLOCK_CSUM },
	{ E2LAZY_ET_COMMIT_CSUM,	PROBLEM_COMMIT_CSUM },
	{ E2LAZY_ET_REVOKE_COUNT,	PROBLEM_REVOKE_COUNT },
	{ E2LAZY_ET_BLOCK_TYPE,		PROBLEM_BLOCK_TYPE },
	{ E2LAZY_ET_LATER_TXN,		PROBLEM_LATER_TRANSACTIONS },
	{ E2LAZY_ET_DATA_CSUM,		PROBLEM_DATA_CSUM },
	{ E2LAZY_ET_TAG_OUTSIDE,	PROBLEM_TAG_OUTSIDE },
	{ E2LAZY_ET_TAG_IN_JOURNAL,	PROBLEM_TAG_IN_JOURNAL },
};

enum problem problem_of(errcode_t error)
{
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++)
		if (causes[i].error == error)
			return causes[i].problem;
	return NR_PROBLEMS;
}

const struct e2lazy_problem *e2lazy_problem_of(errcode_t error)
{
	enum problem problem = problem_of(error);

	return problem == NR_PROBLEMS ? NULL : &problem_table[problem];
}
