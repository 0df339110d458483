# SPDX-License-Identifier: GPL-2.0-only
#
# For run: timeline, on the logs of kernel-made.sh and on one with several changed
# inodes in each copy.  From a cold cache, beside the copies read directly.

# Empty: of the log.
stretch=
measure_timeline() { "$MEASURE" "$E2LAZY" timeline $stretch -q --raw "$1"; }

# Copies of inode tables, directories and maps: none of these can be left out.
list_changes() {	# IMAGE
	"$E2LAZY" dump $stretch --all --raw --no-headings \
		--columns FSBLK,PHYSBLK,ESCAPED,TYPE,STATE "$1" |
		awk '$5 != "uncommitted" && $5 != "stale" &&
		     ($4 == "inode_table" || $4 == "other") {
			print $1, $2, $3, $4 }' >"$work/changes"
	copies=$(wc -l <"$work/changes")
}

# events IMAGE WHAT... - the number of rows with one of these words
events() {
	"$E2LAZY" timeline $stretch -q --raw --no-headings --columns WHAT "$1" \
		>"$work/events" 2>/dev/null
	shift
	for what; do
		grep -cx "$what" "$work/events"
	done | awk '{ sum += $1 } END { print sum }'
}

print_changes() {	# NAME IMAGE EVENTS
	list_changes "$2"
	measure_each -cold "floor:read:$work/changes:$2" "cold:timeline:$2" ||
		return
	note "The $1 log: timeline lists $3 events of $copies copies of" \
		"inode tables and directories."
	table "$1" seconds 'from a cold cache'
	base_time 1 "copies of inode tables and directories read directly"
	line_time 2 'e2lazy timeline --raw' 1.50
	table "$1" KiB 'peak memory'
	base '40 a copy, 160 an inode, 800 more at once, 4 a log block, 16 MiB' \
		$(($(bounded "$2") / 1024 + 16384))
	result 2
	line 'e2lazy timeline --raw, peak memory' "$peak" 1.00
}

# By the number of copies, of inodes that events name, of the inodes in the largest
# transaction, and of log blocks.
bounded() {	# IMAGE
	"$E2LAZY" timeline $stretch -q --raw --no-headings \
		--columns TID,INODE "$1" 2>/dev/null | sort -u >"$work/inodes"
	inodes=$(cut -d' ' -f2 "$work/inodes" | sort -u | wc -l)
	largest=$(cut -d' ' -f1 "$work/inodes" | uniq -c |
		awk '$1 > most { most = $1 } END { print most + 0 }')
	logblks=$(dumpe2fs -h "$1" 2>/dev/null |
		sed -n 's/^Total journal blocks: *//p')
	echo $((copies * 40 + inodes * 160 + largest * 800 + logblks * 4))
}

# Each directory of make-log's dense log is an event, and each that it removes one
# more.  One that is made and removed in one transaction is none.
kernel_changes() {
	dirs=$((100000 / scale))
	removed=$((dirs / 50))
	expected=$((8 + 8 * dirs + removed))
	found=$(events "$image" created deleted)
	missing=$((expected - found))
	[ $missing -ge 0 ] && [ $missing -le $((2 * removed)) ] &&
	[ $((missing % 2)) -eq 0 ] ||
		{ fail "$found of $expected events on $image"; return; }
	print_changes dense "$image" "$found"
	echo
}

# Sets $img: FILES, every fourth of which changes its mode in each of ROUNDS.
many_changes() {	# FILES ROUNDS
	img=$work/many.img
	truncate -s $((10240 / scale + 1024))M "$img"
	mke2fs -q -F -t ext4 -b 4096 -N $(($1 + 8192)) \
		-J size=$((5120 / scale + 64)) "$img" >/dev/null || return 1
	quiet_writeback
	attach "$img" || return 1
	mount -t ext4 -o noatime,noinit_itable,commit=3000 "$loop" "$mnt" ||
		return 1
	mkdir "$mnt/d"
	(cd "$mnt/d" && seq "$1" | xargs -n 5000 touch)
	umount "$mnt"
	mount -t ext4 -o noatime,noinit_itable,commit=3000 "$loop" "$mnt" ||
		return 1
	for round in $(seq "$2"); do
		mode=$((600 + round % 2 * 40))
		(cd "$mnt/d" && seq 1 4 "$1" | xargs -n 5000 chmod $mode)
		sync -f "$mnt"
	done
	"$FSWORK" "$mnt" 'shutdown logflush'
	release
	# make-log would wait for this shell's lock.
	usual_writeback
}

changes() {
	why=$(why_not_kernel)
	[ -z "$why" ] || { left_out 'the log of many changes' "$why"; return; }
	many_changes $((900000 / scale)) 17 ||
		{ fail 'no log of many changes'; return; }
	# Of the first round the ring may have no earlier copies.
	expected=$(($(seq 1 4 $((900000 / scale)) | wc -l) * 16))
	stretch=--ring
	found=$(events "$img" chmod)
	[ "$found" = $expected ] || [ "$found" = $((expected / 16 * 17)) ] ||
		{ fail "$found of $expected changes"; return; }
	print_changes 'many changes' "$img" "$found"
	stretch=
	rm -f "$img"
	echo
}
