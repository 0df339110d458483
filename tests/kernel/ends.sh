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

# wrapped IMAGE FEATURE [COPY] - a file system whose log has wrapped, unmounted;
# COPY is taken of the log in use
wrapped() {
	truncate -s 64M "$1" &&
	mke2fs -q -F -t ext4 -b 4096 -O "$2" -J size=4 -E nodiscard "$1" &&
	commits "$1" 160 w "$3"
}

# The only history of the ring: "first tid, last tid".
only_history() {	# IMAGE
	"$E2LAZY" log --histories --no-headings --raw --columns FIRST,LAST \
		"$1" >"$work/histories" && [ "$(wc -l <"$work/histories")" = 1 ]
}

# An unmount clears the feature in the journal superblock.  The ring has what it
# had before.
unmount_keeps_the_ring() {
	wrapped "$work/ends.img" "$1" "$work/crash.img" || return 1
	only_history "$work/crash.img" && read -r first last <"$work/histories" &&
	only_history "$work/ends.img" && cat "$work/histories" &&
	read -r first_now last_now <"$work/histories" &&
	[ "$last_now" -ge "$last" ] && [ "$first_now" -le $((first + 4)) ]
}

# The last write of an emptied log is that of the superblock: lost, it is as it
# was in use.
superblock_of() {	# FROM TO
	dd if="$1" of="$2" bs=1024 skip=1 seek=1 count=1 conv=notrunc \
		status=none
}

lost_last_write_is_no_damage() {
	wrapped "$work/ends.img" "$1" "$work/crash.img" || return 1
	superblock_of "$work/crash.img" "$work/ends.img" &&
		preened "$work/ends.img" || return 1
	cp --sparse=always "$work/crash.img" "$work/ends.img" &&
	ck "$work/ends.img" -p --checkpoint -q
	[ $? = 1 ] && superblock_of "$work/crash.img" "$work/ends.img" &&
		preened "$work/ends.img"
}

files_of() {	# IMAGE
	cp --sparse=always "$1" "$work/replay.img" && attach "$work/replay.img" &&
		mount -t ext4 -o noatime "$loop" "$mnt" || return 1
	(cd "$mnt" && find . -printf '%p %y %m %s %n %i\n' | sort)
	release
}

# A mount without needs_recovery empties the log unread, and leaves a journal
# superblock like that of an unmount.
discarded_ring_is_replayed_again() {
	wrapped "$work/ends.img" "$1" "$work/crash.img" || return 1
	files_of "$work/crash.img" >"$work/files"
	debugfs -w -R 'feature -needs_recovery' "$work/crash.img" || return 1
	at=$(debugfs -R 'bmap <8> 0' "$work/ends.img" 2>/dev/null | tail -n 1)
	dd if="$work/ends.img" of="$work/crash.img" bs=4096 skip="$at" \
		seek="$at" count=1 conv=notrunc status=none || return 1
	"$E2LAZYCK" --restore-log -y "$work/crash.img"
	[ $? = 1 ] || return 1
	files_of "$work/crash.img" | diff "$work/files" - &&
		e2fsck -fn "$work/replay.img"
}

# Each feature alone decides where what is written wraps: the witness is the
# replay by the kernel.
replays_as_before() {	# IMAGE OPTION
	files_of "$1" >"$work/files" && ck "$1" "$2" -p -q
	[ $? = 1 ] && files_of "$1" | diff "$work/files" - &&
		e2fsck -fn "$work/replay.img"
}

# A log beside a fast-commit area is not made to wrap.
freed_log_is_replayed() {
	wrapped "$work/ends.img" "$1" "$work/crash.img" &&
		replays_as_before "$work/crash.img" --clean &&
		commits "$work/ends.img" 20 more "$work/crash.img" &&
		replays_as_before "$work/crash.img" --compact
}

ring_checks() {	# FEATURE
	while IFS=: read -r title command; do
		if [ -n "$why_skip" ]; then
			skip "ends $1: $title" "$why_skip"
		else
			check "ends $1: $title" $command "$1"
		fi
	done <<-END
		an unmount keeps the ring as one history:unmount_keeps_the_ring
		a lost last write of an emptied log is no damage:lost_last_write_is_no_damage
		a discarded log is replayed again:discarded_ring_is_replayed_again
		a cleaned and a compacted log are replayed:freed_log_is_replayed
	END
	release
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
	for features in fast_commit ^fast_commit; do
		case "ends $features" in *"$only"*) ;; *) continue ;; esac
		ring_checks $features
	done
	dirty=$work/dirty.img
}
