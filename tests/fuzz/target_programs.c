/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * target_programs.c - the programs e2lazy and e2lazyck from their main() on
 *
 * Linked with the objects of both programs, main() by other names.  Each
 * operation of words is a command line, which a process of its own runs on the
 * image; so a writer may come before others.  The programs are as users have
 * them: they give up their rights, open the image by its path, lock it, and
 * write it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "forked.h"
#include "json_text.h"
#include "target.h"

const bool fuzz_wants_words = true;
const bool fuzz_wants_paths = true;

int e2lazy_main(int argc, char **argv);
int e2lazyck_main(int argc, char **argv);

/* ------------------------------------------------------ the command lines */

enum effect {
	LOOKS,			/* the image stays as it is */
	WRITES_BACK,		/* after success nothing is pending */
	WRITES,			/* the log stays in use */
};

/*
 * DEV is the device with its options, ANY an option that chooses a part of the
 * log, BLOCK, TID, INODE and PATH some of these, LATER an id after TID.  New
 * ones go to the end.
 */
static const struct line {
	const char	*words;
	enum effect	effect;
} lines[] = {
	{ "e2lazy info --check-data --identify --band=1M ANY DEV", LOOKS },
	{ "e2lazy info --json --identify ANY DEV", LOOKS },
	{ "e2lazy info --metrics DEV", LOOKS },
	{ "e2lazy dump --identify --columns=FSBLK,LOGBLK,PHYSBLK,TID,TIME,"
	  "ESCAPED,COPIES,TYPE,INODE,GROUP,STATE,CSUM,ROLE,PATH ANY DEV", LOOKS },
	{ "e2lazy dump --all --check-data --json ANY DEV", LOOKS },
	{ "e2lazy dump --sort=log --raw --block=BLOCK --inode=INODE DEV", LOOKS },
	{ "e2lazy log --json ANY DEV", LOOKS },
	{ "e2lazy log --tags --owners --json ANY DEV", LOOKS },
	{ "e2lazy log --beyond --tags --json --columns=LOGBLK,TYPE,TID,CSUM,"
	  "SHOWS,TIME_NS,FSBLK,HOLDS,ROLE,INODE,PATH ANY DEV", LOOKS },
	{ "e2lazy log --fast-commit --decode --json DEV", LOOKS },
	{ "e2lazy log --histories --json DEV", LOOKS },
	{ "e2lazy history --json ANY DEV <INODE>", LOOKS },
	{ "e2lazy history --columns=+ROLE ANY DEV BLOCK", LOOKS },
	{ "e2lazy cat --decode --tid=TID ANY DEV BLOCK", LOOKS },
	{ "e2lazy cat --decode --json ANY DEV PATH", LOOKS },
	{ "e2lazy cat --hex ANY DEV BLOCK", LOOKS },
	{ "e2lazy diff --static --json ANY DEV BLOCK", LOOKS },
	{ "e2lazy diff --json --tid=TID --tid=LATER ANY DEV", LOOKS },
	{ "e2lazy blame --json --all ANY DEV BLOCK", LOOKS },
	{ "e2lazy blame --freed=BLOCK ANY DEV", LOOKS },
	{ "e2lazy diff --summary --tid=TID --tid=LATER DEV", LOOKS },
	{ "e2lazy timeline --json --columns=+GENERATION,MODE,UID,GID,SIZE ANY "
	  "DEV", LOOKS },
	{ "e2lazy timeline --body ANY DEV", LOOKS },
	{ "e2lazy timeline --json-lines --path=* ANY DEV", LOOKS },
	{ "e2lazy undelete --why --json --columns=+WHY,SHA256,NAMES ANY DEV", LOOKS },
	{ "e2lazy undelete --to=out --tree --partial=raw --preserve-special "
	  "ANY DEV", LOOKS },
	{ "e2lazy salvage --json DEV", LOOKS },
	{ "e2lazy salvage --carve --columns=+GEOMETRY DEV", LOOKS },
	{ "e2lazy report --verify --hash --output=- ANY DEV", LOOKS },
	{ "e2lazy report --json --output=page ANY DEV", LOOKS },
	{ "e2lazy doctor --json --root=. DEV", LOOKS },
	{ "e2lazy doctor --dmesg=dmesg --root=. DEV", LOOKS },
	{ "e2lazyck DEV", LOOKS },
	{ "e2lazyck -v --json DEV", LOOKS },
	{ "e2lazyck --quick --raw DEV", LOOKS },
	{ "e2lazyck --status DEV", LOOKS },
	{ "e2lazyck --plan -y --json --throughput=190M DEV", LOOKS },
	{ "e2lazyck --checkpoint -n --throughput=190M --memory=1M DEV", LOOKS },
	{ "e2lazyck --checkpoint -p --json DEV", WRITES_BACK },
	{ "e2lazyck --checkpoint -y -z undo --verify-after DEV", WRITES_BACK },
	{ "e2lazyck --checkpoint -y --stop-at-damage --data-journal "
	  "--memory=1M DEV", WRITES_BACK },
	{ "e2lazyck --clean -y --json DEV", WRITES },
	{ "e2lazyck --clean --forward -y --tids=1 DEV", WRITES },
	{ "e2lazyck --compact -y --json -z undo DEV", WRITES },
	{ "e2lazyck --compact -p --freeze-ready DEV", WRITES },
	{ "e2lazyck --restore-log -y --json DEV", WRITES },
	{ "e2lazyck --downgrade -y --root=. --throughput=190M -z undo DEV",
	  WRITES_BACK },
	{ "e2lazy blame --json --all ANY DEV <INODE>:size", LOOKS },
	{ "e2lazy blame --raw ANY DEV PATH:entry", LOOKS },
	{ "e2lazy blame --allocated=BLOCK --ring DEV", LOOKS },
	{ "e2lazy history --json ANY DEV BLOCK", LOOKS },
	{ "e2lazy timeline --ring --json DEV", LOOKS },
	{ "e2lazy report --files --verify --json ANY DEV", LOOKS },
	{ "e2lazy undelete --path=PATH --partial=zero --to=out ANY DEV", LOOKS },
	{ "e2lazy evidence --no-hash --output=folder DEV", LOOKS },
	{ "e2lazy rescue --json --to=out DEV", LOOKS },
};

