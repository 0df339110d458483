/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * problem.c - the table of all problems that a search can find
 *
 * It has facts only.  Sentences are those of the program that prints them.
 */

#include <string.h>

#include "problem.h"

#define ROW(number, name, how_bad, may, ...)				\
	[PROBLEM_##number] = {						\
		name, E2LAZY_##how_bad, E2LAZY_##may, __VA_ARGS__ },

const struct e2lazy_problem problem_table[NR_PROBLEMS] = {
	PROBLEMS(ROW)
};

const struct e2lazy_problem *e2lazy_problems(size_t *count)
{
	*count = NR_PROBLEMS;
	return problem_table;
}

const struct e2lazy_problem *e2lazy_problem_find(const char *id)
{
	for (size_t i = 0; i < NR_PROBLEMS; i++)
		if (!strcmp(problem_table[i].id, id))
			return &problem_table[i];
	return NULL;
}
