# SPDX-License-Identifier: GPL-2.0-only
#
# relogged.sh - checks of run after e2lazyck logged copies again, all of them
# (--compact) or those of the oldest half (--clean --forward): the map has the
# same blocks, and a replay gives the same content.

# Sets $again; without room in the ring there is no such image, and the report
# says so.
log_again() {	# NAME OPTIONS...
	again=$work/$1.img
	shift
	copy_log "$base" "$again" || return 1
	ck "$again" -p "$@" >"$work/told" 2>&1
	told=$?
	cat "$work/told"
	[ $told = 1 ] && return
	rm -f "$again" "$again.j"
	[ $told = 4 ] && grep -q 'no room' "$work/told" || return 1
	echo "hidden: no room in the ring"
	again=
}

# The rows of its map, without their places in the log.
rows() {	# IMAGE
	"$E2LAZY" dump ${external:+-j "$1.j"} --raw --no-headings \
		--columns FSBLK,TID,ESCAPED "$1"
}

same_blocks() {
	rows "$again" >"$work/rows" || return 1
	awk '{ print $1, $5 }' "$work/map" >"$work/theirs"
	awk '{ print $1, $3 }' "$work/rows" | diff "$work/theirs" -
}

# Each row has one of the new numbers, and the log no control block too many.
is_compacted() {
	log_again compacted --compact || return 1
	[ "$again" ] || return 0
	same_blocks || return 1
	due=$(e2lazy info --json | sed -n 's/.*"next_tid":\([0-9]*\).*/\1/p' |
	      head -n 1)
	awk -v due="$due" '{ ahead = ($2 - due + 2 ^ 32) % 2 ^ 32 }
			   ahead >= 2 ^ 31 { old++ } END { exit old > 0 }' \
		"$work/rows" &&
	"$E2LAZY" info ${external:+-j "$again.j"} --json "$again" \
		>"$work/info" &&
	grep -q '"superseded":0,' "$work/info" &&
		grep -q '"revoked":0,' "$work/info"
}

# A log of one transaction has no oldest half.
half_goes_forward() {
	half=$(half)
	[ "$half" -gt 0 ] || { echo "hidden: one transaction"; return 0; }
	log_again forwarded --clean --forward --tids "$half" || return 1
	[ -z "$again" ] || same_blocks
}

again_is_replayed() {	# NAME HOW
	again=$work/$1.img
	[ -e "$again" ] || { echo "hidden: not made"; return 0; }
	"replay_$2" "$again" "$work/replayed.img" &&
	"$CMPREPLAY" -r ${external:+-j "$base.j"} "$work/map" "$base" \
		"$work/replayed.img"
	same=$?
	rm -f "$work/replayed.img" "$work/replayed.img.j"
	return $same
}

crashes_of_compacting_are_recovered() {
	each_crash_is_recovered "$base" 0 -c
}

crashes_of_going_forward_are_recovered() {
	[ "$(half)" -gt 0 ] &&
		each_crash_is_recovered "$base" 0 "-c -t$(half)"
}
