# SPDX-License-Identifier: GPL-2.0-only
#
# tally.sh - the tally counts each result. Sourced by run.

# tally_of VERDICT TAP-LINES - the tally of one suite `s' is VERDICT: what it
# lists, slashes for ends of line, and its exit status
tally_of()
{
	printf '%s' "$2" | tr / '\n' >s.tap
	"$tests/tally" s.tap >tally.out
	tally_status=$?
	same "$1" "$(tail -n +2 tally.out | tr '\n' /)$tally_status"
}

check "tally: passed tests are counted" tally_of \
	"2 passed, 0 failed, 0 skipped/0" \
	"1..2/ok 1 - a/ok 2 - b/# exit status 0/"
check "tally: the plan may come last, as check prints it" tally_of \
	"2 passed, 0 failed, 0 skipped/0" \
	"ok 1 - f.c:s:a: Passed/ok 2 - f.c:s:b: Passed/1..2/# exit status 0/"
check "tally: a failed test is listed with its reason, and fails the run" tally_of \
	"failed: s: b/    # why/1 passed, 1 failed, 0 skipped/1" \
	"1..2/ok 1 - a/not ok 2 - b/# why/# exit status 1/"
check "tally: a failed test is one even if marked as skipped" tally_of \
	"failed: s: b/1 passed, 1 failed, 0 skipped/1" \
	"1..2/ok 1 - a/not ok 2 - b # SKIP x/# exit status 0/"
check "tally: a skipped test is listed with its reason" tally_of \
	"skipped: s: b (no root)/1 passed, 0 failed, 1 skipped/0" \
	"1..2/ok 1 - a/ok 2 - b # SKIP no root/# exit status 0/"
check "tally: a skip without a reason is said to be one" tally_of \
	"skipped: s: a (no reason given)/0 passed, 0 failed, 1 skipped/0" \
	"1..1/ok 1 - a # skip/# exit status 0/"
check "tally: a unit test that says so is skipped" tally_of \
	"skipped: s: b_c (no: root)/1 passed, 0 failed, 1 skipped/0" \
	"1..2/# skipped b_c: no: root/ok 1 - f.c:s:b_c: Passed/ok 2 - f.c:s:b: Passed/# exit status 0/"
check "tally: a loop of unit tests is skipped as often as it says" tally_of \
	"skipped: s: b (x)/1 passed, 0 failed, 1 skipped/0" \
	"1..2/# skipped b: x/ok 1 - f.c:s:b: Passed/ok 2 - f.c:s:b: Passed/# exit status 0/"
check "tally: a unit test that fails is none that is skipped" tally_of \
	"failed: s: f.c:s:b: why/0 passed, 1 failed, 0 skipped/1" \
	"1..1/# skipped b: x/not ok 1 - f.c:s:b: why/# exit status 1/"
check "tally: a skipped unit test without a result is a failure" tally_of \
	"failed: s: c: skipped, but has no result/1 passed, 1 failed, 0 skipped/1" \
	"1..1/# skipped c: x/ok 1 - f.c:s:b: Passed/# exit status 0/"
check "tally: a suite skipped whole counts once" tally_of \
	"skipped: s: (no check)/0 passed, 0 failed, 1 skipped/0" \
	"1..0 # SKIP no check/# exit status 0/"
check "tally: an empty suite is a failure" tally_of \
	"failed: s: no tests/0 passed, 1 failed, 0 skipped/1" \
	"1..0/# exit status 0/"
check "tally: fewer results than planned are a failure" tally_of \
	"failed: s: 1 results, but 3 planned/1 passed, 1 failed, 0 skipped/1" \
	"1..3/ok 1 - a/# exit status 0/"
check "tally: more results than planned are a failure" tally_of \
	"failed: s: 2 results, but 1 planned/2 passed, 1 failed, 0 skipped/1" \
	"1..1/ok 1 - a/ok 2 - b/# exit status 0/"
check "tally: a missing plan is a failure" tally_of \
	"failed: s: no plan, 1 results/1 passed, 1 failed, 0 skipped/1" \
	"ok 1 - a/# exit status 0/"
check "tally: two plans are a failure" tally_of \
	"failed: s: 2 plans/1 passed, 1 failed, 0 skipped/1" \
	"1..1/ok 1 - a/1..1/# exit status 0/"
check "tally: a suite that died after its last test is a failure" tally_of \
	"failed: s: died, exit status 139/1 passed, 1 failed, 0 skipped/1" \
	"1..1/ok 1 - a/# exit status 139/"
check "tally: a report without an exit status is a failure" tally_of \
	"failed: s: no exit status: the run was cut off/1 passed, 1 failed, 0 skipped/1" \
	"1..1/ok 1 - a/"
check "tally: an exit status counts on the last line only" tally_of \
	"failed: s: no exit status: the run was cut off/1 passed, 1 failed, 0 skipped/1" \
	"1..1/# exit status 0/ok 1 - a/"
check "tally: bailing out is a failure" tally_of \
	"failed: s: Bail out! no disk/failed: s: 0 results, but 1 planned/0 passed, 2 failed, 0 skipped/1" \
	"1..1/Bail out! no disk/# exit status 0/"
check "tally: words that only look like results do not count" tally_of \
	"1 passed, 0 failed, 0 skipped/0" \
	"1..1/okay/# ok 7/ ok 2/ok 1 - not ok 3/# exit status 0/"

check "tally: names the seconds of a suite, and its share" tally_of \
	"seconds: s 412 (100%)/1 passed, 0 failed, 0 skipped/0" \
	"1..1/ok 1 - a/# suite s: 412 s/# exit status 0/"
check "tally: a test that prints such words sets no time" tally_of \
	"1 passed, 0 failed, 0 skipped/0" \
	"1..1/ok 1 - a/# # suite s: 412 s/# suite s took: 4 s/# exit status 0/"

tally_of_missing_file()
{
	rm -f none.tap
	same "failed: none: no report: none.tap
0 passed, 1 failed, 0 skipped" \
		"$("$tests/tally" none.tap | tail -n +2)"
}
check "tally: a missing report is a failure" tally_of_missing_file

tally_of_several()
{
	printf '1..1\nok 1 - a\n# exit status 0\n' >one.tap
	printf '1..2\nok 1 # SKIP x\nnot ok 2 - b\n# exit status 1\n' >two.tap
	same "skipped: two: (x)
failed: two: b
1 passed, 1 failed, 1 skipped" \
		"$("$tests/tally" one.tap two.tap | tail -n +2)"
}
tally_of_times()
{
	printf '1..1\nok 1 - a\n# suite one: 6 s\n# exit status 0\n' >one.tap
	printf '1..1\nok 1 - a\n# suite two: 2 s\n# exit status 0\n' >two.tap
	printf '1..1\nok 1 - a\n# suite three: 0 s\n# exit status 0\n' >three.tap
	same "seconds: one 6 (75%), two 2 (25%), three 0 (0%)
3 passed, 0 failed, 0 skipped" \
		"$("$tests/tally" one.tap two.tap three.tap | tail -n +2)"
}
check "tally: the seconds and shares of several suites are in one line" tally_of_times
check "tally: several suites are added up" tally_of_several

tally_of_nothing()
{
	! "$tests/tally" && same "0 passed, 1 failed, 0 skipped" \
		"$("$tests/tally" | tail -n 1)"
}
check "tally: no suite at all is a failure" tally_of_nothing
