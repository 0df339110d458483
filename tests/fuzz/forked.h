/* SPDX-License-Identifier: GPL-2.0-only */
/* forked.h - the main() of a program, in a process of its own */
#ifndef FUZZ_FORKED_H
#define FUZZ_FORKED_H

#include <stddef.h>
#include <stdint.h>

/* The result; forked_run() replaces the texts of the run before. */
struct forked {
	int		status;		/* as of waitpid() */
	uint64_t	bytes_read;	/* by pread() */
	char		*out, *err;	/* with a NUL at the end */
	size_t		out_size, err_size;
};

/*
 * Run @program with @argv in the directory @dir.  Whatever it does to its
 * memory, descriptors and signals ends with the process; the branches that it
 * took count for the input.
 */
void forked_run(struct forked *f, const char *dir,
		int (*program)(int argc, char **argv), char **argv);

#endif
