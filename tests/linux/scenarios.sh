# SPDX-License-Identifier: GPL-2.0-only
#
# scenarios.sh - the scenarios for lazy volumes. Sourced by run.

scenarios='watched session ring full formats stopped stock refused nospace crowded
	dying revoked shutdown checkpoint orphans foreign records checksums
	unreadable table large writes subsets packages beside super tuned slow tail readonly verity
	flushed values replaced together half classes
	cleaner pairs grub series sparse kunit newest points forms
	cuts laps mounts programs traces tools'
# All that need no stock kernel, and the module cut neither.
debug_scenarios='watched session ring full formats stopped nospace crowded shutdown
	checkpoint orphans cuts faults'

disk=$work/disk.img

# format [OPTION...] - a new file system, of 256 MiB unless told otherwise
format()
{
	rm -f "$disk"
	truncate -s 256M "$disk" &&
		mke2fs -q -F -t ext4 -E lazy_itable_init=0 \
			-J size=16 "$@" "$disk"
}

mount_it='mount -t ext4 -o noatime,nodelalloc,commit=300,journal_lazy /dev/vda /mnt ||
	say FAILED: mount'
# Old bytes come into the page cache as they do when anybody reads the device.
poison='echo 3 >/proc/sys/vm/drop_caches; cat /dev/vda >/dev/null'

# guest NAME SECONDS TEXT - a whole session, which ends by itself
guest()
{
	start "$1" "$disk" "$3" && finish "$2" &&
		grep -aq 'THE END' "$console" && quiet "$console" && return
	tail -n 30 "$console"
	return 1
}

# after SEED LO HI - all that must hold of the disk; $reached is where it is
after()
{
	check "$scenario: e2lazyck finds the log sound" sound "$disk"
	check "$scenario: e2fsck finds the view clean" view_is_clean "$disk"
	check "$scenario: our checkpoint, e2fsck and the kernel leave one tree" \
		trees_agree "$disk"
	check "$scenario: that tree is the model's" tree_is_a_prefix "$@"
	read_by_guest=$(sum_by_guest)
	[ -z "$read_by_guest" ] ||
		check "$scenario: the guest read the same tree" \
			same_sum "$read_by_guest"
}
# The sum of the tree that the guest has read last.
sum_by_guest()
{
	tr -d '\r' <"$console" | grep -aE '^[0-9a-f]{16}$' | tail -n 1
}
same_sum()
{
	echo "the guest read $1, the host $(cat "$work/tree.sum")"
	[ "$1" = "$(cat "$work/tree.sum")" ]
}

same_map()
{
	check "$scenario: the map is the kernel's, entry by entry" \
		map_is_the_guests "$disk" "$console"
}

# One session that ends with the power, then two more with caches spoilt.
scenario_session()
{
	format
	from=0
	for round in 1 2 3; do
		to=$((from + 500))
		check "session $round: works on a lazy volume" \
			guest "session$round" 120 "$mount_it
$poison
./lazywork run /mnt $seed $from $to
lazy_show
$poison
./lazywork sum /mnt"
		same_map
		after "$seed" "$to" "$to"
		from=$to
	done
	check "session: a umount keeps the log and the flag" \
		guest umount 60 "$mount_it
umount /mnt"
	check "session: needs_recovery is set after a umount" has_flag
}

has_flag()
{
	dumpe2fs -h "$disk" 2>&1 | grep -w needs_recovery
}
no_flag()
{
	! has_flag
}

# One volume through many power cuts, its log small and the cleaner never idle,
# so that the ring comes round again and again.
scenario_cuts()
{
	format -J size=4
	from=0
	cut=0
	while [ $cut -lt "$cuts" ]; do
		cut=$((cut + 1))
		start "cut$cut" "$disk" "$always_clean
$mount_it
$poison
./lazywork run /mnt $seed $from $((from + 6000))"
		check "cut $cut: there is work to cut" wait_until_working &&
			sleep "$(random_seconds "$cut")"
		cut_power
		synced=$(tr -d '\r' <"$console" | sed -n 's/^synced //p' |
			tail -n 1)
		synced=${synced:-$from}
		check "cut $cut: the kernel complains of nothing" \
			quiet "$console"
		after "$seed" "$synced" $((synced + 600))
		echo "# cut $cut: synced $synced, on the disk ${reached:=$from}"
		from=$reached
	done
	check "cuts: the volume mounts after the last" \
		guest lastcut 120 "$mount_it
./lazywork sum /mnt
lazy_show"
	same_map
}

