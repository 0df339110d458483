# SPDX-License-Identifier: GPL-2.0-only
# What the tests of system calls share: a probe, and the calls that it should find.

needs_confinement
# The compiler knows for which the programs are: a kernel of x86-64 runs others.
case $($CC -dumpmachine 2>/dev/null) in
x86_64-*|aarch64-*) ;;
*)		skip "the numbers of this architecture's calls are not read here" ;;
esac
case $CC in
*-fsanitize*)	skip "no library goes before that of a sanitizer" ;;
esac
needs_compiler
$CC -shared -fPIC -pthread -o probe.so \
	"$SRCDIR/tests/cli/confined-calls/probe.c" || exit
echo '#include <sys/syscall.h>' | $CC -E -dM -x c - |
	sed -n 's/^#define __NR_\([a-z0-9_]*\) \([0-9]*\)$/\2 \1/p' >numbers
# Older headers have no names for these.
printf '%s\n' '451 cachestat' '452 fchmodat2' >>numbers

# Calls that a process has with any arguments. A name that this architecture does
# not have does not count; x86_64 has only the number of set_thread_area.
look="access arm_fadvise64_64 brk cachestat clock_getres clock_gettime
	clock_nanosleep close dup dup2 dup3 faccessat faccessat2 fadvise64
	flock fstat fstatfs futex getcpu getcwd getdents getdents64 getegid
	geteuid getgid getpid getppid getrandom getrlimit getrusage gettid
	gettimeofday getuid lseek lstat mincore mremap munmap nanosleep
	newfstatat poll ppoll pread64 preadv preadv2 read readlink readlinkat readv
	restart_syscall rseq rt_sigaction rt_sigprocmask sched_getaffinity
	sched_yield set_robust_list sigaltstack stat statfs statx sysinfo time
	umask uname write writev"
below="$look chmod fallocate fchmod fchmodat fchmodat2 fchown fchownat fdatasync
	fsetxattr fsync ftruncate linkat mkdir mkdirat mknodat open openat
	pwrite64 pwritev rename renameat renameat2 rmdir symlinkat unlink
	unlinkat utimensat"
shell="$below alarm arch_prctl capget chdir chown close_range copy_file_range
	creat epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_wait
	eventfd2 execve execveat fchdir fcntl fgetxattr flistxattr fork
	futimesat getgroups getitimer getpgid getpgrp getpriority getresgid
	getresuid getsid getxattr inotify_add_watch inotify_init inotify_init1
	inotify_rm_watch kill landlock_add_rule landlock_create_ruleset
	landlock_restrict_self lchown lgetxattr link listxattr llistxattr
	lsetxattr membarrier mknod mlock mmap mprotect munlock pipe pipe2
	prctl pselect6 rt_sigpending rt_sigsuspend rt_sigtimedwait seccomp
	select sendfile set_tid_address setitimer setpgid setrlimit setsid
	setxattr signalfd4 splice symlink tgkill times truncate utime
	utimes wait4 waitid"

# tried NAME COMMAND... - have it try all calls
tried()
{
	echo "# $1"
	shift
	LD_PRELOAD=$PWD/probe.so "$@" 9>answers >output 2>&1
	echo "exit $?"
}

# compared CALL... - the calls that got through, beside those; a call from 424 on
# may be newer than the kernel
compared()
{
	echo $* | tr ' ' '\n' | awk '
	FILENAME == "numbers" { name[$1] = $2; next }
	FILENAME == "answers" { if (/^[0-9]+ /) answer[$1] = $2; next }
	{ expected[$1] }
	END {
		for (text in answer) {
			n = text + 0
			call = n in name ? name[n] : n
			through = answer[n] == "through"
			if (through && !(call in expected))
				print call ": has it"
			else if (!through && call in expected &&
				 !(n >= 424 && answer[n] == "ENOSYS"))
				print call ": does not have it: " answer[n]
			else if (!through && n >= 424 && answer[n] != "ENOSYS")
				print call ": " answer[n]
			else if (n < 424 && answer[n] == "ENOSYS" &&
				 call != "set_thread_area")
				print call ": ENOSYS"
			count++
		}
		if (count < 1000)
			print "the calls were not tried"
	}' numbers answers - | LC_ALL=C sort
	grep -v '^[0-9]' answers
}

# without "CALL..." CALL... - the former without the latter
without()
{
	without_list=$1
	shift
	for without_call in $without_list; do
		case " $* " in
		*" $without_call "*)	;;
		*)			echo "$without_call" ;;
		esac
	done
}
