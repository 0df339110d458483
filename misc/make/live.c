/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * live.c - how much live metadata a lazy log will hold
 *
 * A lazy log keeps the newest copy of each block of metadata until its cleaner
 * writes it home.  So in the long run it holds all metadata of the files in use.
 */
#include <string.h>

#include "e2lazy_trace.h"
#include "make.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"

/*
 * The paper's log has 10 GiB, for a disk whose inode tables have 58 GiB: few file
 * systems have all inodes in use.
 */
#define PAPER_LIVE	((10ULL << 30) * E2LAZY_LAZY_PERCENT / 100)

/* ------------------------------------------------ another file system */

static uint64_t div_up(uint64_t a, uint64_t b)
{
	return (a + b - 1) / b;
}

/* Tables and bitmaps in use of a group, and a block for each directory. */
static uint64_t live_of_group(ext2_filsys fs, dgrp_t g)
{
	uint64_t used = fs->super->s_inodes_per_group -
			ext2fs_bg_free_inodes_count(fs, g);
	bool empty = ext2fs_bg_flags_test(fs, g, EXT2_BG_BLOCK_UNINIT);
	uint64_t blocks = !empty + ext2fs_bg_used_dirs_count(fs, g);

	if (used)
		blocks += 1 + div_up(used * EXT2_INODE_SIZE(fs->super),
				     fs->blocksize);
	return blocks;
}

static bool live_like(struct make *m)
{
	struct e2lazy_journal *journal;
	uint64_t blocks = 0;
	ext2_filsys fs;

	out_flush(&m->s->print.out);
	if (device_open(m->like, NULL, &journal, NULL)) {
		m->s->status |= FSCK_ERROR;
		return false;
	}
	fs = e2lazy_static_fs(journal);
	for (dgrp_t g = 0; g < fs->group_desc_count; g++)
		blocks += live_of_group(fs, g);
	m->live = (blocks + fs->desc_blocks) * fs->blocksize;
	e2lazy_close(journal);
	return true;
}

/* -------------------------------------------------------------- a trace */

static bool fail_trace(struct make *m, errcode_t err)
{
	out_flush(&m->s->print.out);
	complain_error(m->trace, err);
	m->s->status |= FSCK_ERROR;
	return false;
}

/* The log of its transactions in @ring bytes; 0: in one that has room for all. */
static bool replay(struct make *m, uint64_t ring, struct e2lazy_lazy *lazy,
		   unsigned *size)
{
	struct e2lazy_trace_fs fs = { .blocksize = 0 };
	struct e2lazy_trace *trace;
	errcode_t err = e2lazy_trace_open(m->trace, &trace);

	if (err)
		return fail_trace(m, err);
	err = e2lazy_trace_read_fs(trace, &fs);
	if (!err && fs.nr_txns)
		err = e2lazy_trace_lazy(&fs, ring ? ring : UINT64_MAX, 1,
					lazy);
	*size = fs.nr_txns ? fs.blocksize : 0;
	e2lazy_trace_fs_free(&fs);
	e2lazy_trace_close(trace);
	return !err || fail_trace(m, err);
}

static bool live_traced(struct make *m)
{
	struct e2lazy_lazy lazy;
	unsigned size;

	if (!replay(m, 0, &lazy, &size))
		return false;
	if (size) {
		m->live = lazy.live * size;
		return true;
	}
	out_flush(&m->s->print.out);
	complain(m->trace, _("it has no transactions; e2lazy trace record "
			     "reads them from the journal"));
	m->s->status |= FSCK_ERROR;
	return false;
}

/* ------------------------------------------------------------------ all */

bool make_live(struct make *m)
{
	if (m->live)
		m->live_source = MAKE_LIVE_GIVEN;
	if (m->live || m->kernel == MAKE_STOCK)
		return true;
	if (m->like) {
		m->live_source = MAKE_LIVE_LIKE;
		return live_like(m);
	}
	if (m->trace) {
		m->live_source = MAKE_LIVE_TRACE;
		return live_traced(m);
	}
	m->live_source = MAKE_LIVE_INODES;
	m->live = m->layout.bands.metadata_bytes;
	if (m->live > PAPER_LIVE) {
		m->live_source = MAKE_LIVE_PAPER;
		m->live = PAPER_LIVE;
	}
	return true;
}

bool make_cleaner(struct make *m, double *percent, bool *traced)
{
	struct e2lazy_lazy lazy;
	unsigned size;

	*traced = false;
	*percent = e2lazy_cleaner_percent(m->live, m->journal.bytes);
	if (m->live_source != MAKE_LIVE_TRACE)
		return true;
	if (!replay(m, m->journal.bytes, &lazy, &size))
		return false;
	/* A trace that ends before the log is full says nothing of later. */
	if (!size || lazy.written <= lazy.ring)
		return true;
	*traced = true;
	*percent = lazy.cleaned * 100.0 / lazy.written;
	return true;
}
