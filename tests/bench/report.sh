# SPDX-License-Identifier: GPL-2.0-only
#
# For run: the report, one Markdown table of all printed rows, with the machine
# and the versions.

# What is asked for can be done: better now than after an hour.
usable() {
	for section in $sections; do
		case $section in
		kernel_made|write_back|relog|through_the_view|growth|forms) ;;
		ring) ;;
		kernel_made_dense|kernel_made_sparse) ;;
		write_back_dense|write_back_sparse) ;;
		relog_dense|relog_sparse) ;;
		traces|overhead|changes) ;;
		*) fail "$section: no such section"; return 1 ;;
		esac
	done
	case $scale$rounds in
	*[!0-9]*) fail "BENCH_SCALE and BENCH_ROUNDS: numbers"; return 1 ;;
	esac
	[ "$scale" -ge 1 ] && [ "$scale" -le 100 ] && [ "$rounds" -ge 1 ] ||
		{ fail "BENCH_SCALE: 1 to 100, BENCH_ROUNDS: from 1"; return 1; }
	[ -z "$REPORT" ] || [ -w "$(dirname "$REPORT")" ] ||
		{ fail "$REPORT: cannot be written"; return 1; }
}

load() { cut -d' ' -f1-3 /proc/loadavg; }

begin_report() {
	: >"$work/rows"
	: >"$work/notes"
	load_before=$(load)
	began=$(date -u '+%Y-%m-%d %H:%M')
}

# Whole or not at all.
write_report() {
	[ -n "$REPORT" ] || return 0
	if report >"$REPORT.$$" && mv "$REPORT.$$" "$REPORT"; then
		echo "Written: $REPORT"
	else
		rm -f "$REPORT.$$"
		fail "$REPORT: not written"
	fi
}

report() {
	report_head
	echo
	report_machine
	echo
	report_table
	echo
	echo "Checked before it was timed, and left out:"
	echo
	sed 's/^/- /' "$work/notes"
}

report_head() {
	cat <<-END
		# What e2lazy takes, beside others

		Written by one command, as root, in an hour or so:

		    make bench REPORT=doc/benchmarks.md

		Times are medians of $rounds rounds in one run, in which all
		commands have their turn; memory is the most of any round. A
		ratio is to what stands under *beside*; the goal is the ratio
		to be kept under. The page cache is warm but for what is
		called cold and for all that writes back. *Directly* is with
		direct I/O, one request at a time: what the disk asks for the
		same bytes, which several requests at once may undercut.

		debugfs, e2fsck and jls, and the loop device that is mounted,
		go through the page cache, as they do by themselves; e2lazyck
		reads copies and writes blocks past it. logdump lists every
		copy, dump those that are live, info counts. jls has rounds of
		its own, for it fills the memory.
	END
	[ "$scale" = 1 ] || printf '\n%s\n' "**Logs were $scale times smaller\
 than usual: these figures try the bench, and say nothing of e2lazy.**"
	[ "$sections" = "$everything" ] ||
		printf '\nOnly these sections were run: %s.\n' "$sections"
}

report_machine() {
	cat <<-END
		- when: $began UTC, load average $load_before at the beginning
		  and $(load) at the end
		- processor: $(processor)
		- memory: $(awk '/^MemTotal/ { printf "%.1f GiB", $2 / 1048576 }' \
				/proc/meminfo)
		- disk: $(disk)
		- kernel: $(uname -srm)
		- e2lazy: $(described)
		- e2fsprogs: $(debugfs -V 2>&1 | head -n 1)
		- sleuthkit: $(jls -V 2>/dev/null || echo 'not installed')
		- compiler: $(${CC:-cc} --version | head -n 1)
	END
}

processor() {
	model=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo |
		head -n 1)
	echo "${model:-$(uname -m)}, $(getconf _NPROCESSORS_ONLN) processors"
}

# As far as the system knows: in a virtual machine that is not far.
disk() {
	df --output=source,fstype "${BENCH_DIR:-$work}" | tail -n 1 |
	while read -r device type; do
		echo "images on $type on $device" \
			"$(lsblk -dno SIZE,MODEL "$device" 2>/dev/null | xargs)"
	done
}

described() {
	version=$("$E2LAZY" --version | head -n 1)
	commit=$(git -C "$SRCDIR" describe --tags --always --dirty \
		 2>/dev/null) || commit='no git'
	echo "$version ($commit)"
}

# A command up to the first comma is set as one; seconds need no millionths.
report_table() {
	awk -F '\t' '
	function code(text,   rest, comma) {
		if (text !~ /^(e2lazy|debugfs|e2fsck|mount|jls)/)
			return text
		comma = index(text, ",")
		if (comma) {
			rest = substr(text, comma)
			text = substr(text, 1, comma - 1)
		}
		return "`" text "`" rest
	}
	function figure(value, unit) {
		if (value !~ /^-?[0-9.]+$/)
			return value
		if (unit == "seconds")
			return sprintf(value < 1 ? "%.4f s" : "%.2f s", value)
		return value " " unit
	}
	BEGIN {
		print "| measured | log | takes | ratio | beside | goal |"
		print "|----------|-----|------:|------:|--------|-----:|"
	}
	{
		printf "| %s | %s | %s | %s | %s | %s |\n", code($1), $2,
			figure($3, $4), $5, code($6), $7
	}' "$work/rows"
}
