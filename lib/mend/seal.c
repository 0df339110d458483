/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * seal.c - follow a table of writes and flushes
 *
 * The power may fail at any moment.  A device then has each write before its
 * last flush, and any subset of the writes since.  So the flushes cut a table
 * into stretches.  A power cut leaves all stretches before it, and any part of
 * the one that it hits.  A table is safe if the next mount, e2fsck or checkpoint
 * gets from each such state to the table's end.
 *
 * The table of a checkpoint (checkpoint_steps.c) has four stretches:
 *
 *  1. needs_recovery is set in the superblock, if it was clear.  Without it
 *     a mount discards the log unread.  So no copy is written before that flag
 *     is on the disk.
 *  2. The live copies go to their static places, then the merged superblock.
 *     The log is whole all the while, and needs_recovery makes the next mount
 *     replay it: that writes the same bytes once more.  The superblock belongs
 *     here, since its copy in the log goes when the log is emptied.  A block
 *     that has its copy's bytes already, read under the locks and past the page
 *     cache, is not written: this stretch's flush puts it on the disk as well.
 *     Last, the first block of the fast-commit area may be cleared, if a user
 *     has given up its records of a later transaction.  No replay looks at
 *     them now, and the log that is emptied next may come to their number.
 *  3. The journal superblock says that the log is empty.  This is the point of
 *     no return.  All that changes lies in one sector, so a power cut leaves
 *     the old one or the new one.  With the old one the log redoes
 *     everything.  With the new one nothing is left to redo, for the flush
 *     before has put stretch 2 on the disk.
 *  4. needs_recovery is cleared.  A power cut before that leaves the flag set
 *     and the log empty: the next mount replays nothing and clears the flag.
 *
 * If the last transactions are dropped, a stretch between 1 and 2 cuts them off:
 * it inverts the magic of their first block, so that the log ends before them
 * for whoever replays it.  Only then may copies go home that they revoke or
 * replace.  A power cut before it leaves all transactions, and one after it none
 * of the dropped.  A replay, a checkpoint of what is left and the same
 * checkpoint again all come to the state before them.  All that changes lies in
 * one sector.  After stretch 3, when nothing is replayed any more, the magic is
 * put back, and the ring keeps what they have; a power cut before that leaves
 * it inverted.  The fast-commit area is cleared before the transactions are cut
 * off, since its records may be of the first of them, which is due then.
 *
 * If only the tail moves, stretch 2 holds the live copies before it and, if its
 * copy is one of them, the superblock.  Stretch 3 names the new tail in the
 * journal superblock: with the old sector the log redoes everything, with the
 * new one it redoes the rest, and all that is missing there is on the disk
 * (tail.c).  Stretch 4 is not needed: the log is in use, so the flag stays.  A
 * stretch between 1 and 2 may clear the first block of the fast-commit area,
 * whose records do not count: whole, cleared or torn, they say the same.
 * If the tail frees nothing, that block is all that is written.
 *
 * The superblock has two sectors, so a power cut may tear it: its checksum is
 * wrong then, and lib/view/torn.c tells the two halves apart.  The next
 * checkpoint writes the merged superblock whole in its stretch 1.
 *
 * An external journal is a second device, and a flush of one device says
 * nothing of the other.  So a stretch writes to one device, and its last step
 * flushes that one.
 *
 * The table of a restore (restore.c) has two stretches, and puts a lost log
 * back in force:
 *
 *  1. needs_recovery is set.  A power cut then leaves a log that is as lost as
 *     before.  A mount of an empty log clears the flag; a mount of a bad journal
 *     superblock fails, as it would without the flag.
 *  2. The journal superblock names the tail.  With the flag already on the disk
 *     the next mount replays the log, and never discards it.  If a power cut
 *     tears this block, its checksum is wrong: it is lost, as it was, and a
 *     second run writes it again.
 *
 * The tables that append transactions are in append.c, relog.c and fast.c; the
 * heads of the last two, and that of broken_off.c, have the argument.
 *
 * A new table needs the same argument here: the state that a power cut leaves
 * in each stretch, and the program that finishes it.  Each step also names the
 * outcome if it fails, for then the table ends.
 */

#include "log/log.h"
#include "mend.h"

static errcode_t write_block(struct target *t, io_channel io,
			     const struct seal_step *step, uint8_t *bytes)
{
	errcode_t err = step->make(step->priv, bytes);

	if (err)
		return err;
	t->begun = true;
	return io_channel_write_blk64(io, step->block, 1, bytes);
}

static errcode_t take_step(struct target *t, const struct seal_step *step,
			   uint8_t *bytes, struct e2lazy_where *where)
{
	ext2_filsys fs = step->log_device && t->jfs ? t->jfs : t->fs;
	errcode_t err = step->write ? step->write(step->priv) : 0;

	if (err)
		return err;
	if (step->make)
		err = write_block(t, fs->io, step, bytes);
	if (!err && step->flush)
		err = io_channel_flush(fs->io);
	if (err) {
		where->volume = target_volume(t, fs);
		where->has = step->make ? E2LAZY_AT_FSBLK : 0;
		where->fsblk = step->block;
	}
	return err;
}

errcode_t seal_follow(struct target *t, const struct seal_table *table,
		      struct e2lazy_where *where)
{
	const struct seal_step *end = table->steps + table->count;
	uint8_t *bytes = NULL;
	errcode_t err;

	err = io_channel_alloc_buf(t->fs->io, 1, &bytes);
	if (err)
		return err;
	for (const struct seal_step *s = table->steps; !err && s < end; s++) {
		if (s->skip)
			continue;
		t->outcome = s->outcome;
		err = take_step(t, s, bytes, where);
	}
	if (!err)
		t->outcome = SEAL_DONE;
	ext2fs_free_mem(&bytes);
	return err;
}
