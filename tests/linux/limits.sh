# SPDX-License-Identifier: GPL-2.0-only
#
# limits.sh - scenarios for a lazy volume that is full, crowded, stopped by an
# ioctl, left with deleted files open, emptied, read-only or sealed. Sourced by run.

# No space left, with the cleaner always on; then the space comes back.
scenario_nospace()
{
	rm -f "$disk"
	truncate -s 64M "$disk" &&
		mke2fs -q -F -t ext4 -b 1024 -E lazy_itable_init=0 \
			-J size=4 "$disk"
	check "nospace: the file system fills up, and goes on when it is emptied" \
		guest nospace 300 "$always_clean
$mount_it
./lazywork run /mnt $seed 0 400
for round in 1 2; do
	./lazyctl fill /mnt/lost+found/fill || say FAILED: fill
	$poison
	ls -lR /mnt/lost+found >/dev/null || say FAILED: ls
	rm -rf /mnt/lost+found/fill || say FAILED: rm
	sync
done
./lazywork run /mnt $seed 400 800
$poison
./lazywork sum /mnt
lazy_show"
	check "nospace: it was full twice" filled 2
	same_map
	after "$seed" 800 800
}
filled()	# TIMES
{
	[ "$(tr -d '\r' <"$console" | grep -c '^filled [1-9]')" -eq "$1" ]
}

# More of the log is live than the paper's cleaner could stand: work slows down,
# never stops, and never aborts. The cleaner sleeps until the log is nearly full.
scenario_crowded()
{
	format -b 1024 -J size=4
	check "crowded: works while most of the log is live" \
		guest crowded 900 "echo 8 >/sys/module/jbd2/parameters/lazy_clean_below
$mount_it
watch_live &
watcher=\$!
mkdir /mnt/lost+found/many
(cd /mnt/lost+found/many; seq 1 6000 | xargs mkdir)
sync
sleep 3
./lazywork run /mnt $seed 0 600
rm -rf /mnt/lost+found/many
./lazywork run /mnt $seed 600 1200
kill \$watcher
$poison
./lazywork sum /mnt
lazy_show"
	check "crowded: more than 70 % of the log was live" was_crowded 70
	same_map
	after "$seed" 1200 1200
}
was_crowded()	# PERCENT
{
	most=$(tr -d '\r' <"$console" | sed -n 's/^live of the log: //p' |
		sort -n | tail -n 1)
	echo "at most $most % were live"
	[ "${most:-0}" -gt "$1" ]
}

# An administrator, or a test, stops the file system: as an error would.
scenario_shutdown()
{
	for how in 0 1 2; do
		format -J size=4
		check "shutdown $how: works, and is stopped" \
			guest "shutdown$how" 120 "$always_clean
$mount_it
./lazywork run /mnt $seed 0 450
./lazyctl shutdown /mnt $how || say FAILED: shutdown
touch /mnt/no 2>/dev/null && say FAILED: it goes on
umount /mnt || say FAILED: umount"
		scenario="shutdown $how"
		after "$seed" 450 450
		check "shutdown $how: the next mount is lazy again" \
			guest "again$how" 120 "$mount_it
$poison
./lazywork run /mnt $seed 450 600
lazy_show"
		same_map
		after "$seed" 600 600
	done
}

# The ioctl that writes the log home, with all its forms; work goes on. The cleaner
# would do the same meanwhile.
scenario_checkpoint()
{
	format -J size=4
	check "checkpoint: the ioctl empties the log, and work goes on" \
		guest checkpoint 180 "$never_clean
$mount_it
from=0
for flags in 0 2 4 0; do
	./lazywork run /mnt $seed \$from \$((from + 200)) >/dev/null
	from=\$((from + 200))
	./lazyctl checkpoint /mnt \$flags || say FAILED: checkpoint \$flags
	grep '^live ' /proc/fs/jbd2/vda-8/lazy | sed \"s/^/\$flags /\"
done
$always_clean
./lazywork run /mnt $seed 800 900
$poison
./lazywork sum /mnt
lazy_show"
	# 4 is a dry run.
	check "checkpoint: nothing is live after it, but after a dry run" \
		emptied_each_time
	same_map
	after "$seed" 900 900
	check "resize: is refused, and tells why" guest resize 60 \
		"dmesg -n 7
$mount_it
./lazyctl resize /mnt 70000 && say FAILED: resize
dmesg | grep resize"
	check "resize: says what to do" says 'mount without it'
}
emptied_each_time()
{
	tr -d '\r' <"$console" | grep -E '^[024] live '
	[ "$(tr -d '\r' <"$console" | grep -cE '^[02] live 0$')" -eq 3 ] &&
		tr -d '\r' <"$console" | grep -qE '^4 live [1-9]'
}

