/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * deny.c - a process gives up calls of the kernel: see deny.h
 *
 * The filter is a program for the kernel's packet filter, as in
 * Documentation/userspace-api/seccomp_filter.rst.  It is a list of calls that
 * are denied, not of those that remain: the C library chooses its calls anew
 * in each version.  For ioctl() it is the other way round: each driver has its
 * own requests, and a reader needs few.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/blkzoned.h>
#include <linux/cdrom.h>
#include <linux/filter.h>
#include <linux/fs.h>
#include <linux/loop.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "deny.h"

#if defined(__x86_64__)
#define THIS_ARCH	AUDIT_ARCH_X86_64
#define FOREIGN_CALLS	0x40000000	/* and above: those of x32 */
#elif defined(__aarch64__)
#define THIS_ARCH	AUDIT_ARCH_AARCH64
#define FOREIGN_CALLS	0xffffffff	/* none */
#endif

#ifdef THIS_ARCH

/* gcc has a macro for it, and clang a question. */
#if defined(__SANITIZE_ADDRESS__)
#define HAS_LEAK_CHECKER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_LEAK_CHECKER
#endif
#endif

/* These have one number on all architectures; older headers lack them. */
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd		438
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr	442
#endif
#ifndef SYS_quotactl_fd
#define SYS_quotactl_fd		443
#endif
#ifndef SYS_fchmodat2
#define SYS_fchmodat2		452
#endif
#ifndef SYS_setxattrat
#define SYS_setxattrat		463
#define SYS_removexattrat	466
#endif
#ifndef SYS_open_tree_attr
#define SYS_open_tree_attr	467
#endif
#ifndef SYS_file_setattr
#define SYS_file_setattr	469
#endif
#ifndef BLKGETDISKSEQ
#define BLKGETDISKSEQ		_IOR(0x12, 128, __u64)
#endif

static const int machine[] = {
	/* the kernel's own code */
	SYS_init_module, SYS_finit_module, SYS_delete_module,
	SYS_kexec_load, SYS_reboot, SYS_bpf,
#ifdef SYS_kexec_file_load
	SYS_kexec_file_load,
#endif
#ifdef SYS_iopl
	SYS_iopl, SYS_ioperm,
#endif
	SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup,
	/* other processes; the leak checker attaches to its own */
#ifndef HAS_LEAK_CHECKER
	SYS_ptrace,
#endif
	SYS_process_vm_readv, SYS_process_vm_writev,
	SYS_pidfd_getfd,
	/* mounts and name spaces */
	SYS_mount, SYS_umount2, SYS_move_mount, SYS_fsopen,
	SYS_fsconfig, SYS_fsmount, SYS_fspick, SYS_open_tree,
	SYS_open_tree_attr, SYS_mount_setattr, SYS_pivot_root,
	SYS_chroot, SYS_setns, SYS_unshare,
	/* the machine's settings */
	SYS_swapon, SYS_swapoff, SYS_acct, SYS_quotactl,
	SYS_quotactl_fd, SYS_settimeofday, SYS_clock_settime,
	SYS_adjtimex, SYS_clock_adjtime, SYS_sethostname,
	SYS_setdomainname,
	/* keys, and the rest of the world; inherited sockets remain */
	SYS_keyctl, SYS_add_key, SYS_request_key, SYS_socket,
};

/*
 * A set-user-id shell is no more than one of these.  The last is Landlock's
 * from Linux 6.2.
 */
static const int attributes[] = {
#ifdef SYS_chmod
	SYS_chmod, SYS_chown, SYS_lchown, SYS_utime, SYS_utimes, SYS_futimesat,
#endif
	SYS_fchmod, SYS_fchmodat, SYS_fchmodat2, SYS_fchown, SYS_fchownat,
	SYS_utimensat, SYS_setxattr, SYS_lsetxattr, SYS_fsetxattr,
	SYS_setxattrat, SYS_removexattr, SYS_lremovexattr, SYS_fremovexattr,
	SYS_removexattrat, SYS_file_setattr, SYS_truncate,
};

/*
 * Landlock could deny them for devices that are opened later (Linux 6.10), but
 * all at once.  This holds for a terminal, too, where TIOCSTI types for the
 * user.
 */
static const unsigned looking_ioctls[] = {
	BLKGETSIZE, BLKGETSIZE64, BLKSSZGET, BLKPBSZGET, BLKIOMIN, BLKIOOPT,
	BLKALIGNOFF, BLKROGET, BLKROTATIONAL, BLKGETDISKSEQ, LOOP_GET_STATUS64,
	BLKGETZONESZ, CDROM_GET_CAPABILITY, CDROM_DRIVE_STATUS,
	CDROM_LAST_WRITTEN, FS_IOC_GETFLAGS,
	FIONREAD, FIOCLEX, FIONCLEX, TIOCGWINSZ, TCGETS,
	0x802c542a,		/* TCGETS2, of headers that exclude others */
};

#define NR(table)	(sizeof(table) / sizeof(*(table)))
/* Six for the architecture, two for each row, four around those of ioctl(). */
#define MOST_STEPS	(6 + 2 * NR(machine) + 2 * NR(attributes) + 4 + \
			 2 * NR(looking_ioctls))

struct filter {
	struct sock_filter steps[MOST_STEPS];
	unsigned short	count;
};

static void step(struct filter *f, unsigned short code, unsigned value)
{
	f->steps[f->count++] = (struct sock_filter)BPF_STMT(code, value);
}

/* Unless @test of @value holds, leave out the next step. */
static void when(struct filter *f, unsigned short test, unsigned value)
{
	f->steps[f->count++] = (struct sock_filter)
		BPF_JUMP(BPF_JMP | test | BPF_K, value, 0, 1);
}

static void unless_equal(struct filter *f, unsigned value)
{
	f->steps[f->count++] = (struct sock_filter)
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 1, 0);
}

static void load(struct filter *f, size_t offset)
{
	step(f, BPF_LD | BPF_W | BPF_ABS, offset);
}

static void allow(struct filter *f)
{
	step(f, BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
}

static void refuse(struct filter *f)
{
	step(f, BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
}

static void refuse_all(struct filter *f, const int *calls, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		when(f, BPF_JEQ, calls[i]);
		refuse(f);
	}
}

/* The kernel takes the lower half of ioctl()'s second argument. */
static size_t request_offset(void)
{
	return offsetof(struct seccomp_data, args[1]) +
	       (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? 4 : 0);
}

static void write_filter(struct filter *f, unsigned but)
{
	load(f, offsetof(struct seccomp_data, arch));
	unless_equal(f, THIS_ARCH);
	refuse(f);
	load(f, offsetof(struct seccomp_data, nr));
	when(f, BPF_JGE, FOREIGN_CALLS);
	refuse(f);
	refuse_all(f, machine, NR(machine));
	if (!(but & DENY_BUT_ATTRIBUTES))
		refuse_all(f, attributes, NR(attributes));
	if (but & DENY_BUT_IOCTLS) {
		allow(f);
		return;
	}
	unless_equal(f, SYS_ioctl);
	allow(f);
	load(f, request_offset());
	for (size_t i = 0; i < NR(looking_ioctls); i++) {
		when(f, BPF_JEQ, looking_ioctls[i]);
		allow(f);
	}
	refuse(f);
}

void deny_calls(unsigned but)
{
	struct filter f = { .count = 0 };
	struct sock_fprog program = { .filter = f.steps };

	write_filter(&f, but);
	program.len = f.count;
	prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

#else

void deny_calls(unsigned but)
{
	(void)but;
}

#endif
