// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * JSON tree -> struct bench_file. What is not known is skipped: newer versions add
 * fields. What is known must be of its type.
 */
#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench-file.h"

#define SCHEMA "mbmcat.bench/1"

const char *const result_kind_name[KINDS] = {
	[KIND_LOCAL] = "local",
	[KIND_SAME_PACKAGE] = "remote-same-package",
	[KIND_OTHER_PACKAGE] = "remote-other-package",
	[KIND_DRY] = "dry",
};

/* Counts above this are no counts; they would only lose digits in a double. */
#define NUMBER_MAX 1e18

/* 128 domains, each read from each. */
#define CELLS_MAX 16384

struct where {
	size_t cell, iteration;
	char *error;
};

static int fail_field(const struct where *w, const char *name, const char *what)
{
	return result_fail(w->error, "cells[%zu].iterations[%zu].%s %s", w->cell, w->iteration, name,
			  what);
}

/* A number, or NAN where there is none and none needs to be. */
static int get_number(const struct where *w, json_object *object, const char *name, bool needed,
		      bool negative, double *number)
{
	json_object *value = NULL;

	*number = NAN;
	if (!json_object_object_get_ex(object, name, &value) || !value)
		return needed ? fail_field(w, name, "is missing") : 0;
	if (!json_object_is_type(value, json_type_int) &&
	    !json_object_is_type(value, json_type_double))
		return fail_field(w, name, "is no number");
	*number = json_object_get_double(value);
	if (!isfinite(*number) || fabs(*number) > NUMBER_MAX)
		return fail_field(w, name, "is no finite count");
	if (*number < 0 && !negative)
		return fail_field(w, name, "is negative");
	return 0;
}

static int get_flag(const struct where *w, json_object *object, const char *name, bool *flag)
{
	json_object *value = NULL;

	*flag = false;
	if (!json_object_object_get_ex(object, name, &value) || !value)
		return 0;
	if (!json_object_is_type(value, json_type_boolean))
		return fail_field(w, name, "is neither true nor false");
	*flag = json_object_get_boolean(value);
	return 0;
}

static int parse_iteration(const struct where *w, json_object *object, struct result_cell *cell,
			   uint64_t *multiplexed)
{
	bool warmup, shared;
	double round;
	int ret;

	if (!json_object_is_type(object, json_type_object))
		return result_fail(w->error, "cells[%zu].iterations[%zu] is no object", w->cell,
				  w->iteration);
	ret = get_number(w, object, "round", true, false, &round);
	if (ret == 0)
		ret = get_flag(w, object, "warmup", &warmup);
	if (ret == 0)
		ret = get_flag(w, object, "multiplexed", &shared);
	for (int m = 0; m < METRICS && ret == 0; m++)
		ret = get_number(w, object, result_metric_name[m], m == METRIC_WALL,
				 m == METRIC_SYSTEM_CYCLES, &cell->value[m][cell->n]);
	if (ret < 0 || warmup)
		return ret;
	*multiplexed += shared;
	cell->round[cell->n++] = (uint64_t)round;
	return 0;
}

static int parse_iterations(struct where *w, json_object *array, struct result_cell *cell,
			    uint64_t *multiplexed)
{
	size_t n = json_object_array_length(array);
	int ret = 0;

	cell->round = calloc(n + 1, sizeof(*cell->round));
	if (!cell->round)
		return -ENOMEM;
	for (int m = 0; m < METRICS; m++) {
		cell->value[m] = calloc(n + 1, sizeof(double));
		if (!cell->value[m])
			return -ENOMEM;
	}
	for (w->iteration = 0; w->iteration < n && ret == 0; w->iteration++)
		ret = parse_iteration(w, json_object_array_get_idx(array, w->iteration), cell,
				      multiplexed);
	return ret;
}

/* {"resource","domain","sub_domain"?} -> "L3:0/1"; NULL when it is no such thing. */
static char *domain_name(json_object *object)
{
	json_object *resource, *id, *sub = NULL;
	char *name = NULL;
	int len;

	if (!json_object_is_type(object, json_type_object) ||
	    !json_object_object_get_ex(object, "resource", &resource) ||
	    !json_object_is_type(resource, json_type_string) ||
	    !json_object_object_get_ex(object, "domain", &id) ||
	    !json_object_is_type(id, json_type_int))
		return NULL;
	json_object_object_get_ex(object, "sub_domain", &sub);
	if (sub && !json_object_is_type(sub, json_type_int))
		return NULL;
	if (sub)
		len = asprintf(&name, "%s:%llu/%llu", json_object_get_string(resource),
			       (unsigned long long)json_object_get_uint64(id),
			       (unsigned long long)json_object_get_uint64(sub));
	else
		len = asprintf(&name, "%s:%llu", json_object_get_string(resource),
			       (unsigned long long)json_object_get_uint64(id));
	return len < 0 ? NULL : name;
}

