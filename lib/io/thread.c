/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* thread.c - a thread of the library */

#include <signal.h>

#include "thread.h"

/*
 * The default stack has 8 MiB.  Two dozen of them would take the address space
 * that a process under a limit (ulimit -v) needs for the copies.
 */
#define STACK_BYTES (512 << 10)

static int create(pthread_t *thread, void *(*run)(void *priv), void *priv)
{
	pthread_attr_t attr;
	int failed = pthread_attr_init(&attr);

	if (failed)
		return failed;
	pthread_attr_setstacksize(&attr, STACK_BYTES);
	failed = pthread_create(thread, &attr, run, priv);
	pthread_attr_destroy(&attr);
	return failed;
}

bool thread_begin(pthread_t *thread, void *(*run)(void *priv), void *priv)
{
	sigset_t all, before;
	int failed;

	sigfillset(&all);
	if (pthread_sigmask(SIG_SETMASK, &all, &before))
		return false;
	failed = create(thread, run, priv);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return !failed;
}
