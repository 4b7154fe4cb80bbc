// SPDX-License-Identifier: LGPL-2.1-or-later
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ranges.h"
#include "lib/internal.h"

/* One pattern, or one item of a list of domains. */
struct wish_item {
	char *text;	    /* as it was written: for messages */
	char *resource;	    /* domains only; NULL: any */
	struct range range; /* domains only */
};

struct wish_list {
	struct wish_item *item;
	size_t n;
};

struct mbmcat_wish {
	struct wish_list groups, domains, events;
	bool sums;
};

static const char *const default_events[] = { "mbm_local_bytes", "mbm_total_bytes" };

struct mbmcat_wish *mbmcat_wish_new(void)
{
	return calloc(1, sizeof(struct mbmcat_wish));
}

static void free_list(struct wish_list *list)
{
	for (size_t i = 0; i < list->n; i++) {
		free(list->item[i].text);
		free(list->item[i].resource);
	}
	free(list->item);
}

void mbmcat_wish_free(struct mbmcat_wish *wish)
{
	if (!wish)
		return;
	free_list(&wish->groups);
	free_list(&wish->domains);
	free_list(&wish->events);
	free(wish);
}

static struct wish_item *add_item(struct wish_list *list, const char *text, size_t len)
{
	struct wish_item *bigger = reallocarray(list->item, list->n + 1, sizeof(*bigger));
	struct wish_item *item;

	if (!bigger)
		return NULL;
	list->item = bigger;
	item = &bigger[list->n];
	*item = (struct wish_item){ .text = strndup(text, len) };
	if (!item->text)
		return NULL;
	list->n++;
	return item;
}

int mbmcat_wish_group(struct mbmcat_wish *wish, const char *pattern)
{
	return add_item(&wish->groups, pattern, strlen(pattern)) ? 0 : -ENOMEM;
}

int mbmcat_wish_event(struct mbmcat_wish *wish, const char *pattern)
{
	return add_item(&wish->events, pattern, strlen(pattern)) ? 0 : -ENOMEM;
}

int mbmcat_wish_domains(struct mbmcat_wish *wish, const char *list)
{
	const char *colon = strchr(list, ':');
	const char *text = colon ? colon + 1 : list;
	cleanup(cleanup_free) struct range *ranges = NULL;
	size_t n;
	int ret;

	if (colon == list)
		return -EINVAL;
	ret = ranges_parse(text, &ranges, &n);
	if (ret < 0)
		return ret;
	for (size_t i = 0; i < n; i++) {
		size_t len = strcspn(text, ",");
		struct wish_item *item = add_item(&wish->domains, text, len);

		if (!item)
			return -ENOMEM;
		item->range = ranges[i];
		if (colon) {
			char *full;

			item->resource = strndup(list, (size_t)(colon - list));
			if (!item->resource ||
			    asprintf(&full, "%s:%s", item->resource, item->text) < 0)
				return -ENOMEM;
			free(item->text);
			item->text = full;
		}
		text += len + 1;
	}
	return 0;
}

void mbmcat_wish_sums(struct mbmcat_wish *wish, bool sums)
{
	wish->sums = sums;
}

static bool group_matches(const struct wish_item *item, const struct mbmcat_group *group)
{
	const char *slash = strchr(item->text, '/');
	char path[PATH_SIZE];
	size_t len;

	if (!slash)
		return !fnmatch(item->text, *group->mon_group ? group->mon_group : group->ctrl_group,
				0);
	len = strlen(group->ctrl_group);
	if (len + strlen(group->mon_group) + 2 > sizeof(path))
		return false;
	memcpy(path, group->ctrl_group, len);
	path[len] = '/';
	strcpy(path + len + 1, group->mon_group);
	return !fnmatch(item->text, path, FNM_PATHNAME);
}

static bool domain_matches(const struct wish_item *item, const struct mbmcat_domain *domain)
{
	return range_has(&item->range, domain->id) &&
	       (!item->resource || !strcmp(item->resource, domain->resource));
}

static bool event_matches(const struct wish_item *item, const struct mbmcat_event *event)
{
	return event->in_files && !fnmatch(item->text, event->name, 0);
}

static void select_groups(const struct mbmcat_snapshot *snap, const struct wish_list *list,
			  bool *wanted, const char **unmatched)
{
	for (size_t w = 0; w < list->n; w++) {
		bool any = false;

		for (size_t i = 0; i < snap->n_groups; i++) {
			if (!group_matches(&list->item[w], &snap->groups[i].pub))
				continue;
			any = true;
			wanted[i] = true;
		}
		if (!any && !*unmatched)
			*unmatched = list->item[w].text;
	}
	for (size_t i = 0; i < snap->n_groups; i++)
		wanted[i] = (wanted[i] || !list->n) && !snap->groups[i].pub.pseudo_locked;
}