# A record of all writes of a session with a small ring, the cleaner never idle;
# then the disks that a power cut could have left, of each kind some.
scenario_subsets()
{
	format_small
	cp --sparse=always "$disk" "$work/base.img"
	operations=${LAZY_OPERATIONS:-1500}
	recorded "subsets: works while all writes are recorded" \
		subsets 300 "$always_clean
$mount_it
$poison
./lazywork run /mnt $seed 0 $operations /dev/vda $small_bytes"
	check "subsets: the record has states of each kind" list_states "$taken"
	sums=$work/sums
	"$LAZYWORK" sums "$seed" "$operations" >"$sums"
	journal_is_at "$work/base.img"
	for kind_of_epoch in commit tail home data; do
		grep " $kind_of_epoch\$" "$work/states" >"$work/states.kind" ||
			continue
		check "subsets: $kind_of_epoch: $(wc -l <"$work/states.kind") states leave what was synced" \
			states_hold "$taken"
	done
	sums=
	journal_from=
	rm -f "$taken" "$work/base.img"
}

# Behind the file system there is room for the marks of lazywork.
small_bytes=$((64 << 20))
format_small()
{
	rm -f "$disk"
	truncate -s $((small_bytes + 4096)) "$disk" &&
		mke2fs -q -F -t ext4 -b 4096 -E lazy_itable_init=0 \
			-J size=4 "$disk" 64M
}

list_states()		# RECORD
{
	python3 "$here/crash_states.py" list "$1" "$work/base.img" "$seed" \
		"${LAZY_STATES:-32}" >"$work/states" || return
	cut -d ' ' -f 6 "$work/states" | sort | uniq -c
	[ "$(cut -d ' ' -f 6 "$work/states" | sort -u | wc -l)" -ge 3 ]
}

# Those of one kind, by as many judges as there are processors.  What fails is
# named, and can be made again.
states_hold()	# RECORD
{
	judges=$(getconf _NPROCESSORS_ONLN)
	pids=
	judge=0
	while [ $judge -lt "$judges" ]; do
		judge_states "$1" $judge >"$work/verdict.$judge" 2>&1 &
		pids="$pids $!"
		judge=$((judge + 1))
	done
	verdict=0
	for pid in $pids; do
		wait "$pid" || verdict=1
	done
	pids=
	cat "$work"/verdict.*
	return $verdict
}
# Each judge has its own copies of a disk, in a directory of its own.
judge_states()	# RECORD NUMBER
(
	states=$work/states.kind base=$work/base.img
	work=$work/judge.$2
	rm -rf "$work"
	mkdir "$work" && mkfifo "$work/orders" "$work/answers" || exit
	python3 "$here/crash_states.py" make "$1" "$base" \
		"$work/state.img" <"$work/orders" >"$work/answers" &
	exec 5>"$work/orders" 6<"$work/answers"
	awk -v n="$2" -v of="$judges" 'NR % of == n' "$states" |
		each_state_holds
	status=$?
	exec 5>&- 6<&-
	wait
	rm -rf --one-file-system "$work"
	exit $status
)
# One in $LAZY_FULL is judged in full, the others $briefly.
each_state_holds()
{
	n=0
	while read -r begin end lost low high about; do
		n=$((n + 1))
		briefly=yes
		[ $((n % ${LAZY_FULL:-1})) -ne 0 ] || briefly=
		echo "$begin $end $lost" >&5
		read -r answer <&6 && [ "$answer" = made ] &&
			state_holds "$work/state.img" || {
			echo "state: $begin $end $lost, from $low to $high"
			return 1
		}
	done
}
state_holds()	# IMAGE
{
	sound "$1" && { [ "$briefly" ] || view_is_clean "$1"; } &&
		trees_agree "$1" && tree_is_a_prefix "$seed" "$low" "$high"
}

