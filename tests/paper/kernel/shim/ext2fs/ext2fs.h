/* SPDX-License-Identifier: GPL-2.0-only */
/* What the model takes of libext2fs: a type, and two error numbers. */
#ifndef SHIM_EXT2FS_H
#define SHIM_EXT2FS_H

#include <linux/errno.h>

typedef long errcode_t;
#define EXT2_ET_INVALID_ARGUMENT	EINVAL
#define EXT2_ET_NO_MEMORY		ENOMEM

#endif
