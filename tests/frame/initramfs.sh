# SPDX-License-Identifier: GPL-2.0-only
#
# initramfs.sh - the files that the hook of initramfs-tools puts into an
# initramfs. Sourced by run. Uses the tools' own functions if they are
# installed, and in any case a function that prints each request.

hook=$BUILDDIR/misc/system/initramfs-hook
functions=/usr/share/initramfs-tools/hook-functions

cat >hook-functions <<'END'
copy_exec()
{
	echo "copy_exec $*"
	return $HOOK_STATUS
}
END
sed "s|$functions|$work/hook-functions|" "$hook" >hook
sed "s|^copy_exec .*/e2lazyck |copy_exec '$BUILDDIR/misc/e2lazyck' |" \
	"$hook" >hook.built

check "initramfs: the hook needs no other before it" \
	same "" "$(sh "$hook" prereqs)"
check "initramfs: it asks for e2lazyck and nothing else" same \
	"copy_exec /e2lazyck /sbin/e2lazyck" \
	"$(HOOK_STATUS=0 sh hook | sed 's|/.*\(/e2lazyck \)|\1|')"
hook_fails()
{
	! HOOK_STATUS=1 sh hook
}
check "initramfs: it fails where that cannot be copied" hook_fails

# The same for dracut; here its own functions print each request.
module=$BUILDDIR/misc/system/dracut-module
# dracut_module FUNCTION STATUS - what the module asks for, and its answer
dracut_module()
{
	bash -c 'require_binaries() { echo "needs $*"; return $status; }
		inst() { echo "inst $*"; return $status; }
		status=$2
		. "$0" && { "$1"; echo "status $?"; }' "$module" "$1" "$2" |
		sed 's| /[^ ]*/e2lazyck| e2lazyck|'
}
if command -v bash >/dev/null; then
	check "dracut: the module is there if e2lazyck is" same \
		"needs e2lazyck
status 0
needs e2lazyck
status 1" "$(dracut_module check 0; dracut_module check 1)"
	check "dracut: it needs no other module" same "status 0" \
		"$(dracut_module depends 0)"
	check "dracut: it installs e2lazyck and nothing else" same \
		"inst e2lazyck /sbin/e2lazyck
status 0" "$(dracut_module install 0)"
	check "dracut: it fails if e2lazyck cannot be installed" same \
		"inst e2lazyck /sbin/e2lazyck
status 1" "$(dracut_module install 1)"
else
	skip "dracut: what the module does" "bash is missing"
fi

# What lies in the initramfs runs there, with the libraries that came along.
runs_in_initramfs()
{
	mkdir -p initramfs/usr/bin initramfs/usr/sbin initramfs/usr/lib \
		initramfs/usr/lib64 &&
	ln -s usr/bin usr/sbin usr/lib usr/lib64 initramfs &&
	DESTDIR=$work/initramfs verbose=n sh hook.built &&
	same "$("$BUILDDIR/misc/e2lazyck" --version)" \
		"$(chroot initramfs /sbin/e2lazyck --version)"
}
name="initramfs: e2lazyck runs with the libraries that the hook takes along"
if [ ! -e $functions ]; then
	skip "$name" "initramfs-tools is missing"
elif [ "$(id -u)" -ne 0 ]; then
	skip "$name" "no root for chroot"
else
	check "$name" runs_in_initramfs
fi
