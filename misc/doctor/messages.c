/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * messages.c - what the kernel says about ext4 and jbd2, line by line
 *
 * A pattern is text with places for numbers and names:
 *
 *	%B	static block		%L	log block
 *	%T	transaction		%I	inode
 *	%G	group			%N	another number, maybe negative
 *	%D	device			%*	anything, up to the text behind it
 *	%i	incompat features	%r	ro_compat features, in hexadecimal
 *
 * Behind the pattern the line may go on.  The texts are those of Linux 5.4 to
 * 7.3; tests/cli/doctor-messages has those of three releases.
 * "EXT4-fs: " fits "EXT4-fs (%D): ", too.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "messages.h"
#include "support/nls.h"

#define REFUSED_CSUM N_("a checksum in the log is wrong; the mount is refused")
#define NO_LOG N_("the journal cannot be used; the mount is refused")
#define WRITE_FAILED N_("a write did not reach the device: look at the disk " \
			"and its cable first")
#define ABORTED N_("the kernel has stopped writing: changes since then are " \
		   "only in memory")
#define METADATA N_("metadata is damaged; the kernel does not use it")
#define NORMAL N_("this is normal")
#define EXTERNAL N_("the journal's device cannot be used; the mount is refused")
#define MEMORY N_("memory was short")
#define FIELD N_("a field of the superblock has a value that cannot be, or that " \
		 "this kernel does not support; the mount is refused")
#define WITHOUT N_("this kernel was built without what the file system needs; " \
		   "the mount is refused")
#define UNKNOWN_FEATURE N_("this kernel does not know a feature of the file " \
			   "system")
#define OPTION N_("a mount option does not fit the file system or the kernel; " \
		  "the log is not affected")
#define PROTECTED N_("multiple mount protection: another host has the file " \
		     "system, or e2fsck holds it; the mount is refused")
#define UNFINISHED N_("files deleted while open keep their blocks until a " \
		      "mount for writing or e2fsck")

