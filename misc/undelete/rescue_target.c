/* SPDX-License-Identifier: GPL-2.0-only */
/* rescue_target.c - can the directory take what is to be copied? */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "rescue.h"
#include "support/nls.h"
#include "support/status.h"
#include "support/units.h"

bool target_has_room(struct rescue *r)
{
	const struct state *best = r->best;
	uint64_t need = best->assessed.blocks * best->blocksize;
	char needs[SIZE_TEXT], has[SIZE_TEXT];
	struct statvfs st;
	uint64_t room;

	/* A second run goes on where the first one ended. */
	if (fstatvfs(r->to_fd, &st) || !faccessat(r->to_fd, "tree", F_OK, 0))
		return true;
	room = (uint64_t)st.f_bavail * st.f_frsize;
	if (room >= need)
		return true;
	size_text(needs, need);
	size_text(has, room);
	session_complain(r->s, FSCK_ERROR,
			 _("%s: the files take %s, and it has room for %s"),
			 r->to, needs, has);
	return false;
}

void target_tell_limits(struct rescue *r)
{
	if (geteuid())
		session_complain(r->s, 0, _("only root can keep owners, device "
					    "files and security attributes"));
	if (fsetxattr(r->to_fd, "user.e2lazy", "", 0, 0) &&
	    errno == EOPNOTSUPP)
		session_complain(r->s, 0, _("%s: it keeps no extended "
					    "attributes"), r->to);
	else
		fremovexattr(r->to_fd, "user.e2lazy");
}
