/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nls.c - messages in the user's language
 */
#include <iconv.h>
#include <langinfo.h>
#include <locale.h>
#include <string.h>

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
	nls_load_charset(nl_langinfo(CODESET));
}

void nls_load_charset(const char *name)
{
	/* Read by nothing; an optimizer that leaves it out makes it a leak. */
	static volatile iconv_t kept;

	/* The library has these two without a module. */
	if (strcmp(name, "UTF-8") && strcmp(name, "ANSI_X3.4-1968"))
		kept = iconv_open(name, "UTF-8");
	(void)kept;
}

void nls_bind(void)
{
#ifdef ENABLE_NLS
	bindtextdomain(PACKAGE, LOCALEDIR);
#endif
}
