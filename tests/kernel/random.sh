# SPDX-License-Identifier: GPL-2.0-only
#
# random.sh - random combinations, and the checks of a log that umount emptied.
# Read by run, which explains the variables; random.awk draws the numbers.

# COUNT of them, the first from SEED, the next from SEED + 1 and so on.
random_combinations() {	# COUNT SEED
	echo "# random workloads, seeds from $2 on; to repeat:" \
		"make check-random N=$1 SEED=$2"
	random_seed=$2
	while [ "$random_seed" -lt $(($2 + $1)) ]; do
		random_combination
		random_seed=$((random_seed + 1))
	done
}

random_combination() {
	awk -v seed="$random_seed" -f "$here/random.awk" >"$work/plan"
	external=$(planned_word external)
	stop=$(planned_word stop)
	case $stop in
	logflush)	;;
	nologflush)	finish='shutdown nologflush' ;;
	copy)		finish= ;;
	umount)		finish= checks=$checks_of_empty ;;
	esac
	# shellcheck disable=SC2046
	combination "random $random_seed, $(planned_word name)" \
		"$(planned_word want)" "$(planned_word mount)" \
		$(planned_word options) <<-END
		$(sed -n 's/^do //p' "$work/plan")
	END
}

planned_word() { sed -n "s/^set $1 //p" "$work/plan"; }

new_seed() { od -An -N 2 -tu2 /dev/urandom | tr -d ' '; }

# ------------------------------------------------- after a clean stop ---

checks_of_empty='looking at the emptied log succeeds and writes nothing:look_at_empty
e2fsck replays nothing:replay_is_map e2fsck
the kernel replays nothing:replay_is_map kernel
the log is what it was meant to be:as_meant_when_empty
stock e2fsck finds the view as sound as the image:view_is_sound
the view is the image:view_is_replay e2fsck
the view is what the kernel mounted:view_is_replay kernel
a mount of the view shows the tree of the live one:tree_by_mount
debuglazy shows the tree of the live mount:tree_by_debuglazy
a repair of the view leaves the image alone:repair_leaves_image
e2lazyck has nothing to say or to do:nothing_to_do
no transaction past the end counts:nothing_beyond'

# Leaves the map, which is empty, for the checks behind it.
look_at_empty() {
	before=$(fingerprint)
	failed=0
	for words in 'info --json' 'dump --all --json' log 'log --beyond'; do
		# shellcheck disable=SC2086
		e2lazy $words >/dev/null ||
			{ echo "e2lazy $words: exit $?"; failed=1; }
	done
	e2lazy info --json | grep '"reason":"empty"' || failed=1
	e2lazy dump --raw --no-headings >"$work/map" || failed=1
	[ ! -s "$work/map" ] || { cat "$work/map"; failed=1; }
	[ "$before" = "$(fingerprint)" ] ||
		{ echo "the image was changed"; failed=1; }
	return $failed
}

as_meant_when_empty() {
	[ -s "$work/tree.live" ] || { echo "the tree is empty"; return 1; }
	for claim in $want; do
		"want_$claim" || { echo "no $claim"; return 1; }
	done
}

nothing_to_do() {
	copy_log "$base" "$work/mended.img" && second_run_is_idle &&
		cmp "$base" "$work/mended.img"
}

# Past the head there is no damage and no uncommitted transaction.
nothing_beyond() {
	e2lazy log --beyond --json >"$work/beyond" || return 1
	grep '"verdict"' "$work/beyond" &&
		! grep -e '"verdict":"damage"' -e '"verdict":"uncommitted"' \
			"$work/beyond"
}
