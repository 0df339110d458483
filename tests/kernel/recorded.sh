# SPDX-License-Identifier: GPL-2.0-only
#
# recorded.sh - records a tree at each commit; the ring's view of each of these
# transactions must later be that tree, or name a block that is lost.

# The names, types, modes, owners, sizes, times and targets of a tree.
list_tree() {	# DIRECTORY
	(cd "$1" && find . -name lost+found -prune -o \
		-type d ! -path . -printf 'd %p %m %U:%G\n' -o \
		-type l -printf 'l %p %l\n' -o \
		-type f -printf 'f %p %m %s %T@ %U:%G\n') | sort
}

sum_tree() {	# DIRECTORY
	(cd "$1" && find . -name lost+found -prune -o -type f -print0 |
		xargs -0r sha256sum) | sort
}

# Commit, and note what the tree was then.
record_tree() {	# IMAGE
	sync -f "$mnt" || return 1
	tid=$("$E2LAZY" log --raw --no-headings --columns TID "$1" | tail -n 1)
	[ -n "$tid" ] || return 0
	list_tree "$mnt" >"$records/tree.$tid"
	sum_tree "$mnt" >"$records/sums.$tid"
}

# One step of work: files made, changed, renamed and removed.
work_step() {	# NUMBER
	n=$1 dir=$mnt/d$(($1 % 5))
	mkdir -p "$dir/sub$((n % 3))"
	for i in 1 2 3; do
		head -c $((n * 997 % 20000 + i)) /dev/urandom \
			>"$dir/file$n.$i" || return 1
	done
	ln -s "target $n" "$dir/sub$((n % 3))/link$n"
	[ ! -e "$mnt/d$(((n + 2) % 5))/file$((n - 3)).1" ] ||
		rm "$mnt/d$(((n + 2) % 5))/file$((n - 3)).1"
	[ ! -e "$mnt/d$(((n + 3) % 5))/file$((n - 2)).2" ] ||
		mv "$mnt/d$(((n + 3) % 5))/file$((n - 2)).2" "$dir/moved$n"
	chmod $((600 + n % 8 * 10)) "$dir/file$n.3"
	chown $((1000 + n)):$((n % 3)) "$dir/file$n.3" "$dir"
}

mount_recorded() {	# IMAGE
	attach "$1" && mount -t ext4 -o noatime,commit=3000 "$loop" "$mnt"
}

# Steps from A to B, each recorded; a new mount every so many, 0 for none.
work_recorded() {	# IMAGE A B STEPS-A-MOUNT
	step=$2
	while [ "$step" -le "$3" ]; do
		if [ "$4" -gt 0 ] && [ $((step % $4)) = 0 ]; then
			release
			mount_recorded "$1" || return 1
		fi
		work_step "$step" && record_tree "$1" || return 1
		step=$((step + 1))
	done
}

# Each line of the shown tree is one of the recorded tree.  Contents are not
# logged, so they count only if the file was still there at the end.
is_recorded() {	# TID all|part
	list_tree "$work/out" >"$work/ours"
	sum_tree "$work/out" >"$work/our.sums"
	awk '{ print $1 }' "$records/final" | sort -u >"$work/kept"
	if [ "$2" = all ]; then
		diff "$from/tree.$1" "$work/ours" || return 1
		awk 'NR == FNR { kept[$1] = 1; next } kept[$1]' \
			"$work/kept" "$from/sums.$1" >"$work/expected"
		comm -23 "$work/expected" "$work/our.sums" >"$work/missing"
	else
		comm -13 "$from/tree.$1" "$work/ours" | grep '^[ld]' \
			>"$work/missing"
	fi
	cat "$work/missing"
	[ ! -s "$work/missing" ]
}

# Each recorded transaction of each history.
shows_records() {	# IMAGE LEAST-EQUAL
	equal=0 named=0 unknown=0 bad=0
	histories=$("$E2LAZY" log --histories --raw --no-headings \
		--columns HISTORY "$1" 2>/dev/null)
	for history in $histories; do
		# Ids that begin anew have records of their own.
		from=$records
		[ ! -d "$records.$history" ] || from=$records.$history
		for tid in $("$E2LAZY" log --history "$history" --raw \
				--no-headings --columns TID "$1"); do
			[ -e "$from/tree.$tid" ] ||
				{ unknown=$((unknown + 1)); continue; }
			rm -rf "$work/out"
			mkdir "$work/out"
			"$DEBUGLAZY" --history "$history" --until-tid "$tid" \
				-R "rdump -p / $work/out" "$1" \
				>"$work/said" 2>&1
			case $? in
			0|4)	# some lost block is none of the tree's
				equal=$((equal + 1))
				whole=all
				;;
			*)
				grep -q 'no longer known' "$work/said" ||
					{ cat "$work/said"; bad=1; }
				named=$((named + 1))
				whole=part
				;;
			esac
			is_recorded "$tid" $whole ||
				{ echo "history $history, transaction $tid"
				  bad=1; }
		done
	done
	echo "equal $equal, a lost block named $named, not recorded $unknown"
	echo "hidden: $equal trees equal, $named with a lost block named"
	[ $bad = 0 ] && [ "$equal" -ge "$2" ]
}

