/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * evidence.c - e2lazy evidence: everything that the ring shows, in one folder
 *
 * Each list is the output of a command, run in a process of its own with the
 * options that the user could give, too; so everybody can repeat it.  The device
 * is hashed before the first command and after the last one.  The manifest has
 * the checksum of each file: one signature of it covers the folder.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "evidence.h"
#include "session/child.h"
#include "support/confine.h"
#include "support/nls.h"
#include "support/status.h"

enum { OPT_HASH = OPTION_COMMAND, OPT_NO_HASH };

static const struct option_line evidence_options[] = {
	{ 'o', "output", "DIR",
	  N_("make the folder DIR, which must not exist") },
	{ OPT_HASH, "hash", NULL,
	  N_("hash a block device, too, before and after") },
	{ OPT_NO_HASH, "no-hash", NULL, N_("do not hash an image either") },
	{ 0 }
};

#define PAGE	"report.html"
#define MAX_OWN	4

static const struct list {
	const char	*file;
	const struct command *command;
	const char	*options[MAX_OWN];
} lists[] = {
	{ "info.json", &info_command, { "--json" } },
	{ "histories.json", &log_command, { "--histories", "--json" } },
	{ "timeline.json", &timeline_command, { "--ring", "--json" } },
	{ "timeline.body", &timeline_command, { "--ring", "--body" } },
	{ "deleted.json", &undelete_command, { "--json" } },
	{ "deleted.txt", &undelete_command, { "--why" } },
	/* It makes PAGE as well. */
	{ "report.json", &report_command, { "--verify", "--files",
				      "--json" } },
};
#define NR_LISTS	(sizeof(lists) / sizeof(*lists))
#define NR_FILES	(NR_LISTS + 2)

struct evidence {
	struct session	*s;
	const char	*output;
	int		hash;		/* 1 or -1 if asked, else 0 */
	struct folder	folder;
	uint64_t	began, ended;
	struct report_input before[2], after[2];	/* device and journal */
	struct run	runs[NR_LISTS];
	struct report_input files[NR_FILES];
};

/* ------------------------------------------------------- the command line */

static bool parse(struct evidence *e)
{
	struct session *s = e->s;
	char *arg;
	int id;

	while ((id = session_option(s, NULL, &arg)) != OPTION_END) {
		if (id == OPTION_BAD)
			return false;
		if (id == 'o')
			e->output = arg;
		else if ((id == OPT_HASH ? 1 : -1) == -e->hash)
			return session_wrong(s, _("--hash and --no-hash are "
						  "mutually exclusive"));
		else
			e->hash = id == OPT_HASH ? 1 : -1;
	}
	if (!session_operands(s, 1, 1))
		return false;
	return e->output || session_wrong(s, _("--output is missing"));
}

/* --------------------------------------------------- the device's checksum */

static bool wants_hash(const struct evidence *e, const struct e2lazy_device *d)
{
	return e->hash > 0 || (!e->hash && !d->rdev);
}

static void hash_device(struct evidence *e, enum e2lazy_volume volume,
			struct report_input *in)
{
	const struct e2lazy_device *d = e2lazy_device(e->s->log->journal,
						      volume);
	int error = 0;

	*in = (struct report_input){ .name = d->name,
				     .bytes = d->offset + d->bytes };
	if (wants_hash(e, d))
		error = report_hash(e->s, d->fd, in, e->folder.piece);
	if (!error)
		return;
	progress_hide(&e->s->print.progress);
	complain(d->name, _("not all of it can be read: %s"), strerror(error));
	e->s->status |= FSCK_ERROR;
}

static void hash_devices(struct evidence *e, struct report_input in[2])
{
	progress_begin(&e->s->print.progress, PHASE_HASH);
	hash_device(e, E2LAZY_FILE_SYSTEM, &in[0]);
	if (e->s->log->geo->external && !cancelled())
		hash_device(e, E2LAZY_JOURNAL, &in[1]);
	progress_end(&e->s->print.progress);
}

static bool is_same(const struct evidence *e)
{
	return !strcmp(e->before[0].sum, e->after[0].sum) &&
	       !strcmp(e->before[1].sum, e->after[1].sum);
}

/* --------------------------------------------------------------- a command */

static void add_source(const struct evidence *e, struct words *w)
{
	const struct source *source = &e->s->source;

	if (source->open.journal)
		words_list(w, "-j", source->open.journal, NULL);
	source_words(source, "--", w);
}

