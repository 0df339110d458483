# SPDX-License-Identifier: GPL-2.0-only
#
# lib.sh - a virtual machine with our modules. Sourced by run and linux/boot.
#
# The machine is QEMU's emulator, because not every host has kvm. It has two
# processors, an initramfs of busybox and the modules, the disk under test as
# /dev/vda and an archive with the guest's script and programs as /dev/vdb. Its
# console goes to a file; kill -9 is a power cut.

modules='drivers/virtio/virtio_ring.ko drivers/virtio/virtio.ko
	drivers/virtio/virtio_pci_legacy_dev.ko
	drivers/virtio/virtio_pci_modern_dev.ko drivers/virtio/virtio_pci.ko
	drivers/block/virtio_blk.ko crypto/crc32c_generic.ko lib/libcrc32c.ko
	lib/crc16.ko fs/mbcache.ko'

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
	(cd "$1" && apt-get -qq download "linux-image-$version" &&
		dpkg -x "linux-image-$version"_*.deb . &&
		rm -f "linux-image-$version"_*.deb)
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

# make_initramfs FILE IMAGE STOCK|LAZY|BESIDE
make_initramfs()
{
	root=$work/root.$3
	kernel=$2/lib/modules/$version/kernel
	mkdir -p "$root/bin" "$root/mod" "$root/proc" "$root/sys" \
		"$root/dev" "$root/run" "$root/mnt" || return
	cp "$(command -v busybox)" "$root/bin/busybox" || return
	n=10
	for module in $modules; do
		[ -e "$kernel/$module" ] || [ -e "$kernel/$module.xz" ] ||
			continue
		copy_module "$kernel/$module" "$root/mod/$n-${module##*/}" ||
			return
		n=$((n + 1))
	done
	if [ "$3" = LAZY ]; then
		strip -g -o "$root/mod/90-jbd2.ko" "$KERNEL/fs/jbd2/jbd2.ko" &&
			strip -g -o "$root/mod/91-ext4.ko" \
				"$KERNEL/fs/ext4/ext4.ko"
	else
		copy_module "$kernel/fs/jbd2/jbd2.ko" "$root/mod/90-jbd2.ko" &&
			copy_module "$kernel/fs/ext4/ext4.ko" \
				"$root/mod/91-ext4.ko"
	fi || return
	if [ "$3" = BESIDE ]; then
		strip -g -o "$root/mod/92-ext4lazy.ko" \
			"$KERNEL/beside/ext4lazy.ko" || return
	fi
	cp "$SRCDIR/tests/linux/init" "$root/init" &&
		chmod 755 "$root/init" || return
	(cd "$root" && find . | cpio -o -H newc --quiet | gzip -1) >"$1"
}

# guest_archive SCRIPT - the second disk: the text of a script, and programs
guest_archive()
{
	rm -rf "$work/guest"
	mkdir -p "$work/guest" || return
	printf '%s\n' "$1" >"$work/guest/script"
	for program in $LAZYWORK $LAZYCTL $CUTTER; do
		cp "$program" "$work/guest/" || return
	done
	tar -C "$work/guest" -cf "$work/guest.tar" . || return
	truncate -s %1M "$work/guest.tar"
}

# start NAME DISK SCRIPT [OPTION...] - boot; $vm is the machine, $console what
# it prints. SCRIPT is the text of a script for the guest's shell.
start()
{
	name=$1 disk=$2
	guest_archive "$3" || return
	console=$work/$name.console
	shift 3
	: >"$console"
	nice -n 10 qemu-system-x86_64 -accel tcg -cpu max -m 768 -smp 2 \
		-display none -no-reboot -nodefaults \
		-serial "file:$console" -kernel "$vmlinuz" \
		-initrd "$work/initramfs.${kind:-LAZY}" \
		-append "console=ttyS0 panic=-1 no_timer_check quiet loglevel=4 ${append-}" \
		$(the_disk) -device virtio-blk-pci,drive=disk \
		-drive "file=$work/guest.tar,if=virtio,format=raw,readonly=on" \
		"$@" </dev/null >"$work/$name.qemu" 2>&1 &
	vm=$!
}

# The disk under test; with $record, all that is written to it goes there, too.
the_disk()
{
	if [ "$record" ]; then
		echo "-blockdev driver=file,filename=$disk,node-name=below" \
			"-blockdev driver=file,filename=$record,node-name=record" \
			"-blockdev driver=blklogwrites,file=below,log=record,node-name=disk"
	else
		echo "-blockdev driver=file,filename=$disk,node-name=file" \
			"-blockdev driver=raw,file=file,node-name=disk"
	fi
}

# The machine ends by itself, or is ended after $1 seconds.
finish()
{
	left=$(($1 * 5))
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

# What must not be in a console.
complaints()
{
	tr -d '\r' <"$1" | grep -aE \
		'BUG|WARNING|Could not create|Oops|panic|Call Trace|EXT4-fs error|EXT4-fs \(.*\): error|bad checksum|aborted|lockdep|inconsistent lock|FAILED'
}
