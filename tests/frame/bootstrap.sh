# SPDX-License-Identifier: GPL-2.0-only
#
# bootstrap.sh - what bootstrap does on a release that does not have all
# packages. Sourced by run; dpkg and apt are scripts, which note what they are
# asked for.

mkdir bare
for program in dirname sed sh cat; do
	ln -s "$(command -v $program)" bare/$program
done
# program NAME <SCRIPT - one that bootstrap finds instead of the system's
program()
{
	{ echo '#!/bin/sh'; cat; } >"bare/$1" && chmod +x "bare/$1"
}
echo 'exit 1' | program dpkg-query
echo 'echo ${TRIED_AS:-0}' | program id
# ABSENT: packages that the release does not have; BROKEN: those that cannot be
# installed, and nothing else together with them.
program apt-cache <<'END'
shift
for package; do
	case " $ABSENT " in
	*" $package "*) ;;
	*)	printf '%s:\n  Installed: (none)\n  Candidate: 1-1\n' "$package" ;;
	esac
done
END
program apt-get <<'END'
case " $* " in
*' update '*) exit ;;
esac
for package; do
	case " $BROKEN " in
	*" $package "*) exit 100 ;;
	esac
done
echo "$*" >>asked
END
# on_bare COMMAND - its output, and the exit status
on_bare()
{
	rm -f asked
	PATH=$work/bare EXTRA_TESTS= sh "$SRCDIR/bootstrap" "$1" 2>&1
	echo "exit $?"
}
asked()
{
	tr ' ' '\n' <asked | grep -xc "$1"
}

absent_are_named()
{
	ABSENT="sleuthkit po4a" on_bare deps >said
	same "bootstrap: this release does not have: po4a sleuthkit
exit 0" "$(grep -e 'does not have' -e exit said)" &&
	same "0 0 1 1" "$(echo $(for package in po4a sleuthkit gcc jq; do
		asked $package; done))"
}
check "bootstrap: packages that a release does not have are named and left out" \
	absent_are_named
broken_are_named()
{
	BROKEN="valgrind zsh" on_bare deps >said
	same "are skipped: valgrind zsh
exit 0" "$(sed -n -e 's/.*\(are skipped:\)/\1/p' -e '/^exit/p' said)" &&
	same "0 1" "$(echo $(asked valgrind; asked jq))"
}
check "bootstrap: a package of the tests that cannot be installed stops nothing" \
	broken_are_named
broken_build()
{
	BROKEN=gcc on_bare deps >said
	grep -q 'could not install: gcc ' said && grep -x 'exit 1' said &&
	[ ! -e asked ]
}
check "bootstrap: a package of the build that cannot be installed is an error" \
	broken_build
# needed_for COMMAND - what it cannot continue without
needed_for()
{
	TRIED_AS=1000 on_bare "$1" | sed -n 's/.*cannot continue without: //p' |
		tr ' ' '\n'
}
for_build=$(packages_of build_packages)
check "bootstrap: build needs the packages of the build alone" \
	same "$for_build" "$(needed_for build)"
check "bootstrap: demo needs these, and those of the demo" \
	same "$for_build
$(packages_of demo_packages)" "$(needed_for demo)"
# Each release has other ones.
check "bootstrap: no package has the number of a release in its name" \
	same "" "$(for list in build demo optional test package linux; do
		packages_of ${list}_packages; done |
		grep -e '-[0-9][0-9.]*-' -e '-[0-9][0-9.]*$')"
