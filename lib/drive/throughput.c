/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * throughput.c - measure sequential reads at one place of a drive
 *
 * It sends one large request after the other, past the page cache and so
 * without the kernel's read-ahead.  It ignores the first reads: the head has to
 * get there, and the drive's cache may hold the first blocks.  It reads no
 * block twice unless the device is too small.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "disk_load.h"

#define CHUNK		(4U << 20)	/* bytes a request */
#define ALIGN		4096		/* of the buffer, and of a place */
/* The warm-up ends after so many bytes, so long, or that part of the time. */
#define WARM_BYTES	(64ULL << 20)
#define WARM_MS		500
#define WARM_PART	4
#define SAMPLES		8
#define ROOM		(4ULL << 30)	/* read so much before a restart */

/* No rotating disk reads faster, so such a result is not from the disk. */
#define MOST_ROTATING	(300ULL << 20)

struct meter {
	const char	*device;
	int		fd;
	bool		direct;
	void		*buf;
	uint64_t	pos, end;	/* bytes */
	uint64_t	from;		/* continue here after @end */
	uint64_t	total;		/* bytes read */
	const struct e2lazy_watch *watch;
	void		*priv;
};

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* Not every file system supports O_DIRECT. */
static errcode_t open_meter(struct meter *m, bool direct)
{
	struct stat st;

	m->direct = direct;
	m->fd = open(m->device, O_RDONLY | O_CLOEXEC | (direct ? O_DIRECT : 0));
	if (m->fd >= 0)
		return fstat(m->fd, &st) ? errno :
		       S_ISDIR(st.st_mode) ? EISDIR : 0;
	return direct && errno == EINVAL ? open_meter(m, false) : errno;
}

/* Choose the range to read, with ROOM bytes before a restart if possible. */
static errcode_t choose_place(struct meter *m, uint64_t offset)
{
	off_t end = lseek(m->fd, 0, SEEK_END);

	if (end < 0)
		return errno;
	m->end = end;
	if (offset >= m->end)
		return E2LAZY_ET_DEVICE_SHORT;
	m->pos = offset / ALIGN * ALIGN;
	if (m->end - m->pos >= ROOM)
		m->from = m->pos;
	else if (m->end > ROOM)
		m->from = (m->end - ROOM) / ALIGN * ALIGN;
	return 0;
}

/* Direct I/O takes whole sectors; leave out the rest at the end. */
static size_t request(const struct meter *m)
{
	uint64_t left = m->end - m->pos;

	if (left >= CHUNK)
		return CHUNK;
	return left >= ALIGN ? left / ALIGN * ALIGN : left;
}

/*
 * Send one request.  Without O_DIRECT it does not drop cached pages, because
 * the kernel would write dirty ones first.
 */
static errcode_t read_once(struct meter *m)
{
	size_t size = request(m);
	ssize_t got;

	do
		got = pread(m->fd, m->buf, size, (off_t)m->pos);
	while (got < 0 && errno == EINTR);
	if (got < 0 && errno == EINVAL && m->direct) {
		close(m->fd);
		return open_meter(m, false);
	}
	if (got < 0)
		return errno;
	if (!got && m->pos == m->from)
		return E2LAZY_ET_DEVICE_SHORT;	/* it has shrunk since */
	m->total += got;
	m->pos += got;
	if (!got || m->pos % ALIGN || m->end - m->pos < ALIGN)
		m->pos = m->from;
	return 0;
}

/* Read for @ns, or @most bytes; at least one request. */
static errcode_t read_for(struct meter *m, uint64_t ns, uint64_t most,
			  uint64_t *rate)
{
	uint64_t start = now_ns(), before = m->total, spent;
	errcode_t err;

	do {
		err = m->watch && m->watch->stop ?
			      m->watch->stop(m->watch->priv) : 0;
		if (!err)
			err = read_once(m);
		spent = now_ns() - start;
	} while (!err && (m->total == before ||
			  (spent < ns && m->total - before < most)));
	/* In microseconds: the product would overflow with nanoseconds. */
	*rate = (m->total - before) * 1000000 / (spent / 1000 + 1);
	return err;
}

static int by_rate(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static errcode_t take_samples(struct meter *m, uint64_t ns,
			      struct e2lazy_throughput *out)
{
	uint64_t warm = WARM_MS * 1000000ULL, rates[SAMPLES], ignored;
	uint64_t until = now_ns() + ns;
	errcode_t err;

	err = read_for(m, warm < ns / WARM_PART ? warm : ns / WARM_PART,
		       WARM_BYTES, &ignored);
	for (unsigned i = 0; i < SAMPLES && !err; i++) {
		uint64_t now = now_ns();

		/* Take at least one sample, even without time left. */
		if (now >= until && out->samples)
			break;
		err = read_for(m, now < until ? (until - now) / (SAMPLES - i) :
						0, UINT64_MAX, &rates[i]);
		out->samples++;
	}
	if (err)
		return err;
	qsort(rates, out->samples, sizeof(*rates), by_rate);
	out->bytes_per_second = rates[out->samples / 2];
	out->slowest = rates[0];
	out->fastest = rates[out->samples - 1];
	return 0;
}

static errcode_t measure(struct meter *m, const struct e2lazy_drive *drive,
			 uint64_t offset, unsigned milliseconds,
			 struct e2lazy_throughput *out)
{
	struct disk_load busy;
	errcode_t err;

	err = choose_place(m, offset);
	if (err)
		return err;
	if (posix_memalign(&m->buf, ALIGN, CHUNK))
		return EXT2_ET_NO_MEMORY;
	out->offset = m->pos;
	disk_load_start(m->fd, drive, &busy);
	err = take_samples(m, milliseconds * 1000000ULL, out);
	out->busy = disk_load_since(&busy, m->total);
	out->direct = m->direct;
	out->implausible = drive && drive->rotational &&
			   drive->disks <= 1 &&
			   out->fastest > MOST_ROTATING;
	free(m->buf);
	return err;
}

errcode_t e2lazy_drive_throughput(const char *device,
				  const struct e2lazy_drive *drive,
				  uint64_t offset, unsigned milliseconds,
				  const struct e2lazy_watch *watch,
				  struct e2lazy_throughput *out)
{
	struct meter m = { .device = device, .watch = watch };
	errcode_t err;

	memset(out, 0, sizeof(*out));
	err = open_meter(&m, true);
	if (!err)
		err = measure(&m, drive, offset, milliseconds, out);
	if (m.fd >= 0)
		close(m.fd);
	return err;
}
