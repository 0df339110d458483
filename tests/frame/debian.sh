# SPDX-License-Identifier: GPL-2.0-only
#
# debian.sh - facts that debian/ repeats: the version, which NEWS has as well,
# the exported names of the library, the packages needed to build. Sourced by
# run, after install.sh.

debian=$SRCDIR/debian

check "debian: the changelog begins with the version of configure.ac" same \
	"$version" "$(sed -n '1s/.*(\(.*\)).*/\1/p' "$debian/changelog")"

check "NEWS: begins with the version and the date of configure.ac" same \
	"$version ($(sed -n 's/^RELEASE_DATE	*= *//p' "$BUILDDIR/MCONFIG"))" \
	"$(grep -m 1 '^[0-9]' "$SRCDIR/NEWS")"

check "rpm: the spec has the version of configure.ac" same "$version" \
	"$(sed -n 's/^Version:[[:space:]]*//p' "$SRCDIR/misc/system/e2lazy.spec")"

# A name that is new is listed with the version that will be the first to have
# it: packages of programs that use it then depend on no older one.
check "debian: the symbols file lists what libe2lazy.so exports" same \
	"$(nm -D --defined-only "$BUILDDIR"/lib/libe2lazy.so.*.* |
		sed 's/@@.*//' | awk '{ print " " $3 "@E2LAZY_1" }' |
		LC_ALL=C sort)" \
	"$(sed -n 's/^\( [^ ]*@[^ ]*\) [0-9].*/\1/p' \
		"$debian/libe2lazy2.symbols" | LC_ALL=C sort)"

# packages_of VARIABLE - a list in bootstrap
packages_of()
{
	sed -n "/^$1=\"/{ :a; /\"\$/!{ N; ba; }; p; }" "$SRCDIR/bootstrap" |
		sed -e 's/.*="//' -e 's/"//' | tr -s ' \t' '\n\n' | grep .
}
# Build-Depends without what every Debian machine that builds has.
build_depends()
{
	sed -n '/^Build-Depends:/,/^[A-Z][a-z]*-/p' "$debian/control" |
		sed -e '$d' -e 's/^Build-Depends://' -e 's/[[(<].*//' \
			-e 's/,//g' | tr -s ' ' '\n' | grep .
}
# Not named there: what Debian takes for granted where packages are built.
granted="gcc libc6-dev make autoconf binutils"
without()
{
	LC_ALL=C sort | grep -vxF "$(printf '%s\n' "$@")"
}
check "debian: builds with what bootstrap installs for that" same "" \
	"$(packages_of build_packages | without $granted $(build_depends))"
check "debian: builds and tests with nothing that bootstrap does not install" \
	same debhelper-compat "$(build_depends | without \
		$(packages_of build_packages) $(packages_of test_packages) \
		$(packages_of optional_packages) \
		$(packages_of package_packages))"
