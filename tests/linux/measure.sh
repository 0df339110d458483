# SPDX-License-Identifier: GPL-2.0-only
#
# measure.sh - scenarios that count: what a mount of a large log reads, and the
# memory of its map. Sourced by run.

# A log of a million live copies, which our own writer makes: the mount reads
# little but the control blocks, and the map takes what is promised.
scenario_large()
{
	rm -f "$disk"
	truncate -s 8G "$disk"
	check "large: a log of a million live copies" make_large
	append=slab_nomerge check "large: a lazy kernel mounts it" \
		guest large 600 "echo 0 >/sys/module/jbd2/parameters/lazy_clean_below
set -- \$(cat /sys/block/vda/stat)
before=\$3
mount -t ext4 -o noatime,journal_lazy,no_prefetch_block_bitmaps /dev/vda /mnt ||
	say FAILED: mount
show lazy /proc/fs/jbd2/vda-8/lazy
set -- \$(cat /sys/block/vda/stat)
echo \"mount read \$(((\$3 - before) / 2)) KiB\"
awk '/^lazy_entry/ { print \"slab\", int(\$15 * \$6 * 4096 / \$2) }' /proc/slabinfo
umount /mnt"
	check "large: the map has all of them" at_least 1000000 live
	check "large: the mount read 1.2 times the control blocks at most" \
		scan_is_short
	check "large: an entry takes 72 bytes, and little more in pages" \
		entries_are_small
	echo "# $scanned blocks read for $control control blocks;" \
		"$(counted entry_bytes) bytes an entry, $slab with its slab"
	tr -d '\r' <"$console" | sed -n 's/^mount read/# the mount read/p'
	rm -f "$disk"
}
# Metadata is at the front, so that the copies are of blocks that nobody reads.
make_large()
{
	mke2fs -q -F -t ext4 -b 1024 -N 1024 -J size=1200 \
		-E lazy_itable_init=1,lazy_journal_init=1,packed_meta_blocks=1 \
		"$disk" && echo 'bulk 1000 tags 1000 from 4000000' |
		"$MKJOURNAL" "$disk" &&
		control=$("$E2LAZY" info --json "$disk" |
			sed -n 's/.*"control_blocks": *\([0-9]*\).*/\1/p')
}
scan_is_short()
{
	scanned=$(counted scanned_blocks)
	echo "$scanned blocks for $control control blocks"
	[ "${scanned:?}" -le $((${control:?} * 12 / 10)) ]
}
entries_are_small()
{
	slab=$(tr -d '\r' <"$console" | sed -n 's/^slab //p')
	echo "$(counted entry_bytes) bytes, in slabs $slab"
	[ "$(counted entry_bytes)" -eq 72 ] && [ "${slab:?}" -le 80 ]
}
