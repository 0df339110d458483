# SPDX-License-Identifier: GPL-2.0-only
#
# measure.sh - scenarios that count: requests and bytes of a workload, what a
# mount of a large log reads, and the memory of its map. Sourced by run.

# What the guest's disk was asked for since the last call: reads, MiB read,
# writes, MiB written; and how many reads of metadata the log answered.
asked_for='
asked_for()
{
	sync
	set -- $1 $(cat /sys/block/vda/stat)
	echo "asked $1 $2 $4 $6 $8"
}'

# One workload after the other on one volume, on a stock and on a lazy kernel.
table_work='
cd /mnt
asked_for begin
mkdir t; cd t
seq 1 60 | while read d; do mkdir $d; (cd $d; seq 1 50 | xargs mkdir); done
asked_for MakeDirs
cold; find . -type d | wc -l >/dev/null
asked_for ListDirs
seq 1 60 | while read d; do (cd $d; seq 1 50 | sed "s/$/\/f/" | xargs touch); done
asked_for CreateFiles
cold; find . -type f | wc -l >/dev/null
asked_for FindFiles
cold; tar -cf /dev/null .
asked_for TarDirs
seq 1 60 | while read d; do (cd $d; seq 1 50 | sed "s/$/\/f/" | xargs rm); done
asked_for RemoveFiles
cold; cd ..; rm -rf t
asked_for RemoveDirs
cd /
[ ! -e /proc/fs/jbd2/vda-8/lazy ] || show lazy /proc/fs/jbd2/vda-8/lazy
umount /mnt
asked_for umount'

scenario_table()
{
	for kind in STOCK LAZY; do
		format -b 4096 -J size=64
		option=
		[ $kind = STOCK ] || option=,journal_lazy
		recorded "table: $kind: seven workloads" \
			"table-$kind" 900 "$asked_for
cold()
{
	sync
	echo 3 >/proc/sys/vm/drop_caches
}
mount -t ext4 -o noatime,commit=300$option /dev/vda /mnt || say FAILED: mount
$table_work"
		print_asked
		what_it_wrote table $kind
	done
	kind=LAZY
	check "table: a lazy kernel writes nothing in place" \
		wrote LAZY in-place -eq 0
	check "table: nor more to the log, by 5 %" \
		wrote LAZY log -le "$(awk '$1 == "log" { print int($3 * 1.05) }' \
			"$work/writes.STOCK")"
	check "table: the requests for reads are not many more" reads_are_few
	table_of_postmark
}

# A part of its files live long enough for their data to be written, which both
# kernels do in place.  It ends by deleting them.  The slower the machine, the
# more it syncs: the log has room for one that takes three times as long.
table_of_postmark()
{
	check "table: postmark is at hand" fetch_programs || return
	for kind in STOCK LAZY; do
		format -b 4096 -J size=112
		option=
		[ $kind = STOCK ] || option=,journal_lazy
		recorded "table: $kind: postmark" "postmark-$kind" 900 "$asked_for
$run_other
$run_postmark
mount -t ext4 -o noatime,commit=300$option /dev/vda /mnt || say FAILED: mount
asked_for begin
while sleep 1; do sync; done &
postmark_in /mnt $((seed % 10000)) 8000 40000 || say FAILED: postmark
kill \$!
asked_for postmark
[ ! -e /proc/fs/jbd2/vda-8/lazy ] || show lazy /proc/fs/jbd2/vda-8/lazy
umount /mnt
asked_for umount"
		print_asked
		what_it_wrote table $kind
	done
	kind=LAZY
	OTHERS=
	check "table: a lazy kernel writes none of postmark's metadata home" \
		same_number 0 written_home
}

print_asked()
{
	tr -d '\r' <"$console" | awk -v kind="$kind" '
		$1 == "asked" && seen {
			printf "# %s %s: reads %d, %.1f MiB; writes %d, %.1f MiB\n",
				kind, $2, $3 - r, ($4 - rs) / 2048,
				$5 - w, ($6 - ws) / 2048
		}
		$1 == "asked" {
			seen = 1; r = $3; rs = $4; w = $5; ws = $6
		}'
}

# Neighbours in the log are read in one request, most before they are asked for.
reads_are_few()
{
	redirected=$(counted redirected_reads)
	ahead=$(counted read_ahead)
	requests=$(tr -d '\r' <"$console" | awk '
		$1 == "asked" { last = $3; first = first ? first : $3 }
		END { print last - first }')
	echo "$redirected redirected reads, $ahead of them ahead;" \
		"$requests requests in all"
	[ "$ahead" -gt $((redirected / 2)) ] &&
		[ "$requests" -lt $((redirected * 2 / 3)) ]
}

# A log of a million live copies, which our own writer makes: the mount reads
# little but the control blocks, and the map takes what is promised.  A quarter
# of the log is free, so that the mount need not make room for its superblock.
scenario_large()
{
	rm -f "$disk"
	truncate -s 8G "$disk"
	check "large: a log of a million live copies" make_large
	append=slab_nomerge check "large: a lazy kernel mounts it" \
		guest large 600 "$never_clean
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
	mke2fs -q -F -t ext4 -b 1024 -N 1024 -J size=1400 \
		-E lazy_itable_init=1,lazy_journal_init=1,packed_meta_blocks=1 \
		"$disk" && echo 'bulk 1000 tags 1000 from 4000000' |
		"$MKJOURNAL" "$disk" &&
		control=$("$E2LAZY" info --json "$disk" |
			jq -e '.estimates.control_blocks // empty')
}
scan_is_short()
{
	scanned=$(counted scanned_blocks)
	echo "$scanned blocks for $control control blocks"
	[ "$scanned" -le $((control * 12 / 10)) ]
}
entries_are_small()
{
	slab=$(tr -d '\r' <"$console" | sed -n 's/^slab //p')
	echo "$(counted entry_bytes) bytes, in slabs $slab"
	[ "$(counted entry_bytes)" -eq 72 ] && [ "$slab" -le 80 ]
}
