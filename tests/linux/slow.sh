# SPDX-License-Identifier: GPL-2.0-only
#
# slow.sh - a device that writes slowly, where the cleaner's writes in place take
# seconds: who waits for them. Sourced by run.

# The kernel's own trace: who waits for a lock while it frees a block, and a batch
# is on its way home.
trace_waits='
mount -t tracefs tracefs /sys/kernel/tracing 2>/dev/null
cd /sys/kernel/tracing || say FAILED: tracefs
echo 8192 >buffer_size_kb
{
	echo p:lazy/home lazy_write_home
	echo r:lazy/homed lazy_write_home
	echo p:lazy/revoke jbd2_journal_revoke
	echo r:lazy/revoked jbd2_journal_revoke
} >kprobe_events || say FAILED: kprobe_events
cd /run
traced()
{
	for event in lazy lock/contention_begin; do
		echo $1 >/sys/kernel/tracing/events/$event/enable
	done
}
waits()
{
	traced 0
	awk "
	/: homed: /	{ homing-- }
	/: home: /	{ homing++ }
	/: revoked: /	{ inside[\$1] = 0 }
	/: revoke: /	{ inside[\$1] = 1; revokes++; meanwhile += homing > 0 }
	/: contention_begin: / && inside[\$1] && homing > 0 { waited++ }
	END {
		print \"revokes\", revokes + 0
		print \"meanwhile\", meanwhile + 0
		print \"waited\", waited + 0
	}" /sys/kernel/tracing/trace >/run/waits
	show waits /run/waits
}'

slow_log()
{
	format -b 1024 -J size=4
	check "$scenario: there is a log, all of it live" guest slow-log 120 "$never_clean
$mount_it
mkdir /mnt/lost+found/d
cd /mnt/lost+found/d
seq 1 2000 | xargs mkdir
sync
cd /run
umount /mnt"
}

# Directories are removed in the order in which they are in the log, from which
# the cleaner writes them home: less than half of it is free.
scenario_slow()
{
	scenario=slow
	slow_log
	slow=65536
	start slow "$disk" "$trace_waits
$never_clean
$mount_it
ls -R /mnt >/dev/null
echo without a cleaner
./lazyctl latency /mnt/lost+found/d 1 41
$always_clean
traced 1
echo with a cleaner
./lazyctl latency /mnt/lost+found/d 41 401
waits
show lazy /proc/fs/jbd2/vda-8/lazy"
	slow=
	check "slow: directories are removed while the cleaner writes" \
		ends_quietly 300
	tr -d '\r' <"$console" | sed -n '/^with/p; /^rmdir/p; /^fsync/p' |
		sed 's/^/# /;/mean/s/$/ microseconds/'
	check "slow: blocks were freed while a batch was on its way home" \
		waits_are meanwhile -ge 20
	check "slow: nobody who frees a block waits for a write in place" \
		waits_are waited -eq 0
	after "$seed" 0 0
	given_away
}

# A batch stays on its way, as on a device that writes the log first: directories
# whose blocks it has are removed, and that is committed.
given_away()
{
	scenario=slow-given-away
	check "$scenario: the module that stalls builds" make_cutter
	slow_log
	CUTTER=$work/cut/cut.ko
	check "$scenario: what is on its way home is freed" guest given-away 120 "
insmod cut.ko point=jbd2_lazy_home nth=1000000 stall=lazy_unmap ||
	say FAILED: insmod
$never_clean
$mount_it
$always_clean
sleep 1
./lazyctl latency /mnt/lost+found/d 1 61
show lazy /proc/fs/jbd2/vda-8/lazy"
	CUTTER=
	check "$scenario: a commit waits before it gives the blocks away" \
		at_least 1 commits_waited_for_home
	after "$seed" 0 0
}
ends_quietly()	# SECONDS
{
	finish "$1" && grep -aq 'THE END' "$console" && quiet "$console" && return
	tail -n 30 "$console"
	return 1
}
waits_are()	# NAME TEST NUMBER
{
	part "$console" waits
	[ "$(part "$console" waits | sed -n "s/^$1 //p")" "$2" "$3" ]
}

# The same work under each cleaner, as the default has its watermarks: where do
# the live blocks of the tail go?
scenario_cleaner()
{
	for policy in mixed forward; do
		scenario=cleaner-$policy
		format -b 1024 -J size=8
		recorded "$scenario: works" "$scenario" 600 "$mount_it
cd /sys/fs/ext4/vda
echo backward 2>/dev/null >lazy_cleaner && say FAILED: backward
echo $policy >lazy_cleaner || say FAILED: $policy
[ \"\$(cat lazy_cleaner)\" = $policy ] || say FAILED: it is not $policy
cd /run
./lazywork run /mnt $seed 0 5000
$poison
./lazywork sum /mnt
lazy_show"
		what_it_wrote $scenario LAZY
		echo "# $policy: $(counted written_home) blocks written home," \
			"$(counted logged_again) logged again," \
			"$(($(counted logged_again) * 1024)) bytes"
		case $policy in
		mixed)	check "$scenario: blocks go home, as free as the log is" \
				at_least 100 written_home ;;
		forward) check "$scenario: none goes home" \
				same_number 0 written_home
			check "$scenario: all are logged again" \
				at_least 100 logged_again ;;
		esac
		same_map
		after "$seed" 5000 5000
	done
	forward_when_crowded
}

# More is live than the upper watermark leaves room for.
forward_when_crowded()
{
	scenario=cleaner-crowded
	format -b 1024 -J size=4
	check "$scenario: forward comes to an end" guest crowded 600 "$mount_it
echo forward >/sys/fs/ext4/vda/lazy_cleaner
mkdir /mnt/lost+found/many
(cd /mnt/lost+found/many; seq 1 3000 | xargs mkdir)
./lazywork run /mnt $seed 0 600
$poison
./lazywork sum /mnt
lazy_show"
	check "$scenario: blocks go home all the same" at_least 100 written_home
	same_map
	after "$seed" 600 600
}
