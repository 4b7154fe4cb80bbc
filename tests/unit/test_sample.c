// SPDX-License-Identifier: LGPL-2.1-or-later
#include "unit.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fakefs.h"
#include "lib/internal.h"
#include "rig.h"

/* What the next reads meet with, by the number of the call. */
static struct {
	unsigned int first, last; /* calls; 0: none */
	int error;
	size_t cut; /* bytes at most, where there is no error */
} fault;
static unsigned int calls;

ssize_t __real_pread(int fd, void *bytes, size_t size, off_t offset);
ssize_t __wrap_pread(int fd, void *bytes, size_t size, off_t offset);
long __wrap_syscall(long number, ...);

long __real_syscall(long number, ...);

/* The library calls it by its number where an offset is one word; another of three
 * numbers is no read. */
long __wrap_syscall(long number, ...)
{
	va_list args;
	void *bytes;
	size_t size;
	long offset;
	int fd;

	va_start(args, number);
	if (number != SYS_pread64) {
		long a = va_arg(args, int), b = va_arg(args, int), c = va_arg(args, int);

		va_end(args);
		return __real_syscall(number, a, b, c);
	}
	fd = va_arg(args, int);
	bytes = va_arg(args, void *);
	size = va_arg(args, size_t);
	offset = va_arg(args, long);
	va_end(args);
	return __wrap_pread(fd, bytes, size, offset);
}

ssize_t __wrap_pread(int fd, void *bytes, size_t size, off_t offset)
{
	calls++;
	ck_assert_int_eq(offset, 0);
	if (fault.first && calls >= fault.first && calls <= fault.last) {
		if (fault.error) {
			errno = fault.error;
			return -1;
		}
		if (size > fault.cut)
			size = fault.cut;
	}
	return __real_pread(fd, bytes, size, offset);
}

static struct rig rig;
static struct mbmcat_sample *sample;

static void open_all(const char *spec, size_t fds)
{
	rig_open(&rig, spec);
	rig_plan(&rig, fds);
	ck_assert_int_eq(mbmcat_sample_new(rig.plan, &sample), 0);
	fault.first = calls = 0;
}

static void close_all(void)
{
	mbmcat_sample_free(sample);
	rig_close(&rig);
}

static const struct mbmcat_pass *read_one(size_t i)
{
	mbmcat_read(rig.plan, sample, i);
	return mbmcat_sample_pass(sample, i);
}

/* Every number where it belongs, with as many calls as counters. */
START_TEST(test_values)
{
	open_all("machine l3=0,3\nctrl p0\nmon p0 web\n", (size_t)_i);
	for (size_t i = 0; i < 2; i++) {
		const struct mbmcat_pass *pass = mbmcat_sample_pass(sample, i);

		ck_assert_uint_eq(pass->n_slots, 6);
		ck_assert_uint_eq(pass->start_ns, 0);
		ck_assert_uint_eq(pass->status[5], MBMCAT_UNREAD);
		ck_assert_str_eq(mbmcat_status_text(sample, i, pass->status[5]), "unread");
		calls = 0;
		ck_assert_ptr_eq(read_one(i), pass);
		ck_assert_uint_eq(calls, 6);
		ck_assert_uint_eq(pass->n_ok, 6);
		ck_assert_uint_eq(pass->n_read, 6);
		ck_assert_uint_eq(pass->n_gone, 0);
		ck_assert_uint_gt(pass->start_ns, 0);
		ck_assert_uint_ge(pass->end_ns, pass->start_ns);
		ck_assert_uint_gt(pass->time_ns, 1000000000ull * 1000000000);
		for (unsigned int slot = 0; slot < 6; slot++) {
			/* mbm_local_bytes is the third of the features. */
			ck_assert_uint_eq(pass->value[slot],
					  fakefs_value(slot / 2, i ? 3 : 0, slot % 2 ? 1 : 2));
			ck_assert_uint_eq(pass->status[slot], MBMCAT_OK);
		}
	}
	close_all();
}
END_TEST

