/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * make.h - mke2lazy: declarations that its files share
 *
 * A run goes through the command line (mke2lazy.c, units.c, passed.c), the
 * device and its users (drive.c, in_use.c), the plan (plan.c), for which mke2fs
 * makes the file system in memory (command.c, run.c, made.c), the printed plan
 * (sheet.c, items.c), mke2fs on the device, and the proof (verify.c).  simulate.c
 * compares the profiles instead, each after background.c.  A step that returns
 * false has failed and has put the reason into the session's status.
 */
#ifndef MISC_MAKE_H
#define MISC_MAKE_H

#include <sys/stat.h>

#include "session/bands.h"
#include "e2lazy_drive.h"
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

/* --kernel */
enum make_kernel { MAKE_STOCK, MAKE_LAZY };

/* The source of the live metadata that a lazy log will hold. */
enum make_live {
	MAKE_LIVE_NONE, MAKE_LIVE_GIVEN, MAKE_LIVE_LIKE, MAKE_LIVE_TRACE,
	MAKE_LIVE_INODES, MAKE_LIVE_PAPER,
};

/* The options after "--", for mke2fs. */
struct passed {
	char		*types;		/* all -T, with commas; or NULL */
	char		*features;	/* all -O */
	char		*extended;	/* all -E */
	char		*journal;	/* all -J */
	struct words	rest, plan;	/* all others; those for a plan */
};

/* A file system that mke2fs made. */
struct make_layout {
	unsigned	blocksize;
	unsigned	cluster_blocks;		/* 1 without bigalloc */
	unsigned	inode_size;
	unsigned	flex_groups;		/* 1: none */
	uint64_t	blocks, inodes;
	uint64_t	inode_ratio;		/* bytes */
	uint64_t	free_blocks;		/* before there is a journal */
	uint64_t	journal_blocks;		/* with a fast-commit area */
	uint64_t	journal_start;		/* block */
	uint64_t	journal_runs;		/* number of pieces */
	bool		fast_commit, sparse_super2, resizable, marked;
	struct e2lazy_regions *regions;
	struct e2lazy_bands bands, dynamic;	/* for both kinds of mapping */
};

/* Work of --simulate: a number of units, and where it begins. */
struct make_work {
	const char	*name;
	const char	*unit;		/* after the number, and in English */
	unsigned	scale;		/* by default */
	unsigned	files;		/* in each; 0: it has none */
	bool		in_root;	/* or below a directory */
	int		(*run)(const char *dir, unsigned scale);
};

struct make {
	struct session	*s;
	char		*device;
	const struct make_work *work;	/* of --simulate; NULL: none */
	unsigned	work_scale;
	bool		planning;	/* an option is for a plan alone */

	bool		streaming;	/* --probe-streaming */
	bool		dry;		/* -n */
	bool		list;
	bool		mark;
	bool		force;
	struct stat	looked_at;	/* the device, in make_may_write() */
	const char	*undo;		/* file of -z */
	const char	*sysroot;	/* NULL: "/" */
	enum make_drive	choice;
	const char	*model;		/* of --drive, in the list; or NULL */
	uint64_t	model_rate;	/* of it, bytes a second */
	enum e2lazy_size_policy policy;
	unsigned	shown_bands;	/* BANDS_*, of --bands */
	const struct profile *wanted;	/* NULL: by the drive */
	uint64_t	given_throughput;	/* bytes a second; 0: none */
	uint64_t	given_timer;	/* ms */
	uint64_t	given_journal;	/* bytes */
	uint64_t	live;		/* bytes; see @live_source */
	enum make_live	live_source;
	enum make_kernel kernel;
	bool		kernel_given;
	const char	*like, *trace;	/* --like, --trace */
	uint64_t	band;		/* bytes; 0: by the drive */
	bool		banded_by_zones;
	uint64_t	size;		/* bytes; 0: all of the device */
	struct passed	passed;

	struct e2lazy_drive drive;
	const char	*choice_text;	/* why this profile; English */
	const struct profile *profile;
	char		*config;	/* value of MKE2FS_CONFIG, or NULL */

	struct e2lazy_throughput throughput;
	enum make_source throughput_source;
	struct e2lazy_dirty_timer timer;
	enum make_source timer_source;
	struct e2lazy_size_request request;
	struct e2lazy_journal_size journal;

