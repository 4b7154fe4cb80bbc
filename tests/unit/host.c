// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

TCase *crew_tests(void);
TCase *limits_tests(void);
TCase *mount_tests(void);
TCase *topology_tests(void);

const char unit_name[] = "host";

TCase *(*const unit_cases[])(void) = {
	crew_tests,
	limits_tests,
	mount_tests,
	topology_tests,
	NULL,
};
