/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ck_plan.c - what writing the log back would take
 */
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "ck.h"
#include "support/nls.h"

static void text_plan(const struct ck *ck, const struct e2lazy_plan *p)
{
	struct out *out = &ck->s->out;
	char size[SIZE_TEXT], memory[SIZE_TEXT], band[SIZE_TEXT];

	out_heading(out, _("Plan"));
	size_text(size, p->write_bytes);
	out_line(out, _("writes"), _("%llu blocks (%s); requests: %llu"),
		 (unsigned long long)p->blocks, size,
		 (unsigned long long)p->runs);
	out_line(out, _("leaves out"), _("%llu blocks"),
		 (unsigned long long)p->skipped);
	size_text(size, p->read_bytes);
	out_line(out, _("reads"), _("%s of the log; requests: %llu"), size,
		 (unsigned long long)p->log_runs);
	size_text(memory, ck->memory);
	out_line(out, _("passes"), _("%u, with %s of memory at the most"),
		 p->passes, memory);
	size_text(band, ck->band);
	if (ck->band)
		out_line(out, _("bands written"), _("%llu of %s"),
			 (unsigned long long)p->bands, band);
	out_line(out, _("a replay"), _("writes %llu blocks"),
		 (unsigned long long)p->replay_blocks);
	if (ck->band)
		out_line(out, "", _("changes of band: %llu"),
			 (unsigned long long)p->replay_bands);
	size_text(size, p->undo_bytes);
	out_line(out, _("undo file"), _("%s of blocks"), size);
	size_text(size, ck->throughput);
	if (ck->throughput)
		out_line(out, _("time"), _("%.1f s at %s a second; a replay "
					   "%.1f s"), p->seconds, size,
			 p->replay_seconds);
}

static void json_plan(struct ck *ck, const struct e2lazy_plan *p)
{
	struct json *json = &ck->s->json;

	json_object(json, "plan", JSON_SPREAD);
	json_u64(json, "blocks", p->blocks);
	json_u64(json, "skipped", p->skipped);
	json_u64(json, "writes", p->runs);
	json_u64(json, "write_bytes", p->write_bytes);
	json_u64(json, "reads", p->log_runs);
	json_u64(json, "read_bytes", p->read_bytes);
	json_u64(json, "passes", p->passes);
	json_u64(json, "memory_bytes", ck->memory);
	json_u64(json, "band_bytes", ck->band);
	json_u64(json, "bands", p->bands);
	json_u64(json, "replay_blocks", p->replay_blocks);
	json_u64(json, "replay_bands", p->replay_bands);
	json_u64(json, "undo_bytes", p->undo_bytes);
	if (ck->throughput) {
		json_u64(json, "throughput_bytes", ck->throughput);
		json_real(json, "seconds", p->seconds);
		json_real(json, "replay_seconds", p->replay_seconds);
	} else {
		json_null(json, "throughput_bytes");
		json_null(json, "seconds");
		json_null(json, "replay_seconds");
	}
	json_end(json);
}

/* What a step of the heads and half a turn take, of common disks. */
#define SEEK_US	12000

/* The kernel says of a disk whether it turns; a partition asks its disk. */
static unsigned seek_time(const char *device)
{
	static const char *const places[] = { "queue", "../queue" };
	char path[128];
	struct stat st;
	int turns = 0;

	if (stat(device, &st) || !S_ISBLK(st.st_mode))
		return 0;
	for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
		FILE *f;

		snprintf(path, sizeof(path),
			 "/sys/dev/block/%u:%u/%s/rotational",
			 major(st.st_rdev), minor(st.st_rdev), places[i]);
		f = fopen(path, "r");
		if (!f)
			continue;
		if (fscanf(f, "%d", &turns) != 1)
			turns = 0;
		fclose(f);
		break;
	}
	return turns ? SEEK_US : 0;
}

bool ck_plan(struct ck *ck)
{
	struct session *s = ck->s;
	const struct e2lazy_subject subject = {
		.journal = s->journal, .map = s->map, .layout = s->layout,
		.view = s->view,
	};
	const struct e2lazy_plan_opts opts = {
		.memory = ck->memory, .band = ck->band,
		.throughput = ck->throughput,
		.seek_us = seek_time(s->device),
		.skip = ck_left_out, .priv = ck,
	};
	struct e2lazy_plan plan;
	errcode_t err;

	if (!ck->plan && !ck->verbose && !s->json_wanted)
		return true;
	err = e2lazy_plan(&subject, &opts, &plan);
	if (err)
		session_fail(s, err, NULL);
	else if (s->json_wanted)
		json_plan(ck, &plan);
	else
		text_plan(ck, &plan);
	return !err;
}
