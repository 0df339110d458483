/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * attack.c - loaded into a program, it does harm when that ends
 *
 * $SOCKET is the socket of another process of root, $VICTIM that process, and
 * $SEGMENT its shared memory.  Each attack writes its name and what it was told
 * to file descriptor 9.  $GENTLE leaves out the attacks that would harm more
 * than the victim.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/klog.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef SYS_pidfd_open
#define SYS_pidfd_open		434
#endif
#ifndef SYS_process_madvise
#define SYS_process_madvise	440
#endif

static pid_t victim;

static long reach_a_socket(void)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };
	int ends[2];

	if (socketpair(AF_UNIX, SOCK_DGRAM, 0, ends))
		return -1;
	strncpy(name.sun_path, getenv("SOCKET"), sizeof(name.sun_path) - 1);
	return sendto(ends[0], "x", 1, 0, (struct sockaddr *)&name,
		      sizeof(name));
}

/* Open before the program confines itself: sockets, and the victim. */
static int open_before[2], victim_fd;

__attribute__((constructor)) static void prepare(void)
{
	victim = atoi(getenv("VICTIM"));
	victim_fd = syscall(SYS_pidfd_open, victim, 0);
	if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, open_before))
		open_before[0] = -1;
}

static long reach_a_socket_from_another(void)
{
	struct sockaddr_un name = { .sun_family = AF_UNIX };

	strncpy(name.sun_path, getenv("SOCKET"), sizeof(name.sun_path) - 1);
	return sendto(open_before[0], "x", 1, 0, (struct sockaddr *)&name,
		      sizeof(name));
}

static long limit(void)
{
	const struct rlimit files = { 16, 16 };

	return prlimit(victim, RLIMIT_NOFILE, &files, NULL);
}

static long write_to_its_memory(void)
{
	char *memory = shmat(atoi(getenv("SEGMENT")), NULL, 0);

	if (memory == (char *)-1)
		return -1;
	*memory = 'x';
	return 0;
}

static long slow_down(void)
{
	return setpriority(PRIO_PROCESS, victim, 5);
}

static long schedule(void)
{
	const struct sched_param none = { 0 };

	return sched_setscheduler(victim, SCHED_BATCH, &none);
}

static long watch_all_files(void)
{
	return syscall(SYS_fanotify_init, 0, 0);
}

static long read_the_kernels_messages(void)
{
	return klogctl(10, NULL, 0);
}

static long become_root_of_a_name_space(void)
{
	long pid = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);

	if (!pid)
		_exit(0);
	return pid;
}

static long page_out(void)
{
	struct iovec nothing = { NULL, 0 };

	return syscall(SYS_process_madvise, victim_fd, &nothing, 1UL,
		       MADV_WILLNEED, 0);
}

static long write_all_disks(void)
{
	return syscall(SYS_sync);
}

static long signal_it(void)
{
	return kill(victim, 0);
}

static const struct {
	const char	*name;
	long		(*does)(void);
	int		wide;		/* it harms more than the victim */
} attacks[] = {
	{ "socketpair and sendto", reach_a_socket, 0 },
	{ "sendto from an open socket", reach_a_socket_from_another, 0 },
	{ "prlimit", limit, 0 },
	{ "shmat", write_to_its_memory, 0 },
	{ "setpriority", slow_down, 0 },
	{ "sched_setscheduler", schedule, 0 },
	{ "fanotify_init", watch_all_files, 0 },
	{ "syslog", read_the_kernels_messages, 0 },
	{ "clone with CLONE_NEWUSER", become_root_of_a_name_space, 0 },
	{ "process_madvise", page_out, 0 },
	{ "kill", signal_it, 0 },
	{ "sync", write_all_disks, 1 },
};

__attribute__((destructor)) static void attack(void)
{
	for (size_t i = 0; i < sizeof(attacks) / sizeof(*attacks); i++) {
		if (attacks[i].wide && getenv("GENTLE"))
			continue;
		dprintf(9, "%s: %s\n", attacks[i].name,
			attacks[i].does() < 0 ? strerror(errno) : "done");
	}
}
