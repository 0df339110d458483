# SPDX-License-Identifier: GPL-2.0-only
#
# freed.sh - checks of run after e2lazyck --clean freed the oldest half of the
# log: the rest is replayed to the same blocks

# A log of one transaction has no part to free.
half() {	# number of transactions to free
	e2lazy info --json | sed -n 's/^ *"transactions":\([0-9]*\).*/\1/p' |
		awk '{ print int($1 / 2) }'
}

# The map keeps its newer rows, and its older ones are home.
half_is_freed() {
	freed=$work/freed.img
	half=$(half)
	[ "$half" -gt 0 ] || { echo "hidden: one transaction"; return 0; }
	copy_log "$base" "$freed" || return 1
	ck "$freed" --clean -p --tids "$half"
	[ $? = 1 ] || return 1
	"$E2LAZY" dump ${external:+-j "$freed.j"} --raw --no-headings \
		--columns FSBLK,LOGBLK,PHYSBLK,TID,ESCAPED "$freed" \
		>"$work/rest" || return 1
	tail=$("$E2LAZY" info ${external:+-j "$freed.j"} --json "$freed" |
	       sed -n 's/.*"first_tid":\([0-9]*\).*/\1/p' | head -n 1)
	echo "tail $tail, rows $(wc -l <"$work/rest") of $(wc -l <"$work/map")"
	awk -v tail="$tail" '{ ahead = ($4 - tail + 2 ^ 32) % 2 ^ 32 }
			     ahead < 2 ^ 31' "$work/map" | diff - "$work/rest"
}

freed_is_replayed() {	# HOW
	[ "$half" -gt 0 ] || return 0
	"replay_$1" "$work/freed.img" "$work/replayed.img" &&
	"$CMPREPLAY" ${external:+-j "$base.j"} "$work/map" "$base" \
		"$work/replayed.img"
	same=$?
	rm -f "$work/replayed.img" "$work/replayed.img.j"
	return $same
}

crashes_of_freeing_are_recovered() {
	[ "$(half)" -gt 0 ] && each_crash_is_recovered "$base" 0 "-t$(half)"
}
