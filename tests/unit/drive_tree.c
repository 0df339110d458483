/* SPDX-License-Identifier: GPL-2.0-only */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drive_tree.h"

/* The suite tells where the sources are; by hand, this file's name does. */
static char *source(const char *below)
{
	const char *top = getenv("SRCDIR");
	char *path;

	if (top)
		ck_assert_int_gt(asprintf(&path, "%s/%s", top, below), 0);
	else
		ck_assert_int_gt(asprintf(&path, "%.*s../../%s",
					  (int)(strrchr(__FILE__, '/') + 1 -
						__FILE__), __FILE__, below),
				 0);
	return path;
}

char *shipped_list(void)
{
	return source("misc/data/mke2lazy-drives");
}

char *new_tree(const char *name, const char *more)
{
	struct fixture *f = new_fixture();
	char *unpack = source("tests/fixtures/sysfs/unpack");
	char *root, *line, *file;
	FILE *out;

	ck_assert_int_gt(asprintf(&root, "%s/root", f->dir), 0);
	ck_assert_int_gt(asprintf(&file, "%s/tree", f->dir), 0);
	out = fopen(file, "w");
	ck_assert_ptr_nonnull(out);
	fprintf(out, "@ %s\n%s\n", name, more ? more : "");
	ck_assert_int_eq(fclose(out), 0);
	ck_assert_int_gt(asprintf(&line, "'%s' '%s' '%s'", unpack, file, root),
			 0);
	shell(f, line);
	free(line);
	free(file);
	free(unpack);
	return root;
}

void probe_in(const char *name, const char *more, const char *device,
	      struct e2lazy_drive *out)
{
	struct e2lazy_drive_opts opts;
	char *root = new_tree(name, more), *list = shipped_list();
	unsigned line;

	opts.root = root;
	opts.models = list;
	ck_assert_int_eq(e2lazy_drive_probe(device, &opts, out, &line), 0);
	free(root);
	free(list);
}

const char *sign_ids(const struct e2lazy_drive *drive)
{
	static char ids[E2LAZY_DRIVE_SIGNS * 32];

	*ids = '\0';
	for (unsigned i = 0; i < drive->nr_signs; i++) {
		size_t used = strlen(ids);

		snprintf(ids + used, sizeof(ids) - used, "%s%s",
			 i ? " " : "", drive->signs[i].id);
	}
	return ids;
}
