# SPDX-License-Identifier: GPL-2.0-only
#
# For run: logs of ten thousand to ten million copies, made by mkjournal, so
# that everyone can make the same ones.

# Sets $img to a log of COPIES in transactions of 1000, each of a block of its
# own but for the last tenth, which logs again what the first did; REVOKES of
# blocks elsewhere in the same transactions.  The journal, of the largest size,
# is out of the way.
grow() {	# COPIES REVOKES
	img=$work/grown.$1.$2
	truncate -s 100G "$img"
	mke2fs -q -F -t ext4 -b 4096 -N 1024 -J size=40000,location=60G \
		-E lazy_journal_init=1 "$img" >/dev/null || return 1
	[ "$1" = 0 ] && return
	"$MKJOURNAL" "$img" <<-END || return 1
		bulk $(($1 / 1000)) tags 1000 from 2000000 \
			mod $(($1 * 9 / 10)) \
			revokes $(($2 * 1000 / $1)) from 14000000
	END
	check_grown "$1"
}

check_grown() {	# COPIES
	grown_live=$("$E2LAZY" dump --raw --no-headings --columns FSBLK \
		     "$img" | wc -l)
	[ "$grown_live $(counted "$img" logged)" = "$(($1 * 9 / 10)) $1" ] ||
		{ fail "$1 copies: $grown_live live"; return 1; }
	theirs=$(debugfs -c -R 'logdump -a' "$img" 2>/dev/null |
		 grep -c 'logged at journal block')
	[ "$theirs" = "$1" ] || { fail "$1 copies, to logdump $theirs"; return 1; }
}

# COPIES:REVOKES of each log, the second the one whose tags others are set
# beside.
sizes() {
	largest=$((10000000 / scale))
	for size in 10000 100000 1000000 10000000; do
		[ $size -gt $largest ] || echo $size:0
	done
	echo $((largest / 10)):$((largest / 10))
}

growth() {
	grow 0 0 || { fail "no empty log"; return; }
	set -- "info:$img"
	for size in $(sizes); do
		grow "${size%:*}" "${size#*:}" ||
			{ fail "no log of $size"; return; }
		set -- "$@" "logdump:$img" "info:$img"
	done
	measure_each "$@" || return
	note "Made logs, not the kernel's, a tenth of their copies" \
		"superseded; one has as many revokes as copies. A tag's time" \
		"is without that of an empty log. Of each as many are live" \
		"as were made so, and logdump lists as many copies."
	print_beside
	print_growth
	rm -f "$work"/grown.*
	echo
}

of_size() {	# COPIES:REVOKES
	case $1 in
	*:0)	echo "${1%:*} copies" ;;
	*)	echo "${1%:*} copies, ${1#*:} revokes" ;;
	esac
}

print_beside() {
	n=0
	for size in $(sizes); do
		n=$((n + 2))
		table "$(of_size "$size")" seconds "$(of_size "$size")"
		base_time $n "$logdump"
		line_time $((n + 1)) 'e2lazy info'
	done
}

# The empty log is the first command, and each of the others has two.
print_growth() {
	result 1
	empty=$seconds
	result 5
	table made ns 'e2lazy info, for each tag and revoke'
	again 'of 100000 copies' "$(each 100000)"
	n=1
	for size in $(sizes); do
		n=$((n + 2))
		result $n
		line "e2lazy info, each of $(of_size "$size")" \
			"$(each $((${size%:*} + ${size#*:})))"
	done
}

# Nanoseconds for each of N, of what $seconds has more than an empty log.
each() {
	awk -v s="$seconds" -v e="$empty" -v n="$1" \
		'BEGIN { printf "%.1f", (s - e) * 1e9 / n }'
}
