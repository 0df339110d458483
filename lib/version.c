/* SPDX-License-Identifier: GPL-2.0-only */

#include "e2lazy.h"

const char *e2lazy_version(void)
{
	return PACKAGE_VERSION;
}
