# SPDX-License-Identifier: GPL-2.0-only
#
# Fold the output of `debugfs -c -R 'logdump -a'` into lists for comparison.
# logdump knows neither checksums nor liveness, and reads on into a tail that
# was never committed.  Its tags and revokes are right if no fast-commit area
# shortens the ring and block numbers fit 32 bits.
#
#	-v what=copies	FSBLK LOGBLK of every tag, in log order
#	-v what=live	FSBLK LOGBLK TID, the newest unrevoked committed copy
#			of each block; unsorted
#	-v what=states	how many copies are live, superseded, revoked and
#			uncommitted
#	-v what=uncommitted	how many tags follow the last commit
#	-v what=counts	how many tags, escaped tags, revokes, wraps of the
#			ring, committed transactions
#
# Transactions are told apart by their order, which tids lose past 2^32.

BEGIN {
	folding = what == "live" || what == "states"
}

/^Found expected sequence / {
	tid = $4
	sub(/,$/, "", tid)
	if (/\(commit block\)/) {
		committed++
		uncommitted = 0
	}
	next
}

/^ *FS block [0-9]+ logged at journal block / {
	tags++
	uncommitted++
	if (what == "copies")
		print $3, $8
	flags = $10
	sub(/\)$/, "", flags)
	if (flags ~ /[13579bdf]$/)
		escaped++
	if ($8 + 0 < previous)
		wraps++
	previous = $8 + 0
	if (folding) {
		fsblk[tags] = $3
		logblk[tags] = $8
		tag_tid[tags] = tid
		tag_txn[tags] = committed + 1
	}
	next
}

/^ *Revoke FS block / {
	revokes++
	if (folding) {
		record[revokes] = $4
		record_txn[revokes] = committed + 1
	}
	next
}

# A record voids the copies of its own and earlier transactions, wherever in
# them it stands; of what is left the last copy of a block is live.
function fold(   i, b) {
	for (i = 1; i <= revokes && record_txn[i] <= committed; i++)
		revoked[record[i]] = record_txn[i]
	for (i = 1; i <= tags && tag_txn[i] <= committed; i++)
		newest[fsblk[i]] = i
	for (i = 1; i <= tags && tag_txn[i] <= committed; i++) {
		b = fsblk[i]
		if ((b in revoked) && revoked[b] >= tag_txn[i]) {
			dead++
		} else if (newest[b] != i) {
			superseded++
		} else {
			live++
			if (what == "live")
				print b, logblk[i], tag_tid[i]
		}
	}
}

END {
	if (what == "uncommitted")
		print uncommitted + 0
	if (what == "counts")
		print tags + 0, escaped + 0, revokes + 0, wraps + 0,
		      committed + 0
	if (folding)
		fold()
	if (what == "states")
		print live + 0, superseded + 0, dead + 0, uncommitted + 0
}
