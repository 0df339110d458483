/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * copies - the live copies of a log: moved at full speed, compared, damaged
 *
 *	copies move LIST IMAGE [DEPTH]	read them all in log order, then write
 *					them all in ascending order, with direct
 *					I/O and one flush: the least time of a
 *					checkpoint that holds all in memory and
 *					has DEPTH requests in flight, or one
 *	copies append LIST IMAGE AT	the same, but write them in a row from
 *					block AT on
 *	copies read LIST IMAGE		the first half of it
 *	copies control LIST IMAGE	the same with blocks that must all
 *					begin as the log's control blocks do
 *	copies compare LIST IMAGE	the static blocks that differ
 *	copies spoil LIST IMAGE		zero the static blocks of type "other",
 *					which opening the image does not need
 *
 * LIST has a row for each live mapping, `FSBLK PHYSBLK ESCAPED TYPE`,
 * ascending by FSBLK; the superblock is left alone, because it is merged.
 * Blocks have 4 KiB.  Prints seconds, or a number of blocks.  Exit status 0,
 * or 1 with a message.  Shares no code with the programs that it measures.
 */
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"

#define BLOCK		4096
#define REQUEST		1024		/* blocks, at most */
#define GAP		16		/* blocks read rather than skipped */
#define JBD2_MAGIC	0xc03b3998u

struct copy {
	uint64_t	fsblk, physblk;
	uint32_t	slot;		/* in ascending order of fsblk */
	bool		escaped, other;
};

struct copies {
	struct copy	*at;
	size_t		count;
	int		fd;
	uint8_t		*span;		/* REQUEST blocks */
};

static _Noreturn void die(const char *what)
{
	fprintf(stderr, "copies: %s: %s\n", what,
		errno ? strerror(errno) : "bad input");
	exit(1);
}

static void *get(size_t bytes)
{
	void *p;

	errno = posix_memalign(&p, BLOCK, bytes ? bytes : BLOCK);
	if (errno)
		die("memory");
	return p;
}

static void read_list(struct copies *c, const char *path)
{
	char escaped[8], type[32];
	size_t room = 0;
	struct copy row = { 0 };
	FILE *f = fopen(path, "r");

	if (!f)
		die(path);
	while (fscanf(f, "%" SCNu64 " %" SCNu64 " %7s %31s", &row.fsblk,
		      &row.physblk, escaped, type) == 4) {
		if (!strcmp(type, "superblock"))
			continue;
		if (c->count == room) {
			room = room ? 2 * room : 1 << 16;
			c->at = realloc(c->at, room * sizeof(*c->at));
			if (!c->at)
				die("memory");
		}
		row.slot = (uint32_t)c->count;
		row.escaped = !strcmp(escaped, "yes");
		row.other = !strcmp(type, "other");
		c->at[c->count++] = row;
	}
	if (!feof(f) || !c->count) {
		errno = 0;
		die(path);
	}
	fclose(f);
}

static void read_at(const struct copies *c, void *to, size_t blocks,
		    uint64_t block)
{
	if (pread(c->fd, to, blocks * BLOCK, (off_t)(block * BLOCK)) !=
	    (ssize_t)(blocks * BLOCK))
		die("read");
}

static void write_at(const struct copies *c, const void *from, size_t blocks,
		     uint64_t block)
{
	if (pwrite(c->fd, from, blocks * BLOCK, (off_t)(block * BLOCK)) !=
	    (ssize_t)(blocks * BLOCK))
		die("write");
}

static int by_physblk(const void *a, const void *b)
{
	const struct copy *x = a, *y = b;

	return x->physblk < y->physblk ? -1 : x->physblk > y->physblk;
}

static int by_fsblk(const void *a, const void *b)
{
	const struct copy *x = a, *y = b;

	return x->fsblk < y->fsblk ? -1 : x->fsblk > y->fsblk;
}

