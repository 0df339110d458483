# SPDX-License-Identifier: GPL-2.0-only
#
# laps.sh - scenarios that last: laps of the ring, mounts, programs of others,
# and failures on request. Sourced by run.

# The ring comes round fifty times, and more than that: who looks at the head
# now and then can miss a lap, and counts none twice.
scenario_laps()
{
	laps=${LAZY_LAPS:-50}
	format -J size=4
	check "laps: works until the ring came round $laps times" \
		guest laps 1800 "$always_clean
$mount_it
watch_laps &
watcher=\$!
n=0
while [ \"\$(cat /run/laps)\" -lt $laps ] && [ \$n -lt 60000 ]; do
	./lazywork run /mnt $seed \$n \$((n + 1000)) >/dev/null
	n=\$((n + 1000))
done
kill \$watcher
say \"laps \$(cat /run/laps) of \$n\"
$poison
./lazywork sum /mnt
lazy_show"
	operations=$(tr -d '\r' <"$console" | sed -n 's/^laps [0-9]* of //p')
	tr -d '\r' <"$console" | sed -n 's/^laps/# &/p'
	check "laps: there were as many" came_round "$laps"
	check "laps: no copy was bad" same_number 0 bad_copies
	same_map
	after "$seed" "${operations:-0}" "${operations:-0}"
}
came_round()	# TIMES
{
	[ "$(tr -d '\r' <"$console" | sed -n 's/^laps \([0-9]*\) .*/\1/p')" \
		-ge "$1" ]
}

# The same volume is mounted again and again, and read through each time.
scenario_mounts()
{
	format -J size=4
	check "mounts: twenty of one volume" guest mounts 600 "
n=0
while [ \$n -lt 3000 ]; do
	$mount_it
	$poison
	./lazywork match \$(./lazywork sum /mnt) $seed \$n \$n ||
		say FAILED: the tree of \$n
	./lazywork run /mnt $seed \$n \$((n + 150)) >/dev/null
	n=\$((n + 150))
	[ \$n -eq 3000 ] || umount /mnt || say FAILED: umount
done
./lazywork sum /mnt
lazy_show"
	same_map
	after "$seed" 3000 3000
}

# Programs of others, out of their packages, while our own work goes on beside
# them.  What they leave is judged by e2fsck and by three replays.
scenario_programs()
{
	check "programs: postmark, dbench and stress-ng are at hand" \
		fetch_programs || return
	format -J size=8
	check "programs: all run beside our own work" guest programs 900 "
$mount_it
$run_other
$run_postmark
mkdir /mnt/lost+found/pm /mnt/lost+found/dbench /mnt/lost+found/stress
postmark_in /mnt/lost+found/pm $((seed % 10000)) 400 1500 &
other dbench -t 20 -D /mnt/lost+found/dbench -c /run/client.txt 3 \
	>/run/dbench.out 2>&1 &
other stress-ng --temp-path /mnt/lost+found/stress -t 20 --verify \
	--seed $seed --dentry 1 --dir 1 --rename 1 --link 1 --symlink 1 \
	--xattr 1 --chmod 1 --utime 1 --fallocate 1 --fallocate-bytes 4M \
	--hdd 1 --hdd-bytes 4M >/run/stress.out 2>&1 &
./lazywork run /mnt $seed 0 1200
wait
tail -n 3 /run/postmark.out /run/dbench.out /run/stress.out
grep -q 'bytes written\|megabytes written' /run/postmark.out ||
	say FAILED: postmark
grep -q '^Throughput' /run/dbench.out || say FAILED: dbench
grep -q 'successful run completed' /run/stress.out || {
	cat /run/stress.out
	say FAILED: stress-ng
}
$poison
./lazywork sum /mnt
lazy_show"
	OTHERS=
	scenario=programs
	same_map
	after "$seed" 1200 1200
}

# In the guest: a program with its own libraries, and postmark's commands.
run_other='
other()
{
	program=$1
	shift
	/run/ld-linux-x86-64.so.2 --library-path /run "/run/$program" "$@"
}'
run_postmark='
postmark_in()	# DIRECTORY SEED FILES TRANSACTIONS
{
	(cd "$1" && printf "%s\n" "set number $3" "set transactions $4" \
		"set size 500 9000" "set seed $2" run quit |
		other postmark) >/run/postmark.out
}'

# What stress-ng is linked with goes with it.
other_packages='postmark dbench stress-ng libapparmor1 libbsd0 libdrm2 libegl1
	libexpat1 libffi8 libgbm1 libgles2 libglvnd0 libipsec-mb1
	libjpeg62-turbo libjudydebian1 libkmod2 libmd0 libpopt0 libsctp1 libssl3
	libwayland-server0 libxxhash0 libzstd1'
fetch_programs()
{
	others=$KERNEL/programs
	if [ ! -e "$others/client.txt" ]; then
		rm -rf "$work/deb"
		mkdir -p "$work/deb" "$others" &&
			unpack_programs "$work/deb" &&
			copy_programs "$work/deb/usr" "$others" || return
		rm -rf "$work/deb"
	fi
	OTHERS=$(echo "$others"/*)
}
unpack_programs()	# DIRECTORY
{
	(cd "$1" && apt-get -qq download $other_packages &&
		for package in *.deb; do
			dpkg -x "$package" . || exit
		done)
}
copy_programs()		# FROM TO
{
	programs="$1/bin/postmark $1/bin/dbench $1/bin/stress-ng"
	LD_LIBRARY_PATH=$1/lib/x86_64-linux-gnu:$1/../lib/x86_64-linux-gnu \
		ldd $programs >"$work/linked" || return
	! grep 'not found' "$work/linked" &&
		cp $programs $(grep -o '/[^ ]*\.so[^ ]*' "$work/linked" |
			sort -u) "$2/" &&
		strip "$2/stress-ng" &&
		head -n 8000 "$1/share/dbench/client.txt" >"$2/client.txt"
}

# A debug kernel only.  Allocations fail for the worker, then requests for
# everybody: nothing is lost that was synced, and the kernel stays sane.
scenario_faults()
{
	format -J size=4
	start faults "$disk" "mount -t debugfs debugfs /sys/kernel/debug
$always_clean
$mount_it
cd /sys/kernel/debug/failslab
echo 0 >verbose
echo Y >task-filter
echo N >ignore-gfp-wait
echo 100 >probability
echo 701 >interval
echo -1 >times
cd /run
n=0
for round in 1 2 3 4 5 6 7 8 9 10 11 12; do
	(echo 1 >/proc/self/make-it-fail
	exec ./lazywork run /mnt $seed \$n \$((n + 450))) >/run/out 2>&1
	synced=\$(sed -n 's/^synced //p' /run/out | tail -n 1)
	echo \"round \$round: \$(tail -n 1 /run/out)\"
	n=\$(./lazywork match \$(./lazywork sum /mnt) $seed \${synced:-\$n} \$((n + 450))) ||
		say FAILED: the tree after \$round
done
say \"reached \$n\"
./lazywork run /mnt $seed \$n 3000
$poison
./lazywork sum /mnt
lazy_show"
	check "faults: allocations fail, and the work goes on behind them" \
		lives_on
	check "faults: some failed" some_failed
	same_map
	after "$seed" 3000 3000
	format -J size=4
	start faults-io "$disk" "mount -t debugfs debugfs /sys/kernel/debug
$always_clean
$mount_it
cd /sys/kernel/debug/fail_make_request
echo 0 >verbose
echo 1 >/sys/block/vda/make-it-fail
echo 100 >probability
echo 1301 >interval
echo -1 >times
cd /run
./lazywork run /mnt $seed 0 3000
umount /mnt"
	check "faults: requests fail, and the machine does not" lives_on
	synced=$(tr -d '\r' <"$console" | sed -n 's/^synced //p' | tail -n 1)
	# The error in the journal's superblock is e2fsck -f's to clear.
	stays=4
	check "faults: our checkpoint, e2fsck and the kernel leave one tree" \
		trees_agree "$disk"
	stays=
	check "faults: what was synced is there" tree_is_a_prefix "$seed" \
		"${synced:-0}" $((${synced:-0} + 600))
}
some_failed()
{
	tr -d '\r' <"$console" | grep '^round.*Cannot allocate memory'
}
# ext4 itself reports an error where it found no memory for a new inode.
lives_on()
{
	finish 600 && grep -aq 'THE END' "$console" || {
		tail -n 30 "$console"
		return 1
	}
	! tr -d '\r' <"$console" |
		grep -aE 'BUG|WARNING|KASAN|Oops|panic|Call Trace|INFO: |FAILED|bad checksum'
}
