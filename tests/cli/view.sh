# SPDX-License-Identifier: GPL-2.0-only
#
# view.sh - for the tests of e2lazy view. Sourced after lib.sh; skips the test
# where a view cannot be shown.

needs_plugin
for tool in nbdkit nbdfuse fusermount3; do
	command -v $tool >/dev/null || skip "no $tool"
done
[ -r /dev/fuse ] && [ -w /dev/fuse ] || skip "no /dev/fuse"
# Without root, fusermount3 looks there for what it is to unmount; a tree that
# debootstrap has made has none.
[ -e /etc/mtab ] || [ "$(id -u)" -eq 0 ] || skip "no /etc/mtab"

# The private directories of the views: what is in here later was left behind.
mkdir tmp
TMPDIR=$PWD/tmp
export TMPDIR
work=$PWD
unset E2LAZY_PLUGIN

# plain - filter what is not the same each time
plain()
{
	sed -e 's/e2lazy-view\.[^/ ]*/e2lazy-view.X/g' -e "s|$work/||g" \
		-e 's/^nbdkit: e2lazy\[[0-9]*\]: error: /nbdkit: /'
}

# our_processes - ids of those that show views of this directory
our_processes()
{
	for process in /proc/[0-9]*; do
		comm=
		{ read -r comm <"$process/comm"; } 2>/dev/null
		case $comm in
		e2lazy|nbdkit|nbdfuse)
			tr '\0' '\n' 2>/dev/null <"$process/environ" |
				grep -qxF "TMPDIR=$TMPDIR" &&
				echo "${process#/proc/}" ;;
		esac
	done
}

# left - what is still there of views in this directory
left()
{
	ls tmp
	grep -F "$work/" /proc/mounts
	grep -F "$work/tmp/" /sys/block/loop*/loop/backing_file 2>/dev/null
	for process in $(our_processes); do
		comm=$(cat "/proc/$process/comm" 2>/dev/null) &&
			echo "process: $comm"
	done
}

# nothing_left - or say what; whoever was killed may take a moment
nothing_left()
{
	for try in $(seq 50); do
		there=$(left)
		[ "$there" ] || return 0
		sleep 0.1
	done
	echo "$there" | plain
}

# wait_for FILE - until something has been written to it
wait_for()
{
	for try in $(seq 200); do
		[ ! -s "$1" ] || return 0
		sleep 0.05
	done
	echo "# $1: nothing came"
	exit 1
}

demo_image()
{
	xz -dc "$FIXTURES/demo.img.xz" >"$1" || exit
}

# blocks_that_differ A B - of 4096 bytes
blocks_that_differ()
{
	cmp -l "$1" "$2" | awk '{ print int(($1 - 1) / 4096) }' | uniq
}
