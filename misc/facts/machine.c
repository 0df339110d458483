/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * machine.c - what mounts, checks or enlarges the file system by itself
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine_files.h"
#include "support/nls.h"

#define MAX_ENTRIES	100000		/* of one directory */

static bool exists(const struct machine *m, const char *file)
{
	char path[MACHINE_PATH];

	return machine_path(m, file, path) && !access(path, F_OK);
}

/* -------------------------------------------------- the kernel's command line */

static const struct word {
	const char	*word, *id, *text;
} words[] = {
	{ "fsck.mode=force", "fsck-forced",
	  N_("boot runs e2fsck -f on each listed device") },
	{ "forcefsck", "fsck-forced",
	  N_("boot runs e2fsck -f on each listed device") },
	{ "fsck.repair=yes", "fsck-repair",
	  N_("boot runs e2fsck -y instead of -p: it answers yes to all") },
	{ "fsck.mode=skip", "fsck-skipped",
	  N_("boot runs no e2fsck; the mount replays the log") },
	{ "fastboot", "fsck-skipped",
	  N_("boot runs no e2fsck; the mount replays the log") },
};

static void look_at_command_line(struct machine *m)
{
	static const char file[] = "/proc/cmdline";
	char line[MACHINE_PATH], *rest = line, *word;
	FILE *f;

	if (machine_open(m, file, &f))
		return;
	if (!fgets(line, sizeof(line), f))
		*line = '\0';
	fclose(f);
	while ((word = strsep(&rest, " \t\n")))
		for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
			if (!strcmp(word, words[i].word))
				machine_add(m, words[i].id, file,
					    words[i].text, word);
}

/* -------------------------------------------------------- other settings */

static const struct setting {
	const char	*file;		/* or a directory of *.cfg */
	const char	*line;		/* its beginning */
	const char	*id, *text;
} settings[] = {
	{ "/etc/default/rcS", "FSCKFIX=yes", "fsck-repair",
	  N_("boot runs e2fsck -y instead of -p: it answers yes to all") },
	{ "/etc/cloud/cloud.cfg", " - growpart", "grow-at-boot",
	  N_("cloud-init enlarges the partition of the root file system") },
	{ "/etc/cloud/cloud.cfg", " - resizefs", "grow-at-boot",
	  N_("cloud-init enlarges the root file system") },
	{ "/etc/cloud/cloud.cfg", "fs_setup:", "mkfs-at-boot",
	  N_("cloud-init makes new file systems") },
	{ "/etc/cloud/cloud.cfg.d", "fs_setup:", "mkfs-at-boot",
	  N_("cloud-init makes new file systems") },
	{ "/etc/e2scrub.conf", "periodic_e2scrub=1", "scrub",
	  N_("e2scrub regularly checks a snapshot of each mounted volume, and "
	     "runs tune2fs on the volume") },
	{ "/etc/e2scrub.conf", "scrub_all=1", "scrub",
	  N_("e2scrub also takes volumes that are not mounted: there tune2fs "
	     "replays or drops the log") },
	{ "/etc/e2scrub.conf", "fstrim=1", "discard",
	  N_("e2scrub discards freed blocks: deleted files cannot be "
	     "restored") },
};

/* Blanks count as one, and those at the beginning as none. */
static bool begins_with(const char *line, const char *lead)
{
	line += strspn(line, " \t");
	for (lead += strspn(lead, " "); *lead; lead++, line++) {
		if (*lead != *line)
			return false;
		if (*lead == ' ')
			line += strspn(line, " \t") - 1;
	}
	return true;
}

static void look_at_setting(struct machine *m, const struct setting *s,
			    const char *file, const char *name)
{
	bool any;

	if (!machine_has_line(m, file, begins_with, s->line, &any) && any)
		machine_add(m, s->id, s->file, s->text, name);
}

static void look_at_directory(struct machine *m, const struct setting *s)
{
	char path[MACHINE_PATH], file[MACHINE_PATH];
	struct dirent *entry;
	DIR *dir;

	dir = machine_path(m, s->file, path) ? opendir(path) : NULL;
	if (!dir)
		return;
	for (unsigned n = 0; n < MAX_ENTRIES && (entry = readdir(dir)); n++) {
		const char *dot = strrchr(entry->d_name, '.');

		if (dot && !strcmp(dot, ".cfg") &&
		    snprintf(file, sizeof(file), "%s/%s", s->file,
			     entry->d_name) < MACHINE_PATH)
			look_at_setting(m, s, file, entry->d_name);
	}
	closedir(dir);
}

