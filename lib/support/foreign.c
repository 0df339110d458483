/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * foreign.c - name the content of a device without an ext file system
 *
 * It tests for four things, the most certain first: the magic of a disk image
 * or a compressed file, which libblkid does not know; everything that libblkid
 * knows; a backup of a lost superblock; and zeros.
 */
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <blkid/blkid.h>
#include <ext2fs/ext2fs.h>

#include "foreign.h"
#include "nls.h"
#include "status.h"

#define SECTOR		512
#define HEAD_BYTES	(64 << 10)	/* looked at; all zeros: blank */
#define MAX_SHOWN	8		/* partitions that are named */

struct probed {
	const char	*device;
	uint64_t	offset;		/* where a file system was looked for */
	int		fd;
	unsigned char	head[HEAD_BYTES];
	ssize_t		bytes;		/* of @head */
};

/* ------------------------------------------------- images and archives */

static const char raw_view[] =
	N_("it is a disk image of format %s: 'qemu-nbd --read-only "
	   "--connect=/dev/nbd0 FILE' shows it as a device");
static const char packed[] =
	N_("it is compressed by %s: decompress it first");
static const char evidence[] =
	N_("it is an evidence file of format %s: 'ewfmount FILE DIR' shows it "
	   "as an image");
static const char sparse[] =
	N_("it is an image of format %s: 'simg2img FILE IMAGE' makes it a "
	   "plain one");
static const char archive[] =
	N_("it is a %s archive: extract it first");

static const struct magic {
	unsigned	offset;
	unsigned	count;
	const char	*bytes;
	const char	*text;
	const char	*name;
} magics[] = {
	{ 0, 4, "QFI\xfb", raw_view, "qcow2" },
	{ 0, 4, "QED\0", raw_view, "qed" },
	{ 0, 4, "KDMV", raw_view, "vmdk" },
	{ 0, 4, "COWD", raw_view, "vmdk" },
	{ 0, 21, "# Disk DescriptorFile", raw_view, "vmdk" },
	{ 64, 4, "\x7f\x10\xda\xbe", raw_view, "vdi" },
	{ 0, 8, "vhdxfile", raw_view, "vhdx" },
	{ 0, 8, "conectix", raw_view, "vpc" },
	{ 0, 16, "WithoutFreeSpace", raw_view, "parallels" },
	{ 0, 16, "WithouFreSpacExt", raw_view, "parallels" },
	{ 0, 8, "EVF\x09\x0d\x0a\xff\0", evidence, "EWF" },
	{ 0, 4, "\x3a\xff\x26\xed", sparse, "Android sparse" },
	{ 0, 3, "\x1f\x8b\x08", packed, "gzip" },
	{ 0, 6, "\xfd" "7zXZ\0", packed, "xz" },
	{ 0, 4, "\x28\xb5\x2f\xfd", packed, "zstd" },
	{ 0, 3, "BZh", packed, "bzip2" },
	{ 0, 4, "\x04\x22\x4d\x18", packed, "lz4" },
	{ 0, 4, "LZIP", packed, "lzip" },
	{ 0, 8, "\x89LZO\0\x0d\x0a\x1a", packed, "lzop" },
	{ 0, 4, "PK\x03\x04", archive, "zip" },
	{ 0, 6, "7z\xbc\xaf\x27\x1c", archive, "7z" },
	{ 257, 5, "ustar", archive, "tar" },
};

static bool tell_magic(const struct probed *p)
{
	const struct magic *m;

	for (size_t i = 0; i < sizeof(magics) / sizeof(*magics); i++) {
		m = &magics[i];
		if (p->bytes < (ssize_t)(m->offset + m->count) ||
		    memcmp(p->head + m->offset, m->bytes, m->count))
			continue;
		complain(p->device, _(m->text), m->name);
		return true;
	}
	return false;
}

/* ------------------------------------------------------------ libblkid */

/*
 * Matched by libblkid's type, or without one by its usage; the last fits all.
 */
static const struct {
	const char	*type, *usage;
	const char	*text;
} contents[] = {
	{ "LVM2_member", NULL,
	  N_("it is a physical volume of LVM2: name a logical volume, as "
	     "/dev/GROUP/VOLUME") },
	{ "crypto_LUKS", NULL,
	  N_("it is encrypted by LUKS: open it with cryptsetup, and name "
	     "/dev/mapper/NAME") },
	{ "BitLocker", NULL,
	  N_("it is encrypted by BitLocker: open it with cryptsetup, and name "
	     "/dev/mapper/NAME") },
	{ "linux_raid_member", NULL,
	  N_("it is a member of a RAID array: name the array, as /dev/md0") },
	{ "bcache", NULL,
	  N_("it belongs to a bcache device: name that, as /dev/bcache0") },
	{ "swap", NULL, N_("it is swap space") },
	{ NULL, "filesystem", N_("it contains a %s file system") },
	{ NULL, "raid", N_("it is a member of a volume: %s") },
	{ NULL, "crypto", N_("it is encrypted: %s") },
	{ NULL, NULL, N_("it contains %s") },
};

static bool tell_contents(const struct probed *p, blkid_probe probe)
{
	const char *type = NULL, *usage = "";
	size_t i = 0;

	if (blkid_probe_lookup_value(probe, "TYPE", &type, NULL) ||
	    !strncmp(type, "ext", 3))
		return false;
	blkid_probe_lookup_value(probe, "USAGE", &usage, NULL);
	while (contents[i].type ? strcmp(contents[i].type, type) :
	       contents[i].usage && strcmp(contents[i].usage, usage))
		i++;
	complain(p->device, _(contents[i].text), type);
	return true;
}

