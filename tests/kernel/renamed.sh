# SPDX-License-Identifier: GPL-2.0-only
#
# renamed.sh - a file system that tune2fs changes while it is mounted: the
# superblocks of log and place differ in what names a file system.

# Where the place must be older than the log, keep the log alone.
renamed_fs() {	# FEATURES
	rm -f "$work"/renamed*.img && truncate -s 64M "$work/renamed.img" &&
	mke2fs -q -F -t ext4 -b 1024 -O "$1" "$work/renamed.img" &&
	attach "$work/renamed.img" &&
	mount -t ext4 -o noatime,commit=3000 "$loop" "$mnt" &&
	mkdir "$mnt/a" && logged
}

# A commit; the wait makes the next write of a superblock a later one.
logged() { sync "$mnt" && sleep 1.1; }

# The label is a change of the superblock that the kernel logs.
labelled() { tune2fs -L "$1" "$loop" && mkdir "$mnt/$1" && logged; }

keep_renamed() { cp --sparse=always "$work/renamed.img" "$work/renamed-$1.img"; }

uuid_of() { dumpe2fs -h "$1" 2>/dev/null | sed -n 's/^Filesystem UUID: *//p'; }

# The UUID is that of the mounted file system when the image was kept, and each
# checksum is right behind the write-back.
goes_home() {	# IMAGE UUID
	"$E2LAZY" info --json "$1" | grep -q "\"uuid\":\"$2\"" ||
		{ echo "another UUID than $2"; return 1; }
	"$E2LAZYCK" -n --raw --no-headings --columns SEVERITY,ID "$1" \
		>"$work/found"
	cat "$work/found"
	! grep -v -e '^note ' "$work/found" || return 1
	"$E2LAZYCK" --checkpoint -y "$1"
	[ $? = 1 ] && [ "$(uuid_of "$1")" = "$2" ] && e2fsck -fn "$1"
}

# The superblock of the first image, in the place of the second.
place_is_older() {	# FIRST SECOND
	dd if="$work/renamed-$1.img" of="$work/renamed-$2.img" bs=1024 skip=1 \
		seek=1 count=1 conv=notrunc status=none
}

seed_is_kept() {
	renamed_fs metadata_csum,^metadata_csum_seed && labelled before &&
	uuid=$(uuid_of "$work/renamed.img") && keep_renamed before &&
	tune2fs -O metadata_csum_seed "$loop" && keep_renamed place &&
	labelled behind && keep_renamed both && keep_renamed log &&
	release && place_is_older before log || return 1
	for image in before place both log; do
		echo "$image:"
		goes_home "$work/renamed-$image.img" "$uuid" || return 1
	done
}

uuid_is_new() {	# FEATURES
	renamed_fs "$1" && labelled before && keep_renamed before &&
	tune2fs -U 01234567-89ab-cdef-0123-456789abcdef "$loop" &&
	mkdir "$mnt/b" && logged && keep_renamed both && keep_renamed log &&
	uuid=$(uuid_of "$loop") && release && place_is_older before log &&
	[ "$uuid" = 01234567-89ab-cdef-0123-456789abcdef ] || return 1
	for image in both log; do
		echo "$image:"
		goes_home "$work/renamed-$image.img" "$uuid" || return 1
	done
}

# All of it between two writes home.
seed_is_kept_and_uuid_new() {
	renamed_fs metadata_csum,^metadata_csum_seed && labelled before &&
	keep_renamed before && tune2fs -O metadata_csum_seed "$loop" &&
	uuid_is=12345678-9abc-def0-1234-56789abcdef0 &&
	tune2fs -U $uuid_is "$loop" && mkdir "$mnt/b" && logged &&
	keep_renamed log && release && place_is_older before log &&
	goes_home "$work/renamed-log.img" $uuid_is
}

renamed_checks() {
	while IFS=: read -r title command; do
		case "renamed: $title" in *"$only"*) ;; *) continue ;; esac
		if [ -n "$why_skip" ]; then
			skip "renamed: $title" "$why_skip"
		else
			# shellcheck disable=SC2086
			check "renamed: $title" $command
		fi
		release
		rm -f "$work"/renamed*.img
	done <<-END
		metadata_csum_seed was set during the mount:seed_is_kept
		the UUID was changed during the mount:uuid_is_new metadata_csum,metadata_csum_seed
		the UUID was changed, and there are no checksums:uuid_is_new ^metadata_csum,^uninit_bg
		both were changed during one mount:seed_is_kept_and_uuid_new
	END
}
