/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Writing below one directory. After a failure, which `err` keeps, the calls do nothing more. */
#ifndef FAKEFS_TREE_H
#define FAKEFS_TREE_H

#include "spec.h"

struct tree {
	int root;
	struct err *err;
	char path[4096];
};

/* A path for the next call; valid until the one after. */
const char *at(struct tree *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void tree_dir(struct tree *t, const char *path);
void tree_parents(struct tree *t, const char *path);
void tree_file(struct tree *t, const char *path, unsigned mode, const char *data, size_t len);
void tree_text(struct tree *t, const char *path, unsigned mode, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void tree_symlink(struct tree *t, const char *path, const char *target);
void tree_action(struct tree *t, const struct action *a);
int tree_remove(int parent, const char *name);

/* Collects text for a file of any length. */
struct text {
	FILE *f;
	char *s;
	size_t len;
};

FILE *text_open(struct tree *t, struct text *x);
void text_file(struct tree *t, const char *path, unsigned mode, struct text *x);

/* The kernel's %*pb and %*pbl of the flags that are set. */
void text_mask(FILE *f, const bool *set, size_t n);
void text_list(FILE *f, const bool *set, size_t n);

void write_machine(struct tree *t, const struct spec *s);
void write_resctrl(struct tree *t, const struct spec *s);

#endif
