// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

TCase *bench_file_tests(void);
TCase *compare_tests(void);
TCase *stats_tests(void);

const char unit_name[] = "compare";

TCase *(*const unit_cases[])(void) = {
	bench_file_tests,
	compare_tests,
	stats_tests,
	NULL,
};