/* Call @use for each copy, unescaped, in log order. */
static void read_all(struct copies *c, void (*use)(struct copies *c,
						   const struct copy *copy,
						   const uint8_t *block,
						   void *priv), void *priv)
{
	size_t i, next;

	qsort(c->at, c->count, sizeof(*c->at), by_physblk);
	for (i = 0; i < c->count; i = next) {
		uint64_t first = c->at[i].physblk;

		for (next = i + 1; next < c->count &&
		     c->at[next].physblk - c->at[next - 1].physblk <= GAP &&
		     c->at[next].physblk - first < REQUEST; next++)
			;
		read_at(c, c->span, c->at[next - 1].physblk - first + 1,
			first);
		for (size_t k = i; k < next; k++) {
			uint8_t *block = c->span + (c->at[k].physblk - first) *
						   BLOCK;
			uint32_t magic = htobe32(JBD2_MAGIC);

			if (c->at[k].escaped)
				memcpy(block, &magic, 4);
			use(c, &c->at[k], block, priv);
		}
	}
}

/* ---------------------------------------------------------------- moving */

static void keep(struct copies *c, const struct copy *copy,
		 const uint8_t *block, void *priv)
{
	uint8_t *blocks = priv;

	(void)c;
	memcpy(blocks + (size_t)copy->slot * BLOCK, block, BLOCK);
}

#define MOST_DEPTH	64

struct request {
	uint64_t	block;
	size_t		from, to;	/* copies */
};

struct flight {
	struct copies	*c;
	uint8_t		*blocks;	/* all of them, by slot */
	struct request	*at;
	size_t		count, next;
	bool		writing;
};

/* Neighbours of each other, with at most @gap blocks between, by @block. */
static void list_requests(struct flight *f, uint64_t gap)
{
	const struct copy *at = f->c->at;

	f->count = f->next = 0;
	for (size_t i = 0, next; i < f->c->count; i = next) {
		uint64_t first = f->writing ? at[i].fsblk : at[i].physblk;
		uint64_t last = first, block;

		for (next = i + 1; next < f->c->count; next++) {
			block = f->writing ? at[next].fsblk : at[next].physblk;
			if (block - last > gap || block - first >= REQUEST)
				break;
			last = block;
		}
		f->at[f->count++] = (struct request){ first, i, next };
	}
}

static void read_request(const struct flight *f, const struct request *r,
			 uint8_t *span)
{
	const struct copy *at = f->c->at;
	uint32_t magic = htobe32(JBD2_MAGIC);

	read_at(f->c, span, at[r->to - 1].physblk - r->block + 1, r->block);
	for (size_t i = r->from; i < r->to; i++) {
		uint8_t *block = span + (at[i].physblk - r->block) * BLOCK;

		if (at[i].escaped)
			memcpy(block, &magic, 4);
		keep(f->c, &at[i], block, f->blocks);
	}
}

static void *fly(void *priv)
{
	struct flight *f = priv;
	uint8_t *span = f->writing ? NULL : get((size_t)REQUEST * BLOCK);
	size_t i;

	while ((i = __atomic_fetch_add(&f->next, 1, __ATOMIC_RELAXED)) <
	       f->count) {
		const struct request *r = &f->at[i];

		if (f->writing)
			write_at(f->c, f->blocks + r->from * BLOCK,
				 r->to - r->from, r->block);
		else
			read_request(f, r, span);
	}
	free(span);
	return NULL;
}

static void fly_all(struct flight *f, unsigned depth)
{
	pthread_t threads[MOST_DEPTH];

	for (unsigned i = 0; i < depth; i++) {
		errno = pthread_create(&threads[i], NULL, fly, f);
		if (errno)
			die("thread");
	}
	for (unsigned i = 0; i < depth; i++)
		pthread_join(threads[i], NULL);
}

/* Slots ascend with the static blocks: so do the blocks in memory. */
static void move(struct copies *c, const char *word)
{
	unsigned depth = (unsigned)strtoul(word, NULL, 10);
	struct flight f = {
		.c = c, .blocks = get(c->count * BLOCK),
		.at = get(c->count * sizeof(*f.at)),
	};
	double began = now();

	if (!depth || depth > MOST_DEPTH)
		die(word);
	qsort(c->at, c->count, sizeof(*c->at), by_physblk);
	list_requests(&f, GAP);
	fly_all(&f, depth);
	qsort(c->at, c->count, sizeof(*c->at), by_fsblk);
	f.writing = true;
	list_requests(&f, 1);
	fly_all(&f, depth);
	if (fdatasync(c->fd))
		die("fdatasync");
	printf("%.6f\n", now() - began);
	free(f.at);
	free(f.blocks);
}

