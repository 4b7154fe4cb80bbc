// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * What a result says of the machine and the method, flattened to names and texts, so
 * that telling two apart is one loop.
 */
#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench-file.h"

/* Far more than there are; comparing them pair by pair stays cheap. */
#define FACTS_MAX 256

struct fact_row {
	const char *section, *name;
	enum json_type type; /* or null, unless needed */
	enum result_rule rule;
	bool needed;
};

static const struct fact_row rows[] = {
	{ "machine", "cpu_model", json_type_string, RULE_SAME, false },
	{ "method", "domains", json_type_array, RULE_SAME, true },
	{ "method", "groups", json_type_int, RULE_SAME, true },
	{ "method", "events", json_type_array, RULE_SAME, true },
	{ "method", "pace_ns", json_type_int, RULE_SAME, true },
	{ "method", "pinned", json_type_boolean, RULE_SAME, true },
	{ "method", "cpu", json_type_string, RULE_SAME, false },
	{ "method", "contention", json_type_string, RULE_SAME, false },
	{ "machine", "host", json_type_string, RULE_NOTE, false },
	{ "machine", "kernel_release", json_type_string, RULE_NOTE, false },
	{ "machine", "kernel_version", json_type_string, RULE_NOTE, false },
	{ "machine", "cmdline", json_type_string, RULE_NOTE, false },
	{ "machine", "nohz_full", json_type_string, RULE_NOTE, false },
	{ "machine", "isolated", json_type_string, RULE_NOTE, false },
	{ "machine", "mitigations", json_type_object, RULE_NOTE, false },
	{ "machine", "microcode", json_type_string, RULE_NOTE, false },
	{ "machine", "governor", json_type_string, RULE_NOTE, false },
	{ "machine", "boost", json_type_string, RULE_NOTE, false },
	{ "machine", "smt", json_type_string, RULE_NOTE, false },
	{ "machine", "hypervisor", json_type_string, RULE_NOTE, false },
	{ "machine", "mount_options", json_type_string, RULE_NOTE, false },
	{ "machine", "num_rmids", json_type_int, RULE_NOTE, false },
	{ "machine", "perf_event_paranoid", json_type_int, RULE_NOTE, false },
	{ "method", "rounds", json_type_int, RULE_NOTE, false },
	{ "method", "warmup", json_type_int, RULE_NOTE, false },
	{ NULL, "tool", json_type_string, RULE_NOTE, false },
};

/* No two results share one: nothing to compare. */
static const struct fact_row boot_row = {
	"machine", "boot_id", json_type_string, RULE_NOTE, false
};

static int add_fact(struct bench_file *file, const char *name, const char *text,
		    enum result_rule rule)
{
	struct result_fact *more;

	if (file->n_facts == FACTS_MAX)
		return 0;
	more = reallocarray(file->facts, file->n_facts + 1, sizeof(*file->facts));
	if (!more)
		return -ENOMEM;
	file->facts = more;
	more += file->n_facts;
	*more = (struct result_fact){ .rule = rule };
	file->n_facts++;
	more->name = strdup(name);
	more->text = text ? strdup(text) : NULL;
	return more->name && (more->text || !text) ? 0 : -ENOMEM;
}

/* Strings as they are, anything else as JSON; NULL for null. */
static const char *text_of(json_object *value)
{
	if (!value)
		return NULL;
	if (json_object_is_type(value, json_type_string))
		return json_object_get_string(value);
	return json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN |
							     JSON_C_TO_STRING_NOSLASHESCAPE);
}

static json_object *find(json_object *doc, const char *section, const char *name)
{
	json_object *value = NULL;

	if (section && !json_object_object_get_ex(doc, section, &doc))
		return NULL;
	json_object_object_get_ex(doc, name, &value);
	return value;
}

/* A mitigation each, or they would be told apart as one long line. */
static int add_members(struct bench_file *file, const struct fact_row *row, json_object *value)
{
	int ret = 0;

	json_object_object_foreach(value, key, member)
	{
		char name[128];

		snprintf(name, sizeof(name), "%s.%.80s", row->name, key);
		if (ret == 0)
			ret = add_fact(file, name, text_of(member), row->rule);
	}
	return ret;
}

static int check_type(json_object *value, const struct fact_row *row, char *error)
{
	const char *section = row->section ? row->section : "", *dot = row->section ? "." : "";

	if (!value && row->needed)
		return result_fail(error, "%s%s%s is missing", section, dot, row->name);
	if (value && !json_object_is_type(value, row->type))
		return result_fail(error, "%s%s%s is not of its type", section, dot, row->name);
	return 0;
}

static char *copy_text(json_object *value)
{
	return json_object_is_type(value, json_type_string) ?
		       strdup(json_object_get_string(value)) : NULL;
}

/* A boot, a time and a seed are never the same in two results. */
static int set_identity(json_object *doc, struct bench_file *file)
{
	const char *time = text_of(find(doc, NULL, "time"));
	const char *seed = text_of(find(doc, NULL, "seed"));

	if (!file->boot || !time || !seed)
		return 0;
	if (asprintf(&file->identity, "%s %s %s", file->boot, time, seed) < 0) {
		file->identity = NULL;
		return -ENOMEM;
	}
	return 0;
}

static void set_load(json_object *doc, struct bench_file *file)
{
	json_object *load = find(doc, "machine", "load_before");
	json_object *minute = NULL;

	if (json_object_is_type(load, json_type_array) && json_object_array_length(load))
		minute = json_object_array_get_idx(load, 0);
	if (json_object_is_type(minute, json_type_double) ||
	    json_object_is_type(minute, json_type_int))
		file->load = json_object_get_double(minute);
	if (!isfinite(file->load))
		file->load = NAN;
}

int result_parse_facts(json_object *doc, struct bench_file *file, char *error)
{
	static const char *const sections[] = { "machine", "method" };
	int ret = 0;

	for (size_t i = 0; i < ARRAY_SIZE(sections); i++) {
		if (!json_object_is_type(find(doc, NULL, sections[i]), json_type_object))
			return result_fail(error, "%s is no object", sections[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(rows) && ret == 0; i++) {
		json_object *value = find(doc, rows[i].section, rows[i].name);

		ret = check_type(value, &rows[i], error);
		if (ret == 0 && json_object_is_type(value, json_type_object))
			ret = add_members(file, &rows[i], value);
		else if (ret == 0)
			ret = add_fact(file, rows[i].name, text_of(value), rows[i].rule);
	}
	if (ret == 0)
		ret = check_type(find(doc, "machine", "boot_id"), &boot_row, error);
	if (ret < 0)
		return ret;
	file->boot = copy_text(find(doc, "machine", "boot_id"));
	file->kernel = copy_text(find(doc, "machine", "kernel_release"));
	set_load(doc, file);
	return set_identity(doc, file);
}
