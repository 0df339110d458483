# SPDX-License-Identifier: GPL-2.0-only
#
# mounted.sh - a device that is mounted, and that somebody has read before: the
# kernel writes copies and contents past its page cache.  The witness is a copy
# that was read past the cache, too.

copied=$work/mounted.copy

# The file's blocks and the ring are cached; then the ring comes round some
# times, and the file is written over in its place and deleted.
mount_and_age() {
	rm -f "$work/mounted.img" "$copied" &&
	truncate -s 256M "$work/mounted.img" &&
	attach "$work/mounted.img" &&
	mke2fs -q -F -t ext4 -J size=4 "$loop" &&
	mount -t ext4 -o noatime "$loop" "$mnt" &&
	fill A "$mnt/victim" && many_commits early &&
	cat "$loop" >/dev/null &&
	many_commits late && fill B "$mnt/victim" notrunc &&
	rm "$mnt/victim" && sync -f "$mnt"
}

many_commits() {	# NAME
	for round in 1 2 3 4; do
		for i in $(seq 200); do
			mkdir "$mnt/$1-$round-$i" || return 1
		done
		sync -f "$mnt" || return 1
	done
}

fill() {	# LETTER FILE [CONV]
	head -c 65536 /dev/zero | tr '\0' "$1" |
		dd of="$2" conv="fsync${3:+,$3}" 2>/dev/null
}

copy_directly() {
	dd if="$loop" of="$copied" bs=1M iflag=direct 2>/dev/null
}

# What the commands say of a device, without its name.
said_of() {	# DEVICE
	"$E2LAZY" dump --all --raw --check-data "$1" || echo "dump: $?"
	"$E2LAZY" log --ring --raw --check-data "$1" || echo "log: $?"
	"${E2LAZY}ck" -n "$1" || echo "e2lazyck: $?"
}

stale_log_is_not_believed() {
	mount_and_age && copy_directly || return 1
	said_of "$copied" >"$work/theirs" 2>"$work/said" &&
	said_of "$loop" >"$work/ours" 2>>"$work/said"
	cat "$work/said"
	[ "$(wc -l <"$work/ours")" -gt 600 ] &&
	diff "$work/theirs" "$work/ours" | head -20 &&
	cmp "$work/theirs" "$work/ours"
}

stale_contents_are_not_restored() {
	mount_and_age && fsfreeze -f "$mnt" || return 1
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
			check "mounted: $title" "$command"
			release
			rm -rf "$work"/mounted.* "$work/restored"
		fi
	done <<-END
		a log is read as it is, whatever is cached of it:stale_log_is_not_believed
		so are a deleted file's contents, on a frozen one:stale_contents_are_not_restored
	END
}
