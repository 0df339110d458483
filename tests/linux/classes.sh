# SPDX-License-Identifier: GPL-2.0-only
#
# classes.sh - what the classes of xfstests ask of a file system, each by a session of
# our own, on a stock and on a lazy volume. Sourced by run.
#
# xfstests are in no package.  Each session names the test that it stands for; it
# does the same to the file system, with other work.

classes='freeze trim quota shutdown'

scenario_classes()
{
	for class in $classes; do
		for kind in STOCK LAZY; do
			scenario="$class $kind"
			option=
			[ $kind = STOCK ] || option=,journal_lazy
			mount_class="mount -t ext4 -o noatime,commit=300$option /dev/vda /mnt ||
	say FAILED: mount"
			class_$class
		done
	done
	kind=LAZY
}

# worked TITLE TEXT - work, and beside it TEXT in a loop until the work is done
worked()
{
	check "$scenario: $1" guest "class-$class-$kind" 300 "
$mount_class
./lazywork run /mnt $seed 0 900 >/run/done || say FAILED: lazywork &
worker=\$!
n=0
while kill -0 \$worker 2>/dev/null; do
	$2
	n=\$((n + 1))
done
say rounds \$n
[ \$n -ge 3 ] || say FAILED: it was done too soon
$poison
./lazywork sum /mnt"
	after "$seed" 900 900
}

# generic/068: work goes on while somebody freezes and thaws.
class_freeze()
{
	format -J size=4
	worked "work, frozen and thawed (as generic/068)" \
		'fsfreeze --freeze /mnt || say FAILED: freeze
	usleep 200000
	fsfreeze --unfreeze /mnt || say FAILED: thaw
	usleep 200000'
}

# generic/251: what is free is discarded all the time.
class_trim()
{
	format -J size=4
	worked "work, and what is free is discarded (as generic/251)" \
		'fstrim /mnt || say FAILED: fstrim
	usleep 200000'
}

# generic/232: the quotas that the kernel keeps are those that e2fsck counts.
class_quota()
{
	format -J size=4 -O quota
	worked "work with quotas (as generic/232)" 'usleep 200000'
}

# generic/388: the file system is shut down under work, and recovers.
class_shutdown()
{
	format -J size=4
	check "$scenario: a shutdown under work (as generic/388)" \
		ends "class-$class-$kind" 300 "
$mount_class
./lazywork run /mnt $seed 0 6000 >/dev/console 2>/dev/null &
sleep 3
./lazyctl shutdown /mnt 2 || say FAILED: shutdown
wait
umount /mnt || say FAILED: umount"
	check "$scenario: nothing failed but the work" no_old_bytes
	synced=$(tr -d '\r' <"$console" | sed -n 's/^synced //p' | tail -n 1)
	after "$seed" "${synced:-0}" $((${synced:-0} + 600))
	check "$scenario: it mounts again" guest "again-$class-$kind" 120 "
$mount_class
$poison
./lazywork sum /mnt"
	check "$scenario: the guest reads the same tree" \
		same_sum "$(sum_by_guest)"
}
