# SPDX-License-Identifier: GPL-2.0-only
#
# points.sh - scenarios that cut the power: at tracepoints, and for hours.
# Sourced by run.

# Where the power goes, and how often the event comes before.
points='jbd2_lazy_map:4 jbd2_lazy_map:23 jbd2_lazy_home:1 jbd2_lazy_home:7
	jbd2_lazy_relog:1 jbd2_lazy_relog:6 jbd2_lazy_tail:1 jbd2_lazy_tail:9
	jbd2_lazy_redirect:12 jbd2_write_superblock:6 jbd2_commit_logging:12
	jbd2_end_commit:12'

make_cutter()
{
	make_module cut
}
make_module()	# NAME
{
	mkdir -p "$work/$1" && cp "$here/$1.c" "$work/$1/" &&
		echo "obj-m += $1.o" >"$work/$1/Kbuild" &&
		make -s -C "$(cat "$KERNEL/headers.path")" M="$work/$1" \
			CONFIG_DEBUG_INFO_BTF_MODULES= \
			${LAZY_DEBUG:+KBUILD_MODPOST_WARN=1} modules &&
		strip -g "$work/$1/$1.ko"
}

# The rig sees a warning, and the machine goes no further.
scenario_watched()
{
	check "watched: the module that warns builds" make_module plant
	format -J size=4
	OTHERS=$work/plant/plant.ko
	start watched "$disk" "insmod plant.ko"
	OTHERS=
	check "watched: a warning ends the machine" comes_to_its_end
	check "watched: the rig complains" warning_is_seen
	[ -z "$LAZY_DEBUG" ] || inversion_is_watched
}
# Lockdep only prints; then it is off, which the guest finds at its end.
inversion_is_watched()
{
	OTHERS=$work/plant/plant.ko
	check "watched: locks are taken in two orders" planted
	OTHERS=
	check "watched: the rig complains of that" inversion_is_seen
	check "watched: and that lockdep is off" says 'FAILED: lockdep is off'
}
planted()
{
	start inverted "$disk" "insmod plant.ko inversion=1" && finish 60 &&
		grep -aq 'THE END' "$console"
}
inversion_is_seen()
{
	complaints "$console" | grep 'possible circular locking'
}
warning_is_seen()
{
	complaints "$console" | grep 'WARNING: .*plant'
}

# runs_into_cut NAME PARAMETERS SCRIPT - a session on the disk, the cleaner never
# idle, that the module cuts
runs_into_cut()
{
	CUTTER=$work/cut/cut.ko
	start "$1" "$disk" "insmod cut.ko $2 || say FAILED: insmod cut
$always_clean
$mount_it
$3" -device isa-debug-exit,iobase=0xf4,iosize=4
	CUTTER=
	check "$scenario: the machine comes there" comes_to_its_end
	check "$scenario: the kernel complains of nothing" quiet "$console"
}

# cut_at EVENT N - one session on the disk, until the event has come so often
cut_at()
{
	scenario="$1 $2"
	runs_into_cut "cut-$1-$2" "point=$1 nth=$2" "$poison
./lazywork run /mnt $seed $from $((from + 6000))"
	synced=$(tr -d '\r' <"$console" | sed -n 's/^synced //p' | tail -n 1)
	synced=${synced:-$from}
	after "$seed" "$synced" $((synced + 600))
	echo "# $1 $2: synced $synced, on the disk ${reached:=$from}"
	from=$reached
}
comes_to_its_end()
{
	finish 300 && ! grep -aq 'THE END' "$console"
}

scenario_points()
{
	check "points: the module that cuts builds" make_cutter
	format -J size=4
	from=0
	for point in $points; do
		cut_at "${point%:*}" "${point#*:}"
	done
	scenario=points
	check "points: the volume mounts after the last" \
		guest last-point 120 "$mount_it
./lazywork sum /mnt
lazy_show"
	same_map
}

# LAZY_HOURS: rounds of cuts, subsets and points with new seeds until the time
# is over; the last line of each round counts what was done.
rounds_for()	# HOURS
{
	end=$(($(date +%s) + $1 * 3600))
	round=0
	states=0
	all_cuts=0
	while [ "$(date +%s)" -lt $end ]; do
		round=$((round + 1))
		seed=$((seed + 1))
		for scenario in cuts subsets points; do
			scenario_$scenario
		done
		all_cuts=$((all_cuts + cuts + $(echo $points | wc -w)))
		states=$((states + $(wc -l <"$work/states")))
		echo "# round $round, seed $seed: cuts so far $all_cuts," \
			"disks with lost writes $states, failures $failures"
	done
}
