/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * remains.c - the last step of e2lazyck --downgrade: what the user has to do
 *
 * It says what the log itself does not have: the mark in the superblock, and
 * options of mounts.  Only a file that was read, and that names the device, is
 * said to be free of them.
 */
#include <errno.h>
#include <string.h>

#include "ck.h"
#include "facts/machine.h"
#include "facts/spelled.h"
#include "map/super.h"
#include "support/nls.h"

#define REST_INDENT		2
#define REST_WIDTH		74

static bool is_marked(const struct ck *ck)
{
	ext2_filsys fs = e2lazy_static_fs(ck->s->log->journal);

	return super_has_option(fs->super, SUPER_LAZY);
}

static bool is_of_options(const struct habit *h)
{
	return !strcmp(h->id, HABIT_LAZY_ROOT) ||
	       !strcmp(h->id, HABIT_LAZY_MOUNT) ||
	       !strcmp(h->id, HABIT_LAZY_OTHER);
}

static void begin_item(struct out *out, const char *text)
{
	out_spaces(out, REST_INDENT);
	out_wrapped(out, text, REST_INDENT, REST_WIDTH);
}

/* A command for the shell. */
static void print_command(struct ck *ck, const char *command, enum takes takes)
{
	struct out *out = &ck->s->print.out;

	out_spaces(out, 2 * REST_INDENT);
	spell_command(ck->s, command, takes, out);
	out_char(out, '\n');
}

/* An empty log needs no undo file, whether -z names one or not. */
static bool has_undo(struct ck *ck)
{
	return ck->plan ? ck->undo && ck_pending(ck) : ck->undoable;
}

/* e2undo compares the superblock, which each of these programs changes. */
static void print_undo(struct ck *ck)
{
	if (!has_undo(ck))
		return;
	begin_item(&ck->s->print.out,
		   _("The undo file fits only until the next write: e2fsck -f, "
		     "tune2fs and a mount for writing end it, and e2undo -f "
		     "would then mix old blocks with new ones. So keep a copy "
		     "of the device. Look first; this writes nothing:"));
	print_command(ck, "e2fsck -fn", TAKES_JOURNAL);
}

static void print_mark(struct ck *ck)
{
	if (!is_marked(ck))
		return;
	begin_item(&ck->s->print.out,
		   _("The superblock has journal_lazy. This clears all its "
		     "mount options:"));
	print_command(ck, "tune2fs -E mount_opts=", TAKES_OFFSET);
}

static void print_looked(struct out *out, const struct looked *l)
{
	out_spaces(out, 2 * REST_INDENT);
	out_text(out, l->file);
	if (l->why)
		out_format(out, _(": not read: %s"), looked_why(l));
	else if (l->is_fstab)
		out_format(out, P_(": %u line, of this device: %u",
				   ": %u lines, of this device: %u", l->lines),
			   l->lines, l->ours);
	out_char(out, '\n');
}

static unsigned print_all(const struct habits *habits, struct out *out)
{
	unsigned n = 0;

	for (size_t i = 0; i < habits->count; i++) {
		if (!is_of_options(&habits->all[i]))
			continue;
		habit_text(&habits->all[i], 2 * REST_INDENT, REST_WIDTH, out);
		n++;
	}
	return n;
}

/* Silence would be an all-clear, so each reason for it is named. */
static void print_none(const struct machine *m, unsigned found, struct out *out)
{
	bool known = false, unread = false;

	for (size_t i = 0; i < MACHINE_LOOKED; i++) {
		known |= m->looked[i].ours > 0;
		unread |= m->looked[i].why && m->looked[i].why != ENOENT;
	}
	if (unread)
		begin_item(out, _("Look yourself into the files that could not "
				  "be read."));
	if (!known)
		begin_item(out, _("No line of an /etc/fstab was read that is "
				  "known to be of this device. If the "
				  "machine's files are elsewhere, --root DIR "
				  "names their directory."));
	else if (!found && !unread)
		begin_item(out, _("The files that were read do not have it; "
				  "look into units and scripts of your own."));
}

static void print_options(struct ck *ck, const struct machine *m)
{
	struct out *out = &ck->s->print.out;
	unsigned found;

	begin_item(out, _("Files that may have the mount option "
			  "journal_lazy:"));
	for (size_t i = 0; i < MACHINE_LOOKED; i++)
		print_looked(out, &m->looked[i]);
	found = print_all(&m->habits, out);
	found += print_all(&m->others, out);
	print_none(m, found, out);
}

/* ------------------------------------------------- what the other one lacks */

static const struct lack_text {
	const char	*id, *text;
} lack_texts[] = {
	[LACK_KERNEL_REFUSES] = { "refuses_mount", N_("it does not mount it") },
	[LACK_KERNEL_READS] = { "mounts_read_only",
				N_("it mounts it read-only") },
	[LACK_KERNEL_IGNORES] = { "mounts", N_("it mounts it all the same") },
	[LACK_TOOLS_REFUSE] = { "e2fsck_refuses",
				N_("e2fsck does not check it") },
};

static const char *program_of(const struct lacked *l)
{
	return l->lack == LACK_TOOLS_REFUSE ? "e2fsprogs" : "Linux";
}

