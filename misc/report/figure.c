/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * figure.c - what all pictures and sections of the page share
 *
 * The numbers of a picture are in a table below it, for screen readers and for
 * paper; a title in each shape is there for the pointer.
 */
#include "report.h"
#include "support/markup.h"
#include "support/nls.h"

void section_begin(struct out *out, const char *id, const char *title)
{
	out_format(out, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n"
			"<h2 id=\"%s-title\">", id, id, id);
	markup_text(out, title);
	out_text(out, "</h2>\n");
}

void section_end(struct out *out)
{
	out_text(out, "</section>\n");
}

void paragraph(struct out *out, const char *text)
{
	markup_element(out, "p", text);
}

void figure_begin(struct out *out, unsigned width, unsigned height,
		  const char *label)
{
	out_text(out, "<div class=\"wide\" tabindex=\"0\" role=\"group\" "
		      "aria-label=\"");
	markup_text(out, label);
	out_format(out, "\">\n<svg class=\"picture\" viewBox=\"0 0 %u %u\" "
			"role=\"img\" aria-label=\"", width, height);
	markup_text(out, label);
	out_text(out, "\">\n");
}

void figure_end(struct out *out)
{
	out_text(out, "</svg>\n</div>\n");
}

void figure_box(struct out *out, char kind, unsigned number, unsigned x,
		unsigned y, unsigned width, unsigned height)
{
	out_format(out, "<path class=\"%c%u\" d=\"M%u %uh%uv%uh-%uz\"/>",
		   kind, number, x, y, width, height, width);
}

void numbers_begin(struct out *out, const char *const *headings,
		   unsigned count)
{
	out_text(out, "<details><summary>");
	markup_text(out, _("The picture in numbers"));
	out_text(out, "</summary>\n<div class=\"wide\" tabindex=\"0\">"
		      "<table>\n<thead><tr>");
	for (unsigned i = 0; i < count; i++) {
		out_text(out, "<th scope=\"col\">");
		markup_text(out, _(headings[i]));
		out_text(out, "</th>");
	}
	out_text(out, "</tr></thead>\n<tbody>\n");
}

void numbers_end(struct out *out)
{
	out_text(out, "</tbody></table></div></details>\n");
}

void number_cell(struct out *out, uint64_t number)
{
	out_text(out, "<td>");
	out_u64(out, number);
	out_text(out, "</td>");
}
