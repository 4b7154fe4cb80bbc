/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Giving up what is no longer needed. The only user of libcap.
 */
#ifndef HOST_PRIVILEGE_H
#define HOST_PRIVILEGE_H

#include <stdbool.h>

/*
 * Drop every capability of the calling thread, which must be the only one, and
 * set no_new_privs. @keep_dir: a directory that will be written to later, or NULL;
 * where only CAP_DAC_OVERRIDE allows that, this one capability stays and *@kept is
 * set. 0 or a negative errno; -ENOTSUP when built without libcap (no_new_privs is
 * set all the same).
 */
int privilege_drop(const char *keep_dir, bool *kept);

/* The process runs with another user's or file's rights than its caller's. */
bool privilege_is_elevated(void);

#endif