/* The first that fits counts. */
static const struct pattern {
	const char	*text, *meaning;
} patterns[] = {
	{ "JBD2: Invalid checksum recovering data block %B in journal block %L",
	  N_("this copy in the log is damaged; the others were written in "
	     "place, then the mount was refused") },
	{ "JBD2: Invalid checksum recovering data block %B in log",
	  N_("this copy in the log is damaged; the others were written in "
	     "place, then the mount was refused") },
	{ "JBD2: Invalid checksum recovering block %B in log",
	  N_("this copy in the log is damaged; the others were written in "
	     "place, then the mount was refused") },
	{ "JBD2: Invalid checksum found in transaction %T", REFUSED_CSUM },
	{ "JBD2: Invalid checksum recovering", REFUSED_CSUM },
	{ "JBD2: journal transaction %T on %D is corrupt",
	  N_("this transaction's commit block is damaged; the earlier ones "
	     "were written in place, then the mount was refused") },
	{ "JBD2: recovery pass %N ended at transaction %T, expected",
	  N_("two passes over the log saw different ends: the device returns "
	     "different data each time, or somebody wrote to it") },
	{ "JBD2: journal checksum error",
	  N_("the journal superblock's checksum is wrong") },
	{ "JBD2: no valid journal superblock found",
	  N_("the journal superblock is gone") },
	{ "JBD2: corrupted journal superblock",
	  N_("the journal superblock names an impossible beginning") },
	{ "JBD2: Unrecognised features on journal",
	  N_("this kernel does not know a feature of the journal") },
	{ "JBD2: journal file too short",
	  N_("the journal superblock names more blocks than the journal has") },
	{ "JBD2: Clearing recovery information on journal",
	  N_("needs_recovery was clear, so the kernel has discarded the log "
	     "unread") },
	{ "JBD2: Ignoring recovery information on journal",
	  N_("needs_recovery was clear, so the kernel has not read the log; "
	     "the device is read-only, so it is still there") },
	{ "JBD2: unrecognised superblock format ID",
	  N_("the journal superblock is damaged, or of an unknown version") },
	{ "JBD2: Unknown checksum type",
	  N_("the journal superblock names a checksum that is none") },
	{ "JBD2: Can't enable checksumming",
	  N_("the journal superblock names two kinds of checksums") },
	{ "JBD2: Invalid start block of journal",
	  N_("the journal superblock names a first block that cannot be") },
	{ "JBD2: Journal too short",
	  N_("the journal superblock names more blocks than the journal has") },
	{ "JBD2: error %N scanning journal",
	  N_("the kernel could not read the log to its end") },
	{ "JBD2: journal reset failed", NO_LOG },
	{ "JBD2: Find incomplete commit block in transaction %T block %L",
	  N_("the log ends before this transaction, as after a crash") },
	{ "JBD2: previous I/O error detected", WRITE_FAILED },
	{ "JBD2: (error %N) unable to wipe journal", WRITE_FAILED },
	{ "JBD2: Cannot load crc32c", WITHOUT },
	{ "JBD2: IO error reading journal superblock",
	  N_("the journal superblock cannot be read") },
	{ "JBD2: %*no memory", MEMORY },
	{ "JBD2: failed to create", MEMORY },
	{ "JBD2: Incorrect Journal head block", NORMAL },
	{ "JBD2: Cannot enable fast commits", OPTION },
	{ "journal_get_superblock: Cannot",
	  N_("the journal superblock cannot be read") },
	{ "journal_load_superblock: Cannot",
	  N_("the journal superblock cannot be read") },
	{ "jbd2_journal_init_%*: Cannot",
	  N_("the journal superblock cannot be read") },
	{ "journal_init_common: Cannot",
	  N_("the journal superblock cannot be read") },
	{ "__jbd2_log_wait_for_space: ",
	  N_("the log is full, and the kernel could not write enough of it "
	     "back") },
	{ "JBD2: failed to allocate revoke table", MEMORY },
	{ "JBD2: Spotted dirty metadata buffer",
	  N_("another program wrote to the device while it was mounted") },
	{ "jbd2_journal_bmap: journal block not found at offset %L on %D",
	  N_("the map of the journal's inode does not lead to this block") },
	{ "JBD2: journal recovery failed", NO_LOG },
	{ "JBD2: recovery failed", NO_LOG },
	{ "JBD2: Out of memory during recovery",
	  N_("memory was short, or a copy in the log is meant for a block "
	     "beyond the device") },
	{ "JBD2: IO error %N recovering block %L in log",
	  N_("this block of the log cannot be read; the replay has broken "
	     "off") },
	{ "JBD2: Failed to read block at offset %L",
	  N_("this block of the log cannot be read") },
	{ "JBD2: bad block at offset %L",
	  N_("the map of the journal's inode does not lead to this block") },
	{ "JBD2: %*rror %N detected when updating journal superblock for %D",
	  WRITE_FAILED },
	{ "JBD2: I/O error when updating journal superblock for %D",
	  WRITE_FAILED },
	{ "JBD2: Detected IO errors %N while flushing file data on %D",
	  WRITE_FAILED },
	{ "JBD2: Detected IO errors while flushing file data on %D",
	  WRITE_FAILED },
	{ "Aborting journal on device %D", ABORTED },
	{ "EXT4-fs (%D): error loading journal", NO_LOG },
	{ "EXT4-fs (%D): Could not load journal inode", NO_LOG },
	{ "EXT4-fs (%D): no journal found",
	  N_("the journal's inode cannot be used; the mount is refused") },
	{ "EXT4-fs (%D): journal bmap failed: block %L",
	  N_("the map of the journal's inode does not lead to this block") },
	{ "EXT4-fs (%D): INFO: recovery required on readonly filesystem",
	  N_("the log needs a replay, although the mount is read-only") },
	{ "EXT4-fs (%D): write access unavailable, cannot proceed",
	  N_("the device is read-only, so the log cannot be replayed") },
	{ "EXT4-fs (%D): write access unavailable",
	  N_("the device is read-only, so nothing is cleaned up") },
	{ "EXT4-fs (%D): write access will be enabled during recovery",
	  N_("the kernel replays the log, although the mount is read-only") },
	{ "EXT4-fs (%D): recovery complete",
	  N_("the log was replayed and emptied") },
	{ "EXT4-fs (%D): mounted filesystem", NORMAL },
	{ "EXT4-fs (%D): unmounting filesystem", NORMAL },
	{ "EXT4-fs (%D): re-mounted", NORMAL },
	{ "EXT4-fs (%D): shut down requested",
	  N_("a program has cut the file system off; unmount it") },
	{ "EXT4-fs (%D): orphan cleanup on readonly fs", NORMAL },
	{ "EXT4-fs (%D): %N orphan inode", NORMAL },
	{ "EXT4-fs (%D): %N truncate", NORMAL },
	{ "EXT4-fs (%D): couldn't mount because of unsupported optional "
	  "features (%i)", UNKNOWN_FEATURE },
	{ "EXT4-fs (%D): couldn't mount RDWR because of unsupported optional "
	  "features (%r)", UNKNOWN_FEATURE },
	{ "EXT4-fs (%D): %*unsupported optional features", UNKNOWN_FEATURE },
	{ "EXT4-fs (%D): group descriptors corrupted",
	  N_("the table that locates bitmaps and inodes is damaged; the mount "
	     "is refused") },
	{ "EXT4-fs (%D): ext4_check_descriptors: %* group %G",
	  N_("the table that locates bitmaps and inodes is damaged; the mount "
	     "is refused") },
	{ "EXT4-fs (%D): bad geometry: block count",
	  N_("the device is smaller than the file system; the mount is "
	     "refused") },
	{ "EXT4-fs (%D): VFS: Can't find ext4 filesystem",
	  N_("the superblock in place is no ext4 superblock") },
	{ "EXT4-fs (%D): unable to read superblock",
	  N_("the superblock in place cannot be read") },
	{ "EXT4-fs (%D): %*Invalid checksum in superblock",
	  N_("the superblock in place is damaged") },
	{ "EXT4-fs (%D): warning: mounting fs with errors",
	  N_("an earlier error is recorded; run e2fsck -f") },
	{ "EXT4-fs (%D): error count since last fsck",
	  N_("an earlier error is recorded; run e2fsck -f") },
	{ "EXT4-fs (%D): initial error at",
	  N_("an earlier error is recorded; run e2fsck -f") },
	{ "EXT4-fs (%D): last error at",
	  N_("an earlier error is recorded; run e2fsck -f") },
	{ "EXT4-fs (%D): Remounting filesystem read-only", ABORTED },
	{ "EXT4-fs (%D): Errors on filesystem, clearing orphan list",
	  N_("files deleted while open keep their blocks until e2fsck -f") },
	{ "EXT4-fs (%D): failed to open journal device", EXTERNAL },
	{ "EXT4-fs (%D): couldn't read superblock of external", EXTERNAL },
	{ "EXT4-fs (%D): external journal has", EXTERNAL },
	{ "EXT4-fs (%D): External journal has", EXTERNAL },
	{ "EXT4-fs (%D): external journal device major/minor", EXTERNAL },
	{ "EXT4-fs (%D): journal UUID does not match", EXTERNAL },
	{ "EXT4-fs (%D): blocksize too small for journal", EXTERNAL },
	{ "EXT4-fs (%D): journal device read-only", EXTERNAL },
	{ "EXT4-fs (%D): failed to create device journal", EXTERNAL },
	{ "EXT4-fs (%D): error: could not find journal device", EXTERNAL },
	{ "EXT4-fs (%D): filesystem has both journal inode and journal device",
	  N_("the superblock names two journals; the mount is refused") },
	{ "EXT4-fs (%D): required journal recovery suppressed",
	  N_("the log needs a replay, and an option forbids it: mount -o "
	     "ro,noload shows the files without it") },
	{ "EXT4-fs (%D): journal inode is deleted",
	  N_("the journal's inode cannot be used; the mount is refused") },
	{ "EXT4-fs (%D): invalid journal inode",
	  N_("the journal's inode cannot be used; the mount is refused") },
	{ "EXT4-fs (%D): can't get journal size", NO_LOG },
	{ "EXT4-fs (%D): Failed to set", OPTION },
	{ "EXT4-fs (%D): Journal does not support", OPTION },
	{ "EXT4-fs (%D): VFS: Found ext4 filesystem with",
	  N_("the superblock in place is damaged, or a program that does not "
	     "know its checksum wrote it") },
	{ "EXT4-fs (%D): filesystem too large to mount", FIELD },
	{ "EXT4-fs (%D): filesystem is read-only",
	  N_("the superblock has the feature read-only; no mount writes") },
	{ "EXT4-fs (%D): revision level too high",
	  N_("a newer program made the file system; the mount is read-only") },
	{ "EXT4-fs (%D): previous I/O error to superblock", WRITE_FAILED },
	{ "EXT4-fs (%D): I/O error while writing superblock", WRITE_FAILED },
	{ "EXT4-fs (%D): Can't read superblock",
	  N_("the superblock in place cannot be read") },
	{ "EXT4-fs (%D): can't read group descriptor",
	  N_("the table that locates bitmaps and inodes cannot be read") },
	{ "EXT4-fs (%D): get root", METADATA },
	{ "EXT4-fs (%D): corrupt root inode", METADATA },
	{ "EXT4-fs (%D): Skipping orphan cleanup", UNFINISHED },
	{ "EXT4-fs (%D): get orphan inode failed", UNFINISHED },
	{ "EXT4-fs (%D): orphan file too big", METADATA },
	{ "EXT4-fs (%D): Couldn't remount RDWR because of unprocessed",
	  UNFINISHED },
	{ "EXT4-fs (%D): warning: ",
	  N_("a check is due; run e2fsck -f") },
	{ "EXT4-fs (%D): mounting ext", NORMAL },
	{ "EXT4-fs (%D): barriers disabled",
	  N_("the mount option nobarrier: a power cut can lose the log") },
	{ "EXT4-fs (%D): mount failed",
	  N_("the lines before this one say why") },
	{ "EXT4-fs (%D): Remounting file", OPTION },
	{ "EXT4-fs (%D): Remounting fs", OPTION },
	{ "EXT4-fs (%D): failed to parse options in superblock",
	  N_("the default options in the superblock are not used: this kernel "
	     "does not know one of them") },
	{ "EXT4-fs (%D): failed to initialize system zone", METADATA },
	{ "EXT4-fs (%D): failed to initialize mballoc", METADATA },
	{ "EXT4-fs (%D): ea_inode feature", WITHOUT },
	{ "EXT4-fs (%D): bs(%N) > ps(%N) unsupported", WITHOUT },
	{ "EXT4-fs (%D): Supports (experimental) DIO atomic", NORMAL },
	{ "EXT4-fs (%D): can't disable", OPTION },
	{ "EXT4-fs (%D): ext4_remount: Checksum",
	  N_("the table that locates bitmaps and inodes is damaged") },
	{ "EXT4-fs (%D): %*: aborting transaction", ABORTED },
	{ "EXT4-fs (%D): Unable to register as", NORMAL },
	{ "EXT4-fs (%D): failed to create workqueue", MEMORY },
	{ "EXT4-fs (%D): error %N creating inode", MEMORY },
	{ "EXT4-fs (%D): the log may be that of an early journal_lazy",
	  N_("a lazy kernel does not trust this log; check it with e2lazyck") },
	{ "EXT4-fs (%D): Filesystem with casefold", WITHOUT },
	{ "EXT4-fs (%D): The kernel was not built with", WITHOUT },
	{ "EXT4-fs (%D): can't mount with superblock charset", WITHOUT },
	{ "EXT4-fs (%D): Encoding requested by superblock", WITHOUT },
	{ "EXT4-fs (%D): bad block size", FIELD },
	{ "EXT4-fs (%D): bad geometry", FIELD },
	{ "EXT4-fs (%D): bad s_", FIELD },
	{ "EXT4-fs (%D): Invalid log ", FIELD },
	{ "EXT4-fs (%D): Invalid default hash", FIELD },
	{ "EXT4-fs (%D): SIPHASH is not", FIELD },
	{ "EXT4-fs (%D): blocks per group", FIELD },
	{ "EXT4-fs (%D): cluster size", FIELD },
	{ "EXT4-fs (%D): fragment/cluster", FIELD },
	{ "EXT4-fs (%D): #blocks per group", FIELD },
	{ "EXT4-fs (%D): #clusters per group", FIELD },
	{ "EXT4-fs (%D): invalid #clusters", FIELD },
	{ "EXT4-fs (%D): invalid first ino", FIELD },
	{ "EXT4-fs (%D): invalid inodes per group", FIELD },
	{ "EXT4-fs (%D): inodes count not valid", FIELD },
	{ "EXT4-fs (%D): groups count too large", FIELD },
	{ "EXT4-fs (%D): first meta block group", FIELD },
	{ "EXT4-fs (%D): unsupported inode size", FIELD },
	{ "EXT4-fs (%D): unsupported descriptor size", FIELD },
	{ "EXT4-fs (%D): Number of reserved GDT", FIELD },
	{ "EXT4-fs (%D): Can't support bigalloc", FIELD },
	{ "EXT4-fs (%D): unable to set blocksize", FIELD },
	{ "EXT4-fs (%D): Unsupported encryption level", FIELD },
	{ "EXT4-fs (%D): unable to initialize flex_bg", FIELD },
	{ "EXT4-fs (%D): feature flags set on rev 0", FIELD },
	{ "EXT4-fs (%D): can't mount with", OPTION },
	{ "EXT4-fs (%D): can't enable", OPTION },
	{ "EXT4-fs (%D): can't change", OPTION },
	{ "EXT4-fs (%D): can't turn", OPTION },
	{ "EXT4-fs (%D): Can't set", OPTION },
	{ "EXT4-fs (%D): Cannot change", OPTION },
	{ "EXT4-fs (%D): Cannot specify", OPTION },
	{ "EXT4-fs (%D): Cannot turn on", OPTION },
	{ "EXT4-fs (%D): changing journal_checksum", OPTION },
	{ "EXT4-fs (%D): Ignoring ", OPTION },
	{ "EXT4-fs (%D): Journaled quota", OPTION },
	{ "EXT4-fs (%D): journaled quota", OPTION },
	{ "EXT4-fs (%D): Quota ", OPTION },
	{ "EXT4-fs (%D): quotafile", OPTION },
	{ "EXT4-fs (%D): old and new quota", OPTION },
	{ "EXT4-fs (%D): dax option", OPTION },
	{ "EXT4-fs (%D): DAX unsupported", OPTION },
	{ "EXT4-fs (%D): Mount option(s)", OPTION },
	{ "EXT4-fs (%D): Invalid commit interval", OPTION },
	{ "EXT4-fs (%D): Invalid journal IO", OPTION },
	{ "EXT4-fs (%D): couldn't mount as", OPTION },
	{ "EXT4-fs (%D): mounting with", OPTION },
	{ "EXT4-fs (%D): I/O error on journal device", EXTERNAL },
	{ "EXT4-fs (%D): Cannot load crc32c", WITHOUT },
	{ "EXT4-fs (%D): Unsupported blocksize", WITHOUT },
	{ "EXT4-fs (%D): unsupported blocksize", WITHOUT },
	{ "EXT4-fs (%D): The Hurd", WITHOUT },
	{ "EXT4-fs (%D): Magic mismatch", FIELD },
	{ "EXT4-fs (%D): blocksize: ", FIELD },
	{ "EXT4-fs (%D): Using encoding", NORMAL },
	{ "EXT4-fs (%D): %*deleting unreferenced inode", NORMAL },
	{ "EXT4-fs (%D): %*truncating inode", NORMAL },
	{ "EXT4-fs (%D): Test dummy", NORMAL },
	{ "EXT4-fs (%D): stripe ", NORMAL },
	{ "EXT4-fs (%D): encrypted files will", NORMAL },
	{ "EXT4-fs (%D): Cannot use DAX", OPTION },
	{ "EXT4-fs (%D): Conflicting ", OPTION },
	{ "EXT4-fs (%D): EXT4-fs: ", OPTION },
	{ "EXT4-fs (%D): Invalid ", OPTION },
	{ "EXT4-fs (%D): Missing quota", OPTION },
	{ "EXT4-fs (%D): Project quota", OPTION },
	{ "EXT4-fs (%D): Value of option", OPTION },
	{ "EXT4-fs (%D): Warning: mounting", OPTION },
	{ "EXT4-fs (%D): buggy handling", OPTION },
	{ "EXT4-fs (%D): mb_optimize_scan", OPTION },
	{ "EXT4-fs (%D): test_dummy_encryption", OPTION },
	{ "EXT4-fs (%D): inline encryption", OPTION },
	{ "EXT4-fs (%D): %*option not supported", OPTION },
	{ "EXT4-fs (%D): %*quota file already", OPTION },
	{ "EXT4-fs (%D): %*option", OPTION },
	{ "EXT4-fs (%D): insufficient memory", MEMORY },
	{ "EXT4-fs (%D): %*not enough memory", MEMORY },
	{ "EXT4-fs (%D): Not enough memory", MEMORY },
	{ "EXT4-fs (%D): Failed to create ea_", MEMORY },
	{ "EXT4-fs (%D): sb orphan head is", N_("orphaned inodes were left at an unmount") },
	{ "EXT4-fs (%D): Inode %I", N_("orphaned inodes were left at an unmount") },
	{ "EXT4-fs (%D): Delayed block allocation failed for inode %I",
	  N_("contents of this file were not written") },
	{ "EXT4-fs (%D): failed to convert unwritten extents",
	  N_("contents of a file were not written") },
	{ "EXT4-fs warning (device %D): ext4_multi_mount_protect", PROTECTED },
	{ "EXT4-fs warning (device %D): read_mmp_block", PROTECTED },
	{ "EXT4-fs warning (device %D): ext4_clear_journal_err",
	  N_("the journal keeps an earlier error; run e2fsck -f") },
	{ "EXT4-fs error (device %D): %*etected aborted journal", ABORTED },
	{ "EXT4-fs error (device %D) in %*Journal has aborted", ABORTED },
	{ "EXT4-fs error (device %D) in %*Readonly filesystem", ABORTED },
	{ "EXT4-fs error (device %D) in %*IO failure", WRITE_FAILED },
	{ "EXT4-fs error (device %D): %*unable to read", N_("metadata cannot "
							   "be read") },
	{ "EXT4-fs error (device %D): %*checksum invalid", METADATA },
	{ "EXT4-fs error (device %D): %*bitmap checksum", METADATA },
	{ "EXT4-fs error (device %D): %*mapped to illegal pblock", METADATA },
	{ "EXT4-fs error (device %D): %*deleted inode referenced", METADATA },
	{ "EXT4-fs error (device %D)", METADATA },
	{ "EXT4-fs warning (device %D)",
	  N_("the kernel met something unusual, and went on") },
	{ "Buffer I/O error on dev %D, logical block %B, lost", WRITE_FAILED },
	{ "Buffer I/O error on dev %D, logical block %B",
	  N_("this block cannot be read: look at the disk and its cable "
	     "first") },
	{ "I/O error, dev %D, sector",
	  N_("the device cannot read or write: look at the disk and its cable "
	     "first") },
	{ "unable to set superblock flags on %D",
	  N_("e2fsck has replayed the log, but the superblock on the device "
	     "is as before: writes get lost, or the superblock's copy in the "
	     "log brings the flag back") },
};

