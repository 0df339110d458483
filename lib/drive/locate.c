/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * locate.c - find the directory of a device in sysfs
 *
 * On this machine the device number decides, because names and links can
 * change.  In a tree recorded on another machine numbers mean nothing, so the
 * name decides.
 */

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "sysfs.h"

bool is_own_root(const char *root)
{
	return !root || !strcmp(root, "/") || !*root;
}

/* Tell a file from a block device; set @rdev for the latter. */
static errcode_t look(const char *device, enum located *kind, dev_t *rdev)
{
	struct stat st;

	if (stat(device, &st))
		return errno;
	if (!S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode))
		return S_ISDIR(st.st_mode) ? EISDIR : ENOTBLK;
	*kind = S_ISREG(st.st_mode) ? LOCATED_FILE : LOCATED_UNKNOWN;
	*rdev = st.st_rdev;
	return 0;
}

static errcode_t locate_here(const char *device, enum located *kind,
			     struct node *out)
{
	dev_t rdev;
	char path[64];
	errcode_t err;

	err = look(device, kind, &rdev);
	if (err || *kind == LOCATED_FILE)
		return err;
	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u", major(rdev),
		 minor(rdev));
	err = node_open(under_root(NULL, path), out);
	if (err == EXT2_ET_NO_MEMORY)
		return err;
	if (!err)
		*kind = LOCATED_NODE;
	return 0;
}

/* sysfs calls "/dev/cciss/c0d0" "cciss!c0d0"; it has no "disk/by-id/...". */
static errcode_t by_name(const char *root, const char *name, struct node *out)
{
	char *path = NULL;

	if (asprintf(&path, "%s/sys/class/block/%s", root, name) < 0)
		return EXT2_ET_NO_MEMORY;
	for (char *c = path + strlen(path) - strlen(name); *c; c++)
		if (*c == '/')
			*c = '!';
	return node_open(path, out);
}

/* sysfs does not list device mapper's names: compare that of each dm device. */
static errcode_t by_mapping(const char *root, const char *name,
			    struct node *out)
{
	char *path = under_root(root, "/sys/class/block"), said[256];
	struct dirent *entry;
	errcode_t err = ENOENT;
	DIR *dir;

	if (!path)
		return EXT2_ET_NO_MEMORY;
	dir = opendir(path);
	free(path);
	while (err == ENOENT && dir && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, "dm-", 3))
			continue;
		err = by_name(root, entry->d_name, out);
		if (err)
			continue;
		if (!node_text(out, "dm/name", said, sizeof(said)) ||
		    strcmp(said, name)) {
			node_close(out);
			err = ENOENT;
		}
	}
	if (dir)
		closedir(dir);
	return err;
}

static bool has_sysfs(const char *root)
{
	struct node node;
	bool has = !node_open(under_root(root, "/sys/class/block"), &node);

	node_close(&node);
	return has;
}

static errcode_t locate_there(const char *root, const char *device,
			      enum located *kind, struct node *out)
{
	const char *slash = strrchr(device, '/');
	const char *name = !strncmp(device, "/dev/", 5) ? device + 5 :
			   slash ? slash + 1 : device;
	const char *mapping = !strncmp(name, "mapper/", 7) ? name + 7 : name;
	dev_t rdev;
	errcode_t err = ENOENT;

	*kind = LOCATED_NODE;
	if (*name && *name != '.')
		err = by_name(root, name, out);
	if (err && err != EXT2_ET_NO_MEMORY && *mapping)
		err = by_mapping(root, mapping, out);
	if (!err || err == EXT2_ET_NO_MEMORY)
		return err;
	err = look(device, kind, &rdev);
	if (!err && *kind == LOCATED_FILE)
		return 0;
	*kind = LOCATED_UNKNOWN;
	return has_sysfs(root) ? ENOENT : 0;
}

errcode_t locate(const char *root, const char *device, enum located *kind,
		 struct node *out)
{
	memset(out, 0, sizeof(*out));
	return is_own_root(root) ? locate_here(device, kind, out) :
				   locate_there(root, device, kind, out);
}
