/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * tracefs.c - tracefs, an instance of it, and its files
 *
 * If nobody has mounted tracefs, it is mounted on a directory of our own, and
 * unmounted at once: the open directory keeps it, and its end ends the mount.
 * So nothing is left behind, not even by a kill.  An instance would be: its name
 * has the process's id, and the next recorder removes it.
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "e2lazy_err.h"
#include "tracefs.h"

#define INSTANCE	"instances/e2lazy."
#define TRACEFS_MAGIC	0x74726163
/* The largest file that is read here has some KiB. */
#define MOST_TEXT	(1U << 20)

static errcode_t open_at(const char *path, int *fd)
{
	struct statfs fs;

	*fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*fd < 0)
		return errno;
	if (!fstatfs(*fd, &fs) && fs.f_type == TRACEFS_MAGIC)
		return 0;
	close(*fd);
	return E2LAZY_ET_NO_TRACEFS;
}

/* A right that is missing is another matter than a kernel, or a place. */
static errcode_t cannot_mount(void)
{
	return errno == EPERM || errno == EACCES ? errno :
						   E2LAZY_ET_NO_TRACEFS;
}

static errcode_t mount_own(int *fd)
{
	char dir[] = "/tmp/e2lazy-XXXXXX";
	errcode_t err;

	if (!mkdtemp(dir))
		return cannot_mount();
	if (mount("tracefs", dir, "tracefs", MS_NOSUID | MS_NODEV | MS_NOEXEC,
		  NULL))
		err = cannot_mount();
	else
		err = open_at(dir, fd);
	umount2(dir, MNT_DETACH);
	rmdir(dir);
	return err;
}

errcode_t tracefs_open(const char *given, int *fd)
{
	static const char *const usual[] = {
		"/sys/kernel/tracing", "/sys/kernel/debug/tracing",
	};

	if (given)
		return open_at(given, fd);
	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
		if (!open_at(usual[i], fd))
			return 0;
	return mount_own(fd);
}

/* A process that is gone cannot remove its instance. */
static void remove_stale(int tracefs)
{
	int fd = openat(tracefs, "instances", O_RDONLY | O_DIRECTORY |
			O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	int pid;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return;
	}
	while ((entry = readdir(dir)))
		if (sscanf(entry->d_name, "e2lazy.%d", &pid) == 1 && pid > 0 &&
		    kill(pid, 0) && errno == ESRCH)
			unlinkat(fd, entry->d_name, AT_REMOVEDIR);
	closedir(dir);
}

errcode_t tracefs_instance(int tracefs, char *name, int *fd)
{
	remove_stale(tracefs);
	snprintf(name, TRACEFS_NAME, INSTANCE "%d", (int)getpid());
	if (mkdirat(tracefs, name, 0700))
		return errno == ENOENT ? E2LAZY_ET_TRACEFS : errno;
	*fd = openat(tracefs, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (*fd >= 0)
		return 0;
	tracefs_remove(tracefs, name);
	return E2LAZY_ET_TRACEFS;
}

void tracefs_remove(int tracefs, const char *name)
{
	unlinkat(tracefs, name, AT_REMOVEDIR);
}

errcode_t tracefs_write(int dir, const char *path, const char *text)
{
	int fd = openat(dir, path, O_WRONLY | O_TRUNC | O_CLOEXEC);
	errcode_t err = 0;

	if (fd < 0)
		return errno == ENOENT ? E2LAZY_ET_TRACEFS : errno;
	if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		err = errno ? errno : EIO;
	close(fd);
	return err;
}

errcode_t tracefs_read(int dir, const char *path, char **out)
{
	int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
	size_t used = 0, room = 8192;
	ssize_t n = 1;
	char *text;

	*out = NULL;
	if (fd < 0)
		return errno == ENOENT ? E2LAZY_ET_TRACEFS : errno;
	text = malloc(room);
	while (text && n > 0 && used < MOST_TEXT) {
		n = read(fd, text + used, room - used - 1);
		if (n > 0)
			used += n;
		if (room - used < 2) {
			char *larger = realloc(text, room *= 2);

			if (!larger)
				free(text);
			text = larger;
		}
	}
	close(fd);
	if (!text)
		return EXT2_ET_NO_MEMORY;
	text[used] = 0;
	*out = text;
	return 0;
}
