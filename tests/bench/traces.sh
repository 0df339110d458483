# SPDX-License-Identifier: GPL-2.0-only
#
# For run: trace record on a loop device as fast as it answers, and paced; trace
# import, trace show and simulate of a million requests, and of twice as many.

measure_issue() {	# COUNT
	took=$("$REQUESTS" issue "$loop" "$1") && echo "$took 0 0 0 0"
}
measure_recorded() {	# COUNT
	record_reads "$1" && echo "$(cat "$work/issued") 0 0 0 0"
}
measure_import() { "$MEASURE" "$E2LAZY" trace import -q -o "$1.imported" "$1"; }
measure_show() { "$MEASURE" "$E2LAZY" trace show -q "$1"; }
measure_simulate() {
	"$MEASURE" "$E2LAZY" simulate -q --fast --drive ST8000AS0002 "$1"
}
measure_walk() { took=$("$REQUESTS" walk "$1") && echo "$took 0 0 0 0"; }
measure_lines() { took=$("$REQUESTS" lines "$1") && echo "$took 0 0 0 0"; }

# ---------------------------------------------------------------- record

# The kernel counts the reads before, in and behind the recording: others may read
# the device as well.
record_reads() {	# COUNT [RATE]
	stat=/sys/block/${loop##*/}/stat
	cat "$stat" >"$work/outer"
	"$E2LAZY" trace record -q --json -o "$work/recorded" "$loop" -- \
		sh -c "cat $stat >'$work/inner' &&
			'$REQUESTS' issue '$loop' $1 $2 >'$work/issued' &&
			cat $stat >>'$work/inner'" \
		>"$work/said" 2>"$work/why" ||
		{ fail "trace record: $(tail -n 1 "$work/why")"; return 1; }
	cat "$stat" >>"$work/outer"
	least=$(reads_between "$work/inner")
	most=$(reads_between "$work/outer")
	found=$("$E2LAZY" trace show -q --by-mark --raw --no-headings \
		--columns CLASS,REQUESTS "$work/recorded" |
		sed -n 's/^data_read //p')
	[ "$least" -ge "$1" ] && [ "$found" -ge "$least" ] &&
	[ "$found" -le "$most" ] && grep -q '"lost":0,' "$work/said" ||
		{ fail "of $least to $most reads, the trace has $found"
		  return 1; }
}

reads_between() { awk '{ n[NR] = $1 } END { print n[2] - n[1] }' "$1"; }

recording() {
	why=$(why_not_kernel)
	[ -n "$why" ] || why=$(why_not_record)
	[ -z "$why" ] || { left_out 'trace record' "$why"; return; }
	truncate -s 1G "$work/reads.img"
	attach "$work/reads.img" || { fail "no loop device"; return; }
	count=$((1000000 / scale))
	measure_each "issue:$count" "recorded:$count" && paced && print_record
	release
	rm -f "$work/reads.img" "$work/recorded"
	echo
}

# Besides this program, only the kernel has to have tracefs and its events.
why_not_record() {
	truncate -s 1M "$work/reads.img"
	attach "$work/reads.img" || { echo "needs loop devices"; return; }
	"$E2LAZY" trace record -q -o "$work/recorded" "$loop" -- true \
		>/dev/null 2>"$work/why" ||
		grep -q 'no file system' "$work/why" || tail -n 1 "$work/why"
	release
}

# Sets $paced: so many, at 50,000 a second.
paced() {
	paced=$((50000 * 60 / scale))
	record_reads $paced 50000 && paced_took=$(cat "$work/issued")
}

per_second() { awk -v n="$1" -v s="$2" 'BEGIN { printf "%.0f", n / s }'; }

print_record() {
	note "Of $count direct reads of 4 KiB from a loop device, as fast as" \
		"it answers, and of $paced at 50000 a second, the traces have" \
		"all, and the kernel dropped none."
	table 'a loop device' 'a second' 'reads of 4 KiB'
	result 1
	base 'reads, unrecorded' "$(per_second $count "$seconds")"
	result 2
	line 'reads that e2lazy trace record records' \
		"$(per_second $count "$seconds")"
	base 'reads to be issued, for a minute' 50000
	line 'reads paced so, and recorded' \
		"$(per_second $paced "$paced_took")"
}

# ------------------------------------------- import, show and simulate

# What Postmark asked of a disk, again and again.
make_requests() {	# COUNT
	"$REQUESTS" trace "$work/postmark" "$1" "$work/requests.$1" &&
	"$REQUESTS" text "$work/requests.$1" >"$work/text.$1"
}

classes() {	# TRACE
	"$E2LAZY" trace show -q --by-mark --raw --no-headings \
		--columns CLASS,REQUESTS,BYTES "$1"
}

# awk counts the lines by the kernel's letters as the programs should.
check_requests() {	# COUNT
	"$E2LAZY" trace import -q -o "$work/imported" "$work/text.$1" \
		>/dev/null &&
	awk '{
		class = $7 ~ /^FF/ ? "flush" : $7 ~ /M/ ? "metadata" : "data"
		class = class ($7 ~ /^W/ ? "_write" : $7 ~ /^R/ ? "_read" : "")
		n[class]++
		bytes[class] += $10 * 512
	}
	END { for (c in n) printf "%s %d %.0f\n", c, n[c], bytes[c] }' \
		"$work/text.$1" | sort >"$work/counted" &&
	classes "$work/imported" | awk '$2' | sort >"$work/shown" &&
	cmp -s "$work/counted" "$work/shown" &&
	classes "$work/requests.$1" | awk '$2' | sort |
		cmp -s - "$work/counted" &&
	[ "$("$E2LAZY" simulate -q --fast --drive ST8000AS0002 --raw \
	     --no-headings --columns REQUESTS "$work/requests.$1")" = "$1" ] ||
		{ fail "$1 requests are others to a program"; return 1; }
}

