# SPDX-License-Identifier: GPL-2.0-only
#
# Loop devices, mounts and the kernel's write-back, for tests that need the
# running kernel.  The script sets $work, a directory of its own, before it
# reads this file; on_exit must run when the script ends, however it ends.

mnt=$work/mnt
loops=
writeback_saved=

# Keep the kernel from writing metadata home while a test wants it stale.  If
# /proc/sys is read-only the tests still hold, but have fewer stale blocks.
# The lock keeps a second run from saving the settings of the first. Also a run in
# a chroot locks this device; the files in its /proc are others.
quiet_writeback() {
	[ -r /proc/sys/vm/dirty_writeback_centisecs ] || return 0
	exec 9</dev/loop-control
	flock 9
	for knob in dirty_writeback_centisecs dirty_expire_centisecs \
		    dirty_ratio dirty_background_ratio; do
		value=$(cat /proc/sys/vm/$knob)
		# A ratio reads 0 while the same limit is set in bytes.
		if [ $knob = dirty_ratio ] || [ $knob = dirty_background_ratio ]
		then
			[ "$value" = 0 ] && continue
		fi
		writeback_saved="$writeback_saved $knob=$value"
	done
	set_writeback dirty_writeback_centisecs=0 \
		dirty_expire_centisecs=8640000 \
		dirty_ratio=90 dirty_background_ratio=80
}

set_writeback() {
	for setting; do
		case " $writeback_saved" in
		*" ${setting%%=*}="*)
			echo "${setting#*=}" 2>/dev/null \
				>/proc/sys/vm/"${setting%%=*}" || :
			;;
		esac
	done
}

# The settings as they were; others may go on.
usual_writeback() {
	# shellcheck disable=SC2086
	set_writeback $writeback_saved
	writeback_saved=
	exec 9<&-
}

attach() {	# FILE: sets $loop
	loop=$(losetup -f --show "$1") || return 1
	loops="$loops $loop"
}

# An entry of an MBR, without the geometry that nobody reads.
partition() {	# FIRST SECTORS
	printf '\0\0\0\0\203\0\0\0'
	for number; do
		for shift in 0 8 16 24; do
			printf "\\$(printf %o $((number >> shift & 255)))"
		done
	done
}

# On a disk of zeros. partx -a reads it where the kernel does not: not every
# util-linux has addpart.
partition_table() {	# DISK FIRST SECTORS [FIRST SECTORS]
	table=$1
	shift
	while [ $# -gt 0 ]; do
		partition "$1" "$2"
		shift 2
	done | dd of="$table" bs=1 seek=446 conv=notrunc 2>/dev/null &&
	printf '\125\252' |
		dd of="$table" bs=1 seek=510 conv=notrunc 2>/dev/null
}

# Undo every mount and loop device made so far.
release() {
	if mountpoint -q "$mnt"; then
		! command -v fsfreeze >/dev/null ||
			fsfreeze -u "$mnt" 2>/dev/null || :
		umount "$mnt" 2>/dev/null || umount -l "$mnt"
	fi
	for l in $loops; do
		partx -d "$l" 2>/dev/null || :
		losetup -d "$l" 2>/dev/null
	done
	for l in $loops; do
		wait_detached "$l"
	done
	loops=
}

# Mount and loop device stay for a while if another process has them open, for
# example udev, or a process in another mount namespace.
wait_detached() {	# LOOP
	tries=0
	while [ $tries -lt 100 ] &&
	      losetup -n -O BACK-FILE "$1" 2>/dev/null | grep -q "^$work/"; do
		sleep 0.1
		tries=$((tries + 1))
	done
}

on_exit() {
	set +e
	release
	usual_writeback
	rm -rf --one-file-system "$work"
}

# Print the reason if tests on the running kernel cannot run here.
why_not_kernel() {
	[ "$(id -u)" = 0 ] || { echo "needs root"; return; }
	mkdir -p "$mnt"
	truncate -s 8M "$work/probe.img"
	mke2fs -q -F -t ext4 "$work/probe.img" >/dev/null 2>&1 ||
		{ echo "needs mke2fs"; return; }
	attach "$work/probe.img" 2>/dev/null ||
		{ echo "needs loop devices"; return; }
	mount -t ext4 "$loop" "$mnt" 2>/dev/null ||
		echo "the kernel cannot mount ext4 here"
	release
	rm -f "$work/probe.img"
}
