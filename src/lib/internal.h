/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files of libmbmcat share, and nobody else sees.
 */
#ifndef LIB_INTERNAL_H
#define LIB_INTERNAL_H

#include <mbmcat/mbmcat.h>

#include "base/cleanup.h"

/* Two names of 255 bytes, the fixed parts, a domain, an event. */
#define PATH_SIZE 1280

struct mbmcat_ctx {
	int root_fd; /* the mount point */
	mbmcat_log_fn log;
	void *log_arg;
};

void ctx_log(const struct mbmcat_ctx *ctx, enum mbmcat_log_level level, const char *format, ...)
	printf_like(3);

struct snap_group {
	struct mbmcat_group pub;
	char *path; /* of the group's directory below the mount point; "." for the default group */
	uint32_t *domains; /* snapshot indices, ascending; sub-NUMA clusters included */
	size_t n_domains;
};

struct snap_domain {
	struct mbmcat_domain pub;
	char *path;    /* below mon_data: "mon_L3_00" or "mon_L3_00/mon_sub_L3_01" */
	size_t parent; /* a cluster's sum domain: index; otherwise SIZE_MAX */
};

struct mbmcat_snapshot {
	struct snap_group *groups;
	struct snap_domain *domains;
	struct mbmcat_event *events;
	size_t n_groups, n_domains, n_events;
	size_t omitted;
};

struct mbmcat_subset {
	const struct mbmcat_snapshot *snapshot;
	bool *group;  /* wanted, one per group, domain and event of the snapshot */
	bool *domain;
	bool *event;
	size_t counters;
};

/* fds of counters that are not open. */
enum {
	FD_DEAD = -1,	/* the status is known and stays */
	FD_REOPEN = -2, /* open, read, close each time */
};

struct plan_domain {
	struct mbmcat_plan_domain pub;
	const struct snap_domain *snap;
	int *fd;	 /* one per slot */
	uint8_t *status; /* of the slots whose fd is FD_DEAD; NULL when there are none */
	size_t n_slots;
};

struct mbmcat_plan {
	struct mbmcat_ctx *ctx;
	const struct mbmcat_snapshot *snapshot;
	struct plan_domain *domains;
	size_t n_domains;
	const struct mbmcat_event **columns;
	size_t n_columns;
	size_t counters, reopened;
};

/* On cache lines of its own: another thread writes its neighbour. */
struct sample_pass {
	struct mbmcat_pass pub;
	uint64_t *value;
	uint8_t *status;
	unsigned int n_words;
	char words[MBMCAT_WORDS][MBMCAT_WORD_SIZE];
};

struct mbmcat_sample {
	size_t n_domains;
	struct sample_pass *passes[];
};

/* Open those files of a plan that are not open yet, @fds at most. 0 or -ENOMEM. */
int plan_open_files(struct mbmcat_plan *plan, size_t fds);
/* The path of a slot's file below the mount point; false when it does not fit. */
bool plan_slot_path(const struct mbmcat_plan *plan, const struct plan_domain *domain, size_t slot,
		    char path[PATH_SIZE]);
/* The path of the directory that holds a group's files in a domain; the same. */
bool plan_dir_path(const struct snap_group *group, const struct snap_domain *domain,
		   char path[PATH_SIZE]);
/* What a failed open or read of a counter means. */
enum mbmcat_status plan_errno_status(const struct mbmcat_plan *plan, const struct plan_domain *domain,
				     size_t slot, int error);

/* Call @same for each counter that is in both plans. 0 or -ENOMEM. */
typedef void (*carry_fn)(void *arg, size_t old_domain, size_t old_slot, size_t domain, size_t slot);
int carry_each(struct mbmcat_plan *old, struct mbmcat_plan *new, carry_fn same, void *arg);

/* Move the open files of such counters to the new plan and close the others: the old
 * one has none any more. @last: its last sample, which tells what is gone. */
int carry_files(struct mbmcat_plan *old, const struct mbmcat_sample *last, struct mbmcat_plan *new,
		size_t *taken);

#endif
