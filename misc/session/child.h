/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * child.h - starts, watches and ends processes
 */
#ifndef MISC_CHILD_H
#define MISC_CHILD_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "words.h"

struct child {
	const char	*name;		/* for messages */
	pid_t		pid;		/* 0: not running */
	int		status;		/* status of waitpid(), once it ended */
};

/*
 * Start a program that ends with this process and reads nothing; its output
 * goes to stderr.  False, after a complaint, if there is no such program.
 */
bool child_start(struct child *child, const char *name,
		 const struct words *words, const sigset_t *mask);
/* True when it runs no more. */
bool child_ended(struct child *child);
/* Start it and wait for its end. True if its exit status is 0. */
bool child_run(const char *name, const struct words *words,
	       const sigset_t *mask);
/* True if it ended, for any reason, within @ms. */
bool child_wait(struct child *child, unsigned ms);
/* End it: with SIGTERM first, then with SIGKILL. */
void child_stop(struct child *child);
/* "exit status 1" or "killed by signal 9", for a message. */
#define CHILD_TEXT	64
void child_text(const struct child *child, char text[CHILD_TEXT]);

/* fork(): when its parent ends, a signal asks the child to end. */
pid_t child_fork(void);
/* The exit statuses of a shell: a program cannot be run, or is not found. */
#define STATUS_NOT_RUN		126
#define STATUS_NOT_FOUND	127
/*
 * In a child: execute the program @words[0], found in PATH.  On failure
 * complain and return one of the above.
 */
int child_become(char **words, const sigset_t *mask);

/* For events that only polling finds. */
void pause_ms(unsigned ms);

#endif
