# SPDX-License-Identifier: GPL-2.0-only
#
# installed.sh - the packages on a system that has nothing else. Sourced by
# run. The system is debootstrap's, in a directory; what runs in it sees its
# own mounts and processes only, and all of them go when it ends.

root=$work/root

in_root()
{
	unshare --mount --pid --fork --kill-child sh -c '
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

make_root()
{
	debootstrap --variant=minbase "$suite" "$root" "$(mirror)" &&
	mknod -m 666 "$root/dev/fuse" c 10 229 &&
	# Nothing in there is to start a service.
	printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" &&
	chmod +x "$root/usr/sbin/policy-rc.d" &&
	mkdir "$root/debs" && cp "$debs"/*.deb "$root/debs" &&
	rm -f "$root"/debs/*dbgsym* &&
	cp -r "$debs/e2lazy-$version" "$root/source" &&
	in_root apt-get update
}

# files - all that is there, but what apt and dpkg keep for themselves, caches
# and logs
files()
{
	(cd "$root" && find . -path ./proc -prune -o -path ./sys -prune -o \
		-path ./tmp -prune -o -path ./debs -prune -o \
		-path ./source -prune -o -path ./var/cache -prune -o \
		-path ./var/log -prune -o -path ./var/lib/apt -prune -o \
		-path ./var/lib/dpkg -prune -o -print | LC_ALL=C sort)
}

packages()
{
	sed -n 's/^Package: //p' "$root/source/debian/control"
}

# What tests and packages depend on is installed before, to see afterwards
# what is due to the packages themselves.
install_needs()
{
	needs=$(sed -n 's/^Depends: //p' \
		"$root/source/debian/tests/control" |
		tr -d ' ' | tr , '\n' | sort -u |
		grep -vxF "$(packages)")
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

# Without a kernel: its modules are not what is looked for.
in_initramfs()
{
	in_root sh -c '
		mkdir -p /lib/modules/0.0.0 &&
		cd /lib/modules/0.0.0 &&
		: >modules.order && : >modules.builtin && depmod 0.0.0 &&
		mkinitramfs -o /tmp/initramfs 0.0.0 && cd /tmp &&
		unmkinitramfs initramfs unpacked && rm -r /lib/modules/0.0.0 &&
		found=$(find unpacked -path "*/usr/sbin/e2lazyck") &&
		chroot "${found%/usr/sbin/e2lazyck}" \
			/sbin/e2lazyck --version'
}

purge()
{
	in_root apt-get purge -qq -y $(packages)
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

no_root=$no_debs
if [ "$no_root" ]; then
	:
elif [ "$(id -u)" -ne 0 ]; then
	no_root="needs root"
elif lacks debootstrap unshare chroot; then
	no_root="missing:$lacking"
elif [ ! "$(mirror)" ]; then
	no_root="apt has no mirror of Debian $suite"
elif ! make_root >make_root.log 2>&1; then
	no_root="debootstrap: $(tail -n 1 make_root.log)"
fi

if [ "$no_root" ]; then
	skip "installed: packages on a system of their own" "$no_root"
elif check "installed: what they depend on" install_needs &&
     files >before &&
     check "installed: the packages" install_debs; then
	check "installed: the programs work" in_source debian/tests/smoke
	check "installed: the library works" in_source debian/tests/library
	check "installed: e2lazyck runs in an initramfs" in_initramfs
	check "installed: can be removed" purge
	check "installed: then nothing is left" nothing_left
fi
