/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lazywork - random work on a file system, and the tree that it must leave
 *
 *	lazywork run DIRECTORY SEED FROM TO [DEVICE OFFSET]	operations
 *						from FROM to TO - 1
 *	lazywork sum DIRECTORY			the sum of the tree there
 *	lazywork match SUM SEED LO HI		which operation left that tree
 *	lazywork sums SEED TO			the sum after each operation
 *
 * Operation N of a seed is always the same, for it depends on the operations
 * before it alone: these are done in memory, the model.  Each is atomic on a
 * journaled file system, and they reach the log in order, so that a power cut
 * leaves the tree after some of them.  `run` prints `synced N` when the first N
 * are known to be on the disk; no cut after that may leave a tree of fewer.  It
 * also writes this line to DEVICE at OFFSET, past the page cache: so a record of
 * the device's writes tells when it was known.
 *
 * The sum of a tree is the sum of one hash for each name.  A directory has the
 * same unique name for life, so that the hash of a name need not know the path.
 * A file is written as `tmp`, which does not count, and then renamed.
 */
#define _GNU_SOURCE		/* O_DIRECT */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define MAX_NODES	6000
#define MARK_SIZE	4096
#define SYNC_EVERY	150
#define CHUNK		4096
#define ATTR		"user.work"
#define ATTR_SIZE	700		/* in a block of its own at 256 a slot */

enum kind { NONE, DIR_NODE, FILE_NODE, LINK_NODE };

struct node {
	enum kind	kind;
	uint32_t	id;		/* its name, never used again */
	uint32_t	parent;		/* id of a directory, 0 the root */
	uint32_t	size;		/* bytes, or of a link's target */
	uint32_t	version;	/* of contents */
	uint32_t	attr;		/* version of the attribute, 0 none */
	unsigned int	children;	/* of a directory */
};

static struct node nodes[MAX_NODES];
static unsigned int nr_nodes;
static unsigned int root_children;
static uint32_t next_id = 1;
static uint64_t model_sum;
static uint64_t random_state;
static const char *base;		/* NULL: the model alone */

static _Noreturn void die(const char *what, const char *path)
{
	fprintf(stderr, "lazywork: %s: %s: %s\n", what, path, strerror(errno));
	exit(1);
}

/* ---- numbers ---- */

static uint64_t mix(uint64_t x)
{
	x ^= x >> 30;
	x *= 0xbf58476d1ce4e5b9ULL;
	x ^= x >> 27;
	x *= 0x94d049bb133111ebULL;
	return x ^ x >> 31;
}

static uint32_t draw(uint32_t below)
{
	random_state += 0x9e3779b97f4a7c15ULL;
	return (uint32_t)(mix(random_state) % below);
}

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t len)
{
	const unsigned char *p = data;

	while (len--)
		hash = (hash ^ *p++) * 0x100000001b3ULL;
	return hash;
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
	return hash_bytes(hash, text, strlen(text) + 1);
}

/* ---- names and contents ---- */

static void name_of(char name[16], const struct node *n)
{
	snprintf(name, 16, "%c%u", "-dfl"[n->kind], n->id);
}

static void parent_name(char name[16], uint32_t id)
{
	if (id)
		snprintf(name, 16, "d%u", id);
	else
		strcpy(name, "/");
}

static void contents(char *buf, uint32_t id, uint32_t version, uint32_t at,
		     size_t len)
{
	uint64_t x = mix(((uint64_t)id << 32 | version) + at);
	size_t i;

	for (i = 0; i < len; i += 8) {
		uint64_t word = mix(x + i);

		memcpy(buf + i, &word, len - i < 8 ? len - i : 8);
	}
}

static uint64_t hash_contents(const struct node *n)
{
	char buf[CHUNK];
	uint64_t hash = 1;
	uint32_t at;

	for (at = 0; at < n->size; at += CHUNK) {
		size_t len = n->size - at < CHUNK ? n->size - at : CHUNK;

		contents(buf, n->id, n->version, at, len);
		hash = hash_bytes(hash, buf, len);
	}
	return hash;
}

/*
 * The block of a long link is metadata: if it begins with the magic of jbd2 it
 * is escaped in the log.
 */
static void target_of(char *target, const struct node *n)
{
	memset(target, 'a' + n->id % 26, n->size);
	if (n->id % 7 == 0)
		memcpy(target, "\xc0\x3b\x39\x98", 4);
	target[n->size] = 0;
}

