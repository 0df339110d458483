/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * device.c - the drive under a device
 *
 * Sizes and alignment come from the device itself, on top of the stack.  The
 * class of drive comes from the disks at the bottom; the worst one counts.
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <blkid/blkid.h>

#include "disk.h"
#include "stack.h"

#define SECTOR		512
#define MOST_SECTORS	(UINT64_MAX / SECTOR / 2)
#define MOST_BYTES	(1ULL << 60)

/* Alignment and sizes as mke2fs gets them. */
static void probe_topology(const char *device, struct e2lazy_drive *out)
{
	blkid_probe probe = blkid_new_probe_from_filename(device);
	blkid_topology tp = probe ? blkid_probe_get_topology(probe) : NULL;

	if (tp) {
		uint64_t offset = blkid_topology_get_alignment_offset(tp);

		out->logical_sector =
			blkid_topology_get_logical_sector_size(tp);
		out->physical_sector =
			blkid_topology_get_physical_sector_size(tp);
		out->minimum_io = blkid_topology_get_minimum_io_size(tp);
		out->optimal_io = blkid_topology_get_optimal_io_size(tp);
		out->alignment = offset < MOST_BYTES ? offset : 0;
	}
	if (probe && !out->bytes)
		out->bytes = blkid_probe_get_size(probe);
	blkid_free_probe(probe);
}

