/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * blktrace.c - the records that the kernel writes for blktrace, version 7
 *
 * A record has 48 bytes in the byte order of its machine, and may have more of
 * a driver behind them.  Its magic tells version and byte order.
 */

#include <stdio.h>
#include <string.h>

#include "import.h"

#define MAGIC		0x65617407	/* the lowest byte is the version */
#define RECORD		48

/* Offsets of fields. */
#define AT_TIME		8
#define AT_SECTOR	16
#define AT_BYTES	24
#define AT_ACTION	28
#define AT_DEVICE	36
#define AT_MORE		46		/* bytes behind the record */

/*
 * The low half of an action is the event, the high half says of what kind.  With
 * the kernel's option blk_cgroup the event has a flag, and a control group's id
 * is behind the record.
 */
#define EVENT		0xfeff
#define EVENT_QUEUED	1
#define EVENT_ISSUED	7
#define EVENT_COMPLETED	8
#define OF_READ		(1U << 16)
#define OF_WRITE	(1U << 17)
#define OF_FLUSH	(1U << 18)
#define OF_SYNC		(1U << 19)
#define OF_COMMAND	(1U << 25)	/* of SCSI, not of the file system */
#define OF_NOTE		(1U << 26)
#define OF_AHEAD	(1U << 27)
#define OF_META		(1U << 28)
#define OF_DISCARD	(1U << 29)
#define OF_FUA		(1U << 31)

#define SECTOR		512

static uint64_t number(const uint8_t *at, unsigned bytes, bool big)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value |= (uint64_t)at[big ? bytes - 1 - i : i] << 8 * i;
	return value;
}

bool e2lazy_is_blktrace(const void *bytes)
{
	return number(bytes, 4, false) == MAGIC ||
	       number(bytes, 4, true) == MAGIC;
}

static bool is_wanted(struct e2lazy_import *im, uint32_t action,
		      uint32_t device)
{
	unsigned event = im->action == 'Q' ? EVENT_QUEUED :
			 im->action == 'C' ? EVENT_COMPLETED : EVENT_ISSUED;
	char name[32];

	if ((action & EVENT) != event || (action & (OF_NOTE | OF_COMMAND)))
		return false;
	snprintf(name, sizeof(name), "%u,%u", device >> 20,
		 device & ((1U << 20) - 1));
	return import_takes(im, name, strlen(name));
}

static unsigned flags_of(uint32_t action)
{
	return (action & OF_META ? E2LAZY_REQ_META : 0) |
	       (action & OF_SYNC ? E2LAZY_REQ_SYNC : 0) |
	       (action & OF_FUA ? E2LAZY_REQ_FUA : 0) |
	       (action & OF_AHEAD ? E2LAZY_REQ_AHEAD : 0);
}

/* A flush comes before the write that asks for it. */
static void put_requests(uint32_t action, struct e2lazy_request r,
			 struct e2lazy_request out[2], unsigned *count)
{
	if (action & OF_FLUSH)
		out[(*count)++] = (struct e2lazy_request) {
			.t = r.t, .op = E2LAZY_OP_FLUSH,
		};
	if (!r.length)
		return;
	r.flags = flags_of(action);
	r.op = action & OF_DISCARD ? E2LAZY_OP_DISCARD :
	       action & OF_WRITE ? E2LAZY_OP_WRITE : E2LAZY_OP_READ;
	if (action & (OF_DISCARD | OF_WRITE | OF_READ))
		out[(*count)++] = r;
}

errcode_t e2lazy_import_record(struct e2lazy_import *im,
			       const uint8_t record[E2LAZY_BLKTRACE_RECORD],
			       struct e2lazy_request out[2], unsigned *count,
			       unsigned *more)
{
	struct e2lazy_request r = { .t = 0 };
	bool big = number(record, 4, true) == MAGIC;
	uint32_t action;
	uint64_t sector;

	*count = 0;
	if (!e2lazy_is_blktrace(record))
		return E2LAZY_ET_TRACE_LINE;
	*more = number(record + AT_MORE, 2, big);
	action = number(record + AT_ACTION, 4, big);
	if (!is_wanted(im, action, number(record + AT_DEVICE, 4, big)))
		return 0;
	r.t = number(record + AT_TIME, 8, big);
	sector = number(record + AT_SECTOR, 8, big);
	r.length = number(record + AT_BYTES, 4, big);
	if (r.length && sector > (INT64_MAX - UINT32_MAX) / SECTOR)
		return E2LAZY_ET_TRACE_LINE;
	r.offset = sector * SECTOR;
	if (!im->began)
		im->first = r.t;
	im->began = true;
	r.t = r.t > im->first ? r.t - im->first : 0;
	if (r.t > INT64_MAX)
		return E2LAZY_ET_TRACE_LINE;
	put_requests(action, r, out, count);
	return 0;
}
