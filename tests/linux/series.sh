# SPDX-License-Identifier: GPL-2.0-only
#
# series.sh - the patches as they would be posted. Sourced by run.

# For each kernel that has a source here.
scenario_series()
{
	command -v git >/dev/null || {
		check "series # SKIP git is missing" true
		return
	}
	for kernel in "$SRCDIR"/linux/[0-9]*; do
		kernel=${kernel##*/}
		[ ! -e "${LINUX_SOURCES:-/usr/src}/linux-source-$kernel.tar.xz" ] ||
			series_of "$kernel"
	done
}
series_of()	# KERNEL
{
	rm -rf "$work/mbox" "$work/am" "$work/whole"
	check "series: $1: the mails are made" "$SRCDIR/linux/mbox" "$1" \
		"$work/mbox"
	check "series: $1: git am applies them" applies_by_am "$1"
	check "series: $1: that is what linux/build takes" same_tree_by_am "$1"
	check "series: $1: no patch has more than 600 lines of a file" short_patches
	check "series: $1: checkpatch objects to the known lines alone" \
		checkpatch "$1"
}
applies_by_am()
(
	"$SRCDIR/linux/tree" "$1" "$work/am" 0 && cd "$work/am" &&
		rm -f fs/jbd2/lazy* && git init -q . &&
		git config user.email nobody && git config user.name nobody &&
		git add -A && git commit -qm base &&
		git am -q "$work"/mbox/000[1-9]* "$work"/mbox/00[1-9]*
)
same_tree_by_am()
{
	"$SRCDIR/linux/tree" "$1" "$work/whole" &&
		diff -r -x .git "$work/am" "$work/whole"
}
short_patches()
{
	for mail in "$work"/mbox/*.patch; do
		[ "$(grep -c '^+' "$mail")" -le 610 ] || {
			echo "$mail"
			return 1
		}
	done
}
# A sign-off is a person's. The table of mount options has its own alignment, and
# trace events theirs.
checkpatch()	# KERNEL
{
	mkdir -p "$work/scripts" && tar -xJf \
		"${LINUX_SOURCES:-/usr/src}/linux-source-$1.tar.xz" -C "$work/scripts" \
		--strip-components=2 --wildcards \
		"linux-source-$1/scripts/checkpatch.pl" \
		"linux-source-$1/scripts/spelling.txt" \
		"linux-source-$1/scripts/const_structs.checkpatch" || return
	(cd "$work" && perl scripts/checkpatch.pl --no-tree --strict --terse \
		--show-types --ignore MISSING_SIGN_OFF,FILE_PATH_CHANGES \
		mbox/000[1-9]* mbox/00[1-9]*) |
		sed -n 's/^mbox.[0-9]*-\([^:]*\):[0-9]*: [A-Z]*:\([A-Z_]*\):.*/\2 \1/p' |
		sort | uniq -c | awk '{ print $2, $1, $3 }' >"$work/objections"
	cat "$work/objections"
	cmp "$work/objections" "$here/checkpatch.known"
}
