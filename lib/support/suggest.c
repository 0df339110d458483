/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * suggest.c - find the known word closest to a mistyped one
 */
#include <stdbool.h>
#include <string.h>

#include "suggest.h"

/* Longer words get no suggestion. */
#define LONGEST		32

static unsigned least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * The number of letters to remove, add, change or swap with the next one.  Row
 * i of the table is for the first i letters of @a.
 */
static unsigned distance(const char *a, size_t m, const char *b, size_t n)
{
	unsigned row[LONGEST + 1][LONGEST + 1];

	for (size_t i = 0; i <= m; i++)
		row[i][0] = i;
	for (size_t j = 0; j <= n; j++)
		row[0][j] = j;
	for (size_t i = 1; i <= m; i++) {
		for (size_t j = 1; j <= n; j++) {
			row[i][j] = least(least(row[i - 1][j],
						row[i][j - 1]) + 1,
					  row[i - 1][j - 1] +
					  (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
			    a[i - 2] == b[j - 1])
				row[i][j] = least(row[i][j],
						  row[i - 2][j - 2] + 1);
		}
	}
	return row[m][n];
}

/* One letter in three may be wrong; the beginning of a word is close to it. */
void suggest(struct suggestion *s, const char *known)
{
	size_t length = strlen(known);
	unsigned d;

	if (s->length < 2 || s->length > LONGEST || length > LONGEST)
		return;
	d = distance(s->word, s->length, known, length);
	if (d > (s->length + 2) / 3 && strncmp(known, s->word, s->length))
		return;
	if (!s->best || d < s->distance) {
		s->best = known;
		s->distance = d;
	}
}
