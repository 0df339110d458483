/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * work.h - workloads that show what a layout is worth: MakeDirs, CreateFiles and
 * Postmark of FAST'17, and trees of files as an archive has them
 */
#ifndef MISC_WORK_H
#define MISC_WORK_H

/*
 * Each works below the directory @dir and ends with a sync.  It prints to stderr
 * and exits if it fails: call it in a process of its own.  File data is zeros.
 * The same arguments give the same tree.
 */

/*
 * @count directories, or @files: so many files of 4 KiB and the directories that
 * they need, @depth levels deep, by @workers processes.
 */
int work_tree(const char *dir, unsigned count, unsigned depth,
	      unsigned workers, int files);
/*
 * @count files in @dirs directories, created and deleted in @transactions.  Small
 * ones, which go in the end; or with @most of sizes up to that, which stay.
 */
int work_postmark(const char *dir, unsigned dirs, unsigned count,
		  unsigned transactions, unsigned most);
/* Begin no more than so many of work_postmark's transactions a second; 0: any. */
void work_pace(unsigned a_second);
/* @trees of @dirs directories with @count files each. */
int work_untar(const char *dir, unsigned trees, unsigned dirs,
	       unsigned count);

#endif
