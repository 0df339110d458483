/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nls.c - messages in the user's language
 */
#include <locale.h>

#include "nls.h"

/*
 * LC_NUMERIC and LC_TIME stay those of C: the decimal point in the input of
 * scripts must not depend on the user's country.
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
