# SPDX-License-Identifier: GPL-2.0-only
#
# spoilt.sh - a kernel's log with one wrong byte in a copy: the running kernel
# mounts it, e2lazyck repairs it, and the test compares the two.

# Invert the byte 100 of a block.
spoil_block() {	# IMAGE BLOCK
	bs=$(dumpe2fs -h "$1" 2>/dev/null | sed -n 's/^Block size: *//p')
	at=$(($2 * bs + 100))
	byte=$(od -An -tu1 -j $at -N 1 "$1")
	# shellcheck disable=SC2059
	printf "\\$(printf %o $((255 - byte)))" |
		dd of="$1" bs=1 seek=$at conv=notrunc 2>/dev/null
}

# The kernel refuses a log with a bad superseded copy, which a checkpoint does
# not need.
superseded_copy_is_cured() {
	place=$(e2lazy dump --all --raw --no-headings \
			--columns PHYSBLK,STATE |
		awk '$2 == "superseded" { print $1; exit }')
	[ -n "$place" ] || { echo "no copy is superseded"; return 1; }
	copy_log "$base" "$work/spoilt.img" || return 1
	spoil_block "$work/spoilt.img" "$place"
	replay_kernel "$work/spoilt.img" "$work/refused.img" &&
		{ echo "the kernel replays it"; return 1; }
	ck "$work/spoilt.img" --raw --no-headings --columns ID,COUNT \
		>"$work/found"
	cat "$work/found"
	grep -qx 'superseded-csum 1' "$work/found" || return 1
	copy_log "$work/spoilt.img" "$work/cured.img" &&
		ck "$work/cured.img" --checkpoint -p
	[ $? = 1 ] || return 1
	"$CMPREPLAY" "$work/map" "$work/spoilt.img" "$work/cured.img" ||
		return 1
	mount_readonly "$work/cured.img" && same_tree
	cured=$?
	rm -f "$work/spoilt.img" "$work/refused.img" "$work/cured.img"
	return $cured
}

# Live copies that have an older one: their static block, and where they are.
replaceable() {
	e2lazy dump --all --raw --no-headings \
		--columns FSBLK,PHYSBLK,STATE |
		awk '$3 == "superseded" { older[$1] = 1 }
		     $3 == "live" && older[$1] && $1 > 1 { print $1, $2 }' |
		awk 'NR % 7 == 1' | head -n 12
}

same_block() {	# SIZE BLOCK FILE FILE
	cmp -s -n "$1" -i $(($1 * $2)) "$3" "$4"
}

# e2fsck skips bad copies and so ends with the older ones, block for block.
older_copies_are_those_of_e2fsck() {
	replaceable >"$work/replaceable"
	[ "$(wc -l <"$work/replaceable")" -ge 5 ] ||
		{ echo "few copies have an older one"; return 1; }
	copy_log "$base" "$work/spoilt.img" || return 1
	while read -r fsblk physblk; do
		spoil_block "$work/spoilt.img" "$physblk"
	done <"$work/replaceable"
	copy_log "$work/spoilt.img" "$work/theirs.img" || return 1
	e2fsck -y -E journal_only "$work/theirs.img"
	ck "$work/spoilt.img" --checkpoint -y
	[ $(($? & ~4)) = 1 ] || return 1
	differs=0
	while read -r fsblk physblk; do
		same_block "$bs" "$fsblk" "$work/spoilt.img" \
			"$work/e2fsck.img" && echo "$fsblk is not spoilt"
		same_block "$bs" "$fsblk" "$work/spoilt.img" \
			"$work/theirs.img" && continue
		echo "block $fsblk is another one"
		differs=1
	done <"$work/replaceable"
	rm -f "$work/spoilt.img" "$work/theirs.img"
	return $differs
}
