/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * target_debuglazy.c - the program debuglazy, its arguments and a script
 *
 * Linked with the program's own objects, main() by another name.  Nothing gets
 * out: files go into memory, every directory is the same empty one, and calls
 * that remove or rename do nothing.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "target.h"

const bool fuzz_wants_words = true;
const bool fuzz_wants_paths = true;

int debuglazy_main(int argc, char **argv);

/* ------------------------------------------------------ what is outside */

static bool inside;		/* the program is running */

int __wrap_openat64(int dir, const char *name, int flags, ...);
int __wrap_open64(const char *name, int flags, ...);
int __real_open64(const char *name, int flags, ...);
int __wrap_mkdirat(int dir, const char *name, mode_t mode);
int __wrap_symlinkat(const char *target, int dir, const char *name);
int __wrap_unlinkat(int dir, const char *name, int flags);
int __wrap_linkat(int from, const char *path, int dir, const char *name,
		  int flags);
int __wrap_fstatat64(int dir, const char *name, struct stat *st, int flags);
int __wrap_utimensat(int dir, const char *name, const struct timespec times[2],
		     int flags);
int __wrap_fchown(int fd, uid_t uid, gid_t gid);
int __wrap_rename(const char *from, const char *to);
int __real_rename(const char *from, const char *to);
int __wrap_unlink(const char *name);
int __real_unlink(const char *name);
ssize_t __wrap_pread64(int fd, void *buf, size_t count, off_t at);
ssize_t __real_pread64(int fd, void *buf, size_t count, off_t at);

