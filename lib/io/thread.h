/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef E2LAZY_THREAD_H
#define E2LAZY_THREAD_H

#include <pthread.h>
#include <stdbool.h>

/*
 * Begin a thread that blocks all signals: signals are for the program that
 * called the library.  False if the system gives no thread.
 */
bool thread_begin(pthread_t *thread, void *(*run)(void *priv), void *priv);

#endif
