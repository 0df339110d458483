# SPDX-License-Identifier: GPL-2.0-only
#
# For run: info and dump of a log made by the kernel, beside debugfs logdump,
# jls, and the time of reading its control blocks alone.

logdump='debugfs -c -R "logdump -a"'

# Every copy that logdump lists must be listed, the map must be the one that
# its list makes, and info must have counted both.
check_result() {	# IMAGE
	debugfs -c -R 'logdump -a' "$1" 2>/dev/null >"$work/logdump"
	for what in copies live counts; do
		awk -v what=$what -f "$here/../kernel/logmap.awk" \
			"$work/logdump" | sort >"$work/theirs.$what"
	done
	list_control "$1"
	rm "$work/logdump"
	"$E2LAZY" dump --all --raw --no-headings --columns FSBLK,LOGBLK "$1" |
		sort >"$work/ours.copies"
	"$E2LAZY" dump --raw --no-headings --columns FSBLK,LOGBLK,TID "$1" |
		sort >"$work/ours.live"
	live=$(wc -l <"$work/ours.live")
	distinct=$(cut -d' ' -f1 "$work/ours.copies" | sort -u | wc -l)
	read -r tags escaped revokes wraps commits <"$work/theirs.counts"
	cmp -s "$work/theirs.copies" "$work/ours.copies" &&
	cmp -s "$work/theirs.live" "$work/ours.live" &&
	[ "$(counted "$1" logged) $(counted "$1" live)" = "$tags $live" ] &&
	"$COPIES" control "$work/control" "$1" >/dev/null
}

counted() {	# IMAGE NAME
	"$E2LAZY" info --json "$1" |
		sed -n "s/.*\"$2\":\([0-9]*\).*/\1/p" | head -n 1
}

# The log's control blocks, by what others say of them, as a list for copies.
list_control() {	# IMAGE
	sed -n 's/^Found expected sequence.* at block \([0-9]*\)$/bmap <8> \1/p' \
		"$work/logdump" >"$work/bmap"
	control=$(wc -l <"$work/bmap")
	debugfs -c -f "$work/bmap" "$1" 2>/dev/null | grep -v '^debugfs' |
		sed 's/.*/0 & no control/' >"$work/control"
}

kernel_made() {	# dense|sparse
	check_result "$image" ||
		{ fail "e2lazy and logdump differ on $image"; return; }
	note "The $1 log, kernel-made: $tags copies, $live live," \
		"$revokes revokes, $commits transactions. logdump's list of" \
		"copies is e2lazy's, its map is the one that list makes."
	measure_each "logdump:$image" "info:$image" "dump:$image" \
		"report:$image" "map:$image" "rows:$image" || return
	small_page || { fail "the report of $image is 1 MB or more"; return; }
	print_times "$1"
	echo
	print_floor "$1"
	echo
	print_report "$1"
	echo
	print_memory "$1" $((live * 32 / 1024 + 8192))
	echo
	print_reads "$1" $((control * 4))
	echo
	result 3
	beside_jls "$1" "$seconds"
	echo
	from_cold "$1"
	if [ "$1" = dense ]; then
		kernel_changes
	fi
}

print_times() {	# NAME
	table "$1" seconds
	base_time 1 "$logdump"
	line_time 2 'e2lazy info' 0.50
	line_time 3 'e2lazy dump --raw' 1.00
}

# What the same blocks ask of anyone.
print_floor() {	# NAME
	table "$1" seconds 'a bare loop'
	base_time 5 'control blocks summed up, tags in a hash table'
	line_time 2 'e2lazy info' 1.20
	base_time 6 'the same, and a row for each static block'
	line_time 3 'e2lazy dump --raw' 1.20
}

small_page() { [ "$(wc -c <"$work/report.html")" -lt 1000000 ]; }

print_report() {	# NAME
	table "$1" seconds 'a page with pictures'
	again_time 3 'e2lazy dump --raw'
	line_time 4 'e2lazy report' 3.00
}

print_memory() {	# NAME GOAL in KiB
	table "$1" KiB 'peak memory'
	base '32 bytes a live mapping and 8 MiB' "$2"
	result 2
	line 'e2lazy info, peak memory' "$peak" 1.00
	result 3
	line 'e2lazy dump --raw, peak memory' "$peak" 1.00
	result 4
	line 'e2lazy report, peak memory' "$peak" 2.00
}

print_reads() {	# NAME KIB of the log's control blocks
	table "$1" KiB 'read'
	base 'descriptor, revoke and commit blocks' "$2"
	for n in 2 3; do
		result $n
		what=$([ $n = 2 ] && echo info || echo 'dump --raw')
		if [ "$bytes" = - ]; then
			alone "e2lazy $what, read" unknown
		else
			line "e2lazy $what, read" $((bytes / 1024)) 1.10
		fi
	done
}

# What a disk has to do with it.
from_cold() {	# NAME
	measure_each -cold "cold:logdump:$image" "cold:info:$image" \
		"cold:dump:$image" "floor:control:$work/control:$image" ||
		return
	table "$1" seconds 'from a cold cache'
	base_time 1 "$logdump, cold"
	line_time 2 'e2lazy info, cold'
	line_time 3 'e2lazy dump --raw, cold'
	base_time 4 'control blocks read directly, one by one'
	line_time 2 'e2lazy info, cold'
	line_time 3 'e2lazy dump --raw, cold'
	echo
}
