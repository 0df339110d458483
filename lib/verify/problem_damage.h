/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * problem_damage.h - the rows of the problem table about a log that breaks off
 *
 * Only problem.c includes this, in the midst of its table.
 */
/* Name the blocks that would be lost before asking about the damage. */
[PROBLEM_GIVEN_UP] = {
	"given-up", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a checkpoint would give up the transaction that holds a block's "
	   "newest copy"),
	N_("The transaction is damaged or follows the damage.  A checkpoint "
	   "writes back only the transactions before the damage, so these "
	   "blocks stay at an older state, and their newest copies are lost "
	   "with the log.  More blocks may be affected, for a damaged block of "
	   "the log cannot be read.  Copy the device before you write "
	   "anything."),
	N_("Leave these blocks at an older state, and give up their newest "
	   "copies?"),
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE },
[PROBLEM_REVOKE_GIVEN_UP] = {
	"revoke-given-up", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a transaction that a checkpoint would give up revokes a live copy"),
	N_("A transaction that is damaged or follows the damage freed the "
	   "block.  The block may hold something else by now, such as contents "
	   "of a file.  The file system before the damage needs the copy, so a "
	   "checkpoint writes the copy over the block, as other tools do in a "
	   "replay.  Copy the device before you write anything."),
	N_("Write these copies home, over possibly newer contents of the "
	   "blocks?"),
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE,
	.effect = E2LAZY_EFFECT_WRITE },
[PROBLEM_UNREADABLE] = {
	"unreadable", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a block cannot be read"),
	N_("If the block is a copy in the log, its static block keeps an older "
	   "state.  If it is a control block of the log, no transaction from "
	   "there on can be read.  Copy the device with a tool that retries, "
	   "and work on the copy."),
	N_("Go on without the unreadable blocks, and leave static blocks older "
	   "than the log?"),
	.status = E2LAZY_DAMAGED,
	.advice = N_("copy the device with a tool that retries, and work on the "
		      "copy"),
	.effect = E2LAZY_EFFECT_LEAVE_OUT },
[PROBLEM_BLOCK_CSUM] = {
	"block-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of a descriptor or revoke block in a committed "
	   "transaction"),
	N_("The transaction's list of blocks is lost.  A kernel and e2fsck "
	   "replay nothing at all of such a log.  e2lazyck also takes the "
	   "sound blocks behind the damage (behind-damage), unless it has "
	   "--stop-at-damage."),
	GIVE_UP_THE_REST,
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE },
[PROBLEM_COMMIT_CSUM] = {
	"commit-csum", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("bad checksum of a commit block"),
	N_("e2lazyck leaves out the transaction and all later ones: the file "
	   "system would fall back to the state before it.  A kernel refuses "
	   "to mount such a file system."),
	GIVE_UP_THE_REST,
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE },
[PROBLEM_REVOKE_COUNT] = {
	"revoke-count", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a revoke block's byte count is larger than the block"),
	N_("The transaction's list of revoked blocks is lost, so e2lazyck "
	   "leaves out the transaction and all later ones: the file system "
	   "would fall back to the state before it."),
	GIVE_UP_THE_REST,
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE },
[PROBLEM_BLOCK_TYPE] = {
	"block-type", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("a journal block has an unknown type"),
	N_("The block has the magic and the transaction number of the log, but "
	   "its type is unknown.  e2lazyck leaves out its transaction and all "
	   "later ones: the file system would fall back to the state before "
	   "it."),
	GIVE_UP_THE_REST,
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE },
[PROBLEM_LATER_TRANSACTIONS] = {
	"later-transactions", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("committed blocks follow the place where the log breaks off"),
	N_("A block in the middle of the log was lost or overwritten.  Every "
	   "recovery takes this place for the end of the log and silently "
	   "drops the transactions behind it.  Copy the device before anything "
	   "replays the log."),
	GIVE_UP_THE_REST,
	.status = E2LAZY_DAMAGED, .advice = COPY_DEVICE },
