# SPDX-License-Identifier: GPL-2.0-only
#
# mounted.sh - a device that is mounted, and that another program has read
# before: the kernel writes copies and contents past its page cache.  The
# witness is a copy that was read past that cache, too.

copied=$work/mounted.copy

# The file's blocks and the ring are cached; then the ring comes round, and the
# file is written over in its place and deleted.
mount_and_age() {	# BLOCKSIZE
	rm -f "$work/mounted.img" "$copied" &&
	truncate -s 256M "$work/mounted.img" &&
	attach "$work/mounted.img" &&
	mke2fs -q -F -t ext4 -b "$1" -N 8192 -J size=$(($1 / 1024)) \
		-E lazy_itable_init=0 "$loop" &&
	mount -t ext4 -o noatime,commit=3000 "$loop" "$mnt" &&
	fill A "$mnt/victim" && many_commits early &&
	cat "$loop" >/dev/null &&
	many_commits late && fill B "$mnt/victim" notrunc &&
	rm "$mnt/victim" && sync -f "$mnt" &&
	dd if="$loop" of="$copied" bs=1M iflag=direct 2>/dev/null &&
	cache_is_stale
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

# Else the test would prove nothing.
cache_is_stale() {
	! cmp -s "$loop" "$copied" || { echo "the cache is right"; return 1; }
}

# What the commands say of a device, without its name.
said_of() {	# DEVICE
	"$E2LAZY" dump --all --raw --check-data "$1" &&
	"$E2LAZY" log --ring --raw --check-data "$1" || return
	"$E2LAZYCK" -n "$1"
	# 4: something is to be written home.
	[ $? = 4 ]
}

log_is_read_as_it_is() {	# BLOCKSIZE
	mount_and_age "$1" || return 1
	said_of "$copied" >"$work/theirs" 2>"$work/said" &&
	said_of "$loop" >"$work/ours" 2>>"$work/said"
	told=$?
	cat "$work/said"
	diff "$work/theirs" "$work/ours" | head -20
	[ $told = 0 ] && cmp "$work/theirs" "$work/ours"
}

contents_are_read_as_they_are() {	# BLOCKSIZE
	mount_and_age "$1" && fsfreeze -f "$mnt" || return 1
	"$E2LAZY" undelete --ring --to "$work/restored" "$loop" \
		>"$work/said" 2>&1
	cat "$work/said"
	fsfreeze -u "$mnt"
	fill B "$work/wanted" &&
	cmp "$work/wanted" "$work/restored/victim"
}

mounted_checks() {
	while IFS=: read -r title command; do
		case "mounted: $title" in *"$only"*) ;; *) continue ;; esac
		if [ "$why_skip" ]; then
			skip "mounted: $title" "$why_skip"
		else
			# shellcheck disable=SC2086
			check "mounted: $title" $command
			release
			rm -rf "$work"/mounted.* "$work/restored"
		fi
	done <<-END
		a log is read as it is, whatever is cached:log_is_read_as_it_is 4096
		also where the kernel holds a part of its cache:log_is_read_as_it_is 1024
		deleted contents are read as they are, on a frozen one:contents_are_read_as_they_are 4096
		also in small blocks:contents_are_read_as_they_are 1024
	END
}