static void spell(const struct evidence *e, const struct list *l,
		  struct words *w)
{
	words_list(w, l->command->name, "-q", NULL);
	for (unsigned i = 0; i < MAX_OWN && l->options[i]; i++)
		words_list(w, l->options[i], NULL);
	if (l->command == &report_command)
		words_add(w, "--output=%s/" PAGE, e->output);
	add_source(e, w);
	words_list(w, e->s->operands[0], NULL);
}

static void put_message(int fd, const struct words *w)
{
	struct out *out = malloc(sizeof(*out));

	if (!out)
		return;
	out_init(out, fd);
	out_text(out, "$ e2lazy");
	for (size_t i = 0; i < w->count; i++) {
		out_char(out, ' ');
		out_word(out, w->at[i]);
	}
	out_char(out, '\n');
	out_flush(out);
	free(out);
}

/* In the child. */
static _Noreturn void become(const struct list *l, const struct words *w,
			     int to, int messages)
{
	if (dup2(to, STDOUT_FILENO) < 0 || dup2(messages, STDERR_FILENO) < 0)
		_exit(STATUS_NOT_RUN);
	status_let_signals_end();
	_exit(command_run(l->command, (int)w->count, w->at));
}

static void run_list(struct evidence *e, const struct list *l, struct run *r,
		     int messages)
{
	int to = folder_file(&e->folder, l->file);
	pid_t pid;

	r->file = l->file;
	r->status = -1;
	spell(e, l, &r->words);
	if (to < 0)
		return;
	r->began = (uint64_t)time(NULL);
	put_message(messages, &r->words);
	pid = r->words.failed ? -1 : child_fork();
	if (!pid)
		become(l, &r->words, to, messages);
	while (pid > 0 && waitpid(pid, &r->status, 0) < 0 && errno == EINTR)
		;
	r->ended = (uint64_t)time(NULL);
	close(to);
}

/* Damage that was found is no failure, but whoever reads the status is told. */
static void judge(struct evidence *e, const struct run *r)
{
	struct session *s = e->s;
	int status;

	if (r->status == -1 || !WIFEXITED(r->status)) {
		session_complain(s, FSCK_ERROR, _("%s: the command failed"),
				 r->file);
		return;
	}
	status = WEXITSTATUS(r->status);
	if (status)
		session_complain(s, (status & FSCK_LEFT) |
				 (status & ~FSCK_LEFT ? FSCK_ERROR : 0),
				 _("%s: exit status %d; see %s/%s"), r->file,
				 status, e->output, FOLDER_MESSAGES);
}

static bool run_lists(struct evidence *e)
{
	int messages = folder_file(&e->folder, FOLDER_MESSAGES);

	for (size_t i = 0; messages >= 0 && i < NR_LISTS && !cancelled(); i++) {
		run_list(e, &lists[i], &e->runs[i], messages);
		if (!cancelled())
			judge(e, &e->runs[i]);
	}
	if (messages >= 0)
		close(messages);
	return messages >= 0 && !cancelled();
}

/* ------------------------------------------------------------ the document */

static void json_words(struct json *json, const char *key,
		       const struct words *w)
{
	json_array(json, key, JSON_INLINE);
	json_string(json, NULL, "e2lazy");
	for (size_t i = 0; i < w->count; i++)
		json_string(json, NULL, w->at[i]);
	json_end(json);
}

static const char *sum_of(const struct report_input *in)
{
	return *in->sum ? in->sum : NULL;
}

static void json_device(struct json *json, const struct report_input *before,
			const struct report_input *after)
{
	json_object(json, NULL, JSON_INLINE);
	json_string(json, "name", before->name);
	json_u64(json, "bytes", before->bytes);
	json_string(json, "sha256_before", sum_of(before));
	json_string(json, "sha256_after", sum_of(after));
	json_end(json);
}

static void json_run(struct json *json, const struct run *r)
{
	json_object(json, NULL, JSON_INLINE);
	json_string(json, "file", r->file);
	json_words(json, "command", &r->words);
	json_time(json, "began", r->began);
	json_time(json, "ended", r->ended);
	json_known(json, "status", r->status >= 0 && WIFEXITED(r->status),
		   (uint64_t)WEXITSTATUS(r->status));
	json_end(json);
}

