# SPDX-License-Identifier: GPL-2.0-only
#
# states.sh - logs in the states of the table, and the number of blocks that a
# tool loses there. Sourced by run, which has `examine [TRUTH]': img, which is
# called $patient_name, is in the next state.
#
# Each log has blocks 10000 to 10007; `truth' lists what recovery from an
# undamaged one leaves in them. A block is lost if it is older than that in
# place and the log is empty or gone.

# patient NAME [MKE2FS-OPTION...] <SPEC - make img, called NAME; `whole' in SPEC
# stands for three transactions
patient()
{
	patient_name=$1
	shift
	rm -f img
	if [ $# -eq 0 ]; then
		[ -f empty ] || mkfs empty 16M -b 1024 -J size=1
		cp --sparse=always empty img
	else
		mkfs img "${patient_size:-16M}" -b 1024 -J size=1 "$@"
	fi
	sed '/^whole$/{
		s/.*/txn 5 write 10000-10003/p
		s/.*/txn 6 write 10002-10005/p
		s/.*/txn 7 write 10006-10007/
	}' >spec
	journal img <spec
}

cat >truth <<END
fsblk 10000 tid 5
fsblk 10001 tid 5
fsblk 10002 tid 6
fsblk 10003 tid 6
fsblk 10004 tid 6
fsblk 10005 tid 6
fsblk 10006 tid 7
fsblk 10007 tid 7
END

# lost - set $lost: of the blocks of `tried', after a tool
lost()
{
	lost=0
	[ "$changed" ] || return 0
	lost_head=$(dumpe2fs -h tried 2>/dev/null)
	case $lost_head in
	*'Journal UUID'*) ;;		# on a device of its own
	*has_journal*)
		lost_start=${lost_head##*Journal start:}
		[ "$lost_start" != "$lost_head" ] || lost_start=
		lost_start=${lost_start%%
*}
		[ "${lost_start##* }" = 0 ] || return 0 ;;
	esac
	lost_found=$(dd if=tried bs=1024 skip=10000 count=8 2>/dev/null |
		grep -a '^fsblk')
	while read -r lost_line; do
		case "
$lost_found
" in
		*"
$lost_line
"*)		;;
		*)	lost=$((lost + 1)) ;;
		esac
	done <"$truth"
}

