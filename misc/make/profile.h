/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * profile.h - layouts that suit a kind of drive
 *
 * A profile is a stanza for mke2fs.conf(5), whose relations decide the layout.
 * The installed file, mke2lazy-profiles, has them with explanations; a test
 * compares the two.
 */
#ifndef MISC_MAKE_PROFILE_H
#define MISC_MAKE_PROFILE_H

struct profile_relation {
	const char	*name;		/* as in mke2fs.conf(5) */
	const char	*value;
};

struct profile {
	const char	*name;		/* also of the stanza */
	const char	*drive;		/* for which it is: "cmr", "dm-smr",
					   "zoned" */
	const char	*text;		/* description, not yet translated */
	const char	*means;		/* consequences, likewise */
	const struct profile_relation *relations;	/* ends with NULL */
};

/* The last name is NULL; the default profile of a drive comes first. */
extern const struct profile profiles[];

/* Find a profile by name; NULL: there is none. */
const struct profile *profile_find(const char *name);
/* The stanza's value of a relation; NULL: it has none. */
const char *profile_value(const struct profile *profile, const char *relation);

#endif
