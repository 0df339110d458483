/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * stat.c - debuglazy: stat, which prints an inode as debugfs does
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "decode/contents.h"
#include "listing.h"
#include "shell.h"
#include "support/nls.h"

static const char *type_name(unsigned mode)
{
	switch (mode & LINUX_S_IFMT) {
	case LINUX_S_IFREG:	return "regular";
	case LINUX_S_IFDIR:	return "directory";
	case LINUX_S_IFLNK:	return "symlink";
	case LINUX_S_IFBLK:	return "block special";
	case LINUX_S_IFCHR:	return "character special";
	case LINUX_S_IFIFO:	return "FIFO";
	case LINUX_S_IFSOCK:	return "socket";
	}
	return "bad type";
}

/* Does the inode's own size include @field? */
#define HAS(stat, field) \
	((stat)->size >= offsetof(struct ext2_inode_large, field) + \
	 sizeof((stat)->inode.field) && \
	 (size_t)EXT2_GOOD_OLD_INODE_SIZE + (stat)->inode.i_extra_isize >= \
	 offsetof(struct ext2_inode_large, field) + \
	 sizeof((stat)->inode.field))

struct stat_inode {
	struct shell	*shell;
	struct session	*s;
	const char	*name;
	ext2_ino_t	ino;
	unsigned	size;		/* of inodes in this file system */
	struct ext2_inode_large inode;
};

static void put_time(struct out *out, const char *label, uint32_t field,
		     const uint32_t *extra)
{
	if (extra)
		out_format(out, "%6s: 0x%08x:%08x", label, field, *extra);
	else
		out_format(out, "%s: 0x%08x", label, field);
	out_text(out, " -- ");
	out_inode_time(out, field, extra ? *extra : 0);
	out_char(out, '\n');
}

static void put_times(struct stat_inode *st)
{
	const struct ext2_inode_large *i = &st->inode;
	struct out *out = &st->s->print.out;

	put_time(out, "ctime", i->i_ctime,
		 HAS(st, i_ctime_extra) ? &i->i_ctime_extra : NULL);
	put_time(out, "atime", i->i_atime,
		 HAS(st, i_atime_extra) ? &i->i_atime_extra : NULL);
	put_time(out, "mtime", i->i_mtime,
		 HAS(st, i_mtime_extra) ? &i->i_mtime_extra : NULL);
	if (HAS(st, i_crtime_extra))
		put_time(out, "crtime", i->i_crtime, &i->i_crtime_extra);
	if (i->i_dtime)
		put_time(out, "dtime", i->i_dtime, NULL);
}

static void put_fields(struct stat_inode *st)
{
	const struct ext2_inode_large *i = &st->inode;
	struct ext2_inode *old = (struct ext2_inode *)&st->inode;
	struct out *out = &st->s->print.out;

	out_format(out, "Inode: %u   Type: %s    Mode:  0%03o   Flags: 0x%x\n",
		   st->ino, type_name(i->i_mode), i->i_mode & 07777,
		   i->i_flags);
	out_format(out, "Generation: %u    Version: 0x%08x", i->i_generation,
		   HAS(st, i_version_hi) ? i->i_version_hi
					 : i->osd1.linux1.l_i_version);
	if (HAS(st, i_version_hi))
		out_format(out, ":%08x", i->osd1.linux1.l_i_version);
	out_format(out, "\nUser: %5u   Group: %5u", inode_uid(*i),
		   inode_gid(*i));
	if (HAS(st, i_projid))
		out_format(out, "   Project: %5u", i->i_projid);
	out_format(out, "   Size: %llu\n",
		   (unsigned long long)EXT2_I_SIZE(old));
	out_format(out, "File ACL: %llu\n", (unsigned long long)
		   ext2fs_file_acl_block(st->shell->fs, old));
	out_format(out, "Links: %u   Blockcount: %llu\n", i->i_links_count,
		   (unsigned long long)ext2fs_inode_i_blocks(st->shell->fs,
							     old));
	put_times(st);
	if (st->size > EXT2_GOOD_OLD_INODE_SIZE)
		out_format(out, "Size of extra inode fields: %u\n",
			   i->i_extra_isize);
}

