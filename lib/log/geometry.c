/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * geometry.c - the second step of opening: the shape of the log
 *
 * The journal superblock describes it.  If that block is lost, the caller can
 * give a geometry.  jsb_make() turns it into a superblock first, so that
 * jsb_parse() checks both by the same rules.
 */

#include <string.h>

#include "opening.h"

static errcode_t read_super(struct e2lazy_journal *j, uint32_t at, void *buf)
{
	errcode_t err = e2lazy_read_log(j, at, 1, buf);

	if (err == EXT2_ET_SHORT_READ && is_cut_off(j, at))
		err = E2LAZY_ET_DEVICE_SHORT;
	if (err)
		memset(buf, 0, SUPER_BYTES);
	return err;
}

/* The list of users is lost then: a caller who names the journal vouches. */
static errcode_t check_given(const struct e2lazy_journal *j,
			     const struct e2lazy_geometry *given)
{
	if (j->geo.end != given->end)
		return E2LAZY_ET_GEOMETRY;
	return j->jfs && !j->named ? E2LAZY_ET_EXT_NOT_USER : 0;
}

errcode_t journal_geometry(struct e2lazy_journal *j,
			   const struct e2lazy_geometry *given,
			   struct e2lazy_where *where)
{
	uint32_t at = journal_super_logblk(j);
	crc32c_fn crc = crc32c_select();
	void *buf = NULL;
	errcode_t err;

	where->has = E2LAZY_AT_LOGBLK;
	where->logblk = at;
	err = io_channel_alloc_buf(j->io, 1, &buf);
	if (err)
		return err;
	err = read_super(j, at, buf);
	memcpy(j->judged.journal, buf, SUPER_BYTES);
	if (given) {
		jsb_make(buf, given, crc);
		err = 0;
	}
	if (!err)
		err = jsb_parse(buf, j->runs.blocks, j->fs->blocksize, at,
				crc, &j->geo, where);
	if (given && j->jfs)
		external_ask_damaged(j, j->judged.journal);
	if (!err && given)
		err = check_given(j, given);
	else if (!err && j->jfs)
		err = external_check_users(j, buf);
	j->geo.given = given;
	ext2fs_free_mem(&buf);
	return err;
}
