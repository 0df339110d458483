/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nls.h - messages in the user's language
 *
 * _() translates; N_() only marks a string of a table, and _() translates it
 * when it is printed.  P_() chooses the plural form for a number, and PN_()
 * only marks both forms in a table, as one string with a NUL between them.
 * Without ENABLE_NLS they do nothing.  Each call names the domain, because a
 * plugin's process has the domain of its host.
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
#define PN_(one, many)	one "\0" many

/* Take the language from the environment.  Once, before the first message. */
void nls_init(void);
/*
 * nls_load_charset - load the C library's code for the character set @name, and
 *		      keep it, because a confined program can load no code
 */
void nls_load_charset(const char *name);
/* The part of it that a plugin may do: the locale belongs to its host. */
void nls_bind(void);

#endif
