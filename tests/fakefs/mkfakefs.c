// SPDX-License-Identifier: LGPL-2.1-or-later
#include "fakefs.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
	"usage: mkfakefs SPEC DIR    build the tree SPEC describes ('-': stdin)\n"
	"       mkfakefs -r DIR      remove a tree, unreadable parts too\n";

static char *read_all(FILE *f)
{
	size_t size = 0, used = 0;
	char *text = NULL;

	do {
		char *more = realloc(text, (size ? size : 4096) * 2);
		if (!more) {
			free(text);
			return NULL;
		}
		text = more;
		size = (size ? size : 4096) * 2;
		used += fread(text + used, 1, size - used - 1, f);
	} while (!feof(f) && !ferror(f));
	text[used] = '\0';
	if (ferror(f) || strlen(text) != used) {
		free(text);
		errno = ferror(f) ? EIO : EINVAL;
		return NULL;
	}
	return text;
}

int main(int argc, char **argv)
{
	char err[512];

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		fputs(usage, stdout);
		return 0;
	}
	if (argc != 3) {
		fputs(usage, stderr);
		return 2;
	}
	if (!strcmp(argv[1], "-r")) {
		const int rc = fakefs_remove(argv[2]);
		if (rc)
			fprintf(stderr, "mkfakefs: %s: %s\n", argv[2], strerror(-rc));
		return rc != 0;
	}
	FILE *f = strcmp(argv[1], "-") != 0 ? fopen(argv[1], "r") : stdin;
	char *text = f ? read_all(f) : NULL;
	if (!text) {
		fprintf(stderr, "mkfakefs: %s: %s\n", argv[1], strerror(errno));
		return 1;
	}
	if (f != stdin)
		fclose(f);
	const int rc = fakefs_build(argv[2], text, err, sizeof(err));
	if (rc)
		fprintf(stderr, "mkfakefs: %s: %s\n", argv[1], err);
	free(text);
	return rc != 0;
}
