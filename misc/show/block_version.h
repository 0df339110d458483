/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * block_version.h - one version of a block: a copy in the log, or the static
 * block
 *
 * Each finder takes a zeroed version; if there is no such version, it
 * complains and returns false.  The finders need session_build().
 */
#ifndef MISC_BLOCK_VERSION_H
#define MISC_BLOCK_VERSION_H

#include "decode/decode.h"
#include "session/session.h"

struct version {
	blk64_t		fsblk;
	bool		logged;		/* false: its static place */
	/* Valid for a logged version: */
	bool		committed;	/* its transaction is */
	struct e2lazy_copy copy;	/* @copies is not known */
	enum e2lazy_csum_state csum;	/* state of the copy's checksum */
	/* After version_read(), to be freed with version_free(): */
	uint8_t		*bytes;
	ext2_ino_t	ino;		/* asked for, of a table; 0: all */
	/* After version_identify(): */
	struct e2lazy_place place;
};

/* The live copy. */
bool version_live(struct session *session, blk64_t fsblk,
		  struct version *version);
/*
 * The copy that transaction @tid wrote, whatever its state; the last one if
 * there are several, for a replay leaves the last one.
 */
bool version_of_tid(struct session *session, blk64_t fsblk, uint32_t tid,
		    struct version *version);
/*
 * The same; if the transaction wrote none, the copy that was live after its
 * commit.
 */
bool version_as_of(struct session *session, blk64_t fsblk, uint32_t tid,
		   struct version *version);
/* The copy that was live before transaction @tid. */
bool version_before(struct session *session, blk64_t fsblk, uint32_t tid,
		    struct version *version);
/* The block in its static place. */
bool version_static(struct session *session, blk64_t fsblk,
		    struct version *version);

/* Read the block's bytes, unescaped. False after a complaint. */
bool version_read(struct session *session, struct version *version);
/* Find the type of the block, from the layout or from its bytes, which must
   have been read. */
bool version_identify(struct session *session, struct version *version);
void version_free(struct version *version);

/*
 * The bytes that version_decode() decodes: the whole block, or the requested
 * inode.
 */
struct byte_range {
	size_t		begin, end;
};
struct byte_range version_range(struct session *session,
				const struct version *version);
/* Decode its bytes; @other as in struct decode_block. */
bool version_decode(struct session *session, const struct version *version,
		    const struct version *other, struct decoded *decoded);

/* Print "transaction 7, log block 12" or "static place"; no newline. */
void version_print(struct session *session, const struct version *version);
/* Print the place of a copy as members of the open JSON object. */
void version_json(struct session *session, const struct version *version);
/* Complain of a bad checksum, and of a transaction without a commit. */
void version_tell(struct session *session, const struct version *version);

#endif
