/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* import.h - what both importers do, that of lines and that of records */
#ifndef TRACE_IMPORT_H
#define TRACE_IMPORT_H

#include "e2lazy_trace.h"

/* Is a request to the device of that name wanted?  It is noted if so. */
bool import_takes(struct e2lazy_import *im, const char *name, size_t length);

#endif
