/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * streaming.c - mke2lazy --probe-streaming: the least write that a drive streams
 *
 * It writes to the device, past the page cache.  So it refuses what mke2fs refuses,
 * and a device with contents that libblkid knows, unless -F is given.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <blkid/blkid.h>

#include "make.h"
#include "support/nls.h"
#include "support/status.h"

/* As Linux splits large writes. */
#define REQUEST		(512U << 10)
#define BLOCK		4096
/* Zeros might be left out by what is below. */
#define FILLER		0xa5

struct probe {
	int		fd;
	uint8_t		*buffer;	/* REQUEST bytes, aligned */
};

static errcode_t all_of(ssize_t done, size_t wanted)
{
	return done < 0 ? errno : (size_t)done == wanted ? 0 : EIO;
}

static errcode_t write_run(void *priv, uint64_t offset, uint64_t bytes)
{
	struct probe *p = priv;
	errcode_t err = 0;

	memset(p->buffer, FILLER, REQUEST);
	for (uint64_t done = 0; !err && done < bytes; done += REQUEST) {
		err = session_stop(NULL);
		if (!err)
			err = all_of(pwrite(p->fd, p->buffer, REQUEST,
					    (off_t)(offset + done)), REQUEST);
	}
	return err ? err : fdatasync(p->fd) ? errno : 0;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static errcode_t read_block(void *priv, uint64_t offset, uint64_t *ns)
{
	struct probe *p = priv;
	uint64_t began = now_ns();
	errcode_t err = all_of(pread(p->fd, p->buffer, BLOCK, (off_t)offset),
			       BLOCK);

	*ns = now_ns() - began;
	return err ? err : session_stop(NULL);
}

/* Anything that libblkid knows; an error of its own, too. */
static bool has_contents(const char *device)
{
	blkid_probe probe = blkid_new_probe_from_filename(device);
	bool none;

	if (!probe)
		return true;
	blkid_probe_enable_partitions(probe, 1);
	none = blkid_do_safeprobe(probe) == 1;
	blkid_free_probe(probe);
	return !none;
}

static bool open_device(struct make *m, struct probe *p)
{
	int exclusive = S_ISBLK(m->looked_at.st_mode) ? O_EXCL : 0;

	p->fd = open(m->s->device, O_RDWR | O_DIRECT | O_CLOEXEC | exclusive);
	if (p->fd < 0) {
		session_complain(m->s, FSCK_ERROR, "%s", strerror(errno));
		return false;
	}
	if (!posix_memalign((void **)&p->buffer, BLOCK, REQUEST))
		return true;
	session_fail(m->s, EXT2_ET_NO_MEMORY, NULL);
	return false;
}

static void print(struct make *m, const struct e2lazy_streaming *found)
{
	static const struct sheet_row rows[] = {
		{ NULL, N_("Streaming"), "" },
		{ N_("short writes"), N_("to a cache in another place"),
		  "?cached" },
		{ N_("short writes"), N_("to their place, or near it: no cache "
					 "is found"), "!cached" },
		{ "", N_("a block behind one is read in %.1f ms, behind "
			 "another read in %.1f ms"), "far_ms near_ms" },
		{ N_("bypass it"), N_("sequential writes from %s on"),
		  "least" },
		{ N_("bypass it"), N_("none of up to 64 MiB"), "?.none" },
		{ N_("written"), "%s", "written" },
		{ 0 }
	};
	struct sheet sheet;

	if (m->s->print.json_wanted)
		session_document(m->s);
	print_sheet(&m->s->print, &sheet);
	sheet_section(&sheet, "streaming", JSON_SPREAD);
	sheet_bool(&sheet, "cached", found->cached);
	sheet_known(&sheet, "least", found->least);
	sheet_bool(&sheet, ".none", found->cached && !found->least);
	sheet_real(&sheet, "near_ms", found->near_ns / 1e6);
	sheet_real(&sheet, "far_ms", found->far_ns / 1e6);
	sheet_u64(&sheet, "place", found->place);
	sheet_u64(&sheet, "written", found->written);
	sheet_end(&sheet, rows);
}

static void probe(struct make *m, struct probe *p)
{
	const struct e2lazy_streaming_ops ops = {
		.write = write_run, .read = read_block, .priv = p,
		.bytes = m->drive.bytes,
	};
	struct e2lazy_streaming found;
	errcode_t err = e2lazy_drive_streaming(&ops, &found);

	if (err)
		session_fail(m->s, err, NULL);
	else
		print(m, &found);
}

void make_probe_streaming(struct make *m)
{
	struct probe p = { .fd = -1 };

	if (!make_may_write(m))
		return;
	if (!m->force && has_contents(m->s->device)) {
		session_complain(m->s, FSCK_ERROR,
				 _("it has contents, which --probe-streaming "
				   "would overwrite; -F does it all the same"));
		return;
	}
	if (open_device(m, &p))
		probe(m, &p);
	if (p.fd >= 0 && close(p.fd))
		session_complain(m->s, FSCK_ERROR, "%s", strerror(errno));
	free(p.buffer);
}
