# SPDX-License-Identifier: GPL-2.0-only
#
# The view through the log: compare e2lazy view and debuglazy with the live
# mount, and with the replays.  Read by run, which explains the variables;
# E2LAZY and DEBUGLAZY are the programs.

# Types, modes, owners, sizes and contents; of directories no size, for theirs
# is that of their blocks.
manifest() {	# DIRECTORY
	(cd "$1" &&
	find . -mindepth 1 ! -type d -printf '%y %m %U %G %s %p %l\n' \
		-o -mindepth 1 -type d -printf '%y %m %U %G - %p\n' | sort &&
	find . -type f -print0 | sort -z | xargs -0r sha1sum)
}

# The mount shows the log's content only after a last commit of everything.
tree_is_committed() {
	case $finish/$stop in
	'shutdown logflush/'*|*/umount)	[ -z "$cut" ] ;;
	*)				false ;;
	esac
}

# A commit writes only the data in new blocks; this sync writes data over old
# blocks home, too, and checkpoints nothing.
keep_tree() {	# DIRECTORY
	rm -f "$work/tree.live"
	tree_is_committed || return 0
	find "$1" -type f -print0 | xargs -0r sync -d &&
	manifest "$1" >"$work/tree.live"
}

view() {	# OPTIONS... -- COMMAND...
	case $1 in
	--)	set -- "$base" "$@" ;;
	*)	option=$1; shift; set -- "$option" "$base" "$@" ;;
	esac
	"$E2LAZY" view ${external:+-j "$base.j"} "$@"
}

# The output of e2fsck without paths.
verdict() {	# COMMAND...
	"$@" >"$work/said" 2>&1
	said=$?
	sed 's,^[^ ]*/,,' "$work/said"
	return $said
}

view_is_sound() {
	verdict view -- e2fsck -fn ${external:+-j {journal\}} {} \
		>"$work/ours"
	ours=$?
	verdict e2fsck -fn ${external:+-j "$work/kernel.img.j"} \
		"$work/kernel.img" >"$work/theirs"
	theirs=$?
	cat "$work/ours"
	sed 's,^kernel.img:,view:,' "$work/theirs" | diff - "$work/ours" &&
		[ $ours = 0 ] && [ $theirs = 0 ]
}

# cmpreplay with an empty map: all blocks alike, and of the two superblocks
# all but the fields that it names and explains.
view_is_replay() {	# HOW
	view -- cp --sparse=always {} "$work/view.img" &&
	"$CMPREPLAY" /dev/null "$work/view.img" "$work/$1.img"
}

same_tree() {	# TREE
	diff "$work/tree.live" "$work/tree.seen" >"$work/tree.diff" ||
		{ head -20 "$work/tree.diff"; return 1; }
	[ -s "$work/tree.live" ]
}

tree_by_mount() {
	rm -rf "$work/seen"
	mkdir "$work/seen"
	view --mount="$work/seen" -- sh -c '. "$1"; manifest "$2"' - \
		"$here/seen.sh" {} >"$work/tree.seen" && same_tree
}

tree_by_debuglazy() {
	rm -rf "$work/seen"
	mkdir "$work/seen"
	"$DEBUGLAZY" ${external:+-j "$base.j"} -R "rdump -p / $work/seen" \
		"$base" && manifest "$work/seen" >"$work/tree.seen" &&
		rm -rf "$work/seen" && same_tree
}

repair_leaves_image() {
	before=$(sha256sum "$base" ${external:+"$base.j"})
	view --cow -- e2fsck -fy ${external:+-j {journal\}} {}
	repaired=$?
	[ "$before" = "$(sha256sum "$base" ${external:+"$base.j"})" ] ||
		{ echo "the image was changed"; return 1; }
	[ $repaired -le 1 ]
}
