/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * where.c - debuglazy: blocks, icheck and ncheck, from one name to another
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scan.h"
#include "shell.h"
#include "support/device.h"
#include "support/nls.h"
#include "support/status.h"

/* -------------------------------------------------------------- blocks */

struct blocks {
	struct out	*out;
	uint64_t	count;
};

static int put_block(ext2_filsys fs, blk64_t *block, e2_blkcnt_t lblk,
		     blk64_t parent, int offset, void *priv)
{
	struct blocks *b = priv;

	(void)fs, (void)lblk, (void)parent, (void)offset;
	if (b->count++)
		out_char(b->out, ' ');
	out_u64(b->out, *block);
	return cancelled() ? BLOCK_ABORT : 0;
}

void run_blocks(struct shell *shell, struct session *s)
{
	struct blocks blocks = { .out = &s->out };
	struct ext2_inode_large inode;
	ext2_ino_t ino;
	errcode_t err = 0;
	char *arg;

	if (session_option(s, NULL, &arg) != OPTION_END ||
	    !session_operands(s, 1, 1) ||
	    !shell_read_inode(shell, s, s->operands[0], NO_FOLLOW, &ino,
			      &inode))
		return;
	if (ext2fs_inode_has_valid_blocks2(shell->fs,
					   (struct ext2_inode *)&inode))
		err = ext2fs_block_iterate3(shell->fs, ino,
					    BLOCK_FLAG_READ_ONLY, NULL,
					    put_block, &blocks);
	if (blocks.count)
		out_char(&s->out, '\n');
	if (err)
		shell_fail(shell, s, s->operands[0], err);
}

/* ------------------------------------------------- what both checks do */

/* Numbers that were asked about, each to be found once or never. */
struct asked {
	struct shell	*shell;
	struct session	*s;
	unsigned	count;
	unsigned	left;		/* not yet found */
	struct {
		uint64_t	number;
		uint64_t	found;	/* an inode; ncheck: how often */
	} *item;
	ext2_ino_t	ino;		/* that the scan is at */
};

/* One that makes no sense does not stop the others; false if none does. */
static bool parse_numbers(struct asked *a, uint64_t least, uint64_t most,
			  const char *what)
{
	struct session *s = a->s;
	int i, bad = 0;
	uint64_t number;

	a->item = calloc(s->nr_operands, sizeof(*a->item));
	if (!a->item) {
		shell_fail(a->shell, s, NULL, EXT2_ET_NO_MEMORY);
		return false;
	}
	for (i = 0; i < s->nr_operands; i++) {
		if (parse_number(s->operands[i], UINT64_MAX, &number) &&
		    number >= least && number <= most) {
			a->item[a->count++].number = number;
			continue;
		}
		complain(s->command->name, _("'%s' is not %s"),
			 s->operands[i], what);
		bad++;
	}
	a->left = a->count;
	if (bad)
		session_usage(s);
	return a->count > 0;
}

/* -------------------------------------------------------------- icheck */

static errcode_t compare_piece(void *priv, const struct e2lazy_owner *owner,
			       blk64_t count)
{
	struct asked *a = priv;

	/* Tables of inodes are nobody's: they lie where they lie. */
	for (unsigned i = 0; owner->role != E2LAZY_ROLE_LAYOUT &&
	     i < a->count; i++) {
		if (a->item[i].found ||
		    a->item[i].number - owner->fsblk >= count)
			continue;
		a->item[i].found = a->ino;
		a->left--;
	}
	return a->left ? 0 : E2LAZY_ET_NOT_MAPPED;
}

static errcode_t search_inode(void *priv, ext2_ino_t ino,
			      struct ext2_inode_large *inode)
{
	struct e2lazy_damage damage = { .count = 0 };
	struct asked *a = priv;
	char subject[32];
	errcode_t err;

	(void)inode;
	a->ino = ino;
	err = e2lazy_inode_blocks(a->shell->fs, ino, compare_piece, a,
				  &damage);
	if (damage.count) {
		snprintf(subject, sizeof(subject), "icheck: <%u>", ino);
		device_complain(subject, &damage.first, damage.error,
				damage.count - 1);
		a->s->status |= FSCK_ERROR;
	}
	return err;
}

