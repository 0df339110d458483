# SPDX-License-Identifier: GPL-2.0-only
#
# dist.sh - the release tarball: the same each time, complete, and enough to
# build and test from. Sourced by run; sets $tarball, empty after a failure.

tarball=$work/e2lazy-$version.tar.gz
tree=$work/release\ tree

make_tarball()
{
	fresh_make -C "$BUILDDIR" dist &&
	cp "$BUILDDIR/e2lazy-$version.tar.gz" "$tarball"
}

# Later, by somebody else, with another opinion on permissions.
same_again()
{
	mv "$tarball" first.tar.gz && sleep 1 &&
	(umask 077 && make_tarball) &&
	cmp first.tar.gz "$tarball"
}

unpack()
{
	mkdir "$tree" &&
	tar -xf "$tarball" -C "$tree" --strip-components=1
}

# What it holds beside what it lists is what takes autoconf to make.
complete()
{
	same "$( (cat "$tree/MANIFEST"; echo MANIFEST; echo config.h.in
		echo configure) | LC_ALL=C sort)" \
		"$(cd "$tree" && find . ! -type d | sed 's|^\./||' |
		LC_ALL=C sort)"
}

# It builds outside of its tree, which is read-only, and without autoconf; the
# packages build it in place. The kernel's part is left to the tree that this one
# was made from, and where packages are built from the tarball, they run the unit
# and black-box tests.
distcheck()
{
	suites="frame fixtures"
	! lacks dpkg-buildpackage dh runuser || suites="$suites unit cli"
	mkdir no-autoconf &&
	for program in autoconf autoheader autom4te git; do
		printf '#!/bin/sh\necho "$0 was called" >&2\nexit 1\n' \
			>"no-autoconf/$program" &&
		chmod +x "no-autoconf/$program" || return
	done
	PATH=$work/no-autoconf:$PATH DISTCHECK_TESTS=$suites \
		"$tests/distcheck" "e2lazy-$version"
}

dist_of_dist()
{
	(PATH=$work/no-autoconf:$PATH && cd "$tree" &&
	./configure --quiet && fresh_make dist) &&
	cmp "$tarball" "$tree/e2lazy-$version.tar.gz"
}

test_dist()
{
	if ! [ -f "$SRCDIR/MANIFEST" ] &&
	   ! git -C "$SRCDIR" ls-files >/dev/null 2>&1; then
		tarball=
		skip "dist: make dist" \
			"no MANIFEST, and git does not list the files"
		return
	fi
	check "dist: make dist" make_tarball
	check "dist: makes the same bytes again" same_again
	check "dist: unpacks" unpack
	check "dist: holds what it lists, and configure" complete
	check "dist: builds without autoconf, passes its tests, installs and removes" \
		distcheck && tell_tally
	check "dist: makes itself, without git" dist_of_dist
}