# Make a file system and its records: $recorded is the image, after an unmount
# or, if it is to be dirty, before one.
make_recorded() {	# dirty|clean STEPS STEPS-A-MOUNT MKE2FS-ARGUMENTS...
	state=$1 steps=$2 mounts=$3
	shift 3
	recorded=$work/recorded.img records=$work/records
	rm -rf "$records" "$records.1" "$recorded" && mkdir "$records" &&
		truncate -s 64M "$recorded.live" || return 1
	mke2fs -q -F -t ext4 "$@" "$recorded.live" &&
		mount_recorded "$recorded.live" &&
		work_recorded "$recorded.live" 1 "$steps" "$mounts" || return 1
	[ "$state" = dirty ] &&
		cp --sparse=always "$recorded.live" "$recorded"
	sum_tree "$mnt" >"$records/final"
	release
	[ "$state" = dirty ] ||
		cp --sparse=always "$recorded.live" "$recorded"
	rm -f "$recorded.live"
}

ring_shows_recorded() {	# LEAST-EQUAL and what make_recorded takes
	least=$1
	shift
	make_recorded "$@" && shows_records "$recorded" "$least"
}

# A mount that throws the log away: nothing of it is in what came after.
discarded_is_not_mixed_in() {
	make_recorded dirty 6 0 -b 1024 -J size=4 || return 1
	old=$("$E2LAZY" log --raw --no-headings --columns TID "$recorded" |
		tail -n 1)
	clear_needs_recovery "$recorded" || return 1
	mv "$records" "$records.1" && mkdir "$records" &&
		mount_recorded "$recorded" &&
		work_recorded "$recorded" 20 23 0 || return 1
	sum_tree "$mnt" >"$records/final"
	release
	echo "the log that was thrown away ended with $old"
	shows_records "$recorded" 1
}

# The names that came and went, and the files that changed, of a tree and the
# next: "+ /path", "- /path", "chmod /path", "resized /path".
changed_trees() {	# TID TID
	awk '{ path = substr($2, 2) }
	NR == FNR { old[path] = $1; mode[path] = $3; size[path] = $4; next }
	!(path in old)		{ print "+ " path; next }
	$1 == "l"		{ old[path] = ""; next }
	$3 != mode[path]	{ print "chmod " path }
	$1 == "f" && $4 != size[path] { print "resized " path }
				{ old[path] = "" }
	END { for (path in old) if (old[path]) print "- " path }' \
		"$records/tree.$1" "$records/tree.$2" | sort
}

# The same of e2lazy's lines: what, path, and of a renaming "old -> new".
changed_lines() {	# TID TID
	cut -d ' ' -f 2 "$records/tree.$1" | sed 's/^.//' >"$work/there"
	awk 'NR == FNR { there[$1] = 1; next }
	$1 == "created" || $1 == "linked"	{ print "+ " $2 }
	$1 == "deleted" || $1 == "unlinked"	{ print "- " $2 }
	$1 == "renamed"		{ print "- " $2; print "+ " $4 }
	($1 == "chmod" || $1 == "resized") && there[$2] { print $1, $2 }' \
		"$work/there" - | sort
}