void run_icheck(struct shell *shell, struct session *s)
{
	struct asked a = { .shell = shell, .s = s };
	errcode_t err = E2LAZY_ET_CANCELLED;
	char *arg;

	if (session_option(s, NULL, &arg) != OPTION_END ||
	    !session_operands(s, 1, MAX_OPERANDS) || !shell_fs(shell, s))
		return;
	if (parse_numbers(&a, shell->fs->super->s_first_data_block,
			  ext2fs_blocks_count(shell->fs->super) - 1,
			  _("a block of this file system")))
		err = scan_inodes(shell, s, search_inode, &a);
	if (err != E2LAZY_ET_CANCELLED)
		out_text(&s->out, "Block\tInode number\n");
	for (unsigned i = 0; err != E2LAZY_ET_CANCELLED && i < a.count; i++) {
		out_u64(&s->out, a.item[i].number);
		out_char(&s->out, '\t');
		if (a.item[i].found)
			out_u64(&s->out, a.item[i].found);
		else
			out_text(&s->out, "<block not found>");
		out_char(&s->out, '\n');
	}
	free(a.item);
}

/* -------------------------------------------------------------- ncheck */

static void put_path(struct asked *a, ext2_ino_t dir,
		     const struct ext2_dir_entry *dirent)
{
	struct out *out = &a->s->out;
	char *path = NULL, subject[32];
	errcode_t err = ext2fs_get_pathname(a->shell->fs, dir, 0, &path);

	if (err) {
		snprintf(subject, sizeof(subject), "<%u>", dir);
		shell_fail(a->shell, a->s, subject, err);
		return;
	}
	out_u64(out, dirent->inode);
	out_char(out, '\t');
	if (strcmp(path, "/"))
		out_printable(out, path, ' ');
	out_char(out, '/');
	out_name(out, dirent->name, ext2fs_dirent_name_len(dirent));
	out_char(out, '\n');
	ext2fs_free_mem(&path);
}

static bool is_dots(const struct ext2_dir_entry *dirent)
{
	int length = ext2fs_dirent_name_len(dirent);

	return (length == 1 && dirent->name[0] == '.') ||
	       (length == 2 && !memcmp(dirent->name, "..", 2));
}

static int compare_entry(ext2_ino_t dir, int which,
			 struct ext2_dir_entry *dirent, int offset,
			 int blocksize, char *buf, void *priv)
{
	struct asked *a = priv;

	(void)offset, (void)blocksize, (void)buf;
	if (which == DIRENT_CHECKSUM || !dirent->inode || is_dots(dirent))
		return 0;
	for (unsigned i = 0; i < a->count; i++) {
		if (a->item[i].number != dirent->inode)
			continue;
		a->item[i].found++;
		put_path(a, dir, dirent);
	}
	return cancelled() ? DIRENT_ABORT : 0;
}

static errcode_t search_directory(void *priv, ext2_ino_t ino,
				  struct ext2_inode_large *inode)
{
	struct asked *a = priv;
	char subject[32];
	errcode_t err;

	if (!LINUX_S_ISDIR(inode->i_mode))
		return 0;
	err = ext2fs_dir_iterate2(a->shell->fs, ino, 0, NULL, compare_entry, a);
	if (err) {
		snprintf(subject, sizeof(subject), "<%u>", ino);
		shell_fail(a->shell, a->s, subject, err);
	}
	return 0;
}

void run_ncheck(struct shell *shell, struct session *s)
{
	struct asked a = { .shell = shell, .s = s };
	char *arg;

	if (session_option(s, NULL, &arg) != OPTION_END ||
	    !session_operands(s, 1, MAX_OPERANDS) || !shell_fs(shell, s))
		return;
	if (parse_numbers(&a, 1, shell->fs->super->s_inodes_count,
			  _("an inode of this file system"))) {
		out_text(&s->out, "Inode\tPathname\n");
		scan_inodes(shell, s, search_directory, &a);
		for (unsigned i = 0; !cancelled() && i < a.count; i++)
			if (!a.item[i].found)
				out_format(&s->out, "%llu\t<no name>\n",
					   (unsigned long long)
					   a.item[i].number);
	}
	free(a.item);
}
