/* SPDX-License-Identifier: LGPL-2.1-or-later */
/**
 * @file mbmcat.h
 * libmbmcat: read the kernel's resctrl monitoring counters at the lowest cost.
 *
 * resctrl is the kernel's file system for Intel RDT and AMD QoS. It holds, for
 * each monitoring group and each domain (usually an L3 cache), one file per
 * event with the event's count. Reading 16000 of them a second, each on a CPU
 * of its own domain, is what this library is for.
 *
 * The road is one-way:
 *
 *     mbmcat_ctx_open()     hold the mount point
 *     mbmcat_scan()         what is there: groups, domains, events
 *     mbmcat_select()       what is wanted of it
 *     mbmcat_plan_open()    hold it: one open file per counter, in order
 *     mbmcat_sample_new()   room for one reading of everything
 *     mbmcat_read()         read one domain; once per domain and sample
 *     mbmcat_rates()        two samples -> bytes per second
 *     mbmcat_watch_changed() groups came or left: scan again
 *
 * Conventions. Functions that can fail return 0 or a negative errno value.
 * Objects are opaque and are freed by the function named at their constructor,
 * which takes NULL too. The library has no global state, prints nothing, never
 * exits, never changes the process's limits, signals, affinity or privileges.
 * Different objects may be used from different threads at once; one object from
 * one thread at a time, except where mbmcat_read() says otherwise. Strings are
 * NUL-terminated bytes as the kernel has them, in no particular encoding.
 *
 * Since 0.1 unless said otherwise.
 */
#ifndef MBMCAT_MBMCAT_H
#define MBMCAT_MBMCAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mbmcat/version.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The version of the library that runs, e.g. "0.1.0"; a static string. */
const char *mbmcat_version(void);

/* ------------------------------------------------------------------ */
/* Context                                                            */
/* ------------------------------------------------------------------ */

/** A resctrl mount point that is held open. */
struct mbmcat_ctx;

/** How much a message matters. */
enum mbmcat_log_level {
	MBMCAT_LOG_WARNING, /**< something asked for is not there or can't be read */
	MBMCAT_LOG_INFO,    /**< normal, worth knowing when looking closely */
};

/**
 * Takes one message, without a newline at its end. @p arg is what was handed to
 * mbmcat_ctx_set_log(); @p text is valid during the call only.
 */
typedef void (*mbmcat_log_fn)(void *arg, enum mbmcat_log_level level, const char *text);

/** mbmcat_ctx_open(): take any directory, not only a mounted resctrl (a captured tree). */
#define MBMCAT_OPEN_ANY 1u

/**
 * Hold the resctrl file system mounted at @p dir.
 *
 * @param ctx    set to the new context; free with mbmcat_ctx_close().
 * @param dir    the mount point, usually /sys/fs/resctrl.
 * @param flags  0 or MBMCAT_OPEN_ANY.
 * @return 0; -EMEDIUMTYPE when @p dir is a directory of some other file system
 *         (its statfs f_type is not 0x7655821); -ENOMEM; or what open(2) says:
 *         -ENOENT, -ENOTDIR, -EACCES, ...
 *
 * While the context or a plan made from it is open, the file system can't be
 * unmounted (EBUSY).
 */
int mbmcat_ctx_open(struct mbmcat_ctx **ctx, const char *dir, unsigned int flags);

/** Free a context. Plans made from it must be freed before. */
void mbmcat_ctx_close(struct mbmcat_ctx *ctx);

/** Send messages to @p fn, or nowhere (NULL, which is also the start). */
void mbmcat_ctx_set_log(struct mbmcat_ctx *ctx, mbmcat_log_fn fn, void *arg);

/* ------------------------------------------------------------------ */
/* Snapshot: what is there                                            */
/* ------------------------------------------------------------------ */

/** Groups, domains and events at one moment. Never changes. */
struct mbmcat_snapshot;

