// SPDX-License-Identifier: LGPL-2.1-or-later
#include "cli/record.h"

#include <time.h>

static const char *const path_text[] = {
	[PATH_UNKNOWN] = NULL,
	[PATH_DIRECT] = "direct",
	[PATH_DEFERRED] = "deferred",
	[PATH_REMOTE] = "remote",
};

static const char *const rate_text[] = {
	[MBMCAT_RATE_OK] = NULL,
	/* In the first sample, or the count has its own word. */
	[MBMCAT_RATE_NONE] = NULL,
	[MBMCAT_RATE_RESET] = "reset",
	[MBMCAT_RATE_IMPLAUSIBLE] = "implausible",
};

const char *record_path_text(enum read_path path)
{
	return path_text[path];
}

const char *record_rate_text(uint8_t why)
{
	return why < ARRAY_SIZE(rate_text) ? rate_text[why] : NULL;
}

void layout_init(struct layout *layout, const struct mbmcat_plan *plan)
{
	layout->plan = plan;
	layout->has_clusters = false;
	for (size_t i = 0; i < mbmcat_plan_domains(plan); i++)
		layout->has_clusters |=
			mbmcat_plan_domain(plan, i)->domain->sub_id != MBMCAT_NO_SUB;
}

void record_time(uint64_t time_ns, char text[RECORD_TIME_SIZE])
{
	time_t seconds = (time_t)(time_ns / 1000000000);
	struct tm tm;
	char *p = text;

	gmtime_r(&seconds, &tm);
	p = digits_put_padded(p, (uint64_t)tm.tm_year + 1900, 4);
	*p++ = '-';
	p = digits_put_padded(p, (uint64_t)tm.tm_mon + 1, 2);
	*p++ = '-';
	p = digits_put_padded(p, (uint64_t)tm.tm_mday, 2);
	*p++ = 'T';
	p = digits_put_padded(p, (uint64_t)tm.tm_hour, 2);
	*p++ = ':';
	p = digits_put_padded(p, (uint64_t)tm.tm_min, 2);
	*p++ = ':';
	p = digits_put_padded(p, (uint64_t)tm.tm_sec, 2);
	*p++ = '.';
	p = digits_put_padded(p, time_ns % 1000000000, 9);
	*p = 'Z';
}
