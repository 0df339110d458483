/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * timer.c - the kernel's limits on the age of a dirty block in memory
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "sysfs.h"

/* More than a day is a mistake. */
#define MOST_CENTISECS	8640000

/*
 * "6.1.0-18-amd64": take the digits before and after the first dot.  Any other
 * text leaves the version unknown.
 */
static void parse_release(const char *text, struct e2lazy_dirty_timer *out)
{
	unsigned major, minor;

	if (sscanf(text, "%4u.%4u", &major, &minor) != 2)
		return;
	out->kernel_major = major;
	out->kernel_minor = minor;
}

static void read_release(const char *root, const struct node *proc,
			 struct e2lazy_dirty_timer *out)
{
	struct utsname name;
	char text[128];

	if (node_text(proc, "kernel/osrelease", text, sizeof(text)))
		parse_release(text, out);
	else if (is_own_root(root) && !uname(&name))
		parse_release(name.release, out);
}

static bool read_ms(struct node *proc, const char *attr, uint64_t *ms)
{
	uint64_t centisecs;

	if (!node_number(proc, attr, MOST_CENTISECS, &centisecs))
		return false;
	*ms = centisecs * 10;
	return true;
}

errcode_t e2lazy_dirty_timer(const char *root, struct e2lazy_dirty_timer *out)
{
	struct node proc;
	errcode_t err;

	memset(out, 0, sizeof(*out));
	err = node_open(under_root(is_own_root(root) ? NULL : root,
				   "/proc/sys"), &proc);
	if (err)
		return err == EXT2_ET_NO_MEMORY ? err : E2LAZY_ET_DIRTY_TIMER;
	read_release(root, &proc, out);
	if (!read_ms(&proc, "vm/dirty_expire_centisecs", &out->expire_ms) ||
	    !read_ms(&proc, "vm/dirty_writeback_centisecs", &out->wakeup_ms))
		err = E2LAZY_ET_DIRTY_TIMER;
	node_close(&proc);
	return err;
}
