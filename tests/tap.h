/* SPDX-License-Identifier: BSD-2-Clause */

/*
 * tap.h - the Test Anything Protocol for our C tests
 *
 * A test calls tap_ok() for each thing it proves and returns tap_done()
 * from main(), which prints the plan.  Only tests include this.
 */

#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sanitizers need memory and time of their own. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TAP_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define TAP_SANITIZED 1
#endif
#endif
#ifndef TAP_SANITIZED
#define TAP_SANITIZED 0
#endif

struct tap {
	unsigned int run;
	unsigned int failed;
};

/* One result; `fmt' names it.  Returns `good'. */
static inline int
#if defined(__GNUC__)
    __attribute__((format(printf, 3, 4)))
#endif
    tap_ok(struct tap *t, int good, const char *fmt, ...)
{
	va_list ap;

	t->run++;
	if (!good)
		t->failed++;
	printf("%sok %u - ", good ? "" : "not ", t->run);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
	fflush(stdout);
	return good;
}

/* A test that can't run here, and why. */
static inline void
tap_skip(struct tap *t, const char *why)
{
	t->run++;
	printf("ok %u # SKIP %s\n", t->run, why);
}

/* A line of explanation under the result before it. */
static inline void
#if defined(__GNUC__)
    __attribute__((format(printf, 1, 2)))
#endif
    tap_diag(const char *fmt, ...)
{
	va_list ap;

	fputs("# ", stdout);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

/* Print the plan.  The status for main() to return. */
static inline int
tap_done(const struct tap *t)
{
	printf("1..%u\n", t->run);
	return t->failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#endif
