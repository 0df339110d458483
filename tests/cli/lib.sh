# SPDX-License-Identifier: GPL-2.0-only
#
# lib.sh - functions and variables for the scripts of the black-box tests
#
# A script begins with
#
#	. "$SRCDIR/tests/cli/lib.sh"
#
# and runs under sh in an empty directory of its own, which is removed
# afterwards. PATH has `e2lazy', `debuglazy' and `mkjournal'. Variables:
#
#	E2LAZY, MKJOURNAL	absolute names of these programs
#	FIXTURES, SRCDIR	tests/fixtures and the top of the source tree
#
# The script's output, stdout and stderr together, must equal the file
# `expect' next to it. To skip a test: call skip.

# Fix mke2fs's defaults, clock and identifiers, so that an image is the same on
# every machine. DEFAULTS chooses those of mke2fs: older or newer.
FS_UUID=5a3b1c00-e21a-4000-8000-00000000e2fa
JOURNAL_UUID=11111111-2222-3333-4444-555555555555
HASH_SEED=5a3b1c00-e21a-4000-8000-0000000005ed
MKE2FS_CONFIG=$SRCDIR/tests/fixtures/mke2fs-${DEFAULTS:-older}.conf
E2FSPROGS_FAKE_TIME=1700000000
SOURCE_DATE_EPOCH=1700000000
export MKE2FS_CONFIG E2FSPROGS_FAKE_TIME SOURCE_DATE_EPOCH

# older_defaults - for a test that numbers inodes or blocks: these are those of
# file systems without an orphan file, whatever DEFAULTS says
older_defaults()
{
	MKE2FS_CONFIG=$SRCDIR/tests/fixtures/mke2fs-older.conf
}

# skip REASON - end the test: it cannot run here
skip()
{
	echo "$*"
	exit 77
}

# needs_terminal [script] - skip the test if the machine gives no
# pseudo-terminal. Call it before `answer' and before script(1).
needs_terminal()
{
	answer x -- true >/dev/null 2>&1 || skip "no pseudo-terminal"
	[ "$1" ] || return 0
	command -v script >/dev/null || skip "no script(1)"
	script -qec true /dev/null </dev/null >/dev/null 2>&1 ||
		skip "script(1) runs no command here"
}

# needs_confinement - skip the test if the programs or the kernel have none
needs_confinement()
{
	! grep -q "built without confinement" "$E2LAZY" ||
		skip "built without confinement, as for coverage"
	command -v python3 >/dev/null ||
		skip "no python3 to ask the kernel for Landlock"
	python3 -c 'import ctypes
raise SystemExit(ctypes.CDLL(None).syscall(444, None, 0, 1) < 1)' ||
		skip "no Landlock in this kernel"
}

# needs_compiler - skip the test if CC makes no program of a sound source. What the
# test compiles afterwards must then compile.
needs_compiler()
{
	echo 'int main(void) { return 0; }' >compiled.c
	$CC -o compiled compiled.c 2>/dev/null || skip "no compiler"
	rm compiled.c compiled
}

# needs_ext4_mount - skip the test if this machine cannot mount what mke2fs makes.
# What the test mounts afterwards must then mount.
needs_ext4_mount()
{
	mkdir ext4.mnt && mkfs ext4.img 16M -b 1024 -J size=1 || exit
	mount -t ext4 -o loop ext4.img ext4.mnt 2>ext4.said ||
		skip "cannot mount ext4: $(head -n 1 ext4.said)"
	umount ext4.mnt
	rm -r ext4.mnt ext4.img ext4.said
}

# needs_plugin - skip the test if configure found no header of nbdkit. A build that
# has the header and makes no plugin fails.
needs_plugin()
{
	grep -q 'define HAVE_NBDKIT' "$(dirname "$E2LAZY")/../config.h" ||
		skip "built without nbdkit's header"
}

# needs_python - skip the test if configure found no header of Python. A build that
# has the header and makes no module fails.
needs_python()
{
	grep -q '^HAVE_PYTHON	= yes$' "$BUILDDIR/MCONFIG" ||
		skip "built without Python's header"
	python3 -c 'import sys; raise SystemExit(sys.version_info < (3, 11))' ||
		skip "python3 is older than 3.11"
}

# needs_own_mounts - skip the test if no process can have mounts of its own, as in
# a chroot whose root directory is not a mount point
needs_own_mounts()
{
	unshare -m --propagation private true 2>/dev/null ||
		skip "no private mount namespace"
}

# jq keeps the digits of a number from version 1.7 on (1.600); these filters make
# it 1.6 with every version.
plain_numbers='((.. | numbers) |= . + 0)'

# keep_json COMMAND... - run it, and keep its document for the schemas: see run. A
# program in the background is started by "command NAME &", to have its own pid.
keep_json()
{
	case " $* " in
	*" --json "*|*" --json-lines "*) ;;
	*)
		command "$@"
		return
		;;
	esac
	keep_file=$(mktemp "$JSON_DIR/$TEST_NAME.XXXXXX") || exit
	keep_status=0
	command "$@" >"$keep_file.json" || keep_status=$?
	printf '%s\n' "$@" >"$keep_file.args"
	cat "$keep_file.json"
	return $keep_status
}
if [ "$JSON_DIR" ]; then
	e2lazy() { keep_json e2lazy "$@"; }
	e2lazyck() { keep_json e2lazyck "$@"; }
	mke2lazy() { keep_json mke2lazy "$@"; }
fi

# setup COMMAND... - run silently; a failure is printed and ends the script
setup()
{
	setup_output=$("$@" </dev/null 2>&1) && return
	setup_status=$?
	echo "setup: $* : exit $setup_status"
	echo "$setup_output"
	exit 1
}

