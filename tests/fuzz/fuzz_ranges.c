// SPDX-License-Identifier: LGPL-2.1-or-later
/* -d: lists of domains. */
#include "fuzz.h"

#include <mbmcat/mbmcat.h>

#include "base/ranges.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	struct mbmcat_wish *wish = mbmcat_wish_new();
	struct range *ranges;
	size_t n;

	must(wish);
	if (ranges_parse(text, &ranges, &n) == 0) {
		must(n > 0 && !text[strspn(text, "0123456789,-")]);
		for (size_t i = 0; i < n; i++)
			must(ranges[i].first <= ranges[i].last);
		free(ranges);
		must(mbmcat_wish_domains(wish, text) == 0);
	}
	mbmcat_wish_domains(wish, text);
	mbmcat_wish_free(wish);
	free(text);
	return 0;
}
