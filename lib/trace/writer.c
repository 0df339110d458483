/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * writer.c - write a trace file
 *
 * The writer writes each chunk when it is full, so a reader can use a killed
 * writer's file up to its last chunk.  The index comes last: an entry for each
 * chunk, or, if there are more chunks than it may have entries, for every
 * second, every fourth, and so on.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format.h"
#include "io/file_kind.h"

struct e2lazy_trace_writer {
	FILE		*file;
	int		dir;		/* AT_FDCWD, or its own descriptor */
	char		*path;
	bool		regular;	/* may be emptied, and removed */
	bool		created;	/* there was no file of that name */
	bool		begun;		/* what was there is gone */
	uint64_t	at;		/* bytes written */
	uint64_t	chunks;
	uint64_t	requests, reordered, widened;
	uint64_t	first, last;	/* times: of the chunk, of all */
	struct trace_state state;
	uint32_t	count, used;	/* in the chunk that fills */
	uint64_t	stride;		/* chunks an entry of the index */
	size_t		entries;
	uint8_t		payload[CHUNK_USUAL + REQ_MOST];
	uint8_t		index[INDEX_MOST * INDEX_ENTRY];
};

static errcode_t put_bytes(struct e2lazy_trace_writer *w, const void *bytes,
			   size_t count)
{
	errno = 0;
	if (fwrite(bytes, 1, count, w->file) != count)
		return errno ? errno : EIO;
	w->at += count;
	return 0;
}

/* What fails before the first chunk leaves an older trace as it was. */
static errcode_t begin(struct e2lazy_trace_writer *w)
{
	if (w->begun)
		return 0;
	w->begun = true;
	return w->regular && ftruncate(fileno(w->file), 0) ? errno : 0;
}

static errcode_t put_chunk(struct e2lazy_trace_writer *w, uint32_t kind,
			   uint32_t flags, const uint8_t *payload,
			   uint32_t bytes, uint32_t count, uint64_t time)
{
	uint8_t head[TRACE_HEAD] = { 0 };
	errcode_t err;

	put_le32(head + CHUNK_KIND, kind);
	put_le32(head + CHUNK_BYTES, bytes);
	put_le32(head + CHUNK_COUNT, count);
	put_le32(head + CHUNK_PAYLOAD, trace_csum(payload, bytes));
	put_le64(head + CHUNK_TIME, time);
	put_le32(head + CHUNK_FLAGS, flags);
	put_le32(head + CHUNK_CSUM, trace_csum(head, CHUNK_CSUM));
	err = begin(w);
	if (!err)
		err = put_bytes(w, head, sizeof(head));
	return err ? err : put_bytes(w, payload, bytes);
}

static void note_chunk(struct e2lazy_trace_writer *w)
{
	uint8_t *entry;

	if (w->chunks++ % w->stride)
		return;
	if (w->entries == INDEX_MOST) {
		for (size_t i = 0; i < w->entries / 2; i++)
			memcpy(w->index + i * INDEX_ENTRY,
			       w->index + 2 * i * INDEX_ENTRY, INDEX_ENTRY);
		w->entries /= 2;
		w->stride *= 2;
	}
	entry = w->index + w->entries++ * INDEX_ENTRY;
	put_le64(entry, w->at);
	put_le64(entry + 8, w->first);
}

static errcode_t end_chunk(struct e2lazy_trace_writer *w)
{
	errcode_t err;

	if (!w->count)
		return 0;
	note_chunk(w);
	err = put_chunk(w, CHUNK_REQUESTS, 0, w->payload, w->used, w->count,
			w->first);
	w->count = w->used = 0;
	return err;
}

errcode_t trace_put_section(struct e2lazy_trace_writer *w, uint32_t kind,
			    uint32_t flags, const uint8_t *payload,
			    uint32_t bytes, uint32_t count)
{
	errcode_t err = end_chunk(w);

	return err ? err : put_chunk(w, kind, flags, payload, bytes, count,
				     w->last);
}

static errcode_t put_head(struct e2lazy_trace_writer *w, uint64_t disk_bytes)
{
	uint8_t head[TRACE_HEAD] = { 0 };

	memcpy(head, TRACE_MAGIC, 8);
	put_le32(head + HEAD_VERSION, TRACE_VERSION);
	put_le64(head + HEAD_DISK, disk_bytes);
	put_le32(head + HEAD_CSUM, trace_csum(head, HEAD_CSUM));
	return put_bytes(w, head, sizeof(head));
}

static void free_writer(struct e2lazy_trace_writer *w)
{
	if (w->dir >= 0)
		close(w->dir);
	free(w->path);
	free(w);
}

static int open_or_create(struct e2lazy_trace_writer *w)
{
	int flags = O_WRONLY | O_CREAT | O_CLOEXEC;
	int fd = openat(w->dir, w->path, flags | O_EXCL, 0666);

	w->created = fd >= 0;
	if (w->dir >= 0)
		flags |= O_NOFOLLOW;
	return fd < 0 && errno == EEXIST ?
		       openat(w->dir, w->path, flags, 0666) : fd;
}

/*
 * Refuse a block device and a file of another kind: @path may be a slip, and
 * the trace would overwrite a disk or an image of one, even the image behind
 * the loop device whose requests it is to hold.
 */
