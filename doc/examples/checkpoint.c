/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * checkpoint.c - write the log of a file system back, if it is sound
 *
 *	cc checkpoint.c -o checkpoint $(pkg-config --cflags --libs e2lazy)
 *	./checkpoint DEVICE
 *
 * It answers no question: where a finding asks for consent or refuses, it
 * writes nothing.  It does not look for mounts on loop devices, partitions or
 * other layers, and keeps no undo file.  e2lazyck does both.
 */
#include <stdio.h>

#include "judged.h"

static errcode_t write_back(struct judged *j)
{
	const struct e2lazy_checkpoint_opts opts = {
		.flags = E2LAZY_CHECKPOINT_COMPARE,
		.memory = 64 << 20,
	};
	struct e2lazy_checkpoint_done done;
	struct e2lazy_where where;
	errcode_t err;

	/* It would refuse the verdict by itself: E2LAZY_ET_CONSENT. */
	if (e2lazy_verdict_open(j->verdict) > 0)
		return E2LAZY_ET_CONSENT;
	err = e2lazy_checkpoint(j->subject.view, j->verdict, &opts, &done,
				&where);
	if (done.sealed)
		printf("%llu blocks written, the log is empty\n",
		       (unsigned long long)done.blocks_written);
	else if (done.begun)
		printf("the log is kept: run it again\n");
	return err;
}

int main(int argc, char **argv)
{
	struct judged judged;
	errcode_t err;

	if (argc != 2) {
		fprintf(stderr, "usage: checkpoint DEVICE\n");
		return 16;
	}
	initialize_ext2_error_table();
	initialize_e2lz_error_table();
	err = judged_open(&judged, argv[1]);
	if (!err)
		err = write_back(&judged);
	if (err)
		com_err("checkpoint", err, "with %s", argv[1]);
	judged_close(&judged);
	return err ? 8 : 0;
}
