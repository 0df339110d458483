/* SPDX-License-Identifier: GPL-2.0-only */
/* messages.h - what the kernel says about ext4 and jbd2, line by line */
#ifndef MISC_DOCTOR_MESSAGES_H
#define MISC_DOCTOR_MESSAGES_H

#include <stdbool.h>
#include <stdint.h>

#define SAYS_BLOCK	0x1
#define SAYS_LOGBLK	0x2
#define SAYS_TID	0x4
#define SAYS_INODE	0x8
#define SAYS_GROUP	0x10
#define SAYS_INCOMPAT	0x20	/* features */
#define SAYS_RO_COMPAT	0x40

struct message {
	const char	*text;		/* in the line, without the time */
	const char	*meaning;	/* not yet translated; NULL: unknown */
	char		device[64];	/* any bytes; "": none */
	unsigned	has;		/* SAYS_* */
	uint64_t	block;		/* static block */
	uint64_t	logblk, tid, inode, group;
	uint64_t	incompat, ro_compat;	/* feature bits */
};

/*
 * False for a line about something else.  @line is text of any bytes, in the
 * format of dmesg, of dmesg -T or of journalctl; @message points into it.
 */
bool message_parse(const char *line, struct message *message);

#endif
