/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * kernel_page.c - the events in a page of the kernel's trace ring buffer
 *
 * A page begins with a time stamp and the number of bytes that follow.  Then
 * come entries: a word with 5 bits of type and 27 bits of time since the entry
 * before, and what the type says.  header_event of tracefs describes them.
 * Every offset in an event is that of this kernel's "format" file.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_page.h"
#include "rwbs.h"

/* Types of an entry; lower ones are the length of its data in words. */
#define LONG_DATA	0		/* the next word has the length */
#define PADDING		29
#define TIME_EXTEND	30		/* the next word has more of the time */
#define TIME_STAMP	31		/* the same, and it is the whole time */

#define TIME_BITS	27
#define STAMP_BITS	59		/* of a TIME_STAMP; the page has more */

/* The length of a page, and what stands above it in the same word. */
#define COMMIT_BYTES	((1U << 27) - 1)
#define COMMIT_MISSED	(1U << 31)
#define COMMIT_STORED	(1U << 30)	/* their number is behind the data */

#define SECTOR		512

/* -------------------------------------------------------------- format */

/* "\tfield:TYPE NAME;\toffset:N;\tsize:N;": find the line of @name. */
static bool find_field(const char *text, const char *name,
		       struct kernel_field *out)
{
	size_t length = strlen(name);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		const char *end, *word;

		line += strspn(line, "\n");
		word = strstr(line, "field:");
		end = word ? strchr(word, ';') : NULL;
		if (!end)
			return false;
		line = end;
		/* The name ends at the semicolon, or at a bracket before. */
		word += strcspn(word, "[;");
		while (word > text && word[-1] == ' ')
			word--;
		if ((size_t)(word - text) <= length ||
		    memcmp(word - length, name, length) ||
		    word[-(ptrdiff_t)length - 1] != ' ')
			continue;
		return sscanf(end, "; offset:%u; size:%u;", &out->offset,
			      &out->size) == 2 && out->offset < 4096 &&
		       out->size < 65536;
	}
	return false;
}

bool kernel_form_parse(const char *format, const char *header_page,
		       struct kernel_form *out)
{
	const char *id = strstr(format, "ID: ");

	memset(out, 0, sizeof(*out));
	if (!id || sscanf(id, "ID: %u", &out->id) != 1)
		return false;
	return find_field(format, "common_type", &out->type) &&
	       find_field(format, "dev", &out->dev) &&
	       find_field(format, "sector", &out->sector) &&
	       find_field(format, "nr_sector", &out->sectors) &&
	       find_field(format, "rwbs", &out->rwbs) &&
	       find_field(header_page, "commit", &out->commit) &&
	       find_field(header_page, "data", &out->data) &&
	       out->type.size == 2 && out->dev.size == 4 &&
	       out->sector.size == 8 && out->sectors.size == 4 &&
	       out->rwbs.size >= 2 && out->commit.size >= 4 &&
	       out->data.offset >= out->commit.offset + out->commit.size;
}

bool kernel_form_add_jbd2(const char *begins, const char *ends,
			  struct kernel_form *form)
{
	const char *first = strstr(begins, "ID: "), *last = strstr(ends, "ID: ");
	bool good = first && last &&
		    sscanf(first, "ID: %u", &form->begins.id) == 1 &&
		    sscanf(last, "ID: %u", &form->ends.id) == 1 &&
		    find_field(begins, "result", &form->begins.result) &&
		    find_field(ends, "tid", &form->ends.tid) &&
		    find_field(ends, "written", &form->ends.written) &&
		    form->begins.result.size == 4 &&
		    form->ends.tid.size == 4 && form->ends.written.size == 4;

	if (!good)
		form->begins.id = form->ends.id = 0;
	return good;
}

/* ---------------------------------------------------------------- page */

struct reading {
	const struct kernel_form *form;
	const uint8_t	*at;
	size_t		left;		/* bytes of the page's data */
	uint64_t	t;
};

