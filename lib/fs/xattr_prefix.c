/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* xattr_prefix.c - the beginning of a name that the disk leaves out */

#include <stddef.h>

#include "xattr_prefix.h"

const char *xattr_prefix(unsigned index)
{
	static const char *const prefixes[] = {
		[1] = "user.",
		[2] = "system.posix_acl_access",
		[3] = "system.posix_acl_default",
		[4] = "trusted.",
		[6] = "security.",
		[7] = "system.",
		[8] = "system.richacl",
	};

	return index < sizeof(prefixes) / sizeof(*prefixes) ?
	       prefixes[index] : NULL;
}
