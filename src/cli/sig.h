/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef CLI_SIG_H
#define CLI_SIG_H

#include <stdbool.h>

/*
 * INT and TERM ask for an end, once; the second one ends the process at once. So
 * does HUP, or it asks for the output file to be opened anew. PIPE is ignored:
 * write(2) tells. What the caller ignored stays ignored. 0 or a negative errno.
 */
int sig_setup(bool hup_reopens);
/* Readable after a signal until sig_take(). */
int sig_fd(void);
void sig_take(void);

bool sig_stopped(void);
/* HUP came since the last call. */
bool sig_reopen(void);

#endif
