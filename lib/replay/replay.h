/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * replay.h - shared by the files of lib/replay
 *
 * replay.c explains the method.
 */
#ifndef E2LAZY_REPLAY_INTERNAL_H
#define E2LAZY_REPLAY_INTERNAL_H

#include "fs/extents.h"
#include "fs/inode_life.h"
#include "io/bytes.h"
#include "view/view.h"
#include "overlay.h"

/* Offsets in struct ext2_inode_large. */
#define I_MODE		0x00
#define I_SIZE		0x04
#define I_CTIME		0x0c
#define I_MTIME		0x10
#define I_DTIME		0x14
#define I_LINKS		0x1a
#define I_BLOCKS	0x1c
#define I_FLAGS		0x20
#define I_BLOCK		0x28
#define I_GENERATION	0x64
#define I_FILE_ACL	0x68
#define I_SIZE_HIGH	0x6c
#define I_BLOCKS_HIGH	0x74
#define I_ACL_HIGH	0x76
#define I_CSUM		0x7c
#define I_EXTRA		0x80	/* from here on if inodes are larger */
#define I_CSUM_HIGH	0x82
#define I_CTIME_EXTRA	0x84
#define I_MTIME_EXTRA	0x88
#define I_CRTIME	0x90
#define I_CRTIME_EXTRA	0x94
#define I_BLOCK_BYTES	60

/* Linux fs/ext4/ext4.h: EXT4_LINK_MAX */
#define MOST_LINKS	65000

/*
 * An inode that the records name.  @raw is that of the life it has at this
 * point of the records; a life ends when the inode gets another generation.
 */
struct node {
	ext2_ino_t	ino;
	bool		in_base;	/* in use before the records */
	uint8_t		*base;		/* the inode then */
	uint8_t		*raw;		/* and now; all zero: never written */
	bool		logged;		/* @raw is from a record */
	unsigned	life;		/* 0: that of the base */
	bool		map_loaded;
	bool		map_changed;
	struct extents	map;		/* of this life */
	uint32_t	gone, added;	/* names, in all */
	uint32_t	names;		/* at the end */
	int64_t		subdirs;	/* of a directory: more than before */
	/* Directories in which it got and lost a name; NULL: none. */
	struct node	*parent, *left;
	uint32_t	walk;		/* descent.c: the first that came here */
	bool		alive;		/* at the end */
	struct e2lazy_time changed;	/* latest ctime of a name's inode, */
	uint32_t	ctime, ctime_extra;	/* and its fields */
	/* A directory: */
	uint32_t	room_from;	/* no room for a name in blocks below */
	bool		changed_names;
	/* The first record of this inode behind the current one, and the end
	   of the search for it. */
	size_t		next_inode, searched;
};

/* A name that the records make or remove, in one life of its directory. */
struct name {
	struct node	*dir;
	unsigned	life;
	uint8_t		length;
	char		text[256];
	ext2_ino_t	base;		/* the inode it had; 0: none */
	uint32_t	lblk;		/* block of the directory that holds it */
	ext2_ino_t	now;
	size_t		next;		/* of the same hash, plus one; 0: none */
};

/* A group whose bitmaps the replay has read. */
struct group {
	uint8_t		*blocks, *blocks_base;	/* NULL: not read */
	uint8_t		*inodes, *inodes_base;
	bool		blocks_dirty, inodes_dirty;
	bool		sound;		/* the descriptor's checksum was */
};

/* Blocks that a record of the area maps: nobody else gets them. */
struct claim {
	blk64_t		first, end;
};

struct record_kept {
	struct e2lazy_fc_record r;	/* @r.value points to @value */
	uint8_t		*value;
};

struct e2lazy_replay {
	struct e2lazy_view *view;
	ext2_filsys	fs;		/* through the view */
	struct overlay	overlay;
	unsigned	size;		/* of a block */
	unsigned	inode_size;
	uint32_t	next_tid;
	struct e2lazy_fc_summary found;
	struct record_kept *records;	/* the valid ones */
	size_t		nr_records, room_records;

	struct node	**nodes;	/* by address: names point to them */
	size_t		nr_nodes, room_nodes;
	struct node	**node_slots;	/* open hash table of their numbers */
	size_t		nr_slots;
	struct name	*names;
	size_t		nr_names, room_names;
	size_t		*name_heads;	/* hash, index plus one */
	uint32_t	name_seed;

	struct group	*groups;
	struct claim	*claims;	/* ascending, apart from each other */
	size_t		nr_claims, room_claims;
	uint32_t	newest;		/* ctime of the newest inode record */
	bool		*desc_dirty;	/* by descriptor block */

	ext2_ino_t	at;		/* the inode in question, for errors */
};

/* ----------------------------------------------------------- inodes --- */

/* inode_raw.c: the inode's bytes in its table, from view and overlay. */
errcode_t raw_read(struct e2lazy_replay *r, ext2_ino_t ino, uint8_t *to);
/* Is the checksum of @raw right, or has the file system none? */
bool raw_is_sound(struct e2lazy_replay *r, ext2_ino_t ino, const uint8_t *raw);
/* Set the checksum and write @raw to the table. */
errcode_t raw_write(struct e2lazy_replay *r, ext2_ino_t ino, uint8_t *raw);
/* The checksum's seed for all metadata of an inode. */
uint32_t raw_seed(const struct e2lazy_replay *r, ext2_ino_t ino,
		  const uint8_t *raw);
