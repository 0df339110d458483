/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * block_version.h - one version of a block: a copy in the log, or the static place
 *
 * Each finder takes a zeroed version; where there is none such, it complains
 * and returns false.  They need session_build().
 */
#ifndef MISC_BLOCK_VERSION_H
#define MISC_BLOCK_VERSION_H

#include "decode/decode.h"
#include "session/session.h"

struct version {
	blk64_t		fsblk;
	bool		logged;		/* otherwise its static place */
	/* Of a logged one: */
	bool		committed;	/* its transaction is */
	struct e2lazy_copy copy;	/* @copies is not known */
	enum e2lazy_csum_state csum;	/* of the copy, verified */
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
 * The copy that transaction @tid wrote, whatever its fate; the last one,
 * should there be several, for that is the one that a replay leaves behind.
 */
bool version_of_tid(struct session *session, blk64_t fsblk, uint32_t tid,
		    struct version *version);
/*
 * The same; or, of a transaction that wrote none, the copy that was live when
 * it had been committed.
 */
bool version_as_of(struct session *session, blk64_t fsblk, uint32_t tid,
		   struct version *version);
/* The copy that was live before transaction @tid. */
bool version_before(struct session *session, blk64_t fsblk, uint32_t tid,
		    struct version *version);
/* What stands in the static place. */
bool version_static(struct session *session, blk64_t fsblk,
		    struct version *version);

/* The block's bytes, unescaped. False after a complaint. */
bool version_read(struct session *session, struct version *version);
/* What the block is, by the layout or else its bytes. Needs them. */
bool version_identify(struct session *session, struct version *version);
void version_free(struct version *version);

/*
 * The bytes that version_decode() is about: all of the block, or those of the
 * inode that was asked for.
 */
struct byte_range {
	size_t		begin, end;
};
struct byte_range version_range(struct session *session,
				const struct version *version);
/* Take its bytes apart; @other as in struct decode_block. */
bool version_decode(struct session *session, const struct version *version,
		    const struct version *other, struct decoded *decoded);

/* "transaction 7, log block 12" or "static place"; no newline. */
void version_print(struct session *session, const struct version *version);
/* Where a copy is, as members of the JSON object that is open. */
void version_json(struct session *session, const struct version *version);
/* Complain of a bad checksum, and of a transaction without a commit. */
void version_tell(struct session *session, const struct version *version);

#endif
