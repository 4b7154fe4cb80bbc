// SPDX-License-Identifier: LGPL-2.1-or-later
/* Names in output: JSON is read back by json-c, CSV and labels by the inverse of
 * their rules. */
#include "fuzz.h"

#include <json-c/json.h>

#include "cli/escape.h"

static void check_json(const char *text)
{
	struct buf out = { 0 }, utf8 = { 0 };
	json_object *parsed;

	escape_json(&out, text);
	escape_utf8(&utf8, text);
	buf_char(&out, '\0');
	must(!out.failed && !utf8.failed);
	parsed = json_tokener_parse(out.data);
	must(parsed && json_object_is_type(parsed, json_type_string));
	must((size_t)json_object_get_string_len(parsed) == utf8.len);
	must(!utf8.len || !memcmp(json_object_get_string(parsed), utf8.data, utf8.len));
	json_object_put(parsed);
	buf_free(&out);
	buf_free(&utf8);
}

static void check_csv(const char *text)
{
	struct buf out = { 0 };
	size_t i = 0;

	escape_csv(&out, text);
	must(!out.failed);
	if (!out.len || out.data[0] != '"') {
		must(out.len == strlen(text) && !strpbrk(text, ",\"\r\n"));
		must(!out.len || !memcmp(out.data, text, out.len));
	} else {
		for (i = 1; i < out.len - 1; i++) {
			if (out.data[i] == '"')
				must(out.data[++i] == '"');
			must(out.data[i] == *text++);
		}
		must(!*text && out.data[out.len - 1] == '"');
	}
	buf_free(&out);
}

static void check_text(const char *text)
{
	struct buf out = { 0 };

	escape_text(&out, text);
	must(!out.failed);
	for (size_t i = 0; i < out.len; i++)
		must((unsigned char)out.data[i] >= 0x20 && out.data[i] != 0x7f);
	must(escape_width(out.len ? out.data : "", out.len) <= out.len);
	buf_free(&out);
}

static void check_label(const char *text)
{
	struct buf out = { 0 }, utf8 = { 0 };
	size_t n = 0;

	escape_label(&out, text);
	escape_utf8(&utf8, text);
	must(!out.failed && !utf8.failed);
	for (size_t i = 0; i < out.len; i++, n++) {
		char c = out.data[i];

		must(c != '"' && c != '\n');
		if (c == '\\') {
			c = out.data[++i];
			must(i < out.len && (c == 'n' || c == '"' || c == '\\'));
			c = c == 'n' ? '\n' : c;
		}
		must(n < utf8.len && utf8.data[n] == c);
	}
	must(n == utf8.len);
	buf_free(&out);
	buf_free(&utf8);
}

/* Every ",", "=" and " " has a backslash in front, which has none itself, and nothing
 * else has one that would mean something. */
static void check_tag(const char *text)
{
	struct buf out = { 0 };
	size_t specials = 0;

	escape_tag(&out, text);
	must(!out.failed);
	for (size_t i = 0; i < out.len; i++) {
		char c = out.data[i];

		must((unsigned char)c >= 0x20 && c != 0x7f && !strchr(",= ", c));
		if (c != '\\')
			continue;
		must(i + 1 < out.len && !strchr("\\\"", out.data[i + 1]));
		if (strchr(",= ", out.data[i + 1])) {
			specials++;
			i++;
		}
	}
	for (; *text; text++)
		specials -= *text == ',' || *text == '=' || *text == ' ';
	must(!specials);
	buf_free(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_text(data, size);

	check_json(text);
	check_csv(text);
	check_text(text);
	check_label(text);
	check_tag(text);
	free(text);
	return 0;
}
