# SPDX-License-Identifier: GPL-2.0-only
#
# forms.sh - the two forms of the modules, and whom they shut out. Sourced by run.

# ocfs2 uses jbd2.  Beside ext4lazy it loads, for that exports nothing; the modules
# that replace the stock ones change what jbd2 exports, and the kernel refuses it.
scenario_forms()
{
	if [ $kind = DEBUG ]; then
		check "forms # SKIP the debug kernel has no modules" true
		return
	fi
	check "forms: the package for dkms has one module, of its own name" \
		package_is_beside
	beside_is_made forms
	check "forms: ext4lazy exports nothing" exports_nothing
	check "forms: there is the stock ocfs2 for a guest" gather_ocfs2 || return
	format
	kind=BESIDE
	start forms-beside "$disk" "$load_ocfs2
grep -q '^ext4lazy ' /proc/modules && grep -q '^ocfs2 ' /proc/modules &&
	grep -q ocfs2 /proc/filesystems && say both are there"
	kind=LAZY
	check "forms: beside: the stock ocfs2 loads, too" says_in 'both are there'
	start forms-replacing "$disk" "$load_ocfs2
grep -q '^ocfs2 ' /proc/modules || say it is shut out
dmesg | grep 'disagrees about'"
	check "forms: replacing: the kernel refuses the stock ocfs2" \
		says_in 'it is shut out'
	check "forms: replacing: because jbd2's symbols are others" \
		says_in 'disagrees about version of symbol jbd2_'
	check "forms: linux/build says so" grep -q 'stock ocfs2 does not load' \
		"$SRCDIR/linux/build"
	OTHERS=
}
says_in()	# TEXT
{
	[ -z "$vm" ] || finish 120
	vm=
	tail -n 12 "$console"
	tr -d '\r' <"$console" | grep -aq "$1"
}
exports_nothing()
{
	! nm "$KERNEL/beside/ext4lazy.ko" | grep ' __ksymtab_'
}
# Numbers keep the order; quota_tree is there already.
load_ocfs2='for module in [0-9]*.ko; do
	insmod "$module"
done'
gather_ocfs2()
{
	rm -rf "$work/ocfs2"
	mkdir "$work/ocfs2" || return
	n=10
	for file in $(modules_for ocfs2 "$KERNEL/image"); do
		file=${file%.xz}
		copy_module "$file" "$work/ocfs2/$n-${file##*/}" || return
		n=$((n + 1))
	done
	ls "$work/ocfs2"
	OTHERS=$(echo "$work"/ocfs2/*)
	[ -e "$work/ocfs2/$((n - 1))-ocfs2.ko" ]
}
# Of each series: obj-m is that module, and no source exports a symbol.
package_is_beside()
{
	rm -rf "$work/dkms" "$work/dkms.deb"
	"$SRCDIR/linux/dkms" "$work/dkms.deb" &&
		dpkg -x "$work/dkms.deb" "$work/dkms" || return
	set -- "$work"/dkms/usr/src/ext4lazy-*
	sed -n 's/^BUILT_MODULE_NAME.*=//p' "$1/dkms.conf" >"$work/names"
	cat "$work/names"
	[ "$(cat "$work/names")" = '"ext4lazy"' ] || return
	for kbuild in "$1"/*/Kbuild; do
		grep -n '^obj-m' "$kbuild" /dev/null
		[ "$(grep '^obj-m' "$kbuild")" = 'obj-m := ext4lazy.o' ] || return
	done
	! grep -rn '^EXPORT_SYMBOL' "$1"
}
