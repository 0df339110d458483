# SPDX-License-Identifier: GPL-2.0-only
#
# cross.sh - the unit tests on an architecture that this machine does not run
#
# Sourced by run. In a bare system of the release, Debian's cross compiler builds
# with the architecture's libraries, and qemu-user runs the unit tests. mke2fs and
# the other tools that they call are those of this machine's architecture.

cross_tools="gcc libc6-dev make autoconf pkg-config comerr-dev ss-dev gettext
	binutils e2fsprogs mount xz-utils python3 qemu-user-static
	gcc-$arch-linux-gnu"
cross_libraries="libc6-dev libext2fs-dev libblkid-dev uuid-dev comerr-dev ss-dev
	check"

cross_packages()
{
	inside sh -c 'arch=$1
		shift
		dpkg --add-architecture "$arch" && apt-get -qq update &&
		DEBIAN_FRONTEND=noninteractive apt-get -qq install -y \
			--no-install-recommends "$@"' - "$arch" $cross_tools \
		$(printf "%s:$arch " $cross_libraries)
}

# pkg-config is the one of this machine, with the directory of the other one.
cross_build()
{
	inside sh -c 'cd /e2lazy && autoheader && autoconf &&
		mkdir -p build && cd build &&
		PKG_CONFIG_LIBDIR=/usr/lib/$1/pkgconfig ../configure --quiet \
			--host="$1" PKG_CONFIG=/usr/bin/pkg-config &&
		make -s -j2 &&
		make -s -j2 -C tests unit/unit fixtures/mkjournal' - \
		"$arch-linux-gnu" >"$work/demo" 2>&1 || {
		cat "$work/demo"
		return 1
	}
}

cross_unit()
{
	inside sh -c 'cd /e2lazy/build/tests &&
		FIXTURES=../../tests/fixtures SRCDIR=/e2lazy \
		../../tests/suite unit "qemu-$1-static" unit/unit' - "$arch"
	cp "$root/e2lazy/build/tests/unit.tap" "$work/$name.taps"
}

# try_cross - as try_release, after prepare
try_cross()
{
	check "$tried: the cross compiler and the libraries are there" \
		cross_packages || return
	check "$tried: everything compiles" cross_build || return
	row="$row $(printf '%5s s' $(($(date +%s) - began)))"
	check "$tried: the compiler does not warn" no_warning
	check "$tried: the unit tests come to their end" cross_unit || return
	judge unit
	row="$row $(($(date +%s) - began)) s"
}
