/* SPDX-License-Identifier: GPL-2.0-only */
/* target.h - what the fuzz targets share */
#ifndef FUZZ_TARGET_H
#define FUZZ_TARGET_H

#include "e2lazy_medium.h"
#include "e2lazy_mend.h"
#include "input.h"

/* A target has these. */
extern const bool fuzz_wants_words;
void fuzz_one(struct template *t, const struct input *in);

/*
 * A rule that holds for every content of the device; an input that breaks it is
 * a crasher.
 */
void fuzz_broken(const char *rule, const char *file, int line)
	__attribute__((noreturn));
#define must(rule) \
	((rule) ? (void)0 : fuzz_broken(#rule, __FILE__, __LINE__))

/* Print to standard error, also where libFuzzer has closed it. */
void fuzz_tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * Work is bounded by the size of the devices: no more than @times as many
 * bytes may have been read as they have.
 */
void fuzz_bound(const struct template *t, unsigned times);

/* Is this one of @count inputs?  For checks that are too slow for all. */
bool fuzz_one_in(unsigned count, const struct input *in);

/* Open as the input has it; NULL where it cannot be. */
struct e2lazy_journal *fuzz_open(struct template *t);
/* Build the map; NULL where it cannot be. */
struct e2lazy_jmap *fuzz_map(struct e2lazy_journal *journal,
			     const struct input *in, unsigned flags);

/* What a program has before it writes. */
struct fuzz_look {
	struct e2lazy_subject s;
	struct e2lazy_jmap *map;
	struct e2lazy_verdict *verdict;
};

/*
 * Open, map, view and verify the whole log, like a program: true if there is a
 * verdict.  @mapped, which may be NULL, gets a look without view and verdict;
 * false from it ends the look.  Call fuzz_shut() in any case.
 */
bool fuzz_look(struct template *t, const struct input *in,
	       struct fuzz_look *l,
	       bool (*mapped)(struct template *t, const struct fuzz_look *l));
void fuzz_shut(struct fuzz_look *l);
/* Say yes to each question. */
void fuzz_answer_all(struct e2lazy_verdict *verdict);

#endif
