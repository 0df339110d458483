# SPDX-License-Identifier: GPL-2.0-only
#
# dirs.sh - the guest's script: directories are made, found, listed and removed
#
# Environment: DIRS, DEPTH, JOURNAL (MiB), LAZY (a mount option, or empty).
# A mount between the steps empties the caches; its time is a row of its own.
set -e
export E2FSPROGS_FAKE_TIME=1488000000
mke2fs -q -F -t ext4 -O ^orphan_file -J "size=$JOURNAL" \
	-U 11111111-2222-3333-4444-555555555555 \
	-E "lazy_itable_init=1,lazy_journal_init=1,hash_seed=66666666-7777-8888-9999-aaaaaaaaaaaa" \
	/dev/e2drive
mkdir /mnt/fs
attach()
{
	mount -t ext4 -o "noinit_itable${LAZY:+,$LAZY}" /dev/e2drive /mnt/fs
}
cold()
{
	umount /mnt/fs
	attach
}
attach
work time MakeDirs sh -c "work dirs /mnt/fs $DIRS $DEPTH 8; sync"
cold
work time FindDirs sh -c 'find /mnt/fs >/dev/null'
cold
work time ListDirs sh -c 'ls -lR /mnt/fs >/dev/null'
cold
work time RemoveDirs sh -c 'rm -rf /mnt/fs/0*; sync'
umount /mnt/fs