blk64_t raw_acl(const uint8_t *raw);
/* Its field beside I_CTIME; 0 in an inode that has none. */
uint32_t raw_ctime_extra(const struct e2lazy_replay *r, const uint8_t *raw);
struct e2lazy_time raw_ctime(const struct e2lazy_replay *r, const uint8_t *raw);

/* Does I_BLOCK lead to blocks?  Else it is a link's target, a device or data. */
bool raw_is_mapped(const uint8_t *raw);

static inline bool raw_is_dir(const uint8_t *raw)
{
	return LINUX_S_ISDIR(get_le16(raw + I_MODE));
}

/* nodes.c */
struct node *node_find(const struct e2lazy_replay *r, ext2_ino_t ino);
errcode_t node_get(struct e2lazy_replay *r, ext2_ino_t ino, struct node **out);
/* Bring all nodes into the order of their numbers. */
void nodes_sort(struct e2lazy_replay *r);
errcode_t node_load_map(struct e2lazy_replay *r, struct node *n);
/* model.c */
errcode_t model_run(struct e2lazy_replay *r);

/* orphans.c: E2LAZY_ET_FC_ORPHAN if a record names a file in their list. */
errcode_t orphans_check(struct e2lazy_replay *r);

/* names.c */
/* A name of the records in the directory as it was before them, or NULL. */
struct name *name_of_base(struct e2lazy_replay *r, const struct node *dir,
			  const char *text, unsigned length);
errcode_t name_add(struct e2lazy_replay *r, struct node *dir,
		   const char *text, unsigned length, struct name **out);
/* Find the names of the base that the records name. */
errcode_t names_look_up(struct e2lazy_replay *r);
errcode_t names_count(struct e2lazy_replay *r);

/* descent.c: E2LAZY_ET_FC_CONTRADICTS if the directories are no tree. */
errcode_t descent_check(struct e2lazy_replay *r);

/* ------------------------------------------------------------ space --- */

/* bitmaps.c: 1 if in use now.  Every block must be one of the file system. */
errcode_t space_begin(struct e2lazy_replay *r);
void space_free(struct e2lazy_replay *r);
errcode_t space_end(struct e2lazy_replay *r);
errcode_t space_take(struct e2lazy_replay *r, blk64_t fsblk, blk64_t count);
errcode_t space_give_up(struct e2lazy_replay *r, blk64_t fsblk, blk64_t count);
/* A block that was free before the records, too, and that none maps. */
errcode_t space_new(struct e2lazy_replay *r, blk64_t near, blk64_t *out);
errcode_t inode_was_used(struct e2lazy_replay *r, ext2_ino_t ino, bool *used);
/* Is any inode of the same block of the table in use before the records? */
errcode_t inode_block_used(struct e2lazy_replay *r, ext2_ino_t ino, bool *used);
errcode_t space_inode_take(struct e2lazy_replay *r, ext2_ino_t ino, bool dir);
errcode_t space_inode_give_up(struct e2lazy_replay *r, ext2_ino_t ino, bool dir);

/* give_up.c: the parts of an inode as it was before the records. */
#define GIVE_UP_NODES	 1	/* blocks of the map itself */
#define GIVE_UP_CONTENTS 2	/* blocks that the map leads to */
#define GIVE_UP_XATTRS	 4
errcode_t give_up(struct e2lazy_replay *r, const struct node *n, unsigned what);

/* -------------------------------------------------------- extent tree --- */

/* tree.c: the map of @raw */
errcode_t tree_load(struct e2lazy_replay *r, ext2_ino_t ino,
		    const uint8_t *raw, struct extents *map);
/* Make the tree in @raw, and *@nodes the number of blocks that it takes. */
errcode_t tree_make(struct e2lazy_replay *r, ext2_ino_t ino, uint8_t *raw,
		    const struct extents *map, uint32_t *nodes);

/* -------------------------------------------------------- directories --- */

/* dir.c */
errcode_t dir_begin(struct e2lazy_replay *r, struct node *dir,
		    struct node *parent);
errcode_t dir_change(struct e2lazy_replay *r, const struct name *name);
/* Get block @lblk of a directory for writing; a leaf is one of sound names. */
errcode_t dir_leaf(struct e2lazy_replay *r, struct node *dir, uint32_t lblk,
		   uint8_t **out);
errcode_t dir_block(struct e2lazy_replay *r, struct node *dir, uint32_t lblk,
		    uint8_t **out);
errcode_t dir_append(struct e2lazy_replay *r, struct node *dir,
		     uint32_t *lblk, uint8_t **out);
void dir_empty_block(struct e2lazy_replay *r, uint8_t *block);
void dir_set_csum(struct e2lazy_replay *r, const struct node *dir,
		  uint8_t *block);
/* Has the block no room for the shortest name? */
bool dir_is_full(const struct e2lazy_replay *r, const uint8_t *block);
/* Is there room? */
bool dir_put(struct e2lazy_replay *r, uint8_t *block, ext2_ino_t ino,
	     uint8_t type, const char *text, unsigned length);
unsigned dir_end(const struct e2lazy_replay *r);
uint32_t dir_blocks(const struct e2lazy_replay *r, const struct node *dir);
uint8_t dir_type(const uint8_t *raw);
/* insert.c */
errcode_t dir_insert(struct e2lazy_replay *r, struct node *dir,
		     const struct name *name);
/* htree.c */
bool dir_is_indexed(const struct e2lazy_replay *r, const struct node *dir);
errcode_t htree_insert(struct e2lazy_replay *r, struct node *dir,
		       const struct name *name, uint8_t type);

#endif
