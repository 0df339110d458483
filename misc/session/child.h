/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * child.h - processes that are started, watched and ended
 */
#ifndef MISC_CHILD_H
#define MISC_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* A command line that is put together. */
#define MAX_WORDS	24

struct words {
	char		*at[MAX_WORDS + 1];
	unsigned	count;
	bool		failed;		/* out of memory */
	int		passed;		/* a descriptor for it; 0: none */
};

void words_add(struct words *words, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void words_free(struct words *words);

struct child {
	const char	*name;		/* for messages */
	pid_t		pid;		/* 0: not running */
	int		status;		/* as waitpid() has it, when ended */
};

/*
 * Start a program that ends with this process, reads nothing, and whose output
 * goes where errors go.  False, with a complaint, when that fails.
 */
bool child_start(struct child *child, const char *name,
		 const struct words *words, const sigset_t *mask);
/* True when it runs no more. */
bool child_ended(struct child *child);
/* Start it, and wait for its end. True when its exit status was 0. */
bool child_run(const char *name, const struct words *words,
	       const sigset_t *mask);
/* True when it has ended, for whatever reason, within @ms. */
bool child_wait(struct child *child, unsigned ms);
/* Have it end: asked first, and then not asked. */
void child_stop(struct child *child);
/* "exit status 1" or "killed by signal 9", for a message. */
#define CHILD_TEXT	64
void child_text(const struct child *child, char text[CHILD_TEXT]);

/* fork(): a child that ends, asked by a signal, when its parent does. */
pid_t child_fork(void);
/* As a shell has it: a program that cannot be run, or is not found. */
#define STATUS_NOT_RUN		126
#define STATUS_NOT_FOUND	127
/*
 * In a child: become the program @words[0], which may be in PATH.  Where that
 * fails, complain and return one of the above.
 */
int child_become(char **words, const sigset_t *mask);

/* For what cannot be waited for but by looking. */
void pause_ms(unsigned ms);

#endif
