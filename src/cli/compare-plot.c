// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * svg: a strip of points per row and side; a line of points is a boot, the bar through
 * it the boot's median. No script, no font of its own, nothing to load.
 */
#include <math.h>

#include "cli/compare.h"
#include "cli/escape.h"

#define WIDTH	   960
#define LEFT	   340 /* of the axis */
#define RIGHT	   930
#define TOP	   64
#define BOOT_LINE  9
#define GAP_SIDES  6
#define GAP_ROWS   18
#define POINTS_MAX 2000 /* of a strip; a picture shows no more */

/* Told apart by lightness as well as by hue: grey paper, colour-blind eyes. */
static const char style[] =
	"svg{font:13px sans-serif}.paper{fill:#fff}"
	"text{fill:#222}.soft{fill:#555;font-size:11px}"
	".grid{stroke:#ddd}.axis{stroke:#888}"
	".before{fill:#e08a1e}.after{fill:#1f4e9c}"
	"circle{fill-opacity:.45}"
	".m{fill:#111}"
	"@media(prefers-color-scheme:dark){.paper{fill:#15181c}text{fill:#e6e6e6}"
	".soft{fill:#aaa}.grid{stroke:#333a42}.axis{stroke:#778}"
	".before{fill:#f2b45e}.after{fill:#7fb0ff}.m{fill:#fff}}"
	"@media print{.paper{fill:#fff}text{fill:#000}.soft{fill:#333}.grid{stroke:#ccc}"
	".axis{stroke:#666}.before{fill:#e08a1e}.after{fill:#1f4e9c}.m{fill:#000}}";

static void xml(struct buf *out, const char *text)
{
	struct buf clean = { 0 };

	escape_text(&clean, text);
	for (size_t i = 0; i < clean.len; i++) {
		switch (clean.data[i]) {
		case '&':
			buf_str(out, "&amp;");
			break;
		case '<':
			buf_str(out, "&lt;");
			break;
		case '>':
			buf_str(out, "&gt;");
			break;
		case '"':
			buf_str(out, "&quot;");
			break;
		default:
			buf_char(out, clean.data[i]);
		}
	}
	out->failed |= clean.failed;
	buf_free(&clean);
}

struct axis {
	double low, high, step;
};

/* 1, 2 or 5 times a power of ten: at most eight steps. */
static void set_axis(const struct comparison *c, struct axis *axis)
{
	double most = 0, least = 0, power = 1;

	for (size_t i = 0; i < c->n_rows; i++) {
		for (int s = 0; s < SIDES; s++) {
			const struct compare_side *side = &c->rows[i].side[s];

			for (size_t k = 0; k < side->n_points; k++) {
				most = fmax(most, side->point[k]);
				least = fmin(least, side->point[k]);
			}
		}
	}
	if (most <= least)
		most = least + 1;
	while (power * 10 <= (most - least) / 8)
		power *= 10;
	axis->step = power;
	while ((most - least) / axis->step > 8)
		axis->step = axis->step == power ? 2 * power :
			     axis->step == 2 * power ? 5 * power : (power *= 10);
	axis->low = floor(least / axis->step) * axis->step;
	axis->high = ceil(most / axis->step) * axis->step;
}

static double x_of(const struct axis *axis, double value)
{
	return LEFT + (RIGHT - LEFT) * (value - axis->low) / (axis->high - axis->low);
}

static size_t lines_of(const struct comparison *c, int s)
{
	return c->set[c->mode == COMPARE_TOGGLE ? BEFORE : s]->n_boots;
}

static int sides_of(const struct comparison *c)
{
	return c->mode == COMPARE_SAME ? 1 : SIDES;
}

static int row_height(const struct comparison *c)
{
	int height = GAP_ROWS;

	for (int s = 0; s < sides_of(c); s++)
		height += (int)lines_of(c, s) * BOOT_LINE + GAP_SIDES;
	return height < 56 ? 56 : height;
}

static const char *side_name(const struct comparison *c, int s)
{
	if (c->mode == COMPARE_SAME)
		return "all";
	if (c->mode == COMPARE_TOGGLE)
		return s == BEFORE ? "off" : "on";
	return s == BEFORE ? "before" : "after";
}

