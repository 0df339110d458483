# SPDX-License-Identifier: GPL-2.0-only
#
# rpm.sh - the packages of e2lazy.spec, from the release tarball. Sourced by run.
# Debian has rpmbuild and rpmlint, and none of the packages that the spec names.

rpms=$work/rpms
spec=misc/system/e2lazy.spec

# As nobody, as with dpkg-buildpackage; of its tests see debs.sh.
build_rpms()
{
	mkdir -p "$rpms/SOURCES" && cp "$tarball" "$rpms/SOURCES" &&
	tar -xf "$tarball" -C "$rpms" --strip-components=3 \
		"e2lazy-$version/$spec" || return
	mkdir "$rpms/tmp" || return
	builder="env TMPDIR=$rpms/tmp"
	if [ "$(id -u)" -eq 0 ]; then
		chown -R nobody "$rpms" || return
		# Nobody may write to the TMPDIR of the tests, as find-debuginfo does.
		builder="runuser -u nobody -- $builder HOME=/nonexistent"
	fi
	$builder rpmbuild -bb --nodeps --nocheck --define "_topdir $rpms" \
		--define "_dbpath $rpms/db" "$rpms/e2lazy.spec"
}

all_rpms()
{
	same "$(sed -n -e 's/^Name:[[:space:]]*//p' -e 's/^%package -n //p' \
		-e 's/^%package \([a-z]\)/e2lazy-\1/p' "$rpms/e2lazy.spec" |
		LC_ALL=C sort)" \
		"$(cd "$rpms/RPMS" && ls ./*/*.rpm | sed 's|.*/||; s/-0[.].*//' |
		grep -v -e '-debug' | LC_ALL=C sort)"
}

# What is right in spite of rpmlint has its reason in the second file, of which not
# every release needs all.
clean_rpms()
{
	rpmlint -r "$SRCDIR/misc/system/e2lazy.rpmlintrc" \
		"$rpms/e2lazy.spec" "$rpms"/RPMS/*/*.rpm >rpmlint.log 2>&1
	cat rpmlint.log
	grep -q '^ [0-9]* packages and 1 specfiles checked' rpmlint.log &&
	same "" "$(grep ': [EW]: ' rpmlint.log |
		grep -v ': unused-rpmlintrc-filter ')"
}

test_rpms()
{
	if [ ! "$tarball" ]; then
		skip "rpm: rpmbuild" "no tarball"
	# rpmbuild takes the symbols out with the last two.
	elif lacks rpmbuild rpmlint runuser eu-strip file; then
		skip "rpm: rpmbuild" "missing:$lacking"
	elif check "rpm: rpmbuild, without its tests" build_rpms; then
		check "rpm: all packages of the spec" all_rpms
		check "rpm: rpmlint finds no fault" clean_rpms
	fi
}
