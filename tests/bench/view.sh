# SPDX-License-Identifier: GPL-2.0-only
#
# For run: every inode and directory entry, through the log of a dirty image
# and from the static blocks of a copy that e2fsck has replayed.

scan_rounds() {	# DIRTY REPLAYED
	rm -f "$work"/scan.*
	for round in $(seq 0 "$rounds"); do
		"$SCAN" view "$1" >"$work/view" &&
		"$SCAN" static "$2" >"$work/static" || return 1
		[ "$(cut -d' ' -f1-3 "$work/view")" = \
		  "$(cut -d' ' -f1-3 "$work/static")" ] || return 1
		[ "$round" = 0 ] && continue
		cat "$work/view" >>"$work/scan.view"
		cat "$work/static" >>"$work/scan.static"
	done
}

median() {	# FIELD FILE
	cut -d' ' -f"$1" "$2" | sort -n | sed -n $((rounds / 2 + 1))p
}

# An eighth of the dense log.
through_the_view() {
	why=$(why_not_kernel)
	[ -z "$why" ] || { left_out "the scan through a view" "$why"; return; }
	image=$work/dirty.img
	make_log "$image" dense 8 || return
	cp --sparse=always "$image" "$work/replayed.img"
	e2fsck -fy -E journal_only "$work/replayed.img" >/dev/null 2>&1
	if ! scan_rounds "$image" "$work/replayed.img"; then
		fail "the view and the replayed copy differ"
		return
	fi
	read -r inodes entries sum rest <"$work/scan.view"
	note "An eighth of a dense log: a scan of $inodes inodes and" \
		"$entries directory entries, $(counted "$image" live) live" \
		"blocks. Both find the same."
	print_view
	rm -f "$image" "$work/replayed.img"
	echo
}

print_view() {
	table 'an eighth of dense' seconds
	base 'scan of the copy that e2fsck replayed' \
		"$(median 6 "$work/scan.static")"
	line 'scan through the view' "$(median 6 "$work/scan.view")" 1.15
	base 'building the jmap' "$(median 4 "$work/scan.view")"
	line 'opening journal and view besides' \
		"$(median 5 "$work/scan.view")" 1.00
}
