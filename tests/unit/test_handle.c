/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Library calls on a handle that is not of a view: they answer from it, and
 * touch nothing that only a view's channel has.
 */

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "owned.h"

/* ------------------------------------------------------ a strange manager */

/*
 * Its private data are all ones, at the end of a page before an unreadable one:
 * code that takes them for a larger struct crashes.
 */
struct stranger {
	io_channel	below;
	unsigned char	ones[24];
};

static struct struct_io_manager strange;

static size_t page_size(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static struct stranger *at_the_edge(void)
{
	size_t page = page_size();
	char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct stranger *s;

	ck_assert_ptr_ne(pages, MAP_FAILED);
	ck_assert_int_eq(mprotect(pages + page, page, PROT_NONE), 0);
	s = (void *)(pages + page - sizeof(*s));
	memset(s, 0xff, sizeof(*s));
	return s;
}

static errcode_t strange_open(const char *name, int flags, io_channel *out)
{
	io_channel channel = calloc(1, sizeof(*channel));
	struct stranger *s = at_the_edge();

	ck_assert_ptr_nonnull(channel);
	channel->magic = EXT2_ET_MAGIC_IO_CHANNEL;
	channel->manager = &strange;
	channel->name = strdup(name);
	channel->block_size = 1024;
	channel->refcount = 1;
	channel->private_data = s;
	*out = channel;
	return unix_io_manager->open(name, flags, &s->below);
}

static errcode_t strange_close(io_channel channel)
{
	struct stranger *s = channel->private_data;

	if (--channel->refcount > 0)
		return 0;
	io_channel_close(s->below);
	munmap((char *)(s + 1) - page_size(), 2 * page_size());
	free(channel->name);
	free(channel);
	return 0;
}

static errcode_t strange_blksize(io_channel channel, int size)
{
	struct stranger *s = channel->private_data;

	channel->block_size = size;
	return io_channel_set_blksize(s->below, size);
}

static errcode_t strange_read64(io_channel channel, unsigned long long block,
				int count, void *buf)
{
	struct stranger *s = channel->private_data;

	return io_channel_read_blk64(s->below, block, count, buf);
}

static errcode_t strange_read(io_channel channel, unsigned long block,
			      int count, void *buf)
{
	return strange_read64(channel, block, count, buf);
}

static struct struct_io_manager strange = {
	.magic		= EXT2_ET_MAGIC_IO_MANAGER,
	.name		= "strange I/O manager",
	.open		= strange_open,
	.close		= strange_close,
	.set_blksize	= strange_blksize,
	.read_blk	= strange_read,
	.read_blk64	= strange_read64,
};

/* ----------------------------------------------------------- the handles */

static struct owned *made;

static ext2_filsys plain_handle(io_manager manager)
{
	ext2_filsys fs;

	made = new_owned("", "mkdir -p a/b && echo >a/b/f && ln -s b a/l && "
			     "ln -s $(seq -s / 60) long");
	log_block(made, FREE);
	open_owned(made, NULL);
	ck_assert_int_eq(ext2fs_open(made->f->image, EXT2_FLAG_64BITS |
				     EXT2_FLAG_SOFTSUPP_FEATURES, 0, 0,
				     manager, &fs), 0);
	return fs;
}

static io_manager manager_of(int i)
{
	return i ? &strange : unix_io_manager;
}

static void done_with(ext2_filsys fs)
{
	ext2fs_free(fs);
	free_owned(made);
}

START_TEST(a_handle_that_is_no_view_has_not_failed)
{
	ext2_filsys fs = plain_handle(manager_of(_i));

	ck_assert_ptr_null(e2lazy_view_failed(fs));
	ck_assert_ptr_null(e2lazy_view_failed(
				   e2lazy_static_fs(made->f->journal)));
	done_with(fs);
}
END_TEST

START_TEST(paths_are_walked_in_any_handle)
{
	ext2_filsys fs = plain_handle(manager_of(_i));
	struct e2lazy_where where;
	ext2_ino_t ino = 0;
	char *text;

	ck_assert_int_eq(e2lazy_lookup(fs, EXT2_ROOT_INO, "/a/l/f", true, &ino,
				       &where), 0);
	ck_assert_uint_eq(ino, ino_of(made, "/a/b/f"));
	ck_assert_int_eq(e2lazy_lookup(fs, EXT2_ROOT_INO, "/a/none", true,
				       &ino, &where), EXT2_ET_FILE_NOT_FOUND);
	ck_assert_uint_eq(where.has, 0);
	ck_assert_int_eq(e2lazy_lookup(fs, 4000000000U, "none", true, &ino,
				       &where), EXT2_ET_BAD_INODE_NUM);
	ck_assert_uint_eq(where.has, 0);

	ck_assert_int_eq(e2lazy_directory_path(fs, ino_of(made, "/a/b"), &text,
					       &where), 0);
	ck_assert_str_eq(text, "/a/b");
	free(text);
	ck_assert_int_ne(e2lazy_directory_path(fs, 4000000000U, &text, &where),
			 0);
	ck_assert_uint_eq(where.has, 0);
	done_with(fs);
}
END_TEST

static errcode_t count_entry(void *priv, const struct e2lazy_entry *entry)
{
	(void)entry;
	++*(unsigned *)priv;
	return 0;
}

static errcode_t count_piece(void *priv, const struct e2lazy_owner *owner,
			     blk64_t count)
{
	(void)owner, (void)count;
	++*(unsigned *)priv;
	return 0;
}

START_TEST(directories_links_and_inodes_are_read_in_any_handle)
{
	ext2_filsys fs = plain_handle(manager_of(_i));
	struct e2lazy_damage damage;
	unsigned seen = 0;
	char *text;

	ck_assert_int_eq(e2lazy_directory_read(fs, ino_of(made, "/a"), NULL,
					       count_entry, &seen, &damage),
			 0);
	ck_assert_uint_eq(seen, 4);
	ck_assert_int_eq(e2lazy_symlink_read(fs, ino_of(made, "/long"), &text),
			 0);
	ck_assert_ptr_nonnull(strstr(text, "/59/60"));
	free(text);
	seen = 0;
	ck_assert_int_eq(e2lazy_inode_blocks(fs, ino_of(made, "/a"),
					     count_piece, &seen, &damage), 0);
	ck_assert_uint_eq(seen, 2);
	ck_assert_uint_eq(damage.count, 0);
	done_with(fs);
}
END_TEST

/* An unreadable block is reported with the handle's own name. */
START_TEST(damage_in_any_handle_has_its_device_and_block)
{
	ext2_filsys fs = plain_handle(manager_of(_i));
	ext2_ino_t dir = ino_of(made, "/a");
	blk64_t block = block_of(made, "/a", 0);
	struct e2lazy_damage damage;
	char *bytes = calloc(1, 1024);
	struct e2lazy_where where;
	unsigned seen = 0;
	ext2_ino_t ino;

	write_block(made, block, bytes);
	free(bytes);
	ck_assert_int_eq(e2lazy_directory_read(fs, dir, NULL, count_entry,
					       &seen, &damage), 0);
	ck_assert_uint_eq(damage.count, 1);
	ck_assert_uint_eq(damage.first.fsblk, block);
	ck_assert_int_ne(e2lazy_lookup(fs, EXT2_ROOT_INO, "/a/b", true, &ino,
				       &where), 0);
	ck_assert_uint_eq(where.fsblk, block);
	done_with(fs);
}
END_TEST

START_TEST(a_group_that_is_not_there_has_no_inodes)
{
	ext2_filsys fs = plain_handle(manager_of(_i));

	ck_assert_uint_gt(e2lazy_group_inodes(fs, 0), 0);
	ck_assert_uint_eq(e2lazy_group_inodes(fs, fs->group_desc_count), 0);
	ck_assert_uint_eq(e2lazy_group_inodes(fs, UINT32_MAX), 0);
	done_with(fs);
}
END_TEST

TCase *handle_tests(void)
{
	TCase *tc = tcase_create("handle");

	tcase_add_loop_test(tc, a_handle_that_is_no_view_has_not_failed, 0, 2);
	tcase_add_loop_test(tc, paths_are_walked_in_any_handle, 0, 2);
	tcase_add_loop_test(tc,
			    directories_links_and_inodes_are_read_in_any_handle,
			    0, 2);
	tcase_add_loop_test(tc,
			    damage_in_any_handle_has_its_device_and_block, 0,
			    2);
	tcase_add_loop_test(tc, a_group_that_is_not_there_has_no_inodes, 0, 2);
	return tc;
}
