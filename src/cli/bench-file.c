// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/bench-file.h"

#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const result_metric_name[METRICS] = {
	[METRIC_CYCLES] = "cycles",	    [METRIC_INSTRUCTIONS] = "instructions",
	[METRIC_TASK_CLOCK] = "task_clock_ns", [METRIC_TSC] = "tsc",
	[METRIC_WALL] = "wall_ns",	    [METRIC_SWITCHES] = "switches",
	[METRIC_SYSTEM_CYCLES] = "system_cycles",
};

const char *const result_metric_unit[METRICS] = {
	[METRIC_CYCLES] = "cycles of the reader",
	[METRIC_INSTRUCTIONS] = "instructions of the reader",
	[METRIC_TASK_CLOCK] = "ns of the reader's CPU time",
	[METRIC_TSC] = "TSC ticks",
	[METRIC_WALL] = "ns of wall time",
	[METRIC_SWITCHES] = "context switches of the reader",
	[METRIC_SYSTEM_CYCLES] = "cycles of all CPUs involved",
};

int result_fail(char *error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(error, BENCH_ERROR_SIZE, format, args);
	va_end(args);
	return -EINVAL;
}

static void free_cell(struct result_cell *cell)
{
	free(cell->reader);
	free(cell->target);
	free(cell->path);
	free(cell->round);
	for (int m = 0; m < METRICS; m++)
		free(cell->value[m]);
}

void bench_file_free(struct bench_file *file)
{
	if (!file)
		return;
	for (size_t i = 0; i < file->n_cells; i++)
		free_cell(&file->cells[i]);
	for (size_t i = 0; i < file->n_facts; i++) {
		free(file->facts[i].name);
		free(file->facts[i].text);
	}
	free(file->cells);
	free(file->facts);
	free(file->kernel);
	free(file->identity);
	free(file->boot);
	free(file->name);
	free(file);
}

int result_cell_order(const void *left, const void *right)
{
	const struct result_cell *a = left, *b = right;
	int order;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	/* L3:2 before L3:10. */
	order = strverscmp(a->reader, b->reader);
	if (!order)
		order = strverscmp(a->target, b->target);
	if (order)
		return order;
	return (int)a->toggle - (int)b->toggle;
}

int bench_file_read(const char *path, struct bench_file **file, char *error)
{
	struct bench_file *f = calloc(1, sizeof(*f));
	json_object *doc = NULL;
	int ret = -ENOMEM;

	if (f) {
		f->load = NAN;
		f->name = strdup(path);
		ret = f->name ? result_json_read(path, &doc, error) : -ENOMEM;
	}
	if (ret == 0)
		ret = result_parse(doc, f, error);
	json_object_put(doc);
	if (ret == 0)
		qsort(f->cells, f->n_cells, sizeof(*f->cells), result_cell_order);
	if (ret == -ENOMEM)
		result_fail(error, "can't be read: %s", strerror(ENOMEM));
	if (ret < 0)
		bench_file_free(f);
	else
		*file = f;
	return ret;
}
