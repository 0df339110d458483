# SPDX-License-Identifier: GPL-2.0-only
#
# mke2lazy.sh - what the tests of mke2lazy share, on top of lib.sh
#
# The list of drives and the defaults of mke2fs are those of the source tree,
# whatever is installed; as copies, for root does not trust another user's tree.

. "$SRCDIR/tests/cli/lib.sh"
mkdir .own
cp "$SRCDIR/tests/cli/mke2lazy.conf" "$SRCDIR/misc/data/mke2lazy-drives" .own
MKE2FS_CONFIG=$PWD/.own/mke2lazy.conf
E2LAZY_DRIVES=$PWD/.own/mke2lazy-drives
export E2LAZY_DRIVES

# A terabyte image takes no room with these, and always has the same ids.
sparse=nodiscard,lazy_itable_init=1,lazy_journal_init=1,hash_seed=$HASH_SEED

# tree NAME - lay out one of fixtures/sysfs; says nothing
tree()
{
	setup "$FIXTURES/sysfs/unpack" "$1" "$1.root"
}

# but_for FILE - of standard input, the lines that FILE lacks; `-' marks a line
# that only FILE has, unless another line begins with its word
but_for()
{
	awk 'NR == FNR { old[$0]; line[++lines] = $0; next }
		{ word[$1] }
		!($0 in old)
		{ delete old[$0] }
		END {
			for (i = 1; i <= lines; i++) {
				$0 = line[i]
				if ($0 in old && !($1 in word))
					print "-" $0
			}
		}' "$1" -
}

# plan NAME DEVICE [OPTION...] - of a tree
plan()
{
	plan_name=$1 plan_device=$2
	shift 2
	[ -d "$plan_name.root" ] || tree "$plan_name"
	mke2lazy -n --sysroot "$plan_name.root" "$plan_device" "$@" 2>&1 ||
		echo "exit $?"
}