static const struct {
	const char *text;
	size_t len;
	enum mbmcat_status status;
	uint64_t value;
} contents[] = {
#define C(text) text, sizeof(text) - 1
	{ C(""), MBMCAT_INVALID, 0 },
	{ C("\n"), MBMCAT_INVALID, 0 },
	{ C("-1\n"), MBMCAT_INVALID, 0 },
	{ C("12.5\n"), MBMCAT_INVALID, 0 },
	{ C(" 12\n"), MBMCAT_INVALID, 0 },
	{ C("12\0\n"), MBMCAT_INVALID, 0 },
	{ C("18446744073709551616\n"), MBMCAT_INVALID, 0 },
	{ C("1234567890123456789012345678901234567890\n"), MBMCAT_INVALID, 0 },
	{ C("00000000000000000000000000000000000000012\n"), MBMCAT_INVALID, 0 },
	{ C("18446744073709551615\n"), MBMCAT_OK, UINT64_MAX },
	{ C("7345357"), MBMCAT_OK, 7345357 },
	{ C("0"), MBMCAT_OK, 0 },
	{ C("Error\n"), MBMCAT_ERROR, 0 },
	{ C("Unavailable\n"), MBMCAT_UNAVAILABLE, 0 },
	{ C("Unassigned\n"), MBMCAT_UNASSIGNED, 0 },
	{ C("Pending\n"), MBMCAT_WORD, 0 },
};

#define FILE_A RESCTRL "/mon_groups/a/mon_data/mon_L3_00/mbm_local_bytes"

/* Whatever the file holds, kept open or not, and after a number was there. */
START_TEST(test_contents)
{
	open_all("mon \"\" a\n", _i % 2 ? 0 : 100);
	for (size_t i = 0; i < ARRAY_SIZE(contents); i++) {
		const struct mbmcat_pass *pass;
		FILE *file;

		file = fopen(unit_path(FILE_A), "r+");
		ck_assert_ptr_nonnull(file);
		ck_assert_int_eq(ftruncate(fileno(file), 0), 0);
		fwrite(contents[i].text, 1, contents[i].len, file);
		fclose(file);
		pass = read_one(0);
		ck_assert_msg(pass->status[2] == contents[i].status, "'%s': %s", contents[i].text,
			      mbmcat_status_text(sample, 0, pass->status[2]));
		ck_assert_uint_eq(pass->value[2], contents[i].value);
		ck_assert_uint_eq(pass->n_read, 4);
		ck_assert_uint_eq(pass->n_ok, contents[i].status == MBMCAT_OK ? 4 : 3);
	}
	ck_assert_str_eq(mbmcat_status_text(sample, 0, MBMCAT_WORD), "Pending");
	ck_assert_str_eq(mbmcat_status_text(sample, 0, MBMCAT_WORD + 1), "invalid");
	close_all();
}
END_TEST

START_TEST(test_words)
{
	char spec[4096] = "groups 12\n";
	const struct mbmcat_pass *pass;

	for (int i = 0; i < 12; i++)
		sprintf(spec + strlen(spec),
			"value /g%02d 0 mbm_local_bytes \"Word%c\\n\"\n"
			"value /g%02d 0 mbm_total_bytes \"Word%c\\n\"\n",
			i, 'a' + i, i, 'a' + i);
	open_all(spec, 1000);
	for (int round = 0; round < 2; round++) {
		pass = read_one(0);
		for (size_t slot = 2; slot < 26; slot++) {
			char word[] = "Worda";

			word[4] = (char)('a' + slot / 2 - 1);
			if (slot / 2 - 1 < MBMCAT_WORDS)
				ck_assert_str_eq(mbmcat_status_text(sample, 0, pass->status[slot]),
						 word);
			else
				ck_assert_uint_eq(pass->status[slot], MBMCAT_INVALID);
			ck_assert_uint_eq(pass->value[slot], 0);
		}
		ck_assert_uint_eq(pass->n_ok, 2);
		ck_assert_uint_eq(pass->n_read, 26);
	}
	close_all();
}
END_TEST

