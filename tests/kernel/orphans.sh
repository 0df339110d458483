# SPDX-License-Identifier: GPL-2.0-only
#
# orphans.sh - a crash while the orphan file has inodes, and while it has none
#
# A mount for writing sets orphan_present.  The copy of the mounted file system
# is the crash.  The kernel's replay, in a read-only mount, is the truth.

# orphans_fs OPEN MKE2FS-ARGUMENTS... - sets $crashed.  OPEN: a deleted file is
# open at the crash; else it was closed before.
orphans_fs() {
	open=$1
	shift
	crashed=$work/orphans.img
	rm -f "$work"/orphans*.img && truncate -s 64M "$crashed.live" &&
	mke2fs -q -F -t ext4 "$@" "$crashed.live" &&
	tune2fs -U 01234567-89ab-cdef-0123-456789abcdef "$crashed.live" &&
	attach "$crashed.live" &&
	mount -t ext4 -o noatime,commit=3000 "$loop" "$mnt" &&
	"$FSWORK" "$mnt" 'mkdirs a 1 100' 'fsync a' || return 1
	held=$mnt/held
	echo "deleted while it is open" >"$held" &&
	exec 8<"$held" && rm "$held" && sync "$mnt" || return 1
	[ "$open" = open ] || exec 8<&-
	"$FSWORK" "$mnt" 'mkdirs b 1 10' 'fsync b' &&
	cp --sparse=always "$crashed.live" "$crashed"
	made=$?
	exec 8<&-
	release
	rm -f "$crashed.live"
	[ $made = 0 ] && has_feature "$crashed" orphan_present
}

has_feature() {	# IMAGE FEATURE
	dumpe2fs -h "$1" 2>/dev/null |
		grep -q "^Filesystem features:.*[ ]$2\\( \\|\$\\)"
}

finds_orphans() {	# IMAGE
	"$E2LAZYCK" --raw --no-headings --columns ID "$1" >"$work/found"
	cat "$work/found"
	grep -q '^orphans$' "$work/found"
}

written_home() {	# TO
	cp --sparse=always "$crashed" "$1" || return
	"$E2LAZYCK" --checkpoint -y "$1"
	[ $? = 1 ]
}

mounted_once() {	# IMAGE OPTIONS
	attach "$1" && mount -t ext4 -o "$2" "$loop" "$mnt"
	mounted=$?
	release
	return $mounted
}

none_is_left() {	# MKE2FS-ARGUMENTS...
	orphans_fs closed "$@" &&
	! finds_orphans "$crashed" &&
	written_home "$work/orphans-ours.img" &&
	! has_feature "$work/orphans-ours.img" orphan_present &&
	e2fsck -fn "$work/orphans-ours.img" &&
	"$E2LAZY" view "$crashed" -- e2fsck -fn {} &&
	cp --sparse=always "$crashed" "$work/orphans-kernel.img" &&
	mounted_once "$work/orphans-kernel.img" ro &&
	! has_feature "$work/orphans-kernel.img" orphan_present &&
	mounted_once "$work/orphans-ours.img" rw
}

# A checkpoint leaves them for a mount, or for e2fsck.
one_is_left() {	# MKE2FS-ARGUMENTS...
	orphans_fs open "$@" &&
	finds_orphans "$crashed" &&
	written_home "$work/orphans-ours.img" &&
	has_feature "$work/orphans-ours.img" orphan_present &&
	finds_orphans "$work/orphans-ours.img" &&
	"$E2LAZY" view "$crashed" -- dumpe2fs -h {} >"$work/header" 2>&1 &&
	grep -q orphan_present "$work/header" &&
	cp --sparse=always "$work/orphans-ours.img" "$work/orphans-e2fsck.img" ||
		return 1
	e2fsck -fp "$work/orphans-e2fsck.img"
	[ $? -le 1 ] && e2fsck -fn "$work/orphans-e2fsck.img" &&
	mounted_once "$work/orphans-ours.img" rw &&
	! has_feature "$work/orphans-ours.img" orphan_present &&
	e2fsck -fn "$work/orphans-ours.img"
}

# How a kernel treats a feature that it does not know, as one before 5.15 does
# orphan_file, which is compatible, and orphan_present, which is ro_compat.
unknown_feature() {	# FLAG MOUNTS...; the others fail, and so does e2fsck
	crashed=$work/orphans.img
	truncate -s 16M "$crashed" && mke2fs -q -F -t ext4 "$crashed" &&
	debugfs -w -R "feature $1" "$crashed" || return 1
	shift
	for how in ro rw; do
		case " $* " in
		*" $how "*)	mounted_once "$crashed" $how || return 1 ;;
		*)		! mounted_once "$crashed" $how || return 1 ;;
		esac
	done
	e2fsck -fn "$crashed"
	[ $? -ge 8 ]
}

orphans_checks() {
	while IFS=: read -r title command; do
		case "orphans: $title" in *"$only"*) ;; *) continue ;; esac
		if [ -n "$why_skip" ]; then
			skip "orphans: $title" "$why_skip"
		else
			# shellcheck disable=SC2086
			check "orphans: $title" $command
		fi
		release
		rm -f "$work"/orphans*.img*
	done <<-END
		the flag of an empty orphan file goes, as by the kernel's replay:none_is_left -b 4096 -O orphan_file,metadata_csum_seed
		also in small blocks, without checksums:none_is_left -b 1024 -O orphan_file,^metadata_csum_seed,^metadata_csum
		orphans are named, and stay for a mount or e2fsck:one_is_left -b 4096 -O orphan_file,metadata_csum_seed
		also in small blocks, without checksums:one_is_left -b 1024 -O orphan_file,^metadata_csum_seed,^metadata_csum
		a file system with an unknown compatible feature is mounted:unknown_feature FEATURE_C31 ro rw
		one with an unknown ro_compat feature is mounted for reading:unknown_feature FEATURE_R31 ro
		one with an unknown incompatible feature is not mounted:unknown_feature FEATURE_I31
	END
}
