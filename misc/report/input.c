/* SPDX-License-Identifier: GPL-2.0-only */
/* input.c - the devices that the page is about, and their checksums */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "report.h"
#include "support/nls.h"
#include "support/status.h"

/* 0, or errno. */
static int put_piece(struct sha256 *sha, int fd, uint64_t at, char *piece,
		     size_t wanted)
{
	size_t done = 0;

	while (done < wanted) {
		ssize_t n = pread(fd, piece + done, wanted - done,
				  (off_t)(at + done));

		if (n < 0 && errno == EINTR && !cancelled())
			continue;
		if (n <= 0)
			return n ? errno : EIO;
		done += (size_t)n;
	}
	sha256_put(sha, piece, wanted);
	return 0;
}

/* As sha256sum does it: from the first byte on, wherever the file system is. */
int report_hash(struct session *s, int fd, struct report_input *in, char *piece)
{
	struct sha256 sha;
	int error = 0;

	sha256_begin(&sha);
	for (uint64_t at = 0; !error && at < in->bytes; at += HASH_PIECE) {
		if (!progress_tick(&s->print.progress, at, in->bytes))
			return 0;
		error = put_piece(&sha, fd, at, piece, in->bytes - at < HASH_PIECE ?
				  (size_t)(in->bytes - at) : HASH_PIECE);
	}
	if (!error)
		sha256_text(&sha, in->sum);
	return error;
}

static void take(struct report *r, enum e2lazy_volume volume,
		 struct report_input *in, char *piece)
{
	const struct e2lazy_device *d = e2lazy_device(r->s->log->journal,
						      volume);
	int error;

	in->name = d->name;
	in->bytes = d->offset + d->bytes;
	if (!piece)
		return;
	error = report_hash(r->s, d->fd, in, piece);
	if (!error)
		return;
	progress_hide(&r->s->print.progress);
	complain(d->name, _("not all of it can be read: %s"), strerror(error));
	r->s->status |= FSCK_ERROR;
}

bool report_take_input(struct report *r)
{
	bool external = r->s->log->geo->external;
	void *piece = NULL;

	/* Direct reads want it aligned. */
	if (r->hash && posix_memalign(&piece, 4096, HASH_PIECE)) {
		session_fail(r->s, EXT2_ET_NO_MEMORY, NULL);
		return false;
	}
	r->time = (uint64_t)time(NULL);
	if (r->hash)
		progress_begin(&r->s->print.progress, PHASE_HASH);
	take(r, E2LAZY_FILE_SYSTEM, &r->device, piece);
	if (external && !cancelled())
		take(r, E2LAZY_JOURNAL, &r->journal, piece);
	if (r->hash)
		progress_end(&r->s->print.progress);
	free(piece);
	return !cancelled();
}

static const struct sheet_row rows[] = {
	{ NULL, N_("Input"), "" },
	{ N_("program"), "e2lazy %s", ".program" },
	{ N_("read at"), "%s", "time" },
	{ N_("device"), N_("%s, %llu bytes"), "device.name device.bytes" },
	{ "SHA-256", "%s", "device.sha256" },
	{ "SHA-256", N_("not computed: --hash"), "!device.sha256" },
	{ N_("journal"), N_("%s, %llu bytes"), "journal.name journal.bytes" },
	{ "SHA-256", "%s", "journal.sha256" },
	{ 0 }
};

static void put(struct sheet *sheet, const char *key,
		const struct report_input *in)
{
	if (!in->name) {
		sheet_null(sheet, key);
		return;
	}
	sheet_group(sheet, key);
	sheet_text(sheet, "name", in->name);
	sheet_u64(sheet, "bytes", in->bytes);
	sheet_name(sheet, "sha256", in->sum);
	sheet_group_end(sheet);
}

void report_input(struct report *r, struct sheet *sheet)
{
	sheet_section(sheet, "input", JSON_SPREAD);
	sheet_text(sheet, ".program", e2lazy_version());
	sheet_time(sheet, "time", r->time);
	put(sheet, "device", &r->device);
	put(sheet, "journal", &r->journal);
	sheet_end(sheet, rows);
}