# recorded TITLE NAME SECONDS TEXT - a session, and $taken has all its writes
recorded()
{
	record=$work/record.img
	rm -f "$record"
	truncate -s 1M "$record"
	check "$1" guest "$2" "$3" "$4"
	taken=$record
	record=
}

# what_it_wrote SCENARIO STOCK|LAZY - in the log, and elsewhere
what_it_wrote()
{
	check "$1: $2: what it wrote can be read" sh -c \
		'python3 "$1" "$2" "$3" >"$4"' - "$here/writes.py" \
		"$taken" "$disk" "$work/writes.$2"
	sed "s/^/# $2: /; s/\$/ KiB/" "$work/writes.$2"
}

always_clean='echo 100 >/sys/module/jbd2/parameters/lazy_clean_below'
never_clean='echo 0 >/sys/module/jbd2/parameters/lazy_clean_below'

# The first of what is made has reached the disk, or the machine is dead.
wait_until_working()
{
	wait_for '^synced'
}

# 0 to 5 seconds, the same for a seed
random_seconds()
{
	awk -v seed="$seed" -v n="$1" \
		'BEGIN { srand(seed * 1000 + n); printf "%.2f", rand() * 5 }'
}

# counted NAME - a number that the guest's kernel told last
counted()
{
	part "$console" lazy | sed -n "s/^$1 //p" | tail -n 1
}
at_least()	# NUMBER NAME
{
	found=$(counted "$2")
	echo "$2 is $found, and should be $1 or more"
	[ "${found:-0}" -ge "$1" ]
}

# The smallest ring, many laps of it, everything cleaned as soon as it can be.
scenario_ring()
{
	format -J size=4
	check "ring: works with the cleaner always on" \
		guest ring 300 "$always_clean
$mount_it
./lazywork run /mnt $seed 0 3000
$poison
./lazywork sum /mnt
lazy_show"
	check "ring: blocks were logged again" at_least 100 logged_again
	check "ring: and written home when they were cold" \
		at_least 100 written_home
	check "ring: no copy was bad" same_number 0 bad_copies
	same_map
	after "$seed" 3000 3000
}
same_number()	# NUMBER NAME
{
	found=$(counted "$2")
	echo "$2 is $found, and should be $1"
	[ "$found" = "$1" ]
}

# No cleaner: all room is made by those who wait for it.
scenario_full()
{
	format -J size=4
	check "full: works with no cleaner and a full log" \
		guest full 300 "$never_clean
$mount_it
./lazywork run /mnt $seed 0 4000
for i in 1 2 3 4; do (
	mkdir /mnt/lost+found/\$i
	n=0
	while [ \$n -lt 400 ]; do
		mkdir /mnt/lost+found/\$i/\$n || say FAILED: mkdir
		n=\$((n + 1))
	done
) & done
wait
$poison
./lazywork sum /mnt
lazy_show"
	check "full: somebody waited" at_least 1 waits_for_space
	check "full: nothing was logged again" same_number 0 logged_again
	same_map
	after "$seed" 4000 4000
}

# Every form of a journal and of what it has copies of.
scenario_formats()
{
	while read -r name options; do
		format -J size=4 $options
		check "$name: works" guest "format-$name" 300 "$always_clean
$mount_it
./lazywork run /mnt $seed 0 900
umount /mnt
$mount_it
$poison
./lazywork run /mnt $seed 900 1300
lazy_show"
		scenario=$name
		same_map
		after "$seed" 1300 1300
	done <<END
1k -b 1024
no-csum -O ^metadata_csum
no-64bit -O ^64bit,^metadata_csum
ext3-like -O ^extents,^64bit,^metadata_csum,^flex_bg,^uninit_bg,^huge_file
meta-bg -O meta_bg,^resize_inode,inline_data
bigalloc -O bigalloc -C 16384
quota -O quota
END
}

