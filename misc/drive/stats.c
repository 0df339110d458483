/* SPDX-License-Identifier: GPL-2.0-only */
/* stats.c - the counters of a served drive, as a JSON document */
#include "stats.h"
#include "e2lazy.h"
#include "support/json.h"
#include "support/saved.h"

static void put_requests(struct json *json, const struct e2lazy_counters *c)
{
	static const char *const names[E2LAZY_NR_OPS] = {
		[E2LAZY_OP_READ] = "read",
		[E2LAZY_OP_WRITE] = "write",
		[E2LAZY_OP_DISCARD] = "discard",
		[E2LAZY_OP_FLUSH] = "flush",
	};

	json_object(json, "requests", JSON_INLINE);
	for (unsigned i = 0; i < E2LAZY_NR_OPS; i++)
		json_u64(json, names[i], c->requests[i]);
	json_end(json);
	json_object(json, "bytes", JSON_INLINE);
	for (unsigned i = 0; i < E2LAZY_NR_OPS; i++)
		json_u64(json, names[i], c->bytes[i]);
	json_end(json);
}

/* Whole milliseconds, as simulate prints them. */
static void put_time(struct json *json, const char *key, uint64_t ns)
{
	json_real(json, key, (double)(ns / 1000000) / 1000);
}

/* The keys are those of e2lazy simulate. */
static void put_results(struct json *json, const struct drive_stats *stats)
{
	const struct e2lazy_counters *c = stats->counters;

	put_time(json, "run_s", stats->run);
	if (c->full)
		put_time(json, "full_s", c->full_at);
	else
		json_null(json, "full_s");
	put_time(json, "cleaning_s", c->clean_full_ns + c->clean_between_ns);
	put_time(json, "after_s", stats->done - stats->run);
	json_u64(json, "bands", c->touched);
	json_u64(json, "streamed", c->streamed);
	json_u64(json, "cached", c->cached);
	json_u64(json, "cleaned",
		 c->cleaned_full + c->cleaned_between + c->cleaned_after +
		 c->zones_expired + c->zones_pushed_out + c->zones_flushed);
	json_u64(json, "fill_most", c->fill_most);
	json_u64(json, "surface_written", c->written);
	json_u64(json, "surface_read", c->read);
}

bool drive_stats_write(const char *file, const struct drive_stats *stats)
{
	struct saved saved;
	struct json json;

	if (!saved_begin(&saved, file, "{\n  \"e2lazy\""))
		return false;
	json_init(&json, &saved.out);
	json_object(&json, NULL, JSON_SPREAD);
	json_object(&json, "e2lazy", JSON_INLINE);
	json_u64(&json, "format", 1);
	json_string(&json, "version", e2lazy_version());
	json_end(&json);
	json_string(&json, "drive", stats->drive);
	json_bool(&json, "drive_used", false);
	json_bool(&json, "waited", stats->waited);
	put_requests(&json, stats->counters);
	put_results(&json, stats);
	json_end(&json);
	return saved_end(&saved, true);
}