# mkfs IMAGE SIZE [MKE2FS-OPTION...] - make a file system, ext4 unless -t names
# another type; SIZE as for mke2fs. -E adds to the options that fix the image.
mkfs()
{
	mkfs_image=$1 mkfs_size=$2
	mkfs_type=ext4 mkfs_extended="hash_seed=$HASH_SEED,lazy_itable_init=1"
	shift 2
	mkfs_left=$#
	while [ "$mkfs_left" -gt 0 ]; do
		case $1 in
		-E)
			mkfs_extended=$mkfs_extended,$2
			shift
			mkfs_left=$((mkfs_left - 1))
			;;
		-t)
			mkfs_type=$2
			shift
			mkfs_left=$((mkfs_left - 1))
			;;
		*)
			set -- "$@" "$1"
			;;
		esac
		shift
		mkfs_left=$((mkfs_left - 1))
	done
	setup mke2fs -q -F -t "$mkfs_type" -U "$FS_UUID" -E "$mkfs_extended" \
		"$@" "$mkfs_image" "$mkfs_size"
}

# mkfs_external IMAGE JOURNALDEV - make a file system of 16 MiB whose journal is
# JOURNALDEV, which is made if it is not there. mke2fs wants a block device for
# -J device=, so the names are written here.
mkfs_external()
{
	[ -e "$2" ] || setup mke2fs -q -F -O journal_dev -b 1024 \
		-U $JOURNAL_UUID "$2" 2M
	mkfs "$1" 16M -b 1024 -O ^has_journal
	setup debugfs -w -R 'feature has_journal' "$1"
	setup debugfs -w -R "ssv journal_uuid $JOURNAL_UUID" "$1"
	setup debugfs -w -R 'ssv journal_dev 0x701' "$1"
}

# big_dir - set $big to a directory for sparse images of terabytes, removed at
# the end. It is in memory if there is room: on a disk, removing an image can
# take ten times as long as making it.
big_dir()
{
	big=$PWD
	big_room=$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
	[ "${big_room:-0}" -ge 1048576 ] || return 0
	big=$(mktemp -d /dev/shm/e2lazy.XXXXXX) || exit
	trap 'rm -rf "$big"' EXIT
	trap 'exit 1' HUP INT TERM
}

# btrfs_image FILE - make a file with a superblock of btrfs. Newer versions of
# libblkid verify its checksum, and want a sector size.
btrfs_image()
{
	truncate -s 4M "$1" &&
	printf '\325\104\225\203' |
		dd of="$1" bs=1 seek=65536 conv=notrunc 2>/dev/null &&
	printf _BHRfS_M | dd of="$1" bs=1 seek=65600 conv=notrunc 2>/dev/null &&
	printf '\000\020\000\000' |
		dd of="$1" bs=1 seek=65680 conv=notrunc 2>/dev/null
}

# journal [-j JOURNALDEV] IMAGE <SPEC - write a log, see fixtures/mkjournal
journal()
{
	"$MKJOURNAL" "$@" && return
	journal_status=$?
	echo "setup: mkjournal $* : exit $journal_status"
	exit 1
}

# small IMAGE <SPEC - make a file system of 16 MiB with a log, in blocks of 1 KiB,
# in a new file
small()
{
	rm -f "$1"
	mkfs "$1" 16M -b 1024 -J size=1
	journal "$1"
}

# without_hint <OUTPUT - of a wrong command line, without the line that names
# --help
without_hint()
{
	awk "/^Try '[a-z0-9 -]*help'[.]\$/ { hint = 1; next }
		{ print }
		END { if (!hint) print \"# no hint\" }"
}

# run COMMAND... - print the command, its exit status unless 0, and its output.
# run itself returns 0: `expect' judges the output.
run()
{
	if [ "$1" = "$E2LAZY" ]; then
		shift
		set -- e2lazy "$@"
	fi
	run_said=$(mktemp "$RUN_DIR/said.XXXXXX") || exit
	run_status=0
	"$@" >"$run_said" 2>&1 || run_status=$?
	case $run_status in
	0)	echo "\$ $*" ;;
	*)	echo "\$ $*  # exit $run_status" ;;
	esac
	case $run_status in
	16)	without_hint <"$run_said" ;;
	*)	cat "$run_said" ;;
	esac
	rm -f "$run_said"
}

# refusal <OUTPUT - of commands that exit with 8, without them: each message says
# enough
refusal()
{
	sed '/^\$.* # exit 8$/d'
}

# refused COMMAND... - run it; the same
refused()
{
	run "$@" | refusal
}

# but_plan <OUTPUT - without the plan, for a test of something else
but_plan()
{
	sed '/^Plan$/,/^  undo file/d'
}

# wrong COMMAND... - run a wrong command line: it must exit with 16, give the
# reason in one line, which is printed, and name --help in the next
wrong()
{
	wrong_status=0
	wrong_said=$("$@" 2>&1 </dev/null) || wrong_status=$?
	wrong_why=${wrong_said%%"
"*}
	echo "$wrong_why"
	case ${wrong_said#"$wrong_why"} in
	"
Try '"*" --help'.")	[ $wrong_status -ne 16 ] || return 0 ;;
	esac
	echo "# $*: exit $wrong_status: $wrong_said"
}

# image_state IMAGE - a checksum of the bytes, and the time of the last write
image_state()
{
	cksum <"$1" && stat -c %y "$1"
}

# unchanged IMAGE COMMAND... - run the command; print a line if it changed IMAGE
unchanged()
{
	unchanged_image=$1
	shift
	unchanged_before=$(image_state "$unchanged_image")
	run "$@"
	[ "$unchanged_before" = "$(image_state "$unchanged_image")" ] ||
		echo "# $unchanged_image: CHANGED"
}
