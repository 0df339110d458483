# SPDX-License-Identifier: GPL-2.0-only
#
# runner.sh - `suite' and `cli/run' report each result. Sourced by run.

# suite_says EXPECTED COMMAND... - the report kept of a suite, empty lines out
suite_says()
{
	suite_expected=$1
	shift
	"$tests/suite" x "$@" >suite.out &&
	same "$suite_expected" \
		"$(sed -n -e '/^# processors: [0-9]* s$/d' -e '/./!d' \
			-e 's/^# suite x: [0-9]* s$/# its time/p;t' -e p x.tap)"
}

check "suite: keeps the report and the exit status" suite_says "1..1
ok 1
# its time
# exit status 3" sh -c 'echo 1..1; echo ok 1; exit 3'
check "suite: tells of a death by signal" suite_says "ok 1
# its time
# exit status 137" sh -c 'echo ok 1; kill -9 $$'
check "suite: half a line is no part of the exit status" suite_says "ok
# its time
# exit status 0" printf ok
check "suite: tells of a command that cannot be run" suite_says \
	"# its time
# exit status 127" ./no-such-command

busy_for_a_while()
{
	"$tests/suite" busy sh -c 'until times >busy.times &&
		grep -q 0m[1-9] busy.times; do :; done' >suite.out
	busy=$(sed -n 's/^# processors: \([0-9]*\) s$/\1/p' busy.tap)
	echo "$busy s"
	[ "$busy" -ge 1 ] && [ "$busy" -le 30 ]
}
check "suite: tells how long processors worked for it" busy_for_a_while

suite_leaves_nothing()
{
	mkdir tmp &&
	TMPDIR=$work/tmp "$tests/suite" x sh -c 'mktemp -d; kill -9 $$' &&
	grep -q "^$work/tmp/" x.tap &&
	same "" "$(ls -A tmp)"
}
check "suite: what a dead suite left in TMPDIR is removed" suite_leaves_nothing

# A few black-box tests of every outcome, next to a copy of the runner.
mkdir cli
cp "$tests/cli/run" "$tests/cli/sentences.sed" cli
new_case()
{
	mkdir "cli/$1"
	printf '%s\n' "$2" >"cli/$1/script"
	[ $# -lt 3 ] || printf '%s\n' "$3" >"cli/$1/expect"
}
new_case same 'echo out; echo err >&2' 'out
err'
new_case differs 'echo printed' 'expected'
new_case dies 'echo printed; exit 3' 'printed'
new_case skips 'echo one; echo no loop device; exit 77' ''
new_case bare 'echo printed'
new_case headings 'for i in 1 2; do printf "FSBLK TID TYPE\n1 2\n"; done' \
	'FSBLK TID TYPE
1 2
[heading]
1 2'
new_case sentence 'echo img: the log is empty; echo the log is empty now' \
	'img: [empty]
the log is empty now'
new_case alone 'ls -A; touch litter; cat' ''
printf '' >cli/alone/expect

cli_says()
{
	cli_expected=$1
	shift
	same "$cli_expected" "$(cli/run "$@" 2>/dev/null; echo $?)"
}

check "cli/run: passes what prints as expected, stderr included" cli_says \
	"ok 1 - same
1..1
0" same
check "cli/run: shows the difference" cli_says "not ok 1 - differs
# --- expected
# +++ printed
# @@ -1 +1 @@
# -expected
# +printed
1..1
1" differs
check "cli/run: a sentence has its name, and no other sentence has it" cli_says \
	"ok 1 - sentence
1..1
0" sentence
check "cli/run: a heading stands once" cli_says \
	"ok 1 - headings
1..1
0" headings
check "cli/run: fails a script that fails" cli_says "not ok 1 - dies
# the script ended with exit status 3 after printing
# printed
1..1
1" dies
check "cli/run: gives the last line as a skip's reason" cli_says \
	"ok 1 - skips # SKIP no loop device
1..1
0" skips
check "cli/run: fails a test without an expect file" cli_says "not ok 1 - bare
# there is no file bare/expect
1..1
1" bare
check "cli/run: fails a name that is no test" cli_says "not ok 1 - nonsense
# there is no file nonsense/script
1..1
1" nonsense
check "cli/run: gives each script an empty directory and no input" cli_says \
	"ok 1 - alone
ok 2 - alone
1..2
0" alone alone
cli_all()
{
	same "$(cd cli && ls -d */ | tr -d /)" \
		"$(cli/run | sed -n 's/.*ok [0-9]* - \([a-z]*\).*/\1/p')"
}
check "cli/run: runs every test when none is named" cli_all
cli_update()
{
	cli/run --update differs bare && cli/run differs bare
}
check "cli/run: --update takes what is printed" cli_update

# The tests of tests/cli that need a terminal, by what their scripts call.
terminal_tests=$(cd "$tests/cli" &&
	grep -lE '^[^#]*(answer .* -- |script -q)' */script | sed 's|/script||')

# A test that does not ask would fail on such a machine, and not skip.
terminal_unasked()
{
	same "" "$(cd "$tests/cli" && for name in $terminal_tests; do
		grep -q '^needs_terminal' "$name/script" || echo "$name"
	done)"
}
check "cli: each test that needs a terminal says so" terminal_unasked
check "cli: that list is not empty" test "$terminal_tests"

# Root needs no namespace of users, which a process in a chroot cannot have.
own_mounts="unshare --mount --propagation private"
[ "$(id -u)" -eq 0 ] || own_mounts="unshare --map-root-user --mount"
# no_terminals COMMAND... - with a /dev/ptmx that opens no pseudo-terminal
no_terminals()
{
	$own_mounts sh -c \
		'mount --bind /dev/null /dev/ptmx && exec "$@"' - "$@"
}
skipped_without_terminals()
{
	same "$(printf '%s # SKIP no pseudo-terminal\n' $terminal_tests)" \
		"$(no_terminals sh "$tests/cli/run" $terminal_tests |
			sed -n 's/^.*ok [0-9]* - //p')"
}
if no_terminals true 2>/dev/null; then
	check "cli: without pseudo-terminals these tests skip, by name" \
		skipped_without_terminals
else
	skip "cli: without pseudo-terminals" "no mount namespace"
fi

# A skip comes from a fact that the programs under test do not share: neither they
# nor an image or a source of the test decide about it.
mkdir no-python
for program in grep mkdir; do
	ln -s "$(command -v $program)" no-python/$program
done
says_why_skipped()
{
	PATH=$work/no-python CC=no-such-compiler E2LAZY=/dev/null /bin/sh -c '
		. "$SRCDIR/tests/cli/lib.sh"
		$1' - "$1"
}
check "cli: without python3 no kernel is blamed for confinement" same \
	"no python3 to ask the kernel for Landlock" \
	"$(says_why_skipped needs_confinement)"
check "cli: a compiler that makes no program is none" same "no compiler" \
	"$(says_why_skipped needs_compiler)"
programs='(e2lazy|e2lazyck|mke2lazy|debuglazy|mkjournal)'
decides_itself()
{
	cat "$tests"/cli/*/script "$tests"/cli/*.sh |
		grep -E "(\<$programs\>|CC |mount .*(ro|loop)).*[|][|] *skip\>" |
		grep -v -e 'ext4.mnt' -e 'compiled.c'
}
check "cli: no program under test, and no image of it, decides about a skip" \
	same "" "$(decides_itself)"
