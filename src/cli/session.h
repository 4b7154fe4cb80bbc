/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a run holds: the snapshot, the plan made from it, room for two samples and
 * the crew; and how all that follows the world.
 */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "cli/gather.h"
#include "cli/source.h"

struct session {
	const struct options *options;
	struct source *source;
	struct mbmcat_watch *watch; /* NULL: not watched */
	struct mbmcat_snapshot *snapshot;
	struct mbmcat_plan *plan; /* NULL: nothing of what is wanted is there now */
	struct mbmcat_sample *now, *before;
	struct mbmcat_sample *spare; /* the one before that, still on its way out; or NULL */
	bool has_before; /* @before is a sample of @plan */
	struct gather *gather;
	/* Called before plan and snapshot go: nobody else may be using them then. */
	void (*settle)(void *arg);
	void *settle_arg;
	uint64_t rebound_ns; /* when the threads were bound anew */
	bool limit_said;
	size_t omitted; /* things that a scan could not look at, at most */
};

/* Scan, select, open: an exit code after a message, or 0. @watched: prepare for
 * session_follow(). Close in any case. */
int session_open(struct session *session, const struct options *options, struct source *source,
		 bool watched);
void session_close(struct session *session);

/* Threads; none are running before, so that privileges can be dropped for all. An
 * exit code or 0. */
int session_start(struct session *session);

/* If the world changed, build everything anew. 1: it was; 0; or a negative exit code. */
int session_follow(struct session *session);

/* Read everything once; the sample is session->now. */
void session_read(struct session *session);
/* The sample becomes the one before. */
void session_swap(struct session *session);

#endif
