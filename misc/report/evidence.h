/* SPDX-License-Identifier: GPL-2.0-only */
/* evidence.h - the folder of e2lazy evidence */
#ifndef MISC_EVIDENCE_H
#define MISC_EVIDENCE_H

#include "report.h"
#include "session/words.h"

#define FOLDER_MESSAGES	"messages.txt"
#define FOLDER_DOCUMENT	"evidence.json"
#define FOLDER_MANIFEST	"MANIFEST.sha256"

/* A command that was run for a file. */
struct run {
	const char	*file;		/* its standard output */
	struct words	words;
	uint64_t	began, ended;
	int		status;		/* of waitpid(); -1: not run */
};

struct folder {
	struct session	*s;
	const char	*name;		/* the user's */
	int		fd;
	char		*piece;		/* for checksums */
};

/* Make the folder, which must not be there.  False after a complaint. */
bool folder_make(struct folder *f, struct session *s, const char *name);
/* A new file in it: -1 after a complaint. */
int folder_file(struct folder *f, const char *name);
/* Its size and checksum; without a sum after a complaint. */
void folder_sum(struct folder *f, const char *name, struct report_input *in);
/* The lines of sha256sum(1) for these files. */
bool folder_manifest(struct folder *f, const char *const *names);
void folder_close(struct folder *f);

#endif
