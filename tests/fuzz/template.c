/* SPDX-License-Identifier: GPL-2.0-only */
/* template.c - load the file systems that inputs are laid into */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "template.h"

#define MOST 64

static struct template *templates[MOST];
static struct device *devices[2 * MOST];
static size_t nr_templates, nr_devices;

static void die(const char *what, const char *why)
{
	fprintf(stderr, "templates: %s: %s\n", what, why);
	exit(EXIT_FAILURE);
}

void template_add(struct template *t, const struct part *part)
{
	if (t->nr_parts == t->room) {
		t->room = t->room ? 2 * t->room : 256;
		t->parts = realloc(t->parts, t->room * sizeof(*t->parts));
		if (!t->parts)
			die("parts", "out of memory");
	}
	t->parts[t->nr_parts++] = *part;
}

static int by_kind(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->logged != y->logged)
		return x->logged ? 1 : -1;
	return x->block < y->block ? -1 : x->block > y->block;
}

static void sort_parts(struct template *t)
{
	size_t i = 0;

	qsort(t->parts, t->nr_parts, sizeof(*t->parts), by_kind);
	for (unsigned kind = 0; kind <= NR_PARTS; kind++) {
		while (i < t->nr_parts && t->parts[i].kind < kind)
			i++;
		t->first[kind] = i;
	}
}

static void map_log(struct template *t)
{
	t->log_blocks = t->mkj.fmt.maxlen;
	t->log_at = calloc(t->log_blocks, sizeof(*t->log_at));
	if (!t->log_at)
		die("log", "out of memory");
	for (uint32_t i = 0; i < t->log_blocks; i++) {
		uint64_t phys;

		if (image_map(&t->mkj, i, &phys))
			die("log", t->mkj.err);
		t->log_at[i] = (uint32_t)phys;
	}
}

static void load(const char *dir, const char *name)
{
	struct template *t = calloc(1, sizeof(*t));
	static char why[256];
	const char *journal = NULL;

	if (!t || nr_templates == MOST)
		die(name, "too many");
	snprintf(t->image, sizeof(t->image), "%s/%s", dir, name);
	snprintf(t->external, sizeof(t->external), "%.500s.journal", t->image);
	if (!access(t->external, R_OK))
		journal = t->external;
	t->number = (unsigned)strtoul(name, NULL, 10);
	t->mkj.err = why;
	t->mkj.errlen = sizeof(why);
	if (image_open(&t->mkj, t->image, journal) || super_load(&t->mkj))
		die(t->image, why);
	t->bs = t->mkj.img.bs;
	device_load(&t->fs, t->image, t->bs);
	devices[nr_devices++] = &t->fs;
	t->log = &t->fs;
	if (journal) {
		device_load(&t->journal, journal, t->bs);
		devices[nr_devices++] = &t->journal;
		t->log = &t->journal;
	}
	map_log(t);
	atlas_draw(t);
	sort_parts(t);
	repair_prepare(t);
	repair_log(t);
	device_keep(&t->fs);
	if (t->journal.bytes)
		device_keep(&t->journal);
	templates[nr_templates++] = t;
}

static int is_image(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > 4 && !strcmp(entry->d_name + length - 4, ".img");
}

void templates_load(const char *dir)
{
	struct dirent **names;
	int count = scandir(dir, &names, is_image, alphasort);

	if (count <= 0)
		die(dir, "no templates");
	for (int i = 0; i < count; i++) {
		load(dir, names[i]->d_name);
		free(names[i]);
	}
	free(names);
	device_known(devices, nr_devices);
}

struct template *template_find(unsigned number)
{
	for (size_t i = 0; i < nr_templates; i++)
		if (templates[i]->number == number)
			return templates[i];
	return templates[number % nr_templates];
}

size_t templates_count(void)
{
	return nr_templates;
}