/** A group: the default group, a control group, or a monitoring group. */
struct mbmcat_group {
	/** Name of the control group; "" for the default group. */
	const char *ctrl_group;
	/** Name of the monitoring group; "" for the control group itself. */
	const char *mon_group;
	/**
	 * The control group's mode as its `mode` file has it: "shareable",
	 * "exclusive", "pseudo-locksetup", "pseudo-locked"; "" where there is
	 * no such file (a machine with monitoring only). A monitoring group has
	 * the mode of its control group.
	 */
	const char *mode;
	/**
	 * The group gave its RMID back (pseudo-locksetup, pseudo-locked): its
	 * counters are somebody else's. mbmcat_select() leaves it out.
	 */
	bool pseudo_locked;
	/** Inode of the group's directory: stays when the group is renamed,
	 * differs when a group of the same name is made anew. */
	uint64_t inode;
};

/** mbmcat_domain::sub_id of a domain that is no sub-NUMA cluster. */
#define MBMCAT_NO_SUB (-1)

/** A domain: one instance of a monitored resource, or a part of one. */
struct mbmcat_domain {
	/** The resource in the directory's name: "L3" of mon_L3_06. */
	const char *resource;
	/** The number in the directory's name: 6 of mon_L3_06. For L3 it is the
	 * cache's id in /sys/devices/system/cpu/cpuN/cache/index3/id. */
	uint64_t id;
	/** NUMA node of a sub-NUMA cluster (mon_sub_L3_YY), or MBMCAT_NO_SUB. */
	int64_t sub_id;
	/** Its files are sums over the sub-NUMA clusters that it holds. */
	bool is_sum;
};

/** An event that files of a resource's domains are named after. */
struct mbmcat_event {
	const char *resource; /**< "L3" */
	const char *name;     /**< "mbm_total_bytes" */
	bool in_files;	      /**< there are files of this name */
	bool in_features;     /**< info/<resource>_MON/mon_features lists it */
	/** It only grows (until a reset), so that a rate makes sense; false for
	 * a gauge as llc_occupancy. */
	bool is_counter;
};

/**
 * Look at everything below the mount point, under a shared flock(2) on it, which
 * keeps other managers from changing groups in between. What vanishes or can't
 * be read meanwhile is left out, with a message to the log.
 *
 * @param snapshot  set to the new snapshot; free with mbmcat_snapshot_free().
 * @return 0; -ENODATA when no group has a mon_data directory (the machine has no
 *         monitoring); -ESTALE when the mount point itself is gone; -ENOMEM;
 *         -EMFILE, -ENFILE; -EACCES when the mount point can't be listed.
 *
 * Groups are sorted by name with the default group first, each control group
 * before its monitoring groups; domains by resource, id, sub_id.
 */
int mbmcat_scan(struct mbmcat_ctx *ctx, struct mbmcat_snapshot **snapshot);
void mbmcat_snapshot_free(struct mbmcat_snapshot *snapshot);

size_t mbmcat_snapshot_groups(const struct mbmcat_snapshot *snapshot);
size_t mbmcat_snapshot_domains(const struct mbmcat_snapshot *snapshot);
size_t mbmcat_snapshot_events(const struct mbmcat_snapshot *snapshot);
/** Element @p i (below the count above); valid as long as the snapshot. */
const struct mbmcat_group *mbmcat_snapshot_group(const struct mbmcat_snapshot *snapshot, size_t i);
const struct mbmcat_domain *mbmcat_snapshot_domain(const struct mbmcat_snapshot *snapshot,
						   size_t i);
const struct mbmcat_event *mbmcat_snapshot_event(const struct mbmcat_snapshot *snapshot, size_t i);

/** Things that could not be looked at (permission, I/O error) and are left out. */
size_t mbmcat_snapshot_omitted(const struct mbmcat_snapshot *snapshot);

/**
 * Count the lines of a group's `tasks` file: tasks (threads) in the group.
 * @return 0, or -ENOENT or -ENODEV when the group is gone, -EACCES, ...
 */
int mbmcat_group_tasks(struct mbmcat_ctx *ctx, const struct mbmcat_group *group, uint64_t *tasks);

