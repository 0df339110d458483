# SPDX-License-Identifier: GPL-2.0-only
#
# unreadable.sh - copies in the log that cannot be read, checksums that change
# their form, and a kernel that is there unsigned alone. Sourced by run.

# kinds_of_blocks - one block of each kind of metadata: its name, its number
kinds_of_blocks()
{
	"$E2LAZY" view "$disk" -- dumpe2fs {} >"$work/groups" 2>/dev/null
	sed -n '/^Group 0:/,/^Group 1:/{
		s/.*[Bb]lock bitmap at \([0-9]*\).*/block-bitmap \1/p
		s/.*Inode bitmap at \([0-9]*\).*/inode-bitmap \1/p
		s/.*Group descriptors at \([0-9]*\)-.*/descriptors \1/p
		s/.*Inode table at \([0-9]*\)-.*/inodes \1/p
	}' "$work/groups" | awk '!seen[$1]++'
	"$E2LAZY" view "$disk" -- debugfs -c -R 'blocks /d' {} 2>/dev/null |
		awk '{ print "directory", $1 }'
	"$E2LAZY" view "$disk" -- debugfs -c -R 'ex /many' {} 2>/dev/null |
		awk '$1 == "0/" && NR > 1 { print "extents", $8 }' | head -n 1
	"$E2LAZY" view "$disk" -- debugfs -c -R 'stat /attr' {} 2>/dev/null |
		sed -n 's/^File ACL: \([1-9][0-9]*\).*/attributes \1/p'
}

# The sector of a block's copy in the log; nothing if it has none.
sector_of_copy()	# BLOCK
{
	size=$(dumpe2fs -h "$disk" 2>/dev/null |
		sed -n 's/^Block size: *//p')
	"$E2LAZY" dump --raw --no-headings --columns FSBLK,PHYSBLK "$disk" |
		awk -v block="$1" -v size="$size" \
			'$1 == block { print $2 * size / 512 }'
}

# A reader of the device brings in old bytes, and the copy cannot be read. The
# work may fail; what is written has to be sound.
scenario_unreadable()
{
	format -J size=8 -O ^metadata_csum
	long=$(awk 'BEGIN { for (i = 0; i < 900; i++) printf "v" }')
	check "unreadable: there is a log" guest unreadable 120 "$never_clean
$mount_it
mkdir /mnt/d
for n in \$(seq 60); do mkdir /mnt/d/\$n; done
for n in \$(seq 0 2 40); do
	dd if=/dev/zero of=/mnt/many bs=1024 count=1 seek=\$n conv=notrunc,fsync 2>/dev/null
done
touch /mnt/attr
./lazyctl attribute /mnt/attr $long || say FAILED: attribute
sync
umount /mnt"
	cp --sparse=always "$disk" "$work/base.img"
	kinds_of_blocks >"$work/kinds"
	: >"$work/allowed"
	while read -r name block; do
		scenario=unreadable-$name
		stock_complains "$block" </dev/null
	done <"$work/kinds"
	tried=0
	while read -r name block; do
		from_base
		sector=$(sector_of_copy "$block")
		[ "$sector" ] || continue
		tried=$((tried + 1))
		scenario=unreadable-$name
		one_unreadable "$sector" </dev/null
	done <"$work/kinds"
	check "unreadable: seven kinds of blocks have copies" \
		[ "$tried" -eq 7 ]
	rm -f "$work/base.img"
}

work_beside()	# OPTIONS
{
	echo "cat /dev/vda >/dev/null
mount -t ext4 -o noatime,nodelalloc,commit=300$1 /dev/vda /mnt &&
	say MOUNTED
cat /dev/vda >/dev/null
for n in \$(seq 20); do
	mkdir /mnt/new\$n /mnt/d/new\$n
	dd if=/dev/zero of=/mnt/file\$n bs=1024 count=3
done
echo more >>/mnt/many
cat /mnt/many | wc -c
./lazyctl attribute /mnt/attr other
rmdir /mnt/d/7
sync
true"
}
one_unreadable()	# SECTOR
{
	from_base
	unreadable=$1
	check "$scenario: work goes on, or fails" ends unreadable 120 \
		"$never_clean
$(work_beside ,journal_lazy)"
	unreadable=
	check "$scenario: the copy was asked for" \
		grep -aE 'I/O error, dev vda' "$console"
	check "$scenario: no old bytes enter the log" no_old_bytes
	check "$scenario: a stock kernel complains of the same" allowed
	check "$scenario: e2lazyck finds no more than that the kernel saw an error" \
		sound_but_for errno
	check "$scenario: e2fsck finds the view clean" view_is_clean "$disk"
}
# The list of what a kernel may say is what a stock one says, when one of these
# blocks itself cannot be read after a replay.  A request for several blocks fails
# as a whole, so the list is one for all.
stock_complains()	# BLOCK
{
	from_base
	check "$scenario: the log is replayed for a stock kernel" \
		replay_of_base
	size=$(dumpe2fs -h "$disk" 2>/dev/null | sed -n 's/^Block size: *//p')
	unreadable=$(($1 * size / 512))
	kind=STOCK
	start unreadable-stock "$disk" "$(work_beside)" && finish 120
	kind=LAZY
	unreadable=
	kinds_of_complaints >>"$work/allowed"
	# A mount that a stock kernel refuses, too, may fail at another place.
	grep -aq MOUNTED "$console" ||
		echo 'EXTN-fs (vda): error loading journal' >>"$work/allowed"
	LC_ALL=C sort -u -o "$work/allowed" "$work/allowed"
}
replay_of_base()
{
	e2fsck -y -E journal_only "$disk"
	[ $? -le 1 ]
}
kinds_of_complaints()
{
	complaints "$console" | sed 's/.*EXT4-fs/EXT4-fs/; s/comm [^:]*:/comm:/
		s/[0-9][0-9]*/N/g' | LC_ALL=C sort -u
}
allowed()
{
	kinds_of_complaints >"$work/complaints"
	! LC_ALL=C comm -13 "$work/allowed" "$work/complaints" | grep . || {
		echo "a stock kernel says:"
		cat "$work/allowed"
		return 1
	}
}
sound_but_for()	# FINDING
{
	"$E2LAZYCK" -n "$disk" >"$work/ck.out" 2>&1
	status=$?
	cat "$work/ck.out"
	[ $((status & ~4)) -eq 0 ] &&
		! grep -E '^(grave|warning) ' "$work/ck.out" |
			grep -v "^warning *$1 "
}
# As guest; the kernel may complain of what cannot be read.
ends()		# NAME SECONDS TEXT
{
	start "$1" "$disk" "$3" && finish "$2" && grep -aq 'THE END' "$console"
}
no_old_bytes()
{
	! grep -aE 'WARNING|BUG|Oops|its buffer is older' "$console"
}

