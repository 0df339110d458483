/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * memory.c - the memory that is available to a process
 *
 * /proc/self/cgroup names the process's group in each hierarchy.
 * /proc/self/mountinfo has the place where a hierarchy is mounted, and the
 * group that is mounted there.  In a container that may be the process's own
 * group or one around it; groups above are invisible, and an unreadable limit
 * counts as none.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "memory.h"

/* A hierarchy that limits memory, and the file with a group's limit. */
struct hierarchy {
	const char	*type;		/* of its mount */
	const char	*controller;	/* its name; NULL: there is but one */
	const char	*limit;
};

static const struct hierarchy hierarchies[] = {
	{ "cgroup2", NULL, "memory.max" },
	{ "cgroup", "memory", "memory.limit_in_bytes" },
};

static uint64_t least(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static FILE *open_below(const char *root, const char *path)
{
	FILE *file;
	char *name;

	if (asprintf(&name, "%s%s", root ? root : "", path) < 0)
		return NULL;
	file = fopen(name, "re");
	free(name);
	return file;
}

/* Is @word in @list, whose words have commas between? */
static bool has_word(const char *list, const char *word)
{
	size_t length = strlen(word);

	for (; list; list = strchr(list, ',')) {
		list += *list == ',';
		if (!strncmp(list, word, length) &&
		    (!list[length] || list[length] == ','))
			return true;
	}
	return false;
}

/* -------------------------------------------------------------- a group */

/* "max" is no number, and a huge number is no limit either. */
static uint64_t read_limit(const char *root, const char *dir, const char *file)
{
	unsigned long long value;
	char text[32] = "", *end, *path;
	FILE *in;

	if (asprintf(&path, "%s/%s", dir, file) < 0)
		return MEMORY_UNLIMITED;
	in = open_below(root, path);
	free(path);
	if (!in)
		return MEMORY_UNLIMITED;
	if (!fgets(text, sizeof(text), in))
		*text = '\0';
	fclose(in);
	errno = 0;
	value = strtoull(text, &end, 10);
	if (*text < '0' || *text > '9' || (*end && *end != '\n') || errno)
		return MEMORY_UNLIMITED;
	return value;
}

/* The least limit of @group and those around it, below @mounted. */
static uint64_t limit_of_group(const char *root, const char *mounted,
			       const char *group, const char *file)
{
	uint64_t limit = MEMORY_UNLIMITED;
	char *dir, *slash;
	size_t top = strlen(mounted);

	if (asprintf(&dir, "%s%s", mounted, group) < 0)
		return limit;
	for (;;) {
		limit = least(limit, read_limit(root, dir, file));
		slash = strrchr(dir + top, '/');
		if (!slash)
			break;
		*slash = '\0';
	}
	free(dir);
	return limit;
}

/* -------------------------------------------------------------- the mount */

/* The fields of a line "id:controllers:path"; @line is cut into them. */
static char *group_in_line(char *line, const struct hierarchy *h)
{
	char *controllers = strchr(line, ':'), *path;

	if (!controllers)
		return NULL;
	*controllers++ = '\0';
	path = strchr(controllers, ':');
	if (!path)
		return NULL;
	*path++ = '\0';
	path[strcspn(path, "\n")] = '\0';
	if (h->controller ? !has_word(controllers, h->controller)
			  : *controllers != '\0')
		return NULL;
	return path;
}

/* The caller frees the result; NULL: it is in none. */
static char *own_group(const char *root, const struct hierarchy *h)
{
	FILE *file = open_below(root, "/proc/self/cgroup");
	char *line = NULL, *group = NULL, *found;
	size_t size = 0;

	if (!file)
		return NULL;
	while (!group && getline(&line, &size, file) > 0) {
		found = group_in_line(line, h);
		group = found ? strdup(found) : NULL;
	}
	free(line);
	fclose(file);
	return group;
}

/* A mount: its group, and its place. */
struct mount {
	char	*from, *at;		/* to be freed */
};

/* "id parent dev FROM AT options ... - TYPE source OPTIONS" */
static bool parse_mount(const char *line, const struct hierarchy *h,
			struct mount *mount)
{
	const char *behind = strstr(line, " - ");
	char *type = NULL, *options = NULL;
	bool found = false;

	if (behind && sscanf(behind, " - %ms %*s %ms", &type, &options) == 2 &&
	    !strcmp(type, h->type) &&
	    (!h->controller || has_word(options, h->controller))) {
		found = sscanf(line, "%*s %*s %*s %ms %ms", &mount->from,
			       &mount->at) == 2;
		if (!found) {
			free(mount->from);
			mount->from = NULL;
		}
	}
	free(type);
	free(options);
	return found;
}

/* The path of @group below the mount, without the groups above. */
static const char *name_below(const struct mount *mount, const char *group)
{
	size_t length = strlen(mount->from);

	if (length == 1)
		length = 0;		/* "/": all of it is to be seen */
	if (strncmp(group, mount->from, length) ||
	    (group[length] && group[length] != '/') ||
	    !strncmp(group, "/..", 3))
		return "";		/* it is elsewhere: as far as the top */
	return strcmp(group + length, "/") ? group + length : "";
}

static uint64_t limit_of_hierarchy(const char *root, const struct hierarchy *h)
{
	FILE *file = open_below(root, "/proc/self/mountinfo");
	char *group = own_group(root, h), *line = NULL;
	uint64_t limit = MEMORY_UNLIMITED;
	struct mount mount = { .at = NULL };
	size_t size = 0;
	bool found = false;

	while (file && group && !found && getline(&line, &size, file) > 0)
		found = parse_mount(line, h, &mount);
	if (found)
		limit = limit_of_group(root, mount.at,
				       name_below(&mount, group), h->limit);
	free(mount.from);
	free(mount.at);
	free(line);
	free(group);
	if (file)
		fclose(file);
	return limit;
}

uint64_t memory_of_cgroups(const char *root)
{
	uint64_t limit = MEMORY_UNLIMITED;

	for (size_t i = 0; i < sizeof(hierarchies) / sizeof(*hierarchies); i++)
		limit = least(limit, limit_of_hierarchy(root, &hierarchies[i]));
	return limit;
}

uint64_t memory_there_is(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
	uint64_t memory = memory_of_cgroups(NULL);
	struct rlimit space;

	if (!getrlimit(RLIMIT_AS, &space) && space.rlim_cur != RLIM_INFINITY)
		memory = least(memory, space.rlim_cur);
	if (pages > 0 && size > 0)
		memory = least(memory, (uint64_t)pages * (uint64_t)size);
	return memory == MEMORY_UNLIMITED ? 0 : memory;
}
