/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * json.c - the plan, as scripts read it
 */
#include <stdio.h>
#include <string.h>

#include "make.h"
#include "support/nls.h"
#include "support/text.h"

static void json_known(struct json *json, const char *key, uint64_t value)
{
	if (value)
		json_u64(json, key, value);
	else
		json_null(json, key);
}

static void json_name(struct json *json, const char *key, const char *text)
{
	json_string(json, key, *text ? text : NULL);
}

static const char *source_name(enum make_source source, bool timer)
{
	switch (source) {
	case MAKE_GIVEN:	return "given";
	case MAKE_MEASURED:	return timer ? "kernel" : "measured";
	case MAKE_ASSUMED:	return "assumed";
	case MAKE_NONE:		break;
	}
	return NULL;
}

static void json_signs(struct json *json, const struct e2lazy_drive *d)
{
	json_array(json, "evidence", JSON_SPREAD);
	for (unsigned i = 0; i < d->nr_signs; i++) {
		json_object(json, NULL, JSON_INLINE);
		json_string(json, "id", d->signs[i].id);
		json_i64(json, "score", d->signs[i].score);
		json_string(json, "text", _(d->signs[i].text));
		json_name(json, "detail", d->signs[i].detail);
		json_end(json);
	}
	json_end(json);
}

static void json_drive(struct json *json, const struct e2lazy_drive *d)
{
	json_object(json, "drive", JSON_SPREAD);
	json_string(json, "class", e2lazy_drive_class_name(d->cls));
	json_i64(json, "score", d->score);
	json_name(json, "disk", d->disk);
	json_u64(json, "disks", d->disks);
	json_name(json, "stack", d->stack);
	json_name(json, "vendor", d->vendor);
	json_name(json, "model", d->model);
	json_bool(json, "sysfs", d->has_sysfs);
	json_bool(json, "rotational", d->rotational);
	json_bool(json, "read_only", d->read_only);
	json_u64(json, "bytes", d->bytes);
	json_u64(json, "start", d->start);
	json_known(json, "disk_bytes", d->disk_bytes);
	json_known(json, "zone_bytes", d->zone_bytes);
	json_known(json, "logical_sector", d->logical_sector);
	json_known(json, "physical_sector", d->physical_sector);
	json_known(json, "minimum_io", d->minimum_io);
	json_known(json, "optimal_io", d->optimal_io);
	json_u64(json, "alignment", d->alignment);
	json_known(json, "discard_granularity", d->discard_granularity);
	json_signs(json, d);
	json_end(json);
}

static void json_throughput(struct make *m)
{
	const struct e2lazy_throughput *t = &m->throughput;
	struct json *json = &m->s->json;

	json_object(json, "throughput", JSON_INLINE);
	json_string(json, "source", source_name(m->throughput_source, false));
	json_known(json, "bytes_per_second", t->bytes_per_second);
	json_u64(json, "offset", t->offset);
	json_known(json, "samples", t->samples);
	json_known(json, "slowest", t->slowest);
	json_known(json, "fastest", t->fastest);
	if (t->samples) {
		json_bool(json, "direct", t->direct);
		json_bool(json, "busy", t->busy);
		json_bool(json, "implausible", t->implausible);
	}
	json_end(json);
}

static void json_timer(struct make *m)
{
	const struct e2lazy_dirty_timer *t = &m->timer;
	struct json *json = &m->s->json;
	char kernel[32] = "";

	if (t->kernel_major)
		snprintf(kernel, sizeof(kernel), "%u.%u", t->kernel_major,
			 t->kernel_minor);
	json_object(json, "timer", JSON_INLINE);
	json_string(json, "source", source_name(m->timer_source, true));
	if (m->timer_source == MAKE_NONE) {
		json_null(json, "expire_ms");
		json_null(json, "wakeup_ms");
	} else {
		json_u64(json, "expire_ms", t->expire_ms);
		json_u64(json, "wakeup_ms", t->wakeup_ms);
	}
	json_name(json, "kernel", kernel);
	json_end(json);
}

static const char *policy_name(const struct make *m)
{
	if (m->given_journal)
		return "given";
	if (m->throughput_source == MAKE_NONE)
		return "default";
	return m->policy == E2LAZY_SIZE_STRICT ? "strict" : "paper";
}

