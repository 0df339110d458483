/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* grow.h - arrays that grow by one, for the library and the programs */
#ifndef E2LAZY_GROW_H
#define E2LAZY_GROW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/*
 * Make room for one more element of @size bytes in an array that has @count and
 * room for *@room; a full array doubles its room.  Returns the array, which may
 * have moved, or NULL without memory; then the old array is still valid.
 */
static inline void *grow(void *array, size_t count, size_t *room, size_t size)
{
	size_t more = *room ? 2 * *room : 64;

	if (count < *room)
		return array;
	array = reallocarray(array, more, size);
	if (array)
		*room = more;
	return array;
}

/*
 * Make room for @count more bytes, less than 4096, behind the @used ones of a
 * text that 32 bits can address.  False without memory, or room for more.
 */
static inline bool grow_chars(char **text, size_t used, size_t count,
			      size_t *room)
{
	size_t more = *room ? 2 * *room : 4096;
	char *grown;

	if (*room - used >= count)
		return true;
	grown = more > UINT32_MAX ? NULL : realloc(*text, more);
	if (!grown)
		return false;
	*text = grown;
	*room = more;
	return true;
}

/*
 * The end of an array of @count elements.  An array that never grew is NULL, and
 * C does not even allow to add 0 to NULL.
 */
#define array_end(array, count) ((count) ? (array) + (count) : (array))

#endif
