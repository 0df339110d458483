/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * make.h - mke2lazy: declarations that its files share
 *
 * A run goes through the command line (mke2lazy.c, units.c, mke2fs_options.c),
 * the device and its users (drive.c, in_use.c), the layout and the journal
 * that follow (conf.c, load.c, layout.c, plan.c), the printed plan (sheet.c,
 * items.c), mke2fs itself (command.c, run.c) and the proof (verify.c).  simulate.c
 * compares the profiles instead, each after background.c.  A step that returns
 * false has failed and has put the reason into the session's status.
 */
#ifndef MISC_MAKE_H
#define MISC_MAKE_H

#include <sys/stat.h>

#include "session/bands.h"
#include "e2lazy_drive.h"
#include "conf.h"
#include "profile.h"
#include "session/session.h"
#include "session/words.h"

/* --drive */
enum make_drive { MAKE_AUTO, MAKE_CMR, MAKE_DM_SMR, MAKE_ZONED };

/* The source of a number of the plan. */
enum make_source {
	MAKE_NONE,		/* there is none */
	MAKE_GIVEN,		/* by the user */
	MAKE_MEASURED,		/* measured; the timer: from the kernel */
	MAKE_ASSUMED,
};

/* The options behind "--", for mke2fs. 0 and NULL: not given. */
struct mke2fs_options {
	unsigned	blocksize;
	uint64_t	cluster;	/* bytes */
	uint64_t	inode_ratio;
	uint64_t	inodes;		/* value of -N */
	unsigned	inode_size;
	unsigned	flex_groups;
	char		*types;		/* all -T, with commas */
	char		*features;	/* all -O */
	char		*extended;	/* all -E */
	char		*journal;	/* all -J */
	char		blur[64];	/* an option that makes the layout
					   unpredictable, or "" */
	struct words rest;		/* words passed on unchanged */
};

/* The layout that mke2fs would make. */
struct make_layout {
	struct e2lazy_fs_plan plan;
	struct conf_types types;	/* all, "ext4" first */
	const char	*size_type;	/* "big", or NULL */
	char		*names;		/* memory of @types */
	uint64_t	fast_commit_blocks;	/* that mke2fs adds to the
					   journal */
	char		blur[64];	/* as above, also from mke2fs.conf */
};

/* Work of --simulate: a number of its entries, and where it begins. */
struct make_work {
	const char	*name;
	unsigned	scale;		/* by default */
	bool		in_root;	/* or below a directory */
	int		(*run)(const char *dir, unsigned scale);
};

struct make {
	struct session	*s;
	char		*device;
	const struct make_work *work;	/* of --simulate; NULL: none */
	unsigned	work_scale;
	bool		planning;	/* an option is for a plan alone */

	bool		dry;		/* -n */
	bool		list;
	bool		mark;
	bool		force;
	struct stat	looked_at;	/* the device, in make_may_write() */
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
	struct mke2fs_options passed;

	struct e2lazy_drive drive;
	const char	*choice_text;	/* why this profile; English */
	const struct profile *profile;
	struct conf	conf;		/* mke2fs.conf of the system */
	char		**conf_files;	/* paths, ends with NULL */
	size_t		nr_conf_files;

	struct e2lazy_throughput throughput;
	enum make_source throughput_source;
	struct e2lazy_dirty_timer timer;
	enum make_source timer_source;
	struct e2lazy_size_request request;
	struct e2lazy_journal_size journal;

	struct make_layout layout;
	struct e2lazy_regions *regions;	/* plan of @layout */
	uint64_t	journal_start;	/* block */
	uint64_t	journal_runs;	/* number of pieces */
	bool		misaligned;	/* it begins at none of the zones */
	struct e2lazy_bands bands, dynamic;	/* for both kinds of mapping */

	struct words command;	/* as run, without MKE2FS_CONFIG */
	struct words by_hand;	/* the same without our profiles */
	struct words marking;	/* command to run then; or empty */
};

/* Size of the new file system, in bytes. */
static inline uint64_t make_bytes(const struct make *m)
{
	return m->size ? m->size : m->drive.bytes;
}

/* units.c */
/* "190 MiB/s", "30 s" */
void make_throughput_text(char text[SIZE_TEXT], uint64_t bytes_per_second);
void make_time_text(char text[SIZE_TEXT], uint64_t ms);
/* "5700 MiB", never GiB: mke2fs takes a journal's size in MiB. */
void make_mib_text(char text[SIZE_TEXT], uint64_t bytes);
/* Parse a number of blocks, or bytes with a unit, like mke2fs. */
bool make_parse_blocks(const char *text, unsigned blocksize, uint64_t *blocks);

/* mke2fs_options.c: false with a complaint. @words end with NULL. */
bool mke2fs_options_read(struct make *m, int count, char **words);
void mke2fs_options_free(struct mke2fs_options *passed);
/* Find the value of @key in a list "a=1,b,c=2"; to be freed, or NULL. */
char *make_list_get(const char *list, const char *key);

/* drive.c */
bool make_probe(struct make *m);
/* Choose the kind of the drive, after --drive, and its profile. */
bool make_choose_profile(struct make *m);
/* Measure at @offset of the device; complain if the result is doubtful. */
bool make_throughput(struct make *m, uint64_t offset);
bool make_timer(struct make *m);
/* A text for people, not yet translated. */
const char *make_class_text(const struct e2lazy_drive *drive);

/* in_use.c: no other program uses the device, and it is writable. */
bool make_may_write(struct make *m);
/* Its name still leads to the same device: mke2fs opens it by name. */
bool make_still_same(struct make *m);

/* load.c */
bool make_load_conf(struct make *m);

/*
 * layout.c: compute the layout of @profile, with a journal of @journal_blocks at
 * @goal (~0: mke2fs's choice).
 */
bool make_layout(struct make *m, const struct profile *profile,
		 uint64_t journal_blocks, uint64_t goal,
		 struct make_layout *out);
void make_layout_free(struct make_layout *layout);

/* Does @block begin a zone? Without zones: yes. */
bool make_is_aligned(const struct make *m, uint64_t block);
/* plan.c: throughput, timer, size, layout, bands, command. */
bool make_plan(struct make *m);
/*
 * Compute the bands of another profile, with a journal of the same size, and
 * make_use() of it.  @bands->disk is 0 if mke2fs would refuse it.
 */
bool make_compare(struct make *m, const struct profile *profile,
		  struct e2lazy_bands *bands, uint64_t *used);
/* use.c: the bands that so many new directories dirty, by a measured rule. */
#define MAKE_USE_DIRS	200000
uint64_t make_use(const struct make *m, const struct e2lazy_fs_plan *plan);
#define MAKE_ADVICE	10
/* The advice, in English; returns the number of texts. */
unsigned make_advice(const struct make *m, const char *texts[MAKE_ADVICE]);

/* command.c */
bool make_command(struct make *m);
/* Returns the stanzas of all profiles as a file; to be freed, or NULL. */
char *make_stanzas(void);

/* background.c: false if a signal ended the wait. */
bool make_await_background(struct make *m);

/* simulate.c: the same work on a file system of each profile */
bool make_choose_work(struct make *m, const char *arg);
void make_simulate(struct make *m);

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

/* run.c: run mke2fs and tune2fs. */
bool make_run(struct make *m);

/* verify.c: does the new file system match the plan? */
void make_verify(struct make *m);

#endif
