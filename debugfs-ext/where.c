/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * where.c - debuglazy: blocks, icheck and ncheck
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "decode/contents.h"
#include "fs/directory.h"
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

static errcode_t put_block(void *priv, e2_blkcnt_t lblk, blk64_t block)
{
	struct blocks *b = priv;

	(void)lblk;
	if (b->count++)
		out_char(b->out, ' ');
	out_u64(b->out, block);
	return 0;
}

void run_blocks(struct shell *shell, struct session *s)
{
	struct blocks blocks = { .out = &s->print.out };
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
		err = contents_blocks(shell->fs, ino, put_block, &blocks);
	if (blocks.count)
		out_char(&s->print.out, '\n');
	if (err)
		shell_fail(shell, s, s->operands[0], err);
}

/* ------------------------------------------------- what both checks do */

/* The requested numbers; each is found once or never. */
struct asked {
	struct shell	*shell;
	struct session	*s;
	unsigned	count;
	unsigned	left;		/* not yet found */
	struct {
		uint64_t	number;
		uint64_t	found;	/* an inode; ncheck: how often */
	} *item;
	ext2_ino_t	ino;		/* at the scan's position */
	struct unread	unread;
};

/* An invalid number does not stop the others; false if no number is valid. */
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

	/* No inode owns an inode table, so icheck does not find it. */
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
	err = e2lazy_inode_blocks(a->shell->fs, ino, compare_piece, a, &damage);
	snprintf(subject, sizeof(subject), "<%u>", ino);
	shell_note_unread(&a->unread, subject, &damage.first, damage.error,
			  damage.count);
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
		err = scan_inodes(shell, &a.unread, search_inode, &a);
	shell_tell_unread(s, &a.unread);
	if (err != E2LAZY_ET_CANCELLED)
		out_text(&s->print.out, "Block\tInode number\n");
	for (unsigned i = 0; err != E2LAZY_ET_CANCELLED && i < a.count; i++) {
		out_u64(&s->print.out, a.item[i].number);
		out_char(&s->print.out, '\t');
		if (a.item[i].found)
			out_u64(&s->print.out, a.item[i].found);
		else
			out_text(&s->print.out, "<block not found>");
		out_char(&s->print.out, '\n');
	}
	free(a.item);
}

/* -------------------------------------------------------------- ncheck */

struct search {
	struct asked	asked;
	ext2_ino_t	dir;		/* the directory being read */
	char		*path;		/* its path; NULL until first use */
	blk64_t		budget;		/* directory blocks left to read */
};

static bool find_path(struct search *search)
{
	struct asked *a = &search->asked;
	struct e2lazy_where where;
	char subject[32];
	errcode_t err;

	if (search->path)
		return true;
	err = e2lazy_directory_path(a->shell->fs, search->dir, &search->path,
				    &where);
	if (err) {
		snprintf(subject, sizeof(subject), "<%u>", search->dir);
		shell_note_unread(&a->unread, subject, &where, err, 1);
	}
	return !err;
}

static void put_path(struct search *search, const struct e2lazy_entry *entry)
{
	struct out *out = &search->asked.s->print.out;

	out_u64(out, entry->ino);
	out_char(out, '\t');
	if (strcmp(search->path, "/"))
		out_printable(out, search->path, ' ');
	out_char(out, '/');
	out_printable_bytes(out, entry->name, entry->length, ' ');
	out_char(out, '\n');
}

static errcode_t compare_entry(void *priv, const struct e2lazy_entry *entry)
{
	struct search *search = priv;
	struct asked *a = &search->asked;

	if (is_dots(entry))
		return 0;
	for (unsigned i = 0; i < a->count; i++) {
		if (a->item[i].number != entry->ino)
			continue;
		a->item[i].found++;
		if (find_path(search))
			put_path(search, entry);
	}
	return cancelled() ? E2LAZY_ET_CANCELLED : 0;
}

static errcode_t search_directory(void *priv, ext2_ino_t ino,
				  struct ext2_inode_large *inode)
{
	struct search *search = priv;
	struct e2lazy_directory_opts opts = { .budget = &search->budget };
	struct asked *a = &search->asked;
	struct e2lazy_damage damage;
	char subject[32];
	errcode_t err;

	if (!LINUX_S_ISDIR(inode->i_mode))
		return 0;
	search->dir = ino;
	snprintf(subject, sizeof(subject), "<%u>", ino);
	err = e2lazy_directory_read(a->shell->fs, ino, &opts, compare_entry,
				    search, &damage);
	shell_note_unread(&a->unread, subject, &damage.first, damage.error,
			  damage.count);
	if (err)
		shell_note_unread(&a->unread, subject,
				  e2lazy_view_failed(a->shell->fs), err, 1);
	free(search->path);
	search->path = NULL;
	return 0;
}

/* No directory holds the root directory's name. */
static void name_root(struct asked *a)
{
	for (unsigned i = 0; i < a->count; i++) {
		if (a->item[i].number != EXT2_ROOT_INO)
			continue;
		a->item[i].found++;
		out_format(&a->s->print.out, "%u\t/\n", EXT2_ROOT_INO);
	}
}

void run_ncheck(struct shell *shell, struct session *s)
{
	struct search search = { .asked = { .shell = shell, .s = s } };
	struct asked *a = &search.asked;
	char *arg;

	if (session_option(s, NULL, &arg) != OPTION_END ||
	    !session_operands(s, 1, MAX_OPERANDS) || !shell_fs(shell, s))
		return;
	search.budget = 2 * ext2fs_blocks_count(shell->fs->super);
	if (parse_numbers(a, 1, shell->fs->super->s_inodes_count,
			  _("an inode of this file system"))) {
		out_text(&s->print.out, "Inode\tPathname\n");
		name_root(a);
		scan_inodes(shell, &a->unread, search_directory, &search);
		shell_tell_unread(s, &a->unread);
		for (unsigned i = 0; !cancelled() && i < a->count; i++)
			if (!a->item[i].found)
				out_format(&s->print.out, "%llu\t<no name>\n",
					   (unsigned long long)
					   a->item[i].number);
	}
	free(a->item);
}
