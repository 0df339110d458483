# SPDX-License-Identifier: GPL-2.0-only
# The guest's script: directories are made, found, listed and removed.
# DIRS, DEPTH, JOURNAL (MiB), LAZY (a mount option, or empty).
set -e
E2FSPROGS_FAKE_TIME=1488000000
export E2FSPROGS_FAKE_TIME
mke2fs -q -F -t ext4 -O ^orphan_file -J "size=$JOURNAL" \
	-U 11111111-2222-3333-4444-555555555555 \
	-E lazy_itable_init=1,lazy_journal_init=1,hash_seed=66666666-7777-8888-9999-aaaaaaaaaaaa \
	/dev/e2drive
mkdir /mnt/fs
mount -t ext4 -o "noinit_itable${LAZY:+,$LAZY}" /dev/e2drive /mnt/fs
cold()
{
	echo 3 >/proc/sys/vm/drop_caches
}
work time MakeDirs sh -c "work dirs /mnt/fs $DIRS $DEPTH 8; sync"
cold
work time FindDirs sh -c 'find /mnt/fs >/dev/null'
cold
work time ListDirs sh -c 'ls -lR /mnt/fs >/dev/null'
cold
work time RemoveDirs sh -c 'rm -rf /mnt/fs/0*; sync'
umount /mnt/fs