#define NR_LINES	(sizeof(lines) / sizeof(*lines))
#define MOST_LINES	4	/* of an input */
#define MOST_WORDS	40
#define MOST_LETTERS	160	/* of a word */
#define FIRST_TID	5	/* in most templates */

static const char *const parts[] = {
	"", "", "", "", "--ring", "--history=1", "--history=2",
	"--tail=TID", "--tail=BLOCK", "--until-tid=TID", "--check-data",
	"--at=2023-11-14T22:13:22Z", "--geometry=auto", "--geometry=carve",
	"--ring --until-tid=TID", "--unconfined",
};

static const char *const paths[] = {
	"/", "/d/f", "/d/e/small", "/d/again", "/h", "/l/f", "/long", "/loop",
	"/big", "/lost+found", "/none", "<2>", "<7>", "<8>", "<12>", "<16>",
};

/* The words of a command line as they grow, and what numbers are left. */
struct command {
	const struct template *t;
	const struct op	*op;
	unsigned	used;		/* of @op's payload */
	uint32_t	tid;		/* the last one */
	unsigned	nr;
	char		text[MOST_WORDS][MOST_LETTERS];
	char		*argv[MOST_WORDS + 1];
};

static unsigned next_number(struct command *c)
{
	return c->used < c->op->length ? c->op->payload[c->used++] : 0;
}

static const struct part *next_part(struct command *c)
{
	size_t at = (size_t)c->op->offset + next_number(c);

	return &c->t->parts[at % c->t->nr_parts];
}

static void put_number(struct command *c, const char *name, char *to,
		       size_t room)
{
	uint32_t number;

	if (!strcmp(name, "PATH")) {
		snprintf(to, room, "%s", paths[next_number(c) % 16]);
		return;
	}
	if (!strcmp(name, "TID"))
		number = c->tid = FIRST_TID + (uint32_t)c->op->value +
				  next_number(c) % 16;
	else if (!strcmp(name, "LATER"))
		number = c->tid + 1 + next_number(c) % 4;
	else if (!strcmp(name, "BLOCK"))
		number = next_part(c)->fsblk;
	else
		number = next_part(c)->ino ?: EXT2_ROOT_INO;
	snprintf(to, room, "%u", number);
}

