# SPDX-License-Identifier: GPL-2.0-only
#
# reused.sh - two file systems on one device, made with the same UUID, and a
# journal that the second mke2fs does not zero.  A copy is taken after each
# commit of the second.  The kernel mounts it: if that brings a file of the
# first back, e2lazyck -p must not write the log, else it must.  If both were
# made at the same time, it may refuse the others, too: it then cannot know that
# the transactions past the head are not the log's.

reused=11111111-2222-3333-4444-555555555555

# make_reused IMAGE MADE MKE2FS-ARGUMENTS... - at the time MADE, or now
make_reused() {
	image=$1 made=${2%now}
	shift 2
	E2FSPROGS_FAKE_TIME=$made mke2fs -q -F -t ext4 -J size=4 -U $reused \
		-E lazy_itable_init=0,lazy_journal_init=1,nodiscard,hash_seed=$reused \
		"$@" "$image"
}

# commits_of NAME COUNT DIRECTORIES [COPY] - COPY.N is a copy after the Nth
commits_of() {
	attach "$work/reused.img" &&
	mount -t ext4 -o noatime,nodelalloc,commit=3000 "$loop" "$mnt" ||
		return 1
	n=0
	while [ $n -lt "$2" ]; do
		n=$((n + 1))
		"$FSWORK" "$mnt" "mkdirs $1$n 1 $3" "fsync $1$n" || return 1
		[ -z "$4" ] ||
			cp --sparse=always "$work/reused.img" "$4.$n" ||
			return 1
	done
	[ -n "$4" ] || "$FSWORK" "$mnt" 'shutdown logflush'
	release
}

# names_after_mount IMAGE - of the root directory, after the kernel's replay
names_after_mount() {
	cp --sparse=always "$1" "$work/mounted.img" && attach "$work/mounted.img" &&
	mount -t ext4 -o noatime "$loop" "$mnt" && ls "$mnt"
	listed=$?
	release
	return $listed
}

# judged_as_by_the_kernel COPY - counts in $older or $own
judged_as_by_the_kernel() {
	names_after_mount "$1" >"$work/names" || return 1
	if grep -q '^old' "$work/names"; then
		older=$((older + 1))
		refused "$1"
	else
		own=$((own + 1))
		[ "$made" ] || preened "$1"
	fi
}

# reused_uuid MADE DIRECTORIES MKE2FS-ARGUMENTS... - with as many in each
# transaction as the first file system one log at least runs on, else none
reused_uuid() {
	older=0 own=0 second=$2 when=$1
	shift 2
	set -- "$when" "$@"
	rm -f "$work/reused.img" && truncate -s 64M "$work/reused.img" &&
	make_reused "$work/reused.img" "$@" && commits_of old 20 24 || return 1
	sleep 2		# commit times are in seconds
	make_reused "$work/reused.img" "$@" &&
	commits_of new 8 $second "$work/reused" || return 1
	for n in 1 2 3 4 5 6 7 8; do
		judged_as_by_the_kernel "$work/reused.$n" || return 1
		rm -f "$work/reused.$n"
	done
	echo "run on into the first file system: $older, do not: $own"
	if [ "$second" = 24 ]; then [ $older -gt 0 ]; else [ $own -gt 0 ]; fi
}

# Its fast commits are behind a log that does not run on.
reused_area() {
	older=0 own=0
	rm -f "$work/reused.img" && truncate -s 64M "$work/reused.img" &&
	make_reused "$work/reused.img" now -O fast_commit &&
	attach "$work/reused.img" &&
	mount -t ext4 -o noatime,nodelalloc,commit=3000 "$loop" "$mnt" &&
	"$FSWORK" "$mnt" 'mkdirs sub 1 24' && sync -f "$mnt" &&
	"$FSWORK" "$mnt" 'files old 1 1 100' 'fsync old/f1' &&
	cp --sparse=always "$work/reused.img" "$work/reused.0" || return 1
	release
	sleep 2
	mv "$work/reused.0" "$work/reused.img" &&
	make_reused "$work/reused.img" now -O fast_commit &&
	attach "$work/reused.img" &&
	mount -t ext4 -o noatime,nodelalloc,commit=3000 "$loop" "$mnt" &&
	"$FSWORK" "$mnt" 'mkdir new' && sync -f "$mnt" &&
	cp --sparse=always "$work/reused.img" "$work/reused.1" || return 1
	release
	judged_as_by_the_kernel "$work/reused.1" && [ $older = 1 ]
}

reused_checks() {
	while IFS=: read -r title command; do
		case "reused: $title" in *"$only"*) ;; *) continue ;; esac
		if [ -n "$why_skip" ]; then
			skip "reused: $title" "$why_skip"
		else
			check "reused: $title" $command
		fi
		release
	done <<-END
		an earlier file system with the same UUID:reused_uuid now 24 -b 1024
		without checksums:reused_uuid now 24 -b 1024 -O ^metadata_csum
		with fast commits:reused_uuid now 24 -b 1024 -O fast_commit
		its transactions do not follow the log:reused_uuid now 17 -b 1024
		both made at the same time:reused_uuid 1700000000 24 -b 4096
		its fast commits:reused_area
	END
	rm -f "$work/reused.img" "$work/mounted.img"
}
