# SPDX-License-Identifier: GPL-2.0-only
#
# newest.sh - the newest kernel source that the distribution has, and the rules that
# KUnit tests. Sourced by run.

# The modules build for it, keep a log over three mounts, and take turns with the
# stock modules.  NEWEST is a directory that keeps what was built.
scenario_newest()
{
	store=${NEWEST:-$work/newest}
	newest=$("$SRCDIR/linux/newest" "$store" 2>"$work/newest.log")
	status=$?
	if [ $status -eq 3 ]; then
		check "newest # SKIP $(tail -n 1 "$work/newest.log")" true
		return
	fi
	check "newest: the modules build, without a warning" \
		newest_is_built $status || return
	check "newest: $newest: they keep a log, and complain of nothing" \
		env KERNEL="$store" LAZY_LINUX="$newest" LAZY_SEED="$seed" LAZY_DEBUG= \
		sh "$here/run" session stock refused
}
newest_is_built()	# STATUS
{
	tail -n 30 "$work/newest.log"
	[ "$1" -eq 0 ] && ! grep -E '(jbd2|ext4)/.*(warning|error):' \
		"$work/newest.log"
}

# The rules of the map, the mark and the record, one by one, in a kernel that is a
# program of the host's.
scenario_kunit()
{
	store=${KUNIT:-$work/kunit.d}
	check "kunit: $series: the kernel builds" \
		"$SRCDIR/linux/kunit" "$series" "$store" || return
	check "kunit: $series: all its tests pass" all_pass
}
all_pass()
{
	timeout 300 "$store/linux" mem=256M console=tty kunit.enable=1 \
		kunit_shutdown=halt \
		</dev/null >"$work/kunit" 2>&1
	grep -aE '^( *# | *(not )?ok |BUG|WARNING)' "$work/kunit"
	[ "$(grep -ac '^    ok ' "$work/kunit")" -eq \
		"$(grep -c '	KUNIT_CASE(' "$SRCDIR/linux/fs/jbd2/lazy-test.c")" ] &&
		grep -aq '^ok [0-9]* jbd2_lazy' "$work/kunit" &&
		! grep -aE 'not ok|BUG|WARNING' "$work/kunit"
}

# sparse finds in our tree what it finds in the stock kernel's, and no more: in
# none of our files, and in none of our lines.  Line numbers move.
scenario_sparse()
{
	if ! command -v sparse >/dev/null || [ $kind = DEBUG ]; then
		check "sparse # SKIP sparse, or the headers of a kernel, are missing" \
			true
		return
	fi
	rm -rf "$work/stock.tree"
	check "sparse: $series: runs over the stock kernel" sparse_of_stock
	check "sparse: $series: runs over ours" sparse_of "$KERNEL" ours
	check "sparse: $series: looked at each new file" sparse_looked
	check "sparse: $series: finds nothing that the stock kernel has not" \
		nothing_new
	check "sparse: $series: finds a lock that is kept" sparse_works
	rm -rf "$work/sparse" "$work/stock.tree"
}
sparse_of_stock()
{
	"$SRCDIR/linux/tree" "$series" "$work/stock.tree" 0 &&
		rm -f "$work"/stock.tree/fs/jbd2/lazy* &&
		sparse_of "$work/stock.tree" stock
}
# The objects of the stock ext4 are not asked for what they do not export.
sparse_of()	# TREE NAME
{
	rm -rf "$work/sparse"
	mkdir "$work/sparse" &&
		cp -a "$1/fs" "$1/include" "$work/sparse/" &&
		find "$work/sparse" \( -name '*.o' -o -name '*.ko' -o -name '.*.cmd' \) \
			-exec rm {} + &&
		echo 'obj-m += fs/jbd2/ fs/ext4/' >"$work/sparse/Kbuild" &&
		make -s -k -j2 -C "$(cat "$KERNEL/headers.path")" M="$work/sparse" \
			C=2 CHECK=sparse CONFIG_DEBUG_INFO_BTF_MODULES= \
			CONFIG_EXT4_KUNIT_TESTS= KBUILD_MODPOST_WARN=1 \
			NOSTDINC_FLAGS="-nostdinc -I$work/sparse/include" modules \
			>"$work/sparse.$2" 2>&1 || {
		tail -n 20 "$work/sparse.$2"
		return 1
	}
	grep -E ': (warning|error):' "$work/sparse.$2" |
		sed "s,^$work/sparse/,,;s/:[0-9]*:[0-9]*:/:/" | sort >"$work/found.$2"
	echo "$(wc -l <"$work/found.$2") in $2"
}
sparse_looked()
{
	for file in "$SRCDIR"/linux/fs/jbd2/lazy_*.c; do
		object=${file##*/}
		[ -e "$work/sparse/fs/jbd2/${object%.c}.o" ] || {
			echo "$file"
			return 1
		}
	done
}
nothing_new()
{
	! comm -13 "$work/found.stock" "$work/found.ours" | grep .
}
# Else its silence would prove nothing.
sparse_works()
{
	printf '%s\n' '#include <linux/spinlock.h>' 'static DEFINE_SPINLOCK(planted);' \
		'void lazy_planted(void);' \
		'void lazy_planted(void) { spin_lock(&planted); }' \
		>>"$work/sparse/fs/jbd2/lazy_mark.c"
	cp -a "$work/sparse" "$work/planted" && sparse_of "$work/planted" planted &&
		rm -rf "$work/planted" &&
		comm -13 "$work/found.stock" "$work/found.planted" |
		grep "lazy_mark.c: warning: context imbalance in 'lazy_planted'"
}