static void add_word(struct command *c, const char *word, size_t length)
{
	static const char *const names[] = {
		"BLOCK", "TID", "LATER", "INODE", "PATH",
	};
	char *to = c->text[c->nr];
	char before[MOST_LETTERS], *at = NULL;
	const char *name = NULL;

	if (c->nr == MOST_WORDS || length >= MOST_LETTERS)
		abort();
	snprintf(before, sizeof(before), "%.*s", (int)length, word);
	for (unsigned i = 0; !at && i < sizeof(names) / sizeof(*names); i++) {
		name = names[i];
		/* Columns have such names, too. */
		at = strchr(before, ',') ? NULL : strstr(before, name);
	}
	snprintf(to, MOST_LETTERS, "%.*s", (int)(at ? at - before : (long)length),
		 before);
	if (at) {
		put_number(c, name, to + strlen(to), MOST_LETTERS - strlen(to));
		strncat(to, at + strlen(name), MOST_LETTERS - strlen(to) - 1);
	}
	c->argv[c->nr++] = to;
}

static void add_words(struct command *c, const char *words)
{
	while (*words) {
		size_t length = strcspn(words, " ");

		if (!strncmp(words, "ANY", length) && length == 3) {
			add_words(c, parts[next_number(c) % 16]);
		} else if (!strncmp(words, "DEV", length) && length == 3) {
			if (c->t->journal.bytes)
				add_words(c, "-j");
			if (c->t->journal.bytes)
				add_words(c, c->t->journal.path);
			add_words(c, c->t->fs.path);
		} else {
			add_word(c, words, length);
		}
		words += length;
		words += *words == ' ';
	}
}

/* ------------------------------------------------------------- the place */

static char place[512];		/* where the programs run */

/* In that directory; tests/suite removes what a crash leaves of it. */
static void shell(const char *script)
{
	char *command;

	if (asprintf(&command, "cd '%s' && %s", place, script) < 0 ||
	    system(command))
		abort();
	free(command);
}

static void leave(void)
{
	shell("rm -rf \"$PWD\"");
}

static void find_place(void)
{
	const char *tmp = getenv("TMPDIR");

	if (*place)
		return;
	snprintf(place, sizeof(place), "%s/e2lazy-fuzz.XXXXXX",
		 tmp ? tmp : "/tmp");
	if (!mkdtemp(place))
		abort();
	shell("printf '%s\\n' "
	      "'[1.5] JBD2: Invalid checksum recovering block 3905 in log' "
	      "'[1.6] JBD2: recovery failed' "
	      "'[1.7] EXT4-fs (sda1): error loading journal' >dmesg");
	atexit(leave);
}

static bool is_left(const char *name)
{
	char path[sizeof(place) + 16];

	snprintf(path, sizeof(path), "%s/%s", place, name);
	return !access(path, F_OK);
}

/* Restored directories may be closed to their owner. */
static void tidy(void)
{
	if (is_left("out") || is_left("undo") || is_left("page") ||
	    is_left("folder"))
		shell("{ [ ! -d out ] || chmod -R u+rwX out; } && "
		      "rm -rf out undo page folder");
}

/* -------------------------------------------------------------- the image */

/* Its bytes before a command line. */
struct before {
	struct device	*device;
	uint8_t		*bytes;
};

static void remember(struct before *b, struct device *device)
{
	b->device = device;
	b->bytes = device->loaded ? malloc(device->loaded) : NULL;
	if (device->loaded && !b->bytes)
		abort();
	if (b->bytes)
		memcpy(b->bytes, device->bytes, device->size);
}