static void attr_of(char value[ATTR_SIZE], const struct node *n)
{
	contents(value, n->id + 1000000, n->attr, 0, ATTR_SIZE);
}

/* What a name adds to the sum: found is what it holds, 0 for a directory. */
static uint64_t hash_name(const char *parent, const char *name, uint64_t found,
			  uint64_t attr)
{
	uint64_t hash = hash_text(hash_text(7, parent), name);

	return mix(hash ^ mix(found) ^ mix(attr + 3));
}

static uint64_t hash_node(const struct node *n)
{
	char parent[16], name[16], text[4096];
	uint64_t found = 0, attr = 0;

	parent_name(parent, n->parent);
	name_of(name, n);
	if (n->kind == FILE_NODE)
		found = hash_contents(n);
	if (n->kind == LINK_NODE) {
		target_of(text, n);
		found = hash_text(2, text);
	}
	if (n->attr) {
		attr_of(text, n);
		attr = hash_bytes(5, text, ATTR_SIZE);
	}
	return hash_name(parent, name, found, attr);
}

/* ---- on the disk ---- */

static unsigned int *children_of(uint32_t id);

static struct node *find(uint32_t id)
{
	unsigned int i;

	for (i = 0; i < nr_nodes; i++)
		if (nodes[i].id == id)
			return &nodes[i];
	abort();
}

static unsigned int *children_of(uint32_t id)
{
	return id ? &find(id)->children : &root_children;
}

/* The path of a directory, from its end. */
static void path_of(char path[4096], uint32_t parent, const char *name)
{
	char *at = path + 4095, part[16];
	size_t len;

	*at = 0;
	for (;;) {
		len = strlen(name);
		at -= len;
		memcpy(at, name, len);
		*--at = '/';
		if (!parent)
			break;
		snprintf(part, sizeof(part), "d%u", parent);
		parent = find(parent)->parent;
		name = part;
	}
	len = strlen(base);
	at -= len;
	memcpy(at, base, len);
	memmove(path, at, strlen(at) + 1);
}

static void node_path(char path[4096], const struct node *n)
{
	char name[16];

	name_of(name, n);
	path_of(path, n->parent, name);
}

static void write_file(const struct node *n)
{
	char tmp[4096], path[4096], buf[CHUNK];
	uint32_t at;
	int fd;

	snprintf(tmp, sizeof(tmp), "%s/tmp", base);
	node_path(path, n);
	fd = open(tmp, O_CREAT | O_TRUNC | O_WRONLY, 0644);
	if (fd < 0)
		die("create", tmp);
	for (at = 0; at < n->size; at += CHUNK) {
		size_t len = n->size - at < CHUNK ? n->size - at : CHUNK;

		contents(buf, n->id, n->version, at, len);
		if (write(fd, buf, len) != (ssize_t)len)
			die("write", tmp);
	}
	/* The attribute goes with the old inode, and the model's with it. */
	if (n->size && fsync(fd))
		die("fsync", tmp);
	close(fd);
	if (rename(tmp, path))
		die("rename", path);
}

/* ---- operations ---- */

static void add(enum kind kind, uint32_t parent)
{
	struct node *n = &nodes[nr_nodes++];
	char path[4096], target[4096];

	memset(n, 0, sizeof(*n));
	n->kind = kind;
	n->id = next_id++;
	n->parent = parent;
	n->version = 1;
	if (kind == FILE_NODE)
		n->size = draw(4) ? draw(9000) : draw(200000);
	if (kind == LINK_NODE)
		n->size = draw(2) ? 20 : 300 + draw(600);
	++*children_of(parent);
	model_sum += hash_node(n);
	if (!base)
		return;
	node_path(path, n);
	if (kind == DIR_NODE && mkdir(path, 0755))
		die("mkdir", path);
	if (kind == FILE_NODE)
		write_file(n);
	if (kind == LINK_NODE) {
		target_of(target, n);
		if (symlink(target, path))
			die("symlink", path);
	}
}

static void take_away(struct node *n)
{
	char path[4096];

	if (n->kind == DIR_NODE && n->children)
		return;
	if (base) {
		node_path(path, n);
		if (n->kind == DIR_NODE ? rmdir(path) : unlink(path))
			die("remove", path);
	}
	model_sum -= hash_node(n);
	--*children_of(n->parent);
	*n = nodes[--nr_nodes];
}

