/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CLI_SIG_H
#define CLI_SIG_H

#include <stdbool.h>

/* What HUP and USR1 ask for. */
enum sig_use { SIG_USE_NONE, SIG_USE_REOPEN, SIG_USE_TRIGGER };

/*
 * INT and TERM ask for an end, once; the second one ends the process at once. So
 * does HUP without a use. PIPE is ignored: write(2) tells. What the caller ignored
 * stays ignored, but for a signal that has a use. 0 or a negative errno.
 */
int sig_setup(enum sig_use hup, enum sig_use usr1);
/* Readable after a signal until sig_take(). */
int sig_fd(void);
void sig_take(void);
/* As if a signal had come, from any thread. */
void sig_wake(void);

bool sig_stopped(void);
/* A signal with that use came since the last call. */
bool sig_reopen(void);
bool sig_triggered(void);

#endif