static const struct {
	int error;
	enum mbmcat_status status;
} errors[] = {
	{ ENODEV, MBMCAT_GONE },  { EIO, MBMCAT_FAILED },    { EACCES, MBMCAT_DENIED },
	{ EPERM, MBMCAT_DENIED }, { EINVAL, MBMCAT_FAILED }, { ENOENT, MBMCAT_MISSING },
};

/* One slot fails, the rest of the pass is as ever, and the next pass has it again. */
START_TEST(test_errors)
{
	const struct mbmcat_pass *pass;

	open_all("mon \"\" a\n", 0);
	for (int round = 0; round < 2; round++) {
		fault.first = fault.last = calls + 2;
		fault.error = errors[_i].error;
		pass = read_one(0);
		ck_assert_uint_eq(pass->status[0], MBMCAT_OK);
		ck_assert_uint_eq(pass->status[1], errors[_i].status);
		ck_assert_uint_eq(pass->value[1], 0);
		ck_assert_uint_eq(pass->n_read, 3);
		ck_assert_uint_eq(pass->n_ok, 3);
		ck_assert_uint_eq(pass->n_gone, errors[_i].status == MBMCAT_GONE);
		fault.first = 0;
		pass = read_one(0);
		ck_assert_uint_eq(pass->n_ok, 4);
		ck_assert_uint_eq(pass->n_gone, 0);
		/* The same with files that stay open. */
		mbmcat_sample_free(sample);
		mbmcat_plan_close(rig.plan);
		rig_plan(&rig, 100);
		ck_assert_int_eq(mbmcat_sample_new(rig.plan, &sample), 0);
	}
	close_all();
}
END_TEST

/* A signal is no error, however the file is read. */
START_TEST(test_eintr)
{
	const struct mbmcat_pass *pass;

	open_all("", _i ? 100 : 0);
	fault.first = 1;
	fault.last = 3;
	fault.error = EINTR;
	pass = read_one(0);
	ck_assert_uint_eq(pass->n_ok, 2);
	ck_assert_uint_eq(calls, 5);
	ck_assert_uint_eq(pass->value[0], fakefs_value(0, 0, 2));
	close_all();
}
END_TEST

/* One read gives the whole text or something is wrong: no number is cut. */
START_TEST(test_short_read)
{
	const struct mbmcat_pass *pass;

	open_all("value \"\" 0 mbm_local_bytes \"Unavailable\\n\"\n", 100);
	fault.first = fault.last = 1;
	fault.error = 0;
	fault.cut = 0;
	pass = read_one(0);
	ck_assert_uint_eq(pass->status[0], MBMCAT_INVALID);
	ck_assert_uint_eq(pass->status[1], MBMCAT_OK);
	close_all();
}
END_TEST

START_TEST(test_gone)
{
	const struct mbmcat_pass *pass;

	open_all("mon \"\" a\nmon \"\" b\n", 0);
	unit_remove(RESCTRL "/mon_groups/a");
	ck_assert_int_eq(unlink(unit_path(RESCTRL
					  "/mon_groups/b/mon_data/mon_L3_00/mbm_total_bytes")), 0);
	pass = read_one(0);
	ck_assert_uint_eq(pass->status[0], MBMCAT_OK);
	ck_assert_uint_eq(pass->status[2], MBMCAT_GONE);
	ck_assert_uint_eq(pass->status[3], MBMCAT_GONE);
	ck_assert_uint_eq(pass->status[4], MBMCAT_OK);
	ck_assert_uint_eq(pass->status[5], MBMCAT_MISSING);
	ck_assert_uint_eq(pass->n_gone, 2);
	ck_assert_uint_eq(pass->n_ok, 3);
	ck_assert_uint_eq(pass->n_read, 3);
	close_all();
}
END_TEST

