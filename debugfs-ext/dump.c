/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump.c - debuglazy: cat and dump, one file to standard output or to a file
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "contents.h"
#include "copy.h"
#include "support/nls.h"
#include "support/status.h"

const struct option_line dump_options[] = {
	{ 'p', "preserve", NULL, N_("keep mode, owner and times") },
	{ 'f', "force", NULL, N_("replace FILE if it is there") },
	{ 0 }
};

static bool find_file(struct copying *c, const char *path, struct source *from)
{
	from->path = path;
	if (!shell_read_inode(c->shell, c->s, path, FOLLOW, &from->ino,
			      &from->inode))
		return false;
	if (LINUX_S_ISREG(from->inode.i_mode))
		return true;
	complain(c->s->command->name, _("%s: not a regular file"), path);
	c->s->status |= FSCK_ERROR;
	return false;
}

/* ----------------------------------------------------------------- cat */

struct catting {
	struct out	*out;
	uint64_t	done;
};

static errcode_t put_zeros(struct catting *c, uint64_t end)
{
	static const char zeros[4096];
	size_t n;

	for (; c->done < end; c->done += n) {
		n = end - c->done < sizeof(zeros) ? end - c->done
						  : sizeof(zeros);
		out_bytes(c->out, zeros, n);
		if (c->out->error || cancelled())
			return E2LAZY_ET_CANCELLED;
	}
	return 0;
}

static errcode_t put_bytes(void *priv, uint64_t offset, const void *bytes,
			   size_t count)
{
	struct catting *c = priv;
	errcode_t err = put_zeros(c, offset);

	if (err)
		return err;
	out_bytes(c->out, bytes, count);
	c->done += count;
	/* That it cannot be written, session_end() tells. */
	return c->out->error ? E2LAZY_ET_CANCELLED : 0;
}

void run_cat(struct shell *shell, struct session *s)
{
	struct copying c = { .shell = shell, .s = s };
	struct catting catting = { .out = &s->out };
	struct sink sink = { put_bytes, &catting };
	struct source from;
	errcode_t err;
	char *arg;

	if (session_option(s, NULL, &arg) != OPTION_END ||
	    !session_operands(s, 1, 1) || !find_file(&c, s->operands[0], &from))
		return;
	err = contents_read(shell->fs, from.ino, &from.inode, &sink);
	if (!err)
		err = put_zeros(&catting, EXT2_I_SIZE((struct ext2_inode *)
						      &from.inode));
	if (err)
		shell_fail(shell, s, from.path, err);
}

/* ---------------------------------------------------------------- dump */

/*
 * A name beside the file to be replaced: until the new one is whole, the old
 * one stays.  Only a regular file is replaced, and never a device.
 */
static char *name_beside(struct session *s, const char *name)
{
	struct stat st;
	char *beside;

	if (!lstat(name, &st) && !S_ISREG(st.st_mode)) {
		shell_fail_native(s, name, EEXIST);
		return NULL;
	}
	if (asprintf(&beside, "%s.%d", name, (int)getpid()) < 0) {
		shell_fail_native(s, name, ENOMEM);
		return NULL;
	}
	return beside;
}

static void replace(struct copying *c, struct source *from, const char *name)
{
	char *beside = name_beside(c->s, name);

	if (!beside)
		return;
	if (copy_file(c, from, AT_FDCWD, beside) && rename(beside, name)) {
		shell_fail_native(c->s, name, errno);
		unlink(beside);
	}
	free(beside);
}

void run_dump(struct shell *shell, struct session *s)
{
	struct copying c = { .shell = shell, .s = s };
	struct source from;
	bool force = false;
	char *arg;
	int id;

	while ((id = session_option(s, NULL, &arg)) != OPTION_END) {
		if (id == OPTION_BAD)
			return;
		if (id == 'p')
			c.preserve = true;
		else
			force = true;
	}
	if (!session_operands(s, 2, 2) || !find_file(&c, s->operands[0], &from))
		return;
	c.shown = s->operands[1];
	if (force)
		replace(&c, &from, s->operands[1]);
	else
		copy_file(&c, &from, AT_FDCWD, s->operands[1]);
}
