/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory of arrays that become large: what was written stays */

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

START_TEST(an_array_that_cannot_grow_stays_as_it_is)
{
	for (size_t bytes = MIB; bytes < 32 * MIB; bytes *= 8) {
		uint64_t *words = big_realloc(NULL, 0, bytes);

		ck_assert_ptr_nonnull(words);
		for (size_t i = 0; i < bytes / sizeof(*words); i++)
			words[i] = i;
		ck_assert_ptr_null(big_realloc(words, bytes, SIZE_MAX));
		ck_assert_ptr_null(big_realloc(words, bytes, SIZE_MAX / 2));
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
	tcase_add_test(tc, an_array_that_cannot_grow_stays_as_it_is);
	return tc;
}
