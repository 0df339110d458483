/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * workload.c - the workloads of misc/make/work.c, as large as one likes
 *
 *	workload makedirs DIR COUNT DEPTH WORKERS
 *	workload createfiles DIR COUNT DEPTH WORKERS
 *	workload postmark DIR DIRS FILES TRANSACTIONS [MOST [PACE]]
 *	workload untar DIR TREES DIRS FILES
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "make/work.h"

int main(int argc, char **argv)
{
	if (argc == 6 && !strcmp(argv[1], "makedirs"))
		return work_tree(argv[2], atoi(argv[3]), atoi(argv[4]),
				 atoi(argv[5]), 0);
	if (argc == 6 && !strcmp(argv[1], "createfiles"))
		return work_tree(argv[2], atoi(argv[3]), atoi(argv[4]),
				 atoi(argv[5]), 1);
	if (argc == 8)
		work_pace(atoi(argv[7]));
	if (argc >= 7 && argc <= 8 && !strcmp(argv[1], "postmark"))
		return work_postmark(argv[2], atoi(argv[3]), atoi(argv[4]),
				     atoi(argv[5]), atoi(argv[6]));
	if (argc == 6 && !strcmp(argv[1], "postmark"))
		return work_postmark(argv[2], atoi(argv[3]), atoi(argv[4]),
				     atoi(argv[5]), 0);
	if (argc == 6 && !strcmp(argv[1], "untar"))
		return work_untar(argv[2], atoi(argv[3]), atoi(argv[4]),
				  atoi(argv[5]));
	fprintf(stderr, "usage: workload makedirs DIR COUNT DEPTH WORKERS\n"
		"       workload createfiles DIR COUNT DEPTH WORKERS\n"
		"       workload postmark DIR DIRS FILES TRANSACTIONS [MOST [PACE]]\n"
		"       workload untar DIR TREES DIRS FILES\n");
	return 1;
}
