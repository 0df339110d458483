# SPDX-License-Identifier: GPL-2.0-only
#
# mended.sh - checks of run after e2lazyck wrote the log back: the disk has the
# content of the log, and no other block changed.

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

only_copy_is_kept() {
	copy_log "$base" "$work/kept.img" || return 1
	ck "$work/kept.img" --checkpoint -p --raw --no-headings \
		--columns CONSENT,ID >"$work/found"
	[ $? = 4 ] && cat "$work/found" &&
		[ "$(sed -n 's/^ask //p' "$work/found")" = tag-not-proven ] &&
		cmp "$base" "$work/kept.img"
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

# Only the journal superblock of the journal's device.
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

# Of $dirty, which has them where $base has not; full.img is what the kernel
# makes of it.
fast_commits_go_home() {
	cp --sparse=always "$dirty" "$work/fast.img" || return 1
	ck "$work/fast.img" --checkpoint -y
	[ $? = 1 ] && e2fsck -fn "$work/fast.img" &&
	[ "$(names_in "$work/fast.img")" = "$(names_in "$work/full.img")" ]
	same=$?
	rm -f "$work/fast.img"
	return $same
}

# ---------------------------------------------- a log that was discarded ---

discarded() {	# IMAGE: how many blocks are found to be newer in its ring
	ck "$1" --raw --no-headings --columns ID,COUNT >"$work/found"
	[ $? -le 4 ] || return 1
	awk '$1 == "'"${2:-discarded-log}"'" { n = $2 } END { print n + 0 }' \
		"$work/found"
}

none_discarded() {	# IMAGE
	told=$(discarded "$1") || return 1
	echo "newer in the ring: $told"
	[ "$told" = 0 ]
}

mount_once() {	# IMAGE [COMMAND...], with the file system mounted for writing
	attach "$1" || return 1
	fs_loop=$loop
	options=noatime
	if [ -n "$external" ]; then
		attach "$1.j" || return 1
		options=$options,journal_path=$loop
	fi
	shift
	mount -t ext4 -o $options "$fs_loop" "$mnt" || { release; return 1; }
	[ $# = 0 ] || "$FSWORK" "$mnt" "$@"
	worked=$?
	release
	return $worked
}

# A log that went home in good order never looks discarded, after any use or
# repair.
nothing_was_discarded() {
	used=$work/used.img
	for how in kernel e2fsck mended; do
		echo "$how: replayed"
		copy_log "$work/$how.img" "$used" &&
			none_discarded "$used" || return 1
		echo "$how: used"
		mount_once "$used" 'mkdirs once 1 30' 'files once 1 20 9000' \
			'fsync once' 'rewrite once 1 5 4096' \
			'rmdirs once 1 10' 'truncate once 6 9 10' &&
			none_discarded "$used" || return 1
		echo "$how: changed by other tools"
		tune2fs -L renamed -c 7 "$used" >/dev/null 2>&1 ||
			[ -n "$external" ] || return 1
		debugfs -w -R 'mkdir /by-hand' "$used" >/dev/null 2>&1 &&
			debugfs -w -R 'rm /once/f12' "$used" >/dev/null 2>&1
		e2fsck -fyD ${external:+-j "$used.j"} "$used" >/dev/null 2>&1
		[ $? -le 1 ] && none_discarded "$used" || return 1
		echo "$how: mounted again, for reading and for writing"
		mount_readonly "$used" && none_discarded "$used" &&
			mount_once "$used" 'mkdirs twice 1 3' &&
			none_discarded "$used" || return 1
	done
	rm -f "$used" "$used.j"
}

# As a freeze of a lazy mount does.  debugfs reads the stale bitmaps first: with
# -n it does not refuse them.  Its exit status tells nothing, so look.
clear_needs_recovery() {	# IMAGE
	debugfs -n -w -R 'feature -needs_recovery' "$1" >/dev/null 2>&1
	dumpe2fs -h "$1" 2>/dev/null >"$work/header"
	grep -q '^Filesystem features:' "$work/header" &&
		! grep -q needs_recovery "$work/header"
}

# The mount after that loses what was foretold.
discarding_is_seen() {
	lost=$work/lost.img
	foretold=
	copy_log "$base" "$lost" &&
	clear_needs_recovery "$lost" &&
	foretold=$(discarded "$lost" wiped-on-mount) || return 1
	mount_once "$lost" && told=$(discarded "$lost") || return 1
	rm -f "$lost" "$lost.j"
	echo "lost $told blocks of $foretold"
	if [ "$foretold" = 0 ]; then
		echo "hidden: nothing to lose: the kernel, or a sync, wrote all home"
	else
		lost_once=yes
	fi
	[ "$told" = "$foretold" ]
}

# The end of a mount that was lazy and then was not.  Of the same image as the
# check above; where all was home before, nothing may be found.
emptying_is_seen() {
	[ "$foretold" ] || { echo "the check before failed"; return 1; }
	copy_log "$base" "$lost" &&
	"$CRASH" record ${external:+-j "$lost.j"} "$lost" "$work/trace" &&
	read -r from to seed <<-END &&
		$("$CRASH" states "$work/trace" 1 0 | head -n 1)
	END
	copy_log "$base" "$lost" &&
	"$CRASH" apply "$work/trace" "$from" "$to" "$seed" "$lost" \
		${external:+"$lost.j"} && told=$(discarded "$lost") || return 1
	rm -f "$lost" "$lost.j"
	echo "found $told blocks of $foretold"
	case $foretold/$told in
	0/*)	[ "$told" = 0 ] ;;
	*/0)	emptying_is_hidden ;;
	*)	found_once=yes ;;
	esac
}

# Over all combinations: the two checks above met at least one visible case.
some_was_lost_and_found() {
	[ "$lost_once" ] && [ "$found_once" ]
}

# Where none is found: may something hide it?  The report tells what.
emptying_is_hidden() {
	case $want/$prepare in
	*wrap*/*) echo "hidden: the ring came round, so blocks were written home" ;;
	*/?*)	  echo "hidden: an earlier mount may be of the same second" ;;
	*)	  echo "hidden: some blocks were written home by the kernel itself"
		  [ "$foretold" -lt $(($(wc -l <"$work/map") - 1)) ] ;;
	esac
}
