#!/usr/bin/python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""developer.py IMAGE - what the log of a file system is made of

Prints the blocks of the largest transactions, how often the newest copies have been
logged before, and what happened to files, by kind.
"""
import collections
import sys

import e2lazy


def main(image):
    with e2lazy.open(image) as journal:
        log = journal.map()
        txns = log.transactions()
        copies = sum(txn.copies for txn in txns)
        print("%d transactions, %d copies, %d live" % (len(txns), copies,
                                                       len(log)))
        for txn in sorted(txns, key=lambda t: t.copies, reverse=True)[:3]:
            print("transaction %d of %s: %d copies, %d revokes" % (
                txn.tid, txn.time, txn.copies, txn.revokes))
        # Zeros in the newest copies, counted in place: nothing is copied.
        with memoryview(log.copies()) as rows, rows.cast("B") as flat:
            size = rows.shape[1]
            zeros = sum(not any(flat[i * size:(i + 1) * size])
                        for i in range(rows.shape[0]))
        print("%d live blocks are all zeros" % zeros)
        kinds = collections.Counter(event.kind for event in journal.events())
        for kind, count in kinds.most_common():
            print("%s %d" % (kind, count))


main(*sys.argv[1:])