static void select_domains(const struct mbmcat_snapshot *snap, const struct mbmcat_wish *wish,
			   bool *wanted, const char **unmatched)
{
	const struct wish_list *list = &wish->domains;

	for (size_t w = 0; w < list->n; w++) {
		bool any = false;

		for (size_t i = 0; i < snap->n_domains; i++) {
			if (!domain_matches(&list->item[w], &snap->domains[i].pub))
				continue;
			any = true;
			wanted[i] = true;
		}
		if (!any && !*unmatched)
			*unmatched = list->item[w].text;
	}
	for (size_t i = 0; i < snap->n_domains; i++) {
		const struct mbmcat_domain *d = &snap->domains[i].pub;

		/* A domain without clusters is its own sum. */
		if (wish->sums ? d->sub_id != MBMCAT_NO_SUB : d->is_sum)
			wanted[i] = false;
		else if (!list->n)
			wanted[i] = true;
	}
}

static void select_events(const struct mbmcat_snapshot *snap, const struct wish_list *list,
			  bool *wanted, const char **unmatched)
{
	for (size_t w = 0; w < list->n; w++) {
		bool any = false;

		for (size_t i = 0; i < snap->n_events; i++) {
			if (!event_matches(&list->item[w], &snap->events[i]))
				continue;
			any = true;
			wanted[i] = true;
		}
		if (!any && !*unmatched)
			*unmatched = list->item[w].text;
	}
	for (size_t i = 0; i < snap->n_events && !list->n; i++) {
		for (size_t d = 0; d < ARRAY_SIZE(default_events); d++)
			wanted[i] |= snap->events[i].in_files &&
				     !strcmp(snap->events[i].name, default_events[d]);
	}
}

static size_t count_events(const struct mbmcat_subset *subset, const char *resource)
{
	const struct mbmcat_snapshot *snap = subset->snapshot;
	size_t events = 0;

	for (size_t e = 0; e < snap->n_events; e++)
		events += subset->event[e] && !strcmp(snap->events[e].resource, resource);
	return events;
}

static int count_counters(struct mbmcat_subset *subset)
{
	const struct mbmcat_snapshot *snap = subset->snapshot;
	cleanup(cleanup_free) size_t *events = calloc(snap->n_domains + 1, sizeof(*events));

	if (!events)
		return -ENOMEM;
	for (size_t d = 0; d < snap->n_domains; d++) {
		if (subset->domain[d])
			events[d] = count_events(subset, snap->domains[d].pub.resource);
	}
	for (size_t g = 0; g < snap->n_groups; g++) {
		for (size_t i = 0; i < snap->groups[g].n_domains && subset->group[g]; i++)
			subset->counters += events[snap->groups[g].domains[i]];
	}
	return 0;
}

int mbmcat_select(const struct mbmcat_snapshot *snap, const struct mbmcat_wish *wish,
		  struct mbmcat_subset **subset, const char **unmatched)
{
	struct mbmcat_subset *s = calloc(1, sizeof(*s));
	const char *none = NULL;
	int ret = 0;

	if (!s)
		return -ENOMEM;
	s->snapshot = snap;
	s->group = calloc(snap->n_groups + 1, sizeof(bool));
	s->domain = calloc(snap->n_domains + 1, sizeof(bool));
	s->event = calloc(snap->n_events + 1, sizeof(bool));
	if (!s->group || !s->domain || !s->event) {
		mbmcat_subset_free(s);
		return -ENOMEM;
	}
	select_groups(snap, &wish->groups, s->group, &none);
	select_domains(snap, wish, s->domain, &none);
	select_events(snap, &wish->events, s->event, &none);
	ret = count_counters(s);
	if (unmatched && ret == 0) {
		*unmatched = none;
		if (none)
			ret = -ESRCH;
	}
	if (ret == 0 && !s->counters)
		ret = -ENODATA;
	if (ret < 0) {
		mbmcat_subset_free(s);
		return ret;
	}
	*subset = s;
	return 0;
}

void mbmcat_subset_free(struct mbmcat_subset *subset)
{
	if (!subset)
		return;
	free(subset->group);
	free(subset->domain);
	free(subset->event);
	free(subset);
}

size_t mbmcat_subset_counters(const struct mbmcat_subset *subset)
{
	return subset->counters;
}
