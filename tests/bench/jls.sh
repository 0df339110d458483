# SPDX-License-Identifier: GPL-2.0-only
#
# For run: The Sleuth Kit's jls, where it is installed.  It lists every block
# of the journal, and holds the journal in memory.

# Seconds after which one round has to do.
PATIENCE=120

# It knows no tags but those without checksums and of 32 bits.
check_jls() {
	img=$work/plain.img
	rm -f "$img"
	truncate -s 256M "$img"
	mke2fs -q -F -t ext4 -b 4096 -O ^64bit,^metadata_csum -J size=64 \
		"$img" >/dev/null &&
	"$MKJOURNAL" "$img" <<-END || return 1
		bulk 10 tags 500 from 20000 mod 4000
	END
	jls "$img" | jls_copies >"$work/jls.copies"
	"$E2LAZY" dump --all --raw --no-headings --columns FSBLK,LOGBLK \
		"$img" | sort >"$work/plain.copies"
	rm -f "$img"
	[ -s "$work/jls.copies" ] &&
	cmp -s "$work/jls.copies" "$work/plain.copies"
}

# Of jls's list, FSBLK LOGBLK of what it takes for copies of the log.
jls_copies() {
	sed -n 's/^\([0-9]*\):[[:space:]]Allocated FS Block \([0-9]*\)$/\2 \1/p' |
		sort
}

# Prints why jls cannot be measured, or nothing.
why_not_jls() {	# IMAGE
	command -v jls >/dev/null || { echo 'not installed'; return; }
	needs=$(dumpe2fs -h "$1" 2>/dev/null |
		awk '/^Total journal blocks:/ { print $NF * 4 }')
	has=$(awk '/^MemAvailable/ { print $2 }' /proc/meminfo)
	[ "${needs:-0}" -lt $((has - has / 16)) ] ||
		echo "needs $((needs >> 20)) GiB"
}

# The warm cache that others are measured from does not outlive it: it has
# rounds of its own, and the time of e2lazy dump is told to it.
beside_jls() {	# NAME SECONDS
	why=$(why_not_jls "$image")
	[ -z "$why" ] || {
		table "$1" seconds 'beside jls'
		alone jls "$why"
		return
	}
	check_jls ||
		{ fail "e2lazy and jls differ on a log that jls knows"; return; }
	took=$("$MEASURE" -o "$work/jls" jls "$image")
	note_jls "$1"
	all_rounds=$rounds
	if [ "${took%%.*}" -ge $PATIENCE ]; then
		rounds=1
		note "jls was measured once only, for it took longer than" \
			"$PATIENCE s."
	fi
	measure_each -cold "jls:$image"
	rounds=$all_rounds
	[ -f "$work/took.1" ] || return
	table "$1" seconds 'beside jls'
	base_time 1 jls
	line 'e2lazy dump --raw' "$2"
}

note_jls() {	# NAME
	jls_copies <"$work/jls" >"$work/jls.copies"
	note "jls on the $1 log: of $tags copies it names" \
		"$(wc -l <"$work/jls.copies"), of these" \
		"$(comm -12 "$work/jls.copies" "$work/theirs.copies" | wc -l)" \
		"as logdump and e2lazy do. It steps over tags with checksums" \
		"and of 64 bits as if they were shorter; on a log without" \
		"either its list is e2lazy's, copy by copy."
	rm -f "$work/jls"
}
