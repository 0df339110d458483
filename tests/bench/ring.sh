# SPDX-License-Identifier: GPL-2.0-only
#
# For run: the scan of a whole ring, made by mkjournal, and the list of deleted
# files from a ring of the kernel's.  Both from a cold cache.

# ring|deleted:IMAGE - the library alone
measure_scanned() {
	took=$("$SCAN" "${1%%:*}" "${1#*:}") && echo "$took 0 0 0 0"
}
measure_histories() { "$MEASURE" "$E2LAZY" log --histories "$1"; }
measure_undelete() { "$MEASURE" "$E2LAZY" undelete --quick --raw "$1"; }
measure_undelete_read() { "$MEASURE" "$E2LAZY" undelete --raw "$1"; }

# "  transactions      4 whole" of log --histories
whole_txns() {	# IMAGE
	"$E2LAZY" log --histories "$1" |
		sed -n 's/^ *transactions *\([0-9]*\) whole.*/\1/p'
}

# Sets $img and $txns: a ring of 10 GiB, full of transactions of 1000 copies.
full_ring() {
	img=$work/ring.img
	mib=$((10240 / scale))
	txns=$((mib * 256 / 1006))
	truncate -s $((mib * 3))M "$img"
	mke2fs -q -F -t ext4 -b 4096 -N 1024 -J size=$mib,location=$((mib * 3 / 2))M \
		-E lazy_journal_init=1 "$img" >/dev/null &&
	"$MKJOURNAL" "$img" <<-END
		bulk $txns tags 1000 from $((mib * 128)) mod $((mib * 128))
	END
}

ring_scan() {
	full_ring || { fail "no ring of $mib MiB"; return; }
	[ "$(whole_txns "$img")" = $txns ] ||
		{ fail "the scan does not find $txns transactions"; return; }
	debugfs -c -R 'logdump -a' "$img" 2>/dev/null >"$work/logdump"
	list_control "$img"
	rm "$work/logdump"
	measure_each -cold "cold:histories:$img" \
		"floor:control:$work/control:$img" \
		"cold:scanned:ring:$img" || return
	note "A ring of $mib MiB, made, without gaps: the scan finds all" \
		"$txns transactions."
	table "a ring of $mib MiB" seconds 'from a cold cache'
	base_time 2 'control blocks read directly, one by one'
	line_time 3 'the ring scan alone' 1.30
	line_time 1 'e2lazy log --histories'
	rm -f "$img"
	echo
}

# Where the contents of all files are, as $COPIES reads its list.
list_contents() {
	find "$mnt" -type f -print0 | xargs -0 filefrag -v |
		awk '$1 == "0:" { print 0, $4 + 0, "no data" }'
}

# Sets $img: FILES of a few bytes each, deleted, and unmounted.
deleted_files() {	# FILES
	img=$work/deleted.img
	truncate -s 1G "$img"
	mke2fs -q -F -t ext4 -b 4096 -N $(($1 + 8192)) -J size=256 \
		"$img" >/dev/null || return 1
	attach "$img" || return 1
	mount -t ext4 -o noatime,commit=300 "$loop" "$mnt" || return 1
	n=0
	while [ $n -lt "$1" ]; do
		[ $((n % 1000)) != 0 ] || mkdir "$mnt/d$((n / 1000))"
		echo $n >"$mnt/d$((n / 1000))/f$n"
		n=$((n + 1))
	done
	sync -f "$mnt"
	list_contents >"$work/contents"
	find "$mnt" -type f -delete
	release
}

# Copies of all blocks but those of the file system's own description, and the
# inode tables as they are now, which say that an inode is free; then also the
# contents.
list_needed() {	# IMAGE
	"$E2LAZY" dump --ring --all --raw --no-headings \
		--columns FSBLK,PHYSBLK,ESCAPED,TYPE "$1" >"$work/copies"
	copies=$(wc -l <"$work/copies")
	tables=$(grep -c ' inode_table$' "$work/copies")
	awk '$4 == "inode_table" && !seen[$1]++ { print 0, $1, "no home" }' \
		"$work/copies" >"$work/homes"
	cat "$work/copies" "$work/homes" >"$work/needed"
	cat "$work/needed" "$work/contents" >"$work/all"
}

undelete_list() {
	why=$(why_not_kernel)
	[ -z "$why" ] || { left_out "the list of deleted files" "$why"; return; }
	files=$((100000 / scale))
	deleted_files $files || { fail "no $files deleted files"; return; }
	found=$("$E2LAZY" undelete --raw --no-headings --columns GRADE,TYPE \
		"$img" | grep -c '^intact f')
	[ "$found" = $files ] || { fail "$found of $files files"; return; }
	list_needed "$img"
	measure_each -cold "cold:scanned:ring:$img" \
		"floor:read:$work/needed:$img" "cold:undelete:$img" \
		"cold:undelete_read:$img" "cold:scanned:deleted:$img" \
		"floor:read:$work/all:$img" || return
	note "$files deleted files, kernel-made, $copies copies in the ring:" \
		"all are found intact."
	print_list
	rm -f "$img"
	echo
}

# The N-th of what is read directly, after the ring scan.
base_scan_and() {	# N TEXT
	result 1
	scan=$seconds
	result "$1"
	base "ring scan, $2 read directly" \
		"$(awk -v a="$scan" -v b="$seconds" 'BEGIN { print a + b }')"
}

print_list() {
	table "$files deleted files" seconds 'from a cold cache'
	base_scan_and 2 'copies and inode tables'
	line_time 5 'the list alone' 1.50
	line_time 3 'e2lazy undelete --quick' 1.50
	base_scan_and 6 'copies, inode tables and contents'
	line_time 4 'e2lazy undelete, contents read' 1.50
	table "$files deleted files" KiB 'peak memory'
	base '64 bytes a copy of an inode, and 16 MiB' \
		$((tables * 16 * 64 / 1024 + 16384))
	result 4
	line 'e2lazy undelete, peak memory' "$peak" 1.00
}

ring() {
	ring_scan
	undelete_list
}
