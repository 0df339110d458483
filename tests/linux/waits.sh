# SPDX-License-Identifier: GPL-2.0-only
#
# waits.sh - who waits for whom: a flush for the cleaner, a cleaner for buffers that
# others have locked, writers for one batch. Sourced by run.

# stalled NAME SECONDS FUNCTION TEXT - a guest in which the first who calls that is
# kept busy, on a slow host for longer than RCU waits; FUNCTION may have parameters
# of the module behind it
stalled()
{
	CUTTER=$work/cut/cut.ko
	guest "$1" "$2" "
echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
insmod cut.ko point=jbd2_lazy_home nth=1000000 stall=$3 ||
	say FAILED: insmod
$4"
	status=$?
	CUTTER=
	return $status
}

# The cleaner has the last blocks in its hands, and unmaps them before a flush can
# move one: nothing is wrong, and nothing is aborted.
scenario_flushed()
{
	scenario=flushed
	check "$scenario: the module that stalls builds" make_cutter
	format -J size=4
	check "$scenario: the cleaner empties the map before a flush" \
		stalled flushed 120 lazy_unmap "$never_clean
$mount_it
cd /mnt/lost+found
seq 20 | xargs mkdir
sync
cd /run
$always_clean
sleep 2
./lazyctl checkpoint /mnt 0 || say FAILED: checkpoint
touch /mnt/lost+found/more || say FAILED: touch
sync
show lazy /proc/fs/jbd2/vda-8/lazy"
	after "$seed" 0 0
}

# ext4 drops an inode that holds a value under the lock of the attribute block's
# buffer, and revokes what that inode had.  The cleaner logs this block again.
scenario_values()
{
	scenario=values
	check "$scenario: the module that stalls builds" make_cutter
	format -b 1024 -I 128 -O ea_inode -J size=4 2>/dev/null
	long=$(awk 'BEGIN { for (i = 0; i < 900; i++) printf "v" }')
	check "$scenario: large values change while their block is logged again" \
		stalled values 120 'lazy_is_copy stall_ms=250 stall_calls=16' \
		"$never_clean
$mount_it
touch /mnt/lost+found/file
./lazyctl attribute /mnt/lost+found/file ${long}0 || say FAILED: attribute
sync
for n in \$(seq 12); do
	touch /mnt/lost+found/\$n
	sync
done
$always_clean
for n in \$(seq 60); do
	./lazyctl attribute /mnt/lost+found/file $long\$n || say FAILED: attribute
	usleep 50000
done
sync
show lazy /proc/fs/jbd2/vda-8/lazy"
	check "$scenario: blocks were logged again meanwhile" \
		at_least 1 logged_again
	check "$scenario: e2lazyck finds the log sound" sound "$disk"
	check "$scenario: e2fsck finds the view clean" view_is_clean "$disk"
}

# A copy that the cleaner reads is replaced before the device says that it cannot be
# read: nobody needs it any more.
scenario_replaced()
{
	scenario=replaced
	format -b 1024 -J size=4
	journal_sb show >/dev/null
	unreadable=$(((at + 8) * size / 512))
	slow_reads=8192
	check "$scenario: what cannot be read is replaced while it is read" \
		guest replaced 180 "$never_clean
$mount_it
cd /mnt/lost+found
seq 80 | xargs mkdir
sync
for n in *; do mkdir \$n/sub; done
cd /run
$always_clean
sleep 2
sync
$never_clean
sleep 10
touch /mnt/lost+found/more || say FAILED: touch
sync
show lazy /proc/fs/jbd2/vda-8/lazy"
	unreadable= slow_reads=
	check "$scenario: the copy was asked for" \
		grep -aE 'I/O error, dev vda' "$console"
	after "$seed" 0 0
}

# Eight writers find the log full at once, on a slow device: the batch of the first
# makes room for all.
scenario_together()
{
	scenario=together
	format -b 1024 -J size=1
	slow=65536
	check "$scenario: eight writers wait for room" guest together 300 "
waits() { sed -n 's/^waits_for_space //p' /proc/fs/jbd2/vda-8/lazy; }
home() { sed -n 's/^written_home //p' /proc/fs/jbd2/vda-8/lazy; }
$never_clean
$mount_it
cd /mnt/lost+found
mkdir 1 2 3 4 5 6 7 8
n=0
while [ \$(waits) -lt 5 ] && [ \$n -lt 200 ]; do
	waited=\$(waits) before=\$(home)
	for i in 1 2 3 4 5 6 7 8; do
		mkdir \$i/\$n &
	done
	wait
	[ \$(waits) -eq \$waited ] ||
		say waits \$((\$(waits) - waited)) home \$((\$(home) - before))
	sync
	n=\$((n + 1))
done
cd /run"
	slow=
	tr -d '\r' <"$console" | sed -n 's/^waits/# &/p'
	check "$scenario: one batch, or two, did" few_batches
	after "$seed" 0 0
}
few_batches()
{
	tr -d '\r' <"$console" | awk '/^waits / && $2 >= 5 {
		together = 1
		each = $4 > 128
	}
	END { exit !together || each }'
}

# Nearly half of the log is live.  With the descriptors and commit blocks of what it
# moves the paper's cleaner could not reach its upper watermark.
scenario_half()
{
	scenario=half
	format -b 1024 -J size=4
	check "$scenario: forward comes to its end" guest half 300 "
lazy() { sed -n \"s/^\$1 //p\" /proc/fs/jbd2/vda-8/lazy; }
$never_clean
$mount_it
mkdir /mnt/lost+found/d
cd /mnt/lost+found/d
n=1
while [ \$((\$(lazy live) * 100)) -lt \$((\$(lazy log_blocks) * 48)) ]; do
	seq \$n \$((n + 99)) | xargs mkdir
	sync
	n=\$((n + 100))
	[ \$n -lt 1401 ] || n=\$((n - 80))
done 2>/dev/null
while [ \$((\$(lazy log_free) * 100)) -ge \$((\$(lazy log_blocks) * 40)) ]; do
	ls | head -n 400 | xargs touch
	sync
done
cd /run
say live \$(lazy live) of \$(lazy log_blocks), free \$(lazy log_free)
echo forward >/sys/fs/ext4/vda/lazy_cleaner
before=-1
n=0
while [ \"\$before\" != \"\$(lazy logged_again)\$(lazy written_home)\" ]; do
	before=\$(lazy logged_again)\$(lazy written_home)
	n=\$((n + 1))
	[ \$n -lt 20 ] || { say FAILED: it goes on; break; }
	sleep 3
done
say again \$(lazy logged_again) home \$(lazy written_home) free \$(lazy log_free)
lazy_show"
	same_map
	after "$seed" 0 0
}
