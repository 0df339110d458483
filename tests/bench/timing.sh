# SPDX-License-Identifier: GPL-2.0-only
#
# For run: time commands in turn, and prepare their images.

measure_logdump() { "$MEASURE" debugfs -c -R 'logdump -a' "$1"; }
measure_info() { "$MEASURE" "$E2LAZY" info "$1"; }
measure_dump() { "$MEASURE" "$E2LAZY" dump --raw "$1"; }
measure_report() { "$MEASURE" "$E2LAZY" report "$1" -o "$work/report.html"; }
measure_jls() { "$MEASURE" jls "$1"; }

# Nothing of the images is cached, those that BENCH_DIR keeps among them.  To drop
# the caches of the whole machine would wait for a file system whose disk hangs.
cold() {
	sync -f "$work" ${BENCH_DIR:+"$BENCH_DIR"}
	find "$work" ${BENCH_DIR:+"$BENCH_DIR"} -type f \
		-exec dd if={} iflag=nocache count=0 status=none \;
}

measure_cold() {	# COMMAND:IMAGE
	cold
	"measure_${1%%:*}" "${1#*:}"
}

# The same with 16 requests in flight.
measure_flight() {	# LIST:IMAGE
	cold
	took=$("$COPIES" move "${1%%:*}" "${1##*:}" 16) &&
		echo "$took 0 0 0 0"
}

# Without what a process and its list cost: a floor should be one.
measure_floor() {	# read|move|control:LIST:IMAGE
	floor_list=${1#*:}
	cold
	took=$("$COPIES" "${1%%:*}" "${floor_list%%:*}" "${1##*:}") &&
		echo "$took 0 0 0 0"
}

# As $work/control lists the control blocks of copies of $distinct static blocks.
bare_loop() {	# map|rows IMAGE
	took=$("$FLOOR" "$1" "$distinct" "$work/control" "$2" \
		2>&1 >/dev/null) && echo "$took 0 0 0 0"
}
measure_map() { bare_loop map "$1"; }
measure_rows() { bare_loop rows "$1"; }

# The numbers from 1 on that have no divisor in common with N.
coprimes() {	# N
	awk -v n="$1" 'function gcd(a, b) { return b ? gcd(b, a % b) : a }
		BEGIN { do if (gcd(n, ++i) == 1) print i; while (i < n) }'
}

# Run each COMMAND:IMAGE; what it took is then in $work/took.1, .2 and so on.
# Each round begins with another one and takes steps of another length, for a
# disk may be slower or faster behind what came before.
measure_each() {	# [-cold] COMMAND:IMAGE...
	rm -f "$work"/took.*
	first=0
	[ "$1" != -cold ] || { first=1; shift; }
	coprimes $# >"$work/steps"
	for round in $(seq $first "$rounds"); do
		step=$(sed -n "$((round % $(wc -l <"$work/steps") + 1))p" \
			"$work/steps")
		for turn in $(seq $#); do
			n=$(((turn * step + round) % $# + 1))
			eval "job=\${$n}"
			took=$("measure_${job%%:*}" "${job#*:}")
			case $took in
			*' 0') ;;
			*) fail "$job: exit status ${took##* }"; return 1 ;;
			esac
			[ "$round" = 0 ] || echo "$took" >>"$work/took.$n"
		done
	done
}

# The N-th of them: $seconds (median), $peak (largest, KiB), $bytes (read),
# $written (bytes).
result() {	# N
	sort -n "$work/took.$1" >"$work/took"
	middle=$(($(wc -l <"$work/took") / 2 + 1))
	read -r seconds peak bytes written rest <<-END
		$(sed -n ${middle}p "$work/took")
	END
	peak=$(awk '$2 > m { m = $2 } END { print m }' "$work/took")
}

# Sets $image to a log of the kernel's, made unless BENCH_DIR has it.
kernel_log() {	# dense|sparse
	image=${BENCH_DIR:-$work}/$1$([ "$scale" = 1 ] || echo ".$scale").img
	[ -f "$image" ] || make_log "$image" "$1" 1
}

# A PARTth of the usual log.
make_log() {	# IMAGE dense|sparse PART
	why=$(why_not_kernel)
	[ -z "$why" ] || { left_out "the kernel's $2 log" "$why"; return 1; }
	case $2 in
	dense)	dirs=$((100000 / $3 / scale)) ;;
	sparse)	dirs=$((22400 / $3 / scale)) ;;
	esac
	mib=$((10240 / scale))
	[ $mib -ge 256 ] || mib=256
	"$here/make-log" "$FSWORK" "$1" "$2" $dirs $mib 2>"$work/why" && return
	fail "no $2 log of the kernel's: $(tail -n 1 "$work/why")"
	return 1
}
