# SPDX-License-Identifier: GPL-2.0-only
#
# lib.sh - a virtual machine with our modules. Sourced by run and linux/boot.
#
# The machine is QEMU's emulator, because not every host has kvm. It has two
# processors, an initramfs of busybox and the modules, the disk under test as
# /dev/vda and an archive with the guest's script and programs as /dev/vdb. Its
# console goes to a file; kill -9 is a power cut.
#
# Most of a boot is the same each time. So one machine is kept as it waits for its
# archive, before it has read a byte of the disk, and the others go on from there.

modules='drivers/virtio/virtio_ring.ko drivers/virtio/virtio.ko
	drivers/virtio/virtio_pci_legacy_dev.ko
	drivers/virtio/virtio_pci_modern_dev.ko drivers/virtio/virtio_pci.ko
	drivers/block/virtio_blk.ko crypto/crc32c_generic.ko lib/libcrc32c.ko
	lib/crc16.ko lib/crc/crc16.ko fs/mbcache.ko fs/quota/quota_tree.ko
	fs/quota/quota_v2.ko'

# unpack_image DIRECTORY - the kernel that the modules are for, not installed
unpack_image()
{
	version=$(cat "$KERNEL/version") || return
	[ -e "$1/boot/vmlinuz-$version" ] && return
	mkdir -p "$1" || return
	if [ -e "/boot/vmlinuz-$version" ] && [ -d "/lib/modules/$version" ]; then
		mkdir -p "$1/boot" "$1/lib/modules" &&
			cp "/boot/vmlinuz-$version" "$1/boot/" &&
			ln -s "/lib/modules/$version" "$1/lib/modules/$version"
		return
	fi
	# The newest kernel is there unsigned first.
	for package in "linux-image-$version" "linux-image-$version-unsigned"; do
		(cd "$1" && download "$package" &&
			dpkg -x "$package"_*.deb . &&
			rm -f "$package"_*.deb && in_parts) || continue
		echo "the kernel is that of $package" >&2
		return
	done
	return 1
}

# With APT_ROOT, out of the archive of that system, by its own apt.
download()	# PACKAGE
{
	if [ "${APT_ROOT-}" ]; then
		chroot "$APT_ROOT" sh -c 'cd /tmp && apt-get -qq download "$1"' \
			- "$1" && mv "$APT_ROOT/tmp/$1"_*.deb .
	else
		apt-get -qq download "$1"
	fi
}
# Newer kernels come as a package of packages, and below usr.
in_parts()
{
	[ ! -e "boot/vmlinuz-$version" ] || return 0
	for part in binary modules; do
		download "linux-$part-$version" &&
			dpkg -x "linux-$part-$version"_*.deb . || return
	done
	rm -f ./*.deb
	mkdir -p boot
	ln -sfn usr/lib lib &&
		ln -s "../lib/modules/$version/vmlinuz" "boot/vmlinuz-$version"
}

# Some kernels have their modules compressed.
copy_module()		# FROM TO
{
	if [ -e "$1" ]; then
		cp "$1" "$2"
	else
		xz -dc "$1.xz" >"$2"
	fi
}

# make_initramfs FILE IMAGE STOCK|LAZY|BESIDE|DEBUG
make_initramfs()
{
	root=$work/root.$3
	kernel=$2/lib/modules/$version/kernel
	mkdir -p "$root/bin" "$root/mod" "$root/proc" "$root/sys" \
		"$root/dev" "$root/run" "$root/mnt" || return
	cp "$(command -v busybox)" "$root/bin/busybox" || return
	cp "$SRCDIR/tests/linux/init" "$root/init" &&
		chmod 755 "$root/init" || return
	# A debug kernel has all built in.
	[ "$3" = DEBUG ] || modules_of "$3" "$root" "$kernel" || return
	(cd "$root" && find . | cpio -o -H newc --quiet | gzip -1) >"$1"
}
modules_of()	# STOCK|LAZY|BESIDE ROOT KERNEL
{
	root=$2 kernel=$3
	n=10
	for module in $modules; do
		[ -e "$kernel/$module" ] || [ -e "$kernel/$module.xz" ] ||
			continue
		copy_module "$kernel/$module" "$root/mod/$n-${module##*/}" ||
			return
		n=$((n + 1))
	done
	if [ "$1" = LAZY ]; then
		strip -g -o "$root/mod/90-jbd2.ko" "$KERNEL/fs/jbd2/jbd2.ko" &&
			strip -g -o "$root/mod/91-ext4.ko" \
				"$KERNEL/fs/ext4/ext4.ko"
	else
		copy_module "$kernel/fs/jbd2/jbd2.ko" "$root/mod/90-jbd2.ko" &&
			copy_module "$kernel/fs/ext4/ext4.ko" \
				"$root/mod/91-ext4.ko"
	fi || return
	[ "$1" != BESIDE ] || strip -g -o "$root/mod/92-ext4lazy.ko" \
		"$KERNEL/beside/ext4lazy.ko"
}