# states - examine a log in each state
states()
{
	for state in sound "needs_recovery off" \
		"super magic 1" "super csum 1" "super incompat 0x92" \
		"super start 1024" "super maxlen 100000" "super first 0" \
		"super sequence 9" "super sequence 6" "super start 3" \
		"super incompat 0" "super start 0" "super errno -5" \
		"inode8 clear" "csum 6.desc" "csum 7.desc" "csum 6.commit" \
		"csum 6.data[1]" "zero 6.desc" "zero 5.commit" "type 6.desc 9"
	do
		case $state in
		sound)		state= ;;
		needs*)		;;
		*)		state="damage $state" ;;
		esac
		patient "${state:-sound}" <<-END
			whole
			$state
		END
		examine
	done
	patient "revoke count" <<-END
		txn 5 write 10000-10003
		txn 6 revoke 11000 write 10002-10005
		txn 7 write 10006-10007
		damage count 6.revoke 2000
	END
	examine
	newer_files
	patient "errors noted" <<-END
		whole
	END
	setup debugfs -w -R 'ssv state 3' img
	examine
	patient "journal inode and root directory" <<-END
		whole
		damage inode8 clear
	END
	setup debugfs -w -R 'clri <2>' img
	examine
	mkfs img 16M -b 1024 -O ^has_journal
	patient_name="no journal"
	examine /dev/null
	patient "bad copy, flag clear" <<-END
		whole
		damage csum 6.data[1]
		needs_recovery off
	END
	examine
	patient "one in place, flag clear" <<-END
		whole
		damage home 5.data[0] 10000
		needs_recovery off
	END
	examine
	patient "async commit" <<-END
		journal async_commit
		whole
		damage csum 6.commit
	END
	examine
	for time in 1600000000 1900000000; do
		patient "leftover of $time" <<-END
			whole
			leftoveruuid 11111111-2222-3333-4444-555555555555
			leftover 8 write 10006-10007 time $time
		END
		examine
	done
	patient "leftover commit block" <<-END
		whole
		leftoveruuid 11111111-2222-3333-4444-555555555555
		leftover 8 time 1900000000
	END
	examine
	head -n 6 truth >early
	patient "older file system" -O ^metadata_csum <<-END
		txn 5 write 10000-10003
		txn 6 write 10002-10005
		leftover 7 write 10000-10001 time 1600000000
	END
	examine early
	patient "emptied unread" <<-END
		sequence 5
		leftover 5 write 10000-10003
		leftover 6 write 10002-10005
		leftover 7 write 10006-10007
	END
	examine /dev/null
	patient "all in place" <<-END
		whole
		$(for i in 0 1; do echo "damage home 5.data[$i] 1000$i"; done)
		$(for i in 0 1 2 3; do
			echo "damage home 6.data[$i] $((10002 + i))"
		done)
		damage home 7.data[0] 10006
		damage home 7.data[1] 10007
	END
	examine
	patient_name="replayed by a mount, not emptied"
	setup debugfs -w -R 'ssv mtime 20240101' img
	examine
	patient "no inode, no backup" <<-END
		whole
		damage inode8 clear
	END
	setup debugfs -w -R 'ssv jnl_backup_type 0' img
	examine
	patient "group descriptors" <<-END
		whole
	END
	dd if=/dev/zero of=img bs=1024 seek=2 count=1 conv=notrunc 2>/dev/null
	examine
	patient "primary superblock" <<-END
		whole
	END
	printf '\377' | dd of=img bs=1 seek=2044 conv=notrunc 2>/dev/null
	examine
	backup_states
	patient "unknown feature" <<-END
		whole
	END
	setup debugfs -w -R 'feature FEATURE_I31' img
	examine
	patient "bad copy of a block that is right" <<-END
		whole
		damage home 6.data[1] 10003
		damage flip 6.data[1] 9
	END
	examine
	patient "replayed before" -O ^metadata_csum <<-END
		txn 5 write 10000-10003 time 1700000100
		txn 6 write 10002-10005 time 1700000000
		$(for i in 0 1 2 3; do
			echo "damage home 6.data[$i] $((10002 + i))"
		done)
	END
	examine early
	patient "clock set back" -O ^metadata_csum <<-END
		txn 5 write 10000-10003 time 1700000100
		txn 6 write 10002-10005 time 1700000000
	END
	examine early
	patient "several users" <<-END
		whole
		damage super users 2
	END
	examine
	patient "several users, no checksums" -O ^metadata_csum,^64bit <<-END
		whole
		damage super users 2
	END
	examine
	patient "several users, empty log" <<-END
		damage super users 2
	END
	examine /dev/null
	patient "UUID of a journal device" <<-END
		whole
	END
	setup debugfs -w -R \
		'ssv journal_uuid 11111111-2222-3333-4444-555555555555' img
	examine
	patient "held by e2fsck" -O mmp,^metadata_csum <<-END
		whole
	END
	# debugfs itself takes and leaves the block when it writes.
	mmp=$(dumpe2fs -h img 2>/dev/null |
		sed -n 's/^MMP block number: *//p')
	printf '\120\115\115\342' | dd of=img bs=1 \
		seek=$((mmp * 1024 + 4)) conv=notrunc 2>/dev/null
	examine
	mmp_states
	metadata_states
	patient "no backup superblock" -O sparse_super2 -E num_backup_sb=0 <<-END
		whole
	END
	printf '\377' | dd of=img bs=1 seek=2044 conv=notrunc 2>/dev/null
	examine
	patient "no superblock" <<-END
		whole
	END
	dd if=/dev/zero of=img bs=1024 seek=1 count=1 conv=notrunc 2>/dev/null
	dd if=/dev/zero of=img bs=1024 seek=8193 count=1 conv=notrunc \
		2>/dev/null
	examine
	# The journal superblock; csumtype 9, a block size, a ring of 900 blocks.
	for damage in "super csumtype 9" "super blocksize 2048" \
		"super maxlen 900"
	do
		patient "$damage" <<-END
			whole
			damage $damage
		END
		examine
	done
	patient "hole in the journal's map" -O ^metadata_csum,^64bit,^extent <<-END
		whole
	END
	setup debugfs -w -R 'ssv jnl_backup_type 0' img
	setup debugfs -w -R 'sif <8> bmap[3] 0' img
	examine
	patient "block twice in the journal's map" \
		-O ^metadata_csum,^64bit,^extent <<-END
		whole
	END
	setup debugfs -w -R "sif <8> block[3] $(debugfs -R 'bmap <8> 500' \
		img 2>/dev/null)" img
	examine
	patient "block of an inode table in the journal's map" \
		-O ^metadata_csum,^64bit,^extent <<-END
		whole
	END
	setup debugfs -w -R 'ssv jnl_backup_type 0' img
	table=$(dumpe2fs img 2>/dev/null |
		sed -n 's/.*Inode table at \([0-9]*\)-.*/\1/p' | head -n 1)
	setup debugfs -w -R "sif <8> block[3] $((table + 60))" img
	examine
	patient "hole in the journal's map, with a backup" \
		-O ^metadata_csum,^64bit,^extent <<-END
		whole
	END
	setup debugfs -w -R 'sif <8> bmap[3] 0' img
	examine
	patient "hole in the journal's extents" <<-END
		whole
	END
	setup debugfs -w -R 'sif <8> block[3] 8' img
	examine
	patient "no map in the journal's inode" <<-END
		whole
	END
	setup debugfs -w -R 'sif <8> block[0] 0' img
	examine
	patient "checksum of the journal's inode" <<-END
		whole
	END
	setup debugfs -w -R 'ssv jnl_backup_type 0' img
	inode8=$(debugfs -R 'imap <8>' img 2>/dev/null |
		sed -n 's/.*block \([0-9]*\), offset \(0x[0-9a-f]*\).*/\1 \2/p')
	printf X | dd of=img bs=1 conv=notrunc 2>/dev/null \
		seek=$((${inode8% *} * 1024 + ${inode8#* } + 20))
	examine
	patient "bad older copy" <<-END
		whole
		damage flip 5.data[2] 9
	END
	examine
	patient "bad only copy" <<-END
		whole
		damage flip 7.data[0] 9
	END
	examine
	patient "no journal device" <<-END
		whole
		damage sbjournal inum 0
		damage sbjournal dev 9999
		damage sbjournal uuid 11111111-2222-3333-4444-555555555555
	END
	examine
	sed '/^damage/d' spec | sed '/^whole$/d' >log
	ours=$JOURNAL_UUID
	JOURNAL_UUID=99999999-2222-3333-4444-555555555555
	mkfs_external scrap other
	journal -j other scrap <log
	JOURNAL_UUID=$ours
	rm -f img scrap
	mkfs_external img journal
	journal -j journal img <log
	cp journal right
	mv other journal
	patient_name="another file system's journal device"
	examine
	mv right journal
	dd if=/dev/zero of=journal bs=1024 seek=1 count=1 conv=notrunc 2>/dev/null
	patient_name="journal device without a superblock"
	examine
	rm journal
	external_states
	patient "superblock's copy fails its checksum" </dev/null
	dd if=img of=super bs=1024 skip=1 count=1 2>/dev/null
	printf X | dd of=super bs=1 seek=130 conv=notrunc 2>/dev/null
	printf 'jo -c\njw -b 1 super\njc\n' >requests
	setup debugfs -w -f requests img
	examine /dev/null
	patient_size=32M
	for damage in "first 2" "maxlen 1500"; do
		patient "ring: $damage" -J size=2 -O ^metadata_csum <<-END
			start 500
			whole
			damage super $damage
		END
		examine
	done
	patient_size=
	patient "superblock's copy is bad" <<-END
		txn 5 write 1
		txn 6 write 10000
	END
	examine /dev/null
	patient "tag outside" <<-END
		txn 5 write 10000 99999
	END
	examine /dev/null
	patient "tag of the journal's own block" <<-END
		whole
		damage tag 7.desc 0 journal
	END
	examine
	patient "the same block twice" <<-END
		txn 5 write 10000-10003
		txn 6 write 10002-10005 10002
		txn 7 write 10006-10007
	END
	examine
	patient "deleted tag" <<-END
		txn 5 write 10000-10003
		txn 6 write 10002-10005
		txn 7 deleted 10006-10007
	END
	examine
	patient "inode and journal device" <<-END
		whole
		damage sbjournal dev 9999
	END
	examine
	patient "end of the device is missing" <<-END
		whole
	END
	truncate -s 12M img
	examine
	patient "journal is cut off" <<-END
		whole
	END
	truncate -s 200K img
	examine
	patient "torn commit block" <<-END
		whole
		damage torn 7.commit
	END
	examine
	patient "last transaction without a commit block" <<-END
		txn 5 write 10000-10003
		txn 6 write 10002-10005
		txn 7 write 10006-10007 nocommit
	END
	examine early
	patient "needs_recovery, and an empty log" </dev/null
	setup debugfs -w -R 'feature needs_recovery' img
	examine /dev/null
	patient "clean" </dev/null
	examine /dev/null
	fast_states
}

# external_states - the journal's device lost its end, or its contents
external_states()
{
	# tune2fs searches all devices for it, also those of other tests.
	JOURNAL_UUID=$(cat /proc/sys/kernel/random/uuid)
	for log in 1000 3; do
		rm -f img
		mkfs_external img journal
		printf 'start %s\n' $log >start
		cat start log | journal -j journal img
		truncate -s 1006K journal
		patient_name="journal device lacks its end, log at $log"
		examine
		rm journal
	done
	for uuid in $JOURNAL_UUID 99999999-2222-3333-4444-555555555555; do
		rm -f img journal
		mkfs_external img journal
		journal -j journal img <log
		setup mke2fs -q -F -O journal_dev -b 1024 -U $uuid journal 2M
		patient_name="journal device made anew: $uuid"
		examine /dev/null
	done
	truncate -s 1K journal
	patient_name="journal device without a block"
	examine /dev/null
	rm journal
}

# newer_files - the log ends before a transaction that is in place
newer_files()
{
	patient unused </dev/null
	table=$(debugfs -R 'imap <13>' img 2>/dev/null |
		sed -n 's/.*block \([0-9]*\),.*/\1/p')
	for flag in on off; do
		patient "files newer than the log, needs_recovery $flag" <<-END
			whole
			txn 8 sparse write $table
			needs_recovery $flag
		END
		for file in 1 2 3; do
			setup debugfs -w -R "write spec $file" img
		done
		setup debugfs -w -R 'sif <13> ctime 20300101' img
		examine
	done
}

# metadata_states - the log is sound, and does not have what is damaged
metadata_states()
{
	for request in "clri <2>" "clri <7>" "clri <11>" "clri <12>" \
		"sif <2> mode 0100644" "set_bg 1 checksum 0x1234" \
		"unlink lost+found"
	do
		patient "metadata: $request" -O orphan_file <<-END
			whole
		END
		setup debugfs -w -R "$request" img
		examine
	done
	for what in "bmap <2> 0" "bmap <12> 0"; do
		patient "metadata: block of '$what'" -O orphan_file <<-END
			whole
		END
		dd if=/dev/zero of=img bs=1024 count=1 conv=notrunc 2>/dev/null \
			seek="$(debugfs -R "$what" img 2>/dev/null)"
		examine
	done
	for what in Block Inode; do
		patient "metadata: $what bitmap" <<-END
			whole
		END
		dd if=/dev/zero of=img bs=1024 count=1 conv=notrunc 2>/dev/null \
			seek="$(dumpe2fs img 2>/dev/null |
				sed -n "s/.*$what bitmap at \([0-9]*\).*/\1/p" |
				head -n 1)"
		examine
	done
}

mmp_states()
{
	patient "block of multiple mount protection is zeroed" -O mmp <<-END
		whole
	END
	mmp=$(dumpe2fs -h img 2>/dev/null |
		sed -n 's/^MMP block number: *//p')
	dd if=/dev/zero of=img bs=1024 seek="$mmp" count=1 conv=notrunc \
		2>/dev/null
	examine
	patient "no block of multiple mount protection" -O mmp <<-END
		whole
	END
	setup debugfs -w -R 'ssv mmp_block 0' img
	examine
	patient "feature that forbids writes" <<-END
		whole
	END
	setup debugfs -w -R 'feature FEATURE_R20' img
	examine
}

# against_log NAME REQUEST [TRUTH] - the superblock in place is changed, and the
# log has a sound copy of it, which counts
against_log()
{
	patient "superblock in place and in the log: $1" </dev/null
	dd if=img of=logged bs=1024 skip=1 count=1 2>/dev/null
	while read -r against_line; do
		{ echo "$against_line"; yes ''; } | head -c 1024
	done <truth >>logged
	printf 'jo -c\njw -b 1,10000-10007 logged\njc\n' >requests
	setup debugfs -w -f requests img
	setup debugfs -w -R "$2" img
	{ echo "fsblk 1"; cat truth; } >truth-super
	examine "${3:-truth-super}"
}

backup_states()
{
	against_log UUID 'ssv uuid 11111111-2222-3333-4444-555555555555'
	against_log "checksum seed" 'feature metadata_csum_seed'
	against_log "first block" 'ssv first_data_block 0'
	against_log "number of blocks" 'ssv blocks_count 20000' truth
	against_log "number of inodes" 'ssv inodes_count 4000' truth
	against_log "size of descriptors" 'ssv desc_size 32' truth
	against_log revision 'ssv rev_level 2' truth
	patient "has_journal is clear" <<-END
		whole
	END
	setup debugfs -w -R 'feature ^has_journal' img
	examine
	patient "the beginning is zeroed" <<-END
		whole
	END
	dd if=/dev/zero of=img bs=1024 count=400 conv=notrunc 2>/dev/null
	examine
}

# fast_patient NAME LINE... - a log with a fast-commit area, and these lines
fast_patient()
{
	fast_name=$1
	shift
	patient_size=32M
	patient "$fast_name" -J size=2 -O fast_commit <<-END
		journal fast_commit 256
		$(printf '%s\n' "$@")
	END
	patient_size=
	examine
}

fast_states()
{
	patient_size=32M
	patient "fast-commit area of nearly the whole journal" -J size=2 \
		-O fast_commit <<-END
		journal fast_commit 256
		whole
		damage super fcblocks 1900
	END
	patient_size=
	examine
	fast_patient "fast-commit area" whole
	fast_patient "records of 7" whole 'fc 7 link 2 12 a tail'
	fast_patient "records of 6, no end" whole 'fc 6 link 2 12 a'
	fast_patient "records of 9" whole 'fc 9 link 2 12 a tail'
	fast_patient "features of 7" whole 'fc 7 features 1 tail'
	fast_patient "features of 8" whole 'fc 8 features 1 tail'
	fast_patient "head of a wrong length" whole 'fc 7 link 2 12 a tail' \
		"damage flip @1857 2"
	fast_patient "records of 7 without a head" whole \
		'fc 7 nohead link 2 12 a tail'
	fast_patient "records of 8, no end" whole 'fc 8 link 2 12 a'
	fast_patient "records of 8, bad end" whole 'fc 8 link 2 12 a tail badcrc'
	fast_patient "records of 8" whole 'fc 8 tail'
	fast_patient "wraps" 'start end-3' whole
	fast_patient "wraps, records of 7" 'start end-3' whole 'fc 7 tail'
	for fast_damage in 'csum 6.desc' 'csum 6.commit' 'csum 6.data[1]' \
		'zero 6.desc'
	do
		fast_patient "$fast_damage" whole "damage $fast_damage"
		fast_patient "$fast_damage, records of 7" whole 'fc 7 tail' \
			"damage $fast_damage"
	done
	fast_patient "records of 7, flag clear" whole 'fc 7 tail' \
		'needs_recovery off'
}
