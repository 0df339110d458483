/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * background.c - waits for what the kernel does after a mount
 *
 * A thread of the kernel looks at the block bitmaps of all groups then, some
 * seconds long on a large disk, and locks one group after the other.  Since Linux
 * 6.17 the allocator passes over a locked group, so a block that is wanted
 * meanwhile may come from a group far away: by chance a run dirties ten times as
 * many bands as the next one (doc/presets.md).
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "make.h"
#include "session/child.h"
#include "support/nls.h"
#include "support/status.h"

#define THREAD	"ext4lazyinit\n"	/* as /proc has it */
#define LOOK_MS	100
#define MOST_MS	60000

/* Does a process or a thread of the kernel, by its number, have this name? */
static bool is_thread(const char *number)
{
	char path[64], name[32] = "";
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%.20s/comm", number);
	file = fopen(path, "re");
	if (!file)	/* it has ended */
		return false;
	if (!fgets(name, sizeof(name), file))
		*name = '\0';
	fclose(file);
	return !strcmp(name, THREAD);
}

static bool kernel_works(void)
{
	DIR *dir = opendir("/proc");
	struct dirent *d;
	bool found = false;

	while (dir && !found && (d = readdir(dir)))
		found = isdigit((unsigned char)*d->d_name) &&
			is_thread(d->d_name);
	if (dir)
		closedir(dir);
	return found;
}

bool make_await_background(struct make *m)
{
	for (unsigned waited = 0; kernel_works(); waited += LOOK_MS) {
		if (cancelled())
			return false;
		if (waited >= MOST_MS) {
			session_complain(m->s, 0,
					 _("the kernel still prepares a file "
					   "system in the background, so equal "
					   "runs can differ"));
			break;
		}
		pause_ms(LOOK_MS);
	}
	return true;
}
