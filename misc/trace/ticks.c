/* SPDX-License-Identifier: GPL-2.0-only */
/* ticks.c - round values along an axis */
#include "plot.h"

static uint64_t next_decimal(uint64_t step)
{
	uint64_t ten = 1;

	while (ten <= step / 10)
		ten *= 10;
	return step / ten == 1 ? 2 * ten : step / ten == 2 ? 5 * ten : 10 * ten;
}

/* AXIS_BYTES counts eighths of powers of two: 1, 2, 5, 10 of them, and so on. */
static uint64_t next_step(enum plot_axis axis, uint64_t step)
{
	switch (axis) {
	case AXIS_PLACE:
		return 2 * step;
	case AXIS_BYTES:
		return 8 * next_decimal(step / 8);
	default:
		return next_decimal(step);
	}
}

struct ticks ticks_of(enum plot_axis axis, uint64_t first, uint64_t span)
{
	struct ticks t = { .step = axis == AXIS_BYTES ? 8 : 1 };

	while (span / t.step > SVG_TICKS)
		t.step = next_step(axis, t.step);
	t.first = first + (t.step - first % t.step) % t.step;
	if (t.first - first <= span)
		t.count = (unsigned)((span - (t.first - first)) / t.step) + 1;
	return t;
}
