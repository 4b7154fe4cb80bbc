// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

TCase *buf_tests(void);
TCase *digits_tests(void);
TCase *ranges_tests(void);

const char unit_name[] = "base";

TCase *(*const unit_cases[])(void) = {
	buf_tests,
	digits_tests,
	ranges_tests,
	NULL,
};