# What stops a file system, and what it leaves.
scenario_stopped()
{
	format
	check "frozen: the log is empty and the flag is clear" \
		guest freeze 120 "$always_clean
$mount_it
./lazywork run /mnt $seed 0 300
fsfreeze --freeze /mnt
lazy_show"
	check "frozen: needs_recovery is clear" no_flag
	check "frozen: the map is empty" same_number 0 live
	scenario=frozen
	after "$seed" 300 300
	format
	check "thawed: the log is lazy again" guest thaw 120 "$mount_it
./lazywork run /mnt $seed 0 300
fsfreeze --freeze /mnt
sleep 2
fsfreeze --unfreeze /mnt
./lazywork run /mnt $seed 300 600
lazy_show"
	scenario=thawed
	same_map
	after "$seed" 600 600
	format
	check "read-only: a remount empties the log, and back" \
		guest remount 120 "$mount_it
./lazywork run /mnt $seed 0 300
mount -o remount,ro /mnt || say FAILED: remount,ro
lazy_show
mount -o remount,rw /mnt || say FAILED: remount,rw
./lazywork run /mnt $seed 300 600
lazy_show"
	scenario=read-only
	same_map
	after "$seed" 600 600
}

# Lazy and stock kernels in turn, with a crash each time.
scenario_stock()
{
	format
	check "stock: a stock kernel works, and is cut" \
		stock_session first 0 300
	check "stock: a lazy one goes on" \
		guest between 120 "$mount_it
$poison
./lazywork run /mnt $seed 300 600
lazy_show"
	scenario=stock
	same_map
	check "stock: a stock kernel replays that" \
		stock_session second 600 900
	check "stock: and a lazy one again" \
		guest last 120 "$mount_it
$poison
./lazywork run /mnt $seed 900 1200
lazy_show"
	same_map
	after "$seed" 1200 1200
}

stock_session()		# NAME FROM TO
{
	kind=STOCK
	guest "stock-$1" 120 "
mount -t ext4 -o noatime,nodelalloc,commit=300 /dev/vda /mnt ||
	say FAILED: mount
./lazywork run /mnt $seed $2 $3"
	status=$?
	kind=LAZY
	return $status
}

# says TEXT... - the guest's console has each of them
says()
{
	for text; do
		grep -aqF "$text" "$console" || {
			echo "nobody said: $text"
			tail -n 20 "$console"
			return 1
		}
	done
}

scenario_refused()
{
	format
	check "refused: nothing that is refused is done" guest refused 120 "dmesg -n 7
refuses()
{
	mount -t ext4 -o \"journal_lazy,\$1\" /dev/vda /mnt &&
		say \"FAILED: \$1 is not refused\"
}
refuses data=journal
refuses noload,ro
refuses usrquota
refuses dax
$mount_it
mount -o remount,journal_nolazy /mnt && say FAILED: off by remount
for option in usrquota grpquota quota jqfmt=vfsv0,usrjquota=aquota.user noload \
		journal_async_commit data=journal; do
	mount -o remount,\$option /mnt && say \"FAILED: remount,\$option\"
done
touch /mnt/file
./lazyctl flag-j /mnt/file && say FAILED: the flag j
umount /mnt
dmesg | grep EXT4"
	check "refused: each refusal tells why" says \
		'journal_lazy and data=journal' 'journal_lazy and noload' \
		'journal_lazy and quota files' 'during remount; unmount first' \
		'journal_lazy and dax'
	check "refused: a mount without the option is not lazy" \
		guest nolazy 60 "
mount -t ext4 /dev/vda /mnt || say FAILED: mount
grep journal_lazy /proc/mounts && say FAILED: it is lazy
umount /mnt"
	check "refused: and then the log is empty" no_flag
	rm -f "$disk"
	truncate -s 256M "$disk"
	check "refused: there is a volume with blocks of 64 KiB" sh -c \
		'yes | mke2fs -q -F -t ext4 -b 65536 "$1"' - "$disk"
	check "refused: blocks that are larger than a page" guest large-blocks 60 "
mount -t ext4 -o journal_lazy /dev/vda /mnt && say FAILED: mount
dmesg | grep EXT4"
	check "refused: the kernel has no such blocks, or we have none" \
		no_large_blocks
	format -O fast_commit
	check "refused: fast commits are" guest fast-commit 60 "
mount -t ext4 -o journal_lazy /dev/vda /mnt && say FAILED: fast_commit
dmesg | grep EXT4"
	check "refused: fast commits, and what to do" says 'tune2fs -O ^fast_commit'
}

