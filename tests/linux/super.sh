# SPDX-License-Identifier: GPL-2.0-only
#
# super.sh - the superblock, which ext4 also changes outside transactions: such
# bytes may not go home with the log's blocks, nor into the log. Sourced by run.

# Of a log of one transaction little is dead, and the cleaner writes its blocks
# home, all at once; those of a log of many it logs again before.
work_home='for d in $(seq 30); do mkdir -p /mnt/d/$d; done'
work_relog='for d in $(seq 30); do mkdir -p /mnt/d/$d; sync; done'

# super_in_log home|relog - the last transaction has the superblock
super_in_log()
{
	way=$1
	case $way in
	home)	made=$work_home ;;
	relog)	made=$work_relog ;;
	esac
	format -J size=4
	check "$scenario: there is a log" guest "$scenario" 120 "$never_clean
$mount_it
$made
./lazywork sum /mnt
umount /mnt"
	tree=$(sum_by_guest)
	next_before=$(next_tid)
}
next_tid()
{
	"$E2LAZY" info --json "$disk" | jq -e .end.next_tid
}

still_whole()
{
	check "$scenario: e2lazyck finds the log sound" sound "$disk"
	check "$scenario: e2fsck finds the view clean" view_is_clean "$disk"
	check "$scenario: the superblock is that of the second mount" \
		mounted_twice
	check "$scenario: the cleaner took this way" took_the_way
	check "$scenario: our checkpoint, e2fsck and the kernel leave one tree" \
		trees_agree "$disk"
	check "$scenario: it is the tree that was made" same_sum "$tree"
}
took_the_way()
{
	next=$(next_tid)
	echo "the next transaction was $next_before, and is $next"
	[ "$next_before" ] && [ "$next" ] || return
	# The mount's own is one.
	case $way in
	home)	[ "$next" -eq $((next_before + 1)) ] ;;
	relog)	[ "$next" -gt $((next_before + 1)) ] ;;
	esac
}
mounted_twice()
{
	"$E2LAZY" view "$disk" -- dumpe2fs -h {} 2>/dev/null |
		grep 'Mount count: *2$'
}

# A mount changes the superblock in steps, its checksum last. It is made to
# wait there, so that a cleaner that runs already has all the time it wants.
cut_a_mount()		# home|relog
{
	scenario=super-mount-$1
	super_in_log "$1"
	runs_into_cut "$scenario-cut" \
		"point=jbd2_lazy_home stall=ext4_commit_super" "sleep 60"
	check "$scenario: the mount has waited" \
		grep -a 'cut: .* has waited' "$console"
	still_whole
}

# Anybody may write to the device, and the page cache is ext4's buffer.
touch_it()		# home|relog
{
	scenario=super-touched-$1
	super_in_log "$1"
	check "$scenario: it is touched, and all goes home" \
		guest "$scenario-2" 120 "$never_clean
$mount_it
printf X | dd of=/dev/vda bs=1 seek=2000 conv=notrunc,fsync 2>/dev/null ||
	say FAILED: dd
$always_clean
until grep -q '^transactions 0' /proc/fs/jbd2/vda-8/lazy; do sleep 1; done"
	still_whole
}

scenario_super()
{
	check "super: the module that cuts builds" make_cutter
	for moves in home relog; do
		cut_a_mount $moves
		touch_it $moves
	done
}
