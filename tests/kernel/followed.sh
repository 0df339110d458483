# SPDX-License-Identifier: GPL-2.0-only
#
# followed.sh - timeline --follow beside the mounted file system: follow.py has
# the checks.  Read by run, which explains the variables.
#
# FOLLOW_STEPS, FOLLOW_SECONDS and FOLLOW_HISTORIES make them longer.

follow_steps=${FOLLOW_STEPS:-3}
follow_seconds=${FOLLOW_SECONDS:-3}
follow_histories=${FOLLOW_HISTORIES:-6}

# follow_fs OPTIONS MKE2FS-ARGUMENTS... - a new file system on $loop, mounted
follow_fs() {
	options=$1
	shift
	rm -f "$work/follow.img" && truncate -s 64M "$work/follow.img" &&
	attach "$work/follow.img" || return 1
	fs_loop=$loop
	if [ -n "$direct" ]; then
		losetup --direct-io=on "$fs_loop" || return 1
	fi
	if [ -n "$apart" ]; then
		rm -f "$work/follow.j" && truncate -s 8M "$work/follow.j" &&
		attach "$work/follow.j" &&
		mke2fs -q -F -O journal_dev -b 4096 "$loop" || return 1
		set -- "$@" -b 4096 -J device="$loop"
	fi
	mke2fs -q -F -t ext4 "$@" "$fs_loop" &&
	mount -t ext4 -o "noatime,commit=900,$options" "$fs_loop" "$mnt"
}

followed() {	# WHAT ARGUMENTS...
	what=$1
	shift
	timeout 300 python3 "$here/follow.py" "$what" "$fs_loop" "$mnt" "$@" \
		${apart:+"--journal=$loop"}
}

feed_is_the_difference() {	# OPTIONS MKE2FS-ARGUMENTS...
	follow_fs "$@" && followed steps 1 "$follow_steps"
}

external_feed_is_the_difference() {
	apart=yes
	feed_is_the_difference defaults
	judged=$?
	apart=
	return $judged
}

direct_feed_is_the_difference() {
	direct=yes
	feed_is_the_difference defaults -b 4096 -J size=4
	judged=$?
	direct=
	return $judged
}

events_have_causes() {
	follow_fs defaults -b 4096 -J size=4 && followed free 1 "$follow_seconds"
}

# Some thousand commits of a ring of 1024 blocks.
nothing_comes_twice() {
	follow_fs defaults -b 4096 -J size=4 "$@" && followed laps "$follow_seconds"
}

copy_is_equal() {
	command -v rsync >/dev/null || { echo "needs rsync"; return 77; }
	rm -rf "$work/copy" && mkdir "$work/copy" &&
	follow_fs defaults -b 4096 -J size=4 &&
	followed rsync "$work/copy" 1 "$follow_histories"
}

# follow_in_background ARGUMENTS... - a feed to $work/feed, until it is ready
follow_in_background() {
	"$E2LAZY" timeline --follow "$@" "$fs_loop" >"$work/feed" \
		2>"$work/feed.err" &
	feed=$!
	tries=0
	while ! grep -aq cursor "$work/feed" && [ $tries -lt 100 ]; do
		sleep 0.1
		tries=$((tries + 1))
	done
}

# Records as lines, without cursors.
records() {	# FILE
	tr '\0' '\n' <"$1" | awk '
		NR % 2 { kind = $0; next }
		kind != "cursor" { print kind, $0 }'
}

cursor_of() {	# FILE: the last one
	tr '\0' '\n' <"$1" | awk 'last == "cursor" { cursor = $0 }
		{ last = $0 } END { print cursor }'
}

created() { echo "$1" >"$mnt/$1" && sync -f "$mnt"; }

# Each of these empties the log, or begins it anew.
feed_survives_states() {
	follow_fs defaults -b 4096 -J size=4 -E resize=200000 && created first &&
	follow_in_background --paths0 && created a &&
	fsfreeze -f "$mnt" && sleep 0.5 && fsfreeze -u "$mnt" && created b &&
	mount -o remount,ro "$mnt" && sleep 0.5 &&
	mount -o remount,rw "$mnt" && created c &&
	truncate -s 256M "$work/follow.img" && losetup -c "$fs_loop" &&
	{ resize2fs "$fs_loop" || echo "# not resized: not allowed here"; } &&
	created d &&
	mkdir "$mnt/many" && for n in $(seq 300); do
		echo "$n" >"$mnt/many/$n" || return 1
	done && created e && umount "$mnt" || return 1
	wait $feed
	ended=$?
	cat "$work/feed.err"
	records "$work/feed" | grep created >"$work/records"
	[ $ended = 0 ] && grep -vc /many/ "$work/records" &&
	grep -v many "$work/records" | diff - - <<-END &&
		created /a
		created /b
		created /c
		created /d
		created /e
	END
	[ "$(sort -u "$work/records" | grep -c /many/)" = 300 ]
}

