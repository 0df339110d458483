/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * calls.c - the rules for arguments of system calls, and the table of calls
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/blkzoned.h>
#include <linux/cdrom.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <linux/net.h>
#include <linux/sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "calls.h"

/* These have one number on all architectures; older headers lack them. */
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset	444
#define SYS_landlock_add_rule		445
#define SYS_landlock_restrict_self	446
#endif
#ifndef SYS_cachestat
#define SYS_cachestat		451
#endif
#ifndef SYS_fchmodat2
#define SYS_fchmodat2		452
#endif
#ifndef BLKGETDISKSEQ
#define BLKGETDISKSEQ		_IOR(0x12, 128, __u64)
#endif
#ifndef LOOP_CONFIGURE
#define LOOP_CONFIGURE		0x4C0A
#endif
#ifndef PR_SET_VMA
#define PR_SET_VMA		0x53564d41
#endif

/* What glibc asks for a thread, and what musl does. */
#define THREAD_FLAGS	(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SYSVSEM | \
			 CLONE_SIGHAND | CLONE_THREAD | CLONE_SETTLS | \
			 CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID)
/* The process from which the leak checker traces this one. */
#ifdef HAS_LEAK_CHECKER
#define LEAK_CHECKER_FLAGS	(CLONE_VM | CLONE_FS | CLONE_FILES | \
				 CLONE_UNTRACED)
#else
#define LEAK_CHECKER_FLAGS	THREAD_FLAGS
#endif
#define NAMESPACE_FLAGS	(CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | \
			 CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | \
			 CLONE_NEWNET)

#ifdef __s390x__
#define CLONE_FLAGS	1	/* the argument that has them */
#else
#define CLONE_FLAGS	0
#endif

#define LOOKING	\
	BLKGETSIZE, BLKGETSIZE64, BLKSSZGET, BLKPBSZGET, BLKIOMIN, BLKIOOPT, \
	BLKALIGNOFF, BLKROGET, BLKROTATIONAL, BLKGETDISKSEQ, \
	LOOP_GET_STATUS64, BLKGETZONESZ, CDROM_GET_CAPABILITY, \
	CDROM_DRIVE_STATUS, CDROM_LAST_WRITTEN, FS_IOC_GETFLAGS, FIONREAD, \
	FIOCLEX, FIONCLEX, TIOCGWINSZ, TCGETS, \
	0x802c542a	/* TCGETS2, of headers that exclude others */

/* All that a pager asks of a terminal, but not TIOCSTI, which types for the
   user. */
#define TYPING	\
	TCSETS, TCSETSW, TCSETSF, TCGETA, TCSETA, TCSETAW, TCSETAF, TCSBRK, \
	TCSBRKP, TCXONC, TCFLSH, TIOCGPGRP, TIOCSPGRP, TIOCGSID, \
	TIOCSWINSZ, TIOCOUTQ, FIONBIO, FIOASYNC, \
	0x402c542b, 0x402c542c, 0x402c542d	/* TCSETS2, with W and F */

#define MOUNTING	\
	LOOP_CTL_GET_FREE, LOOP_SET_FD, LOOP_CLR_FD, LOOP_SET_STATUS64, \
	LOOP_CONFIGURE, LOOP_SET_BLOCK_SIZE, LOOP_SET_DIRECT_IO

#define SERVING	\
	SYS_ACCEPT, SYS_ACCEPT4, SYS_SEND, SYS_RECV, SYS_RECVFROM, \
	SYS_SHUTDOWN, SYS_SETSOCKOPT, SYS_GETSOCKOPT, SYS_GETSOCKNAME, \
	SYS_GETPEERNAME

/* An architecture may lack all calls of a rule. */
#define VALUES(name, ...) \
	__attribute__((unused)) static const uint32_t name##_values[] = { __VA_ARGS__ }
#define ONE_OF(at, name) \
	{ TEST_ONE_OF, (at), name##_values, \
	  sizeof(name##_values) / sizeof(*name##_values) }
#define WITHOUT(at, name) \
	{ TEST_WITHOUT, (at), name##_values, 1 }
#define RULE(name, error, ...) \
	__attribute__((unused)) \
	static const struct call_rule rule_##name = { error, { __VA_ARGS__ } }

VALUES(writing, O_ACCMODE | O_CREAT | O_TRUNC);
VALUES(executable, PROT_EXEC);
VALUES(advice, MADV_NORMAL, MADV_RANDOM, MADV_SEQUENTIAL, MADV_WILLNEED,
       MADV_DONTNEED, MADV_FREE, MADV_HUGEPAGE, MADV_NOHUGEPAGE,
       MADV_DONTDUMP, MADV_DODUMP);
VALUES(thread, THREAD_FLAGS, THREAD_FLAGS | CLONE_DETACHED, LEAK_CHECKER_FLAGS);
VALUES(namespace, NAMESPACE_FLAGS);
VALUES(fcntl, F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL,
       F_OFD_GETLK);
VALUES(names, PR_SET_NAME, PR_GET_NAME, PR_SET_VMA, PR_GET_NO_NEW_PRIVS,
       PR_GET_SECCOMP);
VALUES(itself, 0);
VALUES(unix, AF_UNIX);
VALUES(asks, LOOKING);
VALUES(types, LOOKING, TYPING);
VALUES(mounts, LOOKING, TYPING, MOUNTING);
#ifdef SYS_socketcall
VALUES(serving, SERVING);
VALUES(listening, SERVING, SYS_SOCKET, SYS_BIND, SYS_LISTEN);
#endif

RULE(any, 0);
/* The error is that of Landlock, which refuses the same. */
RULE(read1, EACCES, WITHOUT(1, writing));
RULE(read2, EACCES, WITHOUT(2, writing));
RULE(noexec, EPERM, WITHOUT(2, executable));
#ifdef __s390x__		/* the arguments are in memory */
RULE(mapped, 0);
#else
RULE(mapped, EPERM, WITHOUT(2, executable));
#endif
RULE(advice, EPERM, ONE_OF(2, advice));
RULE(thread, EPERM, ONE_OF(CLONE_FLAGS, thread));
RULE(child, EPERM, WITHOUT(CLONE_FLAGS, namespace));
RULE(fcntl, EPERM, ONE_OF(1, fcntl));
RULE(asks, EPERM, ONE_OF(1, asks));
RULE(types, EPERM, ONE_OF(1, types));
RULE(mounts, EPERM, ONE_OF(1, mounts));
RULE(names, EPERM, ONE_OF(0, names));
RULE(own, EPERM, { TEST_OWN, 0, NULL, 0 });
RULE(limits, EPERM, ONE_OF(0, itself), { TEST_NULL, 2, NULL, 0 });
RULE(ulimit, EPERM, ONE_OF(0, itself));
RULE(local, EPERM, ONE_OF(0, unix));
RULE(toend, EPERM, { TEST_NULL, 4, NULL, 0 });
#ifdef SYS_socketcall		/* one call for all of them */
RULE(serves, EPERM, ONE_OF(0, serving));
RULE(listens, EPERM, ONE_OF(0, listening));
#endif

const struct call known_calls[] = {
#include "calls.inc"
};
const size_t nr_known_calls = sizeof(known_calls) / sizeof(*known_calls);
