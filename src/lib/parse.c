// SPDX-License-Identifier: LGPL-2.1-or-later
#include "lib/parse.h"

#include <string.h>

#include "base/cleanup.h"
#include "base/digits.h"

/* Of the statuses that stand for words of the kernel, text and meaning agree. */
static const char *const status_text[] = {
	[MBMCAT_OK] = "ok",
	[MBMCAT_ERROR] = "Error",
	[MBMCAT_UNAVAILABLE] = "Unavailable",
	[MBMCAT_UNASSIGNED] = "Unassigned",
	[MBMCAT_INVALID] = "invalid",
	[MBMCAT_MISSING] = "missing",
	[MBMCAT_GONE] = "gone",
	[MBMCAT_DENIED] = "denied",
	[MBMCAT_FAILED] = "failed",
	[MBMCAT_UNREAD] = "unread",
};

const char *parse_status_text(enum mbmcat_status status)
{
	return (size_t)status < ARRAY_SIZE(status_text) ? status_text[status] : "invalid";
}

static bool is_letter(char c)
{
	return ((unsigned int)(unsigned char)c | 0x20) - 'a' < 26;
}

/* Letters, digits, _ and -, a letter first: all of the kernel's names and words. */
static bool is_plain(const char *text, size_t len)
{
	if (len == 0 || !is_letter(text[0]))
		return false;
	for (size_t i = 1; i < len; i++) {
		if (!is_letter(text[i]) && (unsigned int)(unsigned char)text[i] - '0' > 9 &&
		    text[i] != '_' && text[i] != '-')
			return false;
	}
	return true;
}

enum mbmcat_status parse_count(const char *text, size_t len, uint64_t *value,
			       char word[MBMCAT_WORD_SIZE])
{
	/* There may be more: zeros in front would make a number of what fitted. */
	if (len >= COUNT_TEXT_SIZE)
		return MBMCAT_INVALID;
	if (len && text[len - 1] == '\n')
		len--;
	if (digits_get(text, len, value))
		return MBMCAT_OK;
	if (len >= MBMCAT_WORD_SIZE || !is_plain(text, len))
		return MBMCAT_INVALID;
	for (int s = MBMCAT_ERROR; s <= MBMCAT_UNASSIGNED; s++) {
		if (strlen(status_text[s]) == len && !memcmp(status_text[s], text, len))
			return (enum mbmcat_status)s;
	}
	memcpy(word, text, len);
	word[len] = '\0';
	return MBMCAT_WORD;
}

bool parse_domain_name(const char *name, const char **resource, size_t *resource_len, uint64_t *id)
{
	const char *number;

	if (strncmp(name, "mon_", 4))
		return false;
	name += 4;
	number = strrchr(name, '_');
	if (!number || number == name || !digits_get(number + 1, strlen(number + 1), id))
		return false;
	*resource = name;
	*resource_len = (size_t)(number - name);
	return is_plain(name, *resource_len);
}

bool parse_event_name(const char *name)
{
	return is_plain(name, strlen(name));
}

bool parse_cluster_name(const char *name, const char *resource, int64_t *id)
{
	size_t len = strlen(resource);
	uint64_t number;

	if (strncmp(name, "mon_sub_", 8) || strncmp(name + 8, resource, len) ||
	    name[8 + len] != '_')
		return false;
	name += 8 + len + 1;
	if (!digits_get(name, strlen(name), &number) || number > INT64_MAX)
		return false;
	*id = (int64_t)number;
	return true;
}

bool parse_next_feature(const char **text, const char **name, size_t *len)
{
	static const char config[] = "_config";
	const size_t config_len = sizeof(config) - 1;

	while (**text) {
		const char *line = *text;
		size_t n = strcspn(line, "\n");

		*text = line + n + (line[n] == '\n');
		if (n == 0 || memchr(line, '/', n))
			continue;
		if (n > config_len && !memcmp(line + n - config_len, config, config_len))
			continue;
		*name = line;
		*len = n;
		return true;
	}
	return false;
}