/* No block may begin like one of the log's control blocks. */
static void append(struct copies *c, const char *word)
{
	uint8_t *blocks = get(c->count * BLOCK);
	uint64_t at = strtoull(word, NULL, 10);
	double began = now();
	size_t n;

	read_all(c, keep, blocks);
	for (size_t i = 0; i < c->count; i += n) {
		n = c->count - i < REQUEST ? c->count - i : REQUEST;
		for (size_t k = i; k < i + n; k++)
			blocks[k * BLOCK] = 0;
		write_at(c, blocks + i * BLOCK, n, at + i);
	}
	if (fdatasync(c->fd))
		die("fdatasync");
	printf("%.6f\n", now() - began);
	free(blocks);
}

/* --------------------------------------------------------------- reading */

static void drop(struct copies *c, const struct copy *copy,
		 const uint8_t *block, void *priv)
{
	(void)c;
	(void)copy;
	(void)block;
	(void)priv;
}

static void must_be_control(struct copies *c, const struct copy *copy,
			    const uint8_t *block, void *priv)
{
	uint32_t magic = htobe32(JBD2_MAGIC);

	(void)c;
	(void)copy;
	(void)priv;
	if (memcmp(block, &magic, 4)) {
		errno = 0;
		die("not a control block");
	}
}

static void time_reading(struct copies *c, bool control)
{
	double began = now();

	read_all(c, control ? must_be_control : drop, NULL);
	printf("%.6f\n", now() - began);
}

/* -------------------------------------------------- comparing, spoiling */

static void compare_one(struct copies *c, const struct copy *copy,
			const uint8_t *block, void *priv)
{
	static uint8_t *home;
	size_t *different = priv;

	if (!home)
		home = get(BLOCK);
	read_at(c, home, 1, copy->fsblk);
	*different += memcmp(home, block, BLOCK) != 0;
}

static void spoil(struct copies *c)
{
	size_t spoilt = 0;

	memset(c->span, 0, BLOCK);
	for (size_t i = 0; i < c->count; i++) {
		if (!c->at[i].other)
			continue;
		write_at(c, c->span, 1, c->at[i].fsblk);
		spoilt++;
	}
	if (fsync(c->fd))
		die("fsync");
	printf("%zu\n", spoilt);
}

static void usage(void)
{
	fputs("usage: copies move|read|control|compare|spoil LIST IMAGE\n"
	      "       copies append LIST IMAGE AT\n"
	      "       copies move LIST IMAGE DEPTH\n",
	      stderr);
}

int main(int argc, char **argv)
{
	struct copies c = { .count = 0 };
	size_t different = 0;
	bool appending = argc == 5 && !strcmp(argv[1], "append");
	bool moving = !strcmp(argc > 1 ? argv[1] : "", "move"), reading;

	if (argc != 4 && !(argc == 5 && (appending || moving))) {
		usage();
		return 1;
	}
	reading = !strcmp(argv[1], "read") || !strcmp(argv[1], "control");
	read_list(&c, argv[2]);
	c.span = get((size_t)REQUEST * BLOCK);
	c.fd = open(argv[3], (reading ? O_RDONLY : O_RDWR) |
			     (appending || moving || reading ? O_DIRECT : 0));
	if (c.fd < 0)
		die(argv[3]);
	if (appending) {
		append(&c, argv[4]);
	} else if (moving) {
		move(&c, argc == 5 ? argv[4] : "1");
	} else if (reading) {
		time_reading(&c, !strcmp(argv[1], "control"));
	} else if (!strcmp(argv[1], "compare")) {
		read_all(&c, compare_one, &different);
		printf("%zu\n", different);
	} else if (!strcmp(argv[1], "spoil")) {
		spoil(&c);
	} else {
		usage();
		return 1;
	}
	return 0;
}
