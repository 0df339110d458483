# SPDX-License-Identifier: GPL-2.0-only
#
# suites.sh - the suites that a command runs, and the packages that it installs
# for them: without a word, the suites without long builds. Sourced by run.

# suites WORD... - suites and reports of make check with these arguments
suites()
{
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u TESTS -u EXTRA_TESTS \
		"$MAKE" -s --no-print-directory -C "$BUILDDIR/tests" \
		--eval='told: ; @echo $(strip $(TESTS)): $(REPORTS)' told "$@"
}
usual="frame unit fixtures cli matrix model adversary fuzz kernel undelete fastcommit"
check "check: runs its twelve suites, and no more unless asked" \
	same "$usual defaults: $usual cli-defaults kernel-defaults\
 undelete-defaults" "$(suites)"
check "check: of the instrumented suite each part has a report" \
	same "instrumented package: sanitized-unit sanitized-cli coverage\
 memcheck-cli memcheck mutants package" \
	"$(suites TESTS="instrumented package")"

# is_gone FILE - of the process with the number in it no more is left than a
# zombie, which somebody else's init may leave
is_gone()
{
	[ -s "$1" ] && ! grep -q '^State:.[^ZX]' "/proc/$(cat "$1")/status"
}

# A command that has a child, one in a process group of its own, and a trap.
cat >long <<'END'
trap 'echo cleaned >long.cleaned; exit 3' TERM
sleep 60 &
echo $! >long.child
timeout 60 sh -c 'echo $$ >long.group; exec sleep 60' &
until [ -s long.group ]; do sleep 0.05; done
echo "ok 1 - begun"
: >long.begun
wait
END
a_signal_ends_all()
{
	rm -f long.*
	"$tests/suite" long sh long >/dev/null &
	suite=$!
	for try in $(seq 200); do
		[ ! -e long.begun ] || break
		sleep 0.05
	done
	kill -s "$1" $suite
	wait $suite
	same "1 ok 1 - begun # exit status 3" "$(echo $? \
		$(grep -e '^ok' -e '^# exit' long.tap))" &&
	is_gone long.child && is_gone long.group && [ -e long.cleaned ]
}
for signal in TERM HUP; do
	check "suite: SIG$signal ends its command, and all of that" \
		a_signal_ends_all $signal
done
too_late()
{
	same "Bail out! not at its end after 1 s
1 passed, 3 failed, 0 skipped" "$(SUITE_SECONDS=1 "$tests/suite" late sh -c '
		echo ok 1; sleep 600' | grep Bail
		"$tests/tally" late.tap | tail -n 1)"
}
check "suite: one that does not end is ended, and fails" too_late
interrupted()
{
	"$tests/suite" interrupted sh -c 'kill -INT $$; echo deaf' |
		grep -x -e deaf -e '# exit.*'
}
check "suite: its command does not ignore SIGINT" \
	same "# exit status 130" "$(interrupted)"

# A make for two suites that wait for each other.
mkdir both
cat >both/make <<'END'
#!/bin/sh
echo $$ >"$2.begun"
for try in $(seq 200); do
	[ ! -e run-a.begun ] || [ ! -e run-b.begun ] || { echo "$2"; exit; }
	sleep 0.05
