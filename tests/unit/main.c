/* SPDX-License-Identifier: GPL-2.0-only */
/* main.c - the unit tests: one case a rule book, one test a rule */
#include "config.h"

#include <stdlib.h>

#include "fixture.h"

static TCase *(*const cases[])(void) = {
	csum_tests, jsb_tests, find_tests, format_tests, revoke_tests,
	ring_tests, end_tests, beyond_tests, fold_tests, jmap_tests,
	classify_tests, fc_tests,
};

/* argv[1]: where the results go as TAP */
int main(int argc, char **argv)
{
	Suite *suite = suite_create("unit");
	SRunner *runner;
	int failed;

	initialize_ext2_error_table();
	initialize_e2lz_error_table();
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		TCase *tc = cases[i]();

		tcase_set_timeout(tc, 120);	/* of an emulated machine */
		suite_add_tcase(suite, tc);
	}
	runner = srunner_create(suite);
	if (argc > 1)
		srunner_set_tap(runner, argv[1]);
	srunner_run_all(runner, argc > 1 ? CK_SILENT : CK_NORMAL);
	failed = srunner_ntests_failed(runner);
	srunner_free(runner);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
