/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nls.h - messages in the user's language
 *
 * _() translates where it stands; N_() only marks a string of a table, which
 * is translated with _() where it is printed.  P_() chooses the form that the
 * number takes.  Without ENABLE_NLS they vanish.
 * The domain is named each time: in a plugin that of the process is its host's.
 */
#ifndef SUPPORT_NLS_H
#define SUPPORT_NLS_H

#ifdef ENABLE_NLS
#include <libintl.h>
#define _(text)		dgettext(PACKAGE, text)
#define P_(one, many, n)	dngettext(PACKAGE, one, many, n)
#else
#define _(text)		(text)
#define P_(one, many, n)	((n) == 1 ? (one) : (many))
#endif
#define N_(text)	text

/* Take the language from the environment. Once, before the first message. */
void nls_init(void);
/* Of that, what a plugin may do: the locale is its host's. */
void nls_bind(void);

#endif
