/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef E2LAZY_THREAD_H
#define E2LAZY_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/*
 * Begin a thread that gets none of the process's signals: they are for the
 * program that called the library.  False if there is none to be had.
 */
bool thread_begin(pthread_t *thread, void *(*run)(void *priv), void *priv);

#endif