/**
 * The number in the file @p name of info/<resource>_MON, e.g. "num_rmids".
 * @return 0, -ENOENT when there is none, -EINVAL when it holds no number, ...
 */
int mbmcat_info_number(struct mbmcat_ctx *ctx, const char *resource, const char *name,
		       uint64_t *number);

/* ------------------------------------------------------------------ */
/* Selection: what is wanted                                          */
/* ------------------------------------------------------------------ */

/** What is wanted, in words; starts out as "all groups, all domains, the
 * memory-bandwidth events". Reusable for any number of snapshots. */
struct mbmcat_wish;

/** Which part of a snapshot that is. Valid as long as the snapshot. */
struct mbmcat_subset;

/** @return a new wish, to be freed with mbmcat_wish_free(), or NULL: no memory. */
struct mbmcat_wish *mbmcat_wish_new(void);
void mbmcat_wish_free(struct mbmcat_wish *wish);

/**
 * Add a pattern for groups (fnmatch(3)); a group is wanted that matches any.
 * Without a slash the pattern is for the group's own name: the name of the
 * monitoring group, or of the control group, or "" for the default group. With
 * one it is for CTRL_GROUP/MON_GROUP: "p0/" is the control group p0, "p0/web"
 * the monitoring group web in it, "/web" that in the default group, "/" the
 * default group; no wildcard matches the slash.
 */
int mbmcat_wish_group(struct mbmcat_wish *wish, const char *pattern);
/**
 * Add domains: a list of ids such as "0-3,8", or "L3:0-3,8" for one resource.
 * @return 0, -EINVAL when it is no such list, -ENOMEM.
 */
int mbmcat_wish_domains(struct mbmcat_wish *wish, const char *list);
/** Add an event by name or fnmatch(3) pattern. The first replaces the default. */
int mbmcat_wish_event(struct mbmcat_wish *wish, const char *pattern);
/** Take the sum files of domains with sub-NUMA clusters instead of the clusters. */
void mbmcat_wish_sums(struct mbmcat_wish *wish, bool sums);

/**
 * Apply a wish to a snapshot.
 *
 * @param subset     set to the result; free with mbmcat_subset_free(), before
 *                   the snapshot.
 * @param unmatched  where not NULL: set to the text of the first pattern or list
 *                   item that matches nothing, or NULL; owned by @p wish.
 * @return 0; -ESRCH when something matches nothing and @p unmatched is not NULL;
 *         -ENODATA when no counter at all is wanted; -ENOMEM. With @p unmatched
 *         NULL a pattern that matches nothing is no error: a group may have left.
 */
int mbmcat_select(const struct mbmcat_snapshot *snapshot, const struct mbmcat_wish *wish,
		  struct mbmcat_subset **subset, const char **unmatched);
void mbmcat_subset_free(struct mbmcat_subset *subset);

/** How many counters (files) that is. */
size_t mbmcat_subset_counters(const struct mbmcat_subset *subset);

/* ------------------------------------------------------------------ */
/* Plan: what is held                                                 */
/* ------------------------------------------------------------------ */

/** One open file per counter, grouped by domain. */
struct mbmcat_plan;

/** One domain of a plan. Its counters stand group by group, and in each group
 * event by event: slot = group * n_events + event. */
struct mbmcat_plan_domain {
	const struct mbmcat_domain *domain;
	/** Snapshot indices of the groups that have this domain. */
	const uint32_t *groups;
	size_t n_groups;
	/** Indices of its events among the plan's columns, ascending. */
	const uint32_t *events;
	size_t n_events;
};

/**
 * Open the files of a subset.
 *
 * @param fds   how many files may be kept open; counters beyond that are opened,
 *              read and closed each time, which costs 3 to 5 times as much.
 *              EMFILE and ENFILE have the same effect as reaching this number.
 * @param plan  set to the new plan; free with mbmcat_plan_close(). It refers to
 *              the snapshot and the context, which must outlive it, and not to
 *              the subset.
 * @return 0, or -ENOMEM. A file that can't be opened is no error: its counter has
 *         the status for that (MISSING, DENIED, GONE, FAILED) in every sample.
 */
