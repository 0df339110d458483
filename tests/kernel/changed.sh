# SPDX-License-Identifier: GPL-2.0-only
#
# changed.sh - events of files, as timeline and diff find them in logs of the
# running kernel.  Read by run, which explains the variables.

# changes_fs MKE2FS-ARGUMENTS... - a new file system, mounted; no commit comes
# by itself
changes_fs() {
	rm -f "$work/changes.img" && truncate -s 32M "$work/changes.img" &&
	mke2fs -q -F -t ext4 "$@" "$work/changes.img" &&
	attach "$work/changes.img" &&
	mount -t ext4 -o noatime,commit=900 "$loop" "$mnt"
}

# A commit; what follows has times of its own.
committed() { sync -f "$mnt" && sleep 0.02; }

# A thawed file system begins a new log, whose first copies have nothing before
# them.
new_log() { committed && fsfreeze -f "$mnt" && fsfreeze -u "$mnt"; }

# The log as it is now.
keep_log() {
	committed && cp --sparse=always "$work/changes.img" "$work/kept.img" &&
	release
}

first_tid() {
	"$E2LAZY" log --raw --no-headings --columns TID "$work/kept.img" |
		sed 1q
}

# events_are STATUS ARGUMENTS... <EVENTS - what timeline or diff prints
events_are() {
	wanted=$1
	shift
	cat >"$work/events"
	case $1 in
	timeline) set -- "$@" --raw --no-headings --columns WHAT,PATH ;;
	esac
	"$E2LAZY" "$@" "$work/kept.img" >"$work/found"
	[ $? = "$wanted" ] && tr -s ' ' <"$work/found" |
		sed '/^state /d' |
		diff "$work/events" -
}

# In a log that is weeks old, most transactions log no descriptors.
log_without_descriptors() {
	changes_fs -b 4096 -J size=4 && echo 1 >"$mnt/a" && new_log &&
	chmod 600 "$mnt/a" && committed && chmod 640 "$mnt/a" && committed &&
	echo 2 >"$mnt/b" && committed && rm "$mnt/a" && keep_log || return 1
	events_are 0 timeline <<-END &&
		chmod /a
		created /b
		deleted /a
	END
	# The root's entries are unknown up to then.
	first=$(first_tid) && events_are 0 diff --tid "$first" \
		--tid $((first + 1)) <<-END &&
		chmod <12> 0600 -> 0640
	END
	events_are 0 timeline --until-tid $((first + 1)) <<-END &&
		chmod <12>
	END
	events_are 4 diff --tid "$first" --tid $((first + 2)) <<-END
		chmod /a 0600 -> 0640
		created /b
	END
}

# The inode before is unknown, so only its creation tells another life.
# Contents that are written late would make a transaction in between.
deletion_is_no_renaming() {
	changes_fs -b 4096 -J size=4 &&
	for n in $(seq 30); do echo $n >"$mnt/f$n"; done && new_log &&
	: >"$mnt/x" && committed && rm "$mnt/f10" && : >"$mnt/y" &&
	keep_log || return 1
	events_are 0 timeline <<-END &&
		deleted /f10
		created /y
	END
	first=$(first_tid) && events_are 4 diff --tid "$first" \
		--tid $((first + 1)) <<-END
		deleted /f10
		created /y
	END
}

new_file_is_like_the_old_one() {
	changes_fs -b 4096 -J size=4 && echo 1 >"$mnt/f" && committed &&
	rm "$mnt/f" && echo 2 >"$mnt/f" && keep_log || return 1
	events_are 0 timeline --ring <<-END
		deleted /f
		created /f
	END
}

# The directory's first leaves are full: new names split one of them.
split_leaf_has_no_new_names() {
	long=$(printf 'n%.0s' $(seq 230))
	changes_fs -b 4096 -J size=4 \
		-E hash_seed=5a3b1c00-e21a-4000-8000-0000000005ed &&
	mkdir "$mnt/d" "$mnt/big" &&
	for n in $(seq 100 200); do echo $n >"$mnt/big/$n$long"; done &&
	new_log && echo x >"$mnt/d/x" && committed || return 1
	for n in $(seq 300 310); do
		echo x >"$mnt/big/$n$long" && committed || return 1
	done
	keep_log && for n in $(seq 300 310); do
		echo "created /big/$n$long"
	done | events_are 0 timeline
}

# Inodes of 128 bytes have no time of creation.  The kernel puts a directory of
# the root into a group of its own, whose table was never logged.
directory_without_birth_is_new() {
	changes_fs -b 1024 -I 128 -J size=4 && echo 1 >"$mnt/a" && committed &&
	mkdir "$mnt/d" && committed && mkdir "$mnt/d/e" && committed &&
	mv "$mnt/d/e" "$mnt/e" && keep_log || return 1
	events_are 0 timeline --ring <<-END
		created /d
		created /d/e
		renamed /e
	END
}

