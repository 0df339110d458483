# SPDX-License-Identifier: GPL-2.0-only
#
# foreign.sh - logs that a lazy kernel has not written, or not all of: they are
# replayed before the log becomes lazy. Sourced by run.

journal_sb()	# VERB - what lazy_record.py does to the disk
{
	at=$(debugfs -R 'blocks <8>' "$disk" 2>/dev/null | tr ' ' '\n' |
		sed '/^$/d' | head -n 1)
	size=$(dumpe2fs -h "$disk" 2>/dev/null |
		sed -n 's/^Block size: *//p')
	python3 "$here/lazy_record.py" "$disk" $((at * size)) "$1"
}
record_is()	# none|other|fits
{
	found=$(journal_sb show)
	echo "the record: $found, should be $1"
	[ "$found" = "$1" ]
}

stock_guest()	# NAME SECONDS TEXT
{
	kind=STOCK
	guest "$@"
	status=$?
	kind=LAZY
	return $status
}

# A file of one letter, and what a reader finds in it instead.
letters='fill()	# LETTER DD_OPTION...
{
	letter=$1
	shift
	yes $letter$letter$letter$letter$letter$letter$letter | head -c 1048576 |
		dd of=/mnt/file bs=64k "$@" 2>/dev/null || say FAILED: dd
}
holds()	# LETTER
{
	[ "$(tr -d "$1\n" </mnt/file | wc -c)" -eq 0 ] &&
		[ "$(wc -c </mnt/file)" -eq 1048576 ] ||
		say "FAILED: not $1: $(head -c 1 /mnt/file)"
}'

# A stock kernel writes A, logs B as data, and is cut; a lazy one writes C.
data_was_logged()	# NAME OPTIONS FLAG
{
	scenario=foreign-$1
	format
	check "$scenario: a stock kernel logs file data" stock_guest "$1" 120 "
$letters
mount -t ext4 /dev/vda /mnt || say FAILED: mount
fill A conv=fsync
umount /mnt
mount -t ext4 -o commit=300,$2 /dev/vda /mnt || say FAILED: mount
$3
fill B conv=notrunc,fsync
holds B"
	check "$scenario: a lazy one reads them, and what it writes stays" \
		guest "$1-lazy" 120 "
$letters
$mount_it
holds B
fill C conv=notrunc,fsync
fsfreeze --freeze /mnt
fsfreeze --unfreeze /mnt
$poison
holds C
touch /mnt/more
sync
dmesg | grep JBD2"
	check "$scenario: the kernel says that it replays" \
		says 'replayed before journal_lazy begins'
	check "$scenario: so does a stock one that replays" \
		stock_guest "$1-stock" 120 "
$letters
mount -t ext4 /dev/vda /mnt || say FAILED: mount
holds C"
}

# What a lazy mount makes of the disk: the tree is that of a replay.
mounts_as()	# kept|replayed TITLE
{
	cp --sparse=always "$disk" "$work/replay.img"
	replayed_tree=$(tree "$work/replay.img")
	rm -f "$work/replay.img"
	check "$scenario: $2: it mounts" guest foreign 120 "$mount_it
dmesg | grep 'JBD2.*log is replayed'
$poison
./lazywork sum /mnt"
	case $1 in
	kept)		check "$scenario: $2: the log is kept" was_not_replayed ;;
	replayed)	check "$scenario: $2: the log is replayed" \
				says 'replayed before journal_lazy begins' ;;
	esac
	check "$scenario: $2: the tree is that of a replay" \
		same_tree_as_replayed
	check "$scenario: $2: e2lazyck finds the log sound" sound "$disk"
	check "$scenario: $2: the record is that of the log" record_is fits
}
was_not_replayed()
{
	! says 'replayed before journal_lazy begins' >/dev/null
}
same_tree_as_replayed()
{
	echo "the guest read $(sum_by_guest), a replay gives $replayed_tree"
	[ "$replayed_tree" ] && [ "$(sum_by_guest)" = "$replayed_tree" ]
}
from_base()
{
	cp --sparse=always "$work/base.img" "$disk"
}