# Deleted files that were open when the power went: the next mount, lazy or
# stock, deletes them.
scenario_orphans()
{
	for form in -J\ size=4 -O\ orphan_file; do
		format $form
		start orphans "$disk" "$mount_it
./lazywork run /mnt $seed 0 300
./lazyctl orphans /mnt/lost+found 40"
		check "orphans: deleted files are open" wait_for '^orphans 40'
		cut_power
		scenario="orphans $form"
		after "$seed" 300 300
		check "$scenario: a lazy mount deletes them" \
			guest orphans-gone 120 "dmesg -n 7
$mount_it
$poison
./lazywork run /mnt $seed 300 500
lazy_show"
		check "$scenario: it says so" says '40 orphan inodes deleted'
		same_map
		after "$seed" 500 500
	done
	format -J size=4
	start orphans "$disk" "$mount_it
./lazywork run /mnt $seed 0 300
./lazyctl orphans /mnt/lost+found 40"
	check "orphans: once more" wait_for '^orphans 40'
	cut_power
	scenario='orphans read-only'
	check "$scenario: so does a mount for reading" \
		guest orphans-ro 120 "
mount -t ext4 -o ro,journal_lazy /dev/vda /mnt || say FAILED: mount
./lazywork sum /mnt
umount /mnt"
	check "$scenario: which empties the log" no_flag
	after "$seed" 300 300
}

# Directories die in the order in which they stand in the log, while the cleaner
# logs its oldest blocks again; then files get their blocks.  A block that the
# cleaner moved too late would be logged as metadata, and hold data.
scenario_dying()
{
	rm -f "$disk"
	truncate -s 48M "$disk" &&
		mke2fs -q -F -t ext4 -b 1024 -E lazy_itable_init=0 \
			-J size=16 "$disk"
	check "dying: directories die under the cleaner, and become files" \
		guest dying 300 "$never_clean
$mount_it
mkdir /mnt/lost+found/die
cd /mnt/lost+found/die
seq 1 1600 | xargs mkdir
sync
seq 2 2 1600 | xargs rmdir
sync
$always_clean
for n in \$(seq 1 2 1600); do rmdir \$n; done
cd /run
yes | dd of=/mnt/lost+found/data bs=64k 2>/dev/null
sync
$poison
[ \"\$(tr -d 'y\n' </mnt/lost+found/data | wc -c)\" -eq 0 ] ||
	say FAILED: foreign bytes
lazy_show"
	check "dying: blocks were logged again meanwhile" \
		at_least 100 logged_again
	same_map
	after "$seed" 0 0
}

# Copies of directories that are gone stay in the log.  A mount must not find
# them, although nothing of them has been logged again.
scenario_revoked()
{
	format
	check "revoked: a mount of a log with copies of what is gone" \
		guest revoked 120 "$never_clean
$mount_it
mkdir /mnt/lost+found/gone
cd /mnt/lost+found/gone
seq 1 400 | xargs mkdir
sync
seq 1 300 | xargs rmdir
sync
cd /run
umount /mnt
$mount_it
$poison
lazy_show"
	same_map
	check "revoked: the log has such copies" has_revoked 300
	after "$seed" 0 0
}
has_revoked()	# COPIES
{
	found=$("$E2LAZY" info --json "$disk" | jq '.map.revoked // empty')
	echo "$found copies are revoked"
	[ "${found:-0}" -ge "$1" ]
}

# A device that cannot be written, where the log was kept, and where it was not.
scenario_readonly()
{
	scenario=readonly
	format
	check "readonly: a log that is kept cannot be replayed there" \
		guest readonly 60 "$mount_it
./lazywork run /mnt $seed 0 300
umount /mnt
blockdev --setro /dev/vda
for option in ro ro,journal_lazy; do
	mount -t ext4 -o \$option /dev/vda /mnt && say FAILED: mount \$option
done
dmesg | grep noload"
	check "readonly: the message warns of noload" says \
		'with noload you see old files'
	check "readonly: a remount before the unmount empties it" \
		guest readonly-empty 60 "$mount_it
mount -o remount,ro /mnt || say FAILED: remount
umount /mnt
blockdev --setro /dev/vda
for option in ro ro,journal_lazy; do
	mount -t ext4 -o \$option /dev/vda /mnt || say FAILED: mount \$option
	./lazywork sum /mnt
	umount /mnt
done"
	after "$seed" 300 300
}

# A file that the kernel seals: its tree of hashes is written as data.
scenario_verity()
{
	scenario=verity
	format -b 4096 -O verity -J size=4
	check "verity: a file is sealed, and can be read after another mount" \
		guest verity 120 "$always_clean
$mount_it
./lazywork run /mnt $seed 0 300
yes | dd of=/mnt/lost+found/file bs=1024 count=900 2>/dev/null
before=\$(md5sum </mnt/lost+found/file)
./lazyctl verity /mnt/lost+found/file || say FAILED: verity
echo more >>/mnt/lost+found/file && say FAILED: it is not sealed
for round in 1 2; do
	sync
	$poison
	[ \"\$(md5sum </mnt/lost+found/file)\" = \"\$before\" ] ||
		say FAILED: contents
	umount /mnt
	$mount_it
done
$poison
lazy_show"
	same_map
	check "verity: e2lazyck finds the log sound" sound "$disk"
	check "verity: e2fsck finds the view clean" view_is_clean "$disk"
}
