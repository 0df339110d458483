/* SPDX-License-Identifier: LGPL-2.1-or-later */

#include "e2lazy.h"

const char *e2lazy_version(void)
{
	return PACKAGE_VERSION;
}