replaying() {
	command -v xz >/dev/null ||
		{ left_out 'a million requests' 'needs xz'; return; }
	xz -dc "$FIXTURES/traces/postmark-400g.xz" >"$work/postmark" ||
		{ fail "no trace of Postmark"; return; }
	one=$((1000000 / scale))
	two=$((one * 2))
	for n in $one $two; do
		make_requests $n && check_requests $n || return
	done
	measure_each "lines:$work/text.$one" "import:$work/text.$one" \
		"walk:$work/requests.$one" "show:$work/requests.$one" \
		"simulate:$work/requests.$one" "import:$work/text.$two" \
		"show:$work/requests.$two" "simulate:$work/requests.$two" ||
		return
	note "$one and $two requests of Postmark: trace import, trace show and" \
		"simulate have as many as awk counts in the text."
	print_requests
	print_twice
	rm -f "$work"/text.* "$work"/requests.*
	echo
}

# Nanoseconds for each of N, of the command's median.
each_of() {	# COMMAND N
	result "$1"
	awk -v s="$seconds" -v n="$2" 'BEGIN { printf "%.1f", s * 1e9 / n }'
}

print_requests() {
	table "$one requests" ns 'each request'
	base 'a million a second' 1000
	line 'e2lazy trace import' "$(each_of 2 $one)" 1.00
	line 'e2lazy trace show' "$(each_of 4 $one)" 1.00
	line 'e2lazy simulate --fast' "$(each_of 5 $one)" 1.00
	base 'lines read, and nothing done' "$(each_of 1 $one)"
	line 'e2lazy trace import' "$(each_of 2 $one)"
	base 'requests read, and nothing done' "$(each_of 3 $one)"
	line 'e2lazy trace show' "$(each_of 4 $one)"
	line 'e2lazy simulate --fast' "$(each_of 5 $one)"
}

print_twice() {
	table "$two requests" ns 'each request of twice as many'
	again "e2lazy trace import, of $one" "$(each_of 2 $one)"
	line 'e2lazy trace import' "$(each_of 6 $two)" 1.10
	again "e2lazy trace show, of $one" "$(each_of 4 $one)"
	line 'e2lazy trace show' "$(each_of 7 $two)" 1.10
	again "e2lazy simulate --fast, of $one" "$(each_of 5 $one)"
	line 'e2lazy simulate --fast' "$(each_of 8 $two)" 1.10
}

traces() {
	recording
	replaying
}
