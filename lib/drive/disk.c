/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * disk.c - read the facts of one disk from sysfs
 */

#include <string.h>

#include "disk.h"

#define SECTOR		512
#define MOST_SECTORS	(UINT64_MAX / SECTOR / 2)
#define MOST_SECTOR	65536	/* bytes, of a logical or physical one */
#define MOST_BYTES	(1ULL << 60)

/* A paravirtual disk is a PCI device, whose vendor is a number: no name. */
static void read_names(struct node *node, struct disk *disk)
{
	node_text(node, "device/vendor", disk->vendor, sizeof(disk->vendor));
	if (!strncmp(disk->vendor, "0x", 2))
		*disk->vendor = '\0';
	node_text(node, "device/model", disk->model, sizeof(disk->model));
}

static void read_zoned(struct node *node, struct disk *disk)
{
	static const char *const models[] = {
		[ZONED_NO] = "none",
		[ZONED_HOST_AWARE] = "host-aware",
		[ZONED_HOST_MANAGED] = "host-managed",
	};
	uint64_t sectors;
	char text[32];
	unsigned i;

	if (!node_text(node, "queue/zoned", text, sizeof(text)))
		return;		/* before Linux 4.10 */
	for (i = 0; i < sizeof(models) / sizeof(*models); i++)
		if (!strcmp(text, models[i]))
			break;
	if (i == sizeof(models) / sizeof(*models)) {
		node_doubt(node, "queue/zoned");
		return;
	}
	disk->zoned = i;
	/* Without zones, chunk_sectors is the chunk of a stripe. */
	if (disk->zoned == ZONED_NO ||
	    !node_number(node, "queue/chunk_sectors", MOST_SECTORS, &sectors))
		return;
	if (!sectors || sectors & (sectors - 1))
		node_doubt(node, "queue/chunk_sectors");
	else
		disk->zone_bytes = sectors * SECTOR;
}

static void read_rotation(struct node *node, struct disk *disk)
{
	uint64_t value;

	disk->rotation_known = node_number(node, "queue/rotational", 1, &value);
	disk->rotational = disk->rotation_known && value;
}

/* A disk with a granularity but a limit of 0 takes no TRIM. */
static void read_discard(struct node *node, struct disk *disk)
{
	uint64_t granularity = 0, most = 0;

	if (node_number(node, "queue/discard_granularity", MOST_BYTES,
			&granularity) &&
	    node_number(node, "queue/discard_max_bytes", UINT64_MAX, &most) &&
	    most)
		disk->discard_granularity = granularity;
}

static unsigned sector(struct node *node, const char *attr)
{
	uint64_t bytes;

	if (!node_number(node, attr, MOST_SECTOR, &bytes))
		return 0;
	if (bytes < SECTOR || bytes & (bytes - 1)) {
		node_doubt(node, attr);
		return 0;
	}
	return bytes;
}

void disk_read(struct node *node, const struct models *models, struct disk *out)
{
	uint64_t sectors;

	memset(out, 0, sizeof(*out));
	read_names(node, out);
	read_zoned(node, out);
	read_rotation(node, out);
	read_discard(node, out);
	out->logical_sector = sector(node, "queue/logical_block_size");
	out->physical_sector = sector(node, "queue/physical_block_size");
	if (node_number(node, "size", MOST_SECTORS, &sectors))
		out->bytes = sectors * SECTOR;
	disk_read_vpd(node, out);
	models_match(models, out->vendor, out->model, &out->listed);
	memcpy(out->doubt, node->doubt, sizeof(out->doubt));
}
