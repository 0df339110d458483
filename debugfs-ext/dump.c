/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dump.c - debuglazy: dump, one file to a file of this system
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "copy.h"
#include "support/nls.h"
#include "support/output.h"
#include "support/status.h"

const struct option_line dump_options[] = {
	{ 'p', "preserve", NULL, N_("keep mode, owner and times") },
	{ 's', "set-ids", NULL,
	  N_("with -p, keep set-user-ID and set-group-ID bits") },
	{ 'f', "force", NULL, N_("replace FILE if it exists") },
	{ 0 }
};

/*
 * A temporary name beside the file to replace: the old file stays until the
 * new one is complete. dump replaces a regular file only, never a device.
 */
static char *name_beside(struct session *s, const struct output *to)
{
	struct stat st;
	char *beside;

	if (!fstatat(to->dir, to->name, &st, AT_SYMLINK_NOFOLLOW) &&
	    !S_ISREG(st.st_mode)) {
		shell_fail_native(s, s->operands[1], EEXIST);
		return NULL;
	}
	if (asprintf(&beside, "%s.%d", to->name, (int)getpid()) < 0) {
		shell_fail_native(s, s->operands[1], ENOMEM);
		return NULL;
	}
	return beside;
}

static void replace(struct copying *c, struct original *from,
		    const struct output *to)
{
	char *beside = name_beside(c->s, to);

	if (!beside)
		return;
	if (copy_file(c, from, to->dir, beside) &&
	    renameat(to->dir, beside, to->dir, to->name)) {
		shell_fail_native(c->s, c->shown, errno);
		unlinkat(to->dir, beside, 0);
	}
	free(beside);
}

void run_dump(struct shell *shell, struct session *s)
{
	struct copying c = { .shell = shell, .s = s };
	struct original from;
	struct output to;
	bool force = false;
	char *arg;
	int id;

	while ((id = session_option(s, NULL, &arg)) != OPTION_END) {
		if (id == OPTION_BAD)
			return;
		if (id == 'f')
			force = true;
		else
			copy_option(&c, id);
	}
	if (!copy_options_fit(&c) || !session_operands(s, 2, 2) ||
	    !copy_find_file(&c, s->operands[0], &from))
		return;
	if (!output_find_new(&to, s->operands[1])) {
		s->status |= FSCK_ERROR;
		return;
	}
	copy_begin(&c);
	c.shown = s->operands[1];
	if (force)
		replace(&c, &from, &to);
	else
		copy_file(&c, &from, to.dir, to.name);
	copy_tell_cleared(&c);
	output_close(&to);
}