static void print_lacked(void *priv, const struct lacked *l)
{
	struct ck *ck = priv;
	struct out *out = &ck->s->print.out;
	char version[VERSION_TEXT];

	out_spaces(out, 2 * REST_INDENT);
	version_text(version, l->since);
	if (l->since)
		out_format(out, _("%s, since %s %s: %s\n"), l->name,
			   program_of(l), version, _(lack_texts[l->lack].text));
	else
		out_format(out, _("%s, of which no %s is known: %s\n"), l->name,
			   program_of(l), _(lack_texts[l->lack].text));
	ck->lacks++;
}

static void json_lacked(void *priv, const struct lacked *l)
{
	struct json *json = &((struct ck *)priv)->s->print.json;
	char version[VERSION_TEXT];

	version_text(version, l->since);
	json_object(json, NULL, JSON_INLINE);
	json_string(json, "feature", l->name);
	json_string(json, "program", program_of(l));
	json_string(json, "since", l->since ? version : NULL);
	json_string(json, "effect", lack_texts[l->lack].id);
	json_end(json);
}

static void compare_release(struct ck *ck,
			    void (*found)(void *priv, const struct lacked *l))
{
	const struct opened *log = ck->s->log;

	release_lacks(ck->older, e2lazy_static_fs(log->journal)->super,
		      log->geo->incompat, found, ck);
}

static void print_release(struct ck *ck)
{
	struct out *out = &ck->s->print.out;
	char kernel[VERSION_TEXT], tools[VERSION_TEXT];

	if (!ck->older)
		return;
	version_text(kernel, ck->older->kernel);
	version_text(tools, ck->older->tools);
	out_spaces(out, REST_INDENT);
	if (ck->older->tools)
		out_format(out, _("Features that Linux %s and e2fsprogs %s of "
				  "%s lack:\n"), kernel, tools,
			   ck->older->name);
	else
		out_format(out, _("Features that Linux %s lacks:\n"), kernel);
	compare_release(ck, print_lacked);
	if (!ck->lacks) {
		out_spaces(out, 2 * REST_INDENT);
		out_text(out, _("none\n"));
	}
	begin_item(out, _("A distribution may have added a feature to an "
			  "earlier kernel; whether it did is not known here."));
	if (!ck->older->tools)
		begin_item(out, _("Its e2fsprogs is not known, either: name a "
				  "distribution instead of the kernel."));
}

static void json_release(struct ck *ck)
{
	struct json *json = &ck->s->print.json;
	char kernel[VERSION_TEXT], tools[VERSION_TEXT];

	if (!ck->older)
		return;
	version_text(kernel, ck->older->kernel);
	version_text(tools, ck->older->tools);
	json_object(json, "older", JSON_SPREAD);
	json_string(json, "distribution",
		    *ck->older->name ? ck->older->name : NULL);
	json_string(json, "linux", kernel);
	json_string(json, "e2fsprogs", ck->older->tools ? tools : NULL);
	json_array(json, "lacks", JSON_SPREAD);
	compare_release(ck, json_lacked);
	json_end(json);
	json_end(json);
}

/* ------------------------------------------------------------- all of it */

static void json_options(struct json *json, const char *key,
			 const struct habits *habits)
{
	json_array(json, key, JSON_SPREAD);
	for (size_t i = 0; i < habits->count; i++) {
		if (!is_of_options(&habits->all[i]))
			continue;
		json_object(json, NULL, JSON_INLINE);
		habit_json(&habits->all[i], json);
		json_end(json);
	}
	json_end(json);
}

static void json_looked(struct json *json, const struct looked *l)
{
	bool counted = l->is_fstab && !l->why;

	json_object(json, NULL, JSON_INLINE);
	json_string(json, "file", l->file);
	json_bool(json, "read", !l->why);
	json_string(json, "why", l->why ? looked_why(l) : NULL);
	json_known(json, "lines", counted, l->lines);
	json_known(json, "device_lines", counted, l->ours);
	json_end(json);
}

static void json_remains(struct ck *ck, const struct machine *m)
{
	struct json *json = &ck->s->print.json;

	json_object(json, "remains", JSON_SPREAD);
	json_bool(json, "lazy_marker", is_marked(ck));
	json_release(ck);
	json_options(json, "mount_options", &m->habits);
	json_options(json, "other_options", &m->others);
	json_array(json, "files", JSON_SPREAD);
	for (size_t i = 0; i < MACHINE_LOOKED; i++)
		json_looked(json, &m->looked[i]);
	json_end(json);
	json_end(json);
}

void ck_tell_remains(struct ck *ck)
{
	ext2_filsys fs = e2lazy_static_fs(ck->s->log->journal);
	struct machine m = { .root = ck->root ? ck->root : "" };
	struct out *out = &ck->s->print.out;

	machine_names(&m, ck->s->device, fs->super);
	machine_look(&m);
	if (m.no_memory)
		session_fail(ck->s, EXT2_ET_NO_MEMORY, NULL);
	if (ck->s->print.json_wanted) {
		json_remains(ck, &m);
	} else {
		print_release(ck);
		print_undo(ck);
		print_mark(ck);
		print_options(ck, &m);
		begin_item(out, _("Check the whole file system, as before any "
				  "other kernel:"));
		print_command(ck, "e2fsck -f", TAKES_JOURNAL);
	}
	machine_free(&m);
}
