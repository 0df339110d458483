# SPDX-License-Identifier: GPL-2.0-only
#
# hollow.sh - new file systems on a disk of any size that keeps no zeros; read
# behind tests/kernel/lib.sh

hollow_dir=$work/hollow
hollow_pids=

why_not_hollow() {
	command -v nbdkit >/dev/null || { echo "nbdkit is missing"; return; }
	command -v nbdfuse >/dev/null || { echo "nbdfuse is missing"; return; }
	mkdir -p "$hollow_dir" "$mnt" &&
	${CC:-cc} -O2 -shared -fPIC -o "$work/hollow.so" \
		"$SRCDIR/tests/bench/hollow.c" 2>"$work/why" ||
		{ echo "hollow.c: $(head -1 "$work/why")"; return; }
	[ -c /dev/fuse ] || echo "there is no FUSE"
}

# hollow_begin BYTES [KEY=VALUE...] - sets $disk, a file
hollow_begin() {
	rm -f "$work/socket"
	nbdkit -f -U "$work/socket" "$work/hollow.so" size="$@" &
	hollow_pids=$!
	wait_until_there -S "$work/socket" || return
	disk=$hollow_dir/image
	nbdfuse "$disk" --unix "$work/socket" &
	hollow_pids="$hollow_pids $!"
	wait_until_there -s "$disk"
}

wait_until_there() {
	tries=0
	until [ "$1" "$2" ]; do
		tries=$((tries + 1))
		[ $tries -lt 300 ] || { echo "$2 does not come" >&2; return 1; }
		sleep 0.1
	done
}

# The device first: its last writes need the disk.
hollow_end() {
	release
	[ "$hollow_pids" ] || return 0
	tries=0
	until fusermount3 -u "$hollow_dir" 2>/dev/null; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || break
		sleep 0.1
	done
	kill ${hollow_pids%% *} 2>/dev/null
	wait $hollow_pids 2>/dev/null
	hollow_pids=
}

# hollow_fs MKE2FS-OPTION... - a file system on $disk, mounted.  Its groups count
# as initialised: the kernel has nothing to zero behind the workload.
hollow_fs() {
	mke2fs -q -F -t ext4 "$@" "$disk" &&
	loop=$(losetup -f --show --direct-io=on "$disk") || return
	loops="$loops $loop"
	mount -t ext4 -o noatime "$loop" "$mnt" && sync -f "$mnt"
}

# The kernel looks at the block bitmaps of all groups after a mount, some seconds
# long. It locks one after the other, and since Linux 6.17 whoever wants blocks of a
# locked group gets some far away. That is chance, so wait.
settled() {
	tries=0
	while grep -qsx ext4lazyinit /proc/[0-9]*/comm; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || return
		sleep 0.1
	done
}

# The kernel's usual times of write-back: nobody else may change them now.
usual_writeback() {
	exec 9</proc/sys/vm/dirty_writeback_centisecs
	flock 9
}
unusual_writeback() {
	exec 9<&-
}
