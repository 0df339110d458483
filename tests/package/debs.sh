# SPDX-License-Identifier: GPL-2.0-only
#
# debs.sh - Debian packages from the release tarball. Sourced by run; sets $debs
# to their directory, or $no_debs to the reason for having none.

debs=$work/debs
no_debs=
differ=

# Nobody builds packages as root, and the tests say more to others. A loop
# device with a file that nobody may not look at stops e2lazyck: the builder
# does not see the machine's.
without_loops='mount -t tmpfs none /sys/block; exec "$@"'
as_builder()
{
	if [ "$(id -u)" -eq 0 ]; then
		chown -R nobody "$debs" && unshare --mount sh -c "$without_loops" \
			sh runuser -u nobody -- env -u TMPDIR \
			HOME=/nonexistent PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@"
	else
		"$@"
	fi
}

build_debs()
{
	mkdir -p "$debs" && tar -xf "$tarball" -C "$debs" &&
	(cd "$debs/e2lazy-$version" &&
	as_builder env -u MAKEFLAGS -u MFLAGS dpkg-buildpackage -us -uc -b) >build.log 2>&1
	status=$?
	cat build.log
	return $status
}

# In a directory with another name, at the other end of the world, by somebody
# with another opinion on permissions, and without the tests.
build_again()
{
	mkdir -p "$debs/again" && tar -xf "$tarball" -C "$debs/again" &&
	mv "$debs/again/e2lazy-$version" "$debs/again/elsewhere" &&
	(cd "$debs/again/elsewhere" && umask 027 &&
	as_builder env DEB_BUILD_OPTIONS=nocheck TZ=Pacific/Kiritimati \
		LC_ALL=C.UTF-8 dpkg-buildpackage -us -uc -b)
}
same_debs()
{
	build_again || return
	for deb in "$debs"/*.deb; do
		cmp "$deb" "$debs/again/${deb##*/}" || differ=yes
	done
	[ ! "$differ" ]
}

# Debian's gcc makes programs that can lie anywhere without being asked.
hardened_commands()
{
	blhc --all --debian build.log
}

clean_debs()
{
	as_builder lintian --allow-root --fail-on error,warning \
		"$debs"/*.changes
}

built()
{
	same "$(sed -n 's/^Package: //p' "$debs/e2lazy-$version/debian/control" |
		LC_ALL=C sort)" \
		"$(cd "$debs" && ls *.deb | sed 's/_.*//' | grep -v dbgsym |
		LC_ALL=C sort)"
}

# lacks_hardening PROGRAM - what of it the file lacks, a word a line
lacks_hardening()
{
	readelf -hW "$1" | grep -q 'Type: *DYN' || echo PIE
	readelf -lW "$1" | grep -q GNU_RELRO || echo RELRO
	readelf -dW "$1" | grep -q 'FLAGS.*\<NOW\>\|BIND_NOW' || echo BIND_NOW
	readelf -W --dyn-syms "$1" | grep -q __stack_chk_fail ||
		echo "stack protector"
}

hardened()
{
	for deb in "$debs"/*.deb; do
		dpkg-deb -x "$deb" "$work/unpacked" || return
	done
	for program in e2lazy e2lazyck mke2lazy debuglazy; do
		file=$(find "$work/unpacked" -path "*bin/$program")
		if [ "$file" ]; then
			lacks_hardening "$file"
		else
			echo "no such program"
		fi | sed "s/^/$program: /"
	done >"$work/lacking"
	same "" "$(cat "$work/lacking")"
}

test_debs()
{
	if [ ! "$tarball" ]; then
		no_debs="no tarball"
	elif lacks dpkg-buildpackage dh runuser; then
		no_debs="missing:$lacking"
	fi
	if [ "$no_debs" ]; then
		skip "debs: dpkg-buildpackage" "$no_debs"
	elif ! check "debs: dpkg-buildpackage, with unit and black-box tests" \
			build_debs; then
		no_debs="they could not be built"
	else
		tell_tally
		check "debs: all packages of debian/control" built
		if lacks readelf; then
			skip "debs: programs are hardened" "missing:$lacking"
		else
			check "debs: programs are hardened" hardened
		fi
		if lacks blhc; then
			skip "debs: each command is hardened" "missing:$lacking"
		else
			check "debs: each command is hardened" hardened_commands
		fi
		check "debs: the same bytes, built elsewhere" same_debs
		if lacks lintian; then
			skip "debs: lintian finds no fault" "missing:$lacking"
		else
			check "debs: lintian finds no fault" clean_debs
		fi
	fi
}
