// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

TCase *parse_tests(void);
TCase *snapshot_tests(void);
TCase *scan_tests(void);
TCase *select_tests(void);
TCase *sums_tests(void);
TCase *plan_tests(void);
TCase *sample_tests(void);
TCase *rates_tests(void);
TCase *watch_tests(void);
TCase *carry_tests(void);

const char unit_name[] = "lib";

TCase *(*const unit_cases[])(void) = {
	parse_tests,
	snapshot_tests,
	scan_tests,
	select_tests,
	sums_tests,
	plan_tests,
	sample_tests,
	rates_tests,
	watch_tests,
	carry_tests,
	NULL,
};
