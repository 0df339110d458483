/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * hollow.c - an nbdkit plugin: a disk of any size that keeps no zeros
 *
 *	nbdkit hollow.so size=8001563222016 [read-us=N] [write-us=N]
 *
 * Of each page of 4 KiB it keeps the lines of 64 bytes that are not zero.  A
 * workload that writes zeros as data then costs a few bytes a block: 33 GB of
 * files and 4 GB of directories fit in a few hundred MB of memory.  A request can
 * be made to last longer, because how much work a journal merges depends on the
 * disk's speed.
 */
#define NBDKIT_API_VERSION 2
#include <nbdkit-plugin.h>

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define THREAD_MODEL	NBDKIT_THREAD_MODEL_SERIALIZE_ALL_REQUESTS
#define PAGE		4096
#define LINE		64

/* The lines that @mask names, one behind the other. */
struct page {
	uint64_t	mask;
	uint8_t		line[][LINE];
};

static struct page **pages;
static int64_t size;
static int read_us, write_us;

static int hollow_config(const char *key, const char *value)
{
	if (!strcmp(key, "size"))
		size = nbdkit_parse_size(value);
	else if (!strcmp(key, "read-us"))
		return nbdkit_parse_int(key, value, &read_us);
	else if (!strcmp(key, "write-us"))
		return nbdkit_parse_int(key, value, &write_us);
	else
		return nbdkit_error("unknown parameter: %s", key), -1;
	return 0;
}

static int hollow_get_ready(void)
{
	size_t length = (size / PAGE + 1) * sizeof(*pages);

	if (size <= 0 || size % PAGE)
		return nbdkit_error("size= is no multiple of 4096"), -1;
	pages = mmap(NULL, length, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return pages == MAP_FAILED ? -1 : 0;
}

static void *hollow_open(int readonly)
{
	(void)readonly;
	return NBDKIT_HANDLE_NOT_NEEDED;
}

static int64_t hollow_get_size(void *handle)
{
	(void)handle;
	return size;
}

static void unpack(const struct page *p, uint8_t out[PAGE])
{
	unsigned kept = 0;

	memset(out, 0, PAGE);
	for (unsigned i = 0; p && i < PAGE / LINE; i++)
		if (p->mask >> i & 1)
			memcpy(out + i * LINE, p->line[kept++], LINE);
}

static int pack(uint64_t number, const uint8_t in[PAGE])
{
	static const uint8_t zero[LINE];
	unsigned kept = 0;
	uint64_t mask = 0;
	struct page *p;

	for (unsigned i = 0; i < PAGE / LINE; i++)
		if (memcmp(in + i * LINE, zero, LINE))
			mask |= (uint64_t)1 << i;
	if (!mask) {
		if (pages[number]) {
			free(pages[number]);
			pages[number] = NULL;
		}
		return 0;
	}
	p = malloc(sizeof(*p) + __builtin_popcountll(mask) * LINE);
	if (!p)
		return -1;
	p->mask = mask;
	for (unsigned i = 0; i < PAGE / LINE; i++)
		if (mask >> i & 1)
			memcpy(p->line[kept++], in + i * LINE, LINE);
	free(pages[number]);
	pages[number] = p;
	return 0;
}

static int hollow_pread(void *handle, void *buffer, uint32_t count,
			uint64_t offset, uint32_t flags)
{
	uint8_t whole[PAGE], *out = buffer;

	(void)handle;
	(void)flags;
	if (read_us)
		usleep(read_us);
	while (count) {
		uint32_t in = offset % PAGE;
		uint32_t part = count < PAGE - in ? count : PAGE - in;

		unpack(pages[offset / PAGE], whole);
		memcpy(out, whole + in, part);
		out += part;
		offset += part;
		count -= part;
	}
	return 0;
}

static int hollow_pwrite(void *handle, const void *buffer, uint32_t count,
			 uint64_t offset, uint32_t flags)
{
	const uint8_t *from = buffer;
	uint8_t whole[PAGE];

	(void)handle;
	(void)flags;
	if (write_us)
		usleep(write_us);
	while (count) {
		uint32_t in = offset % PAGE;
		uint32_t part = count < PAGE - in ? count : PAGE - in;

		unpack(part < PAGE ? pages[offset / PAGE] : NULL, whole);
		memcpy(whole + in, from, part);
		if (pack(offset / PAGE, whole)) {
			nbdkit_set_error(ENOMEM);
			return -1;
		}
		from += part;
		offset += part;
		count -= part;
	}
	return 0;
}

static int hollow_zero(void *handle, uint32_t count, uint64_t offset,
		       uint32_t flags)
{
	static const uint8_t zeros[PAGE];

	(void)flags;
	while (count) {
		uint32_t in = offset % PAGE;
		uint32_t part = count < PAGE - in ? count : PAGE - in;

		if (pages[offset / PAGE] &&
		    hollow_pwrite(handle, zeros, part, offset, 0))
			return -1;
		offset += part;
		count -= part;
	}
	return 0;
}

static int hollow_flush(void *handle, uint32_t flags)
{
	(void)handle;
	(void)flags;
	return 0;
}

static struct nbdkit_plugin plugin = {
	.name = "hollow",
	.config = hollow_config,
	.get_ready = hollow_get_ready,
	.open = hollow_open,
	.get_size = hollow_get_size,
	.pread = hollow_pread,
	.pwrite = hollow_pwrite,
	.zero = hollow_zero,
	.trim = hollow_zero,
	.flush = hollow_flush,
};
NBDKIT_REGISTER_PLUGIN(plugin)
