# SPDX-License-Identifier: GPL-2.0-only
#
# traced.sh - e2lazy trace record beside what was really asked of a device:
# direct writes of known places, the journal of a known work.

disk=$work/traced.img
trace=$work/traced

# A disk of two partitions; $first and $second are theirs.
two_partitions() {
	rm -f "$disk" && truncate -s 256M "$disk" &&
	partition_table "$disk" 2048 262144 264192 131072 &&
	loop=$(losetup -P -f --show "$disk") || return 1
	loops="$loops $loop"
	# Where nobody makes nodes for them, as in a container.
	first=$work/first second=$work/second name=${loop#/dev/}
	# A kernel may know partitions, and not how to read their table.
	[ -e "/sys/class/block/${name}p2" ] ||
		partx -a "$loop" 2>/dev/null
	[ -e "/sys/class/block/${name}p2" ] || return 77
	node "$first" "${name}p1" && node "$second" "${name}p2"
}

node() {	# FILE NAME: the kernel's value of NAME
	rm -f "$1"
	mknod "$1" b $(tr : ' ' <"/sys/class/block/$2/dev")
}

direct() {	# DEVICE BLOCK COUNT: so many writes of 64 KiB, one by one
	dd if=/dev/zero of="$1" bs=64k seek="$2" count="$3" oflag=direct \
		2>/dev/null
}

# fact NAME - of the last recording's document
fact() {
	sed -n "s/.*\"$1\":\([0-9a-z]*\).*/\1/p" "$work/said" | head -1
}

record() {	# DEVICE COMMAND...
	device=$1
	shift
	"$E2LAZY" trace record --json -q -o "$trace" "$device" -- "$@" \
		>"$work/said" 2>"$work/complaint"
}

no_instance_is_left() {
	mkdir -p "$work/tracefs" &&
	mount -t tracefs none "$work/tracefs" || return 1
	left=
	for instance in "$work"/tracefs/instances/e2lazy.*; do
		# Another recorder may be at work.
		[ ! -e "$instance" ] || kill -0 "${instance##*.}" 2>/dev/null ||
			left="$left $instance"
	done
	umount "$work/tracefs"
	[ -z "$left" ] || { echo "left:$left"; return 1; }
}

# Each write of this partition, at its place from the partition's start, and
# none of the other's.
partition_alone_is_recorded() {
	two_partitions || return $?
	record "$first" sh -c "dd if=/dev/zero of=$first bs=64k seek=3 \
		count=100 oflag=direct 2>/dev/null; dd if=/dev/zero \
		of=$second bs=64k count=50 oflag=direct 2>/dev/null" ||
		{ cat "$work/complaint"; return 1; }
	release
	cat "$work/said"
	[ "$(fact written)" = 6553600 ] && [ "$(fact start)" = 1048576 ] &&
	[ "$(fact lost)" = 0 ] &&
	"$E2LAZY" trace show --raw --no-headings --columns class,requests,bands \
		--band 1M "$trace" >"$work/shown" && cat "$work/shown" &&
	# 3 * 64 KiB to 103 * 64 KiB: bands 0 to 6
	grep -qx "data_write 100 7" "$work/shown"
}

# The trace has as many bytes as the kernel counts for the disk.
all_is_recorded() {
	rm -f "$disk" && truncate -s 128M "$disk" &&
	mke2fs -q -F -t ext4 "$disk" && attach "$disk" || return 1
	name=${loop#/dev/}
	before=$(awk '{ print $7 }' "/sys/block/$name/stat")
	mount -t ext4 "$loop" "$mnt" || return 1
	record "$loop" sh -c "cp -r '$SRCDIR/lib' $mnt && sync -f $mnt &&
		rm -r $mnt/lib && sync -f $mnt && awk '{ print \$7 }' \
		/sys/block/$name/stat >$work/after" ||
		{ cat "$work/complaint"; return 1; }
	"$E2LAZY" log --raw --no-headings --columns TID "$loop" >"$work/tids"
	release
	cat "$work/said"
	asked=$((($(cat "$work/after") - before) * 512))
	written=$(fact written)
	echo "the kernel counts $asked bytes with the mount, the trace $written"
	# The mount writes the superblock, and no more than a few blocks.
	[ "$written" -le $asked ] && [ $((asked - written)) -le 65536 ] &&
	[ "$(fact transactions)" -ge 2 ] && [ "$(fact wrapped)" = false ] &&
	[ "$(fact transactions)" -le "$(grep -c . "$work/tids")" ]
}

# A journal of 1 MiB that gets more than that.
round_trip_is_told() {
	rm -f "$disk" && truncate -s 64M "$disk" &&
	mke2fs -q -F -t ext4 -b 1024 -J size=1 "$disk" && attach "$disk" &&
	mount -t ext4 "$loop" "$mnt" || return 1
	record "$loop" sh -c "for i in 1 2 3 4; do mkdir $mnt/\$i &&
		(cd $mnt/\$i && mkdir \$(seq 400)) && sync -f $mnt; done"
	release
	cat "$work/said" "$work/complaint"
	[ "$(fact wrapped)" = true ] && grep -q "went round" "$work/complaint"
}

# log_of MIB WORK - "waits waits_for_writes fills filled" of a journal at WORK
log_of() {
	rm -f "$disk" && truncate -s 256M "$disk" &&
	mke2fs -q -F -t ext4 -b 1024 -J size="$1" "$disk" && attach "$disk" &&
	mount -t ext4 "$loop" "$mnt" || return 1
	record "$loop" sh -c "$2; umount $mnt"
	release
	"$E2LAZY" trace show --json "$trace" >"$work/shown" || return 1
	sed -n -e 's/.*"waits":\([0-9a-z]*\).*/waits=\1/p' \
		-e 's/.*"waits_for_writes":\([0-9a-z]*\).*/writes=\1/p' \
		-e 's/.*"fills":\([0-9]*\)[.].*/fills=\1/p' \
		-e 's/.*"fill_seconds":\([0-9a-z]*\).*/filled=\1/p' \
		"$work/shown" >"$work/facts"
	cat "$work/facts"
	. "$work/facts"
}

# In a journal of 1 MiB the work waits until blocks are home, in one of 64 MiB it
# never does, and the unmount's checkpoint is no wait.
waits_for_room_are_counted() {
	work_of="for i in 1 2 3 4 5 6; do mkdir $mnt/\$i &&
		(cd $mnt/\$i && mkdir \$(seq 400)) && sync -f $mnt; done"
	log_of 1 "$work_of" || return 1
	[ "$waits" != null ] || return 77
	[ "$waits" -gt 0 ] && [ "$writes" -gt 0 ] && [ "$fills" -gt 0 ] &&
	[ "$filled" != null ] || return 1
	log_of 64 "$work_of" &&
	[ "$waits" = 0 ] && [ "$fills" = 0 ] && [ "$filled" = null ]
}

interrupt_ends_it_well() {
	signal_ends_it_well INT 0
}

# As when a terminal is closed, or a connection breaks.
hangup_ends_it_well() {
	signal_ends_it_well HUP 32
}

signal_ends_it_well() {	# SIGNAL STATUS
	rm -f "$disk" && truncate -s 64M "$disk" && attach "$disk" || return 1
	env --default-signal="$1" "$E2LAZY" trace record --for 20s -o "$trace" \
		"$loop" >"$work/said" 2>"$work/complaint" &
	recorder=$!
	sleep 0.5
	direct "$loop" 0 10
	sleep 0.2
	kill -"$1" $recorder
	wait $recorder
	[ $? = "$2" ] || { cat "$work/complaint"; return 1; }
	release
	"$E2LAZY" trace show --raw --no-headings --columns class,requests \
		"$trace" | grep -qx "data_write 10" && no_instance_is_left
}

device_that_goes_is_named() {
	rm -f "$disk" && truncate -s 64M "$disk" && attach "$disk" || return 1
	record "$loop" sh -c "dd if=/dev/zero of=$loop bs=64k count=5 \
		oflag=direct 2>/dev/null; sleep 0.3; losetup -d $loop; sleep 3"
	[ $? = 8 ] && grep -q "$loop: the device is gone" "$work/complaint" ||
		{ cat "$work/complaint"; return 1; }
	release
	"$E2LAZY" trace show --raw --no-headings --columns class,requests \
		"$trace" | grep -qx "data_write 5" && no_instance_is_left
}

# A buffer that cannot hold what comes while nobody takes it.
lost_requests_are_told() {
	rm -f "$disk" && truncate -s 64M "$disk" && attach "$disk" || return 1
	"$E2LAZY" trace record -q --buffer 64K -o "$trace" "$loop" -- sh -c \
		"kill -STOP \$PPID; dd if=/dev/zero of=$loop bs=4k count=16384 \
		oflag=direct 2>/dev/null; kill -CONT \$PPID" \
		>"$work/said" 2>"$work/complaint"
	[ $? = 8 ] && grep -q "the kernel dropped [0-9]* requests" \
		"$work/complaint" || { cat "$work/complaint"; return 1; }
	release
	no_instance_is_left
}

only_root_may() {
	rm -f "$disk" && truncate -s 64M "$disk" && attach "$disk" || return 1
	chmod 755 "$work"
	(cd / && setpriv --reuid 65534 --clear-groups "$E2LAZY" trace record \
		-o /dev/null "$loop") >"$work/said" 2>&1
	[ $? = 8 ] && grep -q "only root may record requests" "$work/said"
	told=$?
	cat "$work/said"
	release
	return $told
}

# without_tracefs COMMAND... - where nobody has mounted it
without_tracefs() {
	unshare -m sh -c 'umount -l /sys/kernel/tracing /sys/kernel/debug
		[ ! -e /sys/kernel/tracing/events ] || exit 77
		eval "$1"; shift; exec "$@"' sh "$@" 2>>"$work/complaint"
}

# A /tmp that takes no directory leaves no place to mount it on.
no_tracefs_is_named() {
	rm -f "$disk" && truncate -s 64M "$disk" && attach "$disk" || return 1
	: >"$work/complaint"
	without_tracefs "mount --bind /tmp /tmp && mount -o remount,bind,ro /tmp" \
		"$E2LAZY" trace record -o /dev/null "$loop" -- true
	told=$?
	release
	cat "$work/complaint"
	[ $told != 77 ] || return 77
	[ $told = 8 ] && grep -q "$loop: tracefs is not there" "$work/complaint"
}

# A root of a container, without the right to mount.
no_right_is_named() {
	rm -f "$disk" && truncate -s 64M "$disk" && attach "$disk" || return 1
	: >"$work/complaint"
	without_tracefs : setpriv --bounding-set=-sys_admin "$E2LAZY" trace \
		record -o /dev/null "$loop" -- true
	told=$?
	release
	cat "$work/complaint"
	[ $told != 77 ] || return 77
	[ $told = 8 ] && grep -q "$loop: root has no right to tracefs" \
		"$work/complaint"
}

# It must not cost the trace that is there.
no_command_no_trace() {
	rm -f "$disk" && truncate -s 64M "$disk" && attach "$disk" || return 1
	echo '8,0 0 1 0.1 1 D R 8 + 8 [a]' >"$work/text" &&
	"$E2LAZY" trace import -q -o "$work/old" "$work/text" &&
	cp "$work/old" "$work/older" || return 1
	for output in old new; do
		"$E2LAZY" trace record -o "$work/$output" "$loop" -- \
			./no-such-command >"$work/said" 2>&1
		told=$?
		cat "$work/said"
		[ $told = 8 ] && grep -q "no-such-command: No such file" \
			"$work/said" || break
	done
	release
	[ $told = 8 ] && cmp "$work/old" "$work/older" &&
	[ ! -e "$work/new" ] && no_instance_is_left
}

own_image_is_no_trace() {
	rm -f "$disk" && truncate -s 64M "$disk" &&
	mke2fs -q -F -t ext4 "$disk" && attach "$disk" || return 1
	sum=$(cksum <"$disk")
	"$E2LAZY" trace record -o "$disk" "$loop" -- true >"$work/said" 2>&1
	told=$?
	release
	cat "$work/said"
	[ $told = 8 ] && grep -q "file of another kind" "$work/said" &&
	[ "$sum" = "$(cksum <"$disk")" ] && no_instance_is_left
}

# Requests go to whole disks: a trace in a partition is on its disk, too.
own_disk_takes_no_trace() {
	two_partitions || return $?
	mke2fs -q -F -t ext4 "$second" && mount -t ext4 "$second" "$mnt" ||
		return 1
	good=yes
	for device in "$loop" "$second" "$first"; do
		"$E2LAZY" trace record -o "$mnt/trace" "$device" -- true \
			>"$work/said" 2>&1
		told="$? $(grep -c "would record itself" "$work/said")"
		cat "$work/said"
		[ "$device" = "$first" ] && want="0 0" || want="8 1"
		[ "$told" = "$want" ] || good=
	done
	release
	[ $good ] && no_instance_is_left
}

# The trace grows by more than 64 KiB, a chunk; its disk has 16.
full_disk_ends_it() {
	rm -f "$disk" && truncate -s 256M "$disk" && attach "$disk" || return 1
	mkdir -p "$work/full" &&
	mount -t tmpfs -o size=16k none "$work/full" || return 1
	"$E2LAZY" trace record -q --for 30s -o "$work/full/trace" "$loop" -- \
		dd if=/dev/zero of="$loop" bs=4k count=50000 oflag=direct \
		>"$work/said" 2>"$work/complaint"
	told=$?
	left=$(ls "$work/full")
	umount "$work/full"
	release
	cat "$work/complaint"
	[ $told = 8 ] && grep -q "full/trace: No space left on device" \
		"$work/complaint" && [ -z "$left" ] && no_instance_is_left
}

# Each profile's own file system, and nothing of it is left.
profiles_are_compared_at_work() {
	rm -f "$disk" && truncate -s 64G "$disk" || return 1
	before=$(stat -c "%b %Y" "$disk")
	TMPDIR=$work "$BUILDDIR/misc/mke2lazy" --simulate makedirs:800 --json \
		--drive dm-smr "$disk" >"$work/said" 2>"$work/complaint" ||
		{ cat "$work/complaint"; return 1; }
	cat "$work/said"
	[ "$(grep -c '"profile":.*"bands":[1-9]' "$work/said")" = 5 ] &&
	grep -q '"best":"[a-z-]*"' "$work/said" &&
	[ "$before" = "$(stat -c "%b %Y" "$disk")" ] &&
	[ -z "$(ls -d "$work"/mke2lazy.* 2>/dev/null)" ] &&
	! grep -q "$work/mke2lazy" /proc/mounts &&
	[ -z "$(losetup -n -O BACK-FILE | grep "$work/mke2lazy")" ] &&
	no_instance_is_left
}

# Each profile has an image of its own.
image_of_the_trial() {
	stat -c %w "$work"/mke2lazy.*/image
}

# A program with the name of the kernel's thread stands for it.
work_awaits_the_kernel() {
	rm -f "$disk" && truncate -s 64G "$disk" &&
	cp "$(command -v sleep)" "$work/ext4lazyinit" || return 1
	"$work/ext4lazyinit" 50 &
	thread=$!
	TMPDIR=$work "$BUILDDIR/misc/mke2lazy" --simulate makedirs:100 \
		--drive dm-smr "$disk" >"$work/said" 2>"$work/complaint" &
	trial=$!
	until grep -q "$work/mke2lazy" /proc/$trial/mounts; do
		kill -0 $trial || break
		sleep 0.05
	done
	first=$(image_of_the_trial)
	sleep 2
	still=$(image_of_the_trial)
	early=$(ls -d /proc/$trial/root"$work"/mke2lazy.*/mount/work \
		2>/dev/null)
	kill $thread
	wait $thread
	wait $trial
	told=$?
	cat "$work/said" "$work/complaint"
	[ $told = 0 ] && [ "$first" ] && [ "$first" = "$still" ] &&
	[ -z "$early" ] && grep -q smr-dm "$work/said"
}

# The processes of a trial, itself among them.
of_the_trial() {
	for process in /proc/[0-9]*; do
		tr '\0' ' ' 2>/dev/null <"$process/cmdline" |
			grep -q -e "--simulate makedirs:60007" &&
			echo "${process#/proc/}"
	done
}

# The signal reaches mke2lazy alone, or as Ctrl-C does all of its processes.
interrupted_work_leaves_nothing() {
	for whom in mke2lazy all; do
		rm -f "$disk" && truncate -s 64G "$disk" || return 1
		TMPDIR=$work setsid env --default-signal=INT \
			"$BUILDDIR/misc/mke2lazy" \
			--simulate makedirs:60007 --drive dm-smr "$disk" \
			>"$work/said" 2>"$work/complaint" &
		trial=$!
		until ls -d /proc/$trial/root"$work"/mke2lazy.*/mount/work/*/* \
			>/dev/null 2>&1
		do
			kill -0 $trial || break
			sleep 0.05
		done
		running=$(of_the_trial | wc -l)
		case $whom in
		all)	kill -INT -$trial ;;
		*)	kill -INT $trial ;;
		esac
		wait $trial
		told=$?
		left=$(of_the_trial)
		echo "$whom: exit $told, of $running processes: $left"
		cat "$work/complaint"
		[ $told = 32 ] && [ "$running" -gt 8 ] && [ -z "$left" ] &&
		[ -z "$(ls -d "$work"/mke2lazy.* 2>/dev/null)" ] &&
		[ -z "$(losetup -n -O BACK-FILE | grep "$work/mke2lazy")" ] ||
			return 1
	done
}

# Then umount writes nothing, and a profile would seem to need no metadata.
held_mount_is_told() {
	rm -f "$disk" && truncate -s 64G "$disk" || return 1
	TMPDIR=$work "$BUILDDIR/misc/mke2lazy" --simulate makedirs:3000 \
		--drive dm-smr "$disk" >"$work/said" 2>"$work/complaint" &
	trial=$!
	until grep -q "$work/mke2lazy" /proc/$trial/mounts; do
		kill -0 $trial || return 1
		sleep 0.05
	done
	nsenter -t $trial -m unshare -m sleep 600 &
	holder=$!
	wait $trial
	told=$?
	kill $holder
	wait $holder
	cat "$work/said" "$work/complaint"
	[ $told = 8 ] && grep -q "cmr in use" "$work/complaint" &&
	! grep -q "least time" "$work/said"
}

# While much is dirty, a signal ends it at once.
work_ends_promptly() {
	rm -f "$disk" && truncate -s 64G "$disk" || return 1
	TMPDIR=$work "$BUILDDIR/misc/mke2lazy" --simulate makedirs:200000 \
		--drive dm-smr "$disk" >"$work/said" 2>"$work/complaint" &
	trial=$!
	until ls -d /proc/$trial/root"$work"/mke2lazy.*/mount/work/*/*/* \
		>/dev/null 2>&1
	do
		kill -0 $trial || return 1
		sleep 0.05
	done
	sleep 3
	kill -TERM $trial
	before=$(date +%s)
	wait $trial
	told=$?
	after=$(date +%s)
	echo "exit $told, $((after - before)) s after the signal"
	cat "$work/complaint"
	[ $told = 32 ] && [ $((after - before)) -le 5 ] &&
	grep -q "cmr: profile 1 of 5" "$work/complaint"
}

# The suite's own directory is closed to others.
nobody_else_compares_them() {
	open=$(mktemp -d /tmp/e2lazy-open.XXXXXX) || return 1
	chmod 755 "$open" && truncate -s 64G "$open/img"
	(cd / && setpriv --reuid 65534 --clear-groups "$BUILDDIR/misc/mke2lazy" \
		--simulate untar "$open/img") >"$work/said" 2>&1
	[ $? = 8 ] && grep -q "only root can compare" "$work/said"
	told=$?
	rm -r "$open"
	cat "$work/said"
	return $told
}

traced_checks() {
	while IFS=: read -r title command; do
		case "trace: $title" in *"$only"*) ;; *) continue ;; esac
		if [ "$why_skip" ]; then
			skip "trace: $title" "$why_skip"
		elif ! grep -qw tracefs /proc/filesystems; then
			skip "trace: $title" "the kernel has no tracefs"
		else
			$command >"$work/why" 2>&1
			judged=$?
			release
			[ $judged != 77 ] && result $judged "trace: $title" ||
				skip "trace: $title" \
					"this machine cannot do it"
		fi
	done <<-END
		a partition is recorded alone, from its start:partition_alone_is_recorded
		every byte is recorded that the kernel counts:all_is_recorded
		a ring that went round is told:round_trip_is_told
		waits for room in the log are counted:waits_for_room_are_counted
		a SIGINT ends the recording, and it is whole:interrupt_ends_it_well
		a SIGHUP does, too:hangup_ends_it_well
		a device that goes ends it, and is named:device_that_goes_is_named
		requests that the kernel dropped are told:lost_requests_are_told
		without root there is none:only_root_may
		without tracefs there is none:no_tracefs_is_named
		without the right to it there is none:no_right_is_named
		a command that cannot be run costs no trace:no_command_no_trace
		the image behind the device is not replaced:own_image_is_no_trace
		a trace on the disk itself is refused:own_disk_takes_no_trace
		a disk that is full ends it, and no part is left:full_disk_ends_it
		mke2lazy compares the profiles at work:profiles_are_compared_at_work
		its work awaits what the kernel does after a mount:work_awaits_the_kernel
		an interrupt leaves nothing of it:interrupted_work_leaves_nothing
		a signal ends it promptly:work_ends_promptly
		a mount that another namespace holds is told:held_mount_is_told
		without root mke2lazy does not:nobody_else_compares_them
	END
}
