/* SPDX-License-Identifier: GPL-2.0-only */
/* thread.c - a thread of the library's own */
#include "config.h"

#include <signal.h>

#include "thread.h"

bool thread_begin(pthread_t *thread, void *(*run)(void *priv), void *priv)
{
	sigset_t all, before;
	int failed;

	sigfillset(&all);
	if (pthread_sigmask(SIG_SETMASK, &all, &before))
		return false;
	failed = pthread_create(thread, NULL, run, priv);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return !failed;
}