static void rewrite(struct node *n)
{
	model_sum -= hash_node(n);
	n->version++;
	n->attr = 0;
	n->size = draw(60000);
	model_sum += hash_node(n);
	if (base)
		write_file(n);
}

/* Of files and links alone: a directory could be moved below itself. */
static void move(struct node *n, uint32_t parent)
{
	char from[4096], to[4096];

	if (base)
		node_path(from, n);
	model_sum -= hash_node(n);
	--*children_of(n->parent);
	n->parent = parent;
	++*children_of(n->parent);
	model_sum += hash_node(n);
	if (!base)
		return;
	node_path(to, n);
	if (strcmp(from, to) && rename(from, to))
		die("rename", to);
}

static void set_attr(struct node *n)
{
	char path[4096], value[ATTR_SIZE];

	model_sum -= hash_node(n);
	n->attr++;
	model_sum += hash_node(n);
	if (!base)
		return;
	node_path(path, n);
	attr_of(value, n);
	if (setxattr(path, ATTR, value, ATTR_SIZE, 0))
		die("setxattr", path);
}

static uint32_t some_directory(void)
{
	unsigned int tries;

	for (tries = 0; tries < 8 && nr_nodes; tries++) {
		struct node *n = &nodes[draw(nr_nodes)];

		if (n->kind == DIR_NODE)
			return n->id;
	}
	return 0;
}

/*
 * Directories are made for a while, then files, then most things are removed,
 * so that blocks of directories become those of files.
 */
static void operation(unsigned long number)
{
	unsigned int phase = number / 400 % 3, dice = draw(100);
	struct node *n;

	if (nr_nodes < 10 || (nr_nodes < MAX_NODES &&
			      dice < (phase == 2 ? 15U : 75U))) {
		if (dice % 10 == 9)
			add(LINK_NODE, some_directory());
		else if (phase == 0 ? dice % 10 < 8 : dice % 10 < 2)
			add(DIR_NODE, some_directory());
		else
			add(FILE_NODE, some_directory());
		return;
	}
	n = &nodes[draw(nr_nodes)];
	if (phase == 2 && dice < 90)
		take_away(n);
	else if (n->kind == FILE_NODE && dice % 3 == 0)
		rewrite(n);
	else if (n->kind == FILE_NODE && dice % 3 == 1)
		set_attr(n);
	else if (n->kind != DIR_NODE)
		move(n, some_directory());
	else
		take_away(n);
}

/* Where each sync is noted, besides stdout. */
struct mark {
	const char	*device;	/* or NULL */
	off_t		offset;
};

static void write_mark(const struct mark *mark, unsigned long done)
{
	static char text[MARK_SIZE] __attribute__((aligned(MARK_SIZE)));
	int fd = open(mark->device, O_WRONLY | O_DIRECT);

	snprintf(text, sizeof(text), "synced %lu\n", done);
	if (fd < 0 || pwrite(fd, text, sizeof(text), mark->offset) !=
		      (ssize_t)sizeof(text))
		die("write", mark->device);
	close(fd);
}

static void sync_now(unsigned long done, const struct mark *mark)
{
	int fd = open(base, O_RDONLY | O_DIRECTORY);

	if (fd < 0 || fsync(fd))
		die("fsync", base);
	close(fd);
	if (mark->device)
		write_mark(mark, done);
	printf("synced %lu\n", done);
	fflush(stdout);
}

static int run(unsigned long seed, unsigned long from, unsigned long to,
	       const char *where, const struct mark *mark)
{
	char tmp[4096];
	unsigned long i;

	random_state = seed;
	for (i = 0; i < from; i++)
		operation(i);
	base = where;
	snprintf(tmp, sizeof(tmp), "%s/tmp", base);
	unlink(tmp);
	for (; i < to; i++) {
		operation(i);
		if (i % SYNC_EVERY == SYNC_EVERY - 1)
			sync_now(i + 1, mark);
	}
	sync_now(i, mark);
	return 0;
}

/* ---- what is there ---- */

