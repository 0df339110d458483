/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * markup.h - text in HTML and SVG
 *
 * Names come from disks, so no text of others is ever written but by these
 * functions: as printable() shows it, with no character that means markup.
 */
#ifndef SUPPORT_MARKUP_H
#define SUPPORT_MARKUP_H

#include "out.h"

/* Text, also within an attribute's quotes. */
void markup_text(struct out *out, const char *text);
void markup_format(struct out *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* An element of our own @name with this text, as a line. */
void markup_element(struct out *out, const char *name, const char *text);

#endif