# What brings an old record back, or makes it fit by chance.
scenario_records()
{
	format -J size=4
	check "records: there is a lazy log" guest records 120 "$mount_it
./lazywork run /mnt $seed 0 300
umount /mnt"
	check "records: and a record of it" record_is fits
	cp --sparse=always "$disk" "$work/base.img"
	mounts_as kept 'as it is'

	for verb in clear spoil version nonce unmark; do
		from_base
		check "records: $verb: is done" journal_sb $verb
		mounts_as replayed "$verb"
	done

	# A stock kernel's log, and a record that fits it: as after 2^32
	# transactions, an e2undo, or a snapshot that is merged in part.
	from_base
	check "records: a stock kernel goes on" \
		stock_session records 300 500
	check "records: its tail is not the record's" record_is other
	cp --sparse=always "$disk" "$work/stock.img"
	mounts_as replayed 'a stock log'
	cp --sparse=always "$work/stock.img" "$disk"
	check "records: the record is made to fit" journal_sb fit
	mounts_as replayed 'a stock log and a record that fits'
	rm -f "$work/stock.img"

	# e2fsck drops a log, and debugfs goes on with the same number.
	from_base
	check "records: the log is dropped, debugfs logs a block" \
		drop_and_log
	mounts_as replayed 'the log of debugfs'

	# A replay whose end is lost has written the homes.
	from_base
	check "records: a replay does not come to its end" half_a_replay
	mounts_as kept 'a replay without its end'

	from_base
	check "records: e2lazyck moves the tail" e2lazyck_does --clean --tids 3
	mounts_as kept 'e2lazyck --clean'
	from_base
	check "records: e2lazyck logs blocks again" \
		e2lazyck_does --clean --forward --tids 3
	mounts_as replayed 'e2lazyck --clean --forward'

	from_base
	check "records: a freeze empties the log" guest freeze 60 "$mount_it
fsfreeze --freeze /mnt"
	check "records: and takes the record away" record_is none
	check "records: an ordinary mount of the lazy kernel" from_base
	check "records: which replays" guest ordinary 60 "
mount -t ext4 /dev/vda /mnt || say FAILED: mount
touch /mnt/more
sync"
	check "records: takes it away, too" record_is none
	rm -f "$work/base.img"
}
e2lazyck_does()		# OPTION...
{
	"$E2LAZYCK" -p "$@" "$disk"
	[ $? -eq 1 ]
}
drop_and_log()
{
	e2fsck -y -E journal_only "$disk" >/dev/null 2>&1
	cp --sparse=always "$disk" "$work/clean.img"
	from_base
	before=$(journal_word 0x18)
	cp --sparse=always "$work/clean.img" "$disk"
	rm -f "$work/clean.img"
	block=$(debugfs -R 'imap /' "$disk" 2>/dev/null |
		sed -n 's/.*located at block \([0-9]*\),.*/\1/p')
	dd if="$disk" of="$work/block" bs=$size skip="$block" count=1 2>/dev/null
	printf 'jo\njw -b %s %s\njc\n' "$block" "$work/block" |
		debugfs -w -f - "$disk" >/dev/null 2>&1
	# The number that e2fsck leaves where it drops a log.
	echo "the log of debugfs begins with $(journal_word 0x18), the lazy one with $before"
	[ "$(journal_word 0x1c)" -ne 0 ] && journal_sb fit
}
journal_word()	# OFFSET - a word of the journal's superblock
{
	journal_sb show >/dev/null
	od -An -j $((at * size + $1)) -N 4 -t u4 --endian=big "$disk"
}
half_a_replay()
{
	cp --sparse=always "$disk" "$work/half.img" &&
		e2fsck -y -E journal_only "$work/half.img" >/dev/null 2>&1
	journal_sb show >/dev/null
	# The journal's superblock and the file system's are as before.
	dd if="$disk" of="$work/half.img" bs=$size skip=$at seek=$at count=1 \
		conv=notrunc 2>/dev/null &&
	dd if="$disk" of="$work/half.img" bs=1024 skip=1 seek=1 count=1 \
		conv=notrunc 2>/dev/null && mv "$work/half.img" "$disk"
}

scenario_foreign()
{
	data_was_logged data-journal data=journal
	data_was_logged flag-j nodelalloc \
		'./lazyctl flag-j /mnt/file || say FAILED: flag j'
	old_words
}

# The word of the early kernels, and no record.
old_words()
{
	scenario=foreign-word
	format -E lazy_itable_init=0
	check "$scenario: the superblock has the word" debugfs -w -R \
		'ssv mount_opts nodelalloc,journal_lazy,noauto_da_alloc' "$disk"
	check "$scenario: there is a log without a record" \
		stock_session word 0 200
	check "$scenario: it is refused, with the option and without" \
		guest word-refused 60 "
for option in journal_lazy commit=300 ro; do
	mount -t ext4 -o \$option /dev/vda /mnt && say FAILED: mount \$option
done
dmesg | grep 'EXT4.*journal_lazy'"
	check "$scenario: the message says what to do" says \
		'check it with e2lazyck, or replay it with journal_nolazy'
	check "$scenario: journal_nolazy replays it" guest word-replayed 60 "
mount -t ext4 -o journal_nolazy /dev/vda /mnt || say FAILED: mount
./lazywork sum /mnt
umount /mnt
mount -t ext4 /dev/vda /mnt || say FAILED: mount
grep journal_lazy /proc/mounts && say FAILED: it is lazy
umount /mnt"
	check "$scenario: the word is gone, the other options stay" options_are \
		nodelalloc,noauto_da_alloc
}
options_are()
{
	dumpe2fs -h "$disk" 2>/dev/null | sed -n 's/^Mount options: *//p' \
		>"$work/options"
	cat "$work/options"
	[ "$(cat "$work/options")" = "$1" ]
}