# Directories are made and removed, by a stock kernel and by a lazy one: what
# reaches the log is the same, and the lazy one writes nothing in place.
scenario_writes()
{
	for kind in STOCK LAZY; do
		format -b 4096 -J size=64
		option=
		[ $kind = STOCK ] || option=,journal_lazy
		recorded "writes: $kind: makes and removes directories" \
			"writes-$kind" 300 "
mount -t ext4 -o noatime$option /dev/vda /mnt || say FAILED: mount
cd /mnt
seq 1 3000 | xargs mkdir
sync
seq 1 2000 | xargs rmdir
cd /
umount /mnt"
		what_it_wrote writes $kind
	done
	kind=LAZY
	check "writes: a stock kernel writes in place" \
		wrote STOCK in-place -ge 50
	check "writes: a lazy one does not" wrote LAZY in-place -eq 0
	check "writes: nor more to the log, by 5 %" \
		wrote LAZY log -le "$(awk '$1 == "log" { print int($3 * 1.05) }' \
			"$work/writes.STOCK")"
}

# The module that loads beside the stock ones: each mounts a disk of its own,
# and both work at the same time.
scenario_beside()
{
	beside_is_made beside
	format
	cp --sparse=always "$disk" "$work/stock.img"
	kind=BESIDE
	start beside "$disk" "mkdir -p /stock
mount -t ext4lazy -o noatime,nodelalloc,commit=300,journal_lazy /dev/vda /mnt ||
	say FAILED: mount ext4lazy
mount -t ext4 -o noatime,nodelalloc,commit=300 /dev/vdc /stock ||
	say FAILED: mount ext4
./lazywork run /stock $seed 0 400 &
./lazywork run /mnt $seed 0 400
wait
cat /proc/mounts
say \"stock \$(./lazywork sum /stock)\"
umount /stock
show lazy /proc/fs/jbd2lazy/vda-8/lazy
show jmap /proc/fs/jbd2lazy/vda-8/jmap
./lazywork sum /mnt" -drive "file=$work/stock.img,if=virtio,format=raw"
	kind=LAZY
	check "beside: both work, and nobody complains" beside_ends
	scenario=beside
	check "beside: the stock file system is the model's" stock_is_models
	same_map
	after "$seed" 400 400
	rm -f "$work/stock.img"
}
no_large_blocks()
{
	says 'bad block size 65536' || says 'blocks that are larger than a page'
}
beside_is_made()	# SCENARIO
{
	if [ ! -e "$KERNEL/beside/ext4lazy.ko" ]; then
		check "$1: the module builds" env BESIDE=1 \
			"$SRCDIR/linux/build" "$series" "$KERNEL"
	fi
	check "$1: there is a machine with three modules" make_initramfs \
		"$work/initramfs.BESIDE" "$KERNEL/image" BESIDE
}
beside_ends()
{
	finish 180 && grep -aq 'THE END' "$console" && quiet "$console" && return
	tail -n 30 "$console"
	return 1
}
stock_is_models()
{
	"$LAZYWORK" match "$(tr -d '\r' <"$console" | sed -n 's/^stock //p')" \
		"$seed" 400 400
}

# wrote STOCK|LAZY WHERE TEST KIB
wrote()
{
	found=$(awk -v where="$2" '$1 == where { print $3 }' "$work/writes.$1")
	echo "$1: $found KiB in $2, should be $3 $4"
	[ "$found" "$3" "$4" ]
}
