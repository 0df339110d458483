# SPDX-License-Identifier: GPL-2.0-only
#
# judge.sh - the host's checks of a disk after the guest. Sourced by run.
#
# Each function prints the defect it finds, and then returns 1.

# map_is_the_guests IMAGE CONSOLE - the kernel's own map, entry by entry.  The
# log may have more: what was written home is there until the tail passes it.
# Then both places must hold the same.
map_is_the_guests()
{
	grep -aq '^END jmap' "$2" || {
		echo "the guest showed no map"
		return 1
	}
	part "$2" jmap | LC_ALL=C sort >"$work/map.guest"
	"$E2LAZY" dump --raw --no-headings \
		--columns FSBLK,PHYSBLK,TID,ESCAPED "$1" |
		LC_ALL=C sort >"$work/map.host"
	LC_ALL=C comm -23 "$work/map.guest" "$work/map.host" >"$work/map.only"
	[ ! -s "$work/map.only" ] || {
		echo "entries of the kernel's that the host does not see:"
		head -n 20 "$work/map.only"
		return 1
	}
	blocksize=$(dumpe2fs -h "$1" 2>/dev/null |
		sed -n 's/^Block size: *//p')
	LC_ALL=C comm -13 "$work/map.guest" "$work/map.host" |
	while read -r fsblk physblk tid escaped; do
		[ "$escaped" = yes ] || cmp -s "$1" "$1" \
			-i $((fsblk * blocksize)):$((physblk * blocksize)) \
			-n "$blocksize" || {
			echo "the kernel does not know of $fsblk in $physblk," \
				"transaction $tid, and its home differs"
			return 1
		}
	done
}

# sound IMAGE - e2lazyck has nothing to object to but that work is pending
sound()
{
	"$E2LAZYCK" -n "$1" >"$work/ck.out" 2>&1
	status=$?
	[ $((status & ~4)) -eq 0 ] && ! grep -qE 'copy-of-data|grave' \
		"$work/ck.out" && return
	echo "e2lazyck: exit status $status"
	cat "$work/ck.out"
	return 1
}

# A crash leaves orphans, which is no fault: e2fsck -p removes them, and the
# counts that follow from them, in memory.  Then there must be nothing to say.
# A view that e2fsck has not seen to its last pass proves nothing.
view_is_clean()
{
	"$E2LAZY" view "$1" -- e2fsck -fn {} >"$work/view.out" 2>&1 &&
		grep -q '^Pass 5' "$work/view.out" && return
	"$E2LAZY" view --cow "$1" -- sh -c 'e2fsck -p "$1"; e2fsck -fn "$1"' \
		- {} >"$work/cow.out" 2>&1 &&
		grep -q '^Pass 5' "$work/cow.out" && return
	echo "e2fsck of the view, and of the view without orphans:"
	cat "$work/view.out" "$work/cow.out"
	return 1
}

# only_orphans FILE - e2fsck objects to the orphan file alone, which a replay
# leaves as it is
only_orphans()
{
	grep -q '^Orphan file (inode' "$1" &&
		! grep -avE '^(e2fsck |Pass [1-5]|Orphan file |Clear\?|Failed to initialize orphan|Recreate\?|.*WARNING: Filesystem still|.* files \(|$)' \
			"$1"
}

# tree IMAGE - the sum of the tree in it, read by the host's own kernel
tree()
{
	mkdir -p "$work/host.mnt"
	mount -o loop,noatime "$1" "$work/host.mnt" || mount_quota "$1" ||
		return
	"$LAZYWORK" sum "$work/host.mnt"
	umount "$work/host.mnt"
}

# A kernel without quotas mounts a file system that has them for reading alone.
# It replays the log, too, if the loop device can be written.
mount_quota()		# IMAGE
{
	dumpe2fs -h "$1" 2>/dev/null |
		grep -q '^Filesystem features:.* quota' &&
		loop=$(losetup -f --show "$1") || return
	mount -o ro,noatime "$loop" "$work/host.mnt"
	status=$?
	losetup -d "$loop"
	return $status
}

# journal_is_at IMAGE - all blocks of the journal are one run: $journal_from,
# $journal_to, in bytes.  Else these are empty.
journal_is_at()
{
	journal_from=
	journal_to=
	set -- $(debugfs -R 'blocks <8>' "$1" 2>/dev/null |
		tr ' ' '\n' | sed '/^$/d' | sort -n | sed -n '1p;$p;$=')
	[ $# -eq 3 ] && [ $(($2 - $1 + 1)) -eq "$3" ] || return
	journal_from=$(($1 * 4096))
	journal_to=$((($2 + 1) * 4096))
}

# as_kernels IMAGE - all bytes are those of kernel.img, but for the superblock's
# block and the log
as_kernels()
{
	[ "$journal_from" ] &&
		cmp -s -i 4096 -n $((journal_from - 4096)) "$1" \
			"$work/kernel.img" &&
		cmp -s -i "$journal_to" "$1" "$work/kernel.img"
}

# Three ways to write a log home: all must leave one tree. It goes to tree.sum.
# $stays are bits of the status that e2lazyck may end with.  If $briefly is set,
# an image is read and checked only where it differs from the kernel's, and the
# disk is not kept.
trees_agree()
{
	cp --sparse=always "$1" "$work/ours.img" &&
		cp --sparse=always "$1" "$work/e2fsck.img" || return
	if [ "$briefly" ]; then
		mv "$1" "$work/kernel.img"
	else
		cp --sparse=always "$1" "$work/kernel.img"
	fi || return
	"$E2LAZYCK" -y --checkpoint "$work/ours.img" >"$work/ours.out" 2>&1
	[ $(($? & ~(1 | ${stays:-0}))) -eq 0 ] || {
		echo "e2lazyck --checkpoint failed"
		cat "$work/ours.out"
		return 1
	}
	e2fsck -y -E journal_only "$work/e2fsck.img" >"$work/e2fsck.out" 2>&1
	tree "$work/kernel.img" >"$work/tree.sum"
	[ -s "$work/tree.sum" ] || return
	for written in ours e2fsck kernel; do
		if [ $written != kernel ] && as_kernels "$work/$written.img"; then
			[ -z "$briefly" ] || continue
		else
			same_tree $written || return
		fi
		e2fsck -fn "$work/$written.img" >"$work/fsck.out" 2>&1 ||
			only_orphans "$work/fsck.out" || {
			echo "e2fsck -fn after $written:"
			cat "$work/fsck.out"
			return 1
		}
	done
	rm -f "$work/ours.img" "$work/e2fsck.img" "$work/kernel.img"
}
same_tree()	# ours|e2fsck|kernel
{
	[ $1 != kernel ] || return 0
	found=$(tree "$work/$1.img")
	[ "$found" = "$(cat "$work/tree.sum")" ] || {
		echo "the tree of $1 is $found, the kernel's" \
			"$(cat "$work/tree.sum")"
		return 1
	}
}

# tree_is_a_prefix SEED LO HI - $reached is the operation that left the tree.
# With $sums, the file of them, the model need not run again.
tree_is_a_prefix()
{
	if [ "$sums" ]; then
		reached=$(grep "^$(cat "$work/tree.sum") " "$sums" |
			awk -v lo="$2" -v hi="$3" \
				'$2 >= lo && $2 <= hi { print $2; exit }')
		[ "$reached" ] && return
	fi
	reached=$("$LAZYWORK" match "$(cat "$work/tree.sum")" "$1" "$2" "$3")
}

# quiet CONSOLE - the guest's kernel complained of nothing
quiet()
{
	complaints "$1" && return 1
	return 0
}
