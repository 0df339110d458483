/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* problem_dropped.h - rows of problem.c's table for a checkpoint that drops the
   last transactions */
[PROBLEM_DROPPED_IN_PLACE] = {
	"dropped-in-place", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("a block in place may be as a dropped transaction left it"),
	N_("The block has no copy in the transactions that would be written "
	   "back.  Either it equals its copy in a dropped transaction, or "
	   "nothing proves that it does not: the transaction revoked it, or "
	   "the log has lost its oldest part.  So the state before the dropped "
	   "transactions cannot be written back whole.  Copy the files out of "
	   "a view of that state instead."), NULL,
	.status = E2LAZY_UNUSABLE, .advice = COPY_DEVICE },
[PROBLEM_DROPPED_UNKNOWN] = {
	"dropped-unknown", E2LAZY_GRAVE, E2LAZY_REFUSE,
	N_("the log is damaged after the last transaction to write back"),
	N_("A damaged control block hides which blocks the transactions to "
	   "drop have changed, so nothing proves that none of these blocks is "
	   "in place already.  Copy the files out of a view of that state "
	   "instead."), NULL,
	.status = E2LAZY_UNUSABLE, .advice = COPY_DEVICE },
[PROBLEM_DROPPED_FREED] = {
	"dropped-freed", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a dropped transaction freed the block, so it may have other "
	   "contents by now"),
	N_("The block belongs to a file in the state before the dropped "
	   "transactions.  A freed block is free for other files as soon as its "
	   "transaction is committed, and their contents are not logged.  "
	   "Where the place is a bitmap, the bitmap's copy is damaged, and any "
	   "block that it covers may have been freed.  Compare the files with a "
	   "backup."),
	N_("Write back the state before, although these blocks may have other "
	   "contents?"),
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE },
[PROBLEM_DROPPED] = {
	"dropped-transactions", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("the last transactions of the log would be dropped"),
	N_("The log would be written back up to an earlier transaction, and "
	   "then emptied.  The changes of these transactions are lost, "
	   "except for file contents that are in place.  It makes sense if a "
	   "copy in one of them is damaged, and the file system before it is "
	   "whole."),
	N_("Drop these transactions, and write back the state before them?"),
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE, .mended = true },
