# SPDX-License-Identifier: GPL-2.0-only
#
# tuned.sh - tune2fs changes a mounted volume, and the power goes. It writes the
# superblock in place; the log's copy counts for whoever comes next. Sourced by run.

tune_it="$run_other
tune()
{
	other tune2fs \"\$@\" /dev/vda >/run/tune.out 2>&1 || {
		cat /run/tune.out
		say FAILED: tune2fs
	}
}
tuned()
{
	other tune2fs -l /dev/vda | grep '^Maximum mount count'
}"

# Four readers of the disk after the cut, each of a copy.
read_after_cut()	# COUNT
{
	cp --sparse=always "$disk" "$work/cut.img"
	check "$scenario: a lazy mount has it" mount_has "$1" journal_lazy
	cp --sparse=always "$work/cut.img" "$disk"
	kind=STOCK
	check "$scenario: a stock mount has it" mount_has "$1" commit=300
	kind=LAZY
	cp --sparse=always "$work/cut.img" "$disk"
	check "$scenario: e2fsck -p has it" e2fsck_has "$1"
	cp --sparse=always "$work/cut.img" "$disk"
	check "$scenario: e2lazyck -p has it" e2lazyck_has "$1"
	mv "$work/cut.img" "$disk"
}
mount_has()	# COUNT OPTION
{
	OTHERS=$tune2fs
	guest tuned-read 60 "$tune_it
mount -t ext4 -o $2 /dev/vda /mnt || say FAILED: mount
dmesg | grep "EXT4.*tune2fs"
tuned"
	status=$?
	OTHERS=
	[ $status -eq 0 ] && counts "$1" <"$console"
}
counts()	# COUNT
{
	tr -d '\r' | grep -a '^Maximum mount count' | tee "$work/counts"
	grep -q " $1\$" "$work/counts"
}
e2fsck_has()
{
	e2fsck -p "$disk" >"$work/fsck.out" 2>&1
	[ $? -le 1 ] && e2fsck -fn "$disk" >>"$work/fsck.out" 2>&1 &&
		dumpe2fs -h "$disk" 2>/dev/null | counts "$1" && return
	cat "$work/fsck.out"
	return 1
}
e2lazyck_has()
{
	"$E2LAZYCK" -p --checkpoint "$disk" >"$work/ck.out" 2>&1
	[ $? -le 1 ] && e2fsck -fn "$disk" >>"$work/ck.out" 2>&1 &&
		dumpe2fs -h "$disk" 2>/dev/null | counts "$1" && return
	cat "$work/ck.out"
	return 1
}

# tuned_by NAME AFTER OPTION... - a cut after tune2fs, and after what follows it
tuned_by()
{
	scenario=tuned-$1
	after=$2
	shift 2
	format "$@"
	OTHERS=$tune2fs
	start "$scenario" "$disk" "$tune_it
$mount_it
./lazywork run /mnt $seed 0 200
tune -c 77 -e remount-ro
$after
say TUNED
sleep 60"
	OTHERS=
	check "$scenario: tune2fs changes a mounted volume" wait_for '^TUNED'
	cut_power
	check "$scenario: nobody complains" quiet "$console"
	check "$scenario: e2lazyck finds the log sound" sound "$disk"
	read_after_cut 77
}

# The power fails before the change is logged: the home alone has it.
tuned_in_place()
{
	scenario=tuned-in-place
	check "$scenario: there is a log" guest tuned-log 60 "$mount_it
umount /mnt"
	check "$scenario: the home is written alone" debugfs -w -R \
		'ssv max_mnt_count 78' "$disk"
	cp --sparse=always "$disk" "$work/cut.img"
	check "$scenario: a lazy mount keeps it" mount_has 78 journal_lazy
	check "$scenario: and says so" says 'tune2fs changed last'
	check "$scenario: from then on others have it, too" e2fsck_has 78
	mv "$work/cut.img" "$disk"
	check "$scenario: a replay before that does not" replay_has_not 78
}
replay_has_not()
{
	e2fsck -p "$disk" >/dev/null 2>&1
	! dumpe2fs -h "$disk" 2>/dev/null | counts "$1"
}

scenario_tuned()
{
	tune2fs=$(with_libraries "$(command -v tune2fs)")
	tuned_by sync sync
	tuned_by waits 'sleep 4'
	tuned_by frozen 'fsfreeze --freeze /mnt; fsfreeze --unfreeze /mnt'
	tuned_by plain-sync sync -b 1024 -O ^metadata_csum,^64bit
	tuned_in_place
}
