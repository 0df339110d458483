/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * reader.c - read a trace file
 *
 * The file is not trusted: a chunk counts if both its checksums fit, and each
 * request must make sense.  The reader holds one chunk at a time.
 */

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "format.h"
#include "io/halve.h"
#include "regular.h"

struct e2lazy_trace {
	int		fd;
	uint64_t	size, at;	/* bytes of the file; the next chunk */
	struct e2lazy_trace_info info;
	struct trace_state state;
	uint32_t	left, used, bytes;	/* of the chunk that is held:
						   requests, bytes */
	uint64_t	time;		/* of its first request */
	errcode_t	ended;		/* the reason for the end */
	uint8_t		*index;
	size_t		entries;
	struct e2lazy_request ahead;	/* found by a seek */
	bool		has_ahead;
	uint8_t		payload[CHUNK_MOST];
};

static errcode_t read_at(struct e2lazy_trace *t, uint64_t at, void *to,
			 size_t count)
{
	uint8_t *bytes = to;

	if (at > t->size || count > t->size - at)
		return E2LAZY_ET_TRACE_SHORT;
	while (count) {
		ssize_t n = pread(t->fd, bytes, count, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n ? errno : E2LAZY_ET_TRACE_SHORT;
		bytes += n;
		at += n;
		count -= n;
	}
	return 0;
}

static bool is_sound(const uint8_t *head)
{
	return get_le32(head + CHUNK_CSUM) == trace_csum(head, CHUNK_CSUM);
}

static errcode_t read_chunk_head(struct e2lazy_trace *t, uint64_t at,
				 uint8_t head[TRACE_HEAD])
{
	errcode_t err = read_at(t, at, head, TRACE_HEAD);

	if (err)
		return err;
	return is_sound(head) && get_le32(head + CHUNK_BYTES) <= CHUNK_MOST &&
	       get_le64(head + CHUNK_TIME) <= INT64_MAX ?
		       0 : E2LAZY_ET_TRACE_DAMAGED;
}

static errcode_t read_payload(struct e2lazy_trace *t, uint64_t at,
			      const uint8_t head[TRACE_HEAD], uint8_t *payload)
{
	uint32_t bytes = get_le32(head + CHUNK_BYTES);
	errcode_t err = read_at(t, at + TRACE_HEAD, payload, bytes);

	if (err)
		return err;
	return get_le32(head + CHUNK_PAYLOAD) == trace_csum(payload, bytes) ?
		       0 : E2LAZY_ET_TRACE_DAMAGED;
}

/* Read the chunk at @at: its head, and its payload. */
static errcode_t read_chunk(struct e2lazy_trace *t, uint64_t at,
			    uint8_t head[TRACE_HEAD])
{
	errcode_t err = read_chunk_head(t, at, head);

	return err ? err : read_payload(t, at, head, t->payload);
}

/* ---------------------------------------------------------------- open */

/* A trace without an index is read from its beginning. */
static void read_index(struct e2lazy_trace *t)
{
	uint8_t tail[TRACE_HEAD], head[TRACE_HEAD];
	uint32_t bytes;

	if (t->size < 3 * TRACE_HEAD ||
	    read_at(t, t->size - TRACE_HEAD, tail, sizeof(tail)) ||
	    memcmp(tail, TAIL_MAGIC, sizeof(TAIL_MAGIC)) ||
	    get_le32(tail + TAIL_CSUM) != trace_csum(tail, TAIL_CSUM) ||
	    read_chunk(t, get_le64(tail + TAIL_INDEX), head) ||
	    get_le32(head + CHUNK_KIND) != CHUNK_INDEX)
		return;
	bytes = get_le32(head + CHUNK_BYTES);
	t->index = malloc(bytes ? bytes : 1);
	if (!t->index)
		return;
	memcpy(t->index, t->payload, bytes);
	t->entries = bytes / INDEX_ENTRY;
	t->info.whole = true;
	t->info.requests = get_le64(tail + TAIL_REQUESTS);
	t->info.end = get_le64(head + CHUNK_TIME);
}

static errcode_t read_head(struct e2lazy_trace *t)
{
	uint8_t head[TRACE_HEAD];

	if (read_at(t, 0, head, sizeof(head)) || memcmp(head, TRACE_MAGIC, 8))
		return E2LAZY_ET_TRACE_MAGIC;
	if (get_le32(head + HEAD_VERSION) > TRACE_VERSION)
		return E2LAZY_ET_TRACE_VERSION;
	if (get_le32(head + HEAD_CSUM) != trace_csum(head, HEAD_CSUM))
		return E2LAZY_ET_TRACE_DAMAGED;
	t->info.disk_bytes = get_le64(head + HEAD_DISK);
	t->info.requests = UINT64_MAX;
	t->at = TRACE_HEAD;
	return 0;
}

errcode_t e2lazy_trace_open(const char *path, struct e2lazy_trace **out)
{
	struct e2lazy_trace *t = calloc(1, sizeof(*t));
	errcode_t err;

	if (!t)
		return EXT2_ET_NO_MEMORY;
	err = open_regular(path, &t->fd, &t->size);
	if (!err)
		err = read_head(t);
	if (err) {
		e2lazy_trace_close(t);
		return err;
	}
	read_index(t);
	*out = t;
	return 0;
}

void e2lazy_trace_close(struct e2lazy_trace *t)
{
	if (!t)
		return;
	if (t->fd >= 0)
		close(t->fd);
	free(t->index);
	free(t);
}

const struct e2lazy_trace_info *
e2lazy_trace_info(const struct e2lazy_trace *t)
{
	return &t->info;
}

void e2lazy_trace_position(const struct e2lazy_trace *t, uint64_t *done,
			   uint64_t *total)
{
	*done = t->at;
	*total = t->size;
}

/* ------------------------------------------------------------ sections */

static errcode_t read_section(struct e2lazy_trace *t, uint64_t at,
			      const uint8_t head[TRACE_HEAD],
			      uint8_t **payload)
{
	if (!*payload)
		*payload = malloc(CHUNK_MOST);
	return *payload ? read_payload(t, at, head, *payload) :
			  EXT2_ET_NO_MEMORY;
}

/* Where the file is cut off or damaged, the requests end, too, and say so. */
errcode_t trace_sections(struct e2lazy_trace *t,
			 errcode_t (*found)(void *priv,
					    const struct trace_section *),
			 void *priv)
{
	uint8_t head[TRACE_HEAD], *payload = NULL;
	uint64_t at = TRACE_HEAD;
	errcode_t err = 0;

	while (!err && !read_chunk_head(t, at, head)) {
		struct trace_section s = {
			.kind = get_le32(head + CHUNK_KIND),
			.flags = get_le32(head + CHUNK_FLAGS),
			.count = get_le32(head + CHUNK_COUNT),
			.bytes = get_le32(head + CHUNK_BYTES),
		};

		if (s.kind == CHUNK_INDEX)
			break;
		if (s.kind != CHUNK_REQUESTS) {
			err = read_section(t, at, head, &payload);
			s.payload = payload;
			if (!err)
				err = found(priv, &s);
		}
		at += TRACE_HEAD + s.bytes;
	}
	free(payload);
	return err;
}

/* ------------------------------------------------------------ requests */

/* Read the next chunk of requests; skip chunks of unknown kinds. */
static errcode_t next_chunk(struct e2lazy_trace *t)
{
	uint8_t head[TRACE_HEAD];
	uint64_t time;
	errcode_t err = read_chunk(t, t->at, head);

	if (err)
		return err;
	if (get_le32(head + CHUNK_KIND) == CHUNK_INDEX)
		return t->info.whole ? E2LAZY_ET_TRACE_END :
				       E2LAZY_ET_TRACE_SHORT;
	t->at += TRACE_HEAD + get_le32(head + CHUNK_BYTES);
	if (get_le32(head + CHUNK_KIND) != CHUNK_REQUESTS)
		return 0;
	time = get_le64(head + CHUNK_TIME);
	if (time < t->time)
		return E2LAZY_ET_TRACE_DAMAGED;
	t->time = time;
	t->state = (struct trace_state) { .t = time };
	t->bytes = get_le32(head + CHUNK_BYTES);
	t->left = get_le32(head + CHUNK_COUNT);
	t->used = 0;
	return t->left && t->bytes ? 0 : E2LAZY_ET_TRACE_DAMAGED;
}

static errcode_t next_request(struct e2lazy_trace *t,
			      struct e2lazy_request *out)
{
	errcode_t err = 0;
	size_t n;

	while (!t->left && !err)
		err = next_chunk(t);
	if (err)
		return err;
	n = trace_decode(&t->state, t->payload + t->used, t->bytes - t->used,
			 out);
	t->used += n;
	t->left--;
	/* The last request ends at the end of the payload. */
	if (!n || (!t->left && t->used != t->bytes))
		return E2LAZY_ET_TRACE_DAMAGED;
	t->time = out->t;
	return 0;
}

errcode_t e2lazy_trace_next(struct e2lazy_trace *t, struct e2lazy_request *out)
{
	if (t->has_ahead) {
		*out = t->ahead;
		t->has_ahead = false;
		return 0;
	}
	if (!t->ended)
		t->ended = next_request(t, out);
	return t->ended;
}

/* The last chunk in the index that begins before @time, or else the first. */
static uint64_t chunk_before(const struct e2lazy_trace *t, uint64_t time)
{
	struct halving h = { .high = t->entries };

	while (halve(&h))
		halved(&h, get_le64(t->index + h.mid * INDEX_ENTRY + 8) < time);
	return h.low ? get_le64(t->index + (h.low - 1) * INDEX_ENTRY) :
		       TRACE_HEAD;
}

errcode_t e2lazy_trace_seek(struct e2lazy_trace *t, uint64_t time)
{
	errcode_t err;

	t->at = chunk_before(t, time);
	t->left = 0;
	t->time = 0;
	t->ended = 0;
	t->has_ahead = false;
	do
		err = e2lazy_trace_next(t, &t->ahead);
	while (!err && t->ahead.t < time);
	t->has_ahead = !err;
	return err == E2LAZY_ET_TRACE_END ? 0 : err;
}