# modules_for MODULE IMAGE - its file, and those that it needs, in this order; not
# jbd2, which is loaded
modules_for()
{
	find "$2/lib/modules/$version/" -name "$1.ko*" | while read -r file; do
		for needed in $(modinfo -F depends "$file" | tr ',' ' '); do
			[ "$needed" = jbd2 ] || modules_for "$needed" "$2"
		done
		echo "$file"
	done
}

# with_libraries PROGRAM... - these, and what each is linked with, for a guest
with_libraries()
{
	echo "$@"
	ldd "$@" | grep -o '/[^ ]*\.so[^ ]*' | sort -u
}

# guest_archive SCRIPT - the second disk: the text of a script, and programs
guest_archive()
{
	rm -rf "$work/guest"
	mkdir -p "$work/guest" || return
	printf '%s\n' "$1" >"$work/guest/script"
	for program in $LAZYWORK $LAZYCTL $CUTTER $OTHERS; do
		cp "$program" "$work/guest/" || return
	done
	tar -C "$work/guest" -cf "$work/guest.tar" . || return
	truncate -s 64M "$work/guest.tar"
}

# machine DISK [OPTION...] - be it, in the background; its console is $console
machine()
{
	disk=$1
	shift
	exec nice -n 10 qemu-system-x86_64 -accel tcg -cpu max -m 1024 -smp 2 \
		-display none -no-reboot -nodefaults \
		-serial "file:$console" -kernel "$vmlinuz" \
		-initrd "$work/initramfs.$kind" \
		-append "console=ttyS0 panic=-1 panic_on_warn=1 no_timer_check quiet loglevel=5 ${append-}" \
		$(the_disk) -device virtio-blk-pci,drive=disk \
		-drive "file=$work/guest.tar,if=virtio,format=raw,readonly=on" \
		"$@"
}

