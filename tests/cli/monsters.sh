# SPDX-License-Identifier: GPL-2.0-only
#
# monsters.sh - sparse images that declare far more than they hold. Sourced
# after lib.sh, with $big as big_dir sets it. Each function makes $img, sets
# $declared, and $journal_options where the journal has a device of its own.

img=$big/img
jdev=$big/jdev

# poke OFFSET WIDTH VALUE - a little-endian field of the image
poke()
{
	poke_value=$3 poke_left=$2 poke_bytes=
	while [ "$poke_left" -gt 0 ]; do
		poke_bytes=$poke_bytes$(printf '\\%03o' $((poke_value & 255)))
		poke_value=$((poke_value >> 8))
		poke_left=$((poke_left - 1))
	done
	printf "$poke_bytes" |
		dd of="$img" bs=1 seek="$1" conv=notrunc 2>/dev/null
}

# peek OFFSET - a little-endian field of four bytes
peek()
{
	od -An -tu1 -j "$1" -N 4 "$img" |
		awk '{ printf "%d", (($4 * 256 + $3) * 256 + $2) * 256 + $1 }'
}

# small FEATURES SIZE - an image that is as large as it says
small()
{
	rm -f "$img" "$jdev"
	journal_options=
	mkfs "$img" "$2" -b 4096 -J size=4 -O "^metadata_csum,^resize_inode,$1"
}

# groups COUNT BLOCKS INODES - so many groups, each of so many blocks and inodes
groups()
{
	poke $((1024 + 32)) 4 "$2"
	poke $((1024 + 36)) 4 "$2"
	poke $((1024 + 40)) 4 "$3"
	poke 1024 4 $(($1 * $3))
	poke 1028 4 $(($1 * $2))
	truncate -s $(($1 * $2 * 4096)) "$img"
}

# Groups that do not even hold their own descriptors.
monster_groups()
{
	declared='2^28 groups of 8 blocks'
	small ^64bit 64M
	groups 268435456 8 8
}

# Groups whose descriptors would lie far apart, all in holes.
monster_meta_groups()
{
	declared='2^20 groups of 512 blocks, meta_bg'
	small ^64bit,meta_bg 64M
	groups 1048576 512 16
}

# The most that may have empty descriptors.
monster_empty_groups()
{
	declared='2^15 groups, 2^29 inodes, no descriptor'
	small ^64bit 64M
	groups 32768 32768 16384
}

# The superblock in the log declares them.
monster_logged_groups()
{
	declared='2^16 groups, by a superblock in the log'
	small ^64bit 64M
	groups 1 32768 16384
	journal "$img" <<-END
		txn 5 write 0
	END
	copy=$(e2lazy dump --raw --no-headings --columns PHYSBLK "$img")
	dd if="$img" of="$img" bs=4096 count=1 seek="$copy" conv=notrunc \
		2>/dev/null
	printf '\0\0\0\200' |
		dd of="$img" bs=1 seek=$((copy * 4096 + 1028)) conv=notrunc \
			2>/dev/null
	truncate -s 9T "$img"
}

# Inode tables that are holes, and not marked as never written.
monster_inodes()
{
	declared='2^25 inodes in holes'
	rm -f "$img" "$jdev"
	journal_options=
	mkfs "$img" 128G -b 4096 -N 33554432 -J size=4 \
		-O ^64bit,^metadata_csum,uninit_bg,^resize_inode -E nodiscard
	poke $((1024 + 100)) 4 $(($(peek $((1024 + 100))) & ~16))
}

# An indirect map that names itself, 2^22 blocks of journal long.
monster_journal_map()
{
	declared='a journal of 2^22 blocks, whose map names itself'
	small ^64bit,^extents 16G
	i=0
	while [ $i -lt 1024 ]; do
		printf '\100\015\003\000'	# block 200000
		i=$((i + 1))
	done | dd of="$img" bs=4096 seek=200000 conv=notrunc 2>/dev/null
	printf '%s\n' 'sif <8> size 17179865088' 'sif <8> block[IND] 200000' \
		'sif <8> block[DIND] 200000' 'sif <8> block[TIND] 200000' \
		'ssv jnl_backup_type 0' >commands
	debugfs -w -f commands "$img" >/dev/null 2>&1
}

# external SPEC - a journal device of 15 TiB, with that log
external()
{
	uuid=11111111-2222-3333-4444-555555555555
	rm -f "$img" "$jdev"
	journal_options="-j $jdev"
	truncate -s 15T "$jdev"
	setup mke2fs -q -F -O journal_dev -b 4096 -U $uuid "$jdev"
	mkfs "$img" 64M -b 4096 -O ^has_journal
	setup debugfs -w -R 'feature has_journal' "$img"
	setup debugfs -w -R "ssv journal_uuid $uuid" "$img"
	setup debugfs -w -R 'ssv journal_dev 0x701' "$img"
	printf "$1" | journal -j "$jdev" "$img"
}

monster_journal()
{
	declared='a journal of 15 TiB, with checksums'
	external 'txn 5 write 10000\n'
}

# A copy that was broken off: nothing of the rest is there, not even a hole.
monster_short_journal()
{
	declared='a journal of 15 TiB, on 4 MiB'
	external 'txn 5 write 10000\n'
	truncate -s 4M "$jdev"
}

monster_fast_commits()
{
	declared='2^31 blocks for fast commits'
	external 'journal fast_commit 2147483648\ntxn 5 write 10000\n'
}

# A file of 8 TiB, one with 200 names that says it has one, and a directory
# whose size is 2^40.
monster_files()
{
	declared='files of 8 TiB and of 200 MiB, a directory of 1 TiB'
	mkdir -p source/dir
	head -c 1048576 /dev/zero | tr '\0' x >source/a
	: >source/large
	rm -f "$img" "$jdev"
	journal_options=
	mkfs "$img" 16M -b 4096 -O ^metadata_csum,^dir_index -J size=4 \
		-d source
	for i in $(seq 200); do
		echo "ln /a name$i"
	done >commands
	printf '%s\n' 'sif /a links_count 1' 'sif /large size 8796093022208' \
		'sif /dir size 1099511627776' >>commands
	debugfs -w -f commands "$img" >/dev/null 2>&1
}