since() {	# CURSOR
	"$E2LAZY" timeline --follow --once --paths0 --since "$1" "$fs_loop" \
		>"$work/feed"
}

# A cursor holds over a mount, and no longer than the ring.
cursor_goes_on_or_is_refused() {
	follow_fs defaults -b 4096 -J size=4 && created first &&
	"$E2LAZY" timeline --follow --once --paths0 "$fs_loop" >"$work/feed" ||
		return 1
	cursor=$(cursor_of "$work/feed")
	created a && since "$cursor" &&
	[ "$(records "$work/feed")" = "created /a" ] &&
	umount "$mnt" && mount -t ext4 "$fs_loop" "$mnt" && created b &&
	since "$cursor" && [ "$(records "$work/feed" | sort | xargs)" = \
		"created /a created /b" ] || return 1
	wrong=$(echo "$cursor" | sed 's/.\{8\}$/00000000/')
	since "$wrong"
	[ $? = 64 ] && [ ! -s "$work/feed" ] || return 1
	for n in $(seq 200); do created "lap$n" || return 1; done
	since "$cursor"
	[ $? = 64 ] && [ ! -s "$work/feed" ] || return 1
	umount "$mnt" && mke2fs -q -F -t ext4 "$fs_loop" || return 1
	since "$cursor"
	[ $? = 64 ] && [ ! -s "$work/feed" ]
}

# As the cleaner of a lazy kernel does, --compact logs blocks again.
relogged_blocks_are_no_events() {
	follow_fs defaults -b 4096 -J size=4 && for n in $(seq 40); do
		created "f$((n % 7))" || return 1
	done && cp --sparse=always "$work/follow.img" "$work/relog.img" &&
	release && attach "$work/relog.img" || return 1
	fs_loop=$loop
	"$E2LAZY" timeline --follow --once --paths0 "$fs_loop" >"$work/feed" &&
	cursor=$(cursor_of "$work/feed") || return 1
	"${E2LAZY}ck" -y --compact "$fs_loop"
	since "$cursor" && [ "$(cursor_of "$work/feed")" != "$cursor" ] &&
	[ -z "$(records "$work/feed")" ]
}

# The backing file is not what the kernel writes to.
backing_file_is_refused() {
	follow_fs defaults -b 4096 -J size=4 && created a || return 1
	"$E2LAZY" timeline --follow --once "$work/follow.img"
	[ $? = 8 ]
}

followed_checks() {
	apart= direct=
	while IFS=: read -r title command; do
		case "follow $title" in *"$only"*) ;; *) continue ;; esac
		if [ -n "$why_skip" ]; then
			skip "follow: $title" "$why_skip"
		elif ! command -v python3 >/dev/null; then
			skip "follow: $title" "needs python3"
		else
			# shellcheck disable=SC2086
			check "follow: $title" $command
		fi
		release
	done <<-END
		each step is the difference of two trees:feed_is_the_difference defaults -b 4096 -J size=4
		also with blocks of 1 KiB:feed_is_the_difference defaults -b 1024 -J size=4
		also without checksums:feed_is_the_difference defaults -O ^metadata_csum -J size=4
		also with async commits:feed_is_the_difference journal_async_commit,data=writeback -J size=4
		also with async commits and sums of version 1:feed_is_the_difference journal_async_commit,data=writeback -O ^metadata_csum -J size=4
		also with fast commits:feed_is_the_difference defaults -O fast_commit -J size=8
		also with inline data:feed_is_the_difference defaults -O inline_data -J size=4
		also with an external journal:external_feed_is_the_difference
		also through a loop device with direct I/O:direct_feed_is_the_difference
		each event has a cause, and all make the tree:events_have_causes
		no transaction comes twice, and losses are reported:nothing_comes_twice
		nor without checksums:nothing_comes_twice -O ^metadata_csum
		a copy by the paths of the feed is equal:copy_is_equal
		a freeze, a remount, a resize, an unmount lose nothing:feed_survives_states
		a cursor goes on, or is refused:cursor_goes_on_or_is_refused
		blocks that are logged again are no events:relogged_blocks_are_no_events
		the file behind a loop device is refused:backing_file_is_refused
	END
}