# An empty ring, for a file system that is older.
new_ring() {
	release && tune2fs -O ^has_journal "$work/changes.img" &&
	tune2fs -J size=4 "$work/changes.img" &&
	attach "$work/changes.img" &&
	mount -t ext4 -o noatime,commit=900 "$loop" "$mnt"
}

# The ring does not know /d and /a before, so nobody can tell /a from a new file
# in its inode.  The directory /m has an inode that nobody had used.
renaming_without_birth_is_no_creation() {
	changes_fs -b 1024 -I 128 -J size=4 && mkdir "$mnt/d" &&
	for n in $(seq 30); do echo $n >"$mnt/d/f$n"; done &&
	new_ring && echo x >"$mnt/x" && committed &&
	mv "$mnt/d/f9" "$mnt/a" && committed && mkdir "$mnt/m" &&
	keep_log || return 1
	events_are 0 timeline --ring --path '/[!d]*' <<-END
		changed /a
		created /m
	END
}

# /d is unknown before the link, so /d/f may be the new name as well.
link_is_told_by_its_own_name() {
	changes_fs -b 1024 -J size=4 && mkdir "$mnt/d" "$mnt/e" &&
	echo 1 >"$mnt/d/f" && new_ring && echo x >"$mnt/e/x" &&
	chmod 600 "$mnt/d/f" && committed &&
	ln "$mnt/d/f" "$mnt/e/l" && touch "$mnt/d/g" && committed &&
	ln "$mnt/d/f" "$mnt/e/m" && mv "$mnt/e/l" "$mnt/e/k" && keep_log ||
		return 1
	events_are 0 timeline --ring --path '/[de]/[!g]*' <<-END
		linked /e/l
		renamed /e/k
		linked /e/m
	END
}

# step COMMAND... - do it, and commit it; newest: the log's last transaction
step() {
	"$@" && committed || return 1
	before=$newest
	newest=$("$E2LAZY" log --raw --no-headings --columns TID \
		"$work/changes.img" 2>/dev/null | tail -n 1)
	[ "$newest" ] && [ "$newest" -gt "${before:-0}" ]
}

# blamed_is STEP PART... - blame names a transaction of that step, "BEFORE LAST"
blamed_is() {
	wanted=$1
	shift
	found=$("$E2LAZY" blame --raw --no-headings --columns TID,EXACT "$@") &&
		[ "${found#* }" = yes ] && [ "${found% *}" -gt "${wanted% *}" ] &&
		[ "${found% *}" -le "${wanted#* }" ] ||
		{ echo "blame $*: $found, not of $wanted"; return 1; }
}

# The kernel may commit a step in more than one transaction.
blame_names_the_transaction() {
	newest=
	changes_fs -b 4096 -J size=4 && mkdir "$mnt/d" && echo 1 >"$mnt/a" &&
	echo 2 >"$mnt/c" && step true &&
	step chmod 600 "$mnt/a" && chmod="$before $newest" &&
	step mv "$mnt/a" "$mnt/d/b" && mv="$before $newest" &&
	step dd if=/dev/zero of="$mnt/big" bs=4096 count=3 2>/dev/null &&
	dd="$before $newest" &&
	step rm "$mnt/big" && rm="$before $newest" &&
	step chown 7 "$mnt/d/b" && chown="$before $newest" &&
	echo more >>"$mnt/c" && step true && more="$before $newest" &&
	keep_log || return 1
	img=$work/kept.img
	block=$("$E2LAZY" undelete --json "$img" 2>/dev/null |
		tr ',{' '\n\n' | sed -n 's/^"fsblk"://p;s/^"first"://p' | sed 1q)
	blamed_is "$chmod" "$img" /d/b:mode &&
	blamed_is "$mv" "$img" /d/b:entry &&
	blamed_is "$chown" "$img" /d/b:uid &&
	blamed_is "$more" "$img" /c:size &&
	blamed_is "$dd" "$img" --allocated "$block" &&
	blamed_is "$rm" "$img" --freed "$block"
}

changed_checks() {
	while IFS=: read -r title command; do
		case "changes $title" in *"$only"*) ;; *) continue ;; esac
		if [ -n "$why_skip" ]; then
			skip "changes: $title" "$why_skip"
		else
			check "changes: $title" $command
		fi
		release
	done <<-END
		a directory is made or renamed, never linked:directory_without_birth_is_new
		names that the split of a leaf moves are no new ones:split_leaf_has_no_new_names
		a renaming of a file whose age is unknown makes none:renaming_without_birth_is_no_creation
		a link is told by the name that came:link_is_told_by_its_own_name
		a deletion and a new file are no renaming:deletion_is_no_renaming
		a file with inode and name of the one before is new:new_file_is_like_the_old_one
		blame names the transaction:blame_names_the_transaction
		a log whose begin has no descriptors has events:log_without_descriptors
	END
}
