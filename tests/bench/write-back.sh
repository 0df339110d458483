# SPDX-License-Identifier: GPL-2.0-only
#
# For run: write a log back, beside e2fsck and a mount by the kernel.
#
# Restoring the two superblocks makes the log live again after each program.
# So all of them write to blocks that the image file already has.

# Memory that holds the packed copies of a dense log, and memory that does not:
# then it takes several passes.
LITTLE=256
LEAST=128

block() {	# COMMAND's arguments: dd of one block, quietly
	dd bs=4096 count=1 conv=notrunc status=none "$@"
}

# Sets $dirty to the image.
remember_live() {	# IMAGE
	jsb=$(debugfs -c -R 'bmap <8> 0' "$1" 2>/dev/null)
	block if="$1" of="$work/super" &&
	block if="$1" of="$work/jsb" skip="$jsb" &&
	dirty=$1
}

live_again() {
	[ -n "$dirty" ] || return 0
	block if="$work/super" of="$dirty"
	block if="$work/jsb" of="$dirty" seek="$jsb"
}

# Our programs do not write what is in place already, and all of it is after the
# last round.
stale_again() {
	live_again
	[ -z "$dirty" ] || "$COPIES" spoil "$work/list" "$dirty" >/dev/null
	cold
}

# They exit with 1 once something was corrected.
corrected() { sed 's/ 1$/ 0/'; }

# Each from a cold cache and with a live log.
measure_e2fsck() {
	live_again && cold
	"$MEASURE" e2fsck -y -E journal_only "$1" | corrected
}

measure_mount() {
	live_again && cold
	attach "$1" || return
	"$MEASURE" mount -t ext4 -o ro "$loop" "$mnt"
	umount "$mnt"
	losetup -d "$loop"
}

measure_e2lazyck() {
	stale_again
	"$MEASURE" "$E2LAZYCK" -qy --checkpoint "$1" | corrected
}

measure_library() {
	stale_again
	"$MEASURE" "$WRITEBACK" "$1" $((plenty << 20))
}

measure_frugal() {
	stale_again
	"$MEASURE" "$WRITEBACK" "$1" $((LITTLE << 20))
}

measure_least() {
	stale_again
	"$MEASURE" "$WRITEBACK" "$1" $((LEAST << 20))
}

# Static blocks that are wrong for sure, and right after each of them.
check_each() {	# IMAGE COMMAND...
	checked=$1
	shift
	for command; do
		live_again
		[ "$("$COPIES" spoil "$work/list" "$checked")" -gt 0 ] ||
			return 1
		case $("measure_$command" "$checked") in
		*' 0') ;;
		*) return 1 ;;
		esac
		[ "$("$COPIES" compare "$work/list" "$checked")" = 0 ] ||
			return 1
	done
}

write_back() {	# dense|sparse
	may_write_back "$1" || return
	"$E2LAZY" dump --raw --no-headings \
		--columns FSBLK,PHYSBLK,ESCAPED,TYPE "$image" >"$work/list"
	live=$(wc -l <"$work/list")
	logged=$(counted "$image" logged)
	remember_live "$image" || { fail "no superblocks of $1"; return; }
	check_each "$image" e2fsck mount e2lazyck library frugal least ||
		{ fail "$1: written back by $command, blocks differ"; return; }
	measure_each -cold "e2fsck:$image" "mount:$image" "e2lazyck:$image" \
		"library:$image" "frugal:$image" \
		"floor:move:$work/list:$image" \
		"floor:read:$work/list:$image" \
		"flight:$work/list:$image" "least:$image" || return
	note "The $1 log written back: $live live blocks of $logged copies," \
		"each from a cold cache. All are the log's newest afterwards," \
		"whoever wrote them."
	case $1 in
	dense)	print_write_back "$1" 0.40 ;;
	sparse)	print_write_back "$1" 0.15 ;;
	esac
	print_written "$1"
	print_peaks "$1"
	print_seeks "$1"
	live_again
	dirty=
	echo
}

# Ours, beside what was named last.
ours() {	# [GOAL]
	line_time 3 'e2lazyck -y --checkpoint' "$1"
	line_time 4 'the write-back alone' "$1"
	line_time 5 "the write-back in $LITTLE MiB" "$1"
	line_time 9 "the write-back in $LEAST MiB"
}

print_write_back() {	# NAME GOAL
	table "$1" seconds
	base_time 1 'e2fsck -y -E journal_only'
	ours "$2"
	base_time 2 'mount -o ro'
	ours
	base_time 6 'live copies read and written directly'
	ours
	base_time 8 'the same with 16 requests in flight'
	ours
	result 7
	alone 'live copies read directly' "$seconds"
}

print_written() {	# NAME
	table "$1" blocks written
	base 'live blocks and 8' $((live + 8))
	blocks_line 1 'e2fsck -y -E journal_only, written'
	blocks_line 3 'e2lazyck -y --checkpoint, written' 1.00
	blocks_line 5 "the write-back in $LITTLE MiB, written" 1.00
	blocks_line 9 "the write-back in $LEAST MiB, written" 1.00
}

blocks_line() {	# N TEXT [GOAL]
	result "$1"
	[ "$written" = - ] || line "$2" $((written / 4096)) "$3"
}

print_peaks() {	# NAME
	table "$1" KiB 'peak memory, of its limit'
	peak_lines 3 'e2lazyck -y --checkpoint' "$plenty"
	peak_lines 5 "the write-back in $LITTLE MiB" $LITTLE
	peak_lines 9 "the write-back in $LEAST MiB" $LEAST
}

peak_lines() {	# N TEXT MIB
	result "$1"
	base "$3 MiB, 32 bytes a live mapping and 16 MiB" \
		$(($3 * 1024 + live * 32 / 1024 + 16384))
	line "$2, peak memory" "$peak" 1.00
}

# Backwards only from one pass to the next.
print_seeks() {	# NAME
	columns 'requests' requests passes 'back'
	for mib in "$plenty" $LITTLE $LEAST; do
		stale_again
		read -r a b c blocks requests passes back <<-END
			$("$WRITEBACK" -t "$image" $((mib << 20)))
		END
		[ "${back:-none}" = $((passes - 1)) ] ||
			fail "$back steps back in $passes passes"
		columns "the write-back in $mib MiB" "$requests" "$passes" \
			"$back"
		unit=requests
		keep_row "the write-back in $mib MiB, $passes passes" \
			"$requests" '' '' ''
	done
}

# A quarter of the machine's memory, as e2lazyck has it.
may_write_back() {	# NAME
	plenty=$(awk '/^MemTotal/ { print int($2 / 4096) }' /proc/meminfo)
	why=$(why_not_kernel)
	[ -z "$why" ] && return
	left_out "the $1 log written back" "$why"
	return 1
}