static uint32_t word(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static uint64_t word64(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/* Bit fields begin at the lowest bit on little-endian machines only. */
static void split(uint32_t head, unsigned *type, uint32_t *time)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	*type = head >> TIME_BITS;
	*time = head & ((1U << TIME_BITS) - 1);
#else
	*type = head & 31;
	*time = head >> 5;
#endif
}

static bool has(const struct kernel_field *f, size_t bytes)
{
	return bytes >= f->offset + f->size;
}

/* The filter has let the recorder's own file system pass alone. */
static bool read_checkpoint(const struct kernel_form *f, unsigned id,
			    const uint8_t *data, size_t bytes,
			    struct e2lazy_trace_checkpoint *out)
{
	if (id == f->begins.id && has(&f->begins.result, bytes)) {
		/* 0, or an error: the log's tail could move as it was. */
		out->step = (int32_t)word(data + f->begins.result.offset) > 0 ?
			    E2LAZY_CHECKPOINT_WRITE : E2LAZY_CHECKPOINT_FREE;
		return true;
	}
	if (id != f->ends.id || !has(&f->ends.tid, bytes) ||
	    !has(&f->ends.written, bytes))
		return false;
	out->step = E2LAZY_CHECKPOINT_DONE;
	out->tid = word(data + f->ends.tid.offset);
	out->written = word(data + f->ends.written.offset);
	return true;
}

/* False: it is none of these events, or it is cut. */
static bool read_event(const struct reading *r, const uint8_t *data,
		       size_t bytes, struct kernel_event *out)
{
	const struct kernel_form *f = r->form;
	char letters[16] = "";
	uint16_t id;

	if (!has(&f->type, bytes))
		return false;
	memcpy(&id, data + f->type.offset, sizeof(id));
	memset(out, 0, sizeof(*out));
	out->t = out->checkpoint.t = r->t;
	out->is_checkpoint = id != f->id && id;
	if (out->is_checkpoint)
		return read_checkpoint(f, id, data, bytes, &out->checkpoint);
	if (id != f->id || !has(&f->dev, bytes) || !has(&f->sector, bytes) ||
	    !has(&f->sectors, bytes) || !has(&f->rwbs, bytes))
		return false;
	out->dev = word(data + f->dev.offset);
	out->sector = word64(data + f->sector.offset);
	out->r.length = (uint64_t)word(data + f->sectors.offset) * SECTOR;
	memcpy(letters, data + f->rwbs.offset,
	       f->rwbs.size < sizeof(letters) ? f->rwbs.size :
						sizeof(letters) - 1);
	return trace_rwbs(letters, &out->r, &out->flush);
}

/*
 * Take one entry: its length in @taken, and its event's data, if it has any.
 * False: it makes no sense.
 */
static bool take_entry(struct reading *r, size_t *taken, const uint8_t **data,
		       size_t *bytes)
{
	uint64_t more = 0;
	unsigned type;
	uint32_t time;

	*data = NULL;
	if (r->left < 4)
		return false;
	split(word(r->at), &type, &time);
	if (type == LONG_DATA || type >= PADDING) {
		if (type == PADDING && !time) {
			*taken = r->left;	/* nothing follows */
			return true;
		}
		if (r->left < 8)
			return false;
		more = word(r->at + 4);
	}
	if (type == TIME_STAMP) {
		r->t = (r->t & ~(((uint64_t)1 << STAMP_BITS) - 1)) |
		       (more << TIME_BITS) | time;
		*taken = 8;
		return true;
	}
	/* The kernel's own reader does not count the time of padding either. */
	if (type != PADDING)
		r->t += time;
	if (type == TIME_EXTEND) {
		r->t += more << TIME_BITS;
		*taken = 8;
		return true;
	}
	if (type == PADDING) {
		*taken = 4 + more;
	} else if (type == LONG_DATA) {
		*taken = 4 + ((more + 3) & ~(uint64_t)3);
		*data = r->at + 8;
		*bytes = more - 4;
		if (more < 4)
			return false;
	} else {
		*taken = 4 + 4 * type;
		*data = r->at + 4;
		*bytes = 4 * type;
	}
	return *taken >= 4 && *taken <= r->left;
}

static void note_missed(const struct kernel_form *form, const uint8_t *page,
			size_t bytes, uint32_t commit, uint64_t *lost)
{
	size_t end = form->data.offset + (commit & COMMIT_BYTES);
	uint64_t missed = 1;

	if (!(commit & COMMIT_MISSED))
		return;
	if ((commit & COMMIT_STORED) && bytes >= end + 8)
		missed = word64(page + end);
	*lost += missed ? missed : 1;
}

errcode_t kernel_page_read(const struct kernel_form *form, const void *page,
			   size_t bytes,
			   errcode_t (*found)(void *priv,
					      const struct kernel_event *),
			   void *priv, uint64_t *lost)
{
	struct reading r = { .form = form };
	struct kernel_event event;
	const uint8_t *data;
	size_t taken, length = 0;
	uint32_t commit;
	errcode_t err;

	if (bytes < form->data.offset || bytes < 8)
		return E2LAZY_ET_TRACE_DAMAGED;
	commit = (uint32_t)word(page + form->commit.offset);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	if (form->commit.size == 8)
		commit = (uint32_t)word64(page + form->commit.offset);
#endif
	note_missed(form, page, bytes, commit, lost);
	r.t = word64(page);
	r.at = (const uint8_t *)page + form->data.offset;
	r.left = commit & COMMIT_BYTES;
	if (r.left > bytes - form->data.offset)
		return E2LAZY_ET_TRACE_DAMAGED;
	for (; r.left; r.at += taken, r.left -= taken) {
		if (!take_entry(&r, &taken, &data, &length))
			return E2LAZY_ET_TRACE_DAMAGED;
		if (!data || !read_event(&r, data, length, &event))
			continue;
		err = found(priv, &event);
		if (err)
			return err;
	}
	return 0;
}
