/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * floor - the least work of a map of the log, and of its rows
 *
 *	floor map BLOCKS LIST IMAGE	read each control block, sum it up, and
 *					enter each tag of a descriptor into a
 *					hash table of static blocks
 *	floor rows BLOCKS LIST IMAGE	the same, then write a row for each
 *					static block to the standard output, in
 *					the order of the table
 *
 * BLOCKS is the number of static blocks that the log has copies of, and is
 * checked.  LIST has a row for each control block, as for copies; only its
 * second field counts.  The log must have 64-bit tags with checksums of version
 * 3 and blocks of 4 KiB; revoke blocks are only summed up.  Prints seconds,
 * without the reading of LIST, to standard error.  Exit status 0, or 1 with a
 * message.  Shares no code with the programs that it measures.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clock.h"

#define BLOCK		4096
#define DESCRIPTOR	1
#define SAME_UUID	2
#define LAST		8
#define BUFFER		65536
#define ROW		100		/* bytes, at most */

struct entry {
	uint32_t	fsblk, physblk, tid;	/* physblk 0: none */
};

struct table {
	struct entry	*at;
	uint32_t	mask, used, blocks;
	unsigned	shift;
};

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "floor: %s: %s\n", what,
		errno ? strerror(errno) : "bad input");
	exit(1);
}

static uint32_t be32(const uint8_t *p)
{
	uint32_t value;

	memcpy(&value, p, 4);
	return be32toh(value);
}

/* ------------------------------------------------------------- checksum */

#if defined(__x86_64__)
__attribute__((target("sse4.2")))
static uint32_t sum(const uint8_t *p)
{
	uint64_t crc = ~0U, word;

	for (unsigned i = 0; i < BLOCK; i += 8) {
		memcpy(&word, p + i, 8);
		crc = __builtin_ia32_crc32di(crc, word);
	}
	return (uint32_t)crc;
}
#else
static uint32_t sum(const uint8_t *p)
{
	uint32_t crc = ~0U;

	for (unsigned i = 0; i < BLOCK; i++) {
		crc ^= p[i];
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (0x82f63b78 & -(crc & 1));
	}
	return crc;
}
#endif

/* ------------------------------------------------------------------ map */

/* At most half full, and in memory before it is used. */
static void table_init(struct table *t, uint32_t blocks)
{
	unsigned bits = 4;

	while (bits < 31 && ((uint32_t)1 << bits) / 2 < blocks)
		bits++;
	t->mask = ((uint32_t)1 << bits) - 1;
	t->shift = 32 - bits;
	t->blocks = blocks;
	t->at = mmap(NULL, ((size_t)t->mask + 1) * sizeof(*t->at),
		     PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	if (t->at == MAP_FAILED)
		die("memory");
}

static void enter(struct table *t, uint32_t fsblk, uint32_t physblk,
		  uint32_t tid)
{
	uint32_t i = fsblk * 2654435761u >> t->shift;

	while (t->at[i].physblk && t->at[i].fsblk != fsblk)
		i = (i + 1) & t->mask;
	if (!t->at[i].physblk && t->used++ == t->blocks) {
		errno = 0;
		die("more static blocks");
	}
	t->at[i] = (struct entry){ fsblk, physblk, tid };
}

static void enter_tags(struct table *t, const uint8_t *block,
		       uint32_t physblk)
{
	const uint8_t *p = block + 12, *end = block + BLOCK - 4;
	uint32_t tid = be32(block + 8);
	unsigned flags = 0;

	while (!(flags & LAST) && p + 16 <= end) {
		flags = be32(p + 4);
		enter(t, be32(p), ++physblk, tid);
		p += flags & SAME_UUID ? 16 : 32;
	}
}

static uint32_t read_all(struct table *t, int fd, const uint64_t *list,
			 size_t count)
{
	static uint8_t block[BLOCK];
	uint32_t sums = 0;

	for (size_t i = 0; i < count; i++) {
		if (pread(fd, block, BLOCK, (off_t)(list[i] * BLOCK)) != BLOCK)
			die("read");
		sums ^= sum(block);
		if (be32(block + 4) == DESCRIPTOR)
			enter_tags(t, block, (uint32_t)list[i]);
	}
	return sums;
}

/* ----------------------------------------------------------------- rows */

/* Two digits at a time. */
static char *put_number(char *to, uint32_t value)
{
	static char pairs[100][2];
	unsigned n = 1;
	char *p;

	for (unsigned i = 0; !pairs[99][0] && i < 100; i++) {
		pairs[i][0] = (char)('0' + i / 10);
		pairs[i][1] = (char)('0' + i % 10);
	}
	for (uint32_t v = value; v >= 10; v /= 10)
		n++;
	for (p = to + n; value >= 10; value /= 100)
		memcpy(p -= 2, pairs[value % 100], 2);
	if (p > to)
		*to = (char)('0' + value);
	to[n] = ' ';
	return to + n + 1;
}

/* Where the log begins is not known here: the list does. */
static void write_rows(const struct table *t, uint32_t begin)
{
	static char buffer[BUFFER];
	char *to = buffer;

	for (size_t i = 0; i <= t->mask; i++) {
		const struct entry *e = &t->at[i];

		if (!e->physblk)
			continue;
		to = put_number(to, e->fsblk);
		to = put_number(to, e->physblk - begin);
		to = put_number(to, e->physblk);
		to = put_number(to, e->tid);
		memcpy(to, "other\n", 6);
		to += 6;
		if (to - buffer < BUFFER - ROW && i < t->mask)
			continue;
		if (write(STDOUT_FILENO, buffer, to - buffer) != to - buffer)
			die("write");
		to = buffer;
	}
}

/* ----------------------------------------------------------------- main */

static uint64_t *read_list(const char *path, size_t *count)
{
	uint64_t *list = NULL, physblk;
	size_t room = 0;
	FILE *f = fopen(path, "r");

	if (!f)
		die(path);
	while (fscanf(f, "%*s %" SCNu64 "%*[^\n]", &physblk) == 1) {
		if (*count == room) {
			room = room ? 2 * room : 4096;
			list = realloc(list, room * sizeof(*list));
			if (!list)
				die("memory");
		}
		list[(*count)++] = physblk;
	}
	fclose(f);
	if (*count)
		return list;
	errno = 0;
	die(path);
}

int main(int argc, char **argv)
{
	struct table t = { .used = 0 };
	bool rows = argc == 5 && !strcmp(argv[1], "rows");
	volatile uint32_t sums;
	uint64_t *list;
	size_t count = 0;
	double began;
	int fd;

	if (!rows && (argc != 5 || strcmp(argv[1], "map"))) {
		fputs("usage: floor map|rows BLOCKS LIST IMAGE\n", stderr);
		return 1;
	}
	list = read_list(argv[3], &count);
	began = now();
	fd = open(argv[4], O_RDONLY);
	if (fd < 0)
		die(argv[4]);
	table_init(&t, (uint32_t)strtoul(argv[2], NULL, 10));
	sums = read_all(&t, fd, list, count);
	(void)sums;
	if (rows)
		write_rows(&t, (uint32_t)list[0] - 1);
	fprintf(stderr, "%.6f\n", now() - began);
	if (t.used == t.blocks)
		return 0;
	errno = 0;
	die("fewer static blocks");
}