int mbmcat_plan_open(struct mbmcat_ctx *ctx, const struct mbmcat_subset *subset, size_t fds,
		     struct mbmcat_plan **plan);
void mbmcat_plan_close(struct mbmcat_plan *plan);

size_t mbmcat_plan_domains(const struct mbmcat_plan *plan);
const struct mbmcat_plan_domain *mbmcat_plan_domain(const struct mbmcat_plan *plan, size_t i);
/** Different event names in the plan, over all resources, sorted. */
size_t mbmcat_plan_columns(const struct mbmcat_plan *plan);
const struct mbmcat_event *mbmcat_plan_column(const struct mbmcat_plan *plan, size_t i);
const struct mbmcat_snapshot *mbmcat_plan_snapshot(const struct mbmcat_plan *plan);
/** All counters, and those of them that are not kept open for want of fds. */
size_t mbmcat_plan_counters(const struct mbmcat_plan *plan);
size_t mbmcat_plan_reopened(const struct mbmcat_plan *plan);
/** Files that it holds open. */
size_t mbmcat_plan_held(const struct mbmcat_plan *plan);

/* ------------------------------------------------------------------ */
/* Sample: what was read                                              */
/* ------------------------------------------------------------------ */

/**
 * What a read of one counter gave. Only with MBMCAT_OK there is a count. Values
 * from MBMCAT_WORD on are words that this version does not know; ask
 * mbmcat_status_text() for any of them.
 */
enum mbmcat_status {
	MBMCAT_OK = 0,
	MBMCAT_ERROR,	    /**< the kernel's word "Error" */
	MBMCAT_UNAVAILABLE, /**< the kernel's word "Unavailable": no data yet */
	MBMCAT_UNASSIGNED,  /**< the kernel's word "Unassigned": no counter (6.18 on) */
	MBMCAT_INVALID,	    /**< "invalid": neither one uint64_t nor a word */
	MBMCAT_MISSING,	    /**< "missing": this group has no such file */
	MBMCAT_GONE,	    /**< "gone": group or domain left (ENODEV, ENOENT) */
	MBMCAT_DENIED,	    /**< "denied": no permission to open */
	MBMCAT_FAILED,	    /**< "failed": any other error */
	MBMCAT_UNREAD,	    /**< "unread": mbmcat_read() was not called yet */
	MBMCAT_WORD = 32,   /**< first word of a domain's own */
};

/** Words per domain that are kept as they are; more become MBMCAT_INVALID. */
#define MBMCAT_WORDS 8
/** Room for a word and its NUL. */
#define MBMCAT_WORD_SIZE 24

/** One reading of every counter of one domain. */
struct mbmcat_pass {
	uint64_t start_ns;	/**< CLOCK_MONOTONIC before the first read; 0: not read yet */
	uint64_t end_ns;	/**< CLOCK_MONOTONIC after the last read */
	uint64_t time_ns;	/**< CLOCK_REALTIME at start_ns, since 1970 */
	const uint64_t *value;	/**< one per slot; 0 where the status is not MBMCAT_OK */
	const uint8_t *status;	/**< one enum mbmcat_status per slot */
	size_t n_slots;
	size_t n_read;		/**< slots that gave text: counts and words */
	size_t n_ok;		/**< slots that gave a count */
	size_t n_gone;		/**< slots that are GONE: time for a new scan */
};

/** Room for one reading of a whole plan. */
struct mbmcat_sample;

/** Free with mbmcat_sample_free(), before the plan. @return 0 or -ENOMEM. */
int mbmcat_sample_new(const struct mbmcat_plan *plan, struct mbmcat_sample **sample);
void mbmcat_sample_free(struct mbmcat_sample *sample);

/**
 * Read every counter of domain @p i once, in order: one pread(2) each and no
 * allocation, lock or output. Call it on a CPU of the domain; anywhere else each
 * read is forwarded by the kernel and costs more.
 *
 * Different domains of one sample may be read from different threads at once.
 */