# The copy at the tail cannot be read, and no checksum proves that its buffer
# holds the same: the buffer goes home all the same, and nothing is aborted.
scenario_tail()
{
	scenario=tail
	format -J size=4 -O ^metadata_csum
	journal_sb show >/dev/null
	unreadable=$(((at + 8) * size / 512))
	check "tail: what the log cannot give, memory does" guest tail 120 "$never_clean
$mount_it
for n in \$(seq 40); do mkdir /mnt/lost+found/\$n; done
sync
$always_clean
until grep -q '^transactions 0' /proc/fs/jbd2/vda-8/lazy; do sleep 1; done
touch /mnt/lost+found/more || say FAILED: touch
sync"
	unreadable=
	check "tail: the copy was asked for" \
		grep -aE 'I/O error, dev vda' "$console"
	after "$seed" 0 0
}

# The form of the log's checksums is what the options ask for. A log of another
# form is replayed first.
scenario_checksums()
{
	format -J size=4
	check "checksums: there is a log of version 3" guest checksums 120 "$mount_it
./lazywork run /mnt $seed 0 300"
	check "checksums: it goes on without checksums, and again with them" \
		guest checksums-off 120 "
for option in nojournal_checksum journal_checksum nojournal_checksum; do
	mount -t ext4 -o noatime,commit=300,journal_lazy,\$option /dev/vda /mnt ||
		say FAILED: mount \$option
	$poison
	./lazywork sum /mnt
	touch /mnt/lost+found/\$option
	umount /mnt
done
dmesg | grep JBD2
$mount_it
rm -f /mnt/lost+found/*
$poison
./lazywork sum /mnt
lazy_show"
	check "checksums: the kernel says why it replays" \
		says 'its checksums are of another form'
	scenario=checksums
	same_map
	after "$seed" 300 300

	format -J size=4 -O ^metadata_csum
	check "checksums: those of version 1 are refused" guest checksums-1 60 "
mount -t ext4 -o journal_lazy,journal_checksum /dev/vda /mnt &&
	say FAILED: mount
$mount_it
dmesg | grep EXT4"
	check "checksums: the message says what to do" \
		says 'tune2fs -O metadata_csum'

	format -J size=4
	version_2
	check "checksums: a stock log of version 2" has_version_2
	check "checksums: is replayed" guest checksums-2 120 "$mount_it
dmesg | grep JBD2
$poison
./lazywork run /mnt $seed 0 300
lazy_show"
	scenario=checksums-2
	same_map
	after "$seed" 300 300
}
# Debugfs logs a block with checksums of version 2.
version_2()
{
	block=$(debugfs -R 'imap /' "$disk" 2>/dev/null |
		sed -n 's/.*located at block \([0-9]*\),.*/\1/p')
	size=$(dumpe2fs -h "$disk" 2>/dev/null |
		sed -n 's/^Block size: *//p')
	dd if="$disk" of="$work/block" bs="$size" skip="$block" count=1 2>/dev/null
	printf 'jo -c -v 2\njw -b %s %s\njc\n' "$block" "$work/block" |
		debugfs -w -f - "$disk" >/dev/null 2>&1
}
has_version_2()
{
	dumpe2fs -h "$disk" 2>/dev/null | grep 'journal_checksum_v2'
}

# The archive has the newest kernel unsigned before it has it signed.
scenario_packages()
{
	mkdir -p "$work/archive"
	cat >"$work/archive/apt-get" <<'END'
#!/bin/sh
case $* in *-unsigned) ;; *) exit 100 ;; esac
mkdir -p p/DEBIAN p/boot
printf 'Package: linux-image-0-unsigned\nVersion: 1\nArchitecture: all\nMaintainer: nobody\nDescription: none\n' >p/DEBIAN/control
echo image >p/boot/vmlinuz-0
dpkg-deb -b p linux-image-0-unsigned_1_all.deb >/dev/null
rm -r p
END
	chmod 755 "$work/archive/apt-get"
	mkdir -p "$work/kernel0"
	echo 0 >"$work/kernel0/version"
	check "packages: an unsigned kernel does" unpack_unsigned
}
unpack_unsigned()
(
	PATH=$work/archive:$PATH KERNEL=$work/kernel0
	unpack_image "$work/kernel0/image" >"$work/said" 2>&1 &&
		[ -e "$work/kernel0/image/boot/vmlinuz-0" ] &&
		grep 'linux-image-0-unsigned' "$work/said"
)
