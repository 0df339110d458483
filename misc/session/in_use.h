/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * in_use.h - whether others use a device that is to be written to
 */
#ifndef MISC_IN_USE_H
#define MISC_IN_USE_H

#include "session.h"

/* Neither mounted nor swap space nor in use by a program; or a complaint. */
bool session_not_mounted(struct session *session, const char *device);
/* For those who only look. */
void session_warn_mounted(struct session *session);
/*
 * Why @device, which is open at @fd, cannot be written to, translated; or NULL.
 * It is not opened for writing, which udev would take for a change.
 */
const char *write_protection(const char *device, int fd);

#endif
