/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * plan.c - what writing the log back would take
 */
#include "ck.h"
#include "support/nls.h"

static void text_estimate(struct out *out, const struct ck_speed *speed,
			  const struct e2lazy_plan *p)
{
	char rate[SIZE_TEXT];

	if (!speed->rate)
		return;
	size_text(rate, speed->rate);
	out_line(out, _("throughput"), _("%s a second, %s"), rate,
		 speed->source == CK_MEASURED ? _("measured") : _("given"));
	if (speed->source == CK_MEASURED && !speed->measured.direct)
		out_line(out, "", _("through the page cache, so perhaps too "
				    "high"));
	out_line(out, _("time"), _("%.1f s; a replay %.1f s"), p->seconds,
		 p->replay_seconds);
	out_line(out, "", _("with -z %.1f s more"), p->undo_seconds);
}

static void text_plan(const struct ck *ck, const struct ck_speed *speed,
		      const struct e2lazy_plan *p)
{
	struct out *out = &ck->s->out;
	char size[SIZE_TEXT], memory[SIZE_TEXT], band[SIZE_TEXT];

	out_heading(out, _("Plan"));
	size_text(size, p->write_bytes);
	out_line(out, _("writes"), _("%llu blocks (%s); requests: %llu"),
		 (unsigned long long)p->blocks, size,
		 (unsigned long long)p->runs);
	if (ck->home.known)
		out_line(out, "", _("%llu of them stand in place already"),
			 (unsigned long long)ck->home.blocks);
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
	out_line(out, _("undo file"), _("%s of blocks, read before the first "
					"write"), size);
	text_estimate(out, speed, p);
}

static void json_source(struct json *json, const struct ck_speed *speed)
{
	static const char *const names[] = {
		[CK_GIVEN] = "given", [CK_MEASURED] = "measured",
	};
	const struct e2lazy_throughput *t = &speed->measured;

	json_string(json, "throughput_source", names[speed->source]);
	if (!t->samples) {
		json_null(json, "measured");
		return;
	}
	json_object(json, "measured", JSON_INLINE);
	json_u64(json, "bytes_per_second", t->bytes_per_second);
	json_u64(json, "offset", t->offset);
	json_u64(json, "samples", t->samples);
	json_u64(json, "slowest", t->slowest);
	json_u64(json, "fastest", t->fastest);
	json_bool(json, "direct", t->direct);
	json_bool(json, "busy", t->busy);
	json_bool(json, "implausible", t->implausible);
	json_end(json);
}

static void json_estimate(struct json *json, const struct ck_speed *speed,
			  const struct e2lazy_plan *p)
{
	if (speed->rate) {
		json_u64(json, "throughput_bytes", speed->rate);
		json_real(json, "seconds", p->seconds);
		json_real(json, "replay_seconds", p->replay_seconds);
		json_real(json, "undo_seconds", p->undo_seconds);
	} else {
		json_null(json, "throughput_bytes");
		json_null(json, "seconds");
		json_null(json, "replay_seconds");
		json_null(json, "undo_seconds");
	}
	json_source(json, speed);
}

static void json_plan(struct ck *ck, const struct ck_speed *speed,
		      const struct e2lazy_plan *p)
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
	json_u64(json, "undo_reads", p->undo_reads);
	json_u64(json, "undo_read_bytes", p->undo_bytes);
	json_estimate(json, speed, p);
	json_end(json);
}

bool ck_plan(struct ck *ck)
{
	struct session *s = ck->s;
	const struct e2lazy_subject subject = {
		.journal = s->journal, .map = s->map, .layout = s->layout,
		.view = s->view,
	};
	struct e2lazy_plan_opts opts = {
		.memory = ck->memory, .band = ck->band,
	};
	struct ck_speed speed;
	struct e2lazy_plan plan;
	errcode_t err;

	if (!ck->plan && !ck->verbose && !s->json_wanted)
		return true;
	if (!ck_speed(ck, &speed))
		return false;
	opts.throughput = speed.rate;
	opts.seek_us = speed.seek_us;
	err = e2lazy_plan(&subject, ck->verdict, &opts, &plan);
	if (err)
		session_fail(s, err, NULL);
	else if (s->json_wanted)
		json_plan(ck, &speed, &plan);
	else
		text_plan(ck, &speed, &plan);
	return !err;
}
