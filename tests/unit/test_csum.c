/* SPDX-License-Identifier: GPL-2.0-only */
/* All ways to a crc32c give what the standard says. */

#include <stdlib.h>
#include <string.h>

#include "log/csum.h"
#include "fixture.h"

START_TEST(crc32c_of_the_check_string)
{
	/* the check value of CRC-32C, RFC 3720; jbd2 does not invert it */
	for (const struct crc32c_way *w = crc32c_ways; w->name; w++)
		if (w->usable())
			ck_assert_uint_eq(~w->crc(~0U, "123456789", 9),
					  0xe3069283);
}
END_TEST

START_TEST(ways_agree_on_every_length_and_alignment)
{
	uint8_t buf[512];

	srand(17);
	for (size_t i = 0; i < sizeof(buf); i++)
		buf[i] = (uint8_t)rand();
	for (const struct crc32c_way *w = crc32c_ways; w->name; w++)
		for (unsigned at = 0; w->usable() && at < 8; at++)
			for (unsigned len = 0; len < 300; len++)
				ck_assert_uint_eq(
					w->crc(len, buf + at, len),
					ext2fs_crc32c_le(len, buf + at, len));
}
END_TEST

START_TEST(a_way_is_always_found)
{
	ck_assert_uint_eq(~crc32c_select()(~0U, "123456789", 9), 0xe3069283);
}
END_TEST

TCase *csum_tests(void)
{
	TCase *tc = tcase_create("csum");

	tcase_add_test(tc, crc32c_of_the_check_string);
	tcase_add_test(tc, ways_agree_on_every_length_and_alignment);
	tcase_add_test(tc, a_way_is_always_found);
	return tc;
}