static int find_kind(json_object *value)
{
	const char *text = json_object_is_type(value, json_type_string) ?
				   json_object_get_string(value) : "";
	int kind = 0;

	while (kind < KINDS && strcmp(text, result_kind_name[kind]))
		kind++;
	return kind;
}

static int parse_toggle(json_object *value)
{
	if (!value)
		return SWITCH_NONE;
	if (json_object_is_type(value, json_type_string) &&
	    !strcmp(json_object_get_string(value), "off"))
		return SWITCH_OFF;
	if (json_object_is_type(value, json_type_string) &&
	    !strcmp(json_object_get_string(value), "on"))
		return SWITCH_ON;
	return -EINVAL;
}

static int parse_cell(struct where *w, json_object *object, struct result_cell *cell,
		      uint64_t *multiplexed)
{
	json_object *kind = NULL, *reader = NULL, *target = NULL, *path = NULL, *reads = NULL,
		    *toggle = NULL, *iterations = NULL;
	int found;

	if (!json_object_is_type(object, json_type_object))
		return result_fail(w->error, "cells[%zu] is no object", w->cell);
	json_object_object_get_ex(object, "kind", &kind);
	json_object_object_get_ex(object, "reader", &reader);
	json_object_object_get_ex(object, "target", &target);
	json_object_object_get_ex(object, "path", &path);
	json_object_object_get_ex(object, "reads", &reads);
	json_object_object_get_ex(object, "toggle", &toggle);
	json_object_object_get_ex(object, "iterations", &iterations);
	found = find_kind(kind);
	if (found == KINDS)
		return result_fail(w->error, "cells[%zu].kind is none that is known", w->cell);
	cell->kind = (enum result_kind)found;
	found = parse_toggle(toggle);
	if (found < 0)
		return result_fail(w->error, "cells[%zu].toggle is neither off nor on", w->cell);
	cell->toggle = (enum result_toggle)found;
	cell->reader = domain_name(reader);
	if (!cell->reader)
		return result_fail(w->error, "cells[%zu].reader is no domain", w->cell);
	cell->target = target ? domain_name(target) : cell->kind == KIND_DRY ? strdup("") : NULL;
	if (!cell->target)
		return result_fail(w->error, "cells[%zu].target is no domain", w->cell);
	if (path && !json_object_is_type(path, json_type_string))
		return result_fail(w->error, "cells[%zu].path is no string", w->cell);
	cell->path = path ? strdup(json_object_get_string(path)) : NULL;
	if (!json_object_is_type(reads, json_type_int) || json_object_get_int64(reads) <= 0)
		return result_fail(w->error, "cells[%zu].reads is no number of reads", w->cell);
	cell->reads = json_object_get_double(reads);
	if (!json_object_is_type(iterations, json_type_array))
		return result_fail(w->error, "cells[%zu].iterations is no array", w->cell);
	return parse_iterations(w, iterations, cell, multiplexed);
}

static int parse_cells(json_object *array, struct bench_file *file, char *error)
{
	struct where w = { .error = error };
	size_t n = json_object_array_length(array), rounds = 0;
	int ret = 0;

	if (n > CELLS_MAX)
		return result_fail(error, "has more than %d cells", CELLS_MAX);
	file->cells = calloc(n + 1, sizeof(*file->cells));
	if (!file->cells)
		return -ENOMEM;
	for (size_t i = 0; i < n && ret == 0; i++) {
		w.cell = i;
		file->n_cells = i + 1;
		ret = parse_cell(&w, json_object_array_get_idx(array, i), &file->cells[i],
				 &file->multiplexed);
		rounds += file->cells[i].n;
	}
	if (ret == 0 && !rounds)
		return result_fail(error, "holds no round that was finished");
	return ret;
}

int result_parse(json_object *doc, struct bench_file *file, char *error)
{
	json_object *schema = NULL, *cells = NULL, *flag = NULL;
	int ret;

	if (!json_object_is_type(doc, json_type_object))
		return result_fail(error, "is no result of mbmcat bench");
	json_object_object_get_ex(doc, "schema", &schema);
	if (!json_object_is_type(schema, json_type_string))
		return result_fail(error, "is no result of mbmcat bench: it has no schema");
	if (strcmp(json_object_get_string(schema), SCHEMA))
		return result_fail(error, "has the schema \"%.60s\"; %s is read",
				  json_object_get_string(schema), SCHEMA);
	ret = result_parse_facts(doc, file, error);
	if (ret < 0)
		return ret;
	json_object_object_get_ex(doc, "interrupted", &flag);
	if (flag && !json_object_is_type(flag, json_type_boolean))
		return result_fail(error, "interrupted is neither true nor false");
	file->interrupted = json_object_get_boolean(flag);
	json_object_object_get_ex(doc, "cells", &cells);
	if (!json_object_is_type(cells, json_type_array))
		return result_fail(error, "cells is no array");
	return parse_cells(cells, file, error);
}