static void look_at_settings(struct machine *m)
{
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
		look_at_setting(m, &settings[i], settings[i].file, NULL);
		look_at_directory(m, &settings[i]);
	}
}

static const struct presence {
	const char	*file, *id, *text;
} presences[] = {
	{ "/forcefsck", "fsck-forced",
	  N_("the next boot runs e2fsck -f on each listed device") },
	{ "/etc/auto.master", "automount",
	  N_("autofs mounts on access what its maps list") },
	{ "/etc/repart.d", "grow-at-boot",
	  N_("systemd-repart may enlarge partitions at boot, and their file "
	     "systems") },
	{ "/etc/init.d/resize2fs_once", "grow-at-boot",
	  N_("the first boot enlarges the root file system") },
	{ "/usr/share/initramfs-tools/scripts/local-bottom/growroot",
	  "grow-at-boot",
	  N_("the initramfs enlarges the partition of the root file system") },
	{ "/etc/systemd/system/timers.target.wants/fstrim.timer", "discard",
	  N_("a weekly fstrim discards freed blocks of mounted file systems: "
	     "deleted files cannot be restored") },
	{ "/usr/sbin/qemu-ga", "snapshot",
	  N_("the host may take snapshots: that of a lazily journaled file "
	     "system lacks needs_recovery, and a mount discards its log") },
	{ "/usr/bin/vmtoolsd", "snapshot",
	  N_("the host may take snapshots: that of a lazily journaled file "
	     "system lacks needs_recovery, and a mount discards its log") },
	{ "/usr/libexec/udisks2/udisksd", "automount",
	  N_("a desktop session mounts devices that are plugged in") },
	{ "/usr/lib/udisks2/udisksd", "automount",
	  N_("a desktop session mounts devices that are plugged in") },
};

static void look_at_presences(struct machine *m)
{
	for (size_t i = 0; i < sizeof(presences) / sizeof(*presences); i++)
		if (exists(m, presences[i].file))
			machine_add(m, presences[i].id, presences[i].file,
				    presences[i].text, NULL);
}

/* ---------------------------------------------------------- the boot menu */

#define MAX_KERNELS	16

struct menu {
	char	*kernels[MAX_KERNELS];	/* their versions, as listed */
	size_t	count;
};

static void take_kernel(struct menu *menu, const char *line)
{
	const char *at = strstr(line, "/vmlinuz-");
	char *version;

	line += strspn(line, " \t");
	if (!at || (strncmp(line, "linux", 5) && strncmp(line, "kernel", 6)))
		return;
	at += strlen("/vmlinuz-");
	version = strndup(at, strcspn(at, " \t\n\"'"));
	for (size_t i = 0; version && i < menu->count; i++)
		if (!strcmp(menu->kernels[i], version)) {
			free(version);
			return;
		}
	if (version && menu->count < MAX_KERNELS)
		menu->kernels[menu->count++] = version;
	else
		free(version);
}

/* The kernel that boots by itself is the first one, as GRUB makes its menu. */
static void look_at_menu(struct machine *m)
{
	static const char file[] = "/boot/grub/grub.cfg";
	struct menu menu = { .count = 0 };
	char line[MACHINE_PATH];
	FILE *f;

	if (machine_open(m, file, &f))
		return;
	while (fgets(line, sizeof(line), f))
		take_kernel(&menu, line);
	fclose(f);
	for (size_t i = 0; i < menu.count; i++) {
		if (i && strverscmp(menu.kernels[i], menu.kernels[0]) < 0)
			machine_add(m, "older-kernel", file,
				    N_("the boot menu has an older kernel, "
				       "which may not know the journal's "
				       "features"), menu.kernels[i]);
		if (i)
			free(menu.kernels[i]);
	}
	if (menu.count)
		free(menu.kernels[0]);
}

void machine_look(struct machine *m)
{
	look_at_command_line(m);
	machine_look_at_mounts(m);
	look_at_settings(m);
	look_at_presences(m);
	look_at_menu(m);
}