START_TEST(test_dead)
{
	const struct mbmcat_pass *pass;

	open_all("missing \"\" 0 mbm_total_bytes\nmon \"\" a\n", 100);
	pass = read_one(0);
	ck_assert_uint_eq(calls, pass->n_slots - 1);
	ck_assert_uint_eq(pass->status[1], MBMCAT_MISSING);
	ck_assert_str_eq(mbmcat_status_text(sample, 0, pass->status[1]), "missing");
	ck_assert_uint_eq(pass->n_ok, 3);
	close_all();
	mbmcat_sample_free(NULL);
}
END_TEST

/* Each domain's numbers on cache lines of its own. */
START_TEST(test_apart)
{
	open_all("machine l3=0-3\n", 100);
	for (size_t i = 0; i < 4; i++) {
		ck_assert_uint_eq((uintptr_t)sample->passes[i] % CACHE_LINE, 0);
		ck_assert_uint_eq((uintptr_t)sample->passes[i]->value % CACHE_LINE, 0);
	}
	close_all();
}
END_TEST

/* Lines of the cache that bytes lie on. */
static size_t add_lines(const void *at, size_t size, uintptr_t *lines, size_t n)
{
	for (uintptr_t line = (uintptr_t)at / CACHE_LINE;
	     line <= ((uintptr_t)at + size - 1) / CACHE_LINE; line++)
		lines[n++] = line;
	return n;
}

/* What the loop touches is dense, and what it writes is on no line of another domain's. */
START_TEST(test_layout)
{
	static uintptr_t written[4][256];
	size_t n_written[4];

	open_all("machine l3=0-3\ngroups 249 prefix=g\n", 10000);
	ck_assert_uint_eq(mbmcat_plan_domains(rig.plan), 4);
	for (size_t i = 0; i < 4; i++) {
		const struct mbmcat_pass *pass = mbmcat_sample_pass(sample, i);
		const size_t slots = pass->n_slots;
		size_t n = add_lines(pass, sizeof(*pass), written[i], 0);

		ck_assert_uint_eq(slots, 500);
		n = add_lines(pass->value, slots * sizeof(*pass->value), written[i], n);
		n = n_written[i] = add_lines(pass->status, slots, written[i], n);
		ck_assert_uint_eq((uintptr_t)pass->value % CACHE_LINE, 0);
		n = add_lines(rig.plan->domains[i].fd, slots * sizeof(int), written[i], n);
		/* 13 bytes for a counter are 0.203 lines. */
		ck_assert_uint_le(n * 100, slots * 22);
	}
	for (size_t i = 0; i < 4; i++) {
		for (size_t j = 0; j < i; j++) {
			for (size_t a = 0; a < n_written[i]; a++) {
				for (size_t b = 0; b < n_written[j]; b++)
					ck_assert_uint_ne(written[i][a], written[j][b]);
			}
		}
	}
	close_all();
}
END_TEST

UNIT_CASE(sample_tests)
{
	TCase *tc = tcase_create("sample");

	unit_fixture(tc);
	/* With fewer fds than counters, down to none. */
	tcase_add_loop_test(tc, test_values, 0, 14);
	tcase_add_loop_test(tc, test_contents, 0, 2);
	tcase_add_test(tc, test_words);
	tcase_add_test(tc, test_layout);
	tcase_add_loop_test(tc, test_errors, 0, ARRAY_SIZE(errors));
	tcase_add_loop_test(tc, test_eintr, 0, 2);
	tcase_add_test(tc, test_short_read);
	tcase_add_test(tc, test_gone);
	tcase_add_test(tc, test_dead);
	tcase_add_test(tc, test_apart);
	return tc;
}