static bool is_ext_superblock(const unsigned char *sb)
{
	return (sb[56] | sb[57] << 8) == EXT2_SUPER_MAGIC;
}

static bool ext_at(const struct probed *p, uint64_t offset)
{
	unsigned char sb[SUPERBLOCK_SIZE];

	return pread(p->fd, sb, sizeof(sb), offset + SUPERBLOCK_OFFSET) ==
	       sizeof(sb) && is_ext_superblock(sb);
}

/* "partition 1 (/dev/sda1)", or "(--offset N)" without a partition device. */
static void print_partition(FILE *to, const struct probed *p,
			    blkid_partition part, uint64_t offset)
{
	int number = blkid_partition_get_partno(part);
	size_t length = strlen(p->device);
	bool digit = length && isdigit((unsigned char)p->device[length - 1]);
	char *path;

	if (asprintf(&path, "%s%s%d", p->device, digit ? "p" : "", number) < 0)
		return;
	if (!access(path, F_OK))
		fprintf(to, _("partition %d (%s)"), number, path);
	else
		fprintf(to, _("partition %d (--offset %llu)"), number,
			(unsigned long long)offset);
	free(path);
}

static unsigned list_ext(FILE *to, const struct probed *p, blkid_partlist list)
{
	unsigned found = 0;
	blkid_partition part;
	uint64_t offset;

	for (int i = 0; i < blkid_partlist_numof_partitions(list); i++) {
		part = blkid_partlist_get_partition(list, i);
		offset = p->offset +
			 (uint64_t)blkid_partition_get_start(part) * SECTOR;
		if (!ext_at(p, offset))
			continue;
		if (++found > MAX_SHOWN)
			break;
		if (found > 1)
			fputs(", ", to);
		print_partition(to, p, part, offset);
	}
	if (found > MAX_SHOWN)
		fputs(", ...", to);
	return found;
}

static bool tell_partitions(const struct probed *p, blkid_probe probe)
{
	blkid_partlist list = blkid_probe_get_partitions(probe);
	blkid_parttable table = list ? blkid_partlist_get_table(list) : NULL;
	const char *type = table ? blkid_parttable_get_type(table) : NULL;
	char *names = NULL;
	unsigned found;
	size_t size;
	FILE *to;

	if (!type)
		return false;
	to = open_memstream(&names, &size);
	if (!to)
		return false;
	found = list_ext(to, p, list);
	if (fclose(to))
		found = 0;
	if (found)
		complain(p->device, _("it has a partition table (%s); an ext "
				      "file system is in %s"), type, names);
	else
		complain(p->device, _("it has a partition table (%s); none of "
				      "its partitions (%d) holds an ext file "
				      "system"),
			 type, blkid_partlist_numof_partitions(list));
	free(names);
	return true;
}

static bool tell_known(const struct probed *p)
{
	blkid_probe probe = blkid_new_probe();
	bool told = false;

	if (!probe)
		return false;
	if (!blkid_probe_set_device(probe, p->fd, p->offset, 0)) {
		blkid_probe_enable_superblocks(probe, 1);
		blkid_probe_set_superblocks_flags(probe, BLKID_SUBLKS_TYPE |
						  BLKID_SUBLKS_USAGE);
		blkid_probe_enable_partitions(probe, 1);
		told = blkid_do_fullprobe(probe) >= 0 &&
		       (tell_contents(p, probe) || tell_partitions(p, probe));
	}
	blkid_free_probe(probe);
	return told;
}

/* ------------------------------------------------------ remains of ext4 */

/* Is there the first backup, in group 1, of a file system with full groups? */
static bool tell_lost(const struct probed *p)
{
	unsigned char sb[SUPERBLOCK_SIZE];
	unsigned size, block;

	for (size = EXT2_MIN_BLOCK_SIZE; size <= 4096; size *= 2) {
		block = 8 * size + (size == EXT2_MIN_BLOCK_SIZE);
		if (pread(p->fd, sb, sizeof(sb), p->offset + (uint64_t)block *
			  size) != sizeof(sb) || !is_ext_superblock(sb) ||
		    (sb[90] | sb[91] << 8) != 1)
			continue;
		complain(p->device, _("its superblock is lost"));
		return true;
	}
	return false;
}

static bool tell_blank(const struct probed *p)
{
	if (p->bytes < HEAD_BYTES || p->head[0] ||
	    memcmp(p->head, p->head + 1, HEAD_BYTES - 1))
		return false;
	complain(p->device, _("it begins with %u bytes of zeros, and no known "
			      "format follows"), HEAD_BYTES);
	return true;
}

bool foreign_complain(const char *device, uint64_t offset)
{
	struct probed *p = calloc(1, sizeof(*p));
	bool told = false;

	if (!p)
		return false;
	p->device = device;
	p->offset = offset;
	/* The device may have been replaced; opening must not wait. */
	p->fd = open(device, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (p->fd >= 0) {
		p->bytes = pread(p->fd, p->head, HEAD_BYTES, offset);
		told = p->bytes > 0 &&
		       (tell_magic(p) || tell_known(p) || tell_lost(p) ||
			tell_blank(p));
		close(p->fd);
	}
	free(p);
	return told;
}
