// SPDX-License-Identifier: LGPL-2.1-or-later
#include "host/privilege.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/capability.h>
#include <sys/prctl.h>
#include <unistd.h>

static int set_caps(cap_t caps)
{
	return cap_set_proc(caps) < 0 ? -errno : 0;
}

/* May the directory be written to without any capability? */
static bool writable_without_caps(const char *dir)
{
	cap_t all = cap_get_proc();
	bool writable;
	cap_t idle;

	if (!all)
		return false;
	idle = cap_dup(all);
	if (!idle || cap_clear_flag(idle, CAP_EFFECTIVE) < 0 || set_caps(idle) < 0)
		writable = false;
	else
		writable = faccessat(AT_FDCWD, dir, W_OK | X_OK, AT_EACCESS) == 0;
	set_caps(all);
	cap_free(idle);
	cap_free(all);
	return writable;
}

int privilege_drop(const char *keep_dir, bool *kept)
{
	static const cap_value_t dac[] = { CAP_DAC_OVERRIDE };
	cap_t caps = cap_init();
	cap_flag_value_t have = CAP_CLEAR;
	cap_t now = cap_get_proc();
	int ret;

	*kept = false;
	if (!caps || !now) {
		ret = -ENOMEM;
		goto out;
	}
	cap_get_flag(now, CAP_DAC_OVERRIDE, CAP_EFFECTIVE, &have);
	if (keep_dir && have == CAP_SET && !writable_without_caps(keep_dir)) {
		cap_set_flag(caps, CAP_EFFECTIVE, 1, dac, CAP_SET);
		cap_set_flag(caps, CAP_PERMITTED, 1, dac, CAP_SET);
		*kept = true;
	}
	ret = set_caps(caps);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 && ret == 0)
		ret = -errno;
out:
	cap_free(now);
	cap_free(caps);
	return ret;
}

bool privilege_is_elevated(void)
{
	return getauxval(AT_SECURE) != 0;
}
