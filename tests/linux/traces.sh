# SPDX-License-Identifier: GPL-2.0-only
#
# traces.sh - scenario that records with e2lazy in the guest what a stock and a
# lazy kernel ask of one disk of 2 TB. Sourced by run.
#
# LAZY_TRACES: a directory that keeps the traces.

# The traces leave the guest behind the file system.
traces_size=2047	# GiB
traces_at=$((traces_size * 1024 + 16))

# In the guest: record WORK COMMAND on the mounted disk, until it is unmounted.
record_work='
record_work()
{
	mount -t ext4 -o $options /dev/vda /mnt || say FAILED: mount
	other e2lazy trace record -q -o "/run/$1.trace" /dev/vda -- \
		sh -c "$2 && umount /mnt" || say "FAILED: record $1"
}
run_here="/run/ld-linux-x86-64.so.2 --library-path /run /run/workload"
mount -t tracefs tracefs /sys/kernel/tracing || say FAILED: tracefs'

traces_work='
record_work makedirs "$run_here makedirs /mnt/top 60000 10 8"
record_work removedirs "rm -r /mnt/top"
record_work postmark "$run_here postmark /mnt 2500 10000 10000"
cd /run
tar -cf out.tar makedirs.trace removedirs.trace postmark.trace
dd if=out.tar of=/dev/vda bs=1M seek='$traces_at' 2>/dev/null
sync'

scenario_traces()
{
	check "traces: the programs are at hand" traces_programs || return
	for kind in STOCK LAZY; do
		rm -f "$disk"
		truncate -s $((traces_size + 1))G "$disk" &&
			mke2fs -q -F -t ext4 -m 0 -J size=1024 \
				-E assume_storage_prezeroed=1 "$disk" ${traces_size}G
		option=
		[ $kind = STOCK ] || option=,journal_lazy
		check "traces: $kind: makes directories, removes them, postmark" \
			guest "traces-$kind" 1800 "options=noatime$option
$run_other
$record_work
$traces_work"
		check "traces: $kind: leave the guest" traces_leave
		[ $kind = STOCK ] ||
			check "traces: e2lazyck finds the log sound" sound "$disk"
	done
	OTHERS=
	for work_of in makedirs removedirs postmark; do
		traces_compare $work_of
	done
	[ -z "$LAZY_TRACES" ] || cp -r "$work/traces" "$LAZY_TRACES"
}

traces_programs()
{
	make -s -C "$BUILDDIR/tests" bench/workload &&
	OTHERS=$(with_libraries "$E2LAZY" "$BUILDDIR/tests/bench/workload")
}

traces_leave()
{
	mkdir -p "$work/traces/$kind" &&
		dd if="$disk" bs=1M skip=$traces_at status=none |
		tar -C "$work/traces/$kind" -xf -
}

# bytes_of CLASS KIND [--lazy] - what is asked of the disk, by the trace
bytes_of()
{
	"$E2LAZY" trace show --json $3 "$work/traces/$2/$work_of.trace" |
		sed -n "s/.*\"class\":\"$1\",.*\"bytes\":\([0-9]*\).*/\1/p"
}

traces_compare()
{
	for kind in STOCK LAZY; do
		"$E2LAZY" trace show "$work/traces/$kind/$work_of.trace" |
			sed -n "2,9s/^/# $kind $work_of: /p"
		"$E2LAZY" simulate --drive ST8000AS0002 --fast \
			"$work/traces/$kind/$work_of.trace" |
			sed -n "1s/^/# /p; 2s/^.*traces\//# /p"
	done
	check "traces: $work_of: a lazy kernel writes home the superblock alone" \
		writes_nothing_home
	check "traces: $work_of: it logs what is derived from the stock trace, by 35 %" \
		logs_as_derived
}
writes_nothing_home()
{
	bytes=$(bytes_of 'metadata write' LAZY)
	echo "$bytes bytes"
	[ "$bytes" -le 8192 ]
}
# A commit takes what there is after some seconds, so two runs do not log the
# same; the less so the busier the machine.
logs_as_derived()
{
	derived=$(bytes_of 'journal write' STOCK --lazy)
	own=$(bytes_of 'journal write' LAZY)
	echo "derived $derived, recorded $own"
	[ "$own" -gt $((derived * 65 / 100)) ] &&
		[ "$own" -lt $((derived * 135 / 100)) ]
}