static int put_xattr(char *name, char *value, size_t size, void *priv)
{
	struct out *out = priv;

	(void)value;
	out_text(out, "  ");
	out_printable(out, name, ' ');
	out_format(out, " (%zu)\n", size);
	return 0;
}

static void put_xattrs(struct stat_inode *st)
{
	struct ext2_xattr_handle *handle;
	size_t count = 0;
	errcode_t err;

	err = ext2fs_xattrs_open(st->shell->fs, st->ino, &handle);
	if (!err) {
		err = ext2fs_xattrs_read(handle);
		if (!err)
			err = ext2fs_xattrs_count(handle, &count);
		if (!err && count) {
			out_text(&st->s->print.out, "Extended attributes:\n");
			err = ext2fs_xattrs_iterate(handle, put_xattr,
						    &st->s->print.out);
		}
		ext2fs_xattrs_close(&handle);
	}
	if (err)
		shell_fail(st->shell, st->s, st->name, err);
}

static void put_checksum(struct stat_inode *st)
{
	uint32_t csum = st->inode.i_checksum_lo;

	if (!ext2fs_has_feature_metadata_csum(st->shell->fs->super))
		return;
	if (HAS(st, i_checksum_hi))
		csum |= (uint32_t)st->inode.i_checksum_hi << 16;
	out_format(&st->s->print.out, "Inode checksum: 0x%08x\n", csum);
}

static bool is_device(unsigned mode)
{
	return LINUX_S_ISCHR(mode) || LINUX_S_ISBLK(mode);
}

/* Linux has two forms: 8 and 8 bits in the first word, or 12 and 20. */
static void put_device(struct out *out, const struct ext2_inode_large *i)
{
	unsigned major, minor;
	bool old = i->i_block[0];

	if (old) {
		major = i->i_block[0] >> 8 & 0xff;
		minor = i->i_block[0] & 0xff;
	} else {
		major = i->i_block[1] >> 8 & 0xfff;
		minor = (i->i_block[1] & 0xff) |
			(i->i_block[1] >> 12 & 0xfff00);
	}
	out_format(out, "%sDevice major/minor number: %02u:%02u "
		   "(hex %02x:%02x)\n", old ? "" : "(New-style) ", major,
		   minor, major, minor);
}

static void put_target(struct stat_inode *st)
{
	struct out *out = &st->s->print.out;
	char *target;
	errcode_t err;
	bool fast;

	err = e2lazy_symlink_read(st->shell->fs, st->ino, &target);
	if (err) {
		shell_fail(st->shell, st->s, st->name, err);
		return;
	}
	fast = st->inode.i_flags & EXT4_INLINE_DATA_FL ||
	       ext2fs_is_fast_symlink((struct ext2_inode *)&st->inode);
	out_text(out, fast ? "Fast link dest: \"" : "Link dest: \"");
	out_printable(out, target, ' ');
	out_text(out, "\"\n");
	free(target);
}

static void put_contents(struct stat_inode *st)
{
	struct ext2_inode *old = (struct ext2_inode *)&st->inode;
	errcode_t err = 0;

	if (is_device(st->inode.i_mode))
		put_device(&st->s->print.out, &st->inode);
	if (LINUX_S_ISLNK(st->inode.i_mode))
		put_target(st);
	if (st->inode.i_flags & EXT4_INLINE_DATA_FL)
		out_text(&st->s->print.out, "Inline data\n");
	else if (ext2fs_inode_has_valid_blocks2(st->shell->fs, old))
		err = listing_put(&st->s->print.out, st->shell->fs, st->ino,
				  &st->inode);
	if (err)
		shell_fail(st->shell, st->s, st->name, err);
}

void run_stat(struct shell *shell, struct session *s)
{
	struct stat_inode st = { .shell = shell, .s = s };
	char *arg;

	if (session_option(s, NULL, &arg) != OPTION_END ||
	    !session_operands(s, 1, 1))
		return;
	st.name = s->operands[0];
	if (!shell_read_inode(shell, s, st.name, NO_FOLLOW, &st.ino, &st.inode))
		return;
	st.size = EXT2_INODE_SIZE(shell->fs->super);
	put_fields(&st);
	put_xattrs(&st);
	put_checksum(&st);
	put_contents(&st);
}
