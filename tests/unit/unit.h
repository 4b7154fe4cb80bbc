/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the unit tests share: the list of test cases of a program, and a fake tree in a
 * temporary directory.
 */
#ifndef UNIT_H
#define UNIT_H

#include <check.h>
#include <stddef.h>

/* Of one program; in ROOM.c. Ended by NULL. */
extern TCase *(*const unit_cases[])(void);
extern const char unit_name[];

/* Heads the function that makes one of them. */
#define UNIT_CASE(name)      \
	TCase *name(void);   \
	TCase *name(void)

/* A new directory, made before each test that asks for it with unit_fixture(), removed after. */
void unit_fixture(TCase *tc);
/* Build a tree there; the path of what is at @below in it (static, several at a time). */
void unit_build(const char *spec);
const char *unit_path(const char *below);
/* Write a file there, replacing it; remove a directory there with all in it. */
void unit_write(const char *below, const void *bytes, size_t len);
void unit_remove(const char *below);

#define RESCTRL "sys/fs/resctrl"

#endif