static void json_journal(struct make *m)
{
	const struct e2lazy_journal_size *j = &m->journal;
	struct json *json = &m->s->json;

	json_object(json, "journal", JSON_SPREAD);
	json_u64(json, "bytes", j->bytes);
	json_u64(json, "blocks", m->layout.plan.journal_blocks);
	json_string(json, "policy", policy_name(m));
	json_known(json, "paper", j->paper);
	json_known(json, "strict", j->strict);
	json_object(json, "reserve", JSON_INLINE);
	json_u64(json, "numerator", j->reserve_num);
	json_u64(json, "denominator", j->reserve_den);
	json_end(json);
	json_known(json, "live_bound", j->live_bound);
	json_known(json, "default", j->fallback);
	json_u64(json, "most", j->most);
	json_u64(json, "half_free", j->half_free);
	json_array(json, "clamps", JSON_INLINE);
	for (const struct make_clamp *c = make_clamps; c->flag; c++)
		if (j->clamps & c->flag)
			json_string(json, NULL, c->id);
	json_end(json);
	if (*m->layout.blur) {
		json_null(json, "start");
		json_null(json, "runs");
		json_null(json, "zone_aligned");
	} else {
		json_u64(json, "start", m->journal_start);
		json_u64(json, "runs", m->journal_runs);
		if (m->request.zone_bytes)
			json_bool(json, "zone_aligned", !m->misaligned);
		else
			json_null(json, "zone_aligned");
	}
	json_end(json);
}

static void json_layout(struct make *m)
{
	const struct e2lazy_fs_plan *p = &m->layout.plan;
	struct json *json = &m->s->json;

	json_object(json, "layout", JSON_SPREAD);
	json_string(json, "profile", m->profile->name);
	json_string(json, "because", _(m->choice_text));
	json_u64(json, "blocks", p->blocks);
	json_u64(json, "block_size", p->blocksize);
	json_u64(json, "cluster_blocks", p->cluster_blocks);
	json_u64(json, "inode_size", p->inode_size);
	json_u64(json, "inode_ratio", p->inode_ratio);
	json_known(json, "inodes", p->inodes);
	json_u64(json, "flex_groups", p->flex_groups);
	json_bool(json, "packed", p->packed);
	json_bool(json, "sparse_super2", p->sparse_super2);
	json_bool(json, "resizable", p->resize_blocks != 0);
	json_name(json, "unknown_because_of", m->layout.blur);
	json_end(json);
}

static void json_bands(struct make *m)
{
	static const struct sheet_row rows[] = { { 0 } };
	struct sheet sheet;

	session_sheet(m->s, &sheet);
	if (*m->layout.blur) {
		sheet_null(&sheet, "bands");
		return;
	}
	bands_facts(&sheet, m->band, &m->bands, &m->dynamic,
		    m->shown_bands);
	sheet_end(&sheet, rows);
}

static bool json_profiles(struct make *m)
{
	struct json *json = &m->s->json;
	struct e2lazy_bands b;
	const struct profile *p = profiles;

	json_array(json, "profiles", JSON_SPREAD);
	for (; !*m->layout.blur && p->name && make_compare(m, p, &b); p++) {
		json_object(json, NULL, JSON_INLINE);
		json_string(json, "name", p->name);
		json_string(json, "drive", p->drive);
		/* None is 0 where it can be made. */
		json_known(json, "paper", b.paper);
		json_known(json, "exact", b.exact);
		json_known(json, "exact_with_super", b.exact_super);
		json_known(json, "metadata_bytes", b.metadata_bytes);
		json_known(json, "moved_static", b.exact_traffic);
		json_end(json);
	}
	json_end(json);
	return *m->layout.blur || !p->name;
}

/*
 * The words of a command line, and their bytes as the array @hex where
 * json_bytes() would add them.
 */
static void json_words(struct json *json, const char *key, const char *hex,
		       const struct make_words *words)
{
	bool whole = true;
	size_t i;

	json_array(json, key, JSON_INLINE);
	for (i = 0; i < words->count; i++) {
		json_string(json, NULL, words->at[i]);
		whole = whole && text_is_utf8(words->at[i]);
	}
	json_end(json);
	if (whole)
		return;
	json_array(json, hex, JSON_INLINE);
	for (i = 0; i < words->count; i++)
		json_hex(json, NULL, words->at[i], strlen(words->at[i]));
	json_end(json);
}

static void json_advice(struct make *m)
{
	const char *texts[MAKE_ADVICE];
	unsigned count = make_advice(m, texts);
	struct json *json = &m->s->json;

	json_array(json, "advice", JSON_SPREAD);
	for (unsigned i = 0; i < count; i++)
		json_string(json, NULL, _(texts[i]));
	json_end(json);
}

bool make_print_json(struct make *m)
{
	struct json *json = &m->s->json;

	session_document(m->s);
	json_u64(json, "bytes", make_bytes(m));
	json_drive(json, &m->drive);
	json_throughput(m);
	json_timer(m);
	json_journal(m);
	json_layout(m);
	json_bands(m);
	if (!json_profiles(m))
		return false;
	json_words(json, "command", "command_hex", &m->command);
	json_words(json, "by_hand", "by_hand_hex", &m->by_hand);
	json_words(json, "then", "then_hex", &m->marking);
	json_advice(m);
	return true;
}
