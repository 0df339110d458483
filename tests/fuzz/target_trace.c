/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * target_trace.c - a trace file, and the lines of other tools' traces
 *
 * It needs no file system, so that an input is just bytes.  The first says what
 * the others are: a file as it stands; the payload of a chunk, of requests or of
 * the file system, which gets heads and checksums that fit, or every input would
 * end at the first checksum; records of blktrace; or lines of text.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "e2lazy_trace.h"
#include "trace/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define must(rule) \
	do { \
		if (!(rule)) { \
			fprintf(stderr, "does not hold: %s\n", #rule); \
			abort(); \
		} \
	} while (0)

static void check_request(const struct e2lazy_request *r, uint64_t last)
{
	must(r->op < E2LAZY_NR_OPS);
	must(r->flags < 16);
	must(r->t >= last && r->t <= INT64_MAX);
	must(r->offset % 512 == 0 && r->length % 512 == 0);
	must(r->offset <= INT64_MAX && r->length <= INT64_MAX - r->offset);
	must(r->op != E2LAZY_OP_FLUSH || !r->length);
}

/* Pieces ascend, and each number of the file has a byte at least. */
static void check_fs(const struct e2lazy_trace_fs *fs, size_t bytes)
{
	must(fs->nr_pieces + fs->nr_runs + fs->nr_txns + fs->nr_logged <=
	     bytes);
	for (size_t i = 1; i < fs->nr_pieces; i++)
		must(fs->pieces[i].start >= fs->pieces[i - 1].start +
					    fs->pieces[i - 1].count);
	for (size_t i = 0; i < fs->nr_txns; i++)
		must(fs->txns[i].first <= fs->nr_logged &&
		     (uint64_t)fs->txns[i].tags + fs->txns[i].revokes <=
		     fs->nr_logged - fs->txns[i].first);
}

/* Each byte of the file is a request at the most. */
static void read_trace(const char *path, size_t bytes)
{
	struct e2lazy_trace *trace;
	struct e2lazy_request r;
	uint64_t last = 0, count = 0, middle;
	struct e2lazy_trace_fs fs;
	errcode_t err;

	if (e2lazy_trace_open(path, &trace))
		return;
	for (; !(err = e2lazy_trace_next(trace, &r)); last = r.t) {
		check_request(&r, last);
		must(++count <= bytes);
	}
	must(e2lazy_trace_next(trace, &r) == err);
	middle = last / 2;
	if (!e2lazy_trace_seek(trace, middle) &&
	    !e2lazy_trace_next(trace, &r))
		must(r.t >= middle);
	if (!e2lazy_trace_read_fs(trace, &fs)) {
		check_fs(&fs, bytes);
		e2lazy_trace_fs_free(&fs);
	}
	e2lazy_trace_close(trace);
}

static void put_head(uint8_t *head, uint32_t kind, const uint8_t *payload,
		     uint32_t bytes, uint32_t count)
{
	memset(head, 0, TRACE_HEAD);
	put_le32(head + CHUNK_KIND, kind);
	put_le32(head + CHUNK_BYTES, bytes);
	put_le32(head + CHUNK_COUNT, count);
	put_le32(head + CHUNK_PAYLOAD, trace_csum(payload, bytes));
	put_le32(head + CHUNK_CSUM, trace_csum(head, CHUNK_CSUM));
}

/* The file's head, one chunk, an index that may say anything, the tail. */
static size_t dress(uint8_t *file, const uint8_t *data, size_t size,
		    uint32_t kind)
{
	uint32_t count = size ? data[0] : 0;
	uint8_t *at = file;

	size -= size > 0;
	memset(at, 0, TRACE_HEAD);
	memcpy(at, TRACE_MAGIC, 8);
	put_le32(at + HEAD_VERSION, TRACE_VERSION);
	put_le32(at + HEAD_CSUM, trace_csum(at, HEAD_CSUM));
	at += TRACE_HEAD;
	put_head(at, kind, data + 1, size, count);
	memcpy(at + TRACE_HEAD, data + 1, size);
	at += TRACE_HEAD + size;
	put_head(at, CHUNK_INDEX, data + 1, size / 2, size / 2 / INDEX_ENTRY);
	memcpy(at + TRACE_HEAD, data + 1, size / 2);
	memset(at + TRACE_HEAD + size / 2, 0, TRACE_HEAD);
	put_le64(at + TRACE_HEAD + size / 2 + TAIL_INDEX, at - file);
	at += TRACE_HEAD + size / 2;
	memcpy(at, TAIL_MAGIC, sizeof(TAIL_MAGIC));
	put_le32(at + TAIL_CSUM, trace_csum(at, TAIL_CSUM));
	return at + TRACE_HEAD - file;
}

/* @kind: the chunk's, whose payload the bytes are; 0: a whole file. */
static void as_file(const uint8_t *data, size_t size, uint32_t kind)
{
	uint8_t *file = malloc(2 * size + 8 * TRACE_HEAD);
	int fd = memfd_create("trace", MFD_CLOEXEC);
	char path[64];

	if (kind) {
		size = dress(file, data, size, kind);
		data = file;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (write(fd, data, size) == (ssize_t)size)
		read_trace(path, size);
	close(fd);
	free(file);
}

static void as_lines(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *line = text, *end;
	struct e2lazy_import im = { .action = 'D' };
	struct e2lazy_request r[2];
	unsigned count;

	memcpy(text, data, size);
	text[size] = 0;
	im.format = e2lazy_trace_guess(text);
	for (; line; line = end ? end + 1 : NULL) {
		end = strchr(line, '\n');
		if (end)
			*end = 0;
		if (e2lazy_import_line(&im, line, r, &count)) {
			must(count == 0);
			continue;
		}
		must(count <= 2);
		for (unsigned i = 0; i < count; i++) {
			must(r[i].op < E2LAZY_NR_OPS && r[i].t <= INT64_MAX);
			must(r[i].offset <= INT64_MAX - 512 &&
			     r[i].length <= INT64_MAX - r[i].offset);
		}
	}
	free(text);
}

static void as_records(const uint8_t *data, size_t size)
{
	struct e2lazy_import im = { .action = 'D',
				    .format = E2LAZY_TRACE_BLKTRACE };
	struct e2lazy_request r[2];
	unsigned count, more;

	for (; size >= E2LAZY_BLKTRACE_RECORD;
	     data += E2LAZY_BLKTRACE_RECORD, size -= E2LAZY_BLKTRACE_RECORD) {
		if (e2lazy_import_record(&im, data, r, &count, &more))
			continue;
		must(count <= 2 && more < 65536);
		for (unsigned i = 0; i < count; i++)
			must(r[i].t <= INT64_MAX &&
			     r[i].offset <= INT64_MAX - UINT32_MAX);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	if (data[0] == 'L')
		as_lines(data + 1, size - 1);
	else if (data[0] == 'B')
		as_records(data + 1, size - 1);
	else if (data[0] >= '3' && data[0] <= '7')
		as_file(data + 1, size - 1, data[0] - '0');
	else
		as_file(data + 1, size - 1,
			data[0] == 'C' ? CHUNK_REQUESTS : 0);
	return 0;
}