static void put_strip(const struct comparison *c, const struct compare_side *side, int s,
		      const struct axis *axis, int y, struct buf *out)
{
	size_t step = side->n_points / POINTS_MAX + 1;
	const char *class = s == BEFORE ? "before" : "after";

	buf_printf(out, "<g class=\"%s\">", class);
	for (size_t i = 0; i < side->n_points; i += step) {
		/* Not all on one line: dots on top of each other hide how many there are. */
		buf_printf(out, "<circle cx=\"%.1f\" cy=\"%d\" r=\"2\"/>",
			   x_of(axis, side->point[i]),
			   y + (int)side->point_boot[i] * BOOT_LINE + BOOT_LINE / 2 +
				   2 * ((int)(i % 3) - 1));
	}
	for (size_t b = 0; c->mode != COMPARE_TOGGLE && b < side->n; b++)
		buf_printf(out, "<rect class=\"m\" x=\"%.1f\" y=\"%d\" width=\"2\" height=\"%d\"/>",
			   x_of(axis, side->value[b]) - 1, y + (int)b * BOOT_LINE, BOOT_LINE);
	buf_str(out, "</g>\n");
}

static void put_row(const struct comparison *c, const struct compare_row *row,
		    const struct axis *axis, int y, struct buf *out)
{
	struct buf text = { 0 };

	buf_printf(out, "<text x=\"12\" y=\"%d\">", y + 12);
	xml(out, row->label);
	buf_str(out, "</text>\n");
	if (c->mode == COMPARE_SAME) {
		compare_side_text(&text, &row->side[BEFORE]);
	} else if (row->has_test && !row->told) {
		buf_str(&text, "~ not told from noise");
	} else if (!isnan(row->change)) {
		buf_printf(&text, "%+.1f%%", row->change * 100);
		if (row->has_interval)
			buf_printf(&text, " [%+.1f, %+.1f]", row->low * 100, row->high * 100);
	}
	buf_printf(out, "<text class=\"soft\" x=\"12\" y=\"%d\">%.*s</text>\n", y + 28,
		   (int)text.len, text.len ? text.data : "");
	buf_free(&text);
	for (int s = 0; s < sides_of(c); s++) {
		int height = (int)lines_of(c, s) * BOOT_LINE;

		buf_printf(out, "<text class=\"soft\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n",
			   LEFT - 8, y + height / 2 + 4, side_name(c, s));
		put_strip(c, &row->side[s], s, axis, y, out);
		y += height + (height < 14 ? 14 - height : 0) + GAP_SIDES;
	}
}

static void put_axis(const struct axis *axis, int bottom, struct buf *out)
{
	struct buf text = { 0 };

	for (int i = 0; axis->low + i * axis->step <= axis->high * (1 + 1e-9); i++) {
		double x = x_of(axis, axis->low + i * axis->step);

		buf_printf(out, "<line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>\n", x,
			   TOP - 6, x, bottom);
		compare_number(&text, axis->low + i * axis->step);
		buf_printf(out, "<text class=\"soft\" x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">"
				"%.*s</text>\n",
			   x, bottom + 16, (int)text.len, text.len ? text.data : "");
		buf_reset(&text);
	}
	buf_printf(out, "<line class=\"axis\" x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\"/>\n", LEFT, bottom,
		   RIGHT, bottom);
	buf_free(&text);
}

void compare_plot(const struct comparison *c, struct buf *out)
{
	int height = row_height(c), bottom = TOP + (int)c->n_rows * height;
	struct axis axis;

	set_axis(c, &axis);
	buf_printf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
			"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" "
			"height=\"%d\" role=\"img\">\n<title>What a dump costs</title>\n<style>%s</style>\n",
		   WIDTH, bottom + 48, WIDTH, bottom + 48, style);
	buf_printf(out, "<rect class=\"paper\" width=\"%d\" height=\"%d\"/>\n", WIDTH, bottom + 48);
	buf_printf(out, "<text x=\"12\" y=\"24\">One dump of one domain</text>\n"
			"<text class=\"soft\" x=\"12\" y=\"42\">A point is an iteration, a line of points "
			"%s</text>\n",
		   c->mode == COMPARE_TOGGLE ? "a boot." :
					       "a boot, a bar the boot's median.");
	put_axis(&axis, bottom, out);
	for (size_t i = 0; i < c->n_rows; i++)
		put_row(c, &c->rows[i], &axis, TOP + (int)i * height, out);
	buf_printf(out, "<text class=\"soft\" x=\"%d\" y=\"%d\" text-anchor=\"end\">%s</text>\n</svg>\n",
		   RIGHT, bottom + 36, result_metric_unit[c->metric]);
}
