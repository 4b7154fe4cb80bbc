// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

TCase *digits_tests(void);

const char unit_name[] = "plain";

TCase *(*const unit_cases[])(void) = {
	digits_tests,
	NULL,
};
