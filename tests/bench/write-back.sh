# SPDX-License-Identifier: GPL-2.0-only
#
# For run: a log written back, beside e2fsck and a mount of the kernel's.
#
# To make a log live again after each of them, only the two superblocks are
# put back: all then write to blocks that the image file has, which is fair.

# With so much memory a dense log takes several passes.
LITTLE=256

cold() {
	sync
	if [ -w /proc/sys/vm/drop_caches ]; then
		echo 3 >/proc/sys/vm/drop_caches
	fi
}

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
	live_again && cold
	"$MEASURE" "$E2LAZYCK" -qy --checkpoint "$1" | corrected
}

measure_library() {
	live_again && cold
	"$MEASURE" "$WRITEBACK" "$1" $((plenty << 20))
}

measure_frugal() {
	live_again && cold
	"$MEASURE" "$WRITEBACK" "$1" $((LITTLE << 20))
}

measure_move() {
	cold
	"$MEASURE" "$COPIES" move "$work/list" "$1"
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

write_back_of() {	# dense|sparse GOAL
	kernel_log "$1" || return
	"$E2LAZY" dump --raw --no-headings \
		--columns FSBLK,PHYSBLK,ESCAPED,TYPE "$image" >"$work/list"
	live=$(wc -l <"$work/list")
	logged=$("$E2LAZY" info --json "$image" |
		 sed -n 's/.*"logged":\([0-9]*\).*/\1/p' | head -n 1)
	remember_live "$image" || { fail "no superblocks of $1"; return; }
	check_each "$image" e2fsck mount e2lazyck library frugal ||
		{ fail "$1: written back by $command, blocks differ"; return; }
	rounds='1 2 3'
	measure_each "e2fsck:$image" "mount:$image" "e2lazyck:$image" \
		"library:$image" "frugal:$image" "move:$image" || return
	rounds='0 1 2 3 4 5'
	echo "A $1 log written back: $live live blocks of $logged copies."
	print_write_back "$2"
	print_seeks
	live_again
	dirty=
	[ -n "$BENCH_DIR" ] || rm -f "$image"
	echo
}

# One line of a table for the N-th command.
write_back_row() {	# N TEXT GOAL
	result "$1"
	row "$2" "$seconds" "$(ratio "$seconds" "$theirs")" "$3"
}

blocks_row() {	# N TEXT GOAL
	result "$1"
	[ "$written" = - ] && return
	row "$2" $((written / 4096)) \
		"$(ratio $((written / 4096)) $((live + 8)))" "$3"
}

memory_row() {	# N TEXT MIB
	result "$1"
	goal=$(($3 * 1024 + live * 32 / 1024 + 16384))
	row "$2" "$peak" "$(ratio "$peak" $goal)" 1.00
}

print_write_back() {	# GOAL
	row '' seconds ratio goal
	result 1
	theirs=$seconds
	write_back_row 1 'e2fsck -y -E journal_only' ''
	write_back_row 2 'mount -o ro' ''
	write_back_row 3 'e2lazyck -y --checkpoint' "$1"
	write_back_row 4 'the write-back alone' "$1"
	write_back_row 5 "the same in $LITTLE MiB" "$1"
	write_back_row 6 'all copies moved, nothing else' ''
	row written blocks ratio goal
	row 'live blocks and 8' $((live + 8)) 1.00 ''
	blocks_row 1 'e2fsck -y -E journal_only' ''
	blocks_row 3 'e2lazyck -y --checkpoint' 1.00
	blocks_row 5 "the write-back in $LITTLE MiB" 1.00
	row 'peak memory, of its limit' KiB ratio goal
	memory_row 3 'e2lazyck -y --checkpoint' "$plenty"
	memory_row 5 "the write-back in $LITTLE MiB" $LITTLE
}

# Backwards only from one pass to the next.
print_seeks() {
	row 'requests' requests passes 'back'
	for mib in "$plenty" $LITTLE; do
		live_again
		read -r a b c blocks requests passes back <<-END
			$("$WRITEBACK" -t "$image" $((mib << 20)))
		END
		[ "${back:-none}" = $((passes - 1)) ] ||
			fail "$back steps back in $passes passes"
		row "the write-back in $mib MiB" "$requests" "$passes" "$back"
	done
}

# A quarter of the machine's memory, as e2lazyck has it.
may_write_back() {
	plenty=$(awk '/^MemTotal/ { print int($2 / 4096) }' /proc/meminfo)
	why=$(why_not_kernel)
	[ -z "$why" ] && return
	echo "No write-back: $why"
	echo
	return 1
}

write_back_dense() { may_write_back && write_back_of dense 0.40; }
write_back_sparse() { may_write_back && write_back_of sparse 0.15; }

write_back() {
	write_back_dense
	write_back_sparse
}
