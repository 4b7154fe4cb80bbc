// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Text -> values of options: pure.
 */
#include "cli/opt.h"

#define INTERVAL_MAX_NS (366ull * 24 * 3600 * 1000000000)

bool options_size(const char *text, uint64_t *size)
{
	static const char units[] = "kMGT";
	size_t len = strspn(text, "0123456789");
	const char *unit = text[len] ? strchr(units, text[len]) : NULL;
	uint64_t n;

	if (!digits_get(text, len, &n) || (text[len] && (!unit || text[len + 1])))
		return false;
	for (const char *u = units; unit && u <= unit; u++) {
		if (__builtin_mul_overflow(n, 1000, &n))
			return false;
	}
	*size = n;
	return true;
}

bool options_interval(const char *text, uint64_t *ns)
{
	static const struct {
		const char *name;
		uint64_t ns;
	} units[] = {
		{ "", 1000000000 },   { "s", 1000000000 },     { "ms", 1000000 },
		{ "us", 1000 },	      { "m", 60000000000 },    { "min", 60000000000 },
		{ "h", 3600000000000 },
	};
	size_t whole = strspn(text, "0123456789");
	const char *fraction = text[whole] == '.' ? text + whole + 1 : "";
	size_t digits = strspn(fraction, "0123456789");
	const char *unit = text[whole] == '.' ? fraction + digits : text + whole;
	uint64_t n = 0, part = 0, scale = 1;

	/* More than nine digits behind the point can't matter, and would not fit. */
	if (whole + digits == 0 || digits > 9 || (whole && !digits_get(text, whole, &n)) ||
	    (digits && !digits_get(fraction, digits, &part)))
		return false;
	for (size_t i = 0; i < digits; i++)
		scale *= 10;
	for (size_t i = 0; i < ARRAY_SIZE(units); i++) {
		if (strcmp(unit, units[i].name))
			continue;
		if (n > INTERVAL_MAX_NS / units[i].ns)
			return false;
		*ns = n * units[i].ns +
		      (uint64_t)((unsigned __int128)part * units[i].ns / scale);
		return *ns > 0 && *ns <= INTERVAL_MAX_NS;
	}
	return false;
}