# The changes between each recorded transaction and the next are those of the
# trees, and the timeline has the same events.
shows_changes() {	# LEAST-EQUAL OPTION...
	least=$1 equal=0 named=0 before=
	shift
	"$E2LAZY" timeline "$@" --raw --no-headings \
		--columns TID,WHAT,PATH,OLD_PATH "$recorded" >"$work/events" ||
		return 1
	for tid in $(ls "$records" | sed -n 's/^tree\.//p' | sort -n); do
		if [ -n "$before" ]; then
			"$E2LAZY" diff "$@" --tid "$before" --tid "$tid" \
				"$recorded" >"$work/lines" 2>"$work/said"
			case $? in
			0)	equal=$((equal + 1)) ;;
			4)	named=$((named + 1)) before=$tid; continue ;;
			*)	cat "$work/said"; return 1 ;;
			esac
			changed_trees "$before" "$tid" >"$work/expected"
			changed_lines "$before" <"$work/lines" | uniq |
				diff "$work/expected" - ||
				{ echo "transactions $before to $tid"
				  return 1; }
			[ $((before + 1)) = "$tid" ] || { before=$tid; continue; }
			awk -v tid="$tid" '$1 == tid {
				print $2, ($2 == "renamed" ? $4 " -> " : "") $3
			}' "$work/events" | sort >"$work/happened"
			sed 's/  *[^ ]* -> [0-9:]*$//' "$work/lines" |
				sed 's/^\([a-z]*\)  */\1 /' | sort |
				diff "$work/happened" - ||
				{ echo "events of transaction $tid"
				  return 1; }
		fi
		before=$tid
	done
	echo "equal $equal, a lost block named $named"
	echo "hidden: $equal differences of trees, $named with a lost block named"
	[ "$equal" -ge "$least" ]
}

changes_are_recorded() {	# LEAST-EQUAL OPTION and what make_recorded takes
	least=$1 option=$2
	shift 2
	make_recorded "$@" && shows_changes "$least" $option
}

# Thousands of directories beside each other, none of whose names was logged:
# all that lost a file have their paths.
crowded_paths() {
	crowd=6000 crowded=$work/crowded.img
	truncate -s 64M "$crowded.live" &&
		mke2fs -q -F -t ext4 -b 1024 -N 16384 -J size=24 \
			-E lazy_itable_init=0 "$crowded.live" &&
		mount_recorded "$crowded.live" &&
		mkdir "$mnt/a-crowd" && (cd "$mnt/a-crowd" &&
		seq -f "one-of-very-many-directories-%06.0f" $crowd |
			tee "$work/crowd" | xargs mkdir &&
		sed 's,$,/file,' "$work/crowd" | xargs touch) || return 1
	release
	mount_recorded "$crowded.live" &&
		(cd "$mnt/a-crowd" &&
		sed 's,$,/file,' "$work/crowd" | xargs rm) &&
		"$FSWORK" "$mnt" 'fsync a-crowd' &&
		cp --sparse=always "$crowded.live" "$crowded" || return 1
	release
	sed 's,.*,/a-crowd/&/file,' "$work/crowd" >"$work/expected"
	"$E2LAZY" timeline --raw --no-headings --columns WHAT,PATH "$crowded" |
		sed -n 's/^deleted //p' | sort | cmp "$work/expected" - &&
		"$E2LAZY" undelete --quick --raw --no-headings --columns PATH \
			"$crowded" | sort >"$work/listed" || return 1
	# The ring has come round: many names are of a lost transaction.
	comm -12 "$work/expected" "$work/listed" | wc -l |
		awk -v of="$crowd" '{ print $1, "of", of }
				    $1 < of / 2 { exit 1 }' || return 1
	comm -13 "$work/expected" "$work/listed" | grep -v '^#'
	[ $? = 1 ]
}

recorded_checks() {
	case rings in
	*"$only"*)	;;
	*)		return ;;
	esac
	[ -z "$why_skip" ] ||
		{ skip "rings: each commit is seen as it was" "$why_skip"
		  return; }
	check "rings: of a dirty log each commit is seen as it was" \
		ring_shows_recorded 16 dirty 20 0 -b 1024 -J size=4
	check "rings: so it is after a clean unmount" \
		ring_shows_recorded 16 clean 20 0 -b 1024 -J size=4
	check "rings: and over several mounts" \
		ring_shows_recorded 18 clean 24 7 -b 1024 -J size=4
	check "rings: of a ring that came round each commit still whole" \
		ring_shows_recorded 8 clean 50 13 -b 1024 -J size=1
	check "rings: without checksums" \
		ring_shows_recorded 10 dirty 24 9 -b 1024 -J size=1 \
		-O ^metadata_csum,^64bit
	check "rings: the changes of files are those of the trees" \
		changes_are_recorded 16 "" dirty 20 0 -b 1024 -J size=4
	check "rings: so they are over mounts, in a ring that came round" \
		changes_are_recorded 16 --ring clean 30 7 -b 1024 -J size=1
	check "rings: files of many directories have their paths" crowded_paths
	check "rings: a log that a mount threw away is not mixed in" \
		discarded_is_not_mixed_in
}