/* ------------------------------------------------------------- matching */

static bool take_number(const char **line, uint64_t *number)
{
	const char *at = *line;
	uint64_t sum = 0;

	if (*at == '-')
		at++;
	if (*at < '0' || *at > '9')
		return false;
	for (; *at >= '0' && *at <= '9'; at++) {
		if (sum > (UINT64_MAX - 9) / 10)
			return false;
		sum = sum * 10 + (*at - '0');
	}
	*number = sum;
	*line = at;
	return true;
}

/* Feature bits, in hexadecimal. */
static bool take_bits(const char **line, uint64_t *bits)
{
	size_t digits = strspn(*line, "0123456789abcdef");

	if (!digits || digits > 8)
		return false;
	*bits = strtoull(*line, NULL, 16);
	*line += digits;
	return true;
}

static const struct place {
	char		letter;
	unsigned	has;
	size_t		offset;
} places[] = {
	{ 'B', SAYS_BLOCK, offsetof(struct message, block) },
	{ 'L', SAYS_LOGBLK, offsetof(struct message, logblk) },
	{ 'T', SAYS_TID, offsetof(struct message, tid) },
	{ 'I', SAYS_INODE, offsetof(struct message, inode) },
	{ 'G', SAYS_GROUP, offsetof(struct message, group) },
	{ 'i', SAYS_INCOMPAT, offsetof(struct message, incompat) },
	{ 'r', SAYS_RO_COMPAT, offsetof(struct message, ro_compat) },
};

