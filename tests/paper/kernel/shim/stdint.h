/* SPDX-License-Identifier: GPL-2.0-only */
#include <linux/types.h>
#include <linux/limits.h>
#ifndef UINT64_MAX
#define UINT64_MAX U64_MAX
#define UINT32_MAX U32_MAX
#endif
#include <linux/kernel.h>
