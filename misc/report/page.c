/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * page.c - the page as a whole
 *
 * It is one file without a script.  Its policy lets a browser fetch nothing,
 * and apply only the style sheet whose checksum it names.
 */
#include <string.h>
#include <time.h>

#include "report.h"
#include "support/markup.h"
#include "support/nls.h"
#include "support/sha256.h"
#include "support/status.h"

#define PAGE_BEGINS	"<!DOCTYPE html>\n<!-- e2lazy report -->\n"

static const struct section {
	const char	*id, *title;
	void		(*put)(struct report *r, struct out *out);
} sections[] = {
	{ "verdict", N_("Verdict"), page_verdict },
	{ "ring", N_("The ring"), page_ring },
	{ "transactions", N_("Transactions"), page_txns },
	{ "groups", N_("Block groups"), page_groups },
	{ "types", N_("Live blocks"), page_types },
	{ "checkpoint", N_("A checkpoint"), page_plan },
	{ "findings", N_("Findings and hazards"), page_findings },
	{ "deleted", N_("Deleted files"), page_deleted },
	{ "timeline", N_("Timeline"), page_timeline },
	{ "facts", N_("Facts"), page_facts },
};
#define NR_SECTIONS	(sizeof(sections) / sizeof(*sections))

static void base64(struct out *out, const uint8_t *bytes, size_t count)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < count; i += 3) {
		uint32_t three = (uint32_t)bytes[i] << 16;

		if (i + 1 < count)
			three |= (uint32_t)bytes[i + 1] << 8;
		if (i + 2 < count)
			three |= bytes[i + 2];
		out_char(out, digits[three >> 18]);
		out_char(out, digits[three >> 12 & 63]);
		out_char(out, i + 1 < count ? digits[three >> 6 & 63] : '=');
		out_char(out, i + 2 < count ? digits[three & 63] : '=');
	}
}

static void policy(struct out *out)
{
	uint8_t sum[SHA256_BYTES];
	struct sha256 sha;

	sha256_begin(&sha);
	sha256_put(&sha, page_style, strlen(page_style));
	sha256_end(&sha, sum);
	out_text(out, "<meta http-equiv=\"Content-Security-Policy\" "
		      "content=\"default-src 'none'; style-src 'sha256-");
	base64(out, sum, sizeof(sum));
	out_text(out, "'; base-uri 'none'; form-action 'none'\">\n");
}

static void head(const struct report *r, struct out *out)
{
	out_text(out, PAGE_BEGINS "<html lang=\"");
	/* TRANSLATORS: the language of this catalogue, as in HTML: de, zh-CN */
	markup_text(out, _("en"));
	out_text(out, "\">\n<head>\n<meta charset=\"utf-8\">\n");
	policy(out);
	out_text(out, "<meta name=\"viewport\" "
		      "content=\"width=device-width, initial-scale=1\">\n"
		      "<meta name=\"color-scheme\" content=\"light dark\">\n"
		      "<meta name=\"referrer\" content=\"no-referrer\">\n"
		      "<title>");
	markup_format(out, _("Journal of %s"), r->s->device);
	out_text(out, "</title>\n<style>");
	out_text(out, page_style);
	out_text(out, "</style>\n</head>\n");
}

static void header(const struct report *r, struct out *out)
{
	char now[TIME_TEXT];

	time_text(now, (uint64_t)time(NULL));
	out_text(out, "<header>\n<h1>");
	markup_format(out, _("Journal of %s"), r->s->device);
	out_text(out, "</h1>\n<p>");
	markup_format(out, _("e2lazy %s read it at %s and wrote nothing to "
			     "it."), e2lazy_version(), now);
	out_text(out, "</p>\n<nav aria-label=\"");
	markup_text(out, _("Sections"));
	out_text(out, "\"><ul>\n");
	for (size_t i = 0; i < NR_SECTIONS; i++) {
		out_format(out, "<li><a href=\"#%s\">", sections[i].id);
		markup_text(out, _(sections[i].title));
		out_text(out, "</a></li>\n");
	}
	out_text(out, "</ul></nav>\n</header>\n");
}

static void page(void *priv, struct out *out)
{
	struct report *r = priv;

	head(r, out);
	out_text(out, "<body>\n<a class=\"skip\" href=\"#verdict\">");
	markup_text(out, _("Skip to the verdict"));
	out_text(out, "</a>\n");
	header(r, out);
	out_text(out, "<main>\n");
	for (size_t i = 0; i < NR_SECTIONS; i++)
		sections[i].put(r, out);
	out_text(out, "</main>\n</body>\n</html>\n");
}

bool report_page(struct report *r)
{
	if (!r->output)
		return true;
	if (print_save(&r->s->print, r->output, PAGE_BEGINS, page, r))
		return !cancelled();
	r->s->status |= FSCK_ERROR;
	return false;
}