# start NAME DISK SCRIPT [OPTION...] - boot; $vm is the machine, $console what
# it prints. SCRIPT is the text of a script for the guest's shell.
start()
{
	name=$1 disk=$2 script=$3
	shift 3
	if [ $# -eq 0 ] && [ -z "$append" ] && keep_machine "$disk"; then
		set -- -incoming "exec:cat '$kept'"
	fi
	guest_archive "$script" || return
	console=$work/$name.console
	: >"$console"
	machine "$disk" "$@" </dev/null >"$work/$name.qemu" 2>&1 &
	vm=$!
}

# keep_machine DISK - $kept is the file of a machine that waits for its archive,
# with a disk of that size
keep_machine()
{
	kept=$work/kept.$kind.$(stat -c %s "$1")
	[ -s "$kept" ] && return
	rm -f "$work/monitor"
	mkfifo "$work/monitor" && : >"$work/guest.tar" &&
		truncate -s 64M "$work/guest.tar" || return
	console=$work/kept.console
	: >"$console"
	machine "$1" -monitor stdio <"$work/monitor" >"$work/kept.qemu" 2>&1 &
	vm=$!
	exec 3>"$work/monitor"
	wait_for '^READY' &&
		printf 'migrate "exec:cat >%s"\n' "$kept.new" >&3
	echo quit >&3
	exec 3>&-
	wait "$vm"
	vm=
	[ -s "$kept.new" ] && mv "$kept.new" "$kept"
}

# wait_for PATTERN - until the console has it
wait_for()
{
	left=1200
	while ! tr -d '\r' <"$console" | grep -aq "$1"; do
		kill -0 "$vm" 2>/dev/null && [ $left -gt 0 ] || return
		left=$((left - 1))
		sleep 0.2
	done
}

# The disk under test; with $record, all that is written to it goes there, too;
# with $unreadable, a sector of 512 bytes, that cannot be read; with $slow, so many
# bytes written a second; with $slow_reads, so many read, also what cannot be.
the_disk()
{
	if [ "$record" ]; then
		echo "-blockdev driver=file,filename=$disk,node-name=below" \
			"-blockdev driver=file,filename=$record,node-name=record" \
			"-blockdev driver=blklogwrites,file=below,log=record,node-name=disk"
	elif [ "${unreadable-}" ]; then
		bad=inject-error.0
		echo "-blockdev driver=file,filename=$disk,node-name=file" \
			"-blockdev driver=blkdebug,image=file,node-name=bad,$bad.event=read_aio,$bad.iotype=read,$bad.errno=5,$bad.sector=$unreadable" \
			"-blockdev driver=raw,file=bad,node-name=${slow_reads:+un}disk" \
			${slow_reads:+-object throttle-group,id=slow,x-bps-read=$slow_reads} \
			${slow_reads:+-blockdev driver=throttle,file=undisk,throttle-group=slow,node-name=disk}
	elif [ "${slow-}" ]; then
		echo "-object throttle-group,id=slow,x-bps-write=$slow" \
			"-blockdev driver=file,filename=$disk,node-name=file" \
			"-blockdev driver=throttle,file=file,throttle-group=slow,node-name=disk"
	else
		echo "-blockdev driver=file,filename=$disk,node-name=file" \
			"-blockdev driver=raw,file=file,node-name=disk"
	fi
}

# The machine ends by itself, or is ended after $1 seconds.  A debug kernel is
# given ten times as many.
finish()
{
	left=$(($1 * 5 * (${LAZY_DEBUG:+9} + 1)))
	while kill -0 "$vm" 2>/dev/null && [ $left -gt 0 ]; do
		sleep 0.2
		left=$((left - 1))
	done
	if kill -0 "$vm" 2>/dev/null; then
		kill -9 "$vm"
		wait "$vm" 2>/dev/null
		echo "the machine did not end by itself" >&2
		return 1
	fi
	wait "$vm" 2>/dev/null
	return 0
}

cut_power()
{
	kill -9 "$vm" 2>/dev/null
	wait "$vm" 2>/dev/null
	return 0
}

# part CONSOLE NAME - what the guest showed last between its marks
part()
{
	tr -d '\r' <"$1" | awk -v name="$2" '
		$0 == "BEGIN " name { text = ""; inside = 1; next }
		$0 == "END " name { inside = 0 }
		inside { text = text $0 "\n" }
		END { printf "%s", text }'
}

# What must not be in a console. Lockdep and RCU begin with WARNING or INFO at the
# level of a warning, so that level is shown.
complaints()
{
	tr -d '\r' <"$1" | grep -aE \
		'BUG|WARNING|Could not create|is not logged: its buffer|Oops|panic|Call Trace|EXT4-fs error|EXT4-fs \(.*\): error|bad checksum|aborted|lockdep|INFO: |inconsistent lock|suspicious RCU|KASAN|blocked for more than|FAILED'
}
