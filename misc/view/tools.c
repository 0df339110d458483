/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tools.c - finds the programs and the plugin of e2lazy view
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/nls.h"
#include "support/status.h"
#include "support/trust.h"
#include "view.h"

#define PLUGIN	"nbdkit-e2lazy-plugin.so"

/* Returns DIRECTORY/NAME, to be freed, if access(2) with @mode allows it. */
static char *in_directory(const char *directory, int length, const char *name,
			  int mode)
{
	char *path;

	if (asprintf(&path, "%.*s/%s", length, directory, name) < 0)
		return NULL;
	if (!access(path, mode))
		return path;
	free(path);
	return NULL;
}

static char *in_path(const char *name)
{
	const char *path = getenv("PATH"), *end;
	char usual[E2LAZY_PATH_MAX], *found;

	/* Search PATH like a shell and execvp(). */
	if (!path && confstr(_CS_PATH, usual, sizeof(usual)))
		path = usual;

	for (; path; path = *end ? end + 1 : NULL) {
		end = strchrnul(path, ':');
		/* An empty element means the current directory: skip it. */
		found = end == path ? NULL :
			in_directory(path, (int)(end - path), name, X_OK);
		if (found)
			return found;
	}
	return NULL;
}

/* The directory of this program, which may be built but not installed. */
static char *beside_program(const char *name)
{
	char path[E2LAZY_PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);
	char *slash;

	if (length < 0)
		return NULL;
	path[length] = 0;
	slash = strrchr(path, '/');
	return slash ? in_directory(path, (int)(slash - path), name, R_OK)
		     : NULL;
}

/* nbdkit takes a name without a slash for one of its own plugins. */
static bool named_plugin(char **path)
{
	if (!environment_path("E2LAZY_PLUGIN", path))
		return false;
	if (!*path || !access(*path, R_OK))
		return true;
	complain_error(*path, errno);
	return false;
}

static void complain_plugin(void)
{
#ifdef HAVE_NBDKIT
	complain("view", _("%s: found neither beside the program nor in %s"),
		 PLUGIN, PLUGINDIR);
#else
	complain("view", _("%s: missing; e2lazy was built without nbdkit's "
			   "header (Debian package: "
			   "nbdkit-plugin-dev)"), PLUGIN);
#endif
}

static bool find_plugin(char **path)
{
	if (!named_plugin(path))
		return false;
	if (!*path)
		*path = beside_program(PLUGIN);
	if (!*path)
		*path = in_directory(PLUGINDIR, strlen(PLUGINDIR), PLUGIN,
				     R_OK);
	if (!*path)
		complain_plugin();
	return *path;
}

void view_free_tools(struct view_tools *tools)
{
	free(tools->nbdkit);
	free(tools->nbdfuse);
	free(tools->fusermount);
	free(tools->plugin);
}

struct need {
	const char	*name;
	const char	*package;	/* package of Debian */
	char		**path;		/* the path that was found */
	bool		wanted;
};

static bool find_programs(const struct need *needs, size_t count)
{
	char names[128] = "", packages[128] = "";
	size_t used;

	for (; count; count--, needs++) {
		if (!needs->wanted)
			continue;
		*needs->path = in_path(needs->name);
		if (*needs->path)
			continue;
		used = strlen(names);
		snprintf(names + used, sizeof(names) - used, "%s%s",
			 used ? ", " : "", needs->name);
		used = strlen(packages);
		snprintf(packages + used, sizeof(packages) - used, "%s%s",
			 used ? " " : "", needs->package);
	}
	if (*names)
		complain("view", _("%s: not found in PATH (Debian packages: "
				   "%s)"), names, packages);
	return !*names;
}

bool view_find_tools(struct view *v)
{
	struct view_tools *t = &v->tools;
	bool files = v->mode != VIEW_SOCKET;
	const struct need needs[] = {
		{ "nbdkit", "nbdkit", &t->nbdkit, true },
		{ "nbdfuse", "libnbd-bin", &t->nbdfuse, files },
		{ "fusermount3", "fuse3", &t->fusermount, files },
	};

	if (find_programs(needs, sizeof(needs) / sizeof(*needs)) &&
	    (v->as_is || find_plugin(&t->plugin))) {
		if (files && access("/dev/fuse", R_OK | W_OK))
			complain("/dev/fuse", "%s", strerror(errno));
		else if (v->mode == VIEW_MOUNT && geteuid())
			complain("view", _("--mount: only root can mount"));
		else
			return true;
	}
	v->s->status |= FSCK_ERROR;
	return false;
}
