// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

TCase *escape_tests(void);
TCase *format_tests(void);
TCase *grid_tests(void);
TCase *inventory_tests(void);
TCase *opt_tests(void);
TCase *parallel_tests(void);
TCase *record_tests(void);
TCase *timer_tests(void);

const char unit_name[] = "cli";

TCase *(*const unit_cases[])(void) = {
	escape_tests,	 format_tests, grid_tests,  inventory_tests, opt_tests,
	parallel_tests, record_tests, timer_tests, NULL,
};
