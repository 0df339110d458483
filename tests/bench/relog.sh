# SPDX-License-Identifier: GPL-2.0-only
#
# For run: free a part of a log, and make it its live copies alone, beside these
# copies read and written directly.
#
# Each program begins with the same log: its superblocks come back, and no block
# behind its head is one of a transaction.

head_again() {
	live_again
	"$COPIES" append "$work/list" "$dirty" "$head" >"$work/took" &&
	dd if=/dev/zero of="$dirty" bs=4096 seek=$((head + live - 1)) \
		count=$((new - live + 1)) conv=notrunc status=none
}

# The library alone: the verdict before it reads every copy.
measure_compact() {
	head_again && cold
	took=$("$WRITEBACK" -c "$1" $((plenty << 20))) &&
		echo "$took" | awk '{ print $2, 0, 0, 0, 0 }'
}

measure_append() {
	head_again && cold
	took=$("$COPIES" append "$work/list" "$1" "$head") &&
		echo "$took 0 0 0 0"
}

fsblks() { "$E2LAZY" dump --raw --no-headings --columns FSBLK "$1"; }

# Sets $head to its block on the device.  As many blocks as the new log needs have
# to lie behind it in a row, in the log's ring.
find_head() {	# IMAGE
	at=$("$E2LAZY" info --json "$1" |
	     sed -n '/"log"/,/}/s/.*"head":\([0-9]*\).*/\1/p')
	new=$((live + live / 100 + 8))
	head=$(debugfs -c -R "bmap <8> $at" "$1" 2>/dev/null)
	last=$(debugfs -c -R "bmap <8> $((at + new))" "$1" 2>/dev/null)
	[ $((at + new)) -lt "$(counted "$1" end)" ] &&
		[ $((head + new)) = "$last" ]
}

# Both programs write as many blocks as the copies have, and the tail's.
print_freed() {	# NAME
	txns=$(counted "$image" transactions)
	for part in 4 2; do
		[ $((txns / part)) -gt 0 ] || continue
		live_again
		read -r a b freed blocks requests passes back reads <<-END
			$("$WRITEBACK" -f $((txns / part)) "$image" \
				$((plenty << 20)))
		END
		[ "${freed:-0}" -gt 0 ] ||
			{ fail "no part of the $1 log is freed"; return; }
		table "$1" blocks "1/$part of the log freed"
		base "live copies of 1/$part of the log" "$freed"
		line "--clean of 1/$part, blocks written" "$blocks" 1.10
		line "--clean of 1/$part, blocks read" "$reads" 1.10
	done
}

# A descriptor of 4 KiB has 254 tags at most, and a log one commit block.
print_scan() {	# NAME
	table "$1" blocks "a lazy mount's scan"
	base 'the fewest control blocks' $(((live + 253) / 254 + 1))
	line 'control blocks after --compact' $(($(counted "$image" \
		descriptors) + $(counted "$image" transactions))) 1.10
}

relog() {	# dense|sparse
	may_write_back "$1" || return
	"$E2LAZY" dump --raw --no-headings \
		--columns FSBLK,PHYSBLK,ESCAPED,TYPE "$image" >"$work/list"
	live=$(wc -l <"$work/list")
	find_head "$image" || {
		left_out "the $1 log compacted" "no room in one piece"
		return
	}
	remember_live "$image" || { fail "no superblocks of $1"; return; }
	print_freed "$1"
	head_again
	fsblks "$image" >"$work/before"
	case $(measure_compact "$image") in
	*' 0') ;;
	*) fail "the $1 log is not compacted"; return ;;
	esac
	fsblks "$image" | cmp -s - "$work/before" ||
		{ fail "$1: the compacted log has other blocks"; return; }
	print_scan "$1"
	measure_each -cold "compact:$image" "append:$image" || return
	table "$1" seconds 'the log compacted'
	base_time 2 'live copies read, written in a row'
	line_time 1 'e2lazyck --compact alone' 1.30
	head_again
	dirty=
	echo
}
