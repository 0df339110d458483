/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * doctor.c - e2lazy doctor: the command line and the exit status
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor.h"
#include "session/quantities.h"
#include "support/confine.h"
#include "support/nls.h"
#include "support/status.h"

enum {
	OPT_DMESG = OPTION_COMMAND, OPT_ROOT, OPT_REHEARSE, OPT_MOUNT,
	OPT_OVERLAY,
};

static const struct option_line doctor_options[] = {
	{ OPT_DMESG, "dmesg", "FILE",
	  N_("explain the kernel's messages in FILE, -: standard\n"
	     "input, as dmesg or journalctl -k print them") },
	{ OPT_ROOT, "root", "DIR",
	  N_("read the configuration of the machine below DIR") },
	{ OPT_REHEARSE, "rehearse", NULL,
	  N_("run e2fsck -p and e2fsck -fy on overlays, and report\n"
	     "what they do to the files; DEVICE does not change") },
	{ OPT_MOUNT, "rehearse-mount", NULL,
	  N_("have the kernel mount an overlay, too, which exposes\n"
	     "the kernel to what may be wrong on DEVICE") },
	{ OPT_OVERLAY, "overlay-size", "SIZE",
	  N_("end a tool that writes more than SIZE; half of the free\n"
	     "space by default") },
	{ 0 }
};

static bool take(struct doctor *d, int id, const char *arg)
{
	switch (id) {
	case OPT_DMESG:
		d->messages = arg;
		return true;
	case OPT_ROOT:
		return session_directory(d->s, "--root", arg,
					 &d->machine.root);
	case OPT_REHEARSE:
		d->rehearses[REHEARSE_PREEN] = true;
		d->rehearses[REHEARSE_FORCE] = true;
		return true;
	case OPT_MOUNT:
		d->rehearses[REHEARSE_MOUNT] = true;
		return true;
	case OPT_OVERLAY:
		return session_quantity(d->s, &quantity_overlay, arg,
					&d->overlay);
	}
	return false;
}

static bool parse(struct doctor *d)
{
	char *arg;
	int id;

	while ((id = session_option(d->s, NULL, &arg)) != OPTION_END)
		if (!take(d, id, arg))
			return false;
	return session_needs(d->s, "overlay-size", doctor_rehearses(d),
			     "--rehearse") &&
	       session_operands(d->s, 1, 1);
}

/* The kernel's name of a block device; the loop device of a file is unknown. */
static const char *kernel_name(const char *path)
{
	const char *name = strrchr(path, '/');
	struct stat st;

	if (stat(path, &st) || !S_ISBLK(st.st_mode))
		return NULL;
	return name ? name + 1 : path;
}

static bool read_messages(struct doctor *d)
{
	bool piped;
	char *real;
	int fd, err;

	if (!d->messages)
		return true;
	real = realpath(d->s->device, NULL);
	piped = !strcmp(d->messages, "-");
	fd = piped ? dup(STDIN_FILENO) : open(d->messages, O_RDONLY | O_CLOEXEC);
	err = fd < 0 ? errno :
	      dmesg_read(&d->dmesg, fd, real ? kernel_name(real) : NULL);
	free(real);
	if (!err)
		return true;
	complain(piped ? _("standard input") : d->messages, "%s",
		 strerror(err));
	d->s->status |= FSCK_ERROR;
	return false;
}

/* Each exit status but 0 has its reason on stderr. */
static void tell_state(struct doctor *d)
{
	const struct diagnosis *row = next_state(d, NULL);

	if (!diagnosis_is_sound(row))
		session_complain(d->s, FSCK_LEFT, "%s: %s", row->problem->id,
				 _(row->text));
}

/* A rehearsal runs programs, and other processes of it read the device. */
static bool prepare(struct doctor *d)
{
	bool go_on = doctor_rehearse(d);

	confine(NULL);
	return go_on;
}

static int run_doctor(const struct command *self, int argc, char **argv)
{
	struct doctor d = { .s = session_begin(self, argc, argv),
			    .machine = { .root = "" } };
	struct session *s = d.s;

	if (!s)
		return FSCK_ERROR;
	d.f.s = s;
	if (parse(&d) && prepare(&d) && doctor_look(&d) && read_messages(&d) && !cancelled()) {
		doctor_look_at_machine(&d);
		doctor_prepare_dmesg(&d);
		doctor_print(&d);
		tell_state(&d);
	}
	doctor_free(&d);
	s->log->told = true;	/* the page names the damage */
	s->judges = true;
	return session_end(s);
}

const struct command doctor_command = {
	.name = "doctor",
	.usage = "DEVICE",
	.summary = N_("Explain a broken mount, before a tool is run"),
	.run = run_doctor,
	.options = doctor_options,
	.kind = COMMAND_MENDS,
	.writes = WRITES_BELOW,
};
