/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* regions.h - shared by the files about fixed metadata */
#ifndef E2LAZY_REGIONS_H
#define E2LAZY_REGIONS_H

#include "e2lazy_drive.h"

struct e2lazy_regions {
	struct e2lazy_region *list;
	size_t		count;
	size_t		room;
};

#endif
