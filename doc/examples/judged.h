/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * judged.h - open a device and judge its log: verdict.c and checkpoint.c
 */
#ifndef JUDGED_H
#define JUDGED_H

#include <e2lazy/e2lazy_mend.h>

/* What belongs together: parts stand on those before them. */
struct judged {
	struct e2lazy_subject subject;
	struct e2lazy_jmap *map;
	struct e2lazy_verdict *verdict;
};

static inline void judged_close(struct judged *j)
{
	if (j->verdict)
		e2lazy_verdict_free(j->verdict);
	if (j->subject.view)
		e2lazy_view_free(j->subject.view);
	if (j->subject.layout)
		e2lazy_layout_free(j->subject.layout);
	if (j->map)
		e2lazy_jmap_free(j->map);
	if (j->subject.journal)
		e2lazy_close(j->subject.journal);
}

/* Whether or not it succeeds, judged_close() frees what there is. */
static inline errcode_t judged_open(struct judged *j, const char *device)
{
	const struct e2lazy_jmap_opts map = {
		.flags = E2LAZY_JMAP_CSUMS | E2LAZY_JMAP_STATES,
	};
	/* Who writes has to know whose the blocks are. */
	const struct e2lazy_verify_opts verify = {
		.flags = E2LAZY_VERIFY_CONTENT,
	};
	struct e2lazy_subject *s = &j->subject;
	errcode_t err;

	*j = (struct judged){ .verdict = NULL };
	err = e2lazy_open(device, NULL, &s->journal, NULL);
	if (!err)
		err = e2lazy_jmap_build(s->journal, &map, &j->map);
	s->map = j->map;
	if (!err)
		err = e2lazy_layout_build(s->journal, s->map, &s->layout,
					  NULL);
	if (!err)
		err = e2lazy_view_build(s->journal, s->map, &s->view, NULL);
	if (!err)
		err = e2lazy_verify(s, &verify, &j->verdict);
	return err;
}

#endif /* JUDGED_H */
