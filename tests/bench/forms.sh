# SPDX-License-Identifier: GPL-2.0-only
#
# For run: the forms of a listing, and Python, on a made log of a million copies.

measure_csv() { "$MEASURE" "$E2LAZY" dump --csv "$1"; }
measure_lines() { "$MEASURE" "$E2LAZY" dump --json-lines "$1"; }
measure_json() { "$MEASURE" "$E2LAZY" dump --json "$1"; }
# with_module COMMAND... - run it with the module
with_module() {
	PYTHONPATH=$BUILDDIR/lib/python LD_LIBRARY_PATH=$BUILDDIR/lib "$@"
}
measure_mappings() {
	with_module "$MEASURE" python3 "$work/mappings.py" "$1"
}

# Why there is none of Python, or nothing.
why_no_python() {
	[ -e "$BUILDDIR/lib/python/e2lazy/_e2lazy.abi3.so" ] ||
		echo "built without Python's header"
}

# Each form has as many rows as the text.
check_forms() {	# IMAGE ROWS
	for form in csv json-lines; do
		have=$("$E2LAZY" dump --$form "$1" | wc -l)
		[ "$have" = $(($2 + 1)) ] ||
			{ fail "dump --$form: $have lines"; return 1; }
	done
	[ -n "$without_python" ] && return
	have=$(with_module python3 "$work/mappings.py" "$1")
	[ "$have" = "$2" ] || { fail "Python: $have mappings"; return 1; }
}

forms() {
	without_python=$(why_no_python)
	grow $((1000000 / scale)) 0 || { fail "no log for the forms"; return; }
	cat >"$work/mappings.py" <<-END
		import sys
		import e2lazy
		with e2lazy.open(sys.argv[1]) as journal:
		    print(len(journal.map().mappings()))
	END
	check_forms "$img" $((900000 / scale)) || return
	set -- "dump:$img" "csv:$img" "lines:$img" "json:$img"
	[ -n "$without_python" ] || set -- "$@" "mappings:$img"
	measure_each "$@" || return
	note "The forms of a listing: the same rows, to /dev/null. Python has" \
		"them as a list of tuples."
	table "$((1000000 / scale)) copies" seconds "forms of a listing"
	base_time 1 'e2lazy dump --raw'
	line_time 2 'e2lazy dump --csv'
	line_time 3 'e2lazy dump --json-lines' 2
	line_time 4 'e2lazy dump --json'
	if [ -n "$without_python" ]; then
		left_out "Python's mappings" "$without_python"
	else
		line_time 5 "Python's Map.mappings()" 10
	fi
	rm -f "$work"/grown.*
	echo
}