static errcode_t check_file(const struct e2lazy_trace_writer *w,
			    const struct stat *st)
{
	if (S_ISBLK(st->st_mode))
		return ENOTSUP;
	return S_ISREG(st->st_mode) &&
	       file_kind(w->dir, w->path, st, TRACE_MAGIC) ==
			       FILE_OF_ANOTHER ?
		       E2LAZY_ET_OTHER_KIND : 0;
}

/* Only a regular file is ever removed. */
static errcode_t open_file(struct e2lazy_trace_writer *w)
{
	int fd = open_or_create(w);
	errcode_t err = 0;
	struct stat st;

	if (fd < 0 || fstat(fd, &st))
		err = errno;
	else
		err = check_file(w, &st);
	w->regular = !err && S_ISREG(st.st_mode);
	if (!err) {
		w->file = fdopen(fd, "w");
		err = w->file ? 0 : errno;
	}
	if (err && fd >= 0)
		close(fd);
	return err;
}

static void remove_file(const struct e2lazy_trace_writer *w)
{
	if (w->regular && (w->created || w->begun))
		unlinkat(w->dir, w->path, 0);
}

/* It owns the descriptor @dir. */
static errcode_t create(int dir, const char *path, uint64_t disk_bytes,
			struct e2lazy_trace_writer **out)
{
	struct e2lazy_trace_writer *w = calloc(1, sizeof(*w));
	errcode_t err;

	if (!w) {
		if (dir >= 0)
			close(dir);
		return EXT2_ET_NO_MEMORY;
	}
	w->stride = 1;
	w->dir = dir;
	w->path = strdup(path);
	err = w->path ? open_file(w) : EXT2_ET_NO_MEMORY;
	if (err) {
		free_writer(w);
		return err;
	}
	err = put_head(w, disk_bytes);
	if (err)
		e2lazy_trace_abort(w);
	else
		*out = w;
	return err;
}

errcode_t e2lazy_trace_create(const char *path, uint64_t disk_bytes,
			      struct e2lazy_trace_writer **out)
{
	return create(AT_FDCWD, path, disk_bytes, out);
}

errcode_t e2lazy_trace_create_at(int dir, const char *name,
				 uint64_t disk_bytes,
				 struct e2lazy_trace_writer **out)
{
	int own = fcntl(dir, F_DUPFD_CLOEXEC, 3);

	return own < 0 ? errno : create(own, name, disk_bytes, out);
}

/* Widen to whole sectors, and keep times in order. */
static bool fit(struct e2lazy_trace_writer *w, struct e2lazy_request *r)
{
	uint64_t mask = (1U << SECTOR_SHIFT) - 1, end;

	if (r->op >= E2LAZY_NR_OPS || r->t > INT64_MAX ||
	    r->offset > INT64_MAX - mask ||
	    r->length > INT64_MAX - mask - r->offset)
		return false;
	if (r->t < w->last) {
		r->t = w->last;
		w->reordered++;
	}
	end = (r->offset + r->length + mask) & ~mask;
	w->widened += (r->offset & mask) || end != r->offset + r->length;
	r->offset &= ~mask;
	r->length = end - r->offset;
	r->flags &= REQ_FLAGS >> REQ_FLAGS_SHIFT;
	return true;
}

errcode_t e2lazy_trace_put(struct e2lazy_trace_writer *w,
			   const struct e2lazy_request *request)
{
	struct e2lazy_request r = *request;

	if (r.op == E2LAZY_OP_FLUSH)
		r.offset = r.length = 0;
	if (!fit(w, &r))
		return EXT2_ET_INVALID_ARGUMENT;
	if (!w->count) {
		w->first = r.t;
		w->state = (struct trace_state) { .t = r.t };
	}
	w->used += trace_encode(&w->state, &r, w->payload + w->used);
	w->count++;
	w->requests++;
	w->last = r.t;
	return w->used >= CHUNK_USUAL ? end_chunk(w) : 0;
}

static errcode_t put_tail(struct e2lazy_trace_writer *w)
{
	uint8_t tail[TRACE_HEAD] = { 0 };
	uint64_t index = w->at;
	errcode_t err;

	err = put_chunk(w, CHUNK_INDEX, 0, w->index,
			w->entries * INDEX_ENTRY, w->entries, w->last);
	memcpy(tail, TAIL_MAGIC, sizeof(TAIL_MAGIC));
	put_le64(tail + TAIL_INDEX, index);
	put_le64(tail + TAIL_REQUESTS, w->requests);
	put_le32(tail + TAIL_CSUM, trace_csum(tail, TAIL_CSUM));
	return err ? err : put_bytes(w, tail, sizeof(tail));
}

errcode_t e2lazy_trace_finish(struct e2lazy_trace_writer *w,
			      uint64_t *reordered, uint64_t *widened)
{
	errcode_t err = end_chunk(w);

	if (!err)
		err = put_tail(w);
	if (reordered)
		*reordered = w->reordered;
	if (widened)
		*widened = w->widened;
	errno = 0;
	if (fclose(w->file) && !err)
		err = errno ? errno : EIO;
	if (err)
		remove_file(w);
	free_writer(w);
	return err;
}

void e2lazy_trace_abort(struct e2lazy_trace_writer *w)
{
	if (!w)
		return;
	__fpurge(w->file);
	fclose(w->file);
	remove_file(w);
	free_writer(w);
}
