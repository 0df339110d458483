/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trial.c - a file system of --simulate: a sparse file, mounted by a loop device
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/loop.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "session/child.h"
#include "support/nls.h"
#include "support/status.h"
#include "support/trust.h"
#include "trial.h"

#define JOURNAL_MIB	1024		/* or an eighth of a small device */
/* Its number is FS_IOC_GOINGDOWN of XFS, which no header of the kernel has. */
#define EXT4_SHUTDOWN	_IOR('X', 125, uint32_t)

bool trial_fail(struct trial *t, const char *name, int error)
{
	out_flush(&t->m->s->print.out);
	complain_error(name, error);
	t->m->s->status |= FSCK_ERROR;
	return false;
}

static bool make_image(struct trial *t)
{
	int fd = open(t->image, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	bool ok;

	if (fd < 0)
		return trial_fail(t, t->image, errno);
	ok = !ftruncate(fd, make_bytes(t->m)) || trial_fail(t, t->image, errno);
	close(fd);
	return ok;
}

static unsigned journal_mib(const struct make *m)
{
	uint64_t part = make_bytes(m) >> 23;

	return part < JOURNAL_MIB ? (unsigned)part + !part : JOURNAL_MIB;
}

/* Nothing is written twice: the file is full of zeros. */
static bool make_fs(struct trial *t)
{
	const struct make_mke2fs how = {
		.profile = t->profile, .target = t->image, .trial = true,
		.journal = (uint64_t)journal_mib(t->m) << 20,
		.goal = UINT64_MAX,
		.extended = "assume_storage_prezeroed=1,lazy_itable_init=1,"
			    "lazy_journal_init=1",
	};
	struct words words = { 0 };
	bool ok;

	make_mke2fs(t->m, &how, &words);
	ok = !words.failed && child_run("mke2fs", &words, NULL);
	words_free(&words);
	if (!ok)
		t->m->s->status |= FSCK_ERROR;
	return ok;
}

static bool attach(struct trial *t)
{
	struct loop_config config = { .info.lo_flags = LO_FLAGS_AUTOCLEAR };
	int control = open("/dev/loop-control", O_RDWR | O_CLOEXEC);
	int backing = open(t->image, O_RDWR | O_CLOEXEC), number = -1;
	bool ok = false;

	config.fd = backing;
	/* Another process may take the same one. */
	for (int i = 0; control >= 0 && backing >= 0 && !ok && i < 16; i++) {
		number = ioctl(control, LOOP_CTL_GET_FREE);
		snprintf(t->device, sizeof(t->device), "/dev/loop%d", number);
		t->loop = number < 0 ? -1 : open(t->device, O_RDWR | O_CLOEXEC);
		if (t->loop < 0)
			break;
		ok = !ioctl(t->loop, LOOP_CONFIGURE, &config);
		if (!ok) {
			int error = errno;

			close(t->loop);
			t->loop = -1;
			errno = error;
			if (error != EBUSY)
				break;
		}
	}
	if (!ok)
		trial_fail(t, t->device[0] ? t->device : "/dev/loop-control", errno);
	if (control >= 0)
		close(control);
	if (backing >= 0)
		close(backing);
	return ok;
}

static bool mount_it(struct trial *t)
{
	t->mounted = !mount(t->device, t->mount, "ext4", MS_NOATIME, NULL);
	return t->mounted || trial_fail(t, t->device, errno);
}

bool trial_mount(struct trial *t)
{
	return make_image(t) && make_fs(t) && attach(t) && mount_it(t);
}

void trial_shut_down(struct trial *t)
{
	uint32_t without_log = 2;
	int fd = open(t->mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	ioctl(fd, EXT4_SHUTDOWN, &without_log);
	close(fd);
}

/*
 * A process that has entered our namespace, or copied it, can hold the mount: then
 * the kernel writes the rest only when that ends.
 */
static bool is_let_go(struct trial *t)
{
	int fd = open(t->device, O_RDONLY | O_EXCL | O_CLOEXEC);

	if (fd >= 0) {
		close(fd);
		return true;
	}
	if (errno != EBUSY)
		return trial_fail(t, t->device, errno);
	session_complain(t->m->s, FSCK_ERROR,
			 _("another mount namespace still has the file system "
			   "of %s in use, so its last writes are missing"),
			 t->profile->name);
	return false;
}

bool trial_unmount(struct trial *t)
{
	int fd = open(t->mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC), error;

	if (cancelled())
		trial_shut_down(t);
	else if (fd < 0 || syncfs(fd))
		trial_fail(t, t->mount, errno);
	if (fd >= 0)
		close(fd);
	error = umount(t->mount) ? errno : 0;
	t->mounted = error;
	return error ? trial_fail(t, t->mount, error) : cancelled() || is_let_go(t);
}

void trial_release(struct trial *t)
{
	if (t->mounted && cancelled())
		trial_shut_down(t);
	if (t->mounted && umount(t->mount))
		umount2(t->mount, MNT_DETACH);
	/* It lets the image go by itself. */
	if (t->loop >= 0)
		close(t->loop);
	if (unlink(t->image) && errno != ENOENT)
		trial_fail(t, t->image, errno);
	t->mounted = false;
	t->loop = -1;
}

bool trial_make_places(struct trial *t)
{
	char *tmp;

	if (!environment_path("TMPDIR", &tmp)) {
		t->m->s->status |= FSCK_ERROR;
		return false;
	}
	if (asprintf(&t->directory, "%s/mke2lazy.XXXXXX",
		     tmp ? tmp : "/tmp") < 0)
		t->directory = NULL;
	free(tmp);
	if (!t->directory || !mkdtemp(t->directory)) {
		trial_fail(t, t->directory, t->directory ? errno : ENOMEM);
		free(t->directory);
		t->directory = NULL;
		return false;
	}
	if (asprintf(&t->image, "%s/image", t->directory) < 0)
		t->image = NULL;
	if (asprintf(&t->mount, "%s/mount", t->directory) < 0)
		t->mount = NULL;
	if (!t->image || !t->mount)
		return trial_fail(t, NULL, ENOMEM);
	return !mkdir(t->mount, 0700) || trial_fail(t, t->mount, errno);
}

void trial_remove_places(struct trial *t)
{
	if (t->mount)
		rmdir(t->mount);
	if (t->directory && rmdir(t->directory))
		trial_fail(t, t->directory, errno);
	free(t->mount);
	free(t->image);
	free(t->directory);
}
