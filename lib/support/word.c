/* SPDX-License-Identifier: GPL-2.0-only */
/* word.c - quote words of a command line for a shell */
#include <string.h>

#include "out.h"
#include "text.h"

/* Write control characters as \xNN, which shells read in $''. */
static void print_escaped(struct out *out, const char *word)
{
	const char *end = word + strlen(word);
	char shown[PRINTABLE];

	out_text(out, "$'");
	while (word < end) {
		if (*word == '\'' || *word == '\\')
			out_char(out, '\\');
		out_bytes(out, shown, printable(shown, &word, end - word));
	}
	out_char(out, '\'');
}

static bool is_printable(const char *word)
{
	const char *end = word + strlen(word), *at;
	char shown[PRINTABLE];

	for (at = word; word < end; at = word)
		if (printable(shown, &word, end - word) != (size_t)(word - at))
			return false;
	return true;
}

void out_word(struct out *out, const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "abcdefghijklmnopqrstuvwxyz"
				    "0123456789-_=,./:+@%";
	const char *p;

	if (*word && !word[strspn(word, plain)]) {
		out_text(out, word);
		return;
	}
	if (!is_printable(word)) {
		print_escaped(out, word);
		return;
	}
	out_char(out, '\'');
	for (p = word; *p; p++) {
		if (*p == '\'')
			out_text(out, "'\\'");
		out_char(out, *p);
	}
	out_char(out, '\'');
}

void out_file_word(struct out *out, const char *file)
{
	if (*file != '-') {
		out_word(out, file);
		return;
	}
	/*
	 * "./", not "--": a program without long options takes "--" for a name.
	 */
	out_text(out, "./");
	out_word(out, file);
}