static bool take_place(char letter, const char **line, struct message *m)
{
	uint64_t number;

	if (letter == 'i' || letter == 'r' ? !take_bits(line, &number) :
					     !take_number(line, &number))
		return false;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
		if (places[i].letter == letter) {
			m->has |= places[i].has;
			*(uint64_t *)((char *)m + places[i].offset) = number;
		}
	return true;
}

/* A device's name in a message, as "sda1", "dm-0", "loop0-8" or /dev/sda1. */
static bool take_device(const char **line, struct message *m)
{
	size_t n = strcspn(*line, "):, \t");

	if (!n || n >= sizeof(m->device))
		return false;
	memcpy(m->device, *line, n);
	m->device[n] = '\0';
	if (m->device[n - 1] == '.')
		m->device[n - 1] = '\0';
	*line += n;
	return true;
}

/* Text of a pattern up to its next place. */
static size_t text_length(const char *pattern)
{
	return strcspn(pattern, "%");
}

/* Skip to the text behind "%*"; @pattern is that text. */
static bool skip_to(const char *pattern, const char **line)
{
	size_t n = text_length(pattern);
	const char *at = *line;

	while (*at && strncmp(at, pattern, n))
		at++;
	*line = at;
	return *at;
}

static bool fits(const char *pattern, const char *line, struct message *m)
{
	while (*pattern) {
		if (*pattern != '%') {
			if (*pattern++ != *line++)
				return false;
			continue;
		}
		pattern += 2;
		if (pattern[-1] == '*' ? !skip_to(pattern, &line) :
		    pattern[-1] == 'D' ? !take_device(&line, m) :
					 !take_place(pattern[-1], &line, m))
			return false;
	}
	return true;
}

