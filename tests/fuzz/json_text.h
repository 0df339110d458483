/* SPDX-License-Identifier: GPL-2.0-only */
/* json_text.h - whether bytes are JSON, by RFC 8259 and no code of the programs */
#ifndef FUZZ_JSON_TEXT_H
#define FUZZ_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* One value with white space around it, in UTF-8. */
bool json_is_document(const char *text, size_t length);
/* Each line is such a value. */
bool json_is_lines(const char *text, size_t length);

#endif
