/* SPDX-License-Identifier: GPL-2.0-only */
/* rescue_target.c - can the directory take what is to be copied? */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <uuid/uuid.h>

#include "rescue.h"
#include "support/nls.h"
#include "support/status.h"
#include "support/units.h"

/* ------------------------------------------------ a rescue of before */

#define HEAD_BYTES	4096		/* of the manifest: it begins with the UUID */

bool target_is_writable(struct rescue *r)
{
	/* Without a device there is none yet. */
	if (r->to_fd < 0 ||
	    !faccessat(r->to_fd, ".", W_OK | X_OK, AT_EACCESS))
		return true;
	session_complain(r->s, FSCK_ERROR, "%s: %s", r->to, strerror(errno));
	return false;
}

static void read_head(const struct rescue *r, char head[HEAD_BYTES])
{
	int fd = openat(r->to_fd, RESCUE_MANIFEST,
			O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, head, HEAD_BYTES - 1);

	head[n < 0 ? 0 : n] = 0;
	if (fd >= 0)
		close(fd);
}

/* Two file systems in one tree would be a mixture that nobody sees. */
bool target_is_of(struct rescue *r, const struct session *s)
{
	char head[HEAD_BYTES], line[64] = "\"uuid\":\"";

	uuid_unparse_lower(s->log->geo->fs_uuid, r->uuid);
	snprintf(line + strlen(line), sizeof(line) - strlen(line), "%s",
		 r->uuid);
	read_head(r, head);
	if (!*head || !strstr(head, "\"uuid\":\"") || strstr(head, line))
		return true;
	session_complain(r->s, FSCK_ERROR,
			 _("%s: it has the files of another file system: name "
			   "another directory"), r->to);
	return false;
}

/* ------------------------------------------------------------- its limits */

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