/* Ask the device for facts that sysfs lacks, or if there is no sysfs. */
static void ask_device(const char *device, struct e2lazy_drive *out)
{
	int fd = open(device, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	int value;

	if (fd < 0)
		return;
	if (!ioctl(fd, BLKROGET, &value))
		out->read_only = value != 0;
	if (!out->logical_sector && !ioctl(fd, BLKSSZGET, &value) && value > 0)
		out->logical_sector = value;
	close(fd);
	probe_topology(device, out);
}

static void fill_file(const char *device, struct e2lazy_drive *out)
{
	struct stat st;

	out->cls = E2LAZY_DRIVE_FILE;
	out->logical_sector = out->physical_sector = SECTOR;
	if (!stat(device, &st))
		out->bytes = st.st_size;
	out->read_only = access(device, W_OK) && errno == EROFS;
}

/* "-1" means that the layers below are not aligned to each other. */
static void fill_alignment(struct node *top, struct e2lazy_drive *out)
{
	uint64_t value;
	char text[8];

	if (node_text(top, "alignment_offset", text, sizeof(text)) &&
	    !strcmp(text, "-1"))
		return;
	if (node_number(top, "alignment_offset", MOST_BYTES, &value))
		out->alignment = value;
}

/*
 * Take the facts of the device on top.  A partition has no queue of its own;
 * its disk's is in the directory above.
 */
static void fill_top(struct node *top, struct node *queue,
		     struct e2lazy_drive *out)
{
	uint64_t value;

	out->has_sysfs = true;
	if (node_number(top, "size", MOST_SECTORS, &value))
		out->bytes = value * SECTOR;
	if (node_number(top, "ro", 1, &value))
		out->read_only = value;
	fill_alignment(top, out);
	if (node_number(queue, "queue/minimum_io_size", MOST_BYTES, &value))
		out->minimum_io = value;
	if (node_number(queue, "queue/optimal_io_size", MOST_BYTES, &value))
		out->optimal_io = value;
}

static void fill_worst(const struct disk *disk, const struct node *node,
		       struct e2lazy_drive *out)
{
	snprintf(out->disk, sizeof(out->disk), "%s", node_name(node));
	memcpy(out->vendor, disk->vendor, sizeof(out->vendor));
	memcpy(out->model, disk->model, sizeof(out->model));
	out->rotational = disk->rotational;
	out->rpm = disk->rpm;
	out->form_tenths = disk->form_tenths;
	out->disk_bytes = disk->bytes;
	out->zone_bytes = disk->zone_bytes;
	out->discard_granularity = disk->discard_granularity;
	out->listed_band = disk->listed.band;
	out->listed_throughput = disk->listed.stream;
}

static bool worse(const struct e2lazy_drive *a, const struct e2lazy_drive *b)
{
	return a->cls != b->cls ? a->cls > b->cls : a->score > b->score;
}

/* Judge each disk in @stack; @out describes the worst. */
static void judge_disks(struct stack *stack, const struct disk *top,
			const struct models *models, struct e2lazy_drive *out)
{
	struct e2lazy_drive judged;
	struct disk disk;

	memset(&judged, 0, sizeof(judged));
	for (unsigned i = 0; i < stack->nr_disks; i++) {
		disk_read(&stack->disks[i], models, &disk);
		disk.cut = stack->cut;
		disk.zones_hidden = top->zoned == ZONED_NO;
		if (!*disk.doubt)
			memcpy(disk.doubt, top->doubt, sizeof(disk.doubt));
		disk_judge(&disk, &judged);
		if (i && !worse(&judged, out))
			continue;
		out->cls = judged.cls;
		out->score = judged.score;
		out->nr_signs = judged.nr_signs;
		memcpy(out->signs, judged.signs, sizeof(out->signs));
		fill_worst(&disk, &stack->disks[i], out);
	}
}

/* There is only a file underneath, or a layer that cannot be looked at. */
static void judge_nothing(const struct stack *stack, struct e2lazy_drive *out)
{
	struct disk disk = { .cut = stack->cut, .rotational = true,
			     .rotation_known = stack->on_file };

	disk_judge(&disk, out);
	if (stack->on_file)
		out->cls = E2LAZY_DRIVE_FILE;
}

static errcode_t fill_node(const char *root, struct node *node,
			   const struct models *models,
			   struct e2lazy_drive *out)
{
	struct node queue;
	struct stack *stack = calloc(1, sizeof(*stack));
	struct disk top;
	errcode_t err;

	if (!stack)
		return EXT2_ET_NO_MEMORY;
	err = node_open_in(node, node_has(node, "partition") ? ".." : ".",
			   &queue);
	if (!err)
		err = stack_open(root, node, stack);
	if (err)
		goto out;
	fill_top(node, &queue, out);
	if (*node->doubt)
		node_doubt(&queue, node->doubt);
	disk_read(&queue, models, &top);
	out->logical_sector = top.logical_sector;
	out->physical_sector = top.physical_sector;
	out->start = stack->start;
	out->start_known = stack->start_known;
	out->disks = stack->nr_disks;
	snprintf(out->stack, sizeof(out->stack), "%s", stack->layers);
	if (stack->nr_disks)
		judge_disks(stack, &top, models, out);
	else
		judge_nothing(stack, out);
	if (top.zone_bytes)
		out->zone_bytes = top.zone_bytes;
out:
	node_close(&queue);
	stack_close(stack);
	free(stack);
	return err;
}

static void fill_unknown(struct e2lazy_drive *out)
{
	struct disk disk = { .no_sysfs = true };

	disk_judge(&disk, out);
}

static errcode_t fill(const char *root, const char *device,
		      const struct models *models, struct e2lazy_drive *out)
{
	enum located kind;
	struct node node;
	errcode_t err;

	err = locate(root, device, &kind, &node);
	if (err)
		return err;
	if (kind == LOCATED_FILE)
		fill_file(device, out);
	else if (kind == LOCATED_UNKNOWN)
		fill_unknown(out);
	else
		err = fill_node(root, &node, models, out);
	if (!err && kind != LOCATED_FILE && is_own_root(root))
		ask_device(device, out);
	node_close(&node);
	return err;
}

errcode_t e2lazy_drive_probe(const char *device,
			     const struct e2lazy_drive_opts *opts,
			     struct e2lazy_drive *out, unsigned *line)
{
	const char *root = opts && !is_own_root(opts->root) ? opts->root : NULL;
	struct models *models = NULL;
	errcode_t err;

	memset(out, 0, sizeof(*out));
	if (line)
		*line = 0;
	err = models_open(opts ? opts->models : NULL, &models, line);
	if (!err)
		err = fill(root, device, models, out);
	models_close(models);
	return err;
}
