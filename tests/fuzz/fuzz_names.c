// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names of directories and files, and mon_features. */
#include "fuzz.h"

#include "lib/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);
	const char *resource, *name, *next = text;
	size_t len;
	uint64_t id;
	int64_t cluster;

	if (parse_domain_name(text, &resource, &len, &id)) {
		must(resource == text + 4 && len && text[4 + len] == '_');
		must(!memchr(resource, '/', len) && !memchr(resource, '"', len));
	}
	if (parse_cluster_name(text, "L3", &cluster))
		must(cluster >= 0 && !strncmp(text, "mon_sub_L3_", 11));
	if (parse_event_name(text))
		must(*text && !strpbrk(text, "/,\"\n ="));
	while (parse_next_feature(&next, &name, &len))
		must(len && name >= text && name + len <= text + strlen(text) &&
		     !memchr(name, '\n', len));
	must(!*next);
	free(text);
	return 0;
}
