/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* problem_lazy.h - rows of problem.c: logs that a kernel keeps lazily */

[PROBLEM_DATA_BEFORE_LAZY] = {
	"data-before-lazy", E2LAZY_GRAVE, E2LAZY_ASK,
	N_("an early journal_lazy kernel kept a log with contents of files, "
	   "which may be newer in place"),
	N_("A kernel mounted with data=journal, or wrote files with the flag j, "
	   "and crashed.  Then an early journal_lazy kernel went on with this "
	   "log and wrote contents of files in place.  A replay by a kernel or "
	   "by e2fsck writes the log's contents over them; e2lazyck leaves these "
	   "copies out.  A file that was not written again since has its newest "
	   "contents in the log: then --data-journal writes the copies home.  "
	   "Compare the files with e2lazy view first."),
	N_("Keep the files' blocks in place, and drop the copies?"),
	.status = E2LAZY_DAMAGED,
	.advice = N_("compare the files in the view with those in place, then "
		     "decide which contents are newer"),
	.effect = E2LAZY_EFFECT_LEAVE_OUT,
	.otherwise = E2LAZY_EFFECT_WRITE,
	.mended = true },
[PROBLEM_EMPTIED_BY_TOOLS] = {
	"emptied-by-tools", E2LAZY_WARNING, E2LAZY_GO,
	N_("this is a lazy journal: a mount without journal_lazy, e2fsck -p "
	   "and tune2fs empty it"),
	N_("Each of them silently writes all copies home: no block is lost, "
	   "but it takes time.  e2lazy info reports this hazard; e2lazyck does "
	   "not."), NULL,
	.status = E2LAZY_SOUND_IN_USE,
	.advice = N_("keep fsck at boot and tune2fs away from it") },
