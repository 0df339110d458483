# SPDX-License-Identifier: GPL-2.0-only
#
# mounted.sh - a device that is mounted, and that another program has read
# before: the kernel writes copies and contents past its page cache.  The
# witness is a copy that was read past that cache, too.

copied=$work/mounted.copy

# A ring that comes round twice, and a file that is written over in its place
# and deleted.  If READER is cat, that has put the file's blocks and the first
# lap into the cache.  $logged: features of the file system.
mount_and_age() {	# BLOCKSIZE READER [PARTITION]
	rm -f "$work/mounted.img" "$copied" &&
	truncate -s 257M "$work/mounted.img" &&
	attach "$work/mounted.img" || return
	device=$loop
	[ -z "$3" ] || add_partition || return
	mke2fs -q -F -t ext4 -b "$1" -N 8192 -J size=$(($1 / 1024)) \
		-E lazy_itable_init=0 ${logged:+-O "$logged"} "$device" 256M &&
	mount -t ext4 -o noatime,commit=3000 "$device" "$mnt" &&
	fill A "$mnt/victim" && many_commits early &&
	"$2" "$loop" >/dev/null &&
	many_commits late && fill B "$mnt/victim" notrunc &&
	rm "$mnt/victim" && sync -f "$mnt" &&
	dd if="$loop" of="$copied" bs=1M iflag=direct 2>/dev/null || return
	[ "$2" != cat ] || cache_is_stale "$1" "${3:+1048576}"
}

# Sets $device.  Where there is no node of it, /tmp may refuse another one.
add_partition() {
	partition_table "$loop" 2048 524288 && partx -a "$loop" || return
	device=${loop}p1
	[ -b "$device" ] && return
	device=$work/mounted.partition
	# shellcheck disable=SC2046
	mknod "$device" b \
		$(tr : ' ' <"/sys/class/block/${loop#/dev/}p1/dev")
}

many_commits() {	# NAME
	for round in 1 2 3 4 5 6; do
		for i in $(seq 150); do
			mkdir "$mnt/$1-$round-$i" || return 1
		done
		sync -f "$mnt" || return 1
	done
}

fill() {	# LETTER FILE [CONV]
	head -c 65536 /dev/zero | tr '\0' "$1" |
		dd of="$2" conv="fsync${3:+,$3}" 2>/dev/null
}

# Else the test would prove nothing: does the cache have another lap?
cache_is_stale() {	# BLOCKSIZE [OFFSET]
	at=${2:-0}
	first=$(debugfs -R 'bmap <8> 8' "$copied?offset=$at" 2>/dev/null) &&
	[ "$first" -gt 8 ] &&
	! cmp -s -i $((at + first * $1)) -n $(($1 * 512)) "$loop" "$copied" ||
		{ echo "the cache is right"; return 1; }
}

said_of() {	# DEVICE [OFFSET]
	"$E2LAZY" log --ring --raw --check-data --offset "${2:-0}" "$1" &&
	"$E2LAZY" dump --all --raw --check-data --offset "${2:-0}" "$1" &&
	"$DEBUGLAZY" --offset "${2:-0}" -R 'ls -l /' "$1" || return
	"$E2LAZYCK" -n --offset "${2:-0}" "$1"
	# 4: something is to be written home.
	[ $? = 4 ]
}

log_is_read_as_it_is() {	# BLOCKSIZE READER [PARTITION]
	mount_and_age "$@" || return 1
	said_of "$copied" ${3:+1048576} >"$work/theirs" 2>"$work/said" &&
	said_of "$loop" ${3:+1048576} >"$work/ours" 2>>"$work/said"
	told=$?
	cat "$work/said"
	diff "$work/theirs" "$work/ours" | head -20
	[ $told = 0 ] && cmp "$work/theirs" "$work/ours"
}

contents_are_read_as_they_are() {	# BLOCKSIZE [FEATURES]
	logged=$2
	mount_and_age "$1" cat && fsfreeze -f "$mnt" || return 1
	"$E2LAZY" undelete --ring --to "$work/restored" "$loop" \
		>"$work/said" 2>&1
	cat "$work/said"
	fsfreeze -u "$mnt"
	fill B "$work/wanted" &&
	cmp "$work/wanted" "$work/restored/victim"
}

# As in a container or a rescue system.
needs_no_proc() {
	mount_and_age 4096 true || return 1
	"$E2LAZY" dump --all --raw "$loop" >"$work/theirs" &&
	unshare -m sh -c 'mount -t tmpfs none /proc && "$@"' - \
		"$E2LAZY" dump --all --raw "$loop" >"$work/ours" &&
	cmp "$work/theirs" "$work/ours"
}

why_no_partition() {
	truncate -s 8M "$work/mounted.img" && attach "$work/mounted.img" &&
	partition_table "$loop" 2048 8192 && partx -a "$loop" 2>/dev/null ||
		echo "no partitions of loop devices"
	release >/dev/null
}

why_no_quota() {
	truncate -s 8M "$work/mounted.img" &&
	mke2fs -q -F -t ext4 -O quota,project "$work/mounted.img" >/dev/null &&
	attach "$work/mounted.img" &&
	mount -t ext4 "$loop" "$mnt" 2>/dev/null ||
		echo "the kernel mounts no quota files"
	release >/dev/null
}

mounted_checks() {
	while IFS=: read -r title command; do
		case "mounted: $title" in *"$only"*) ;; *) continue ;; esac
		why=$why_skip
		case $command in
		*partition) why=${why:-$(why_no_partition)} ;;
		*quota*) why=${why:-$(why_no_quota)} ;;
		esac
		if [ "$why" ]; then
			skip "mounted: $title" "$why"
		else
			# shellcheck disable=SC2086
			check "mounted: $title" $command
			release
			logged=
			rm -rf "$work"/mounted.* "$work/restored"
		fi
	done <<-END
		a log is read as it is, whatever is cached:log_is_read_as_it_is 4096 cat
		also where the kernel holds a part of its cache:log_is_read_as_it_is 1024 cat
		also what only the kernel has in its cache:log_is_read_as_it_is 1024 true
		also on a disk whose partition is mounted:log_is_read_as_it_is 4096 cat partition
		it is read without /proc:needs_no_proc
		deleted contents are read as they are, on a frozen one:contents_are_read_as_they_are 4096
		also in small blocks:contents_are_read_as_they_are 1024
		also beside an orphan file, whose blocks are logged:contents_are_read_as_they_are 4096 orphan_file
		also beside a quota file, whose blocks are logged:contents_are_read_as_they_are 4096 quota,project
	END
}