void mbmcat_read(const struct mbmcat_plan *plan, struct mbmcat_sample *sample, size_t i);

/** The last reading of domain @p i. */
const struct mbmcat_pass *mbmcat_sample_pass(const struct mbmcat_sample *sample, size_t i);

/** The word for a status in domain @p i: "ok", "Unavailable", "gone", ...; valid
 * until the domain is read again. */
const char *mbmcat_status_text(const struct mbmcat_sample *sample, size_t i, uint8_t status);

/* ------------------------------------------------------------------ */
/* From one plan to the next                                          */
/* ------------------------------------------------------------------ */

/**
 * As mbmcat_plan_open(), when groups or domains came or left: a counter that is in
 * @p old too keeps its open file. A group is the same if its directory is (its
 * inode), renamed or not.
 *
 * @param fds   as there; files taken over count.
 * @param old   a plan of the same context. Its files are taken over or closed: it
 *              can't be read any more, and is good for mbmcat_sample_carry() alone.
 * @param last  the last sample of @p old: what is GONE in it is opened anew.
 * @return 0 or -ENOMEM; @p old has lost its files in any case.
 */
int mbmcat_plan_renew(struct mbmcat_ctx *ctx, const struct mbmcat_subset *subset, size_t fds,
		      struct mbmcat_plan *old, const struct mbmcat_sample *last,
		      struct mbmcat_plan **plan);

/**
 * Copy the counts of those counters of @p old that are in @p plan too, so that
 * mbmcat_rates() knows them; the others stay UNREAD. Both snapshots must live.
 * @return 0 or -ENOMEM.
 */
int mbmcat_sample_carry(struct mbmcat_plan *old, const struct mbmcat_sample *from,
			struct mbmcat_plan *plan, struct mbmcat_sample *to);

/* ------------------------------------------------------------------ */
/* Rates                                                              */
/* ------------------------------------------------------------------ */

/** Why there is, or is not, a rate. */
enum mbmcat_rate {
	MBMCAT_RATE_OK = 0,
	MBMCAT_RATE_NONE,	 /**< no count before, or no count now, or a gauge */
	MBMCAT_RATE_RESET,	 /**< the count is smaller than before: it started anew */
	MBMCAT_RATE_IMPLAUSIBLE, /**< above the ceiling */
};

/**
 * Bytes per second between two readings of domain @p i, for each slot. The
 * interval of a slot is the time between its own two reads, interpolated within
 * the two passes. Pure: looks at nothing but its arguments.
 *
 * @param before   an earlier sample of the same plan, or NULL.
 * @param max_bps  ceiling in bytes per second for one counter, 0: none.
 * @param rate     filled with n_slots rates, 0 where there is none.
 * @param why      filled with n_slots of enum mbmcat_rate.
 */
void mbmcat_rates(const struct mbmcat_plan *plan, const struct mbmcat_sample *before,
		  const struct mbmcat_sample *now, size_t i, uint64_t max_bps, uint64_t *rate,
		  uint8_t *why);

/* ------------------------------------------------------------------ */
/* Watching for change                                                */
/* ------------------------------------------------------------------ */

/** Tells that groups came, left or were renamed (inotify). It does not see domains
 * come and go: those show as MBMCAT_GONE, or at the next scan. */
struct mbmcat_watch;

/** Free with mbmcat_watch_free(). @return 0, -ENOMEM, -EMFILE, -ENOSYS, ... */
int mbmcat_watch_new(struct mbmcat_ctx *ctx, struct mbmcat_watch **watch);
void mbmcat_watch_free(struct mbmcat_watch *watch);

/**
 * Watch the places where a snapshot's groups are.
 * @return how many places are new: when there are any, something may have changed
 *         between the scan and now, so scan again; or a negative errno.
 */
int mbmcat_watch_add(struct mbmcat_watch *watch, const struct mbmcat_snapshot *snapshot);

/** Something changed since the last call. Never waits. */
bool mbmcat_watch_changed(struct mbmcat_watch *watch);

#ifdef __cplusplus
}
#endif

#endif
