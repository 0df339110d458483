# SPDX-License-Identifier: GPL-2.0-only
#
# salvaged.sh - 320 files that are only in the log, and the log is lost: each
# damage as it stands before another tool has run, and after one.

salvage_files=320

# Commit 8 times, 40 files each, by fsync, for syncfs would also write them
# home; the copy of the mounted image has them in its log alone.
make_lost_log() {
	truncate -s 64M "$work/live.img" &&
		mke2fs -q -F -t ext4 -b 1024 -J size=4 "$work/live.img" &&
		attach "$work/live.img" &&
		mount -t ext4 -o noatime,nodelalloc,commit=3000 "$loop" "$mnt" ||
		return 1
	for batch in 1 2 3 4 5 6 7 8; do
		mkdir "$mnt/d$batch"
		for i in $(seq 40); do
			echo "batch $batch file $i" >"$mnt/d$batch/f$i" ||
				return 1
		done
		sync "$mnt/d$batch"/* || return 1
	done
	(cd "$mnt" && find . -type f -print0 | sort -z | xargs -0 sha256sum) \
		>"$work/lost.sums"
	cp --sparse=always "$work/live.img" "$work/lost.img"
	release
	rm -f "$work/live.img"
	debugfs -c -R 'ls -p /' "$work/lost.img" 2>/dev/null | grep '/d1/' &&
		{ echo "the files are in place, too"; return 1; }
	# Later mounts shall have later times.
	sleep 1.1
}

# The log block 0 of an image.
journal_at() {	# IMAGE
	debugfs -R 'bmap <8> 0' "$1" 2>/dev/null | tail -n 1
}

spoil_journal_super() {	# IMAGE OFFSET COUNT
	head -c "$3" /dev/zero | dd of="$1" bs=1 conv=notrunc status=none \
		seek=$(($(journal_at "$1") * 1024 + $2))
}

spoil_magic() {
	spoil_journal_super "$1" 0 4
}

spoil_all() {
	spoil_journal_super "$1" 0 1024
}

spoil_csum() {
	spoil_journal_super "$1" 252 4
}

spoil_start() {
	spoil_journal_super "$1" 24 8
}

spoil_features() {
	spoil_journal_super "$1" 40 4
}

spoil_uuid() {
	spoil_journal_super "$1" 48 16
}

spoil_length() {
	spoil_journal_super "$1" 16 4
}

# How many of the files the view shows with their contents.
count_seen() {	# IMAGE OPTION...
	seen=$1
	shift
	rm -rf "$work/out" && mkdir "$work/out" || return 1
	"$DEBUGLAZY" "$@" -R "rdump / $work/out" "$seen" >"$work/said" 2>&1
	(cd "$work/out" && sha256sum -c --quiet "$work/lost.sums" 2>&1) \
		>"$work/wrong"
	right=$((salvage_files - $(grep -c ': FAILED' "$work/wrong")))
	echo "right: $right"
	[ $right = $salvage_files ] || head -5 "$work/said" "$work/wrong"
}

all_seen() {	# IMAGE OPTION...
	count_seen "$@" && [ "$right" = $salvage_files ]
}

# By the kernel, and by e2fsck, of a copy each.
replays_all() {	# IMAGE
	cp --sparse=always "$1" "$work/replay.img" || return 1
	attach "$work/replay.img" && mount -t ext4 "$loop" "$mnt" || return 1
	(cd "$mnt" && sha256sum -c --quiet "$work/lost.sums")
	kernel=$?
	release
	cp --sparse=always "$1" "$work/replay.img"
	e2fsck -fy "$work/replay.img"
	[ $? -le 1 ] || return 1
	rm -rf "$work/out" && mkdir "$work/out" &&
		debugfs -R "rdump / $work/out" "$work/replay.img" 2>/dev/null
	(cd "$work/out" && sha256sum -c --quiet "$work/lost.sums") &&
		[ $kernel = 0 ] && e2fsck -fn "$work/replay.img"
}

salvages() {	# SPOIL
	img=$work/salvage.img
	cp --sparse=always "$work/lost.img" "$img" && "$1" "$img" || return 1
	before=$(cksum <"$img")
	"$E2LAZY" salvage "$img"
	all_seen "$img" --geometry auto || return 1
	[ "$before" = "$(cksum <"$img")" ] ||
		{ echo "looking has changed it"; return 1; }
	"$E2LAZYCK" --restore-log -n "$img"
	[ "$before" = "$(cksum <"$img")" ] ||
		{ echo "a plan has changed it"; return 1; }
	"$E2LAZYCK" --restore-log -p -z "$work/undo" "$img"
	[ $? = 1 ] || return 1
	replays_all "$img" || return 1
	e2undo "$work/undo" "$img" && rm "$work/undo" &&
		[ "$before" = "$(cksum <"$img")" ]
}

# debugfs writes the superblock, so a person must say that it did no more.
salvages_cleared() {
	img=$work/salvage.img
	cp --sparse=always "$work/lost.img" "$img" &&
		clear_needs_recovery "$img" || return 1
	all_seen "$img" --geometry auto || return 1
	"$E2LAZYCK" --restore-log -p "$img"
	[ $? = 4 ] || return 1
	"$E2LAZYCK" --restore-log -y "$img"
	[ $? = 1 ] && replays_all "$img"
}

# ---------------------------------------------------------- later writers

refuses() {	# IMAGE: a restore writes nothing, whatever is answered
	before=$(cksum <"$1")
	"$E2LAZYCK" --restore-log -y "$1" >"$work/refusal" 2>&1
	status=$?
	cat "$work/refusal"
	[ "$before" = "$(cksum <"$1")" ] ||
		{ echo "refused, and wrote"; return 1; }
	[ $((status & 1)) = 0 ]
}

later() {	# WRITER: what it did stays
	img=$work/salvage.img
	cp --sparse=always "$work/lost.img" "$img" &&
		clear_needs_recovery "$img" && "$1" "$img" || return 1
	refuses "$img"
}

mount_again() {	# IMAGE OPTIONS
	attach "$1" && mount -t ext4 -o "$2" "$loop" "$mnt"
}

mounts_idle() {
	mount_again "$1" rw && release
}

mounts_and_writes() {
	mount_again "$1" rw && echo new >"$mnt/new" && sync -f "$mnt"
	release
}

# The new transaction is in a log of its own.
mounts_and_crashes() {
	mount_again "$1" rw && echo new >"$mnt/new" && sync -f "$mnt" &&
		cp --sparse=always "$1" "$1.crash"
	release
	mv "$1.crash" "$1"
}

# A clock that was set back: the ids and the number of mounts tell.
mounts_back_in_time() {
	mounts_and_writes "$1" &&
		debugfs -w -R 'ssv mtime 20200101' "$1" &&
		debugfs -w -R 'ssv wtime 20200101' "$1"
}

mounts_twice() {
	mounts_and_writes "$1" && mounts_and_writes "$1"
}

checks() {
	spoil_csum "$1"
	e2fsck -fy "$1"
	[ $? -le 1 ]
}

writes_by_hand() {
	debugfs -w -R 'sif / mtime 20400101' "$1" &&
		debugfs -w -R 'sif / ctime 20400101' "$1"
}

mounts_without_journal() {
	debugfs -w -R 'feature -has_journal' "$1" 2>/dev/null &&
		mounts_and_writes "$1" &&
		debugfs -w -R 'feature has_journal' "$1"
}

# A mount and its writes, each kept: $work/writes/N, and a line "N OFFSET" of
# $work/writes/order.
record_mount() {	# IMAGE
	mkdir "$work/fuse" "$work/writes" && : >"$work/writes/order" || return 1
	RECORDED=$1 WRITES=$work/writes FUSE=$work/fuse POINT=$mnt nbdkit -U - \
		eval thread_model='echo serialize_all_requests' \
		get_size='stat -c %s "$RECORDED"' can_write='exit 0' \
		can_flush='exit 0' flush='exit 0' \
		pread='dd if="$RECORDED" skip=$4 count=$3 status=none \
			iflag=count_bytes,skip_bytes' \
		pwrite='n=$(wc -l <"$WRITES/order")
			cat >"$WRITES/$n"
			echo $n $4 >>"$WRITES/order"
			dd if="$WRITES/$n" of="$RECORDED" seek=$4 status=none \
				oflag=seek_bytes conv=notrunc' \
		--run 'nbdfuse "$FUSE/nbd" $uri & served=$!
			until [ -e "$FUSE/nbd" ]; do
				kill -0 $served || exit 1
				sleep 0.1
			done
			loop=$(losetup -f --show "$FUSE/nbd") &&
				mount -t ext4 -o noatime "$loop" "$POINT" &&
				echo new >"$POINT/new" && sync -f "$POINT"
			status=$?
			umount "$POINT"
			losetup -d "$loop"
			fusermount3 -u "$FUSE"
			wait $served
			exit $status'
	status=$?
	rmdir "$work/fuse"
	return $status
}

# The image is as a power cut in the later mount has left it: a restore gives
# all files and a sound file system, or is refused.
refuses_or_is_right() {	# IMAGE
	before=$(cksum <"$1")
	"$E2LAZYCK" --restore-log -y "$1" >"$work/refusal" 2>&1
	if [ $(($? & 1)) = 0 ]; then
		refused=$((refused + 1))
		[ "$before" = "$(cksum <"$1")" ]
		return
	fi
	restored=$((restored + 1))
	replays_all "$1"
}

refuses_at_each_write() {
	refused=0 restored=0
	cp --sparse=always "$work/lost.img" "$work/cut.img" &&
		clear_needs_recovery "$work/cut.img" &&
		cp --sparse=always "$work/cut.img" "$work/whole.img" &&
		record_mount "$work/whole.img" || return 1
	while read -r n at; do
		dd if="$work/writes/$n" of="$work/cut.img" seek="$at" \
			oflag=seek_bytes conv=notrunc status=none
		cp --sparse=always "$work/cut.img" "$work/salvage.img"
		refuses_or_is_right "$work/salvage.img" ||
			{ cat "$work/refusal"; echo "after write $n"; return 1; }
	done <"$work/writes/order"
	echo "refused: $refused, restored rightly: $restored"
	[ $refused -ge 10 ] && cmp "$work/cut.img" "$work/whole.img"
	status=$?
	rm -rf "$work/writes" "$work/cut.img" "$work/whole.img"
	return $status
}

# The stock tool has emptied the log; the ring still shows all of it.
is_seen_after() {	# WRITER
	img=$work/salvage.img
	cp --sparse=always "$work/lost.img" "$img" &&
		clear_needs_recovery "$img" && "$1" "$img" || return 1
	refuses "$img" || return 1
	all_seen "$img" --geometry auto --history 1 || return 1
	rm -rf "$work/out" && mkdir "$work/out" || return 1
	"$E2LAZY" undelete --geometry start=0 --to "$work/out" "$img" |
		grep -c intact
	(cd "$work/out" && sha256sum -c --quiet "$work/lost.sums")
}

wiped_is_told() {
	img=$work/salvage.img
	cp --sparse=always "$work/lost.img" "$img" && spoil_magic "$img" ||
		return 1
	e2fsck -fy "$img"
	"$E2LAZY" salvage "$img" >"$work/told" 2>&1
	[ $? = 4 ] && cat "$work/told" && grep -q 'nothing is left' "$work/told"
}

# tune2fs would replay it first, so the flags go by hand.
is_carved() {
	img=$work/salvage.img
	cp --sparse=always "$work/lost.img" "$img" &&
		debugfs -w -R 'feature -needs_recovery -has_journal' "$img" \
			2>/dev/null &&
		debugfs -w -R 'clri <8>' "$img" || return 1
	"$E2LAZY" salvage --carve "$img"
	all_seen "$img" --geometry carve && refuses "$img"
}

salvage_checks() {
	case salvage in
	*"$only"*)	;;
	*)		return ;;
	esac
	[ -z "$why_skip" ] ||
		{ skip "salvage: a lost log is found" "$why_skip"; return; }
	check "salvage: 320 files are in the log alone" make_lost_log
	for spoil in magic all csum start features uuid length; do
		check "salvage: journal superblock without its $spoil" \
			salvages spoil_$spoil
	done
	check "salvage: needs_recovery was cleared" salvages_cleared
	for writer in mounts_idle mounts_and_writes mounts_and_crashes \
		      mounts_back_in_time mounts_twice checks writes_by_hand \
		      mounts_without_journal; do
		check "salvage: no restore after one $writer" later $writer
	done
	if command -v nbdfuse >/dev/null && [ -c /dev/fuse ]; then
		check "salvage: a cut after each write of a later mount" \
			refuses_at_each_write
	else
		skip "salvage: a cut after each write of a later mount" \
			"needs nbdfuse and FUSE"
	fi
	check "salvage: a mount threw it away, and the ring shows it" \
		is_seen_after mounts_idle
	check "salvage: e2fsck threw it away, and the ring shows it" \
		is_seen_after checks
	check "salvage: of a wiped ring it says that nothing is left" \
		wiped_is_told
	check "salvage: a removed journal is carved" is_carved
	rm -f "$work"/lost.img "$work"/salvage.img "$work"/replay.img
}
