/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * in_use.h - checks that no other program uses a device
 */
#ifndef MISC_IN_USE_H
#define MISC_IN_USE_H

#include "session.h"

/* True if it is neither mounted nor swap space nor in use by a program; false
   after a complaint. */
bool session_not_mounted(struct session *session, const char *device);
/* For those who only look: is it?  A name that no device has is not. */
bool session_warn_mounted(struct session *session);
/*
 * Returns why @device, open at @fd, is not writable, translated; or NULL.  It
 * does not open the device for writing, which udev would take for a change.
 */
const char *write_protection(const char *device, int fd);

#endif
