# SPDX-License-Identifier: GPL-2.0-only
#
# installed.sh - the packages on a system that has nothing else. Sourced by
# run. debootstrap makes the system in a directory; processes in it see their
# own mounts and processes only, and all of them go when it ends.

root=$work/root

# Whatever ends, and however: nothing that it has started is left.
alone="unshare --mount --pid --fork --kill-child"

in_root()
{
	$alone sh -c '
		root=$1
		shift
		mount -t proc proc "$root/proc" &&
		exec chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin \
			HOME=/root LC_ALL=C DEBIAN_FRONTEND=noninteractive \
			http_proxy="$http_proxy" https_proxy="$https_proxy" \
			"$@"' - "$root" "$@"
}

# The same Debian, from where this machine has its packages.
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
mirror()
{
	apt-get indextargets --format '$(CODENAME) $(REPO_URI)' \
		"Created-By: Packages" "Origin: Debian" |
		sed -n "s/^$suite //p" | head -n 1
}

# debootstrap would sync all disks of the machine, also one that hangs. It forgets
# its PATH, so another sync stands in the place of that one, where it alone sees.
only_sync_root()
{
	sync=$(readlink -f "$(command -v sync)") && mkdir only &&
	cp "$sync" only/real &&
	printf '#!/bin/sh\nexec "%s" -f "%s"\n' "$work/only/real" "$root" \
		>only/sync &&
	chmod +x only/sync
}
debootstrap_alone()
{
	only_sync_root &&
	exec $alone sh -c 'mount --bind "$1" "$2" && shift 2 && exec "$@"' - \
		"$work/only/sync" "$sync" debootstrap "$@"
}

no_root=
start_root()
{
	if [ "$(id -u)" -ne 0 ]; then
		no_root="needs root"
	elif lacks debootstrap unshare chroot apt-get; then
		no_root="missing:$lacking"
	elif [ ! "$(mirror)" ]; then
		no_root="apt has no mirror of Debian $suite"
	else
		debootstrap_alone --variant=minbase "$suite" "$root" \
			"$(mirror)" >debootstrap.log 2>&1 &
		making=$!
	fi
}

wait_for_root()
{
	[ ! "$no_root" ] || return
	wait "$making" ||
		no_root="debootstrap: $(tail -n 1 debootstrap.log)"
	making=
}

# What a system has that debootstrap leaves to others, and what is tried in it.
furnish_root()
{
	mknod -m 666 "$root/dev/fuse" c 10 229 &&
	ln -sf ../proc/self/mounts "$root/etc/mtab" &&
	# Nothing in there is to start a service.
	printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" &&
	chmod +x "$root/usr/sbin/policy-rc.d" &&
	mkdir "$root/debs" && cp "$debs"/*.deb "$root/debs" &&
	rm -f "$root"/debs/*dbgsym* &&
	cp -r "$debs/e2lazy-$version" "$root/source"
}

# files - all that is there, but what apt and dpkg keep for themselves, caches and
# logs, and /run, which goes at the next boot: libmount has a directory in it
files()
{
	(cd "$root" && find . -path ./proc -prune -o -path ./sys -prune -o \
		-path ./run -prune -o -path ./tmp -prune -o -path ./debs -prune -o \
		-path ./source -prune -o -path ./var/cache -prune -o \
		-path ./var/log -prune -o -path ./var/lib/apt -prune -o \
		-path ./var/lib/dpkg -prune -o -print | LC_ALL=C sort)
}

packages()
{
	sed -n 's/^Package: //p' "$SRCDIR/debian/control"
}

# AUTOPKGTEST=1: by autopkgtest itself, which leaves things of its own.
by_autopkgtest()
{
	[ "$AUTOPKGTEST" ] && ! lacks autopkgtest
}

# What tests and packages depend on is installed before, to see afterwards
# what is due to the packages themselves.
install_needs()
{
	needs=$(sed -n 's/^Depends: //p' \
		"$SRCDIR/debian/tests/control" |
		tr -d ' ' | tr , '\n' | sort -u |
		grep -vxF "$(packages)")
	# autopkgtest wants these in each system.
	! by_autopkgtest || needs="$needs dpkg-dev apt-utils"
	furnish_root && in_root apt-get update -qq &&
	in_root apt-get install -qq -y --no-install-recommends $needs \
		initramfs-tools-core
}

install_debs()
{
	in_root sh -c 'apt-get install -qq -y --no-install-recommends \
		/debs/*.deb'
}

in_source()
{
	in_root sh -c 'cd /source && exec "$@"' - "$@"
}

# As Debian's machines do, with Depends and Restrictions of debian/tests/control. The
# directory of TMPDIR is not in there, where it would be used as well.
as_autopkgtest()
{
	$alone sh -c '
		root=$1
		shift
		mount --bind "$root" "$root" &&
		mount -t proc proc "$root/proc" &&
		exec env -u TMPDIR LC_ALL=C autopkgtest "$@" -- chroot "$root"' - "$root" \
		--summary-file "$work/summary" --no-built-binaries \
		$(find "$debs" -maxdepth 1 -name '*.deb' ! -name '*dbgsym*') \
		"$debs/e2lazy-$version/" &&
	same "$(sed -n 's/^Tests: \(.*\)/\1 PASS/p' \
		"$SRCDIR/debian/tests/control")" "$(sed 's/  */ /' "$work/summary")"
}

# For a kernel that is not there: its modules are not what is looked for.
in_initramfs()
{
	in_root sh -c '
		mkdir -p /lib/modules/0.0.0 && cd /lib/modules/0.0.0 &&
		: >modules.order && : >modules.builtin && depmod 0.0.0 &&
		echo CONFIG_RD_GZIP=y >/boot/config-0.0.0 && cd /tmp &&
		mkinitramfs -c gzip -o initramfs 0.0.0 &&
		rm -r /lib/modules/0.0.0 /boot/config-0.0.0 &&
		rmdir --ignore-fail-on-non-empty /lib/modules &&
		unmkinitramfs initramfs unpacked &&
		found=$(find unpacked -path "*/usr/sbin/e2lazyck") &&
		chroot "${found%/usr/sbin/e2lazyck}" \
			/sbin/e2lazyck --version'
}

# And what came with them alone.
purge()
{
	in_root apt-get purge -qq -y $(packages) &&
	in_root apt-get autoremove -qq -y --purge
}

# Files that stayed, and packages of which dpkg still knows anything.
nothing_left()
{
	files >after
	diff before after
	same "" "$(in_root dpkg-query -W -f '${Package} ${Status}\n' |
		grep e2lazy)" &&
	cmp -s before after
}

test_installed()
{
	wait_for_root
	if [ "$no_debs$no_root" ]; then
		skip "installed: packages on a system of their own" \
			"${no_debs:-$no_root}"
		return
	fi
	check "installed: what they depend on" install_needs || return
	files >before
	check "installed: the packages" install_debs || return
	if ! by_autopkgtest; then
		check "installed: the programs work" in_source debian/tests/smoke
		check "installed: the library works" in_source \
			debian/tests/library
	else
		check "installed: autopkgtest" as_autopkgtest
	fi
	check "installed: e2lazyck runs in an initramfs" in_initramfs
	check "installed: can be removed" purge
	check "installed: then nothing is left" nothing_left
}
