/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * without_reads.c - copy a trace, and leave out what it reads
 *
 *	without_reads FROM TO
 *
 * A million reads of single blocks take megabytes, and a drive cleans nothing
 * for them.  Without them nothing is read from the log, so its transactions are
 * left out, too.
 */
#include <stdio.h>

#include <et/com_err.h>

#include "e2lazy_trace.h"

static errcode_t copy(struct e2lazy_trace *from, struct e2lazy_trace_writer *to)
{
	struct e2lazy_trace_fs fs;
	struct e2lazy_request r;
	errcode_t err = e2lazy_trace_read_fs(from, &fs);

	fs.nr_txns = fs.nr_logged = 0;
	if (!err)
		err = e2lazy_trace_put_fs(to, &fs);
	e2lazy_trace_fs_free(&fs);
	while (!err) {
		err = e2lazy_trace_next(from, &r);
		if (!err && r.op != E2LAZY_OP_READ)
			err = e2lazy_trace_put(to, &r);
	}
	return err == E2LAZY_ET_TRACE_END ? 0 : err;
}

int main(int argc, char **argv)
{
	struct e2lazy_trace_writer *to = NULL;
	struct e2lazy_trace *from = NULL;
	errcode_t err;

	initialize_e2lz_error_table();
	if (argc != 3) {
		fprintf(stderr, "usage: without_reads FROM TO\n");
		return 1;
	}
	err = e2lazy_trace_open(argv[1], &from);
	if (!err)
		err = e2lazy_trace_create(argv[2],
					  e2lazy_trace_info(from)->disk_bytes,
					  &to);
	if (!err)
		err = copy(from, to);
	if (to && err)
		e2lazy_trace_abort(to);
	else if (to)
		err = e2lazy_trace_finish(to, NULL, NULL);
	e2lazy_trace_close(from);
	if (err)
		fprintf(stderr, "without_reads: %s\n", error_message(err));
	return err != 0;
}
