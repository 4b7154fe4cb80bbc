// SPDX-License-Identifier: LGPL-2.1-or-later
#include "host/privilege.h"

#include <errno.h>
#include <sys/auxv.h>
#include <sys/prctl.h>

int privilege_drop(const char *keep_dir, bool *kept)
{
	(void)keep_dir;
	*kept = false;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	return -ENOTSUP;
}

bool privilege_is_elevated(void)
{
	return getauxval(AT_SECURE) != 0;
}
