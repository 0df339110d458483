/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nls.c - messages in the user's language
 */
#include <locale.h>

#include "nls.h"

/*
 * LC_NUMERIC and LC_TIME stay those of C: what scripts read must not change
 * its decimal point with the user's country.
 */
void nls_init(void)
{
	setlocale(LC_CTYPE, "");
#ifdef ENABLE_NLS
	setlocale(LC_MESSAGES, "");
#endif
	nls_bind();
}

void nls_bind(void)
{
#ifdef ENABLE_NLS
	bindtextdomain(PACKAGE, LOCALEDIR);
#endif
}
