/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* thread.c - a thread of the library's own */

#include <signal.h>

#include "thread.h"

/*
 * The usual stack is of 8 MiB.  Two dozen threads would take what addresses a
 * process with a limit has for the copies themselves; none needs so much.
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
