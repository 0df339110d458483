/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sheet.h - a report for people and scripts from one table
 *
 * A program names each fact once, as a member of the JSON document.  A table of
 * rows has the text for people: a label, and a format whose conversions take
 * facts by name, because one line often has several.
 *
 *	sheet_section(sheet, "plan", JSON_SPREAD);
 *	sheet_u64(sheet, "blocks", plan->blocks);
 *	sheet_u64(sheet, "bytes", plan->bytes);
 *	sheet_end(sheet, rows);
 *
 *	static const struct sheet_row rows[] = {
 *		{ NULL, "Plan", "" },
 *		{ "writes", PN_("%llu block (%s)", "%llu blocks (%s)"),
 *		  "#blocks bytes" },
 *		{ 0 }
 *	};
 */
#ifndef SUPPORT_SHEET_H
#define SUPPORT_SHEET_H

#include "json.h"

struct sheet_fact {
	char		name[2 * JSON_KEY];	/* "key", "group.key" */
	enum sheet_kind {
		SHEET_COUNT,		/* "%s" prints it as bytes */
		SHEET_REAL,
		SHEET_TIME,		/* seconds since 1970 */
		SHEET_TEXT,
		SHEET_WORDS,		/* with blanks between them */
	} kind;
	union {
		uint64_t	count;
		double		real;
		const char	*text;
		struct {
			const char	*const *words;
			size_t		nr_words;
		};
	};
};

struct sheet {
	struct out	*out;		/* for people */
	struct json	*json;		/* for scripts; NULL: for people */
	bool		markup;		/* for people, as HTML: headings and
					   lists of definitions */
	bool		listing;	/* a list of them has begun */
	bool		absent;		/* the facts that follow are unknown */
	const char	*section;
	/* Takes the facts of each section in place of its rows; or NULL. */
	void		(*tell)(struct sheet *sheet, void *priv);
	void		*priv;		/* for @tell */
	const char	*group;		/* NULL: the section itself */
	struct sheet_fact *facts;	/* of the section; NULL: for scripts */
	size_t		count, room;
	struct sheet_fact unasked;	/* place of facts that no row needs */
};

/*
 * A line for people, in English.  Without a @label, @format is a heading.
 * Each word of @facts is
 *	key, group.key	a fact for the next conversion; without it the line is
 *			left out
 *	#key		the same, and its number chooses the form of a PN_()
 *	?key		the line is left out unless this is not 0, or no text
 *	!key		the line is left out unless this is 0, or is not there
 * A list that begins with "~" makes the row a sentence, broken into lines.
 * If a heading is left out, all rows after it are left out, too.
 */
struct sheet_row {
	const char	*label;		/* "": continues the line above */
	const char	*format;	/* NULL: the end of the rows */
	const char	*facts;
};

void sheet_init(struct sheet *sheet, struct out *out, struct json *json);

/*
 * Begin a member of the document that has facts; sheet_end() prints its @rows
 * and frees the kept facts.
 */
void sheet_section(struct sheet *sheet, const char *key,
		   enum json_layout layout);
/* Print the @rows whose facts are known by now, for people. */
void sheet_print(struct sheet *sheet, const struct sheet_row *rows);
void sheet_end(struct sheet *sheet, const struct sheet_row *rows);
/* Free facts that were kept outside of a section; sheet_end() does it, too. */
void sheet_forget(struct sheet *sheet);
/* A member of a section with facts of its own, "group.key" in rows. */
void sheet_group(struct sheet *sheet, const char *key);
void sheet_group_end(struct sheet *sheet);

/*
 * Facts.  A fact whose key begins with a dot is for people only.  Text must
 * stay valid until sheet_end().
 */
/* All facts are null from now on, until a call with false. */
void sheet_absent(struct sheet *sheet, bool absent);
void sheet_u64(struct sheet *sheet, const char *key, uint64_t value);
/* The same, but 0 gives null. */
void sheet_known(struct sheet *sheet, const char *key, uint64_t value);
void sheet_i64(struct sheet *sheet, const char *key, int64_t value);
void sheet_real(struct sheet *sheet, const char *key, double value);
void sheet_bool(struct sheet *sheet, const char *key, bool value);
/* NULL gives null. */
void sheet_text(struct sheet *sheet, const char *key, const char *text);
/* The same, and "" gives null, too. */
void sheet_name(struct sheet *sheet, const char *key, const char *text);
/* An array of texts, which must stay valid, too. */
void sheet_words(struct sheet *sheet, const char *key,
		 const char *const *words, size_t nr_words);
/* Seconds since 1970; 0 gives null. */
void sheet_time(struct sheet *sheet, const char *key, uint64_t seconds);
void sheet_null(struct sheet *sheet, const char *key);

#endif
