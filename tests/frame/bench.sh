# SPDX-License-Identifier: GPL-2.0-only
#
# bench.sh - the bench runs, and its checks pass. Small logs, one round, no
# judgement of times. Sourced by run.

# small_bench REPORT SECTION...
small_bench()
{
	to=$1
	shift
	REPORT=$to BENCH_DIR='' BENCH_SCALE=100 BENCH_ROUNDS=1 TMPDIR=$work \
		"$tests/bench/run" "$@"
}

# Whatever the section measured is in the report's table.
reported()
{
	grep -q "^| \`e2lazy info\` | $1 |" "$work/report.md" &&
	grep -q "$2" "$work/report.md"
}

check "bench: the checks pass, and the report is written" \
	small_bench "$work/report.md"
check "bench: the report has made logs" \
	reported '10000 copies' 'each of 100000 copies'

check "bench: the report has the forms of a listing" grep -q \
	'^| `e2lazy dump --json-lines` | 10000 copies | .*`e2lazy dump --raw`' \
	"$work/report.md"

no_kernel=$(sed -n "s/^- Left out: the kernel's dense log: \(.*\)\.$/\1/p" \
	"$work/report.md" 2>/dev/null)
for log in dense sparse; do
	name="bench: the report has the kernel's $log log, written back too"
	if [ -n "$no_kernel" ]; then
		skip "$name" "$no_kernel"
	else
		check "$name" reported $log \
			"^| \`e2lazyck -y --checkpoint\` | $log |.*\`mount"
	fi
done

# row_of PATTERN NAME LEFT-OUT - or the report says why there is none
row_of()
{
	why=$(sed -n "s/^- Left out: $3: \(.*\)\.$/\1/p" "$work/report.md" \
	      2>/dev/null | head -n 1)
	if [ -n "$why" ]; then
		skip "$2" "$why"
	else
		check "$2" grep -q "^| $1 |" "$work/report.md"
	fi
}
row_of 'reads paced so, and recorded | a loop device' \
	'bench: the report has a recorded trace' 'trace record'
row_of '`e2lazy simulate --fast` | 20000 requests' \
	'bench: the report has traces shown and simulated' 'a million requests'
row_of "clean, noatime: .* without | a journal | .* Ts'o, 2009" \
	"bench: the report has a journal's part of the writes" \
	'git clone and make'
row_of "pass total, e2lazy view.* | an eighth of dense | .*Ts'o: pass total.*" \
	"bench: the report has e2fsck's passes" 'e2fsck through a view'

# Something that agrees with nobody.
bench_refuses()
{
	E2LAZY=true small_bench "$work/none.md" growth
	[ $? -eq 1 ] && [ ! -e "$work/none.md" ]
}
check "bench: a check that fails leaves no report" bench_refuses

bench_knows()
{
	small_bench '' nonsense
	[ $? -eq 2 ]
}
check "bench: a section that there is not is an error of usage" bench_knows

bench_looks_ahead()
{
	small_bench "$work/none/report.md" growth
	[ $? -eq 2 ]
}
check "bench: a report that cannot be written is refused at once" \
	bench_looks_ahead

# Does the disk read when FILE is read?
uncached()
{
	python3 -c '
import sys
def read():
    with open("/proc/self/io") as io:
        return dict(line.split(":") for line in io)["read_bytes"]
with open(sys.argv[1], "rb") as file:
    before = read()
    file.read()
    sys.exit(read() == before)' "$1"
}

# In a shell of its own, for cold drops what is below $work.
bench_is_cold()
{
	(BENCH_DIR=$work/kept work=$work/run &&
		. "$tests/bench/timing.sh" && cold) &&
	uncached "$work/run/image" && uncached "$work/kept/image"
}

mkdir "$work/run" "$work/kept"
for image in "$work/run/image" "$work/kept/image"; do
	head -c 1048576 /dev/zero >"$image"
done
sync -f "$work"
dd if="$work/run/image" iflag=nocache count=0 status=none
name="bench: cold is an image in the directory of the run, or one that is kept"
if uncached "$work/run/image"; then
	check "$name" bench_is_cold
else
	skip "$name" "the file system of TMPDIR keeps all files cached"
fi
