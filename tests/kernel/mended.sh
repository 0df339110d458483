# SPDX-License-Identifier: GPL-2.0-only
#
# mended.sh - the checks of run that are about the log written back by
# e2lazyck: that what it leaves is what the log held, and nothing else.

E2LAZYCK=${E2LAZYCK:-$(dirname "$E2LAZY")/e2lazyck}

ck() {	# IMAGE OPTIONS...
	image=$1
	shift
	"$E2LAZYCK" ${external:+-j "$image.j"} "$@" "$image"
}

# A log that a kernel wrote holds copies of blocks that were freed later, and
# may end in a transaction that was cut off; these are notes.
nothing_is_wrong() {
	before=$(sha256sum "$base" ${external:+"$base.j"})
	ck "$base" --raw --no-headings --columns SEVERITY,ID >"$work/found"
	found=$?
	cat "$work/found"
	[ $found = 4 ] && ! grep -v '^note ' "$work/found" &&
		[ "$before" = "$(sha256sum "$base" ${external:+"$base.j"})" ]
}

# Makes $work/mended.img, which the checks below look at.
written_back() {
	copy_log "$base" "$work/mended.img" || return 1
	ck "$work/mended.img" --checkpoint -y
	[ $? = 1 ] || return 1
	"$CMPREPLAY" ${external:+-j "$base.j"} "$work/map" "$base" \
		"$work/mended.img" || return 1
	[ -z "$external" ] || one_block_differs "$base.j" "$work/mended.img.j"
}

# Of the journal's device only the journal superblock.
one_block_differs() {
	cmp -l "$1" "$2" |
		awk '{ block[int(($1 - 1) / 1024)] }
		     END { for (b in block) n++; exit n != 1 }'
}

planned() {	# KEY
	sed -n '/"plan"/,/}/s/^ *"'"$1"'":\([0-9]*\).*/\1/p' "$work/plan"
}

done_of() {	# KEY
	sed -n '/"checkpoint"/,/}/s/^ *"'"$1"'":\([0-9]*\).*/\1/p' "$work/plan"
}

# With little memory and with a comparison, to the same bytes; as planned, and
# undone by what others use.
written_back_otherwise() {
	copy_log "$base" "$work/again.img" || return 1
	set -- --checkpoint -p --memory 1M --verify-after --json
	[ -n "$external" ] || set -- "$@" -z "$work/undo"
	ck "$work/again.img" "$@" >"$work/plan"
	[ $? = 1 ] || return 1
	same=0
	cmp "$work/again.img" "$work/mended.img" || same=1
	for key in blocks writes passes; do
		echo "$key: planned $(planned $key), done $(done_of $key)"
		[ "$(planned $key)" = "$(done_of $key)" ] || same=1
	done
	if [ -z "$external" ]; then
		e2undo "$work/undo" "$work/again.img" &&
			cmp "$work/again.img" "$base" || same=1
	fi
	rm -f "$work/again.img" "$work/again.img.j" "$work/undo"
	return $same
}

nothing_to_recover() {
	dumpe2fs -h "$work/mended.img" >"$work/header" 2>&1 || return 1
	cat "$work/header"
	grep -q '^Filesystem features:.*has_journal' "$work/header" &&
		! grep -q needs_recovery "$work/header" || return 1
	if [ -n "$external" ]; then
		dumpe2fs -h "$work/mended.img.j" 2>/dev/null
	else
		cat "$work/header"
	fi | grep -q '^Journal start: *0$'
}

judged_as_replayed() {
	verdict e2fsck -fn ${external:+-j "$work/mended.img.j"} \
		"$work/mended.img" >"$work/ours"
	ours=$?
	verdict e2fsck -fn ${external:+-j "$work/kernel.img.j"} \
		"$work/kernel.img" >"$work/theirs"
	theirs=$?
	sed 's,^kernel.img:,mended.img:,' "$work/theirs" |
		diff - "$work/ours" && [ $ours = $theirs ]
}

# The kernel recovers nothing on a device that it cannot write to, and refuses
# to mount it if there is something to recover: the dirty image shows that.
mounted_without_recovery() {
	mount_readonly "$base" && { echo "the dirty one mounts too"; return 1; }
	mount_readonly "$work/mended.img"
}

mount_readonly() {	# IMAGE; leaves its tree in $work/tree.seen
	fs_loop=$(losetup -r -f --show "$1") || return 1
	loops="$loops $fs_loop"
	options=ro
	if [ -n "$external" ]; then
		attach "$1.j" || return 1
		options=$options,journal_path=$loop
	fi
	mount -t ext4 -o $options "$fs_loop" "$mnt"
	mounted=$?
	[ $mounted != 0 ] || manifest "$mnt" >"$work/tree.seen"
	release
	return $mounted
}

tree_when_mended() {
	mount_readonly "$work/mended.img" && same_tree
}

second_run_is_idle() {
	before=$(sha256sum "$work/mended.img"*; stat -c %y "$work/mended.img"*)
	ck "$work/mended.img" --checkpoint -y || return 1
	ck "$work/mended.img" || return 1
	[ "$before" = "$(sha256sum "$work/mended.img"*
			 stat -c %y "$work/mended.img"*)" ]
}

# Of $dirty, which has them where $base has not.
fast_commits_are_kept() {
	before=$(fingerprint)
	ck "$dirty" --checkpoint -y
	[ $? = 4 ] && [ "$before" = "$(fingerprint)" ]
}
