# SPDX-License-Identifier: GPL-2.0-only
#
# classes.sh - what the classes of xfstests ask of a file system, each by a session of
# our own, on a stock and on a lazy volume. Sourced by run.  LAZY_CLASSES: some alone.
#
# xfstests are in no package.  Each session names the test that it stands for; it
# does the same to the file system, with other work.

classes='freeze trim quota shutdown log resize stress enospc'

scenario_classes()
{
	for class in ${LAZY_CLASSES:-$classes}; do
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

# generic/052: what was done before a shutdown that flushes the log is there after
# the replay, all of it; three times on one volume.
class_log()
{
	format -J size=4
	from=0
	for round in 1 2 3; do
		to=$((from + 300))
		check "$scenario: a shutdown that flushes the log, $round (as generic/052)" \
			ends "class-$class-$kind" 300 "
$mount_class
./lazywork run /mnt $seed $from $to >/dev/null || say FAILED: lazywork
./lazyctl shutdown /mnt 1 || say FAILED: shutdown
umount /mnt || say FAILED: umount
$mount_class
$poison
./lazywork sum /mnt"
		check "$scenario: the kernel says so and no more" \
			nothing_but_a_shutdown
		after "$seed" "$to" "$to"
		from=$to
	done
}
nothing_but_a_shutdown()
{
	complaints "$console" >"$work/complaints"
	! grep -avE 'EXT4-fs error.*(shutdown|Detected aborted journal)|shut down requested|Aborting journal|aborted' \
		"$work/complaints"
}

# ext4/306: a file system grows while it is mounted, and the new blocks can be had.
# With journal_lazy that is refused; a mount without it grows, and one with it uses
# the new blocks.
class_resize()
{
	rm -f "$disk"
	truncate -s 256M "$disk" && mke2fs -q -F -t ext4 -b 4096 \
		-E lazy_itable_init=0 -J size=4 "$disk" 48M
	check "$scenario: grows under work, or is refused (as ext4/306)" \
		guest "class-$class-$kind" 300 "
$mount_class
./lazywork run /mnt $seed 0 500 >/run/done || say FAILED: lazywork &
sleep 1
if [ $kind = LAZY ]; then
	./lazyctl resize /mnt 65536 && say FAILED: it was not refused
	wait
	umount /mnt
	mount -t ext4 -o noatime /dev/vda /mnt || say FAILED: mount without it
fi
./lazyctl resize /mnt 65536 || say FAILED: resize
wait
umount /mnt
$mount_class
dd if=/dev/zero of=/mnt/lost+found/large bs=1M count=100 2>/dev/null ||
	say FAILED: the new blocks cannot be had
$poison
./lazywork sum /mnt"
	after "$seed" 500 500
}

# generic/013: twenty processes do random operations in one place.
class_stress()
{
	format -J size=4
	stressed "twenty processes at random (as generic/013)" 20 400
}

# generic/083: the same where no space is left most of the time.
class_enospc()
{
	rm -f "$disk"
	truncate -s 24M "$disk" && mke2fs -q -F -t ext4 -b 1024 \
		-E lazy_itable_init=0 -J size=4 "$disk"
	stressed "ten processes at random without space (as generic/083)" 10 600
}

# Our own work is done before: the model has no word for a write that failed.
stressed()	# TITLE PROCESSES OPERATIONS
{
	[ -x "$work/stress" ] || check "stress builds" $CC -O2 -static \
		-o "$work/stress" "$here/stress.c" || return
	OTHERS=$work/stress
	check "$scenario: $1" guest "class-$class-$kind" 600 "
$mount_class
./lazywork run /mnt $seed 0 300 || say FAILED: lazywork
./stress /mnt/lost+found/stress $2 $3 $seed || say FAILED: stress
$poison
ls -lR /mnt/lost+found >/dev/null || say FAILED: ls
./lazywork sum /mnt"
	OTHERS=
	check "$scenario: it did something" did_much $(($2 * $3 / 4))
	after "$seed" 300 300
}
did_much()	# OPERATIONS
{
	tr -d '\r' <"$console" | grep '^stressed '
	[ "$(tr -d '\r' <"$console" | sed -n 's/^stressed //p')" -ge "$1" ]
}
