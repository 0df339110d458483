/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * verdict.c - is the log of a file system sound?
 *
 *	cc verdict.c -o verdict $(pkg-config --cflags --libs e2lazy)
 *	./verdict DEVICE
 *
 * Prints one word for the whole log, and a line for each finding.  Nothing is
 * written to DEVICE.
 */
#include <stdio.h>

#include "judged.h"

/* The id never changes; e2lazyck --explain has its meaning. */
static void print_finding(const struct e2lazy_finding *f)
{
	printf("%s (%llu)", f->problem->id, (unsigned long long)f->count);
	if (f->first.has & E2LAZY_AT_LOGBLK)
		printf(" log block %u", f->first.logblk);
	if (f->first.has & E2LAZY_AT_FSBLK)
		printf(" block %llu", (unsigned long long)f->first.fsblk);
	printf("\n");
}

static int print_verdict(const struct e2lazy_verdict *verdict)
{
	static const char *const words[] = {
		[E2LAZY_CLEAN] = "clean",
		[E2LAZY_SOUND_IN_USE] = "sound, in use",
		[E2LAZY_DAMAGED] = "damaged",
		[E2LAZY_UNUSABLE] = "unusable",
	};
	enum e2lazy_status status = e2lazy_verdict_status(verdict);
	const struct e2lazy_finding *f;
	size_t i;

	printf("%s\n", words[status]);
	for (i = 0; (f = e2lazy_verdict_finding(verdict, i)); i++)
		print_finding(f);
	return status == E2LAZY_CLEAN ? 0 : 4;
}

int main(int argc, char **argv)
{
	struct judged judged;
	errcode_t err;
	int status = 8;

	if (argc != 2) {
		fprintf(stderr, "usage: verdict DEVICE\n");
		return 16;
	}
	initialize_ext2_error_table();
	initialize_e2lz_error_table();
	err = judged_open(&judged, argv[1]);
	if (err)
		com_err("verdict", err, "with %s", argv[1]);
	else
		status = print_verdict(judged.verdict);
	judged_close(&judged);
	return status;
}
