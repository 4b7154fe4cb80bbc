/* SPDX-License-Identifier: LGPL-2.1-or-later */
#ifndef TEST_FAKEFS_H
#define TEST_FAKEFS_H

#include "fakefs.h"

#include <check.h>
#include <stdbool.h>

#define RESCTRL "sys/fs/resctrl"

extern char tree[280], err[512];

void build(const char *spec);
const char *path_of(const char *name);
bool there(const char *name);
void expect_bytes(const char *name, const char *bytes, size_t len);
void expect(const char *name, const char *text);

void add_tree_tests(TCase *tc);
void add_refused_tests(TCase *tc);
void add_machine_tests(TCase *tc);

#endif