static void put_document(const struct evidence *e, struct json *json)
{
	json_words(json, "command", &e->s->line);
	json_time(json, "began", e->began);
	json_time(json, "ended", e->ended);
	json_array(json, "devices", JSON_SPREAD);
	for (unsigned i = 0; i < 2 && e->before[i].name; i++)
		json_device(json, &e->before[i], &e->after[i]);
	json_end(json);
	json_array(json, "runs", JSON_SPREAD);
	for (size_t i = 0; i < NR_LISTS; i++)
		json_run(json, &e->runs[i]);
	json_end(json);
	json_array(json, "files", JSON_SPREAD);
	for (size_t i = 0; i < NR_FILES; i++) {
		json_object(json, NULL, JSON_INLINE);
		json_string(json, "name", e->files[i].name);
		json_u64(json, "bytes", e->files[i].bytes);
		json_string(json, "sha256", sum_of(&e->files[i]));
		json_end(json);
	}
	json_end(json);
}

struct own_document {
	struct out	out;
	struct json	json;
};

static bool save_document(struct evidence *e)
{
	struct own_document *d = malloc(sizeof(*d));
	int fd = d ? folder_file(&e->folder, FOLDER_DOCUMENT) : -1;
	int error;

	if (fd < 0) {
		free(d);
		return false;
	}
	out_init(&d->out, fd);
	json_init(&d->json, &d->out);
	json_object(&d->json, NULL, JSON_SPREAD);
	json_string(&d->json, "program", "e2lazy");
	json_string(&d->json, "version", e2lazy_version());
	put_document(e, &d->json);
	json_end(&d->json);
	error = out_flush(&d->out);
	if ((fsync(fd) | close(fd)) && !error)
		error = errno;
	free(d);
	if (error)
		session_complain(e->s, FSCK_ERROR, "%s/%s: %s", e->output,
				 FOLDER_DOCUMENT, strerror(error));
	return !error;
}

/* --------------------------------------------------------------------- all */

static void sum_files(struct evidence *e, const char *names[NR_FILES + 2])
{
	size_t n = 0;

	for (; n < NR_LISTS; n++)
		names[n] = lists[n].file;
	names[n++] = PAGE;
	names[n++] = FOLDER_MESSAGES;
	for (size_t i = 0; i < n; i++)
		folder_sum(&e->folder, names[i], &e->files[i]);
	names[n++] = FOLDER_DOCUMENT;
	names[n] = NULL;
}

static void say(struct evidence *e)
{
	struct session *s = e->s;
	struct out *out = &s->print.out;

	if (s->print.json_wanted) {
		session_document(s);
		put_document(e, &s->print.json);
		return;
	}
	if (*e->before[0].sum)
		out_format(out, "SHA-256 %s  %s\n", e->after[0].sum,
			   e->before[0].name);
	else
		out_format(out, _("%s is not hashed: --hash\n"),
			   e->before[0].name);
	out_format(out, _("%s is whole; sign its manifest: %s/%s\n"),
		   e->output, e->output, FOLDER_MANIFEST);
}

static void collect(struct evidence *e)
{
	const char *names[NR_FILES + 2];

	e->began = (uint64_t)time(NULL);
	hash_devices(e, e->before);
	if (cancelled() || !run_lists(e))
		return;
	/* Each command has confined itself.  This process could not start them
	   without the right to; it has read no more than superblocks. */
	confine(e->output);
	hash_devices(e, e->after);
	e->ended = (uint64_t)time(NULL);
	if (cancelled())
		return;
	if (!is_same(e))
		session_complain(e->s, FSCK_ERROR,
				 _("it changed while e2lazy read it: the "
				   "checksums differ"));
	sum_files(e, names);
	if (save_document(e) && folder_manifest(&e->folder, names))
		say(e);
}

static void release(struct evidence *e)
{
	for (size_t i = 0; i < NR_LISTS; i++)
		words_free(&e->runs[i].words);
	folder_close(&e->folder);
	free(e);
}

static int run_evidence(const struct command *self, int argc, char **argv)
{
	struct evidence *e = calloc(1, sizeof(*e));
	int status = FSCK_ERROR;
	bool ready;

	if (!e) {
		complain_error(NULL, EXT2_ET_NO_MEMORY);
		return status;
	}
	e->folder.fd = -1;
	e->s = session_begin(self, argc, argv);
	if (e->s) {
		ready = parse(e) && session_open(e->s) &&
			folder_make(&e->folder, e->s, e->output);
		if (ready)
			collect(e);
		if (!confine_asked())
			confine(NULL);
		status = session_end(e->s);
	}
	release(e);
	return status;
}

const struct command evidence_command = {
	.name = "evidence",
	.usage = "DEVICE",
	.summary = N_("Make a folder with all findings, lists and checksums"),
	.run = run_evidence,
	.options = evidence_options,
	.kind = COMMAND_MENDS,
	.salvages = true,
	.writes = WRITES_BELOW,
};
