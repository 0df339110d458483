/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory of arrays that become large: what was written stays */

#include <inttypes.h>
#include <stdio.h>

#include "io/big.h"
#include "fixture.h"

#define MIB ((size_t)1 << 20)

static void check_words(const uint64_t *words, size_t bytes)
{
	for (size_t i = 0; i < bytes / sizeof(*words); i += 64)
		ck_assert_uint_eq(words[i], i);
}

START_TEST(an_array_keeps_its_content_while_it_grows)
{
	static const size_t sizes[] = {
		4096, MIB, 4 * MIB - 8, 4 * MIB, 4 * MIB + 8, 6 * MIB,
		6 * MIB + 8, 8 * MIB, 64 * MIB, 64 * MIB + 8,
	};
	uint64_t *words = NULL;
	size_t bytes = 0;

	for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		uint64_t *more = big_realloc(words, bytes, sizes[i]);

		ck_assert_ptr_nonnull(more);
		check_words(more, bytes);
		for (size_t k = 0; k < sizes[i] / sizeof(*more); k++)
			more[k] = k;
		words = more;
		bytes = sizes[i];
	}
	big_free(words, bytes);
}
END_TEST

/* Is all of it in one line of the list of mappings? */
static bool is_one_mapping(const void *at, size_t bytes)
{
	uintptr_t begin = (uintptr_t)at, from, to;
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[512];
	bool found = false;

	ck_assert_ptr_nonnull(maps);
	while (!found && fgets(line, sizeof(line), maps))
		found = sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &from,
			       &to) == 2 &&
			from <= begin && begin + bytes <= to;
	fclose(maps);
	return found;
}

/* Kernels before 6.17 do not move an array of several mappings. */
START_TEST(an_array_is_one_mapping_however_often_it_grows)
{
	size_t bytes = 4 * MIB;
	uint64_t *words = big_realloc(NULL, 0, bytes);

	ck_assert_ptr_nonnull(words);
	for (unsigned i = 0; i < 8; i++) {
		size_t last = bytes / sizeof(*words) - 1;

		words[last] = bytes;
		words = big_realloc(words, bytes, bytes / 2 * 3);
		ck_assert_ptr_nonnull(words);
		ck_assert_uint_eq(words[last], bytes);
		bytes = bytes / 2 * 3;
		ck_assert(is_one_mapping(words, bytes));
	}
	big_free(words, bytes);
}
END_TEST

START_TEST(an_array_that_cannot_grow_stays_as_it_is)
{
	for (size_t bytes = MIB; bytes < 32 * MIB; bytes *= 8) {
		uint64_t *words = big_realloc(NULL, 0, bytes);

		ck_assert_ptr_nonnull(words);
		for (size_t i = 0; i < bytes / sizeof(*words); i++)
			words[i] = i;
		ck_assert_ptr_null(big_realloc(words, bytes, SIZE_MAX));
		/* 2 GiB may be free below a kernel of 64 bits. */
		ck_assert_ptr_null(big_realloc(words, bytes,
					       SIZE_MAX / 16 * 15));
		check_words(words, bytes);
		big_free(words, bytes);
	}
	big_free(NULL, 0);
}
END_TEST

TCase *big_tests(void)
{
	TCase *tc = tcase_create("big");

	tcase_add_test(tc, an_array_keeps_its_content_while_it_grows);
	tcase_add_test(tc, an_array_is_one_mapping_however_often_it_grows);
	tcase_add_test(tc, an_array_that_cannot_grow_stays_as_it_is);
	return tc;
}
