/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * quantities.c - sizes, rates and times as arguments, and their bounds
 *
 * A value outside the bounds is a slip: 30 for 30M, a disk of 1 KiB/s, a timer
 * of a day.  A bare number, which one program takes for bytes and another for
 * MiB, is refused unless it is large enough for bytes.
 */
#include "e2lazy_drive.h"
#include "quantities.h"

#define KIB	((uint64_t)1 << 10)
#define MIB	(KIB << 10)
#define GIB	(MIB << 10)
#define PIB	(GIB << 20)
#define MINUTE	((uint64_t)60 * 1000)

const struct quantity quantity_band = {
	"--band", QUANTITY_SIZE, E2LAZY_BAND_LEAST, E2LAZY_BAND_MOST, false
};
const struct quantity quantity_band_or_none = {
	"--band", QUANTITY_SIZE, E2LAZY_BAND_LEAST, E2LAZY_BAND_MOST, true
};
const struct quantity quantity_memory = {
	"--memory", QUANTITY_SIZE, MIB, PIB, false
};
const struct quantity quantity_throughput = {
	"--throughput", QUANTITY_RATE, MIB, 100 * GIB, false
};
const struct quantity quantity_timer = {
	"--dirty-timer", QUANTITY_TIME, 1, 60 * MINUTE, false
};
const struct quantity quantity_live = {
	"--live", QUANTITY_SIZE, MIB, PIB, false
};
/* No journal is shorter than 1024 blocks of 1 KiB. */
const struct quantity quantity_journal = {
	"--journal-size", QUANTITY_SIZE, MIB, PIB, false
};
const struct quantity quantity_overlay = {
	"--overlay-size", QUANTITY_SIZE, MIB, PIB, false
};
const struct quantity quantity_device = {
	"SIZE", QUANTITY_SIZE, 64 * KIB, PIB, false
};

bool session_quantity(struct session *s, const struct quantity *quantity,
		      const char *text, uint64_t *value)
{
	char what[QUANTITY_TEXT];

	if (parse_quantity(quantity, text, value))
		return true;
	quantity_text(what, quantity);
	return session_refuse(s, quantity->option, text, what);
}