done
exit 1
END
printf '#!/bin/sh\necho $$ >"$2.begun"\nexec sleep 60\n' >both/endless
chmod +x both/*
check "abreast: both suites run at once, and the first one is shown last" same \
	"run-b run-a 0" "$(cd both && echo $(MAKE=./make "$tests/abreast" a b
		echo $?))"
check "abreast: a make that fails is told" same 1 \
	"$(MAKE=false "$tests/abreast" a b; echo $?)"
abreast_ends()
{
	rm -f both/run-*
	(cd both && MAKE=./endless exec "$tests/abreast" a b) >/dev/null &
	pair=$!
	for try in $(seq 200); do
		[ ! -s both/run-a.begun ] || [ ! -s both/run-b.begun ] || break
		sleep 0.05
	done
	kill $pair
	wait $pair
	is_gone both/run-a.begun && is_gone both/run-b.begun
}
check "abreast: a signal ends both suites" abreast_ends

# The release that distro tries has to come from somewhere.
mkdir far
for program in mktemp chmod stat sed rm; do
	ln -s "$(command -v $program)" far/$program
done
for program in arch-test unshare chroot; do
	echo '#!/bin/sh' >far/$program
done
printf '#!/bin/sh\necho 0\n' >far/id
printf '#!/bin/sh\necho http://127.0.0.1:9/debian\n' >far/apt-get
chmod +x far/*
far_away()
{
	env DISTRO_CACHE="$work/bases" "$@" "$tests/distro/run" trixie 2>&1
}
check "distro: is skipped by name where no bare system can be made" same \
	"1..0 # SKIP mmdebstrap is missing" \
	"$(far_away PATH="$work/far" /bin/sh)"
cp far/unshare far/mmdebstrap
check "distro: a release whose mirror has no answer is skipped by name" same \
	"ok 1 - trixie # SKIP the mirror has no answer
1..1" "$(far_away PATH="$work/far:$PATH" sh | grep -v '^#')"

# dpkg-buildpackage sets it, and mke2fs would take it for the time.
check "suite: its command has the time of the clock" same "ok unset" \
	"$(SOURCE_DATE_EPOCH=1 "$tests/suite" clock sh -c \
		'echo "ok ${SOURCE_DATE_EPOCH-unset}"' | grep '^ok')"

# What bootstrap would install where there is no dpkg: it names that.
mkdir few
ln -s "$(command -v dirname)" few/dirname
bootstrap_deps()
{
	PATH=$work/few EXTRA_TESTS=$1 /bin/sh "$SRCDIR/bootstrap" deps
}
asks_for()
{
	bootstrap_deps "$1" | grep -w "$2"
}
asks_not_for()
{
	bootstrap_deps "$1" >deps.out && ! grep -w "$2" deps.out
}
check "bootstrap: does not ask for what packages take" \
	asks_not_for "" debootstrap
check "bootstrap: asks for what packages take, whatever else is tested" \
	asks_for "instrumented package" debootstrap
check "bootstrap: asks for a machine to try the kernel side, and else not" \
	asks_for linux qemu-system-x86
check "bootstrap: does not ask for a machine for the packages" \
	asks_not_for package qemu-system-x86
check "bootstrap: does not ask for that to run the instrumented suite" \
	asks_not_for instrumented debootstrap

# An unknown part would leave no report, and a known one is not left out.
instrumented_knows()
{
	"$tests/instrumented/run" nonsense
	[ $? -eq 2 ]
}
check "instrumented: an unknown part is an error of usage" instrumented_knows

# lacking PART... - what it reports with no program at hand but these
lacking()
{
	for program in dirname mktemp rm cat mv sed grep tail date; do
		ln -sf "$(command -v "$program")" "few/$program"
	done
	rm -f ./*.tap
	PATH=$work/few CC=no-such-compiler /bin/sh \
		"$tests/instrumented/run" "$@" >/dev/null
	"$tests/tally" ./*.tap | grep -v "^seconds: " | grep .
}
check "instrumented: without a compiler's sanitizers two suites are skipped" \
	same "skipped: sanitized-cli: (no-such-compiler has no sanitizers)
skipped: sanitized-unit: (no-such-compiler has no sanitizers)
0 passed, 0 failed, 2 skipped" "$(lacking sanitized-unit \
		sanitized-cli)"
# sanitizing STATUS - the compiler for sanitizers, if clang ends with it
sanitizing()
{
	printf '#!/bin/sh\nexit %d\n' "$1" >stub && chmod +x stub
	CLANG=./stub CC=other "$tests/instrumented/compiler"
}
check "instrumented: clang makes sanitized builds if it has sanitizers, else CC" \
	same "./stub other" "$(sanitizing 0) $(sanitizing 1)"
check "instrumented: without valgrind two are" \
	same "skipped: memcheck-cli: (valgrind is missing)
skipped: memcheck: (valgrind is missing)
0 passed, 0 failed, 2 skipped" "$(lacking memcheck)"
check "instrumented: without gcov one is" \
	same "skipped: coverage: (gcc or its gcov is missing)
0 passed, 0 failed, 1 skipped" "$(lacking coverage)"

# make release-check runs what this page lists: the first word is a target.
unknown_long_checks()
{
	sed -n 's/^    make \([^ ]*\).*/\1/p' "$SRCDIR/doc/release.md" |
		while read -r target; do
			grep -qE "^([a-z -]+ )?$target( [a-z -]+)?:" \
				"$SRCDIR/tests/Makefile.in" || echo "$target"
		done
}
check "release: each long check that doc/release.md lists is a target" \
	same "" "$(unknown_long_checks)"
