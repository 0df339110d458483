/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * machine.c - what mounts, checks or enlarges the file system by itself
 */
#include <dirent.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uuid/uuid.h>

#include "machine.h"
#include "map/super.h"
#include "support/nls.h"

#define MAX_LINE	4096
#define MAX_LINES	100000		/* of one file */

static void add(struct machine *m, const char *id, const char *file,
		const char *text, const char *detail)
{
	if (m->count == MAX_HABITS)
		return;
	m->habits[m->count++] = (struct habit){
		id, file, text, detail ? strdup(detail) : NULL };
}

static bool path_of(const struct machine *m, const char *file,
		    char path[MAX_LINE])
{
	return snprintf(path, MAX_LINE, "%s%s", m->root, file) < MAX_LINE;
}

/* Only regular files: a fifo would wait for a writer. */
static FILE *open_file(const struct machine *m, const char *file)
{
	char path[MAX_LINE];
	struct stat st;

	if (!path_of(m, file, path) || stat(path, &st) ||
	    !S_ISREG(st.st_mode))
		return NULL;
	return fopen(path, "re");
}

static bool has_line(const struct machine *m, const char *file,
		     bool (*fits)(const char *line, const char *wanted),
		     const char *wanted)
{
	FILE *f = open_file(m, file);
	char line[MAX_LINE];
	bool found = false;

	if (!f)
		return false;
	for (unsigned n = 0; !found && n < MAX_LINES &&
	     fgets(line, sizeof(line), f); n++)
		found = fits(line, wanted);
	fclose(f);
	return found;
}

static bool exists(const struct machine *m, const char *file)
{
	char path[MAX_LINE];

	return path_of(m, file, path) && !access(path, F_OK);
}

void habit_text(const struct habit *h, unsigned indent, unsigned width,
		struct out *out)
{
	out_spaces(out, HABIT_INDENT);
	out_text(out, h->file);
	if (h->detail) {
		out_text(out, " (");
		out_printable(out, h->detail, ' ');
		out_char(out, ')');
	}
	out_text(out, ":\n");
	out_spaces(out, indent);
	out_wrapped(out, _(h->text), indent, width);
}

void habit_json(const struct habit *h, struct json *json)
{
	json_string(json, "id", h->id);
	json_string(json, "file", h->file);
	json_string(json, "detail", h->detail);
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
	char line[MAX_LINE], *rest = line, *word;
	FILE *f = open_file(m, file);

	if (!f)
		return;
	if (!fgets(line, sizeof(line), f))
		*line = '\0';
	fclose(f);
	while ((word = strsep(&rest, " \t\n")))
		for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
			if (!strcmp(word, words[i].word))
				add(m, words[i].id, file, words[i].text, word);
}

/* Files with the command line of this boot, or of the next ones. */
static const char *const command_lines[] = {
	"/proc/cmdline", "/etc/default/grub", "/etc/kernel/cmdline",
};

static bool mounts_root_with(const char *line, const char *option)
{
	const char *flags = line[strspn(line, " \t")] == '#' ? NULL :
			    strstr(line, "rootflags=");
	const char *at = flags ? strstr(flags, option) : NULL;

	/* Between the two there is no blank, which ends the word. */
	return at && flags + strcspn(flags, " \t\n\"") > at;
}

static void look_for_lazy_root(struct machine *m, const char *file)
{
	if (has_line(m, file, mounts_root_with, SUPER_LAZY))
		add(m, HABIT_LAZY_ROOT, file,
		    N_("rootflags= has journal_lazy: a kernel without it does "
		       "not mount the root file system"), NULL);
}

/* ------------------------------------------------------------------ fstab */

static bool same_path(const char *a, const char *b)
{
	char *real_a = realpath(a, NULL), *real_b = realpath(b, NULL);
	bool same = real_a && real_b && !strcmp(real_a, real_b);

	free(real_a);
	free(real_b);
	return same || !strcmp(a, b);
}

/* The rest of @text behind @lead, or NULL. */
static const char *behind(const char *text, const char *lead)
{
	size_t n = strlen(lead);

	return strncmp(text, lead, n) ? NULL : text + n;
}

/* A tag may stand in quotation marks. */
static bool is_tag(const char *tag, const char *name)
{
	size_t n = strlen(name);

	return n && (!strcasecmp(tag, name) ||
		     (*tag == '"' && !strncasecmp(tag + 1, name, n) &&
		      !strcmp(tag + 1 + n, "\"")));
}

