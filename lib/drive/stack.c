/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * stack.c - find the disks under a device
 *
 * Partitions, loop devices, and layers with "slaves" in sysfs (device mapper,
 * md, bcache) can lie between.  The descent visits MOST_VISITS devices at most,
 * and none twice.
 */

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stack.h"

#define MOST_DEEP	16
#define MOST_VISITS	256
#define SECTOR		512	/* sysfs counts in these, whatever the disk */

struct walk {
	const char	*root;
	struct stack	*stack;
	unsigned	visits;
	char		*seen[MOST_VISITS];	/* their directories */
};

static errcode_t descend(struct walk *walk, struct node *node, unsigned deep);

/* List each kind of layer once, from top to bottom. */
static void note_layer(struct stack *stack, const char *layer)
{
	size_t used = strlen(stack->layers), length = strlen(layer);
	const char *at = stack->layers;

	while ((at = strstr(at, layer)) != NULL) {
		if (at[length] == '\0' || at[length] == ',')
			return;
		at += length;
	}
	snprintf(stack->layers + used, sizeof(stack->layers) - used, "%s%s",
		 used ? ", " : "", layer);
}

/* Append @word in lower case, up to the first character not in [a-z0-9]. */
static void append_word(char *text, size_t size, const char *word)
{
	size_t used = strlen(text);

	for (; used + 1 < size; word++, used++) {
		char c = *word | 0x20;

		if (!((c >= 'a' && c <= 'z') || (*word >= '0' && *word <= '9')))
			break;
		text[used] = c;
	}
	text[used] = '\0';
}

/*
 * Name the maker of a layer.  sysfs does not list a dm device's targets, but
 * the tool that made it puts its own name at the start of the UUID.
 */
static void name_layer(const struct node *node, char *layer, size_t size)
{
	static const struct {
		const char *sign, *layer, *word;
	} kinds[] = {
		{ "dm", "dm", "dm/uuid" },
		{ "md", "md", "md/level" },
		{ "bcache", "bcache", NULL },
		{ "loop", "loop", NULL },
	};
	char word[128];

	snprintf(layer, size, "stacked");
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		if (!node_has(node, kinds[i].sign))
			continue;
		snprintf(layer, size, "%s", kinds[i].layer);
		if (kinds[i].word &&
		    node_text(node, kinds[i].word, word, sizeof(word))) {
			snprintf(layer, size, "%s-", kinds[i].layer);
			append_word(layer, size, word);
		}
		return;
	}
}

static errcode_t add_disk(struct stack *stack, struct node *node)
{
	if (stack->nr_disks == STACK_DISKS) {
		stack->cut = true;
		return 0;
	}
	stack->disks[stack->nr_disks++] = *node;
	node->dir = NULL;
	return 0;
}

static errcode_t descend_partition(struct walk *walk, struct node *node,
				   unsigned deep)
{
	struct stack *stack = walk->stack;
	struct node disk;
	uint64_t start;
	errcode_t err;

	note_layer(stack, "partition");
	if (node_number(node, "start", UINT64_MAX / SECTOR / 2, &start))
		stack->start += start * SECTOR;
	else
		stack->start_known = false;
	err = node_open_in(node, "..", &disk);
	if (!err)
		err = descend(walk, &disk, deep + 1);
	node_close(&disk);
	return err;
}

static errcode_t descend_loop(struct walk *walk, struct node *node,
			      unsigned deep)
{
	char file[4096];
	struct node below;
	errcode_t err = ENOENT;

	walk->stack->start_known = false;
	memset(&below, 0, sizeof(below));
	if (node_path(node, "loop/backing_file", file, sizeof(file)))
		err = device_of_file(walk->root, file, &below);
	if (err == EXT2_ET_NO_MEMORY)
		return err;
	if (err) {
		walk->stack->on_file = true;
		return 0;
	}
	err = descend(walk, &below, deep + 1);
	node_close(&below);
	return err;
}

static errcode_t descend_slaves(struct walk *walk, struct node *node,
				struct dirent **slaves, int count,
				unsigned deep)
{
	errcode_t err = 0;

	walk->stack->start_known = false;
	for (int i = 0; i < count && !err; i++) {
		char entry[sizeof("slaves/") + sizeof(slaves[i]->d_name)];
		struct node below;

		snprintf(entry, sizeof(entry), "slaves/%s", slaves[i]->d_name);
		err = node_open_in(node, entry, &below);
		if (!err)
			err = descend(walk, &below, deep + 1);
		else if (err != EXT2_ET_NO_MEMORY) {
			walk->stack->cut = true;
			err = 0;
		}
		node_close(&below);
	}
	return err;
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* Sorted, for a stable order of the disks. */
static int list_slaves(const struct node *node, struct dirent ***slaves)
{
	char *path = under_root(node->dir, "/slaves");
	int count = path ? scandir(path, slaves, visible, alphasort) : -1;

	free(path);
	return count < 0 ? 0 : count;
}

static errcode_t descend_layer(struct walk *walk, struct node *node,
			       unsigned deep)
{
	struct dirent **slaves = NULL;
	int count = list_slaves(node, &slaves);
	bool loop = node_has(node, "loop/backing_file");
	char layer[64] = "";
	errcode_t err;

	if (count || loop) {
		name_layer(node, layer, sizeof(layer));
		note_layer(walk->stack, layer);
	}
	/* All slaves of dm-mpath are paths to one disk. */
	if (count)
		err = descend_slaves(walk, node, slaves,
				     strcmp(layer, "dm-mpath") ? count : 1,
				     deep);
	else if (loop)
		err = descend_loop(walk, node, deep);
	else
		err = add_disk(walk->stack, node);
	for (int i = 0; i < count; i++)
		free(slaves[i]);
	free(slaves);
	return err;
}

/* If it keeps @node, it takes the directory from it. */
static errcode_t descend(struct walk *walk, struct node *node, unsigned deep)
{
	for (unsigned i = 0; i < walk->visits; i++)
		if (!strcmp(walk->seen[i], node->dir))
			return 0;
	if (deep > MOST_DEEP || walk->visits == MOST_VISITS) {
		walk->stack->cut = true;
		return 0;
	}
	walk->seen[walk->visits] = strdup(node->dir);
	if (!walk->seen[walk->visits])
		return EXT2_ET_NO_MEMORY;
	walk->visits++;
	if (node_has(node, "partition"))
		return descend_partition(walk, node, deep);
	return descend_layer(walk, node, deep);
}

errcode_t stack_open(const char *root, const struct node *top,
		     struct stack *stack)
{
	struct walk walk = { .root = root, .stack = stack };
	struct node first;
	errcode_t err;

	memset(stack, 0, sizeof(*stack));
	stack->start_known = true;
	err = node_open_in(top, ".", &first);
	if (!err)
		err = descend(&walk, &first, 0);
	node_close(&first);
	while (walk.visits)
		free(walk.seen[--walk.visits]);
	if (!stack->start_known)
		stack->start = 0;
	return err;
}

void stack_close(struct stack *stack)
{
	while (stack->nr_disks)
		node_close(&stack->disks[--stack->nr_disks]);
}