/* Did a program write to it?  Then input_clear() has to hear of it. */
static bool has_changed(struct before *b)
{
	struct device *d = b->device;
	struct stat st;

	if (!b->bytes)
		return false;
	must(!fstat(d->fd, &st) && (size_t)st.st_size == d->size);
	if (!memcmp(b->bytes, d->bytes, d->size))
		return false;
	for (size_t at = 0; at < d->size; at += d->blocksize)
		if (memcmp(b->bytes + at, d->bytes + at, d->blocksize))
			device_block(d, (uint32_t)(at / d->blocksize));
	memcpy(b->bytes, d->bytes, d->size);
	return true;
}

/* --------------------------------------------------------------- the rules */

#define FSCK_MASK	(1 | 4 | 8 | 16 | 32)
#define LOOK_MASK	(4 | 8 | 16 | 32)

/* What is known about the input's image. */
struct trial {
	struct command	command;
	struct forked	result;
	struct before	fs, journal;
};

static bool has_word(const struct command *c, const char *word)
{
	for (unsigned i = 0; i < c->nr; i++)
		if (!strcmp(c->argv[i], word))
			return true;
	return false;
}

static unsigned run(struct trial *trial, const char *words)
{
	struct command *c = &trial->command;
	struct forked *f = &trial->result;

	c->nr = 0;
	c->used = 1;
	add_words(c, words);
	c->argv[c->nr] = NULL;
	forked_run(f, place, !strcmp(c->argv[0], "e2lazy") ? e2lazy_main :
							     e2lazyck_main,
		   c->argv);
	device_bytes_read += f->bytes_read;
	return WIFEXITED(f->status) ? (unsigned)WEXITSTATUS(f->status) : ~0U;
}

/* A document, or the reason why there is none. */
static void judge_text(const struct trial *trial, unsigned status)
{
	const struct forked *f = &trial->result;
	bool none = !f->out_size && status & 16;

	if (has_word(&trial->command, "--json"))
		must(none || json_is_document(f->out, f->out_size));
	if (has_word(&trial->command, "--json-lines"))
		must(json_is_lines(f->out, f->out_size));
	must(!(status & ~1U) || f->err_size);
}

/* After a success another look finds nothing to write. */
static void judge_again(struct trial *trial, enum effect effect)
{
	unsigned status = run(trial, "e2lazyck --json DEV");

	must(!(status & ~(unsigned)FSCK_MASK));
	must(!(status & 8));
	judge_text(trial, status);
	if (effect == WRITES_BACK)
		must(strstr(trial->result.out, "\"pending\":false"));
}

static void show(const struct trial *trial)
{
	const char *wanted = getenv("FUZZ_SHOW_LINES");

	if (!wanted)
		return;
	for (unsigned i = 0; i < trial->command.nr; i++)
		fuzz_tell("%s ", trial->command.argv[i]);
	fuzz_tell("\n%s%sstatus %#x\n", *wanted == '2' ?
		  trial->result.out : "", trial->result.err,
		  (unsigned)trial->result.status);
}

static void try_line(struct trial *trial, const struct line *line)
{
	unsigned status = run(trial, line->words);
	bool looks = line->effect == LOOKS, wrote;

	show(trial);
	wrote = has_changed(&trial->fs);
	wrote |= has_changed(&trial->journal);
	must(!(status & ~(unsigned)(strcmp(trial->command.argv[0], "e2lazy") ?
				    FSCK_MASK : LOOK_MASK)));
	judge_text(trial, status);
	must(!wrote || !looks);
	must(!wrote || status & (1 | 8));
	must(!(status & 1) || wrote);
	if (!looks && !(status & ~1U))
		judge_again(trial, line->effect);
	tidy();
}

void fuzz_one(struct template *t, const struct input *in)
{
	static struct trial trial;
	unsigned count = 0;

	find_place();
	remember(&trial.fs, &t->fs);
	remember(&trial.journal, &t->journal);
	trial.command.t = t;
	for (unsigned i = 0; i < in->nr_ops && count < MOST_LINES; i++) {
		trial.command.op = &in->ops[i];
		if (in->ops[i].kind != OP_WORDS || !in->ops[i].length)
			continue;
		try_line(&trial, &lines[in->ops[i].payload[0] % NR_LINES]);
		count++;
	}
	free(trial.fs.bytes);
	free(trial.journal.bytes);
	fuzz_bound(t, 4 + 8 * count);
}