static bool is_ours(const struct machine *m, const char *name)
{
	const char *tag;

	if ((tag = behind(name, "UUID=")) ||
	    (tag = behind(name, "/dev/disk/by-uuid/")))
		return is_tag(tag, m->uuid);
	if ((tag = behind(name, "LABEL=")) ||
	    (tag = behind(name, "/dev/disk/by-label/")))
		return is_tag(tag, m->label);
	return same_path(name, m->device);
}

static void take_entry(struct machine *m, const char *file,
		       const struct mntent *e)
{
	bool automount = hasmntopt(e, "x-systemd.automount");

	if (e->mnt_passno)
		add(m, "fsck-at-boot", file,
		    N_("its pass number is not 0: boot, or its mount unit, runs "
		       "e2fsck -p"),
		    e->mnt_dir);
	if (automount)
		add(m, "automount", file,
		    N_("the first access to the directory mounts it"),
		    e->mnt_dir);
	else if (!hasmntopt(e, "noauto"))
		add(m, "mount-at-boot", file, N_("boot mounts it"),
		    e->mnt_dir);
	if (hasmntopt(e, "x-systemd.growfs"))
		add(m, "grow-at-boot", file,
		    N_("boot enlarges the file system"), e->mnt_dir);
	if (hasmntopt(e, SUPER_LAZY))
		add(m, HABIT_LAZY_MOUNT, file,
		    N_("its options have journal_lazy: a kernel without it "
		       "does not mount it"), e->mnt_dir);
	if (hasmntopt(e, "discard"))
		add(m, "discard", file,
		    N_("the mount discards freed blocks: deleted files cannot "
		       "be restored"), e->mnt_dir);
}

static void look_at_fstab(struct machine *m)
{
	static const char file[] = "/etc/fstab";
	FILE *f = open_file(m, file);
	struct mntent *e;

	if (!f)
		return;
	for (unsigned n = 0; n < MAX_LINES && (e = getmntent(f)); n++)
		if (is_ours(m, e->mnt_fsname))
			take_entry(m, file, e);
	fclose(f);
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
	if (has_line(m, file, begins_with, s->line))
		add(m, s->id, s->file, s->text, name);
}

static void look_at_directory(struct machine *m, const struct setting *s)
{
	char path[MAX_LINE], file[MAX_LINE];
	struct dirent *entry;
	DIR *dir;

	dir = path_of(m, s->file, path) ? opendir(path) : NULL;
	if (!dir)
		return;
	for (unsigned n = 0; n < MAX_LINES && (entry = readdir(dir)); n++) {
		const char *dot = strrchr(entry->d_name, '.');

		if (dot && !strcmp(dot, ".cfg") &&
		    snprintf(file, sizeof(file), "%s/%s", s->file,
			     entry->d_name) < MAX_LINE)
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
			add(m, presences[i].id, presences[i].file,
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
	FILE *f = open_file(m, file);
	char line[MAX_LINE];

	if (!f)
		return;
	for (unsigned n = 0; n < MAX_LINES && fgets(line, sizeof(line), f); n++)
		take_kernel(&menu, line);
	fclose(f);
	for (size_t i = 0; i < menu.count; i++) {
		if (i && strverscmp(menu.kernels[i], menu.kernels[0]) < 0)
			add(m, "older-kernel", file,
			    N_("the boot menu has an older kernel, which may "
			       "not know the journal's features"),
			    menu.kernels[i]);
		if (i)
			free(menu.kernels[i]);
	}
	if (menu.count)
		free(menu.kernels[0]);
}

void machine_names(struct machine *m, const char *device,
		   const struct ext2_super_block *sb)
{
	m->device = device;
	if (sb->s_magic != EXT2_SUPER_MAGIC)
		return;
	uuid_unparse_lower(sb->s_uuid, m->uuid);
	memcpy(m->label, sb->s_volume_name, sizeof(m->label) - 1);
}

void machine_look(struct machine *m)
{
	look_at_command_line(m);
	for (size_t i = 0;
	     i < sizeof(command_lines) / sizeof(*command_lines); i++)
		look_for_lazy_root(m, command_lines[i]);
	look_at_fstab(m);
	look_at_settings(m);
	look_at_presences(m);
	look_at_menu(m);
}

void machine_free(struct machine *m)
{
	for (size_t i = 0; i < m->count; i++)
		free(m->habits[i].detail);
}
