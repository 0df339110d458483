# SPDX-License-Identifier: GPL-2.0-only
#
# crashed.sh - power cuts in the middle of a checkpoint: the running kernel
# mounts the image of each cut, and must find the content of the log.

crash_seed=41
crash_places=4		# besides both sides of each flush

# The writes of a checkpoint, and a line for each crash to try.
record_crashes() {	# FROM [OPTIONS]: the image to write back, and how
	copy_log "$1" "$work/trace.img" &&
	# shellcheck disable=SC2086
	"$CRASH" record $2 ${external:+-j "$work/trace.img.j"} \
		"$work/trace.img" "$work/trace" &&
	"$CRASH" states "$work/trace" $crash_seed $crash_places \
		>"$work/crashes"
}

make_crash() {	# FROM TO SEED of $1, into $work/crash.img
	copy_log "$1" "$work/crash.img" &&
	"$CRASH" apply "$work/trace" "$2" "$3" "$4" "$work/crash.img" \
		${external:+"$work/crash.img.j"}
}

# The kernel recovers what it left, block by block and as a tree.
crash_is_recovered() {
	replay_kernel "$work/crash.img" "$work/recovered.img" &&
	"$CMPREPLAY" $relogs ${external:+-j "$base.j"} "$work/map" "$base" \
		"$work/recovered.img" >"$work/compared.crash" &&
	mount_readonly "$work/recovered.img" && same_tree
}

# Crashes before FIRST do not count.
each_crash_is_recovered() {	# IMAGE FIRST [OPTIONS]
	case $3 in *-c*) relogs=-r ;; *) relogs= ;; esac
	record_crashes "$1" ${3:+"$3"} || return 1
	echo "seed $crash_seed, writes and flushes: $(tail -n 1 \
		"$work/crashes" | cut -d' ' -f2)"
	tried=0
	{
		# A seal without the copies: the check must object.
		read -r from to seed
		make_crash "$1" "$from" "$to" "$seed" || return 1
		crash_is_recovered >/dev/null &&
			{ echo "lost copies are not seen"; return 1; }
		while read -r from to seed; do
			[ "$to" -ge "$2" ] || continue
			tried=$((tried + 1))
			make_crash "$1" "$from" "$to" "$seed" &&
				crash_is_recovered && continue
			echo "after $to writes, seed $seed"
			cat "$work/compared.crash"
			return 1
		done
	} <"$work/crashes"
	echo "crashes recovered: $tried"
	[ $tried -ge 10 ]
}

crashes_are_recovered() {
	each_crash_is_recovered "$base" 0
}

# With little memory each copy is read from the log when it is written.
crashes_are_recovered_without_keeping() {
	each_crash_is_recovered "$base" 0 -l
}

# With needs_recovery clear the first flush is what makes the log count.  By
# hand, for debugfs would date the superblock later than its copy in the log;
# so of a file system without checksums only.
crashes_are_recovered_once_marked() {
	copy_log "$base" "$work/unmarked.img" || return 1
	flags=$(od -An -tu1 -j $((1024 + 96)) -N 1 "$base")
	# shellcheck disable=SC2059
	printf "\\$(printf %o $((flags & ~4)))" |
		dd of="$work/unmarked.img" bs=1 seek=$((1024 + 96)) \
			conv=notrunc 2>/dev/null
	dumpe2fs -h "$work/unmarked.img" 2>/dev/null | grep needs_recovery &&
		return 1
	each_crash_is_recovered "$work/unmarked.img" 2
}
