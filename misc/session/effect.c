/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * effect.c - options that would have no effect, and ranges that have nothing
 *
 * Whoever gives an option expects something of it: silence would let him
 * believe that he got it.
 */
#include "session.h"
#include "support/nls.h"

bool session_needs(struct session *s, const char *options, bool met,
		   const char *what)
{
	const char *name = met ? NULL : options_given(&s->options, options);

	return !name || session_wrong(s, _("--%s needs %s"), name, what);
}

bool session_without(struct session *s, const char *mode, bool chosen,
		     const char *options)
{
	const char *name = chosen ? options_given(&s->options, options) : NULL;

	return !name || session_wrong(s, _("--%s has no effect with %s"), name,
				      mode);
}

bool session_only(struct session *s, const char *mode, bool chosen,
		  const char *options)
{
	const char *name = chosen ? options_but(&s->options, options) : NULL;

	return !name || session_wrong(s, _("--%s has no effect with %s"), name,
				      mode);
}

bool session_range(struct session *s, const char *option, const char *arg,
		   bool ordered)
{
	return ordered || session_wrong(s, _("%s: the range '%s' ends before "
					     "it begins"), option, arg);
}