static int empty_dir(void)
{
	static char dir[] = "/tmp/e2lazy-fuzz.XXXXXX";
	static int fd = -1;

	if (fd < 0) {
		if (!mkdtemp(dir))
			abort();
		fd = __real_open64(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		rmdir(dir);
	}
	return dup(fd);
}

int __wrap_openat64(int dir, const char *name, int flags, ...)
{
	(void)dir, (void)name;
	return flags & O_CREAT ? memfd_create("e2lazy-fuzz-out", MFD_CLOEXEC) :
				 empty_dir();
}

int __wrap_open64(const char *name, int flags, ...)
{
	va_list args;
	int mode;

	va_start(args, flags);
	mode = va_arg(args, int);
	va_end(args);
	if (inside && (flags & O_DIRECTORY))
		return empty_dir();
	if (inside && (flags & O_ACCMODE) != O_RDONLY)
		abort();
	return __real_open64(name, flags, mode);
}

int __wrap_mkdirat(int dir, const char *name, mode_t mode)
{
	(void)dir, (void)name, (void)mode;
	return 0;
}

int __wrap_symlinkat(const char *target, int dir, const char *name)
{
	(void)target, (void)dir, (void)name;
	return 0;
}

int __wrap_unlinkat(int dir, const char *name, int flags)
{
	(void)dir, (void)name, (void)flags;
	return 0;
}

int __wrap_linkat(int from, const char *path, int dir, const char *name,
		  int flags)
{
	(void)from, (void)path, (void)dir, (void)name, (void)flags;
	return 0;
}

/* All files are the same one, so that each can become a link to another. */
int __wrap_fstatat64(int dir, const char *name, struct stat *st, int flags)
{
	(void)dir, (void)name, (void)flags;
	memset(st, 0, sizeof(*st));
	return 0;
}

int __wrap_utimensat(int dir, const char *name, const struct timespec times[2],
		     int flags)
{
	(void)dir, (void)name, (void)times, (void)flags;
	return 0;
}

int __wrap_fchown(int fd, uid_t uid, gid_t gid)
{
	(void)fd, (void)uid, (void)gid;
	return 0;
}

int __wrap_rename(const char *from, const char *to)
{
	return inside ? 0 : __real_rename(from, to);
}

int __wrap_unlink(const char *name)
{
	return inside ? 0 : __real_unlink(name);
}

ssize_t __wrap_pread64(int fd, void *buf, size_t count, off_t at)
{
	ssize_t got = __real_pread64(fd, buf, count, at);

	if (got > 0)
		device_bytes_read += (uint64_t)got;
	return got;
}

/* --------------------------------------------------------- the commands */

/* list_requests is missing, because libss pipes it into a pager. */
static const char *const commands[] = {
	"jinfo", "jmap", "jlog", "jhistory", "jcat", "jdiff", "jverify", "ls",
	"cd", "pwd", "stat", "cat", "dump", "rdump", "blocks", "icheck",
	"ncheck", "help", "close", "open", "quit", "nonsense", "\"ls",
};

static const char *const words[] = {
	"/", "/d", "/d/e", "/h", "/l", "/loop", "/long", "/big", ".", "..",
	"d/f", "/d/e/small", "/lost+found", "/none", "out", "",
	"<2>", "<7>", "<8>", "<11>", "<12>", "<13>", "<14>", "<15>", "<16>",
	"<0>", "<4294967295>", "<99999999999>", "<", "<x>",
	"0", "1", "2", "3", "18", "19", "35", "67", "3900", "3905", "4095",
	"4096", "4294967296", "18446744073709551615", "-1", "5", "6", "7",
	"-l", "-d", "-p", "-f", "-r", "-a", "-x", "--help", "--all", "--json",
	"--raw", "--sort=fs", "--sort=log", "--columns",
	"FSBLK,LOGBLK,PHYSBLK,TID,TIME,ESCAPED,COPIES,TYPE,INODE,ROLE,PATH",
	"+STATE", "--block=1-100", "--tid=5-7", "--until-tid=6",
	"--type=directory", "--tags", "--beyond", "--static", "--hex",
	"--decode", "--identify", "--check-data", "--no-headings", "--tid=6",
	"--from=5", "--to=7", "--preserve", "--force", "--deleted", "-q",
};

/* A line of its own; @op->offset gives the parts that numbers are of. */
static void write_line(FILE *script, const struct template *t,
		       const struct op *op)
{
	const char *command;

	if (!op->length)
		return;
	command = commands[op->payload[0] %
			   (sizeof(commands) / sizeof(*commands))];
	fputs(command, script);
	if (!strcmp(command, "open")) {
		fprintf(script, " %s\n", t->fs.path);
		return;
	}
	for (unsigned i = 1; i < op->length; i++) {
		uint8_t byte = op->payload[i];
		size_t part = (op->offset + byte) % t->nr_parts;

		if (byte >= 0xe0)
			fprintf(script, " %u", t->parts[part].fsblk);
		else if (byte >= 0xd0)
			fprintf(script, " <%u>", t->parts[part].ino);
		else
			fprintf(script, " %s", words[byte % (sizeof(words) /
							 sizeof(*words))]);
	}
	putc('\n', script);
}

static void write_script(int fd, const struct template *t,
			 const struct input *in)
{
	FILE *script = fdopen(dup(fd), "w");

	if (!script || ftruncate(fd, 0))
		abort();
	rewind(script);
	for (unsigned i = 0; i < in->nr_ops; i++)
		if (in->ops[i].kind == OP_WORDS)
			write_line(script, t, &in->ops[i]);
	fclose(script);
}

static void run(int argc, char **argv)
{
	struct sigaction before[2];

	sigaction(SIGINT, NULL, &before[0]);
	sigaction(SIGTERM, NULL, &before[1]);
	inside = true;
	debuglazy_main(argc, argv);
	inside = false;
	sigaction(SIGINT, &before[0], NULL);
	sigaction(SIGTERM, &before[1], NULL);
}

void fuzz_one(struct template *t, const struct input *in)
{
	static int script = -1;
	char path[32], until[32];
	char *argv[10], name[] = "debuglazy";
	unsigned lines = 1;
	int argc = 0;

	if (script < 0)
		script = memfd_create("e2lazy-fuzz-script", MFD_CLOEXEC);
	snprintf(path, sizeof(path), "-f/proc/self/fd/%d", script);
	snprintf(until, sizeof(until), "--until-tid=%u", in->until);
	write_script(script, t, in);
	argv[argc++] = name;
	/* Each run in this process would add a filter of calls. */
	argv[argc++] = (char []){ "--unconfined" };
	if (t->journal.bytes) {
		argv[argc++] = (char []){ "-j" };
		argv[argc++] = t->journal.path;
	}
	if (in->flags & INPUT_UNTIL)
		argv[argc++] = until;
	if (in->flags & INPUT_DATA)
		argv[argc++] = (char []){ "--check-data" };
	argv[argc++] = path;
	argv[argc++] = t->fs.path;
	argv[argc] = NULL;
	run(argc, argv);
	for (unsigned i = 0; i < in->nr_ops; i++)
		lines += in->ops[i].kind == OP_WORDS;
	fuzz_bound(t, 4 + lines);
}
