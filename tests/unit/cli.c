// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

TCase *escape_tests(void);
TCase *fmt_csv_tests(void);
TCase *fmt_json_tests(void);
TCase *fmt_table_tests(void);
TCase *format_tests(void);
TCase *grid_tests(void);
TCase *inventory_tests(void);
TCase *opt_tests(void);
TCase *record_tests(void);
TCase *sink_tests(void);
TCase *timer_tests(void);

const char unit_name[] = "cli";

TCase *(*const unit_cases[])(void) = {
	escape_tests,
	fmt_csv_tests,
	fmt_json_tests,
	fmt_table_tests,
	format_tests,
	grid_tests,
	inventory_tests,
	opt_tests,
	record_tests,
	sink_tests,
	timer_tests,
	NULL,
};