/* "inode #12:", "block 34:", "bg 5" or "group 5" anywhere in an error. */
static void take_rest(struct message *m)
{
	static const struct {
		const char	*lead;
		char		letter;
	} leads[] = {
		{ "inode #", 'I' }, { " block ", 'B' }, { " bg ", 'G' },
		{ " group ", 'G' },
	};

	for (size_t i = 0; i < sizeof(leads) / sizeof(*leads); i++) {
		const char *at = strstr(m->text, leads[i].lead);

		if (!at)
			continue;
		at += strlen(leads[i].lead);
		take_place(leads[i].letter, &at, m);
	}
}

static const char *const marks[] = {
	"EXT4-fs", "JBD2:", "journal_get_superblock:", "journal_load_superblock:",
	"jbd2_journal_bmap:", "jbd2_journal_init_", "journal_init_common:",
	"__jbd2_log_wait_for_space:",
	"Aborting journal on device", "Buffer I/O error on",
	"I/O error, dev", "unable to set superblock flags",
};

/* The first mark in the line; the text before it is time and host. */
static const char *find_mark(const char *line)
{
	const char *first = NULL;

	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++) {
		const char *at = strstr(line, marks[i]);

		if (at && (!first || at < first))
			first = at;
	}
	return first;
}

/* Before it has a superblock the kernel does not know the device. */
static const char *without_device(const char *pattern, const char *text)
{
	static const char named[] = "EXT4-fs (%D): ", bare[] = "EXT4-fs: ";

	return !strncmp(text, bare, strlen(bare)) &&
	       !strncmp(pattern, named, strlen(named)) ?
	       pattern + strlen(named) : NULL;
}

static bool fits_either(const char *pattern, const char *text,
			struct message *m)
{
	const char *rest = without_device(pattern, text);

	return rest ? fits(rest, text + strlen("EXT4-fs: "), m) :
		      fits(pattern, text, m);
}

bool message_parse(const char *line, struct message *m)
{
	const char *text = find_mark(line);

	if (!text)
		return false;
	for (size_t i = 0; i < sizeof(patterns) / sizeof(*patterns); i++) {
		*m = (struct message){ .text = text };
		if (!fits_either(patterns[i].text, text, m))
			continue;
		m->meaning = patterns[i].meaning;
		if (!strncmp(text, "EXT4-fs error", 13))
			take_rest(m);
		return true;
	}
	*m = (struct message){ .text = text };
	return true;
}
