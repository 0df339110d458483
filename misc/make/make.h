/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * make.h - mke2lazy: what its files share
 *
 * A run: the command line (mke2lazy.c, units.c, mke2fs_options.c), what the
 * device is and whether it may be touched (drive.c, in_use.c), the
 * layout and the journal that follow (conf.c, load.c, layout.c,
 * plan.c), the plan in print (sheet.c, items.c), mke2fs itself
 * (command.c, run.c) and the proof (verify.c).  A step that
 * returns false has failed, and has said why in the session's status.
 */
#ifndef MISC_MAKE_H
#define MISC_MAKE_H

#include <sys/stat.h>

#include "session/bands.h"
#include "e2lazy_drive.h"
#include "conf.h"
#include "profile.h"
#include "session/session.h"

/* --drive */
enum make_drive { MAKE_AUTO, MAKE_CMR, MAKE_DM_SMR, MAKE_ZONED };

/* Where a number of the plan comes from. */
enum make_source {
	MAKE_NONE,		/* there is none */
	MAKE_GIVEN,		/* by the user */
	MAKE_MEASURED,		/* by us; of the timer: by the kernel */
	MAKE_ASSUMED,
};

/* A command line that is put together. */
struct make_words {
	char	**at;		/* ends with NULL */
	size_t	count, room;
	bool	failed;		/* out of memory */
};

void make_word(struct make_words *words, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void make_words_free(struct make_words *words);

/* What stands behind "--", for mke2fs.  0 and NULL: it does not say. */
struct make_passed {
	unsigned	blocksize;
	uint64_t	cluster;	/* bytes */
	uint64_t	inode_ratio;
	uint64_t	inodes;		/* of -N */
	unsigned	inode_size;
	unsigned	flex_groups;
	char		*types;		/* of all -T, with commas */
	char		*features;	/* of all -O */
	char		*extended;	/* of all -E */
	char		*journal;	/* of all -J */
	char		blur[64];	/* an option that makes the layout
					   unpredictable, or "" */
	struct make_words rest;		/* what is passed on as it is */
};

/* How mke2fs would lay the file system out. */
struct make_layout {
	struct e2lazy_fs_plan plan;
	struct conf_types types;	/* all, "ext4" first */
	const char	*size_type;	/* "big", or NULL */
	char		*names;		/* what @types point into */
	char		blur[64];	/* as above, and of mke2fs.conf */
};

struct make {
	struct session	*s;
	char		*device;

	bool		dry;		/* -n */
	bool		list;
	bool		mark;
	bool		force;
	struct stat	looked_at;	/* by make_safe(), of the device */
	const char	*undo;		/* file of -z */
	const char	*sysroot;	/* NULL: "/" */
	enum make_drive	choice;
	enum e2lazy_size_policy policy;
	unsigned	shown_bands;	/* BANDS_*, of --bands */
	const struct profile *wanted;	/* NULL: by the drive */
	uint64_t	given_throughput;	/* bytes a second; 0: none */
	uint64_t	given_timer;	/* ms */
	uint64_t	given_journal;	/* bytes */
	uint64_t	live;		/* bytes */
	uint64_t	band;		/* bytes; 0: by the drive */
	uint64_t	size;		/* bytes; 0: all of the device */
	struct make_passed passed;

	struct e2lazy_drive drive;
	const char	*choice_text;	/* why this profile; English */
	const struct profile *profile;
	struct conf	conf;		/* of the system */
	char		**conf_files;	/* paths, ends with NULL */
	size_t		nr_conf_files;

	struct e2lazy_throughput throughput;
	enum make_source throughput_source;
	struct e2lazy_dirty_timer timer;
	enum make_source timer_source;
	struct e2lazy_size_request request;
	struct e2lazy_journal_size journal;

	struct make_layout layout;
	struct e2lazy_regions *regions;	/* of @layout */
	uint64_t	journal_start;	/* block */
	uint64_t	journal_runs;	/* pieces it is in */
	bool		misaligned;	/* it does not begin where a zone
					   does, and there are some */
	struct e2lazy_bands bands, dynamic;	/* by either mapping */

	struct make_words command;	/* as it is run, but for its config */
	struct make_words by_hand;	/* the same without our profiles */
	struct make_words marking;	/* what runs behind it; or empty */
};

/* The bytes of the file system that is to be made. */
static inline uint64_t make_bytes(const struct make *m)
{
	return m->size ? m->size : m->drive.bytes;
}

/* units.c */
/* "190 MiB/s", "30 s" */
void make_throughput_text(char text[SIZE_TEXT], uint64_t bytes_per_second);
void make_time_text(char text[SIZE_TEXT], uint64_t ms);
/* "5700 MiB", never GiB: mke2fs takes the size of a journal so. */
void make_mib_text(char text[SIZE_TEXT], uint64_t bytes);
/* A number of blocks, or bytes with a unit behind, as mke2fs reads it. */
bool make_parse_blocks(const char *text, unsigned blocksize, uint64_t *blocks);

/* mke2fs_options.c: false with a complaint. @words end with NULL. */
bool make_passed(struct make *m, int count, char **words);
void make_passed_free(struct make_passed *passed);
/* The value of @key in a list "a=1,b,c=2", to be freed; NULL: not in it. */
char *make_list_get(const char *list, const char *key);

/* drive.c */
bool make_probe(struct make *m);
/* What kind it is taken for, after --drive, and the profile for that. */
bool make_choose_profile(struct make *m);
/* At @offset of the device; complains where the user should know. */
bool make_throughput(struct make *m, uint64_t offset);
bool make_timer(struct make *m);
/* In words, not yet translated. */
const char *make_class_text(const struct e2lazy_drive *drive);

/* in_use.c: nobody uses it, and it can be written to. */
bool make_safe(struct make *m);
/* Its name means what it meant then; for mke2fs, which opens it by that. */
bool make_still_same(struct make *m);

/* load.c */
bool make_load_conf(struct make *m);

/* layout.c */
/*
 * The layout that @profile gives, with a journal of @journal_blocks at
 * @goal (~0: where mke2fs puts it).
 */
bool make_layout(struct make *m, const struct profile *profile,
		 uint64_t journal_blocks, uint64_t goal,
		 struct make_layout *out);
void make_layout_free(struct make_layout *layout);

/* Does @block begin a zone?  Where there are none: yes. */
bool make_is_aligned(const struct make *m, uint64_t block);
/* plan.c: throughput, timer, size, layout, bands, command. */
bool make_plan(struct make *m);
/*
 * Of another profile, with a journal of the same size.  @bands->disk is 0 if
 * mke2fs would not make that.
 */
bool make_compare(struct make *m, const struct profile *profile,
		  struct e2lazy_bands *bands);
#define MAKE_ADVICE	10
/* What else the user should know, in English; returns how many. */
unsigned make_advice(const struct make *m, const char *texts[MAKE_ADVICE]);

/* command.c */
bool make_command(struct make *m);
/* The stanzas of all profiles as a file, to be freed; NULL: out of memory. */
char *make_stanzas(void);

/* list.c */
void make_list_profiles(struct make *m);

/* sheet.c: the plan, for people or as JSON */
bool make_print(struct make *m);
/* items.c: its lists */
void make_print_signs(struct make *m);
void make_print_clamps(struct make *m);
void make_print_band_headings(struct make *m);
bool make_print_profiles(struct make *m);
void make_print_commands(struct make *m);
void make_print_advice(struct make *m);

/* run.c: mke2fs, and what else is to be run. */
bool make_run(struct make *m);

/* verify.c: is what was made what was planned? */
void make_verify(struct make *m);

#endif