	struct make_layout layout;	/* as planned */
	char		trial_name[32];	/* of its file in memory */
	bool		misaligned;	/* it begins at none of the zones */

	struct words command;	/* as run */
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

/* passed.c: false with a complaint.  The first of @words is "--". */
bool make_take_passed(struct make *m, int count, char **words);
void make_free_passed(struct passed *passed);
/* Find the value of @key in a list "a=1,b,c=2"; to be freed, or NULL. */
char *make_list_get(const char *list, const char *key);

/* drive.c */
bool make_probe(struct make *m);
/* Choose the kind of the drive, after --drive, and its profile. */
bool make_choose_profile(struct make *m);
/* Measure at @offset of the device; complain if the result is doubtful. */
bool make_throughput(struct make *m, uint64_t offset);
bool make_timer(struct make *m);
/* The size of its zones, that of most if it does not say; 0: it has none. */
uint64_t make_zone_bytes(const struct make *m);
/* A text for people, not yet translated. */
const char *make_class_text(const struct e2lazy_drive *drive);

/* live.c: how much metadata a lazy log will hold. */
bool make_live(struct make *m);
/*
 * What its cleaner writes, in percent of what is logged otherwise; below 0:
 * unknown.  @traced: so it is with the transactions of --trace.
 */
bool make_cleaner(struct make *m, double *percent, bool *traced);

/* in_use.c: no other program uses the device, and it is writable. */
bool make_may_write(struct make *m);
/* Its name still leads to the same device: mke2fs opens it by name. */
bool make_still_same(struct make *m);

/* Does @block begin a zone?  Without zones: yes. */
bool make_is_aligned(const struct make *m, uint64_t block);
/* plan.c: throughput, timer, size, layout, bands, command. */
bool make_plan(struct make *m);
/* Are the tables of @profile to be packed, after what the user passes? */
bool make_packs(const struct make *m, const struct profile *profile);
/*
 * The layout of another profile; @layout->blocks is 0 if mke2fs refuses it.  To
 * be freed.
 */
bool make_compare(struct make *m, const struct profile *profile,
		  struct make_layout *layout);
/* made.c: read a file system into @layout, which is zero or was read before. */
errcode_t make_read(const struct make *m, struct e2lazy_journal *journal,
		    struct make_layout *layout);
bool make_same_regions(const struct make_layout *a,
		       const struct make_layout *b);
void make_layout_free(struct make_layout *layout);

/* use.c: the bands that so many new directories dirty, by a measured rule. */
#define MAKE_USE_DIRS	200000
uint64_t make_use(const struct make *m, const struct profile *profile,
		  const struct make_layout *layout);
#define MAKE_ADVICE	12
/* The advice, in English; returns the number of texts. */
unsigned make_advice(const struct make *m, const char *texts[MAKE_ADVICE]);

/* command.c: a command line of mke2fs */
struct make_mke2fs {
	const struct profile *profile;
	const char	*target;	/* NULL: the device */
	uint64_t	journal;	/* bytes; 0: mke2fs's own choice */
	uint64_t	goal;		/* of it, block; ~0: likewise */
	const char	*extended;	/* more for -E, or NULL */
	bool		trial;		/* @target may be overwritten, and goes */
	unsigned	stride, stripe;	/* blocks; 0: none */
};

void make_mke2fs(const struct make *m, const struct make_mke2fs *how,
		 struct words *words);
/* The commands of the plan. */
bool make_command(struct make *m, const struct make_mke2fs *how);

/* background.c: false if a signal ended the wait. */
bool make_await_background(struct make *m);

/* simulate.c: the same work on a file system of each profile */
bool make_choose_work(struct make *m, const char *arg);
void make_simulate(struct make *m);
/* streaming.c: --probe-streaming, which overwrites a part of the device. */
void make_probe_streaming(struct make *m);

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
/*
 * Run mke2fs on the sparse file @fd in memory, bounded in time and memory.
 * @refused: it ended with an error, which @tell makes it say; else NULL.
 */
bool make_try(struct make *m, const struct words *words, int fd, bool tell,
	      bool *refused);
/* Check and set @m->config: root believes no file that others can change. */
bool make_check_config(struct make *m);

/* verify.c: does the new file system match the plan? */
void make_verify(struct make *m);

#endif
