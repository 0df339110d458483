# SPDX-License-Identifier: GPL-2.0-only
#
# ends.sh - crashes that look like damage, which e2lazyck -p must write back as
# e2fsck -p does, and damage that looks like a crash, which it must not.

MKJOURNAL=${MKJOURNAL:-$(dirname "$FSWORK")/mkjournal}

# commits IMAGE COUNT NAME [COPY] - so many of them in one mount; COPY is taken
# before it ends
commits() {
	attach "$1" && mount -t ext4 -o noatime "$loop" "$mnt" || return 1
	n=0
	while [ $n -lt "$2" ]; do
		n=$((n + 1))
		"$FSWORK" "$mnt" "mkdirs $3$n 1 3" "fsync $3$n" || return 1
	done
	[ -z "$4" ] || cp --sparse=always "$1" "$4" || return 1
	release
}

make_small() {	# FEATURES [MKE2FS-ARGUMENTS...]
	features=$1
	shift
	mke2fs -q -F -t ext4 -b 1024 -J size=4 -O "$features" "$@" \
		"$work/ends.img"
}

# preened IMAGE - -p empties the log, and e2fsck has nothing to say
preened() {
	ck "$1" -p --checkpoint -q
	[ $? = 1 ] && e2fsck -fn "$1"
}

# refused IMAGE - -p leaves it as it is
refused() {
	before=$(sha256sum "$1")
	ck "$1" -p --checkpoint -q
	[ $? = 4 ] && [ "$before" = "$(sha256sum "$1")" ]
}

# The journal holds an earlier file system's transactions.  Without checksums
# the one with the next number may start exactly where the log ends.
old_journal_is_written_back() {	# FEATURES
	rm -f "$work/ends.img" && truncate -s 64M "$work/ends.img" &&
	make_small "$1" && commits "$work/ends.img" 60 old || return 1
	sleep 2		# commit times are in seconds
	make_small "$1" -E lazy_journal_init=1,nodiscard &&
	commits "$work/ends.img" 12 new "$work/crash.img" || return 1
	if ck "$work/crash.img" | grep commit-before-mkfs; then
		[ "$1" = ^metadata_csum ] && refused "$work/crash.img"
	else
		preened "$work/crash.img"
	fi
}

# Mounted, and nothing committed yet: all that the ring holds is in place.
idle_mount_is_tidied() {
	commits "$work/ends.img" 30 x && commits "$work/ends.img" 0 y \
		"$work/crash.img" && preened "$work/crash.img"
}

# Between the superblock's write of the first commit and its blocks, where
# kernels before 6.4 begin, and elsewhere.
first_commit_is_written_back() {
	commits "$work/ends.img" 20 z "$work/replayed.img" || return 1
	e2fsck -y -E journal_only "$work/replayed.img"
	[ $? -le 1 ] || return 1
	next=$(dumpe2fs -h "$work/replayed.img" 2>/dev/null |
	       sed -n 's/^Journal sequence: *//p')
	for start in 1 100; do
		cp --sparse=always "$work/replayed.img" "$work/crash.img" &&
		printf 'start %d\nsequence %d\n' $start $((next)) |
			"$MKJOURNAL" "$work/crash.img" &&
		preened "$work/crash.img" || return 1
	done
}

# 256 blocks of zeros behind the first of many transactions.
long_hole_is_not_written_back() {
	commits "$work/ends.img" 60 hole "$work/crash.img" &&
	dirty=$work/crash.img external= || return 1
	start=$(jsb_field 28)
	seq $((start + 20)) $((start + 275)) | physical "$dirty" |
		while read -r at; do
			dd if=/dev/zero of="$dirty" bs=1024 seek="$at" \
				count=1 conv=notrunc 2>/dev/null
		done
	refused "$dirty"
}

ends() {
	for features in ^metadata_csum metadata_csum; do
		case "ends $features" in *"$only"*) ;; *) continue ;; esac
		while IFS=: read -r title command; do
			if [ -n "$why_skip" ]; then
				skip "ends $features: $title" "$why_skip"
			else
				check "ends $features: $title" $command \
					$features
			fi
		done <<-END
			a log over an earlier journal is written back:old_journal_is_written_back
			an idle mount is tidied:idle_mount_is_tidied
			a crash in the first commit is no damage:first_commit_is_written_back
			a long hole is damage:long_hole_is_not_written_back
		END
		release
	done
	dirty=$work/dirty.img
}
