/* SPDX-License-Identifier: GPL-2.0-only */
/* machine_files.c - files of a machine's configuration, and their habits */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/grow.h"
#include "machine_files.h"
#include "support/nls.h"

/* Nobody writes a longer configuration by hand, nor does update-grub. */
#define MOST_BYTES	(4 << 20)
/* No errno says that a file is a fifo or a device. */
#define NOT_REGULAR	EINVAL

/* ----------------------------------------------------------------- habits */

void machine_add_to(struct machine *m, struct habits *habits,
		    const struct habit *wanted)
{
	struct habit habit = *wanted, *all;

	all = grow(habits->all, habits->count, &habits->room, sizeof(*all));
	if (!all) {
		m->no_memory = true;
		return;
	}
	habits->all = all;
	if (wanted->detail)
		habit.detail = strdup(wanted->detail);
	if (wanted->device)
		habit.device = strdup(wanted->device);
	m->no_memory |= !habit.detail != !wanted->detail ||
			!habit.device != !wanted->device;
	habits->all[habits->count++] = habit;
}

void machine_add(struct machine *m, const char *id, const char *file,
		 const char *text, const char *detail)
{
	machine_add_to(m, &m->habits, &(struct habit){
		id, file, text, (char *)detail, NULL });
}

static void free_habits(struct habits *habits)
{
	for (size_t i = 0; i < habits->count; i++) {
		free(habits->all[i].detail);
		free(habits->all[i].device);
	}
	free(habits->all);
}

void machine_free(struct machine *m)
{
	free_habits(&m->habits);
	free_habits(&m->others);
}

void habit_text(const struct habit *h, unsigned indent, unsigned width,
		struct out *out)
{
	out_spaces(out, HABIT_INDENT);
	out_text(out, h->file);
	if (h->detail) {
		out_text(out, " (");
		if (h->device) {
			out_printable(out, h->device, ' ');
			out_text(out, ", ");
		}
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
	if (h->device)
		json_string(json, "device", h->device);
}

/* ------------------------------------------------------------------ files */

bool machine_path(const struct machine *m, const char *file,
		  char path[MACHINE_PATH])
{
	return snprintf(path, MACHINE_PATH, "%s%s", m->root, file) <
	       MACHINE_PATH;
}

static int why_not(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return errno;
	if (!S_ISREG(st.st_mode))
		return NOT_REGULAR;
	return st.st_size > MOST_BYTES ? EFBIG : 0;
}

int machine_open(const struct machine *m, const char *file, FILE **f)
{
	char path[MACHINE_PATH];
	int fd, why;

	*f = NULL;
	if (!machine_path(m, file, path))
		return ENAMETOOLONG;
	/* A fifo would wait for a writer. */
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (fd < 0)
		return errno;
	why = why_not(fd);
	if (!why) {
		*f = fdopen(fd, "r");
		if (*f)
			return 0;
		why = errno;
	}
	close(fd);
	return why;
}

int machine_has_line(const struct machine *m, const char *file,
		     bool (*fits)(const char *line, const char *wanted),
		     const char *wanted, bool *found)
{
	char *line = NULL;
	size_t room = 0;
	FILE *f;
	int why = machine_open(m, file, &f);

	*found = false;
	if (why)
		return why;
	errno = 0;
	while (!*found && getline(&line, &room, f) >= 0)
		*found = fits(line, wanted);
	if (!*found && !feof(f))
		why = errno ? errno : EIO;
	free(line);
	fclose(f);
	return why;
}

const char *looked_why(const struct looked *looked)
{
	return looked->why == NOT_REGULAR ? _("not a regular file") :
					    strerror(looked->why);
}