static uint64_t sum_of_file(int dir, const char *name)
{
	char buf[CHUNK];
	uint64_t hash = 1;
	ssize_t len;
	int fd = openat(dir, name, O_RDONLY);

	if (fd < 0)
		die("open", name);
	while ((len = read(fd, buf, sizeof(buf))) > 0)
		hash = hash_bytes(hash, buf, (size_t)len);
	if (len < 0)
		die("read", name);
	close(fd);
	return hash;
}

static uint64_t sum_of_attr(int dir, const char *name)
{
	char value[ATTR_SIZE + 1];
	int fd = openat(dir, name, O_RDONLY);
	ssize_t len;

	if (fd < 0)
		die("open", name);
	len = fgetxattr(fd, ATTR, value, sizeof(value));
	if (len < 0 && errno != ENODATA)
		die("getxattr", name);
	close(fd);
	return len < 0 ? 0 : hash_bytes(5, value, (size_t)len);
}

static uint64_t sum_of_tree(int fd, const char *parent)
{
	DIR *dir = fdopendir(fd);
	struct dirent *entry;
	uint64_t sum = 0;

	if (!dir)
		die("open", parent);
	while (errno = 0, (entry = readdir(dir))) {
		const char *name = entry->d_name;
		uint64_t found = 0, attr = 0;
		struct stat st;

		if (*name == '.' || !strcmp(name, "lost+found") ||
		    !strcmp(name, "tmp"))
			continue;
		if (fstatat(fd, name, &st, AT_SYMLINK_NOFOLLOW))
			die("stat", name);
		if (S_ISLNK(st.st_mode)) {
			char target[4096];
			ssize_t len = readlinkat(fd, name, target, 4095);

			if (len < 0)
				die("readlink", name);
			target[len] = 0;
			found = hash_text(2, target);
		} else if (S_ISREG(st.st_mode)) {
			found = sum_of_file(fd, name);
			attr = sum_of_attr(fd, name);
		}
		sum += hash_name(parent, name, found, attr);
		if (S_ISDIR(st.st_mode)) {
			int sub = openat(fd, name, O_RDONLY | O_DIRECTORY);

			if (sub < 0)
				die("open", name);
			sum += sum_of_tree(sub, name);
		}
	}
	if (errno)
		die("readdir", parent);
	closedir(dir);
	return sum;
}

static int sum(const char *where)
{
	int fd = open(where, O_RDONLY | O_DIRECTORY);

	if (fd < 0)
		die("open", where);
	printf("%016llx\n", (unsigned long long)sum_of_tree(fd, "/"));
	return 0;
}

static int match(uint64_t wanted, unsigned long seed, unsigned long lo,
		 unsigned long hi)
{
	unsigned long i;

	random_state = seed;
	for (i = 0; i <= hi; i++) {
		if (i >= lo && model_sum == wanted) {
			printf("%lu\n", i);
			return 0;
		}
		operation(i);
	}
	fprintf(stderr, "lazywork: no operation from %lu to %lu left this tree\n",
		lo, hi);
	return 1;
}

static int sums(unsigned long seed, unsigned long to)
{
	unsigned long i;

	for (random_state = seed, i = 0; i <= to; i++) {
		printf("%016llx %lu\n", (unsigned long long)model_sum, i);
		operation(i);
	}
	return 0;
}

static unsigned long number(const char *text)
{
	return strtoul(text, NULL, 0);
}

int main(int argc, char **argv)
{
	const char *verb = argc > 1 ? argv[1] : "";
	struct mark mark = { .device = argc == 8 ? argv[6] : NULL,
			     .offset = argc == 8 ? (off_t)number(argv[7]) : 0 };

	if ((argc == 6 || argc == 8) && !strcmp(verb, "run"))
		return run(number(argv[3]), number(argv[4]), number(argv[5]),
			   argv[2], &mark);
	if (argc == 3 && !strcmp(verb, "sum"))
		return sum(argv[2]);
	if (argc == 6 && !strcmp(verb, "match"))
		return match(strtoull(argv[2], NULL, 16), number(argv[3]),
			     number(argv[4]), number(argv[5]));
	if (argc == 4 && !strcmp(verb, "sums"))
		return sums(number(argv[2]), number(argv[3]));
	fprintf(stderr, "usage: lazywork run DIRECTORY SEED FROM TO [DEVICE OFFSET]\n"
		"       lazywork sum DIRECTORY\n"
		"       lazywork match SUM SEED LO HI\n"
		"       lazywork sums SEED TO\n");
	return 2;
}
