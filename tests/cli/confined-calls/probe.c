/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * probe.c - loaded into a program, it tries every system call when that ends
 *
 * The arguments are invalid, so a call that the program still has does nothing,
 * and fails with an error that is neither EPERM nor ENOSYS.  The probe writes
 * "NUMBER ANSWER" to file descriptor 9.  It leaves out calls that do not return.
 * Then it tries some calls with arguments that make the difference.
 *
 * $PROBED names the program, if that starts others.
 *
 * It does nothing in a process without a filter: some calls take no arguments,
 * and would do what they are for.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LAST	1100		/* far beyond the newest call */

static const int never_return[] = {
	SYS_exit, SYS_exit_group, SYS_rt_sigreturn,
#ifdef SYS_sigreturn
	SYS_sigreturn,
#endif
#ifdef SYS_pause
	SYS_pause,
#endif
#ifdef __x86_64__
	335, 336,		/* uretprobe, uprobe: Linux filters neither, and
				   ends a process that is not probed */
#endif
#ifdef SYS_vfork
	SYS_vfork,		/* cannot be called from C */
#endif
};

static const char *answer_of(long said)
{
	if (said >= 0)
		return "through";
	switch (errno) {
	case EPERM:	return "EPERM";
	case EACCES:	return "EACCES";
	case ENOSYS:	return "ENOSYS";
	default:	return "through";
	}
}

static int returns(long number)
{
	for (size_t i = 0; i < sizeof(never_return) / sizeof(int); i++)
		if (never_return[i] == number)
			return 0;
	return 1;
}

static const char *try_call(long number)
{
	pid_t self = getpid();
	uint32_t word = 0;
	long said;

	/* An invalid operation would answer ENOSYS. */
	if (number == SYS_futex)
		said = syscall(number, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
	else
		said = syscall(number, -1L, -1L, -1L, -1L, -1L, -1L);
	if (!said && getpid() != self)
		_exit(0);
	return answer_of(said);
}

/* The calls of i386, as the kernel answers a 64-bit program. */
static long foreign_getpid(void)
{
#ifdef __x86_64__
	long said = 20;

	__asm__ volatile("int $0x80" : "+a" (said) : : "memory", "r8", "r9",
			 "r10", "r11");
	errno = said < 0 ? -(int)said : 0;
	return said;
#else
	errno = EPERM;
	return -1;
#endif
}

static long x32_getpid(void)
{
#ifdef __x86_64__
	return syscall(0x40000000 | SYS_getpid);
#else
	errno = EPERM;
	return -1;
#endif
}

static void *do_nothing(void *nothing)
{
	return nothing;
}

static long make_thread(void)
{
	pthread_t thread;

	errno = pthread_create(&thread, NULL, do_nothing, NULL);
	return errno ? -1 : pthread_join(thread, NULL);
}

static long make_process(unsigned long flags)
{
	long pid = syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);

	if (!pid)
		_exit(0);
	return pid;
}

#define TRY(what, ...)	\
	dprintf(9, "%s: %s\n", what, answer_of(syscall(__VA_ARGS__)))

static void try_arguments(void)
{
	pid_t self = getpid(), parent = getppid();
	struct rlimit limit;

	TRY("open to read", SYS_openat, AT_FDCWD, "/", O_RDONLY);
	TRY("open to write", SYS_openat, AT_FDCWD, "/dev/null", O_WRONLY);
	TRY("open for both", SYS_openat, AT_FDCWD, "/dev/null", O_RDWR);
	TRY("create", SYS_openat, AT_FDCWD, "/nowhere/x", O_CREAT, 0600);
	TRY("map memory", SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	TRY("map code", SYS_mmap, 0, 4096, PROT_READ | PROT_EXEC,
	    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	TRY("make memory code", SYS_mprotect, 0, 0, PROT_EXEC);
	TRY("MADV_DONTNEED", SYS_madvise, 0, 0, MADV_DONTNEED);
	TRY("MADV_HWPOISON", SYS_madvise, 0, 0, 100);
	dprintf(9, "a thread: %s\n", answer_of(make_thread()));
	dprintf(9, "a process: %s\n", answer_of(make_process(0)));
	dprintf(9, "a process in a user name space: %s\n",
		answer_of(make_process(CLONE_NEWUSER)));
	TRY("its own flags of a file", SYS_fcntl, 9, F_GETFL);
	TRY("F_SETOWN", SYS_fcntl, 9, F_SETOWN, parent);
	TRY("F_SETSIG", SYS_fcntl, 9, F_SETSIG, SIGKILL);
	TRY("F_SETLEASE", SYS_fcntl, 9, F_SETLEASE, F_UNLCK);
	TRY("TIOCGWINSZ", SYS_ioctl, -1, TIOCGWINSZ, 0);
	TRY("TCSETS", SYS_ioctl, -1, TCSETS, 0);
	TRY("TIOCSTI", SYS_ioctl, -1, TIOCSTI, 0);
	TRY("BLKDISCARD", SYS_ioctl, -1, 0x1277, 0);
	TRY("the name of a thread", SYS_prctl, PR_GET_NAME, -1L);
	TRY("PR_SET_MM", SYS_prctl, PR_SET_MM, -1L, -1L, -1L, -1L);
	TRY("PR_SET_SECCOMP", SYS_prctl, PR_SET_SECCOMP, -1L, -1L);
	TRY("kill itself", SYS_kill, self, 0);
	TRY("kill its group", SYS_kill, 0, 0);
	TRY("kill its parent", SYS_kill, parent, 0);
	TRY("tgkill itself", SYS_tgkill, self, syscall(SYS_gettid), 0);
	TRY("tgkill its parent", SYS_tgkill, parent, parent, 0);
	TRY("its own limits", SYS_prlimit64, 0, RLIMIT_CORE, NULL, &limit);
	TRY("set its own limits", SYS_prlimit64, 0, RLIMIT_CORE, &limit, NULL);
	TRY("limits of its parent", SYS_prlimit64, parent, RLIMIT_CORE, NULL,
	    &limit);
	dprintf(9, "int 0x80: %s\n", answer_of(foreign_getpid()));
	dprintf(9, "x32: %s\n", answer_of(x32_getpid()));
}

/* PR_GET_SECCOMP needs prctl(). */
static int is_filtered(void)
{
	char line[256];
	int filtered = 0;
	FILE *status = fopen("/proc/self/status", "re");

	while (status && fgets(line, sizeof(line), status))
		filtered |= !strcmp(line, "Seccomp:\t2\n");
	if (status)
		fclose(status);
	return filtered;
}

__attribute__((destructor)) static void probe(void)
{
	const char *probed = getenv("PROBED");

	if (probed && strcmp(probed, program_invocation_short_name))
		return;
	if (!is_filtered()) {
		dprintf(9, "no filter\n");
		return;
	}
	for (long number = 0; number <= LAST; number++)
		if (returns(number))
			dprintf(9, "%ld %s\n", number, try_call(number));
	try_arguments();
}
