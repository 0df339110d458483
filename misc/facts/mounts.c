/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mounts.c - fstab, and the option journal_lazy wherever it may stand
 *
 * Whoever goes back to an older kernel takes silence for an all-clear.  So each
 * file is listed with the reason if it was not read, and a line with the option
 * counts also if nobody knows what device it names.
 */
#include <errno.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <uuid/uuid.h>

#include "machine_files.h"
#include "map/super.h"
#include "support/nls.h"

/* Files with the command line of this boot, or of the next ones. */
static const char *const command_lines[] = {
	"/proc/cmdline", "/etc/default/grub", "/boot/grub/grub.cfg",
	"/etc/kernel/cmdline",
};
static const char fstab[] = "/etc/fstab";

_Static_assert(sizeof(command_lines) / sizeof(*command_lines) + 1 ==
	       MACHINE_LOOKED, "a place for each file");

static bool mounts_root_with(const char *line, const char *option)
{
	const char *flags = line[strspn(line, " \t")] == '#' ? NULL :
			    strstr(line, "rootflags=");
	const char *at = flags ? strstr(flags, option) : NULL;

	/* Between the two there is no blank, which ends the word. */
	return at && flags + strcspn(flags, " \t\n\"") > at;
}

static void look_for_lazy_root(struct machine *m, struct looked *looked)
{
	bool found;

	looked->why = machine_has_line(m, looked->file, mounts_root_with,
				       SUPER_LAZY, &found);
	if (found)
		machine_add(m, HABIT_LAZY_ROOT, looked->file,
			    N_("rootflags= has journal_lazy: a kernel without "
			       "it does not mount the root file system"), NULL);
}

/* ----------------------------------------------------- names of the device */

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

static bool is_uuid(const struct machine *m, const char *value)
{
	return *m->uuid && !strcasecmp(value, m->uuid);
}

static bool is_label(const struct machine *m, const char *value)
{
	return *m->label && !strcmp(value, m->label);
}

static const struct tag {
	const char	*tag, *links;
	bool		(*is_ours)(const struct machine *m, const char *value);
} tags[] = {
	{ "UUID=", "/dev/disk/by-uuid/", is_uuid },
	{ "LABEL=", "/dev/disk/by-label/", is_label },
	{ "PARTUUID=", "/dev/disk/by-partuuid/", NULL },
	{ "PARTLABEL=", "/dev/disk/by-partlabel/", NULL },
	{ "ID=", "/dev/disk/by-id/", NULL },
};

/* The value of a tag may stand in quotation marks. */
static bool has_value(const struct machine *m, const struct tag *tag,
		      const char *value)
{
	size_t n = strlen(value);
	bool quoted = n > 1 && *value == '"' && value[n - 1] == '"';
	char path[MACHINE_PATH], *name = path + strlen(tag->links);

	if (snprintf(path, sizeof(path), "%s%.*s", tag->links,
		     (int)(quoted ? n - 2 : n), value + quoted) >=
	    MACHINE_PATH)
		return false;
	return (tag->is_ours && tag->is_ours(m, name)) ||
	       same_path(path, m->device);
}

static bool is_ours(const struct machine *m, const char *name)
{
	const char *value;

	for (size_t i = 0; i < sizeof(tags) / sizeof(*tags); i++)
		if ((value = behind(name, tags[i].tag)) ||
		    (value = behind(name, tags[i].links)))
			return has_value(m, &tags[i], value);
	return same_path(name, m->device);
}

/* ------------------------------------------------------------------ fstab */

static void take_entry(struct machine *m, const struct mntent *e)
{
	bool automount = hasmntopt(e, "x-systemd.automount");

	if (e->mnt_passno)
		machine_add(m, "fsck-at-boot", fstab,
			    N_("its pass number is not 0: boot, or its mount "
			       "unit, runs e2fsck -p"), e->mnt_dir);
	if (automount)
		machine_add(m, "automount", fstab,
			    N_("the first access to the directory mounts it"),
			    e->mnt_dir);
	else if (!hasmntopt(e, "noauto"))
		machine_add(m, "mount-at-boot", fstab, N_("boot mounts it"),
			    e->mnt_dir);
	if (hasmntopt(e, "x-systemd.growfs"))
		machine_add(m, "grow-at-boot", fstab,
			    N_("boot enlarges the file system"), e->mnt_dir);
	if (hasmntopt(e, SUPER_LAZY))
		machine_add(m, HABIT_LAZY_MOUNT, fstab,
			    N_("its options have journal_lazy: a kernel "
			       "without it does not mount it"), e->mnt_dir);
	if (hasmntopt(e, "discard"))
		machine_add(m, "discard", fstab,
			    N_("the mount discards freed blocks: deleted files "
			       "cannot be restored"), e->mnt_dir);
}

static void take_other(struct machine *m, const struct mntent *e)
{
	if (hasmntopt(e, SUPER_LAZY))
		machine_add_to(m, &m->others, &(struct habit){
			HABIT_LAZY_OTHER, fstab,
			N_("its options have journal_lazy; it is not known to "
			   "be a line of this device"),
			e->mnt_dir, e->mnt_fsname });
}

static int read_entries(struct machine *m, struct looked *looked, FILE *f,
			char *buf, int size)
{
	struct mntent entry, *e;

	while ((e = getmntent_r(f, &entry, buf, size))) {
		looked->lines++;
		if (is_ours(m, e->mnt_fsname)) {
			looked->ours++;
			take_entry(m, e);
		} else {
			take_other(m, e);
		}
	}
	return feof(f) ? 0 : EIO;
}

/* getmntent() cuts a line that its buffer has no room for. */
static void look_at_fstab(struct machine *m, struct looked *looked)
{
	struct stat st;
	char *buf;
	FILE *f;

	looked->why = machine_open(m, fstab, &f);
	if (looked->why)
		return;
	buf = fstat(fileno(f), &st) ? NULL : malloc(st.st_size + 2);
	looked->why = buf ? read_entries(m, looked, f, buf, st.st_size + 2) :
			    errno;
	free(buf);
	fclose(f);
}

void machine_look_at_mounts(struct machine *m)
{
	m->looked[0] = (struct looked){ .file = fstab, .is_fstab = true };
	for (size_t i = 1; i < MACHINE_LOOKED; i++) {
		m->looked[i] = (struct looked){ .file = command_lines[i - 1] };
		look_for_lazy_root(m, &m->looked[i]);
	}
	look_at_fstab(m, &m->looked[0]);
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
